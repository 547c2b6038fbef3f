"""What is learned of a session's lists while it is played: of boards that are over, and of no other."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from frontend import previews
from tests.samples import here
from tournaments.api import live
from tournaments.models import Play, Player, Ranking, Session, Tally
from tournaments.models.accounts import RoleKind
from tournaments.models.open_boards import over_in
from tournaments.services import (
    counting,
    lists,
    rankings,
    recomputing,
    rulings,
    sessions,
    states,
    tokens,
    versions,
)

from .test_own_session import OTHER, SHEET, official
from .worlds import World, a_list, a_world, forget, hand_in, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

ONE_BY_TRICKS = {"sheet": {"outcome": "normal", "tricks": [8, 1, 1]}}
ROUTES = (
    *["", "boards/", "deals/", "plays/", "submissions/", "history/seals/", "rounds/", "flags/", "rulings/"],
    *["boards/1/traveller/", "boards/2/traveller/", "boards/2/proof/", "objections/", "confirmations/"],
)
LISTS = (
    *["ranking/", "ranking/?version=1", "ranking/?version=2", "ranking/versions/", "lists/"],
    *["ranking/difference/", "ranking/difference/?from=1&to=2", "lists/1/", "lists/1/places/"],
    *["lists/2/places/", "lists/3/places/"],
)


def a_running_world(**setting: Any) -> World:
    """A listed session of three tables whose first board is over: its tables have all played it."""
    world = a_world(published=True, **setting)
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    for play in in_round(world, 1):
        sheet = ONE_BY_TRICKS if play.table.number == 1 else {"sheet": SHEET}
        table_hands_in(world, play, sheet)
    work(world.session)
    a_list(world.session)
    for name, more in (("By count-back", {"tie_breaks": ["count-back", "best-boards"]}), ("By IMPs", IMPS)):
        setup = lists.ListSetup(name, "overall", **more)
        lists.set_up(session=world.session, actor=None, setup=setup)
    world.refresh()
    return world


PAGES = ("ranking-page", "screen-page", "ranking-embed", "ranking-preview", "boards-page")
IMPS: dict[str, Any] = {"method": "zero-sum"}


def in_round(world: World, number: int) -> list[Play]:
    return [play for play in plays_of(world.session) if play.round == number]


def onlookers(world: World, play: Play) -> dict[str, APIClient]:
    """Everybody who may know nothing of a play: not those who played it, nor officials who do not play."""
    own = Player.objects.filter(contestants__session=world.session)
    others = own.exclude(contestants__seatings__play=play)
    director = official(world, others[0].name, RoleKind.DIRECTOR)
    table = next(
        one for one in world.texts if one in {"table", "other table"} and not is_of(world, one, play)
    )
    return {
        **{who: world.client(who) for who in ("anyone", "foreign organiser", "foreign table", table)},
        "a director who plays elsewhere": director,
    }


def is_of(world: World, who: str, play: Play) -> bool:
    return world.holder(who).table_id == play.table_id


def learned(world: World, clients: dict[str, APIClient], routes: tuple[str, ...]) -> dict[Any, Any]:
    """All that these people are told by these routes: content and ETags; and by the stream and the pages."""
    root = f"/api/v1/sessions/{world.session.pk}/"
    found: dict[Any, Any] = {}
    for who, client in clients.items():
        for route in routes:
            answer = client.get(root + route)
            found[who, route] = (answer.status_code, answer.content, answer.get("ETag", ""))
        text = client._credentials.get("HTTP_AUTHORIZATION", client.defaults.get("HTTP_AUTHORIZATION", ""))
        found[who, "stream"] = live.news_for(world.session.pk, text.removeprefix("Bearer "))
    return found


def looked_at(world: World) -> dict[str, str]:
    """What anybody's browser is shown of the session, and what other sites draw of it."""
    session, found = world.session, {}
    pages = {name: reverse(name, args=[session.pk]) for name in PAGES}
    pages |= {"home": reverse("home"), "club": reverse("public-club", args=[session.tournament.club.slug])}
    for name, page in pages.items():
        answer = Client().get(page)
        assert answer.status_code == 200, name
        shown = answer.content.decode("latin-1")
        found[name] = re.sub(r'nonce="[^"]*"|value="[A-Za-z0-9]{64}"', "", shown)
    return found


