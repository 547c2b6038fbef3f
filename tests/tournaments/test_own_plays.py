"""Officials who play, too: what came of a play that they sat at, somebody else decides."""

from typing import Any
from uuid import uuid4

import pytest

from tournaments.models import Player, Submission, Substitution
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, flags, own_plays, roles, rulings
from tournaments.services.errors import Forbidden
from tournaments.services.roles import RolePlace

from .worlds import a_world, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

DECISIONS = [{"kind": "artificial", "percent": "60"}]


def test_who_sat_there_neither_corrects_nor_settles_rules_on_nor_reseats_it() -> None:
    world = a_world()
    session = world.session
    role = world.organiser.role
    assert role is not None
    play, later = [one for one in plays_of(session) if one.table_id == world.table.table_id][:2]
    at_both = Player.objects.filter(memberships__contestant__seatings__play=play).filter(
        memberships__contestant__seatings__play=later
    )
    own = Player.objects.filter(pk=at_both.order_by("pk").values_list("pk", flat=True)[0])
    own.update(account=role.account)
    elsewhere = next(
        one
        for one in plays_of(session)
        if not own.filter(memberships__contestant__seatings__play=one).exists()
    )

    def place(one: Any = play) -> dict[str, Any]:
        return {"section": "A", "table": one.table.number, "board": one.board.number}

    def post(path: str, body: dict[str, Any], who: str = "organiser") -> tuple[int, str]:
        answer = world.client(who).post(f"/api/v1/sessions/{session.pk}/{path}/", body, "json")
        return answer.status_code, answer.json().get("error", {}).get("code", "")

    def enter(tricks: list[int], one: Any = play, who: str = "organiser") -> tuple[int, str]:
        sheet = {"outcome": "normal", "tricks": tricks}
        return post("submissions", {**place(one), "key": str(uuid4()), "sheet": sheet}, who)

    refused = (403, "own-play")
    again = {
        "kind": "turned",
        "section": "A",
        "table": play.table.number,
        "round": play.round,
        "reason": "So",
    }
    assert enter([5, 3, 2], later)[0] == 202, "nobody has said anything of it yet"
    work(session)
    shown = world.client("organiser").get(f"/api/v1/sessions/{session.pk}/plays/").json()["results"]
    states = {(one["table"], one["board"]): one["state"] for one in shown}
    assert states[later.table.number, later.board.number] == "entered", "their own word confirms nothing"
    grid = {one.play: one.is_by_official for one in flags.watched(session)}
    assert grid[later.pk] is False
    assert enter([3, 5, 2], later)[0] == 202, "their own slip"
    table_hands_in(world, play)
    assert enter([9, 1, 0]) == refused
    work(session)
    for tricks in ([9, 1, 0], [5, 3, 2]):
        assert enter(tricks) == refused
    assert Submission.objects.filter(play=play).count() == 1
    assert enter([3, 5, 2], who="scorer")[0] == 202
    assert post("rulings", {"play": {**place(), "decisions": DECISIONS}, "reason": "So"}) == refused
    assert post("rulings", {"play": {**place(elsewhere), "decisions": DECISIONS}, "reason": "So"})[0] == 201
    assert post("reseatings", again) == refused
    plan = rulings.on_play(
        session=session,
        place=rulings.PlayPlace("A", play.table.number, play.board.number),
        decisions=DECISIONS,
    )
    other = accounts.create(name="Dora")
    roles.grant(account=other, kind=RoleKind.DIRECTOR, place=RolePlace(session=session), actor=None)
    made = rulings.rule(plan, actor=other, text="So")
    for actor in (world.organiser, role.account):
        with pytest.raises(Forbidden, match="You sat at this table"):
            rulings.rule(plan, actor=actor, text="So")
        with pytest.raises(Forbidden, match="You sat at this table"):
            rulings.reverse(ruling=made, actor=actor, text="So")
    assert rulings.reverse(ruling=made, actor=other, text="So").reversed_at is not None


def test_a_substitute_sat_there_in_their_rounds_only() -> None:
    world = a_world()
    plays = plays_of(world.session)
    contestant = plays[0].seatings.get(seat=1).contestant
    account = accounts.create(name="Sub Stitute")
    player = Player.objects.create(club=world.session.tournament.club, given_name="Zoé", account=account)
    first = plays[0].round
    Substitution.objects.create(
        contestant=contestant,
        player=player,
        for_player=contestant.players.get(),
        first_round=first,
        last_round=first,
    )
    for one in plays:
        sat = one.round == first and one.seatings.filter(contestant=contestant).exists()
        assert own_plays.sat_at(account, world.session, [one.pk]) == sat
