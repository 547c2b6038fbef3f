"""An evening run from its page, without scripts: as a director does, step after step."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from frontend.desk import undoing
from scoring.rounding import in_units
from tests.tournaments.worlds import a_session, an_entry, plays_of, work
from tournaments.models import Account, Call, HistoryEntry, Play, Player, Session, Submission, Table
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, calls, roles, states, submissions, substitutes, tokens
from tournaments.services.errors import Conflict
from tournaments.services.roles import RolePlace

from .test_desk import Visitor, _Forms, an_account, at_desk
from .test_grid import a_running_world

pytestmark = pytest.mark.django_db


def a_director(session: Session, name: str = "Dora", kind: RoleKind = RoleKind.DIRECTOR) -> Visitor:
    account = accounts.create(name=name, email=f"{name.lower().replace(' ', '')}@example.org", password="x")
    roles.grant(account=account, kind=kind, place=RolePlace(session=session), actor=None)
    return at_desk(account).open(reverse("session-desk", args=[session.pk]))


def filled(visitor: Visitor) -> str:
    """The words of the page's one filled button."""
    buttons = [button for form in _Forms(visitor.text).forms for button in form["buttons"]]
    (words,) = [one["text"].strip() for one in buttons if "filled" in (one["kind"] or "")]
    return str(words)


def hand_in(session: Session, number: int = 0) -> None:
    organiser = tokens.issue_for_role(person="Otto", club=session.tournament.club, kind=RoleKind.ORGANISER)[0]
    submissions.submit(session_id=session.pk, sender=organiser, entries=[an_entry(plays_of(session)[number])])


def test_an_evening_is_run_from_its_page_to_its_final_list() -> None:
    session = a_session(custody="none")
    visitor = a_director(session)
    assert filled(visitor) == "Start"
    visitor.open(reverse("run-session", args=[session.pk, "pace"]))
    visitor.press("Save", duration="20", grace="2", warning="21")
    assert visitor.answer.status_code == 400
    assert "A warning comes within its round." in visitor.text
    visitor.press("Save", warning="3")
    assert filled(visitor) == "Open round 1"
    visitor.press("Open round 1")
    assert Session.objects.get().state == "running"
    assert "Round 1 is open." in visitor.text
    assert "Round 1 of 4" in visitor.text
    assert "<round-clock ends=" in visitor.text
    assert '<whole-screen whole="Full screen"' in visitor.text
    assert filled(visitor) == "Close round 1"
    visitor.press("Take back round 1")
    assert filled(visitor) == "Open round 1"
    visitor.press("Open round 1").press("Pause round 1")
    assert "the clock stands" in visitor.text
    visitor.press("Let round 1 go on")
    before = session.rounds.get(number=1).ends_at
    visitor.open(f"{reverse('run-session', args=[session.pk, 'extend'])}?round=1")
    visitor.press("More time for round 1", minutes="7")
    assert (session.rounds.get(number=1).ends_at - before).seconds == 420  # type: ignore[operator]

    hand_in(session)
    assert "results of" in visitor.open(reverse("session-desk", args=[session.pk])).text
    assert visitor.press("Take back round 1").answer.status_code == 409
    assert "Results of round 1 have come in already." in visitor.text
    visitor.open(reverse("session-desk", args=[session.pk])).press("Close round 1")
    assert filled(visitor) == "Open round 2"
    visitor.open(f"{reverse('run-session', args=[session.pk, 'open-again'])}?round=1")
    assert visitor.press("Open round 1 again", reason=" ").answer.status_code == 400
    visitor.press("Open round 1 again", reason="A slip was found.")
    assert "Round 1 is open again." in visitor.text
    assert HistoryEntry.objects.get(verb="reopened round").remark.text == "A slip was found."

    visitor.press("Finish")
    assert visitor.answer.status_code == 409
    assert "Results are missing: 12." in visitor.text
    assert "Table 1, board " in visitor.text
    assert f"{reverse('desk-slips', args=[session.pk])}?line=1+" in visitor.text, "a way to enter each"
    assert visitor.text.index("Finish without them") < visitor.text.index("Table 1, board "), "within reach"
    assert Session.objects.get().state == "running"
    visitor.press("Finish without them")
    assert Session.objects.get().state == "played"
    assert "Take the end back: go on playing" in visitor.text
    assert filled(visitor) == "Publish the ranking"
    visitor.open(reverse("run-session", args=[session.pk, "provisional"]))
    visitor.press("Make the list provisional", minutes="30")
    assert Session.objects.get().corrections_until is not None
    visitor.press("Take the list back").press("Publish the ranking")
    assert (Session.objects.get().state, Session.objects.get().listed) == ("provisional", True)
    assert '">Make the list final</a>' in visitor.text
    visitor.open(reverse("run-session", args=[session.pk, "final"])).press("Make it final all the same")
    assert Session.objects.get().state == "final"
    visitor.open(reverse("run-session", args=[session.pk, "amend"])).press("Amend", reason="A protest.")
    assert (Session.objects.get().state, visitor.answer.status_code) == ("amended", 200)


