"""How long a file of results takes: read by the library of its form alone, dry (every row checked, nothing
stored), and handed in; as CSV and as a workbook. A session that is set up, whose file says what was played
where, and a paper evening, whose file is all that there is. In a database of its own, in seconds of the
processor; the ratio is to reading alone, in the same run.
"""

import argparse
import csv
import io
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from openpyxl import load_workbook

from .aside import own_database

if TYPE_CHECKING:
    from tournaments.models import Account, Session

ROWS = 8_000


@dataclass(frozen=True, slots=True)
class FileTimes:
    """The seconds of one file."""

    name: str
    alone: float
    dry: float
    stored: float


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.files", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    wanted = parser.parse_args(arguments)
    with own_database():
        show(wanted.rows)


def show(rows: int) -> None:
    print(f"{f'{rows} rows':<34}{'alone':>8}{'dry':>8}{'ratio':>8}{'stored':>8}{'ratio':>8}")
    for one in measured(rows):
        ratios = one.dry / one.alone, one.stored / one.alone
        figures = f"{one.alone:>8.2f}{one.dry:>8.2f}{ratios[0]:>8.1f}{one.stored:>8.2f}{ratios[1]:>8.1f}"
        print(f"{one.name:<34}{figures}", flush=True)


def measured(rows: int) -> Iterator[FileTimes]:
    """Of each kind of file, for about so many plays."""
    from tests.tournaments.test_large_evenings import a_file  # models come after the settings
    from tournaments.models import Tournament
    from tournaments.services import clubs, evenings, result_files

    for form, packed, alone in (("CSV", as_csv, rows_of_csv), ("XLSX", as_workbook, rows_of_workbook)):
        tournament = Tournament.objects.create(club=clubs.create(name=form), name=form)  # its own players
        session, account = set_up(tournament, rows)
        whole = {"session": session, "account": account}
        content = packed(filled(session, account))

        def dry(content: bytes, whole: Any = whole) -> None:
            assert result_files.preview(**whole, text=result_files.text_of(content)).is_ready

        def stored(content: bytes, whole: Any = whole) -> None:
            result_files.hand_in(**whole, text=result_files.text_of(content))

        yield FileTimes(
            f"a session that is set up, {form}", *(seconds(one, content) for one in (alone, dry, stored))
        )
        paper = packed(list(csv.reader(a_file(max(rows // 12, 1)).splitlines())))

        def read(content: bytes) -> Any:
            text = evenings.text_of(content)
            return evenings.read(text=text, game="comon", options={}, method="matchpoints")

        def kept(content: bytes, tournament: Tournament = tournament) -> None:
            evenings.store(read(content), tournament=tournament, actor=None, name="Evening")

        yield FileTimes(f"a paper evening, {form}", *(seconds(one, paper) for one in (alone, read, kept)))


# ── The files ─────────────────────────────────────────────────────────────────────────────────────


def set_up(tournament: Any, rows: int) -> "tuple[Session, Account]":
    """A session with so many plays, of which none has a result, and who enters them."""
    from tournaments.models.accounts import RoleKind
    from tournaments.services import accounts, roles
    from tournaments.services.roles import RolePlace

    from .load import fields

    session = fields.a_session_of(tournament, max(rows // (fields.ROUNDS * fields.BOARDS_A_ROUND), 3))
    account = accounts.create(name=f"Scorer of {tournament.name}")
    roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(session=session), actor=None)
    return session, account


def filled(session: "Session", account: "Account") -> list[list[Any]]:
    """Its template, with results that are right."""
    from tournaments.services import result_files

    from .load import fields

    rows, _choices = result_files.template(session=session, account=account, language="en")
    columns = result_files.columns_of(session, "en")
    boards = range(1, fields.ROUNDS * fields.BOARDS_A_ROUND + 1)
    sheets = {number: fields.judgements(session, number) for number in boards}
    for line, row in enumerate(rows[1:]):
        sheet = sheets[row[3]][line % fields.SHEETS].sheet
        for place, column in enumerate(columns):
            if column.field is not None and sheet.get(column.field.name) is not None:
                value = sheet[column.field.name]
                row[place] = value if column.seat is None else value[column.seat - 1]
    return rows


def as_csv(rows: Sequence[Sequence[Any]]) -> bytes:
    from tournaments.services import spreadsheets

    return spreadsheets.as_csv(rows, ",")


def as_workbook(rows: Sequence[Sequence[Any]]) -> bytes:
    from tournaments.services import spreadsheets

    return spreadsheets.as_workbook(rows, "Results")


# ── Measuring ─────────────────────────────────────────────────────────────────────────────────────


def rows_of_csv(content: bytes) -> None:
    assert len(list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))) > 1


def rows_of_workbook(content: bytes) -> None:
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    assert len(list(book.worksheets[0].iter_rows(values_only=True))) > 1


def seconds(run: Callable[[bytes], Any], content: bytes) -> float:
    began = time.process_time()
    run(content)
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
