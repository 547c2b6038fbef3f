"""What requests and answers of the API look like: each operation asked once, as a session goes on.
`python -m tests.examples` writes them into the description anew."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db import transaction

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tournaments" / "api" / "examples.json"
SHOWN = 2  # of a list of many
TOKEN = re.compile(r"etui_[0-9A-Za-z]{8}_[0-9A-Za-z_-]{43}")
LINK = re.compile(r"/t/[0-9A-Za-z_-]+")
SECRET = re.compile(r"whsec_[0-9A-Za-z+/=]+")


class Undone(Exception):
    """What was asked for an example is taken back."""


def recorded() -> dict[str, dict[str, Any]]:
    """By operation (`GET sessions/{id}/`), the body of a request and the answer, with its status: as somebody
    gets it who may do what they ask."""
    from tests.tournaments.test_operations import operations

    found: dict[str, dict[str, Any]] = {}
    wanted = {route for route, _operation in operations()}
    for scene in scenes():
        for route in sorted(wanted - set(found)):
            if (example := scene(route)) is not None:
                found[route] = example
    return dict(sorted(found.items()))


Scene = Callable[[str], "dict[str, Any] | None"]


def scenes() -> Iterator[Scene]:
    """Sessions in which something can be asked: one that is played, one that is over, and so on."""
    from engines.public_values import PublicValue
    from tests.tournaments import worlds
    from tests.tournaments.test_matches import Evening
    from tests.tournaments.test_roles import first_play, rows_of
    from tournaments.models import Registrant, Submission
    from tournaments.services import events, feed, rounds, sessions

    def of(world: worlds.World) -> Scene:
        rows = rows_of(world)
        somebody, player = [rows.somebody.pk], rows.other.player
        Registrant.objects.get_or_create(list=rows.the_list, registration=rows.registration, player=player)
        ours = {"list-registrations": {"players": somebody}, "registration-players": {"players": [player.pk]}}
        ours["session"] = {"name": "Thursday"}
        ours["session-public-value"] = {"value": "03-07-12-28-41"}
        ours["session-substitutions"] = {"player": somebody[0]}
        said = Submission.objects.filter(play=first_play(world)).order_by("pk").first()
        ours["session-confirmations"] = {"submission": said.pk if said else 0}
        return lambda route: asked(world, route, ours)

    world = worlds.a_world(custody="none", reserves=2)
    worlds.hand_in(world, first_play(world))
    worlds.work(world.refresh())
    world.refresh()
    feed.place_new()
    yield of(world)
    over = worlds.a_world(published=True, custody="none")
    worlds.played_through(over)
    sessions.finish(session=over.session, actor=over.organiser)
    over.refresh()
    yield of(over)
    yield of(worlds.a_world(custody="none", reserves=2))
    replanned = worlds.a_world(custody="none")
    client, wish = replanned.client("organiser"), {"after": 0, "leaving": [1]}
    worlds.ended(client, client.post(f"/api/v1/sessions/{replanned.session.pk}/replans/", wish))
    event = worlds.a_club_entry(replanned.session.tournament.club).leg.event
    events.announce(event=event, actor=replanned.organiser)
    yield of(replanned)
    paced = worlds.a_world(custody="none")
    rounds.pace(session=paced.session, actor=None, pace=rounds.Pace(20))
    yield of(paced)
    rounds.open_round(session=paced.session, actor=None, number=1)
    yield of(paced)
    yield of(worlds.a_world(public_value=PublicValue("lottery-5", "Loto")))
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler")
    yield of(evening.world)
    evening.play_round(1)
    yield of(evening.world)
    evening.plan()
    yield of(evening.world)


def routes() -> dict[str, str]:
    """The names of the routes by their paths, as the description has these."""
    from django.urls import URLPattern

    from tournaments.api import urls

    found = {}
    for one in urls.urlpatterns:
        if isinstance(one, URLPattern):
            path = re.sub(r"<[a-z]+:([a-z]+)>", r"{\1}", str(one.pattern)).replace("{pk}", "{id}")
            found[path] = str(one.name)
    return found


def asked(world: Any, route: str, ours: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """An operation asked in a world, of which nothing is left there; None where it is refused."""
    from tests.tournaments.test_roles import ask, right_request

    method, _space, path = route.partition(" ")
    name = routes()[path]
    example: dict[str, Any] | None = None
    try:
        with transaction.atomic():
            _address, body = right_request(world, name)
            change = ours.get(name) if method in {"POST", "PUT", "PATCH"} else None
            is_sent = method in {"POST", "PUT", "PATCH"} and (body is not None or change)
            response = ask(world, "organiser", f"{method} {name}", change=change)
            is_json = response.headers.get("Content-Type", "").startswith("application/json")
            if response.status_code < 300 and (is_json or not response.content):
                example = {
                    **({"request": plain(body, change)} if is_sent else {}),
                    "status": str(response.status_code),
                    **({"answer": short(json.loads(response.content))} if is_json else {}),
                }
            raise Undone
    except Undone:
        return example


def plain(body: Any, change: dict[str, Any] | None) -> Any:
    """A body as JSON; a file by its text, and what a form writes as a word."""
    words = {"true": True, "false": False}
    return {
        name: text_of(value.read()) if hasattr(value, "read") else words.get(str(value), value)
        for name, value in ((body or {}) | (change or {})).items()
    }


def text_of(file: bytes) -> str:
    """A file as text; of what is zipped, or a picture, that it is."""
    for begins, says in ((b"PK", "PK…"), (b"\x89PNG", "PNG…")):
        if file.startswith(begins):
            return says
    return file.decode()


def short(value: Any) -> Any:
    """The beginning of what may be long, and nothing that opens a door."""
    if isinstance(value, dict):
        return {name: short(part) for name, part in value.items()}
    if isinstance(value, list):
        return [short(part) for part in (value[:SHOWN] if any(isinstance(x, dict) for x in value) else value)]
    if isinstance(value, str):
        return SECRET.sub("whsec_…", LINK.sub("/t/…", TOKEN.sub("etui_…", value)))
    return value


def main() -> None:
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    setup_test_environment()
    old = setup_databases(verbosity=0, interactive=False)
    try:
        FILE.write_text(json.dumps(recorded(), ensure_ascii=False, indent=1) + "\n")
    finally:
        teardown_databases(old, verbosity=0)


if __name__ == "__main__":
    main()