def test_a_page_that_follows_the_evening_leaves_what_was_said_to_the_next_that_is_opened() -> None:
    """The grid asks for the page in between: the notice, and with it the way back, would be gone."""
    session = a_session(custody="none")
    visitor = a_director(session)
    page = reverse("session-desk", args=[session.pk])
    (sent,) = [one["fields"] for one in _Forms(visitor.text).forms if "/run/start/" in (one["action"] or "")]
    visitor.client.post(reverse("run-session", args=[session.pk, "start"]), sent)
    said = "<strong>The session is running.</strong>"
    assert said not in visitor.client.get(page, headers={"x-again": "1"}).content.decode()
    assert said in visitor.open(page).text
    assert said not in visitor.open(page).text


def test_a_page_that_asks_again_for_itself_says_nothing_twice() -> None:
    """The price of a plan asks until it has been carried out; then somebody's browser opens the desk."""
    session = a_session(custody="none")
    told = []
    for headers in ({"x-again": "1"}, {"x-again": "1"}, {}):
        asked = RequestFactory().get("/", headers=headers)
        asked._messages = CookieStorage(asked)  # type: ignore[attr-defined]
        undoing.said(asked, "The rest is planned again.", session)
        told += [one.message for one in asked._messages]
    assert told == ["The rest is planned again."]


def test_whoever_comes_second_is_told_what_has_been_done_and_does_nothing() -> None:
    session = a_session(custody="none")
    first, second = a_director(session), a_director(session, "Cid")
    page = second.text
    first.press("Start")
    second.press("Start")
    assert second.answer.status_code == 409
    assert "Dora started the session" in second.text.replace("\n", " ") or "Dora" in second.text
    assert HistoryEntry.objects.filter(verb="started").count() == 1
    (start,) = [one for one in _Forms(page).forms if (one["action"] or "").endswith("/run/start/")]
    for seen in ("", "x", "x.y", start["fields"]["seen"], "0.99999999999999999999"):
        answer = second.client.post(reverse("run-session", args=[session.pk, "finish"]), {"seen": seen})
        assert answer.status_code in {400, 409}, seen
    assert Session.objects.get().state == "running"
    second.press("Start")  # what the page shows now is known: the state is there already, and stays
    assert (second.answer.status_code, Session.objects.get().state) == (200, "running")


def test_what_was_typed_stands_beside_what_somebody_else_has_changed_meanwhile() -> None:
    session = a_session(custody="none")
    address = reverse("run-session", args=[session.pk, "mend"])
    first, second = a_director(session).open(address), a_director(session, "Cid").open(address)
    first.press("Save", name="Wednesday")
    second.press("Save", name="Thursday")
    assert second.answer.status_code == 409
    assert f"{session.name} → Wednesday" in second.text
    assert 'value="Thursday"' in second.text
    second.press("Save")
    assert Session.objects.get().name == "Thursday"