@contextmanager
def undone() -> Iterator[None]:
    """What happens in the block has not happened."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    forget()


@pytest.mark.parametrize("setting", here(Session.Live.values, one_in=3))
def test_nobody_but_officials_learns_a_result_of_a_board_that_is_not_over(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two evenings that differ only in the results of a board in play look the same to everybody else: in
    every answer, its ETag, the stream and the pages. In the lists they look as if nothing had come at all."""
    monkeypatch.setattr(live, "close_old_connections", lambda: None)  # the test's own is one
    world = a_running_world()
    states.mend(session=world.session, actor=world.organiser, live=setting)
    work(world.session)
    play = in_round(world, 2)[0]
    clients = onlookers(world, play)
    nothing = learned(world, clients, LISTS)
    told, full, pages = [], [], []
    for sheet in (SHEET, OTHER):
        with undone():
            sent = table_hands_in(world, play, {"sheet": sheet})
            hand_in(world, in_round(world, 2)[1], {"sheet": SHEET})
            work(world.session)
            decisions = [
                {"kind": "assigned", "seats": [1], "outcomes": [{"weight": "1", "scores": [9, 0, 0]}]}
            ]
            place = rulings.PlayPlace("A", play.table.number, play.board.number)
            plan = rulings.on_play(session=world.refresh(), place=place, decisions=decisions)
            if sheet == OTHER:
                rulings.rule(plan, actor=world.organiser, text="A card fell")
            work(world.session)
            assert sent.pk
            assert learned(world, clients, LISTS) == nothing
            told.append(learned(world, {w: c for w, c in clients.items() if "director" not in w}, ROUTES[:6]))
            pages.append(looked_at(world))
            full.append(world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/ranking/").json())
    assert full[0]["places"] != full[1]["places"], "the officials see them at once"
    assert not full[0]["live"]
    bodies = [{key: value[:2] for key, value in one.items()} for one in told]
    assert bodies[0] == bodies[1]
    assert pages[0] == pages[1]


def shown(world: World, who: str = "anyone", route: str = "ranking/") -> Any:
    answer = world.client(who).get(f"/api/v1/sessions/{world.session.pk}/{route}")
    return (
        answer.json() if answer.status_code == 200 else (answer.status_code, answer.json()["error"]["code"])
    )


def boards_counted(world: World) -> set[int]:
    return {place["boards"] for place in shown(world)["places"]}


def test_a_board_counts_for_everybody_as_soon_as_it_is_over() -> None:
    world = a_running_world()
    first = shown(world)
    assert (first["live"], first["version"], boards_counted(world)) == (True, 1, {1})
    *most, last = in_round(world, 2)
    for play in most:
        table_hands_in(world, play, ONE_BY_TRICKS)
        work(world.session)
    assert shown(world) == first
    table_hands_in(world, last, {"sheet": OTHER})
    work(world.session)
    assert boards_counted(world) == {2}
    assert shown(world)["version"] == 2
    difference = shown(world, route="ranking/difference/")
    assert (difference["live"], difference["first"], difference["last"]) == (True, 1, 2)
    assert [(one["kind"], one["board"]) for one in difference["causes"]] == [("board-over", 2)]
    hand_in(world, in_round(world, 3)[0], {"sheet": OTHER})
    hand_in(world, in_round(world, 1)[0], {"sheet": OTHER})
    work(world.session)
    (cause,) = shown(world, route="ranking/difference/")["causes"]
    assert (cause["kind"], cause["board"]) == ("correction", 1), "and nothing of board 3"


def test_officials_see_everything_and_everybody_does_once_it_has_been_played() -> None:
    world = a_running_world()
    table_hands_in(world, in_round(world, 2)[0], ONE_BY_TRICKS)
    work(world.session)
    for who in ("organiser", "scorer"):
        assert not shown(world, who)["live"]
        assert {place["boards"] for place in shown(world, who)["places"]} == {1, 2}
        assert not shown(world, who, "lists/1/places/")["live"]
    sessions.finish(session=world.refresh(), actor=world.organiser)
    assert not shown(world)["live"]
    assert shown(world)["places"] == shown(world, "organiser")["places"]
    states.change(session=world.refresh(), actor=world.organiser, to="running", reason="Too early")
    work(world.session)
    assert boards_counted(world) == {1}, "it is played again, and only what is over counts"


def test_a_session_may_show_its_lists_after_each_round_or_not_at_all() -> None:
    world = a_running_world(boards_per_round=2)
    assert shown(world)["version"] == 1
    assert boards_counted(world) == {2}
    states.mend(session=world.refresh(), actor=world.organiser, live="rounds")
    hand_in(world, in_round(world, 1)[0], {"sheet": OTHER})
    table_hands_in(world, in_round(world, 2)[0], {"sheet": SHEET})
    work(world.session)
    assert shown(world)["version"] == 1, "a correction waits for the end of the round as well"
    for play in in_round(world, 2)[1:]:
        table_hands_in(world, play, {"sheet": SHEET})
    work(world.session)
    assert (shown(world)["version"], boards_counted(world)) == (2, {4})
    comparison = recomputing.recompute(session=world.session)
    assert comparison is not None
    assert not comparison.disagreements
    assert figures_on_pages(world) == {"ranking-page", "screen-page", "ranking-embed", "home", "club"}
    assert previews.told_of(world.session).places
    states.mend(session=world.refresh(), actor=world.organiser, live="hidden")
    work(world.session)
    for route in ("ranking/", "ranking/versions/", "ranking/difference/", "lists/1/places/"):
        assert shown(world, route=route) == (404, "not-over-yet")
        assert not isinstance(shown(world, "organiser", route), tuple)
    assert figures_on_pages(world) == set()
    assert previews.told_of(world.session).places == ()


def figures_on_pages(world: World) -> set[str]:
    """The pages on which anybody finds the score of a contestant."""
    score = re.compile(r'class="(?:score|figure)">[−\d]')
    return {name for name, shown in looked_at(world).items() if score.search(shown)}


def test_the_live_list_follows_whatever_makes_a_board_over_without_a_result() -> None:
    world = a_running_world()
    *most, last = in_round(world, 2)
    for play in most:
        table_hands_in(world, play, ONE_BY_TRICKS)
    work(world.session)
    place = rulings.PlayPlace("A", last.table.number, last.board.number)
    plan = rulings.on_play(session=world.refresh(), place=place, decisions=[{"kind": "not-played"}])
    rulings.rule(plan, actor=world.organiser, text="No time")
    work(world.session)
    assert shown(world)["version"] == 2
    assert boards_counted(world) == {1, 2}


def test_the_live_list_is_compared_with_its_results_too() -> None:
    """What was counted wrongly is noticed, and mended."""
    world = a_running_world()
    comparison = recomputing.recompute(session=world.session)
    assert comparison is not None
    assert not comparison.disagreements
    held, _lines = counting.up_to_date(tally_of(world))
    wrong = versions.to_bytes(held.totals.of([]), held.groups)
    newest = rankings.newest(world.session, is_live=True)
    assert newest is not None
    Ranking.objects.bulk_create(
        [Ranking(session=world.session, version=2, is_live=True, content=wrong, is_snapshot=True, boards=[1])]
    )
    Tally.objects.filter(session=world.session).update(live_version=2)
    versions.forget()
    comparison = recomputing.recompute(session=world.session, mend=True)
    assert comparison is not None
    assert comparison.disagreements
    assert comparison.mended
    assert boards_counted(world) == {1}


def test_a_result_of_a_board_in_play_costs_the_live_list_nothing() -> None:
    world = a_running_world()
    over = frozenset(over_in(world.session).values_list("pk", flat=True))
    held = counting.up_to_date(tally_of(world))[0]
    counting.memory.keep(world.session.pk, held)
    before = held.of_boards(over)
    table_hands_in(world, in_round(world, 2)[0], ONE_BY_TRICKS)
    work(world.session)
    held = counting.up_to_date(tally_of(world))[0]
    counting.memory.keep(world.session.pk, held)
    assert held.of_boards(over, before).standings is before.standings
    for play in in_round(world, 2)[1:]:
        table_hands_in(world, play, ONE_BY_TRICKS)
    work(world.session)
    over = frozenset(over_in(world.refresh()).values_list("pk", flat=True))
    lines = held.of_boards(over, before).standings.lines
    known = before.standings.lines
    assert len(lines) == 2 * len(known)
    assert all(lines[key] is line for key, line in known.items()), "no line is compared again"


def tally_of(world: World) -> Tally:
    return Tally.objects.select_related("session__board_set").get(session=world.session)
