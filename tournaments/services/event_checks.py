"""What those who run an event should look at before its joint field is believed: one function for each check,
over the stored results of a leg.

Under embargo only what tells neither a card nor a result is checked: who plays. The rest waits until the
embargo is lifted, and looks at the clubs that have sent their results. Every finding waits for an answer:
that it is right as it stands, that the club has been asked by mail, or that a board of a club was dealt
otherwise there and is compared by itself. What a check can explain is not told again by a later one: a whole
club that is one board off has no impossible results besides. A finding that is about other facts than those
that were answered waits again.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from statistics import median
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import registry

from ..models import (
    Account,
    CheckAnswer,
    Club,
    ClubEntry,
    Contestant,
    Event,
    Leg,
    Member,
    Play,
    Result,
    Seating,
    Session,
    Submission,
    Substitution,
    Token,
)
from . import embargoes, fields, flags, history, letters, licences, rulings
from .errors import Forbidden, Invalid, Missing

Answer = CheckAnswer.Answer
NAMED_TWICE, SEEN, LICENCE, AFTER_LIFT = "named-twice", "seen", "licence", "after-lift"
UNIT, ONE_OFF, TURNED, APART, IMPOSSIBLE, DOUBTFUL = (
    *("unit", "one-off", "turned", "dealt-otherwise", "impossible", "doubtful"),
)
UNDER_EMBARGO = (LICENCE, NAMED_TWICE, SEEN)
"""What may be told while boards are closed: it says who plays, and nothing of what is played."""
KINDS = (*UNDER_EMBARGO, AFTER_LIFT, UNIT, ONE_OFF, TURNED, APART, IMPOSSIBLE, DOUBTFUL)
FAR, COMPARABLE = flags.FAR, flags.COMPARABLE
CAP = 2 * FAR  # a score is no farther from the middle than this, or one would outweigh all others
SMALL = 20  # a club is a small part of a line that is so many times as long
BETTER = 3  # so many times nearer is what explains a club's scores
OFF = 2  # how far a club is off as a whole, times the usual distance, before anything is to be explained
SCALES = (*(Fraction(10), Fraction(100), Fraction(2)), *(Fraction(1, 10), Fraction(1, 100), Fraction(1, 2)))
GROUP = "B"
"""What the cards are called that were dealt at one club only."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something at a club to be looked at, and why. `board`, `tables`: where it is about these;
    `contestants`: their ids, where it is about somebody, the club's own first; `results`: those that it
    explains (the ids of what was handed in). `key` names it, and is another once its facts are. `answer`:
    what has been said to it."""

    kind: str
    entry: ClubEntry
    reason: str
    board: int | None = None
    tables: tuple[tuple[str, int], ...] = ()
    contestants: tuple[int, ...] = ()
    key: str = ""
    results: tuple[int, ...] = ()
    answer: CheckAnswer | None = None

    @property
    def club(self) -> str:
        """Its short name."""
        return self.entry.club.slug

    @property
    def answers(self) -> tuple[str, ...]:
        """What may be said to it."""
        apart = (Answer.APART,) if self.kind == APART else ()
        return (*map(str, apart), str(Answer.RIGHT), str(Answer.ASKED))

    @property
    def waits(self) -> bool:
        return self.answer is None or self.answer.answer == Answer.ASKED


class LegRow(NamedTuple):
    """A result of a leg. `scores`: by side; None where there is none to be compared."""

    session: int
    play: int
    section: str
    table: int
    board: int
    scores: tuple[int | None, ...]
    is_contradicted: bool
    submission: int

    @property
    def place(self) -> tuple[str, int]:
        return self.section, self.table


class Middle(NamedTuple):
    """Where the scores of a line lie, and how far from there half of them are."""

    middle: float
    usual: float

    def distance(self, score: float | Fraction) -> float:
        return min(abs(float(score) - self.middle) / self.usual, CAP)


class ReadAs(NamedTuple):
    """In which way a club's results may have to be read: from other seats, of other boards, in another
    unit."""

    turned: int = 0
    shift: int = 0
    scale: Fraction = Fraction(1)


AS_IT_STANDS = ReadAs()


class LegResults:
    """The results of the clubs that count; one query. What a director has ruled on is settled: it is left
    out, and so are boards that were begun too `late` (`embargoes.begun_late`)."""

    def __init__(
        self,
        leg: Leg,
        parts: Sequence[Session],
        entries: Mapping[int, ClubEntry],
        late: Mapping[int, Mapping[int, int]],
    ) -> None:
        self.entries = entries
        rows = _rows(leg, [one.pk for one in parts])
        self.rows = [row for row in rows if row.board not in late.get(row.session, {}).values()]
        self.explained: set[int] = set()  # plays

    def of_clubs(self) -> Iterator[tuple[ClubEntry, list[LegRow]]]:
        """Each club with its results, but for those that have been explained; by name."""
        own: dict[int, list[LegRow]] = defaultdict(list)
        for row in self.rows:
            if row.play not in self.explained:
                own[row.session].append(row)
        for session in sorted(own, key=lambda pk: (self.entries[pk].club.name, pk)):
            yield self.entries[session], own[session]

    @cached_property
    def _lines(self) -> Mapping[tuple[int, int], Sequence[tuple[int, int]]]:
        found: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for row in self.rows:
            for side, score in enumerate(row.scores):
                if score is not None:
                    found[row.board, side].append((row.session, score))
        return found

    @cached_property
    def _middles(self) -> dict[tuple[int | None, int, int], Middle | None]:
        return {}

    def elsewhere(self, session: int, board: int, side: int) -> Middle | None:
        """A line at all other clubs; None where too few have played it. Where a club is a small part of it,
        its own scores hardly move the middle: that of the whole line serves all such clubs."""
        line = self._lines.get((board, side), ())
        own = self._own[session, board, side]
        is_small = own * SMALL <= len(line)
        key = None if is_small else session, board, side
        if key not in self._middles:
            scores = [score for other, score in line if is_small or other != session]
            others = len(line) - own
            self._middles[key] = _middle(scores) if others >= COMPARABLE else None
        return self._middles[key]

    @cached_property
    def _own(self) -> Counter[tuple[int, int, int]]:
        return Counter(
            (session, board, side) for (board, side), line in self._lines.items() for session, _score in line
        )

    def off(self, rows: Iterable[LegRow], reading: ReadAs = AS_IT_STANDS) -> float | None:
        """How far some results of a club are from the other clubs', in the mean, if they are read in some
        way. None where too little can be compared."""
        found = []
        turned, shift, scale = reading.turned, reading.shift, float(reading.scale)
        for row in rows:
            for side, score in enumerate(row.scores):
                at = (side + turned) % len(row.scores)
                middle = self.elsewhere(row.session, row.board + shift, at)
                if score is not None and middle is not None:
                    found.append(middle.distance(score * scale))
        return sum(found) / len(found) if found else None

    def explained_by(
        self, rows: Sequence[LegRow], readings: Iterable[ReadAs], at_least: float = OFF
    ) -> ReadAs | None:
        """In which way some results are to be read so that they are much nearer than as they stand, and
        nearest of all ways; None where there is none, or they are not far off."""
        now = self.off(rows)
        if now is None or now <= at_least:
            return None
        then = [(off, at, one) for at, one in enumerate(readings) if (off := self.off(rows, one)) is not None]
        nearest = min(then, default=None)
        return nearest[2] if nearest is not None and now > BETTER * nearest[0] else None


Check = Callable[[LegResults], Iterable[tuple[Finding, Iterable[LegRow]]]]
"""A check finds what is to be looked at, each with the results that it explains."""


# ── All of them ───────────────────────────────────────────────────────────────────────────────────


def of_leg(leg: Leg) -> list[Finding]:
    """Everything to be looked at in a leg, by club: what waits for an answer first. A few queries; the time
    grows with the players, and once the embargo is lifted with the results of the clubs that have sent
    them."""
    found = [*without_licence(leg), *named_twice(leg), *seen_before(leg)]
    if leg.lifted_at is not None:
        late = embargoes.begun_late(leg, [one.session for one in _entries(leg).values() if one.session])
        found += begun_too_late(leg, late)
        parts = fields.counted(leg)
        entries = leg.entries.filter(session__in=[one.pk for one in parts]).select_related("club")
        results = LegResults(leg, parts, {one.session_id: one for one in entries if one.session_id}, late)
        for check in OF_RESULTS:
            for finding, rows in list(check(results)):
                found.append(replace(finding, results=tuple(sorted(row.submission for row in rows))))
                results.explained.update(row.play for row in rows)
    keyed = [replace(one, key=_key(one)) for one in found]
    said = {one.key: one for one in CheckAnswer.objects.filter(entry__leg=leg)}
    keyed = [replace(one, answer=said.get(one.key)) for one in keyed]
    order = {kind: at for at, kind in enumerate(KINDS)}
    return sorted(
        keyed,
        key=lambda one: (
            *(not one.waits, one.entry.club.name, one.entry.pk, order[one.kind]),
            *(one.board or 0, one.tables, one.contestants),
        ),
    )


def _key(one: Finding) -> str:
    """The same as long as it is about the same things; in whatever language its reason is read."""
    facts = [one.kind, one.entry.pk, one.board, one.tables, one.contestants, one.results]
    return sha256(json.dumps(facts, separators=(",", ":")).encode()).hexdigest()


def _rows(leg: Leg, sessions: Sequence[int]) -> Iterator[LegRow]:
    game = registry.game(leg.game)
    sides = [seats[0] for seats in game.sides_of(leg.conditions)]
    found = Result.objects.filter(session__in=sessions).values_list(
        *("session", "play", "play__table__section__name", "play__table__number", "play__board__number"),
        *("scores", "averaged", "submission__state", "submission", "play__ruled__entries"),
        "play__ruled__deal",
    )
    rows: Iterable[tuple[Any, ...]] = found.order_by("session", "play")
    for *where, scores, averaged, state, submission, ruled, deal in rows:
        if deal or any(ruled or ()):
            continue
        compared = tuple(None if seat in averaged else scores[seat - 1] for seat in sides)
        is_contradicted = state == Submission.State.DISPUTED
        yield LegRow._make((*where, compared, is_contradicted, submission))


def _middle(scores: Sequence[int]) -> Middle:
    middle = median(scores)
    return Middle(float(middle), max(float(median(abs(score - middle) for score in scores)), 1.0))


def _tables(rows: Iterable[LegRow]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted({row.place for row in rows}))


def _by_board(rows: Iterable[LegRow]) -> Iterator[tuple[int, list[LegRow]]]:
    own: dict[int, list[LegRow]] = defaultdict(list)
    for row in rows:
        own[row.board].append(row)
    yield from sorted(own.items())


# ── What the results say ──────────────────────────────────────────────────────────────────────────


def other_unit(results: LegResults) -> Iterator[tuple[Finding, Iterable[LegRow]]]:
    """A club whose scores are all so many times too large or too small."""
    for entry, rows in results.of_clubs():
        if len(rows) < COMPARABLE:
            continue
        reading = results.explained_by(rows, [ReadAs(scale=scale) for scale in SCALES])
        if reading is not None:
            reason = _("Every score is about %(times)s times those of the other clubs: another unit?")
            yield Finding(UNIT, entry, reason % {"times": 1 / reading.scale}), rows


def one_board_off(results: LegResults) -> Iterator[tuple[Finding, Iterable[LegRow]]]:
    """A club whose results are those of the boards before or after."""
    for entry, rows in results.of_clubs():
        if len(rows) < COMPARABLE:
            continue
        reading = results.explained_by(rows, [ReadAs(shift=1), ReadAs(shift=-1)])
        if reading is not None:
            reason = _("Its results fit the boards before those that they were entered for: one board off?")
            if reading.shift == 1:
                reason = _(
                    "Its results fit the boards after those that they were entered for: one board off?"
                )
            yield Finding(ONE_OFF, entry, reason), rows


def turned(results: LegResults) -> Iterator[tuple[Finding, Iterable[LegRow]]]:
    """A board that a club, or one of its tables, played with the seats turned."""
    for entry, rows in results.of_clubs():
        for board, own in _by_board(rows):
            tables = [[row] for row in own] if len(own) > 1 else []
            readings = [ReadAs(turned=by) for by in range(1, len(own[0].scores))]
            for some in [own, *tables]:
                if results.explained_by(some, readings, at_least=FAR / 2) is not None:
                    reason = _("The scores fit those of the other clubs if the seats are turned.")
                    yield Finding(TURNED, entry, reason, board, _tables(some)), some
                    if some is own:
                        break


def dealt_otherwise(results: LegResults) -> Iterator[tuple[Finding, Iterable[LegRow]]]:
    """A board of a club that was dealt from other cards: most of its records cannot be, while other clubs
    have some that can; or its lines are far off on all sides."""
    admitted: dict[int, set[int]] = defaultdict(set)
    for row in results.rows:
        if not row.is_contradicted:
            admitted[row.board].add(row.session)
    for entry, rows in results.of_clubs():
        for board, own in _by_board(rows):
            impossible = sum(row.is_contradicted for row in own)
            elsewhere = admitted[board] - {own[0].session}
            if impossible > 1 and impossible * 2 > len(own) and elsewhere:
                reason = _(
                    "%(count)d of its %(all)d results cannot be with the cards of this board: other cards?"
                )
                facts = {"count": impossible, "all": len(own)}
                yield Finding(APART, entry, reason % facts, board, _tables(own)), own
            elif len(own) > 1 and _is_far(results, own):
                reason = _("Far from all other clubs on every side: was it dealt from other cards?")
                yield Finding(APART, entry, reason, board, _tables(own)), own


def _is_far(results: LegResults, own: Sequence[LegRow]) -> bool:
    """Whether the middle of every line of a board is far off."""
    for side in range(len(own[0].scores)):
        scores = [score for row in own if (score := row.scores[side]) is not None]
        middle = results.elsewhere(own[0].session, own[0].board, side)
        if not scores or middle is None or middle.distance(median(scores)) <= FAR:
            return False
    return True


def impossible(results: LegResults) -> Iterator[tuple[Finding, Iterable[LegRow]]]:
    """A result that the cards of its board contradict, and that nobody has kept or ruled on."""
    for entry, rows in results.of_clubs():
        for row in rows:
            if row.is_contradicted:
                reason = _("The cards of this board contradict it.")
                yield Finding(IMPOSSIBLE, entry, reason, row.board, (row.place,)), [row]


def doubtful(results: LegResults) -> Iterator[tuple[Finding, Iterable[LegRow]]]:
    """A score far from all those of the other clubs."""
    for entry, rows in results.of_clubs():
        for row in rows:
            far = [
                side
                for side, score in enumerate(row.scores)
                if score is not None
                and (middle := results.elsewhere(row.session, row.board, side)) is not None
                and middle.distance(score) > FAR
            ]
            if far:
                reason = _("Far from the scores of all other clubs on this board.")
                yield Finding(DOUBTFUL, entry, reason, row.board, (row.place,)), [row]


OF_RESULTS: tuple[Check, ...] = (*(other_unit, one_board_off, turned, dealt_otherwise, impossible, doubtful),)
"""In this order: what a check has explained is not looked at by those after it."""


# ── Who plays ─────────────────────────────────────────────────────────────────────────────────────


def named_twice(leg: Leg) -> Iterator[Finding]:
    """Two of one name at two clubs, whom neither an account nor a number tells apart. One query."""
    named: dict[str, list[tuple[ClubEntry, int, str, int | None]]] = defaultdict(list)
    for entry, contestant, folded, number, account in _seated(leg):
        named[folded].append((entry, contestant, number, account))
    for some in named.values():
        for at, (entry, contestant, number, account) in enumerate(some):
            for other, its_contestant, its_number, its_account in some[:at]:
                is_told_apart = (number and its_number) or (account and its_account)
                if other.pk != entry.pk and not is_told_apart:
                    reason = _("Somebody of the same name plays at %(club)s: is it one person?")
                    facts = {"club": other.club.name}
                    yield Finding(
                        NAMED_TWICE, entry, reason % facts, contestants=(contestant, its_contestant)
                    )


def begun_too_late(leg: Leg, late: Mapping[int, Mapping[int, int]]) -> Iterator[Finding]:
    """A club that has begun boards after everybody could know them: they are compared with nobody. Two
    queries."""
    sent: dict[int, list[int]] = defaultdict(list)
    there = Submission.objects.filter(play__board__in=[pk for boards in late.values() for pk in boards])
    for session, pk in there.order_by("pk").values_list("play__board__board_set__session", "pk"):
        sent[session].append(pk)
    for session, entry in _entries(leg).items():
        if boards := sorted(late.get(session, {}).values()):
            reason = _(
                "Began boards after the embargo had been lifted, and they do not count in the joint ranking: "
                "%(boards)s."
            )
            told = reason % {"boards": ", ".join(map(str, boards))}
            yield Finding(AFTER_LIFT, entry, told, results=tuple(sent[session]))


def seen_before(leg: Leg) -> Iterator[Finding]:
    """Somebody who has played these boards already, in another session of the leg: one that was cancelled
    then, or of a club that has entered, has withdrawn or was left out. Two queries."""
    has_result = Exists(Result.objects.filter(play=OuterRef("play")))
    played = Seating.objects.filter(has_result, contestant__session__leg=leg)
    people = played.values_list(
        *("contestant__members__player__account", "contestant__members__player__folded"),
        *("contestant__members__player__number", "contestant__session"),
        *("contestant__session__state", "contestant__session__tournament__club__name"),
    ).distinct()
    known: dict[tuple[Any, ...], dict[int, tuple[str, str]]] = defaultdict(dict)
    for account, folded, number, session, state, club in people:
        if account:
            known[(account,)][session] = state, club
        if number:
            known[folded, number][session] = state, club
    for entry, contestant, folded, number, account in _seated(leg):
        elsewhere = {**known.get((account,), {}), **known.get((folded, number), {})}
        elsewhere.pop(entry.session_id or 0, None)
        for state, club in sorted(elsewhere.values())[:1]:
            reason = _("Has played these boards already, at %(club)s.")
            if state == Session.State.CANCELLED:
                reason = _(
                    "Has played these boards already, at %(club)s, in a session that was cancelled then."
                )
            yield Finding(SEEN, entry, reason % {"club": club}, contestants=(contestant,))


def without_licence(leg: Leg) -> Iterator[Finding]:
    """Somebody whose licence has run out, or who is suspended, where the event's terms ask for it. A few
    queries."""
    if leg.event.licences == Event.Licences.UNASKED:
        return
    entries = _entries(leg)
    parts = Session.objects.filter(pk__in=entries).select_related("leg__event")
    for one in licences.troubles(list(parts.order_by("pk"))):
        reason = _("The licence has run out, as the register of %(club)s has it.")
        if one.why == licences.SUSPENDED:
            reason = _("Is suspended, as the register of %(club)s has it.")
        facts = {"club": one.club}
        yield Finding(LICENCE, entries[one.session], reason % facts, contestants=(one.contestant,))


def _entries(leg: Leg) -> dict[int, ClubEntry]:
    """The clubs that play, by session. One query."""
    entered = leg.entries.filter(state=ClubEntry.State.ENTERED, session__isnull=False)
    playing = entered.exclude(session__state=Session.State.CANCELLED).select_related("club", "session")
    return {one.session_id: one for one in playing if one.session_id is not None}


def _seated(leg: Leg) -> Iterator[tuple[ClubEntry, int, str, str, int | None]]:
    """Who plays at the clubs that have entered: the contestant, and by what somebody is known. Three
    queries."""
    entries = _entries(leg)
    person = ("contestant", "player__folded", "player__number", "player__account")
    members = Member.objects.filter(session__in=entries)
    instead = Substitution.objects.filter(contestant__session__in=entries, undone_at=None)
    rows = {
        *members.values_list("session", *person),
        *instead.values_list("contestant__session", *person),
    }
    for session, contestant, folded, number, account in sorted(rows, key=str):
        yield entries[session], contestant, folded, number, account


# ── Answers ───────────────────────────────────────────────────────────────────────────────────────


def answer(*, leg: Leg, key: str, actor: Account | Token, said: str, reason: str = "") -> Finding:
    """Say something to a finding: that it is `right` as it stands, that its club is `asked` by mail, or that
    a board was dealt otherwise there and is compared `apart` from the other clubs. Said again, nothing
    happens. Forbidden but for those who run the event, and for whoever sat at one of the plays that are
    compared apart. Missing: it is no longer so. Invalid: that cannot be said to it."""
    if not Event.objects.managed_by(actor).filter(pk=leg.event_id).exists():
        raise Forbidden("not-your-event", _("Those who run the event decide this."))
    finding = next((one for one in of_leg(leg) if one.key == key), None)
    if finding is None:
        raise Missing("no-such-finding", _("This is no longer so: look again at what there is."))
    if said not in finding.answers:
        raise Invalid("no-such-answer", _("This cannot be said here."), {"answers": list(finding.answers)})
    return _keep(leg, finding, actor, said, reason)


@transaction.atomic
def _keep(leg: Leg, finding: Finding, actor: Account | Token, said: str, reason: str) -> Finding:
    """Nobody else answers meanwhile: of two who say the same, the second finds what the first has done."""
    entry = finding.entry
    entry.leg = (
        Leg.objects.select_for_update(no_key=True, of=("self",)).select_related("event").get(pk=leg.pk)
    )
    there = CheckAnswer.objects.filter(entry=entry, key=finding.key).first()
    if there is not None and there.answer == said:
        return replace(finding, answer=there)
    if said == Answer.APART:
        _compare_apart(finding, actor, reason)
    if said == Answer.ASKED:
        who = Contestant.objects.filter(pk__in=finding.contestants[:1]).first()  # its own stands first
        letters.asked_about(entry, finding.kind, board=finding.board, tables=finding.tables, who=who)
    new = {"kind": finding.kind, "answer": said, "made_at": timezone.now()}
    stored, _new = CheckAnswer.objects.update_or_create(entry=entry, key=finding.key, defaults=new)
    why: dict[str, Any] = {"reason": reason.strip()} if reason.strip() else {}
    history.note(actor, "answered check", stored, club=entry.club, kind=finding.kind, answer=said, **why)
    return replace(finding, answer=stored)


def asked_of(club: Club) -> dict[int, list[Finding]]:
    """By entry (its id), what a club has been asked about and is still so: it reads it at its desk, too,
    whatever became of the mails. A query where nothing has been asked; else the time of the checks of these
    legs."""
    asked = CheckAnswer.objects.filter(entry__club=club, answer=Answer.ASKED)
    found: dict[int, list[Finding]] = defaultdict(list)
    for leg in Leg.objects.filter(pk__in=asked.values("entry__leg")).select_related("event"):
        for one in of_leg(leg):
            if one.entry.club_id == club.pk and one.answer is not None and one.answer.answer == Answer.ASKED:
                found[one.entry.pk].append(one)
    return found


def _compare_apart(finding: Finding, actor: Account | Token, reason: str) -> None:
    """The ruling on a fouled board that a director of the club would make: all of its tables had other
    cards."""
    session, board = finding.entry.session, finding.board
    assert session is not None  # as `dealt_otherwise` finds them
    assert board is not None
    tables = Play.objects.filter(table__section__session=session, board__number=board)
    group = GROUP, list(tables.values_list("table__section__name", "table__number"))
    plan = rulings.on_fouled_board(session=session, board=board, groups=[group])
    text = reason.strip() or _("Dealt from other cards than at the other clubs of the event.")
    rulings.rule(plan, actor=actor, text=text)