def test_what_nobody_has_relied_on_is_taken_back_and_a_cancelled_evening_takes_place_after_all() -> None:
    session = a_session(custody="none")
    visitor = a_director(session)
    page = reverse("session-desk", args=[session.pk])
    visitor.press("Take it back to the draft")
    assert filled(visitor) == "Ready to be played"
    visitor.press("Ready to be played").press("Start").press("Take the start back")
    assert Session.objects.get().state == "ready"
    visitor.open(reverse("run-session", args=[session.pk, "cancel"]))
    visitor.press("Cancel the session", reason="Snow.")
    assert "cancelled" in visitor.text
    visitor.open(reverse("run-session", args=[session.pk, "reinstate"]))
    visitor.press("Reinstate the session", reason="It has melted.")
    hand_in(session)
    visitor.open(page)
    states.change(session=session, actor=None, to="running")
    visitor.open(page)
    assert "Take the start back" not in visitor.text, "a result has come in"
    visitor.open(reverse("run-session", args=[session.pk, "mend"]))
    visitor.press("Save", name="Wednesday", day="2026-11-25", begins="")
    assert "Say both the day and the hour." in visitor.text
    visitor.press("Save", begins="20:15")
    assert "Wednesday 25 November 2026, 20:15" in visitor.text
    mended = Session.objects.get()
    assert (mended.name, mended.starts_at) == ("Wednesday", datetime(2026, 11, 25, 19, 15, tzinfo=UTC))
    for odd in ("no-such-act", "%00"):
        assert visitor.client.get(f"{page}run/{odd}/").status_code == 404
    for odd in ("x", "-1", "9" * 30, "²"):
        address = f"{page}run/close-round/?round={odd}"
        assert visitor.client.get(address).status_code == 200, odd


def test_whoever_plays_for_another_is_called_to_the_table() -> None:
    session = a_session(custody="none")
    member = session.members.select_related("player", "contestant").order_by("pk")[0]
    zoe = Player.objects.create(club=session.tournament.club, given_name="Zoé", consent=True)
    substitutes.substitute(
        session=session,
        actor=None,
        contestant=member.contestant.number,
        player=zoe.pk,
        for_player=member.player_id,
        first_round=2,
        last_round=2,
    )
    visitor = a_director(session)
    words = f"Zoé (for {member.player.name})"
    assert words not in visitor.text
    page = reverse("session-desk", args=[session.pk])
    assert visitor.open(f"{page}?round=2").text.count(words) == 1
    states.change(session=session, actor=None, to="running")
    assert visitor.open(f"{page}?round=2").text.count(words) == 2, "in the grid, too"


@pytest.mark.parametrize("kind", [RoleKind.SCORER, RoleKind.DEAL_OFFICER])
def test_who_does_not_run_an_evening_reads_its_course(kind: RoleKind) -> None:
    session = a_session(custody="none")
    visitor = a_director(session, kind=kind)
    assert 'aria-current="step">ready' in visitor.text
    assert "/run/" not in visitor.text
    answer = visitor.client.post(reverse("run-session", args=[session.pk, "start"]), {"seen": "x"})
    assert answer.status_code == 404


def test_a_page_of_an_evening_asks_no_more_of_a_large_one(django_assert_max_num_queries: Any) -> None:
    ada = an_account()
    for players in (9, 27):
        session = a_session(players=players, published=False)
        visitor = at_desk(ada)
        with django_assert_max_num_queries(45):
            visitor.open(reverse("session-desk", args=[session.pk]))


