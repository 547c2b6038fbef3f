"""Démons: a bet on the tricks, a talk of its own (section 4).

| who | says | then |
|---|---|---|
| a seat that is not out | opens | risks the first stake; the others that are not out answer in turn |
| the seat to answer | `concede` | is out, and keeps what it risked before |
| | `hold` | risks the stake |
| | `raise`, below the last stake | the stake doubles; it risks it; all others that are not out answer anew |
| no seat is left to answer | | over |

Stakes: partial 10, 20, 40; complete 20, 40, 80.
"""

from dataclasses import dataclass, replace

PARTIAL, COMPLETE = "partial", "complete"
FIRST = {PARTIAL: 10, COMPLETE: 20}
RAISES = 2
LAST_PLAY = {PARTIAL: 6, COMPLETE: 12}  # how many cards may have been played when it is opened
HOLD, RAISE, CONCEDE = "hold", "raise", "concede"


@dataclass(frozen=True, slots=True)
class Bet:
    """`risk` by seat (indices), `out`: the seats that cannot answer; `pending`: those that must, in their
    order."""

    kind: str
    stake: int
    risk: tuple[int, ...]
    out: frozenset[int]
    pending: tuple[int, ...]

    @property
    def most(self) -> int:
        return int(FIRST[self.kind] * 2**RAISES)

    def choices(self) -> tuple[str, ...]:
        """The answers of the next seat, while there is one."""
        return (CONCEDE, HOLD, RAISE) if self.stake < self.most else (CONCEDE, HOLD)

    def after(self, token: str) -> "Bet":
        """The talk after an answer of the next seat."""
        seat, rest = self.pending[0], self.pending[1:]
        if token == CONCEDE:
            return replace(self, out=self.out | {seat}, pending=rest)
        if token == HOLD:
            return replace(self, risk=with_risk(self.risk, seat, self.stake), pending=rest)
        stake = 2 * self.stake
        others = answering(seat, len(self.risk), self.out)
        return replace(self, stake=stake, risk=with_risk(self.risk, seat, stake), pending=others)


def first_bet(kind: str, seat: int, seats: int, out: frozenset[int]) -> Bet:
    stake = FIRST[kind]
    return Bet(kind, stake, with_risk((0,) * seats, seat, stake), out, answering(seat, seats, out))


def answering(seat: int, seats: int, out: frozenset[int]) -> tuple[int, ...]:
    """The seats that answer, from the left of the one that spoke."""
    order = ((seat + step) % seats for step in range(1, seats))
    return tuple(other for other in order if other not in out)


def with_risk(risk: tuple[int, ...], seat: int, stake: int) -> tuple[int, ...]:
    return tuple(stake if other == seat else old for other, old in enumerate(risk))
