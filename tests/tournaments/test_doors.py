"""No function of `scoring` and no movement is without a door: a request that reaches it.

The requests below are made, and every function that runs meanwhile is noted. What none of them reaches is
listed in `WITHOUT`, each with its reason: a line there that has a door now fails too.
"""

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

import scoring
from scoring import cli
from scoring.matches import MATCH_TIE_BREAKS
from scoring.methods import METHODS
from scoring.ties import TIE_BREAKS
from tournaments.models import Role, Session
from tournaments.movements.families import FAMILIES
from tournaments.services import archives, counting, lists, sessions, tokens

from .seasons import a_season, evenings
from .worlds import World, a_session, a_world, ended, hand_in, plays_of, work

pytestmark = pytest.mark.django_db

OF_THE_REGISTRY = "a line of the registry, made when the module is loaded"
OF_THE_LIBRARY = "for those who use the library by itself"

WITHOUT = {
    "methods.Method": OF_THE_REGISTRY,
    "methods.choice": OF_THE_REGISTRY,
    "recaps.TravellerRow": OF_THE_LIBRARY,
    "recaps.travellers_of": OF_THE_LIBRARY,
    "recaps.total_of_scorecard": OF_THE_LIBRARY,
    "units.lines": "python -m scoring.units",
    "units.main": "python -m scoring.units",
    "units.mean_square": "python -m scoring.units",
    "units.measurement": "python -m scoring.units",
}

METHOD_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "matchpoints": [{"unequal": "percentage"}, {"small_groups": "always"}],
    "cross-imps": [{"divisor": "plays"}],
    "butler": [{"average": "median"}, {"round_to": "1"}],
    "standardised": [{"clip": "2"}],
}

RULINGS: list[dict[str, Any]] = [
    {
        "play": {
            "table": 1,
            "board": 1,
            "decisions": [{"kind": "artificial", "percent": "60", "own": "if better"}],
        }
    },
    {
        "play": {
            **{"table": 2, "board": 1},
            "decisions": [
                {
                    "kind": "assigned",
                    "outcomes": [
                        {"weight": "1/2", "scores": [1, -2, 0]},
                        {"weight": "1/2", "scores": [-2, 1, 0]},
                    ],
                }
            ],
        }
    },
    {"play": {"table": 3, "board": 2, "decisions": [{"kind": "annulled"}]}},
    {"fouled": {"board": 3, "groups": [{"name": "B", "tables": [{"table": 1}]}]}},
    {"contestant": {"kind": "penalty", "contestant": 1, "amount": "10"}},
    {"contestant": {"kind": "bonus", "contestant": 2, "amount": "5"}},
    {"contestant": {"kind": "carry-over", "contestant": 3, "won": "6", "fraction": "1/3", "clamp": "1"}},
    {"contestant": {"kind": "disqualification", "contestant": 4}},
]

FORMULA = {"name": "Of the doors", "text": "factor × sqrt(tables + 0.25) ÷ place"}  # no other test reads it
LISTS: list[dict[str, Any]] = [
    *({"kind": "overall", "tie_breaks": [one]} for one in TIE_BREAKS),
    {"kind": "overall", "method": "no-such-method"},
    {"kind": "handicap", "handicaps": {"1": "5"}, "award_factor": "2"},
    {"kind": "overall", "award_factor": "2", "formula": FORMULA["name"]},
    *(
        {"kind": "overall", "method": name, "method_options": options}
        for name in METHODS
        for options in ({}, *METHOD_OPTIONS.get(name, []))
    ),
]

MATCH_LISTS: list[dict[str, Any]] = [
    {"kind": "teams"},
    *({"kind": "matches", "tie_breaks": [one]} for one in MATCH_TIE_BREAKS),
]
MATCH_RULES: list[dict[str, Any]] = [
    {},
    {"measure": "points", "worth": "table", "steps": [{"margin": "0", "gained": "10"}]},
    {"measure": "boards", "worth": "wins"},
]

MOVEMENTS: list[dict[str, Any]] = [
    {"game": "comon", "contestants": 9},
    {"game": "comon", "contestants": 12},
    {"game": "comon", "contestants": 8},
    {"game": "cochonnet", "contestants": 6},
    {"game": "cochonnet", "contestants": 8},
]

ASKED_FOR = {
    **{"whist": 8, "triplicate": 6, "team-round-robin": 8},
    **{"swiss": 6, "team-swiss": 8, "knock-out": 6, "team-knock-out": 8},
}


