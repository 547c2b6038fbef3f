"""`manage.py flush`: Django's own, with what is append-only let go for it."""

from typing import Any

from django.core.management.commands import flush

from ... import guards


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        with guards.away(options["database"]):
            super().handle(**options)
