"""Swiss rounds: equals meet equals, nobody meets anybody twice as long as that is possible, and nobody sits
out twice.

A maintained graph library finds the matching of least distance in the standings. Tables of three and four,
for which there is no such matching, are mended by exchanges until as few as possible meet again.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice
from math import exp
from random import Random

from engines.phrases import Phrase

from .layout import BadMovement

Number = int | Fraction

NEAR = 12  # first only this many places up and down are looked at, then everyone


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables of a round, the leaders first, each with its contestants by rank; and who sits out.
    `repeats`: those who meet again, since no round was found in which nobody does."""

    tables: tuple[tuple[int, ...], ...]
    sit_outs: tuple[int, ...] = ()
    repeats: tuple[tuple[int, int], ...] = ()


def swiss_round(
    scores: Mapping[int, Number],
    *,
    seats: int = 2,
    met: Iterable[Collection[int]] = (),
    sat_out: Collection[int] = (),
    forbidden: Iterable[Collection[int]] = (),
    seed: int = 0,
) -> Pairing:
    """The tables of the next round, from the scores so far.

    `met`: tables that have played (of any size); `sat_out`: who has sat out already; `forbidden`: those who
    must not meet, for example members of one club in the first rounds. If the tables cannot be filled, the
    lowest who have not sat out yet do, and after them the lowest of all. Where nobody is left whom somebody
    has not met, the round with the fewest repeats is taken, and says which they are. BadMovement if those who
    must not meet cannot be kept apart.
    """
    times = Counter(pair for table in met for pair in combinations(sorted(table), 2))
    never = {pair for table in forbidden for pair in combinations(sorted(table), 2)}
    apart = never | times.keys()
    order = sorted(scores, key=lambda one: (-Fraction(scores[one]), one))
    if len(order) < seats:
        raise BadMovement(
            Phrase("{count} contestants do not fill a table of {seats}", count=len(order), seats=seats)
        )
    for resting in _who_rests(order, len(order) % seats, sat_out):
        playing = [one for one in order if one not in resting]
        tables = _matching(playing, seats, apart)
        if tables is not None:
            return Pairing(tuple(tables), tuple(sorted(resting)))
    pairings = [
        _with_repeats(order, seats, resting, times, never, Random(seed))  # noqa: S311
        for resting in islice(_who_rests(order, len(order) % seats, sat_out), RESTS)
    ]
    best = min(pairings, key=lambda one: (len(_together(one) & never), len(one.repeats)))
    if never & _together(best):
        raise BadMovement(Phrase("those who must not meet cannot be kept apart in this round"))
    return best


RESTS = 4  # ways of sitting out that are tried before anybody meets again


def _with_repeats(
    order: Sequence[int],
    seats: int,
    resting: Collection[int],
    times: Counter[tuple[int, int]],
    never: Collection[tuple[int, int]],
    random: Random,
) -> Pairing:
    playing = [one for one in order if one not in resting]
    tables = _with_fewest_repeats(playing, seats, times, never, random)
    pairing = Pairing(tuple(tables), tuple(sorted(resting)))
    return replace(pairing, repeats=tuple(sorted(pair for pair in _together(pairing) if times[pair])))


def _together(pairing: Pairing) -> set[tuple[int, int]]:
    return {pair for table in pairing.tables for pair in combinations(sorted(table), 2)}


def _who_rests(order: Sequence[int], count: int, sat_out: Collection[int]) -> Iterable[frozenset[int]]:
    """Who may sit out, the lowest first; those who have done so before only if there are too few others."""
    if not count:
        yield frozenset()
        return
    lowest_first = [one for one in reversed(order) if one not in sat_out]
    if len(lowest_first) < count:
        again = [one for one in reversed(order) if one in sat_out]
        lowest_first += again[: count - len(lowest_first)]
    yield from (frozenset(some) for some in _some_of(lowest_first, count))


def _some_of(lowest_first: Sequence[int], count: int, most: int = 200) -> Iterable[tuple[int, ...]]:
    for number, some in enumerate(combinations(lowest_first, count)):
        if number == most:
            return
        yield some


