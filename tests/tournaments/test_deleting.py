"""Sessions that may be deleted with all that hangs on them, and those that stay."""

from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from tournaments.api.views import directing
from tournaments.models import Custody, HistoryEntry, Objection, Ranking, Remark, Role, Session, Submission
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    chains,
    confirmations,
    deleting,
    history,
    roles,
    rounds,
    rulings,
    states,
)
from tournaments.services.roles import RolePlace

from .worlds import (
    World,
    a_ruling,
    a_world,
    an_objection,
    hand_in,
    played_through,
    plays_of,
    table_hands_in,
    work,
)

pytestmark = pytest.mark.django_db


def counts() -> dict[str, int]:
    """How many rows there are of everything."""
    models = apps.get_app_config("tournaments").get_models()
    return {model.__name__: model._base_manager.count() for model in models}


def delete(world: World, role: str = "organiser") -> Any:
    return world.client(role).delete(f"/api/v1/sessions/{world.session.pk}/")


def a_full_world() -> tuple[World, dict[str, int]]:
    """A world beside which nothing else is, and what there was before its session had anything of its own."""
    world = a_world()
    session = world.session
    director = accounts.create(name="Dora")
    roles.grant(account=director, kind=RoleKind.DIRECTOR, place=RolePlace(session=session), actor=None)
    rounds.pace(session=session, actor=world.organiser, pace=rounds.Pace(20))
    history.note(world.organiser, "did", session, session=session, reason="Anna had a cold")
    chains.seal_new()
    return world, counts()


def test_what_nobody_has_played_is_deleted_and_leaves_a_line() -> None:
    world, before = a_full_world()
    other = Session.objects.exclude(pk=world.session.pk).get()
    assert delete(world, "scorer").status_code == 403
    assert delete(world).status_code == 204
    assert list(Session.objects.all()) == [other]
    after = counts()
    gone = {name for name in before if after[name] < before[name]}
    assert gone >= {
        "Play",
        "Seating",
        "Table",
        "Contestant",
        "BoardSet",
        "Round",
        "Tally",
        "Role",
        "HistorySeal",
    }
    assert {name for name in before if after[name] > before[name]} == set()
    assert not HistoryEntry.objects.filter(session=world.session.pk).exists()
    entry = HistoryEntry.objects.get(verb="deleted session")
    assert entry.detail == {"id": world.session.pk}
    assert Remark.objects.get().text == "", "nobody reads of Anna any more"
    assert Role.objects.filter(session=None).exists()
    assert not [finding for scope in chains.scopes() for finding in chains.verify(scope).findings]


def test_what_has_been_played_stays_whatever_its_state_and_a_trial_goes_with_everything() -> None:
    world, _before = a_full_world()
    play = plays_of(world.session)[0]
    rounds.open_round(session=world.session, actor=world.organiser, number=1)
    table_hands_in(world, play)
    work(world.session)
    for state in ("running", "cancelled"):
        Session.objects.filter(pk=world.session.pk).update(state=state)
        refused = delete(world)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "begun")
    Session.objects.filter(pk=world.session.pk).update(state="running")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Session.objects.filter(pk=world.session.pk).update(is_trial=True)

    trial = a_world(trial=True)
    counted = counts()
    first = plays_of(trial.session)[0]
    played_through(trial)
    a_ruling(trial.session, first)
    an_objection(trial.session, first, trial.organiser)
    confirmations.confirm(
        session=trial.session,
        actor=trial.organiser,
        place=rulings.PlayPlace("A", first.table.number, first.board.number),
        submission=first.submissions.get().pk,
    )
    states.finish(session=trial.refresh(), actor=trial.organiser)
    chains.seal_new()
    assert delete(trial).status_code == 204
    after = counts()
    assert {name for name in after if after[name] > counted[name]} <= {
        "Remark",
        "HistorySeal",
        "HistoryChain",
    }
    assert not Submission.objects.exclude(play__table__section__session=world.session).exists()
    assert hand_in(world, plays_of(world.session)[0]).pk


def looks(world: World) -> None:
    history.note(world.organiser, "printed lists", world.session.board_set, session=world.session, boards=[1])


def keeps(world: World) -> None:
    Custody.objects.create(board_set=world.session.board_set, account=accounts.create(name="Olga"))


def rules(world: World) -> None:
    """What was ruled has been ruled, also where it does not count any more."""
    made = rulings.with_id(world.session, a_ruling(world.session, plays_of(world.session)[0]))
    rulings.reverse(ruling=made, actor=world.organiser, text="It was another table")


def ranks(world: World) -> None:
    Ranking.objects.create(
        session=world.session, version=1, content=b"", is_snapshot=True, position=0, layout=0, digest=""
    )


def objects(world: World) -> None:
    play = plays_of(world.session)[0]
    remark = Remark.objects.get(pk=history.remark_of("Nine tricks"))
    contestant = play.seatings.get(seat=1).contestant
    Objection.objects.create(session=world.session, play=play, contestant=contestant, remark=remark)


RELIANCE = {
    "tournaments_custody": keeps,
    "tournaments_historyentry": looks,
    "tournaments_ruling": rules,
    "tournaments_ranking": ranks,
    "tournaments_objection": objects,
}


OF_SESSION = {
    "tournaments_session": "id = %s",
    "tournaments_custody": "board_set_id IN (SELECT id FROM tournaments_boardset WHERE session_id = %s)",
}


@pytest.mark.parametrize("table", sorted(RELIANCE))
def test_what_was_ruled_ranked_or_looked_at_stays_without_a_result(table: str) -> None:
    world = a_world()
    pk = world.session.pk
    session = Session.objects.filter(pk=pk)
    RELIANCE[table](world)
    for state in ("draft", "ready", "cancelled"):
        session.update(state=state)
        refused = delete(world)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "relied-on"), state
    for guarded in {table, "tournaments_historyentry", "tournaments_session"}:
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"DELETE FROM {guarded} WHERE {OF_SESSION.get(guarded, 'session_id = %s')}", [pk])


def test_of_two_who_delete_a_session_at_once_one_is_told_that_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also whoever changes it at that moment: their request has found it before."""
    world = a_world()
    address = f"/api/v1/sessions/{world.session.pk}/"
    found, really = world.session, directing.organised_session

    def slowly(request: Any, pk: int) -> Session:
        one = really(request, pk)
        if Session.objects.filter(pk=found.pk).exists():
            deleting.delete(session=one, actor=world.organiser)
        return one

    monkeypatch.setattr(directing, "organised_session", slowly)
    answer = world.client("organiser").delete(address)
    assert (answer.status_code, answer.json()["code"]) == (404, "no-such-session")
