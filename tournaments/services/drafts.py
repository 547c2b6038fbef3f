"""Setting up a session step by step: what has been decided so far is kept, until a job sets the session up.

A draft belongs to its club: one organiser begins it, another may go on. Every save says which version it has
seen, so that nobody overwrites what somebody else has decided meanwhile.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from itertools import combinations
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _

from engines import registry
from engines.contract import Game
from engines.dealing import canonical
from engines.errors import EngineError
from engines.phrases import LANGUAGES
from engines.public_values import PublicValue
from scoring.rounding import decimals

from .. import movements
from ..models import Account, BoardSet, Club, Draft, Job, Member, Player, RegistrationList, Role, Session
from ..models.accounts import RoleKind
from . import jobs, queue, register, registrations, sessions
from .errors import Conflict, Invalid, Refused, Stale

STEPS = ("game", "contestants", "movement", "boards", "comparison", "review")
MEMBERS_AT_MOST = 4
CONTESTANTS_AT_MOST = 120  # among whom movements are compared
TRIANGLE_AT_MOST = 24  # contestants: who meets whom can be drawn
OFFERED_AT_MOST = 4  # movements
CHANGE_MINUTES = 2  # from one round to the next
LATE_MINUTES = 15  # that nobody minds
MINUTES, LONG_MINUTES = 7, 20  # a board: of one deal, of a whole game; a guess, which the club corrects
ASK_AGAIN = timedelta(seconds=15)
KEPT = (RoleKind.DIRECTOR, RoleKind.SCORER, RoleKind.DEAL_OFFICER)
DRAFTS_AT_MOST = 100  # of a club, unfinished
BLANKS = re.compile(r"\s+")
BETWEEN = re.compile(r"\s?/\s?|\s[–&+]\s|\t")  # of a text with single blanks
NUMBERED = re.compile(r"\s*(?:\d{1,3}[.)]\s+|[-•*]\s+)")
BY_ID = re.compile(r".*#(?P<id>[0-9]{1,18})")


# ── What is decided ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ChosenContestant:
    """Who is to play: players of the register by their ids, others by their names. `name`: a team's own."""

    members: tuple[int | str, ...]
    name: str = ""

    @property
    def given(self) -> dict[str, Any]:
        """As `entries` takes it."""
        return {
            "name": self.name,
            "players": [one for one in self.members if isinstance(one, int)],
            "typed": [one for one in self.members if isinstance(one, str)],
        }


@dataclass(frozen=True, slots=True)
class ChosenMovement:
    """A movement as `sessions.plan` takes it."""

    family: str
    rounds: int
    boards_per_round: int
    seats: int

    @property
    def key(self) -> str:
        return f"{self.family}:{self.rounds}:{self.boards_per_round}:{self.seats}"


@dataclass(frozen=True, slots=True)
class SessionWish:
    """All that is decided about a session, with what a Tuesday wants where nothing is. `tournament_name`: of
    one that is to be made; `registration`: a list, instead of contestants; `date`: as ISO writes it, with the
    hours by the club's clock; `boards`: how many each is to play, if that is not to follow from the time;
    `done`: the steps that somebody has confirmed."""

    name: str = ""
    tournament_name: str = ""
    game: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    contestants: tuple[ChosenContestant, ...] = ()
    registration: int | None = None
    names_may_be_published: bool = False
    date: str = ""
    begins: str = "19:30"
    ends: str = "22:45"
    minutes: int = MINUTES
    boards: int | None = None
    movement: ChosenMovement | None = None
    reserves: int = 2
    custody: str = BoardSet.Keeping.OFFICER.value
    public_kind: str = ""
    public_source: str = ""
    method: str = "matchpoints"
    method_options: Mapping[str, Any] = field(default_factory=dict)
    substitutes_credited: str = Session.Credited.BOTH.value
    done: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "SessionWish":
        """What a draft has stored. A field that an earlier version did not know has its default."""
        known = {one.name for one in fields(cls)}
        given = {name: value for name, value in stored.items() if name in known}
        if (chosen := given.get("movement")) is not None:
            given["movement"] = ChosenMovement(**chosen)
        given["contestants"] = tuple(
            ChosenContestant(tuple(one["members"]), one["name"]) for one in given.get("contestants", ())
        )
        given["done"] = tuple(given.get("done", ()))
        return cls(**given)


def wish_of(draft: Draft) -> SessionWish:
    return SessionWish.of(draft.wish)


