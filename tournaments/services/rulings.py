"""Rulings: what directors decide, what it would change, and how it is taken back.

A ruling on plays is kept with what it says of each (`RulingPart`), and what stands for a play by all rulings
in force is worked out there and then (`RuledPlay`), at the session's next position: so the lists take it in
exactly as they take in a result. What is asked for becomes a `RulingPlan` first; the preview and the ruling
itself are made of the same one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import records, registry
from engines.errors import EngineError
from engines.phrases import Phrase
from scoring.entries import AVERAGE, Artificial, Entry, NoScore, Own, Weighted
from scoring.errors import BadScoring, one_of
from scoring.rulings import Penalty

from ..models import (
    Account,
    Contestant,
    Match,
    MatchRules,
    Play,
    RuledPlay,
    Ruling,
    RulingPart,
    Session,
    SessionList,
    Submission,
    Tally,
    Token,
)
from ..models.open_boards import over_in
from . import (
    bulk,
    counting,
    custody,
    differences,
    history,
    judging,
    list_contents,
    lists,
    matches,
    own_plays,
    penalties,
    queue,
    ruled_entries,
    ruled_totals,
    states,
    versions,
)
from .errors import Conflict, Forbidden, Invalid, Missing, refusal
from .ruled_totals import Ruled

Kind = Ruling.Kind
Actor = Account | Token | None

LARGEST_SCORE = 10**9


class PlayPlace(NamedTuple):
    """A board at a table."""

    section: str
    table: int
    board: int


@dataclass(frozen=True, slots=True)
class RulingPlan:
    """A ruling that is to be made. `parts`: by play, what it says of it."""

    session: Session
    kind: str
    content: dict[str, Any]
    parts: Mapping[int, Ruled] = field(default_factory=dict)
    contestant: Contestant | None = None
    match: Match | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def as_ruling(self) -> Ruling:
        return Ruling(
            session=self.session,
            kind=self.kind,
            content=self.content,
            contestant=self.contestant,
            match=self.match,
            position=0,
        )


# ── Asking ────────────────────────────────────────────────────────────────────────────────────────


def on_play(*, session: Session, place: PlayPlace, decisions: Sequence[Mapping[str, Any]]) -> RulingPlan:
    """A ruling on one play: artificial, assigned or weighted scores, annulment, "not played", or different
    ones for different seats (a split score). Each decision says for which `seats` it holds, by default for
    all. Invalid says what is wrong; Missing if there is no such play."""
    play = play_at(session, place)
    count = registry.game(session.game).seat_count(session.conditions)
    entries: list[Entry | None] = [None] * count
    for number, decision in enumerate(decisions):
        seats = decision.get("seats") or range(1, count + 1)
        for seat in seats:
            if not 1 <= seat <= count:
                message = _("The seats of this game are numbered from 1 to %(count)d.")
                raise Invalid("bad-ruling", message % {"count": count}, {"decision": number, "seat": seat})
            if entries[seat - 1] is not None:
                message = _("Two decisions of one ruling are about seat %(seat)d.")
                raise Invalid("bad-ruling", message % {"seat": seat}, {"decision": number, "seat": seat})
        for seat, entry in _decided(session, place.board, decision, seats).items():
            entries[seat - 1] = entry
    tokens = [None if entry is None else ruled_entries.to_token(entry) for entry in entries]
    return RulingPlan(
        session,
        _kind_of(decisions),
        {"place": list(place), "decisions": list(decisions)},
        {play.pk: Ruled(tokens)},
        details={"board": place.board, "table": place.table, "section": place.section},
    )


def on_fouled_board(
    *, session: Session, board: int, groups: Sequence[tuple[str, Sequence[tuple[str, int]]]]
) -> RulingPlan:
    """Which tables were really dealt other cards on a board: each group, by a name for its cards and its
    tables (section and number), is compared by itself, and so are the tables that are in none. Invalid: a
    table is in two groups. Missing: the board is not played at one of them."""
    plays = {
        (section, table): pk
        for section, table, pk in Play.objects.filter(
            table__section__session=session, board__number=board
        ).values_list("table__section__name", "table__number", "pk")
    }
    nothing = [None] * registry.game(session.game).seat_count(session.conditions)
    parts: dict[int, Ruled] = {}
    for name, tables in groups:
        for section, table in tables:
            if (play := plays.get((section, table))) is None:
                raise _no_such_play(PlayPlace(section, table, board))
            if play in parts:
                message = _("Table %(table)d is in two groups.")
                raise Invalid("bad-ruling", message % {"table": table}, {"section": section, "table": table})
            parts[play] = Ruled(nothing, name)
    content = {
        "board": board,
        "groups": [{"name": name, "tables": [list(one) for one in tables]} for name, tables in groups],
    }
    return RulingPlan(session, Kind.FOULED, content, parts, details={"board": board})


def on_contestant(
    *,
    session: Session,
    contestant: int,
    kind: str = "",
    amount: str = "",
    unit: str = "percent",
    won: str = "",
    fraction: str = "1",
    clamp: str | None = None,
    catalogue: int | None = None,
) -> RulingPlan:
    """A penalty or a bonus: an `amount` in what the session counts, or in per cent of a board. Or what a
    contestant (its number) carries over: a `fraction` of the points `won` before, at most `clamp` either way.
    Or that it is disqualified. `catalogue`: the entry of the club's catalogue (its id) that says kind, amount
    and unit. Invalid says what is wrong; Missing if there is no such contestant, or entry."""
    named: dict[str, Any] = {}
    if catalogue is not None:
        entry = penalties.with_id(session.tournament.club, catalogue)
        kind, amount, unit, named = entry.kind, entry.amount, entry.unit, {"name": entry.name}
    found = Contestant.objects.filter(session=session, number=contestant).first()
    if found is None:
        message = _("The session has no contestant %(number)d.")
        raise Missing("no-such-contestant", message % {"number": contestant}, {"contestant": contestant})
    content: dict[str, Any] = {"amount": amount, "unit": unit, **named}
    if kind == Kind.CARRY_OVER:
        content = {"won": won, "fraction": fraction, "clamp": clamp}
        content |= {"unit": unit} if unit == ruled_totals.VPS else {}
    elif kind == Kind.DISQUALIFICATION:
        content = {}
    has_matches = found.team_id is not None
    plan = RulingPlan(session, Kind(kind), content, contestant=found, details={"contestant": contestant})
    try:
        changes = ruled_totals.of(session, [plan.as_ruling()])
        if kind in {Kind.PENALTY, Kind.BONUS}:
            Penalty(found.pk, Fraction(amount), unit)
            one_of("unit", unit, _units(changes, has_matches=has_matches))
        elif kind == Kind.CARRY_OVER and unit != "percent":
            one_of("unit", unit, (changes.unit, *([ruled_totals.VPS] if has_matches else [])))
    except BadScoring as error:
        raise refusal("bad-ruling", error) from error
    return plan


def units_of(session: Session) -> tuple[str, ...]:
    """In what a penalty or a bonus may be said in a session: per cent of a board, where a board has a most to
    give; what the session counts; and victory points where teams play matches."""
    has_matches = Contestant.objects.filter(session=session, team__isnull=False).exists()
    return _units(ruled_totals.of(session), has_matches=has_matches)


def _units(changes: ruled_totals.Changes, *, has_matches: bool) -> tuple[str, ...]:
    own = (changes.unit,) if changes.top is None else ("percent", changes.unit)
    return (*own, ruled_totals.VPS) if has_matches else own


def on_match(*, session: Session, match: int, round: int, lost: Sequence[int]) -> RulingPlan:  # noqa: A002 - as players say
    """That some teams (their numbers) have forfeited a match: one of them, and the other wins, or both.
    Missing: no such match. Invalid: it is not theirs."""
    found = matches.match_with(session, match, round)
    own = [found.first.number, *([] if found.second is None else [found.second.number])]
    if found.second is None or not lost or not set(lost) <= set(own):
        message = _("Say which of its two teams forfeits the match.")
        raise Invalid("bad-ruling", message, {"field": "lost", "teams": own})
    content = {"match": match, "round": round, "lost": sorted(set(lost))}
    details = {"match": match, "round": round}
    return RulingPlan(session, Kind.FORFEIT, content, match=found, details=details)


def play_at(session: Session, place: PlayPlace) -> Play:
    found = Play.objects.filter(
        table__section__session=session,
        table__section__name=place.section,
        table__number=place.table,
        board__number=place.board,
    ).first()
    if found is None:
        raise _no_such_play(place)
    return found


def _no_such_play(place: PlayPlace) -> Missing:
    message = _("Board %(board)d is not played at table %(table)d of section %(section)s.")
    return Missing("no-such-play", message % place._asdict(), place._asdict())


def _kind_of(decisions: Sequence[Mapping[str, Any]]) -> Kind:
    kinds = {Kind.WEIGHTED if len(one.get("outcomes", ())) > 1 else Kind(one["kind"]) for one in decisions}
    is_split = len(decisions) > 1 and kinds != {Kind.ARTIFICIAL}
    return Kind.SPLIT if is_split else kinds.pop()


def _decided(
    session: Session, board: int, decision: Mapping[str, Any], seats: Sequence[int]
) -> dict[int, Entry]:
    """By seat: what a decision puts in place of the score."""
    try:
        match decision["kind"]:
            case Kind.ARTIFICIAL:
                entry = Artificial(Fraction(decision["percent"]), Own(decision.get("own", "never")))
                return dict.fromkeys(seats, entry)
            case Kind.ASSIGNED:
                outcomes = [
                    (Fraction(one.get("weight", 1)), _scores(session, board, one))
                    for one in decision["outcomes"]
                ]
                return {seat: _weighted([(w, scores[seat - 1]) for w, scores in outcomes]) for seat in seats}
            case _:
                return dict.fromkeys(seats, NoScore.NOT_PLAYED)
    except BadScoring as error:
        raise refusal("bad-ruling", error) from error


def _weighted(outcomes: Sequence[tuple[Fraction, Entry]]) -> Entry:
    """One outcome is an assigned score. Of several, equal scores are one, with the sum of their weights."""
    if len(outcomes) == 1 and outcomes[0][0] == 1:
        return outcomes[0][1]
    weights: dict[int, Fraction] = defaultdict(Fraction)
    for weight, score in outcomes:
        if not isinstance(score, int):
            constraint = Phrase("a result that gives an average cannot be weighted")
            raise BadScoring("outcomes", constraint)
        if weight <= 0:
            raise BadScoring("weights", Phrase("each weight must be above 0"))
        weights[score] += weight
    weighted = Weighted(tuple(weights.items()))
    return weighted.parts[0][0] if len(weights) == 1 else weighted


def _scores(session: Session, board: int, outcome: Mapping[str, Any]) -> Sequence[Entry]:
    """By seat, what an outcome gives: as scores, or as a result sheet. A sheet is judged without the deal, so
    that nobody learns anything of the cards by ruling; one that cannot be is refused."""
    game = registry.game(session.game)
    if "sheet" not in outcome:
        scores: list[Entry] = list(outcome["scores"])
        if len(scores) != (count := game.seat_count(session.conditions)):
            raise BadScoring("scores", Phrase("must be as many as there are seats: {count}", count=count))
        return scores
    conditions = game.conditions_of(board, session.conditions)
    unseen = records.Record(game, session.options, conditions, None)
    try:
        judged = judging.judgement_of(unseen, {"sheet": outcome["sheet"]}).outcome
    except EngineError as error:
        raise refusal("bad-ruling", error) from error
    return [
        AVERAGE if seat in judged.averaged else score for seat, score in enumerate(judged.scores, start=1)
    ]


# ── Looking ahead ─────────────────────────────────────────────────────────────────────────────────


class ListMoves(NamedTuple):
    """Whom a ruling would move in one of the session's further lists."""

    the_list: SessionList
    moves: Sequence[differences.Move]


