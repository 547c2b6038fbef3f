"""Caisse: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...cards import CardSet
from ...choices import TWICE, Asked, Several
from ...contract import Outcome, Settings
from ...phases import OVER, Answers, Phase
from ...phrases import Phrase
from ...tricks import CardPlay, LayingAside, TakingState, number_of, place_of_best, total
from ...turns import FOLLOW, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD
from ...views import Pile, View
from ...views import Talk as Bids
from .cards import (
    ACES,
    BID_ORDER,
    LAST_TRICK,
    LEFT_OF,
    PACK,
    POWERS,
    SEATS,
    TRICKS,
    VALUES,
    Deal,
    best_carre,
    best_suite,
    carres_of,
    holds_belote,
    suites_of,
)
from .marks import (
    ATOUT_1,
    ATOUT_2,
    CONTRACTS,
    GENERALE,
    MISERE,
    OF_TRUMPS,
    SANS_ATOUT,
    WITH_POINTS,
    Contracted,
    Contres,
    Defi,
    Ending,
    outcome_of,
)
from .sheet import FORM, settled

PASS = "pass"  # noqa: S105
TAKE, KEEP, SWAP, TAKE_IT, LEAVE_IT = "take", "keep", "exchange", "take-indicator", "leave-indicator"
MISERE_BID = "bid:misere"
SUITE, CARRE, GAME = "suite", "carre", "x:game"
COMBINATIONS = {SUITE: suites_of, CARRE: carres_of}
WON_CARDS = {"tous-les-trois": "J97", "famille": "AKQ", "tous-les-atouts": "J9ATKQ"}  # trumps to be won

BID_HIGHER = Phrase(
    "bid a suit other than the proposed one, and stronger than the last bid: S, D, H, C, then SA"
)
NOT_NOW = Phrase(
    "this cannot be said now: you do not hold it, have said it before, may not say it in this game, or "
    "only the other side may"
)
ONCE = Phrase("each player speaks once, before playing a first card")
NOT_ENTITLED = Phrase(
    "only the holder of the seven of trumps may exchange, or of the eight if the seven was proposed"
)
LAY_ASIDE = Phrase("lay aside {count} cards of your hand, and no trumps")
NOT_ANNOUNCED = Phrase("you can only give up what you have announced")
KEEP_THE_SEVEN = Phrase("the seven of an Ultime is kept as long as there is another card to play")


Combinations = tuple[tuple[int, str], ...]
"""Seats (indices), and what each has announced, or given up."""


class CaisseState(TakingState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "announced", "carre", "contracts", "contres", "deal", "defi", "discards",
        "exchanged", "first_hands", "game", "kept", "opened", "options", "passes", "points", "powers",
        "renounced", "speaker", "suite", "turns", "ultime", "values", "won",
    )  # fmt: skip

    seats, next_seat = SEATS, LEFT_OF
    follows = False

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands, deal.dealer)
        self.deal, self.options = deal, options
        self.game: str | None = None
        self.play_with(None)
        self.contres = Contres()  # of the game
        self.contracts: tuple[Contracted, ...] = ()
        self.turns = self.passes = 0  # of a round of contracts; passes in a row
        self.exchanged: int | None = None  # the seat that has exchanged
        self.opened: tuple[str, ...] = ()  # the talon's cards turned up
        self.discards: CardSet = 0
        self.speaker: int | None = None  # who spoke last before a first card
        self.announced: Combinations = ()
        self.renounced: Combinations = ()
        self.first_hands: tuple[CardSet, ...] = (0,) * SEATS  # as they stood before the first card
        self.kept: list[CardSet] = [0] * SEATS  # the seven that an Ultime keeps to the last
        self.suite: tuple[int, int] | None = None  # the seat that marks suites, and how much
        self.carre: tuple[int, int] | None = None
        self.points = [0] * SEATS
        self.won: list[CardSet] = [0] * SEATS
        self.ultime: int | None = None  # the seat that won the last trick with the seven of trumps
        self.defi: Defi | None = None
        self.in_turn(FIRST)

    def play_with(self, trump: str | None) -> None:
        """A suit of trumps, or none."""
        self.trump, self.trumps = trump, PACK.suit(trump) if trump else 0
        self.powers, self.values = POWERS[trump], VALUES[trump]

    # From phase to phase

    def in_turn(self, phase: Phase[Any, Any]) -> None:
        """A phase in which everybody speaks once, from the forehand."""
        self.now, self.actor = phase, self.forehand

    def begin_game(self, seat: int, game: str, trump: str | None = None) -> None:
        self.game, self.declarer = game, seat
        self.play_with(trump)
        if game == MISERE:
            self.begin_first_trick()
        else:
            self.begin_talk(SIX, seat)

    def begin_talk(self, talk: "Talk", seat: int) -> None:
        self.now, self.actor = talk, seat
        self.turns = self.passes = 0

    def pick_up(self) -> None:
        self.hands = self.deal.whole_hands()

    def begin_first_trick(self) -> None:
        """In sans atout the player before the taker leads, otherwise the forehand."""
        self.now, self.first_hands = FIRST_TRICK, tuple(self.hands)
        taker = self.declarer
        self.lead(self.forehand if taker is None or self.game != SANS_ATOUT else LEFT_OF[LEFT_OF[taker]])
        self.leader = self.actor

    def validate_from(self, place: int) -> None:
        """Those who have announced something, in the order of the first trick; then what they hold counts."""
        for seat in self.around[self.leader][place:]:
            if any(seat == who for who, _ in self.announced):
                self.now, self.actor = VALIDATION, seat
                return
        if self.announced:
            passes_down = bool(self.options["suite_tie_passes_down"])
            self.suite = best_suite(self.hands_showing(SUITE), self.trump, passes_down=passes_down)
            self.carre = best_carre(self.hands_showing(CARRE), self.trump)
        if self.game == GENERALE or any(one.id != "caisse" for one in self.contracts):
            self.begin_second_trick()
        else:
            assert self.declarer is not None
            self.now, self.actor = CHALLENGE, LEFT_OF[self.declarer]
            self.defi = Defi(self.declarer, (self.actor, LEFT_OF[self.actor]))

    def hands_showing(self, kind: str) -> dict[int, CardSet]:
        maintained = set(self.announced) - set(self.renounced)
        return {seat: self.first_hands[seat] for seat in range(SEATS) if (seat, kind) in maintained}

    def begin_second_trick(self) -> None:
        self.now = PLAY
        self.lead(self.takers[0])

    # The tricks: there is no duty to go up

    def lead(self, seat: int) -> None:
        self.actor = seat
        self.playable = self.free(self.hands[seat])

    def free(self, cards: CardSet) -> CardSet:
        """The actor's cards but the seven that an Ultime keeps, as long as there are others."""
        return cards & ~self.kept[self.actor] or cards

    def may_play(self, hand: CardSet) -> CardSet:
        cards = hand & self.asked or hand & self.trumps or hand
        return cards & ~self.kept[self.actor] or cards

    def winning(self) -> int:
        return place_of_best(self.trick, self.powers[self.trick[0].bit_length()])

    def took(self, winner: int, place: int) -> None:
        self.points[winner] += total(self.trick, self.values)
        self.won[winner] |= sum(self.trick)
        count = len(self.takers)
        if self.game == MISERE and winner == self.declarer:
            self.playable, self.now = 0, OVER
        elif count == 1:
            self.playable = 0
            if self.options["final_contre_round"] and self.game != GENERALE:
                self.begin_talk(FINAL, self.leader)
            else:
                self.validate_from(0)
        elif count == TRICKS:
            self.points[winner] += LAST_TRICK
            if self.trump and self.trick[place] == PACK.card("7" + self.trump):
                self.ultime = winner
            self.now = OVER
        elif self.kept[winner]:
            self.playable = self.free(self.playable)

    # The end

    def result(self) -> Ending:
        self.check_over()
        assert self.game is not None
        defi, trump = self.defi, self.trump
        conceded_by = defi.by if defi else "none"
        counts = self.game in WITH_POINTS and conceded_by == "none"
        belote = [seat for seat in range(SEATS) if trump and holds_belote(self.first_hands[seat], trump)]
        result = Ending(
            game=self.game,
            tricks=tuple(self.tricks),
            taker=self.declarer,
            game_contres=self.contres,
            defi=defi.power if defi else 0,
            conceded_by=conceded_by,
            misere_made=self.game == MISERE and self.declarer not in self.takers,
            trump=trump,
            exchanged=self.exchanged is not None,
            contracts=tuple(
                one._replace(made=self.has_made(one) if counts else None) for one in self.contracts
            ),
            trick_points=tuple(self.points) if counts else (),
            suite=self.suite,
            carre=self.carre,
            belote=belote[0] if belote else None,
        )
        return settled(result)

    def has_made(self, contract: Contracted) -> bool:
        """Whether the feat of a contract was achieved, if it does not follow from the points."""
        if contract.id == "capot":
            return self.tricks[contract.seat] == TRICKS
        if contract.id == "ultime":
            return self.ultime == contract.seat
        wanted = WON_CARDS.get(contract.id, "")
        cards = PACK.cards([rank + (self.trump or "") for rank in wanted]) if wanted else ACES
        return self.won[contract.seat] & cards == cards

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)

    # What chance draws

    def any_legal(self, seat: int, random: Random) -> str:
        """Passes often enough for every declaration to come up, and speaks often enough for talks to go far:
        more contres than contracts, since a contract other than a Caisse leaves no défi."""
        now = self.now
        if seat == self.actor + 1 and now in (FIRST, SECOND, THIRD) and random.random() < 0.7:
            return PASS
        if seat == self.actor + 1 and isinstance(now, Talk) and not now.has_spoken(self):
            items = now.items(self)
            likely = [item for item in items if item[:2] == "x:" or item in {SUITE, CARRE, "caisse"}]
            if likely and random.random() < 0.5:
                return f"say:{random.choice(likely)}"
            if items and random.random() < 0.1:
                return f"say:{random.choice(items)}"
            return PASS if now is not FIRST_TRICK else PLAY.draw(self, random)
        return super().any_legal(seat, random)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "CaisseView":
        marked = self.takers and self.now not in (FIRST_TRICK, FINAL, VALIDATION)
        exchanged = number_of(self.exchanged)
        return CaisseView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile("proposed", (self.deal.proposed,)),
                Pile("indicator", (self.deal.indicator,)),
                Pile("opened", self.opened),
                Pile("discards", PACK.in_order(self.discards) if seat and seat == exchanged else ()),
            ),
            exchanged=exchanged,
            game=self.game,
            contres=self.contres.level,
            contracts=tuple((one.seat + 1, one.id, one.at, one.contres.level) for one in self.contracts),
            announced=tuple(map(self.announcement, range(SEATS))),
            renounced=tuple(
                tuple(kind for who, kind in self.renounced if who == seat) for seat in range(SEATS)
            ),
            suite=(self.suite[0] + 1, self.suite[1]) if self.suite and marked else None,
            carre=(self.carre[0] + 1, self.carre[1]) if self.carre and marked else None,
            defi=None if self.defi is None else self.defi.exponent,
        )

    def announcement(self, seat: int) -> tuple[int | None, bool]:
        """What the announcement of a seat reveals: the length of its longest suite, and whether it has a
        carré."""
        lengths = [suite.length for suite in suites_of(self.first_hands[seat])]
        longest = max(lengths) if (seat, SUITE) in self.announced else None
        return longest, (seat, CARRE) in self.announced


