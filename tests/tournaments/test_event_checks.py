"""Checks across the clubs of an event: what each finds, what it explains, and what is said to it."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from tournaments import guards
from tournaments.models import CheckAnswer, HistoryEntry, Leg, Player, Result, RuledPlay, Session, Submission
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, event_checks, events, fields, register, roles, states
from tournaments.services.event_checks import Finding
from tournaments.services.licences import Licence
from tournaments.services.submissions import submit

from .fields import a_leg, a_part, an_administrator, an_entry_of, an_organiser, send
from .test_events import of_club, of_federation, refused
from .worlds import a_club, an_entry, forget, plays_of, work

pytestmark = pytest.mark.django_db
CLUBS = ("Club A", "Club B", "Club C")
Score = Callable[[int, int, int], int]
"""Of a board, a side (from 0) and a table."""


def usual(board: int, side: int, table: int) -> int:
    """As if every board had a result of its own, which most tables reach."""
    return 40 * board * board + (300, -100, -200)[side] + 3 * table


@pytest.fixture
def parts(db: None) -> dict[str, Session]:
    """Three clubs of three tables that have sent their results of four boards: the embargo is lifted."""
    forget()
    leg = a_leg(boards=12)
    found = {name: a_part(leg, name) for name in CLUBS}
    for session in found.values():
        send(session)
        set_scores(session, usual)
    return found


def set_scores(session: Session, score: Score, boards: Sequence[int] = (), table: int = 0) -> None:
    """As stored results have them, by the boards and the table that are meant."""
    with guards.away():
        for one in Result.objects.filter(session=session).select_related("play__board", "play__table"):
            board, at = one.play.board.number, one.play.table.number
            if (not boards or board in boards) and table in (0, at):
                Result.objects.filter(pk=one.pk).update(scores=[score(board, side, at) for side in range(3)])


def contradict(session: Session, board: int, tables: Sequence[int] = (1, 2, 3)) -> None:
    """The cards contradict what these tables have handed in."""
    there = {"play__table__section__session": session, "play__board__number": board}
    found = Submission.objects.filter(**there, play__table__number__in=tables)
    assert found.update(state=Submission.State.DISPUTED, contradicted=True) == len(tables)


def leg_of(parts: dict[str, Session]) -> Leg:
    return Leg.objects.get(sessions=parts["Club A"])


def found_in(leg: Leg) -> list[tuple[str, str, int | None, int]]:
    """Kind, club, board, and of how many tables."""
    return [(one.kind, one.entry.club.name, one.board, len(one.tables)) for one in event_checks.of_leg(leg)]


# ── What the results say ──────────────────────────────────────────────────────────────────────────


def test_results_like_those_of_other_clubs_are_told_by_no_check(parts: dict[str, Session]) -> None:
    assert found_in(leg_of(parts)) == []


def test_a_club_in_another_unit_is_told_once(parts: dict[str, Session]) -> None:
    set_scores(parts["Club B"], lambda *at: 10 * usual(*at))
    (one,) = event_checks.of_leg(leg_of(parts))
    assert (one.kind, one.entry.club.name, one.board) == ("unit", "Club B", None)
    assert "about 10 times" in one.reason


@pytest.mark.parametrize("shift", [1, -1])
def test_a_whole_club_one_board_off_is_told_once(parts: dict[str, Session], shift: int) -> None:
    set_scores(parts["Club C"], lambda board, *at: usual(board + shift, *at))
    (one,) = event_checks.of_leg(leg_of(parts))
    assert (one.kind, one.entry.club.name, len(one.results)) == ("one-off", "Club C", 12)
    assert ("after" if shift == 1 else "before") in one.reason


def test_seats_that_were_turned_at_a_club_or_at_one_table_are_told(parts: dict[str, Session]) -> None:
    turned: Score = lambda board, side, table: usual(board, (side + 1) % 3, table)  # noqa: E731
    set_scores(parts["Club A"], turned, boards=[2])
    set_scores(parts["Club B"], turned, boards=[3], table=1)
    assert found_in(leg_of(parts)) == [("turned", "Club A", 2, 3), ("turned", "Club B", 3, 1)]


def test_a_board_that_was_dealt_otherwise_is_told_by_scores_far_off_on_all_seats(
    parts: dict[str, Session],
) -> None:
    set_scores(parts["Club B"], lambda _b, side, table: (900, -800, 700)[side] + table, boards=[1])
    assert found_in(leg_of(parts)) == [("dealt-otherwise", "Club B", 1, 3)]
    # far off at one seat alone is not another deal
    set_scores(parts["Club B"], usual, boards=[1])
    set_scores(parts["Club B"], lambda *at: usual(*at) + 400 * (at[1] == 0), boards=[1])
    assert {one[0] for one in found_in(leg_of(parts))} == {"doubtful"}


def test_a_board_that_was_dealt_otherwise_is_told_by_records_that_cannot_be(
    parts: dict[str, Session],
) -> None:
    contradict(parts["Club C"], 4)
    assert found_in(leg_of(parts)) == [("dealt-otherwise", "Club C", 4, 3)]
    for name in ("Club A", "Club B"):  # nobody has had the cards of the board: not this club is other
        contradict(parts[name], 4)
    assert {one[0] for one in found_in(leg_of(parts))} == {"impossible"}


def test_a_single_result_that_cannot_be_or_is_far_off_is_told(parts: dict[str, Session]) -> None:
    contradict(parts["Club A"], 3, tables=[2])
    set_scores(parts["Club B"], lambda *at: usual(*at) + 500 * (at[1] == 2), boards=[2], table=3)
    assert found_in(leg_of(parts)) == [("impossible", "Club A", 3, 1), ("doubtful", "Club B", 2, 1)]


def test_only_clubs_that_have_sent_their_results_are_looked_at_and_none_under_embargo() -> None:
    forget()
    leg = a_leg(boards=12)
    session = a_part(leg, "Club A")
    an_entry_of(leg, "Club B")
    send(session)
    contradict(session, 1)
    assert found_in(leg) == []
    Leg.objects.filter(pk=leg.pk).update(lifted_at=timezone.now())
    leg.refresh_from_db()
    assert {one[0] for one in found_in(leg)} == {"impossible"}
    Session.objects.filter(pk=session.pk).update(state=Session.State.PLAYED)
    assert found_in(leg) == []


# ── Who plays ─────────────────────────────────────────────────────────────────────────────────────


def test_two_of_one_name_at_two_clubs_are_told_under_embargo_unless_told_apart() -> None:
    leg = a_leg()
    a_part(leg, "Club A", contestants=["Ana Durand", *(f"A {n}" for n in range(8))])
    a_part(leg, "Club B", contestants=["Durand ANA", *(f"B {n}" for n in range(8))])
    assert leg.lifted_at is None
    (one,) = event_checks.of_leg(leg)
    assert (one.kind, one.entry.club.name, len(one.contestants)) == ("named-twice", "Club B", 2)
    assert "plays at Club A" in one.reason
    Player.objects.filter(folded="ana durand", club__name="Club A").update(number="17")
    assert len(event_checks.of_leg(leg)) == 1
    Player.objects.filter(folded="ana durand", club__name="Club B").update(number="18")
    assert event_checks.of_leg(leg) == []


def test_who_has_played_the_boards_in_a_session_that_was_cancelled_then_is_told() -> None:
    forget()
    leg = a_leg()
    first = a_part(leg, "Club A", contestants=["Ana Durand", *(f"A {n}" for n in range(8))])
    Player.objects.filter(folded="ana durand").update(number="17")
    second = a_part(leg, "Club B", contestants=["Zoé", *(f"B {n}" for n in range(8))])
    sends_one_result(first)
    states.change(session=first, actor=None, to=Session.State.CANCELLED, reason="Snow")
    assert event_checks.of_leg(leg) == []
    Player.objects.filter(given_name="Zoé").update(given_name="Ana", family_name="Durand", number="17")
    Player.objects.get(number="17", club__name="Club B").save()
    (one,) = event_checks.of_leg(leg)
    assert (one.kind, one.entry.session, "at Club A" in one.reason) == ("seen", second, True)
    assert "cancelled" in one.reason
    # it takes place after all
    states.change(session=first, actor=None, to=Session.State.RUNNING, reason="The snow has gone")
    (one,) = event_checks.of_leg(leg)
    assert (one.kind, one.entry.session, "cancelled" in one.reason) == ("seen", second, False)


def test_who_has_played_the_boards_at_a_club_that_was_left_out_is_told() -> None:
    forget()
    leg = a_leg()
    first = a_part(leg, "Club A", contestants=["Ana Durand", *(f"A {n}" for n in range(8))])
    second = a_part(leg, "Club B", contestants=["Zoé", *(f"B {n}" for n in range(8))])
    sends_one_result(first)
    events.decide(entry=leg.entries.get(session=first), actor=an_administrator(), to="left-out")
    assert event_checks.of_leg(leg) == []
    person = accounts.create(name="Ana Durand")
    for name, club in (("Ana", "Club A"), ("Zoé", "Club B")):
        Player.objects.filter(given_name=name, club__name=club).update(account=person)
    (one,) = event_checks.of_leg(leg)
    assert (one.kind, one.entry.session, "at Club A" in one.reason) == ("seen", second, True)


DAY = timezone.localdate()
LAST_YEAR, NEXT_YEAR = DAY - timedelta(days=365), DAY + timedelta(days=365)
MAY_NOT_PLAY = [
    ({"licence_until": LAST_YEAR}, "has run out"),
    ({"suspended_from": LAST_YEAR}, "is suspended"),
    ({"suspended_from": LAST_YEAR, "suspended_until": NEXT_YEAR}, "is suspended"),
]
MAY_PLAY = [
    {},
    {"licence_until": NEXT_YEAR},
    {"suspended_from": NEXT_YEAR},
    {"suspended_from": LAST_YEAR - timedelta(days=9), "suspended_until": LAST_YEAR},
]


def plays_with(leg: Leg, club: str, **licence: Any) -> Session:
    """A part in which somebody plays of whose licence the register of a club says so."""
    place = an_entry_of(leg, club).club
    one, _new = Player.objects.get_or_create(club=place, given_name="Ana", family_name="Durand", number="17")
    register.change_licence(player=one, actor=None, licence=Licence(**licence))
    return a_part(leg, club, contestants=[{"players": [one.pk]}, *(f"{club} {n}" for n in range(8))])


@pytest.mark.parametrize(("licence", "said"), MAY_NOT_PLAY, ids=str)
def test_who_has_no_licence_or_is_suspended_is_refused_where_the_terms_say_so(
    licence: dict[str, Any], said: str
) -> None:
    leg = a_leg(licences="refused")
    error = refused("no-licence", lambda: plays_with(leg, "Club A", **licence))
    assert said in error.message
    assert "Ana Durand" in error.message
    assert error.message.count("Club A") == 2
    assert not Session.objects.filter(leg=leg).exists()
    unasked = a_leg()
    assert plays_with(unasked, "Club A", **licence).leg == unasked
    assert event_checks.of_leg(unasked) == []


@pytest.mark.parametrize("licence", MAY_PLAY, ids=str)
def test_who_may_play_is_entered(licence: dict[str, Any]) -> None:
    leg = a_leg(licences="refused")
    assert plays_with(leg, "Club A", **licence).leg == leg
    assert event_checks.of_leg(leg) == []


def test_a_suspension_holds_at_every_club_that_knows_the_same_person() -> None:
    leg, other = a_leg(licences="refused"), a_club("Club B")
    own = {"given_name": "Ana", "family_name": "Durand", "number": "17"}
    Player.objects.create(club=other, suspended_from=LAST_YEAR, **own)
    error = refused("no-licence", lambda: plays_with(leg, "Club A"))
    assert "as the register of Club B has it" in error.message
    Player.objects.filter(club=other).update(number="18")
    assert plays_with(leg, "Club A").leg == leg


def test_who_may_not_play_is_told_to_those_who_run_the_event_where_the_terms_say_so(
    django_capture_on_commit_callbacks: Any,
) -> None:
    leg = a_leg(licences="flagged")
    session = plays_with(leg, "Club A", licence_until=LAST_YEAR)
    (one,) = event_checks.of_leg(leg)
    assert (one.kind, one.entry.session, "Club A" in one.reason) == ("licence", session, True)
    assert one.contestants == tuple(session.contestants.filter(number=1).values_list("pk", flat=True))
    account = accounts.create(name="Odile")
    type(account).objects.filter(pk=account.pk).update(email="odile@example.org", language="en")
    place = roles.RolePlace(club=one.entry.club)
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=place, actor=None)
    with django_capture_on_commit_callbacks(execute=True):
        say(leg, one, "asked")
    (letter,) = mail.outbox
    assert "about contestant 1 (Ana Durand). The licence of somebody" in letter.body


def sends_one_result(session: Session) -> None:
    """Of a table at which the first contestant sits."""
    seated = next(one for one in plays_of(session) if one.seatings.filter(contestant__number=1).exists())
    organiser = an_organiser(session.tournament.club)
    submit(session_id=session.pk, sender=organiser, entries=[an_entry(seated)])
    work(session)


# ── Answers ───────────────────────────────────────────────────────────────────────────────────────


def say(leg: Leg, one: Finding, said: str, **more: Any) -> Finding:
    return event_checks.answer(leg=leg, key=one.key, actor=an_administrator(), said=said, **more)


def test_what_is_right_as_it_stands_waits_no_longer_until_it_is_about_other_results(
    parts: dict[str, Session],
) -> None:
    leg = leg_of(parts)
    contradict(parts["Club A"], 3, tables=[2])
    (one,) = event_checks.of_leg(leg)
    assert one.waits
    assert not say(leg, one, "right", reason="The slip says so").waits
    assert say(leg, one, "right").answer == CheckAnswer.objects.get()
    assert [known.waits for known in event_checks.of_leg(leg)] == [False]
    told = HistoryEntry.objects.of(club=one.entry.club).get(verb="answered check")
    assert told.detail["answer"] == "right"
    refused("no-such-answer", lambda: say(leg, one, "apart"))
    contradict(parts["Club A"], 3, tables=[1])
    assert {known.kind for known in event_checks.of_leg(leg) if known.waits} == {"dealt-otherwise"}
    refused("no-such-finding", lambda: say(leg, one, "asked"))


def test_a_board_that_was_dealt_otherwise_is_compared_by_itself_after_a_yes(
    parts: dict[str, Session],
) -> None:
    leg, other = leg_of(parts), parts["Club C"]
    contradict(other, 4)
    assert fields.rank(leg_id=leg.pk) == 1
    (one,) = event_checks.of_leg(leg)
    assert not RuledPlay.objects.exists()
    of_a_club = an_organiser(other.tournament.club)
    refused(
        "not-your-event",
        lambda: event_checks.answer(leg=leg, key=one.key, actor=of_a_club, said="apart"),
    )
    say(leg, one, "apart")
    work(other)
    ruled = RuledPlay.objects.filter(deal=event_checks.GROUP)
    assert {(one.session_id, one.play.board.number) for one in ruled} == {(other.pk, 4)}
    assert ruled.count() == 3
    assert event_checks.of_leg(leg) == []
    assert fields.rank(leg_id=leg.pk) == 2


def test_a_club_is_asked_by_mail_in_its_own_language_and_what_it_is_asked_waits_on(
    parts: dict[str, Session], django_capture_on_commit_callbacks: Any
) -> None:
    leg = leg_of(parts)
    contradict(parts["Club A"], 3, tables=[2])
    account = accounts.create(name="Odile")
    type(account).objects.filter(pk=account.pk).update(email="odile@example.org", language="fr")
    place = roles.RolePlace(club=parts["Club A"].tournament.club)
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=place, actor=None)
    (one,) = event_checks.of_leg(leg)
    with django_capture_on_commit_callbacks(execute=True):
        assert say(leg, one, "asked").waits
        say(leg, one, "asked")
    (letter,) = mail.outbox
    assert letter.to == ["odile@example.org"]
    assert "A2" in letter.body
    assert "Those who run" not in letter.body


# ── By the API ────────────────────────────────────────────────────────────────────────────────────


def test_those_who_run_an_event_read_and_answer_its_checks_by_the_api(parts: dict[str, Session]) -> None:
    leg = leg_of(parts)
    contradict(parts["Club A"], 3, tables=[2])
    set_scores(parts["Club B"], lambda *at: usual(*at) + 500, boards=[2], table=3)
    address = f"/api/v1/legs/{leg.pk}/checks/"
    federation = of_federation()
    first, second = federation.get(address).json()["results"]
    assert (first["kind"], first["club"], first["board"]) == ("impossible", "club-a", 3)
    assert first["tables"] == [{"section": "A", "table": 2}]
    assert first["answers"] == ["right", "asked"]
    assert (second["kind"], second["answer"]) == ("doubtful", None)
    (only,) = federation.get(address, {"kind": "doubtful", "club": "club-b"}).json()["results"]
    assert only == second
    said = federation.post(address, {"key": first["key"], "answer": "right"}, "json")
    assert (said.status_code, said.json()["answer"]) == (201, "right")
    assert [one["answer"] for one in federation.get(address).json()["results"]] == [None, "right"]
    unknown = federation.post(address, {"key": "x", "answer": "right"}, "json")
    assert unknown.status_code == 404
    assert of_club("Club A").get(address).status_code == 403
    assert APIClient().get(address).status_code == 401
