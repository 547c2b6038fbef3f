"""Bernicle: the combinations (section 4)."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from ...cards import CardSet
from ...phrases import Phrase
from .cards import PACK

CODES: Mapping[str, tuple[int, Phrase]] = {
    "MS": (20, Phrase("marriage of spades")), "MH": (20, Phrase("marriage of hearts")),
    "MD": (20, Phrase("marriage of diamonds")), "MC": (20, Phrase("marriage of clubs")),
    "B": (40, Phrase("Bernicle")), "BB": (300, Phrase("Double Bernicle")),
    "GB": (90, Phrase("Grande Bernicle")), "4J": (40, Phrase("four jacks")),
    "4Q": (60, Phrase("four queens")), "4K": (80, Phrase("four kings")), "4A": (100, Phrase("four aces")),
    "8J": (600, Phrase("eight jacks")), "8Q": (600, Phrase("eight queens")),
    "8K": (600, Phrase("eight kings")), "8A": (600, Phrase("eight aces")), "P": (400, Phrase("procession")),
    "FS": (100, Phrase("famille of spades")), "FH": (100, Phrase("famille of hearts")),
    "FD": (100, Phrase("famille of diamonds")), "FC": (100, Phrase("famille of clubs")),
}  # fmt: skip
ROYAL = 2  # a marriage or a famille of trumps is worth twice as much
LISTED = {code: place for place, code in enumerate(CODES)}

TOO_MANY_FAMILIES = Phrase("a famille needs jack, queen, king, ten and ace of its suit, each used once")
ONE_PROCESSION = Phrase("a procession needs queen and king of every suit, and is declared once")
TOO_MANY_BERNICLES = Phrase(
    "Bernicles need queens of spades and jacks of diamonds, each used once; a Double one excludes the others"
)
TOO_MANY_MARRIAGES = Phrase(
    "a marriage needs a queen and a king that serve in no famille, procession or Grande Bernicle"
)
TOO_MANY_FOURS = Phrase(
    "four of a rank need one of each suit, each used once; all eight of a rank exclude its fours"
)

Counts = Mapping[str, int]


def set_of(*tokens: str) -> tuple[CardSet, CardSet]:
    """Some cards: all copies of them, and the first of each."""
    cards = [PACK.card(token) for token in tokens]
    return sum(cards), sum(card & -card for card in cards)


COUPLES = {suit: set_of("Q" + suit, "K" + suit) for suit in PACK.suit_letters}
FAMILIES = {suit: set_of(*(rank + suit for rank in "JQKTA")) for suit in PACK.suit_letters}
FOURS = {rank: set_of(*(rank + suit for suit in PACK.suit_letters)) for rank in "JQKA"}
PROCESSION, BERNICLE, KING = set_of(*(r + s for r in "QK" for s in "SHDC")), set_of("QS", "JD"), set_of("KS")


def complete(hand: CardSet, cards: tuple[CardSet, CardSet]) -> int:
    """How many times a hand holds all of the cards: twice, once (of each one copy or the other) or not."""
    both, first = cards
    return 2 if hand & both == both else 1 if (hand | hand >> 1) & first == first else 0


def spare_couples(hand: CardSet, suit: str, declared: Counts) -> int:
    """How many marriages remain beside the larger combinations of the suit."""
    within = (declared["F" + suit], declared["P"], declared["GB"] if suit == "S" else 0)
    return complete(hand, COUPLES[suit]) - max(within)


def broken_list(declared: Counts, hand: CardSet) -> Phrase | None:
    """The rule that a list of combinations breaks; None if it breaks none."""
    for suit in PACK.suit_letters:
        if declared["F" + suit] and declared["F" + suit] > complete(hand, FAMILIES[suit]):
            return TOO_MANY_FAMILIES
    if declared["P"] and declared["P"] > min(1, complete(hand, PROCESSION)):
        return ONE_PROCESSION
    single, pairs = declared["B"] + declared["GB"], complete(hand, BERNICLE)
    if declared["GB"] > complete(hand, KING) or single > pairs:
        return TOO_MANY_BERNICLES
    if declared["BB"] > 1 or (declared["BB"] and (single or pairs < 2)):
        return TOO_MANY_BERNICLES
    for suit in PACK.suit_letters:
        if declared["M" + suit] and declared["M" + suit] > spare_couples(hand, suit, declared):
            return TOO_MANY_MARRIAGES
    for rank, cards in FOURS.items():
        eight, four = declared["8" + rank], declared["4" + rank]
        if eight or four:
            fours = complete(hand, cards)
            if four > fours or eight > 1 or (eight and (four or fours < 2)):
                return TOO_MANY_FOURS
    return None


def bernicles(hand: CardSet) -> Iterator[Counts]:
    """Every choice of Bernicles that a hand allows, beginning with none."""
    pairs = complete(hand, BERNICLE)
    for great in range(min(pairs, complete(hand, KING)) + 1):
        for single in range(pairs - great + 1):
            yield {"B": single, "GB": great}
    if pairs == 2:
        yield {"BB": 1, "GB": 0}


def rank_choices(hand: CardSet, rank: str) -> list[Counts]:
    """Every choice of fours and eights of a rank, beginning with none."""
    most = complete(hand, FOURS[rank])
    choices = up_to("4" + rank, most)
    return [*choices, {"8" + rank: 1}] if most == 2 else choices


def up_to(code: str, most: int) -> list[Counts]:
    return [{code: count} for count in range(most + 1)]


def together(choices: Iterable[Counts]) -> Counts:
    return {code: count for choice in choices for code, count in choice.items()}


def declarations(hand: CardSet) -> Iterator[Counts]:
    """Every legal list, once."""
    suits, ranks = PACK.suit_letters, [rank_choices(hand, rank) for rank in "JQKA"]
    families = [up_to("F" + suit, complete(hand, FAMILIES[suit])) for suit in suits]
    processions = up_to("P", min(1, complete(hand, PROCESSION)))
    for larger in map(together, product(*families, processions, bernicles(hand))):
        couples = [up_to("M" + suit, spare_couples(hand, suit, larger)) for suit in suits]
        for choice in product(*couples, *ranks):
            yield together((larger, *choice))


def best_declaration(hand: CardSet, trump: str) -> Counts:
    """The list that is worth most: all fours or eights, all familles, the procession; then the best choice
    of Bernicles together with the marriages that remain."""
    suits = PACK.suit_letters
    fixed = {"F" + suit: complete(hand, FAMILIES[suit]) for suit in suits}
    fixed["P"] = min(1, complete(hand, PROCESSION))
    fours = [rank_choices(hand, rank)[-1] for rank in "JQKA"]
    codes = []
    for birds in bernicles(hand):
        chosen = together((fixed, *fours, birds))
        codes.append(together((chosen, {"M" + suit: spare_couples(hand, suit, chosen) for suit in suits})))
    return max(codes, key=lambda chosen: worth_of(chosen, trump))


def worth_of(declared: Counts, trump: str) -> int:
    return sum(
        count * CODES[code][0] * (ROYAL if code in {"M" + trump, "F" + trump} else 1)
        for code, count in declared.items()
    )


def in_order(declared: Counts) -> list[str]:
    """The codes of a list in the order of the table."""
    return [code for code in CODES for _ in range(declared.get(code, 0))]
