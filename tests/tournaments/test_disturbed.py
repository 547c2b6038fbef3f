"""Nothing is lost or counted twice: an evening is disturbed, and ends as the undisturbed one does."""

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from engines import records, registry
from tests.running import Service, campaign, embedded_first, serving, wait_until
from tournaments.management import robots

pytestmark = pytest.mark.processes
PLAYERS, BOARDS_PER_ROUND = 9, 2
PLAYS = PLAYERS // 3 * 4 * BOARDS_PER_ROUND
Disturbance = Callable[[robots.Hall, int], None]  # given how many results have been handed in


@pytest.fixture
def service_of_kind(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> Iterator[Service]:
    """A service of this kind: the embedded one that all share, or a distributed one."""
    if kind == "embedded":
        yield request.getfixturevalue("service")
        return
    with serving(kind, tmp_path, workers=2) as distributed:
        yield distributed


def evening(service: Service, disturb: Disturbance) -> tuple[robots.Hall, list[robots.RobotStep]]:
    """A disturbed evening; what the robots handed in."""
    hall = service.set_up(PLAYERS, BOARDS_PER_ROUND)
    events = []
    for event in robots.evening(hall, seconds=0, random=Random(1)):
        events.append(event)
        if not event.refused:
            disturb(hall, len([e for e in events if not e.refused]))
    assert len([e for e in events if e.refused]) == 1
    return hall, [e for e in events if not e.refused]


def final_places(hall: robots.Hall) -> list[dict[str, Any]]:
    """The ranking once it has all results; without what depends on how often it was made."""
    with robots.client(hall.address, hall.organiser) as director:

        def complete() -> Any:
            places = robots.answer_of(director.get(f"{robots.at(hall)}/ranking/"))["places"]
            return places if sum(place["boards"] for place in places) == 3 * PLAYS else None

        places = wait_until(complete, what="all results to be ranked")
    return [{name: value for name, value in place.items() if name != "change"} for place in places]


def undisturbed(service: Service, hall: robots.Hall, events: list[robots.RobotStep]) -> list[dict[str, Any]]:
    """The same results as sheets in one bulk, in a session of their own with nothing going wrong."""
    with robots.client(hall.address, hall.organiser) as director:
        deals = {b["number"]: b["deal"] for b in robots.pages(director, f"{robots.at(hall)}/boards/")}
    other = service.set_up(PLAYERS, BOARDS_PER_ROUND)
    entries = []
    for event in events:
        sheet = event.result.get("sheet") or sheet_of(deals[event.play["board"]], event.result["actions"])
        entry = {name: event.play[name] for name in ("section", "table", "board")}
        entries.append(entry | {"key": str(uuid.uuid4()), "sheet": sheet})
    with robots.client(hall.address, hall.organiser) as director:
        robots.answer_of(
            director.post(f"{robots.at(other)}/submissions/bulk/", json={"submissions": entries})
        )
    return final_places(other)


def sheet_of(deal: dict[str, Any], actions: list[str]) -> dict[str, Any]:
    record = records.read({"game": "comon", "deal": deal, "actions": actions})
    return registry.game("comon").summarise(records.replay(record))


def check(service: Service, hall: robots.Hall, events: list[robots.RobotStep]) -> None:
    """The ranking is the undisturbed one, every submission is judged, each play has one result."""
    assert final_places(hall) == undisturbed(service, hall, events)
    with robots.client(hall.address, hall.organiser) as director:
        handed_in = list(robots.pages(director, f"{robots.at(hall)}/submissions/"))
        history = list(robots.pages(director, f"{robots.at(hall)}/history/"))
    states = [one["state"] for one in handed_in]
    assert (states.count("accepted"), states.count("refused"), len(states)) == (PLAYS, 1, PLAYS + 1)
    ids = {verb: noted(history, verb) for verb in ("submitted", "accepted", "refused")}
    assert sorted(ids["submitted"]) == sorted(ids["accepted"] + ids["refused"])
    assert sorted(ids["submitted"]) == sorted(one["id"] for one in handed_in)
    assert (len(ids["accepted"]), len(ids["refused"])) == (PLAYS, 1)


def noted(history: list[dict[str, Any]], verb: str) -> list[int]:
    """The submissions of which a history says so, one by one or several together."""
    entries = [event for event in history if event["verb"] == verb]
    alone = [int(e["subject"].split()[1]) for e in entries if "ids" not in e["detail"]]
    ranges = [one for e in entries for one in e["detail"].get("ids", [])]
    return alone + [pk for first, last in ranges for pk in range(first, last + 1)]


@embedded_first
def test_the_workers_are_killed_three_times(service_of_kind: Service) -> None:
    """Each time at work: there has been a new version of the ranking since the last."""
    killed: list[int] = []
    versions = [0]

    def kill(hall: robots.Hall, count: int) -> None:
        if count in {6, 12, 18}:
            with robots.client(hall.address, hall.organiser) as director:
                wait_until(
                    lambda: version(director, hall) > versions[-1], what="a new version of the ranking"
                )
                versions.append(version(director, hall))
            wait_until(lambda: set(service_of_kind.workers()) - set(killed), what="workers that live")
            killed.extend(service_of_kind.workers())
            service_of_kind.kill_workers()

    hall, events = evening(service_of_kind, kill)
    check(service_of_kind, hall, events)
    assert len(set(killed)) >= 3
    assert "is being restarted" in service_of_kind.log.read_text()
    assert not set(killed) & set(service_of_kind.workers())


def version(director: httpx.Client, hall: robots.Hall) -> int:
    return int(robots.answer_of(director.get(f"{robots.at(hall)}/ranking/"))["version"])


@embedded_first
def test_the_broker_loses_all_its_messages(service_of_kind: Service) -> None:
    def flush(_hall: robots.Hall, count: int) -> None:
        if count % 5 == 0:
            service_of_kind.lose_messages()

    hall, events = evening(service_of_kind, flush)
    check(service_of_kind, hall, events)


@embedded_first
def test_the_same_result_is_sent_by_many_at_once(service_of_kind: Service) -> None:
    """One key from eight senders at the same moment is one submission."""
    hall = service_of_kind.set_up(players=9, boards_per_round=1)
    (section, table), token = next(iter(hall.tables.items()))
    entry = {"section": section, "table": table, "board": 1, "key": str(uuid.uuid4())}
    entry |= {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}

    def send(_: int) -> httpx.Response:
        with robots.client(hall.address, token) as phone:
            return phone.post(f"{robots.at(hall)}/submissions/", json=entry)

    with ThreadPoolExecutor(8) as senders:
        answers = list(senders.map(send, range(24)))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["id"] for answer in answers}) == 1