@dataclass(frozen=True, slots=True, kw_only=True)
class CaisseView(View):
    """`contracts`: whose, which, after how many tricks, the level of their contres; `announced`: by seat, the
    length of its suite and whether it has a carré; `suite`, `carre`: whose are marked, with their points."""

    exchanged: int | None
    game: str | None
    contres: int
    contracts: tuple[tuple[int, str, int, int], ...]
    announced: tuple[tuple[int | None, bool], ...]
    renounced: tuple[tuple[str, ...], ...]
    suite: tuple[int, int] | None
    carre: tuple[int, int] | None
    defi: int | None


# ── The declarations ──────────────────────────────────────────────────────────────────────────────


class FirstDeclaration(Answers[CaisseState]):
    name = "declaration-1"
    words = (PASS, TAKE)

    def take(self, state: CaisseState, action: str) -> None:
        state.note(action)
        if action == TAKE:
            state.begin_game(state.actor, ATOUT_1, state.deal.trump)
        elif state.have_all_spoken():
            state.bids = ()
            state.in_turn(SECOND)


class SecondDeclaration(Answers[CaisseState]):
    """Everybody may outbid; the last and highest bid takes."""

    name = "declaration-2"
    words = (PASS, *(f"bid:{one}" for one in BID_ORDER))

    def rule(self, state: CaisseState, action: str) -> Phrase | None:
        if action == PASS:
            return None
        made = self.bids(state)
        higher = not made or self.words.index(action) > self.words.index(made[-1][1])
        return None if higher and action != f"bid:{state.deal.trump}" else BID_HIGHER

    def bids(self, state: CaisseState) -> Bids:
        """Those so far, without passes."""
        return tuple((seat, said) for seat, said in state.bids if said != PASS)

    def take(self, state: CaisseState, action: str) -> None:
        state.note(action)
        if not state.have_all_spoken():
            return
        if made := self.bids(state):
            seat, bid = made[-1]
            is_suit = bid != "bid:SA"
            state.begin_game(seat, ATOUT_2 if is_suit else SANS_ATOUT, bid[4:] if is_suit else None)
        else:
            state.pick_up()
            state.in_turn(THIRD)


