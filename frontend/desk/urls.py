"""Addresses of the desk."""

from django.urls import path

from . import plays, running, session, views, wizard

CLUB = "desk/clubs/<str:club>/"

urlpatterns = [
    path("desk/", views.desk, name="desk"),
    path(f"{CLUB}tournaments/", views.tournaments, name="club-tournaments"),
    path(f"{CLUB}tournaments/<int:pk>/", views.tournament, name="club-tournament"),
    path(f"{CLUB}settings/", views.settings, name="club-settings"),
    path(f"{CLUB}sessions/new/", wizard.new, name="new-session"),
    path("desk/drafts/<int:pk>/", wizard.draft, name="draft"),
    path("desk/drafts/<int:pk>/delete/", wizard.delete, name="delete-draft"),
    path("desk/drafts/<int:pk>/<str:step>/", wizard.step, name="draft-step"),
    path("desk/sessions/<int:session>/", session.page, name="session-desk"),
    path("desk/sessions/<int:session>/plays/<int:play>/", plays.page, name="desk-play"),
    path("desk/sessions/<int:session>/run/<str:act>/", running.run, name="run-session"),
]
