"""Démons: a sensible robot."""

from collections import Counter
from collections.abc import Sequence

from ...contract import is_play
from .cards import TRICK_ORDER, is_demon
from .play import BET, DEVIL, EXCHANGE, KEEP, STAY, DemonsView

VALUE = {"6": 0, "J": 1, "Q": 4, "C": 2, "K": 2}


def suggestion(view: DemonsView, legal: Sequence[str]) -> str:
    """Takes kings and Démons for sixes, builds combinations that its hand can extend, bets on Démons, and
    takes valuable cards."""
    hand = view.hand
    if view.phase == EXCHANGE.name:
        swaps = [token for token in legal if token != KEEP]
        return max(swaps, key=gain) if swaps else KEEP
    if view.phase == DEVIL.name:
        return STAY
    demons = sum(is_demon(card) for card in hand)
    if view.phase == BET.name:
        return "hold" if demons >= 2 else "concede"
    if demons >= 3 and "bet:partial" in legal:
        return "bet:partial"
    plays = [token for token in legal if is_play(token)]
    if not plays:
        return legal[0]  # out of turn there are only bets: the cheapest
    return max(plays, key=lambda token: merit(token, hand, view))


def gain(token: str) -> float:
    """What an exchange brings: Démons and kings for sixes and jacks."""
    pairs = [pair.split(">") for pair in token.partition(";")[2].split(",")]
    return sum(keeping(take) - keeping(give) for give, take in pairs)


def keeping(card: str) -> float:
    return 6 if is_demon(card) else TRICK_ORDER.index(card[0])


def merit(token: str, hand: Sequence[str], view: DemonsView) -> float:
    """Combinations first; then cheap wins of valuable tricks, and cheap losses."""
    body, _bang, suffix = token.removeprefix("play:").partition("!")
    card, _equals, possessed = body.partition("=")
    face = possessed or card
    score = 0.0
    ranks = Counter(one[0] for one in hand if not is_demon(one))
    if suffix.endswith("more"):
        score += 8
    elif suffix == "pareil:new":
        score += 2 if ranks[face[0]] >= 3 else -4
    elif suffix == "suite:new":
        score -= 4
    trick = view.unfinished
    worth = sum(VALUE.get(one.card[0], 0) for one in trick) + VALUE.get(face[0], 0)
    if not trick:
        return score - keeping(face) / 4
    led = trick[0].card
    beaten = face[1] == led[1] and all(
        one.card[1] != led[1] or keeping(one.card) < keeping(face) for one in trick
    )
    wins = beaten or (is_demon(card) and not possessed)
    return score + (worth if wins else -worth) - (2 if is_demon(card) else 0)
