"""`manage.py bundle FILE`: what whoever mends the program needs to know, and nothing personal."""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from ...services import bundles


class Command(BaseCommand):
    help = (
        "Write a file for a bug report: the release, the state of the parts, figures, what waits and failed, "
        "the end of the logs. No name, address, card or secret is in it; look through it all the same."
    )
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("file", type=Path, help="a new one, as etui-report.zip")

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            names = bundles.write(file)
        except FileExistsError:
            raise CommandError(f"{file} is there already: give a name that is not.") from None
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}.") from None
        self.stdout.write(f"{file}: {', '.join(names)}. Look through it before you send it.")
