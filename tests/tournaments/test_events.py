"""Events over many clubs: who makes, enters and plays them, whose boards are the same everywhere, and when
their embargo is lifted."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from tournaments.models import Club, ClubEntry, Event, HistoryEntry, Player, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    board_sets,
    custody,
    deleting,
    event_entries,
    events,
    rehearsals,
    roles,
    states,
    tokens,
)
from tournaments.services.errors import Refused

from .fields import a_leg, a_part, an_administrator, an_entry_of, an_organiser
from .worlds import a_club, a_club_entry, a_session, ended

pytestmark = pytest.mark.django_db
State, Stage = ClubEntry.State, ClubEntry.Stage


def refused(code: str, work: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        work()
    assert caught.value.code == code
    return caught.value


def play(session: Session, *, to: str = Session.State.PROVISIONAL) -> Session:
    """Its results are sent, though nobody has handed in any."""
    session = states.change(session=session, actor=None, to=Session.State.PLAYED, confirmed=True)
    return states.change(session=session, actor=None, to=to)


# ── Making, announcing, entering ──────────────────────────────────────────────────────────────────


def test_administrators_and_organisers_of_the_federation_and_of_a_club_make_events() -> None:
    organiser = accounts.create(name="Olga")
    refused("may-not-make-events", lambda: events.create(actor=organiser, club=None, name="Simultané"))
    roles.grant(account=organiser, kind=RoleKind.ORGANISER, place=roles.FEDERATION, actor=None)
    own = events.create(actor=organiser, club=None, name="Simultané")
    other = events.create(actor=an_administrator(), club=None, name="Coupe")
    managed = Event.objects.managed_by
    assert set(managed(organiser)) == {own}
    assert set(managed(an_administrator())) == {own, other}
    club = a_club()
    of_club = events.create(actor=an_organiser(club), club=club, name="Rencontre")
    assert set(managed(an_organiser(club))) == {of_club}
    assert not managed(an_organiser(a_club("Club B"))).exists()
    assert not Event.objects.visible_to(None).exists()  # drafts are their makers' own


def test_an_event_is_announced_once_it_has_a_leg_and_keeps_its_embargo_then() -> None:
    actor = an_administrator()
    event = events.create(actor=actor, club=None, name="Simultané")
    refused("no-leg", lambda: events.announce(event=event, actor=actor))
    leg = a_leg(event=event)
    assert set(Event.objects.visible_to(None)) == {leg.event}
    refused("announced", lambda: events.change(event=event, actor=actor, embargo="window"))
    assert events.change(event=event, actor=actor, fee="3 € la table").fee == "3 € la table"
    refused("no-such-movement", lambda: events.change(event=event, actor=actor, movements=["waltz"]))


@pytest.mark.parametrize(
    ("name", "value"), [("closes_at", -2), ("material_at", 5), ("late_until", 1)]
)  # hours from now; the window is from an hour ago until in two days
def test_times_that_are_not_in_order_are_refused(name: str, value: int) -> None:
    times: dict[str, Any] = {name: timezone.now() + timedelta(hours=value)}
    refused("times-not-in-order", lambda: a_leg(**times))


def test_a_club_enters_where_it_was_invited_or_where_an_event_is_open() -> None:
    leg, club = a_leg(least_tables=2), a_club()
    organiser = an_organiser(club)
    refused("not-invited", lambda: events.enter(leg=leg, club=club, actor=organiser, tables=3))
    refused("not-your-event", lambda: events.invite(leg=leg, clubs=[club], actor=organiser))
    (entry,) = events.invite(leg=leg, clubs=[club], actor=an_administrator())
    assert entry.stage == State.INVITED
    foreign = an_organiser(a_club("Club B"))
    refused("not-your-club", lambda: events.enter(leg=leg, club=club, actor=foreign, tables=3))
    refused("too-few-tables", lambda: events.enter(leg=leg, club=club, actor=organiser, tables=1))
    entry = events.enter(leg=leg, club=club, actor=organiser, tables=3)
    assert (entry.state, entry.tables) == (State.ENTERED, 3)
    assert events.enter(leg=leg, club=club, actor=organiser, tables=4).tables == 4
    open_leg = a_leg(joining="open")
    assert events.enter(leg=open_leg, club=club, actor=organiser, tables=1).state == State.ENTERED


def test_clubs_decline_and_withdraw_and_the_federation_leaves_out_and_takes_back_in() -> None:
    leg = a_leg()
    entry = an_entry_of(leg, "Club A")
    club, federation = an_organiser(entry.club), an_administrator()

    def decide(actor: Any, to: str) -> str:
        return events.decide(entry=entry, actor=actor, to=to).state

    refused("no-such-change", lambda: decide(club, State.DECLINED))
    refused("not-your-event", lambda: decide(club, State.LEFT_OUT))
    refused("not-your-club", lambda: decide(federation, State.WITHDRAWN))
    assert decide(club, State.WITHDRAWN) == State.WITHDRAWN
    assert decide(club, State.ENTERED) == State.ENTERED
    assert decide(federation, State.LEFT_OUT) == State.LEFT_OUT
    refused("not-your-event", lambda: decide(club, State.ENTERED))
    assert decide(federation, State.ENTERED) == State.ENTERED
    told = HistoryEntry.objects.of(club=entry.club).filter(verb="changed club entry")
    assert [(one.changes or {})["state"][1] for one in told.order_by("pk")] == [
        *("entered", "withdrawn", "entered", "left-out", "entered"),
    ]


def test_nobody_enters_once_the_window_is_over() -> None:
    now = timezone.now()
    leg = a_leg(joining="open", opens_at=now - timedelta(days=2), closes_at=now - timedelta(days=1))
    club = a_club()
    refused("leg-over", lambda: events.enter(leg=leg, club=club, actor=an_organiser(club), tables=3))


# ── A club's part ─────────────────────────────────────────────────────────────────────────────────


def test_every_club_plays_the_same_cards_by_its_own_movement_and_each_file_proves_them() -> None:
    leg = a_leg(boards=20)
    first = a_part(leg, "Club A")
    second = a_part(leg, "Club B", players=12, movement="annealed", boards_per_round=2, rounds=4)
    assert first.movement != second.movement
    for number in (1, 3):
        assert board_sets.deal_of(first, number) == board_sets.deal_of(second, number)
    assert board_sets.deal_of(first, 1) != board_sets.deal_of(a_session(), 1)
    assert {one.board_set.commitment for one in (first, second)} == {leg.commitment}
    assert board_sets.file_of(first) == board_sets.file_of(second)
    assert {one.stage for one in leg.entries.all()} == {State.ENTERED}
    assert first.leg == second.leg == leg


def test_a_part_is_refused_that_is_otherwise_than_its_event() -> None:
    leg = a_leg(boards=4, least_boards=4, least_tables=3, movements=["kirkman"])
    refused("not-entered", lambda: events.check_wish(club=a_club("Club C"), leg=leg.pk))
    refused("not-as-the-leg", lambda: a_part(leg, "Club A", game="le-99"))
    refused("too-many-boards", lambda: a_part(leg, "Club A", boards_per_round=2))
    refused("too-few-boards", lambda: a_part(leg, "Club A", rounds=3))
    refused("movement-not-allowed", lambda: a_part(leg, "Club A", movement="annealed", rounds=4))
    late = leg.closes_at + timedelta(hours=1)
    refused("outside-the-window", lambda: a_part(leg, "Club A", starts_at=late))
    assert not Session.objects.filter(leg=leg).exists()
    session = a_part(leg, "Club A", starts_at=leg.opens_at)
    refused("outside-the-window", lambda: states.mend(session=session, actor=None, starts_at=late))
    refused("plays-already", lambda: a_part(leg, "Club A", contestants=[f"Autre {n}" for n in range(9)]))


@pytest.mark.parametrize(
    "wish", [{"custody": "none"}, {"reserves": 1}, {"trial": True}, {"sealed": False}], ids=str
)
def test_what_belongs_to_the_shared_boards_cannot_be_chosen(wish: dict[str, Any]) -> None:
    leg = a_leg()
    entry = an_entry_of(leg, "Club A")
    refused("not-as-the-leg", lambda: events.check_wish(club=entry.club, leg=leg.pk, game="comon", **wish))


def test_nobody_plays_the_same_boards_at_two_clubs_and_both_are_named() -> None:
    leg = a_leg()
    first = a_part(leg, "Club A")
    account = accounts.create(name="Ana")
    one = first.members.select_related("player").order_by("pk")[0].player
    Player.objects.filter(pk=one.pk).update(account=account)
    club = an_entry_of(leg, "Club B").club
    other = Player.objects.create(club=club, number=1, given_name="Ana", family_name="B", account=account)
    wish = [{"players": [other.pk]}, *(f"Club B {n:02}" for n in range(2, 10))]
    error = refused("entered-already", lambda: a_part(leg, "Club B", contestants=wish))
    assert "Club A" in error.message
    assert "Club B" in error.message


def test_nor_does_who_has_the_same_name_and_membership_number_in_two_registers() -> None:
    leg = a_leg()
    first = a_part(leg, "Club A")
    one = first.members.select_related("player").order_by("pk")[0].player
    Player.objects.filter(pk=one.pk).update(number="0417")
    entered = an_entry_of(leg, "Club B")

    def same(given: str, number: str) -> list[Any]:
        family = {"given_name": given, "family_name": one.family_name}
        Player.objects.filter(club=entered.club).delete()
        own = Player.objects.create(club=entered.club, number=number, **family)
        return [{"players": [own.pk]}, *(f"Club B {n:02}" for n in range(2, 10))]

    wish = same(one.given_name.upper(), "0417")
    error = refused("entered-already", lambda: a_part(leg, "Club B", contestants=wish))
    assert "is entered at Club A" in error.message
    assert "cannot play at Club B" in error.message
    assert not Session.objects.filter(leg=leg, tournament__club=entered.club).exists()
    states.change(session=first, actor=None, to=Session.State.CANCELLED, reason="Snow")
    assert a_part(leg, "Club B", contestants=wish).leg == leg  # nobody plays there any more


@pytest.mark.parametrize(("given", "number"), [("Ana", "0417"), ("", "0418"), ("", "")])
def test_another_name_or_another_number_is_somebody_else(given: str, number: str) -> None:
    leg = a_leg()
    one = a_part(leg, "Club A").members.select_related("player").order_by("pk")[0].player
    Player.objects.filter(pk=one.pk).update(number="0417")
    club = an_entry_of(leg, "Club B").club
    named = {"given_name": given or one.given_name, "family_name": one.family_name}
    own = Player.objects.create(club=club, number=number, **named)
    wish = [{"players": [own.pk]}, *(f"Club B {n:02}" for n in range(2, 10))]
    assert a_part(leg, "Club B", contestants=wish).leg == leg


def test_whoever_takes_the_number_of_another_leg_is_told_which_one_the_club_plays() -> None:
    leg, other = a_leg(), a_leg(name="Simultané d’avril", joining="open")
    club = an_entry_of(leg, "Club A").club
    error = refused("not-entered", lambda: events.check_wish(club=club, leg=other.pk))
    assert f"“Simultané de mars, 1” (number {leg.pk})" in error.message
    assert "avril" not in error.message
    assert error.details == {"leg": other.pk, "entered": [leg.pk]}
    draft = a_club_entry(a_club("Club B")).leg  # of which nobody has been told yet
    assert (
        "Rencontre" not in refused("not-entered", lambda: events.check_wish(club=club, leg=draft.pk)).message
    )
    a_part(leg, "Club C")
    events.decide(entry=leg.entries.get(club=club), actor=an_organiser(club), to="withdrawn")
    assert refused("not-entered", lambda: events.check_wish(club=club, leg=other.pk)).details == {
        "leg": other.pk
    }


def test_the_part_of_a_club_is_deleted_like_any_session_and_set_up_again() -> None:
    leg = a_leg()
    first = a_part(leg, "Club A")
    deleting.delete(session=first, actor=None)
    assert leg.entries.get().session is None
    assert a_part(leg, "Club A").leg == leg


def test_a_rehearsal_has_boards_of_its_own() -> None:
    session = a_part(a_leg(), "Club A")
    copy = rehearsals.copy(session=session, actor=None)
    assert copy.leg is None
    assert copy.board_set.commitment != session.board_set.commitment


# ── Material and custody ──────────────────────────────────────────────────────────────────────────


def test_material_is_taken_once_it_is_released_and_each_list_is_told() -> None:
    soon = timezone.now() + timedelta(hours=1)
    leg = a_leg(opens_at=soon)
    session = a_part(leg, "Club A")
    account = accounts.create(name="Olga")
    roles.grant(
        account=account, kind=RoleKind.DEAL_OFFICER, place=roles.RolePlace(session=session), actor=None
    )

    def take() -> Any:
        return custody.take(session=session, account=account, signed_in_again_at=timezone.now())

    refused("material-not-released", take)
    type(leg).objects.filter(pk=leg.pk).update(material_at=timezone.now())
    session = Session.objects.get(pk=session.pk)
    take()
    assert leg.entries.get().stage == State.ENTERED
    custody.print_lists(session=session, actor=account, boards=[1, 2])
    assert leg.entries.get().stage == Stage.MATERIAL
    assert HistoryEntry.objects.of(session=session).filter(verb="printed lists").count() == 1
    refused("shared-boards", lambda: custody.leave_to_tables(session=session, actor=account))


def test_who_has_had_custody_at_one_club_plays_at_no_other() -> None:
    leg = a_leg()
    first = a_part(leg, "Club A")
    account = accounts.create(name="Olga Deal")
    roles.grant(account=account, kind=RoleKind.DEAL_OFFICER, place=roles.RolePlace(session=first), actor=None)
    names = ["Olga Deal", *(f"Club B {n:02}" for n in range(2, 10))]
    custody.take(session=first, account=account, signed_in_again_at=timezone.now())
    refused("has-custody", lambda: a_part(leg, "Club B", contestants=names))
    custody.lay_down(session=first, account=account)
    refused("has-custody", lambda: a_part(leg, "Club B", contestants=names))


def test_who_plays_at_one_club_has_custody_at_no_other() -> None:
    leg = a_leg()
    first = a_part(leg, "Club A")
    a_part(leg, "Club B", contestants=["Olga Deal", *(f"Club B {n:02}" for n in range(2, 10))])
    account = accounts.create(name="Olga Deal")
    roles.grant(account=account, kind=RoleKind.DEAL_OFFICER, place=roles.RolePlace(session=first), actor=None)
    take = lambda: custody.take(session=first, account=account, signed_in_again_at=timezone.now())  # noqa: E731
    refused("plays-here", take)


# ── When the embargo is lifted ────────────────────────────────────────────────────────────────────


def test_the_embargo_is_lifted_when_the_last_club_has_sent_its_results() -> None:
    leg = a_leg()
    first, second = a_part(leg, "Club A"), a_part(leg, "Club B")
    (invited,) = events.invite(leg=leg, clubs=[a_club("Club C")], actor=an_administrator())
    play(first)
    assert Session.objects.get(pk=first.pk).is_under_embargo
    states.change(session=second, actor=None, to=Session.State.PLAYED, confirmed=True)
    assert leg.entries.get(session=second).stage == Stage.PLAYED
    states.change(session=second, actor=None, to=Session.State.PROVISIONAL)
    assert leg.entries.get(session=second).stage == Stage.SENT
    assert Session.objects.get(pk=first.pk).is_under_embargo  # another club may still play
    events.decide(entry=invited, actor=an_organiser(a_club("Club C")), to=State.DECLINED)
    assert not Session.objects.get(pk=first.pk).is_under_embargo
    assert HistoryEntry.objects.filter(verb="lifted embargo").count() == 1


def test_an_event_that_waits_for_its_window_or_is_open_is_lifted_at_its_end() -> None:
    each: list[dict[str, Any]] = [{"embargo": "window"}, {"joining": "open"}]
    for terms in each:
        leg = a_leg(name=str(terms), **terms)
        session = play(a_part(leg, "Club A", contestants=[f"{terms} {n}" for n in range(9)]))
        assert Session.objects.get(pk=session.pk).is_under_embargo
        assert events.lift_all() == 0
        assert events.lift_all(now=leg.closes_at) == 1
        assert not Session.objects.get(pk=session.pk).is_under_embargo
        assert events.lift_all(now=leg.closes_at) == 0


def test_at_the_end_of_the_window_a_club_that_still_plays_is_waited_for_a_while() -> None:
    late = timezone.now() + timedelta(days=3)
    leg = a_leg(late_until=late)
    session = a_part(leg, "Club A")
    states.change(session=session, actor=None, to=Session.State.RUNNING)
    assert events.lift_all(now=leg.closes_at) == 0
    assert not events.is_one_due(now=leg.closes_at)
    assert events.is_one_due(now=late)
    assert events.lift_all(now=late) == 1


def test_a_club_that_plays_keeps_the_boards_closed_though_it_was_left_out() -> None:
    leg = a_leg()
    first, second = a_part(leg, "Club A"), a_part(leg, "Club B")
    states.change(session=second, actor=None, to=Session.State.RUNNING)
    events.decide(entry=leg.entries.get(session=second), actor=an_administrator(), to=State.LEFT_OUT)
    play(first)
    assert Session.objects.get(pk=first.pk).is_under_embargo
    play(second)
    assert not Session.objects.get(pk=first.pk).is_under_embargo


def test_results_are_checked_once_they_are_sent() -> None:
    leg = a_leg()
    session = a_part(leg, "Club A")
    entry, federation = leg.entries.get(), an_administrator()

    def check(actor: Any) -> str:
        return events.check_results(entry=entry, actor=actor, is_checked=True).stage

    refused("not-sent", lambda: check(federation))
    play(session)
    refused("not-your-event", lambda: check(an_organiser(entry.club)))
    assert check(federation) == Stage.CHECKED
    taken_back = events.check_results(entry=entry, actor=federation, is_checked=False)
    assert taken_back.stage == Stage.SENT


# ── By the API ────────────────────────────────────────────────────────────────────────────────────


def program(token_text: str) -> APIClient:
    client = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_text}")
    return client


def of_federation(kind: RoleKind = RoleKind.ADMINISTRATOR, name: str = "Fédora") -> APIClient:
    account = accounts.create(name=name)
    role, _new = roles.grant(account=account, kind=kind, place=roles.FEDERATION, actor=None)
    return program(tokens.make(role=role, name="site", scopes=role.scopes, actor=account)[1])


def of_club(name: str) -> APIClient:
    kind = RoleKind.ORGANISER
    return program(tokens.issue_for_role(person=f"Orga {name}", club=a_club(name), kind=kind)[1])


def code_of(answer: Any) -> str:
    return str(answer.json()["code"])


def test_an_event_of_two_clubs_runs_by_the_api_alone() -> None:
    federation, first, second = of_federation(), of_club("Club A"), of_club("Club B")
    made = federation.post("/api/v1/events/", {"name": "Simultané de mars", "least_tables": 3}, "json")
    assert (made.status_code, made.json()["club"], made.json()["state"]) == (201, None, "draft")
    event = made["Location"]
    assert first.get(event).status_code == 404
    now = timezone.now()
    window = {"opens_at": now - timedelta(hours=1), "closes_at": now + timedelta(days=2)}
    announce = {"state": "announced"}
    assert code_of(federation.put(f"{event}state/", announce, "json")) == "no-leg"
    leg = federation.post(f"{event}legs/", {"game": "comon", "boards": 12, **window}, "json").json()
    assert (leg["number"], leg["boards"], leg["lifted_at"]) == (1, 12, None)
    changed = federation.patch(event, {"fee": "3 €"}, "json", HTTP_IF_MATCH=made["ETag"])
    assert (changed.status_code, code_of(changed)) == (412, "changed-meanwhile")  # it has a leg since
    etag = federation.get(event)["ETag"]
    changed = federation.patch(event, {"fee": "3 €"}, "json", HTTP_IF_MATCH=etag)
    assert (changed.status_code, changed.json()["fee"], changed.json()["legs"]) == (200, "3 €", 1)
    assert federation.put(f"{event}state/", announce, "json").status_code == 200
    entries = f"/api/v1/legs/{leg['id']}/entries/"
    invited = federation.post(entries, {"clubs": ["club-a", "club-b", "club-a"]}, "json").json()["entries"]
    assert [(one["club"], one["stage"]) for one in invited] == [("club-a", "invited"), ("club-b", "invited")]
    assert [one["club"] for one in first.get(entries).json()["results"]] == ["club-a"]
    reminders = f"/api/v1/legs/{leg['id']}/reminders/"
    assert first.post(reminders, {}, "json").status_code == 403
    asked = [federation.post(reminders, {}, "json").json()["entries"] for _twice in range(2)]
    assert [[one["club"] for one in each] for each in asked] == [["club-a", "club-b"], []]
    assert code_of(first.post(entries, {"clubs": ["club-a"]}, "json")) == "not-your-event"
    assert code_of(first.post(entries, {"tables": 2}, "json")) == "too-few-tables"
    assert first.post(entries, {"tables": 3}, "json").json()["entries"][0]["stage"] == "entered"
    state = f"/api/v1/entries/{invited[1]['id']}/state/"
    assert first.put(state, {"state": "entered", "tables": 3}, "json").status_code == 404
    assert second.put(state, {"state": "declined"}, "json").json()["stage"] == "declined"
    assert second.put(state, {"state": "entered", "tables": 4}, "json").json()["tables"] == 4
    assert federation.put(state, {"state": "checked"}, "json").status_code == 409
    tournament = first.post("/api/v1/tournaments/", {"name": "Simultanés"}, "json").json()["id"]
    wish = {"name": "Club A", "game": "comon", "contestants": [f"A {n}" for n in range(1, 10)]}
    wish |= {"boards_per_round": 1, "leg": leg["id"]}
    sessions = f"/api/v1/tournaments/{tournament}/sessions/"
    assert code_of(first.post(sessions, {**wish, "reserves": 1}, "json")) == "not-as-the-leg"
    session = ended(first, first.post(sessions, wish, "json")).json()
    assert (session["leg"], session["commitment"]) == (leg["id"], leg["commitment"])
    (own,) = first.get(entries).json()["results"]
    assert (own["session"], own["stage"]) == (session["id"], "entered")
    play(Session.objects.get(pk=session["id"]))
    (own,) = first.get(entries).json()["results"]
    assert own["stage"] == "sent"
    checked = federation.put(f"/api/v1/entries/{own['id']}/state/", {"state": "checked"}, "json")
    assert checked.json()["stage"] == "checked"
    assert (
        federation.put(f"/api/v1/entries/{own['id']}/state/", {"state": "sent"}, "json").json()["stage"]
        == "sent"
    )


def test_clubs_are_told_by_mail_that_they_are_invited_and_once_a_day_what_is_waited_for(
    mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    leg = a_leg()
    club, other = a_club("Club A"), a_club("Club B")
    for name, kind in (("Ana", RoleKind.ORGANISER), ("Bea", RoleKind.SCORER)):
        account = accounts.create(name=name, email=f"{name}@example.org", language="fr")
        for again in {kind, RoleKind.ADMINISTRATOR} if name == "Ana" else {kind}:
            roles.grant(account=account, kind=again, place=roles.RolePlace(club), actor=None)

    def told(work: Any) -> list[tuple[Any, str]]:
        mailoutbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            work()
        return [(mail.to, mail.body) for mail in mailoutbox]

    actor, now = an_administrator(), timezone.now()
    ((to, text),) = told(lambda: events.invite(leg=leg, clubs=[club, other], actor=actor))
    assert to == ["ana@example.org"]  # once, though she has two roles; nobody at Club B has an address
    assert "Simultané de mars, 1" in text
    assert "invité" in text
    paris = leg.closes_at.astimezone(club.zone)  # by the club’s clock, in the reader’s language
    assert f", {paris.hour}\xa0h" in text
    assert "T" not in text.partition("du ")[2].partition(".")[0]
    ((to, text),) = told(lambda: event_entries.remind(leg=leg, actor=actor, now=now))
    assert "joue" in text
    assert told(lambda: event_entries.remind(leg=leg, actor=actor, now=now)) == []
    events.enter(leg=leg, club=club, actor=an_organiser(club), tables=3)
    later = now + timedelta(days=1)
    ((to, text),) = told(lambda: event_entries.remind(leg=leg, actor=actor, now=later))
    assert "la séance reste à préparer" in text
    refused("not-your-event", lambda: event_entries.remind(leg=leg, actor=an_organiser(club), now=later))
    events.decide(entry=leg.entries.get(club=club), actor=an_organiser(club), to="withdrawn")
    assert told(lambda: event_entries.remind(leg=leg, actor=actor, now=now + timedelta(days=1.5))) == []


def test_inviting_and_reminding_ask_the_database_as_often_for_many_clubs_as_for_two(
    mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    """And each is in the history of its club, in the role of whoever did it there."""
    actor, leg, now = an_administrator(), a_leg(), timezone.now()
    asked = []
    for count in (2, 7):
        clubs = [a_club(f"Club {count} {n}") for n in range(count)]
        for club in clubs:
            account = accounts.create(name=club.name, email=f"{club.slug}@example.org")
            roles.grant(account=account, kind=RoleKind.ORGANISER, place=roles.RolePlace(club), actor=None)
        mailoutbox.clear()
        with django_capture_on_commit_callbacks(execute=True), CaptureQueriesContext(connection) as inviting:
            made = events.invite(leg=leg, clubs=[*clubs, clubs[0]], actor=actor)
        assert [one.club for one in made] == [*clubs, clubs[0]]
        with django_capture_on_commit_callbacks(execute=True), CaptureQueriesContext(connection) as reminding:
            assert len(event_entries.remind(leg=leg, actor=actor, now=now)) == count
        asked.append((len(inviting), len(reminding)))
        assert sorted(mail.to[0] for mail in mailoutbox) == sorted(
            [f"{club.slug}@example.org" for club in clubs] * 2
        )
    assert asked[0] == asked[1]
    told = HistoryEntry.objects.filter(verb__in=["invited club", "reminded club"])
    assert sorted(told.values_list("club__slug", flat=True)) == sorted(
        [one.club.slug for one in leg.entries.select_related("club")] * 2
    )
    federal = actor.roles.get()
    assert set(told.values_list("role", flat=True)) == {federal.pk}
    own, _is_new = roles.grant(
        account=actor, kind=RoleKind.SCORER, place=roles.RolePlace(clubs[0]), actor=None
    )
    event_entries.remind(leg=leg, actor=actor, now=now + timedelta(days=1))
    newest = told.filter(verb="reminded club").order_by("-pk")[:9]
    assert {one.club_id: one.role_id for one in newest}[clubs[0].pk] == own.pk


def test_an_organiser_of_the_federation_runs_the_events_that_they_own() -> None:
    organiser, other = of_federation(RoleKind.ORGANISER, "Olga"), of_federation()
    own = organiser.post("/api/v1/events/", {"name": "Coupe"}, "json")["Location"]
    foreign = other.post("/api/v1/events/", {"name": "Simultané"}, "json")["Location"]
    assert organiser.get(own).status_code == 200
    assert organiser.get(foreign).status_code == 404
    assert other.get(own).status_code == 200  # an administrator runs all of them
    Club.objects.filter(pk=a_club().pk).update(time_zone="America/Toronto")
    of_a_club = of_club("Club A").post("/api/v1/events/", {"name": "Rencontre"}, "json").json()
    assert (of_a_club["club"], of_a_club["time_zone"]) == ("club-a", "America/Toronto")
    nowhere = {"name": "x", "time_zone": "Nowhere/Else"}
    assert code_of(other.post("/api/v1/events/", nowhere, "json")) == "no-such-time-zone"
    scorer = program(tokens.issue_for_role(person="S", club=a_club(), kind=RoleKind.SCORER)[1])
    assert scorer.post("/api/v1/events/", {"name": "x"}, "json").status_code == 403


def test_clubs_are_invited_that_the_caller_knows_of() -> None:
    entry = a_club_entry(a_club())
    a_club("Club B")  # of which nothing is public
    address = f"/api/v1/legs/{entry.leg_id}/entries/"
    answer = of_club("Club A").post(address, {"clubs": ["club-a", "club-b"]}, "json")
    assert answer.status_code == 400
    assert "club-b" in answer.json()["details"]["clubs"][0]
    a_session(club="Club B", published=True)
    assert of_club("Club A").post(address, {"clubs": ["club-b"]}, "json").status_code == 201


def test_a_club_that_was_invited_to_a_draft_enters_once_it_is_announced() -> None:
    entry = a_club_entry(a_club())
    club = an_organiser(entry.club)
    refused("not-announced", lambda: events.decide(entry=entry, actor=club, to="entered", tables=3))
    events.announce(event=entry.leg.event, actor=club)
    assert events.decide(entry=entry, actor=club, to="entered", tables=3).tables == 3


def test_a_clubs_list_becomes_final_when_the_events_hours_for_corrections_are_over() -> None:
    leg = a_leg(correction_hours=3)
    first, second = a_part(leg, "Club A"), a_part(leg, "Club B")
    sent = timezone.now()
    play(first)
    first.refresh_from_db()
    assert first.corrections_until is not None
    assert timedelta(hours=3) <= first.corrections_until - sent < timedelta(hours=3, minutes=5)
    states.change(session=second, actor=None, to=Session.State.PLAYED, confirmed=True)
    later = sent + timedelta(hours=9)  # its director says another moment
    states.change(session=second, actor=None, to=Session.State.PROVISIONAL, until=later)
    assert states.make_due_final(now=sent + timedelta(hours=4)) == 1
    kept = {one.pk: one.state for one in Session.objects.filter(leg=leg)}
    assert kept == {first.pk: Session.State.FINAL, second.pk: Session.State.PROVISIONAL}
    alone = a_session()
    play(alone)
    alone.refresh_from_db()
    assert alone.corrections_until is None
