"""What the pages show, arranged as plain values from deals, states and results."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from engines import registry
from engines.contract import Game, Settings, is_play, seat_and_token, with_defaults
from scoring.rounding import in_units
from tournaments.models import Board, Leg, Play, Ranking, Session, SessionList, Submission
from tournaments.services import (
    list_contents,
    live_lists,
    names,
    own_results,
    public_calendar,
    ruling_words,
    session_wishes,
    versions,
)
from tournaments.services.awards import AwardBook
from tournaments.services.games import value_in_words
from tournaments.services.names import ANYONE, Named
from tournaments.services.rankings import FEW, Standing

from . import plots

SUITS = "SHCD"  # side by side, red and black take turns
ON_A_PAGE = 100
TIES_TOLD = 3
LIST_AT_MOST = 1000
WORDS = {
    "played": gettext_lazy("played"),
    "provisional": gettext_lazy("provisional ranking"),
    "final": gettext_lazy("final ranking"),
    "amended": gettext_lazy("amended ranking"),
    "cancelled": gettext_lazy("cancelled"),
}
"""What a ranking is called once the play has ended, by the state of its session."""


def in_short(game: Game[Any], language: str) -> dict[str, Any]:
    """What somebody who chooses a game wants to know of it."""
    return {
        "game": game,
        "name": game.name.to(language),
        "pack": game.pack.to(language),
        "board": game.board.to(language),
        "seats": f"{game.seats[0]}–{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0]),
        "minutes": session_wishes.minutes_of(game),
    }


def hands(game: Game[Any], deal: Any, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The cards of each seat, suit by suit. Where no hands are dealt, the named seats have no cards."""
    lie = game.places(deal)
    seats = [seat for seat in range(1, len(lie) + 1) if str(seat) in lie] or range(1, len(names) + 1)
    return [
        {
            "seat": seat,
            "name": names[seat - 1] if names else "",
            "cards": sorted(lie.get(str(seat), ()), key=place_of_suit),
        }
        for seat in seats
    ]


def place_of_suit(card: str) -> int:
    """Where the suit of a card stands in a hand; trumps and cards without a suit come last."""
    return (SUITS + "TX").index(letter(card))


def letter(card: str) -> str:
    """The suit of a card; X for the Excuse and for jokers."""
    return card[-1] if card[-1] in SUITS + "T" else "X"


def other_cards(game: Game[Any], deal: Any, language: str) -> list[tuple[str, list[str]]]:
    """What lies beside the hands (turned cards, a talon), each with its name; piles of one name together."""
    piles: dict[str, list[str]] = {}
    for place, cards in game.places(deal).items():
        if not place.isdigit() and cards:
            piles.setdefault(place.partition(" ")[0], []).extend(cards)
    return [(game.names[name].to(language), cards) for name, cards in piles.items()]


