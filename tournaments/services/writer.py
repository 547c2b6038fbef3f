"""One thread of a web process stores for all its callers: whatever waits goes into one transaction, without
delay, and each sender is answered after it. Who waits for it needs no connection to the database, and on an
event loop no thread either.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic

from django.db import Error, OperationalError, connection

from .. import tracing
from . import pipeline, queue, storing, submissions
from .deliveries import Answer, Busy, Delivery

log = logging.getLogger(__name__)

AT_ONCE = 64  # results in one transaction, unless a single delivery has more
WAIT_SECONDS = 20.0  # for a database that is busy, or a session that is being changed
AGAIN_SECONDS = 0.005  # until a session that was being changed is tried again
IDLE_SECONDS = 1.0  # after which a connection is looked at before it is used


class Ticket:
    """A delivery that waits for its answer."""

    __slots__ = ("delivery", "give", "given_up")

    def __init__(self, delivery: Delivery, give: Callable[[Answer], object]) -> None:
        self.delivery, self.give, self.given_up = delivery, give, False


class Writer:
    def __init__(self) -> None:
        self.waiting: SimpleQueue[Ticket | None] = SimpleQueue()
        self.put_off: list[Ticket] = []
        self.thread: Thread | None = None
        self.starting = Lock()
        self.used = 0.0

    def carry(self, delivery: Delivery) -> Answer:
        """What becomes of a delivery. OperationalError where that is not known in time: with the same keys it
        can be sent again. Nobody waits here within a transaction, which the writer would wait for."""
        if connection.in_atomic_block:
            raise RuntimeError("results are stored by another thread: no transaction may wait for it")
        answers: SimpleQueue[Answer] = SimpleQueue()
        ticket = self._ticket(delivery, answers.put)
        try:
            return answers.get(timeout=WAIT_SECONDS)
        except Empty:
            ticket.given_up = True
            return too_late()

    async def bring(self, delivery: Delivery) -> Answer:
        """The same for who waits on an event loop."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()

        def settle(given: Answer) -> None:
            if not answer.done():
                answer.set_result(given)

        def give(given: Answer) -> None:
            with suppress(RuntimeError):  # the loop has ended, and whoever waited on it
                loop.call_soon_threadsafe(settle, given)

        ticket = self._ticket(delivery, give)
        timer = loop.call_later(WAIT_SECONDS, lambda: settle(too_late()))
        try:
            return await answer
        finally:
            ticket.given_up = True
            timer.cancel()

    def _ticket(self, delivery: Delivery, give: Callable[[Answer], object]) -> Ticket:
        ticket = Ticket(delivery, give)
        self.waiting.put(ticket)
        if self.thread is None or not self.thread.is_alive():
            self._start()
        return ticket

    def _start(self) -> None:
        with self.starting:
            if self.thread is None or not self.thread.is_alive():
                self.thread = Thread(target=self._run, name="writer", daemon=True)
                self.thread.start()

    def end(self) -> None:
        """Answer what waits, and end the thread; the next delivery starts another."""
        if self.thread is not None and self.thread.is_alive():
            self.waiting.put(None)
            self.thread.join()

    def _run(self) -> None:
        try:
            while self._store(self._group()):
                pass
        finally:
            connection.close()

    def _group(self) -> list[Ticket | None]:
        """What waits, the oldest first; waits until there is something."""
        group: list[Ticket | None] = [*self.put_off]
        self.put_off = []
        try:
            group.append(self.waiting.get(timeout=AGAIN_SECONDS if group else None))
            while sum(len(one.delivery.entries) for one in group if one is not None) < AT_ONCE:
                group.append(self.waiting.get_nowait())
        except Empty:
            pass
        return group

    def _store(self, group: list[Ticket | None]) -> bool:
        """Store a group and answer its senders; False if it was the last one."""
        tickets = [one for one in group if one is not None and not one.given_up]
        if tickets:
            for ticket, answer in zip(tickets, self._answers(tickets), strict=True):
                if isinstance(answer, Busy):
                    self.put_off.append(ticket)
                else:
                    ticket.give(answer)
        return None not in group

    def _answers(self, tickets: list[Ticket]) -> list[Answer]:
        try:
            if monotonic() - self.used > IDLE_SECONDS:
                connection.close_if_unusable_or_obsolete()
            pipeline.prepare_connection()
            with tracing.working_for(tickets[0].delivery.origin):  # of those that are stored together
                answers = storing.store([ticket.delivery for ticket in tickets], patient=False)
        except Exception as error:
            if not isinstance(error, Error):
                log.exception("results could not be stored")
            connection.close()  # the next group gets a new one
            answers = [error] * len(tickets)
        self.used = monotonic()
        return answers


def too_late() -> OperationalError:
    return OperationalError(f"nothing could be stored for {WAIT_SECONDS:g} seconds")


the_writer = Writer()
"""Of this process; its thread is started by the first delivery."""


def begin() -> None:
    """From now on this process stores by a writer, and tells the workers of many groups at once."""
    submissions.carry = the_writer.carry
    storing.tell_workers = queue.TaskCaller("judge").call
