"""All addresses: the API and its description, and the pages, each under its language."""

from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from tournaments.api import health

from . import deals, design, history, views
from .accounts import operators
from .accounts import urls as accounts
from .accounts.views import follow_link
from .desk import urls as desk
from .players import urls as players
from .players.views import follow_link as follow_player_link
from .register import urls as register

handler500 = views.server_error

urlpatterns = [
    path("api/v1/", include("tournaments.api.urls")),
    path(
        "api/docs/",
        SpectacularSwaggerSplitView.as_view(url_name="schema", metadata_class=None),  # a page has no OPTIONS
        name="api-docs",
    ),
    path("livez", health.live, name="live"),
    path("admin/", operators.admin, name="admin"),
    path("admin/<path:rest>", operators.admin, name="admin-page"),
    path("readyz", health.ready, name="ready"),
    path("invitations/link/<str:secret>/", follow_link, name="invitation-link"),  # in anyone's language
    path("players/link/<str:secret>/", follow_player_link, name="player-link-start"),
    *i18n_patterns(
        path("", include(accounts)),
        path("", include(desk)),
        path("", include(register)),
        path("", include(players)),
        path("", views.home, name="home"),
        path("design/", design.page, name="design"),
        path("desk/clubs/<str:club>/history/", history.page, name="club-history"),
        path("desk/sessions/<int:session>/history/", history.page, name="session-history-page"),
        *(
            path(
                f"desk/{whose}/history/{form}/", history.export, {"form": form}, name=f"{name}-history-{form}"
            )
            for whose, name in (("clubs/<str:club>", "club"), ("sessions/<int:session>", "session"))
            for form in history.FORMS
        ),
        path("desk/sessions/<int:session>/deals/", deals.page, name="session-deals-page"),
        path("desk/sessions/<int:session>/deals/custody/", deals.take, name="take-custody"),
        path("desk/sessions/<int:session>/deals/custody/end/", deals.lay_down, name="lay-down-custody"),
        path("desk/sessions/<int:session>/deals/lists/", deals.lists, name="print-lists"),
        path("jobs/<uuid:pk>/", views.job, name="job-page"),
        path("sessions/<int:pk>/", views.ranking, name="ranking-page"),
        path("sessions/<int:pk>/boards/", views.boards, name="boards-page"),
        path("sessions/<int:pk>/boards/<int:number>/", views.traveller, name="traveller-page"),
        path("sessions/<int:pk>/boards/<int:number>/<int:play>/", views.replay, name="replay-page"),
    ),
]
