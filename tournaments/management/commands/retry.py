"""`manage.py retry SESSION`: judge again what failed by an error of the service itself."""

from typing import Any

from django.core.management import BaseCommand, CommandError

from ...models import Session
from ...services import submissions


class Command(BaseCommand):
    help = "Judge again the submissions of a session that failed by an error of the service itself."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("session", type=int, help="the session's number in its address")

    def handle(self, *, session: int, **_: Any) -> None:
        found = Session.objects.filter(pk=session).first()
        if found is None:
            raise CommandError(f"There is no session {session}.")
        self.stdout.write(f"Submissions that will be judged again: {submissions.retry(session=found)}.")