@dataclass(frozen=True, slots=True)
class RulingLook:
    """The standings of a session as they are (`held`), and as they would be with a ruling, or (`without`)
    when one is reversed; both of some boards alone, where whoever looks knows no others. Nothing is stored.
    `more`: the ruling that is only thought of."""

    session: Session
    held: counting.SessionStandings
    after: counting.SessionStandings
    without: int | None = None
    more: Sequence[Ruling] = ()

    @property
    def moves(self) -> differences.Moves:
        """Whom it would move in the ranking. The time grows a little with all contestants."""
        return differences.moves(_order(self.held), _order(self.after))

    @property
    def teams(self) -> Sequence[differences.Move]:
        """Which teams it would move by their matches; none where the session has no matches."""
        session = self.session
        if len(counting.sides_of(session)) != 2 or matches.rules_of(session) is None:
            return ()
        before = matches.standings(session, self._states_before(), self.held.changes)
        after = matches.standings(session, self._states(), self.after.changes)
        return differences.moves_of_places(before.places(), after.places())

    @property
    def lists(self) -> Sequence[ListMoves]:
        """Whom it would move in each further list of the session. The time grows with all plays where a list
        counts by another method, or needs its tie-breaks."""
        before = list_contents.ListSource.of_standings(self.held, self._states_before)
        after = list_contents.ListSource.of_standings(self.after, self._states, is_stored=False)
        further = lists.of(self.session)
        return [
            ListMoves(one, list_contents.moved_between(one, self.session, before, after)) for one in further
        ]

    def _states_before(self) -> Mapping[int, matches.MatchState]:
        if self.held.boards is None:
            return matches.states(self.session)
        return matches.states_with(self.session, self._rules, self.held)

    def _states(self) -> Mapping[int, matches.MatchState]:
        return matches.states_with(
            self.session, self._rules, self.after, without=self.without, more=self.more
        )

    @property
    def _rules(self) -> MatchRules:
        rules = matches.rules_of(self.session)
        assert rules is not None  # only matches ask
        return rules


