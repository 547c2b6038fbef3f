"""Paper evenings: the committed ones exactly, and every slip by line, column and reason."""

import json
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection

from engines import registry
from tournaments.models import PaperFile, Result, Session, Tournament
from tournaments.services import paper, sessions, spreadsheets
from tournaments.services.slips import Row

from .worlds import a_club, a_session

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "evenings"
GOOD = (EXAMPLES / "comon-15.csv").read_text("utf-8")
FIRST_ROUND = "\n".join(GOOD.splitlines()[:16])
COMON = registry.game("comon")
OPTIONS = registry.options_of(COMON, {})

pytestmark = pytest.mark.django_db


def imported(capsys: Any, file: Path, *arguments: str) -> str:
    call_command("import_evening", str(file), "--game", "comon", *arguments)
    return str(capsys.readouterr().out)


@pytest.fixture
def first_round(tmp_path: Path) -> Path:
    file = tmp_path / "first-round.csv"
    file.write_text(FIRST_ROUND, "utf-8")
    return file


def slips(text: str) -> list[tuple[int, str, str]]:
    _rows, found = paper.read(text, COMON, OPTIONS)
    return [(slip.line, slip.column, str(slip.reason)) for slip in found]


def test_the_example_gives_exactly_its_ranking(capsys: Any) -> None:
    ranking = json.loads(imported(capsys, EXAMPLES / "comon-15.csv", "--json"))
    assert ranking == json.loads((EXAMPLES / "comon-15.ranking.json").read_text("utf-8"))
    session = Session.objects.get()
    assert (session.state, session.listed, Result.objects.count()) == ("played", False, 105)


def test_the_example_with_mistakes_reports_all_five_and_stores_nothing(capsys: Any) -> None:
    with pytest.raises(CommandError, match="5 slips; nothing has been stored"):
        imported(capsys, EXAMPLES / "comon-15-mistakes.csv")
    lines = [line.partition("mistakes.csv:")[2] for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        "9: tricks1–tricks3: add up to 11; here they must add up to 10",
        "22: board: board 22 belongs to no round: the others play 4, 5, 6",
        "35: seat2: Joueur 02 sits in two seats",
        "52: board: board 11 at table A2 is already on line 51",
        "73: tricks2: “x” is not a whole number",
    ]
    assert not Session.objects.exists()
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda header, rows: [header, *reversed(rows)],
        lambda header, rows: [line.replace(",", ";") for line in [header, *rows]],
        lambda header, rows: [f"{line},,,,," for line in [header, *rows]],  # stray cells, formatted once
        lambda header, rows: [header, *(row.rstrip(",") for row in rows)],  # empty cells at the end left out
        lambda header, rows: [header.title(), "", *rows, ",,,", ""],
        lambda header, rows: [
            header,
            *(row.replace("normal", "Normal").replace(",1,", ",1.0,") for row in rows),
        ],
        lambda header, rows: [header, *(row.replace("Joueur 01", "\u00a0Joueur 01 ") for row in rows)],
    ],
)
def test_how_a_spreadsheet_lays_out_the_rows_does_not_matter(change: Any) -> None:
    header, *rows = GOOD.splitlines()
    expected = Counter(without_line(row) for row in paper.read(GOOD, COMON, OPTIONS)[0])
    for end in ("\n", "\r\n", "\r"):
        content = end.join(change(header, rows)).encode("utf-16" if end == "\r" else "utf-8")
        found, slips = paper.read(spreadsheets.decoded(content), COMON, OPTIONS)
        assert slips == []
        assert Counter(without_line(row) for row in found) == expected


def without_line(row: Row) -> tuple[Any, ...]:
    return (row.section, row.round, row.table, row.board, row.contestants, str(row.judgement.sheet))


def test_an_accent_is_the_same_letter_however_a_system_writes_it() -> None:
    composed, apart = "Rene\u0301".encode(), "Ren\u00e9".encode()
    assert composed != apart
    assert spreadsheets.decoded(composed) == spreadsheets.decoded(apart) == "René"


