"""An evening of a club, by requests alone: its organiser sets it up and directs it, a scorer helps, tables
hand in what robots have played, a player objects. Whatever may go wrong does.

Everybody has a token of their own, and nothing here reads a database or calls a service. The organiser plays
nobody's cards: nobody has custody of the boards, so that the organiser reads them, and deals them to robots.
"""

import itertools
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random
from typing import Any

import httpx

from engines import bots, registry
from tests.running import Service, wait_until
from tournaments.management.robots import answer_of, client, outcome, pages

from .plain import Published, seated

Row = dict[str, Any]
CATEGORIES = (["newcomer"], [], ["junior"], ["newcomer", "junior"], [])
PLAYERS = 24


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


# ── A club ────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class RobotClub:
    """A club and its people. `players`: of its register, each with the club that it belongs to; every fourth
    one's is the guests'."""

    address: str
    slug: str
    tokens: dict[str, str]
    players: list[Row]

    @classmethod
    def founded(cls, service: Service) -> "RobotClub":
        """Its operator makes the club and the tokens, its organiser the register."""
        slug, guests = at_once(lambda name: service.manage("club", name).split()[0], ["Robots", "Guests"])
        kinds = ["organiser", "scorer"]
        made = at_once(
            lambda kind: service.manage("token", kind, kind.title(), "--club", slug).strip(), kinds
        )
        tokens = dict(zip(kinds, made, strict=True))
        players = []
        with client(service.address, tokens["organiser"]) as api:
            for number in range(PLAYERS):
                body = {
                    "given_name": f"Robot {number:02}",
                    "family_name": "Lemaire",
                    "consent": number % 5 != 4,
                }
                body["categories"] = CATEGORIES[number % len(CATEGORIES)]
                if number % 4 == 3:
                    body["home_club"] = guests
                made = answer_of(api.post(f"/clubs/{slug}/players/", json=body))
                players.append(made | {"club": made["home_club"] or slug})
        tokens["player"] = service.manage("token", "player", players[0]["name"], "--club", slug).strip()
        return cls(service.address, slug, tokens, players)


def at_once(command: Callable[[str], str], names: Sequence[str]) -> list[str]:
    """What commands answer that wait for each other in vain."""
    with ThreadPoolExecutor() as threads:
        return list(threads.map(command, names))


# ── An evening ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class EveningPlan:
    """What is played. `setting`: what the API takes besides the name, the contestants and the game;
    `contestants`: how many sit down, the one who does not come among them."""

    game: str
    contestants: int
    setting: Row
    rounds: int = 4

    @property
    def travels(self) -> bool:
        """Whether boards travel: there, somebody new takes the place of somebody who leaves."""
        return self.setting["movement"] not in {"annealed", "round-robin", "kirkman", "plane"}