class ThirdDeclaration(Answers[CaisseState]):
    name = "declaration-3"
    words = (PASS, MISERE_BID)

    def take(self, state: CaisseState, action: str) -> None:
        state.note(action)
        if action == MISERE_BID:
            state.begin_game(state.actor, MISERE)
        elif state.have_all_spoken():
            state.game = GENERALE
            state.begin_first_trick()


# ── Contracts and contres ─────────────────────────────────────────────────────────────────────────


class Talk(Phase[CaisseState, tuple[str, ...]]):
    """A round of contracts or of contres: the things said together, or nothing for a pass. It is over when
    everybody has had a turn and two in a row have passed."""

    def items(self, state: CaisseState) -> list[str]:
        """What the actor may say now, one thing at a time."""
        targets = [one.target for one in state.contracts]
        return [item for item in (*CONTRACTS, GAME, *targets, *COMBINATIONS) if self.may_say(state, item)]

    def may_say(self, state: CaisseState, item: str) -> bool:
        if item[:2] == "x:":
            return self.may_contre(state, item)
        if self is FINAL or state.game not in WITH_POINTS:
            return False
        if item in COMBINATIONS:
            return self is FIRST_TRICK and bool(COMBINATIONS[item](state.hands[state.actor]))
        return self.may_contract(state, item)

    def may_contre(self, state: CaisseState, target: str) -> bool:
        """The sides take turns; the one opposed to the owner of the game or the contract begins."""
        taker, owner, contres = state.declarer, state.declarer, state.contres
        if target != GAME:
            named = [one for one in state.contracts if one.target == target]
            owner, contres = (named[0].seat, named[0].contres) if named else (None, contres)
        return owner is not None and contres.may(owner=(owner == taker) == (state.actor == taker))

    def may_contract(self, state: CaisseState, contract: str) -> bool:
        """Each once; no Clarté after a Cent; with trumps where it is about them."""
        for one in state.contracts:
            if one.seat == state.actor and (one.id == contract or (one.id, contract) == ("cent", "clarte")):
                return False
        if contract not in OF_TRUMPS:
            return contract != "capot" or self is not SIX
        trump = state.trump
        return trump is not None and (contract != "caisse" or holds_belote(state.hands[state.actor], trump))

    def has_spoken(self, state: CaisseState) -> bool:
        """Whether the actor may say nothing more."""
        return False

    def offers(self, state: CaisseState) -> Iterator[str]:
        yield PASS
        yield from (f"say:{item}" for item in self.items(state))

    def read(self, state: CaisseState, token: str) -> tuple[str, ...] | None:
        if token == PASS:
            return ()
        verb, _colon, rest = token.partition(":")
        return tuple(rest.split("+")) if verb == "say" else None

    def rule(self, state: CaisseState, action: tuple[str, ...]) -> Phrase | None:
        if self.has_spoken(state):
            return ONCE
        if not action:
            return None
        if not all(item in CONTRACTS or item in COMBINATIONS or item[:2] == "x:" for item in action):
            return NO_SUCH_ACTION
        things = set(action)
        if len(things) < len(action):
            return TWICE
        allowed = all(self.may_say(state, item) for item in action) and not {"clarte", "cent"} <= things
        return None if allowed else NOT_NOW

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        if action:
            self.say(state, action)
        state.turns += 1
        state.passes = 0 if action else state.passes + 1
        if state.turns < SEATS or state.passes < 2:
            state.actor = LEFT_OF[state.actor]
        elif self is FINAL:
            state.validate_from(0)
        else:
            state.pick_up()
            if state.game == ATOUT_1:
                state.in_turn(EXCHANGE)
            else:
                state.begin_first_trick()

    def say(self, state: CaisseState, items: Sequence[str]) -> None:
        actor, with_six = state.actor, self is SIX
        for item in items:
            if item in CONTRACTS:
                state.contracts += (Contracted(seat=actor, id=item, at=6 if with_six else 9),)
                if item == "ultime":
                    state.kept[actor] = PACK.card(f"7{state.trump}")
            elif item in COMBINATIONS:
                state.announced += ((actor, item),)
            elif item == GAME:
                state.contres = state.contres.with_level(with_six=with_six)
            else:
                state.contracts = tuple(
                    one._replace(contres=one.contres.with_level(with_six=with_six))
                    if one.target == item
                    else one
                    for one in state.contracts
                )


