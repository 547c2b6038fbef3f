"""A place for somebody who comes late where boards travel and nobody leaves: beside those who sit out, or in
another movement for the rest of the evening.

Boards travel in sets, one to a table in a round. Nobody may play a set of which a board is known to them, and
a round has no more copies of a set than the movement had.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp
from random import Random
from typing import Any

from engines.phrases import Phrase

from .cooling import Progress, cooling
from .layout import BadMovement, Sitting

BoardSet = tuple[int, ...]
Undo = Callable[[], None]

TRIES = 20_000  # places that are looked at before a sit-out stays one
STEPS = 60_000
STEPS_A_TABLE = 400  # of a round, where there are more tables than so many steps would do for
KNOWN = 12.0  # what a set costs that somebody has played, or of which a copy is lacking: in meetings again
HEAT = (2.0, 0.05)


@dataclass(slots=True)
class TravellingRest:
    """What the rounds to come have to respect. `sets`: those that are still to be played, since the cards of
    the others may be known to everybody; `known`: who has played a board of which sets; `copies`: at how many
    tables a set may be in one round."""

    rounds: list[int]
    tables: dict[int, dict[int, tuple[tuple[int, ...], BoardSet]]]
    sets: list[BoardSet]
    known: dict[int, set[BoardSet]]
    copies: int
    lines: dict[int, Counter[int]]

    @classmethod
    def of(cls, kept: Sequence[Sitting], rest: Sequence[Sitting]) -> "TravellingRest":
        held: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
        for sitting in rest:
            held[sitting.round, sitting.table].append(sitting)
        tables: dict[int, dict[int, tuple[tuple[int, ...], BoardSet]]] = defaultdict(dict)
        in_use: Counter[tuple[int, BoardSet]] = Counter()
        for (number, table), played in sorted(held.items()):
            boards = tuple(sorted(one.board for one in played))
            tables[number][table] = (played[0].contestants, boards)
            in_use[number, boards] += 1
        sets = sorted({boards for own in tables.values() for _seated, boards in own.values()})
        by_board: dict[int, list[BoardSet]] = defaultdict(list)
        for boards in sets:
            for board in boards:
                by_board[board].append(boards)
        known: dict[int, set[BoardSet]] = defaultdict(set)
        lines: dict[int, Counter[int]] = defaultdict(Counter)
        for sitting in (*kept, *rest):
            for seat, contestant in enumerate(sitting.contestants):
                lines[contestant][seat] += 1
        for sitting in kept:
            for contestant in sitting.contestants:
                known[contestant].update(by_board[sitting.board])
        return cls(sorted(tables), tables, sets, known, max(in_use.values()), lines)


def beside_sit_outs(
    kept: Sequence[Sitting], rest: Sequence[Sitting], here: Sequence[int], seats: int
) -> list[Sitting]:
    """Everybody stays where they are, and in each round those without a table make one, as far as there is a
    set of boards that none of them knows. The time grows with rounds and sets."""
    evening = TravellingRest.of(kept, rest)
    known = {one: set(evening.known[one]) for one in here}
    free: list[tuple[int, list[int]]] = []
    in_use: Counter[tuple[int, BoardSet]] = Counter()
    there = {c for s in (*kept, *rest) for c in s.contestants}
    found = []
    for number in evening.rounds:
        spare = set(here)
        for table, (seated, boards) in evening.tables[number].items():
            if not set(seated) <= set(here):
                continue
            spare -= set(seated)
            in_use[number, boards] += 1
            for one in seated:
                known[one].add(boards)
            found += [s for s in rest if (s.round, s.table) == (number, table)]
        order = sorted(spare, key=lambda one: (one in there, one))
        free += [(number, order[at : at + seats]) for at in range(0, len(order) // seats * seats, seats)]
    for (number, own), chosen in zip(free, _sets_for(evening, free, known, in_use), strict=True):
        if chosen is None:
            continue
        taken = {s.table for s in found if s.round == number}
        taken |= {s.table for s in (*kept, *found) if s.board in chosen}
        table = next(n for n in range(1, len(taken) + 2) if n not in taken)
        seated = _in_lines(own, evening.lines, there)
        found += [Sitting(number, table, board, seated) for board in chosen]
    return found


def _sets_for(
    evening: TravellingRest,
    free: Sequence[tuple[int, Sequence[int]]],
    known: dict[int, set[BoardSet]],
    in_use: Counter[tuple[int, BoardSet]],
) -> list[BoardSet | None]:
    """A set of boards for each table that could be added, by its round and those who would sit there: as many
    tables as can be, found by trying one set after another."""
    best: list[BoardSet | None] = [None] * len(free)
    now: list[BoardSet | None] = [None] * len(free)
    tries = 0

    def choices(at: int) -> Iterator[BoardSet]:
        number, own = free[at]
        for boards in evening.sets:
            if in_use[number, boards] < evening.copies and not any(boards in known[one] for one in own):
                yield boards

    def go_on(at: int, empty: int) -> bool:
        nonlocal best, tries
        tries += 1
        if empty >= best.count(None) or tries > TRIES:
            return False
        if at == len(free):
            best = list(now)
            return empty == 0
        number, own = free[at]
        for boards in list(choices(at)):
            now[at] = boards
            in_use[number, boards] += 1
            for one in own:
                known[one].add(boards)
            is_whole = go_on(at + 1, empty)
            in_use[number, boards] -= 1
            for one in own:
                known[one].discard(boards)
            if is_whole:
                return True
        now[at] = None
        return go_on(at + 1, empty + 1)

    go_on(0, 0)
    return best


def _in_lines(own: Sequence[int], lines: dict[int, Counter[int]], there: Collection[int]) -> tuple[int, ...]:
    """By seat, the contestants of a table: those who were here before take the seat that they had most often,
    the others take what is left."""
    seated: dict[int, int] = {}
    for one in sorted(own, key=lambda one: one not in there):
        seat = min(
            (seat for seat in range(len(own)) if seat not in seated),
            key=lambda seat: (-lines[one][seat], seat),
        )
        seated[seat] = one
    return tuple(seated[seat] for seat in range(len(own)))


def another_rest(
    kept: Sequence[Sitting],
    rest: Sequence[Sitting],
    here: Sequence[int],
    seats: int,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Sitting]:
    """Other tables for all rounds to come, annealed from those that there were: nobody plays a board twice,
    whoever has played most sits out first, and any two meet as seldom as can be. BadMovement where none are
    found."""
    evening = TravellingRest.of(kept, rest)
    before = max(len(own) for own in evening.tables.values())
    most = min(len(here) // seats, evening.copies * len(evening.sets))
    laid = None
    for count in dict.fromkeys((most, min(most, before))):
        random = Random(seed)  # noqa: S311 (tables are no secret)
        search = TableSearch.of(evening, kept, here, seats, count, random)
        steps = max(STEPS, STEPS_A_TABLE * sum(len(own) for own in search.tables))
        if (laid := search.run(steps, progress)) is not None:
            break
    if laid is None:
        raise BadMovement(
            Phrase("no other tables were found at which nobody plays a board twice; take fewer newcomers")
        )
    turns = is_turning(rest)
    found = []
    numbered = table_numbers(kept, [[boards for _seated, boards in own] for own in laid], tables=before)
    for number, own, tables in zip(evening.rounds, laid, numbered, strict=True):
        for table, (seated, boards) in zip(tables, own, strict=True):
            for step, board in enumerate(boards):
                turn = (number + step if turns else number) % seats
                found.append(
                    Sitting(
                        number, table, board, tuple(seated[(seat - turn) % seats] for seat in range(seats))
                    )
                )
    return found


def table_numbers(
    kept: Sequence[Sitting], held: Sequence[Sequence[BoardSet]], *, tables: int
) -> list[list[int]]:
    """A number for the table of each set in each round to come, so that no table plays a board twice.
    Tables join rounds and sets as coloured lines join two kinds of points: where no number is free at both,
    two numbers change places along a chain of such lines. Numbers beyond `tables`, and beyond those of a
    round, are taken only where no chain is found: it stops at what has been played."""
    numbers = range(1, max(tables, *map(len, held)) + 1)
    lines = [(number, boards) for number, own in enumerate(held) for boards in own]
    table_of: dict[int, int] = {}
    in_round: list[dict[int, int]] = [{} for _own in held]  # by table, the line
    of_set: dict[BoardSet, dict[int, int | None]] = {boards: {} for _number, boards in lines}
    for sitting in kept:
        for boards, taken in of_set.items():
            if sitting.board in boards:
                taken[sitting.table] = None  # it stays as it was

    def chain(line: int, table: int, other: int) -> list[int] | None:
        """The lines from the set of a line on that have these tables by turns; None where one is played."""
        found: list[int] = []
        number, boards = lines[line]
        at: dict[int, Any] = of_set[boards]
        while table in at:
            if (one := at[table]) is None:
                return None
            found.append(one)
            number, boards = lines[one]
            at = in_round[number] if at is of_set[boards] else of_set[boards]
            table, other = other, table
        return found

    def put(line: int, table: int) -> None:
        number, boards = lines[line]
        in_round[number][table] = of_set[boards][table] = line
        table_of[line] = table

    def make_room(line: int) -> int | None:
        number, boards = lines[line]
        for table in (n for n in numbers if n not in in_round[number]):
            for other in (n for n in numbers if n not in of_set[boards]):
                if (found := chain(line, table, other)) is None:
                    continue
                moved = [(one, other if table_of[one] == table else table) for one in found]
                for one in found:
                    number_of, set_of = lines[one]
                    del in_round[number_of][table_of[one]], of_set[set_of][table_of[one]]
                for one, new in moved:
                    put(one, new)
                return table
        return None

    for line, (number, boards) in enumerate(lines):
        used = {*in_round[number], *of_set[boards]}
        table = next((n for n in numbers if n not in used), None) or make_room(line)
        put(line, table or next(n for n in range(1, len(used) + 2) if n not in used))
    by_line = iter(range(len(lines)))
    return [[table_of[next(by_line)] for _boards in own] for own in held]


def is_turning(sittings: Sequence[Sitting]) -> bool:
    """Whether those at a table change seats from board to board."""
    seated: dict[tuple[int, int], set[tuple[int, ...]]] = defaultdict(set)
    for sitting in sittings:
        seated[sitting.round, sitting.table].add(sitting.contestants)
    return any(len(orders) > 1 for orders in seated.values())


@dataclass(slots=True)
class TableSearch:
    """The tables of each round to come, while a better plan is searched for by annealing. `out`: who sits
    out; `cost`: the sum to be made small, in which `wrong` counts what is not allowed."""

    evening: TravellingRest
    random: Random
    tables: list[list[list[int]]]
    boards: list[list[int]]
    out: list[list[int]]
    cost: float = 0.0
    wrong: int = 0
    plays: Counter[tuple[int, int]] = field(default_factory=Counter)
    in_use: Counter[tuple[int, int]] = field(default_factory=Counter)
    uses: Counter[int] = field(default_factory=Counter)
    met: Counter[tuple[int, int]] = field(default_factory=Counter)
    played: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(
        cls,
        evening: TravellingRest,
        kept: Sequence[Sitting],
        here: Sequence[int],
        seats: int,
        most: int,
        random: Random,
    ) -> "TableSearch":
        """Begun with so many tables at `most`, as they were: those who are here in the places of those who
        are not, and whoever has played least, in turn, in the place of whoever has played most."""
        one = cls(evening, random, [], [], [])
        for together in {(s.round, s.table): s.contestants for s in kept}.values():
            one.played.update(together)
            one.met.update(combinations(sorted(together), 2))
        known = {contestant: set(evening.known[contestant]) for contestant in here}
        for contestant in here:
            for number, boards in enumerate(evening.sets):
                one.plays[contestant, number] = int(boards in evening.known[contestant])
        turns = Counter({contestant: one.played[contestant] for contestant in here})
        beside: Counter[tuple[int, int]] = Counter()
        for number in evening.rounds:
            own, held = _tables_of(evening, number, here, most)
            spare = sorted(set(here) - {c for seated in own for c in seated}, key=lambda c: (turns[c], c))
            for seated, boards in zip(own, held, strict=True):
                while len(seated) < seats:
                    seated.append(next((c for c in spare if boards not in known[c]), spare[0]))
                    spare.remove(seated[-1])
            for at, late in enumerate(spare):
                spare[at] = _in_turn(late, own, held, known, turns, beside)
            for seated, boards in zip(own, held, strict=True):
                turns.update(seated)
                beside.update((a, b) for a in seated for b in seated)
                for contestant in seated:
                    known[contestant].add(boards)
            one.tables.append(own)
            one.boards.append([evening.sets.index(boards) for boards in held])
            one.out.append(spare)
        for at, own in enumerate(one.tables):
            for table, seated in enumerate(own):
                one._take(at, one.boards[at][table], 1)
                for i, contestant in enumerate(seated):
                    one._seat(at, table, contestant, seated[:i], 1)
        return one

    def run(
        self, steps: int, progress: Progress | None
    ) -> list[list[tuple[tuple[int, ...], BoardSet]]] | None:
        """The best tables that were found, with their boards, by round; None: none that may be."""
        best, least = self._laid() if not self.wrong else None, self.cost
        random = self.random
        for done in cooling(steps, None, progress):
            heat = HEAT[0] * (HEAT[1] / HEAT[0]) ** done
            at = random.randrange(len(self.tables))
            before = self.cost
            undo = self._exchange(at) if random.random() < 0.7 else self._other_boards(at)
            change = self.cost - before
            if change > 0 and random.random() >= exp(-change / heat):
                undo()
            elif not self.wrong and (best is None or self.cost < least):
                best, least = self._laid(), self.cost
        return best

    def _laid(self) -> list[list[tuple[tuple[int, ...], BoardSet]]]:
        sets = self.evening.sets
        return [
            [(tuple(seated), sets[held]) for seated, held in zip(own, self.boards[at], strict=True)]
            for at, own in enumerate(self.tables)
        ]

    def _exchange(self, at: int) -> Undo:
        """Two of a round change places, or one of them sits out instead of the other."""
        random, own, out = self.random, self.tables[at], self.out[at]
        one = random.randrange(len(own))
        i = random.randrange(len(own[one]))
        other = random.randrange(len(own) + bool(out))
        j = random.randrange(len(out)) if other == len(own) else random.randrange(len(own[other]))
        if other == one:
            return lambda: None
        self._change(at, one, i, other, j)
        return lambda: self._change(at, one, i, other, j)

    def _change(self, at: int, one: int, i: int, other: int, j: int) -> None:
        own = self.tables[at]
        here, there = own[one], self.out[at] if other == len(own) else own[other]
        a, b = here[i], there[j]
        self._seat(at, one, a, [c for c in here if c != a], -1)
        if other < len(own):
            self._seat(at, other, b, [c for c in there if c != b], -1)
        here[i], there[j] = b, a
        self._seat(at, one, b, [c for c in here if c != b], 1)
        if other < len(own):
            self._seat(at, other, a, [c for c in there if c != a], 1)

    def _other_boards(self, at: int) -> Undo:
        """A table of a round takes another set, or those of two tables change places."""
        held = self.boards[at]
        one, wanted = self.random.randrange(len(held)), self.random.randrange(len(self.evening.sets))
        before = held[one]
        if wanted == before:
            return lambda: None
        is_free = self.in_use[at, wanted] < self.evening.copies
        other = None if is_free else held.index(wanted)

        def give(first: int, second: int) -> None:
            self._give(at, one, first)
            if other is not None:
                self._give(at, other, second)

        give(wanted, before)
        return lambda: give(before, wanted)

    def _give(self, at: int, table: int, boards: int) -> None:
        seated, before = self.tables[at][table], self.boards[at][table]
        self._take(at, before, -1)
        self._take(at, boards, 1)
        for contestant in seated:
            self._play(contestant, before, -1)
            self._play(contestant, boards, 1)
        self.boards[at][table] = boards

    def _seat(self, at: int, table: int, contestant: int, others: Sequence[int], sign: int) -> None:
        self._play(contestant, self.boards[at][table], sign)
        self.cost += _step(self.played, contestant, sign)
        for one in others:
            self.cost += _step(self.met, (min(one, contestant), max(one, contestant)), sign)

    def _play(self, contestant: int, boards: int, sign: int) -> None:
        """A set is played once more by somebody, or once less."""
        self._count(self.plays, (contestant, boards), sign, most=1)

    def _take(self, at: int, boards: int, sign: int) -> None:
        """A set is at one table more in a round, or at one less."""
        self._count(self.in_use, (at, boards), sign, most=self.evening.copies)
        self.cost += _step(self.uses, boards, sign) / 2

    def _count(self, counts: Counter[tuple[int, int]], key: tuple[int, int], sign: int, *, most: int) -> None:
        was = max(counts[key] - most, 0)
        counts[key] += sign
        more = max(counts[key] - most, 0) - was
        self.wrong += more
        self.cost += KNOWN * more


def _tables_of(
    evening: TravellingRest, number: int, here: Collection[int], most: int
) -> tuple[list[list[int]], list[BoardSet]]:
    """The tables that a round had, without those who are not here, and their sets; as many empty ones, with
    sets that are not in use, as there may be more."""
    planned = sorted(evening.tables[number].items())[:most]
    own = [[c for c in seated if c in here] for _table, (seated, _boards) in planned]
    held = [boards for _table, (_seated, boards) in planned]
    free = [boards for boards in evening.sets if boards not in held] or evening.sets
    more = most - len(own)
    return own + [[] for _ in range(more)], held + [free[at % len(free)] for at in range(more)]


def _in_turn(
    late: int,
    own: Sequence[list[int]],
    held: Sequence[BoardSet],
    known: Mapping[int, Collection[BoardSet]],
    turns: Mapping[int, int],
    beside: Mapping[tuple[int, int], int],
) -> int:
    """Seats somebody at a table whose boards they do not know, in the place of whoever has played most, if
    that is more than they have, beside those whom they have met least; who sits out then."""
    open_to = [
        (turns[contestant], -sum(beside[late, one] for one in seated if one != contestant), -table, i)
        for table, (seated, boards) in enumerate(zip(own, held, strict=True))
        if boards not in known[late]
        for i, contestant in enumerate(seated)
        if turns[contestant] > turns[late]
    ]
    if not open_to:
        return late
    *_why, table, i = max(open_to)
    away, own[-table][i] = own[-table][i], late
    return away


def _step(counts: Counter[Any], key: Any, sign: int) -> int:
    """One more, or one less, and by how much the sum of the squares grows."""
    was = counts[key]
    counts[key] = was + sign
    return 2 * was * sign + 1
