"""What the database knows of results on their way into it: their sessions, the plays that they are for, what
came before under the same keys, and how often tables have been refused. A statement each, whatever there is
to store; those that take locks say so.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from ..models import Session, Submission
from . import bulk, disputes
from .deliveries import Busy, Handed, Key, Stored


class Opened(NamedTuple):
    """The session of a delivery, held as it is until the end of the transaction. `is_lifted`: it is compared
    with other clubs, and everybody may know its boards (`embargoes.is_too_late`)."""

    state: str
    is_paced: bool
    tournament: int
    club: int
    pk: int
    commitment: str
    token_is_valid: bool
    is_lifted: bool


class Seat(NamedTuple):
    """A play at its place, and who is in charge of it. `was_confirmed`: somebody has agreed with a result of
    it; `is_known`: its board has been over; with either, `sheet` and `content`, as JSON, of what counts.
    `is_said`: something has been handed in for it; `is_decided`: a director has ruled on all of it.
    `round_state`: of its round, where the session is paced; `has_time`: tables may still hand in
    what they have played in it."""

    pk: int
    table: int
    section_club: int
    round: int
    was_confirmed: bool
    is_known: bool
    sheet: str | None
    content: str | None
    is_said: bool
    is_decided: bool
    round_state: str | None
    has_time: bool


Rows = Callable[[], list[tuple[Any, ...]]]


def ask_sessions(deliveries: Sequence[Handed], patient: bool) -> Rows:
    """By delivery. Whoever changes one of these sessions waits for all that is being stored; any number of
    others may store at the same time. On SQLite a transaction that writes is alone anyway."""
    columns = {
        "delivery": ("integer", range(len(deliveries))),
        "session": ("bigint", [one.session for one in deliveries]),
        "token": ("bigint", [one.sender.pk for one in deliveries]),
    }
    return bulk.ask(
        """
        SELECT wanted.delivery, session.state, session.is_paced, session.tournament_id, tournament.club_id,
            session.id, board_set.commitment, EXISTS (
                SELECT 1 FROM tournaments_token token WHERE token.id = wanted.token
                AND token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > %s)
            ), EXISTS (
                SELECT 1 FROM tournaments_leg leg WHERE leg.id = session.leg_id AND leg.lifted_at IS NOT NULL
                AND NOT EXISTS (
                    SELECT 1 FROM tournaments_clubentry entry
                    WHERE entry.session_id = session.id AND entry.state <> 'entered'
                )
            )
        FROM {wanted}
        JOIN tournaments_session session ON session.id = wanted.session
        JOIN tournaments_tournament tournament ON tournament.id = session.tournament_id
        JOIN tournaments_boardset board_set ON board_set.session_id = session.id
        ORDER BY session.id
        """,
        columns,
        more=[connection.ops.adapt_datetimefield_value(timezone.now())],
        lock="FOR SHARE OF session" + ("" if patient else " SKIP LOCKED"),
    )


def opened_by(
    deliveries: Sequence[Handed], patient: bool, rows: list[tuple[Any, ...]]
) -> dict[int, Opened | Exception]:
    """By delivery; `Busy` for one that could not be held at once."""
    there: dict[int, Opened | Exception] = {row[0]: Opened(*row[1:]) for row in rows}
    missing = [index for index in range(len(deliveries)) if index not in there]
    if missing and not patient:
        ids = Session.objects.filter(pk__in={deliveries[index].session for index in missing})
        locked = set(ids.values_list("pk", flat=True))
        there |= {index: Busy() for index in missing if deliveries[index].session in locked}
    return there


def ask_earlier(deliveries: Sequence[Handed]) -> Rows:
    """What the senders' roles and tables have handed in before with the same keys."""
    keys = [key for one in deliveries for key in one.keys]
    return bulk.ask(
        """
        SELECT earlier.id FROM (
            SELECT COALESCE(
                (SELECT id FROM tournaments_submission WHERE role_id = wanted.role AND key = wanted.key),
                (SELECT id FROM tournaments_submission WHERE table_id = wanted.at_table AND key = wanted.key)
            ) AS id FROM {wanted}
        ) AS earlier WHERE earlier.id IS NOT NULL
        """,
        {
            "role": ("bigint", [role for role, _table, _key in keys]),
            "at_table": ("bigint", [table for _role, table, _key in keys]),
            "key": ("uuid", [key for _role, _table, key in keys]),
        },
    )


def earlier_by_key(rows: list[tuple[Any, ...]]) -> dict[Key, Stored]:
    """By key, what was stored then."""
    if not rows:
        return {}
    same = Submission.objects.filter(pk__in=[pk for (pk,) in rows])
    return {
        (one.role_id, one.table_id, one.key): stored_of(one)
        for one in same.select_related("play__table__section", "play__board")
    }


