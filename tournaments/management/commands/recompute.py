"""`manage.py recompute [SESSION]`: count lists again from their results, and say what differs."""

from typing import Any

from django.core.management import CommandError

from ...models import Session
from ...services import recomputing
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = "Count the lists of a session (of all) again from the results alone, and compare."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("session", type=int, nargs="?", help="the session's number in its address")
        parser.add_argument("--mend", action="store_true", help="make a new version of lists that are wrong")

    def handle(self, *, session: int | None, mend: bool, **_: Any) -> None:
        sessions = Session.objects.select_related("board_set").order_by("pk")
        if session is not None:
            sessions = sessions.filter(pk=session)
            if not sessions.exists():
                raise CommandError(f"There is no session {session}.")
        answers = [self.one(one, mend) for one in sessions.iterator(chunk_size=100)]
        if not all(answers):
            raise CommandError("Some lists are not those of their results.")

    def one(self, session: Session, mend: bool) -> bool:
        """Say what came of a session; whether its lists are right now."""
        answer = recomputing.recompute(session=session, mend=mend)
        if answer is None:
            self.stdout.write(f"Session {session.pk}: results are being taken in; try again in a moment.")
            return True
        if not answer.disagreements:
            self.stdout.write(f"Session {session.pk}: version {answer.version} is what its results give.")
            return True
        for disagreement in answer.disagreements:
            self.stdout.write(f"Session {session.pk}: {disagreement}.")
        if answer.mended:
            self.stdout.write(f"Session {session.pk}: mended in version {answer.version}.")
        return answer.mended
