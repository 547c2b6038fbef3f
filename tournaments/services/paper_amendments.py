"""A second file of an evening on paper: what it changes in the session of the first, and changing it.

The second file is the evening whole, as the first was: a row that is missing is a slip, as results are not
taken away. Only what changes gets a new version, with the reason for it; what directors have ruled stays.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from engines import registry
from engines.phrases import Phrase

from ..models import Board, Play, RuledPlay, Ruling, Seating, Section, Session, Tally, Token, Tournament
from ..models.people import fold
from ..movements import Sitting
from ..movements.cooling import Progress
from . import entries, evenings, history, names, own_plays, paper_rulings, queue, rankings, rulings, states
from .errors import Conflict, Invalid, Outdated
from .file_slips import Slip, refused
from .layouts import Place, enter, follow_plays, group, lay_out_section, sittings_of
from .paper_rulings import RowRulings
from .rulings import PlayPlace
from .slips import Row

SHOWN = 1_000  # changes that a dry run tells one by one
RESULT, PLAY, RULING, PENALTY = "result", "play", "ruling", "penalty"


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a row changes: another result, a play that was not there, a ruling or a penalty that did not
    stand. `before` and `after` in the form in which programs are told; None where there was nothing."""

    kind: str
    row: Row
    before: Mapping[str, Any] | None
    after: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        row = self.row
        where = {"section": row.section, "round": row.round, "table": row.table, "board": row.board}
        return {"line": row.line, "kind": self.kind, **where, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Amendment:
    """A second file that has been read and compared. `layout`, `position`: of the session, as its tally
    counted when it was; `decided`: by line, what is to be ruled; `new_names`: of contestants who were not
    there."""

    session: int
    layout: int
    position: int
    digest: str
    rows: Sequence[Row]
    changes: Sequence[FileChange]
    decided: Mapping[int, RowRulings]
    new_names: Sequence[str]
    names_may_be_published: bool

    def to_json(self) -> dict[str, Any]:
        """What a dry run tells: how many of each kind, and which; not the names of who is new."""
        counts = Counter(change.kind for change in self.changes)
        return {
            "rows": len(self.rows),
            "changed": {kind: counts[kind] for kind in (RESULT, PLAY, RULING, PENALTY)},
            "contestants": len(self.new_names),
            "changes": [change.to_json() for change in self.changes[:SHOWN]],
        }


@dataclass(frozen=True, slots=True)
class _Stored:
    """A play as it is stored: by seat the numbers and names of those who sat there, its sheet and scores, and
    what is ruled of it."""

    pk: int
    round: int
    numbers: Sequence[int]
    names: Sequence[str]
    sheet: Mapping[str, Any] | None
    scores: Sequence[int]


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def check(*, session: Session, text: str, reason: str, is_dry: bool) -> None:
    """Refuse what shows without reading the rows. Conflict: the session came of no file, or is being played;
    Invalid: nothing says why results change."""
    if not session.paper_files.exists() or session.board_set.commitment:
        message = _("This session did not come of a file: bring its results by its page.")
        raise Conflict("not-from-a-file", message)
    if not session.is_over:
        raise Conflict("not-played", _("The session is being played: bring its results by its page."))
    if not is_dry and not reason.strip():
        raise Invalid("no-reason", _("The file changes results that are there: say why."))
    evenings.game_of(text, session.game, session.options)


def read(
    *,
    session: Session,
    text: str,
    names_may_be_published: bool = False,
    progress: Progress | None = None,
) -> Amendment:
    """What a second file changes; nothing is stored. Invalid carries every slip; Conflict: it says what is
    there already. The time grows with the rows, the queries with the rulings that are asked for alone."""
    tally = Tally.objects.get(session=session)
    rows, _settings = evenings.rows_of(
        text=text, game=session.game, options=session.options, progress=progress
    )
    stored = _stored(session)
    slips = list(_slips(session, rows, stored))
    if slips:
        raise refused(sorted(set(slips), key=lambda slip: (slip.line, slip.column)))
    own = [(row, stored.get((row.section, row.table, row.board))) for row in rows]
    known = {name for one in stored.values() for name in map(fold, one.names)}
    new_names = sorted(
        {name for row, there in own if there is None for name in row.contestants if fold(name) not in known},
        key=str.casefold,
    )
    decided = dict(_decided(session, own, {fold(n): k for k, n in _numbers(session).items()}))
    changes = [change for row, there in own for change in _changes(row, there)]
    changes += _ruled(session, own, decided)
    if not changes:
        raise Conflict("nothing-new", _("Every result of this file is there already."))
    return Amendment(
        session.pk,
        tally.layout,
        tally.position,
        evenings.digest_of(text),
        rows,
        sorted(changes, key=lambda change: change.row.line),
        decided,
        new_names,
        names_may_be_published,
    )


def _stored(session: Session) -> dict[Place, _Stored]:
    """The plays of a session, by where they are."""
    named = _numbers(session)
    seated: dict[int, list[int]] = {}
    at_seats = Seating.objects.filter(play__table__section__session=session).order_by("play", "seat")
    for play, number in at_seats.values_list("play_id", "contestant__number"):
        seated.setdefault(play, []).append(number)
    plays = Play.objects.filter(table__section__session=session).order_by("pk")
    found = {}
    for pk, number, section, table, board, sheet, scores in plays.values_list(
        *("pk", "round", "table__section__name", "table__number", "board__number"),
        *("result__sheet", "result__scores"),
    ):
        there = seated.get(pk, [])
        found[section, table, board] = _Stored(
            pk, number, there, [named[one] for one in there], sheet, scores or ()
        )
    return found


def _numbers(session: Session) -> dict[int, str]:
    """The names of the contestants, as the register has them, by their numbers: to be compared, not shown."""
    pks = list(session.contestants.values_list("pk", flat=True))
    return {one.number: one.name for one in names.of_contestants(pks, names.OPERATOR).values()}


def _slips(session: Session, rows: Sequence[Row], stored: Mapping[Place, _Stored]) -> Iterator[Slip]:
    """Where a file contradicts who sat where by the first one, and what it leaves out."""
    seats = registry.game(session.game).seat_count(session.conditions)
    if rows and len(rows[0].contestants) != seats:
        yield Slip(1, "", Phrase("{seats} players sit at a table of this session", seats=seats))
        return
    for row in rows:
        there = stored.get((row.section, row.table, row.board))
        if there is None:
            continue
        if there.round != row.round:
            reason = Phrase("this board was played in round {round} by the first file", round=there.round)
            yield Slip(row.line, "round", reason)
        for seat, (written, name) in enumerate(zip(row.contestants, there.names, strict=True), 1):
            if fold(written) != fold(name):
                reason = Phrase(
                    "somebody else sits here by the first file: mend the name, or the seats, on the "
                    "session’s page"
                )
                yield Slip(row.line, f"seat{seat}", reason)
    brought = {(row.section, row.table, row.board) for row in rows}
    for section, table, board in sorted(stored.keys() - brought):
        reason = Phrase(
            "board {board} at table {section}{table} is missing: a second file is the evening whole",
            board=board,
            section=section,
            table=table,
        )
        yield Slip(max(row.line for row in rows) + 1, "", reason)


def _changes(row: Row, there: _Stored | None) -> Iterator[FileChange]:
    """What a row says of its result that is not there yet."""
    judgement = row.judgement
    after: dict[str, Any] = {}
    if judgement is not None:
        after = {"sheet": dict(judgement.sheet), "scores": list(judgement.outcome.scores)}
    if there is None:
        yield FileChange(PLAY, row, None, after)
    elif judgement is not None and after["sheet"] != there.sheet:
        before = None if there.sheet is None else {"sheet": there.sheet, "scores": list(there.scores)}
        yield FileChange(RESULT, row, before, after)


def _decided(
    session: Session, own: Sequence[tuple[Row, _Stored | None]], numbers: Mapping[str, int]
) -> Iterator[tuple[int, RowRulings]]:
    """By line, what a row asks for that does not stand: of a play what is ruled otherwise, of a contestant
    the penalties beyond those that are in force."""
    standing = {play: tuple(entries) for play, entries, _deal in _standing(session)}
    deals = {play: deal for play, _entries, deal in _standing(session)}
    penalties = Ruling.objects.in_force().filter(session=session, kind=Ruling.Kind.PENALTY)
    left = Counter(
        (number, Fraction(content["amount"]))
        for number, content in penalties.values_list("contestant__number", "content")
    )
    fouled = {
        row.board
        for row, there in own
        if row.rulings.deal and (there is None or deals.get(there.pk, "") != row.rulings.deal)
    }
    for row, there in own:
        asked = row.rulings
        if any(asked.decisions) and there is not None:
            place = PlayPlace(row.section, row.table, row.board)
            plan = rulings.on_play(
                session=session, place=place, decisions=paper_rulings.by_seats(asked.decisions)
            )
            stands = standing.get(there.pk) or (None,) * len(asked.decisions)
            wanted = plan.parts[there.pk].entries
            if all(new is None or new == old for new, old in zip(wanted, stands, strict=True)):
                asked = replace(asked, decisions=(None,) * len(asked.decisions))
        amounts: list[Fraction | None] = []
        for name, amount in zip(row.contestants, asked.penalties, strict=False):
            at = (numbers.get(fold(name), 0), amount or Fraction())
            is_there = amount is not None and left[at] > 0
            left[at] -= is_there
            amounts.append(None if is_there else amount)
        asked = replace(asked, penalties=tuple(amounts), deal=asked.deal if row.board in fouled else "")
        if any(asked.decisions) or any(asked.penalties) or asked.deal:
            yield row.line, asked


def _standing(session: Session) -> list[tuple[int, list[str | None], str]]:
    return list(RuledPlay.objects.filter(session=session).values_list("play_id", "entries", "deal"))


def _ruled(
    session: Session, own: Sequence[tuple[Row, _Stored | None]], decided: Mapping[int, RowRulings]
) -> Iterator[FileChange]:
    """What is to be ruled, beside what stands."""
    standing = {
        play: {"entries": entries, "deal": deal} for play, entries, deal in _standing(session) if entries
    }
    for row, there in own:
        asked = decided.get(row.line)
        if asked is None:
            continue
        before = None if there is None else standing.get(there.pk)
        if any(asked.decisions) or (asked.deal and (before is None or before["deal"] != asked.deal)):
            after = {"decisions": paper_rulings.by_seats(asked.decisions), "deal": asked.deal}
            yield FileChange(RULING, row, before, after)
        for seat, amount in enumerate(asked.penalties, 1):
            if amount is not None:
                yield FileChange(PENALTY, row, None, {"seat": seat, "amount": str(amount)})


# ── Storing ───────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def store(amendment: Amendment, *, actor: Token | None, reason: str) -> Session:
    """The changes, with who made them and why; a list that was final is amended by them. Outdated: something
    of the session has changed since they were read. Forbidden for whoever sat at one of the plays."""
    if not reason.strip():
        raise Invalid("no-reason", _("The file changes results that are there: say why."))
    session = states.locked(Session(pk=amendment.session))
    changed = [change for change in amendment.changes if change.kind == RESULT]
    at = {(row.section, row.table, row.board) for row in (change.row for change in changed)}
    ids = {place: one.pk for place, one in _stored(session).items()}
    plays = [ids[place] for place in at if place in ids]
    list(Play.objects.filter(pk__in=plays).select_for_update(no_key=True).order_by("pk").values_list("pk"))
    tally = Tally.objects.select_for_update(no_key=True).get(session=session)
    if (tally.layout, tally.position) != (amendment.layout, amendment.position):
        raise Outdated
    message = _("You sat at this table: somebody else corrects its results.")
    own_plays.check_sat_elsewhere(actor, session, plays, message)
    states.amend_all([session.pk])
    remark = history.remark_of(reason)
    history.note(
        actor,
        "amended from a file",
        session,
        session=session,
        digest=amendment.digest,
        rows=len(amendment.changes),
        remark=remark,
    )
    new = [change.row for change in amendment.changes if change.kind == PLAY]
    if new:
        ids |= _add(session, new, amendment)
    judged = [change.row for change in amendment.changes if change.kind in (RESULT, PLAY)]
    evenings.keep_results(session, judged, ids, actor, remark=remark)
    numbers = {fold(name): number for number, name in _numbers(session).items()}
    paper_rulings.rule(
        session=session,
        rows=[
            (
                PlayPlace(row.section, row.table, row.board),
                [numbers[fold(name)] for name in row.contestants],
                replace(asked, reason=asked.reason or reason),
            )
            for row in amendment.rows
            if (asked := amendment.decided.get(row.line)) is not None
        ],
        actor=actor,
    )
    evenings.keep_file(session, amendment.digest)
    queue.after_commit("rank", session.pk)
    return session


def _add(session: Session, rows: Sequence[Row], amendment: Amendment) -> dict[Place, int]:
    """Plays that were not there, with those who played them; their ids."""
    club = Tournament.objects.select_related("club").get(pk=session.tournament_id).club
    game = registry.game(session.game)
    sides = game.sides_of(session.conditions)
    enter(
        session,
        club,
        entries.entrants_of(amendment.new_names),
        commitment="",
        consent=amendment.names_may_be_published,
    )
    numbers = {fold(name): number for number, name in _numbers(session).items()}
    contestants = {one.number: one for one in session.contestants.order_by("number")}
    boards = dict(Board.objects.filter(board_set__session=session).values_list("number", "pk"))
    for number in sorted({row.board for row in rows} - boards.keys()):
        boards[number] = Board.objects.create(board_set=session.board_set, number=number).pk
    sections = {one.name: one for one in Section.objects.filter(session=session)}
    ids: dict[Place, int] = {}
    for name in sorted({row.section for row in rows}):
        if name not in sections:
            sections[name] = Section.objects.create(session=session, club=club, name=name)
        sittings = [
            Sitting(row.round, row.table, row.board, tuple(numbers[fold(one)] for one in row.contestants))
            for row in rows
            if row.section == name
        ]
        there = {number: one.pk for number, one in contestants.items()}
        laid = lay_out_section(sections[name], sittings, boards, there, sides)
        ids |= {(name, table, board): play for (table, board), play in laid.items()}
    whole = list(sittings_of(Play.objects.filter(table__section__session=session), sides))
    regrouped = group(contestants, whole, sides)
    rankings.change_layout(session, recount=follow_plays(session) or regrouped)
    return ids