def next_step(wish: SessionWish, after: str) -> str:
    """The first step after this one that nobody has confirmed; the review once there is none."""
    later = STEPS[STEPS.index(after) + 1 :]
    open_before = [one for one in STEPS[: STEPS.index(after)] if one not in wish.done]
    return next((one for one in (*open_before, *later) if one not in wish.done), "review")


# ── Beginning ─────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def begin(*, club: Club, actor: Account, today: date, tournament: int = 0) -> Draft:
    """A new draft, with what is known of the club already filled in. `tournament`: by its id, if the club has
    it; otherwise the club's newest."""
    _check_room(club)
    own = club.tournaments.order_by("-pk")
    latest = own.filter(pk=tournament).first() or own.first()
    last = last_session(club)
    wish = SessionWish(
        name=name_for(today),
        date=today.isoformat(),
        tournament_name="" if latest else f"{club.name} {today.year}",
        game=last.game if last else "",
    )
    hours = _hours_of(last)
    wish = replace(wish, **hours) if hours else wish
    return Draft.objects.create(club=club, tournament=latest, made_by=actor, wish=wish.to_json())


@transaction.atomic
def copy(*, session: Session, actor: Account, today: date) -> Draft:
    """A new draft of a session like another: its game, its contestants, its boards, its method; what is left
    to say is who is there."""
    club = session.tournament.club
    _check_room(club)
    board_set = session.board_set
    day = next_such_day(_day_of(session), today)
    wish = SessionWish(
        name=name_for(day),
        date=day.isoformat(),
        game=session.game,
        options=dict(session.options),
        contestants=_contestants_of(session),
        reserves=len((board_set.manifest or {}).get("reserves") or ()),
        custody=str(board_set.custody),
        method=session.method,
        method_options=dict(session.method_options),
        substitutes_credited=str(session.substitutes_credited),
        done=("game", "boards", "comparison"),
    )
    hours = _hours_of(session)
    wish = replace(wish, **(hours or {"minutes": minutes_of(registry.game(session.game))}))
    return Draft.objects.create(
        club=club, tournament=session.tournament, made_by=actor, copied_from=session, wish=wish.to_json()
    )


def _check_room(club: Club) -> None:
    if Draft.objects.filter(club=club).unfinished().count() >= DRAFTS_AT_MOST:
        raise Conflict("too-many-drafts", _("This club has begun too many sessions: delete some first."))


def last_session(club: Club) -> Session | None:
    """The newest session that was set up in a club."""
    own = Session.objects.filter(tournament__club=club).select_related("tournament__club", "board_set")
    return own.order_by("-pk").first()


def name_for(day: date) -> str:
    """What a session of this day is called, in the reader's language: its weekday and date."""
    text = formats.date_format(day, "l j F")
    return text[:1].upper() + text[1:]


def renamed(wish: SessionWish, day: date) -> str:
    """The name on another day: one that is called after its day is called after that one."""
    is_after_day = wish.date and wish.name == name_for(date.fromisoformat(wish.date))
    return name_for(day) if is_after_day else wish.name


def next_such_day(before: date, today: date) -> date:
    """The next day with the same place in the week, today perhaps, but not the same day again.

    >>> tuesday = date(2026, 11, 17)
    >>> [next_such_day(tuesday, date(2026, 11, today)).day for today in (17, 18, 23, 24)]
    [24, 24, 24, 24]
    """
    ahead = (before.weekday() - today.weekday()) % 7
    return today + timedelta(days=ahead or 7 * (today == before))


def _day_of(session: Session) -> date:
    """The day of a session, by its club's clock."""
    return (session.starts_at or session.created_at).astimezone(session.tournament.club.zone).date()


def today_at(club: Club) -> date:
    """The day that it is by the club's clock."""
    return timezone.localdate(timezone=club.zone)


def starts_at(club: Club, wish: SessionWish) -> datetime | None:
    """When a session of a wish begins, by its club's clock; None where no day has been said yet."""
    if not wish.date:
        return None
    day, begins = date.fromisoformat(wish.date), time.fromisoformat(wish.begins)
    return datetime.combine(day, begins, tzinfo=club.zone)


def minutes_of(game: Game[Any]) -> int:
    """How long a board takes, until a club knows better."""
    return MINUTES if game.board == Game.board else LONG_MINUTES


