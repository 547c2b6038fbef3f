"""What processes weigh (Linux): their own memory and their part of what they share."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.running import children_of


def tree(root: int) -> Iterator[int]:
    """A process and all that descend from it."""
    yield root
    for child, _command in children_of(root):
        yield from tree(child)


def proportional(pid: int) -> int:
    """The PSS of a process in bytes; 0 for one that has just ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return 1024 * int(line.split()[1])
    return 0


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))
