"""The Bésigues: the phases (section 4), and what may be seen (section 11)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...turns import FOLLOW, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER, LoggedState
from . import melds
from .cards import BRISQUES as BRISQUE_RANKS
from .cards import GUESSED, LIFTED, PLACE, SEATS, STRENGTH, Deal, Rules, has_figure
from .marks import Ending, outcome_of
from .melds import (
    BESIGUE,
    FLAG,
    KINDS,
    Laid,
    Meld,
    all_shapes,
    announcements,
    cells_of,
    standing_besigues,
    steps,
    trump_after,
    value,
)

LIFT, BLANCHE, LEAD, ANSWER, MELD, FINAL, BRISQUES = (
    "lift",
    "blanche",
    "lead",
    "answer",
    "meld",
    "final",
    "brisques",
)
PASS, SHOW, ASK = "pass", "blanche", "brisques"

LIFT_SO = Phrase("say a number from 1 to the size of the pack")
NO_SUCH_SLOT = Phrase("this card is not in that place")
GO_UP = Phrase("play a higher card of the suit while you hold one")
NOT_PENDING = Phrase("this combination is not pending, or no longer stands")


class BesigueState(LoggedState):
    """A deal in progress. Seats are indices from 0 inside; lists are by seat."""

    __slots__ = (
        "asked_by", "brisques", "chain", "deal", "drawn", "gathered", "hands", "kinds", "laid", "last",
        "leader", "level", "lifted", "next_slot", "options", "pending", "rules", "shown", "taker",
        "trick", "tricks", "trump", "waiting",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings, rules: Rules) -> None:
        self.deal, self.options, self.rules = deal, options, rules
        self.log = []
        self.hands = [list(hand) for hand in deal.hands]
        self.laid: list[list[Laid]] = [[], []]
        self.pending: list[list[Meld]] = [[], []]
        self.level = [0] * SEATS  # the highest bésigue scored among those that stand
        self.next_slot = [1] * SEATS
        self.chain = [False] * SEATS  # of cartes blanches
        self.kinds: list[list[tuple[str, int]]] = [[], []]  # points, by their kind
        self.brisques = [0] * SEATS
        self.tricks = [0] * SEATS
        self.last: list[list[str]] = [[], []]  # the last trick of each
        self.shown: list[tuple[int, tuple[str, ...]]] = []  # cartes blanches
        self.lifted: int | None = None
        self.drawn = 0
        self.trump: str | None = None
        self.trick: list[str] = []
        self.gathered = 0
        self.taker: int | None = None
        self.asked_by: int | None = None
        self.waiting: list[int] = []  # who is still to be asked in this phase
        self.leader = self.actor = self.forehand
        self.stage = LIFT
        if options["coupe"] == "on":
            self.actor = self.dealer
        else:
            self.ask_blanches((self.forehand, self.dealer))

    @property
    def dealer(self) -> int:
        return self.deal.dealer - 1

    @property
    def forehand(self) -> int:
        return 2 - self.deal.dealer

    def whole_hand(self, seat: int) -> list[str]:
        return [*self.hands[seat], *(laid.card for laid in self.laid[seat])]

    def points(self) -> tuple[int, ...]:
        return tuple(sum(points for _, points in kinds) for kinds in self.kinds)

    def mark(self, seat: int, kind: str, points: int) -> None:
        self.kinds[seat].append((kind, points))

    # What is legal

    def choices(self) -> Iterator[str]:
        actor = self.actor
        if self.stage == LIFT:
            verb = "guess" if self.lifted is not None else "lift"
            yield from (f"{verb}:{n}" for n in range(1, self.rules.cards + 1))
        elif self.stage == BLANCHE:
            yield from (SHOW, PASS)
        elif self.stage == BRISQUES:
            yield from (ASK, PASS)
        elif self.stage == MELD:
            yield from (f"mark:{meld}" for meld in self.pending[actor] if self.may_mark(meld))
            search = Search(self)
            yield from search.announcements(1)
            yield PASS
            for size in range(2, melds.MOST + 1):
                yield from search.announcements(size)
        else:
            yield from (f"play:{card}" for card in self.playable())
            if self.stage != FINAL:
                yield from (f"play:{laid.card}#{laid.slot}" for laid in self.laid[actor])

    def any_legal(self, seat: int, random: Random) -> str:
        """There can be thousands of announcements: one is put together combination by combination. It usually
        makes one, since otherwise most deals would have none."""
        if self.stage != MELD or seat != self.actor + 1:
            return super().any_legal(seat, random)
        marks = [f"mark:{meld}" for meld in self.pending[self.actor] if self.may_mark(meld)]
        if marks and random.random() < 0.5:
            return random.choice(marks)
        if random.random() < 0.8 and (token := Search(self).draw(random)):
            return token
        return PASS

    def playable(self) -> list[str]:
        """The concealed cards that may be played, each face once."""
        hand = sorted(set(self.hands[self.actor]), key=PLACE.__getitem__)
        if self.stage != FINAL or len(self.trick) != 1:
            return hand
        led = self.trick[0]
        following = [card for card in hand if card[1] == led[1]]
        if following:
            return [card for card in following if STRENGTH[card[0]] > STRENGTH[led[0]]] or following
        return [card for card in hand if card[1] == self.trump] or hand

    def broken_rule(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if self.stage == LIFT:
            wanted = "guess" if self.lifted is not None else "lift"
            if verb != wanted:
                return NO_SUCH_ACTION
            number = int(rest) if rest.isascii() and rest.isdigit() and rest[0] != "0" else 0
            return None if 1 <= number <= self.rules.cards else LIFT_SO
        if self.stage == BLANCHE:
            return None if token in {SHOW, PASS} else NO_SUCH_ACTION
        if self.stage == BRISQUES:
            return None if token in {ASK, PASS} else NO_SUCH_ACTION
        if self.stage != MELD:
            return self.broken_play(verb, rest)
        if token == PASS:
            return None
        if verb == "mark":
            meld = self.read_melds(rest)
            if meld is None or len(meld) != 1:
                return NO_SUCH_ACTION
            return None if meld[0] in self.pending[self.actor] and self.may_mark(meld[0]) else NOT_PENDING
        return self.broken_meld(rest) if verb == "meld" else NO_SUCH_ACTION

    def broken_play(self, verb: str, rest: str) -> Phrase | None:
        card, mark, slot = rest.partition("#")
        if verb != "play" or card not in PLACE:
            return NO_SUCH_ACTION
        if mark:
            if self.stage == FINAL or not (slot.isascii() and slot.isdigit()) or slot[0] == "0":
                return NO_SUCH_ACTION
            there = any(laid.slot == int(slot) and laid.card == card for laid in self.laid[self.actor])
            return None if there else NO_SUCH_SLOT
        if card not in self.hands[self.actor]:
            return NOT_HELD
        if card in self.playable():
            return None
        led = self.trick[0][1]
        if any(own[1] == led for own in self.hands[self.actor]):
            return GO_UP if card[1] == led else FOLLOW
        return MUST_RUFF

    # Announcements

    def read_melds(self, text: str) -> list[Meld] | None:
        """`kind:slots` between +; slots are put in order. None if it is not written so."""
        combinations = []
        for part in text.split("+"):
            kind, _colon, slots = part.partition(":")
            numbers = slots.split(",")
            if kind not in KINDS or not all(n.isascii() and n.isdigit() and n[0] != "0" for n in numbers):
                return None
            combinations.append(Meld(kind, tuple(sorted(map(int, numbers)))))
        return combinations

    def table_with(self, new: Sequence[str]) -> dict[int, Laid]:
        """The actor's table by slot, with cards laid now."""
        table = {laid.slot: laid for laid in self.laid[self.actor]}
        first = self.next_slot[self.actor]
        return table | {slot: Laid(slot, card) for slot, card in enumerate(new, first)}

    def broken_meld(self, rest: str) -> Phrase | None:
        cards, arrow, text = rest.partition(">")
        new = cards.split(",") if cards else []
        combinations = self.read_melds(text)
        if not arrow or not all(card in PLACE for card in new) or combinations is None:
            return NO_SUCH_ACTION
        if Counter(new) - Counter(self.hands[self.actor]):
            return NOT_HELD
        table = self.table_with(new)
        slots = [slot for meld in combinations for slot in meld.slots]
        if any(slot not in table for slot in slots) or any(
            len(set(m.slots)) < len(m.slots) for m in combinations
        ):
            return NO_SUCH_SLOT
        return self.fault(combinations, [slot for slot in table if slot >= self.next_slot[self.actor]], table)

    def fault(
        self, combinations: Sequence[Meld], new: Sequence[int], table: dict[int, Laid]
    ) -> Phrase | None:
        actor = self.actor
        return melds.broken_rule(
            combinations, new, table, self.trump, self.level[actor], self.rules, self.options
        )

    def may_mark(self, meld: Meld) -> bool:
        """Whether a pending combination can be scored: a bésigue above those scored and not above those that
        stand."""
        if meld.kind != BESIGUE:
            return True
        table = {laid.slot: laid for laid in self.laid[self.actor]}
        return self.level[self.actor] < len(meld.slots) // 2 <= standing_besigues(table)

    # What happens

    def apply(self, entry: str) -> None:
        token = self.checked(entry)
        verb, _colon, rest = token.partition(":")
        if self.stage == MELD and token != PASS:
            self.announce(verb, rest)
            return
        self.log.append(token)
        if self.stage == LIFT:
            self.cut(int(rest))
        elif self.stage == BLANCHE:
            self.answer_blanche(token)
        elif self.stage == BRISQUES:
            self.answer_brisques(token)
        elif self.stage == MELD:
            self.draw()
        else:
            self.play(rest)

    def cut(self, number: int) -> None:
        """The dealer's cut, then the other player's estimate of it."""
        if self.lifted is None:
            self.lifted = number
            self.actor = self.forehand
            return
        if self.lifted == self.rules.lift:
            self.mark(self.dealer, "coupe", LIFTED)
        if number == self.lifted:
            self.mark(self.forehand, "coupe", GUESSED)
        self.ask_blanches((self.forehand, self.dealer))

    def ask_blanches(self, seats: Sequence[int]) -> None:
        """A player whose hand has no figure, at the start or in an unbroken chain, may show it."""
        may = [
            self.drawn == 0 or self.options["blanches"] == "any" or self.chain[seat] for seat in range(SEATS)
        ]
        for seat in range(SEATS):
            self.chain[seat] = self.chain[seat] and not has_figure(self.whole_hand(seat))
        self.waiting = [seat for seat in seats if may[seat] and not has_figure(self.whole_hand(seat))]
        self.next_blanche()

    def next_blanche(self) -> None:
        if self.waiting:
            self.stage = BLANCHE
            self.actor = self.waiting.pop(0)
        elif self.drawn < len(self.deal.stock):
            self.stage = LEAD
            self.actor = self.leader
        else:
            self.begin_final()

    def answer_blanche(self, token: str) -> None:
        actor = self.actor
        self.chain[actor] = token == SHOW
        if token == SHOW:
            self.mark(actor, "blanche", self.rules.blanches)
            self.shown.append((actor, tuple(sorted(self.whole_hand(actor), key=PLACE.__getitem__))))
        self.next_blanche()

    def play(self, rest: str) -> None:
        card, mark, slot = rest.partition("#")
        actor = self.actor
        if mark:
            self.take_up(int(slot))
        else:
            self.hands[actor].remove(card)
        if len(self.trick) != 1:
            self.trick = [card]
            self.leader = actor
            self.actor = 1 - actor
            self.stage = FINAL if self.stage == FINAL else ANSWER
            return
        self.trick.append(card)
        self.gather()

    def take_up(self, slot: int) -> None:
        """A card is played from the table: what was pending with it lapses, and the level of bésigues may
        fall."""
        actor = self.actor
        self.laid[actor] = [laid for laid in self.laid[actor] if laid.slot != slot]
        self.pending[actor] = [meld for meld in self.pending[actor] if slot not in meld.slots]
        standing = standing_besigues({laid.slot: laid for laid in self.laid[actor]})
        self.level[actor] = min(self.level[actor], standing)

    def gather(self) -> None:
        """The highest trump, else the higher of the suit led; of two equal cards the first."""
        led, card = self.trick
        higher = STRENGTH[card[0]] > STRENGTH[led[0]]
        answered = higher if card[1] == led[1] else card[1] == self.trump
        winner = 1 - self.leader if answered else self.leader
        self.tricks[winner] += 1
        self.brisques[winner] += sum(one[0] in BRISQUE_RANKS for one in self.trick)
        self.last[winner] = list(self.trick)
        self.gathered += 1
        self.taker = self.actor = winner
        if self.stage != FINAL:
            self.stage = MELD
        elif not self.hands[winner]:
            self.waiting = [s for s in (self.forehand, self.dealer) if self.totals()[s] < self.rules.rubicon]
            self.next_brisques()

    def announce(self, verb: str, rest: str) -> None:
        actor = self.actor
        cards, _arrow, text = rest.partition(">") if verb == "meld" else ("", "", rest)
        combinations = self.read_melds(text)
        assert combinations is not None
        new = cards.split(",") if cards else []
        self.log.append(f"{verb}:{cards}{'>' if verb == 'meld' else ''}{'+'.join(map(str, combinations))}")
        table = self.table_with(new)
        self.next_slot[actor] += len(new)
        for card in new:
            self.hands[actor].remove(card)
        self.trump = trump_after(combinations, table, self.trump)
        scored, *others = combinations
        if verb == "mark":
            self.pending[actor].remove(scored)
        for meld in combinations:
            for slot in meld.slots:
                laid = table[slot]
                table[slot] = laid._replace(flags=laid.flags | {FLAG[meld.kind]})
        self.laid[actor] = list(table.values())
        self.mark(actor, scored.kind, value(scored, table, self.trump, self.rules))
        listed = {len(meld.slots) for meld in others if meld.kind == BESIGUE}
        if scored.kind == BESIGUE:
            self.level[actor] = len(scored.slots) // 2
        kept = [
            meld
            for meld in self.pending[actor]
            if meld.kind != BESIGUE
            or (len(meld.slots) // 2 > self.level[actor] and len(meld.slots) not in listed)
        ]
        self.pending[actor] = kept + others
        self.draw()

    def draw(self) -> None:
        """The winner of the trick draws, then the other player; then cartes blanches may be shown."""
        assert self.taker is not None
        order = (self.taker, 1 - self.taker)
        for seat in order:
            self.hands[seat].append(self.deal.stock[self.drawn])
            self.drawn += 1
        self.leader = self.taker
        self.ask_blanches(order)

    def begin_final(self) -> None:
        """Laid cards go back to the hands, and what is pending is lost."""
        for seat in range(SEATS):
            self.hands[seat] = self.whole_hand(seat)
        self.laid, self.pending = [[], []], [[], []]
        self.stage = FINAL
        self.actor = self.leader

    # The end

    def result(self, asked_by: int | None = None) -> Ending:
        assert self.taker is not None
        result = Ending(self.points(), self.taker, asked_by=asked_by)
        counted = result.are_counted(self.rules)
        return Ending(self.points(), self.taker, (), asked_by, tuple(self.brisques) if counted else None)

    def totals(self) -> tuple[int, ...]:
        """The points with the last trick, before brisques."""
        return self.result().before(self.rules)

    def next_brisques(self) -> None:
        if self.waiting:
            self.stage = BRISQUES
            self.actor = self.waiting.pop(0)
        else:
            self.stage = OVER

    def answer_brisques(self, token: str) -> None:
        if token == ASK:
            self.asked_by = self.actor
            self.waiting = []
        self.next_brisques()

    def outcome(self) -> Outcome:
        self.check_over()
        kinds: list[Counter[str]] = [Counter(), Counter()]
        for seat in range(SEATS):
            for kind, points in self.kinds[seat]:
                kinds[seat][kind] += points
        return outcome_of(self.result(self.asked_by), self.rules, kinds)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own concealed cards; both tables with what is pending, trumps, points, each seat's
        last trick. How many cards the stock has left is for spectators alone."""
        counted = self.over and self.result(self.asked_by).brisques is not None
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "actors": list(self.actors()),
            "target": self.rules.lift,
            "rubicon": self.rules.rubicon,
            "lifted": self.lifted if self.stage != LIFT else None,
            "trump": self.trump,
            "laid": [[{"slot": laid.slot, "card": laid.card} for laid in own] for own in self.laid],
            "pending": [
                [{"kind": meld.kind, "slots": list(meld.slots)} for meld in own] for own in self.pending
            ],
            "table": [laid.card for own in self.laid for laid in own],
            "blanches": [{"seat": who + 1, "cards": list(cards)} for who, cards in self.shown],
            "points": list(self.points()),
            "trick": [
                {"seat": (self.leader + step) % SEATS + 1, "card": card}
                for step, card in enumerate(self.trick)
            ],
            "tricks": list(self.tricks),
            "last_tricks": [list(cards) for cards in self.last],
            "brisques": list(self.brisques) if counted else None,
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is None:
            shown["stock"] = len(self.deal.stock) - self.drawn
        else:
            shown["hand"] = sorted(self.hands[seat - 1], key=PLACE.__getitem__)
        return shown


class Search:
    """The announcements of a player: the cells of cards that nothing tells apart, concealed cards with slots
    beyond those of the table as if all were laid."""

    def __init__(self, state: BesigueState) -> None:
        self.state, actor = state, state.actor
        self.first = state.next_slot[actor]
        self.hand = sorted(state.hands[actor], key=PLACE.__getitem__)
        self.cells = cells_of(state.laid[actor], state.pending[actor], self.hand, self.first)
        self.shapes = list(all_shapes(state.trump, state.rules))
        self.option = str(state.options["crossing"])
        self.table = state.table_with(self.hand)
        self.trump, self.rules, self.level = state.trump, state.rules, state.level[actor]

    def sound(self, meld: Meld) -> bool:
        """Whether a combination may be announced, as far as that does not depend on the others."""
        if meld.kind == BESIGUE:
            return len(meld.slots) // 2 > self.level
        return melds.is_new(meld, self.table, self.rules) is None

    def announcements(self, size: int) -> Iterator[str]:
        """Those of so many combinations, one after the other."""
        choices = announcements(self.cells, size, self.shapes, self.option, self.sound)
        yield from filter(None, map(self.to_token, choices))

    def to_token(self, combinations: Sequence[Meld]) -> str | None:
        """The announcement as a token, its new cards numbered as they are laid; None if it is not legal."""
        used = sorted({slot for meld in combinations for slot in meld.slots if slot >= self.first})
        new = [self.hand[slot - self.first] for slot in used]
        renamed = {slot: self.first + place for place, slot in enumerate(used)}
        numbered = [
            Meld(meld.kind, tuple(sorted(renamed.get(slot, slot) for slot in meld.slots)))
            for meld in combinations
        ]
        if self.state.fault(numbered, list(renamed.values()), self.state.table_with(new)):
            return None
        return f"meld:{','.join(new)}>{'+'.join(map(str, numbered))}"

    def draw(self, random: Random) -> str | None:
        """One by chance, put together combination by combination; each can be drawn."""
        cells, combinations = list(self.cells), tuple[Meld, ...]()
        token: str | None = None
        while options := list(steps(cells, combinations, self.shapes, self.option, self.sound)):
            meld, cells = random.choice(options)
            combinations = (*combinations, meld)
            token = self.to_token(combinations) or token
            if token and random.random() < 0.5:
                break
        return token
