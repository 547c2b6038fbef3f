"""L'Hombre: a sensible robot."""

from collections.abc import Sequence

from ...cards import CardSet
from ...tricks import would_take
from .cards import PACK, SEATS, TRUMPS
from .play import AUCTION, EXCHANGE, NAMING, NONE, PASS, HombreView


def suggestion(view: HombreView, legal: Sequence[str]) -> str:
    """Bids on five good trumps, keeps trumps and kings, and wins tricks as cheaply as it can."""
    hand = PACK.cards(view.hand)
    if view.phase == AUCTION.name:
        best = max(worth(hand, suit) for suit in TRUMPS)
        if best >= 9 and "bid:sans-prendre" in legal:
            return "bid:sans-prendre"
        return "bid:prendre" if best >= 5.5 and "bid:prendre" in legal else PASS
    if view.phase == NAMING.name:
        return f"trump:{max(TRUMPS, key=lambda suit: worth(hand, suit))}"
    trumps = TRUMPS[view.trump or ""]
    if view.phase == EXCHANGE.name:
        weak = [t for t in PACK.order if PACK.card(t) & hand & ~trumps.all and t[0] not in "K"]
        stock = view.pile("stock").hidden
        chosen = weak[: stock if view.seat == view.declarer else min(stock, 5)]
        return f"exchange:{','.join(chosen)}" if chosen else NONE
    trick = [PACK.card(one.card) for one in view.trick]
    cards = sorted((PACK.plays[action] for action in legal), key=trumps.strength.__getitem__)
    if not 0 < len(trick) < SEATS:
        return f"play:{PACK.token(cards[-1])}"
    led = trumps.follows[trick[0].bit_length()]
    winning = would_take(cards, trick, led | trumps.all, trumps.strength)
    return f"play:{PACK.token((winning or cards)[0])}"


def worth(hand: CardSet, suit: str) -> float:
    """A rough count of what a hand is worth with a trump suit: trumps, matadors twice, kings half."""
    trumps = TRUMPS[suit]
    matadors = sum(bool(matador & hand) for matador in trumps.matadors)
    kings = (hand & PACK.rank("K") & ~trumps.all).bit_count()
    return (hand & trumps.all).bit_count() + matadors + kings / 2
