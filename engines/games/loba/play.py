"""Loba: the phases (section 4), and what may be seen (section 11)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from ...cards import without
from ...contract import Outcome, Settings
from ...dealing import new_stock
from ...phases import OVER, Answers, Phase, PhasedState
from ...phrases import Phrase
from ...tricks import number_of
from ...turns import NO_SUCH_ACTION, NOT_HELD
from ...views import TABLE, Pile, View, in_hand, latest
from .cards import (
    ANY_JOKER,
    CONTRACTS,
    JOKERS,
    MELD_FORM,
    PACK,
    PLACE,
    RUNS,
    SETS,
    SIXES,
    Deal,
    Meld,
    copies,
    extension,
    fitting,
    is_joker,
    lay_down_token,
    lay_downs,
    meld,
    penalty,
    shapes,
    with_jokers,
)
from .marks import Ending, outcome_of

DRAW, TAKE = "draw", "take"

NOTHING_TO_DRAW = Phrase("the stock is empty, and there is nothing to shuffle into a new one")
NO_COMBINATION = Phrase(
    "a combination is three cards of a rank, or four of a suit that follow each other, with one joker at most"
)
NOT_THE_CONTRACT = Phrase("the first lay-down must be exactly the combinations of this mène")
NO_SIX = Phrase("six of a rank are allowed only in the first lay-down")
NOT_YET = Phrase("after the first lay-down nothing more can be laid in the same turn")
LAY_FIRST = Phrase("cards can be added only in a turn after that of your first lay-down")
NO_SUCH_MELD = Phrase("there is no combination of this number on the table")
DOES_NOT_FIT = Phrase("this card does not fit there")
KEEP_A_CARD = Phrase("the last card must be discarded")
RETURNED = Phrase("a player who has taken a card and laid nothing may not discard one like it")


class LobaState(PhasedState):
    """A mène in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "deal", "finisher", "hands", "laid", "last", "left", "melds", "options", "pile", "reshuffles",
        "seats", "stock", "taken", "turns", "used",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.seats = len(deal.hands)
        self.log = []
        self.hands = list(deal.hands)
        self.pile = [deal.turned]
        self.stock = deal.stock[::-1]  # the next card last of those that are left
        self.left = len(self.stock)
        self.reshuffles = 0
        self.melds: tuple[Meld, ...] = ()
        self.laid: list[int | None] = [None] * self.seats  # the turn of the first lay-down
        self.turns = 0
        self.taken: str | None = None  # this turn, from the discard pile
        self.used = False  # whether something was put on the table this turn
        self.last: tuple[int, str] | None = None  # the last discard
        self.finisher: int | None = None
        self.actor = deal.dealer % self.seats
        self.now = DRAWING

    @property
    def multicolour(self) -> bool:
        return bool(self.options["runs"] == "multicolour")

    def may_draw(self) -> bool:
        return self.left > 0 or len(self.pile) > 1

    def may_add(self) -> bool:
        """Whether the actor laid down in an earlier turn."""
        laid = self.laid[self.actor]
        return laid is not None and laid < self.turns

    # What can be put on the table

    def lays(self) -> Iterator[str]:
        """Combinations of the hand, one by one, after the first lay-down."""
        hand = self.hands[self.actor]
        for shape in shapes(copies(hand), (SETS, RUNS), multicolour=self.multicolour):
            if self.leaves_a_card(len(shape.cards)):
                yield lay_down_token([shape], hand)

    def first_lays(self, random: Random | None = None) -> Iterator[str]:
        """The collections that are the contract of this mène; in another order by chance."""
        sets, runs = CONTRACTS[self.deal.mene]
        kinds = [SETS] * (sets > 0) + [SIXES] * (sets > 1) + [RUNS] * (runs > 0)
        hand = self.hands[self.actor]
        held = copies(hand)
        found = shapes(held, kinds, multicolour=self.multicolour)
        if random is not None:
            random.shuffle(found)
        for collection in lay_downs(held, sets, runs, found):
            if self.leaves_a_card(sum(len(shape.cards) for shape in collection)):
                yield lay_down_token(sorted(collection), hand)

    def additions(self) -> Iterator[str]:
        """Cards that fit a combination on the table; a joker is added as the first of the hand."""
        if not self.leaves_a_card(1):
            return
        hand = list(self.faces())
        if "JK1" in hand and "JK2" in hand:
            hand.remove("JK2")
        for number, there in enumerate(self.melds, 1):
            for side in ("high", "low") if there.kind == RUNS else ("",):
                fits = fitting(there, side, multicolour=self.multicolour)
                where = f"{number}:{side}" if side else number
                yield from (f"add:{where}:{card}" for card in hand if card in fits)

    def faces(self) -> tuple[str, ...]:
        """The cards of the actor's hand, each once, in the order of the pack."""
        return PLACE.sorted(set(self.hands[self.actor]))

    def discardable(self) -> list[str]:
        returned = self.returned()
        return [card for card in self.faces() if card not in returned]

    def cards_meant(self, cards: Sequence[str]) -> list[str] | Phrase:
        """The cards of the hand that are meant, or the rule against them."""
        hand = self.hands[self.actor]
        meant = with_jokers(cards, hand) if ANY_JOKER in cards else list(cards)
        if meant is not None and all(meant.count(card) <= hand.count(card) for card in meant):
            return meant
        return NOT_HELD if all(card in PACK or card == ANY_JOKER for card in cards) else NO_SUCH_ACTION

    def read_lay(self, rest: str) -> "Put | Phrase":
        parts = [MELD_FORM.fullmatch(part) for part in rest.split("+")]
        texts = [(part[1], part[2].split(",")) for part in parts if part]
        if len(texts) < len(parts):
            return NO_SUCH_ACTION
        cards = self.cards_meant([card for _, cards in texts for card in cards])
        if isinstance(cards, Phrase):
            return cards
        first = self.laid[self.actor] is None
        if not first and not self.may_add():
            return NOT_YET
        combinations, at = [], 0
        for kind, some in texts:
            one = meld(kind, cards[at : at + len(some)], multicolour=self.multicolour)
            at += len(some)
            if one is None:
                return NO_COMBINATION
            combinations.append(one)
        kinds = Counter(one.kind for one in combinations)
        if first and (kinds[SETS] + 2 * kinds[SIXES], kinds[RUNS]) != CONTRACTS[self.deal.mene]:
            return NOT_THE_CONTRACT
        if not first and kinds[SIXES]:
            return NO_SIX
        if not self.leaves_a_card(len(cards)):
            return KEEP_A_CARD
        token = "lay:" + "+".join(f"{one.kind}({','.join(one.cards)})" for one in combinations)
        return Put(token, cards, (*self.melds, *combinations))

    def read_add(self, rest: str) -> "Put | Phrase":
        number, _colon, text = rest.partition(":")
        if not (number.isascii() and number.isdigit()) or number.startswith("0"):
            return NO_SUCH_ACTION
        side, colon, more = text.partition(":")
        if colon and side not in {"high", "low"}:
            return NO_SUCH_ACTION
        cards = self.cards_meant((more if colon else text).split(","))
        if isinstance(cards, Phrase):
            return cards
        if not self.may_add():
            return LAY_FIRST if self.laid[self.actor] is None else NOT_YET
        if int(number) > len(self.melds):
            return NO_SUCH_MELD
        there: Meld | None = self.melds[int(number) - 1]
        if there is None or (there.kind == RUNS) != bool(colon):
            return NO_SUCH_ACTION
        for card in cards:
            there = extension(there, side, card, multicolour=self.multicolour)
            if there is None:
                return DOES_NOT_FIT
        if not self.leaves_a_card(len(cards)):
            return KEEP_A_CARD
        where = f"{number}:{side}" if colon else number
        melds = (*self.melds[: int(number) - 1], there, *self.melds[int(number) :])
        return Put(f"add:{where}:{','.join(cards)}", cards, melds)

    def read_discard(self, card: str) -> "Put | Phrase":
        if card not in self.hands[self.actor]:
            cards = self.cards_meant([card])
            if isinstance(cards, Phrase):
                return cards
            card = cards[0]
        return RETURNED if card in self.returned() else DISCARDS[card]

    def leaves_a_card(self, count: int) -> bool:
        """Whether laying so many cards leaves one to discard, where the last one must be discarded."""
        return bool(self.options["final_discard"] == "free") or len(self.hands[self.actor]) > count

    def returned(self) -> tuple[str, ...]:
        """The cards that would only give back the one just taken, where the hand has others."""
        if self.options["may_return"] == "on" or self.taken is None or self.used:
            return ()
        alike = JOKERS if is_joker(self.taken) else (self.taken,)
        return alike if any(card not in alike for card in self.hands[self.actor]) else ()

    # What happens

    def draw_card(self) -> str:
        """The next card of the stock; where none is left the discards but the last become a new one."""
        if not self.left:
            self.reshuffles += 1
            *below, top = self.pile
            self.stock = tuple(new_stock(self.deal.key, self.reshuffles, below)[::-1])
            self.left = len(self.stock)
            self.pile = [top]
        self.left -= 1
        return self.stock[self.left]

    def discard(self, card: str) -> None:
        self.hands[self.actor] = hand = without(self.hands[self.actor], card)
        self.pile.append(card)
        self.last = (self.actor, card)
        if not hand:
            self.finish()
            return
        self.turns += 1
        self.actor = (self.actor + 1) % self.seats
        self.taken, self.used = None, False
        stopped = not self.left and self.reshuffles >= int(self.options["max_reshuffles"])
        self.now = OVER if stopped or self.turns >= int(self.options["max_turns"]) else DRAWING

    def put_down(self, cards: Sequence[str], melds: tuple[Meld, ...]) -> None:
        hand = self.hands[self.actor]
        for card in cards:
            hand = without(hand, card)
        self.hands[self.actor] = hand
        self.melds, self.used = melds, True
        if self.laid[self.actor] is None:
            self.laid[self.actor] = self.turns
        if not hand:
            self.finish()

    def finish(self) -> None:
        self.finisher = self.actor
        self.now = OVER

    def result(self) -> Ending:
        self.check_over()
        ace = int(self.options["ace_points"])
        points = tuple(sum(penalty(card, ace) for card in hand) for hand in self.hands)
        return Ending(points, self.finisher)

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    def sheet(self) -> dict[str, Any]:
        result = self.result()
        return {
            "mene": self.deal.mene,
            "finisher": number_of(result.finisher),
            "points": list(result.points),
            "laid": [laid is not None for laid in self.laid],
        }

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "LobaView":
        held = in_hand(list(map(PLACE.sorted, self.hands)), seat)
        melds = (Pile(TABLE, tuple(one.cards)) for one in self.melds)
        discards = Pile("discards", tuple(self.pile[-1:]), len(self.pile[:-1]))
        return LobaView(
            **self.common(seat, self.deal.dealer, *held, *melds, discards, Pile("stock", hidden=self.left)),
            trick=latest(self.last if self.pile else None),
            mene=self.deal.mene,
            kinds=tuple(one.kind for one in self.melds),
            laid=tuple(laid is not None for laid in self.laid),
            taken=self.taken,
            used=self.used,
            turns=self.turns,
            reshuffles=self.reshuffles,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LobaView(View):
    """`kinds` of the combinations, which are piles on the table in the order of their numbers; by seat, who
    has `laid` down; the card `taken` from the discards, and whether it was `used`."""

    mene: int
    kinds: tuple[str, ...]
    laid: tuple[bool, ...]
    taken: str | None
    used: bool
    turns: int
    reshuffles: int


class Drawing(Answers[LobaState]):
    name = "draw"
    words = (DRAW, TAKE)

    def rule(self, state: LobaState, action: str) -> Phrase | None:
        return NOTHING_TO_DRAW if action == DRAW and not state.may_draw() else None

    def draw(self, state: LobaState, random: Random) -> str:
        """Draws more often than it takes, so that a mène comes to its end."""
        return DRAW if state.may_draw() and random.random() < 0.8 else TAKE

    def take(self, state: LobaState, action: str) -> None:
        if action == TAKE:
            state.taken = card = state.pile.pop()
        else:
            card = state.draw_card()
        state.hands[state.actor] += (card,)
        state.now = TURN


class Put(NamedTuple):
    """Cards that leave the hand, as a record writes it: into the combinations that then lie on the table, or
    else as a discard."""

    token: str
    cards: list[str]
    melds: tuple[Meld, ...] | None = None


DISCARDS = {card: Put(f"discard:{card}", [card]) for card in PACK.faces}


class Table(Phase[LobaState, Put | Phrase]):
    """What is put on the table, and the discard that ends the turn; or the rule that a token breaks, which
    shows as soon as it is read."""

    name = "table"

    def offers(self, state: LobaState) -> Iterator[str]:
        if state.laid[state.actor] is None:
            yield from state.first_lays()
        elif state.may_add():
            yield from state.lays()
            yield from state.additions()
        yield from (f"discard:{card}" for card in state.discardable())

    def draw(self, state: LobaState, random: Random) -> str:
        """Lays more often than not; there can be many first lay-downs, and one is drawn without listing
        them."""
        if random.random() < 0.8:
            if state.laid[state.actor] is None:
                if lay := next(state.first_lays(random), None):
                    return lay
            elif state.may_add() and (options := [*state.lays(), *state.additions()]):
                return random.choice(options)
        return f"discard:{random.choice(state.discardable())}"

    def read(self, state: LobaState, token: str) -> Put | Phrase | None:
        verb, _colon, rest = token.partition(":")
        if verb == "discard":
            return state.read_discard(rest)
        if verb == "lay":
            return state.read_lay(rest)
        return state.read_add(rest) if verb == "add" else None

    def rule(self, state: LobaState, action: Put | Phrase) -> Phrase | None:
        return action if isinstance(action, Phrase) else None

    def written(self, action: Put | Phrase, token: str) -> str:
        return token if isinstance(action, Phrase) else action.token

    def take(self, state: LobaState, action: Put | Phrase) -> None:
        assert isinstance(action, Put)
        if action.melds is None:
            state.discard(action.cards[0])
        else:
            state.put_down(action.cards, action.melds)


DRAWING, TURN = Drawing(), Table()
