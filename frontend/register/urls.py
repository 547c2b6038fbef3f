"""Addresses of a club's register."""

from django.urls import path

from . import substitutes, views

PLAYERS = "desk/clubs/<str:club>/players/"

urlpatterns = [
    path(PLAYERS, views.players, name="club-register"),
    path(f"{PLAYERS}add/", views.add, name="register-add"),
    path(f"{PLAYERS}paste/", views.paste, name="register-paste"),
    path(f"{PLAYERS}import/", views.import_list, name="register-import"),
    path(f"{PLAYERS}file/<str:form>/", views.export, name="register-export"),
    path(f"{PLAYERS}duplicates/", views.find_duplicates, name="register-duplicates"),
    path(f"{PLAYERS}<int:pk>/", views.player, name="register-player"),
    path(f"{PLAYERS}<int:pk>/merge/", views.merge, name="register-merge"),
    path("desk/sessions/<int:session>/substitutes/", substitutes.page, name="session-substitutes"),
    path(
        "desk/sessions/<int:session>/substitutes/<int:pk>/undo/", substitutes.undo, name="undo-substitution"
    ),
    path(f"{PLAYERS}<int:pk>/take-apart/", views.take_apart, name="register-take-apart"),
]
