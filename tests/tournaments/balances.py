"""The best balance with even seats that is known for some evenings, and the long annealing that found it.

The movements are those of `EveningSize.movement`: the same tables each time, so that only the seats differ.
`python -m tests.tournaments.balances` anneals STEPS steps from SEED on, keeps what is better than
`balances.json`, and takes about five minutes.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tournaments.movements import Movement, Plan, balance, family_movement, quality, with_seats
from tournaments.movements.families import possible_rounds

FILE = Path(__file__).with_suffix(".json")
SEED, STEPS = 1000, 2_000_000


@dataclass(frozen=True, slots=True)
class EveningSize:
    contestants: int
    seats: int = 3
    boards_per_round: int = 3
    rounds: int = 7

    @property
    def movement(self) -> Movement:
        """A Kirkman movement or a plane where there is one, else annealed tables."""
        for family in ("kirkman", "plane", "annealed"):
            if self.rounds in possible_rounds(family, self.contestants, self.seats):
                return family_movement(
                    family, Plan(self.contestants, self.seats, self.boards_per_round, self.rounds)
                )
        raise AssertionError(self)


EVENINGS = (
    *(EveningSize(players) for players in range(3, 61)),
    EveningSize(33, rounds=16),
    EveningSize(16, 4, 3, 5),
    EveningSize(16, 4, 4, 5),
    EveningSize(25, 5, 3, 6),
    EveningSize(25, 5, 5, 6),
    EveningSize(24, 3, 2, 7),
)


def known() -> dict[EveningSize, float | None]:
    """The best balance of each evening; None where nobody is compared."""
    rows = json.loads(FILE.read_text("utf-8")) if FILE.exists() else []
    return {EveningSize(**{key: row[key] for key in EveningSize.__slots__}): row["balance"] for row in rows}


def rows() -> Iterator[str]:
    before = known()
    for evening in EVENINGS:
        movement = with_seats(evening.movement, seed=SEED, steps=STEPS)
        reached = balance(movement, evening.contestants)
        best = None if reached is None else max(round(float(reached), 2), before.get(evening) or 0)
        uneven = quality(movement, contestants=evening.contestants).seats
        yield json.dumps(asdict(evening) | {"balance": best, "uneven": uneven})
        print(evening, best, uneven, flush=True)


def main() -> None:
    FILE.write_text("[\n" + ",\n".join(rows()) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