def look(plan: RulingPlan, boards: frozenset[int] | None = None) -> RulingLook:
    """What a ruling would change, before it is made. `boards`: those of which whoever looks may know results,
    None for all (`custody.seen_boards`). The time grows with the plays of its boards, once this process has
    read the session."""
    ruling = plan.as_ruling()
    changes = ruled_totals.of(plan.session, [ruling])
    both = _before_and_after(plan.session, _standing_with(plan.parts), changes, boards)
    return RulingLook(plan.session, *both, more=[ruling])


def look_back(ruling: Ruling, boards: frozenset[int] | None = None) -> RulingLook:
    """What it would change if a ruling were reversed; `boards` as for `look`."""
    ruled = _standing(list(ruling.parts.values_list("play", flat=True)), without=ruling.pk)
    changes = ruled_totals.of(ruling.session, without=ruling.pk)
    both = _before_and_after(ruling.session, ruled, changes, boards)
    return RulingLook(ruling.session, *both, without=ruling.pk)


def preview(plan: RulingPlan) -> differences.Moves:
    """Whom a ruling would move in the ranking, before it is made."""
    return look(plan).moves


def preview_of_reversal(ruling: Ruling) -> differences.Moves:
    """Whom it would move there if a ruling were reversed."""
    return look_back(ruling).moves


