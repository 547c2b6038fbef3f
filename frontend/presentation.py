"""What the pages show, arranged as plain values from deals, states and results."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from engines import registry
from engines.contract import Game, Settings, seat_and_token
from scoring.rounding import decimals
from tournaments.models import Board, Play, Ranking, Session, Submission
from tournaments.services import names, versions
from tournaments.services.awards import AwardBook
from tournaments.services.names import ANYONE, Named
from tournaments.services.rankings import Standing

SUITS = "SHCD"  # side by side, red and black take turns
ON_A_PAGE = 100
VULGAR = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


def hands(game: Game[Any], deal: Any, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The cards of each seat, suit by suit. Where no hands are dealt, the named seats have no cards."""
    hands_dealt = game.show_deal(deal).get("hands", [[]] * len(names))
    return [
        {"seat": seat, "name": names[seat - 1] if names else "", "cards": sorted(cards, key=place_of_suit)}
        for seat, cards in enumerate(hands_dealt, 1)
    ]


def place_in_deal(game: Game[Any], place: str, language: str) -> str:
    """A place of a dealing list in words: a seat stays a number, a pile has the game's word, with the depth
    of a card in it."""
    return " ".join(
        game.names[word].to(language) if word in game.names and not word.isdigit() else word
        for word in place.split()
    )


def place_of_suit(card: str) -> int:
    """Where the suit of a card stands in a hand; trumps and cards without a suit come last."""
    return (SUITS + "TX").index(letter(card))


def letter(card: str) -> str:
    """The suit of a card; X for the Excuse and for jokers."""
    return card[-1] if card[-1] in SUITS + "T" else "X"


def other_cards(game: Game[Any], deal: Any, language: str) -> list[tuple[str, list[str]]]:
    """What lies beside the hands (turned cards, a talon), each with its name."""
    parts = {
        name: [cards] if isinstance(cards, str) else cards for name, cards in game.show_deal(deal).items()
    }
    parts |= {
        name: [card for cards in lists for card in cards]
        for name, lists in parts.items()
        if isinstance(lists, list) and lists and isinstance(lists[0], list)
    }
    return [
        (game.names[name].to(language), cards)
        for name, cards in parts.items()
        if name != "hands" and isinstance(cards, list) and cards and all(is_card(card) for card in cards)
    ]


def is_card(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9A-Z]{1,2}[SHDCTX]|JK[0-9]?", value) is not None


