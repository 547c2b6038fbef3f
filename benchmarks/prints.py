"""How long it takes to print, and how much memory: the guide cards of a thousand contestants, each with its
code, and what else is printed for them, one kind after the other. In a database of its own, in seconds of the
processor; `peak` is what the whole process has held at most so far.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .aside import own_database, peak

CONTESTANTS = 1_000
KINDS = ("guide-cards", "names", "rounds", "travelling-sheets", "table-cards", "slips")


@dataclass(frozen=True, slots=True)
class PrintTime:
    """A kind of print: its pages, the bytes of its file, the seconds, and the megabytes held at most."""

    kind: str
    pages: int
    size: int
    seconds: float
    peak: float


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prints", description=__doc__)
    parser.add_argument("--contestants", type=int, default=CONTESTANTS)
    wanted = parser.parse_args(arguments)
    with own_database():
        show(wanted.contestants)


def show(contestants: int) -> None:
    print(f"{f'{contestants} contestants':<34}{'pages':>8}{'kB':>8}{'s':>8}{'MB at most':>12}")
    for one in measured(contestants):
        figures = f"{one.pages:>8}{one.size / 1_000:>8.0f}{one.seconds:>8.2f}{one.peak:>12.0f}"
        print(f"{one.kind:<34}{figures}", flush=True)


def measured(contestants: int) -> Iterator[PrintTime]:
    """Of each kind, for about so many contestants."""
    from tournaments.models import Tournament  # models come after the settings
    from tournaments.models.accounts import RoleKind
    from tournaments.services import accounts, clubs, prints, roles
    from tournaments.services.roles import RolePlace

    from .load import fields

    home = Tournament.objects.create(club=clubs.create(name="Prints"), name="Prints")
    session = fields.a_session_of(home, max(contestants // 3, 3))
    account = accounts.create(name="Director")
    roles.grant(account=account, kind=RoleKind.DIRECTOR, place=RolePlace(session=session), actor=None)
    for kind in KINDS:
        began = time.process_time()
        wish: dict[str, Any] = {
            "kinds": [kind],
            "size": "A4",
            "language": "fr",
            "base": "https://etui.example",
        }
        made = prints.make(session=session, actor=account, **wish)
        took = time.process_time() - began
        yield PrintTime(kind, made.pages, len(made.content), took, peak())


if __name__ == "__main__":
    sys.exit(main())
