"""`manage.py archive SESSION FILE`: a session whole, as one zipped folder."""

from pathlib import Path
from typing import Any

from django.core.management import CommandError

from ...models import Session
from ...models.tournaments import not_under_embargo
from ...services import archives
from ...services.errors import Refused
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = "Write a session that has been played into an archive, or all of its tournament's."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("session", type=int, help="the session's number in its address")
        parser.add_argument("file", help="where to write it; it must not be there yet")
        parser.add_argument("--tournament", action="store_true", help="all sessions of its tournament")

    def handle(self, *, session: int, file: str, tournament: bool, **_: Any) -> None:
        own = Session.objects.filter(pk=session)
        if tournament:
            own = Session.objects.filter(tournament__sessions=session, is_trial=False)
        played = own.filter(not_under_embargo(), state__in=Session.OVER).select_related(
            "tournament__club", "board_set", "tally"
        )
        found = list(played.order_by("number"))
        if not found:
            raise CommandError(f"There is no session {session} that has been played.")
        try:
            made = archives.of_sessions(found)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        try:
            with Path(file).open("xb") as written:
                written.write(made.content)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{len(found)} sessions, {len(made.content)} bytes, {made.digest}")
