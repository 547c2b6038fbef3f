"""The Bésigues: the phases (section 4), and what may be seen (section 11)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, NamedTuple

from ...cards import without
from ...contract import Outcome, Settings, seat_and_token
from ...errors import IllegalAction
from ...phases import OVER, Answers, Phase, PhasedState
from ...phrases import Phrase
from ...tricks import number_of
from ...turns import FOLLOW, MUST_RUFF, NOT_HELD
from ...views import TABLE, Pile, View, by_seat, in_hand, laid_from
from .cards import BRISQUES as BRISQUE_RANKS
from .cards import GUESSED, LIFTED, PLACE, PLAYS, SEATS, STRENGTH, Deal, has_figure
from .marks import Ending, outcome_of
from .melds import BESIGUE, FLAG, KINDS, MOST, Laid, Meld, Search, Side, standing_besigues, trump_after, value

PASS, SHOW, ASK = "pass", "blanche", "brisques"

LIFT_SO = Phrase("say a number from 1 to the size of the pack")
NO_SUCH_SLOT = Phrase("this card is not in that place")
GO_UP = Phrase("play a higher card of the suit while you hold one")
NOT_PENDING = Phrase("this combination is not pending, or no longer stands")


class BesigueState(PhasedState):
    """A deal in progress. Seats are indices from 0 inside; lists are by seat."""

    __slots__ = (
        "asked_by", "brisques", "chain", "deal", "drawn", "gathered", "hands", "kinds", "laid", "last",
        "leader", "level", "lifted", "next_slot", "options", "pending", "playable", "rules", "shown", "taker",
        "trick", "tricks", "trump", "waiting",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options, self.rules = deal, options, deal.rules
        self.log = []
        self.hands = list(map(PLACE.sorted, deal.hands))
        self.laid: list[tuple[Laid, ...]] = [(), ()]
        self.pending: list[tuple[Meld, ...]] = [(), ()]
        self.level = [0] * SEATS  # the highest bésigue scored among those that stand
        self.next_slot = [1] * SEATS
        self.chain: tuple[int, ...] = ()  # who can go on showing cartes blanches
        self.kinds: list[tuple[tuple[str, int], ...]] = [(), ()]  # points, by their kind
        self.brisques = [0] * SEATS
        self.tricks = [0] * SEATS
        self.last: list[tuple[str, ...]] = [(), ()]  # the last trick of each
        self.shown: tuple[tuple[int, tuple[str, ...]], ...] = ()  # cartes blanches
        self.lifted: int | None = None
        self.drawn = 0
        self.trump: str | None = None
        self.trick: tuple[str, ...] = ()
        self.playable: tuple[str, ...] = ()  # the concealed cards that the actor may play
        self.gathered = 0
        self.taker: int | None = None
        self.asked_by: int | None = None
        self.waiting: tuple[int, ...] = ()  # who is still to be asked in this phase
        self.leader = self.actor = self.forehand
        if options["coupe"] == "on":
            self.now = LIFT
            self.actor = self.dealer
        else:
            self.ask_blanches((self.forehand, self.dealer))

    @property
    def dealer(self) -> int:
        return self.deal.dealer - 1

    @property
    def forehand(self) -> int:
        return 2 - self.deal.dealer

    def whole_hand(self, seat: int) -> tuple[str, ...]:
        return PLACE.sorted((*self.hands[seat], *(laid.card for laid in self.laid[seat])))

    def points(self) -> tuple[int, ...]:
        return tuple(sum(points for _, points in kinds) for kinds in self.kinds)

    def mark(self, seat: int, kind: str, points: int) -> None:
        self.kinds[seat] += ((kind, points),)

    def side(self) -> Side:
        """What the actor's announcements depend on."""
        actor = self.actor
        return Side(
            self.hands[actor], self.laid[actor], self.pending[actor], self.next_slot[actor],
            self.level[actor], self.trump, self.rules, self.options,
        )  # fmt: skip

    # Cartes blanches, before each lead

    def ask_blanches(self, seats: Sequence[int]) -> None:
        """A player whose hand has no figure, at the start or in an unbroken chain, may show it."""
        anybody = self.drawn == 0 or self.options["blanches"] == "any"
        able = [seat for seat in seats if anybody or seat in self.chain]
        self.chain = self.waiting = tuple([seat for seat in able if not has_figure(self.whole_hand(seat))])
        self.next_blanche()

    def next_blanche(self) -> None:
        if self.asks(BLANCHE):
            return
        if self.drawn < len(self.deal.stock):
            self.now = LEAD
            self.lead()
        else:
            self.begin_final()

    def lead(self) -> None:
        """Who has taken the last trick leads, the forehand to the first."""
        self.actor = self.leader if self.taker is None else self.taker
        self.playable = self.hands[self.actor]

    def asks(self, phase: Phase[Any, Any]) -> bool:
        """Whether somebody is still to be asked in a phase, whose turn it is then."""
        if not self.waiting:
            return False
        self.now = phase
        self.actor, *rest = self.waiting
        self.waiting = tuple(rest)
        return True

    # The tricks

    def apply(self, entry: str) -> None:
        card = PLAYS.get(entry)
        if card is not None and card in self.playable:
            self.log.append(entry)
            self.now.take(self, (card, 0))
        else:
            PhasedState.apply(self, entry)

    def apply_all(self, entries: Sequence[str]) -> None:
        """A record that a table has taken down leaves out that somebody passes with cartes blanches: nobody
        has heard it, and what comes next says it."""
        unsaid = 0
        try:
            for entry in entries:
                while self.leaves_out(entry):
                    self.apply(PASS)
                    unsaid += 1
                self.apply(entry)
        except IllegalAction as error:
            error.position -= unsaid
            raise

    def leaves_out(self, entry: str) -> bool:
        """Whether an entry comes after somebody's cartes blanches that were not shown."""
        if self.now is not BLANCHE:
            return False
        seat, token = seat_and_token(entry)
        return token not in BLANCHE.words or seat not in {None, self.actor + 1}

    def put(self, card: str, slot: int) -> None:
        """A card is played from the hand, or from the table: then what was pending with it lapses, and the
        level of bésigues may fall."""
        actor = self.actor
        if not slot:
            self.hands[actor] = without(self.hands[actor], card)
            return
        self.laid[actor] = tuple(laid for laid in self.laid[actor] if laid.slot != slot)
        self.pending[actor] = tuple(meld for meld in self.pending[actor] if slot not in meld.slots)
        standing = standing_besigues({laid.slot: laid for laid in self.laid[actor]})
        self.level[actor] = min(self.level[actor], standing)

    def led(self, card: str) -> None:
        self.trick = (card,)
        self.leader = self.actor
        self.actor = 1 - self.actor

    def answered(self, card: str) -> None:
        """The highest trump takes, else the higher of the suit led; of two equal cards the first."""
        led = self.trick[0]
        self.trick = (led, card)
        higher = STRENGTH[card[0]] > STRENGTH[led[0]]
        takes = higher if card[1] == led[1] else card[1] == self.trump
        self.actor = self.taker = winner = 1 - self.leader if takes else self.leader
        self.tricks[winner] += 1
        self.brisques[winner] += (card[0] in BRISQUE_RANKS) + (led[0] in BRISQUE_RANKS)
        self.last[winner] = (led, card)
        self.gathered += 1

    def draw(self) -> None:
        """The winner of the trick draws, then the other player; then cartes blanches may be shown."""
        assert self.taker is not None
        order = (self.taker, 1 - self.taker)
        for seat in order:
            self.hands[seat] = PLACE.sorted((*self.hands[seat], self.deal.stock[self.drawn]))
            self.drawn += 1
        self.ask_blanches(order)

    # The final phase, and the end

    def begin_final(self) -> None:
        """Laid cards go back to the hands, and what is pending is lost."""
        for seat in range(SEATS):
            self.hands[seat] = self.whole_hand(seat)
        self.laid, self.pending = [(), ()], [(), ()]
        self.now = FINAL
        self.lead()

    def answers(self) -> tuple[str, ...]:
        """What the actor may answer in the final phase: follow suit and go up; failing that ruff."""
        led, hand = self.trick[0], self.hands[self.actor]
        following = tuple(card for card in hand if card[1] == led[1])
        if following:
            return tuple(card for card in following if STRENGTH[card[0]] > STRENGTH[led[0]]) or following
        return tuple(card for card in hand if card[1] == self.trump) or hand

    def result(self, asked_by: int | None = None) -> Ending:
        assert self.taker is not None
        result = Ending(
            points=self.points(),
            last_trick=self.taker,
            brisques_asked_by=asked_by,
            brisques=tuple(self.brisques),
        )
        return result if result.are_counted(self.rules) else replace(result, brisques=None)

    def ask_brisques(self) -> None:
        """Those under the Rubicon, before brisques are counted, may ask for them."""
        totals = self.result().before(self.rules)
        self.playable = ()
        order = (self.forehand, self.dealer)
        self.waiting = tuple(seat for seat in order if totals[seat] < self.rules.rubicon)
        self.next_brisques()

    def next_brisques(self) -> None:
        if not self.asks(BRISQUES):
            self.now = OVER

    def sheet(self) -> dict[str, Any]:
        result = self.result(self.asked_by)
        return {
            "points": list(result.points),
            "last_trick": result.last_trick + 1,
            "brisques_asked_by": number_of(result.brisques_asked_by),
            "brisques": None if result.brisques is None else list(result.brisques),
        }

    def outcome(self) -> Outcome:
        self.check_over()
        kinds: list[Counter[str]] = [Counter(), Counter()]
        for seat in range(SEATS):
            for kind, points in self.kinds[seat]:
                kinds[seat][kind] += points
        return outcome_of(self.result(self.asked_by), self.rules, kinds)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "BesigueView":
        """How many cards the stock has left is for spectators alone."""
        counted = self.over and self.result(self.asked_by).brisques is not None
        left = len(self.deal.stock) - self.drawn if seat is None else 0
        tables = by_seat(TABLE, ([laid.card for laid in own] for own in self.laid))
        lasts = by_seat("last_trick", self.last)
        blanches = (Pile("blanche", cards, seat=who + 1) for who, cards in self.shown)
        held = in_hand(self.hands, seat)
        return BesigueView(
            **self.common(
                seat, self.deal.dealer, *held, *tables, *lasts, *blanches, Pile("stock", hidden=left)
            ),
            trick=laid_from(self.leader, self.trick, SEATS),
            tricks=tuple(self.tricks),
            gathered=self.gathered,
            taker=number_of(self.taker),
            trump=self.trump,
            points=self.points(),
            target=self.rules.lift,
            rubicon=self.rules.rubicon,
            lifted=None if self.now is LIFT else self.lifted,
            slots=tuple(tuple(laid.slot for laid in own) for own in self.laid),
            pending=tuple(tuple((meld.kind, meld.slots) for meld in own) for own in self.pending),
            brisques=tuple(self.brisques) if counted else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BesigueView(View):
    """`target`: how many cards should be lifted, and `lifted` were; by seat, the `slots` of the cards on the
    table, the combinations that are still to be marked (`pending`: kind and slots), the `brisques` once they
    are counted."""

    target: int
    rubicon: int
    lifted: int | None
    slots: tuple[tuple[int, ...], ...]
    pending: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]
    brisques: tuple[int, ...] | None


