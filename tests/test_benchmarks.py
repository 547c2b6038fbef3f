"""The benchmarks measure what they say. `.ci/run` runs them beside their peers, at a small size."""

from dataclasses import replace
from itertools import islice
from typing import Any
from uuid import UUID

import pytest

from benchmarks import bad_files, boards, events, files, lines, movements, prints, replay, scoring, sheets
from benchmarks.load import fields, figures
from benchmarks.load.results import is_ranked, nothing_waits
from engines import registry
from engines.contract import Game
from scoring.entries import NoScore
from scoring.methods import METHODS
from tests.tournaments import worlds
from tournaments.models import FieldRanking, Play, Ranking, Submission, Token
from tournaments.services import submissions


@pytest.mark.parametrize("game", registry.games().values(), ids=lambda game: game.id)
def test_every_board_that_is_measured_replays_to_its_end(game: Game[Any]) -> None:
    """Also where a seat acted out of turn, as in the talks of Démons."""
    for one in islice(boards.our_replays(game), 12):
        one.run()


def test_every_sheet_that_is_measured_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    """With its deal and without it, to the same marks; and the command prints a line for a game."""
    for game in registry.games().values():
        with_deal, without = sheets.scored(game, 1)
        assert with_deal().scores == without().scores
    sheets.main(["--game", "sept", "--seconds", "0"])
    assert "sept" in capsys.readouterr().out


def test_every_line_of_a_game_is_counted_once(capsys: pytest.CaptureFixture[str]) -> None:
    """And the command prints a row for a game, with the parts that it has."""
    for files_of_game in lines.games().values():
        count = sum(len(path.read_text("utf-8").splitlines()) for path in files_of_game)
        assert lines.counted(files_of_game).total() == count
    lines.main()
    rows = {row.split("|")[1].strip(): row for row in capsys.readouterr().out.splitlines()}
    assert {"all", *lines.games()} < rows.keys()
    assert set(lines.counted(lines.games()["comon"])) == {*lines.SAID, *lines.OTHER}


@pytest.mark.django_db
def test_files_that_are_measured_are_stored(capsys: pytest.CaptureFixture[str]) -> None:
    files.show(24)
    names = [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert names == ["a session that is set up", "a paper evening"] * 2
    assert Submission.objects.count() == 2 * 24 + 2 * 24


@pytest.mark.django_db
def test_prints_that_are_measured_are_made(capsys: pytest.CaptureFixture[str]) -> None:
    prints.show(12)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[0] for row in rows] == list(prints.KINDS)
    assert all(int(row[1]) > 0 for row in rows)


@pytest.mark.django_db
def test_an_event_that_is_measured_is_counted_to_its_last_club(capsys: pytest.CaptureFixture[str]) -> None:
    worlds.forget()
    events.show(4, 3)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("a late club")]
    newest = FieldRanking.objects.latest("version")
    assert (newest.version, len(newest.sessions)) == (4, 4)  # without the late club, with it, two mended
    assert Submission.objects.count() >= 4 * 3 * 24 + 2


REFUSED = {
    "a good text": "",
    "a good workbook": "",
    "text: one cell": "slips",
    "text: one cell just below the limit": "slips",
    "text: a million columns": "slips",
    "text: a million empty lines": "too-long",
    "text: UTF-16": "",
    "text: Windows-1252": "",
    "text: bytes of no encoding": "bad-file",
    "text: half a row": "slips",
    "workbook: half a file": "bad-file",
    "workbook: a bomb": "too-long",
    "workbook: a tag without an end": "bad-file",
    "workbook: such a tag in its texts": "bad-file",
    "workbook: one cell": "slips",
    "workbook: a million columns": "bad-file",
    "workbook: a million empty rows": "bad-file",
    "workbook: its last cell alone": "slips",
    "workbook: all cells merged": "slips",
    "workbook: with macros": "",
    "workbook: entities of entities": "bad-file",
    "XML: entities of entities": "bad-file",
    "XML: a million levels": "bad-file",
    "archive: a bomb": "bad-archive",
    "archive: half a file": "bad-archive",
    "archive: twenty thousand files": "bad-archive",
    "archive: a path upwards": "bad-archive",
    "archive: JSON of a million levels": "bad-archive",
}


def test_bad_files_are_refused_by_what_reads_them() -> None:
    told = {}
    for name, content, read in bad_files.files(7_000_000):
        one = bad_files.cost(name, content, read)
        told[name] = one.refusal
        assert one.megabytes < bad_files.MEGABYTES, name
    assert told == REFUSED


