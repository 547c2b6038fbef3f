"""The Bésigues: a sensible robot."""

from collections.abc import Sequence
from itertools import takewhile

from ...views import TABLE
from .cards import STRENGTH
from .play import BLANCHE, BRISQUES, FINAL, LIFT, MELD, PASS, SHOW, BesigueView

MERIT = {"besigue": 5, "suite": 4, "carre": 3, "mariage": 2}


def suggestion(view: BesigueView, legal: Sequence[str]) -> str:
    """Announces what is worth most, keeps figures and aces together, wins the tricks after which it can
    announce, and takes the high cards at the end."""
    phase = view.phase
    if phase == LIFT.name:
        return str(legal[view.target - 1])
    if phase == BLANCHE.name:
        return SHOW
    if phase == BRISQUES.name:
        return legal[0] if view.points[view.index] + 200 >= view.rubicon else legal[-1]
    if phase == MELD.name:
        return max(takewhile(lambda action: action != PASS, legal), key=merit, default=PASS)
    trump = view.trump
    led = view.trick[0].card if len(view.trick) == 1 else None
    if phase == FINAL.name:
        return max(legal, key=lambda action: (beats(action[5:7], led, trump), STRENGTH[action[5]]))
    held = [*view.hand, *view.pile(TABLE, view.seat).shown]
    return min(legal, key=lambda action: regret(action[5:7], held, led, trump))


def merit(action: str) -> tuple[int, int]:
    """The worth of what is scored, by its kind, and how many cards it has."""
    text = action.removeprefix("mark:") if action.startswith("mark") else action.partition(">")[2]
    first = text.partition("+")[0]
    kind, _colon, slots = first.partition(":")
    return MERIT[kind] + 3 * (kind == "besigue" and slots.count(",") > 1), slots.count(",")


def beats(card: str, led: str | None, trump: str | None) -> bool:
    if led is None:
        return card[1] == trump
    if card[1] == led[1]:
        return STRENGTH[card[0]] > STRENGTH[led[0]]
    return card[1] == trump


def regret(card: str, held: Sequence[str], led: str | None, trump: str | None) -> float:
    """How much the robot loses with a card: what it may still be part of, minus what winning is worth."""
    rank, suit = card[0], card[1]
    value = {"7": 0, "8": 0, "9": 0, "J": 2, "Q": 3, "K": 3, "T": 2, "A": 3.5}[rank]
    value += 3 * (card in {"QS", "JD"}) + 2 * (suit == trump) + 0.5 * sum(other[0] == rank for other in held)
    return value - (2 if led is not None and beats(card, led, trump) else 0)
