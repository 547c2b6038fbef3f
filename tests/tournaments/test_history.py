"""The history: every change says who (in which role), when, what, from where to where, and why; and no entry
holds a name or free text itself."""

import json
from typing import Any, cast

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.utils.functional import SimpleLazyObject

from tournaments.models import Account, HistoryEntry, Remark, Role
from tournaments.services import accounts, board_sets, history, judging, roles, sessions
from tournaments.services.replanning import replan
from tournaments.services.roles import FEDERATION, RolePlace

from .worlds import World, a_club, a_session, a_world, hand_in, plays_of, work

pytestmark = pytest.mark.django_db

Agent = HistoryEntry.Agent


def begins_with() -> World:
    return a_world(reserves=1)


def newest(verb: str) -> HistoryEntry:
    return HistoryEntry.objects.with_names().filter(verb=verb).latest("pk")


def test_an_entry_says_who_in_which_role_what_from_where_to_where_and_why(world: World) -> None:
    session, token = world.session, world.organiser
    assert token.role is not None
    board_sets.use_reserve(session=session, actor=token, board=2, reason=" Dropped by Ana Ruiz. ")
    replaced = newest("replaced")
    assert (replaced.account, replaced.role, replaced.token) == (token.role.account, token.role, token)
    assert (replaced.agent, replaced.actor) == (Agent.PERSON, "organiser (organiser, Club A)")
    assert replaced.remark is not None
    assert replaced.remark.text == "Dropped by Ana Ruiz."
    sessions.publish(session=session, actor=token, listed=True)
    assert newest("published").changes == {"listed": [False, True]}
    sessions.finish(session=session, actor=token)
    assert newest("finished").changes == {"state": ["ready", "played"]}


def test_no_entry_holds_a_name_or_free_text(world: World) -> None:
    board_sets.use_reserve(session=world.session, actor=world.organiser, board=2, reason="Ana Ruiz sneezed")
    arrived = replan(session=world.session, actor=world.organiser, after=0, leaving=[9], arriving=["Zoé Zed"])
    hand_in(world, plays_of(arrived)[0])
    work(world.session)
    ana = accounts.create(name="Ana Ruiz", email="ana@example.org", language="fr")
    accounts.change(account=ana, name="Ana Zed", language="en")
    roles.grant(account=ana, kind=Role.Kind.SCORER, place=RolePlace(a_club()), actor=None)
    told = json.dumps(list(HistoryEntry.objects.values()), default=str)
    words = ["Ana", "Zed", "example.org", "Joueur", "sneezed", "organiser of", "Organiser of"]
    assert [word for word in words if word in told] == []
    number = arrived.contestants.get(name="Zoé Zed").number
    assert (newest("replanned").detail["leaving"], newest("replanned").detail["arriving"]) == ([9], [number])
    assert newest("changed account").changes == {"language": ["fr", "en"]}
    assert newest("changed account").actor == "Ana Zed"  # by the name of today


def test_a_name_that_changes_changes_everywhere(world: World) -> None:
    hand_in(world, plays_of(world.session)[0])
    role = world.organiser.role
    assert role is not None
    accounts.change(account=role.account, name="Ana Ruiz", language="")
    answer = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/history/?verb=submitted")
    assert [one["actor"] for one in answer.json()["results"]] == ["Ana Ruiz (organiser, Club A)"]


def test_operators_are_not_workers(world: World) -> None:
    hand_in(world, plays_of(world.session)[0])
    work(world.session)
    assert (newest("accepted").agent, newest("accepted").actor) == (Agent.WORKER, "worker")
    call_command("invite", "director", session=world.session.pk)
    call_command("club", "Club N")
    invited, made = newest("invited"), newest("made club")
    assert (invited.agent, invited.session, invited.club) == (Agent.OPERATOR, world.session, None)
    assert (made.agent, made.club, made.account) == (Agent.OPERATOR, a_club("Club N"), None)
    judging.judge()
    assert newest("invited").pk < newest("made club").pk
    history.note(None, "did", world.session, session=world.session)
    assert newest("did").agent == Agent.WORKER, "a command that is over operates nothing"
    hand_in(world, plays_of(world.session)[1])
    assert {one.agent for one in HistoryEntry.objects.filter(verb="submitted")} == {Agent.PERSON}


