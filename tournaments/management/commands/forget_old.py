"""`manage.py forget_old`: what concerns persons and has been kept long enough is forgotten, as workers do it
once a day."""

from typing import Any

from django.core.management import BaseCommand

from ...services import retention


class Command(BaseCommand):
    help = "Forget what has been kept long enough: docs/privacy.md says what, and for how long."

    def handle(self, **_: Any) -> None:
        for name, count in retention.forget_old().items():
            self.stdout.write(f"{name}: {count}")
