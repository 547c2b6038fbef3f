"""`manage.py retry SESSION`: judge again what failed because of an internal error."""

from typing import Any

from django.core.management import CommandError

from ...models import Session
from ...services import judging
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = "Judge again the submissions of a session that failed because of an internal error."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("session", type=int, help="the session's number in its address")

    def handle(self, *, session: int, **_: Any) -> None:
        the_session = Session.objects.filter(pk=session).first()
        if the_session is None:
            raise CommandError(f"There is no session {session}.")
        self.stdout.write(f"Submissions that will be judged again: {judging.retry(session=the_session)}.")