class TalkWithSix(Talk):
    name = "contracts-6"


class FinalContres(Talk):
    name = "final-contres"


# ── The exchange of trumps ────────────────────────────────────────────────────────────────────────


class Exchange(Answers[CaisseState]):
    """Its holder may exchange the seven of trumps, or the eight, for the proposed card."""

    name = "exchange"
    words = (KEEP, SWAP)

    def card(self, state: CaisseState) -> CardSet:
        """The card that may be exchanged for the proposed one."""
        return PACK.card(("8" if state.deal.proposed[0] == "7" else "7") + state.deal.trump)

    def rule(self, state: CaisseState, action: str) -> Phrase | None:
        free = state.hands[state.actor] & ~state.kept[state.actor]
        return None if action == KEEP or self.card(state) & free else NOT_ENTITLED

    def take(self, state: CaisseState, action: str) -> None:
        if action == SWAP:
            state.exchanged = state.actor
            state.hands[state.actor] ^= self.card(state) | PACK.card(state.deal.proposed)
            if PACK.card(state.deal.indicator) & (state.trumps | ACES):
                state.now = INDICATOR
                return
        if action == SWAP or state.have_all_spoken():
            state.begin_first_trick()


class Indicator(Answers[CaisseState]):
    """Whoever has exchanged may take the trumps and aces of the talon, if the indicator card is one."""

    name = "exchange"
    words = (TAKE_IT, LEAVE_IT)

    def take(self, state: CaisseState, action: str) -> None:
        if action == LEAVE_IT:
            state.begin_first_trick()
            return
        state.now, state.opened = DISCARD, state.deal.talon
        lying = PACK.cards([state.deal.indicator, *state.deal.talon])
        state.hands[state.actor] |= lying & (state.trumps | ACES)