def _hours_of(session: Session | None) -> dict[str, Any]:
    """The hours for which a session was set up, if that was lately; it begins when its page says."""
    draft = None if session is None else Draft.objects.filter(job__session=session).first()
    if session is None or draft is None:
        return {}
    wish = wish_of(draft)
    hours = {name: getattr(wish, name) for name in ("begins", "ends", "minutes", "boards")}
    if session.starts_at is not None:
        begins = session.starts_at.astimezone(session.tournament.club.zone)
        ends = begins + timedelta(minutes=minutes_between(wish.begins, wish.ends))
        hours |= {"begins": begins.strftime("%H:%M"), "ends": ends.strftime("%H:%M")}
    return hours


def _contestants_of(session: Session) -> tuple[ChosenContestant, ...]:
    """Who was entered in a session, in the order of their numbers; who is not in the register any more is
    left out."""
    members = Member.objects.filter(session=session).select_related("contestant", "player")
    found: dict[int, tuple[list[int | str], str]] = {}
    for one in members.order_by("contestant__number", "pk"):
        name = "" if one.contestant.named_by_players else one.contestant.name
        if one.player.erased_at is None:
            found.setdefault(one.contestant_id, ([], name))[0].append(
                one.player.merged_into_id or one.player_id
            )
    return tuple(ChosenContestant(tuple(players), name) for players, name in found.values())


# ── Who plays ─────────────────────────────────────────────────────────────────────────────────────


def players_each(game: Game[Any]) -> int:
    """How many players a contestant of a game has at least: those of a side."""
    return max((len(side) for side in game.sides), default=1)


def contestants_at_least(game: Game[Any]) -> int:
    """How many contestants a session of a game needs: those of its smallest table."""
    return min(len(game.sides_of(sessions.conditions_of(game, seats))) for seats in game.seats)


def read_contestants(club: Club, text: str, *, each: int = 1) -> tuple[ChosenContestant, ...]:
    """The contestants that somebody has typed, one a line: names as `register.typed_name` reads them, “#12”,
    pairs as “Ana Durand / Bob Petit”, teams as “The Swans: Ana Durand / Bob Petit”. Invalid says in which
    line something is wrong. Names that nobody bears stay names."""
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip(" \t,;")]
    if len(lines) > CONTESTANTS_AT_MOST:
        message = _("At most %(most)d contestants can be set up here.")
        raise Invalid("too-many", message % {"most": CONTESTANTS_AT_MOST})
    split = [(at, *_split(line)) for at, line in lines]
    for at, name, parts in split:
        if not each <= len(parts) <= MEMBERS_AT_MOST:
            message = _(
                "Line %(line)d: %(count)d players are needed, with “/” between them: Ana Durand / Bob Petit."
            )
            if each == 1:
                message = _("Line %(line)d: a contestant has at most four players.")
            raise Invalid("players-each", message % {"line": at, "count": each})
        if too_long := [one for one in (name, *parts) if len(one) > register.NAME_LETTERS]:
            message = _("Line %(line)d: “%(name)s…” is too long for a name.")
            raise Invalid("name-too-long", message % {"line": at, "name": too_long[0][:20]})
        if not all(one.isprintable() for one in (name, *parts)):
            message = _("Line %(line)d: this has characters that cannot be stored.")
            raise Invalid("bad-name", message % {"line": at})
    chosen = []
    seen: dict[object, int] = {}
    for at, name, parts in split:
        members = tuple(_meant(club, part, at) for part in parts)
        keys = [one if isinstance(one, int) else register.typed_stranger(one).key for one in members]
        for key, part in zip(keys, parts, strict=True):
            if (first := seen.setdefault(key, at)) != at or keys.count(key) > 1:
                message = _("Line %(line)d: %(name)s stands in line %(first)d already.")
                raise Invalid("player-twice", message % {"line": at, "name": part, "first": first})
        chosen.append(ChosenContestant(members, name))
    return tuple(chosen)


def _split(line: str) -> tuple[str, list[str]]:
    """A team's name, if the line begins with one, and the names of its players."""
    single = BLANKS.sub(lambda blanks: "\t" if "\t" in blanks[0] else " ", line)  # keeps the time linear
    plain = NUMBERED.sub("", single, count=1) if NUMBERED.match(single) else single
    before, colon, after = plain.strip(" \t,;").partition(":")
    name, rest = (before, after) if colon and after.strip() else ("", plain)
    parts = [register.one_spaced(part.strip(" \t,;")) for part in BETWEEN.split(rest.strip(" \t,;"))]
    return register.one_spaced(name), [part for part in parts if part]


