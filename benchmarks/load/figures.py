"""What is measured: its name, its unit and the goal that it is held against; and the values of one run."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from statistics import median


class FigureUnit(StrEnum):
    RATE = "/s"
    MS = "ms"
    KB = "kB"
    MB = "MB"
    COUNT = ""
    SHARE = "%"
    SECONDS = "s"
    RATIO = ": 1"


@dataclass(frozen=True, slots=True)
class Figure:
    """A value; `size`: of how many tables or watchers."""

    name: str
    value: float
    unit: FigureUnit
    size: int = 0

    @property
    def label(self) -> str:
        return f"{self.name}, {self.size:,}" if self.size else self.name

    @property
    def text(self) -> str:
        digits = (
            0
            if abs(self.value) >= 100 or self.unit is FigureUnit.COUNT
            else 1
            if abs(self.value) >= 10
            else 2
        )
        return f"{self.value:,.{digits}f} {self.unit}".strip()


GOALS = {
    "single results by POST / empty view": "1 : 1",
    "single results by POST, p99": "50 ms",
    "bulk of 500, stored": "20,000 /s",
    "bulk of 500, judged and ranked": "20,000 /s",
    "one result accepted, p50": "25 ms",
    "one result in the lists, p50": "300 ms",
    "a ruling recorded, p50": "50 ms",
    "a ruling in the lists, p50": "1,000 ms",
    "a difference of two versions, p50": "20 ms",
    "a round opened, p50": "100 ms",
    "a version": "63 kB",
    "an old version read, slowest": "50 ms",
    "GET plays": "30 ms",
    "GET traveller": "30 ms",
    "GET guides": "30 ms",
    "the desk's grid": "150 ms",
    "watchers who get through": "all",
    "watchers, first to last": "1 s",
    "a watcher": "20 kB",
    "threads while they watch": "no more",
    "database connections while they watch": "no more",
    "make demo, memory": "200 MB",
    "two workers after load, memory": "350 MB",
}
"""The most that a figure should be; of rates and ratios, the least."""


@dataclass
class Run:
    """The figures of one form of the service."""

    form: str
    figures: list[Figure] = field(default_factory=list)

    def add(self, name: str, value: float, unit: FigureUnit, size: int = 0) -> None:
        self.figures.append(Figure(name, value, unit, size))

    def add_times(self, name: str, seconds: Sequence[float], size: int = 0) -> None:
        self.add(f"{name}, p50", 1000 * median(seconds), FigureUnit.MS, size)
        self.add(f"{name}, p99", 1000 * percentile(seconds, 99), FigureUnit.MS, size)

    def value(self, name: str, size: int = 0) -> float:
        return next(one.value for one in self.figures if (one.name, one.size) == (name, size))

    def to_json(self) -> dict[str, object]:
        return {"form": self.form, "figures": [asdict(one) for one in self.figures]}

    @classmethod
    def of_json(cls, data: dict[str, object]) -> "Run":
        rows = data["figures"]
        assert isinstance(rows, list)
        return cls(str(data["form"]), [Figure(**row | {"unit": FigureUnit(row["unit"])}) for row in rows])


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that so many per cent are not above."""
    return sorted(values)[max(-(-len(values) * percent // 100) - 1, 0)]


def table(runs: Sequence[Run]) -> str:
    """For people: a line for each figure, a column for each form, the goals at the end."""
    columns: list[Mapping[str, Figure]] = [{one.label: one for one in run.figures} for run in runs]
    labels = {one.label: one for run in runs for one in run.figures}
    lines = [f"{'':<46}" + "".join(f"{run.form:>16}" for run in runs) + "   goal"]
    for label, figure in labels.items():
        texts = [column[label].text if label in column else "–" for column in columns]
        lines.append(
            f"{label:<46}" + "".join(f"{text:>16}" for text in texts) + f"   {GOALS.get(figure.name, '')}"
        )
    return "\n".join(line.rstrip() for line in lines)