def whole(text: str) -> int:
    """A positive number as tokens write it; 0 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and text[0] != "0" else 0


class Lift(Phase[BesigueState, int]):
    """The dealer's cut, then the other player's estimate of it."""

    name = "lift"

    def offers(self, state: BesigueState) -> Iterator[str]:
        verb = self.verb(state)
        return (f"{verb}:{number}" for number in range(1, state.rules.cards + 1))

    def verb(self, state: BesigueState) -> str:
        return "lift" if state.lifted is None else "guess"

    def read(self, state: BesigueState, token: str) -> int | None:
        verb, _colon, number = token.partition(":")
        return whole(number) if verb == self.verb(state) else None

    def rule(self, state: BesigueState, action: int) -> Phrase | None:
        return None if 1 <= action <= state.rules.cards else LIFT_SO

    def take(self, state: BesigueState, action: int) -> None:
        if state.lifted is None:
            state.lifted = action
            state.actor = state.forehand
            return
        if state.lifted == state.rules.lift:
            state.mark(state.dealer, "coupe", LIFTED)
        if action == state.lifted:
            state.mark(state.forehand, "coupe", GUESSED)
        state.ask_blanches((state.forehand, state.dealer))


class Blanche(Answers[BesigueState]):
    name = "blanche"
    words = (SHOW, PASS)

    def take(self, state: BesigueState, action: str) -> None:
        actor = state.actor
        if action == SHOW:
            state.mark(actor, "blanche", state.rules.blanches)
            state.shown += ((actor, state.whole_hand(actor)),)
        else:
            state.chain = tuple(seat for seat in state.chain if seat != actor)
        state.next_blanche()


class Cards(Phase[BesigueState, tuple[str, int]]):
    """A card of the hand, or one from the table with its slot: `play:QH#2`."""

    from_table: ClassVar[bool] = True

    def offers(self, state: BesigueState) -> Iterator[str]:
        return map(self.token, self.cards(state))

    def draw(self, state: BesigueState, random: Random) -> str:
        return self.token(random.choice(self.cards(state)))

    def cards(self, state: BesigueState) -> tuple[str | Laid, ...]:
        from_table = state.laid[state.actor] if self.from_table else ()
        return *dict.fromkeys(state.playable), *from_table

    def token(self, card: str | Laid) -> str:
        return f"play:{card}" if isinstance(card, str) else f"play:{card.card}#{card.slot}"

    def read(self, state: BesigueState, token: str) -> tuple[str, int] | None:
        plain, mark, slot = token.partition("#")
        if plain not in PLAYS or (mark and not (self.from_table and whole(slot))):
            return None
        return PLAYS[plain], whole(slot) if mark else 0

    def rule(self, state: BesigueState, action: tuple[str, int]) -> Phrase | None:
        card, slot = action
        if slot:
            there = any((laid.card, laid.slot) == action for laid in state.laid[state.actor])
            return None if there else NO_SUCH_SLOT
        hand = state.hands[state.actor]
        if card not in hand:
            return NOT_HELD
        if card in state.playable:
            return None
        led = state.trick[0][1]
        if any(own[1] == led for own in hand):
            return GO_UP if card[1] == led else FOLLOW
        return MUST_RUFF


class Lead(Cards):
    name = "lead"

    def take(self, state: BesigueState, action: tuple[str, int]) -> None:
        state.put(*action)
        state.led(action[0])
        state.now = ANSWER
        state.playable = state.hands[state.actor]


class Answer(Cards):
    name = "answer"

    def take(self, state: BesigueState, action: tuple[str, int]) -> None:
        state.put(*action)
        state.answered(action[0])
        state.now = MELD
        state.playable = ()


class Final(Cards):
    name = "final"
    from_table = False

    def take(self, state: BesigueState, action: tuple[str, int]) -> None:
        state.put(*action)
        if len(state.trick) != 1:
            state.led(action[0])
            state.playable = state.answers()
        else:
            state.answered(action[0])
            state.playable = state.hands[state.actor]
            if not state.playable:
                state.ask_brisques()


class Announcement(NamedTuple):
    """`verb`: meld, mark or pass; the cards laid with it; the combination that is scored, then the others."""

    verb: str
    new: Sequence[str] = ()
    melds: Sequence[Meld] = ()

    @property
    def token(self) -> str:
        if not self.melds:
            return PASS
        melds = "+".join(map(str, self.melds))
        return f"mark:{melds}" if self.verb == "mark" else f"meld:{','.join(self.new)}>{melds}"


NOTHING = Announcement(PASS)


class Announcing(Phase[BesigueState, Announcement]):
    """The winner of a trick announces, or scores what is pending; then both draw."""

    name = "meld"

    def marks(self, state: BesigueState, side: Side) -> list[str]:
        return [f"mark:{meld}" for meld in side.pending if side.may_mark(meld)]

    def offers(self, state: BesigueState) -> Iterator[str]:
        side = state.side()
        yield from self.marks(state, side)
        search = Search(side)
        yield from search.announcements(1)
        yield PASS
        for size in range(2, MOST + 1):
            yield from search.announcements(size)

    def draw(self, state: BesigueState, random: Random) -> str:
        """There can be thousands of announcements: one is put together combination by combination. It usually
        makes one, since otherwise most deals would have none."""
        side = state.side()
        marks = self.marks(state, side)
        if marks and random.random() < 0.5:
            return random.choice(marks)
        if random.random() < 0.8 and (token := Search(side).draw(random)):
            return token
        return PASS

    def read(self, state: BesigueState, token: str) -> Announcement | None:
        if token == PASS:
            return NOTHING
        verb, _colon, rest = token.partition(":")
        cards, arrow, text = rest.partition(">") if verb == "meld" else ("", ">", rest)
        new, melds = cards.split(",") if cards else [], read_melds(text)
        if verb not in {"meld", "mark"} or not arrow or not melds or not all(card in PLACE for card in new):
            return None
        return None if verb == "mark" and len(melds) > 1 else Announcement(verb, new, melds)

    def rule(self, state: BesigueState, action: Announcement) -> Phrase | None:
        verb, new, melds = action
        if verb == PASS:
            return None
        side = state.side()
        if verb == "mark":
            return None if melds[0] in side.pending and side.may_mark(melds[0]) else NOT_PENDING
        if Counter(new) - Counter(side.hand):
            return NOT_HELD
        table = side.table(new)
        if not all(
            set(meld.slots) <= table.keys() and len(set(meld.slots)) == len(meld.slots) for meld in melds
        ):
            return NO_SUCH_SLOT
        return side.broken_rule(melds, new)

    def written(self, action: Announcement, token: str) -> str:
        return action.token

    def take(self, state: BesigueState, action: Announcement) -> None:
        if action.verb != PASS:
            self.announce(state, action)
        state.draw()

    def announce(self, state: BesigueState, action: Announcement) -> None:
        actor, (scored, *others) = state.actor, action.melds
        table = state.side().table(action.new)
        state.next_slot[actor] += len(action.new)
        for card in action.new:
            state.hands[actor] = without(state.hands[actor], card)
        state.trump = trump_after(action.melds, table, state.trump)
        if action.verb == "mark":
            state.pending[actor] = tuple(meld for meld in state.pending[actor] if meld != scored)
        for meld in action.melds:
            for slot in meld.slots:
                laid = table[slot]
                table[slot] = laid._replace(flags=laid.flags | {FLAG[meld.kind]})
        state.laid[actor] = tuple(table.values())
        state.mark(actor, scored.kind, value(scored, table, state.trump, state.rules))
        listed = {len(meld.slots) for meld in others if meld.kind == BESIGUE}
        if scored.kind == BESIGUE:
            state.level[actor] = len(scored.slots) // 2
        kept = [
            meld
            for meld in state.pending[actor]
            if meld.kind != BESIGUE
            or (len(meld.slots) // 2 > state.level[actor] and len(meld.slots) not in listed)
        ]
        state.pending[actor] = (*kept, *others)


def read_melds(text: str) -> list[Meld] | None:
    """`kind:slots` between +; slots are put in order. None if it is not written so."""
    melds = []
    for part in text.split("+"):
        kind, _colon, slots = part.partition(":")
        numbers = sorted(map(whole, slots.split(",")))
        if kind not in KINDS or not numbers[0]:
            return None
        melds.append(Meld(kind, tuple(numbers)))
    return melds


class Brisques(Answers[BesigueState]):
    """Whoever is under the Rubicon may ask for brisques to be counted."""

    name = "brisques"
    words = (ASK, PASS)

    def take(self, state: BesigueState, action: str) -> None:
        if action == ASK:
            state.asked_by = state.actor
            state.waiting = ()
        state.next_brisques()


LIFT, BLANCHE, LEAD, ANSWER, MELD = Lift(), Blanche(), Lead(), Answer(), Announcing()
FINAL, BRISQUES = Final(), Brisques()