def stored_of(submission: Submission) -> Stored:
    """As those are told who may not see the deal: the same answer for whoever sends a key again."""
    play = submission.play
    section = play.table.section
    return Stored(
        submission.pk,
        submission.key,
        section.session_id,
        section.name,
        play.table.number,
        play.board.number,
        disputes.state_shown(submission),
        disputes.refusal_shown(submission, play.board.number),
        submission.content,
        submission.created_at,
        submission.judged_at,
        submission.seat,
    )


def ask_plays(deliveries: Sequence[Handed]) -> Rows:
    """The plays that results are for, by their places; locked where a table sends, so that no guess at a hand
    is missed by whoever counts them. Tables and boards are looked for place by place: of a join
    that was planned while they were new, PostgreSQL read all tables of the section for each place. Whether a
    round is open does not change while its session is held."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    places = {place for one in deliveries for place in one.places}
    sessions, sections, tables, boards = zip(*places, strict=True)
    return bulk.ask(
        """
        SELECT place.session, place.section, place.number, place.board,
            play.id, play.table_id, section.club_id, play.round,
            play.confirmation_id IS NOT NULL, place.is_known,
            CASE WHEN play.confirmation_id IS NOT NULL OR place.is_known THEN
                (SELECT result.sheet FROM tournaments_result result WHERE result.play_id = play.id) END,
            CASE WHEN play.confirmation_id IS NOT NULL OR place.is_known THEN
                (SELECT counting.content FROM tournaments_result result
                JOIN tournaments_submission counting ON counting.id = result.submission_id
                WHERE result.play_id = play.id) END,
            EXISTS (SELECT 1 FROM tournaments_submission said WHERE said.play_id = play.id),
            EXISTS (SELECT 1 FROM tournaments_ruledplay ruled WHERE ruled.play_id = play.id AND is_whole),
            pace.state,
            pace.settled_at IS NULL AND (pace.takes_until > %s OR EXISTS (
                SELECT 1 FROM tournaments_roundextension extension
                WHERE extension.round_id = pace.id AND extension.table_id = play.table_id
                AND extension.until > %s
            ))
        FROM (SELECT there.*, (
            SELECT board.over_at IS NOT NULL FROM tournaments_board board WHERE board.id = there.board_id
        ) AS is_known FROM (
            SELECT wanted.session, wanted.section, wanted.number, wanted.board, (
                SELECT at.id FROM tournaments_section section
                JOIN tournaments_table at ON at.section_id = section.id AND at.number = wanted.number
                WHERE section.session_id = wanted.session AND section.name = wanted.section
            ) AS table_id, (
                SELECT board.id FROM tournaments_boardset board_set
                JOIN tournaments_board board ON board.board_set_id = board_set.id
                    AND board.number = wanted.board
                WHERE board_set.session_id = wanted.session
            ) AS board_id
            FROM {wanted}
        ) AS there) AS place
        JOIN tournaments_play play ON play.table_id = place.table_id AND play.board_id = place.board_id
        JOIN tournaments_table at ON at.id = play.table_id
        JOIN tournaments_section section ON section.id = at.section_id
        LEFT JOIN tournaments_round pace ON pace.session_id = place.session AND pace.number = play.round
        ORDER BY play.id
        """,
        {
            "session": ("bigint", sessions),
            "section": ("text", sections),
            "number": ("integer", tables),
            "board": ("integer", boards),
        },
        more=[now, now],
        lock="FOR NO KEY UPDATE OF play" if any(one.sender.table_id for one in deliveries) else "",
    )


def ask_possible_guesses(deliveries: Sequence[Handed]) -> Rows:
    """By play, how many submissions of tables have been refused or may still be: each could be a guess at a
    hand. Counted where a table sends, which may enter its own results alone."""
    senders = [(one.sender.table_id, one.entries) for one in deliveries if one.sender.table_id]
    places = {(table, entry.board) for table, entries in senders for entry in entries}
    if not places:
        return list
    tables, boards = zip(*places, strict=True)
    return bulk.ask(
        """
        SELECT play.id, COUNT(*)
        FROM {wanted}
        JOIN tournaments_play play ON play.table_id = wanted.own_table
        JOIN tournaments_board board ON board.id = play.board_id AND board.number = wanted.board
        JOIN tournaments_submission submission ON submission.play_id = play.id
        WHERE submission.table_id IS NOT NULL AND submission.state IN ('refused', 'pending')
        GROUP BY play.id
        """,
        {"own_table": ("bigint", tables), "board": ("integer", boards)},
    )
