"""Caisse: contres of the game and of contracts, a talk of its own (section 4).

| level | name | who may say it |
|---|---|---|
| 1 | contre | the side opposed to the owner |
| 2 | surcontre | the owner's side |
| 3 | sur-surcontre | the opposed side |
| 4 | sur-sur-surcontre | the owner's side |

Each multiplies by four if it was said with six cards, by two if with nine.
"""

from dataclasses import dataclass, replace

MOST = 4
SIX, NINE = 4, 2  # the factors


@dataclass(frozen=True, slots=True)
class Contres:
    """How many levels of one target were said with six cards, and how many with nine."""

    six: int = 0
    nine: int = 0

    @property
    def level(self) -> int:
        return self.six + self.nine

    @property
    def factor(self) -> int:
        return int(SIX**self.six * NINE**self.nine)

    def may(self, *, owner: bool) -> bool:
        """Whether the owner's side, or the other, may say the next level."""
        return self.level < MOST and owner == (self.level % 2 == 1)

    def with_level(self, *, with_six: bool) -> "Contres":
        return replace(self, six=self.six + 1) if with_six else replace(self, nine=self.nine + 1)
