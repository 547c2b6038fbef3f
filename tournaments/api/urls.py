"""The addresses of the API."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from . import live, views

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("tournaments/", views.Tournaments.as_view(), name="tournaments"),
    path("tournaments/<int:pk>/", views.OneTournament.as_view(), name="tournament"),
    path("tournaments/<int:pk>/sessions/", views.TournamentSessions.as_view(), name="tournament-sessions"),
    path("tournaments/<int:pk>/evenings/", views.TournamentEvenings.as_view(), name="tournament-evenings"),
    path("movements/", views.Movements.as_view(), name="movements"),
    path("sessions/<int:pk>/", views.OneSession.as_view(), name="session"),
    path("sessions/<int:pk>/state/", views.SessionState.as_view(), name="session-state"),
    path("sessions/<int:pk>/publication/", views.SessionPublication.as_view(), name="session-publication"),
    path("sessions/<int:pk>/public-value/", views.PublicValue.as_view(), name="session-public-value"),
    path("sessions/<int:pk>/reserves/", views.Reserves.as_view(), name="session-reserves"),
    path("sessions/<int:pk>/replans/", views.Replans.as_view(), name="session-replans"),
    path("sessions/<int:pk>/guides/", views.Guides.as_view(), name="session-guides"),
    path("sessions/<int:pk>/table-tokens/", views.TableTokens.as_view(), name="session-table-tokens"),
    path("sessions/<int:pk>/boards/", views.SessionBoards.as_view(), name="session-boards"),
    path("sessions/<int:pk>/deals/", views.SessionDeals.as_view(), name="session-deals"),
    path("sessions/<int:pk>/boards/<int:number>/traveller/", views.Traveller.as_view(), name="traveller"),
    path("sessions/<int:pk>/boards/<int:number>/lists/", views.Lists.as_view(), name="board-lists"),
    path("sessions/<int:pk>/boards/<int:number>/proof/", views.Proof.as_view(), name="board-proof"),
    path("sessions/<int:pk>/plays/", views.SessionPlays.as_view(), name="session-plays"),
    path("sessions/<int:pk>/submissions/", views.SessionSubmissions.as_view(), name="session-submissions"),
    path(
        "sessions/<int:pk>/submissions/bulk/",
        views.SessionSubmissionsInBulk.as_view(),
        name="session-submissions-bulk",
    ),
    path("sessions/<int:pk>/ranking/", views.SessionRanking.as_view(), name="session-ranking"),
    path("sessions/<int:pk>/history/", views.SessionHistory.as_view(), name="session-history"),
    path("sessions/<int:pk>/live/", live.stream, name="session-live"),
    path("submissions/<int:pk>/", views.OneSubmission.as_view(), name="submission"),
    re_path("", views.Nothing.as_view(), name="nothing"),
]
