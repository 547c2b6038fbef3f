"""Démons punisseurs: the phases (section 4), and what may be seen (section 10)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, starmap
from random import Random
from typing import Any, NamedTuple

from ...cards import swapped, without
from ...choices import Interruption, OneForOne
from ...contract import Outcome, Settings
from ...phases import OVER, CallingState, Calls, Phase
from ...phrases import Phrase
from ...turns import FOLLOW, MUST_FOLLOW_TRUMP, NO_SUCH_ACTION, NOT_HELD
from ...views import Pile, View, by_seat, in_hand, laid_from
from .cards import (
    BEST,
    GAME,
    LEFT_OF,
    PACK,
    PAREIL,
    PLACE,
    RANK,
    SEATS,
    STRENGTH,
    SUITE,
    SUITS,
    TRICKS,
    Best,
    Deal,
    example,
    has_specimen,
)
from .marks import AT_FIRST, CONCEDE, ENOUGH, PUSH, Ending, Objective, Share, outcome_of
from .sheet import FORM

DONE = "done"
OBJECTIVES = (PAREIL, SUITE, GAME)
PLACES = {name: place for place, name in enumerate(OBJECTIVES)}
COMBINED = (PAREIL, SUITE)

NO_ROB = Phrase("give an ordinary club or trump for a Démon of its suit that lies face up, one of each")
ONLY_DEMONS = Phrase("only a Démon can pose as another card")
NO_PROPOSAL = Phrase("this seat cannot bet on this objective now")
NO_CONCESSION = Phrase("this seat has no part in this objective, or it is decided")
NOT_THIS_ONE = Phrase("dispute the first objective that you still have to speak for, Pareil before Suite")
TOO_WEAK = Phrase("what you show must match the best that the others show, or concede, or bet")
MUST_BEAT = Phrase("what you show must beat the best that the others show, or concede, or bet")


class Laid(NamedTuple):
    """A card before its owner, and the face that it shows."""

    card: str
    face: str

    @property
    def token(self) -> str:
        return self.card if self.card == self.face else f"{self.card}={self.face}"


class PunisseursState(CallingState):
    """A deal in progress. Seats are indices from 0 inside; lists are by seat."""

    __slots__ = (
        "deal", "disputed", "hands", "laid", "leader", "objectives", "options", "robbed",
        "strengths", "taker", "talk", "todo", "trick", "trump", "turned", "winners",
    )  # fmt: skip

    calling = 0.1

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.trump = deal.trump
        self.strengths = STRENGTH[self.trump]
        self.log = []
        self.hands = list(map(PLACE.sorted, deal.hands))
        self.turned = deal.turned
        self.robbed: tuple[str, ...] = ()  # the suits in which the dealer has exchanged
        self.objectives = [AT_FIRST] * len(OBJECTIVES)
        self.talk: int | None = None  # the objective that is talked about
        self.interrupted = None
        self.laid: list[tuple[Laid, ...]] = [()] * SEATS
        self.trick: tuple[Laid, ...] = ()
        self.winners: tuple[int, ...] = ()  # of the tricks
        self.taker: int | None = None  # the seat that the jeu went to
        self.todo: list[str] = []  # what the seat whose turn it is has still to act on, in the exposition
        self.disputed: list[tuple[int, ...]] = [(), ()]  # who has disputed in succession without a reveal
        self.leader = LEFT_OF[deal.dealer - 1]
        self.now = ROB
        self.actor = deal.dealer - 1

    @property
    def tricks(self) -> tuple[int, ...]:
        """How many each seat has taken."""
        return tuple(self.winners.count(seat) for seat in range(SEATS))

    # What becomes of the objectives

    def decide(self, at: int, winner: int | None) -> None:
        self.objectives[at] = self.objectives[at].with_winner(winner)

    def settle(self, at: int) -> None:
        """What follows a talk or a concession."""
        name, left = OBJECTIVES[at], self.objectives[at].conceded_to
        if left is not None:
            holds = name == GAME or has_specimen(name, self.faces(left), self.hands[left], self.trump)
            self.decide(at, left if holds else None)
            if name == GAME:
                self.stop(left)
                return
        if self.now is EXPOSITION:
            self.next_turn()

    def stop(self, first: int) -> None:
        """The jeu is decided: the play ends, and the exposition begins, if hands remain to be exposed."""
        self.taker = first
        if not any(self.hands):
            for name in self.open_names():
                self.compare(name)
        self.now = EXPOSITION
        self.actor = first
        self.todo = self.tasks(first)
        self.next_turn()

    def faces(self, seat: int) -> list[str]:
        return [laid.face for laid in self.laid[seat]]

    def best(self, name: str, seat: int) -> Best | None:
        return BEST[name](self.faces(seat))

    def open_names(self) -> list[str]:
        return [name for name in COMBINED if not self.objectives[PLACES[name]].resolved]

    def tasks(self, seat: int) -> list[str]:
        """The objectives that a seat has to act on."""
        return [name for name in self.open_names() if seat in self.objectives[PLACES[name]].contenders]

    def compare(self, name: str) -> None:
        """The best combination wins, if no other equals it."""
        shown = [(self.best(name, seat), seat) for seat in self.objectives[PLACES[name]].contenders]
        combinations = [(best, seat) for best, seat in shown if best is not None]
        top, winner = max(combinations, default=(None, None))
        alone = [best for best, _ in combinations].count(top) == 1 if top is not None else False
        self.decide(PLACES[name], winner if alone else None)

    def cross_off(self, name: str, who: int) -> None:
        """The seat whose turn it is has acted on the objective, by a bet, a concession or a dispute."""
        if who == self.actor and name in self.todo:
            self.todo = [other for other in self.todo if other != name]

    def next_turn(self) -> None:
        """The turn passes to the next seat with something to act on; the deal ends if there is none."""
        left = self.tasks(self.actor)
        self.todo = [name for name in self.todo if name in left]
        if not self.open_names():
            self.now = OVER
            return
        while not self.todo:
            self.actor = LEFT_OF[self.actor]
            self.todo = self.tasks(self.actor)

    # The end

    def result(self) -> Ending:
        self.check_over()
        shares = [Share(one.winner, one.points, one.losses) for one in self.objectives]
        return Ending(shares[0], shares[1], shares[2], self.tricks)

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)

    # What may be seen (section 10)

    def view(self, seat: int | None) -> "PunisseursView":
        faces = by_seat("faces", ([laid.face for laid in own] for own in self.laid))
        cards = by_seat("laid", ([laid.card for laid in own] for own in self.laid))
        return PunisseursView(
            **self.common(
                seat,
                self.deal.dealer,
                *in_hand(self.hands, seat),
                Pile("turned", self.turned),
                *faces,
                *cards,
            ),
            trick=laid_from(self.leader, [(laid.face, laid.card) for laid in self.trick], SEATS),
            tricks=self.tricks,
            trump=self.trump,
            turn=None if self.over else self.turn,
            winners=tuple(winner + 1 for winner in self.winners),
            objectives=dict(zip(OBJECTIVES, self.objectives, strict=True)),
            talked_about=None if self.talk is None else OBJECTIVES[self.talk],
            todo=tuple(self.todo),
            disputed={name: tuple(s + 1 for s in self.disputed[PLACES[name]]) for name in COMBINED},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PunisseursView(View):
    """`turn`: whose it is; `winners` of the tricks; `talked_about`: an objective. The piles `laid` and
    `faces`: by seat, all cards laid, and the faces that they show."""

    trump: str
    turn: int | None
    winners: tuple[int, ...]
    objectives: dict[str, Objective]
    talked_about: str | None
    todo: tuple[str, ...]
    disputed: dict[str, tuple[int, ...]]


# ── Bets and concessions, at a seat's turn or not ─────────────────────────────────────────────────

CALLS = {
    f"{verb}:{name}": (verb, at) for at, name in enumerate(OBJECTIVES) for verb in ("bet", PUSH, CONCEDE)
}
NO_OBJECTIVE = -1


class Bets(Calls[PunisseursState, tuple[str, int]]):
    """A verb, and the place of the objective."""

    def callers(self, state: PunisseursState) -> int:
        pareil, suite, jeu = state.objectives
        return pareil.callers | suite.callers | jeu.callers

    def offers(self, state: PunisseursState, seat: int) -> Iterator[str]:
        if seat < SEATS:
            for name, objective in zip(OBJECTIVES, state.objectives, strict=True):
                for verb in objective.calls[seat]:
                    yield f"{verb}:{name}"

    def read(self, state: PunisseursState, token: str) -> tuple[str, int] | None:
        if token in CALLS:
            return CALLS[token]
        verb, _colon, name = token.partition(":")
        return (verb, NO_OBJECTIVE) if verb in {"bet", PUSH, CONCEDE} and name else None

    def rule(self, state: PunisseursState, seat: int, action: tuple[str, int]) -> Phrase | None:
        verb, at = action
        if at == NO_OBJECTIVE or not 0 <= seat < SEATS:
            return NO_SUCH_ACTION
        if verb in state.objectives[at].calls[seat]:
            return None
        return NO_CONCESSION if verb == CONCEDE else NO_PROPOSAL

    def take(self, state: PunisseursState, seat: int, action: tuple[str, int]) -> None:
        verb, at = action
        name, objective = OBJECTIVES[at], state.objectives[at]
        if name != GAME:  # disputes are counted anew
            state.disputed[at] = ()
        state.cross_off(name, seat)
        if verb == CONCEDE:
            state.objectives[at] = objective.concede(seat)
            state.settle(at)
            return
        state.talk = at
        state.objectives[at] = objective.propose(seat)
        TALK.begin(state)

    def draw(self, state: PunisseursState, seat: int, random: Random) -> str:
        """Bets more often than it concedes, for deals to be played out."""
        calls = list(self.offers(state, seat))
        bets = [token for token in calls if not token.startswith(CONCEDE)]
        return random.choice(bets if bets and random.random() < 0.75 else calls)


BETS = Bets()


class Talk(Interruption[PunisseursState]):
    """The answers to a proposal."""

    name = "talk"

    def answers(self, state: PunisseursState) -> tuple[str, ...]:
        assert state.talk is not None
        return state.objectives[state.talk].choices()

    def waiting(self, state: PunisseursState) -> tuple[int, ...]:
        assert state.talk is not None
        proposal = state.objectives[state.talk].proposal
        return () if proposal is None else proposal.waiting

    def take(self, state: PunisseursState, action: str) -> None:
        assert state.talk is not None
        state.objectives[state.talk] = state.objectives[state.talk].after(action)
        self.go_on(state)

    def end(self, state: PunisseursState) -> None:
        assert state.talk is not None
        at, state.talk = state.talk, None
        state.settle(at)


# ── The dealer's exchange ─────────────────────────────────────────────────────────────────────────


class Rob(OneForOne[PunisseursState]):
    """A card given for a Démon that lies face up; or nothing more."""

    name = verb = "rob"
    nothing, pack, wrong = DONE, PLACE, NO_ROB

    def hand(self, state: PunisseursState) -> tuple[str, ...]:
        return state.hands[state.actor]

    def pile(self, state: PunisseursState) -> tuple[str, ...]:
        return state.turned

    def may(self, state: PunisseursState, give: str, take: str) -> bool:
        if give[1] != take[1] or give[1] not in {"C", state.trump}:
            return False
        again = state.options["rob_limit"] == "one-each" and give[1] in state.robbed
        return not again and state.strengths[take] > 0 and not state.strengths[give]

    def take(self, state: PunisseursState, action: tuple[str, ...]) -> None:
        if not action:
            state.now, state.actor = PLAY, state.leader
            return
        give, take = action
        state.hands[state.actor] = PLACE.sorted(swapped(state.hands[state.actor], give, take))
        state.turned = swapped(state.turned, take, give)
        state.robbed += (give[1],)


# ── The play ──────────────────────────────────────────────────────────────────────────────────────

PLAYS = {f"play:{card}": (Laid(card, card), False) for card in PACK} | {
    f"play:{card}={face}": (Laid(card, face), True) for card in PACK for face in PACK
}


@cache
def tokens_of(card: str, bound: str, poses: bool) -> tuple[str, ...]:
    """A card that must show one of such suits: as itself, and if it poses, as any other."""
    itself = (f"play:{card}",) if card[1] in bound else ()
    faces = [face for face in PACK if face != card and face[1] in bound] if poses else []
    return *itself, *(f"play:{card}={face}" for face in faces)


class Play(Phase[PunisseursState, tuple[Laid, bool]]):
    """A card with the face that it shows, and whether the face is named, as that of a Démon that poses."""

    name = "play"
    calls = BETS

    def bound(self, state: PunisseursState) -> str:
        """The suits of which a card must show one."""
        if not state.trick:
            return SUITS
        led = state.trick[0].face[1]
        printed = state.options["demon_possession"] == "printed"
        for card in state.hands[state.actor]:
            if card[1] == led and (printed or not state.strengths[card]):
                return led + state.trump
        return SUITS

    def offers(self, state: PunisseursState) -> Iterator[str]:
        bound, strengths = self.bound(state), state.strengths
        hand = state.hands[state.actor]
        return chain.from_iterable([tokens_of(card, bound, strengths[card] > 0) for card in hand])

    def draw(self, state: PunisseursState, random: Random) -> str:
        """A Démon has a hundred faces, another card one: cards show themselves half of the time."""
        if random.random() < 0.5:
            bound = self.bound(state)
            if plain := [card for card in state.hands[state.actor] if card[1] in bound]:
                return f"play:{random.choice(plain)}"
        return random.choice(list(self.offers(state)))

    def read(self, state: PunisseursState, token: str) -> tuple[Laid, bool] | None:
        return PLAYS.get(token)

    def rule(self, state: PunisseursState, action: tuple[Laid, bool]) -> Phrase | None:
        (card, face), poses = action
        if card not in state.hands[state.actor]:
            return NOT_HELD
        if poses and (not state.strengths[card] or face == card):
            return ONLY_DEMONS
        bound = self.bound(state)
        if face[1] in bound:
            return None
        return MUST_FOLLOW_TRUMP if bound[0] == bound[1] else FOLLOW

    def take(self, state: PunisseursState, action: tuple[Laid, bool]) -> None:
        laid, _poses = action
        actor = state.actor
        state.hands[actor] = without(state.hands[actor], laid.card)
        state.laid[actor] += (laid,)
        state.trick += (laid,)
        if len(state.trick) == SEATS:
            self.gather(state)
        else:
            state.actor = LEFT_OF[actor]

    def gather(self, state: PunisseursState) -> None:
        """The highest trump, else the highest of the suit led; of equal faces the stronger Démon."""
        trump, led = state.trump, state.trick[0].face[1]
        powers = [
            (2 if face[1] == trump else int(face[1] == led), RANK[face], state.strengths[card])
            for card, face in state.trick
        ]
        winner = (state.leader + powers.index(max(powers))) % SEATS
        state.trick = ()
        state.winners += (winner,)
        state.actor = state.leader = winner
        at = PLACES[GAME]
        if state.tricks[winner] == ENOUGH:
            state.decide(at, winner if winner in state.objectives[at].contenders else None)
            state.stop(winner)
        elif len(state.winners) == TRICKS:
            state.decide(at, None)
            state.stop(winner)


# ── The exposition ────────────────────────────────────────────────────────────────────────────────


class Exposition(Phase[PunisseursState, tuple[str, tuple[Laid, ...]]]):
    """A dispute: its objective, and what is revealed for it, in ASCII order."""

    name = "exposition"
    calls = BETS

    def offers(self, state: PunisseursState) -> Iterator[str]:
        name, actor = state.todo[0], state.actor
        if self.suffices(state, name, state.best(name, actor)):
            yield f"dispute:{name}"
        strongest = example(name, state.faces(actor), state.hands[actor], state.trump)
        if strongest is not None and self.suffices(state, name, strongest[0]):
            yield f"dispute:{name}:{strongest[1]}"

    def draw(self, state: PunisseursState, random: Random) -> str:
        """Now and then any cards of the hand, Démons as anything; hardly ever what is listed. Who cannot
        dispute calls."""
        if random.random() < 0.3:
            reveal = self.any_reveal(state, random)
            if state.broken_rule(reveal) is None:
                return reveal
        disputes = list(self.offers(state))
        return random.choice(disputes) if disputes else BETS.draw(state, state.actor, random)

    def any_reveal(self, state: PunisseursState, random: Random) -> str:
        hand = state.hands[state.actor]
        cards = random.sample(hand, random.randint(0, len(hand)))
        faces = [random.choice(PACK) if state.strengths[card] else card for card in cards]
        shown = tuple(sorted(starmap(Laid, zip(cards, faces, strict=True)), key=lambda laid: laid.token))
        return self.written((state.todo[0], shown), "")

    def suffices(self, state: PunisseursState, name: str, best: Best | None) -> bool:
        """Whether a combination of the seat whose turn it is will do against what the others show."""
        if best is None:
            return False
        rivals = [seat for seat in state.objectives[PLACES[name]].contenders if seat != state.actor]
        equal = state.options["dispute_equal"] == "allowed"
        shown = (state.best(name, seat) for seat in rivals)
        return all(other is None or best > other or (equal and best == other) for other in shown)

    def read(self, state: PunisseursState, token: str) -> tuple[str, tuple[Laid, ...]] | None:
        verb, _colon, rest = token.partition(":")
        name, colon, text = rest.partition(":")
        if verb != "dispute" or name not in COMBINED:
            return None
        cards = [PLAYS.get(f"play:{card}") for card in sorted(text.split(","))] if colon else []
        shown = [laid for laid, poses in filter(None, cards) if not poses or laid.card != laid.face]
        return (name, tuple(shown)) if len(shown) == len(cards) else None  # none poses as itself

    def rule(self, state: PunisseursState, action: tuple[str, tuple[Laid, ...]]) -> Phrase | None:
        name, reveal = action
        if name != state.todo[0]:
            return NOT_THIS_ONE
        cards = [laid.card for laid in reveal]
        if any(card not in state.hands[state.actor] for card in cards) or len(set(cards)) < len(cards):
            return NOT_HELD
        if any(laid.card != laid.face and not state.strengths[laid.card] for laid in reveal):
            return ONLY_DEMONS
        shown = BEST[name]([*state.faces(state.actor), *(laid.face for laid in reveal)])
        if self.suffices(state, name, shown):
            return None
        return TOO_WEAK if state.options["dispute_equal"] == "allowed" else MUST_BEAT

    def written(self, action: tuple[str, tuple[Laid, ...]], token: str) -> str:
        name, reveal = action
        cards = ",".join(laid.token for laid in reveal)
        return f"dispute:{name}:{cards}" if reveal else f"dispute:{name}"

    def take(self, state: PunisseursState, action: tuple[str, tuple[Laid, ...]]) -> None:
        name, reveal = action
        at, actor = PLACES[name], state.actor
        if reveal:
            state.disputed = [(), ()]
            for laid in reveal:
                state.hands[actor] = without(state.hands[actor], laid.card)
            state.laid[actor] += reveal
        else:
            state.disputed[at] += (actor,)
        state.cross_off(name, actor)
        if set(state.disputed[at]) >= set(state.objectives[at].contenders):
            state.decide(at, None)
        state.next_turn()


ROB, PLAY, EXPOSITION, TALK = Rob(), Play(), Exposition(), Talk()