@contextmanager
def noted() -> Iterator[set[CodeType]]:
    """The code that runs here."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)


def library() -> Iterator[tuple[str, Any]]:
    """Every public function and class of `scoring`, as `ranking.Places`."""
    for found in pkgutil.iter_modules(scoring.__path__):
        if found.name == "__main__":  # the library on the command line: it would run
            continue
        module: ModuleType = importlib.import_module(f"scoring.{found.name}")
        for name, one in vars(module).items():
            is_own = getattr(one, "__module__", None) == module.__name__ and not name.startswith("_")
            if is_own and (inspect.isfunction(one) or inspect.isclass(one)):
                yield f"{found.name}.{name}", one


def has_run(one: Any, seen: set[CodeType]) -> bool:
    """A function, or any of a class: one without functions of its own (an enum) needs no door of its own."""
    if inspect.isfunction(one):
        return inspect.unwrap(one).__code__ in seen
    codes = [code for part in vars(one).values() if (code := getattr(_function(part), "__code__", None))]
    return not codes or any(code in seen for code in codes)


def _function(part: Any) -> Callable[..., Any] | None:
    for name in ("fget", "func", "__func__"):
        part = getattr(part, name, part)
    return part if inspect.isfunction(part) else None


def keep_a_season() -> None:
    """Two evenings by standard scores, what splits ties, a prize; and the page that everybody reads."""
    season = a_season(
        *evenings(2),
        measure="standard",
        rules={"tie_breaks": ["encounters", "best-evenings"]},
        prizes=[{"name": "Cup", "count": 1}],
    )
    assert Client().get(f"/en/seasons/{season.pk}/").status_code == 200


def play_matches() -> None:
    """A round of matches of teams, counted in every way."""
    session = a_session(players=8, game="cochonnet", movement="team-swiss", method="butler")
    world = World(session)
    world.tokens["organiser"], world.texts["organiser"] = tokens.issue_for_role(
        person="director", club=session.tournament.club, kind=Role.Kind.ORGANISER
    )
    client, address = world.client("organiser"), f"/api/v1/sessions/{session.pk}/"
    for play in plays_of(session):
        hand_in(world, play, {"sheet": {"rounds": [[30 + play.table.number, 40]] * 4}})
    work(session)
    for rules in MATCH_RULES:
        assert client.put(f"{address}match-rules/", rules, format="json").status_code == 200
        assert None not in [one["gained"] for one in client.get(f"{address}matches/").json()["results"]]
    for setup in MATCH_LISTS:
        made = client.post(f"{address}lists/", {"name": "List", **setup}, format="json")
        assert made.status_code == 201, made.content
        assert client.get(f"{address}lists/{made.json()['number']}/places/").status_code == 200
    ruling = {"play": {"table": 1, "board": 1, "decisions": [{"kind": "artificial", "percent": "60"}]}}
    assert client.post(f"{address}rulings/preview/", ruling, format="json").status_code == 200
    ended(client, client.post(f"{address}next-round/", {}, format="json"))


@pytest.mark.campaign
def test_every_function_of_scoring_has_a_door(tmp_path: Path) -> None:
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/"
    for play in plays_of(world.session):
        tricks = [[5, 3, 2], [3, 5, 2], [5, 3, 2]][play.table.number - 1]
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": tricks}})
    with noted() as seen:
        work(world.session)
        assert client.post("/api/v1/clubs/club-a/formulas/", FORMULA, format="json").status_code == 201
        for setup in LISTS:
            made = client.post(f"{address}lists/", {"name": "List", **setup}, format="json")
            if made.status_code == 201:
                assert client.get(f"{address}lists/{made.json()['number']}/places/").status_code == 200
        for body in RULINGS:
            answer = client.post(f"{address}rulings/preview/", body, format="json")
            assert answer.status_code == 200, (body, answer.content)
            answer = client.post(f"{address}rulings/", {**body, "reason": "So"}, format="json")
            assert answer.status_code == 201, (body, answer.content)
        work(world.session)
        sessions.finish(session=world.session, actor=None)
        sessions.publish(session=world.session, actor=None, listed=True)
        for query in ("", "?rule=best&best=1&value=master-points"):
            address = f"/api/v1/tournaments/{world.session.tournament_id}/standings/{query}"
            answer = client.get(address)
            assert answer.status_code == 200
            assert answer.json()["count"] == 8, "all but the one who was disqualified"
        call_command("recompute", world.session.pk, stdout=StringIO())
        for path in ("ranking/", "ranking/difference/", "plays/", "lists/1/places/"):
            assert client.get(f"/api/v1/sessions/{world.session.pk}/{path}").status_code == 200
        play_matches()
        keep_a_season()
        made = ended(client, client.post("/api/v1/clubs/club-a/ratings/", {}, format="json"))
        assert made.status_code == 204, made.json()
        assert client.get("/api/v1/clubs/club-a/ratings/?game=comon").json()["results"]
        query = f"sessions={world.session.number}"
        address = f"/api/v1/tournaments/{world.session.tournament_id}/divisions/?{query}"
        assert client.get(address).status_code == 200
        path = tmp_path / "evening.zip"
        made_of = Session.objects.select_related("tournament__club", "board_set", "tally")
        path.write_bytes(archives.of_sessions([made_of.get(pk=world.session.pk)]).content)
        assert cli.main(["verify", str(path)]) == cli.HOLDS
    counting.memory.forget()
    without = {name for name, one in library() if not has_run(one, seen)}
    assert sorted(without ^ set(WITHOUT)) == [], "each has a door, or its reason"
    assert lists.of(world.session).count() < lists.MOST


def test_every_movement_has_a_door() -> None:
    """Most are offered for some number of contestants; those whose partners stay together are asked for by
    their names, when a session is set up."""
    world = a_world()
    client = world.client("organiser")
    offered: set[str] = set()
    for wish in MOVEMENTS:
        answer = client.get("/api/v1/movements/", {**wish, "boards": 8})
        assert answer.status_code == 200, answer.content
        offered |= {one["movement"] for one in answer.json()}
    for family, contestants in ASKED_FOR.items():
        assert family not in offered
        names = [f"P{n}" for n in range(contestants)]
        body = {"name": family, "game": "cochonnet", "movement": family, "contestants": names}
        address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
        made = ended(client, client.post(address, body, format="json"))
        assert made.status_code == 200, made.json()
        offered.add(family)
    assert offered == set(FAMILIES)