def test_a_bad_file_that_costs_too_much_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bad_files, "files", lambda _size: [("good", b"", str), ("bad", b"", str)])
    monkeypatch.setattr(
        bad_files,
        "cost",
        lambda name, _content, _read: bad_files.BadFileCost(name, "", {"good": 0.1, "bad": 2.5}[name], 1.0),
    )
    assert bad_files.main([]) == "too costly: bad"


def test_a_measurement_is_the_quickest_round_over_all_deals() -> None:
    comon = registry.game("comon")
    measured = replay.measurement("comon", islice(boards.our_replays(comon), 5), 0.0)
    assert (measured.name, measured.deals, measured.actions) == ("comon", 2, 60)
    assert 0 < measured.replay < measured.drawn  # to list what is legal costs more than to check it
    assert measured.alone > 0
    assert measured.copy > 0
    assert (measured.bytes or 0) > 0


@pytest.mark.parametrize(("seats", "boards"), scoring.SHAPES)
def test_exact_numbers_and_floats_make_the_same_percentages(seats: int, boards: int) -> None:
    """Before the late result and after it."""
    held = scoring.a_session(60, boards, seats, missing=scoring.MISSING)
    before = scoring.scored(held)
    at = held[0].entries[0].index(NoScore.NOT_PLAYED)
    late = scoring.Late(before.session, at, 9)
    late.compare()
    entries = tuple([*column[:at], 9, *column[at + 1 :]] for column in held[0].entries)
    after = [replace(held[0], entries=entries), *held[1:]]
    for places, results in ((before.places, held), (late.order(), after)):
        floats = {contestant: percent for percent, contestant in scoring.floating(results)}
        assert {place.contestant: place.total.percentage for place in places} == pytest.approx(floats)


def test_every_method_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in METHODS:
        monkeypatch.setattr("sys.argv", ["", "--method", name, "--tables", "6"])
        scoring.main()
        assert capsys.readouterr().out.startswith(f"{name} ")
    for seats, number in scoring.SHAPES:
        assert f"{seats * number * 60:,}" in scoring.of_shape(seats, number, 60)


def test_the_seats_of_every_evening_are_measured_beside_the_best_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["", "--seconds", "0.01"])
    monkeypatch.setattr(movements, "STEPS", 1000)
    movements.main()
    heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split()[-4:] == ["after", "0.01", "s", "best"]
    assert len(rows) == len(movements.EVENINGS)
    for row in rows:
        *_, reached, best = row.split()
        assert 0 < float(reached) <= float(best)


# The service under load


def test_the_table_has_a_column_for_each_form_and_the_goals() -> None:
    embedded, distributed = figures.Run("embedded"), figures.Run("distributed")
    embedded.add("single results by POST", 1234.5, figures.FigureUnit.RATE)
    embedded.add_times("one result accepted", [0.010, 0.030, 0.011], 5000)
    distributed.add_times("one result accepted", [0.5], 5000)
    assert figures.table([embedded, distributed]).splitlines() == [
        f"{'':<46}{'embedded':>16}{'distributed':>16}   goal",
        f"{'single results by POST':<46}{'1,234 /s':>16}{'–':>16}",
        f"{'one result accepted, p50, 5,000':<46}{'11.0 ms':>16}{'500 ms':>16}   25 ms",
        f"{'one result accepted, p99, 5,000':<46}{'30.0 ms':>16}{'500 ms':>16}",
    ]
    assert figures.Run.of_json(embedded.to_json()) == embedded


def test_of_many_times_so_many_per_cent_are_not_above() -> None:
    assert [figures.percentile(range(1, 201), percent) for percent in (1, 50, 99, 100)] == [2, 100, 198, 200]
    assert figures.percentile([7.0], 99) == 7.0


@pytest.mark.django_db
def test_a_field_is_in_its_last_round_and_takes_results_that_move_its_ranking() -> None:
    """Everyone can be compared with everyone, and each sits in each seat."""
    field = fields.a_field(5)
    session = field.session
    assert field.tables == 5
    ranked = worlds.standings_of(session)
    assert {(one.line_group, one.total.boards) for one in ranked} == {(1, 6)}
    assert len(ranked) == 15
    for table, board in ((1, 7), (2, 7)):
        entry = field.other_body(table, board)
        play = Play.objects.get(table__number=table, board__number=board, board__board_set__session=session)
        given = replace(worlds.an_entry(play, {"sheet": entry["sheet"]}), key=UUID(entry["key"]))
        sender = Token.objects.filter(role__isnull=False).get()
        submissions.submit(session_id=session.pk, sender=sender, entries=[given])
        assert not nothing_waits()
        worlds.work(session)
        assert nothing_waits()
        assert is_ranked(Submission.objects.get(key=given.key).pk)
    assert Ranking.objects.filter(session=session, is_live=False).count() == 3
    assert len(list(field.bodies())) == 10
