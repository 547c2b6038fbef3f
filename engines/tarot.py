"""The tricks of tarot games: suit is followed, failing that a trump is played, and higher than those that lie
there; the Excuse may always be played, takes nothing, and asks for nothing."""

from collections.abc import Sequence
from functools import cache

from .cards import ByBit, CardSet, Pack, by_bit, highest
from .phrases import Phrase
from .tricks import CardPlay, TakingState
from .turns import FOLLOW, MUST_FOLLOW_TRUMP, MUST_OVERTRUMP, MUST_RUFF


class TarotState(TakingState):
    """Cards that are played to tricks; the pack has trumps and an Excuse."""

    __slots__ = ("excuse",)

    follows = False

    def __init__(self, pack: Pack, hands: Sequence[CardSet], dealer: int) -> None:
        TakingState.__init__(self, pack, hands, dealer)
        self.asks = asks_of(pack)
        self.trumps, self.excuse = pack.suit("T"), pack.card("EX")

    def telling(self) -> int:
        """The bit of the card that says what the trick asks for: after an Excuse that is led, the next."""
        return self.trick[not self.asked and len(self.trick) > 1].bit_length()

    def demanded(self) -> CardSet:
        """What the trick asks for."""
        return self.asks[self.telling()]

    def may_play(self, hand: CardSet) -> CardSet:
        return tarot_cards(hand, self.asked or self.demanded(), self.trick, self.trumps, self.excuse)

    def winning(self) -> int:
        """The highest trump takes, else the highest of the suit led."""
        cards = sum(self.trick)
        return self.trick.index(highest(cards & self.trumps or cards & (self.asked or self.demanded())))


@cache
def asks_of(pack: Pack) -> ByBit:
    """By bit, what each card asks for that is led."""
    return by_bit(pack.suit_of | {pack.card("EX"): 0})


def tarot_cards(
    hand: CardSet, demanded: CardSet, trick: Sequence[CardSet], trumps: CardSet, excuse: CardSet
) -> CardSet:
    """What a hand may play to a tarot trick: the suit demanded (none as long as only the Excuse lies there);
    failing that a trump, higher than those of the trick; failing that any card. The Excuse always."""
    following = hand & demanded
    if following and demanded != trumps:
        return following | hand & excuse
    held = hand & trumps
    if not demanded or not held:
        return hand
    played = sum(trick) & trumps
    higher = held & -2 * highest(played) if played else held
    return (higher or held) | hand & excuse


class TarotPlay(CardPlay[TarotState]):
    def reason(self, state: TarotState, hand: CardSet, card: CardSet) -> Phrase:
        demanded = state.demanded()
        if hand & demanded and demanded != state.trumps:
            return FOLLOW
        if not card & state.trumps:
            return MUST_FOLLOW_TRUMP if demanded == state.trumps else MUST_RUFF
        return MUST_OVERTRUMP


PLAY = TarotPlay()