def check_may_look(session: Session, viewer: Token, plays: Collection[int]) -> frozenset[int] | None:
    """The boards of which the viewer may know results, None for all. Forbidden for an official who plays in
    the session, as long as the board of one of these plays is not over: whom a ruling would move tells what
    the others have scored."""
    seen = custody.seen_boards(session, viewer)
    if seen is not None and Play.objects.filter(pk__in=plays).exclude(board__in=seen).exists():
        raise differences.too_early()
    return seen


def hidden_from(session: Session, viewer: Token) -> frozenset[int]:
    """The rulings (by id) on plays of boards of which the viewer may know no results: what was decided would
    tell them."""
    seen = custody.seen_boards(session, viewer)
    if seen is None:
        return frozenset()
    parts = RulingPart.objects.filter(ruling__session=session).exclude(play__board__in=seen)
    return frozenset(parts.values_list("ruling", flat=True))


def _before_and_after(
    session: Session,
    ruled: Mapping[int, Ruled],
    changes: ruled_totals.Changes,
    boards: frozenset[int] | None,
) -> tuple[counting.SessionStandings, counting.SessionStandings]:
    held = counting.of_session(session)
    if boards is not None:
        held = held.of_boards(boards)
    rows = counting.rows_with(session, counting.rows_of(session, sorted(ruled)), ruled) if ruled else {}
    return held, replace(held, standings=counting.with_rows(session, held.standings, rows), changes=changes)


def _order(held: counting.SessionStandings) -> versions.Order:
    return versions.in_groups(held.totals.of(held.groups), held.groups, held.changes.disqualified)