class Discard(LayingAside[CaisseState]):
    """As many cards as were taken, and no trumps."""

    name = "exchange"
    pack = PACK
    draw = Phase.draw  # few cards are laid aside

    def count(self, state: CaisseState) -> int:
        return state.hands[state.actor].bit_count() - TRICKS

    def held(self, state: CaisseState) -> Sequence[str]:
        return PACK.in_order(state.hands[state.actor] & ~state.trumps)

    def rule(self, state: CaisseState, action: tuple[str, ...]) -> Phrase | None:
        if len(set(action)) < len(action):
            return TWICE
        cards, count = PACK.cards(action), self.count(state)
        if cards & ~state.hands[state.actor]:
            return NOT_HELD
        return Phrase(LAY_ASIDE.text, count=count) if len(action) != count or cards & state.trumps else None

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        state.discards = self.lay_aside(state, action)
        state.begin_first_trick()


# ── The play, and what follows the first trick ────────────────────────────────────────────────────


class Play(CardPlay[CaisseState]):
    def reason(self, state: CaisseState, hand: CardSet, card: CardSet) -> Phrase:
        led = state.asked if 0 < len(state.trick) < SEATS else 0
        if hand & led and not card & led:
            return FOLLOW
        return (
            MUST_RUFF if led and state.trumps and not (hand & led or card & state.trumps) else KEEP_THE_SEVEN
        )


