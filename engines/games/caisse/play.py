"""Caisse: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import StagedTricks, on_the_table, strongest
from ...turns import FOLLOW, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import (
    ACES,
    BID_ORDER,
    LAST_TRICK,
    LEFT_OF,
    PACK,
    PLAYS,
    SEATS,
    STRENGTH,
    TRICKS,
    VALUE,
    Deal,
    best_carre,
    best_suite,
    carres_of,
    holds_belote,
    in_order,
    suites_of,
)
from .contres import Contres
from .defi import CONCEDED, Defi
from .marks import (
    ATOUT_1,
    ATOUT_2,
    BY_POINTS,
    CONTRACTS,
    GENERALE,
    MISERE,
    OF_TRUMPS,
    SANS_ATOUT,
    WITH_POINTS,
    Contracted,
    Ending,
    outcome_of,
)

FIRST, SECOND, THIRD = "declaration-1", "declaration-2", "declaration-3"
SIX, EXCHANGE, FIRST_TRICK, FINAL = "contracts-6", "exchange", "first-trick", "final-contres"
VALIDATION, CHALLENGE, PLAY = "validation", "defi", "play"
PASS = "pass"  # noqa: S105
TAKE, KEEP, SWAP, TAKE_IT, LEAVE_IT = "take", "keep", "exchange", "take-indicator", "leave-indicator"
MAINTAIN = "maintain"
MISERE_BID = "bid:misere"
SUITE, CARRE = "suite", "carre"

BID_HIGHER = Phrase(
    "bid a suit other than the proposed one, and stronger than the last bid: S, D, H, C, then SA"
)
NOT_NOW = Phrase(
    "this cannot be said now: you do not hold it, have said it before, may not say it in this game, or "
    "only the other side may"
)
TWICE = Phrase("names the same thing twice")
ONCE = Phrase("each player speaks once, before playing a first card")
NOT_ENTITLED = Phrase(
    "only the holder of the seven of trumps may exchange, or of the eight if the seven was proposed"
)
LAY_ASIDE = Phrase("lay aside {count} cards of your hand, and no trumps")
NOT_ANNOUNCED = Phrase("you can only give up what you have announced")
KEEP_THE_SEVEN = Phrase("the seven of an Ultime is kept as long as there is another card to play")


class CaisseState(StagedTricks):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "announced", "bids", "carre", "contracts", "contres", "deal", "declarer", "defi", "discards",
        "exchanged", "first_hands", "game", "hands", "opened", "options", "passes", "points", "queue",
        "renounced", "spoken", "suite", "table", "task", "trump", "turns",
        "ultime", "won",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(SEATS)
        self.deal, self.options = deal, options
        self.hands = list(deal.hands)
        self.bids: list[tuple[int, str]] = []
        self.game: str | None = None
        self.declarer: int | None = None
        self.trump: str | None = None
        self.contres = Contres()  # of the game
        self.contracts: list[Contracted] = []
        self.turns = self.passes = 0  # of a round of contracts; passes in a row
        self.queue: list[int] = []  # the seats that are still to speak in this phase
        self.task = ""  # of an exchange: indicator, discard
        self.exchanged: int | None = None  # the seat that has exchanged
        self.opened: list[str] = []  # the talon's cards turned up
        self.table: list[str] = [deal.indicator, *deal.talon]  # what is left of the talon
        self.discards: CardSet = 0
        self.spoken = False  # whether the actor has said something before its first card
        self.announced: list[list[str]] = [[] for _ in range(SEATS)]
        self.renounced: list[list[str]] = [[] for _ in range(SEATS)]
        self.first_hands: list[CardSet] = [0] * SEATS  # as they stood before the first card
        self.suite: tuple[int, int] | None = None  # the seat that marks suites, and how much
        self.carre: tuple[int, int] | None = None
        self.points = [0] * SEATS
        self.won: list[CardSet] = [0] * SEATS
        self.ultime: int | None = None  # the seat that won the last trick with the seven of trumps
        self.defi: Defi | None = None
        self.begin(FIRST, self.in_turn(self.forehand))

    @property
    def forehand(self) -> int:
        return LEFT_OF[self.deal.dealer - 1]

    def in_turn(self, first: int) -> list[int]:
        return [first, LEFT_OF[first], LEFT_OF[LEFT_OF[first]]]

    def begin(self, stage: str, queue: Sequence[int]) -> None:
        self.stage = stage
        self.queue = list(queue)
        self.actor = self.queue.pop(0)

    # What is legal

    def choices(self) -> Iterator[str]:
        match self.stage:
            case "declaration-1":
                yield from (PASS, TAKE)
            case "declaration-2":
                yield PASS
                yield from (f"bid:{one}" for one in BID_ORDER if self.may_bid(one))
            case "declaration-3":
                yield from (PASS, MISERE_BID)
            case "contracts-6" | "final-contres":
                yield PASS
                yield from (f"say:{item}" for item in self.items())
            case "exchange":
                yield from self.exchanges()
            case "validation":
                yield MAINTAIN
                yield from self.renunciations()
            case "defi":
                assert self.defi is not None
                yield from self.defi.choices()
            case _:
                if self.stage == FIRST_TRICK and not self.spoken:
                    yield from (f"say:{item}" for item in self.items())
                yield from (f"play:{token}" for token in PACK.tokens(self.playable))

    def any_legal(self, seat: int, random: Random) -> str:
        """Passes often enough for every declaration to come up, and speaks often enough for talks to go far:
        more contres than contracts, since a contract other than a Caisse leaves no défi."""
        if seat == self.actor + 1 and self.stage in {FIRST, SECOND, THIRD} and random.random() < 0.7:
            return PASS
        if seat == self.actor + 1 and self.stage in {SIX, FINAL, FIRST_TRICK} and not self.spoken:
            items = list(self.items())
            likely = [item for item in items if item[:2] == "x:" or item in {SUITE, CARRE, "caisse"}]
            if likely and random.random() < 0.5:
                return f"say:{random.choice(likely)}"
            if items and random.random() < 0.1:
                return f"say:{random.choice(items)}"
            if self.stage != FIRST_TRICK:
                return PASS
            return f"play:{random.choice(PACK.tokens(self.playable))}"
        return super().any_legal(seat, random)

    def broken_rule(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if self.stage == PLAY or (self.stage == FIRST_TRICK and verb != "say"):
            return self.broken_play(token)
        if verb == "say" and self.stage in {SIX, FINAL, FIRST_TRICK}:
            return self.broken_say(rest.split("+"))
        if self.stage == EXCHANGE:
            return self.broken_exchange(token)
        if token in self.choices():
            return None
        if self.stage == SECOND and rest in BID_ORDER and verb == "bid":
            return BID_HIGHER
        if self.stage == VALIDATION and verb == "renounce" and set(rest.split("+")) <= {SUITE, CARRE}:
            return NOT_ANNOUNCED
        return NO_SUCH_ACTION

    def broken_play(self, token: str) -> Phrase | None:
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return None
        hand = self.hands[self.actor]
        if not card & hand:
            return NOT_HELD
        led = PACK.suit_of[self.trick[0]] if 0 < len(self.trick) < SEATS else 0
        if hand & led and not card & led:
            return FOLLOW
        if led and self.trump and not hand & led and not card & PACK.suit(self.trump):
            return MUST_RUFF
        return KEEP_THE_SEVEN

    def apply(self, entry: str) -> None:
        card = PLAYS.get(entry, 0)
        if card & self.playable and self.stage in {PLAY, FIRST_TRICK}:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if token in PLAYS:
            self.apply(token)
            return
        verb, _colon, rest = token.partition(":")
        if verb == "discard":
            token = f"discard:{','.join(in_order(PACK.cards(rest.split(','))))}"
        self.log.append(token)
        match self.stage:
            case "declaration-1" | "declaration-2" | "declaration-3":
                self.declare(token)
            case "contracts-6" | "final-contres":
                self.talk(token)
            case "exchange":
                self.exchange(verb, rest)
            case "first-trick":
                self.say(rest.split("+"), with_six=False)
                self.spoken = True
                leads = len(self.trick) % SEATS == 0
                self.playable = self.free(self.hands[self.actor]) if leads else self.legal_cards()
            case "validation":
                self.renounced[self.actor] = rest.split("+") if rest else []
                self.next_validation()
            case _:
                assert self.defi is not None
                self.defi = self.defi.after(token)
                self.next_challenge()

    # The declarations

    def may_bid(self, bid: str) -> bool:
        best = max((BID_ORDER.index(said[4:]) for _, said in self.bids if said != PASS), default=-1)
        return bid != self.deal.trump and BID_ORDER.index(bid) > best

    def declare(self, token: str) -> None:
        self.bids.append((self.actor, token))
        if token == TAKE:
            self.take(self.actor, ATOUT_1, self.deal.trump)
        elif token == MISERE_BID:
            self.take(self.actor, MISERE, None)
        elif self.queue:
            self.actor = self.queue.pop(0)
        elif self.stage == FIRST:
            self.bids.clear()
            self.begin(SECOND, self.in_turn(self.forehand))
        elif self.stage == SECOND:
            made = [(BID_ORDER.index(said[4:]), seat, said[4:]) for seat, said in self.bids if said != PASS]
            if made:
                _, seat, bid = max(made)
                self.take(seat, SANS_ATOUT if bid == "SA" else ATOUT_2, None if bid == "SA" else bid)
            else:
                self.pick_up()
                self.begin(THIRD, self.in_turn(self.forehand))
        else:
            self.game = GENERALE
            self.begin_first_trick()

    def take(self, seat: int, game: str, trump: str | None) -> None:
        self.game, self.declarer, self.trump = game, seat, trump
        if game == MISERE:
            self.begin_first_trick()
        else:
            self.turns = self.passes = 0
            self.begin(SIX, [seat])

    def pick_up(self) -> None:
        self.hands = [hand | more for hand, more in zip(self.hands, self.deal.reserves, strict=True)]

    # Contracts and contres

    def is_owner(self, owner: int) -> bool:
        """Whether the actor is on the side of a seat."""
        return (owner == self.declarer) == (self.actor == self.declarer)

    def items(self) -> Iterator[str]:
        """What the actor may say now, one thing at a time."""
        if self.game in WITH_POINTS and self.stage != FINAL:
            yield from (contract for contract in CONTRACTS if self.may_contract(contract))
        if self.game != GENERALE:
            assert self.declarer is not None
            if self.contres.may(owner=self.is_owner(self.declarer)):
                yield "x:game"
            for contract in self.contracts:
                if contract.contres.may(owner=self.is_owner(contract.seat)):
                    yield f"x:{contract.id}@{contract.seat + 1}"
        if self.game in WITH_POINTS and self.stage == FIRST_TRICK:
            hand = self.hands[self.actor]
            if suites_of(hand):
                yield SUITE
            if carres_of(hand):
                yield CARRE

    def may_contract(self, contract: str) -> bool:
        own = {one.id for one in self.contracts if one.seat == self.actor}
        if contract in own or (contract == "clarte" and "cent" in own):
            return False
        if contract == "capot" and self.stage == SIX:
            return False
        if contract in OF_TRUMPS and self.trump is None:
            return False
        return contract != "caisse" or holds_belote(self.hands[self.actor], self.trump or "")

    def broken_say(self, items: Sequence[str]) -> Phrase | None:
        if self.spoken:
            return ONCE
        known = {*CONTRACTS, SUITE, CARRE}
        if not all(item in known or item.startswith("x:") for item in items):
            return NO_SUCH_ACTION
        if len(set(items)) < len(items):
            return TWICE
        if not set(items) <= set(self.items()) or {"clarte", "cent"} <= set(items):
            return NOT_NOW
        return None

    def say(self, items: Sequence[str], *, with_six: bool) -> None:
        for item in items:
            if item in CONTRACTS:
                self.contracts.append(Contracted(self.actor, item, 6 if with_six else 9))
            elif item == "x:game":
                self.contres = self.contres.with_level(with_six=with_six)
            elif item.startswith("x:"):
                self.contracts = [
                    Contracted(one.seat, one.id, one.at, one.contres.with_level(with_six=with_six))
                    if f"x:{one.id}@{one.seat + 1}" == item
                    else one
                    for one in self.contracts
                ]
            else:
                self.announced[self.actor].append(item)

    def talk(self, token: str) -> None:
        """A round of contracts or of contres: over when everybody has had a turn and two in a row have
        passed."""
        self.turns += 1
        if token == PASS:
            self.passes += 1
        else:
            self.passes = 0
            self.say(token.removeprefix("say:").split("+"), with_six=self.stage == SIX)
        if self.turns < SEATS or self.passes < 2:
            self.actor = LEFT_OF[self.actor]
        elif self.stage == FINAL:
            self.begin_validation()
        else:
            self.pick_up()
            if self.game == ATOUT_1:
                self.begin(EXCHANGE, self.in_turn(self.forehand))
            else:
                self.begin_first_trick()

    # The exchange of trumps

    def exchange_card(self) -> CardSet:
        """The card that may be exchanged for the proposed one."""
        return PACK.card(("8" if self.deal.proposed[0] == "7" else "7") + self.deal.trump)

    def may_exchange(self) -> bool:
        entitled = self.exchange_card()
        if not self.hands[self.actor] & entitled:
            return False
        bound = any(one.id == "ultime" and one.seat == self.actor for one in self.contracts)
        return not (bound and PACK.token(entitled)[0] == "7")

    def exchanges(self) -> Iterator[str]:
        if self.task == "indicator":
            yield from (TAKE_IT, LEAVE_IT)
        elif self.task == "discard":
            plain = in_order(self.hands[self.actor] & ~PACK.suit(self.deal.trump))
            for chosen in combinations(plain, self.surplus()):
                yield f"discard:{','.join(chosen)}"
        else:
            yield KEEP
            if self.may_exchange():
                yield SWAP

    def surplus(self) -> int:
        return self.hands[self.actor].bit_count() - TRICKS

    def broken_exchange(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if self.task == "discard" and verb == "discard":
            tokens = rest.split(",")
            if not all(card in PACK for card in tokens):
                return NO_SUCH_ACTION
            if len(set(tokens)) < len(tokens):
                return TWICE
            cards = PACK.cards(tokens)
            if cards & ~self.hands[self.actor]:
                return NOT_HELD
            wrong = len(tokens) != self.surplus() or cards & PACK.suit(self.deal.trump)
            return Phrase(LAY_ASIDE.text, count=self.surplus()) if wrong else None
        if token in self.exchanges():
            return None
        return NOT_ENTITLED if token == SWAP and not self.task else NO_SUCH_ACTION

    def exchange(self, verb: str, rest: str) -> None:
        actor, trumps = self.actor, PACK.suit(self.deal.trump)
        if verb == KEEP:
            if self.queue:
                self.actor = self.queue.pop(0)
            else:
                self.begin_first_trick()
            return
        if verb == SWAP:
            self.exchanged = actor
            self.hands[actor] ^= self.exchange_card() | PACK.card(self.deal.proposed)
            if PACK.card(self.deal.indicator) & (trumps | ACES):
                self.task = "indicator"
                return
        elif verb == TAKE_IT:
            self.opened = list(self.deal.talon)
            taken = [card for card in self.table if PACK.card(card) & (trumps | ACES)]
            self.table = [card for card in self.table if card not in taken]
            self.hands[actor] |= PACK.cards(taken)
            self.task = "discard"
            return
        elif verb == "discard":
            self.discards = PACK.cards(rest.split(","))
            self.hands[actor] ^= self.discards
        self.task = ""
        self.begin_first_trick()

    # The first trick, and what follows it

    def begin_first_trick(self) -> None:
        if self.game == SANS_ATOUT:
            assert self.declarer is not None
            self.actor = LEFT_OF[LEFT_OF[self.declarer]]
        else:
            self.actor = self.forehand
        self.leader = self.actor
        self.stage = FIRST_TRICK
        self.first_hands = list(self.hands)
        self.playable = self.free(self.hands[self.actor])

    def free(self, cards: CardSet) -> CardSet:
        """The cards but the seven that an Ultime keeps, as long as there are others."""
        if any(one.id == "ultime" and one.seat == self.actor for one in self.contracts):
            return cards & ~PACK.card("7" + (self.trump or "")) or cards
        return cards

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) % SEATS == 0:
            self.trick = []
            self.leader = actor
        self.trick.append(card)
        self.spoken = False
        if len(self.trick) == SEATS:
            self.gather()
            return
        self.actor = actor = LEFT_OF[actor]
        self.playable = self.legal_cards()

    def legal_cards(self) -> CardSet:
        """Follow suit; failing that play a trump; failing that any card. There is no duty to go up."""
        hand = self.hands[self.actor]
        led = PACK.suit_of[self.trick[0]]
        trumps = PACK.suit(self.trump) if self.trump else 0
        return self.free(hand & led or hand & trumps or hand)

    def gather(self) -> None:
        trick, trump = self.trick, self.trump
        contending = PACK.suit_of[trick[0]] | (PACK.suit(trump) if trump else 0)
        place = strongest(trick, contending, STRENGTH[trump])
        self.actor = actor = (self.leader + place) % SEATS
        self.points[actor] += sum(VALUE[trump][card] for card in trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.won[actor] |= sum(trick)
        if self.game == MISERE and actor == self.declarer:
            self.stage = OVER
        elif self.gathered == 1:
            self.after_first_trick()
        elif self.gathered == TRICKS:
            self.points[actor] += LAST_TRICK
            if trump and trick[place] == PACK.card("7" + trump):
                self.ultime = actor
            self.stage = OVER
        self.playable = self.free(self.hands[actor]) if self.stage == PLAY else 0

    def after_first_trick(self) -> None:
        if self.options["final_contre_round"] and self.game != GENERALE:
            self.turns = self.passes = 0
            self.begin(FINAL, [self.leader])
        else:
            self.begin_validation()

    def begin_validation(self) -> None:
        queue = [seat for seat in self.in_turn(self.leader) if self.announced[seat]]
        self.queue = queue
        self.stage = VALIDATION
        self.next_validation()

    def renunciations(self) -> Iterator[str]:
        announced = self.announced[self.actor]
        yield from (f"renounce:{one}" for one in (SUITE, CARRE) if one in announced)
        if len(announced) == 2:
            yield f"renounce:{SUITE}+{CARRE}"

    def next_validation(self) -> None:
        if self.queue:
            self.actor = self.queue.pop(0)
            return

        def hands_showing(kind: str) -> dict[int, CardSet]:
            return {
                seat: self.first_hands[seat]
                for seat in range(SEATS)
                if kind in self.announced[seat] and kind not in self.renounced[seat]
            }

        passes_down = bool(self.options["suite_tie_passes_down"])
        self.suite = best_suite(hands_showing(SUITE), self.trump, passes_down=passes_down)
        self.carre = best_carre(hands_showing(CARRE), self.trump)
        if self.game != GENERALE and all(one.id == "caisse" for one in self.contracts):
            assert self.declarer is not None
            _, first, second = self.in_turn(self.declarer)
            self.defi = Defi(self.declarer, (first, second))
            self.stage = CHALLENGE
            self.next_challenge()
        else:
            self.go_on()

    def next_challenge(self) -> None:
        assert self.defi is not None
        speaker = self.defi.speaker
        if speaker is not None:
            self.actor = speaker
        elif self.defi.state == CONCEDED:
            self.stage = OVER
        else:
            self.go_on()

    def go_on(self) -> None:
        assert self.taker is not None
        self.stage = PLAY
        self.actor = self.taker
        self.playable = self.free(self.hands[self.actor])

    # The end

    def result(self) -> Ending:
        self.check_over()
        assert self.game is not None
        if self.game == GENERALE:
            return Ending(GENERALE, tricks=tuple(self.tricks))
        conceded = self.defi is not None and self.defi.state == CONCEDED
        power, by = (self.defi.power, self.defi.by) if self.defi is not None else (0, "none")
        contracts = tuple(sorted(self.contracts, key=lambda one: (one.seat, list(CONTRACTS).index(one.id))))
        if self.game == MISERE or conceded:
            made = None if conceded else self.tricks[self.declarer or 0] == 0
            return Ending(self.game, self.declarer, self.contres, contracts, power, by, misere_made=made)
        trump = self.trump
        belote = [seat for seat in range(SEATS) if trump and holds_belote(self.first_hands[seat], trump)]
        result = Ending(
            self.game, self.declarer, self.contres, (), power, by, tuple(self.points), self.suite, self.carre,
            belote[0] if belote else None,
        )  # fmt: skip
        return replace(result, contracts=tuple(self.with_result(one, result) for one in contracts))

    def with_result(self, contract: Contracted, result: Ending) -> Contracted:
        """A contract with whether it was made."""
        made = contract.made
        if contract.id in BY_POINTS:
            made = result.by_points(contract.seat, contract.id)
        elif contract.id == "capot":
            made = self.tricks[contract.seat] == TRICKS
        elif contract.id == "ultime":
            made = self.ultime == contract.seat
        else:
            wanted = WANTED[contract.id]
            cards = ACES if wanted is None else PACK.cards([rank + (self.trump or "") for rank in wanted])
            made = self.won[contract.seat] & cards == cards
        return replace(contract, made=bool(made))

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand; the cards turned, all that was said, the lengths of announced suites, the
        trick."""
        marked = self.stage not in {FIRST_TRICK, FINAL, VALIDATION} and self.gathered > 0
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "proposed": self.deal.proposed,
            "indicator": self.deal.indicator,
            "opened": list(self.opened),
            "exchanged": None if self.exchanged is None else self.exchanged + 1,
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "game": self.game,
            "trump": self.trump,
            "declarer": None if self.declarer is None else self.declarer + 1,
            "contres": self.contres.level,
            "contracts": [
                {"seat": one.seat + 1, "id": one.id, "at": one.at, "contres": one.contres.level}
                for one in self.contracts
            ],
            "announced": [self.announcement(who) for who in range(SEATS)],
            "renounced": [list(given_up) for given_up in self.renounced],
            "suite": self.suite and marked and {"seat": self.suite[0] + 1, "points": self.suite[1]},
            "carre": self.carre and marked and {"seat": self.carre[0] + 1, "points": self.carre[1]},
            "defi": None if self.defi is None else self.defi.exponent,
            "trick": on_the_table(PACK, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
            if seat - 1 == self.exchanged:
                shown["discards"] = list(in_order(self.discards))
        return shown

    def announcement(self, seat: int) -> dict[str, Any]:
        """What the announcement of a seat reveals: the length of its longest suite, and whether it has a
        carré."""
        items = self.announced[seat]
        lengths = [suite.length for suite in suites_of(self.first_hands[seat])]
        return {"suite": max(lengths) if SUITE in items else None, "carre": CARRE in items}


WANTED: dict[str, str | None] = {
    "quarante-quatre": None,  # the four aces
    "tous-les-trois": "J97",
    "famille": "AKQ",
    "tous-les-atouts": "J9ATKQ",
}
