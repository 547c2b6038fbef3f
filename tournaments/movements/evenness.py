"""Everybody in every seat equally often, whatever the tables.

Between two seats each table with a board is an arrow, from who holds the one to who holds the other. To turn
the arrows of a path around takes one board in the first seat from where the path starts and gives it to where
it ends; for everybody between nothing changes. While somebody holds the first seat two boards too often, a
path leads from there to one who holds it less often than the other: those whom it reaches have no arrow that
leads away from them, so all of them together do not hold the first seat more often. In the end no two seats
differ by more than one board, and where the seats divide the boards of everybody, they do not differ at all.
"""

from collections import defaultdict
from heapq import heappop, heappush
from itertools import permutations

from .weights import Exchange, Seats


def even_out(seats: Seats) -> None:
    """Turn paths around, those first that cost the least balance, until none makes the seats more even."""
    turned = True
    while turned:
        turned = False
        for two in permutations(range(seats.width), 2):
            while path := _evening_path(seats, *two):
                for exchange in path:
                    seats.exchange(*exchange)
                turned = True


def _evening_path(seats: Seats, one: int, other: int) -> list[Exchange]:
    """From who holds the one seat too often to who holds it less often by more than two boards; or none."""
    surplus = [turns[one] - turns[other] for turns in seats.turns]
    least = min(surplus)
    levels = [level for level in sorted(set(surplus), reverse=True) if level - least > 2]
    if not levels:
        return []
    arrows: dict[int, list[tuple[int, int, Exchange]]] = defaultdict(list)
    for held in seats.held:
        if len(held.contestants) > max(one, other):
            ends = held.contestants[one], held.contestants[other]
            cost = max(seats.change(held, one, other), 0) + 1
            arrows[ends[0]].append((ends[1], cost, (held, one, other)))
    for level in levels:
        starts = [contestant for contestant, more in enumerate(surplus) if more == level]
        if path := _cheapest_path(arrows, starts, {c for c, more in enumerate(surplus) if level - more > 2}):
            return path
    return []


def _cheapest_path(
    arrows: dict[int, list[tuple[int, int, Exchange]]], starts: list[int], ends: set[int]
) -> list[Exchange]:
    """By Dijkstra's algorithm; none if no path leads there."""
    cheapest = dict.fromkeys(starts, 0)
    back: dict[int, tuple[int, Exchange]] = {}
    heap = [(0, start) for start in starts]
    while heap:
        spent, here = heappop(heap)
        if here in ends:
            path = []
            while here in back:
                here, exchange = back[here]
                path.append(exchange)
            return path
        if spent > cheapest[here]:
            continue
        for there, cost, exchange in arrows[here]:
            if there not in cheapest or spent + cost < cheapest[there]:
                cheapest[there] = spent + cost
                back[there] = here, exchange
                heappush(heap, (spent + cost, there))
    return []
