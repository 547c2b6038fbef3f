"""The pages' application: what happens to ways of signing in goes into the history."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    name = "frontend"

    def ready(self) -> None:
        from .accounts import notes

        notes.connect()
