"""`manage.py import_evening FILE --game comon`: a club's evening on paper, and its ranking."""

import json
import sqlite3
from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.db import Error as DatabaseError
from django.db import transaction
from django.utils import translation

from engines.cli import setting
from engines.errors import EngineError
from scoring.methods import METHODS
from scoring.rounding import decimals

from ...models import Session, Tournament
from ...services import clubs, evenings, names, paper_amendments, rankings, sessions
from ...services.errors import Refused
from .. import running
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = (
        "Import a club's evening on paper and print its ranking. Nothing is stored unless all rows are good."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("file", help="the club's file; examples/evenings/README.md describes its form")
        parser.add_argument("--game", help="needed, unless the file amends a session")
        parser.add_argument("--method", default="matchpoints", help=", ".join(METHODS))
        parser.add_argument(
            "--method-option", action="append", default=[], metavar="K=V", help="an option of the method"
        )
        parser.add_argument(
            "--option", action="append", default=[], metavar="K=V", help="a variant of the game"
        )
        parser.add_argument("--tournament", help="its name; by default the file's")
        parser.add_argument("--club", help="whose evening it was: its slug or its number (manage.py club)")
        parser.add_argument("--publish", action="store_true", help="show the ranking to everyone at once")
        parser.add_argument(
            "--names-may-be-published", action="store_true", help="those of players new to the register"
        )
        parser.add_argument("--dry-run", action="store_true", help="check the rows only")
        parser.add_argument(
            "--again", action="store_true", help="import a file that has been imported before"
        )
        parser.add_argument(
            "--amends",
            type=int,
            metavar="SESSION",
            help="the session of the first file: this one is it whole",
        )
        parser.add_argument("--reason", default="", help="why the file amends results that are there")
        parser.add_argument("--json", action="store_true", help="print the ranking as JSON")
        parser.add_argument("--lang", choices=[code for code, _name in settings.LANGUAGES], default="en")

    def handle(self, *, lang: str, **options: Any) -> None:
        with translation.override(lang):
            try:
                self.run(**options)
            except EngineError as error:
                raise CommandError(error.phrase().to(lang)) from None
            except Refused as error:
                if error.code == "slips":
                    for slip in error.details:
                        where = f"{options['file']}:{slip['line']}"
                        self.stderr.write(f"{where}: {slip['column'] or '–'}: {slip['reason']}")
                raise CommandError(str(error)) from None
            except (DatabaseError, sqlite3.Error) as error:
                raise CommandError(f"The database cannot be used: {error}") from None

    def run(
        self,
        *,
        file: str,
        game: str | None,
        amends: int | None,
        reason: str,
        method: str,
        method_option: list[str],
        option: list[str],
        names_may_be_published: bool,
        dry_run: bool,
        **rest: Any,
    ) -> None:
        text = text_of(Path(file))
        if amends is not None:
            self.amend(
                text, amends, reason, consent=names_may_be_published, dry_run=dry_run, as_json=rest["json"]
            )
            return
        if game is None:
            raise CommandError("--game is needed.")
        options = dict(setting(one, "--option") for one in option)
        compared_by = dict(setting(one, "--method-option") for one in method_option)
        evening = evenings.read(
            text=text,
            game=game,
            options=options,
            method=method,
            method_options=compared_by,
            names_may_be_published=names_may_be_published,
        )
        if dry_run:
            self.stdout.write(f"{len(evening.rows)} rows are good; nothing has been stored.")
            return
        running.prepare_database()
        session = store(evening, Path(file).stem, **rest)
        evenings.rank(session)
        if rest["publish"]:
            sessions.publish(session=session, actor=None, listed=True)
        newest = rankings.newest(session)
        assert newest is not None  # an evening is ranked before it is finished
        self.show(rankings.standings(newest, reader=names.OPERATOR), method, as_json=rest["json"])

    def amend(
        self, text: str, amends: int, reason: str, *, consent: bool, dry_run: bool, as_json: bool
    ) -> None:
        """Say what a second file changes, and change it."""
        running.prepare_database()
        session = Session.objects.select_related("tournament", "board_set").filter(pk=amends).first()
        if session is None:
            raise CommandError(f"There is no session {amends}.")
        paper_amendments.check(session=session, text=text, reason=reason, is_dry=dry_run)
        amendment = paper_amendments.read(session=session, text=text, names_may_be_published=consent)
        if not dry_run:
            paper_amendments.store(amendment, actor=None, reason=reason)
            evenings.rank(session)
        if as_json:
            self.stdout.write(json.dumps(amendment.to_json(), ensure_ascii=False, indent=1))
            return
        for change in amendment.changes:
            row = change.row
            where = f"line {row.line}: {change.kind} of board {row.board} at table {row.section}{row.table}"
            self.stdout.write(f"{where}: {in_line(change.before)} → {in_line(change.after)}")
        done = "nothing has been stored" if dry_run else "stored"
        self.stdout.write(f"{len(amendment.changes)} changes; {done}.")

    def show(self, standings: list[rankings.Standing], method: str, *, as_json: bool) -> None:
        several = standings[-1].line_group > 1
        if as_json:
            places = [
                {
                    **({"line_group": one.line_group} if several else {}),
                    "place": one.rank,
                    "contestant": one.contestant.name,
                    method: str(one.total.points),
                    "top": one.total.top,
                    "percent": number(one.total.percentage),
                }
                for one in standings
            ]
            self.stdout.write(json.dumps(places, ensure_ascii=False, indent=1))
            return
        width = max(len(one.contestant.name) for one in standings)
        for line, group in groupby(standings, key=lambda one: one.line_group):
            if several:
                self.stdout.write(f"Line {line}")
            for one in group:
                name, total = one.contestant.name.ljust(width), one.total
                out_of = f" %  {total.points}/{total.top}" if total.top else ""
                self.stdout.write(f"{one.rank:>4}  {name}{number(total.value) or '–':>8}{out_of}")


def in_line(said: Mapping[str, Any] | None) -> str:
    return "–" if said is None else json.dumps(said, ensure_ascii=False)


def number(value: Fraction | None) -> str | None:
    return None if value is None else decimals(value)


@transaction.atomic
def store(
    evening: evenings.Evening, name: str, *, club: str | None, tournament: str | None, again: bool, **_: Any
) -> Session:
    the_club = clubs.at_or_only(club)
    of_name = Tournament.objects.filter(club=the_club, name=tournament or name)
    return evenings.store(
        evening,
        tournament=of_name.order_by("pk").last()
        or Tournament.objects.create(club=the_club, name=tournament or name),
        actor=None,
        name=name,
        again=again,
    )


def text_of(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    return evenings.text_of(content)
