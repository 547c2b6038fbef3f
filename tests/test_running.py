"""What tests of running processes rely on."""

import fcntl
import os
import socket
import tempfile
from pathlib import Path

import pytest

from . import running


def test_a_port_is_given_to_one_process_of_tests_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that another process has chosen, though it does not listen yet, nor one where somebody
    listens, nor any of them twice."""
    first, chosen, free = (running.free_port() for _again in range(3))
    assert len({first, chosen, free}) == 3
    monkeypatch.setattr(running, "PORTS", [first, chosen, free])
    with pytest.raises(AssertionError, match="all ports are taken"):
        running.free_port()
    for _of_both in range(2):
        running._held.pop().close()
    locks = Path(tempfile.gettempdir()) / f"etui-ports-{os.getuid()}"
    with (locks / str(chosen)).open("w") as another, socket.socket() as somebody:
        fcntl.flock(another, fcntl.LOCK_EX)
        assert running.free_port() == free
        running._held.pop().close()
        somebody.bind(("127.0.0.1", free))
        somebody.listen()
        with pytest.raises(AssertionError, match="all ports are taken"):
            running.free_port()
