"""Answers that were worked out lately, by what they were worked out from."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class Answers:
    """The newest so many, of all threads of a process: the pages of a list follow each other."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.lock = Lock()
        self.answers: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The answer to this key: whatever changes it is part of the key."""
        with self.lock:
            if key in self.answers:
                self.answers.move_to_end(key)
                found: T = self.answers[key]
                return found
        found = make()
        with self.lock:
            self.answers[key] = found
            while len(self.answers) > self.most:
                self.answers.popitem(last=False)
        return found

    def forget(self) -> None:
        with self.lock:
            self.answers.clear()
