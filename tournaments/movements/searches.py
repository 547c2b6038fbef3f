"""The searches that found the first rounds of cyclic movements. `python -m tournaments.movements.searches`
writes `kirkman.json`, `howell.json` and `whist.json` again, in half an hour; a size that is not found within
its tries is left out, and the tests say which must be there.

A movement is developed from its first round by going one number further in each round. What must happen once
over all rounds then has to happen once in the first round, as a difference of two numbers: an exact cover.
"""

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from typing import Any

Option = tuple[Hashable, ...]
Block = tuple[int, ...]

TRIES, CHOICES = 300, 20_000


class TooLong(Exception):
    pass


class ExactCover:
    """Options such that each item is in exactly one of them (D. Knuth's algorithm X, at random)."""

    def __init__(self, items: Sequence[Hashable], options: Sequence[Option], random: Random) -> None:
        self.options, self.random = options, random
        self.having: dict[Hashable, set[int]] = {item: set() for item in items}
        for number, option in enumerate(options):
            for item in option:
                self.having[item].add(number)
        self.chosen: list[int] = []
        self.left = CHOICES

    def solution(self) -> list[int] | None:
        """Numbers of options; None if there is none, or after too many choices."""
        try:
            return self.chosen if self._search() else None
        except TooLong:
            return None

    def _search(self) -> bool:
        self.left -= 1
        if self.left < 0:
            raise TooLong
        if not self.having:
            return True
        fewest = min(len(options) for options in self.having.values())
        hardest = [item for item, options in self.having.items() if len(options) == fewest]
        candidates = sorted(self.having[self.random.choice(hardest)])
        self.random.shuffle(candidates)
        for number in candidates:
            self.chosen.append(number)
            taken = self._take(number)
            if self._search():
                return True
            self._give_back(number, taken)
            self.chosen.pop()
        return False

    def _take(self, number: int) -> list[set[int]]:
        taken = []
        for item in self.options[number]:
            for other in self.having[item]:
                for further in self.options[other]:
                    if further != item:
                        self.having[further].discard(other)
            taken.append(self.having.pop(item))
        return taken

    def _give_back(self, number: int, taken: list[set[int]]) -> None:
        for item in reversed(self.options[number]):
            self.having[item] = taken.pop()
            for other in self.having[item]:
                for further in self.options[other]:
                    if further != item:
                        self.having[further].add(other)


def solution(items: Sequence[Hashable], options: Sequence[Option]) -> list[int] | None:
    for seed in range(TRIES):
        found = ExactCover(items, options, Random(seed)).solution()  # noqa: S311
        if found is not None:
            return found
    return None


