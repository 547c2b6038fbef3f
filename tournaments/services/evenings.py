"""An evening on paper: a file becomes a session and its ranking. All slips are reported at once."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import registry
from engines.contract import Game
from engines.errors import EngineError

from ..models import Club, PaperFile, Session, Submission, Token, Tournament
from ..movements import Movement, Sitting
from ..movements.cooling import Progress
from . import (
    bulk,
    comparisons,
    history,
    judging,
    paper,
    paper_rulings,
    queue,
    rankings,
    result_xml_files,
    rulings,
    sessions,
)
from .errors import Conflict, Invalid, refusal
from .file_slips import refused
from .layouts import Place, groups_of, lay_out
from .slips import Row

ROWS_AT_MOST, BYTES_AT_MOST = 100_000, 10_000_000


@dataclass(frozen=True, slots=True)
class Evening:
    """A file that has been read, checked and judged: what there is to store. `names`: of the contestants, in
    the order of their numbers."""

    digest: str
    game: str
    options: dict[str, Any]
    conditions: dict[str, Any]
    method: str
    method_options: dict[str, Any]
    rows: Sequence[Row]
    names: Sequence[str]
    movements: dict[str, Movement]
    groups: Mapping[int, int]
    names_may_be_published: bool


def read(
    *,
    text: str,
    game: str,
    options: dict[str, Any],
    method: str,
    method_options: dict[str, Any] | None = None,
    names_may_be_published: bool = False,
    progress: Progress | None = None,
) -> Evening:
    """What a file says, without the database. `names_may_be_published`: those of players whom it adds to the
    club's register. Invalid carries every slip. The time grows with the rows."""
    compared_by = comparisons.options_of(method, method_options or {}, game)
    rows, settings = rows_of(text=text, game=game, options=options, progress=progress)
    names = sorted({name for row in rows for name in row.contestants}, key=str.casefold)
    conditions = sessions.conditions_of(registry.game(game), len(rows[0].contestants))
    layouts = _movements(rows, {name: number for number, name in enumerate(names, 1)})
    return Evening(
        digest=digest_of(text),
        game=game,
        options=settings,
        conditions=conditions,
        method=method,
        method_options=compared_by,
        rows=rows,
        names=names,
        movements=layouts,
        groups=groups_of(game, conditions, layouts.values()),
        names_may_be_published=names_may_be_published,
    )


def text_of(content: bytes) -> str:
    """The text of a club’s file: CSV as any spreadsheet saves it, the first sheet of a workbook, or the XML
    of `result_xml`. Invalid: it is too large, or none of these."""
    return result_xml_files.text_of(content, bytes_at_most=BYTES_AT_MOST, rows_at_most=ROWS_AT_MOST)


def check(
    *,
    text: str,
    club: Club,
    game: str,
    options: dict[str, Any],
    method: str,
    method_options: dict[str, Any] | None = None,
    **_rest: Any,
) -> None:
    """Refuse what shows without reading the rows: an unknown game, wrong options, a file that the club has
    imported before."""
    comparisons.options_of(method, method_options or {}, game)
    game_of(text, game, options)
    file = PaperFile.objects.filter(club=club, digest=digest_of(text)).first()
    if file is not None:
        raise _imported_before(file)


def rows_of(
    *, text: str, game: str, options: dict[str, Any], progress: Progress | None = None
) -> tuple[list[Row], dict[str, Any]]:
    """The rows of a file, none with a slip, and the complete options. Invalid carries every slip."""
    the_game, settings = game_of(text, game, options)
    rows, slips = paper.read(text, the_game, settings, progress)
    if slips:
        raise refused(slips)
    return rows, settings


def game_of(text: str, game: str, options: dict[str, Any]) -> tuple[Game[Any], dict[str, Any]]:
    """The game of a file, with its complete options; Invalid where there is none, or too much of it."""
    try:
        the_game = registry.game(game)
        settings = registry.options_of(the_game, options)
    except EngineError as error:
        raise refusal("bad-session", error) from error
    if text.count("\n") > ROWS_AT_MOST:
        raise Invalid("too-long", _("A file may have at most %(most)d rows.") % {"most": ROWS_AT_MOST})
    return the_game, settings


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _movements(rows: Sequence[Row], numbers: dict[str, int]) -> dict[str, Movement]:
    """The movement of each section, as it follows from the rows."""
    sittings: dict[str, list[Sitting]] = defaultdict(list)
    for row in rows:
        contestants = tuple(numbers[name] for name in row.contestants)
        sittings[row.section].append(Sitting(row.round, row.table, row.board, contestants))
    return {section: Movement("as played", tuple(plays)) for section, plays in sorted(sittings.items())}


