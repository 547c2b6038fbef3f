"""Paper evenings: the committed ones exactly, and every slip by line, column and reason."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engines import registry
from tournaments.models import Result, Session, Tournament
from tournaments.services import evenings

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "evenings"
GOOD = (EXAMPLES / "comon-15.csv").read_text("utf-8")
COMON = registry.game("comon")
OPTIONS = registry.options_of(COMON, {})

pytestmark = pytest.mark.django_db


def imported(capsys: Any, file: Path, *arguments: str) -> str:
    call_command("import_evening", str(file), "--game", "comon", *arguments)
    return str(capsys.readouterr().out)


def slips(text: str) -> list[tuple[int, str, str]]:
    _rows, found = evenings.read(text, COMON, OPTIONS)
    return [(slip.line, slip.column, str(slip.reason)) for slip in found]


def test_the_example_gives_exactly_its_ranking(capsys: Any) -> None:
    shown = json.loads(imported(capsys, EXAMPLES / "comon-15.csv", "--json"))
    assert shown == json.loads((EXAMPLES / "comon-15.ranking.json").read_text("utf-8"))
    session = Session.objects.get()
    assert (session.state, session.published, Result.objects.count()) == ("finished", False, 105)


def test_the_example_with_mistakes_reports_all_five_and_stores_nothing(capsys: Any) -> None:
    with pytest.raises(CommandError, match="5 slips; nothing has been stored"):
        imported(capsys, EXAMPLES / "comon-15-mistakes.csv")
    lines = [line.partition("mistakes.csv:")[2] for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        "9: tricks1–tricks3: add up to 11; ten tricks are played",
        "22: board: board 22 belongs to no round: the others play 4, 5, 6",
        "35: seat2: Joueur 02 sits in two seats",
        "52: board: board 11 at table A2 is already on line 51",
        "73: tricks2: “x” is not a whole number",
    ]
    assert not Session.objects.exists()
    assert not Tournament.objects.exists()


def test_the_order_of_the_rows_and_the_separator_do_not_matter(capsys: Any, tmp_path: Path) -> None:
    header, *rows = GOOD.splitlines()
    file = tmp_path / "shuffled.csv"
    file.write_text(
        "\ufeff" + "\r\n".join([header, *sorted(rows, reverse=True)]).replace(",", ";") + "\r\n\r\n"
    )
    shown = json.loads(imported(capsys, file, "--json"))
    assert shown == json.loads((EXAMPLES / "comon-15.ranking.json").read_text("utf-8"))


def test_the_same_file_is_not_imported_twice_by_mistake(capsys: Any) -> None:
    imported(capsys, EXAMPLES / "comon-15.csv")
    with pytest.raises(CommandError, match="already"):
        imported(capsys, EXAMPLES / "comon-15.csv")
    imported(capsys, EXAMPLES / "comon-15.csv", "--again")
    assert Session.objects.count() == 2


def test_a_dry_run_stores_nothing(capsys: Any) -> None:
    assert "105 rows are good" in imported(capsys, EXAMPLES / "comon-15.csv", "--dry-run")
    assert not Session.objects.exists()


def test_publishing_is_asked_for(capsys: Any) -> None:
    imported(capsys, EXAMPLES / "comon-15.csv", "--publish")
    assert Session.objects.get().published


def test_boards_of_fewer_plays_come_to_scale(capsys: Any, tmp_path: Path) -> None:
    """Without one row of board 1, its four plays are brought to five by Neuberg's formula."""
    file = tmp_path / "short.csv"
    file.write_text("\n".join(line for line in GOOD.splitlines() if not line.startswith("A,1,5,1,")))
    shown = {place["contestant"]: place for place in json.loads(imported(capsys, file, "--json"))}
    absent = shown["Joueur 09"]
    assert absent["top"] == 160
    assert "/" in shown["Joueur 02"]["matchpoints"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A,1,1,1,Joueur 02,Joueur 03,Joueur 01,normal,2,6,2,,,", "unknown column"),
        ("A,1,1,1,Joueur 02,Joueur 03,Joueur 01,normal,2,6", "10 cells"),
    ],
)
def test_rows_of_another_width_are_refused(line: str, said: str) -> None:
    header = GOOD.splitlines()[0]
    if "unknown" in said:
        header, line = header + ",colour", line
    assert said in slips(f"{header}\n{line}\n")[0][2]


@pytest.mark.parametrize(
    ("change", "column", "said"),
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
        (("normal,2,6,2,", "fault,2,6,2,"), "tricks1–tricks3", "does not belong"),
        (("normal,2,6,2,", "fault,,,,"), "offender", "missing"),
        (("normal,2,6,2,", ",,,,"), "outcome", "missing"),
        (("normal,2,6,2,", "norml,2,6,2,"), "outcome", "one of"),
    ],
)
def test_a_slip_is_told_by_column_and_reason(change: tuple[str, str], column: str, said: str) -> None:
    found = slips(GOOD.replace(*change, 1))
    assert any(c == column and said in reason for _line, c, reason in found), found
    assert found[0][0] in {2, 5}  # the row itself, or the one that it collides with


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "missing"),
        ("\n", "missing"),
        ("section,round\n", "missing"),
        (GOOD.splitlines()[0] + "\n", "no rows"),
        (GOOD.replace("section", "room", 1), "missing"),
        (GOOD.splitlines()[0] + '\nA,1,"' + "x" * 200_000, "cannot be read"),
        (GOOD.replace("offender", "tricks1", 1), "twice"),
    ],
)
def test_a_header_or_a_file_that_cannot_be_is_refused(text: str, said: str) -> None:
    assert any(said in reason for _line, _column, reason in slips(text))


def test_a_file_that_is_not_there_or_not_utf_8_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_evening", str(tmp_path / "none.csv"), "--game", "comon")
    (tmp_path / "latin.csv").write_bytes("é".encode("latin-1"))
    with pytest.raises(CommandError, match="not UTF-8"):
        call_command("import_evening", str(tmp_path / "latin.csv"), "--game", "comon")
    with pytest.raises(CommandError, match=r"there are: .*comon"):
        call_command("import_evening", str(EXAMPLES / "comon-15.csv"), "--game", "whist")
    with pytest.raises(CommandError, match="method: must be one of: matchpoints"):
        call_command("import_evening", str(EXAMPLES / "comon-15.csv"), "--game", "comon", "--method", "dice")
    with pytest.raises(CommandError, match="name=value"):
        call_command("import_evening", str(EXAMPLES / "comon-15.csv"), "--game", "comon", "--option", "x")
