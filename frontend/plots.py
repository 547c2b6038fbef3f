"""The field of a board as a drawing: each result a dot on the line of scores, its own filled; many as a
histogram. One player beside the field; form over time. Widths and heights are those of the drawing's box."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.rounding import in_units

WIDTH, MARGIN, STEP = 380.0, 24.0, 24.0  # a dot and the space around it
DOTS_AT_MOST, STACKED_AT_MOST, BARS = 40, 8, 19
BAR_HEIGHT = 120.0
TICKS = 6


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    label: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the histogram: from where, how wide and high; `own`: the height of a bar for the own result
    before it, or 0."""

    x: float
    y: float
    width: float
    height: float
    is_own: bool


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """`height`: down to the axis; the ticks stand beneath."""

    height: float
    dots: Sequence[Dot]
    bars: Sequence[Bar]
    ticks: Sequence[Tick]


def field(scores: Sequence[tuple[Hashable, str, int]], own: Hashable | None, divisor: int) -> Field | None:
    """Of results, each with its key, its label and its score; `own` is the key of one. None without any."""
    if not scores:
        return None
    values = [score for _key, _label, score in scores]
    low, high = min(values), max(values)
    if low == high:
        low, high = low - divisor, high + divisor

    def x(score: float) -> float:
        return round(MARGIN + (score - low) * (WIDTH - 2 * MARGIN) / (high - low), 1)

    ticks = [Tick(x(value), in_units(value, divisor)) for value in _ticks(low, high, divisor)]
    if len(scores) <= DOTS_AT_MOST:
        levels: list[list[float]] = []
        placed: list[tuple[float, int, str, bool]] = []
        for key, label, score in sorted(scores, key=lambda one: (one[2], one[0] != own, one[1])):
            at = x(score)
            level = next((n for n, row in enumerate(levels) if at - row[-1] >= STEP), len(levels))
            if level == len(levels):
                levels.append([])
            levels[level].append(at)
            placed.append((at, level, label, key == own))
        if len(levels) <= STACKED_AT_MOST:
            height = STEP * len(levels) + 4
            dots = [
                Dot(at, height - STEP * level - STEP / 2, label, mine) for at, level, label, mine in placed
            ]
            return Field(height, dots, (), ticks)
    return Field(BAR_HEIGHT, (), _bars(scores, own, low, high), ticks)


