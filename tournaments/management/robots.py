"""Robot tables, which play a session through the public API as tables with phones would.

The organiser prepares the boards and hands each table its wallets: the deals are read with the
organiser's token. For everything else a table uses its own token.
"""

import itertools
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from engines import bots, registry
from engines.contract import Game
from engines.errors import EngineError
from tournaments import lean

with lean.imports():
    import httpx

WAIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Hall:
    """What a director has in hand: the service, the session, a token for each table."""

    address: str  # http://127.0.0.1:8000
    session: int
    organiser: str
    tables: dict[tuple[str, int], str]


@dataclass(frozen=True, slots=True)
class RobotStep:
    """One thing that a robot did; `refused`: the service's reason, where it refused `result`."""

    play: dict[str, Any]
    result: dict[str, Any]
    refused: str | None = None


def client(address: str, token: str, language: str = "en") -> httpx.Client:
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": language, "If-Match": "*"}
    transport = httpx.HTTPTransport(retries=3)
    return httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=30, transport=transport)


def set_up(address: str, organiser: str, *, tournament: str, session: dict[str, Any]) -> Hall:
    """The hall of a new tournament with a published session, made through the API. Nobody has custody of its
    boards: the robots have their hands from the organiser."""
    with client(address, organiser) as api:
        made = answer_of(api.post("/tournaments/", json={"name": tournament}))
        job = answer_of(api.post(f"/tournaments/{made['id']}/sessions/", json=session | {"custody": "none"}))
        created = outcome(api, job)
        path = f"/sessions/{created}"
        answer_of(api.put(f"{path}/publication/", json={"listed": True}))
        issued = answer_of(api.post(f"{path}/table-tokens/", json={}))
    tables = {(one["section"], one["table"]): one["token"] for one in issued}
    return Hall(address, created, organiser, tables)


def outcome(api: httpx.Client, job: dict[str, Any]) -> int:
    """The session that a job has made or changed, once it has. RuntimeError in the service's own words if it
    was refused."""
    deadline = time.monotonic() + WAIT_SECONDS
    while job["state"] in {"waiting", "running"} and time.monotonic() < deadline:
        time.sleep(0.1)
        job = answer_of(api.get(f"/jobs/{job['id']}/"))
    if job["state"] != "done":
        raise RuntimeError(f"{job['kind']}: {job['error']['message'] if job['error'] else job['state']}")
    return int(job["session"])


def evening(hall: Hall, *, seconds: float, random: Random) -> Iterator[RobotStep]:
    """Play the whole session, round by round, in about so many seconds; yields an event for each play.

    Most are full records, some result sheets; the very first sheet comes with a slip, is refused,
    and is corrected.
    """
    with client(hall.address, hall.organiser) as director:
        session = answer_of(director.get(f"/sessions/{hall.session}/"))
        game = registry.game(session["game"])
        deals = {board["number"]: board["deal"] for board in pages(director, f"{at(hall)}/boards/")}
        plays = list(pages(director, f"{at(hall)}/plays/"))
    pause = seconds / max(len(plays), 1)
    phones = {table: client(hall.address, token) for table, token in hall.tables.items()}
    slip_to_come = True
    try:
        rounds = itertools.groupby(sorted(plays, key=order_of(random)), key=lambda play: play["round"])
        for number, play in enumerate(play for _round, together in rounds for play in together):
            time.sleep(pause * random.uniform(0.5, 1.5))
            phone = phones[play["section"], play["table"]]
            result = result_of(game, session["options"], deals[play["board"]], play, as_sheet=number % 6 == 5)
            if "sheet" in result and slip_to_come:
                slip_to_come = False
                yield RobotStep(play, result, slip(phone, hall, game, play, result))
            hand_in(phone, hall, play, result)
            yield RobotStep(play, result)
    finally:
        for phone in phones.values():
            phone.close()


def order_of(random: Random) -> Callable[[dict[str, Any]], tuple[int, int, float]]:
    """Round by round and board by board; a different table is the quickest each time."""
    return lambda play: (play["round"], play["board"], random.random())