# ── Deciding ──────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def rule(plan: RulingPlan, *, actor: Actor, text: str) -> Ruling:
    """Make a ruling; the lists follow as after a result. `text`: its reason, for those concerned. The time
    grows with its plays. Conflict: the session has been planned again meanwhile, without one of them.
    Forbidden for whoever sat at one of them."""
    session = plan.session
    _check_others(session, actor, plan.parts, plan.contestant, plan.match)
    position = _next_position(session, list(plan.parts))
    ruling = plan.as_ruling()
    ruling.position = position
    ruling.role_id = _role_of(actor, session)
    ruling.remark_id = _remark(text)
    ruling.save(force_insert=True)
    bulk.insert(
        RulingPart,
        {
            "ruling": [ruling.pk] * len(plan.parts),
            "play": list(plan.parts),
            "entries": [list(part.entries) for part in plan.parts.values()],
            "deal": [part.deal for part in plan.parts.values()],
        },
    )
    _keep(session, _standing(plan.parts), position)
    verb = "ruled on match" if plan.match else "ruled on contestant" if plan.contestant else "ruled"
    _note(actor, verb, ruling, ruling.remark_id, **plan.details)
    queue.after_commit("rank", session.pk)
    return ruling


@transaction.atomic
def reverse(*, ruling: Ruling, actor: Actor, text: str) -> Ruling:
    """Take a ruling back: what was ruled before it, or the score, counts again. Conflict: it has been taken
    back already. Forbidden for whoever sat at one of its plays."""
    session = ruling.session
    plays = list(ruling.parts.values_list("play", flat=True))
    _check_others(session, actor, plays, ruling.contestant, ruling.match)
    position = _next_position(session)  # whoever else rules here waits
    ruling = of(session).get(pk=ruling.pk)
    check_in_force(ruling)
    _check_still_to_play(ruling)
    ruling.reversed_at = timezone.now()
    ruling.reversed_position = position
    ruling.reversed_by_id = _role_of(actor, session)
    ruling.reversal_remark_id = _remark(text)
    ruling.save(update_fields=["reversed_at", "reversed_position", "reversed_by", "reversal_remark"])
    _keep(session, _standing(list(ruling.parts.values_list("play", flat=True))), position)
    _note(actor, "reversed ruling", ruling, ruling.reversal_remark_id)
    queue.after_commit("rank", session.pk)
    return ruling


def _check_others(
    session: Session,
    actor: Actor,
    plays: Iterable[int],
    contestant: Contestant | None,
    match_: Match | None,
) -> None:
    """Forbidden for whoever sat at one of the plays, or is what the decision is about."""
    message = _("You sat at this table: somebody else rules on it.")
    own_plays.check_sat_elsewhere(actor, session, list(plays), message)
    if match_ is not None:
        concerned = session.contestants.filter(team__in=[match_.first_id, match_.second_id])
    elif contestant is not None:
        concerned = session.contestants.filter(pk=contestant.pk)
    else:
        return
    if own_plays.is_one_of(actor, session, concerned):
        raise Forbidden("own-play", _("This is about you, or your team: somebody else decides it."))


def _next_position(session: Session, plays: Sequence[int] = ()) -> int:
    """Where the lists will find what is decided now of these plays; a list that was final is amended by it.
    Nobody else stores results or rulings of the session, nor plans these plays again, until the end of the
    transaction. Conflict: one of them has been."""
    states.amend_all([session.pk])
    if plays:
        # Before the tally: whoever judges results takes them in this order too.
        locked = Play.objects.filter(pk__in=plays).select_for_update(no_key=True).order_by("pk")
        if len(locked.values_list("pk")) < len(plays):
            raise Conflict("planned-again", _("The session has been planned again meanwhile: look again."))
    tally = Tally.objects.filter(session=session)
    tally.update(position=F("position") + 1, rulings=F("rulings") + 1)
    return int(tally.values_list("position", flat=True).get())


def _role_of(actor: Actor, session: Session) -> int | None:
    if isinstance(actor, Account):
        return history.nearest_role(actor, session, session.tournament.club_id)
    return None if actor is None else actor.role_id


def _remark(text: str) -> int:
    remark = history.remark_of(text)
    if remark is None:
        raise Invalid("bad-ruling", _("A ruling needs a reason."))
    return remark


