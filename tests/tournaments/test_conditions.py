"""Changes say what they change: whoever has not seen what a session or round is by now changes nothing."""

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from tournaments.api import conditional
from tournaments.api.views import directing
from tournaments.services import rounds, states

from .worlds import World, a_world

pytestmark = pytest.mark.django_db

CHANGES = [
    ("patch", "", {"name": "Thursday"}),
    ("put", "publication/", {"listed": True}),
    ("put", "clock/", {"duration": 20}),
    ("put", "rounds/2/state/", {"state": "open"}),
    ("put", "rounds/2/pause/", {"paused": True}),
    ("put", "rounds/2/state/", {"state": "closed"}),
    ("delete", "clock/", None),
    ("put", "state/", {"state": "ready"}),
    ("delete", "", None),
]


def code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def seen(world: World, way: str) -> str:
    """The newest ETag of what is changed there."""
    address, client = f"/api/v1/sessions/{world.session.pk}/", world.client("organiser")
    if "rounds" not in way:
        return str(client.get(address)["ETag"])
    rounds_ = client.get(f"{address}rounds/").json()["results"]
    return str(next(one["etag"] for one in rounds_ if one["number"] == 2))


def test_every_change_of_a_session_and_its_rounds_wants_to_know_what_it_changes() -> None:
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/"
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace(20))
    for method, way, body in CHANGES:
        before, change = seen(world, way), getattr(client, method)
        assert (bare := change(address + way, body, "json", HTTP_IF_MATCH="")).status_code == 428, way
        assert code(bare) == "no-condition"
        other = change(address + way, body, "json", HTTP_IF_MATCH='"not-this"')
        assert (other.status_code, code(other)) == (412, "changed-meanwhile"), way
        assert seen(world, way) == before, "nothing has changed"
        made = change(address + way, body, "json", HTTP_IF_MATCH=before)
        assert made.status_code in (200, 204), (way, made.content)
        if made.status_code == 200:
            assert made["ETag"] == seen(world, way) != before, way
            stale = change(address + way, body, "json", HTTP_IF_MATCH=before)
            assert stale.status_code == 412, way


@pytest.mark.parametrize(("condition", "status"), [("*", 200), (None, 412)])
def test_whoever_changes_whatever_is_there_is_not_refused_because_somebody_was_quicker(
    condition: str | None, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 9110, 13.1.1: `*` asks for nothing but that something is there."""
    world = a_world()
    before = seen(world, "")

    def quicker(request: Any, stamp: str) -> str | None:
        tag = conditional.seen_stamp(request, stamp)
        states.mend(session=world.session, actor=None, name="Friday")
        return tag

    monkeypatch.setattr(directing, "seen_stamp", quicker)
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/"
    answer = client.patch(address, {"name": "Thursday"}, "json", HTTP_IF_MATCH=condition or before)
    assert answer.status_code == status
    assert world.refresh().name == ("Thursday" if condition else "Friday")


def test_results_and_the_clock_itself_do_not_stand_in_the_way_of_a_director() -> None:
    world = a_world()
    before = seen(world, "")
    rounds.pace(session=world.session, actor=None, pace=rounds.Pace(20))
    paced = seen(world, "")
    assert paced != before
    rounds.open_round(session=world.session, actor=None, number=1)
    first = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/")
    assert first.json()["state"] == "running"
    assert first["ETag"] != paced, "the first round has started the session"
    rounds.open_round(session=world.session, actor=None, number=2)
    assert seen(world, "") == first["ETag"]


def test_so_does_a_change_of_a_tournament() -> None:
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/tournaments/{world.session.tournament_id}/"
    before = client.get(address)["ETag"]
    assert client.patch(address, {"name": "Winter"}, "json", HTTP_IF_MATCH="").status_code == 428
    made = client.patch(address, {"name": "Winter"}, "json", HTTP_IF_MATCH=before)
    assert (made.status_code, made["ETag"]) == (200, client.get(address)["ETag"])
    assert client.patch(address, {"name": "Spring"}, "json", HTTP_IF_MATCH=before).status_code == 412
    assert client.get(address).json()["name"] == "Winter"


def test_whatever_else_changes_without_it_is_a_step_that_comes_once_or_can_be_said_again() -> None:
    """A new route that changes something wants If-Match, or a reason to stand here."""
    schema = SchemaGenerator().get_schema(public=True)
    bare = {
        f"{method.upper()} {path.removeprefix('/api/v1/')}"
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
        if method in {"put", "patch", "delete"}
        and not any(one["name"] == "If-Match" for one in operation.get("parameters", ()))
    }
    assert bare == {
        "PUT entries/{id}/state/",  # a step from one state to the next, refused from any other
        "PUT events/{id}/state/",  # announced, for good
        "PUT clubs/{club}/players/{id}/licence/",  # whole, as the register has it now
        "PUT clubs/{club}/penalties/{penalty}/state/",  # retired, for good
        "PUT clubs/{club}/formulas/{formula}/state/",  # retired, for good
        "DELETE clubs/{club}/ratings/",  # forgotten, whatever they are
        "PUT jobs/{id}/state/",  # cancelled, for good
        "PUT registrations/{id}/players/",  # whoever is named stays, in the list's own order
        "PUT seasons/{id}/state/",  # open or over: as it is then, whatever it was
        "PUT webhooks/{id}/state/",  # on or off: as it is then, whatever it was
        "PUT webhooks/{id}/deliveries/{delivery}/state/",  # sent again, as often as it is asked for
        "PUT sessions/{id}/public-value/",  # known once
        "PUT sessions/{id}/rounds/{number}/seated/",  # a table about itself
        "PUT sessions/{id}/calls/{call}/state/",  # a step that comes once
        "DELETE sessions/{id}/announcements/{announcement}/",  # one that is said, and not another
        "PUT sessions/{id}/rulings/{ruling}/state/",  # reversed, for good
        "PUT sessions/{id}/substitutions/{substitution}/state/",  # undone, for good
    }
