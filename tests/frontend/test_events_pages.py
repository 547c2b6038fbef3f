"""Events of many clubs at the desk: made, announced, entered, set up and checked by the pages alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.fields import a_leg, a_part, an_administrator, an_entry_of, send
from tests.tournaments.test_event_checks import contradict
from tests.tournaments.worlds import a_club, a_club_entry, forget
from tournaments.models import ClubEntry, Draft, Event, FieldRanking, Leg, RuledPlay, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    events,
    fields,
    replacing,
    roles,
    seasons,
    session_wishes,
    sessions,
    states,
)
from tournaments.services.errors import Conflict

from .test_desk import an_account, at_desk

pytestmark = pytest.mark.django_db
NINE = "\n".join(f"Joueur {n:02}" for n in range(1, 10))


def club_page(name: str = "Club A") -> str:
    return reverse("club-events", args=[a_club(name).slug])


def sends_its_results(session: Session) -> None:
    for to in (Session.State.PLAYED, Session.State.PROVISIONAL):
        session = states.change(session=session, actor=None, to=to, confirmed=True)


def test_an_event_goes_from_its_first_leg_to_a_checked_club_by_the_pages_alone() -> None:
    federation, club = at_desk(an_administrator()), at_desk(an_account())
    federation.open(reverse("desk-events")).press("Make the event", name="Simultané de mars")
    assert federation.heading == "Simultané de mars"
    today = timezone.now().date()
    window = {"opens": today - timedelta(days=1), "opens_hour": "14h", "closes": today + timedelta(days=3)}
    federation.press("Deal and seal", game="comon", boards="12", late=str(today), late_hour="9", **window)
    assert federation.answer.status_code == 400
    assert "not in order" in federation.text
    federation.press("Deal and seal", game="comon", boards="12", late="", late_hour="", **window)
    leg = Leg.objects.get()
    assert leg.opens_at.astimezone(leg.event.zone).hour == 14
    assert (leg.closes_at - leg.opens_at) > timedelta(days=3)
    federation.press("Save the terms", least_tables="3", fee="3 € la table")
    federation.press("Invite them", clubs=[str(a_club().pk)])
    assert "Has not answered yet" in federation.text
    assert "Simultané" not in club.open(club_page()).text
    federation.press("Announce the event")
    club.open(club_page())
    assert "Fee: 3 € la table." in club.text
    club.press("Enter the club", tables="2")
    assert club.answer.status_code == 400
    assert "3 tables at least" in club.text
    club.press("Enter the club", tables="3")
    assert "is still to be set up" in club.text
    club.press("Set its session up").press("Continue", contestants=NINE).press("Continue")
    assert "/review/" in club.path
    club.press("Set up the session")
    session = Session.objects.get()
    assert (session.leg, session.name, session.game) == (leg, "Simultané de mars, 1", "comon")
    assert session.board_set.commitment == leg.commitment
    assert leg.opens_at <= (session.starts_at or timezone.now()) < leg.closes_at
    club.open(club_page())
    assert "Invite a deal officer, who does not play" in club.text
    place = roles.RolePlace(session=session)
    roles.grant(account=accounts.create(name="Olga"), kind=RoleKind.DEAL_OFFICER, place=place, actor=None)
    assert "The material can be taken now" in club.open(club_page()).text
    assert reverse("session-deals-page", args=[session.pk]) in club.text
    sends_its_results(session)
    federation.open(reverse("desk-event", args=[leg.event_id]))
    assert "Its results are to be checked" in federation.text
    federation.press("Results are checked")
    assert leg.entries.get().stage == ClubEntry.Stage.CHECKED
    assert "1 are waited for" not in federation.text


def test_a_club_declines_comes_after_all_and_withdraws_and_the_federation_leaves_it_out() -> None:
    leg = a_leg()
    events.invite(leg=leg, clubs=[a_club()], actor=an_administrator())
    club = at_desk(an_account())
    assert "Between clubs (1)</a>" in club.text
    club.open(club_page()).press("Decline")
    assert "Between clubs</a>" in club.open(reverse("desk")).text
    club.open(club_page())
    assert leg.entries.get().state == "declined"
    club.press("Enter the club", tables="4").press("Withdraw")
    assert leg.entries.get().state == "withdrawn"
    club.press("Enter the club", tables="5").press("Say another number", tables="6")
    federation = at_desk(an_administrator()).open(reverse("desk-event", args=[leg.event_id]))
    assert "1 club, 6 tables expected." in federation.text
    federation.press("Leave out")
    assert leg.entries.get().state == "entered"
    federation.press("Leave the club out")
    assert federation.answer.status_code == 400, "a reason is asked for"
    assert leg.entries.get().state == "entered"
    federation.press("Leave the club out", reason="No hall on that day")
    assert (leg.entries.get().state, leg.entries.get().reason) == ("left-out", "No hall on that day")
    assert "Enter the club" not in club.open(club_page()).text
    federation.press("Take in").press("Take the club in")
    assert leg.entries.get().state == "entered"


def test_clubs_are_shown_by_how_far_they_have_come_and_those_first_that_are_waited_for() -> None:
    leg = a_leg()
    first = a_part(leg, "Club A")
    an_entry_of(leg, "Club B")
    events.invite(leg=leg, clubs=[a_club("Club C")], actor=an_administrator())
    sends_its_results(first)
    address = reverse("desk-event", args=[leg.event_id])
    federation = at_desk(an_administrator()).open(address)
    at = [federation.text.index(f'class="person">{club}') for club in ("Club A", "Club B", "Club C")]
    assert at == sorted(at)  # to be checked, to be set up, to be answered
    assert "2 are waited for" in federation.text
    assert "1 is to be checked." in federation.text
    assert "2 clubs have been asked by mail." in federation.press("Ask 2 clubs by mail").text
    assert "Ask " not in federation.open(address).text
    entered = federation.open(f"{address}?leg=1&stage=entered").text
    assert 'class="person">Club B' in entered
    assert 'class="person">Club A' not in entered
    taken = federation.open(f"{address}clubs.csv").text.splitlines()
    assert [row.split(",")[:5] for row in taken[1:]] == [
        ["1", "club-a", "Club A", "sent", "3"],
        ["1", "club-b", "Club B", "entered", "3"],
        ["1", "club-c", "Club C", "invited", ""],
    ]
    assert federation.open(f"{address}clubs.pdf").answer.status_code == 404
    assert federation.open(f"{address}?leg=2").answer.status_code == 404


def test_terms_that_somebody_else_has_changed_are_not_overwritten_and_what_clubs_rely_on_stays() -> None:
    leg = a_leg()
    page = at_desk(an_administrator()).open(reverse("desk-event", args=[leg.event_id]))
    assert "terms_embargo" not in page.text
    events.change(event=leg.event, actor=an_administrator(), fee="5 €")
    page.press("Save the terms", fee="2 €")
    assert page.answer.status_code == 409
    assert "Somebody else has changed the event" in page.text
    assert Event.objects.get().fee == "5 €"
    page.open(page.path).press("Save the terms", movements=["kirkman", "rainbow"])
    assert Event.objects.get().movements == ["kirkman", "rainbow"]
    everybody = Client(HTTP_HOST="localhost").get(reverse("public-event", args=[leg.event_id]))
    for text in (page.text, everybody.content.decode()):
        assert "<dd>Kirkman, Rainbow</dd>" in text


def test_nobody_sees_an_event_at_the_desk_but_those_who_run_it_and_no_page_shows_a_draft_to_clubs() -> None:
    entry = a_club_entry(a_club("Club B"))
    visitor = at_desk(an_account())
    assert visitor.open(reverse("desk-event", args=[entry.leg.event_id])).answer.status_code == 404
    assert "Rencontre" not in visitor.open(club_page()).text
    assert visitor.open(club_page("Club B")).answer.status_code == 404
    assert "Rencontre" not in visitor.open(reverse("desk-events")).text


def test_everybody_reads_of_an_event_once_it_is_announced(django_assert_num_queries: Any) -> None:
    draft = a_club_entry(a_club("Club B")).leg.event
    anyone = Client(HTTP_HOST="localhost")
    assert anyone.get(reverse("public-event", args=[draft.pk])).status_code == 404
    leg = a_leg(fee="3 € la table")
    a_part(leg, "Club A")
    an_entry_of(leg, "Club D")
    events.invite(leg=leg, clubs=[a_club("Club C")], actor=an_administrator())
    with django_assert_num_queries(3):
        answer = anyone.get(reverse("public-event", args=[leg.event_id]))
    text = answer.content.decode()
    assert "2 clubs play" in text
    assert leg.commitment in text
    assert "Club C" not in text  # who is invited and has not answered, is nobody’s business
    assert "/sessions/" not in text.partition("<main")[2]  # none of them is listed


def test_a_part_begins_within_the_window_and_has_nothing_to_choose_but_who_plays() -> None:
    day = (timezone.now() + timedelta(days=9)).replace(hour=8, minute=15, second=20)  # nobody plays then
    leg = a_leg(opens_at=day, closes_at=day + timedelta(hours=1))
    club = an_entry_of(leg, "Club A").club
    visitor = at_desk(an_account()).open(club_page()).press("Set its session up")
    wish = session_wishes.wish_of(Draft.objects.get())
    begins = session_wishes.starts_at(club, wish)
    assert begins is not None
    assert timedelta() < begins - leg.opens_at < timedelta(minutes=1)
    assert (wish.leg, wish.reserves, visitor.path.rstrip("/").rpartition("/")[2]) == (
        leg.pk,
        0,
        "contestants",
    )
    draft = Draft.objects.get().pk
    visitor.open(reverse("draft-step", args=[draft, "game"]))
    assert 'value="hombre"' not in visitor.text
    visitor.press("Continue", name="Notre soirée")
    assert session_wishes.wish_of(Draft.objects.get()).options == wish.options
    visitor.open(reverse("draft-step", args=[draft, "boards"]))
    assert visitor.path == reverse("draft-step", args=[draft, "review"])
    assert "every club plays the same" in visitor.text
    assert reverse("draft-step", args=[draft, "boards"]) not in visitor.text
    events.decide(entry=leg.entries.get(), actor=an_administrator(), to="left-out")
    visitor = at_desk(an_account("Bea"))
    answer = visitor.client.post(reverse("new-session", args=[club.slug]), {"leg": leg.pk}, follow=True)
    assert "has not entered" in answer.content.decode()
    assert Draft.objects.count() == 1


def test_a_club_where_somebody_sits_out_is_offered_movements_of_no_more_boards_than_are_dealt() -> None:
    an_entry_of(a_leg(boards=24), "Club A")
    visitor = at_desk(an_account()).open(club_page()).press("Set its session up")
    visitor.press("Continue", contestants=f"{NINE}\nJoueur 10")
    assert "No movement fits" not in visitor.text
    assert "/movement/" not in visitor.press("Continue").path


def test_the_page_says_what_the_newest_version_of_the_joint_ranking_counts_and_who_is_missing() -> None:
    forget()
    now = timezone.now()
    leg = a_leg(boards=12, embargo="window", late_until=now + timedelta(days=3))
    send(a_part(leg, "Club A"))
    a_part(leg, "Club B")
    federation = at_desk(an_administrator()).open(reverse("desk-event", args=[leg.event_id]))
    assert "Missing:" not in federation.text
    assert "counts." not in federation.text
    events.lift_all(now=now + timedelta(days=4))
    fields.rank(leg_id=leg.pk)
    federation.open(federation.path)
    assert "1 club counts." in federation.text
    assert "Missing: Club B." in federation.text


def test_the_joint_ranking_is_taken_away_as_it_is_shown_and_not_under_embargo() -> None:
    forget()
    leg = a_leg(boards=12, embargo="window")
    parts = [a_part(leg, name) for name in ("Club A", "Club B")]
    for one in parts:
        send(one)
    where = {"pk": leg.event_id, "leg": leg.number, "form": "json"}
    client = Client(HTTP_ACCEPT_LANGUAGE="en")
    assert client.get(reverse("public-field-file", kwargs=where)).status_code == 404
    assert (
        at_desk(an_administrator()).client.get(reverse("public-field-file", kwargs=where)).status_code == 404
    )
    events.lift_all(now=leg.closes_at)
    fields.rank(leg_id=leg.pk)
    page = client.get(reverse("public-field", args=[leg.event_id, leg.number])).content.decode()
    assert all(reverse("public-field-file", kwargs={**where, "form": one}) in page for one in ("xlsx", "csv"))
    rows = client.get(reverse("public-field-file", kwargs=where)).json()
    told = client.get(f"/api/v1/legs/{leg.pk}/field/", {"page_size": 100}).json()["places"]
    same = ("line_group", "rank", "field_rank", "club_rank", "number", "contestant", "club", "points", "top")
    assert len(rows) == 18
    assert [[row[name] for name in same] for row in rows] == [[row[name] for name in same] for row in told]
    own = client.get(reverse("public-field-file", kwargs=where), {"club": "club-a"}).json()
    assert {row["club"] for row in own} == {"club-a"}
    assert client.get(reverse("public-field-file", kwargs=where), {"club": "none"}).status_code == 404
    lines = client.get(reverse("public-field-file", kwargs={**where, "form": "csv"})).content.decode()
    assert len(lines.splitlines()) == 19
    assert client.get(reverse("public-field-file", kwargs={**where, "form": "pdf"})).status_code == 404


def test_what_the_checks_have_found_is_answered_by_one_key_each() -> None:
    forget()
    leg = a_leg(boards=12)
    parts = {name: a_part(leg, name) for name in ("Club A", "Club B", "Club C")}
    federation = at_desk(an_administrator()).open(reverse("desk-event", args=[leg.event_id]))
    address = reverse("desk-event-checks", args=[leg.event_id])
    assert f'href="{address}?leg=1"' in federation.text
    assert "only who plays is checked" in federation.open(address).text
    for session in parts.values():
        send(session)
    contradict(parts["Club B"], 3)
    contradict(parts["Club C"], 1, tables=[2])
    federation.open(address)
    assert "only who plays is checked" not in federation.text
    assert "3 of its 3 results" in federation.text
    federation.press("Ask the club by mail")
    assert "asked by mail on" in federation.text
    for club, asked in (("Club A", False), ("Club B", True)):
        own = at_desk(an_account(f"Orga{club[-1]}", club)).open(club_page(club))
        assert ("What those who run the event ask" in own.text) == asked
        mend = reverse("change-cards", args=[parts["Club B"].pk])
        assert (f'href="{mend}"' in own.text) == asked
        assert ("3 of its 3 results" in own.text) == asked
    assert own.open(mend).answer.status_code == 200
    federation.press("Compare this club by itself")
    assert "What those who run the event ask" not in own.open(club_page("Club B")).text
    assert RuledPlay.objects.filter(session=parts["Club B"], deal="B").count() == 3
    assert "Other cards" not in federation.text
    federation.press("It is right")
    assert "Nothing waits." in federation.text
    assert "1 has been answered" in federation.text
    gone = federation.client.post(address, {"key": "gone", "answer": "right"})
    assert gone.status_code == 400
    assert "no longer so" in gone.content.decode()
    assert at_desk(an_account()).open(address).answer.status_code == 404


def ranked(leg: Leg) -> None:
    """Its embargo has been lifted, and it has a joint ranking."""
    FieldRanking.objects.create(leg=leg, version=1, content=b"", sessions={}, news=[])
    Leg.objects.filter(pk=leg.pk).update(lifted_at=timezone.now())


LISTS = ("/en/", "/en/events/", "/en/clubs/club-a/")
"""Where anybody finds the events of many clubs."""


def test_the_public_pages_lead_to_events_that_are_announced_and_to_nothing_that_is_not() -> None:
    ranked(a_leg(name="Coupe de mai"))
    leg = a_leg()
    part = a_part(leg, "Club A")
    sessions.publish(session=part, actor=None, listed=True)
    later = timezone.now() + timedelta(days=9)
    coming = a_leg(name="Coupe d’été", opens_at=later, closes_at=later + timedelta(days=1))
    federation = an_administrator()
    draft = events.create(actor=federation, club=None, name="Secrète")
    for at in (timezone.now(), later):
        window: dict[str, Any] = {"opens_at": at, "closes_at": at + timedelta(days=1)}
        events.add_leg(event=draft, actor=federation, game="comon", board_count=12, **window)
    for hidden in draft.legs.all():
        ranked(hidden)
        ClubEntry.objects.create(leg=hidden, club=part.tournament.club, state="entered")
    winter = seasons.create(actor=None, club=None, name="Winter")
    forget()
    shown = {one: Client().get(one).content.decode() for one in LISTS}
    address, joint = f'href="/en/events/{leg.event_id}/"', f"/en/events/{leg.event_id}/legs/1/"
    for where, text in shown.items():
        assert address in text, where
        assert joint not in text, "it has none yet"
        assert "Secrète" not in text
        assert "Winter" not in text
        is_there = f"/en/events/{coming.event_id}/" in text
        assert is_there == ("clubs" not in where), "Club A has not entered that one"
    ranking = Client().get(f"/en/sessions/{part.pk}/").content.decode()
    assert address in ranking
    assert joint not in ranking
    assert "<dt>Method</dt><dd>" in Client().get(f"/en/events/{leg.event_id}/").content.decode()
    type(winter).objects.filter(pk=winter.pk).update(state="open")
    assert f"/en/seasons/{winter.pk}/" in Client().get("/en/events/").content.decode()


def test_the_lists_of_events_ask_the_database_as_often_whatever_is_there() -> None:
    def asked() -> list[int]:
        found = []
        for address in LISTS:
            forget()
            with CaptureQueriesContext(connection) as queries:
                assert Client().get(address).status_code == 200
            found.append(len(queries))
        return found

    def an_event() -> None:
        leg = a_leg()
        sessions.publish(session=a_part(leg, "Club A"), actor=None, listed=True)
        an_entry_of(leg, "Club B")
        later = timezone.now() + timedelta(days=9)
        an_entry_of(a_leg(opens_at=later, closes_at=later + timedelta(days=1)), "Club A")
        ranked(an_entry_of(a_leg(), "Club A").leg)
        season = seasons.create(actor=None, club=None, name="Winter")
        type(season).objects.filter(pk=season.pk).update(state="open")

    an_event()
    few = asked()
    an_event()
    an_event()
    assert asked() == few


def test_boards_of_an_event_are_not_dealt_anew_by_setting_its_session_up_again() -> None:
    session = a_part(a_leg(), "Club A")
    visitor = at_desk(an_account()).open(reverse("set-up-again", args=[session.pk]))
    visitor.press("Set up again")
    assert visitor.answer.status_code == 409
    assert "The boards of this session are an event’s" in visitor.text
    with pytest.raises(Conflict):
        replacing.check(session)
    assert not Draft.objects.exists()
