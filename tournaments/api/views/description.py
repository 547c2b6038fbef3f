"""The API's description of itself."""

from drf_spectacular.views import SpectacularAPIView

from ..strict import OnlyKnownParameters


class Schema(OnlyKnownParameters, SpectacularAPIView):
    parameters = ("lang",)
