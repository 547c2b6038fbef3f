"""Addresses of the page of a table. Its code is all that opens it: there is no account and no cookie."""

from django.urls import path

from . import links, photos, views

urlpatterns = [
    path("t/", views.typed, name="table-code"),
    path("t/worker.js", views.worker, name="table-worker"),
    path("t/<str:code>/", views.page, name="table-page"),
    path("t/<str:code>/now/", views.now, name="table-now"),
    path("t/<str:code>/app.webmanifest", views.manifest, name="table-manifest"),
    path("t/<str:code>/boards/<int:board>/", views.board, name="table-board"),
    path("t/<str:code>/boards/<int:board>/play/", views.play, name="table-play"),
    path("t/<str:code>/corrections/", views.correction, name="table-corrections"),
    path("t/<str:code>/seats/", views.seats, name="table-seats"),
    path("t/<str:code>/photos/", photos.page, name="table-photos"),
    path("t/<str:code>/records/", views.record, name="table-records"),
    path("t/<str:code>/results/", views.results, name="table-results"),
    path("t/<str:code>/agreements/", views.agreements, name="table-agreements"),
    path("t/<str:code>/seated/", views.seated, name="table-seated"),
    path("t/<str:code>/calls/", views.call, name="table-calls"),
    path("desk/sessions/<int:session>/tables/", links.page, name="session-tables"),
    path("desk/sessions/<int:session>/tables/cards/", links.cards, name="table-cards"),
    path("desk/sessions/<int:session>/slip-photos/<int:pk>/", photos.picture, name="slip-photo"),
    path("desk/late/<int:pk>/", links.settle, name="settle-late"),
]
