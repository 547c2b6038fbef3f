"""Loba: the phases (section 4), and what may be seen (section 11)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ...contract import Outcome, Settings, View
from ...dealing import new_stock
from ...phrases import Phrase
from ...turns import NO_SUCH_ACTION, NOT_HELD, OVER, LoggedState
from .cards import CONTRACTS, PACK, PLACE, Deal, is_joker, penalty
from .marks import Ending, outcome_of
from .melds import (
    ANY_JOKER,
    MELD_FORM,
    RUNS,
    SETS,
    SIXES,
    Meld,
    Shape,
    copies,
    extension,
    in_order,
    lay_down_token,
    lay_downs,
    meld,
    shapes,
    with_jokers,
)

DRAWING, TABLE = "draw", "table"
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


class LobaState(LoggedState):
    """A mène in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "deal", "finisher", "hands", "laid", "last", "melds", "options", "pile", "reshuffles", "seats",
        "stock", "taken", "turns", "used",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.seats = len(deal.hands)
        self.log = []
        self.hands = [list(hand) for hand in deal.hands]
        self.pile = [deal.turned]
        self.stock = list(deal.stock)[::-1]  # the next card last
        self.reshuffles = 0
        self.melds: list[Meld] = []
        self.laid: list[int | None] = [None] * self.seats  # the turn of the first lay-down
        self.turns = 0
        self.taken: str | None = None  # this turn, from the discard pile
        self.used = False  # whether something was put on the table this turn
        self.last: tuple[int, str] | None = None  # the last discard
        self.finisher: int | None = None
        self.actor = deal.dealer % self.seats
        self.stage = DRAWING

    @property
    def multicolour(self) -> bool:
        return bool(self.options["runs"] == "multicolour")

    def may_draw(self) -> bool:
        return bool(self.stock) or len(self.pile) > 1

    def may_add(self) -> bool:
        """Whether the actor laid down in an earlier turn."""
        laid = self.laid[self.actor]
        return laid is not None and laid < self.turns

    # What is legal, listed

    def choices(self) -> Iterator[str]:
        if self.stage == DRAWING:
            if self.may_draw():
                yield DRAW
            yield TAKE
            return
        hand = self.hands[self.actor]
        if self.laid[self.actor] is None:
            yield from self.first_lays(self.melds_in_hand(first=True))
        elif self.may_add():
            for shape in self.melds_in_hand(first=False):
                if self.leaves_a_card(len(shape[1])):
                    yield lay_down_token([shape], hand)
            yield from self.additions()
        yield from (f"discard:{card}" for card in self.discardable())

    def melds_in_hand(self, *, first: bool) -> list[Shape]:
        """The combinations of the hand, in their order; those of the contract, or any but sixes."""
        sets, runs = CONTRACTS[self.deal.mene] if first else (1, 1)
        kinds = [SETS] * (sets > 0) + [SIXES] * (first and sets > 1) + [RUNS] * (runs > 0)
        hand = copies(self.hands[self.actor])
        return sorted(shapes(hand, kinds, multicolour=self.multicolour), key=in_order)

    def first_lays(self, shapes_held: Sequence[Shape]) -> Iterator[str]:
        hand = self.hands[self.actor]
        for collection in lay_downs(copies(hand), *CONTRACTS[self.deal.mene], shapes_held):
            if self.leaves_a_card(sum(len(cards) for _, cards in collection)):
                yield lay_down_token(sorted(collection, key=in_order), hand)

    def additions(self) -> Iterator[str]:
        if not self.leaves_a_card(1):
            return
        hand = sorted(set(self.hands[self.actor]), key=PLACE.__getitem__)
        if "JK1" in hand and "JK2" in hand:
            hand.remove("JK2")
        for number, there in enumerate(self.melds, 1):
            for side in ("high", "low") if there.kind == RUNS else ("",):
                for card in hand:
                    if extension(there, side, card, multicolour=self.multicolour):
                        yield f"add:{number}:{side}:{card}" if side else f"add:{number}:{card}"

    def discardable(self) -> list[str]:
        hand = sorted(set(self.hands[self.actor]), key=PLACE.__getitem__)
        return [card for card in hand if not self.is_return(card)]

    def any_legal(self, seat: int, random: Random) -> str:
        """Draws more often than it takes and lays more often than not, so that a mène comes to its end;
        there can be many first lay-downs, and one is drawn without listing them."""
        if self.stage == OVER or seat != self.actor + 1:
            return super().any_legal(seat, random)
        if self.stage == DRAWING:
            return DRAW if self.may_draw() and random.random() < 0.8 else TAKE
        if random.random() < 0.8:
            if self.laid[self.actor] is None:
                shapes_held = self.melds_in_hand(first=True)
                random.shuffle(shapes_held)
                if lay := next(self.first_lays(shapes_held), None):
                    return lay
            elif self.may_add():
                options = [token for token in self.choices() if not token.startswith("discard")]
                if options:
                    return random.choice(options)
        return f"discard:{random.choice(self.discardable())}"

    # What is legal, checked

    def broken_rule(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if self.stage == DRAWING:
            if token == DRAW:
                return None if self.may_draw() else NOTHING_TO_DRAW
            return None if token == TAKE else NO_SUCH_ACTION
        if verb == "discard":
            cards = self.cards_meant([rest])
            if isinstance(cards, Phrase):
                return cards
            return RETURNED if self.is_return(cards[0]) else None
        if verb == "lay":
            read = self.read_lay(rest)
            return read if isinstance(read, Phrase) else None
        if verb == "add":
            added = self.read_add(rest)
            return added if isinstance(added, Phrase) else None
        return NO_SUCH_ACTION

    def cards_meant(self, cards: Sequence[str]) -> list[str] | Phrase:
        """The cards of the hand that are meant, or the rule against them."""
        if not all(card in PACK or card == ANY_JOKER for card in cards):
            return NO_SUCH_ACTION
        hand = self.hands[self.actor]
        meant = with_jokers(cards, hand)
        if meant is None or Counter(meant) - Counter(hand):
            return NOT_HELD
        return meant

    def read_lay(self, rest: str) -> list[Meld] | Phrase:
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
        return combinations if self.leaves_a_card(len(cards)) else KEEP_A_CARD

    def read_add(self, rest: str) -> tuple[int, Meld, list[str]] | Phrase:
        """The place of the combination, the combination after it, and the cards."""
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
        place = int(number) - 1
        there: Meld | None = self.melds[place]
        if there is None or (there.kind == RUNS) != bool(colon):
            return NO_SUCH_ACTION
        for card in cards:
            there = extension(there, side, card, multicolour=self.multicolour)
            if there is None:
                return DOES_NOT_FIT
        return (place, there, cards) if self.leaves_a_card(len(cards)) else KEEP_A_CARD

    def leaves_a_card(self, count: int) -> bool:
        """Whether laying so many cards leaves one to discard, where the last one must be discarded."""
        return bool(self.options["final_discard"] == "free") or len(self.hands[self.actor]) > count

    def is_return(self, card: str) -> bool:
        """Whether a discard would only give back the card just taken."""
        if self.options["may_return"] == "on" or self.taken is None or self.used:
            return False

        def like(one: str) -> str:
            return ANY_JOKER if is_joker(one) else one

        alike = like(self.taken)
        return like(card) == alike and any(like(other) != alike for other in self.hands[self.actor])

    # What happens

    def apply(self, entry: str) -> None:
        token = self.checked(entry)
        verb, _colon, rest = token.partition(":")
        hand = self.hands[self.actor]
        if token == TAKE:
            self.log.append(token)
            self.taken = self.pile.pop()
            hand.append(self.taken)
            self.stage = TABLE
        elif token == DRAW:
            self.log.append(token)
            hand.append(self.draw_card())
            self.stage = TABLE
        elif verb == "discard":
            self.discard(rest)
        elif verb == "lay":
            self.lay(rest)
        else:
            self.add(rest)

    def draw_card(self) -> str:
        """The next card of the stock; where none is left the discards but the last become a new one."""
        if not self.stock:
            self.reshuffles += 1
            *below, top = self.pile
            self.stock = new_stock(self.deal.key, self.reshuffles, below)[::-1]
            self.pile = [top]
        return self.stock.pop()

    def discard(self, rest: str) -> None:
        named = self.cards_meant([rest])
        assert isinstance(named, list)
        (card,) = named
        self.log.append(f"discard:{card}")
        self.hands[self.actor].remove(card)
        self.pile.append(card)
        self.last = (self.actor, card)
        if not self.hands[self.actor]:
            self.finish()
            return
        self.turns += 1
        self.actor = (self.actor + 1) % self.seats
        self.taken, self.used = None, False
        self.stage = DRAWING
        stopped = not self.stock and self.reshuffles >= int(self.options["max_reshuffles"])
        if stopped or self.turns >= int(self.options["max_turns"]):
            self.stage = OVER

    def lay(self, rest: str) -> None:
        lay_down = self.read_lay(rest)
        assert isinstance(lay_down, list)
        self.log.append("lay:" + "+".join(f"{one.kind}({','.join(one.cards)})" for one in lay_down))
        if self.laid[self.actor] is None:
            self.laid[self.actor] = self.turns
        self.melds += lay_down
        self.put_down([card for one in lay_down for card in one.cards])

    def add(self, rest: str) -> None:
        read = self.read_add(rest)
        assert isinstance(read, tuple)
        place, grown, cards = read
        where = rest.rpartition(":")[0]
        self.log.append(f"add:{where}:{','.join(cards)}")
        self.melds[place] = grown
        self.put_down(cards)

    def put_down(self, cards: Sequence[str]) -> None:
        hand = self.hands[self.actor]
        for card in cards:
            hand.remove(card)
        self.used = True
        if not hand:
            self.finish()

    def finish(self) -> None:
        self.finisher = self.actor
        self.stage = OVER

    def result(self) -> Ending:
        self.check_over()
        ace = int(self.options["ace_points"])
        points = tuple(sum(penalty(card, ace) for card in hand) for hand in self.hands)
        return Ending(points, self.finisher)

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand; the combinations, the top of the discards, how many cards each holds."""
        top = self.pile[-1] if self.pile else None
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "mene": self.deal.mene,
            "actors": list(self.actors()),
            "melds": [
                {"id": number, "kind": one.kind, "cards": list(one.cards)}
                for number, one in enumerate(self.melds, 1)
            ],
            "table": [card for one in self.melds for card in one.cards],
            "laid": [laid is not None for laid in self.laid],
            "top": top,
            "trick": [{"seat": self.last[0] + 1, "card": self.last[1]}] if self.last and top else [],
            "taken": self.taken,
            "used": self.used,
            "turns": self.turns,
            "held": [len(hand) for hand in self.hands],
            "stock": len(self.stock),
            "discards": len(self.pile),
            "reshuffles": self.reshuffles,
        }
        if seat is not None:
            shown["hand"] = sorted(self.hands[seat - 1], key=PLACE.__getitem__)
        return shown