def test_officials_who_do_not_play_see_a_ranking_that_is_not_listed() -> None:
    session = a_session(published=False)
    page = reverse("ranking-page", args=[session.pk])
    director, scorer = a_director(session), a_director(session, "Sam", RoleKind.SCORER)
    assert page not in director.text, "there is nothing to be seen yet"
    hand_in(session)
    work(session)
    desk = reverse("session-desk", args=[session.pk])
    for visitor in (director, scorer, at_desk(an_account())):
        assert page in visitor.open(desk).text
        visitor.open(page)
        assert visitor.answer.status_code == 200
        assert "Not listed: nobody but those who run or score this session" in visitor.text
        assert '<div class="empty" hidden>' in visitor.text
        assert "live-ranking.js" not in visitor.text
        assert reverse("boards-page", args=[session.pk]) not in visitor.text
    seated = Player.objects.filter(memberships__session=session).first()
    assert seated is not None
    at_table, officer = a_director(session, seated.name), a_director(session, "Olga", RoleKind.DEAL_OFFICER)
    at_table.open(page)
    assert '<div class="empty">' in at_table.text, "who plays sees boards that are over, as everybody does"
    assert "You see every result" not in at_table.text
    strangers = [at_table, officer, at_desk(an_account("Bob", "Club B"))]
    for visitor in strangers[1:]:
        assert visitor.client.get(page).status_code == 404
        assert page not in visitor.open(desk).text
    states.change(session=session, actor=None, to=Session.State.PLAYED, confirmed=True)
    assert [one.client.get(page).status_code for one in strangers] == [200, 404, 404]
    states.publish(session=session, actor=None, listed=True)
    assert "Not listed" not in strangers[2].open(page).text
    director.open(desk)
    assert "Revealed: everybody may see them" in director.text
    assert "nobody has seen a card" not in director.text


def test_the_page_shows_the_round_that_is_played_though_an_earlier_one_lacks_results() -> None:
    session = a_session(custody="none")
    visitor = a_director(session)
    desk = reverse("session-desk", args=[session.pk])

    def shown() -> tuple[str, str]:
        visitor.open(desk)
        heading = r"<h2>Round (\d) of 4(?: <small class=\"note\">([a-z ]+)</small>)?</h2>"
        heads = re.findall(heading, visitor.text)
        ((number, words),) = heads
        assert f'class="now">Round {number}<' in visitor.text or "<evening-grid" not in visitor.text
        return number, words

    assert shown() == ("1", "the next one")
    visitor.press("Start")
    assert shown() == ("1", "being played")
    plays = plays_of(session)
    hand_in(session)
    work(session)
    assert shown() == ("1", "being played")
    assert "Round 1: 1 result" in visitor.text
    lacking = sum(one.round == 1 for one in plays) - 1
    later = [index for index, one in enumerate(plays) if one.round == 2]
    for index in later[:lacking]:
        hand_in(session, index)
    work(session)
    assert shown() == ("1", "being played"), "others are ahead, but no more than it lacks"
    session = a_session(custody="none")
    visitor = a_director(session, "Dan")
    desk = reverse("session-desk", args=[session.pk])
    visitor.open(reverse("run-session", args=[session.pk, "pace"]))
    visitor.press("Save", duration="20")
    assert shown() == ("1", "the next one")
    visitor.press("Open round 1")
    assert shown() == ("1", "being played")
    visitor.press("Close round 1")
    assert shown() == ("2", "the next one")
    visitor.press("Open round 2")
    assert shown() == ("2", "being played")
    assert "Round 2: " in visitor.text
    states.change(session=session, actor=None, to=Session.State.PLAYED, confirmed=True)
    assert shown() == ("4", "")


