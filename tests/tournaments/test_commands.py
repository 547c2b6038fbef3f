"""What an operator types, and what is said when it cannot be."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from django.core.management import call_command

from tests.running import (
    PATIENCE,
    ROOT,
    SECRETS,
    SPECIAL,
    Service,
    answers,
    both_kinds,
    campaign,
    children_of,
    environment_of,
    free_port,
    manage,
    run,
    serving,
    statements,
    typed_by_make,
    wait_until,
)
from tournaments.management import robots
from tournaments.management.supervisor import Child, Supervisor

from .test_live import StreamReader, stream_of

pytestmark = pytest.mark.processes


def status_and_output(*arguments: str, **environment: str) -> tuple[int, str]:
    done = run(SPECIAL | environment, *arguments)
    return done.returncode, done.stdout + done.stderr


@contextmanager
def demo(environment: dict[str, str], folder: Path, speed: str) -> Iterator[tuple[int, Path]]:
    """The port and the log of a running demo, which Ctrl-C ends."""
    port, log = free_port(), folder / "demo.log"
    command = typed_by_make("demo", f"PORT={port}", f"SPEED={speed}")
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
    try:
        yield port, log
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert not answers(f"http://127.0.0.1:{port}")
    finally:
        process.kill()


def text_with(words: str, log: Path) -> str:
    """The log, once it says these words."""
    wait_until(lambda: words in log.read_text(), what=words)
    return log.read_text()


@campaign
@both_kinds
def test_the_demo_plays_its_evening_goes_on_serving_and_starts_clean(kind: str, tmp_path: Path) -> None:
    with environment_of(kind, tmp_path / "var") as environment:
        with demo(environment, tmp_path, speed="0") as (_port, log):
            text = text_with("The evening is over", log)
            assert "105/105" in text
            assert re.search(r"Refused at table A\d, board \d+: tricks: add up to 11.*Corrected", text), text
            address = re.search(r"(http://127\.0\.0\.1:\d+/fr/sessions/\d+/)", text)
            assert address
            page = httpx.get(address[1]).text
            assert "classement final" in page
            assert page.count("<tr data-number=") == 16
            way = re.search(r"(http://127\.0\.0\.1:\d+/demo/[\w-]+/)", text)
            assert way
            desk = httpx.get(way[1], follow_redirects=True, headers={"Accept-Language": "en"})
            assert desk.status_code == 200
            assert "Tour, 1 of 5" in desk.text
        with demo(environment, tmp_path, speed="1") as (port, log):
            text_with("The live ranking", log)
            page = httpx.get(f"http://127.0.0.1:{port}/en/").text
            assert page.count('<article class="evening">') == 1  # of this demo only


@campaign
def test_serve_ends_cleanly_though_people_watch_and_keeps_its_key_to_itself(tmp_path: Path) -> None:
    with serving("embedded", tmp_path) as service:
        hall = service.set_up(players=9, boards_per_round=1)
        watchers = [StreamReader(stream_of(service, hall)) for _ in range(10)]
        wait_until(lambda: all(watcher.events for watcher in watchers), what="first events")
        workers = service.workers()
        assert workers
        assert service.stop(signal.SIGTERM) == 0
    assert "was killed" not in service.log.read_text()
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]
    key = service.var / "secret_key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert not [log for log in service.var.rglob("*.log") if key.read_text() in log.read_text()]


def test_what_does_not_end_in_time_is_killed_and_named(tmp_path: Path) -> None:
    lines: list[str] = []
    child = Child("stubborn", ["sh", "-c", "trap '' TERM; echo deaf; while true; do sleep 1; done"])
    with Supervisor([child], tmp_path, lines.append, stop_seconds=0.1) as supervisor:
        wait_until(supervisor.log_of(child).read_text, what="the child to ignore signals")
    assert lines == ["stubborn did not end within 0.1 s; it was killed."]
    assert child.has_died()


@campaign
@both_kinds
def test_the_processes_one_by_one_are_a_service(kind: str, tmp_path: Path) -> None:
    """`manage.py migrate`, then a web server (uvicorn) and a worker, as docs/running.md types them: a
    result that is handed in is judged."""
    documents = (ROOT / "docs" / "running.md").read_text("utf-8")
    block = next(
        block for block in re.findall(r"```sh\n(.*?)```", documents, re.DOTALL) if "uvicorn" in block
    )
    _migrate, web, worker = ([sys.executable, *words[1:]] for words in statements(block))
    port, log = free_port(), tmp_path / "log"
    more = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with environment_of(kind, tmp_path / "var", **more) as environment, log.open("w") as out:
        for command in (web, worker):
            refused = subprocess.run(
                command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE
            )
            assert refused.returncode
            assert refused.stderr.splitlines()[-1].endswith("run `manage.py migrate` first."), refused.stderr
        manage(environment, "migrate", "-v0")
        processes = [
            subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=out, stderr=out, text=True)
            for command in ([*web, "--port", str(port)], worker)
        ]
        try:
            service = Service(environment, port, processes[0], log)
            wait_until(lambda: answers(service.address), what="the web server to answer")
            hall = service.set_up(players=9)
            event = next(robots.evening(hall, seconds=0, random=Random(3)))
            with robots.client(hall.address, hall.organiser) as organiser:
                path = f"{robots.at(hall)}/submissions/"
                wait_until(
                    lambda: [one["state"] for one in robots.pages(organiser, path)] == ["accepted"],
                    what="a judgement",
                )
            assert event.refused is None
            assert [process.poll() for process in processes] == [None] * 2
        finally:
            for process in processes:
                process.terminate()
                process.wait(PATIENCE)


@campaign
@both_kinds
def test_nobody_is_left_when_the_supervisor_is_killed_three_times(kind: str, tmp_path: Path) -> None:
    """The last time with a web process and a worker that hang."""
    for number in range(3):
        with serving(kind, tmp_path, workers=2) as service:
            wait_until(lambda: len(processes_with(tmp_path)) == 4, what="all processes")
            if number == 2:
                for pid in {*processes_with(tmp_path)} - {service.process.pid}:
                    os.kill(pid, signal.SIGSTOP)
            service.process.kill()
            service.process.wait()
            wait_until(lambda: not processes_with(tmp_path), what="everybody to end")


def processes_with(folder: Path) -> list[int]:
    """The processes that run with this VAR_DIR, whoever started them."""
    pids = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"VAR_DIR={folder}".encode() in environ.read_bytes().split(b"\0"):
                pids.append(int(environ.parent.name))
    return pids


@campaign
def test_what_hangs_is_replaced(tmp_path: Path) -> None:
    """A stopped process can be waited for until the end of time: it neither ends nor answers."""
    with serving("embedded", tmp_path, HUNG_SECONDS="4") as service:
        wait_until(lambda: (tmp_path / "worker1.alive").exists(), what="a sign of life")
        hung = {pid for pid, _command in children_of(service.process.pid)}
        for pid in hung:
            os.kill(pid, signal.SIGSTOP)
        for name in ("web", "worker1"):
            text_with(f"{name} gives no sign of life and is being replaced", service.log)
        wait_until(lambda: answers(service.address), what="the web server to answer")
        hall = service.set_up(players=9)
        next(robots.evening(hall, seconds=0, random=Random(3)))
        with robots.client(hall.address, hall.organiser) as organiser:
            path = f"{robots.at(hall)}/submissions/"
            wait_until(
                lambda: [one["state"] for one in robots.pages(organiser, path)] == ["accepted"],
                what="a judgement",
            )
        assert not hung & {pid for pid, _command in children_of(service.process.pid)}


@pytest.mark.parametrize("command", ["serve", pytest.param("demo", marks=campaign)])
def test_a_port_in_use_is_told_in_one_line(command: str, tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, output = status_and_output(command, "--port", str(port), VAR_DIR=str(tmp_path))
    assert status == 1
    assert output.strip().splitlines() == [
        f"CommandError: Port {port} is in use. Stop the program that uses it, or choose another one: "
        f"make demo PORT={port + 1}"
    ]


def test_a_folder_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    status, output = status_and_output(
        "serve", "--port", str(free_port()), VAR_DIR=str(tmp_path / "file" / "var")
    )
    assert status == 1
    assert len(output.strip().splitlines()) == 1
    assert "cannot be written" in output


def test_a_database_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    url = f"postgres://nobody@127.0.0.1:{free_port()}/none"
    status, output = status_and_output(
        "serve", "--port", str(free_port()), VAR_DIR=str(tmp_path), DATABASE_URL=url, SECRET_KEY="x" * 50
    )
    assert status == 1
    assert "cannot be used" in output
    assert len(output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        (
            "postgres://x@db.example/x?sslmode=verify-full&sslrootcert=/ca.pem&conn_max_age=5",
            [5, "verify-full", "/ca.pem", 10**9],
        ),
        ("sqlite:////tmp/x?timeout=3", [60, 3, "IMMEDIATE"]),
    ],
)
def test_the_options_of_an_address_of_a_database_are_kept(url: str, kept: list[Any], tmp_path: Path) -> None:
    """Without `sslmode` a connection is not checked, or none is made; our own options stay beside them."""
    ask = """