def import_evening(
    *,
    tournament: Tournament,
    actor: Token | None,
    name: str,
    club: Club | None = None,
    again: bool = False,
    **file: Any,
) -> Session:
    """A finished session from a club's file (as `read` takes it), judged, compared and ranked.

    Invalid carries every slip; Conflict: the club has imported this file before, and not `again` on purpose.
    """
    session = store(read(**file), tournament=tournament, actor=actor, name=name, club=club, again=again)
    rank(session)
    return session


@transaction.atomic
def store(
    evening: Evening,
    *,
    tournament: Tournament,
    actor: Token | None,
    name: str,
    club: Club | None = None,
    again: bool = False,
) -> Session:
    """The rows of an evening, as a finished session whose results wait for their ranking. Conflict: the club
    has imported this file before, and not `again` on purpose."""
    session, plays = lay_out(
        tournament=tournament,
        name=name,
        game=evening.game,
        options=evening.options,
        conditions=evening.conditions,
        method=evening.method,
        method_options=evening.method_options,
        movements=evening.movements,
        contestants=evening.names,
        names_may_be_published=evening.names_may_be_published,
        groups=evening.groups,
        club=club or tournament.club,
    )
    keep_file(session, evening.digest, again=again)
    history.note(actor, "imported", session, session=session, digest=evening.digest, rows=len(evening.rows))
    keep_results(session, evening.rows, plays, actor)
    paper_rulings.rule(session=session, rows=_decided(evening), actor=actor)
    queue.after_commit("rank", session.pk)
    return sessions.finish(session=session, actor=actor)


def _decided(
    evening: Evening,
) -> Iterator[tuple[rulings.PlayPlace, list[int], paper_rulings.RowRulings]]:
    """The rows that say more than a result, with the numbers of those who sat there."""
    numbers = {name: number for number, name in enumerate(evening.names, 1)}
    for row in evening.rows:
        if row.rulings != paper_rulings.RowRulings(
            (None,) * len(row.contestants), (None,) * len(row.contestants)
        ):
            place = rulings.PlayPlace(row.section, row.table, row.board)
            yield place, [numbers[name] for name in row.contestants], row.rulings


def rank(session: Session) -> None:
    """Take all results in at once, where somebody waits for the ranking."""
    while rankings.rank(session_id=session.pk) is not None:
        pass


def keep_file(session: Session, digest: str, *, again: bool = False) -> None:
    """Remember which files a session came from; of two imports at once, the database lets one in."""
    file, is_new = PaperFile.objects.get_or_create(
        club=session.tournament.club, digest=digest, defaults={"session": session}
    )
    if is_new or file.session_id == session.pk:
        return
    if not again:
        raise _imported_before(file)
    file.session = session
    file.save(update_fields=["session"])


def _imported_before(file: PaperFile) -> Conflict:
    message = _("This file has already been imported: it is session %(session)s.")
    names = {"session": file.session_id}
    return Conflict("imported-before", message % names, names)


def keep_results(
    session: Session,
    rows: Sequence[Row],
    plays: Mapping[Place, int],
    actor: Token | None,
    *,
    remark: int | None = None,
) -> None:
    """What was handed in, accepted, and the results. The history has one line for them all; `remark`: why
    they follow others."""
    judged = [(row, row.judgement) for row in rows if row.judgement is not None]
    if not judged:
        return
    at = [plays[row.section, row.table, row.board] for row, _judgement in judged]
    now, ids = timezone.now(), bulk.new_ids(Submission, len(judged))
    bulk.insert(
        Submission,
        {
            "id": ids,
            "play": at,
            "key": [uuid4() for _ in judged],
            "content": [{"sheet": judgement.sheet} for _row, judgement in judged],
        },
        same={
            "sender": actor.pk if actor else None,
            "role": actor.role_id if actor else None,
            "state": Submission.State.ACCEPTED.value,
            "refusal": None,
            "remark": remark,
            "created_at": now,
            "judged_at": now,
        },
    )
    judging.keep_results(
        [
            judging.NewResult(session.pk, play, submission, judging.columns_of(judgement))
            for play, submission, (_row, judgement) in zip(at, ids, judged, strict=True)
        ]
    )
