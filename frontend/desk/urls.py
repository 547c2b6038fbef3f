"""Addresses of the desk."""

from django.urls import path

from . import (
    changes,
    club,
    events,
    fees,
    objections,
    plays,
    rankings,
    rehearsal,
    running,
    seasons,
    session,
    slips,
    undoing,
    views,
    waits,
    wizard,
)

CLUB = "desk/clubs/<str:club>/"

urlpatterns = [
    path("desk/", views.desk, name="desk"),
    path("desk/undo/", undoing.undo, name="undo"),
    path(f"{CLUB}tournaments/", views.tournaments, name="club-tournaments"),
    path(f"{CLUB}tournaments/<int:pk>/", views.tournament, name="club-tournament"),
    path(f"{CLUB}settings/", club.settings, name="club-settings"),
    path(f"{CLUB}templates/", club.session_templates, name="club-templates"),
    path(f"{CLUB}templates/<int:pk>/", club.session_template, name="club-template"),
    path(f"{CLUB}catalogue/", club.catalogue, name="club-catalogue"),
    path(f"{CLUB}seasons/", seasons.page, name="club-seasons"),
    path(f"{CLUB}events/", events.of_club, name="club-events"),
    path("desk/events/", events.mine, name="desk-events"),
    path("desk/events/<int:event>/", events.page, name="desk-event"),
    path(f"{CLUB}sessions/new/", wizard.new, name="new-session"),
    path("desk/drafts/<int:pk>/", wizard.draft, name="draft"),
    path("desk/drafts/<int:pk>/delete/", wizard.delete, name="delete-draft"),
    path("desk/drafts/<int:pk>/<str:step>/", wizard.step, name="draft-step"),
    path("desk/sessions/<int:session>/", session.page, name="session-desk"),
    path("desk/sessions/<int:session>/plays/<int:play>/", plays.page, name="desk-play"),
    path("desk/sessions/<int:session>/changes/", changes.page, name="session-changes"),
    path("desk/sessions/<int:session>/changes/here/", changes.here, name="change-here"),
    path("desk/sessions/<int:session>/changes/here/<uuid:job>/", changes.price, name="change-price"),
    path("desk/sessions/<int:session>/changes/table/", changes.table, name="change-table"),
    path("desk/sessions/<int:session>/changes/reserve/", changes.reserve, name="change-reserve"),
    path("desk/sessions/<int:session>/slips/", slips.page, name="desk-slips"),
    path("desk/sessions/<int:session>/slips/hint/", slips.hint, name="desk-slip-hint"),
    path("desk/sessions/<int:session>/rehearsal/", rehearsal.page, name="desk-rehearsal"),
    path("desk/sessions/<int:session>/rankings/", rankings.page, name="desk-lists"),
    path("desk/sessions/<int:session>/fees/", fees.page, name="desk-fees"),
    path("desk/sessions/<int:session>/objections/", objections.page, name="desk-objections"),
    path("desk/sessions/<int:session>/waits/", waits.act, name="desk-waits"),
    path("desk/sessions/<int:session>/news/", waits.news, name="desk-news"),
    path("desk/sessions/<int:session>/run/<str:act>/", running.run, name="run-session"),
]