from django.conf import settings
one = settings.DATABASES["default"]
names = "sslmode", "sslrootcert", "prepare_threshold", "timeout", "transaction_mode"
print([one["CONN_MAX_AGE"], *(one["OPTIONS"][name] for name in names if name in one["OPTIONS"])])
"""
    status, output = status_and_output(
        *["shell", "--no-imports", "-c", ask], VAR_DIR=str(tmp_path), DATABASE_URL=url, SECRET_KEY="x" * 50
    )
    assert (status, output.strip()) == (0, str(kept))


@pytest.mark.parametrize(
    "variable",
    ["DATABASE_URL", *(pytest.param(name, marks=campaign) for name in ("REDIS_URL", "ALLOWED_HOSTS"))],
)
def test_without_a_secret_key_production_refuses_to_start(variable: str, tmp_path: Path) -> None:
    values = {
        "DATABASE_URL": "postgres://x@127.0.0.1/x",
        "REDIS_URL": "redis://127.0.0.1",
        "ALLOWED_HOSTS": "x.org",
    }
    status, output = status_and_output("check", VAR_DIR=str(tmp_path), **{variable: values[variable]})
    assert status == 1
    assert "SECRET_KEY is not set" in output
    assert len(output.strip().splitlines()) == 1


@campaign
def test_a_deployment_passes_djangos_own_checks(tmp_path: Path) -> None:
    status, output = status_and_output(
        *["check", "--deploy", "--fail-level", "WARNING"],
        VAR_DIR=str(tmp_path),
        ALLOWED_HOSTS="etui.example.org",
        SECRET_KEY="k" * 30 + "abcdefghijklmnopqrstuvwxyz",
        SEED_KEYS=SECRETS["SEED_KEYS"],
        PUBLIC_URL="https://etui.example.org",
        TRUSTED_PROXIES="10.0.0.0/8",
        EMAIL_URL="smtp+tls://etui:secret@mail.example:587",
    )
    assert status == 0, output


def test_a_missing_or_old_python_is_told_in_one_line(tmp_path: Path) -> None:
    make = shutil.which("make")
    assert make
    for name in ("Makefile", "manage.py"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "run.txt").write_text("")
    old = tmp_path / "python3.8"
    old.write_text('#!/bin/sh\n[ "$1" = -V ] && echo Python 3.8.1 && exit 0\nexit 1\n')
    old.chmod(0o755)
    for python, reason in (("", "none was found"), (str(old), "is Python 3.8.1")):
        process = subprocess.run(
            [make, "demo", f"PY={python}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env=SPECIAL,
        )
        assert process.returncode == 2
        assert reason in process.stdout
        assert len(process.stdout.strip().splitlines()) == 1


def test_no_lock_names_an_address() -> None:
    for path in (ROOT / "requirements").iterdir():
        assert not re.search(r"https?:|file:|--(extra-)?index|--find-links", path.read_text()), path
    assert os.path.exists(ROOT / "LICENSE")


@pytest.mark.django_db
def test_migrations_are_complete() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True)  # SystemExit if some are missing
