"""The file broker: a message is there whole or not at all, and goes to one worker only."""

import os
import threading
from collections import Counter
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection
from kombu.transport.virtual import BrokerState

from tests.running import PATIENCE, wait_until
from tournaments import broker
from tournaments.broker import Transport


@pytest.fixture
def connect(tmp_path: Path) -> Any:
    folders = {
        "data_folder_in": str(tmp_path / "queue"),
        "data_folder_out": str(tmp_path / "queue"),
        "processed_folder": str(tmp_path / "taken"),
        "control_folder": str(tmp_path / "control"),
    }
    bindings = BrokerState()  # what this process has bound: another test's folders are not these

    class OwnTransport(Transport):
        global_state = bindings

    return lambda: Connection("filesystem://localhost//", transport=OwnTransport, transport_options=folders)


def test_messages_come_in_the_order_in_which_they_were_sent(connect: Any) -> None:
    with connect() as connection:
        queue = connection.SimpleQueue("work")
        for number in range(20):
            queue.put({"n": number})
        assert queue.qsize() == 20
        messages = []
        for _ in range(20):
            message = queue.get(timeout=2)
            messages.append(message.payload["n"])
            message.ack()
        assert messages == list(range(20))
        with pytest.raises(Empty):
            queue.get(block=False)


def test_who_waits_is_woken_by_whoever_sends(connect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "POLLING_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr(Transport, "polling_interval", None)
    messages = []

    def wait() -> None:
        with connect() as connection:
            messages.append(connection.SimpleQueue("work").get(timeout=20 * PATIENCE).payload)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    with connect() as connection:
        queue = connection.SimpleQueue("work")
        bells = Path(connection.transport_options["control_folder"])
        wait_until(lambda: list(bells.glob(f"*{broker.BELL}")), what="somebody to wait")
        queue.put({"n": 1})
    waiting.join(PATIENCE)
    assert messages == [{"n": 1}]


def test_the_bells_of_those_who_have_ended_are_taken_away(tmp_path: Path) -> None:
    bell = tmp_path / f"1{broker.BELL}"
    os.mkfifo(bell)
    broker.ring(tmp_path)
    assert not bell.exists()


def test_many_senders_and_takers_lose_nothing_and_take_nothing_twice(connect: Any) -> None:
    """The race that the stock transport loses: readers at work while messages are written."""
    senders, each = 4, 150
    messages: Counter[int] = Counter()
    errors: list[BaseException] = []
    all_sent = threading.Event()

    def send(sender: int) -> None:
        with connect() as connection:
            queue = connection.SimpleQueue("work")
            for number in range(each):
                queue.put({"n": sender * each + number, "weight": "x" * 5000})

    def take() -> None:
        try:
            with connect() as connection:
                channel = connection.default_channel
                while True:
                    last_look = all_sent.is_set()
                    try:
                        message = channel._get("work")
                    except Empty:
                        if last_look:
                            return
                        continue
                    body = connection.SimpleQueue("work").consumer.channel.message_to_python(message)
                    messages[body.decode()["n"]] += 1
        except BaseException as error:
            errors.append(error)

    takers = [threading.Thread(target=take) for _ in range(3)]
    sending = [threading.Thread(target=send, args=(n,)) for n in range(senders)]
    for thread in (*takers, *sending):
        thread.start()
    for thread in sending:
        thread.join()
    all_sent.set()
    for thread in takers:
        thread.join()
    assert errors == []
    assert messages == Counter(range(senders * each))


def test_half_a_message_is_never_seen(connect: Any, tmp_path: Path) -> None:
    with connect() as connection:
        queue = connection.SimpleQueue("work")
        queue.put({"n": 1})
        queue.get(timeout=2).ack()
        (tmp_path / "queue" / ".0001_x.work.msg").write_text('{"body": "half a mess')
        assert queue.qsize() == 0
        with pytest.raises(Empty):
            queue.get(block=False)


def test_other_queues_messages_are_left_alone(connect: Any) -> None:
    with connect() as connection:
        connection.SimpleQueue("one").put({"n": 1})
        other = connection.SimpleQueue("two")
        assert other.qsize() == 0
        other.put({"n": 2})
        assert other.clear() == 1
        assert connection.SimpleQueue("one").qsize() == 1
