"""Two seats to a table: Mitchell and Howell movements and what lies between them, and round robins.

All but the round robins are developed from one round: from round to round every pair that moves, and every
set of boards, goes one number further.
"""

import json
from pathlib import Path
from random import Random

from engines.phrases import Phrase

from .layout import BadMovement, Movement, Table, laid_out
from .switches import switched_rounds

BASES: dict[str, list[list[int | None]]] = json.loads(
    Path(__file__).with_name("howell.json").read_text("utf-8")
)
"""First rounds by "tables x rounds": for each table the moving contestant, whom it meets (another moving one,
or null for a stationary one) and the set of boards; found by `searches`."""


def howell(contestants: int, boards_per_round: int) -> Movement:
    """Everyone meets everyone once, on boards of which a single copy is enough; four and six contestants, for
    whom there is no such thing, share the boards of a round."""
    _even(contestants)
    tables, rounds = contestants // 2, contestants - 1
    if tables < 2:
        raise BadMovement(
            Phrase("a Howell movement has four contestants or more, not {count}", count=contestants)
        )
    if tables < 4:
        return round_robin(contestants, boards_per_round, name="howell")
    if tables == 5:
        return development("howell", tables, rounds, boards_per_round)
    pairs = strong_starter(rounds)
    base: list[list[int | None]] = [[0, None, 0]]
    base += [[x, y, (x + y) % rounds] for x, y in pairs]
    return from_base("howell", base, tables, rounds, boards_per_round)