def test_an_account_acts_in_the_role_that_is_nearest(world: World) -> None:
    ana, session = accounts.create(name="Ana"), world.session
    club = session.tournament.club

    def acted(**where: Any) -> tuple[Any, Any, Any]:
        history.note(ana, "did", session, **where)
        one = newest("did")
        return one.role and one.role.kind, one.session_id, one.club_id

    assert acted(session=session) == (None, session.pk, None)
    federal, _ = roles.grant(account=ana, kind=Role.Kind.ADMINISTRATOR, place=FEDERATION, actor=None)
    assert acted(club=club) == ("administrator", None, club.pk)
    for kind in (Role.Kind.SCORER, Role.Kind.ORGANISER):
        roles.grant(account=ana, kind=kind, place=RolePlace(club), actor=None)
    assert acted(club=club) == ("organiser", None, club.pk)
    assert acted(tournament=session.tournament) == ("organiser", None, club.pk)
    assert acted() == ("administrator", None, None)
    roles.grant(account=ana, kind=Role.Kind.DIRECTOR, place=RolePlace(session=session), actor=None)
    assert acted(session=session) == ("director", session.pk, None)
    other, _ = roles.grant(account=ana, kind=Role.Kind.SCORER, place=RolePlace(session=session), actor=None)
    assert acted(session=session) == ("director", session.pk, None)
    assert acted(session=session, as_role=other) == ("scorer", session.pk, None)
    roles.grant(
        account=accounts.create(name="Bea"), kind=Role.Kind.ADMINISTRATOR, place=FEDERATION, actor=None
    )
    roles.revoke(role=federal, actor=ana)
    assert newest("left role").role == federal, "the role that they leave is the one they act in"
    accounts.change(account=ana, name="Ana", language="")
    assert newest("changed account").role is None


def test_a_remark_can_be_emptied_and_nothing_else(world: World) -> None:
    board_sets.use_reserve(session=world.session, actor=world.organiser, board=2, reason="Ana Ruiz sneezed")
    entry = newest("replaced")
    assert entry.remark is not None
    assert entry.remark.digest == history.digest_of(entry.remark.salt, "Ana Ruiz sneezed")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Remark.objects.update(text="Zoé sneezed")
    own = HistoryEntry.objects.of(session=world.session)
    assert history.forget(entries=own, actor=None) == 1
    assert history.forget(entries=own, actor=None) == 0
    remark = Remark.objects.get()
    assert (remark.text, remark.salt, remark.digest) == ("", "", entry.remark.digest)
    assert newest("emptied remarks").subject == f"entry {entry.pk}"
    assert newest("emptied remarks").session == world.session
    assert newest("emptied remarks").tournament == world.session.tournament
    answer = world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/history/?verb=replaced")
    assert [one["reason"] for one in answer.json()["results"]] == [None]


def test_the_history_of_the_api_is_filtered_by_name_and_strictly(world: World) -> None:
    foreign = a_session(club="Club B")
    play = plays_of(world.session)[0]
    submission = hand_in(world, play)
    work(world.session)
    role = world.organiser.role
    assert role is not None
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/history/"

    def verbs(query: str) -> list[str]:
        answer = client.get(f"{address}?{query}")
        assert answer.status_code == 200, answer.content
        return [one["verb"] for one in answer.json()["results"]]

    everything = ["set up", "issued table tokens", "submitted", "accepted", "started"]
    assert verbs("") == verbs("since=2020-01-01T00:00:00Z") == everything
    assert verbs("agent=worker") == verbs("verb=accepted") + verbs("verb=started") == ["accepted", "started"]
    assert verbs(f"subject=submission+{submission.pk}") == ["submitted", "accepted"]
    assert verbs(f"account={role.account_id}") == ["issued table tokens", "submitted"]
    assert verbs(f"account={role.account_id}&verb=accepted") == []
    assert verbs("until=2020-01-01T00:00:00Z") == []
    assert verbs("page_size=2&agent=person") == ["set up", "issued table tokens"]
    for query, name in {
        "account=me": "account", "account=0": "account", "agent=robot": "agent", "since=today": "since",
        "verbs=accepted": "verbs", f"session={foreign.pk}": "session",
    }.items():  # fmt: skip
        refused = client.get(f"{address}?{query}")
        assert refused.status_code == 400
        assert refused.json()["error"]["details"].keys() == {name}, query


def test_a_subject_that_is_only_looked_up_when_it_is_needed_has_its_name() -> None:
    """As the one who has signed in comes with a request."""
    account = accounts.create(name="Ana")
    lazily = cast(Account, SimpleLazyObject(lambda: Account.objects.get(pk=account.pk)))
    history.note(lazily, "changed account", lazily)
    entry = HistoryEntry.objects.latest("pk")
    assert (entry.subject, entry.account) == (f"account {account.pk}", account)


def test_what_is_done_to_a_tournament_belongs_to_it_and_to_its_club(world: World) -> None:
    tournament = world.session.tournament
    history.note(world.organiser, "did", tournament, tournament=tournament)
    entry = newest("did")
    assert (entry.tournament, entry.session, entry.club) == (tournament, None, tournament.club)