def test_what_was_done_is_undone_from_its_notice_while_nobody_has_relied_on_it() -> None:
    session = a_session(custody="none")
    visitor = a_director(session)
    page = reverse("session-desk", args=[session.pk])

    def state() -> tuple[str, bool]:
        own = Session.objects.get()
        return str(own.state), own.listed

    visitor.press("Start").press("Undo")
    assert ("It has been undone: “The session is running.”" in visitor.text, state()) == (
        True,
        ("ready", False),
    )
    visitor.open(reverse("run-session", args=[session.pk, "pace"]))
    visitor.press("Save", duration="20", pause_before="1").press("Undo")
    assert not Session.objects.get().is_paced
    visitor.open(reverse("run-session", args=[session.pk, "pace"]))
    visitor.press("Save", duration="20", pause_before="1").press("Open round 1").press("Undo")
    assert filled(visitor) == "Open round 1"
    visitor.press("Open round 1").press("Pause round 1").press("Undo")
    assert session.rounds.get(number=1).paused_at is None
    ends_at = session.rounds.get(number=1).ends_at
    visitor.open(f"{reverse('run-session', args=[session.pk, 'extend'])}?round=1")
    visitor.press("More time for round 1", minutes="7")
    form, *_kept = [one for one in _Forms(visitor.text).forms if (one["action"] or "").endswith("/undo/")]
    visitor.press("Undo")
    for way in ("session-desk", "home", "//evil.example", "xyz"):  # sent again, and led astray
        again = visitor.client.post(form["action"], form["fields"] | {"next": way})
        assert again["Location"] == page, way
    assert session.rounds.get(number=1).ends_at == ends_at
    visitor.open(page)
    visitor.press("Close round 1").press("Undo")
    first, second = session.rounds.filter(number__lte=2).order_by("number")
    assert (first.state, first.ends_at, second.opens_at) == ("open", ends_at, None), "as it was"
    visitor.press("Close round 1").open(f"{reverse('run-session', args=[session.pk, 'open-again'])}?round=1")
    visitor.press("Open round 1 again", reason="A slip was found.").press("Undo")
    assert session.rounds.get(number=1).state == "closed"
    visitor.open(f"{reverse('run-session', args=[session.pk, 'open-again'])}?round=1")
    visitor.press("Open round 1 again", reason="A slip was found.").press("Undo").open(page)
    visitor.open(reverse("run-session", args=[session.pk, "mend"]))
    visitor.press("Save", name="Wednesday", live="hidden")
    assert Session.objects.get().live == "hidden"
    visitor.press("Undo")
    assert (Session.objects.get().name, Session.objects.get().live) == (session.name, session.live)
    hand_in(session)
    visitor.open(page).press("Finish").press("Finish without them").press("Undo")
    assert state() == ("running", False), "finished by mistake"
    visitor.press("Finish").press("Finish without them").press("Publish the ranking").press("Undo")
    assert state() == ("played", False)
    visitor.press("Publish the ranking")
    offer, final = visitor.text, reverse("run-session", args=[session.pk, "final"])
    visitor.open(final).press("Make it final all the same")
    form, *_kept = [one for one in _Forms(offer).forms if (one["action"] or "").endswith("/undo/")]
    late = visitor.client.post(form["action"], form["fields"], follow=True).content.decode()
    assert ("Somebody else was quicker" in late, state()) == (True, ("final", True))
    assert visitor.client.post(form["action"], {"undo": "x"}).status_code == 400
    stranger = at_desk(an_account("Eve", "Club B"))
    assert stranger.client.post(form["action"], form["fields"]).status_code == 404
    visitor.press("Undo")
    assert state() == ("provisional", True), "final by mistake"
    visitor.open(reverse("run-session", args=[session.pk, "reopen"]))
    visitor.press("Take the end back", reason="Table 3 still plays.").press("Undo")
    assert state() == ("provisional", True), "the list that stood stands again"
    visitor.open(final).press("Make it final all the same")
    visitor.open(reverse("run-session", args=[session.pk, "amend"]))
    visitor.press("Amend the list", reason="A slip was found.").press("Undo")
    assert state() == ("final", True), "amended by mistake"
    verbs = HistoryEntry.objects.filter(session=session).values_list("verb", flat=True)
    assert {"took back start", "took back closing", "took back extension", "reopened"} <= set(verbs)
    assert {"took back final", "took back amendment"} <= set(verbs)


def test_a_list_that_somebody_may_rely_on_stays_final() -> None:
    session = a_session(custody="none")
    first, second = an_account("Ada"), an_account("Bea")
    change: dict[str, Any] = {"session": session, "actor": first}
    states.change(**change, to="played", confirmed=True)
    states.change(**change, to="provisional")
    states.change(**change, to="final")
    for actor, wait, code in ((second, 0, "not-yours"), (first, 16, "relied-on")):
        later = timezone.now() + timedelta(minutes=wait)
        clock = mock.patch("tournaments.services.states.timezone.now", return_value=later)
        with clock, pytest.raises(Conflict) as refused:
            states.take_back(session=session, actor=actor, to="provisional")
        assert refused.value.code == code
    states.take_back(
        session=session, actor=first, to="provisional", until=timezone.now() - timedelta(hours=1)
    )
    session.refresh_from_db()
    assert (session.state, session.corrections_until) == ("provisional", None), "not final again by the clock"
    states.change(**change, to="final")
    states.change(**change, to="amended", reason="A slip")
    with pytest.raises(Conflict):
        states.take_back(session=session, actor=first, to="provisional")
    states.take_back(session=session, actor=first, to="final")


