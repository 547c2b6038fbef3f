"""An evening of each game, by requests alone, with whatever may go wrong; and every list of it, made again by
a plain script from what the session publishes."""

import ast
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from tests import running
from tests.running import campaign
from tournaments.movements import FAMILIES

from . import plain
from .evening import ApiEvening, EveningPlan, RobotClub
from .matches import MatchEvening, MatchPlan
from .plain import PlainList, Published, plain_list


def of(movement: str, rounds: int | None = None, boards: int = 2, **more: Any) -> dict[str, Any]:
    """How a session is set up: the method and what else is not as usual."""
    return {"movement": movement, "rounds": rounds, "boards_per_round": boards, **more}


def varied(game: str) -> dict[str, Any]:
    """Every other option of a game, as it usually is not."""
    return {one.name: one.values[1] for one in registry.game(game).options[::2] if len(one.values) > 1}


def with_unit(name: str, **options: str) -> dict[str, Any]:
    return {"method": name, "method_options": options}


PLANS = {
    one.game: one
    for one in (
        EveningPlan("belote-noisette", 10, of("annealed", 4)),
        EveningPlan("bernicle", 10, of("annealed", 4, **with_unit("zero-sum"))),
        EveningPlan("besigue-chinois", 8, of("howell", 7, 1)),
        EveningPlan("besigue-japonais", 8, of("mitchell", 3, **with_unit("total-points"))),
        EveningPlan("bridgette", 12, of("switched-mitchell", 5, 1, **with_unit("cross-imps"))),
        EveningPlan("caisse", 9, of("kirkman", 4)),
        EveningPlan("cochonnet", 8, of("round-robin", 5, 1)),
        EveningPlan("comon", 10, of("annealed", 4)),
        EveningPlan("demons", 12, of("rainbow", 4)),
        EveningPlan("demons-punisseurs", 10, of("annealed", 4)),
        EveningPlan("duel-las-vegas", 8, of("round-robin", 5, **with_unit("board-a-match"))),
        EveningPlan("frappe", 8, of("relay-mitchell", 4, 1, **with_unit("butler", trim="one"))),
        EveningPlan("heritiers", 10, of("annealed", 4, **with_unit("standardised", clip="3/2"))),
        EveningPlan("hombre", 10, of("annealed", 4, **with_unit("butler"))),
        EveningPlan("le-99", 17, of("annealed", 4, seats=4)),
        EveningPlan("loba", 13, of("annealed", 4, seats=4, **with_unit("cross-imps", divisor="plays"))),
        EveningPlan("mille", 15, of("rotated-rainbow", 4, 1)),
        EveningPlan("sept", 8, of("web-mitchell", 3, 2, **with_unit("matchpoints", unequal="percentage"))),
        EveningPlan("tarot-4-saisons", 9, of("plane", 4)),
        EveningPlan("tarot-double-detente", 10, of("annealed", 5, 1)),
        EveningPlan("tarot-triple-detente", 10, of("round-robin", 6, 1, **with_unit("matchpoints"))),
    )
}
INCIDENTS = {
    *(
        "no-show",
        "half table",
        "late pair",
        "leaver",
        "substitute",
        "wrong board",
        "fouled board",
        "weighted",
    ),
    *("penalty", "reversed", "objection", "dispute", "confirmed", "extension", "finish asks", "reopened"),
    *("final", "amended"),
}


STEPS = [("0", "10"), ("1/2", "12"), ("4", "29/2"), ("30", "20")]
A_TABLE = {"worth": "table", "steps": [{"margin": margin, "gained": gained} for margin, gained in STEPS]}
MATCHES = {
    name: MatchPlan(game, contestants, of(movement, rounds, **more), counting=counting)
    for name, game, contestants, movement, rounds, more, counting in (
        ("team-swiss", "cochonnet", 10, "team-swiss", 4, with_unit("butler"), {}),
        ("swiss", "frappe", 7, "swiss", 4, with_unit("total-points"), {"worth": "wins"}),
        ("team-knock-out", "sept", 10, "team-knock-out", None, {}, {"measure": "boards"}),
        ("knock-out", "bridgette", 6, "knock-out", None, with_unit("cross-imps"), {}),
        ("team-round-robin", "cochonnet", 8, "team-round-robin", None, {}, A_TABLE | {"measure": "points"}),
        ("round-robin", "besigue-chinois", 6, "round-robin", 5, with_unit("butler"), {"worth": "scale"}),
    )
}
"""How matches come about, each in a game for two or for pairs, and what they are worth."""
LEFT_OUT = {"no-show", "half table", "late pair", "leaver", "substitute", "wrong board"}
"""What does not happen where matches are played, or happens to teams."""


