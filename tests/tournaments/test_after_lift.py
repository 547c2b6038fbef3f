"""Once the embargo is lifted everybody may know the boards of an event: no club begins them any more, and
what was begun after that is compared with nobody."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.frontend.test_desk import an_account, at_desk
from tournaments.models import Leg, Round, Session, Submission, TableAtPlay
from tournaments.services import embargoes, event_checks, event_entries, events, fields, rounds
from tournaments.services.states import change
from tournaments.services.submissions import ResultEntry, submit

from .fields import a_leg, a_part, an_administrator, an_organiser, results_of, send
from .test_events import play, refused
from .test_fields import shown
from .worlds import ROLES, a_world, body_of, forget, work

pytestmark = pytest.mark.django_db
State = Session.State
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
FIRST, LATE = "Club A", "Club B"


@pytest.fixture
def leg(db: None) -> Leg:
    forget()
    return a_leg(boards=12, embargo="window")


def over(leg: Leg) -> Leg:
    """Its window has just ended, and its embargo is lifted."""
    Leg.objects.filter(pk=leg.pk).update(closes_at=timezone.now())
    assert events.lift_all() == 1
    leg.refresh_from_db()
    return leg


def hands_in(session: Session, entries: list[ResultEntry]) -> None:
    submit(session_id=session.pk, sender=an_organiser(session.tournament.club), entries=entries)
    work(session)


def boards_of(session: Session) -> dict[int, list[ResultEntry]]:
    found: dict[int, list[ResultEntry]] = {}
    for one in results_of(session):
        found.setdefault(one.board, []).append(one)
    return found


def clubs_in(leg: Leg) -> set[str]:
    return {one.club.name for one in shown(leg)}


# ── How long the lift waits ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", [State.DRAFT, State.READY])
def test_a_club_that_may_still_begin_keeps_the_boards_closed(state: str) -> None:
    forget()
    late = timezone.now() + 3 * DAY
    leg = a_leg(boards=12, embargo="window", late_until=late)
    send(a_part(leg, FIRST))
    Session.objects.filter(pk=a_part(leg, LATE).pk).update(state=state)
    assert events.lift_all(now=leg.closes_at) == 0
    assert events.lift_all(now=late - HOUR) == 0
    assert not events.is_one_due(now=late - HOUR)
    assert events.lift_all(now=late) == 1


def test_a_club_that_was_left_out_or_set_nothing_up_is_not_waited_for() -> None:
    forget()
    leg = a_leg(boards=12, embargo="window", late_until=timezone.now() + 3 * DAY)
    send(a_part(leg, FIRST))
    late = a_part(leg, LATE)
    events.decide(entry=leg.entries.get(session=late), actor=an_administrator(), to="left-out")
    assert events.lift_all(now=leg.closes_at) == 1


def test_whoever_sits_when_the_window_ends_plays_to_the_end_of_the_evening(leg: Leg) -> None:
    send(a_part(leg, FIRST))
    late = a_part(leg, LATE)
    change(session=late, actor=None, to=State.RUNNING)
    assert events.lift_all(now=leg.closes_at) == 0
    assert events.lift_all(now=leg.closes_at + embargoes.AN_EVENING - HOUR) == 0
    assert events.lift_all(now=leg.closes_at + embargoes.AN_EVENING) == 1


# ── What is refused ───────────────────────────────────────────────────────────────────────────────

WAYS = [
    (State.DRAFT, State.READY),
    (State.READY, State.RUNNING),
    (State.PLAYED, State.RUNNING),
    (State.PROVISIONAL, State.RUNNING),
    (State.CANCELLED, State.DRAFT),
    (State.CANCELLED, State.READY),
    (State.CANCELLED, State.RUNNING),
]


@pytest.mark.parametrize(("state", "to"), WAYS)
def test_no_arrow_leads_into_play_once_everybody_may_know_the_boards(leg: Leg, state: str, to: str) -> None:
    late = a_part(leg, LATE)
    Session.objects.filter(pk=late.pk).update(state=state)
    over(leg)

    def go() -> Session:
        return change(session=late, actor=None, to=to, reason="After all")

    error = refused("after-lift", go)
    assert "leave the club out" in error.message
    assert "boards of its own" in error.message
    assert Session.objects.get(pk=late.pk).state == state
    events.decide(entry=leg.entries.get(session=late), actor=an_administrator(), to="left-out")
    assert go().state == to  # for itself


def test_no_round_is_opened_by_hand_or_by_the_clock(leg: Leg) -> None:
    late = a_part(leg, LATE)
    rounds.pace(session=late, actor=None, pace=rounds.Pace(duration=600, pause_before=0))
    rounds.open_round(session=late, actor=None, number=1)
    Round.objects.filter(session=late, number=2).update(opens_at=timezone.now())
    Leg.objects.filter(pk=leg.pk).update(late_until=timezone.now() + HOUR / 60, closes_at=timezone.now())
    assert events.lift_all(now=timezone.now()) == 0
    Leg.objects.filter(pk=leg.pk).update(late_until=None, lifted_at=timezone.now())
    leg.refresh_from_db()
    refused("after-lift", lambda: rounds.open_round(session=late, actor=None, number=2))
    rounds.keep_time(now=timezone.now() + HOUR / 60)
    assert set(late.rounds.values_list("number", "state")) >= {(1, "open"), (2, "waiting")}
    assert not rounds.is_due(now=timezone.now() + HOUR / 60)
    early = [one for one in results_of(late) if late.rounds.get(number=_round_of(late, one)).number == 1]
    hands_in(late, early)  # its round was open by then
    assert embargoes.begun_late(leg, [late]) == {}


def _round_of(session: Session, entry: ResultEntry) -> int:
    return int(session.board_set.boards.get(number=entry.board).plays.get(table__number=entry.table).round)


def test_results_of_boards_that_have_not_begun_are_refused_and_of_others_taken(leg: Leg) -> None:
    late = a_part(leg, LATE)
    (first, *rest), second, third, *_more = boards_of(late).values()
    hands_in(late, [first])
    seated = second[0]
    table = late.sections.get().tables.get(number=seated.table)
    TableAtPlay.objects.create(session=late, table=table, round=_round_of(late, seated))
    over_then = timezone.now()
    Leg.objects.filter(pk=leg.pk).update(lifted_at=over_then)
    before = Submission.objects.count()
    error = refused("after-lift", lambda: hands_in(late, third))
    assert error.details["board"] == third[0].board
    refused("after-lift", lambda: hands_in(late, [*rest, *third]))
    assert Submission.objects.count() == before
    hands_in(late, [*rest, *second])
    assert Submission.objects.count() == before + len(rest) + len(second)


@pytest.mark.parametrize("role", ROLES)
def test_no_role_begins_a_part_or_hands_anything_in(leg: Leg, role: str) -> None:
    late, there = a_part(leg, "Club A"), a_part(leg, "Club B")
    send(there)
    world = a_world(late, there)
    over(leg)
    client = world.client(role)
    body = body_of(results_of(late)[0])
    before = Submission.objects.count()
    answers = [
        client.put(f"/api/v1/sessions/{late.pk}/state/", {"state": "running"}, "json"),
        client.post(f"/api/v1/sessions/{late.pk}/submissions/", body, "json"),
        client.post(f"/api/v1/sessions/{late.pk}/submissions/bulk/", {"submissions": [body]}, "json"),
    ]
    assert all(one.status_code in (401, 403, 404, 409) for one in answers), answers
    told = {one.json()["code"] for one in answers if one.status_code == 409}
    assert told <= {"after-lift"}
    if role in ("organiser", "scorer", "table"):
        assert told == {"after-lift"}
    assert Session.objects.get(pk=late.pk).state == State.READY
    assert Submission.objects.count() == before


def test_the_desk_says_why_and_what_would_be_right(leg: Leg) -> None:
    late = a_part(leg, LATE)
    Session.objects.filter(pk=late.pk).update(state=State.DRAFT)
    over(leg)
    visitor = at_desk(an_account("Orga", LATE)).open(reverse("run-session", args=[late.pk, "ready"]))
    assert "leave the club out" in visitor.press("Ready to be played").text
    assert Session.objects.get(pk=late.pk).state == State.DRAFT


def test_nobody_is_reminded_of_what_cannot_be_played_any_more(leg: Leg) -> None:
    a_part(leg, LATE)
    (one,) = event_entries.of_leg(over(leg), now=timezone.now())
    assert one.waits == ""


# ── What counts ───────────────────────────────────────────────────────────────────────────────────


def test_a_club_that_plays_for_itself_is_not_taken_in_again(leg: Leg) -> None:
    send(a_part(leg, FIRST))
    late = a_part(leg, LATE)
    over(leg)
    federation, entry = an_administrator(), leg.entries.get(session=late)
    events.decide(entry=entry, actor=federation, to="left-out")
    send(late)
    fields.rank(leg_id=leg.pk)
    assert clubs_in(leg) == {FIRST}
    refused("after-lift", lambda: events.decide(entry=entry, actor=federation, to="entered"))


@pytest.fixture
def played_late(leg: Leg, monkeypatch: pytest.MonkeyPatch) -> tuple[Leg, Session, Session]:
    """As data were before anybody asked: a club has begun half of its boards after the lift, another all."""
    send(a_part(leg, FIRST))
    half, whole = a_part(leg, LATE), a_part(leg, "Club C")
    boards = list(boards_of(half).values())
    hands_in(half, [one for some in boards[:2] for one in some])
    change(session=half, actor=None, to=State.PLAYED, confirmed=True)
    over(leg)
    with monkeypatch.context() as patched:
        patched.setattr(embargoes, "is_too_late", lambda _session: False)
        patched.setattr(embargoes, "check_begun", lambda *_play, **_facts: None)
        hands_in(half, [one for some in boards[2:] for one in some])
        send(whole)
        change(session=half, actor=None, to=State.PROVISIONAL)
    work(half)
    return leg, half, whole


def test_what_was_begun_after_the_lift_is_compared_with_nobody(
    played_late: tuple[Leg, Session, Session],
) -> None:
    leg, half, whole = played_late
    late = embargoes.begun_late(leg, [half, whole])
    assert [len(late[one.pk]) for one in (half, whole)] == [2, 4]
    assert [one.tournament.club.name for one in fields.counted(leg)] == [FIRST, LATE]
    fields.rank(leg_id=leg.pk)
    assert clubs_in(leg) == {FIRST, LATE}
    assert {one.place.total.boards for one in shown(leg) if one.club.name == LATE} == {2}


def test_a_check_names_the_clubs_that_began_after_the_lift(
    played_late: tuple[Leg, Session, Session],
) -> None:
    leg, half, _whole = played_late
    found = [one for one in event_checks.of_leg(leg) if one.kind == event_checks.AFTER_LIFT]
    assert [one.entry.club.name for one in found] == [LATE, "Club C"]
    late = sorted(embargoes.begun_late(leg, [half])[half.pk].values())
    assert found[0].reason.endswith(f"{', '.join(map(str, late))}.")
    assert found[0].waits
    said = event_checks.answer(leg=leg, key=found[0].key, actor=an_administrator(), said="right")
    assert not said.waits


def test_a_part_that_was_ended_without_results_counts_nowhere(leg: Leg) -> None:
    send(a_part(leg, FIRST))
    late = a_part(leg, LATE)
    over(leg)
    play(late)
    assert [one.tournament.club.name for one in fields.counted(leg)] == [FIRST]
