"""`manage.py rehearse SESSION`: robots play a copy of a session, which is deleted after."""

from typing import Any

from django.core.management import CommandError
from tqdm import tqdm

from ...models import Session
from ...services import rehearsals
from ...services.errors import Refused
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = "Let robots play a copy of a planned session, with slips, a late table, disputes and a no-show."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("session", type=int, help="the session's number in its address")
        parser.add_argument("--seconds", type=float, default=60.0, help="how long it takes; 0 plays at once")
        parser.add_argument("--keep", action="store_true", help="leave the copy there, as a trial")

    def handle(self, *, session: int, seconds: float, keep: bool, **_: Any) -> None:
        found = Session.objects.select_related("tournament__club", "board_set").filter(pk=session).first()
        if found is None:
            raise CommandError(f"There is no session {session}.")
        if not 0 <= seconds <= rehearsals.LONGEST_SECONDS:
            raise CommandError(f"--seconds must be from 0 to {rehearsals.LONGEST_SECONDS}.")
        with tqdm(total=100, unit="%", desc="Rehearsal", file=self.stderr) as bar:

            def tell(done: float) -> None:
                bar.update(round(100 * done) - bar.n)

            try:
                report = rehearsals.rehearse(
                    session=found,
                    actor=None,
                    wish=rehearsals.RehearsalWish(seconds),
                    keep=keep,
                    tell=tell,
                )
            except Refused as refused:
                raise CommandError(refused.message) from refused
        for what, count in report.happened.items():
            self.stdout.write(f"{what.replace('_', ' ')}: {count}")
        if report.lists_are_right is False:
            raise CommandError("Its lists were not those of its results.")
        if keep:
            self.stdout.write(f"The copy is session {report.session}.")
