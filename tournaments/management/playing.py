"""The robots' evening of `make demo`, in a process of its own, whose memory is free once it is over."""

import os
import pickle
import subprocess
import sys
from base64 import b64decode, b64encode
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from .supervisor import die_with_parent

EVENING = "ETUI_EVENING"  # the variable that says what to play: it holds a token, and all may see arguments


@dataclass(frozen=True, slots=True)
class DemoEvening:
    """What the robots play at an address: a session that they set up as its organiser, in about so many
    seconds. `welcome` is said once it stands, with the session's number for {session}."""

    address: str
    organiser: str
    tournament: str
    session: dict[str, Any]
    plays: int
    seconds: float
    welcome: str


def start(evening: DemoEvening) -> subprocess.Popen[bytes]:
    """The process that plays an evening. It says what happens where the caller does, and ends with it."""
    return subprocess.Popen(  # noqa: S603 - our own
        [sys.executable, "-m", __name__],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent(),
        env={**os.environ, EVENING: b64encode(pickle.dumps(evening)).decode()},
    )


def play(evening: DemoEvening) -> None:
    """Let robot tables play through the API, and say what happens."""
    from tqdm import tqdm

    from . import robots  # not in the process that starts this one

    hall = robots.set_up(
        evening.address, evening.organiser, tournament=evening.tournament, session=evening.session
    )
    print(evening.welcome.format(session=hall.session), flush=True)
    events = robots.evening(hall, seconds=evening.seconds, random=SystemRandom())
    with tqdm(total=evening.plays, unit="board", desc="Evening", file=sys.stdout, mininterval=0.5) as bar:
        for event in events:
            if event.refused:
                where = f"table {event.play['section']}{event.play['table']}, board {event.play['board']}"
                bar.write(f"Refused at {where}: {event.refused}. Corrected and sent again.")
            else:
                bar.update()
    robots.finish(hall)


if __name__ == "__main__":
    play(pickle.loads(b64decode(os.environ.pop(EVENING))))  # noqa: S301 - written by `start`
