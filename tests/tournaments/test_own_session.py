"""Directors and scorers who play in the session that they run: what the API tells them of it."""

from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from tournaments.api import urls
from tournaments.models import Play, Player, Role, Submission
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import accounts, confirmations, roles, rulings, sessions, tokens
from tournaments.services.roles import RolePlace

from .worlds import World, a_list, a_world, an_entry, an_objection, hand_in, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

SHEET = {"outcome": "normal", "tricks": [5, 3, 2]}
OTHER = {"outcome": "normal", "tricks": [4, 4, 2]}
NOT_ASKED = {"board-lists"}  # only with custody, which nobody has who plays
TELLING = (
    "scores",
    "facts",
    "sheet",
    "actions",
    "awards",
    "points",
    "decisions",
    "disputed",
    "moves",
    "words",
)


def official(world: World, name: str, kind: RoleKind) -> APIClient:
    """A client with the newest token of somebody of this name, who has a role at the session."""
    account = accounts.create(name=name)
    roles.grant(account=account, kind=kind, place=RolePlace(session=world.session), actor=None)
    scopes = [Scope.READ, Scope.ENTER] + ([Scope.DIRECT] if kind == RoleKind.DIRECTOR else [])
    role = Role.objects.get(account=account)
    return APIClient(
        HTTP_AUTHORIZATION=f"Bearer {tokens.make(role=role, name='', scopes=scopes, actor=None)[1]}"
    )


def told(content: Any) -> Iterator[str]:
    """Whatever in an answer tells a result, however deep."""
    if isinstance(content, dict):
        for name, value in content.items():
            if name in TELLING and value not in (None, "", []):
                yield name
            else:
                yield from told(value)
    elif isinstance(content, list):
        for one in content:
            yield from told(one)


def scene() -> tuple[World, Play, dict[str, str]]:
    """A session that is not listed, with a result that has been confirmed, another, a ruling and a list; and
    the addresses of all that is read of it, by the names of their routes."""
    world = a_world()
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    first = plays_of(world.session)[0]
    sheet = table_hands_in(world, first, {"sheet": SHEET})
    work(world.session)
    place = rulings.PlayPlace(first.table.section.name, first.table.number, first.board.number)
    phone = first.table.tokens.get(revoked_at=None)
    confirmations.confirm(session=world.refresh(), actor=phone, place=place, submission=sheet.pk, seat=2)
    decisions = [{"kind": "assigned", "seats": [1], "outcomes": [{"weight": "1", "scores": [9, 0, 0]}]}]
    plan = rulings.on_play(session=world.session, place=place, decisions=decisions)
    ruling = rulings.rule(plan, actor=world.organiser, text="A card fell")
    work(world.session)
    things = {
        **{"pk": world.session.pk, "number": first.board.number, "listing": a_list(world.session)},
        **{"ruling": ruling.pk, "objection": an_objection(world.session, first, world.organiser)},
    }
    found = {}
    for route in urls.urlpatterns:
        path = str(route.pattern)
        is_read = hasattr(getattr(route.callback, "cls", None), "get")
        if not is_read or not path.startswith(("sessions/", "submissions/")) or route.name in NOT_ASKED:
            continue
        if path.startswith("submissions/"):
            path = path.replace("<int:pk>", str(sheet.pk))
        for name, value in things.items():
            path = path.replace(f"<int:{name}>", str(value))
        assert "<" not in path, path
        found[str(route.name)] = f"/api/v1/{path}"
    return world, first, found


def test_an_official_who_plays_is_told_states_alone_until_a_board_is_over() -> None:
    """By every route of the session that is read, and by no refusal of what they enter."""
    world, first, addresses = scene()
    players = Player.objects.filter(contestants__session=world.session)
    own = players.exclude(contestants__seatings__play=first).first()
    assert own is not None

    def telling(client: APIClient) -> dict[str, set[str]]:
        answers = {name: client.get(address) for name, address in addresses.items()}
        assert {one.status_code for one in answers.values()} <= {200, 403, 404}
        read = {name: set(told(one.json())) for name, one in answers.items() if one.status_code == 200}
        return {name: found for name, found in read.items() if found}

    for kind, seen in (
        (RoleKind.DIRECTOR, {"session-ranking", "list-places", "session-rulings", "session-ruling"}),
        (RoleKind.SCORER, set()),
    ):
        seen = seen | {"session-plays", "session-submissions", "submission"}
        assert seen <= telling(official(world, f"Zoé {kind}", kind)).keys(), "the walk finds what there is"
        seated = official(world, own.name, kind)
        assert telling(seated) == {}, kind
        plays = {one["id"]: one for one in seated.get(addresses["session-plays"]).json()["results"]}
        assert plays[first.pk]["state"] not in {"expected", "at play"}
        if kind == RoleKind.DIRECTOR:
            for name in ("session-ranking", "list-places", "ranking-difference"):
                refusal = seated.get(addresses[name], HTTP_IF_NONE_MATCH="*")
                assert (refusal.status_code, refusal.json()["error"]["code"]) == (403, "plays-here"), name
        for sheet in (SHEET, OTHER):
            guess = an_entry(first, {"sheet": sheet})
            body = {
                **{"section": guess.section, "table": guess.table, "board": guess.board},
                **{"key": str(guess.key), "sheet": sheet},
            }
            answer = seated.post(addresses["session-submissions"], body, format="json")
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "no-reason"), (
                "whatever it says"
            )
    assert Submission.objects.filter(play=first).count() == 1
    sessions.finish(session=world.refresh(), actor=world.organiser)
    assert {"session-plays", "session-submissions", "submission"} <= telling(seated).keys()


def test_places_of_lists_are_for_directors_as_long_as_it_is_played() -> None:
    """Even of a listed session: they follow each result at once, of boards that others have still to play."""
    world = a_world(published=True)
    hand_in(world, plays_of(world.session)[0], {"sheet": SHEET})
    work(world.session)
    address = f"/api/v1/sessions/{world.session.pk}/lists/{a_list(world.session)}/places/"

    def asked() -> dict[str, int]:
        return {who: world.client(who).get(address).status_code for who in ("anyone", "table", "organiser")}

    assert asked() == {"anyone": 404, "table": 404, "organiser": 200}
    assert world.client("anyone").get(address).json()["error"]["code"] == "not-over-yet"
    sessions.finish(session=world.refresh(), actor=world.organiser)
    assert set(asked().values()) == {200}
