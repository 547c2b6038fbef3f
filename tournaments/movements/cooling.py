"""What annealings share: their progress, and how they cool."""

from collections.abc import Callable, Iterator
from time import monotonic

Progress = Callable[[float], None]  # from 0 to 1
LOOK = 64  # steps between two looks at the clock


def cooling(steps: int, deadline: float | None, progress: Progress | None) -> Iterator[float]:
    """For each step, how much of the annealing is done, from 0 to 1: by the steps, or by the time until
    `deadline` (of the monotonic clock) if that goes faster."""
    start = monotonic()
    done = 0.0
    for step in range(steps):
        if step % LOOK == 0:
            done = step / steps
            if deadline is not None:
                done = max(done, (monotonic() - start) / max(deadline - start, 0.001))
            if done >= 1:
                return
            if progress is not None:
                progress(done)
        yield done