def test_tables_that_call_wait_in_order_and_whoever_comes_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    session = a_session(custody="none")
    states.change(session=session, actor=None, to="running")
    visitor = a_director(session)
    page = reverse("session-desk", args=[session.pk])
    news = reverse("desk-news", args=[session.pk])
    assert "Nothing waits for you." in visitor.text
    asked = [visitor.client.get(news).json()["stamp"]]
    one, other = Table.objects.filter(section__session=session).order_by("number")[:2]
    organiser = tokens.issue_for_role(person="Otto", club=session.tournament.club, kind=RoleKind.ORGANISER)[0]
    for table, reason in ((other, "scoring"), (one, "ruling")):
        calls.call(table=table, actor=organiser, reason=reason, text="Nine tricks?")
        asked.append(visitor.client.get(news).json()["stamp"])
    band, _heading, text = visitor.open(page).text.partition("What waits")
    assert band.index(f"Table {other.number} calls") > band.index('class="told calling"'), (
        "on the first screen"
    )
    assert text.index(f"Table {other.number} calls") < text.index(f"Table {one.number} calls")
    assert "how is this counted?" in text
    elsewhere = [reverse(name, args=[session.pk]) for name in ("desk-slips", "session-print", "desk-lists")]
    for address in elsewhere:  # and wherever else the director is in the session
        slips = visitor.open(address).text
        assert "<title>(2) " in slips, address
        assert f"<strong>Table {other.number} calls</strong></a>: how is this counted?" in slips, address
    told = visitor.client.get(news).json()["calling"]
    assert [row["place"] for row in told] == [f"Table {one.number} calls" for one in (other, one)]
    assert "just now" in text
    assert "just now" not in told[0]["reason"], "what changes each minute would be read aloud each minute"
    assert "<title>(2) " in visitor.open(page).text
    visitor.press("I am coming")
    assert "<title>(1) " in visitor.text
    asked.append(visitor.client.get(news).json()["stamp"])
    assert Call.objects.get(table=other).state == "coming"
    assert "Dora is coming" in visitor.text
    (form,) = [one for one in _Forms(visitor.text).forms if (one["action"] or "").endswith("/undo/")]
    stranger = at_desk(an_account("Eve", "Club B"))
    assert stranger.client.post(form["action"], form["fields"]).status_code == 404
    assert Call.objects.get(table=other).state == "coming"
    with monkeypatch.context() as later:
        later.setattr(undoing, "GOOD_SECONDS", -1)
        late = visitor.client.post(form["action"], form["fields"], follow=True).content.decode()
    assert "This was offered for a quarter of an hour" in late
    assert Call.objects.get(table=other).state == "coming"
    visitor.press("Undo")
    assert Call.objects.get(table=other).state == "waiting"
    visitor.press("I am coming").press("Settled")
    visitor.press("Undo")
    call = Call.objects.get(table=other)
    assert (call.state, call.ended_at, "Dora is coming" in visitor.text) == ("coming", None, True)
    visitor.press("Settled")
    assert Call.objects.get(table=other).state == "done"
    assert f"Table {other.number} calls" not in visitor.open(elsewhere[0]).text
    visitor.open(page)
    visitor.open(reverse("run-session", args=[session.pk, "announce"]))
    visitor.press("Tell all tables", text="Pause at nine")
    assert "Pause at nine" in visitor.text
    asked.append(visitor.client.get(news).json()["stamp"])
    visitor.press("Tell them no more")
    assert "Pause at nine" not in visitor.text
    asked.append(visitor.client.get(news).json()["stamp"])
    assert len(set(asked)) == len(asked), "an open page hears of each"
    assert visitor.client.get(news).json()["stamp"] == asked[-1]
    for sent in ({}, {"way": "x"}):
        assert visitor.client.post(reverse("desk-waits", args=[session.pk]), sent).status_code == 400
    assert stranger.client.get(news).status_code == 404