class FirstTrick(Talk):
    """Each player may speak once before playing a first card; a card is what the play says of it."""

    name = "first-trick"

    def has_spoken(self, state: CaisseState) -> bool:
        return state.speaker == state.actor

    def offers(self, state: CaisseState) -> Iterator[str]:
        if not self.has_spoken(state):
            yield from (f"say:{item}" for item in self.items(state))
        yield from PLAY.offers(state)

    def read(self, state: CaisseState, token: str) -> tuple[str, ...] | None:
        return (token,) if token in PACK.plays else super().read(state, token) or None

    def rule(self, state: CaisseState, action: tuple[str, ...]) -> Phrase | None:
        card = PACK.plays.get(action[0])
        return super().rule(state, action) if card is None else PLAY.rule(state, card)

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        card = PACK.plays.get(action[0])
        if card is not None:
            state.play((card,))
            return
        self.say(state, action)
        state.speaker = state.actor
        hand = state.hands[state.actor]
        state.playable = state.may_play(hand) if len(state.trick) % SEATS else state.free(hand)


class Validation(Several[CaisseState]):
    """What was announced is maintained, or some of it given up."""

    name, verb, nothing, between = "validation", "renounce", "maintain", "+"
    known, missing, any_order = COMBINATIONS, NOT_ANNOUNCED, False

    def items(self, state: CaisseState) -> list[str]:
        return [one for one in COMBINATIONS if (state.actor, one) in state.announced]

    def take(self, state: CaisseState, action: tuple[str, ...]) -> None:
        state.renounced += tuple((state.actor, one) for one in action)
        state.validate_from(state.around[state.leader].index(state.actor) + 1)


class Challenge(Asked[CaisseState]):
    name = "defi"

    def answers(self, state: CaisseState) -> tuple[str, ...]:
        return state.defi.choices() if state.defi is not None else ()

    def take(self, state: CaisseState, action: str) -> None:
        assert state.defi is not None
        state.defi = defi = state.defi.after(action)
        if defi.speaker is not None:
            state.actor = defi.speaker
        elif defi.by == "none":
            state.begin_second_trick()
        else:
            state.now = OVER


FIRST, SECOND, THIRD = FirstDeclaration(), SecondDeclaration(), ThirdDeclaration()
SIX, FINAL = TalkWithSix(), FinalContres()
EXCHANGE, INDICATOR, DISCARD = Exchange(), Indicator(), Discard()
FIRST_TRICK, VALIDATION, CHALLENGE, PLAY = FirstTrick(), Validation(), Challenge(), Play()
