"""Démons punisseurs: a sensible robot."""

from collections import Counter
from collections.abc import Sequence

from ...contract import is_play
from .cards import BEST, RANKS, strength
from .marks import GOOD, HOLD, SILENT
from .play import DONE, EXPOSITION, ROB, TALK, PunisseursView


def suggestion(view: PunisseursView, legal: Sequence[str]) -> str:
    """Takes Démons, bets on strong hands, keeps to one rank, and disputes what it can."""
    hand, trump = view.hand, view.trump
    if view.phase == ROB.name:
        robs = [token for token in legal if token != DONE]
        return max(robs, key=lambda token: strength(token.partition(">")[2], trump)) if robs else DONE
    if view.phase == TALK.name:
        return answer(view.talked_about or "", view, legal)
    for token in legal:
        verb, _colon, name = token.partition(":")
        if verb == "bet" and promise(name, view) >= 4:
            return token
    if view.seat != view.turn:
        calls = [token for token in legal if token.startswith("concede:")]
        return min(calls, key=lambda token: promise(token.partition(":")[2], view))
    if view.phase == EXPOSITION.name:
        disputes = [token for token in legal if token.startswith("dispute")]
        return disputes[0] if disputes else next(t for t in legal if t == f"concede:{view.todo[0]}")
    plays = [token for token in legal if is_play(token)]
    ranks = Counter(card[0] for card in hand)
    return max(plays, key=lambda token: merit(token, ranks, view))


def promise(name: str, view: PunisseursView) -> int:
    """How much speaks for winning an objective: the length of a combination, or strong cards for tricks."""
    hand = view.hand
    demons: int = sum(strength(card, view.trump) > 0 for card in hand)
    faces = view.pile("faces", view.seat).shown
    plain = [card for card in hand if not strength(card, view.trump)]
    if name in BEST:
        best = BEST[name]([*faces, *plain])
        return demons + (best[0] if best is not None else 1)
    trumps: int = sum(card[1] == view.trump for card in plain)
    return view.tricks[view.index] + demons + trumps // 2


def answer(name: str, view: PunisseursView, legal: Sequence[str]) -> str:
    if SILENT in legal:
        return SILENT
    return HOLD if promise(name, view) >= 3 else GOOD


def merit(token: str, ranks: Counter[str], view: PunisseursView) -> float:
    """Wins with cards no higher than needed; a Démon poses only where it wins."""
    card, _equals, named = token.removeprefix("play:").partition("=")
    face, trump = named or card, view.trump
    trick = view.trick
    led = trick[0].card[1] if trick else face[1]

    def power(face: str, demon: str) -> tuple[int, int, int]:
        suit = 2 if face[1] == trump else int(face[1] == led)
        return suit, RANKS.index(face[0]), strength(demon, trump)

    wins = all(power(face, card) > power(laid.card, laid.under or "") for laid in trick)
    score = 4.0 * wins - RANKS.index(card[0]) / 9 if trick else RANKS.index(face[0]) / 3
    score -= 2.0 * bool(strength(card, trump)) * (not wins)
    return score + ranks[face[0]] / 2