def facts(game: Game[Any], outcome: Iterable[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    """The facts of an outcome in words, with their points in the unit that players use."""
    return [
        {
            "seat": fact["seat"],
            "name": game.names[fact["fact"]].to(language),
            "value": value_in_words(game, fact.get("value"), language),
            "points": in_units(fact["points"], game.unit.divisor),
        }
        for fact in outcome
    ]


def in_turn(told: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Facts under a total, those of one name together: each name with its values and points. One fact alone
    says no points: they are the total."""
    found: list[dict[str, Any]] = []
    for fact in told:
        if not found or found[-1]["name"] != fact["name"]:
            found.append({"name": fact["name"], "parts": []})
        points = fact["points"] if len(told) > 1 and fact["points"] != "0" else ""
        found[-1]["parts"].append({"value": fact["value"], "points": points})
    return found


def in_common(game: Game[Any], outcome: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    """What the facts of an outcome say of a whole table: `name`, `value` and `seat`. They brought no points,
    and others account for those of their seat. What is told of every seat is one fact of no seat, with the
    values in the order of the seats."""
    facts_of = Counter(fact["seat"] for fact in outcome)
    counting = {fact["fact"] for fact in outcome if fact["points"] or facts_of[fact["seat"]] == 1}
    found: dict[str, list[Mapping[str, Any]]] = {}
    for fact in outcome:
        if fact["seat"] and fact["fact"] not in counting and fact.get("value") is not None:
            found.setdefault(fact["fact"], []).append(fact)
    seats, common = {fact["seat"] for fact in outcome if fact["seat"]}, []
    for name, own in found.items():
        told = [(str(value_in_words(game, fact["value"], language)), fact["seat"]) for fact in own]
        if len(seats) > 1 and [seat for _value, seat in told] == sorted(seats):
            told = [("–".join(value for value, _seat in told), None)]
        common += [{"name": game.names[name].to(language), "value": v, "seat": seat} for v, seat in told]
    return common


def score_unit(session: Session, language: str) -> str:
    """What the scores of a session count, as the head of a column."""
    game = registry.game(session.game)
    unit = game.unit_of(with_defaults(game.options, session.options))
    phrase = unit.shown or unit.name
    return gettext("Points") if phrase.text == "point" else capfirst(phrase.to(language))


def window(standings: Sequence[Standing]) -> tuple[float, float]:
    """The lowest and the highest value at which progress lines are drawn: 30 % and 70 %, or as far from 0 as
    any of them goes; lib/plotting.js has the same rule."""
    if any(standing.total.top for standing in standings):
        return 30.0, 70.0
    farthest = max((abs(float(value)) for one in standings for value in one.progress), default=0.0) or 1.0
    return -farthest, farthest


def groups(standings: Sequence[Standing]) -> list[tuple[int, list[Standing]]]:
    """The standings of each line group; before the first ranking one group, empty."""
    by_group: dict[int, list[Standing]] = {}
    for standing in standings:
        by_group.setdefault(standing.line_group, []).append(standing)
    return list(by_group.items()) or [(1, [])]


@dataclass(frozen=True, slots=True)
class Tie:
    """Contestants who share a place, and with what."""

    rank: str
    names: Sequence[str]
    points: Fraction
    top: int


def ties(standings: Sequence[Standing]) -> list[Tie]:
    """The first shared places of a page of a ranking: the ranking itself has no tie-breaks, so that equal
    totals share one. Not those of equal percentages by other points, of other boards."""
    shared: dict[tuple[int, str], list[Standing]] = {}
    for one in standings:
        if one.rank.endswith("="):
            shared.setdefault((one.line_group, one.rank), []).append(one)
    found = [
        Tie(rank, [one.contestant.name for one in some], some[0].total.points, some[0].total.top)
        for (_group, rank), some in shared.items()
        if len(some) > 1 and len({(one.total.points, one.total.top) for one in some}) == 1
    ]
    return found[:TIES_TOLD]


def fewer(standings: Sequence[Standing]) -> list[tuple[str, int]]:
    """The first of a page of a ranking who have played less than three quarters of the boards of others
    there: whoever left early, or came late, is ranked by few."""
    most = max((one.total.boards for one in standings), default=0)
    few = [(one.contestant.name, one.total.boards) for one in standings if 0 < one.total.boards < FEW * most]
    return few[:TIES_TOLD]


def a_list(
    the_list: SessionList, own: Collection[int], *, reader: names.Reader = ANYONE, is_live: bool = False
) -> dict[str, Any]:
    """A list of a session: each line group with its places, why one stands before the next, and which
    penalties and the like each has, where all of them count; in lists of teams, those of who plays for it."""
    content = list_contents.content(the_list, list_contents.members_of(the_list), is_live=is_live)
    shown = list(content.places(range(min(content.count, LIST_AT_MOST))))
    contestants = list_contents.named(
        the_list, {*content.absent, *(one.place.contestant for one in shown)}, reader
    )
    of_teams = the_list.kind in SessionList.OF_TEAMS
    own = () if of_teams else own
    of_matches = the_list.kind == SessionList.Kind.MATCHES
    ranked = [one.place.contestant for one in shown]
    decided: Mapping[int, list[str]] = {}
    if of_matches or (of_teams and not content.left_out):
        decided = ruling_words.of_teams(the_list.session, ranked, of_matches=of_matches)
    elif not content.left_out:
        decided = ruling_words.of_contestants(the_list.session, ranked)
    groups: dict[int, list[dict[str, Any]]] = {}
    for one in shown:
        row = {
            "place": one.place,
            "name": contestants[one.place.contestant].name,
            "is_own": one.place.contestant in own,
            "scratch_rank": one.scratch_rank,
            "award": one.award,
            "decided": decided.get(one.place.contestant),
            "tie": list_contents.tie_words(the_list, one.place),
        }
        groups.setdefault(one.line_group, []).append(row)
    return {
        "groups": list(groups.items()),
        "absent": [contestants[pk].name for pk in content.absent],
        "left_out": content.left_out,
        "count": content.count,
        "has_awards": content.awards is not None,
        "has_scratch": bool(content.scratch),
    }


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the first places of a ranking, in few words."""

    rank: str
    name: str
    value: Fraction | None
    is_percent: bool


def leaders(
    newest: Iterable[Ranking], *, most: int = 3, reader: names.Reader = ANYONE
) -> dict[int, tuple[int, list[Leader]]]:
    """By session, how many have played by the newest version of its ranking, and the first of them: `most`,
    or the best of each line where several are ranked apart."""
    orders = {ranking.session_id: versions.order_of(ranking) for ranking in newest}
    first = {
        session: [
            place
            for places in order.groups.values()
            for place in places[: most if len(order.groups) == 1 else 1]
        ]
        for session, order in orders.items()
    }
    shown = {place.contestant for places in first.values() for place in places}
    contestants = names.of_contestants(shown, reader)
    return {
        session: (
            orders[session].played,
            [
                Leader(place.rank, contestants[place.contestant].name, place.total.value, place.total.top > 0)
                for place in places
                if place.rank
            ],
        )
        for session, places in first.items()
    }


def game_name(session: Session, language: str) -> str:
    return registry.game(session.game).name.to(language)


def evenings(sessions: Sequence[Session], language: str) -> list[dict[str, Any]]:
    """Sessions in a list, each with the first of its ranking, and how far it is. A query for each ranking
    that nobody has asked for lately, and a few for all."""
    first = leaders(live_lists.public_rankings([one.pk for one in sessions]))
    progress = public_calendar.progress(sessions)
    return [
        {
            "session": one,
            "game": game_name(one, language),
            "count": first[one.pk][0] if one.pk in first else 0,
            "leaders": (own := first[one.pk][1] if one.pk in first else []),
            "winners": [place for place in own if place.rank in {"1", "1="}],
            "progress": progress.get(one.pk),
        }
        for one in sessions
    ]


def legs(found: Iterable[Leg], language: str) -> list[dict[str, Any]]:
    """Legs of events in a list (of `public_events`), each with its game."""
    return [{"leg": leg, "game": registry.game(leg.game).name.to(language)} for leg in found]


def on_traveller(game: Game[Any], session: Session, board: Board) -> dict[int, bool]:
    """The plays of a board (their ids) in the order of its traveller, and whether each has a result: the best
    of the first side first; then those without a result of which a director has ruled what counts."""
    first = game.sides_of(session.conditions)[0][0] - 1
    rows = Play.objects.filter(board=board).values_list("pk", "result__scores", "ruled__entries")
    scored = sorted((-scores[first], pk) for pk, scores, _entries in rows if scores is not None)
    ruled = (pk for pk, scores, entries in rows if scores is None and any(entries or ()))
    return {pk: True for _score, pk in scored} | dict.fromkeys(sorted(ruled), False)


def traveller(
    game: Game[Any],
    session: Session,
    board: Board,
    language: str,
    shown: Sequence[int],
    reader: names.Reader = ANYONE,
) -> list[dict[str, Any]]:
    """Plays of a board, each with what every side won. `shown`: their ids, some of `on_traveller`. Under each
    other stand those who held the same cards."""
    sides = game.sides_of(session.conditions)
    whole = (
        Play.objects.select_related("table__section", "result__submission", "ruled")
        .prefetch_related("seatings")
        .in_bulk(shown)
    )
    seated = {one.contestant_id for play in whole.values() for one in play.seatings.all()}
    contestants = names.of_contestants(seated, reader)
    book = AwardBook(session, [board.pk])
    named = {
        pk: {one.seat: contestants[one.contestant_id].name for one in play.seatings.all()}
        for pk, play in whole.items()
    }
    decided = ruling_words.of_plays(session, whole, named)
    return [
        _traveller_row(game, whole[pk], decided.get(pk, []), language)
        | {"sides": [seen_by(game, whole[pk], side[0], book, contestants, language) for side in sides]}
        for pk in shown
    ]


def _traveller_row(
    game: Game[Any], play: Play, decided: Sequence[ruling_words.ToldRuling], language: str
) -> dict[str, Any]:
    result = getattr(play, "result", None)
    return {
        "play": play,
        "decided": decided,
        "has_result": result is not None,
        "facts": facts(game, (f for f in result.facts if not f["seat"]), language) if result else [],
        "in_common": in_common(game, result.facts, language) if result else [],
        "has_record": result is not None and "actions" in result.submission.content,
        "is_disputed": result is not None and result.submission.state == Submission.State.DISPUTED,
    }


def counted(game: Game[Any], session: Session, board: Board, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One result of a board side by side, point by point, each beside the field: all who held the same cards.
    `row`: of the traveller."""
    plays = Play.objects.filter(board=board).exclude(result=None).order_by("pk")
    rows = list(plays.values_list("pk", "table__section__name", "table__number", "result__scores"))
    several = len({section for _pk, section, _table, _scores in rows}) > 1
    sides = []
    for seats, seen in zip(game.sides_of(session.conditions), row["sides"], strict=True):
        scores = [
            (pk, f"{section}{table}" if several else str(table), by_seat[seats[0] - 1])
            for pk, section, table, by_seat in rows
        ]
        drawing = plots.field(scores, row["play"].pk, game.unit.divisor)
        words: dict[str, list[str]] = {}
        for _pk, label, score in sorted(scores, key=lambda one: -one[2]):
            words.setdefault(in_units(score, game.unit.divisor), []).append(label)
        sides.append(
            seen
            | {
                "seats": seats,
                "points": [fact for fact in seen["facts"] if fact["points"] != "0"] or seen["facts"],
                "field": drawing,
                "results": len(scores),
                "words": words,
            }
        )
    return sides


def own_contestants(session: Session, players: Collection[int]) -> set[int]:
    """Who of a session's contestants somebody is, or plays some rounds for; nobody for those who hold no
    player's link."""
    if not players:
        return set()
    return set(session.contestants.filter(own_results.plays_as(players)).values_list("pk", flat=True))


def seen_by(
    game: Game[Any],
    play: Play,
    seat: int,
    book: AwardBook,
    contestants: Mapping[int, Named],
    language: str,
) -> dict[str, Any]:
    """A play as whoever sat in a seat sees it; `score`: a dash where there is no result."""
    result = getattr(play, "result", None)
    counted = (None, None, None) if result is None else (result.scores, result.averaged, result.position)
    won = book.at(play.board_id, *counted, play=play.pk)
    told = [] if result is None else [fact for fact in result.facts if fact["seat"] == seat]
    return {
        "contestant": next(contestants[s.contestant_id].name for s in play.seatings.all() if s.seat == seat),
        "facts": (own := facts(game, told, language)),
        "said": in_turn(own),
        "score": "–" if result is None else in_units(result.scores[seat - 1], game.unit.divisor),
        "award": (won and won[seat - 1]) or None,  # of what is annulled: nothing
        "bound": ruling_words.bound(play.ruled.entries[seat - 1]) if hasattr(play, "ruled") else "",
    }


def page(text: str, count: int, size: int | None = None) -> tuple[range, dict[str, int | None]] | None:
    """The numbers, counted from 0, that stand on a page of a list, and the pages beside it; None for a page
    that there is not."""
    size = size or ON_A_PAGE
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    last = max((count - 1) // size + 1, 1)
    if not 1 <= number <= last:
        return None
    numbers = range((number - 1) * size, min(number * size, count))
    return numbers, {
        "number": number,
        "previous": number - 1 if number > 1 else None,
        "next": number + 1 if number < last else None,
    }


def steps(
    game: Game[Any], deal: Any, options: Settings, actions: Sequence[str], seats: int
) -> list[dict[str, Any]]:
    """The record action by action: who acted, and how hands and table are afterwards."""
    state = game.start(deal, options)
    shown_steps = []
    for entry in actions:
        seat, action = seat_and_token(entry)
        seat = seat or state.turn
        state.apply(entry)
        view = state.view(None)
        shown_steps.append(
            {
                "seat": seat,
                "action": action,
                "trick": [{"seat": one.seat, "card": one.card} for one in view.trick],
                "tricks": view.tricks,
                "gathered": view.gathered,
                "taker": view.taker,
                "table": view.table,
                "hands": [state.view(seat).hand for seat in range(1, seats + 1)],
            }
        )
    return shown_steps


def tricks(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The gathered tricks of a record: their cards in order, and who took each."""
    gathered: list[dict[str, Any]] = []
    for step in steps:
        if step["gathered"] > len(gathered):
            gathered.append({"number": len(gathered) + 1, "cards": step["trick"], "taker": step["taker"]})
    return gathered


def speeches(
    game: Game[Any], deal: Any, steps: Sequence[dict[str, Any]], language: str
) -> list[dict[str, Any]]:
    """The actions in words, but for the cards of tricks; cards that they name stand beside."""
    pack = {card for cards in game.places(deal).values() for card in cards}
    in_tricks = bool(tricks(steps))
    texts = []
    for step in steps:
        if is_play(step["action"]) and in_tricks:
            continue
        words, cards = game.spoken(step["action"], pack)
        texts.append({"seat": step["seat"], "words": words.to(language), "cards": cards})
    return texts


RECORDS_COMPARED = 100


@dataclass(frozen=True, slots=True)
class Departure:
    """Where records part from one: the first action that is another. `number`: of the actions before it, and
    one more; `trick`: in which it came, 0 before the first; `tables`: who did it."""

    number: int
    trick: int
    own: Mapping[str, Any]
    other: Mapping[str, Any]
    tables: Sequence[Mapping[str, Any]]


def departures(
    game: Game[Any],
    deal: Any,
    own: Sequence[str],
    others: Sequence[tuple[Mapping[str, Any], Sequence[str]]],
    steps: Sequence[dict[str, Any]],
    language: str,
) -> list[Departure]:
    """Where other records of a deal part from one's own, the earliest first; those that part in the same way
    together. `others`: a row of the traveller each, with its actions; `steps`: of one's own record."""
    pack = {card for cards in game.places(deal).values() for card in cards}
    parted: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
    for row, actions in others:
        at = next((n for n, (one, other) in enumerate(zip(own, actions, strict=False)) if one != other), None)
        if at is not None:
            parted.setdefault((at, actions[at]), []).append(row)
    found = []
    has_tricks = bool(tricks(steps))
    for (at, entry), tables in sorted(parted.items()):
        seat, action = seat_and_token(entry)
        step = steps[at]
        trick = (steps[at - 1]["gathered"] if at else 0) + 1 if is_play(step["action"]) and has_tricks else 0
        mine = {"seat": step["seat"], **_in_words(game, step["action"], pack, language)}
        theirs = {"seat": seat or step["seat"], **_in_words(game, action, pack, language)}
        found.append(Departure(at + 1, trick, mine, theirs, tables))
    return found


def _in_words(game: Game[Any], action: str, pack: Collection[str], language: str) -> dict[str, Any]:
    words, cards = game.spoken(action, pack)
    return {"words": words.to(language), "cards": cards}


def neighbours(number: int, numbers: Sequence[int]) -> dict[str, int | None]:
    """The boards before and after one, among those that may be seen."""
    at = numbers.index(number)
    following = numbers[at + 1] if at + 1 < len(numbers) else None
    return {"previous": numbers[at - 1] if at else None, "next": following}