def _matching(
    order: Sequence[int], seats: int, apart: Collection[tuple[int, int]]
) -> list[tuple[int, ...]] | None:
    """Tables of neighbours in the order: the first of each table, then whoever fits best beside those already
    there, seat by seat. None if somebody is left over."""
    if seats == 2:
        return _pairs(order, apart)
    tables_count = len(order) // seats
    neighbours = [order[layer::seats] for layer in range(seats)]
    blocks = [order[layer * tables_count : (layer + 1) * tables_count] for layer in range(seats)]
    for layers in (neighbours, blocks):  # another way of dividing them up, if the first leaves somebody over
        tables: list[tuple[int, ...]] | None = [(one,) for one in layers[0]]
        for layer in layers[1:]:
            tables = tables and _with_layer(tables, layer, order, apart)
        if tables:
            return _by_rank(tables, order)
    return None


def _by_rank(tables: Iterable[Collection[int]], order: Sequence[int]) -> list[tuple[int, ...]]:
    """The tables with the leaders first, and each with its own leader first."""
    place = {one: at for at, one in enumerate(order)}
    by_rank = [tuple(sorted(table, key=place.__getitem__)) for table in tables]
    return sorted(by_rank, key=lambda table: place[table[0]])


def _pairs(order: Sequence[int], apart: Collection[tuple[int, int]]) -> list[tuple[int, ...]] | None:
    import networkx as nx  # as in groups.py: only those who pair wait for it

    for reach in (NEAR, len(order)):
        graph = nx.Graph()
        graph.add_nodes_from(order)
        for at, one in enumerate(order):
            for further, other in enumerate(order[at + 1 : at + 1 + reach], 1):
                if (min(one, other), max(one, other)) not in apart:
                    graph.add_edge(one, other, weight=further * further)
        matching = nx.min_weight_matching(graph)
        if 2 * len(matching) == len(order):
            return _by_rank(matching, order)
    return None


def _with_layer(
    tables: Sequence[tuple[int, ...]],
    layer: Sequence[int],
    order: Sequence[int],
    apart: Collection[tuple[int, int]],
) -> list[tuple[int, ...]] | None:
    """Each of the layer at a table where it has met nobody; None if that cannot be."""
    import networkx as nx

    place = {one: at for at, one in enumerate(order)}
    graph = nx.Graph()
    for table in tables:
        for one in layer:
            if all((min(one, other), max(one, other)) not in apart for other in table):
                far = abs(place[table[0]] - place[one])
                graph.add_edge(("table", table), ("one", one), weight=far * far)
    matching = nx.min_weight_matching(graph)
    if len(matching) < len(tables):
        return None
    found = []
    for pair in matching:
        (_, table), (_, one) = sorted(pair, key=lambda node: node[0] != "table")
        found.append((*table, one))
    return found


STEPS = 60_000
WARMTH = 0.6  # of a repeat, at the start


def _with_fewest_repeats(
    order: Sequence[int],
    seats: int,
    times: Counter[tuple[int, int]],
    never: Collection[tuple[int, int]],
    random: Random,
) -> list[tuple[int, ...]]:
    """Tables of neighbours in the order, among whom two and two are exchanged as long as that brings fewer
    repeats, and then less distance in the order. What must not meet weighs more than all repeats together."""
    place = {one: at for at, one in enumerate(order)}
    heavy = len(order) * seats
    weight = Counter(times)
    for pair in never:
        weight[pair] += heavy

    def repeats(table: Sequence[int]) -> int:
        return sum(weight[pair] for pair in combinations(sorted(table), 2))

    def distance(table: Sequence[int]) -> float:
        places = [place[one] for one in table]
        return (max(places) - min(places)) ** 2 / (len(order) ** 2 * len(order))  # all together: below 1

    tables = [list(order[at : at + seats]) for at in range(0, len(order), seats)]
    costs = [repeats(table) + distance(table) for table in tables]
    best, least = [*map(tuple, tables)], sum(costs)
    for step in range(STEPS if len(tables) > 1 else 0):
        one, other = random.sample(range(len(tables)), 2)
        mine, theirs = random.randrange(seats), random.randrange(seats)
        first, second = tables[one], tables[other]
        first[mine], second[theirs] = second[theirs], first[mine]
        after = (repeats(first) + distance(first), repeats(second) + distance(second))
        worse = sum(after) - costs[one] - costs[other]
        warmth = WARMTH * (1 - step / STEPS) ** 2
        if worse <= 0 or (warmth and random.random() < exp(-worse / warmth)):
            costs[one], costs[other] = after
            if sum(costs) < least:
                best, least = [*map(tuple, tables)], sum(costs)
        else:
            first[mine], second[theirs] = second[theirs], first[mine]
    return _by_rank(best, order)
