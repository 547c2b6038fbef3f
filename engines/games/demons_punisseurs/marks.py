"""Démons punisseurs: the bets on each objective (section 5), and the marks (7)."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, NamedTuple

from ...contract import Fact, Outcome
from ...endings import Mirror
from ...tricks import AROUND
from .cards import GAME, PAREIL, SEATS, SUITE

# ── The bets on one objective ─────────────────────────────────────────────────────────────────────

IN, RISK, OUT = "in", "risk", "out"
HOLD, GOOD, PUSH, SILENT = "hold", "good", "push", "silent"
BET, CONCEDE = "bet", "concede"
BET_LEVEL = 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """A bet that others must answer: `waiting`: the seats to answer, in order; `said`: the answers so far, by
    seat (index)."""

    level: int
    bidder: int
    waiting: tuple[int, ...]
    said: tuple[tuple[int, str], ...] = ()


Step = Callable[["Objective", Any], "Objective"]


def remembered(step: Step) -> Step:
    """A step of an objective is worked out once: there are few, and all deals begin with the same one."""
    name = step.__name__

    @wraps(step)
    def after(objective: "Objective", what: Any) -> "Objective":
        following = objective.steps.get((name, what))
        if following is None:
            following = objective.steps[name, what] = step(objective, what)
        return following

    return after


@dataclass(frozen=True, slots=True)
class Objective:
    """`engaged` by seat: what it loses if it does not win. `conceded_to`: the one seat left, if only one is;
    `resolved`: whether it is decided, for `winner` if anybody. A seat is `in`, `out`, or at `risk`.
    """

    stake: int = 1
    status: tuple[str, ...] = (IN,) * SEATS
    engaged: tuple[int, ...] = (0,) * SEATS
    last_bidder: int | None = None
    proposal: Proposal | None = None
    conceded_to: int | None = None
    resolved: bool = False
    winner: int | None = None
    contenders: tuple[int, ...] = field(init=False, compare=False)
    calls: tuple[tuple[str, ...], ...] = field(init=False, compare=False)  # by seat, outside a talk
    callers: int = field(init=False, compare=False)  # the seats with something to say, as bits
    steps: dict[tuple[str, Any], "Objective"] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        contenders = tuple(seat for seat in range(SEATS) if self.status[seat] != OUT)
        calls = tuple(self.calls_of(seat) if seat in contenders else () for seat in range(SEATS))
        callers = sum(1 << seat for seat in range(SEATS) if calls[seat])
        follows = {"contenders": contenders, "calls": calls, "callers": callers, "steps": {}}
        for name, value in follows.items():
            object.__setattr__(self, name, value)

    def calls_of(self, seat: int) -> tuple[str, ...]:
        """What a contender may say outside a talk: bet, or raise another's bet, while it is in; concede."""
        if self.resolved or self.conceded_to is not None or self.proposal is not None:
            return ()
        if self.status[seat] != IN:
            return (CONCEDE,)
        if self.stake == 1:
            return BET, CONCEDE
        more = self.stake == BET_LEVEL and self.last_bidder != seat
        return (PUSH, CONCEDE) if more else (CONCEDE,)

    @property
    def points(self) -> int:
        """What the winner marks."""
        return 0 if self.winner is None or self.status[self.winner] != IN else self.stake

    @property
    def losses(self) -> tuple[int, ...]:
        """What each seat loses when it is resolved."""
        return tuple(0 if seat == self.winner else own for seat, own in enumerate(self.engaged))

    # Proposals

    @remembered
    def propose(self, seat: int) -> "Objective":
        """A bet or a push."""
        waiting = tuple(other for other in AROUND[SEATS, 1][seat][1:] if self.status[other] != OUT)
        return replace(self, proposal=Proposal(self.stake + 1, seat, waiting))

    def choices(self) -> tuple[str, ...]:
        """The answers of the next seat."""
        assert self.proposal is not None
        talk = self.proposal
        pushes = (PUSH,) if talk.level == BET_LEVEL else ()
        if len(talk.waiting) == 2:
            return HOLD, GOOD
        if talk.said and talk.said[0][1] == HOLD:
            return SILENT, *pushes
        return HOLD, GOOD, *pushes

    @remembered
    def after(self, token: str) -> "Objective":
        """The objective after an answer of the next seat."""
        assert self.proposal is not None
        talk = self.proposal
        seat, waiting = talk.waiting[0], talk.waiting[1:]
        if token == PUSH:
            return self.settlement(held=True).propose(seat)
        talk = replace(talk, waiting=waiting, said=(*talk.said, (seat, token)))
        heard = replace(self, proposal=talk)
        return heard if waiting else heard.settlement(held=any(word == HOLD for _, word in talk.said))

    def settlement(self, *, held: bool) -> "Objective":
        """The objective at the end of a talk; a proposal that nobody takes is worth the old stake."""
        assert self.proposal is not None
        talk = self.proposal
        if not held:
            return replace(self, proposal=None, conceded_to=talk.bidder)
        said = dict(talk.said)
        status, engaged = list(self.status), list(self.engaged)
        for seat in range(SEATS):
            if seat == talk.bidder or said.get(seat) == HOLD:
                engaged[seat] = talk.level
            elif said.get(seat) == GOOD:
                status[seat] = RISK if engaged[seat] else OUT
        return replace(
            self,
            stake=talk.level,
            status=tuple(status),
            engaged=tuple(engaged),
            last_bidder=talk.bidder,
            proposal=None,
        )

    # The end

    @remembered
    def concede(self, seat: int) -> "Objective":
        status = tuple(OUT if other == seat else old for other, old in enumerate(self.status))
        after = replace(self, status=status)
        left = after.contenders
        return replace(after, conceded_to=left[0]) if len(left) == 1 else after

    @remembered
    def with_winner(self, winner: int | None) -> "Objective":
        return replace(self, resolved=True, winner=winner)


AT_FIRST = Objective()


# ── The marks ─────────────────────────────────────────────────────────────────────────────────────

ENOUGH = 4  # tricks that win the jeu


class Share(NamedTuple):
    """How an objective ended: the winner (index) if anybody, what it marks, what each seat loses."""

    winner: int | None
    points: int
    losses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending(Mirror):
    """How a deal ended. `tricks` by seat, if they were noted."""

    parts = dict.fromkeys((PAREIL, SUITE, GAME), Share)

    pareil: Share
    suite: Share
    jeu: Share
    tricks: tuple[int, ...] | None = None

    @property
    def shares(self) -> tuple[tuple[str, Share], ...]:
        return (PAREIL, self.pareil), (SUITE, self.suite), (GAME, self.jeu)


def facts_of(result: Ending) -> list[Fact]:
    facts = [Fact("tricks", seat, 0, count) for seat, count in enumerate(result.tricks or (), 1)]
    for name, share in result.shares:
        if share.winner is None:
            facts.append(Fact(f"{name}-nobody"))
        else:
            facts.append(Fact(name, share.winner + 1, share.points))
        facts += [Fact(f"{name}-lost", seat, -loss) for seat, loss in enumerate(share.losses, 1) if loss]
    return facts


def outcome_of(result: Ending) -> Outcome:
    return Outcome.of(facts_of(result), SEATS)
