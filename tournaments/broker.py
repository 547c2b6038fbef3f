"""The embedded broker: messages as files, for one machine without a server.

kombu's own file transport writes a message under its final name: a reader that finds half of it loses the
message and dies. Here a message is handed over and claimed by renaming its file, which is atomic.

A worker does not look for messages all the time: it sleeps until somebody rings its bell, a named pipe, or
for half a second, should a bell not be heard.
"""

import os
import select
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.transport import filesystem
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

POLLING_SECONDS = 0.5

_binding = threading.Lock()


class Channel(filesystem.Channel):
    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        for folder in (self.data_folder_in, self.data_folder_out, self.processed_folder, self.control_folder):
            Path(folder).mkdir(parents=True, exist_ok=True)

    def _put(  # type: ignore[override]  # its two bases name the message differently
        self, queue: str, payload: Any, **kwargs: Any
    ) -> None:
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns():020d}_{uuid4()}.{queue}.msg"
        draft = folder / f".{name}"
        draft.write_bytes(str_to_bytes(dumps(payload)))
        draft.rename(folder / name)
        ring(Path(self.control_folder))

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """As usual; whoever had its hands full may take the next message."""
        super().basic_ack(delivery_tag, multiple)
        ring(Path(self.control_folder), own=True)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in self._waiting(queue):
            mine = Path(self.processed_folder) / name
            try:
                (Path(self.data_folder_in) / name).rename(mine)
            except FileNotFoundError:  # another worker was quicker
                continue
            body = mine.read_bytes()
            mine.unlink()
            return loads(bytes_to_str(body))
        raise Empty

    def queue_bind(self, *args: Any, **kwargs: Any) -> None:
        """Bind a queue, one thread at a time: no other may take it for bound before the table is on disk."""
        with _binding:
            super().queue_bind(*args, **kwargs)

    def _queue_bind(
        self, exchange: str, routing_key: str | None, pattern: str | None, queue: str | None
    ) -> None:
        """Add a binding to the table. All processes bind the same queue: the last one to write it writes
        the same as the others."""
        bindings = {tuple(binding) for binding in self.get_table(exchange)}
        bindings.add((routing_key or "", pattern or "", queue or ""))
        table = Path(self.control_folder) / f"{exchange}.exchange"
        draft = table.with_name(f".{table.name}.{uuid4()}")
        draft.write_bytes(str_to_bytes(dumps(sorted(bindings))))
        draft.rename(table)

    def _size(self, queue: str) -> int:
        return len(self._waiting(queue))

    def _purge(self, queue: str) -> int:
        waiting = self._waiting(queue)
        for name in waiting:
            (Path(self.data_folder_in) / name).unlink(missing_ok=True)
        return len(waiting)

    def _waiting(self, queue: str) -> list[str]:
        """The names of the queue's messages, the oldest first."""
        names = os.listdir(self.data_folder_in)
        return sorted(n for n in names if n.endswith(f".{queue}.msg") and not n.startswith("."))


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(  # type: ignore[override]  # its two bases name the arguments differently
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Deliver the next message; TimeoutError if none has come after so many seconds."""
        assert self.client is not None
        bell = Bell.of(Path((self.client.transport_options or {})["control_folder"]))
        interval = self.polling_interval or POLLING_SECONDS
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            with suppress(Empty):
                self.cycle.get(self._deliver, timeout=timeout)  # type: ignore[union-attr]  # set by its base
                return
            left = interval if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            bell.wait(min(left, interval))


class Bell:
    """What wakes this process when a message has come."""

    def __init__(self, folder: Path) -> None:
        path = folder / f"{os.getpid()}{BELL}"
        with suppress(FileExistsError):
            os.mkfifo(path, 0o600)
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    @staticmethod
    def of(folder: Path) -> "Bell":
        place = os.getpid(), folder
        with _binding:
            if place not in _bells:
                _bells[place] = Bell(folder)
            return _bells[place]

    def wait(self, seconds: float) -> None:
        if select.select([self.pipe], [], [], seconds)[0]:
            with suppress(BlockingIOError):  # another thread was woken by the same ring
                os.read(self.pipe, 4096)


BELL = ".bell"
_bells: dict[tuple[int, Path], Bell] = {}


def ring(folder: Path, *, own: bool = False) -> None:
    """Wake the workers that wait for messages in a folder, or only this process; the bells of those that have
    ended are taken away."""
    for path in folder.glob(f"{os.getpid() if own else '*'}{BELL}"):
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            path.unlink(missing_ok=True)
            continue
        with suppress(BlockingIOError):  # it is full: whoever it belongs to has not got up yet
            os.write(pipe, b"!")
        os.close(pipe)