@campaign
@embedded_first
def test_results_come_in_while_the_rest_is_planned_again(service_of_kind: Service) -> None:
    """Each request is answered: planned again three times, a reserve used, and no result is lost."""
    hall = service_of_kind.set_up(reserves=1)
    with robots.client(hall.address, hall.organiser) as director:
        session = robots.answer_of(director.get(f"{robots.at(hall)}/"))
        boards = list(robots.pages(director, f"{robots.at(hall)}/boards/"))
        plays = list(robots.pages(director, f"{robots.at(hall)}/plays/"))
    deals, game = {board["number"]: board["deal"] for board in boards}, registry.game(session["game"])

    def hand_in(play: dict[str, Any]) -> None:
        result = robots.result_of(game, session["options"], deals[play["board"]], play, as_sheet=False)
        with robots.client(hall.address, hall.tables[play["section"], play["table"]]) as phone:
            robots.hand_in(phone, hall, play, result)

    def ask(path: str, body: dict[str, Any]) -> int:
        with robots.client(hall.address, hall.organiser) as director:
            answer = director.post(f"{robots.at(hall)}/{path}/", json=body)
            if answer.status_code == 202:
                robots.outcome(director, answer.json())
            return answer.status_code

    first = [play for play in plays if play["round"] == 1]
    with ThreadPoolExecutor(8) as senders:
        handed_in = [senders.submit(hand_in, play) for play in first[::2]]
        asked = [senders.submit(ask, "replans", {"after": 1, "leaving": [n]}) for n in (1, 2, 3)]
        asked.append(senders.submit(ask, "reserves", {"board": 21, "reason": "fouled"}))
        handed_in += [senders.submit(hand_in, play) for play in first[1::2]]
        assert [one.result() for one in asked] == [202, 202, 202, 201]
        assert [one.result() for one in handed_in] == [None] * 15

    with robots.client(hall.address, hall.organiser) as director:

        def ranked() -> bool:
            places = robots.answer_of(director.get(f"{robots.at(hall)}/ranking/"))["places"]
            return sum(place["boards"] for place in places) == 3 * len(first)

        wait_until(ranked, what="the results of the first round to be ranked")
        later = [p for p in robots.pages(director, f"{robots.at(hall)}/plays/") if p["round"] > 1]
    assert {s["number"] for p in later for s in p["seatings"]} == set(range(4, 16))
    assert sorted({p["board"] for p in later}) == [*range(4, 21), 22]
