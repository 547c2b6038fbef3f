"""What the operations are asked about: sessions in every state, results in every state, and somebody of each
role."""

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx

from tests.running import Service, wait_until
from tournaments.management import robots

ELSEWHERE = 999_999  # an id that there is not
BOARDS = [1, 2, 3, ELSEWHERE]
OF_OTHERS = [1, 2, ELSEWHERE]  # of kinds of which the scene makes none: some may come meanwhile
PLAYERS = [f"Joueur {number}" for number in range(1, 10)]
PLAN = {"game": "comon", "contestants": PLAYERS, "boards_per_round": 1, "reserves": 1, "name": "Plan"}


def may_be_new(number: Any, known: int = 0) -> bool:
    """Whether it names, or could name, what was not there when the scene was set: what is asked of the
    service makes more of it. `known`: up to which all that there is was there.

    >>> [may_be_new(number, 3) for number in ("24", 4, 3, 0, ELSEWHERE, "four", None)]
    [True, True, False, False, False, False, False]
    """
    text = str(number)
    return text.isascii() and text.isdigit() and known < int(text) < ELSEWHERE


@dataclass(frozen=True)
class OperationScene:
    """`tokens`: by role, None for anyone; who changes the most comes last. `ids`: by the name that a path
    has for them; `api`: as the organiser sees it."""

    api: httpx.Client
    description: dict[str, Any]
    tokens: dict[str, str | None]
    ids: dict[str, list[Any]]

    def described(self) -> dict[str, Any]:
        """The description, with the ids and cursors that there are in place of any number or text."""
        for path, operations in self.description["paths"].items():
            first = path.removeprefix("/api/v1/").partition("/")[0]
            for operation in operations.values():
                for parameter in operation.get("parameters", []):
                    if parameter["in"] == "path":
                        by_name = {"number": "boards", "club": "clubs", "substitution": "boards"}
                        kind = by_name.get(parameter["name"], "players" if first == "clubs" else first)
                        if parameter["name"] == "what":
                            known: list[Any] = ["ranking", "results", "list-1"]
                        else:
                            known = self.ids.get(
                                "jobs" if kind in ("prints", "archives") else kind, OF_OTHERS
                            )
                        parameter["schema"] |= {"enum": known}
                    one = self.ids.get(first, OF_OTHERS)[0]
                    if parameter["name"] == "cursor" and (cursors := self.cursors(path, one)):
                        parameter["schema"] = {"type": "string", "enum": cursors}
        entry = self.description["components"]["schemas"]["EntryRequest"]["properties"]
        entry["table"]["enum"] = entry["board"]["enum"] = BOARDS
        entry["section"]["enum"] = ["A", "B"]
        return self.description

    def cursors(self, path: str, pk: int) -> list[str]:
        """Of the first pages of a list, if there is one."""
        address = path.removeprefix("/api/v1").format_map(defaultdict(lambda: 1, id=pk, club=pk))
        answer = self.api.get(address, params={"page_size": 2})
        if answer.status_code == httpx.codes.NOT_FOUND:
            return []
        page = robots.answer_of(answer)
        return parse_qs(urlsplit(page["next"] or "").query).get("cursor", [])


def scene_of(service: Service) -> OperationScene:
    organiser = service.manage("token", "organiser", "Organiser").strip()
    api = robots.client(service.address, organiser)
    halls = [hall(service, organiser, name) for name in ("in play", "hidden", "over", "over and hidden")]
    in_play, hidden, over, over_and_hidden = halls
    waiting = hall(service, organiser, "not dealt", public_value={"kind": "lottery-5", "source": "Loto"})
    for one in (over, over_and_hidden):
        for _event in robots.evening(one, seconds=0, random=Random(1)):
            pass
        robots.finish(one)
    some_results(api, in_play)
    for one in (hidden, over_and_hidden):
        robots.answer_of(api.put(f"/sessions/{one.session}/publication/", json={"listed": False}))
    submissions = [
        one["id"]
        for some in (over, in_play)
        for one in itertools.islice(robots.pages(api, f"/sessions/{some.session}/submissions/"), 4)
    ]
    tournaments = [one["id"] for one in robots.pages(api, "/tournaments/")]
    lists = [
        robots.answer_of(api.post(f"/tournaments/{pk}/registration-lists/", json={"name": "Next"}))["id"]
        for pk in tournaments
    ]
    entered = [
        robots.answer_of(api.post(f"/registration-lists/{pk}/registrations/", json={"players": [1]}))
        for pk in lists
    ]
    jobs = [robots.answer_of(api.post(f"/tournaments/{pk}/sessions/", json=PLAN))["id"] for pk in tournaments]
    event, leg, invited = an_event(api)
    as_json = {"Accept": "application/vnd.oai.openapi+json"}
    description = robots.answer_of(api.get("/schema/", headers=as_json))
    return OperationScene(
        api,
        description,
        {
            "anyone": None,
            "player": service.manage("token", "player", PLAYERS[0]).strip(),
            "table": in_play.tables["A", 1],
            "scorer": service.manage("token", "scorer", "Scorer").strip(),
            "organiser": organiser,
        },
        {
            "sessions": [*(one.session for one in (*halls, waiting)), ELSEWHERE],
            "tournaments": [*tournaments, ELSEWHERE],
            "submissions": [*submissions, ELSEWHERE],
            "boards": BOARDS,
            "registration-lists": [*lists, ELSEWHERE],
            "registrations": [*(one["id"] for one in entered), ELSEWHERE],
            "jobs": [*jobs, str(UUID(int=ELSEWHERE))],
            "clubs": ["club", "no-such-club"],
            "games": ["comon", "loba", "no-such-game"],
            "players": [1, 2, 3, ELSEWHERE],
            "events": [event, ELSEWHERE],
            "legs": [leg, ELSEWHERE],
            "entries": [invited, ELSEWHERE],
        },
    )


def an_event(api: httpx.Client) -> tuple[int, int, int]:
    """An event that has been announced, its leg, and the organiser's club in it, which is invited."""
    now = datetime.now(UTC)
    window = {"opens_at": now.isoformat(), "closes_at": (now + timedelta(days=2)).isoformat()}
    event = robots.answer_of(api.post("/events/", json={"name": "Rencontre"}))["id"]
    leg = robots.answer_of(
        api.post(f"/events/{event}/legs/", json={"game": "comon", "boards": 12, **window})
    )["id"]
    robots.answer_of(api.put(f"/events/{event}/state/", json={"state": "announced"}))
    (entry,) = robots.answer_of(api.post(f"/legs/{leg}/entries/", json={"clubs": ["club"]}))["entries"]
    return event, leg, entry["id"]


def hall(service: Service, organiser: str, name: str, **setting: Any) -> robots.Hall:
    session = {**PLAN, "name": name, **setting}
    return robots.set_up(service.address, organiser, tournament=name, session=session)


def some_results(api: Any, hall: robots.Hall) -> None:
    """Accepted, refused, and waiting for more of the board."""
    evening = robots.evening(hall, seconds=0, random=Random(2))
    for _event in itertools.islice(evening, 7):
        pass
    wait_until(lambda: all(judged(api, hall)), what="results to be judged")


def judged(api: Any, hall: robots.Hall) -> Iterator[bool]:
    for one in robots.pages(api, f"/sessions/{hall.session}/submissions/"):
        yield one["state"] != "pending"