def _note(actor: Actor, verb: str, ruling: Ruling, remark: int | None, **detail: Any) -> None:
    """The history's entry, with the same remark: what empties one empties the other."""
    session = ruling.session
    role = _role_of(actor, session) if isinstance(actor, Account) else None
    subject = history.subject_of(Ruling, ruling.pk)
    history.keep(
        [
            history.Note(
                session.tournament_id, session.pk, verb, subject, detail, actor, role=role, remark=remark
            )
        ]
    )


def _standing_with(parts: Mapping[int, Ruled]) -> dict[int, Ruled]:
    """What would stand for these plays with new parts."""
    before = _standing(list(parts))
    return {
        play: ruled_totals.together([before[play], part] if before[play].entries else [part])
        for play, part in parts.items()
    }


def _standing(plays: Sequence[int] | Mapping[int, Any], without: int | None = None) -> dict[int, Ruled]:
    """By play, what stands for it by all rulings in force."""
    stored = RulingPart.objects.filter(play__in=list(plays), ruling__reversed_at=None)
    parts: dict[int, list[Ruled]] = {play: [] for play in plays}
    stored = stored if without is None else stored.exclude(ruling=without)
    for play, entries, deal in stored.order_by("ruling").values_list("play_id", "entries", "deal"):
        parts[play].append(Ruled(entries, deal))
    return {play: ruled_totals.together(some) for play, some in parts.items()}


def _keep(session: Session, ruled: Mapping[int, Ruled], position: int) -> None:
    if not ruled:
        return
    seats = registry.game(session.game).seat_count(session.conditions)
    bulk.insert(
        RuledPlay,
        {
            "session": [session.pk] * len(ruled),
            "play": list(ruled),
            "entries": [list(one.entries) or [None] * seats for one in ruled.values()],
            "deal": [one.deal for one in ruled.values()],
            "position": [position] * len(ruled),
            "is_whole": [bool(one.entries) and None not in one.entries for one in ruled.values()],
        },
        conflict=bulk.replacement(
            RuledPlay, unique=["play"], update=["entries", "deal", "position", "is_whole"]
        ),
    )


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def of(session: Session) -> QuerySet[Ruling]:
    """The rulings of a session, reversed ones among them, the oldest first."""
    own = Ruling.objects.filter(session=session).with_all().order_by("pk")
    return own.prefetch_related("parts")


def passed_over(session: Session) -> QuerySet[Play]:
    """The plays that were ruled not to be played, and of which a result has come in since: it does not count
    before the ruling is reversed."""
    later = Submission.objects.filter(
        play=OuterRef("play"),
        state__in=Submission.TAKEN,
        created_at__gt=OuterRef("ruling__made_at"),
    )
    own = RulingPart.objects.filter(
        Exists(later), ruling__session=session, ruling__kind=Kind.NOT_PLAYED, ruling__reversed_at=None
    )
    plays = Play.objects.filter(pk__in=own.values("play"))
    return plays.select_related("table__section", "board").order_by("pk")


def with_id(session: Session, pk: int) -> Ruling:
    """Missing if the session has none with this id."""
    found = of(session).filter(pk=pk).first()
    if found is None:
        raise Missing("no-such-ruling", _("The session has no such ruling."))
    return found


def is_in_force(session: Session, pk: int) -> bool:
    return Ruling.objects.in_force().filter(session=session, pk=pk).exists()


def _check_still_to_play(ruling: Ruling) -> None:
    """Conflict where tables would have to play after all what they have not played, and the board is over:
    by now its cards may be known. What has a result, whoever entered it, is not played again."""
    if ruling.session.is_over:
        return
    played = Submission.objects.filter(play=OuterRef("pk"), state__in=Submission.TAKEN)
    own = Play.objects.filter(~Exists(played), ruling_parts__ruling=ruling, ruled__is_whole=True)
    boards = set(own.values_list("board", flat=True))
    if over := over_in(ruling.session, boards).order_by("number").first() if boards else None:
        message = _("Board %(board)d is over, and its cards may be known: nobody can play it any more.")
        raise Conflict("board-over", message % {"board": over.number}, {"board": over.number})


def check_in_force(ruling: Ruling) -> None:
    if ruling.reversed_at is not None:
        raise Conflict("reversed-already", _("This ruling has been reversed already."))