@dataclass
class ApiEvening:
    """An evening that is being played. `happened`: what has gone wrong, and how often. `handed_in`: what
    nobody has waited for yet."""

    club: RobotClub
    plan: EveningPlan
    session: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    phones: dict[tuple[str, int], httpx.Client] = field(default_factory=dict)
    entrants: dict[int, list[Row]] = field(default_factory=dict)
    lists: list[Row] = field(default_factory=list)
    handed_in: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.plan.game)
        self.game = registry.game(self.plan.game)
        tokens = self.club.tokens
        self.organiser = client(self.club.address, tokens["organiser"])
        self.scorer = client(self.club.address, tokens["scorer"])
        self.player = client(self.club.address, tokens["player"], "fr")
        self.anyone = httpx.Client(base_url=f"{self.club.address}/api/v1", timeout=30)

    def close(self) -> None:
        for one in (self.organiser, self.scorer, self.player, self.anyone, *self.phones.values()):
            one.close()

    # Requests

    def at(self, path: str = "") -> str:
        return f"/sessions/{self.session}/{path}"

    def get(self, path: str = "", by: httpx.Client | None = None) -> Any:
        return answer_of((by or self.organiser).get(self.at(path)))

    def all(self, path: str, by: httpx.Client | None = None, name: str = "results") -> list[Row]:
        return list(pages(by or self.organiser, self.at(path), name))

    def post(self, path: str, body: Row, by: httpx.Client | None = None) -> Any:
        return answer_of((by or self.organiser).post(self.at(path), json=body))

    def put(self, path: str, body: Row) -> Any:
        """With what was seen of the session, as two directors would."""
        return answer_of(self.organiser.put(self.at(path), json=body))

    def seen(self) -> dict[str, str]:
        """The condition of whoever has looked at the session just now."""
        return {"If-Match": self.organiser.get(self.at()).headers["ETag"]}

    def job(self, path: str, body: Row) -> Row:
        """A job that has been done."""
        asked = self.post(path, body)
        outcome(self.organiser, asked)
        return dict(answer_of(self.organiser.get(f"/jobs/{asked['id']}/")))

    def refused(self, answer: httpx.Response, status: int, code: str) -> Row:
        """The details of a refusal that has to come."""
        told = answer.json().get("error", {})
        assert (answer.status_code, told.get("code")) == (status, code), (answer.request.url.path, told)
        return dict(told.get("details") or {})

    # Who plays

    @cached_property
    def pairs(self) -> Iterator[list[Row]]:
        """Players of the register, as many as make a contestant."""
        size = max(len(side) for side in self.sides)
        return (list(some) for some in zip(*[iter(self.club.players)] * size, strict=False))

    def entrant(self) -> Row:
        players = next(self.pairs)
        self.entrants[len(self.entrants) + 1] = players
        return {"players": [player["id"] for player in players]}

    @property
    def sides(self) -> Sequence[Sequence[int]]:
        return self.game.sides_of(self.conditions)

    @property
    def conditions(self) -> Row:
        seats = self.plan.setting.get("seats")
        return {"seats": seats} if seats and len(self.game.seats) > 1 else {}

    # The life of an evening

    def play(self) -> None:
        """From nothing to the last result but one, which is missing when the play ends."""
        self.set_up()
        self.no_show()
        self.put("clock/", {"duration": 45, "warning": 5, "pause_before": None})
        for number in range(1, self.plan.rounds + 1):
            self.open(number)
            self.play_round(number)
            self.close_round(number)
            if number == 1:
                self.late_pair()
                self.reseat(number)
            elif number == self.plan.rounds - 2:
                self.leaver(number)
        self.wait()

    def set_up(self) -> None:
        organiser, plan = self.organiser, self.plan
        made = answer_of(organiser.post("/tournaments/", json={"name": f"Coupe de {plan.game}"}))
        body = {
            **{"name": "Soirée", "game": plan.game, "custody": "none", "rounds": plan.rounds},
            **{"contestants": [self.entrant() for _ in range(plan.contestants)], "reserves": 1},
            **plan.setting,
        }
        body = {name: value for name, value in body.items() if value is not None}
        key = {"Idempotency-Key": str(uuid.uuid4())}
        jobs = [
            answer_of(organiser.post(f"/tournaments/{made['id']}/sessions/", json=body, headers=key))
            for _twice in range(2)
        ]
        assert jobs[0]["id"] == jobs[1]["id"], "sent again, it is done once"
        self.session = outcome(organiser, jobs[0])
        self.plan = replace(plan, rounds=max(play["round"] for play in self.all("plays/")))
        if len(self.plan.game) % 2:  # half of the evenings can be followed from the beginning
            self.put("publication/", {"listed": True})
        self.tokens()

    def tokens(self) -> None:
        """Every table that has none yet gets its own."""
        guides = self.all("plays/")
        for section, table in sorted(
            {(play["section"], play["table"]) for play in guides} - self.phones.keys()
        ):
            (issued,) = self.post("table-tokens/", {"section": section, "table": table})
            self.phones[section, table] = client(self.club.address, issued["token"])

    def no_show(self) -> None:
        """One does not come: what it costs is said first, and changes nothing."""
        gone = self.plan.contestants - 1
        wish = {"after": 0, "leaving": [gone]}
        before = self.get()["state"]
        told = self.job("replans/", {**wish, "dry_run": True})["outcome"]
        assert {"before", "after"} <= told.keys()
        self.job("replans/", wish)
        assert self.get()["state"] == before
        assert gone not in {seat["number"] for play in self.all("plays/") for seat in play["seatings"]}
        self.happened["no-show"] += 1
        self.happened["half table"] += 1
        self.gone = {gone}
        self.tokens()

    def late_pair(self) -> None:
        wish: Row = {"after": 1, "arriving": [self.entrant()]}
        number = len(self.entrants)
        if self.plan.travels:  # a place of somebody who goes home
            leaver = self.next_leaver(after=1)
            wish["leaving"] = [leaver]
            self.gone.add(leaver)
            self.happened["leaver"] += 1
        self.job("replans/", wish)
        assert number in {seat["number"] for play in self.all("plays/") for seat in play["seatings"]}
        self.happened["late pair"] += 1
        self.tokens()
        self.substitute()

    def next_leaver(self, after: int) -> int:
        """Somebody who has to play still; not the player who objects, nor who has a substitute."""
        later = {s["number"] for p in self.all("plays/") if p["round"] > after for s in p["seatings"]}
        return max(later - {1, 2, len(self.entrants)})

    def leaver(self, after: int) -> None:
        if self.plan.travels:
            return
        leaving = self.next_leaver(after)
        self.job("replans/", {"after": after, "leaving": [leaving]})
        self.gone.add(leaving)
        self.happened["leaver"] += 1
        self.tokens()

    def substitute(self) -> None:
        """In the second round somebody plays in a member's place."""
        other = self.club.players[-1]["id"]
        body = {"contestant": 2, "player": other, "for_player": self.entrants[2][0]["id"]}
        made = self.post("substitutions/", {**body, "first_round": 2, "last_round": 2})
        assert other in made["credited"]
        self.happened["substitute"] += 1

    def reseat(self, number: int) -> None:
        """After the round they say that they sat in each other's seats; results are there already."""
        played = [play for play in self.all("plays/") if play["round"] == number]
        table = max(play["table"] for play in played)  # nobody has ruled there
        seats = len(played[0]["seatings"])
        order = [2, 1, *range(3, seats + 1)]
        wish: Row = {"kind": "seats", "table": table, "round": number, "order": order}
        if len(self.sides) == 2:
            wish = {"kind": "turned", "table": table, "round": number}
        assert "before" in self.post("reseatings/", {**wish, "dry_run": True})
        self.refused(self.organiser.post(self.at("reseatings/"), json=wish), 400, "no-reason")
        wish["reason"] = "They looked at the guide too late"
        answer_of(self.organiser.post(self.at("reseatings/"), json=wish, headers=self.seen()))
        self.happened["arrow turned" if len(self.sides) == 2 else "swapped seats"] += 1
        if len(self.sides) == 2:  # and the other way of saying it, at another table, before it plays
            self.happened["swapped seats"] += 1

    # A round

    def open(self, number: int) -> None:
        one = self.get("rounds/")["results"][number - 1]
        path = self.at(f"rounds/{number}/state/")
        answer_of(self.organiser.put(path, json={"state": "open"}, headers={"If-Match": one["etag"]}))
        if number == 1:
            self.put("rounds/1/pause/", {"paused": True})
            self.put("rounds/1/pause/", {"paused": False})
            self.post("rounds/1/extensions/", {"minutes": 3})
            section, table = min(self.phones)
            self.post("rounds/1/extensions/", {"minutes": 5, "section": section, "table": table})
            self.happened["extension"] += 1
        elif number == 2:
            self.wrong_board(number)

    def close_round(self, number: int) -> None:
        self.wait()
        self.put(f"rounds/{number}/state/", {"state": "closed"})
        if number == 1:  # too early, somebody says
            stale = self.organiser.put(
                self.at("rounds/1/state/"), json={"state": "open"}, headers={"If-Match": '"old"'}
            )
            self.refused(stale, 412, "changed-meanwhile")
            again = self.organiser.put(self.at("rounds/1/state/"), json={"state": "open"})
            self.refused(again, 400, "no-reason")
            self.put("rounds/1/state/", {"state": "open", "reason": "A table was still playing"})
            self.put("rounds/1/state/", {"state": "closed"})
        self.happened["rounds"] += 1

    def wrong_board(self, number: int) -> None:
        """A table has taken the boards of the next round: what it costs is said, and written down."""
        plays = self.all("plays/")
        later = {play["table"] for play in plays if play["round"] == number + 1}
        tables = sorted({play["table"] for play in plays if play["round"] == number} & later)
        if not tables:
            return
        table = tables[-1]
        boards = sorted(p["board"] for p in plays if (p["table"], p["round"]) == (table, number + 1))
        wish = {"kind": "boards", "table": table, "round": number, "boards": boards}
        told = self.post("reseatings/", {**wish, "dry_run": True})
        self.post("reseatings/", {**wish, "reason": "The wrong wallets"})
        again = Counter((one, play["board"]) for play in self.all("plays/") for one in set(seated(play)))
        said = {(one["contestant"], one["board"]) for one in told["twice"]}
        assert said == {pair for pair, count in again.items() if count > 1}, "whom it costs is said"
        self.happened["wrong board"] += 1

    gone: set[int] = field(default_factory=set)

    def play_round(self, number: int) -> None:
        self.put_seated(number)
        everything = self.all("plays/")
        plays = [play for play in everything if play["round"] == number]
        for play in (one for one in plays if self.is_known(one, everything)):
            self.on_play(play, {"kind": "not-played"})
            self.happened["not played"] += 1
        plays = [one for one in plays if not self.is_known(one, everything)]
        missing = 1 if number == self.plan.rounds else 0
        for at, play in enumerate(plays[: len(plays) - missing]):
            is_fouled = (
                number == 1 and play["board"] == plays[0]["board"] and play["table"] == plays[0]["table"]
            )
            if is_fouled:
                self.fouled(play)
            elif number == 1 and at and not self.happened["dispute"]:
                self.dispute(play)
            else:
                self.enter(play, as_sheet=bool(at % 2))

    def put_seated(self, number: int) -> None:
        for phone in self.phones.values():
            answer = phone.put(self.at(f"rounds/{number}/seated/"), json={"seated": True})
            assert answer.is_success or answer.status_code in {404, 409}, answer.text

    def is_known(self, play: Row, plays: Sequence[Row]) -> bool:
        """Whether somebody of the table has played the board: nobody there plays it any more."""
        earlier = [one for one in plays if one["board"] == play["board"] and one["round"] < play["round"]]
        return any(set(seated(one)) & set(seated(play)) for one in earlier)

    @cached_property
    def deals(self) -> dict[int, Any]:
        options = self.get()["options"]
        return {one["number"]: self.game.read_deal(one["deal"], options) for one in self.all("boards/")}

    def played(self, deal: Any, *dice: object) -> Any:
        """The end of a deal that robots have played; most play any card, some think."""
        options = self.get_options
        state = self.game.start(deal, options)
        seats = self.game.seat_count(self.conditions)
        bots.play_on(self.game, state, [bots.at_random] * seats, bots.randomness("evening", *dice))
        return state

    @cached_property
    def get_options(self) -> Row:
        return dict(self.get()["options"])

    def place(self, play: Row) -> Row:
        return {name: play[name] for name in ("section", "table", "board")}

    def submit(self, play: Row, content: Row, by: httpx.Client | None = None, **more: Any) -> Row:
        body = {**self.place(play), "key": str(uuid.uuid4()), **content, **more}
        phone = by or self.phones[play["section"], play["table"]]
        made = dict(answer_of(phone.post(self.at("submissions/"), json=body)))
        self.handed_in.append(made)
        return made

    def judged(self, submission: Row) -> Row:
        """What has become of it."""
        found: list[Row] = []

        def is_judged() -> bool:
            found[:] = [answer_of(self.organiser.get(f"/submissions/{submission['id']}/"))]
            return bool(found[0]["state"] != "pending")

        wait_until(is_judged, what="a result to be judged")
        return found[0]

    def content(self, play: Row, *dice: object, as_sheet: bool = True) -> Row:
        state = self.played(self.deals[play["board"]], play["id"], *dice)
        return {"sheet": self.game.summarise(state)} if as_sheet else {"actions": list(state.entries)}

    def enter(self, play: Row, *, as_sheet: bool) -> Row:
        """One side enters it, and another agrees: by a tap, or with a sheet of its own."""
        seats = [side[0] for side in self.sides]
        content = self.content(play, as_sheet=as_sheet)
        entered = self.submit(play, content, seat=seats[0])
        if play["board"] % 3 == 0:
            own = self.content(play, as_sheet=as_sheet or self.is_one_play_a_table)
            self.submit(play, own, seat=seats[1])
        elif play["board"] % 3 == 1:
            agreed = {**self.place(play), "submission": entered["id"], "seat": seats[1]}
            self.judged(entered)
            self.post("confirmations/", agreed, by=self.phones[play["section"], play["table"]])
            self.happened["confirmed"] += 1
        return entered

    @property
    def is_one_play_a_table(self) -> bool:
        """Where a play may end after any card, or no pad says when it is whole, a table hands in a single one
        card by card, and says all else by sheets."""
        pad = self.game.pad(self.get_options)
        return pad is None or pad.ends_anywhere

    def dispute(self, play: Row) -> None:
        """Another side says something else; the director looks, and confirms what was entered first. Of some
        boards of some games robots always make the same: then the next play is asked for one."""
        self.submit(play, self.content(play), seat=self.sides[0][0])
        first = self.get_result(play)
        for again in range(20):
            other = self.content(play, "again", again)
            if other["sheet"] != first["sheet"]:
                break
        else:
            return
        said = self.judged(self.submit(play, other, seat=self.sides[-1][0]))
        assert said["state"] == "opposed", said
        kinds = {flag["kind"] for flag in self.all("flags/", by=self.scorer)}
        assert "sides" in kinds, kinds
        assert self.state_of(play) == "disputed"
        self.post("confirmations/", {**self.place(play), "submission": first["submission"]}, by=self.scorer)
        assert self.state_of(play) == "confirmed"
        self.happened["dispute"] += 1

    def get_result(self, play: Row) -> Row:
        def result() -> Row | None:
            found: Row | None = self.found(play)["result"]
            return found

        return dict(wait_until(result, what="a result"))

    def found(self, play: Row) -> Row:
        (one,) = [one for one in self.all("plays/") if self.place(one) == self.place(play)]
        return one

    def state_of(self, play: Row) -> str:
        return str(self.found(play)["state"])

    def fouled(self, play: Row) -> None:
        """The table was dealt other cards. What the deal contradicts is refused once, and counts then; the
        director says who held what."""
        others = sorted(set(self.deals) - {play["board"]})
        for number in others:
            state = self.played(self.deals[number], play["id"])
            if self.game.dealer_of(number, self.conditions) == self.game.dealer_of(
                play["board"], self.conditions
            ):
                break
        sheet = {"sheet": self.game.summarise(state)}
        said = self.judged(self.submit(play, sheet))
        if said["state"] == "refused":
            said = self.judged(self.submit(play, sheet))
            self.happened["told once"] += 1
        if said["state"] == "refused":  # the sheet says nothing without its deal: its scores are assigned
            scores = list(state.outcome().scores)
            decisions = [{"kind": "assigned", "outcomes": [{"scores": scores}]}]
            self.rule({"play": {**self.place(play), "decisions": decisions}})
        group = {"name": "B", "tables": [{"section": play["section"], "table": play["table"]}]}
        self.rule({"fouled": {"board": play["board"], "groups": [group]}})
        self.happened["fouled board"] += 1

    def wait(self) -> None:
        """Until everything that was handed in has been judged and is in the lists."""
        self.happened["waited"] += 1
        while self.handed_in:
            self.judged(self.handed_in.pop())

        def done() -> bool:
            told = [play["ruled"] or play["result"] for play in self.all("plays/")]
            return all(one is None or one["awards"] is not None for one in told)

        wait_until(done, what="the results to be judged")

    # Rulings

    def rule(self, body: Row) -> Row:
        """Previewed, then made: those whom it moves are those whom the preview named."""
        self.organiser.post(self.at("rulings/preview/"), json=body).raise_for_status()
        return dict(self.post("rulings/", {**body, "reason": "So it was decided"}))

    def rulings(self) -> None:
        """One of each kind, on what has been played; one of them is reversed."""
        plays = [play for play in self.all("plays/") if play["result"] and not play["ruled"]]
        spared = {play["id"] for play in self.spared(plays)}
        rest = [play for play in sorted(plays, key=lambda play: play["id"]) if play["id"] not in spared]
        ruled = iter(self.random.sample(rest, 6))
        seats = range(1, len(plays[0]["seatings"]) + 1)
        first, others = list(self.sides[0]), sorted(set(seats) - set(self.sides[0]))
        scores, again = ([one["result"]["scores"] for one in plays[at : at + 2]] for at in (0, 3))
        weighted = [
            {"weight": weight, "scores": outcome}
            for weight, outcome in zip(("1/3", "2/3"), (scores[0], again[-1]), strict=True)
        ]
        self.on_play(next(ruled), {"kind": "assigned", "outcomes": weighted})
        self.happened["weighted"] += 1
        plus = {"kind": "artificial", "percent": "60", "own": "if better", "seats": first}
        minus = {"kind": "artificial", "percent": "40", "own": "if worse", "seats": others}
        self.on_play(next(ruled), plus, minus)
        split = {"kind": "assigned", "outcomes": [{"scores": scores[-1]}], "seats": first}
        self.on_play(next(ruled), split)
        self.on_play(next(ruled), {"kind": "annulled"})
        sheet = self.content(play := next(ruled), "ruling")["sheet"]
        made = self.organiser.post(
            self.at("rulings/"), json=self.ruling(play, {"kind": "assigned", "outcomes": [{"sheet": sheet}]})
        )
        self.happened["sheet assigned" if made.is_success else "sheet refused"] += 1
        wrong = self.on_play(next(ruled), {"kind": "artificial", "percent": "20"})
        self.get(f"rulings/{wrong['id']}/reversal/")
        reversed_ = self.put(
            f"rulings/{wrong['id']}/state/", {"state": "reversed", "reason": "Another table"}
        )
        assert reversed_["state"] == "reversed"
        self.happened["reversed"] += 1
        self.on_contestants()

    @staticmethod
    def spared(plays: Sequence[Row]) -> list[Row]:
        """Two plays of one board that nobody rules, so that a result can still be amended and turn a
        comparison; the player who objects is at neither."""
        free = [play for play in plays if 1 not in {seat["number"] for seat in play["seatings"]}]
        boards = Counter(play["board"] for play in free)
        board = max(boards, key=lambda one: boards[one])
        return [play for play in free if play["board"] == board][:2]

    def ruling(self, play: Row, *decisions: Row) -> Row:
        return {"play": {**self.place(play), "decisions": list(decisions)}, "reason": "As the law has it"}

    def on_play(self, play: Row, *decisions: Row) -> Row:
        return self.rule({"play": {**self.place(play), "decisions": list(decisions)}})

    def on_contestants(self) -> None:
        """By the club's catalogue, in per cent where there are some, and in what the session counts."""
        unit = UNITS[self.get()["method"]]
        amount = {"amount": "1/3", "unit": unit}
        name = f"slow play, {self.plan.game}, evening {self.session}"
        path = f"/clubs/{self.club.slug}/penalties/"
        if unit == "matchpoints":
            amount = {"amount": "10", "unit": "percent"}
        entry = answer_of(self.organiser.post(path, json={"name": name, **amount}))
        self.rule({"contestant": {"contestant": 1, "catalogue": entry["id"]}})
        self.organiser.put(f"{path}{entry['id']}/state/", json={"state": "retired"}).raise_for_status()
        self.rule({"contestant": {"contestant": 2, "kind": "penalty", "amount": "2.5", "unit": unit}})
        self.rule({"contestant": {"contestant": 3, "kind": "bonus", **amount}})
        carried = {"kind": "carry-over", "won": "17", "fraction": "1/3", "clamp": "4"}
        self.rule({"contestant": {"contestant": 4, **carried}})
        if len(self.plan.game) % 3 == 0:
            self.rule({"contestant": {"contestant": 5, "kind": "disqualification"}})
            self.happened["disqualified"] += 1
        self.happened["penalty"] += 3

    def objection(self) -> None:
        """The player objects, is told no, appeals, and a committee decides."""
        own = next(
            play
            for play in self.all("plays/")
            if play["result"] and 1 in {seat["number"] for seat in play["seatings"]}
        )
        said = {**self.place(own), "text": "La donne était la bonne"}
        made = self.post("objections/", said, by=self.player)
        path = f"objections/{made['id']}/steps/"
        self.post(path, {"kind": "answer", "text": "The result stands", "outcome": "rejected"})
        self.post(path, {"kind": "appeal", "text": "Nous faisons appel"}, by=self.player)
        ruling = self.on_play(own, {"kind": "artificial", "percent": "55", "seats": list(self.sides[0])})
        committee = [player["id"] for player in self.club.players[-4:-1]]
        decided = {"kind": "decision", "text": "Half of it", "outcome": "partly upheld"}
        self.post(path, {**decided, "ruling": ruling["id"], "committee": committee})
        assert self.get(f"objections/{made['id']}/", by=self.player)["state"] == "decided"
        self.happened["objection"] += 1

    # The end

    def finish(self) -> None:
        """Something is missing; it is played on; the list is provisional, and final when its time is over."""
        state = {"state": "played"}
        told = self.refused(self.organiser.put(self.at("state/"), json=state), 409, "results-missing")
        assert told, "it says which"
        self.put("state/", {**state, "confirm": True})
        self.happened["finish asks"] += 1
        self.refused(self.organiser.put(self.at("state/"), json={"state": "running"}), 400, "no-reason")
        self.put("state/", {"state": "running", "reason": "The last table still plays"})
        self.happened["reopened"] += 1
        missing = [play for play in self.all("plays/") if not play["result"] and not play["ruled"]]
        for play in missing:
            self.submit(play, self.content(play), by=self.scorer)
        self.wait()
        self.put("state/", state)
        until = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
        if self.get()["state"] == "provisional":
            self.put("state/", state)
        self.put("state/", {"state": "provisional", "corrections_until": until})
        self.put("publication/", {"listed": True})
        wait_until(lambda: self.get()["state"] == "final", what="the time for corrections to end")
        self.happened["final"] += 1

    def amend(self) -> None:
        """A result was written down wrongly; a ruling is taken back: a list that was final is amended."""
        play, other = self.weighty()
        self.refused(
            self.scorer.post(
                self.at("submissions/"), json={**self.place(play), "key": str(uuid.uuid4()), **other}
            ),
            400,
            "no-reason",
        )
        self.submit(play, other, by=self.scorer, reason="Two figures had changed places")
        wait_until(lambda: self.get()["state"] == "amended", what="the list to be amended")
        self.wait()
        in_force = [one for one in self.all("rulings/") if one["state"] == "in force"]
        wrong = {"state": "reversed", "reason": "The committee sees it otherwise"}
        versions = self.get()["version"]
        for kind in ("weighted", "penalty"):  # a penalty moves whom it was about, whatever the others do
            one = next(one for one in in_force if one["kind"] == kind)
            self.put(f"rulings/{one['id']}/state/", wrong)
        wait_until(lambda: self.get()["version"] > versions, what="the list to change")
        self.wait()
        self.happened["amended"] += 1

    def weighty(self) -> tuple[Row, Row]:
        """A play, and another content of it that turns as many of its board's comparisons as any that is
        tried: a result may change and move nobody."""
        plays = [one for one in self.all("plays/") if one["result"] and not one["ruled"]]
        times = Counter(one["board"] for one in plays)
        compared = [one for one in plays if times[one["board"]] > 1]  # in a knock-out many stand alone
        seats = [side[0] - 1 for side in self.sides]
        found: list[tuple[int, Row, Row]] = []
        for play, again in itertools.product(reversed(compared[-12:]), range(10)):
            scores = self.played(self.deals[play["board"]], play["id"], "amended", again).outcome().scores
            others = [
                one["result"]["scores"] for one in plays if one["board"] == play["board"] and one != play
            ]
            pairs = [(other, seat) for other in others for seat in seats]
            turned = sum(
                sign(scores[seat] - other[seat]) != sign(play["result"]["scores"][seat] - other[seat])
                for other, seat in pairs
            )
            found.append((turned, play, self.content(play, "amended", again)))
            if pairs and turned == len(pairs):
                break
        most, play, content = max(found, key=lambda one: one[0])
        assert most, "no other result turns a comparison"
        return play, content

    # What it publishes

    def set_up_lists(self) -> None:
        self.lists = [
            self.post("lists/", {"name": f"List {at}", **setup}) for at, setup in enumerate(self.setups(), 1)
        ]

    def setups(self) -> Sequence[Row]:
        """A list of each kind, with other methods and all tie-breaks among them."""
        groups = sorted({place["line_group"] for place in self.all("ranking/", name="places")})
        ties = ["direct-encounter", "wins", "best-boards", "count-back", "opponents", "fewest-penalties"]
        self.random.shuffle(ties)
        return [
            {"kind": "overall", "award_factor": "3/2"},
            *({"kind": "overall", "tie_breaks": [one]} for one in ties[:2]),
            {"kind": "overall", "tie_breaks": ties, "min_boards": 5},
            *({"kind": "line-group", "about": str(group), "award_factor": "1"} for group in groups),
            {"kind": "section", "about": "A"},
            {"kind": "club", "about": self.club.slug, "tie_breaks": ties[2:4]},
            {"kind": "category", "about": "newcomer", "award_factor": "1/2"},
            {"kind": "handicap", "handicaps": {"1": "5", "2": "5/2", "4": "-1/3"}, "award_factor": "1"},
            *({"kind": "overall", "method": name, "method_options": options} for name, options in METHODS),
            {"kind": "handicap", "method": "butler", "handicaps": {"3": "7"}, "tie_breaks": ties[:1]},
        ]

    def published(self) -> Published:
        """What anybody may read of the session, and the register that its club keeps."""
        return Published(
            self.get(by=self.anyone),
            self.all("plays/", by=self.anyone),
            *(self.get(f"exports/{what}/", by=self.anyone) for what in TABLES),
            self.sides,
            self.entrants,
            *self.of_teams(),
        )

    def of_teams(self) -> tuple[list[Row], Row, list[Row]]:
        """Where there are matches: who the teams are, how matches count, and who meets whom."""
        answer = self.anyone.get(self.at("match-rules/"))
        if answer.status_code == 404:
            return [], {}, []
        return self.all("teams/", by=self.anyone), answer_of(answer), self.all("matches/", by=self.anyone)

    def shown(self, number: int) -> Row:
        """All places of a list, as anybody sees them."""
        page = self.get(f"lists/{number}/places/", by=self.anyone)
        return {**page, "places": self.all(f"lists/{number}/places/", by=self.anyone, name="places")}


TABLES = ("results", "rulings", "ranking")
METHODS: Sequence[tuple[str, Row]] = (
    ("matchpoints", {}),
    ("matchpoints", {"unequal": "percentage", "small_groups": "always"}),
    ("board-a-match", {}),
    ("cross-imps", {"unit": "10", "divisor": "plays"}),
    ("butler", {"unit": "3", "average": "median"}),
    ("total-points", {}),
    ("zero-sum", {}),
    ("standardised", {"clip": "2"}),
)
UNITS: Mapping[str, str] = {
    **{"matchpoints": "matchpoints", "board-a-match": "points", "cross-imps": "imps", "butler": "imps"},
    **{"total-points": "points", "zero-sum": "points", "standardised": "points"},
}
