"""What annealings share: their progress, and how they cool."""

from collections.abc import Callable, Iterator
from time import monotonic

Progress = Callable[[float], None]  # from 0 to 1
LOOK = 64  # steps between two looks at the clock


def part(progress: Progress | None, first: float, last: float) -> Progress | None:
    """The progress of a part of the work, which leads from `first` to `last`."""
    if progress is None:
        return None
    return lambda done: progress(first + (last - first) * done)


def cooling(
    steps: int, deadline: float | None, progress: Progress | None, *, look: int = LOOK
) -> Iterator[float]:
    """For each step, how much of the annealing is done, from 0 to 1: by the steps, or by the time until
    `deadline` (of the monotonic clock) if that goes faster. `look`: steps between two looks at the clock."""
    start = monotonic()
    done = 0.0
    for step in range(steps):
        if step % look == 0:
            done = step / steps
            if deadline is not None:
                done = max(done, (monotonic() - start) / max(deadline - start, 0.001))
            if done >= 1:
                return
            if progress is not None:
                progress(done)
        yield done