def test_what_nobody_has_agreed_with_is_confirmed_from_the_page_and_the_end_is_not_pressed_early() -> None:
    world, plays = a_running_world()
    visitor = a_director(world.session)
    assert "filled" not in visitor.text.partition('class="band felt evening"')[2].partition("</section>")[0]
    text = visitor.text.partition("What waits")[2]
    assert f"Table {plays[0].table.number}, board {plays[0].board.number}" in text, "as in the grid"
    first = plays[0].seatings.select_related("contestant").get(seat=1).contestant.name
    score = in_units(plays[0].result.scores[0], 2)
    assert f"{first} {score}, " in text, "nobody confirms what they have not seen"
    assert reverse("desk-play", args=[world.session.pk, plays[0].pk]) in text
    visitor.press("Confirm")
    assert Play.objects.exclude(confirmation=None).count() == 1
    visitor.open(reverse("desk-play", args=[world.session.pk, plays[2].pk]))
    assert "Next without a result: table" not in visitor.text, "the round is whole"
    later = next(play for play in plays if play.round == 2)
    visitor.open(reverse("desk-play", args=[world.session.pk, later.pk]))
    assert "Next without a result: table" in visitor.text


def test_that_results_are_doubtful_is_said_when_a_session_ends() -> None:
    world, plays = a_running_world()
    play = plays[0]
    content = {"sheet": {**play.result.submission.content["sheet"], "tricks": [2, 3, 5]}}
    state = Submission.State.OPPOSED
    other = Submission.objects.create(
        play=play, table=play.table, seat=2, key=uuid4(), content=content, state=state
    )
    Play.objects.filter(pk=play.pk).update(disagreement=other)
    visitor = a_director(world.session).press("Finish").press("Finish without them")
    assert "1 result is doubtful, and counts as it stands." in visitor.text


def test_what_cannot_be_confirmed_has_no_button_and_a_refusal_stands_beside_its_row() -> None:
    world, plays = a_running_world()
    seated = Player.objects.filter(contestants__seatings__play=plays[0]).first()
    assert seated is not None
    visitor = a_director(world.session)
    (sent,) = [
        one["fields"] for one in _Forms(visitor.text).forms if one["fields"].get("play") == str(plays[0].pk)
    ]
    answer = visitor.client.post(
        reverse("desk-waits", args=[world.session.pk]), {**sent, "submission": "999"}
    )
    assert answer["Location"].endswith(f"#wait-{plays[0].pk}")
    row = visitor.open(answer["Location"]).text.partition(f'id="wait-{plays[0].pk}"')[2].partition("</li>")[0]
    assert "Something else has been entered meanwhile" in row
    seated.account = Account.objects.get(name="Dora")
    seated.save(update_fields=["account"])
    states.change(session=world.session, actor=None, to="played", confirmed=True)
    visitor.open(reverse("session-desk", args=[world.session.pk]))
    rows = visitor.text.partition("What waits")[2].partition("</section>")[0]
    assert "You sat at this table: somebody else confirms its results." in rows
    assert (f"wait-{plays[0].pk}" in rows, f"wait-{plays[1].pk}" in rows) == (False, True), "no button"


def test_whoever_has_said_that_the_tables_shuffle_is_not_asked_again_at_the_start() -> None:
    session = a_session(reserves=1, players=12, movement="rotated-rainbow", boards_per_round=2)
    visitor = a_director(session)
    page = reverse("run-session", args=[session.pk, "by-tables"])
    assert page in visitor.text, "the answer is beside the question"
    assert "cannot be taken back" in visitor.open(page).text
    changes = reverse("session-changes", args=[session.pk])
    assert "1 reserve board is left." in visitor.open(changes).text
    visitor.open(page).press("Leave the shuffling to the tables")
    assert HistoryEntry.objects.filter(session=session, verb="left to tables").count() == 1
    assert "Nobody deals these boards yet." not in visitor.text
    told = visitor.text.partition("Each table shuffles the boards that it plays first")[2]
    assert "Table 4: boards 7, 8" in told.partition("</ul>")[0]
    assert "Table 4: boards 7, 8" in visitor.open(reverse("session-deals-page", args=[session.pk])).text
    visitor.open(reverse("session-desk", args=[session.pk]))
    visitor.press("Start")
    assert Session.objects.get().state == "running"
    assert "no reserve boards where the tables shuffle their own cards" in visitor.open(changes).text