def reduced_howell(contestants: int, boards_per_round: int, rounds: int) -> Movement:
    """Fewer rounds than contestants to meet (`howell_rounds`): some stay where they are, the others move as
    in a Howell."""
    return development("reduced-howell", contestants // 2, rounds, boards_per_round)


def howell_rounds(contestants: int) -> list[int]:
    """The numbers of rounds of a Howell and of the reduced ones."""
    tables = contestants // 2
    shorter = [int(key.split("x")[1]) for key in BASES if key.split("x")[0] == str(tables)]
    return sorted({*shorter, contestants - 1}) if tables >= 2 and contestants % 2 == 0 else []


def development(name: str, tables: int, rounds: int, boards_per_round: int) -> Movement:
    return from_base(name, BASES[f"{tables}x{rounds}"], tables, rounds, boards_per_round)


def from_base(
    name: str, base: list[list[int | None]], tables: int, rounds: int, boards_per_round: int
) -> Movement:
    """Moving contestants are 0 to `rounds` − 1, the stationary ones follow."""
    laid: list[list[Table]] = []
    for step in range(rounds):
        stationary = rounds
        seated: list[Table] = []
        for x, y, boards in base:
            assert x is not None
            assert boards is not None
            if y is None:
                seated.append(((stationary, (x + step) % rounds), (boards + step) % rounds))
                stationary += 1
            else:
                seated.append((((x + step) % rounds, (y + step) % rounds), (boards + step) % rounds))
        laid.append(seated)
    return laid_out(f"{name}-{2 * tables}x{rounds}", laid, boards_per_round)


def mitchell(
    contestants: int, boards_per_round: int, rounds: int | None = None, *, switches: bool = False
) -> Movement:
    """Half of the contestants stay, the others move one table up after each round, and the boards one down.

    With an even number of tables the moving contestants skip a table half-way, and one round fewer is
    played. `switches`: in some rounds the two sides change seats, so that one ranking can be made; about one
    round in eight, as the balance wants it (`switches.switched_rounds`).
    """
    _even(contestants)
    tables = contestants // 2
    rounds = rounds or tables - (tables + 1) % 2
    skipped = [int(tables % 2 == 0 and step >= tables // 2) for step in range(rounds)]
    moved = [2 * step + skipped[step] for step in range(rounds)]
    switched = switched_rounds(tables, moved) if switches else set()
    name = "mitchell" if tables % 2 else "skip-mitchell"
    laid: list[list[Table]] = []
    for step in range(rounds):
        seated: list[Table] = []
        for table in range(tables):
            pair = (table, tables + (table - step - skipped[step]) % tables)
            seated.append((pair[::-1] if step in switched else pair, (table + step) % tables))
        laid.append(seated)
    told = f"-switched-{len(switched)}" if switched else ""
    return laid_out(f"{name}-{contestants}x{rounds}{told}", laid, boards_per_round)


def relay_mitchell(contestants: int, boards_per_round: int, rounds: int | None = None) -> Movement:
    """An even number of tables and as many rounds: the first table and the last share their boards, and
    half-way the boards of one round rest on a relay."""
    _even(contestants)
    tables = contestants // 2
    if tables % 2:
        raise BadMovement(Phrase("a relay is for an even number of tables, not {tables}", tables=tables))
    laid: list[list[Table]] = []
    for step in range(rounds or tables):
        seated: list[Table] = []
        for table in range(tables):
            pair = (table, tables + (table - step) % tables)
            boards = (table + step + (table >= tables // 2)) % tables
            seated.append((pair, boards))
        laid.append(seated)
    used = sorted({boards for tables in laid for _, boards in tables})  # one set less in a single round
    number = {boards: at for at, boards in enumerate(used)}
    laid = [[(pair, number[boards]) for pair, boards in tables] for tables in laid]
    return laid_out(f"relay-mitchell-{contestants}x{len(laid)}", laid, boards_per_round, shared=True)


def web_mitchell(contestants: int, boards_per_round: int, rounds: int | None = None) -> Movement:
    """Few boards at many tables, from two copies: in the first half of the tables boards move down as usual,
    in the second half up. An even number of tables, and an odd number of rounds from half of it up."""
    _even(contestants)
    tables = contestants // 2
    if tables % 2:
        raise BadMovement(Phrase("a web is for an even number of tables, not {tables}", tables=tables))
    known = web_rounds(tables)
    if not known:
        raise BadMovement(Phrase("a web needs four tables or more, not {tables}", tables=tables))
    rounds = rounds or known[-1]
    laid: list[list[Table]] = []
    for step in range(rounds):
        seated: list[Table] = []
        for table in range(tables):
            boards = table + step if table < tables // 2 else tables - 2 - table - step
            seated.append(((table, tables + (table - step) % tables), boards % rounds))
        laid.append(seated)
    return laid_out(f"web-mitchell-{contestants}x{rounds}", laid, boards_per_round)


def web_rounds(tables: int) -> list[int]:
    return [n for n in range(max((tables + 1) // 2, 3), tables) if n % 2] if tables % 2 == 0 else []


def round_robin(
    contestants: int, boards_per_round: int, rounds: int | None = None, *, name: str = "round-robin"
) -> Movement:
    """Everyone meets everyone, or as many as `rounds` allow; all tables play the same boards in a round. Of
    an odd number one sits out in each round."""
    if contestants < 2:
        raise BadMovement(Phrase("two contestants or more are needed, not {count}", count=contestants))
    circle = contestants + contestants % 2
    most = circle - 1
    laid: list[list[Table]] = []
    for step in range(most if rounds is None else rounds):
        pairs = [(most, step)] + [((step + i) % most, (step - i) % most) for i in range(1, circle // 2)]
        seated = [(pair if (i + step) % 2 else pair[::-1], step) for i, pair in enumerate(pairs)]
        laid.append([one for one in seated if max(one[0]) < contestants])
    return laid_out(f"{name}-{contestants}x{len(laid)}", laid, boards_per_round, shared=name == "howell")


def strong_starter(order: int) -> list[tuple[int, int]]:
    """The numbers from 1 to order − 1 in pairs, whose differences are all different (up to sign) and whose
    sums are all different and not 0, modulo an odd order from 7 on that is not 9.

    Source: J. Dinitz and D. Stinson, “A fast algorithm for finding strong starters” (1981): climb a hill,
    putting a new pair in the place of the one that it clashes with; begin again where that leads nowhere.
    """
    random = Random(order)  # noqa: S311 (the same movement every time is what we want)
    while True:
        found = _hill_climb(order, random)
        if found is not None:
            return found


def _hill_climb(order: int, random: Random) -> list[tuple[int, int]] | None:
    free = list(range(1, order))
    steps = list(range(1, (order + 1) // 2))  # the differences that no pair has yet
    partner: dict[int, int] = {}
    by_sum: dict[int, tuple[int, int]] = {}
    for _ in range(40 * order):
        if not steps:
            return sorted(by_sum.values())
        step, x = random.choice(steps), random.choice(free)
        y = (x + random.choice((step, -step))) % order
        total = (x + y) % order
        if y == 0 or total == 0:
            continue
        clashing = {frozenset((y, partner[y]))} if y in partner else set()
        if total in by_sum:
            clashing.add(frozenset(by_sum[total]))
        if len(clashing) > 1:
            continue
        for a, b in clashing:
            del by_sum[(a + b) % order], partner[a], partner[b]
            free += [a, b]
            steps.append(min((a - b) % order, (b - a) % order))
        by_sum[total] = (x, y)
        partner[x], partner[y] = y, x
        free.remove(x)
        free.remove(y)
        steps.remove(step)
    return None


def _even(contestants: int) -> None:
    if contestants % 2 or contestants < 2:
        raise BadMovement(
            Phrase(
                "{count} contestants do not fill tables of two, as {even} would: one would sit out",
                count=contestants,
                even=contestants + contestants % 2,
            )
        )
