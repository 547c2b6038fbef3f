"""Whether anything is new for the phones of tables: a stamp for each, which changes with anything that its
page shows, and with nothing that only other tables have done."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from django.db import connection
from django.db.models import Count, Max
from django.utils import timezone

from ..models import (
    Announcement,
    Call,
    Play,
    Round,
    RoundExtension,
    Session,
    Substitution,
    Table,
    TableAtPlay,
)

Stamp = str


class TableNews:
    """The stamps of many tables, asked again and again. What a table's plays stand on is looked at where the
    tally of their session has moved: ten small queries at most, whatever is watched; those of the plays take
    the longer the more of them the tables of such a session have."""

    def __init__(self) -> None:
        self._tallies: dict[int, tuple[Any, ...]] = {}  # by session, as it was when its plays were looked at
        self._plays: dict[int, tuple[Any, ...]] = {}  # by table

    def stamps(self, tables: Collection[int]) -> dict[int, Stamp]:
        """By table; those that are gone are left out."""
        of = dict(Table.objects.filter(pk__in=tables).values_list("pk", "section__session"))
        sessions = sessions_shown(set(of.values()))
        self._look_at_plays(of, {pk: tally for pk, (_shown, tally) in sessions.items()})
        own = _own(of)
        return {
            table: repr((sessions[session][0], self._plays.get(table), own[table]))
            for table, session in of.items()
        }

    def _look_at_plays(self, of: dict[int, int], tallies: dict[int, tuple[Any, ...]]) -> None:
        moved = {pk for pk, tally in tallies.items() if self._tallies.get(pk) != tally}
        wanted = [table for table, session in of.items() if session in moved or table not in self._plays]
        self._tallies = tallies
        self._plays = {table: stamp for table, stamp in self._plays.items() if table in of}
        if not wanted:
            return
        rows = Play.objects.filter(table__in=wanted).order_by("table").values_list("table")
        counted = rows.annotate(
            *(Max("result__submission"), Count("result"), Max("confirmation"), Count("confirmation")),
            *(Max("disagreement"), Count("disagreement"), Max("ruled__position"), Count("pk")),
        )
        self._plays |= {row[0]: row[1:] for row in counted}


def sessions_shown(sessions: Collection[int]) -> dict[int, tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """By session, what all of its tables are shown, and how far its results are."""
    if not sessions:
        return {}
    told = Announcement.objects.filter(session__in=sessions).order_by("session").values_list("session")
    announced = {row[0]: row[1:] for row in told.annotate(Max("pk"), Count("ended_at"))}
    sitting = Substitution.objects.filter(contestant__session__in=sessions).order_by("contestant__session")
    sitting_in = sitting.values_list("contestant__session").annotate(Count("pk"), Count("undone_at"))
    standing_in = {row[0]: row[1:] for row in sitting_in}
    past = Round.objects.filter(session__in=sessions, takes_until__lte=timezone.now())
    closed = dict(past.order_by("session").values_list("session").annotate(Count("pk")))
    rows = Session.objects.filter(pk__in=sessions).values_list(
        *("pk", "state", "listed", "round_changes", "clock_changes", "name", "starts_at"),
        *("tally__layout", "tally__names", "tally__position", "tally__said", "tally__rulings"),
    )
    return {
        row[0]: (
            (*row[1:9], announced.get(row[0]), closed.get(row[0]), standing_in.get(row[0])),
            (row[7], *row[9:]),
        )
        for row in rows
    }


def _own(tables: Collection[int]) -> dict[int, dict[str, Any]]:
    """By table, what its phones have said beside its results, and the time that it has got."""
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    asked = {
        "calls": (Call, (Max("pk"), Max("answered_at"), Count("ended_at"))),
        "seated": (TableAtPlay, (Max("round"), Count("pk"))),
        "longer": (RoundExtension, (Max("until"), Count("pk"))),
    }
    for name, (model, counted) in asked.items():
        rows = model._default_manager.filter(table__in=tables).order_by("table").values_list("table")
        for row in rows.annotate(*counted):
            found[row[0]][name] = row[1:]
    return found


OF_A_TABLE = """
SELECT (SELECT MAX(id) FROM tournaments_announcement WHERE session_id = %(session)s AND ended_at IS NULL),
  (SELECT COUNT(*) FROM tournaments_round WHERE session_id = %(session)s AND takes_until <= %(now)s),
  (SELECT COUNT(settled_at) FROM tournaments_round WHERE session_id = %(session)s),
  (SELECT COUNT(*) FROM tournaments_roundextension WHERE table_id = %(table)s AND until > %(now)s),
  (SELECT MAX(until) FROM tournaments_roundextension WHERE table_id = %(table)s),
  standing_in.all_of_them, standing_in.undone, called.newest, called.answered, called.ended,
  sat.newest, sat.all_of_them, played.*
FROM (
  SELECT COUNT(*) AS all_of_them, COUNT(undone_at) AS undone FROM tournaments_substitution
  WHERE contestant_id IN (SELECT id FROM tournaments_contestant WHERE session_id = %(session)s)
) standing_in, (
  SELECT MAX(id) AS newest, MAX(answered_at) AS answered, COUNT(ended_at) AS ended
  FROM tournaments_call WHERE table_id = %(table)s
) called, (
  SELECT MAX(round) AS newest, COUNT(*) AS all_of_them
  FROM tournaments_tableatplay WHERE table_id = %(table)s
) sat, (
  SELECT COUNT(*), SUM(play.round), MAX(result.position), COUNT(result.position),
    SUM(play.confirmation_id), COUNT(play.confirmation_id), SUM(play.disagreement_id),
    COUNT(play.disagreement_id)
  FROM tournaments_play play LEFT JOIN tournaments_result result ON result.play_id = play.id
  WHERE play.table_id = %(table)s
) played
"""
HANDED_IN = """
SELECT state, COUNT(*), MAX(id) FROM tournaments_submission WHERE table_id = %(table)s
GROUP BY state ORDER BY state
"""


def stamp_of(table: Table) -> Stamp:
    """What all that the page of one table shows stands on, in two small statements: cheaper than the page.
    Its session and the tally are there already."""
    session = table.section.session
    tally = session.tally
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    values = {"session": session.pk, "table": table.pk, "now": now}
    of_session = (
        *(session.state, session.listed, session.name, session.round_changes, session.clock_changes),
        *(tally.layout, tally.names, tally.rulings),
    )
    with connection.cursor() as cursor:
        cursor.execute(OF_A_TABLE, values)
        of_table = cursor.fetchone()
        cursor.execute(HANDED_IN, values)
        return repr((of_session, of_table, cursor.fetchall()))