def _meant(club: Club, text: str, line: int) -> int | str:
    """The player whom a text means; where nobody bears this name, the name as we write it."""
    try:
        if (by_id := BY_ID.fullmatch(text)) is not None:
            return int(register.player_called(club, f"#{by_id['id']}").pk)
        if (player := register.known(club, [text]).get(text)) is not None:
            return player
        stranger = register.typed_stranger(text)
        register.check_number(club, stranger.number)
        return stranger.text
    except Refused as error:
        message = _("Line %(line)d: %(why)s")
        raise Invalid(error.code, message % {"line": line, "why": error}, error.details) from error


def text_of(club: Club, contestants: Sequence[ChosenContestant]) -> str:
    """Contestants as somebody would type them."""
    named = names_in(club, contestants)
    return "\n".join(
        (f"{one.name}: " if one.name else "") + " / ".join(named[member] for member in one.members)
        for one in contestants
    )


def names_in(club: Club, contestants: Sequence[ChosenContestant]) -> dict[int | str, str]:
    """The text that means each member: the name, with the number where there is one, and with the id where
    nothing else tells namesakes apart. Two queries."""
    members = [member for one in contestants for member in one.members]
    ids = [member for member in members if isinstance(member, int)]
    players = Player.objects.in_register().filter(club=club).in_bulk(ids)
    folded = [player.folded for player in players.values()]
    alike = Player.objects.in_register().filter(club=club, folded__in=folded)
    names = alike.values_list("given_name", "family_name")
    bearers = Counter(f"{given} {family}".strip() for given, family in names)
    return {
        member: member if isinstance(member, str) else _typed(players.get(member), member, bearers)
        for member in members
    }


def _typed(player: Player | None, pk: int, bearers: Mapping[str, int]) -> str:
    if player is None:
        return f"#{pk}"  # not in the register any more: saving says so
    if bearers.get(player.name, 0) < 2:
        return player.name
    return f"{player.name} ({player.number})" if player.number else f"{player.name} #{pk}"


def strangers(wish: SessionWish) -> list[str]:
    """The names that are nobody's in the register yet: setting up adds them."""
    return [member for one in wish.contestants for member in one.members if isinstance(member, str)]


def contestant_count(draft: Draft, wish: SessionWish | None = None) -> int:
    """How many are to play: those of the draft, or the complete entries of its registration list."""
    wish = wish or wish_of(draft)
    if wish.registration is None:
        return len(wish.contestants)
    the_list = list_of(draft, wish)
    return 0 if the_list is None else len(registrations.contestants_of(the_list))


# ── Saving ────────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def save(*, draft: Draft, seen: int, wish: SessionWish, tournament: int | None = None) -> Draft:
    """The draft with another wish. Stale: somebody has saved it since; Conflict: it is being set up, or has
    been. `tournament`: its id, where the club has it and it is to be another."""
    held = _held(draft)
    _check_seen(held, seen)
    _check_open(held)
    held.wish = wish.to_json()
    if wish.tournament_name:
        held.tournament = None
    elif tournament is not None:
        held.tournament = held.club.tournaments.get(pk=tournament)
    held.version += 1
    held.saved_at = timezone.now()
    held.save(update_fields=["wish", "tournament", "version", "saved_at"])
    ask_for_movements(held)
    return held


@transaction.atomic
def delete(*, draft: Draft) -> None:
    """Throw a draft away. Conflict while it is being set up."""
    held = _held(draft)
    if held.job is not None and not held.job.is_over:
        raise Conflict("being-set-up", _("This session is being set up: wait a moment."))
    held.delete()


def _held(draft: Draft) -> Draft:
    rows = Draft.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("club", "tournament__club", "job").get(pk=draft.pk)


def _check_seen(draft: Draft, seen: int) -> None:
    if draft.version != seen:
        message = _("This draft has been changed meanwhile: look at what it says now.")
        raise Stale("draft-changed", message)


def _check_open(draft: Draft) -> None:
    if draft.job is not None and draft.job.state not in {Job.State.FAILED, Job.State.CANCELLED}:
        raise Conflict("set-up-already", _("This session has been set up already, or is being set up."))


