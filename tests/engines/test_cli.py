"""`python -m engines`, as people and programs call it."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines import cli

SEED = "0b" * 32
BOARD = {"seed": SEED, "number": 3}


def run(
    capsys: Any, *arguments: str, stdin: str | None = None, monkeypatch: Any = None
) -> tuple[int, list[Any], str]:
    """Status, the JSON lines of standard output, and standard error."""
    if stdin is not None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    status = cli.main([*arguments, "--json"])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err


@pytest.fixture
def ask(capsys: Any, monkeypatch: Any) -> Any:
    def ask(command: str, *files: Any) -> tuple[int, list[Any]]:
        stdin = "\n".join(file if isinstance(file, str) else json.dumps(file) for file in files)
        status, answers, _err = run(capsys, command, "-", stdin=stdin, monkeypatch=monkeypatch)
        return status, answers

    return ask


def test_a_reader_can_play_through_a_deal_with_legal_and_replay_alone(ask: Any) -> None:
    file: dict[str, Any] = {"format": 1, "game": "comon", "options": {}, "board": BOARD, "actions": []}
    for _ in range(30):
        status, [legal] = ask("legal", file)
        assert status == 0
        assert legal["phase"] == "play"
        file["actions"].append(legal["actions"][0]["actions"][-1])
        assert ask("replay", file)[1][0]["over"] == (len(file["actions"]) == 30)
    assert ask("legal", file)[1] == [{"over": True, "phase": "over", "actions": []}]
    _status, [outcome] = ask("replay", file)
    assert outcome["unit"] == {"fr": "demi-vie", "en": "half life", "divisor": 2}
    assert len(outcome["scores"]) == 3
    _status, [sheet] = ask("summarise", file)
    _status, [scored] = ask("sheet", {"game": "comon", "board": BOARD, "sheet": sheet})
    assert scored == outcome
    _status, [ledger] = ask("ledger", {"game": "comon", "deals": [sheet, sheet]})
    assert [row["scores"] for row in ledger["rows"]] == [outcome["scores"]] * 2


def test_an_unfinished_record_has_no_scores_yet(ask: Any) -> None:
    assert ask("replay", {"game": "comon", "board": BOARD, "actions": []}) == (
        0,
        [
            {
                "over": False,
                "scores": None,
                "unit": {"fr": "demi-vie", "en": "half life", "divisor": 2},
                "facts": [],
            }
        ],
    )


def test_in_json_lines_a_refused_record_does_not_stop_the_others(ask: Any) -> None:
    good = {"game": "comon", "sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}
    bad = {"game": "comon", "sheet": {"outcome": "normal", "tricks": [5, 3, 3]}}
    status, answers = ask("sheet", good, bad, "{not json", good)
    assert status == 2
    assert [answer.get("scores") for answer in answers] == [[1, -2, 0], None, None, [1, -2, 0]]
    assert answers[1]["error"] == {
        "type": "BadSheet",
        "message": "tricks: add up to 11; here they must add up to 10",
        "field": "tricks",
        "constraint": "add up to 11; here they must add up to 10",
    }
    assert answers[2]["error"]["type"] == "BadRecord"


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"colour": "red"}, "colour"),
        ({"game": "whist"}, "game"),
        ({"game": None}, "game"),
        ({"format": 2}, "format"),
        ({"format": True}, "format"),
        ({"options": {"aces": "allow"}}, "options.aces"),
        ({"options": {"four_aces": "never"}}, "options.four_aces"),
        ({"options": []}, "options"),
        ({"conditions": {"dealer": 2}}, "conditions.dealer"),
        ({"board": {"seed": "xyz", "number": 1}}, "board.seed"),
        ({"board": {"seed": SEED, "number": 0}}, "board.number"),
        ({"board": {"seed": SEED, "number": True}}, "board.number"),
        ({"board": {"seed": SEED}}, "board"),
        ({"board": BOARD, "deal": {}}, "deal"),
        ({"actions": "play:AH"}, "actions"),
        ({"actions": [1]}, "actions"),
        ({"sheet": {}}, "actions"),
    ],
)
def test_unknown_keys_and_wrong_values_are_refused_by_name(
    ask: Any, change: dict[str, Any], key: str
) -> None:
    status, [answer] = ask("replay", {"game": "comon", "board": BOARD, "actions": []} | change)
    assert status == 2
    assert (answer["error"]["type"], answer["error"]["key"]) == ("BadRecord", key)


def test_a_record_without_a_deal_is_refused(ask: Any) -> None:
    assert ask("replay", {"game": "comon", "actions": []})[1][0]["error"]["key"] == "board"


def test_an_illegal_action_names_place_seat_rule_and_what_was_legal(ask: Any) -> None:
    status, [answer] = ask("replay", {"game": "comon", "board": BOARD, "actions": ["play:ZZ"]})
    error = answer["error"]
    assert status == 2
    assert (error["type"], error["position"], error["action"]) == ("IllegalAction", 0, "play:ZZ")
    assert error["seat"] == 1  # board 3 is dealt by seat 3
    assert len(error["legal"]) == 10
    assert set(error) == {"type", "message", "position", "seat", "action", "rule", "legal"}


def test_deal_and_playout_come_from_the_seed_alone(capsys: Any) -> None:
    arguments = ("comon", "--seed", SEED, "--board", "3")
    _status, [deal], _err = run(capsys, "deal", *arguments)
    assert set(deal) == {"dealer", "hands", "turned"}
    assert deal["dealer"] == 3
    first = run(capsys, "playout", *arguments, "--bot", "random")
    assert first == run(capsys, "playout", *arguments, "--bot", "random")
    assert first[1][0]["board"] == BOARD
    assert len(first[1][0]["actions"]) == 30


def test_options_on_the_command_line_reach_the_generator(capsys: Any) -> None:
    arguments = ("deal", "comon", "--seed", SEED, "--board", "3")
    assert run(capsys, *arguments, "--option", "four_aces=allow")[1] != run(capsys, *arguments)[1]
    for option, key in (
        ("four_aces", "--option"),
        ("four_aces=²", "options.four_aces"),
        ("four_aces=--5", "options.four_aces"),
    ):
        status, [answer], _err = run(capsys, *arguments, "--option", option)
        assert (status, answer["error"]["key"]) == (2, key)


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (("playout", "comon", "--seed", SEED, "--board", "1", "--bot", "genius"), "bot"),
        (("deal", "comon", "--seed", "12", "--board", "1"), "--seed"),
        (("deal", "whist", "--seed", SEED, "--board", "1"), "game"),
        (("deal", "comon", "--seed", SEED, "--board", "0"), "board.number"),
        (("replay", "/nowhere/at/all"), "/nowhere/at/all"),
    ],
)
def test_bad_arguments_end_with_status_2(capsys: Any, arguments: tuple[str, ...], key: str) -> None:
    status, [answer], _err = run(capsys, *arguments)
    assert (status, answer["error"]["key"]) == (2, key)


def test_people_get_text_and_errors_on_standard_error_in_their_language(capsys: Any, tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    file.write_text('{"game": "comon", "sheet": {"outcome": "normal", "tricks": [5, 3, 3]}}')
    assert cli.main(["sheet", str(file), "--lang", "fr"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "font 11 en tout" in err
    for command in (["games"], ["deal", "comon", "--seed", SEED, "--board", "1"]):
        assert cli.main(command) == 0
    assert "four_aces = redraw | allow" in capsys.readouterr().out


def test_games_lists_seats_options_and_units(capsys: Any) -> None:
    status, games, _err = run(capsys, "games")
    assert status == 0
    comon = next(game for game in games if game["id"] == "comon")
    assert comon["seats"] == [3]
    assert comon["options"][0]["values"] == ["redraw", "allow"]


def test_the_libraries_run_without_django(tmp_path: Path) -> None:
    code = "import sys, engines.cli, scoring.ranking; sys.exit(bool({'django', 'celery'} & {*sys.modules}))"
    root = Path(__file__).parent.parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
    done = subprocess.run(
        [sys.executable, "-m", "engines", "games"], cwd=root, check=False, capture_output=True
    )
    assert done.returncode == 0


def test_numbers_of_any_length_are_refused_and_not_read(ask: Any, capsys: Any) -> None:
    """Python itself reads no number of more than 4,300 digits; its error is not the library's."""
    long = "9" * 5000
    status, [answer] = ask("replay", {"game": "comon", "board": BOARD, "actions": [f"{long} play:AH"]})
    assert (status, answer["error"]["type"]) == (2, "IllegalAction")
    status, [answer] = ask("replay", {"game": "mille", "board": BOARD, "actions": [f"bid:{long}"]})
    assert (status, answer["error"]["type"]) == (2, "IllegalAction")
    arguments = ["--seed", "0" * 64, "--board", "1", "--option", f"four_aces={long}"]
    assert cli.main(["deal", "comon", *arguments]) == 2
    assert "options.four_aces" in capsys.readouterr().err