def test_the_same_file_is_not_imported_twice_by_mistake(capsys: Any, first_round: Path) -> None:
    imported(capsys, first_round)
    with pytest.raises(CommandError, match="already"):
        imported(capsys, first_round)
    imported(capsys, first_round, "--again")
    assert Session.objects.count() == 2


def test_the_database_itself_keeps_a_file_from_being_imported_twice(capsys: Any, first_round: Path) -> None:
    imported(capsys, first_round)
    file = PaperFile.objects.get()
    with pytest.raises(IntegrityError, match=r"paper_file_once_in_club|paperfile"):
        PaperFile.objects.create(club=file.club, digest=file.digest, session=a_session())


def test_a_file_may_be_imported_by_another_club(capsys: Any, first_round: Path) -> None:
    for name in ("Club A", "Club B"):
        imported(capsys, first_round, "--club", a_club(name).slug)
    assert PaperFile.objects.values("digest").distinct().count() == 1


def test_files_that_only_the_history_knew_are_known_after_the_migration(
    capsys: Any, first_round: Path
) -> None:
    imported(capsys, first_round)
    imported(capsys, first_round, "--again")
    before = list(PaperFile.objects.values("club", "digest", "session"))
    PaperFile.objects.all().delete()

    class Then:
        """The models as the migration knew them."""

        @staticmethod
        def get_model(app: str, name: str) -> Any:
            return apps.get_model(app, "HistoryEntry" if name == "Event" else name)

    import_module("tournaments.migrations.0009_paper_files").carry_over(Then, connection.schema_editor())
    assert list(PaperFile.objects.values("club", "digest", "session")) == before


def test_a_new_session_has_the_number_after_the_highest() -> None:
    first = a_session()
    Session.objects.filter(pk=first.pk).update(number=7)
    assert a_session().number == 1, "of another tournament"
    second = sessions.set_up(
        tournament=first.tournament,
        actor=None,
        name="Next",
        game="comon",
        options={},
        method="matchpoints",
        movement="kirkman",
        contestants=[f"P{n}" for n in range(9)],
        boards_per_round=1,
    )
    assert second.number == 8


def test_a_dry_run_stores_nothing(capsys: Any) -> None:
    assert "105 rows are good" in imported(capsys, EXAMPLES / "comon-15.csv", "--dry-run")
    assert not Session.objects.exists()


def test_publishing_is_asked_for(capsys: Any, first_round: Path) -> None:
    imported(capsys, first_round, "--publish")
    assert Session.objects.get().listed


def test_the_comparison_and_its_options_are_chosen(capsys: Any, first_round: Path) -> None:
    imported(capsys, first_round, "--method", "cross-imps", "--method-option", "unit=3")
    session = Session.objects.get()
    assert (session.method, session.method_options) == ("cross-imps", {"unit": 3})
    with pytest.raises(CommandError, match="option: must be one of"):
        imported(capsys, first_round, "--method", "cross-imps", "--method-option", "luck=3", "--dry-run")


def test_boards_of_fewer_plays_come_to_scale(capsys: Any, tmp_path: Path) -> None:
    """Without one row of board 1, its four plays are brought to five by Neuberg's formula."""
    file = tmp_path / "short.csv"
    file.write_text("\n".join(line for line in GOOD.splitlines() if not line.startswith("A,1,5,1,")))
    ranking = {place["contestant"]: place for place in json.loads(imported(capsys, file, "--json"))}
    absent = ranking["Joueur 09"]
    assert absent["top"] == 160
    assert "/" in ranking["Joueur 02"]["matchpoints"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A,1,1,1,Joueur 02,Joueur 03,Joueur 01,normal,2,6,2,,,", "unknown column"),
        ("A,1,1,1,Joueur 02,Joueur 03,Joueur 01,normal,2,6,2,,1", "13 cells"),
    ],
)
def test_rows_of_another_width_are_refused(line: str, message: str) -> None:
    header = GOOD.splitlines()[0]
    if "unknown" in message:
        header, line = header + ",colour", line
    assert message in slips(f"{header}\n{line}\n")[0][2]


