"""`manage.py restore FILE`: a backup becomes the database of a service without one, and is counted again."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError

from ...services import backups
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = (
        "Make a backup the database of this service, which must not have one; bring it to the form of this "
        "release, and count lists and history again. Put SEED_KEYS_FILE back first."
    )
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("file", type=Path, help="what `manage.py backup` has made")
        parser.add_argument(
            "--identity", type=Path, metavar="FILE", help="of the key that opens it (`age-keygen`)"
        )

    def handle(self, *, file: Path, identity: Path | None, **_: Any) -> None:
        try:
            came = backups.restore(file, identity=identity)
        except (backups.CannotBackUp, OSError) as error:
            raise CommandError(str(error)) from None
        for wrong in came.wrong:
            self.stdout.write(f"{wrong}.")
        if came.sealed:
            self.stdout.write(
                f"No key opens the seeds of {came.sealed} sets of boards: put the right keys into "
                f"SEED_KEYS or {settings.SEED_KEYS_FILE} before you start the service."
            )
        if came.wrong or came.sealed:
            raise CommandError("The database is back, but not all is as it was.")
        count = "1 session" if came.sessions == 1 else f"{came.sessions} sessions"
        self.stdout.write(f"The database is back, with {count}; all lists and the history agree.")
