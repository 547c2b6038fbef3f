"""Plays that robots make up, as somebody who sees the table takes them down on a pad."""

import re
from typing import Any

from engines import registry
from engines.contract import Game, with_defaults
from engines.errors import EngineError
from engines.games.demons_punisseurs.cards import STRENGTH
from engines.pads import Costumes, Melding, Pad
from frontend.table.views import ENTRIES
from tests.engines.test_conformance import GAMES, RandomBoard
from tests.frontend.browsers import in_a_browser

PADS = [game for game in GAMES if game.pad(with_defaults(game.options, {})) is not None]


def in_browser(test: Any) -> Any:
    """A test of this page that needs a browser; the others do not."""
    for mark in in_a_browser:
        test = mark(test)
    return test


def pad_of(game: Game[Any], options: Any) -> dict[str, Any]:
    pad = game.pad(options)
    assert pad is not None
    return pad.to_json(game.names, game.words, game.thing, "en")


def around(game: Game[Any], board: RandomBoard) -> dict[str, Any]:
    """What a table knows of a board."""
    known = game.known(board.deal, {})
    return {"seats": len(board.seats), "dealer": board.deal.dealer, "known": known}


def down(pad: dict[str, Any]) -> tuple[str, ...]:
    """How tokens begin that say what lies face down."""
    return tuple(f"{stage['verb']}:" for stage in pad["stages"] if stage["kind"] == "down")


def a_record(board: RandomBoard) -> tuple[list[str], list[int]]:
    """What robots play in turn, and whose turn it is; nothing where no card is played, which pads leave to
    sheets."""
    state, seats = board.state, []
    while not state.over:
        seat = board.random.choice(state.actors()) if board.random.random() < 0.1 else state.turn
        seats.append(seat)
        state.apply(f"{seat} {state.any_legal(seat, board.random)}")
    pad = board_pad(board)
    if pad is None or not pad.is_whole(state.entries):
        return [], []
    if pad.counts:  # jokers are alike: which of them is meant, no table sees
        alike = [ALIKE.sub("JK", entry) for entry in state.entries]
        return (alike, seats) if is_as_good(board, alike) else ([], [])
    calls = {call for stage in pad.stages if isinstance(stage, Costumes) for call in stage.talk.calls}
    calls |= {stage.shows for stage in pad.stages if isinstance(stage, Melding)}
    pairs = zip(state.entries, seats, strict=True)
    return [f"{seat} {entry}" if entry in calls else entry for entry, seat in pairs], seats


ALIKE = re.compile(r"JK\d")


def is_as_good(board: RandomBoard, entries: list[str]) -> bool:
    """Whether a play is the same whichever joker is meant: what is shuffled again lies otherwise; and not too
    long for a phone."""
    state = registry.game(board.file["game"]).start(board.deal, board.options)
    try:
        state.apply_all(entries)
    except EngineError:
        return False
    return state.over and len(entries) <= ENTRIES


def as_recorded(board: RandomBoard, entries: list[str]) -> list[str]:
    """What the engine writes down of a play that was sent."""
    state = registry.game(board.file["game"]).start(board.deal, board.options)
    state.apply_all(entries)
    assert state.over
    return list(state.entries)


def unsaid(board: RandomBoard, entries: list[str]) -> list[int]:
    """The places of what nobody says: that nothing is announced, or that cartes blanches are not shown."""
    state = registry.game(board.file["game"]).start(board.deal, board.options)
    places = []
    for place, entry in enumerate(entries):
        if entry == "pass" and state.phase in {"meld", "blanche"}:
            places.append(place)
        state.apply(entry)
    return places


def is_call(entry: str) -> bool:
    """Said by a seat that is not asked."""
    return entry[0].isdigit() and not entry[2:].startswith(("play:", "dispute:"))


def in_turn(entry: str) -> str:
    """Without the seat that is to act anyway."""
    return entry if is_call(entry) or not entry[0].isdigit() else entry[2:]


def board_pad(board: RandomBoard) -> Pad | None:
    return registry.game(board.file["game"]).pad(board.options)


def in_tapping_order(game: Game[Any], board: RandomBoard, entries: list[str]) -> list[str]:
    """First the suits that are turned, last what lies face down."""
    pad = pad_of(game, board.options)
    if pad["stages"][0]["kind"] == "melding":
        silent = set(unsaid(board, entries))
        return [entry for place, entry in enumerate(entries) if place not in silent]
    lying = [stage for stage in pad["stages"] if stage.get("stay")]
    if lying:
        turned = board.deal.pool if hasattr(board.deal, "pool") else board.deal.turned
        parts = [in_two(entry) for entry in map(in_turn, entries)]
        if game.id == "demons-punisseurs" and without_a_trade(board):
            parts = [part for part in parts if part != ["done"]]
        first, last = [part[0] for part in parts], [part[1] for part in parts if part[1:]]
        return [*(f"@turned:{card}" for card in turned), *first, *last]
    if any(stage["kind"] == "counting" for stage in pad["stages"]):
        return [f"@turned:{board.deal.turned}", *entries, "@stuck"]
    named = [stage["labels"] for stage in pad["stages"] if stage["kind"] == "turned" and stage["labels"]]
    if named:
        turned = [ALIKE.sub("JK", getattr(board.deal, name.split()[0])) for name in named[0]]
        first = [f"@turned:{card}" for card in turned]
        tapped = first + sorted(entries, key=lambda entry: entry.startswith(down(pad)))
        if named[1:] and entries[:3] == ["pass"] * 3:  # nobody wants the first one
            tapped.insert(4, f"@turned:{board.deal.stock[3]}")
        return tapped
    turned = sum(stage["count"] for stage in pad["stages"] if stage["kind"] == "turned")
    first = [f"@turned:{card[-1]}" for card in getattr(board.deal, "turned", ())[:turned]]
    return first + sorted(entries, key=lambda entry: entry.startswith(down(pad)))


def whose(
    pad: dict[str, Any], board: RandomBoard, entries: list[str], seats: list[int], tapped: list[str]
) -> list[int | None]:
    """Who is to act at each entry of a pad; None where nobody is, or whoever wants to."""
    left = [(in_two(in_turn(entry)), seat) for entry, seat in zip(entries, seats, strict=True)]
    if pad["stages"][0]["kind"] == "melding":
        silent = set(unsaid(board, entries))
        left = [one for place, one in enumerate(left) if place not in silent]
    acted: list[int | None] = []
    for one in tapped:
        place = next((at for at, (parts, _seat) in enumerate(left) if one in parts), None)
        acted.append(None if place is None or is_call(one) else left[place][1])
        if place is not None:
            left[place][0].remove(one)
    return acted


def in_two(entry: str) -> list[str]:
    """What a seat shows and takes, and what it gives face down."""
    if not entry.startswith("swap:"):
        return [entry]
    shown, _semicolon, pairs = entry.removeprefix("swap:").partition(";")
    gives, takes = zip(*(pair.split(">") for pair in pairs.split(",")), strict=True)
    return [f"@swap:{shown}>{'+'.join(takes)}", f"gave:{','.join(gives)}"]


def without_a_trade(board: RandomBoard) -> bool:
    """Whether no Démon lies face up that the dealer could take: nobody is asked."""
    deal = board.deal
    return not any(STRENGTH[deal.trump][card] and card[1] in {"C", deal.trump} for card in deal.turned)
