"""Démons punisseurs: the cards, the deal and the combinations (sections 2, 3 and 6)."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from ... import sheets
from ...cards import Order
from ...deals import ByField, Places, check_copies, in_packets, places, sizes_of
from ...errors import BadDeal
from ...phrases import Phrase
from ...tricks import NEXT

SEATS = 3
HAND = TRICKS = 7
LEFT_OF = NEXT[SEATS]

SUITS = "SHDC"
RANKS = "6789TJQKA"
PACK = tuple(rank + suit for suit in SUITS for rank in (RANKS if suit == "D" else RANKS[1:]))
PLACE = Order(PACK)

GAP = 16  # between the suits, longer than a suit
PLACE_IN_RUNS = {card: GAP * SUITS.index(card[1]) + RANKS.index(card[0]) for card in PACK}

PAREIL, SUITE, GAME = "pareil", "suite", "jeu"
Best = tuple[int, int]  # the length of a combination, and its rank or its highest card, as places in RANKS


def strengths(trump: str) -> dict[str, int]:
    """The Démons with their strength, 1 the least; ordinary cards have none, 0."""
    seventh = [] if trump == "D" else ["7" + trump]
    order = ["QC", "JC", "Q" + trump, "J" + trump, *seventh, "7C", "7D", "6D", "KH"]
    return dict.fromkeys(PACK, 0) | {card: place for place, card in reversed([*enumerate(order, 1)])}


def strength(card: str, trump: str) -> int:
    return STRENGTH[trump][card]


STRENGTH = {trump: strengths(trump) for trump in SUITS}
RANK = {card: RANKS.index(card[0]) for card in PACK}


@dataclass(frozen=True, slots=True)
class Deal(ByField):
    """`turned`: the cards face up, all clubs but the last, whose suit is trumps; `unused` ones stay
    hidden."""

    dealer: int
    hands: tuple[tuple[str, ...], ...]
    turned: tuple[str, ...]
    unused: tuple[str, ...]

    @property
    def trump(self) -> str:
        return self.turned[-1][1]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        """Three cards each; cards turned up until the first that is not a club; four cards each."""
        end = next(at for at in range(9, len(pack)) if pack[at][1] != "C") + 1
        order = [*pack[:9], *pack[end : end + 4 * SEATS]]
        hands = in_packets(order, dealer, SEATS, 3, 4)
        return cls(dealer, tuple(map(tuple, hands)), tuple(pack[9:end]), tuple(pack[end + 4 * SEATS :]))

    @classmethod
    def read(cls, data: Any) -> "Deal":
        read = sheets.read_deal(data, SEATS, ("dealer", "hands", "turned", "unused"))
        lists = [*read["hands"], read["turned"], read["unused"]] if isinstance(read["hands"], list) else []
        sizes = sizes_of(lists)
        are_hands = len(sizes) == 5 and sizes[:3] == [HAND] * SEATS
        if not are_hands or not 1 <= sizes[3] <= 9 or sizes[3] + sizes[4] != 12:
            raise BadDeal((), Phrase("the cards must be in lists of {wanted}", wanted="7, 7, 7, 1–9, 11–3"))
        check_copies(lists, PACK)
        turned = tuple(read["turned"])
        if any((card[1] == "C") != (at < len(turned) - 1) for at, card in enumerate(turned)):
            raise BadDeal(turned, Phrase("all cards turned up except the last must be clubs"))
        return cls(read["dealer"], tuple(map(tuple, read["hands"])), turned, tuple(read["unused"]))

    def places(self) -> Places:
        return places(self.hands, {"turned": self.turned, "unused": self.unused})


# ── Combinations: sets of faces shown ─────────────────────────────────────────────────────────────


def best_pareil(faces: Sequence[str]) -> Best | None:
    """The most cards of one rank, two or more."""
    ranks = [RANK[face] for face in faces]
    best = max([(ranks.count(rank), rank) for rank in ranks], default=(0, 0))
    return best if best[0] >= 2 else None


def best_suite(faces: Sequence[str]) -> Best | None:
    """The longest run in one suit, two or more."""
    held = {PLACE_IN_RUNS[face] for face in faces}
    best = (0, 0)
    for place in held:
        if place + 1 not in held:  # the end of a run
            length = 1
            while place - length in held:
                length += 1
            best = max(best, (length, place % GAP))
    return best if best[0] >= 2 else None


BEST = {PAREIL: best_pareil, SUITE: best_suite}

# ── What a hand can still add to what it shows ────────────────────────────────────────────────────


def has_specimen(objective: str, shown: Sequence[str], hand: Sequence[str], trump: str) -> bool:
    """Whether the cards shown and the hand hold any combination, where Démons of the hand may pose as any
    card."""
    if len(shown) + len(hand) >= 2 and any(STRENGTH[trump][card] for card in hand):
        return True
    return BEST[objective]([*shown, *hand]) is not None


def example(objective: str, shown: Sequence[str], hand: Sequence[str], trump: str) -> tuple[Best, str] | None:
    """The strongest combination that shown cards and hand can make, where the hand must add to it, and what
    to reveal for it: the fewest cards, then the fewest appearances, then the first in ASCII order."""
    ordinary = [card for card in hand if not STRENGTH[trump][card]]
    demons = [card for card in hand if STRENGTH[trump][card]]
    if objective == PAREIL:
        return pareil_example(shown, ordinary, demons)
    return suite_example(shown, ordinary, demons)


def pareil_example(
    shown: Sequence[str], ordinary: Sequence[str], demons: Sequence[str]
) -> tuple[Best, str] | None:
    """All cards of the rank, and all Démons in it."""
    counts = Counter(card[0] for card in (*shown, *ordinary))
    best = max((counts[rank] + len(demons), RANKS.index(rank)) for rank in RANKS)
    rank = RANKS[best[1]]
    face = next(card for card in sorted(PACK) if card[0] == rank)
    added = [card for card in ordinary if card[0] == rank]
    added += [demon if demon[0] == rank else f"{demon}={face}" for demon in demons]
    return (best, ",".join(sorted(added))) if added and best[0] >= 2 else None


def suite_example(
    shown: Sequence[str], ordinary: Sequence[str], demons: Sequence[str]
) -> tuple[Best, str] | None:
    """Of the longest and highest runs that can be shown, the one that needs the least."""
    seen = {*shown, *ordinary}
    for best, runs in RUNS:
        possible = [run for run in runs if len(run - seen) <= len(demons)]
        if possible:
            ways = [way for run in possible for way in reveals(run.difference(shown), ordinary, demons)]
            way = min(ways, key=lambda way: (len(way), sum("=" in card for card in way), way))
            return (best, ",".join(way)) if way else None
    return None


def runs_by_strength() -> list[tuple[Best, list[frozenset[str]]]]:
    """Every run of two or more faces of a suit, the strongest first."""
    runs: dict[Best, list[frozenset[str]]] = {}
    for suit in SUITS:
        ranks = RANKS if suit == "D" else RANKS[1:]
        for first in range(len(ranks)):
            for last in range(first + 1, len(ranks)):
                best = last - first + 1, RANKS.index(ranks[last])
                run = frozenset(rank + suit for rank in ranks[first : last + 1])
                runs.setdefault(best, []).append(run)
    return sorted(runs.items(), reverse=True)


RUNS = runs_by_strength()


def reveals(missing: Collection[str], ordinary: Sequence[str], demons: Sequence[str]) -> Iterator[list[str]]:
    """How a hand can show these faces, each as itself where it is held."""
    own = [face for face in missing if face in ordinary or face in demons]
    others = [face for face in missing if face not in own]
    free = [demon for demon in demons if demon not in own]
    for chosen in permutations(free, len(others)):
        yield sorted([*own, *(f"{demon}={face}" for demon, face in zip(chosen, others, strict=True))])
