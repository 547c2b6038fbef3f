"""An archive from elsewhere, looked at before anything of it is stored: the folder (`engines.archives`), each
row against its form (`archive_form`), what rows say of each other, and whether boards, scores and ranking
follow from what was sealed and handed in (`scoring.archives`). One thing wrong, and it is refused.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import scoring
from engines import archives as containers
from engines import registry
from engines.archives import Archive, BadArchive
from engines.errors import EngineError
from engines.phrases import brief
from scoring import archives as proofs_of_archives
from scoring.errors import BadScoring
from scoring.formulas import formula

from ..models import (
    BoardSet,
    Ruling,
    Session,
    Submission,
)
from . import archive_form as form
from . import archives, chains, comparisons, ruled_totals
from .errors import Invalid, refusal
from .ruled_totals import Ruled

T = TypeVar("T", bound=form.ArchiveRow)
Place = tuple[str, int, int]
"""Section, table and board: where a play is."""

PACKED_AT_MOST, UNPACKED_AT_MOST = 10_000_000, 40_000_000
ROWS_AT_MOST = 200_000  # of one file
SESSIONS_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class SessionIn:
    """A session of an archive, as its files say. `deals`: the sealed file, if there is one; `histories`: of
    the places where it has been; `digest`: of all of its files."""

    session: form.SessionFile
    boards: Sequence[form.BoardRow]
    rounds: Sequence[form.RoundRow]
    contestants: Sequence[form.ContestantRow]
    plays: Sequence[form.ArchivedPlay]
    submissions: Sequence[form.SubmissionRow]
    confirmations: Sequence[form.ConfirmationRow]
    rulings: Sequence[form.RulingRow]
    matches: form.MatchesFile | None
    lists: Sequence[form.ListRow]
    rankings: Sequence[form.RankingRow]
    deals: Mapping[str, Any] | None
    histories: Sequence[str]
    digest: str


@dataclass(frozen=True, slots=True)
class ArchiveIn:
    """An archive that holds: what there is to store."""

    tournament: form.TournamentFile
    people: Sequence[form.PersonRow]
    sessions: Sequence[SessionIn]
    digest: str


def read(content: bytes, *, tell: Callable[[float], None] = lambda _done: None) -> ArchiveIn:
    """What an archive says, without the database. Invalid says what is wrong with which file. The time grows
    with its plays; the memory is bounded by what it may unpack to."""
    try:
        archive = containers.read(content, packed_at_most=PACKED_AT_MOST, unpacked_at_most=UNPACKED_AT_MOST)
        if not 1 <= len(archive.sessions) <= SESSIONS_AT_MOST:
            raise wrong("archive", _("An archive holds 1 to %(most)d sessions.") % {"most": SESSIONS_AT_MOST})
        tournament = _file(archive, "tournament.json", form.TournamentFile)
        people = _rows(archive, "people.jsonl", form.PersonRow)
        _check_numbers("people.jsonl", [one.number for one in people])
        sessions = []
        for count, number in enumerate(archive.sessions, 1):
            sessions.append(_session(archive, number, {one.number for one in people}))
            _check_proof(archive, number)
            tell(count / len(archive.sessions))
    except EngineError as error:
        language = (get_language() or "en")[:2]
        raise Invalid("bad-archive", error.phrase().to(language), error.to_json(language)) from None
    return ArchiveIn(tournament, people, sessions, containers.digest(archive.files))


def wrong(file: str, reason: str) -> Invalid:
    message = _("%(file)s in the archive: %(reason)s") % {"file": file, "reason": reason}
    return Invalid("bad-archive", message, {"file": file, "reason": reason})


def _file(archive: Archive, name: str, kind: type[T]) -> T:
    if name not in archive.files:
        raise wrong(name, _("The file is missing."))
    if len(archive.files[name]) > containers.ONE_VALUE_AT_MOST:
        raise wrong(name, _("The file is too large."))
    return _value(archive.files[name], name, kind)


def _rows(archive: Archive, name: str, kind: type[T]) -> list[T]:
    content = archive.files.get(name)
    if content is None:
        raise wrong(name, _("The file is missing."))
    if content.count(b"\n") > ROWS_AT_MOST:
        raise wrong(name, _("A file may have at most %(most)d rows.") % {"most": ROWS_AT_MOST})
    rows = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            rows.append(_value(line, name, kind))
        except Invalid as refused:
            where = _("%(file)s, line %(line)d") % {"file": name, "line": number}
            raise wrong(where, refused.details["reason"]) from None
    return rows


def _value(content: bytes, where: str, kind: type[T]) -> T:
    if b"\\u0000" in content:
        raise wrong(where, _("This has characters that cannot be stored."))
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise wrong(where, str(error)[:300]) from None


def _session(archive: Archive, number: int, people: set[int]) -> SessionIn:
    folder = f"sessions/{number}/"
    own = {name: content for name, content in archive.files.items() if name.startswith(folder)}
    session = _file(archive, f"{folder}session.json", form.SessionFile)
    has_deals, has_matches = f"{folder}deals.json" in own, f"{folder}matches.json" in own
    found = SessionIn(
        session=session,
        boards=_rows(archive, f"{folder}boards.jsonl", form.BoardRow),
        rounds=_rows(archive, f"{folder}rounds.jsonl", form.RoundRow) if session.is_paced else [],
        contestants=_rows(archive, f"{folder}contestants.jsonl", form.ContestantRow),
        plays=_rows(archive, f"{folder}plays.jsonl", form.ArchivedPlay),
        submissions=_rows(archive, f"{folder}submissions.jsonl", form.SubmissionRow),
        confirmations=_rows(archive, f"{folder}confirmations.jsonl", form.ConfirmationRow),
        rulings=_rows(archive, f"{folder}rulings.jsonl", form.RulingRow),
        matches=_file(archive, f"{folder}matches.json", form.MatchesFile) if has_matches else None,
        lists=_rows(archive, f"{folder}lists.jsonl", form.ListRow),
        rankings=_rows(archive, f"{folder}rankings.jsonl", form.RankingRow),
        deals=archive.value(f"{folder}deals.json") if has_deals else None,
        histories=list(_histories(own, folder)),
        digest=sha256(containers.manifest_of(own)).hexdigest(),
    )
    _check_session(found, folder)
    _check_rows(found, folder, people)
    _check_rulings(found, folder)
    _check_rankings(found, folder)
    return found


def _histories(own: Mapping[str, bytes], folder: str) -> Iterable[str]:
    """The histories of the places where a session has been, in order."""
    for number in range(1, SESSIONS_AT_MOST):
        content = own.get(f"{folder}history-{number}.jsonl")
        if content is None:
            return
        try:
            text = content.decode()
            head = json.loads(text.partition("\n")[0])
        except (ValueError, RecursionError):
            head = None
        if not isinstance(head, dict) or head.get("form") != chains.FORM or "\0" in text:
            raise wrong(f"{folder}history-{number}.jsonl", _("This is not a history."))
        yield text


# ── What rows say of each other ───────────────────────────────────────────────────────────────────


def _check_session(found: SessionIn, folder: str) -> None:
    """Whether the session is one that could be here: its game, options and method are known, and it has been
    played."""
    one, file = found.session, f"{folder}session.json"
    try:
        game = registry.game(one.game)
        if registry.options_of(game, one.options) != one.options:
            raise wrong(file, _("The options are not complete."))
        registry.valid_settings(game.conditions, one.conditions, of="conditions", reader="organiser")
    except EngineError as error:
        raise wrong(file, error.phrase().to((get_language() or "en")[:2])) from None
    comparisons.options_of(one.method, one.method_options, one.game)
    if [list(side) for side in game.sides_of(one.conditions)] != one.sides:
        raise wrong(file, _("These are not the sides of the game."))
    for value, known in (
        (one.state, Session.OVER),
        (one.live, Session.Live.values),
        (one.substitutes_credited, Session.Credited.values),
        (one.custody, BoardSet.Keeping.values),
    ):
        if value not in known:
            raise wrong(file, _("“%(value)s” is not known here.") % {"value": brief(str(value))})
    if (found.deals is None) == bool(one.commitment):
        raise wrong(file, _("A commitment comes with the file that was sealed."))


def _check_numbers(file: str, numbers: Sequence[Any]) -> None:
    if len(set(numbers)) != len(numbers):
        raise wrong(file, _("A row is there twice."))


def _check_known(file: str, wanted: Iterable[Any], known: Iterable[Any]) -> None:
    """Every one of these is there."""
    if strangers := sorted({str(one) for one in wanted if one is not None} - {str(one) for one in known}):
        raise wrong(file, _("It names “%(what)s”, which is not there.") % {"what": brief(strangers[0])})


def place_of(row: form.ArchivedPlay | form.SubmissionRow | form.PartRow) -> Place:
    return row.section, row.table, row.board


def _check_rows(found: SessionIn, folder: str, people: set[int]) -> None:
    """Whether each row that another names is there, each once."""
    seats = sum(map(len, found.session.sides))
    contestants = [one.number for one in found.contestants]
    places = [place_of(one) for one in found.plays]
    submissions = [one.number for one in found.submissions]
    confirmations = [one.number for one in found.confirmations]
    boards = [one.number for one in found.boards]
    teams = [] if found.matches is None else [one.number for one in found.matches.teams]
    for name, numbers in (
        ("contestants", contestants),
        ("plays", places),
        ("boards", boards),
        ("lists", [one.number for one in found.lists]),
        ("rounds", [one.number for one in found.rounds]),
        ("contestants", [player for one in found.contestants for player in one.members]),
    ):
        _check_numbers(f"{folder}{name}.jsonl", numbers)
    for name, numbers in (("submissions", submissions), ("confirmations", confirmations)):
        if numbers != list(range(1, len(numbers) + 1)):
            raise wrong(f"{folder}{name}.jsonl", _("The rows are not numbered in their order."))
    _check_formulas(f"{folder}lists.jsonl", found.lists)
    sections = [one.name for one in found.session.sections]
    file = f"{folder}plays.jsonl"
    _check_known(file, (one.section for one in found.plays), sections)
    _check_known(file, (one.board for one in found.plays), boards)
    _check_known(file, (number for one in found.plays for number in one.seats), contestants)
    _check_known(file, (one.disagreement for one in found.plays), submissions)
    _check_known(file, (one.confirmation for one in found.plays), confirmations)
    results = [one.result for one in found.plays if one.result is not None]
    _check_known(file, (one.submission for one in results), submissions)
    _check_numbers(file, [one.submission for one in results])
    if any(len(one.seats) != seats for one in found.plays) or any(
        len(one.scores) != seats for one in results
    ):
        raise wrong(file, _("A table has %(count)d seats.") % {"count": seats})
    if not found.plays:
        raise wrong(file, _("The session has no plays."))
    file = f"{folder}submissions.jsonl"
    _check_known(file, map(place_of, found.submissions), places)
    _check_known(file, (one.by for one in found.submissions), (archives.TABLE, archives.OFFICIAL))
    states = set(Submission.State.values) - {Submission.State.PENDING}
    _check_known(file, (one.state for one in found.submissions), states)
    file = f"{folder}confirmations.jsonl"
    _check_known(file, (one.submission for one in found.confirmations), submissions)
    _check_known(file, (one.sheet for one in found.confirmations), submissions)
    _check_known(file, (one.by for one in found.confirmations), (archives.SEAT, archives.OFFICIAL))
    file = f"{folder}contestants.jsonl"
    _check_known(file, (player for one in found.contestants for player in one.members), people)
    put_in = [some for one in found.contestants for some in one.substitutes]
    _check_known(file, (player for one in put_in for player in (one.player, one.for_player)), people)
    _check_known(file, (one.team for one in found.contestants), teams)
    if any(one.name is None and not one.members for one in found.contestants):
        raise wrong(file, _("A contestant has neither a name nor players."))


def _check_formulas(file: str, lists: Sequence[form.ListRow]) -> None:
    for one in lists:
        if one.formula_text:
            try:
                formula(one.formula_text)
            except BadScoring as error:
                raise wrong(file, refusal("bad-formula", error).message) from error


def _check_rulings(found: SessionIn, folder: str) -> None:
    """Whether what stands for each play is what its rulings in force say together."""
    file = f"{folder}rulings.jsonl"
    places = {place_of(one) for one in found.plays}
    _check_known(file, (place_of(part) for one in found.rulings for part in one.parts), places)
    _check_known(file, (one.contestant for one in found.rulings), (one.number for one in found.contestants))
    _check_known(file, (one.kind for one in found.rulings), Ruling.Kind.values)
    matches = () if found.matches is None else [(one.round, one.number) for one in found.matches.matches]
    _check_known(file, (one.match for one in found.rulings), matches)
    if found.matches is not None:
        teams = [one.number for one in found.matches.teams]
        named = [team for one in found.matches.matches for team in (one.first, one.second)]
        _check_known(f"{folder}matches.json", named, teams)
    seats = sum(map(len, found.session.sides))
    parts: dict[Place, list[Ruled]] = defaultdict(list)
    for one in found.rulings:
        for part in one.parts if one.reversed_at is None else ():
            if len(part.entries) != seats:
                raise wrong(file, _("A table has %(count)d seats.") % {"count": seats})
            parts[place_of(part)].append(Ruled(part.entries, part.deal))
    for play in found.plays:
        stands = ruled_totals.together(parts[place_of(play)])
        said = play.ruled or form.RuledRow(entries=[], deal="", position=0, is_whole=False)
        nothing: list[str | None] = [None] * seats
        if (stands.entries or nothing, stands.deal) != (said.entries or nothing, said.deal):
            raise wrong(f"{folder}plays.jsonl", _("What was ruled on a play is not what stands for it."))


def _check_rankings(found: SessionIn, folder: str) -> None:
    """Whether the versions follow each other, and the newest is the one that counts."""
    file = f"{folder}rankings.jsonl"
    contestants = [one.number for one in found.contestants]
    for is_live, newest in (
        (False, found.session.counters.version),
        (True, found.session.counters.live_version),
    ):
        own = [one for one in found.rankings if one.is_live == is_live]
        _check_numbers(file, [one.version for one in own])
        if max((one.version for one in own), default=0) != newest or (own and not own[0].is_snapshot):
            raise wrong(file, _("The versions of the ranking are not complete."))
        _check_known(file, (place[0] for one in own for place in one.places), contestants)
    if any(one.rules is not None and one.rules > scoring.RULES for one in found.rankings):
        raise wrong(file, _("A newer release has made this ranking, by rules that this one does not know."))


def _check_proof(archive: Archive, number: int) -> None:
    """Whether boards, scores and ranking hold."""
    checked = proofs_of_archives.verify(archive, number)
    if checked.findings:
        language = (get_language() or "en")[:2]
        findings = [one.to(language) for one in checked.findings]
        message = _("The archive does not hold: %(what)s.") % {"what": findings[0]}
        raise Invalid("archive-does-not-hold", message, {"findings": findings[:100]})


def check(content: bytes) -> None:
    """Refuse what shows without unpacking the rows. Invalid."""
    try:
        containers.read(content, packed_at_most=PACKED_AT_MOST, unpacked_at_most=UNPACKED_AT_MOST)
    except BadArchive as error:
        language = (get_language() or "en")[:2]
        raise Invalid("bad-archive", error.phrase().to(language), error.to_json(language)) from None


def tournament_name(content: bytes) -> str:
    """What the tournament of an archive was called. Invalid: it does not say."""
    archive = containers.read(content, packed_at_most=PACKED_AT_MOST, unpacked_at_most=UNPACKED_AT_MOST)
    return _file(archive, "tournament.json", form.TournamentFile).name
