"""Caisse: the défi before the second trick, a talk of its own (section 4).

| state | who speaks | says | then |
|---|---|---|---|
| ask | the opponents in turn | `no` | the other opponent; after both: declined |
| | | `defi` | taker, p = 1 |
| taker | the taker | `concede` | conceded by the taker, 2^(p−1) |
| | | `accept` | accepted, 2^p |
| | | `contre` (p < 5) | opponents, p + 1 |
| opponents | both in turn | `contre` (p < 5) | taker, p + 1, at once |
| | | `concede`, `concede` | conceded by the opponents, 2^(p−1) |
| | | otherwise | accepted, 2^p |
"""

from dataclasses import dataclass, replace

MOST = 5
DEFI, NO, CONCEDE, ACCEPT, CONTRE = "defi", "no", "concede", "accept", "contre"
ASK, TAKER, OPPONENTS = "ask", "taker", "opponents"
DECLINED, ACCEPTED, CONCEDED = "declined", "accepted", "conceded"


@dataclass(frozen=True, slots=True)
class Defi:
    """`opponents` in turn order after the taker, seats as the caller counts them; `said` since the state
    began; `exponent` p; after a concession `by` is the side that conceded."""

    taker: int
    opponents: tuple[int, int]
    state: str = ASK
    exponent: int = 0
    said: tuple[str, ...] = ()
    by: str = "none"

    @property
    def is_over(self) -> bool:
        return self.state in {DECLINED, ACCEPTED, CONCEDED}

    @property
    def speaker(self) -> int | None:
        if self.is_over:
            return None
        return self.taker if self.state == TAKER else self.opponents[len(self.said)]

    @property
    def power(self) -> int:
        """The exponent that counts: the one accepted, or the one before the level that was conceded."""
        return {DECLINED: 0, ACCEPTED: self.exponent, CONCEDED: self.exponent - 1}[self.state]

    def choices(self) -> tuple[str, ...]:
        """What the next speaker may say, until the talk is over."""
        if self.state == ASK:
            return (DEFI, NO)
        return (CONCEDE, ACCEPT, CONTRE) if self.exponent < MOST else (CONCEDE, ACCEPT)

    def after(self, token: str) -> "Defi":
        """The talk after one of its choices."""
        if token == DEFI:
            return replace(self, state=TAKER, exponent=1, said=())
        if token == CONTRE:
            other = OPPONENTS if self.state == TAKER else TAKER
            return replace(self, state=other, exponent=self.exponent + 1, said=())
        if self.state == TAKER:
            taken = replace(self, state=ACCEPTED)
            return taken if token == ACCEPT else replace(self, state=CONCEDED, by=TAKER)
        said = (*self.said, token)
        if len(said) < len(self.opponents):
            return replace(self, said=said)
        if self.state == ASK:
            return replace(self, state=DECLINED, said=said)
        if said == (CONCEDE, CONCEDE):
            return replace(self, state=CONCEDED, said=said, by=OPPONENTS)
        return replace(self, state=ACCEPTED, said=said)