@pytest.mark.parametrize(
    ("change", "column", "message"),
    [
        (("A,1,1,1,", "A,x,1,1,"), "round", "not a whole number"),
        (("A,1,1,1,", "A,1,0,1,"), "table", "not a whole number"),
        (("A,1,1,1,", "A,1,1,-1,"), "board", "not a whole number"),
        (("A,1,1,1,", ",1,1,1,"), "section", "name"),
        (("A,1,1,1,Joueur 02", "A,1,1,1,"), "seat1", "missing"),
        (("A,1,1,1,Joueur 02", "A,1,1,1,Jou\0eur"), "seat1", "printable"),
        (("A,1,1,1,Joueur 02", f"A,1,1,1,{'x' * 201}"), "seat1", "200 characters"),
        (("A,1,1,1,Joueur 02", "A,1,1,1,Joueur 22"), "seat1", "no other row"),
        (("A,1,1,1,Joueur 02", "A,1,1,1,Joueur 04"), "seat1", "line"),
        (("normal,2,6,2,", "normal,2,6,,"), "tricks3", "empty"),
        (("normal,2,6,2,", "fault,2,6,2,1"), "tricks1–tricks3", "does not belong"),
        (("normal,2,6,2,", "fault,,,,"), "offender", "missing"),
        (("normal,2,6,2,", ",,,,"), "tricks1–tricks3", "missing"),
        (("normal,2,6,2,", "norml,2,6,2,"), "outcome", "one of"),
        (("normal,2,6,2,", f"normal,{'9' * 5000},6,2,"), "tricks1", "not a whole number"),
        (("A,1,1,1,", f"A,{'9' * 5000},1,1,"), "round", "not a whole number"),
    ],
)
def test_a_slip_is_told_by_column_and_reason(change: tuple[str, str], column: str, message: str) -> None:
    reasons = slips(GOOD.replace(*change, 1))
    assert any(c == column and message in reason for _line, c, reason in reasons), reasons
    assert reasons[0][0] in {2, 5}  # the row itself, or the one that it collides with


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "missing"),
        ("\n", "missing"),
        ("section,round\n", "missing"),
        (GOOD.splitlines()[0] + "\n", "no rows"),
        (GOOD.replace("section", "room", 1), "missing"),
        (GOOD.splitlines()[0] + '\nA,1,"' + "x" * 200_000, "more than 131072 characters"),
        (GOOD.replace("offender", "tricks1", 1), "twice"),
    ],
)
def test_a_header_or_a_file_that_cannot_be_is_refused(text: str, message: str) -> None:
    assert any(message in reason for _line, _column, reason in slips(text))


def test_a_file_that_is_not_there_or_no_text_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_evening", str(tmp_path / "none.csv"), "--game", "comon")
    (tmp_path / "bytes.csv").write_bytes(b"\x81")
    with pytest.raises(CommandError, match="cannot be read as text"):
        call_command("import_evening", str(tmp_path / "bytes.csv"), "--game", "comon")
    (tmp_path / "evening.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(CommandError, match="save it as CSV"):
        call_command("import_evening", str(tmp_path / "evening.xlsx"), "--game", "comon")
    with pytest.raises(CommandError, match=r"its games are: .*comon"):
        call_command("import_evening", str(EXAMPLES / "comon-15.csv"), "--game", "whist")
    with pytest.raises(CommandError, match="method: must be one of: matchpoints"):
        call_command("import_evening", str(EXAMPLES / "comon-15.csv"), "--game", "comon", "--method", "dice")
    with pytest.raises(CommandError, match="name=value"):
        call_command("import_evening", str(EXAMPLES / "comon-15.csv"), "--game", "comon", "--option", "x")
