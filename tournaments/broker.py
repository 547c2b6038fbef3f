"""The embedded broker: messages as files, for one machine without a server.

kombu's own file transport writes a message under its final name: a reader that finds half of it loses the
message and dies. Here a message is handed over and claimed by renaming its file, which is atomic.
"""

import os
import threading
import time
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.transport import filesystem
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

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