def differences(block: Sequence[int], circle: int, circles: int) -> list[tuple[int, ...]] | None:
    """Which two numbers of a block are how far apart, within a circle or from one to another; None if two of
    them are half a circle apart. Numbers beyond the circles stay where they are."""
    found: list[tuple[int, ...]] = []
    for a, b in combinations(sorted(n for n in block if n < circle * circles), 2):
        step = (b - a) % circle
        if a // circle == b // circle:
            if 2 * step == circle:
                return None
            found.append((a // circle, a // circle, min(step, circle - step)))
        else:
            found.append((a // circle, b // circle, step))
    return found if len(set(found)) == len(found) else None


def three_circles(circle: int) -> dict[str, Any] | None:
    """A first round for three circles, and tables that make a round each when they go round alone."""
    points = range(3 * circle)
    items: list[Hashable] = [*points]
    items += [(i, i, step) for i in range(3) for step in range(1, (circle + 1) // 2)]
    items += [(i, j, step) for i, j in combinations(range(3), 2) for step in range(circle)]
    tables = [
        (block, (*block, *apart))
        for block in combinations(points, 3)
        if (apart := differences(block, circle, 3)) is not None
    ]
    alone = [
        (block, tuple(differences(block, circle, 3) or ()))
        for a in range(circle)
        for b in range(circle)
        for block in [(0, circle + a, 2 * circle + b)]
    ]
    found = solution(items, [option for _, option in (*tables, *alone)])
    if found is None:
        return None
    return {
        "circle": circle,
        "rounds": [[tables[n][0] for n in sorted(found) if n < len(tables)]],
        "alone": [alone[n - len(tables)][0] for n in sorted(found) if n >= len(tables)],
    }


def several_rounds(circle: int, circles: int, fixed: int, rounds: int) -> dict[str, Any] | None:
    """First rounds, each to be developed, for players in circles and one or two who stay."""
    moving = circle * circles
    stay = range(moving, moving + fixed)
    items: list[Hashable] = [("in", number, one) for number in range(rounds) for one in range(moving + fixed)]
    items += [(i, i, step) for i in range(circles) for step in range(1, (circle + 1) // 2)]
    unmet = {(0, 1, 0)} if circle % 2 and fixed == 2 else set()
    items += [
        (i, j, step)
        for i, j in combinations(range(circles), 2)
        for step in range(circle)
        if (i, j, step) not in unmet
    ]
    items += [("stays", one, i) for one in stay for i in range(circles)]
    found: list[tuple[int, Block]] = []
    options: list[Option] = []
    for block in combinations(range(moving + fixed), 3):
        apart = differences(block, circle, circles)
        if apart is None or unmet & set(apart) or block[1] >= moving:
            continue
        met = [("stays", block[2], one // circle) for one in block[:2] if block[2] >= moving]
        if len(set(met)) < len(met):
            continue
        for number in range(rounds):
            found.append((number, block))
            options.append((*(("in", number, one) for one in block), *apart, *met))
    chosen = solution(items, options)
    if chosen is None:
        return None
    told = sorted(found[n] for n in chosen)
    return {
        "circle": circle,
        "rounds": [[block for at, block in told if at == number] for number in range(rounds)],
        "alone": [],
    }


def kirkman(players: int) -> dict[str, Any] | None:
    """Everyone meets everyone once; of an even number everyone misses one."""
    if players == 15:
        return several_rounds(7, 2, 1, 1)
    if players == 18:
        return several_rounds(4, 4, 2, 2)
    circle = players // 3
    if circle % 8 in {2, 4}:  # three circles cannot do it, as trying shows
        return several_rounds(players // 2 - 1, 2, 2, 1)
    return three_circles(circle)


def howell(tables: int, rounds: int) -> list[list[int | None]] | None:
    """For each table of the first round: a moving contestant, the one it meets (None: a stationary one), and
    the set of boards."""
    stationary = range(2 * tables - rounds)
    steps = [("apart", step) for step in range(1, (rounds + 1) // 2)]
    sets = [("set", one) for one in range(rounds)]
    items = [(kind, n) for kind in ("at", "plays") for n in range(rounds)] + [
        ("stays", n) for n in stationary
    ]
    found: list[tuple[list[int | None], Option]] = []
    for boards in range(rounds):
        for x in range(rounds):
            seen = ("plays", (boards - x) % rounds)
            for y in range(x + 1, rounds):
                apart = min(y - x, rounds - y + x)
                if 2 * apart != rounds:
                    option = (("at", x), ("at", y), ("apart", apart), ("set", boards))
                    found.append(([x, y, boards], (*option, seen, ("plays", (boards - y) % rounds))))
            found += [
                ([x, None, boards], (("stays", n), ("at", x), ("set", boards), seen))
                for n in stationary
                if n or not x
            ]
    unused: list[Option] = [(one,) for one in (*steps, *sets)]
    chosen = solution([*items, *steps, *sets], [*(option for _, option in found), *unused])
    if chosen is None:
        return None
    return [
        found[n][0]
        for n in sorted(
            chosen, key=lambda n: (found[n][0][1] is not None, n) if n < len(found) else (True, n)
        )
        if n < len(found)
    ]


def whist(contestants: int) -> list[Block] | None:
    """The first round of a whist tournament: partners that have each distance on the circle once, then
    couples of partners that as opponents have each twice. Of 4n contestants the last one stays; of 4n + 1
    number 0 sits out."""
    circle = contestants - 1 if contestants % 4 == 0 else contestants
    points = [*range(circle)] if circle < contestants else [*range(1, circle)]
    at = {(a, b): min(b - a, circle - b + a) for a, b in combinations(points, 2)}
    options: list[Option] = [(("at", a), ("at", b), ("apart", apart)) for (a, b), apart in at.items()]
    if circle < contestants:
        at |= {(a, circle): 0 for a in points}  # no distance, but one to be had once and twice as well
        options += [(("at", a), ("at", circle)) for a in points]
    items = list(dict.fromkeys(item for option in options for item in option))
    for seed in range(WHIST_TRIES):
        chosen = ExactCover(items, options, Random(seed)).solution()  # noqa: S311
        if chosen is None:
            continue
        partners = [list(at)[number] for number in chosen]
        coupled = Couples(partners, at).couples()
        if coupled is not None:
            return [(a, c, b, d) for (a, b), (c, d) in coupled]
    return None


WHIST_TRIES, WHIST_CHOICES = 200, 300_000


class Couples:
    """Pairs put together by two, so that each distance from one pair of two to the other occurs twice."""

    def __init__(self, pairs: Sequence[tuple[int, int]], at: Mapping[tuple[int, int], int]) -> None:
        self.pairs = pairs
        self.across = {
            (i, j): apart
            for i, j in permutations(range(len(pairs)), 2)
            if max(Counter(apart := [at[min(a, b), max(a, b)] for a in pairs[i] for b in pairs[j]]).values())
            <= 2
        }
        self.left = dict.fromkeys(at.values(), 2)
        self.free = set(range(len(pairs)))
        self.chosen: list[tuple[int, int]] = []
        self.choices = WHIST_CHOICES

    def couples(self) -> list[tuple[tuple[int, int], tuple[int, int]]] | None:
        """The couples; None if there are none, or after too many choices."""
        try:
            found = self._search()
        except TooLong:
            return None
        return [(self.pairs[i], self.pairs[j]) for i, j in self.chosen] if found else None

    def _search(self) -> bool:
        self.choices -= 1
        if self.choices < 0:
            raise TooLong
        if not self.free:
            return True
        hardest, others = min(((i, self._fitting(i)) for i in self.free), key=lambda one: len(one[1]))
        for other in others:
            self._count(hardest, other, -1)
            self.free -= {hardest, other}
            self.chosen.append((hardest, other))
            if self._search():
                return True
            self.chosen.pop()
            self.free |= {hardest, other}
            self._count(hardest, other, 1)
        return False

    def _fitting(self, pair: int) -> list[int]:
        return [
            other
            for other in self.free
            if (apart := self.across.get((pair, other)))
            and all(self.left[far] >= apart.count(far) for far in apart)
        ]

    def _count(self, pair: int, other: int, step: int) -> None:
        for far in self.across[pair, other]:
            self.left[far] += step


def main() -> None:
    folder = Path(__file__).parent
    write(
        folder / "kirkman.json", {players: kirkman(players) for players in range(9, 121, 3) if players != 12}
    )
    sizes = [(tables, rounds) for tables in range(3, 11) for rounds in range(tables + 1, 2 * tables)]
    write(folder / "howell.json", {f"{tables}x{rounds}": howell(tables, rounds) for tables, rounds in sizes})
    known = json.loads((folder / "whist.json").read_text("utf-8"))
    found = {n: whist(n) for n in (*range(4, 53, 4), 21, 33)}
    write(folder / "whist.json", found | {n: known[str(n)] for n in WHIST_LONG})


WHIST_LONG = (45, 56, 57, 60)
"""Found in the same way, but after some hundred million choices: kept as they are."""


def write(path: Path, found: dict[Any, Any]) -> None:
    rows = [
        f"{json.dumps(str(key))}: {json.dumps(value, separators=(',', ':'))}"
        for key, value in found.items()
        if value
    ]
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