# ── Movements compared ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Offer:
    """A movement that would do, measured: what a page shows of it. `boards`: how many there are; `copies`:
    of each, in one round. `met`: for each contestant how often it meets each one before it; empty for more
    than can be drawn. `method`: the only one that makes sense, with the reason by language."""

    movement: ChosenMovement
    boards: int
    copies: int
    boards_each: tuple[int, int]
    sit_outs: tuple[int, int]
    meetings: tuple[int, int]
    balance: str | None
    one_ranking: bool
    met: tuple[tuple[int, ...], ...]
    method: str | None
    reason: Mapping[str, str]

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Offer":
        pairs = {name: tuple(stored[name]) for name in ("boards_each", "sit_outs", "meetings")}
        met = tuple(tuple(row) for row in stored["met"])
        return cls(**{**stored, **pairs, "met": met, "movement": ChosenMovement(**stored["movement"])})

    def minutes(self, a_board: int) -> int:
        """How long it takes, with the changes between rounds."""
        rounds = self.movement.rounds
        return rounds * self.movement.boards_per_round * a_board + (rounds - 1) * CHANGE_MINUTES


def boards_in(begins: str, ends: str, minutes: int) -> int:
    """How many boards there is time for, in rounds of three with a change between them.

    >>> boards_in("19:30", "22:45", 7), boards_in("22:00", "00:30", 7)
    (26, 20)
    """
    return max(round((minutes_between(begins, ends) + CHANGE_MINUTES) / (minutes + CHANGE_MINUTES / 3)), 1)


