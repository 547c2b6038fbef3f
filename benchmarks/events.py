"""What an event of many clubs costs: their results stored, judged and ranked, club by club; the first version
of the joint field once the embargo is lifted, by a worker that has read nothing yet; its lists, the checks
across all clubs, and a club that comes late, from its results to the version of the whole field that counts
them. In a database of its own, in seconds of the processor; `peak` is what the whole process has held at most
so far.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .aside import own_database, peak

if TYPE_CHECKING:
    from tournaments.models import Account, Leg, Session

CLUBS, TABLES, ROUNDS, BOARDS_A_ROUND = 100, 10, 12, 2
PARTS = 10  # of the field, whose first and last are shown


@dataclass(frozen=True, slots=True)
class EventTime:
    """Something that an event asks for: the seconds of it, for how many results, and the megabytes held at
    most."""

    name: str
    seconds: float
    results: int
    peak: float


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.events", description=__doc__)
    parser.add_argument("--clubs", type=int, default=CLUBS)
    parser.add_argument("--tables", type=int, default=TABLES)
    wanted = parser.parse_args(arguments)
    with own_database():
        show(wanted.clubs, wanted.tables)


def show(clubs: int, tables: int) -> None:
    heading = f"{clubs} clubs of {tables} tables, {ROUNDS * BOARDS_A_ROUND} boards"
    print(f"{heading:<46}{'results':>8}{'s':>8}{'ms each':>9}{'peak MB':>9}")
    for one in measured(clubs, tables):
        each = f"{1_000 * one.seconds / one.results:>9.2f}" if one.results else f"{'':>9}"
        print(f"{one.name:<46}{one.results or '':>8}{one.seconds:>8.2f}{each}{one.peak:>9.0f}", flush=True)


def measured(clubs: int, tables: int) -> Iterator[EventTime]:
    """Of each step, with so many clubs of so many tables."""
    from tournaments.services import counting, event_checks, events, field_lists, fields

    from .load.fields import judgements

    leg, federation = a_leg()
    own = ROUNDS * BOARDS_A_ROUND * tables
    began = time.process_time()
    parts = [a_part(leg, federation, number, tables) for number in range(1, clubs + 1)]
    yield EventTime("its clubs set up", time.process_time() - began, 0, peak())
    sheets = {
        number: [one.sheet for one in judgements(parts[0], number)]
        for number in range(1, leg.board_count + 1)
    }
    random = Random(1)
    took = []
    for session in parts[:-1]:
        began = time.process_time()
        played(session, federation, sheets, random)
        took.append(time.process_time() - began)
    some = max(len(took) // PARTS, 1)
    for name, seconds in (("first", took[:some]), ("last", took[-some:]), ("all", took)):
        title = f"results stored, judged and ranked, {name} clubs"
        yield EventTime(title, sum(seconds), own * len(seconds), peak())

    def timed(name: str, work: Callable[[], Any], results: int) -> EventTime:
        began = time.process_time()
        work()
        return EventTime(name, time.process_time() - began, results, peak())

    seated(parts[-1])
    events.lift_all(now=leg.waits_until)
    leg.refresh_from_db()
    counting.memory.forget()
    every = own * (clubs - 1)
    yield timed("the first joint ranking, nothing read before", lambda: fields.rank(leg_id=leg.pk), every)
    yield timed("a page of the whole field", lambda: a_page(leg), 0)
    yield timed("the same again", lambda: a_page(leg), 0)
    yield timed("a page of a region", lambda: a_page(leg, region="Region 1"), 0)
    yield timed("a page of a club", lambda: a_page(leg, club=parts[0].tournament.club.slug), 0)
    yield timed("the checks across all clubs", lambda: event_checks.of_leg(leg), every)

    def late() -> None:
        played(parts[-1], federation, sheets, random)
        fields.rank(leg_id=leg.pk)

    yield timed("a late club, until the whole field has it", late, own)
    field_lists.forget()
    yield timed("a page of the newest version", lambda: a_page(leg), 0)

    def cold() -> None:
        counting.memory.forget()
        mended(parts[0], federation, sheets)
        fields.rank(leg_id=leg.pk)

    yield timed("a result mended, nothing read before", cold, 1)
    yield timed(
        "a result mended", lambda: (mended(parts[1], federation, sheets), fields.rank(leg_id=leg.pk)), 1
    )


# ── The event ─────────────────────────────────────────────────────────────────────────────────────


def a_leg() -> "tuple[Leg, Account]":
    """Of the federation, with whoever administers it."""
    from django.utils import timezone

    from tournaments.models.accounts import RoleKind
    from tournaments.services import accounts, events, roles

    account = accounts.create(name="Federation")
    roles.grant(account=account, kind=RoleKind.ADMINISTRATOR, place=roles.FEDERATION, actor=None)
    now = timezone.now()
    event = events.create(actor=account, club=None, name="Simultaneous", joining="open", embargo="window")
    leg = events.add_leg(
        event=event,
        actor=account,
        game="comon",
        board_count=ROUNDS * BOARDS_A_ROUND,
        opens_at=now - timedelta(hours=1),
        closes_at=now + timedelta(days=1),
        late_until=now + timedelta(days=2),
    )
    events.announce(event=event, actor=account)
    return leg, account


def a_part(leg: "Leg", actor: "Account", number: int, tables: int) -> "Session":
    """The session of a club, which enters with it; ten regions take turns."""
    from django.db import transaction

    from tournaments.models import ClubEntry, Session, Tournament
    from tournaments.services import clubs, events
    from tournaments.services.layouts import groups_of, lay_out

    from .load.fields import movement

    club = clubs.create(name=f"Club {number:03}")
    club.region = f"Region {number % 10}"
    club.save(update_fields=["region"])
    ClubEntry.objects.create(leg=leg, club=club, state=ClubEntry.State.ENTERED, tables=tables)
    tournament: Tournament = Tournament.objects.create(club=club, name="Simultaneous")
    shared, layout = events.shared_boards(leg.pk), movement(tables, ROUNDS, BOARDS_A_ROUND)
    with transaction.atomic():
        session, _plays = lay_out(
            tournament=tournament,
            name="Simultaneous",
            game=leg.game,
            options=dict(leg.options),
            conditions=dict(leg.conditions),
            method="matchpoints",
            movements={"A": layout},
            groups=groups_of(leg.game, leg.conditions, [layout]),
            contestants=[f"Club {number:03} {n:02}" for n in range(1, 3 * tables + 1)],
            club=club,
            seed=shared.seed,
            manifest=dict(shared.manifest),
        )
        events.begin_part(
            session=session,
            leg=leg.pk,
            actor=actor,
            family="load",
            tables=tables,
            boards=leg.board_count,
        )
    return Session.objects.select_related("board_set", "tournament").get(pk=session.pk)


def played(session: "Session", actor: "Account", sheets: dict[int, list[Any]], random: Random) -> None:
    """All results of a club, handed in, judged, ranked and sent."""
    from tests.tournaments.worlds import plays_of, work
    from tournaments.models import Session
    from tournaments.services import states, submissions

    entries = [
        submissions.ResultEntry(
            "A",
            one.table.number,
            one.board.number,
            uuid4(),
            {"sheet": random.choice(sheets[one.board.number])},
        )
        for one in plays_of(session)
    ]
    submissions.submit(session_id=session.pk, sender=organiser_of(session), entries=entries)
    work(session)
    for to in (Session.State.PLAYED, Session.State.PROVISIONAL):
        session = states.change(session=session, actor=actor, to=to, confirmed=True)
    work(session)


def seated(session: "Session") -> None:
    """Every table of a club has said that it sits: its boards have begun, though no result has come in."""
    from tests.tournaments.worlds import plays_of
    from tournaments.models import TableAtPlay

    places = {(one.table_id, one.round) for one in plays_of(session)}
    TableAtPlay.objects.bulk_create(
        TableAtPlay(session=session, table_id=table, round=number) for table, number in sorted(places)
    )


def mended(session: "Session", actor: "Account", sheets: dict[int, list[Any]]) -> None:
    """One of its results is another."""
    from tests.tournaments.worlds import work
    from tournaments.models import Result
    from tournaments.services import submissions

    result = Result.objects.filter(session=session).select_related("play__table", "play__board").first()
    assert result is not None
    play = result.play
    for sheet in sheets[play.board.number]:
        entry = submissions.ResultEntry(
            "A",
            play.table.number,
            play.board.number,
            uuid4(),
            {"sheet": sheet},
            reason="The slip was misread",
        )
        submissions.submit(session_id=session.pk, sender=organiser_of(session), entries=[entry])
        work(session)
        if Result.objects.get(pk=result.pk).scores != result.scores:
            return


def organiser_of(session: "Session") -> Any:
    from tournaments.models import Role
    from tournaments.services import tokens

    club = session.tournament.club
    return tokens.issue_for_role(person=f"Organiser of {club.name}", club=club, kind=Role.Kind.ORGANISER)[0]


def a_page(leg: "Leg", **which: str) -> None:
    """The first hundred places of a list."""
    from tournaments.services import field_lists

    version = field_lists.newest(leg)
    assert version is not None
    found = field_lists.content(version, **which)
    assert list(found.places(range(min(found.count, 100))))


if __name__ == "__main__":
    sys.exit(main())
