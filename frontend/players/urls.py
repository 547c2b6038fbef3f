"""Addresses of players' pages."""

from django.urls import path

from . import data, registration, views

urlpatterns = [
    path("players/<int:pk>/", views.player_link, name="player-link"),
    path("me/", views.me, name="me"),
    path("me/results/", views.results, name="my-results"),
    path("me/season/", views.season, name="my-season"),
    path("me/calendar.ics", views.calendar, name="my-calendar"),
    path("me/sessions/<int:pk>/objections/", views.objections, name="my-objections"),
    path("me/sessions/<int:pk>/", views.evening, name="my-evening"),
    path("me/sessions/<int:pk>/boards/<int:number>/", views.board, name="my-board"),
    path("me/sessions/<int:pk>/boards/<int:number>/<int:play>/", views.replay, name="my-replay"),
    path("me/card/", views.card, name="evening-card"),
    path("me/entries/<int:pk>/consent/", views.consent, name="my-consent"),
    path("me/entries/<int:pk>/detach/", views.detach, name="detach-player"),
    path("me/browser/leave/", views.leave_browser, name="leave-browser"),
    path("me/data/", data.download, name="my-data"),
    path("me/erase/", data.erase_me, name="erase-me"),
    path("desk/players/<int:pk>/erase/", data.erase_player, name="erase-player"),
    path("desk/erasures/<int:pk>/decline/", data.decline_erasure, name="decline-erasure"),
    path("registration/<int:pk>/", registration.page, name="registration"),
    path("desk/clubs/<str:club>/registration/", registration.tournaments, name="club-registration"),
    path("desk/tournaments/<int:pk>/registration/", registration.lists, name="tournament-registration"),
    path("desk/registration/<int:pk>/", registration.desk, name="desk-registration"),
    path("desk/clubs/<str:club>/links/", views.links, name="player-links"),
    path("desk/clubs/<str:club>/links/all/", views.all_links, name="all-player-links"),
    path("desk/links/<int:pk>/withdraw/", views.withdraw_link, name="withdraw-player-link"),
]