def minutes_between(begins: str, ends: str) -> int:
    """From one time of the day to the next other, perhaps after midnight.

    >>> minutes_between("19:30", "22:45"), minutes_between("22:00", "00:30")
    (195, 150)
    """
    start, end = (datetime.strptime(text, "%H:%M") for text in (begins, ends))
    return int((end - start).total_seconds() // 60) % (24 * 60)


def end_of(wish: SessionWish, offer: Offer) -> str:
    """When an evening with this movement ends."""
    start = datetime.strptime(wish.begins, "%H:%M")
    return (start + timedelta(minutes=offer.minutes(wish.minutes))).strftime("%H:%M")


def boards_each(wish: SessionWish, contestants: int) -> int:
    """How many boards each is to play: as many as were asked for, or as there is time for beside the rounds
    that each sits out."""
    if wish.boards is not None:
        return wish.boards
    seats = sides_of(registry.game(wish.game))
    out = contestants % seats
    there_is_time_for = boards_in(wish.begins, wish.ends, wish.minutes)
    return min(max(round(there_is_time_for * (1 - out / contestants)), 1), 100)


def sides_of(game: Game[Any]) -> int:
    """How many contestants sit at a table, as a rule."""
    return len(game.sides_of(sessions.conditions_of(game, None)))


def question_of(draft: Draft, wish: SessionWish) -> dict[str, Any] | None:
    """What movements are asked for; None before the game and the contestants are known."""
    count = contestant_count(draft, wish)
    if not wish.game or count < 2:
        return None
    return {"game": wish.game, "contestants": count, "boards": boards_each(wish, count)}


def _digest(question: Mapping[str, Any]) -> str:
    return sha256(canonical(dict(question))).hexdigest()


def ask_for_movements(draft: Draft) -> None:
    """Ask a worker for the movements of a draft, unless they are there, or on their way since a moment."""
    question = question_of(draft, wish_of(draft))
    if question is None:
        return
    is_asked = draft.compared == (digest := _digest(question))
    if is_asked and (draft.comparison is not None or not _has_waited(draft)):
        return
    now = timezone.now()
    Draft.objects.filter(pk=draft.pk).update(asked_at=now, comparison=None, compared=digest)
    draft.asked_at, draft.comparison, draft.compared = now, None, digest
    queue.after_commit("compare_movements", draft.pk)


def _has_waited(draft: Draft) -> bool:
    """Whether the message to the workers may be lost."""
    return draft.asked_at is None or draft.asked_at < timezone.now() - ASK_AGAIN


def compare(*, draft_id: int) -> None:
    """Compare the movements that a draft asks for, and keep them, unless it asks for others meanwhile. Twice
    or late does no harm."""
    draft = Draft.objects.select_related("club").filter(pk=draft_id).first()
    if draft is None or (question := question_of(draft, wish_of(draft))) is None:
        return
    if draft.compared != (digest := _digest(question)) or draft.comparison is not None:
        return
    found = _comparison(question)
    Draft.objects.filter(pk=draft_id, compared=digest).update(comparison=found)


def _comparison(question: Mapping[str, Any]) -> dict[str, Any]:
    try:
        found = sessions.movements_for(**question)
    except Refused:
        refusals = {}
        for language in LANGUAGES:
            with translation.override(language):
                try:
                    sessions.movements_for(**question)
                except Refused as refused:
                    refusals[language] = str(refused)
        return {"offers": [], "refusal": refusals}
    alone = [one for one in found if not one.beside]
    return {"offers": [asdict(_offer(one)) for one in alone[:OFFERED_AT_MOST]], "refusal": {}}


def _offer(one: movements.Candidate) -> Offer:
    measures, movement = one.quality, one.movement
    first = movement.sittings[0]
    a_round = [s for s in movement.sittings if (s.round, s.table) == (first.round, first.table)]
    reason = one.reason
    return Offer(
        movement=ChosenMovement(one.family, movement.rounds, len(a_round), one.seats),
        boards=movement.boards,
        copies=movement.copies,
        boards_each=(measures.boards.least, measures.boards.most),
        sit_outs=(measures.sit_outs.least, measures.sit_outs.most),
        meetings=(measures.meetings.least, measures.meetings.most),
        balance=None if measures.balance is None else decimals(measures.balance, 0),
        one_ranking=one.one_ranking,
        met=_met(movement, one.contestants),
        method=one.method,
        reason={} if reason is None else {language: reason.to(language) for language in LANGUAGES},
    )


def _met(movement: movements.Movement, contestants: int) -> tuple[tuple[int, ...], ...]:
    """In how many rounds each contestant shares a table with each one before it."""
    if contestants > TRIANGLE_AT_MOST:
        return ()
    tables: dict[tuple[int, int], set[int]] = {}
    for sitting in movement.sittings:
        tables.setdefault((sitting.round, sitting.table), set()).update(sitting.contestants)
    met = [[0] * number for number in range(contestants)]
    for seated in tables.values():
        for low, high in combinations(sorted(seated), 2):
            met[high - 1][low - 1] += 1
    return tuple(tuple(row) for row in met[1:])


def offers_of(draft: Draft) -> tuple[list[Offer], str] | None:
    """The movements that would do for what a draft says now, the best first, and why there is none, in a
    language; None while they are being compared."""
    question = question_of(draft, wish_of(draft))
    if question is None:
        return [], ""
    if draft.compared != _digest(question) or draft.comparison is None:
        return None
    found = draft.comparison
    return [Offer.of(one) for one in found["offers"]], found["refusal"].get(_language(), "")


def _language() -> str:
    return (translation.get_language() or "en")[:2]


def advised(wish: SessionWish, offers: Sequence[Offer]) -> Offer | None:
    """The best of them that ends in time; where none does, the best."""
    time = minutes_between(wish.begins, wish.ends) + LATE_MINUTES
    in_time = (one for one in offers if wish.boards is not None or one.minutes(wish.minutes) <= time)
    return next(in_time, offers[0] if offers else None)


# ── Setting up ────────────────────────────────────────────────────────────────────────────────────


def missing(draft: Draft, wish: SessionWish) -> list[str]:
    """The steps that are still to be taken before a session can be set up."""
    lacking = []
    if not wish.game or not (wish.name and (draft.tournament_id or wish.tournament_name)):
        lacking.append("game")
    if contestant_count(draft, wish) < 2:
        lacking.append("contestants")
    elif _movement_for(draft, wish) is None:
        lacking.append("movement")
    return lacking


def _movement_for(draft: Draft, wish: SessionWish) -> ChosenMovement | None:
    """The movement that was chosen, if it is among those for the contestants that there are now."""
    found = offers_of(draft)
    if found is None or wish.movement is None:
        return None
    return next((one.movement for one in found[0] if one.movement == wish.movement), None)


@transaction.atomic
def set_up(*, draft: Draft, actor: Account, seen: int) -> Job:
    """The job that sets the session up. A second time it is the same job, unless that has failed. Invalid or
    Conflict says what is missing."""
    held = _held(draft)
    if held.job is not None and held.job.state not in {Job.State.FAILED, Job.State.CANCELLED}:
        return held.job
    _check_seen(held, seen)
    wish = wish_of(held)
    if missing(held, wish):
        raise Invalid("incomplete", _("Something is still to be decided."))
    request = request_of(held, wish)
    sessions.check(club=held.club, **request)
    if held.tournament is None:
        held.tournament = sessions.create_tournament(actor=actor, club=held.club, name=wish.tournament_name)
        held.wish = replace(wish, tournament_name="").to_json()
    held.job = jobs.ask(
        Job.Kind.SET_UP, tournament=held.tournament, sender=actor, name=wish.name, request=request
    )
    held.version += 1
    held.save(update_fields=["tournament", "wish", "job", "version"])
    return held.job


def request_of(draft: Draft, wish: SessionWish) -> dict[str, Any]:
    """What a job is asked for."""
    game = registry.game(wish.game)
    chosen = wish.movement
    assert chosen is not None
    request: dict[str, Any] = {
        "name": wish.name,
        "game": wish.game,
        "options": dict(wish.options),
        "method": wish.method,
        "method_options": dict(wish.method_options),
        "movement": chosen.family,
        "rounds": chosen.rounds,
        "boards_per_round": chosen.boards_per_round,
        "reserves": wish.reserves,
        "custody": wish.custody,
        "substitutes_credited": wish.substitutes_credited,
        "names_may_be_published": wish.names_may_be_published,
        "starts_at": starts_at(draft.club, wish),
        "people": [[role.account_id, str(role.kind)] for role in people_like(draft)],
        "public_value": None,
        "contestants": [one.given for one in wish.contestants],
    }
    if len(game.seats) > 1:
        request["seats"] = chosen.seats
    if wish.public_kind:
        request["public_value"] = asdict(PublicValue(kind=wish.public_kind, source=wish.public_source))
    if wish.registration is not None:
        the_list = list_of(draft, wish)
        assert the_list is not None, "else the contestants were missing"
        request |= {
            "registration": wish.registration,
            "contestants": [{"players": own} for own in registrations.enough_of(the_list)],
        }
    return request


def people_like(draft: Draft) -> list[Role]:
    """Who runs the session that a draft is a copy of, and is to run this one too: its directors, scorers and
    deal officers, by name."""
    if draft.copied_from_id is None:
        return []
    there = Role.objects.in_force().filter(session=draft.copied_from_id, kind__in=KEPT)
    return list(
        there.filter(account__is_active=True).select_related("account").order_by("account__name", "pk")
    )


def check_options(game: str, options: Mapping[str, Any]) -> None:
    """Invalid where a game does not have such options."""
    try:
        registry.options_of(registry.game(game), dict(options))
    except EngineError as error:
        raise Invalid("bad-option", error.phrase().to(_language())) from error


def unfinished_of(clubs: Iterable[Club]) -> list[Draft]:
    """The drafts of some clubs, what was saved last first."""
    rows = Draft.objects.filter(club__in=list(clubs)).unfinished()
    return list(rows.select_related("club", "job", "tournament", "made_by").order_by("-saved_at", "-pk")[:50])


def lists_for(draft: Draft) -> list[tuple[int, str]]:
    """The registration lists of the tournament from which no session was set up yet, by id, with how many
    stand in each."""
    found = RegistrationList.objects.filter(tournament=draft.tournament_id or 0, session=None)
    rows = found.annotate(entered=Count("registrations", filter=Q(registrations__left_at=None)))
    shown = rows.order_by("-pk").values_list("pk", "name", "entered")[:50]
    return [(pk, f"{name} ({entered})") for pk, name, entered in shown]


def list_of(draft: Draft, wish: SessionWish) -> RegistrationList | None:
    """The registration list that a session is to be set up from."""
    if wish.registration is None or draft.tournament_id is None:
        return None
    return RegistrationList.objects.filter(tournament=draft.tournament_id, pk=wish.registration).first()


def lines_like(session: Session) -> list[str]:
    """The contestants of a session, as somebody would type them."""
    return text_of(session.tournament.club, _contestants_of(session)).splitlines()


def lines_of_players(draft: Draft, players: Sequence[int]) -> list[str]:
    """Players of the register as somebody would type them: as many on a line as make a contestant."""
    wish = wish_of(draft)
    each = players_each(registry.game(wish.game)) if wish.game else 1
    there = Player.objects.in_register().filter(club=draft.club).in_bulk(players)
    known = [player for player in players if player in there]
    together = [tuple(known[at : at + each]) for at in range(0, len(known), each)]
    return text_of(draft.club, [ChosenContestant(some) for some in together]).splitlines()
