"""Directors and scorers who play in the session that they run: what the API tells them of it."""

from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from tournaments.api import urls
from tournaments.models import Objection, Play, Player, Role, Ruling, Submission
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import (
    accounts,
    confirmations,
    objections,
    roles,
    rulings,
    sessions,
    submissions,
    tokens,
)
from tournaments.services.errors import Forbidden
from tournaments.services.roles import RolePlace

from .worlds import (
    World,
    a_list,
    a_slip_photo,
    a_team,
    a_world,
    an_entry,
    an_objection,
    hand_in,
    plays_of,
    table_hands_in,
    work,
)

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
    "width",  # of a photo of the slip
    "words",
    "reason",
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
        "team": a_team(world.session),
        "photo": a_slip_photo(first),
        **{"ruling": ruling.pk, "objection": an_objection(world.session, first, world.organiser)},
    }
    objection = Objection.objects.select_related("session__tournament").get(pk=things["objection"])
    objections.follow(
        objection=objection, actor=world.organiser, kind="answer", text="Seven", outcome="rejected"
    )
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
        path = path.replace("<str:what>", "results").replace("<int:team>", str(a_team(world.session)))
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
        read = {
            name: {"a picture"} if one["Content-Type"] == "image/webp" else set(told(one.json()))
            for name, one in answers.items()
            if one.status_code == 200
        }
        return {name: found for name, found in read.items() if found}

    for kind, seen in (
        (
            RoleKind.DIRECTOR,
            {"session-ranking", "list-places", "session-rulings", "session-ruling", "session-history"},
        ),
        (RoleKind.SCORER, set()),
    ):
        seen = seen | {"session-plays", "session-submissions", "submission"}
        seen = seen | {"session-slip-photos", "session-slip-photo"}
        assert seen <= telling(official(world, f"Zoé {kind}", kind)).keys(), "the walk finds what there is"
        seated = official(world, own.name, kind)
        assert telling(seated) == {}, kind
        plays = {one["id"]: one for one in seated.get(addresses["session-plays"]).json()["results"]}
        assert plays[first.pk]["state"] not in {"expected", "at play"}
        if kind == RoleKind.DIRECTOR:
            for name in ("session-ranking", "list-places", "ranking-difference"):
                assert seated.get(addresses[name]).json()["live"], name
            ruled = seated.get(addresses["session-rulings"]).json()["results"]
            assert [(one["words"], one["reason"]) for one in ruled] == [("", "")], (
                "it may tell what was played"
            )
            (objection,) = seated.get(addresses["session-objections"]).json()["results"]
            one = seated.get(addresses["session-objection"]).json()
            assert {told["text"] for told in (objection, one, *objection["steps"], *one["steps"])} == {""}
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
    director = official(world, own.name, RoleKind.DIRECTOR)
    assert "session-history" in telling(director)
    (objection,) = director.get(addresses["session-objections"]).json()["results"]
    assert [objection["text"], objection["steps"][0]["text"]] == ["Nine tricks", "Seven"]


def test_who_plays_is_not_told_why_a_result_was_corrected_until_its_board_is_over() -> None:
    world = a_world()
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    first, *others = [play for play in plays_of(world.session) if play.round == 1]
    table_hands_in(world, first, {"sheet": SHEET})
    work(world.session)
    corrected = [an_entry(first, {"sheet": OTHER}, "Four and four")]
    submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=corrected)
    work(world.session)
    names = [one.player.name for one in world.session.members.select_related("player").order_by("pk")]
    address = f"/api/v1/sessions/{world.session.pk}/history/"

    def reasons(client: APIClient) -> set[str]:
        return {one["reason"] for one in client.get(address).json()["results"]} - {None}

    seated, other = (official(world, name, RoleKind.DIRECTOR) for name in (names[-1], "Zoé"))
    assert (reasons(seated), reasons(other)) == (set(), {"Four and four"})
    for play in others:
        table_hands_in(world, play, {"sheet": SHEET})
    work(world.session)
    assert reasons(seated) == {"Four and four"}, "the board is over"


def test_an_official_who_plays_decides_nothing_about_themselves() -> None:
    """Neither a bonus nor what is taken from them; somebody else may."""
    world = a_world()
    member = world.session.members.select_related("player", "contestant").order_by("pk")[0]
    account = accounts.create(name=member.player.name)
    place = RolePlace(session=world.session)
    roles.grant(account=account, kind=RoleKind.DIRECTOR, place=place, actor=None)
    wish = {"kind": "bonus", "amount": "50"}
    own = rulings.on_contestant(session=world.session, contestant=member.contestant.number, **wish)
    with pytest.raises(Forbidden):
        rulings.rule(own, actor=account, text="For me")
    others = rulings.on_contestant(session=world.session, contestant=5, **wish)
    rulings.rule(others, actor=account, text="For others")
    made = rulings.rule(own, actor=world.organiser, text="By others")
    with pytest.raises(Forbidden):
        rulings.reverse(ruling=made, actor=account, text="Not so")
    assert Ruling.objects.in_force().filter(session=world.session).count() == 2


def test_submissions_are_filtered_by_the_state_that_their_reader_is_shown() -> None:
    """The deal contradicts what looks accepted: no filter says to whom it does not."""
    world = a_world(published=True)
    director = official(world, "Joueur 01", RoleKind.DIRECTOR)
    first, second = plays_of(world.session)[:2]
    for play, content in ((first, SHEET), (first, OTHER), (second, SHEET)):
        hand_in(world, play, {"sheet": content})
    table_hands_in(world, next(one for one in plays_of(world.session) if one.table == world.table.table))
    work(world.session)
    contradicted = table_hands_in(world, first)
    work(world.session)
    Submission.objects.filter(pk=contradicted.pk).update(state="disputed", contradicted=True)
    where = f"/api/v1/sessions/{world.session.pk}/submissions/"
    readers = {role: world.client(role) for role in ("organiser", "scorer", "table", "other table")}
    for name, client in {**readers, "a director who plays": director}.items():
        rows = client.get(where).json()["results"]
        for state in Submission.State.values:
            found = client.get(where, {"state": state}).json()["results"]
            assert found == [one for one in rows if one["state"] == state], (name, state)
        is_told = bool(client.get(where, {"state": "disputed"}).json()["results"])
        assert is_told == (name == "organiser"), name
    assert readers["organiser"].get(where, {"state": "wrong"}).status_code == 400