def facts(game: Game[Any], outcome: Iterable[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    """The facts of an outcome in words, with their points in the unit that players use."""
    return [
        {
            "seat": fact["seat"],
            "name": game.names[fact["fact"]].to(language),
            "value": fact.get("value"),
            "points": in_units(fact["points"], game.unit.divisor),
        }
        for fact in outcome
    ]


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
class Leader:
    """One of the first places of a ranking, in few words."""

    rank: str
    name: str
    value: Fraction | None
    is_percent: bool


def leaders(newest: Iterable[Ranking]) -> dict[int, tuple[int, list[Leader]]]:
    """By session, how many are ranked in the newest version of its ranking, and the first of them: three, or
    the best of each line where several are ranked apart."""
    orders = {ranking.session_id: versions.order_of(ranking) for ranking in newest}
    first = {
        session: [
            place
            for places in order.groups.values()
            for place in places[: 3 if len(order.groups) == 1 else 1]
        ]
        for session, order in orders.items()
    }
    shown = {place.contestant for places in first.values() for place in places}
    contestants = names.of_contestants(shown, ANYONE)
    return {
        session: (
            orders[session].count,
            [
                Leader(place.rank, contestants[place.contestant].name, place.total.value, place.total.top > 0)
                for place in places
                if place.rank
            ],
        )
        for session, places in first.items()
    }


def evening(session: Session, first: tuple[int, list[Leader]] | None, language: str) -> dict[str, Any]:
    """A session in a list of them, with the first of its ranking."""
    count, places = first or (0, [])
    game = registry.game(session.game).name.to(language)
    return {"session": session, "game": game, "count": count, "leaders": places}


def traveller(
    game: Game[Any], session: Session, board: Board, language: str, numbers: range
) -> list[dict[str, Any]]:
    """The plays of a board, each with what every side won: the best of the first side first; those with these
    numbers, counted from 0. Under each other stand those who held the same cards."""
    sides = game.sides_of(session.conditions)
    plays = Play.objects.filter(board=board).exclude(result=None)
    scores = list(plays.values_list("pk", "result__scores"))
    shown = sorted(scores, key=lambda one: (-one[1][sides[0][0] - 1], one[0]))[numbers.start : numbers.stop]
    whole = (
        Play.objects.select_related("table__section", "result__submission")
        .prefetch_related("seatings")
        .in_bulk([pk for pk, _scores in shown])
    )
    seated = {one.contestant_id for play in whole.values() for one in play.seatings.all()}
    contestants = names.of_contestants(seated, ANYONE)
    book = AwardBook(session, [board.pk])
    return [
        {
            "play": whole[pk],
            "facts": facts(game, (f for f in whole[pk].result.facts if not f["seat"]), language),
            "has_record": "actions" in whole[pk].result.submission.content,
            "is_disputed": whole[pk].result.submission.state == Submission.State.DISPUTED,
            "sides": [seen_by(game, whole[pk], side[0], book, contestants, language) for side in sides],
        }
        for pk, _scores in shown
    ]


def seen_by(
    game: Game[Any],
    play: Play,
    seat: int,
    book: AwardBook,
    contestants: Mapping[int, Named],
    language: str,
) -> dict[str, Any]:
    """A play as whoever sat in a seat sees it."""
    won = book.of(play.result)
    return {
        "contestant": next(contestants[s.contestant_id].name for s in play.seatings.all() if s.seat == seat),
        "facts": facts(game, (f for f in play.result.facts if f["seat"] == seat), language),
        "score": in_units(play.result.scores[seat - 1], game.unit.divisor),
        "award": won and won[seat - 1],
    }


def page(text: str, count: int) -> tuple[range, dict[str, int | None]] | None:
    """The numbers, counted from 0, that stand on a page of a list, and the pages beside it; None for a page
    that there is not."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    last = max((count - 1) // ON_A_PAGE + 1, 1)
    if not 1 <= number <= last:
        return None
    numbers = range((number - 1) * ON_A_PAGE, min(number * ON_A_PAGE, count))
    return numbers, {
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
        seat = seat_and_token(entry)[0] or state.actors()[0]
        state.apply(entry)
        view = state.view(None)
        shown_steps.append(
            {
                "seat": seat,
                "action": seat_and_token(entry)[1],
                "trick": view.get("trick", []),
                "tricks": view.get("tricks", []),
                "gathered": view.get("gathered", 0),
                "taker": view.get("taker"),
                "table": view.get("table", []),
                "hands": [state.view(seat)["hand"] for seat in range(1, seats + 1)],
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
    pack = set(cards_in(game.show_deal(deal)))
    in_tricks = bool(tricks(steps))
    texts = []
    for step in steps:
        verb, _colon, what = step["action"].partition(":")
        if verb == "play" and in_tricks:
            continue
        cards = [] if verb == "bid" else [word for word in re.split("[^0-9A-Z]+", what) if word in pack]
        plain = cards and not re.search("[a-z]", what)  # nothing but cards
        if plain and verb == "play":
            words = gettext("plays")
        else:
            words = (game.names[verb] if plain else game.words(step["action"])).to(language)
        texts.append({"seat": step["seat"], "words": words, "cards": cards})
    return texts


def cards_in(deal: Any) -> Iterator[str]:
    """All words of a deal's JSON, its cards among them."""
    if isinstance(deal, str):
        yield deal
    elif isinstance(deal, dict | list):
        for part in deal.values() if isinstance(deal, dict) else deal:
            yield from cards_in(part)


def neighbours(number: int, numbers: Sequence[int]) -> dict[str, int | None]:
    """The boards before and after one, among those that may be seen."""
    at = numbers.index(number)
    following = numbers[at + 1] if at + 1 < len(numbers) else None
    return {"previous": numbers[at - 1] if at else None, "next": following}


def in_units(score: int, divisor: int) -> str:
    """A score as players say it, with its sign.

    >>> in_units(1, 2), in_units(-3, 2), in_units(-2, 2), in_units(0, 2), in_units(5, 20)
    ('+½', '−1½', '−1', '0', '+¼')
    """
    if score == 0:
        return "0"
    whole, rest = divmod(abs(score), divisor)
    part = Fraction(rest, divisor)
    text = str(whole) if whole or not rest else ""
    if rest:
        text = text + VULGAR[part] if part in VULGAR else decimals(whole + part)
    return ("+" if score > 0 else "−") + text