@pytest.fixture(scope="module", params=["embedded", pytest.param("distributed", marks=running.needs_servers)])
def club(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RobotClub]:
    """On SQLite; and on PostgreSQL and Redis, where there are some."""
    with running.serving(request.param, tmp_path_factory.mktemp("club") / "var") as service:
        yield RobotClub.founded(service)


@pytest.fixture
def evening(club: RobotClub, request: pytest.FixtureRequest) -> Iterator[ApiEvening]:
    plan = PLANS[request.param]
    options = varied(plan.game)
    one = ApiEvening(club, replace(plan, setting=plan.setting | {"options": options}))
    try:
        yield one
    finally:
        one.close()


@pytest.fixture
def of_matches(club: RobotClub, request: pytest.FixtureRequest) -> Iterator[MatchEvening]:
    one = MatchEvening(club, MATCHES[request.param])
    try:
        yield one
    finally:
        one.close()


@campaign
@pytest.mark.parametrize("evening", PLANS, indirect=True)
def test_an_evening_runs_by_the_api_alone_and_a_plain_script_makes_its_lists(evening: ApiEvening) -> None:
    play_and_compare(evening)
    assert INCIDENTS - evening.happened.keys() == set()


@campaign
@pytest.mark.parametrize("of_matches", MATCHES, indirect=True)
def test_matches_run_by_the_api_alone_and_a_plain_script_makes_their_lists(of_matches: MatchEvening) -> None:
    play_and_compare(of_matches)
    happened = of_matches.happened.keys()
    assert INCIDENTS - LEFT_OUT - happened == set()
    assert {"forfeit", "victory points"} <= happened
    assert ("late team" in happened, "leaver" in happened) == (of_matches.form == "swiss",) * 2


def play_and_compare(evening: ApiEvening) -> None:
    evening.play()
    evening.rulings()
    evening.objection()
    evening.finish()
    evening.set_up_lists()
    compare(evening)
    evening.amend()
    compare_once_counted(evening)


def compare_once_counted(evening: ApiEvening) -> None:
    """A ruling taken back is in the lists soon after its answer, not with it: until then they differ."""
    deadline = time.monotonic() + running.PATIENCE
    while True:
        try:
            compare(evening)
        except AssertionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            break


def compare(evening: ApiEvening) -> None:
    """Every list, as anybody sees it and as it leaves, is the plain script's, to the last digit."""
    published = evening.published()
    for setup in evening.lists:
        expected = plain_list(published, setup)
        of_api(setup, evening.shown(setup["number"]), expected)
        of_export(setup, evening.get(f"exports/list-{setup['number']}/", by=evening.anyone), expected)
    of_ranking(evening.get("exports/ranking/", by=evening.anyone), published)


def of_api(setup: dict[str, Any], shown: dict[str, Any], expected: PlainList) -> None:
    columns = ("line_group", "rank", "number", "boards", "points", "before_next", "scratch_rank")
    assert [tuple(place[name] for name in columns) for place in shown["places"]] == [
        tuple(getattr(one, name) for name in columns) for one in expected.places
    ], setup
    assert [one["number"] for one in shown["absent"]] == list(expected.absent), setup
    assert shown["left_out"] == expected.left_out, setup


def of_export(setup: dict[str, Any], rows: list[dict[str, Any]], expected: PlainList) -> None:
    columns = {name: name for name in ("line_group", "rank", "number", "boards")}
    columns |= {"points_exact": "points", "score_exact": "score", "master_points_exact": "master_points"}
    assert [tuple(row[name] for name in columns) for row in rows] == [
        tuple(getattr(one, name) for name in columns.values()) for one in expected.places
    ], setup


def of_ranking(rows: list[dict[str, Any]], published: Published) -> None:
    overall = {"kind": "overall", "about": "", "method": "", "method_options": {}, "tie_breaks": []}
    expected = plain_list(published, {**overall, "min_boards": 1, "award_factor": "", "handicaps": {}})
    played = [row for row in rows if row["boards"]]
    of_export(overall, [{**row, "master_points_exact": None} for row in played], expected)
    assert sorted(row["number"] for row in rows if not row["boards"]) == list(expected.absent)
    assert all(Fraction(row["points_exact"]) is not None for row in played)


def test_the_plain_script_knows_nothing_but_scoring() -> None:
    tree = ast.parse(Path(plain.__file__).read_text())
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    foreign = {name.partition(".")[0] for name in modules} & {
        "tournaments",
        "frontend",
        "engines",
        "django",
        "tests",
    }
    assert foreign == set()


def test_every_game_has_its_evening() -> None:
    assert PLANS.keys() == registry.games().keys()


def test_every_way_to_play_matches_has_its_evening() -> None:
    of_rounds = {name for name, family in FAMILIES.items() if family.team_size}
    assert of_rounds - {"triplicate"} <= MATCHES.keys(), (
        "three matches at once: tests/tournaments/test_matches.py"
    )
