"""What everyone was ranked by after each round, for the plot beside the ranking.

It is a drawing of the newest version: always fresh in small fields; in large ones, where it costs more than
the ranking itself, it follows some seconds later.
"""

import json
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import cast

from django.db.models import F, Q

from scoring.amounts import BOARDS, LOW, MASK, amount

from ..models import Ranking, Tally
from . import counting, queue

SMALL_FIELD = 2_000  # plays
PLAYS_A_SECOND = 20_000  # of large fields: some 5 % of a core
LATER_SECONDS = 1.0
UNIT = 10**9  # values are whole numbers of it

UNDRAWN = Q(progress_position__lt=F("ranked_position")) | ~Q(live_drawn=F("live_version"))

_due: dict[int, float] = {}


def follow(tally: Tally, held: counting.SessionStandings) -> bool:
    """Put the progress of a small field into the tally, which the caller keeps, and say so; let that of a
    large one be made a little later."""
    if held.plays <= SMALL_FIELD:  # of the live list too
        _draw(tally, held)
        return True
    wait = _due.get(tally.session_id, 0.0) - time.monotonic()
    queue.send_later("progress", tally.session_id, seconds=max(wait, LATER_SECONDS))
    return False


def refresh(*, session_id: int) -> None:
    """The progress of a large field, from the standings that its lists were made of. The time grows with all
    plays; nobody waits for it."""
    now = time.monotonic()
    tallies = Tally.objects.select_related("session__board_set").filter(UNDRAWN, session=session_id)
    tally = tallies.first()
    if tally is None or now < _due.get(session_id, 0.0):
        return
    held, _lines = counting.up_to_date(tally)
    if tally.live_drawn != tally.live_version:
        newest = Ranking.objects.get(session=session_id, is_live=True, version=tally.live_version)
        held = replace(held, live=held.of_boards(counting.boards_of(newest)))
    _due[session_id] = now + held.plays / PLAYS_A_SECOND * (1 if held.live is None else 2)
    _draw(tally, held)
    older = Tally.objects.filter(UNDRAWN, pk=tally.pk, layout=tally.layout, live_version=tally.live_version)
    older.filter(progress_position__lte=held.position).update(
        progress=tally.progress,
        progress_position=held.position,
        live_progress=tally.live_progress,
        live_drawn=tally.live_version,
    )


def of_version(ranking: Ranking, contestants: Iterable[int]) -> dict[int, tuple[Fraction, ...]]:
    """Of these contestants. Only the newest version has one."""
    tallies = Tally.objects.filter(session=ranking.session_id)
    if ranking.is_live:
        drawing = tallies.filter(live_version=ranking.version).values_list("live_progress", flat=True).first()
    else:
        drawing = tallies.filter(version=ranking.version).values_list("progress", flat=True).first()
    if not drawing:
        return {}
    lines = json.loads(zlib.decompress(bytes(drawing)))
    return {k: tuple(Fraction(value, UNIT) for value in lines.get(str(k), ())) for k in contestants}


def _draw(tally: Tally, held: counting.SessionStandings) -> None:
    tally.progress = _packed(held)
    tally.progress_position = held.position
    if held.live is not None:
        tally.live_progress = _packed(held.live)


def _packed(held: counting.SessionStandings) -> bytes:
    return zlib.compress(json.dumps(_values(held), separators=(",", ":")).encode(), 1)


def _values(held: counting.SessionStandings) -> dict[int, list[int]]:
    """By contestant: its percentage (its points) after each round that it has played in."""
    lines = held.standings.lines.values()
    scale = lcm(*(line.denominator for line in lines))
    won: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for line in lines:
        rounds = [held.rounds[cast(int, table)] for table in line.tables]
        for seat, contestants in enumerate(line.winners):
            amounts = line.column(seat, lambda award: amount(award, scale))
            for k, number, one in zip(contestants, rounds, amounts, strict=True):
                if k is not None and one:
                    won[k][number] += one
    progress: dict[int, list[int]] = {}
    for k, by_round in won.items():
        running = 0
        values = progress[k] = []
        for number in sorted(by_round):
            running += by_round[number]
            top = (running & MASK) >> BOARDS
            numerator, denominator = (running >> LOW) * UNIT, scale
            if top:
                numerator, denominator = numerator * 100, denominator * top
            values.append((2 * numerator + denominator) // (2 * denominator))
    return progress