def result_of(
    game: Game[Any], options: dict[str, Any], deal: dict[str, Any], play: dict[str, Any], *, as_sheet: bool
) -> dict[str, Any]:
    """The result of a deal with these players: two of three are sensible, the third plays any legal card."""
    state = game.start(game.read_deal(deal, options), options)
    by_seat = sorted(play["seatings"], key=lambda seating: seating["seat"])
    robots = [bots.sensible if seating["number"] % 3 else bots.at_random for seating in by_seat]
    bots.play_on(game, state, robots, bots.randomness("evening", play["id"], deal))
    return {"sheet": game.summarise(state)} if as_sheet else {"actions": state.entries}


def slip(
    phone: httpx.Client,
    hall: Hall,
    game: Game[Any],
    play: dict[str, Any],
    result: dict[str, Any],
) -> str:
    """Hand in a sheet in which one number is too high, wait for the refusal, and return its reason."""
    wrong = with_a_slip(game, result["sheet"])
    handed_in = hand_in(phone, hall, play, {"sheet": wrong})
    deadline = time.monotonic() + WAIT_SECONDS
    while handed_in["state"] == "pending" and time.monotonic() < deadline:
        time.sleep(0.2)
        handed_in = answer_of(phone.get(f"/submissions/{handed_in['id']}/"))
    if handed_in["state"] != "refused":
        raise RuntimeError(f"a sheet with a slip was {handed_in['state']}")
    return str(handed_in["refusal"]["message"])


def with_a_slip(game: Game[Any], sheet: dict[str, Any]) -> dict[str, Any]:
    """The sheet with one number too high, if the game notices that; otherwise without its first field."""
    wrong = {name: one_more(value) for name, value in sheet.items()}
    try:
        game.score(wrong)
    except EngineError:
        return wrong
    return {name: value for name, value in sheet.items() if name != game.fields[0].name}


def one_more(value: Any) -> Any:
    """A list of numbers with a slip of the pen in the first."""
    return (
        [value[0] + 1, *value[1:]] if isinstance(value, list) and value and type(value[0]) is int else value
    )


def hand_in(phone: httpx.Client, hall: Hall, play: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """Hand in a result, and repeat it with the same key as long as the service does not answer."""
    entry = {name: play[name] for name in ("section", "table", "board")} | {"key": str(uuid.uuid4())} | result
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return dict(answer_of(phone.post(f"{at(hall)}/submissions/", json=entry)))
        except httpx.TransportError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def finish(hall: Hall) -> None:
    """Wait until every result is in the ranking, then end the session."""
    with client(hall.address, hall.organiser) as director:
        expected = sum(len(play["seatings"]) for play in pages(director, f"{at(hall)}/plays/"))
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            places = pages(director, f"{at(hall)}/ranking/", "places")
            if sum(place["boards"] for place in places) == expected:
                break
            time.sleep(0.2)
        else:
            raise RuntimeError(f"the ranking did not take in all results within {WAIT_SECONDS:.0f} s")
        answer_of(director.put(f"{at(hall)}/state/", json={"state": "played"}))


def at(hall: Hall) -> str:
    return f"/sessions/{hall.session}"


def pages(api: httpx.Client, path: str, name: str = "results") -> Iterator[dict[str, Any]]:
    """All rows of a list that is cut into pages, by the name that it has there."""
    address: str | None = path
    while address:
        page = answer_of(api.get(address))
        yield from page[name]
        address = page["next"]


def answer_of(response: httpx.Response) -> Any:
    """The JSON of an answer. RuntimeError in the service's own words if it refused."""
    if response.is_success:
        return response.json()
    try:
        error = response.json()["error"]
    except (ValueError, KeyError):
        error = {"code": response.status_code, "message": response.text[:200]}
    raise RuntimeError(
        f"{response.request.method} {response.request.url.path}: {error['message']} ({error['code']})"
    )
