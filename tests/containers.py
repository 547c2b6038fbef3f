"""Make the images of deploy/containers, start them as compose.yaml says, and run an evening there.

Needs root, buildah, debootstrap, podman and podman-compose, a mirror of Debian, and what pip asks.
Meanwhile a web process, a worker and the broker are killed: nobody is refused, and no result is lost.
"""

import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from urllib.error import URLError
from urllib.request import urlopen

from tests.running import PATIENCE, ROOT, free_port, wait_until
from tournaments.management import robots

SERVICES = ("database", "broker", "web1", "web2", "live", "worker1", "worker2", "proxy")
PLAYERS = [f"Joueur {n:02}" for n in range(1, 16)]
MEGABYTE = 10**6


def main() -> None:
    (wheel,) = Path(sys.argv[1]).glob("*.whl")
    began = time.monotonic()
    if "--built" not in sys.argv:
        done("deploy/containers/build", str(wheel))
        print(f"images made in {time.monotonic() - began:.0f} s")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(shutil.copytree(ROOT / "deploy" / "containers", Path(folder) / "containers"))
        done(str(place / "configure"), "localhost")  # deploy/containers/configure, in the copy
        assert all(path.stat().st_mode & 0o077 == 0 for path in place.glob("*.env"))
        hall = Compose(place, free_port(), free_port())
        try:
            evening(hall)
        except BaseException:
            print(hall.logs())
            raise
        finally:
            hall.asked("down", "-v", "-t", "10")


class Compose:
    """The containers of a copy of compose.yaml, as their user has them."""

    def __init__(self, place: Path, http: int, https: int) -> None:
        self.place, self.address = place, f"https://localhost:{https}"
        self.ports = {"HTTP": f"127.0.0.1:{http}", "HTTPS": f"127.0.0.1:{https}"}
        self.asked("up", "-d")

    def asked(self, *arguments: str) -> str:
        return done("podman-compose", "-p", "etui", *arguments, cwd=self.place, **self.ports)

    def inside(self, service: str, *command: str) -> str:
        return done("podman", "exec", name(service), *command)

    def logs(self) -> str:
        return "\n".join(
            subprocess.run(
                ["podman", "logs", "--tail", "20", name(one)], capture_output=True, text=True
            ).stdout
            for one in SERVICES
        )

    def kill(self, service: str) -> None:
        done("podman", "kill", name(service))

    def start(self, service: str) -> None:
        done("podman", "start", name(service))


def name(service: str) -> str:
    return f"etui_{service}_1"


def evening(hall: Compose) -> None:
    began = time.monotonic()
    root = hall.place / "root.crt"
    certificate = "/data/caddy/pki/authorities/local/root.crt"
    wait_until(
        lambda: subprocess.run(
            ["podman", "cp", f"{name('proxy')}:{certificate}", str(root)], capture_output=True
        ).returncode == 0,
        what="the proxy's certificate",
    )  # fmt: skip
    os.environ["SSL_CERT_FILE"] = str(root)  # the robots' library looks there
    trusted = ssl.create_default_context(cafile=str(root))
    wait_until(lambda: answered(f"{hall.address}/readyz", trusted) == 200, what="the service to be ready")
    print(f"ready, with an empty database, after {time.monotonic() - began:.0f} s")
    check_hardening(hall)

    token = hall.inside("web1", "etui", "token", "organiser", "Ana").strip()
    assert token.startswith("etui_"), token
    given = {
        "name": "Soir",
        "game": "comon",
        "contestants": PLAYERS,
        "boards_per_round": 3,
        "movement": "kirkman",
    }
    session = robots.set_up(
        hall.address, token, tournament="Essai", session=given | {"names_may_be_published": True}
    )

    watched: list[bytes] = []
    stream = urlopen(
        f"{hall.address}/api/v1/sessions/{session.session}/live/", timeout=PATIENCE, context=trusted
    )
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    threading.Thread(target=lambda: watched.extend(stream), daemon=True).start()
    disturb = {20: ("web1", "worker1"), 40: ("broker",), 60: ("web2", "worker2")}
    for number, _step in enumerate(robots.evening(session, seconds=20, random=Random(1))):
        if number - 10 in disturb:
            for service in disturb[number - 10]:
                hall.start(service)
        for service in disturb.get(number, ()):
            hall.kill(service)
    robots.finish(session)
    with robots.client(hall.address, token) as api:
        plays = list(robots.pages(api, f"/sessions/{session.session}/plays/"))
        places = list(robots.pages(api, f"/sessions/{session.session}/ranking/", "places"))
    assert len(places) == len(PLAYERS)
    assert sum(place["boards"] for place in places) == sum(len(play["seatings"]) for play in plays)
    assert watched, "the live stream told nothing"
    assert answered(f"{hall.address}/readyz", trusted) == 200
    print(
        f"{len(plays)} plays, {len(places)} ranked, {len(watched)} lines of the stream; killed meanwhile: "
        + ", ".join(service for together in disturb.values() for service in together)
    )
    for one in SERVICES:
        print(f"{one}: {int(memory(one)) // MEGABYTE} MB")


def check_hardening(hall: Compose) -> None:
    """Nobody is root, nothing can be written but the data, no capability is left; the secrets are where they
    are needed and nowhere else."""
    for service in SERVICES:
        said = hall.inside(
            service, "sh", "-c", "id -u; touch /usr/probe 2>&1; grep CapEff /proc/self/status; env"
        )
        user, refusal, capabilities, *variables = said.splitlines()
        assert user != "0", service
        assert "Read-only" in refusal, (service, refusal)
        assert int(capabilities.split()[1], 16) == 0, (service, capabilities)
        seen = {line.partition("=")[0] for line in variables}
        secret = {"SECRET_KEY", "SEED_KEYS", "DATABASE_URL"}
        assert (secret <= seen) if service[:3] in {"web", "liv", "wor"} else not (secret & seen), (
            service,
            seen,
        )
    assert hall.inside("worker1", "healthy") == hall.inside("web1", "healthy", "ready") == ""


def memory(service: str) -> int:
    """Of all its processes, their share (PSS), in bytes."""
    pid = int(done("podman", "inspect", "--format", "{{.State.Pid}}", name(service)))
    below = [pid, *(int(one) for one in descendants(pid))]
    return sum(
        1024 * int(line.split()[1])
        for one in below
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        if line.startswith("Pss:")
    )


def descendants(pid: int) -> list[str]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [*found, *(below for one in found for below in descendants(int(one)))]


def answered(address: str, trusted: ssl.SSLContext) -> int:
    try:
        with urlopen(address, timeout=5, context=trusted) as answer:
            return int(answer.status)
    except (URLError, OSError):
        return 0


def done(*command: str, cwd: Path = ROOT, **environment: str) -> str:
    """What it writes; AssertionError with its errors if it failed."""
    ended = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False,
        timeout=1800,
    )  # fmt: skip
    assert ended.returncode == 0, (command, ended.stdout[-3000:], ended.stderr[-3000:])
    return ended.stdout


if __name__ == "__main__":
    main()