def _bars(
    scores: Sequence[tuple[Hashable, str, int]], own: Hashable | None, low: int, high: int
) -> list[Bar]:
    """How many results lie in each part of the line; of one that holds the own result, a narrow bar before
    it."""
    counts = [0] * BARS
    mine = None
    for key, _label, score in scores:
        at = min((score - low) * BARS // (high - low), BARS - 1)
        counts[at] += 1
        mine = at if key == own else mine
    width = (WIDTH - 2 * MARGIN) / BARS
    scale = (BAR_HEIGHT - 4) / max(counts)
    bars = [
        Bar(
            round(MARGIN + n * width, 1),
            round(BAR_HEIGHT - count * scale, 1),
            round(width - 2, 1),
            round(count * scale, 1),
            False,
        )
        for n, count in enumerate(counts)
        if count
    ]
    if mine is not None:
        high_as = counts[mine] * scale
        middle = MARGIN + mine * width + width / 2 - 3
        bars.append(Bar(round(middle, 1), round(BAR_HEIGHT - high_as, 1), 6.0, round(high_as, 1), True))
    return bars


def _ticks(low: int, high: int, divisor: int) -> list[int]:
    """Round scores between the lowest and the highest, a few of them.

    >>> _ticks(-83, 41, 1), _ticks(-4, 2, 2)
    ([-80, -60, -40, -20, 0, 20, 40], [-4, -2, 0, 2])
    """
    wide = Fraction(high - low, divisor)
    step = Fraction(1)
    for factor in (2, Fraction(5, 2), 2) * 12:
        if wide / step <= TICKS + 1:
            break
        step *= factor
    whole = int(step * divisor)
    return list(range(-(-low // whole) * whole, high + 1, whole))


# ── One player beside the field ───────────────────────────────────────────────────────────────────

PAIRS_WIDTH, PAIRS_HEIGHT, ABOVE = 364.0, 112.0, 18.0


@dataclass(frozen=True, slots=True)
class BarPair:
    """How often one's boards were worth something, a bar that stands before that of the average player."""

    label: str
    own: int
    x: float
    y: float
    width: float
    height: float
    own_x: float
    own_y: float
    own_width: float
    own_height: float
    number_x: float
    number_y: float


def pairs(own: Sequence[int], average: Sequence[Fraction], labels: Sequence[str]) -> list[BarPair]:
    """Bars side by side, one for each label; none where nobody has anything."""
    most = max((float(one) for counts in (own, average) for one in counts), default=0.0)
    if not most:
        return []
    slot = PAIRS_WIDTH / len(labels)
    scale = PAIRS_HEIGHT / most
    drawn = []
    for n, (label, mine, theirs) in enumerate(zip(labels, own, average, strict=True)):
        high, own_high = (round(float(one) * scale, 1) for one in (theirs, mine))
        middle = slot * (n + 0.5)
        drawn.append(
            BarPair(
                *(label, mine),
                *(round(slot * n + 3, 1), round(ABOVE + PAIRS_HEIGHT - high, 1), round(slot - 6, 1), high),
                *(round(middle - slot / 4, 1), round(ABOVE + PAIRS_HEIGHT - own_high, 1)),
                *(round(slot / 2, 1), own_high),
                *(round(middle, 1), round(ABOVE + PAIRS_HEIGHT - max(high, own_high) - 6, 1)),
            )
        )
    return drawn


# ── A board in one line ───────────────────────────────────────────────────────────────────────────

STRIP_WIDTH, STRIP_MARGIN, STRIP_STEP = 112.0, 5.0, 9.5
STRIP_LEVELS, STRIP_BARS, STRIP_HEIGHT = 3, 17, 24.0


@dataclass(frozen=True, slots=True)
class Strip:
    """The results of a board on a line; `zero`: where 0 lies on it, if it does; `own`: where one's own is."""

    height: float
    zero: float | None
    own: float | None
    dots: Sequence[Dot]
    bars: Sequence[Bar]


def strip(
    marks: Sequence[tuple[int | Fraction, int]], own: int | Fraction | None, low: float, high: float
) -> Strip:
    """Of scores, each with how many plays have it; `own` is one of them, the lowest and the highest of the
    line may be those of other boards. Dots above each other where they would touch, bars where there are too
    many."""
    if low == high:
        low, high = low - 1, high + 1

    def x(score: float) -> float:
        return round(STRIP_MARGIN + (score - low) * (STRIP_WIDTH - 2 * STRIP_MARGIN) / (high - low), 1)

    zero = x(0) if low <= 0 <= high else None
    mine = None if own is None else x(float(own))
    each = sorted(score for score, count in marks for _ in range(min(count, STRIP_LEVELS + 1)))
    if own is not None:
        each.remove(own)  # it lies on the line itself, where it is seen
    levels: list[list[float]] = [[] if mine is None else [mine]]
    dots = []
    for score in each:
        at = x(float(score))
        level = next(
            (n for n, row in enumerate(levels) if all(abs(at - one) >= STRIP_STEP for one in row)), None
        )
        if level is None:
            level = len(levels)
            levels.append([])
        levels[level].append(at)
        dots.append((at, level))
    if len(levels) > STRIP_LEVELS:
        return Strip(STRIP_HEIGHT, zero, mine, (), _strip_bars(marks, x))
    height = STRIP_STEP * (len(levels) - 1) + 2 * STRIP_MARGIN
    placed = [Dot(at, round(height - STRIP_MARGIN - STRIP_STEP * level, 1), "", False) for at, level in dots]
    if mine is not None:
        placed.append(Dot(mine, height - STRIP_MARGIN, "", True))
    return Strip(height, zero, mine, placed, ())


def _strip_bars(marks: Sequence[tuple[int | Fraction, int]], x: Callable[[float], float]) -> list[Bar]:
    """How many results lie in each part of the line; it stands where the dots of few would."""
    counts = [0] * STRIP_BARS
    width = STRIP_WIDTH / STRIP_BARS
    for score, count in marks:
        counts[min(int(x(float(score)) / width), STRIP_BARS - 1)] += count
    scale = (STRIP_HEIGHT - STRIP_MARGIN - 2) / max(counts)
    floor = STRIP_HEIGHT - STRIP_MARGIN
    return [
        Bar(
            round(n * width, 1),
            round(floor - count * scale, 1),
            round(width - 1, 1),
            round(count * scale, 1),
            is_own=False,
        )
        for n, count in enumerate(counts)
        if count
    ]


# ── A rating over time ────────────────────────────────────────────────────────────────────────────

HISTORY_WIDTH, HISTORY_HEIGHT, HISTORY_MARGIN, HISTORY_SIDE = 364.0, 140.0, 10.0, 26.0


@dataclass(frozen=True, slots=True)
class RatingPlot:
    """A rating after each evening, from the left to the right: the `line` of its means, and around it the
    `band` in which the strength lies with 95 % certainty; round numbers at the side."""

    height: float
    line: str
    band: str
    last: Dot
    ticks: Sequence[Tick]


def history(ratings: Sequence[tuple[float, float]]) -> RatingPlot | None:
    """Of means with their standard deviations, in the order of time; None for fewer than two."""
    if len(ratings) < 2:
        return None
    ends = [(mean - 1.96 * spread, mean + 1.96 * spread) for mean, spread in ratings]
    low, high = min(one for one, _high in ends), max(one for _low, one in ends)
    step = (HISTORY_WIDTH - HISTORY_SIDE - HISTORY_MARGIN) / (len(ratings) - 1)

    def y(value: float) -> float:
        span = HISTORY_HEIGHT - 2 * HISTORY_MARGIN
        return round(HISTORY_MARGIN + (high - value) * span / (high - low), 1)

    def along(values: Sequence[float]) -> list[tuple[float, float]]:
        return [(round(HISTORY_SIDE + n * step, 1), y(value)) for n, value in enumerate(values)]

    def text(points: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{x},{at}" for x, at in points)

    line = along([mean for mean, _spread in ratings])
    band = [*along([one for _low, one in ends]), *along([one for one, _high in ends])[::-1]]
    ticks = [Tick(y(value), str(value)) for value in range(-100, 200, 10) if low <= value <= high]
    return RatingPlot(HISTORY_HEIGHT, text(line), text(band), Dot(*line[-1], "", is_own=True), ticks)


# ── Form over time ────────────────────────────────────────────────────────────────────────────────

FORM_WIDTH, FORM_HEIGHT, FORM_MARGIN = 364.0, 120.0, 10.0


@dataclass(frozen=True, slots=True)
class Form:
    """Evenings as points on a line, from the left to the right; `middle`: where half of the field is."""

    middle: float
    points: Sequence[Dot]

    @property
    def line(self) -> str:
        return " ".join(f"{one.x},{one.y}" for one in self.points)


def form(shares: Sequence[Fraction], labels: Sequence[str]) -> Form | None:
    """Of shares from 0 (last) to 1 (first), in the order of time; None without any."""
    if not shares:
        return None
    step = (FORM_WIDTH - 2 * FORM_MARGIN) / max(len(shares) - 1, 1)
    span = FORM_HEIGHT - 2 * FORM_MARGIN
    start = FORM_MARGIN if len(shares) > 1 else FORM_WIDTH / 2
    points = [
        Dot(round(start + n * step, 1), round(FORM_MARGIN + float(1 - share) * span, 1), label, False)
        for n, (share, label) in enumerate(zip(shares, labels, strict=True))
    ]
    return Form(FORM_HEIGHT / 2, points)
