"""All addresses: the API and its description, and the pages, each under its language."""

from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from tournaments.api import health

from . import (
    archives,
    clubs,
    deals,
    demo,
    design,
    event_pages,
    exports,
    helping,
    history,
    match_pages,
    operating,
    previews,
    printing,
    rating_pages,
    result_files,
    rules,
    screen,
    search,
    season_pages,
    views,
    widgets,
)
from .accounts import operators
from .accounts import urls as accounts
from .accounts.views import follow_link
from .desk import urls as desk
from .players import urls as players
from .players.views import follow_card
from .players.views import follow_link as follow_player_link
from .register import urls as register
from .table import urls as table
from .table import views as table_views

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
    path("metrics", health.metrics, name="metrics"),
    path("demo/<str:secret>/", demo.sign_in, name="demo-sign-in"),  # in anyone's language
    path("invitations/link/<str:secret>/", follow_link, name="invitation-link"),  # in anyone's language
    path("players/link/<str:secret>/", follow_player_link, name="player-link-start"),
    path("players/card/<str:secret>/", follow_card, name="evening-card-start"),
    path("oembed", widgets.oembed, name="oembed"),
    path("t/<str:code>", table_views.start, name="table-start"),
    *i18n_patterns(
        path("", include(accounts)),
        path("", include(desk)),
        path("", include(register)),
        path("", include(players)),
        path("", include(table)),
        path("", views.home, name="home"),
        path("clubs/", clubs.clubs, name="public-clubs"),
        path("clubs/<str:club>/", clubs.page, name="public-club"),
        path("clubs/<str:club>/players/", clubs.players, name="public-players"),
        path("clubs/<str:club>/players/<int:pk>/", clubs.player, name="public-player"),
        path("clubs/<str:club>/ratings/", rating_pages.page, name="ratings-page"),
        path("desk/clubs/<str:club>/ratings/", rating_pages.desk, name="desk-ratings"),
        path("clubs/<str:club>/seasons/<int:pk>/", clubs.season, name="past-season"),
        path("clubs/<str:club>/seasons/<int:pk>.<str:form>", clubs.season_file, name="past-season-file"),
        path("clubs/<str:club>/logo.webp", clubs.logo, name="club-logo"),
        path("clubs/<str:club>/calendar.ics", clubs.calendar, name="club-calendar"),
        path("clubs/<str:club>/results.atom", clubs.results, name="club-results"),
        path("tournaments/<int:pk>/", clubs.tournament, name="public-tournament"),
        path("seasons/<int:season>/", season_pages.page, name="season-page"),
        path("seasons/<int:season>/standing.<str:form>", season_pages.file, name="season-file"),
        path("events/", event_pages.listed, name="public-events"),
        path("events/<int:pk>/", event_pages.page, name="public-event"),
        path("events/<int:pk>/legs/<int:leg>/", event_pages.field, name="public-field"),
        path(
            "events/<int:pk>/legs/<int:leg>/field.<str:form>",
            event_pages.field_file,
            name="public-field-file",
        ),
        path("search/", search.page, name="search"),
        path("search/suggestions/", search.suggestions, name="search-suggestions"),
        path("keys/", search.keys, name="keys"),
        path("help/", helping.page, name="help"),
        path("demo/tour/", demo.tour, name="demo-tour"),
        path("design/", design.page, name="design"),
        path("operating/", operating.page, name="operating"),
        path("games/", rules.games, name="games-page"),
        path("games/<str:game>/", rules.page, name="rules-page"),
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
        path("desk/sessions/<int:session>/print/", printing.page, name="session-print"),
        path("print/<uuid:pk>/", printing.file, name="print-file"),
        path("desk/sessions/<int:session>/archive/", archives.of_session, name="session-archive"),
        path(
            "desk/clubs/<str:club>/tournaments/<int:pk>/archive/",
            archives.of_tournament,
            name="tournament-archive",
        ),
        path("desk/clubs/<str:club>/archives/", archives.bring, name="club-archives"),
        path("archive/<uuid:pk>/", archives.file, name="archive-file"),
        path(
            "tournaments/<int:pk>/standings.<str:form>",
            exports.standings,
            name="tournament-standings-file",
        ),
        path("sessions/<int:session>/files/<str:what>.<str:form>", exports.file, name="session-file"),
        path("desk/sessions/<int:session>/results/", result_files.page, name="session-results-file"),
        path(
            "desk/sessions/<int:session>/results/<str:form>/",
            result_files.template,
            name="session-result-template",
        ),
        path("sessions/<int:pk>/", views.ranking, name="ranking-page"),
        path("sessions/<int:pk>/preview.png", previews.page, name="ranking-preview"),
        path("sessions/<int:pk>/places/<int:number>/preview.png", previews.place, name="place-preview"),
        path(
            "sessions/<int:pk>/boards/<int:number>/<int:play>/preview.png",
            previews.board,
            name="board-preview",
        ),
        path("embed/sessions/<int:pk>/ranking/", widgets.ranking, name="ranking-embed"),
        path("sessions/<int:pk>/verify/", views.verify, name="verify-page"),
        path("sessions/<int:pk>/screen/", screen.page, name="screen-page"),
        path("sessions/<int:pk>/matches/", match_pages.page, name="matches-page"),
        path("sessions/<int:pk>/matches/act/", match_pages.act, name="matches-act"),
        path("sessions/<int:pk>/boards/", views.boards, name="boards-page"),
        path("sessions/<int:pk>/boards/<int:number>/", views.traveller, name="traveller-page"),
        path("sessions/<int:pk>/boards/<int:number>/<int:play>/", views.replay, name="replay-page"),
    ),
]
