"""An evening as its player sees it: where they stand, their boards beside the field, and those that counted
most. Nothing of it is asked of the database here: `services.own_results` says what they may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from engines import registry
from engines.contract import Game
from scoring.rounding import decimals, in_units, nearest
from tournaments.models import Session
from tournaments.services import comparisons
from tournaments.services.awards import LineOfPlay
from tournaments.services.names import Named
from tournaments.services.own_results import OwnPlay

from .. import plots, presentation
from ..labels import labelled

COUNTED_MOST = 5
BINS = 7
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class EveningBoard:
    """A board of the evening. `said`: what came of it, in words, and what it was for one's own seat (`role`);
    `percent`: of the board, where the method has a top; `strip`: the field, `others` in words; `with_`,
    `against`: names."""

    play: OwnPlay
    said: str
    role: str
    score: str
    percent: Fraction | None
    strip: plots.Strip | None
    others: str
    with_: Sequence[str]
    against: Sequence[str]


@dataclass(frozen=True, slots=True)
class Beside:
    """One's boards and the average player's: how many were worth what. `unit`: "percent" or "points"."""

    boards: int
    unit: str
    bars: Sequence[plots.BarPair]

    @property
    def words(self) -> str:
        """By value, how many, for whoever cannot see the bars."""
        return ", ".join(labelled(one.label, one.own) for one in self.bars)


def rows(
    session: Session, plays: Sequence[OwnPlay], named: Mapping[int, Named], language: str
) -> list[EveningBoard]:
    game = registry.game(session.game)
    sides = game.sides_of(session.conditions)
    scale = _scale(plays)
    return [_row(game, sides, one, named, language, scale, comparisons.top(session)) for one in plays]


def _row(
    game: Game[Any],
    sides: Sequence[Sequence[int]],
    play: OwnPlay,
    named: Mapping[int, Named],
    language: str,
    scale: tuple[float, float],
    top: int | None,
) -> EveningBoard:
    side = next(seats for seats in sides if play.seat in seats)
    of_table, own = (
        [
            f"{one['name']} ({one['value']})" if one["value"] is not None else one["name"]
            for one in presentation.facts(
                game, [f for f in play.facts if bool(f["seat"]) == is_own], language
            )
        ]
        for is_own in (False, True)
    )
    drawn, others = None, ""
    if play.line is not None:
        marks = [(mark.score, mark.count) for mark in play.line.marks if mark.score is not None]
        drawn = plots.strip(marks, play.line.own.score, *scale)
        others = _("; ").join(
            labelled(in_units(int(nearest(score)), game.unit.divisor), count)
            for score, count in sorted(marks, reverse=True)
        )
    beside = {contestant: seat for seat, contestant in reversed(list(play.beside.items()))}
    return EveningBoard(
        play=play,
        said=" · ".join(of_table or own[:1]),
        role=" · ".join(own if of_table else own[1:]),
        score="" if play.score is None else in_units(play.score, game.unit.divisor),
        percent=_percent(play, top),
        strip=drawn,
        others=others,
        with_=[named[one].name for one, seat in beside.items() if seat in side],
        against=[named[one].name for one, seat in sorted(beside.items(), key=_by_seat) if seat not in side],
    )


def _by_seat(pair: tuple[int, int]) -> int:
    return pair[1]


def _percent(play: OwnPlay, top: int | None) -> Fraction | None:
    if not play.award or not top:
        return None
    return 100 * Fraction(play.award) / top


def _scale(plays: Sequence[OwnPlay]) -> tuple[float, float]:
    """The lowest and the highest score on any of these boards, and 0: all of them are drawn on one scale."""
    scores = [0.0]
    for one in plays:
        if one.line is not None:
            scores += [float(mark.score) for mark in one.line.marks if mark.score is not None]
    return min(scores), max(scores)


def counted_most(rows: Sequence[EveningBoard]) -> list[EveningBoard]:
    """The boards that were farthest from average, the best of them first."""
    compared = [one for one in rows if one.play.line is not None]
    farthest = sorted(compared, key=lambda one: (-abs(_above(one)), one.play.board))[:COUNTED_MOST]
    return sorted(farthest, key=lambda one: (-_above(one), one.play.board))


def _above(row: EveningBoard) -> Fraction:
    return row.play.line.own.above if row.play.line is not None else Fraction(0)


def beside_the_field(session: Session, plays: Sequence[OwnPlay]) -> Beside | None:
    """How one's boards that are over were spread, and how those of all who held the same cards; None before
    the first."""
    lines = [one.line for one in plays if one.line is not None]
    if not lines:
        return None
    top = comparisons.top(session)
    bins = BINS if top is None or top % 2 or top >= BINS else top + 1  # of few plays, each value has its own
    step = _step(lines) if top is None else Fraction(1, bins - 1)
    own = [0] * bins
    average = [Fraction(0)] * bins
    for line in lines:
        own[_bin(line.own.above, step, bins)] += 1
        for mark in line.marks:
            average[_bin(mark.above, step, bins)] += Fraction(mark.count, line.plays)
    if top is None:
        labels = [_signed((n - bins // 2) * step) for n in range(bins)]
    else:
        labels = [decimals(100 * n * step, 0) for n in range(bins)]
    return Beside(len(lines), "points" if top is None else "percent", plots.pairs(own, average, labels))


def _bin(above: Fraction, step: Fraction, bins: int) -> int:
    middle = bins // 2
    return min(max(int(nearest(above / step)), -middle), middle) + middle


def _step(lines: Sequence[LineOfPlay]) -> Fraction:
    """A round number: three of them reach the result that is farthest from average."""
    farthest = max((abs(mark.above) for line in lines for mark in line.marks), default=Fraction(0))
    tens = Fraction(1, 10)
    while True:
        for factor in STEPS:
            if factor * tens * (BINS // 2) >= farthest:
                return factor * tens
        tens *= 10


def _signed(value: Fraction) -> str:
    places = 0 if value.denominator == 1 else 1
    text = str(number_format(decimals(abs(value), places), places))
    return "0" if not value else ("+" if value > 0 else "−") + text