def test_the_start_is_offered_to_be_undone_only_while_it_can_be() -> None:
    session = a_session()
    visitor = a_director(session)
    visitor.open(reverse("run-session", args=[session.pk, "start"])).press("Start", deals="officer")
    assert len(re.findall("<li hidden>", visitor.text)) == 1, "the notice offers it: once is enough"
    page = reverse("session-desk", args=[session.pk])
    assert 'id="undo"' in visitor.open(page).text
    assert "<li hidden>" not in visitor.text
    hand_in(session)
    assert 'id="undo"' not in visitor.open(page).text, "it would be refused: a result has come in"


def test_start_asks_who_deals_and_what_the_tables_shuffle_is_never_shown_as_dealt() -> None:
    session = a_session()
    visitor = a_director(session)
    assert "Nobody deals these boards yet." in visitor.text
    assert 'run/start/">Start</a>' in visitor.text
    answer = visitor.open(reverse("run-session", args=[session.pk, "start"])).press("Start").answer
    assert (answer.status_code, Session.objects.get().state) == (400, "ready"), "an answer is needed"
    visitor.press("Start", deals="officer")
    assert "Nobody deals these boards yet." in visitor.text, "it is said until somebody does"
    told = at_desk().open(reverse("session-desk", args=[session.pk])).text
    assert "Nobody deals these boards yet." in told
    assert 'role=deal-officer">Invite a deal officer</a>' in told, "by whom"
    visitor.press("Undo")
    by_tables = visitor.open(reverse("run-session", args=[session.pk, "by-tables"]))
    by_tables.press("Leave the shuffling to the tables")
    assert "3 tables play the same board at once" in visitor.text, "each would hold other cards"
    visitor.open(reverse("run-session", args=[session.pk, "start"])).press("Start", deals="tables")
    assert Session.objects.get().state == "ready", "nor here"
    assert "Up to 3 tables play the same board at once here" in visitor.text
    visitor.press("Start", deals="copied")
    assert Session.objects.get().state == "running"
    assert (
        "3 copies of each are needed" in visitor.open(reverse("session-deals-page", args=[session.pk])).text
    )
    visitor.open(reverse("session-desk", args=[session.pk]))
    assert "Nobody deals these boards yet." not in visitor.text
    assert "the club deals its own cards" in visitor.text
    assert HistoryEntry.objects.filter(session=session, verb="left to tables").count() == 1
    for number in range(len(plays_of(session))):
        hand_in(session, number)
    work(session)
    states.finish(session=session, actor=None)
    states.publish(session=session, actor=None, listed=True)
    board = plays_of(session)[0].board.number
    page = visitor.open(reverse("traveller-page", args=[session.pk, board]))
    assert (page.answer.status_code, "the-deal" in page.text, "playing-card" in page.text) == (
        200,
        False,
        False,
    )
    for name in ("session-desk", "session-deals-page", "session-history-page", "session-print", "desk-lists"):
        assert visitor.open(reverse(name, args=[session.pk])).answer.status_code == 200, name


def test_a_clock_that_comes_in_the_middle_of_a_round_says_that_it_leaves_it_alone() -> None:
    session = a_session(custody="none")
    visitor = a_director(session)
    visitor.press("Start")
    hand_in(session)
    visitor.open(reverse("run-session", args=[session.pk, "pace"]))
    visitor.press("Save", duration="20")
    assert "Round 1 is under way without a clock: it ends when you close it." in visitor.text
