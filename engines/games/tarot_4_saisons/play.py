"""Tarot 4 saisons: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from ...cards import CardSet, lowest
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import StagedTricks, on_the_table, strongest, tarot_cards, tarot_rule
from ...turns import NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import (
    ACES,
    BIDS,
    CONTRACTS,
    EXCUSE,
    FIGURES,
    GAME,
    KINGS,
    LEFT_OF,
    NOT_TO_THE_DOG,
    OUDLERS,
    PACK,
    PETIT,
    PLAYS,
    RANKED,
    SEATS,
    STRENGTH,
    SUITS,
    TRICKS,
    TRUMPS,
    TWO,
    WORTHLESS,
    Deal,
    card_points,
)
from .marks import Contracted, Ending, outcome_of

AUCTION, DOG, CONTRACT, CONTRE, SUITE, PLAY = "auction", "dog", "contracts", "contres", "suites", "play"
PASS = "pass"  # noqa: S105
MISERE = "misere"
TAKE, SKIP, ACCEPT, REFUSE = "option:take", "option:skip", "lower:accept", "lower:refuse"
LEAD_ME, LEAD_FOREHAND = "lead:me", "lead:forehand"
NOTHING = "none"

BID_HIGHER = Phrase("bid higher than the last bid, or pass")
NO_MISERE = Phrase("a misère is declared before the first call, once, by a player who holds no figure")
MUST_DECLARE = Phrase("a player who holds no figure must declare the misère first")
LAY_ASIDE = Phrase("lay {count} cards of your hand on the dog")
NEVER_TO_THE_DOG = Phrase("kings and bouts may not be laid on the dog")
TWICE = Phrase("names the same thing twice")
NOT_YOURS = Phrase("only the taker can contract a capot, and only the opponents a resistance")
NOTHING_THERE = Phrase(
    "name what the other side has announced and nobody has contred; a capot cannot be contred"
)
NO_SUITE = Phrase("a suite is the king, queen, knight and jack of a suit, all in the hand")

Contract = tuple[int, str]  # the seat (index) and the id


class SaisonsState(StagedTricks):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "answers", "bid", "bids", "contracts", "contred", "deal", "declarer", "deux", "discard",
        "excuse_late", "game_contred", "hands", "last", "lowered", "misere", "options", "passed",
        "passes", "petit", "suites", "task", "turned", "turns", "wanted", "won",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(SEATS)
        self.deal, self.options = deal, options
        self.hands = list(deal.hands)
        self.bids: list[tuple[int, str]] = []
        self.bid = -1  # its rank
        self.declarer: int | None = None
        self.turns = 0  # calls so far
        self.passes = 0  # in a row
        self.passed: list[int] = []
        self.misere: list[int] = []
        self.task = ""  # of the dog's phase: option, lower or discard; of the play's: lead
        self.turned = 0
        self.answers: list[bool] = []
        self.lowered = False
        self.discard: CardSet = 0
        self.contracts: list[Contract] = []
        self.contred: list[Contract] = []
        self.game_contred = False
        self.suites: list[str] = [""] * SEATS
        self.won: list[CardSet] = [0] * SEATS
        self.last: list[CardSet] = [0] * SEATS  # the last trick of each
        self.wanted: CardSet = 0  # what the first card but the Excuse asks for
        self.petit: int | None = None
        self.deux: int | None = None
        self.excuse_late: int | None = None
        self.stage = AUCTION
        self.actor = LEFT_OF[deal.dealer - 1]

    @property
    def forehand(self) -> int:
        return LEFT_OF[self.deal.dealer - 1]

    @property
    def level(self) -> str:
        return RANKED[self.bid]

    def choices(self) -> Iterator[str]:
        match self.stage:
            case "auction":
                yield from self.calls()
            case "dog":
                yield from self.dog_choices()
            case "contracts":
                yield from selections("contracts", [f"contracts:{NOTHING}"], self.own_contracts())
            case "contres":
                yield from selections("contre", [PASS], [target_token(target) for target in self.targets()])
            case "suites":
                yield from selections("suites", [f"suites:{NOTHING}"], self.own_suites())
            case _ if self.task:
                yield from (LEAD_ME, LEAD_FOREHAND)
            case _:
                yield from (f"play:{token}" for token in PACK.tokens(self.playable))

    def any_legal(self, seat: int, random: Random) -> str:
        """Thousands of discards are possible, and a thousand contres: drawn piece by piece."""
        if self.stage == OVER or seat != self.actor + 1:
            return super().any_legal(seat, random)
        if self.task == "discard":
            allowed = in_order(self.hands[self.actor] & ~NOT_TO_THE_DOG)
            return f"discard:{','.join(sorted(random.sample(allowed, self.turned), key=PACK.order.index))}"
        if self.stage == CONTRE:
            chosen = [target_token(target) for target in self.targets() if random.random() < 0.3]
            return f"contre:{','.join(chosen)}" if chosen else PASS
        return super().any_legal(seat, random)

    def broken_rule(self, token: str) -> Phrase | None:
        match self.stage:
            case "auction":
                return self.broken_call(token)
            case "dog":
                return self.broken_dog(token)
            case "contracts":
                return self.broken_contract(token)
            case "contres":
                return self.broken_contre(token)
            case "suites":
                return self.broken_suite(token)
        if self.task:
            return None if token in {LEAD_ME, LEAD_FOREHAND} else NO_SUCH_ACTION
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return None
        hand = self.hands[self.actor]
        return tarot_rule(card, hand, self.wanted, TRUMPS) if card & hand else NOT_HELD

    def apply(self, entry: str) -> None:
        card = PLAYS.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage == PLAY and not self.task:
            self.apply(token)
            return
        verb, _colon, rest = token.partition(":")
        match self.stage:
            case "auction":
                self.log.append(token)
                self.call(token)
            case "dog" if self.task == "discard":
                self.lay_aside(rest.split(","))
            case "dog":
                self.log.append(token)
                self.answer(token)
            case "contracts":
                chosen = [] if rest == NOTHING else sorted(rest.split(","), key=CONTRACTS.index)
                self.log.append(f"{verb}:{','.join(chosen) or NOTHING}")
                self.contracts += [(self.actor, one) for one in chosen]
                self.next_speaker(CONTRE)
            case "contres":
                self.say_contre(rest)
            case "suites":
                self.suites[self.actor] = "".join(s for s in SUITS if s in rest.split(","))
                self.log.append(f"{verb}:{','.join(self.suites[self.actor]) or NOTHING}")
                self.next_speaker(PLAY)
            case _:
                self.log.append(token)
                self.task = ""
                self.lead(self.actor if token == LEAD_ME else self.forehand)

    # The auction

    def calls(self) -> Iterator[str]:
        if self.may_declare_misere():
            yield MISERE
            if self.options["misere_mandatory"]:
                return
        yield PASS
        yield from (f"bid:{level}" for level in RANKED[self.bid + 1 :])

    def may_declare_misere(self) -> bool:
        return self.turns < SEATS and self.actor not in self.misere and not self.hands[self.actor] & FIGURES

    def broken_call(self, token: str) -> Phrase | None:
        if token == MISERE:
            return None if self.may_declare_misere() else NO_MISERE
        level = token.removeprefix("bid:")
        if token != PASS and (level == token or level not in BIDS):
            return NO_SUCH_ACTION
        if self.options["misere_mandatory"] and self.may_declare_misere():
            return MUST_DECLARE
        return BID_HIGHER if token != PASS and RANKED.index(level) <= self.bid else None

    def call(self, token: str) -> None:
        """Two passes in a row end the auction once everybody has spoken; where a pass is final, all passes
        but one."""
        actor = self.actor
        if token == MISERE:
            self.misere.append(actor)
            return
        self.bids.append((actor, token))
        self.turns += 1
        if token == PASS:
            self.passes += 1
            self.passed.append(actor)
        else:
            self.passes = 0
            self.bid, self.declarer = RANKED.index(token.removeprefix("bid:")), actor
        final = bool(self.options["pass_is_final"])
        ended = len(self.passed) if final else self.passes
        if self.turns >= SEATS and ended >= (2 if self.declarer is not None else SEATS):
            self.begin_dog()
            return
        self.actor = LEFT_OF[actor]
        while final and self.actor in self.passed:
            self.actor = LEFT_OF[self.actor]

    # The dog

    def begin_dog(self) -> None:
        if self.declarer is None:
            self.stage = OVER
            return
        self.actor = self.declarer
        self.turned = BIDS[self.level].turned
        self.stage = DOG
        if BIDS[self.level].option:
            self.task = "option"
        elif self.turned:
            self.take_dog()
        else:
            self.begin_contracts()

    def take_dog(self) -> None:
        assert self.declarer is not None
        self.task = "discard"
        self.actor = self.declarer
        self.hands[self.actor] |= PACK.cards(self.deal.dog[: self.turned])

    def dog_choices(self) -> Iterator[str]:
        if self.task == "option":
            yield from (TAKE, SKIP)
        elif self.task == "lower":
            yield from (ACCEPT, REFUSE)
        else:
            allowed = in_order(self.hands[self.actor] & ~NOT_TO_THE_DOG)
            for chosen in combinations(allowed, self.turned):
                yield f"discard:{','.join(chosen)}"

    def broken_dog(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if self.task != "discard":
            return None if token in self.dog_choices() else NO_SUCH_ACTION
        tokens = rest.split(",")
        if verb != "discard" or not all(card in PACK for card in tokens):
            return NO_SUCH_ACTION
        if len(set(tokens)) < len(tokens):
            return TWICE
        cards = PACK.cards(tokens)
        if len(tokens) != self.turned:
            return Phrase(LAY_ASIDE.text, count=self.turned)
        if cards & ~self.hands[self.actor]:
            return NOT_HELD
        return NEVER_TO_THE_DOG if cards & NOT_TO_THE_DOG else None

    def answer(self, token: str) -> None:
        """The taker: whether to turn the optional cards; both opponents: whether the stake falls."""
        if token == SKIP:
            self.take_dog()
        elif token == TAKE:
            self.turned *= 2
            self.task = "lower"
            self.actor = LEFT_OF[self.actor]
        else:
            self.answers.append(token == ACCEPT)
            self.actor = LEFT_OF[self.actor]
            if self.actor == self.declarer:
                self.lowered = all(self.answers)
                self.take_dog()

    def lay_aside(self, tokens: Sequence[str]) -> None:
        self.discard = PACK.cards(tokens)
        self.log.append(f"discard:{','.join(in_order(self.discard))}")
        self.hands[self.actor] ^= self.discard
        self.begin_contracts()

    # Contracts, contres and suites: everybody once, from the forehand

    def begin_contracts(self) -> None:
        self.stage, self.task = CONTRACT, ""
        self.actor = self.forehand

    def next_speaker(self, following: str) -> None:
        self.actor = LEFT_OF[self.actor]
        if self.actor != self.forehand:
            return
        self.stage = following
        if following == PLAY:
            assert self.declarer is not None
            if (self.declarer, "capot") in self.contracts:
                self.task = "lead"
                self.actor = self.declarer
            else:
                self.lead(self.forehand)

    def own_contracts(self) -> list[str]:
        other = "resistance" if self.actor == self.declarer else "capot"
        return [one for one in CONTRACTS if one != other]

    def broken_contract(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        chosen = rest.split(",")
        if verb != "contracts" or (chosen != [NOTHING] and not all(one in CONTRACTS for one in chosen)):
            return NO_SUCH_ACTION
        if len(set(chosen)) < len(chosen):
            return TWICE
        return None if chosen == [NOTHING] or set(chosen) <= set(self.own_contracts()) else NOT_YOURS

    def targets(self) -> list[Contract]:
        """What the actor may contre, the game (of the taker) first, then by seat and id."""
        contracts: list[Contract] = []
        if self.actor != self.declarer and not self.game_contred:
            assert self.declarer is not None
            contracts.append((self.declarer, GAME))
        contracts += sorted(
            (
                (seat, one)
                for seat, one in self.contracts
                if (seat == self.declarer) != (self.actor == self.declarer)
                and one != "capot"
                and (seat, one) not in self.contred
            ),
            key=lambda contract: (contract[0], CONTRACTS.index(contract[1])),
        )
        return contracts

    def broken_contre(self, token: str) -> Phrase | None:
        if token == PASS:
            return None
        verb, _colon, rest = token.partition(":")
        if verb != "contre":
            return NO_SUCH_ACTION
        chosen = rest.split(",")
        if len(set(chosen)) < len(chosen):
            return TWICE
        return None if set(chosen) <= {target_token(target) for target in self.targets()} else NOTHING_THERE

    def say_contre(self, rest: str) -> None:
        chosen = [target for target in self.targets() if target_token(target) in rest.split(",")]
        self.log.append(f"contre:{','.join(target_token(target) for target in chosen)}" if chosen else PASS)
        self.contred += [target for target in chosen if target[1] != GAME]
        self.game_contred |= any(target[1] == GAME for target in chosen)
        self.next_speaker(SUITE)

    def own_suites(self) -> list[str]:
        hand = self.hands[self.actor]
        return [letter for letter, cards in SUITS.items() if hand & cards == cards]

    def broken_suite(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        chosen = rest.split(",")
        if verb != "suites" or (chosen != [NOTHING] and not all(one in SUITS for one in chosen)):
            return NO_SUCH_ACTION
        if len(set(chosen)) < len(chosen):
            return TWICE
        return None if chosen == [NOTHING] or set(chosen) <= set(self.own_suites()) else NO_SUITE

    # The play

    def lead(self, seat: int) -> None:
        self.actor = seat
        self.playable = self.hands[seat]

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) % SEATS == 0:
            self.trick = []
            self.leader = actor
            self.wanted = 0
        if not self.wanted and card != EXCUSE:
            self.wanted = PACK.suit_of[card]
        self.trick.append(card)
        if card == EXCUSE and self.gathered >= TRICKS - 2:
            self.excuse_late = actor
        if len(self.trick) == SEATS:
            self.gather()
        else:
            self.actor = actor = LEFT_OF[actor]
            self.playable = tarot_cards(self.hands[actor], self.wanted, self.trick, TRUMPS, EXCUSE)

    def gather(self) -> None:
        """The highest trump, else the highest of the suit led. The Excuse goes back to its player for a
        worthless card of the tricks already won."""
        trick = self.trick
        place = strongest(trick, self.wanted | TRUMPS, STRENGTH)
        self.actor = actor = (self.leader + place) % SEATS
        cards = sum(trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.last[actor] = cards
        if cards & EXCUSE:
            owner = (self.leader + trick.index(EXCUSE)) % SEATS
            if spare := self.won[owner] & WORTHLESS:
                given = lowest(spare)
                self.won[owner] ^= given | EXCUSE
                cards ^= given | EXCUSE
        self.won[actor] |= cards
        self.playable = self.hands[actor]
        if self.gathered == TRICKS - 1 and trick[place] == TWO:
            self.deux = actor
        if not self.playable:
            self.petit = actor if trick[place] == PETIT else None
            self.stage = OVER

    # The end

    def final_dog(self) -> CardSet:
        """The dog after the exchange."""
        return PACK.cards(self.deal.dog[self.turned :]) | self.discard

    def owner_of(self, cards: CardSet) -> int | None:
        """The owner of all these cards, if there is one; the dog is the taker's where its points are."""
        for seat, won in enumerate(self.won):
            takes_dog = seat == self.declarer and BIDS[self.level].dog_to == "taker"
            owned = won | self.final_dog() if takes_dog else won
            if owned & cards == cards:
                return seat
        return None

    def result(self) -> "Ending":
        self.check_over()
        if self.declarer is None:
            return Ending(misere=tuple(sorted(self.misere)))
        result = Ending(
            self.level, self.declarer, self.lowered, self.game_contred, tuple(self.tricks),
            tuple(card_points(won) for won in self.won), card_points(self.final_dog()), (),
            self.petit, self.deux, self.owner_of(OUDLERS), self.owner_of(ACES), tuple(sorted(self.misere)),
            tuple(len(suits) for suits in self.suites), self.excuse_late,
        )  # fmt: skip
        kings = self.owner_of(KINGS)
        contracts = tuple(
            Contracted(seat, one, (seat, one) in self.contred, result.has_made(seat, one, kings))
            for seat, one in sorted(self.contracts, key=lambda c: (c[0], CONTRACTS.index(c[1])))
        )
        return replace(result, contracts=contracts)

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand and discard; all that is said, the turned cards, the trick, each seat's
        last."""
        turned = 0 if self.stage == AUCTION else self.turned
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "misere": [who + 1 for who in self.misere],
            "declarer": None if self.declarer is None or self.stage == AUCTION else self.declarer + 1,
            "contract": self.level if self.bid >= 0 else None,
            "turned": list(self.deal.dog[:turned]),
            "answers": list(self.answers),
            "lowered": self.lowered,
            "contracts": [f"{one}@{who + 1}" for who, one in self.contracts],
            "contred": [GAME] * self.game_contred + [f"{one}@{who + 1}" for who, one in self.contred],
            "suites": [list(suits) for suits in self.suites],
            "trick": on_the_table(PACK, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "last_tricks": [list(PACK.tokens(last)) for last in self.last],
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
            "dog": list(in_order(self.final_dog())) if self.over and self.declarer is not None else None,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
            if seat - 1 == self.declarer:
                shown["discard"] = list(in_order(self.discard))
        return shown


def in_order(cards: CardSet) -> tuple[str, ...]:
    """The cards in the order of the unshuffled pack."""
    return tuple(token for token in PACK.order if PACK.card(token) & cards)


def target_token(target: Contract) -> str:
    seat, one = target
    return GAME if one == GAME else f"{one}@{seat + 1}"


def selections(verb: str, nothing: Sequence[str], items: Sequence[str]) -> Iterator[str]:
    """Nothing, or any choice of the items in their order."""
    yield from nothing
    for count in range(1, len(items) + 1):
        for chosen in combinations(items, count):
            yield f"{verb}:{','.join(chosen)}"
