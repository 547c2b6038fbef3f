"""The figures as a picture: a panel for each question, a colour for each form of the service."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot

from .figures import Figure, Run

PANELS = {
    "requests and results a second": (
        "empty view",
        "single results by POST",
        "bulk of 500, stored",
        "bulk of 500, judged and ranked",
    ),
    "one result alone, ms (p50)": ("one result accepted, p50", "one result in the lists, p50"),
    "reading, ms": (
        "GET plays",
        "GET traveller",
        "GET guides",
        "GET ranking",
        "an old version read, slowest",
    ),
    "memory, MB": ("make demo, memory", "two workers after load, memory"),
    "watchers: kB each": ("a watcher",),
    "watchers: seconds from first to last": ("watchers, first to last",),
}


def plot(runs: Sequence[Run], path: Path) -> None:
    figure, axes = pyplot.subplots(3, 2, figsize=(13, 11), layout="constrained")
    for panel, (title, names) in zip(axes.flat, PANELS.items(), strict=True):
        columns = [[one for one in run.figures if one.name in names] for run in runs]
        labels = list(dict.fromkeys(one.label for column in columns for one in column))
        height = 0.8 / max(len(runs), 1)
        for number, (run, column) in enumerate(zip(runs, columns, strict=True)):
            bars(panel, labels, column, number * height, height, run.form)
        panel.set_yticks([row + 0.4 - height / 2 for row in range(len(labels))], labels)
        panel.invert_yaxis()
        panel.set_title(title, loc="left")
        panel.spines[["top", "right"]].set_visible(False)
    axes.flat[0].legend(frameon=False)
    figure.savefig(path)


def bars(
    panel: object, labels: list[str], column: Sequence[Figure], offset: float, height: float, form: str
) -> None:
    rows = [labels.index(one.label) + offset for one in column]
    drawn = panel.barh(rows, [one.value for one in column], height=height, label=form)  # type: ignore[attr-defined]
    panel.bar_label(drawn, [f" {one.text}" for one in column])  # type: ignore[attr-defined]
