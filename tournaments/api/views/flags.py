"""What a director should look at."""

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Play, Section, Token
from ...services import flags
from ..filters import FlagFilters, wanted
from ..pagination import cursor_of, links, size_of, slice_of
from ..serializers.flags import FlagSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session


class SessionFlags(OnlyKnownParameters, GenericAPIView[Any]):
    """What is missing, late, slow, doubtful or far from all others, table by table, each with its reason. For
    those who run the session and its scorers; one who plays in it sees only what tells no result."""

    scopes = (Token.Scope.ENTER,)
    serializer_class = FlagSerializer
    queryset = Play.objects.none()
    is_paged, may_descend = True, False
    row: ClassVar = FlagSerializer
    filters = FlagFilters
    order: Mapping[str, type] = {"at": int}

    @extend_schema(responses={200: FlagSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        caller = caller_of(request)
        session = seen_session(request, pk)
        if not Section.objects.scored_by(caller).filter(session=session).exists():
            raise PermissionDenied
        asked = wanted(self.filters, request.query_params)
        own = [
            one
            for one in flags.of(session, caller)
            if all(getattr(one, name) == value for name, value in asked.items())
        ]
        numbers, page = slice_of(len(own), cursor_of(request, self.order), size_of(request))
        shown: list[Any] = own[numbers.start : numbers.stop]
        return Response(links(request, page) | {"results": FlagSerializer(shown, many=True).data})
