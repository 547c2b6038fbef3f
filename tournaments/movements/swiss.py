"""Swiss rounds: equals meet equals, nobody meets anybody twice, and nobody sits out twice.

A maintained graph library finds the matching of least distance in the standings.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import networkx as nx

from engines.phrases import Phrase

from .layout import BadMovement

Number = int | Fraction

NEAR = 12  # first only this many places up and down are looked at, then everyone


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables of a round, the leaders first, each with its contestants by rank; and who sits out."""

    tables: tuple[tuple[int, ...], ...]
    sit_outs: tuple[int, ...] = ()


def swiss_round(
    scores: Mapping[int, Number],
    *,
    seats: int = 2,
    met: Iterable[Collection[int]] = (),
    sat_out: Collection[int] = (),
    forbidden: Iterable[Collection[int]] = (),
) -> Pairing:
    """The tables of the next round, from the scores so far.

    `met`: tables that have played (of any size); `sat_out`: who has sat out already; `forbidden`: those who
    must not meet, for example members of one club in the first rounds. If the tables cannot be filled, the
    lowest who have not sat out yet do. BadMovement if no such round is found: too few are left who have not
    met.
    """
    apart = {pair for table in (*met, *forbidden) for pair in combinations(sorted(table), 2)}
    order = sorted(scores, key=lambda one: (-Fraction(scores[one]), one))
    if len(order) < seats:
        raise BadMovement(
            Phrase("{count} contestants do not fill a table of {seats}", count=len(order), seats=seats)
        )
    for resting in _who_rests(order, len(order) % seats, sat_out):
        playing = [one for one in order if one not in resting]
        tables = _matched(playing, seats, apart)
        if tables is not None:
            return Pairing(tuple(tables), tuple(sorted(resting)))
    raise BadMovement(Phrase("no round is left in which nobody meets anybody twice, or sits out twice"))


def _who_rests(order: Sequence[int], count: int, sat_out: Collection[int]) -> Iterable[frozenset[int]]:
    """Who may sit out, the lowest first."""
    if not count:
        yield frozenset()
        return
    lowest_first = [one for one in reversed(order) if one not in sat_out]
    yield from (frozenset(some) for some in _some_of(lowest_first, count))


def _some_of(lowest_first: Sequence[int], count: int, most: int = 200) -> Iterable[tuple[int, ...]]:
    for number, some in enumerate(combinations(lowest_first, count)):
        if number == most:
            return
        yield some


def _matched(
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
            tables = tables and _joined(tables, layer, order, apart)
        if tables:
            return _ordered(tables, order)
    return None


def _ordered(tables: Iterable[Collection[int]], order: Sequence[int]) -> list[tuple[int, ...]]:
    """The tables with the leaders first, and each with its own leader first."""
    place = {one: at for at, one in enumerate(order)}
    by_rank = [tuple(sorted(table, key=place.__getitem__)) for table in tables]
    return sorted(by_rank, key=lambda table: place[table[0]])


def _pairs(order: Sequence[int], apart: Collection[tuple[int, int]]) -> list[tuple[int, ...]] | None:
    for reach in (NEAR, len(order)):
        graph = nx.Graph()
        graph.add_nodes_from(order)
        for at, one in enumerate(order):
            for further, other in enumerate(order[at + 1 : at + 1 + reach], 1):
                if (min(one, other), max(one, other)) not in apart:
                    graph.add_edge(one, other, weight=further * further)
        matching = nx.min_weight_matching(graph)
        if 2 * len(matching) == len(order):
            return _ordered(matching, order)
    return None


def _joined(
    tables: Sequence[tuple[int, ...]],
    layer: Sequence[int],
    order: Sequence[int],
    apart: Collection[tuple[int, int]],
) -> list[tuple[int, ...]] | None:
    """Each of the layer at a table where it has met nobody; None if that cannot be."""
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
