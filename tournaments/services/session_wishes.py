"""What is decided about a session before it is set up: a draft keeps it as its wish."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import formats, timezone

from engines.contract import Game

from ..models import BoardSet, Club, Draft, RegistrationList, Session
from . import registrations

CONTESTANTS_AT_MOST = 120  # among whom movements are compared
BY_TABLES = "tables"
"""As `custody` of a wish: the tables shuffle their own cards, and nothing is sealed."""
COPIED = "copied"
"""The same, but that somebody who does not play shuffles each board once, and copies it for the tables."""
UNSEALED = (BY_TABLES, COPIED)
STEPS = ("game", "contestants", "movement", "boards", "comparison", "review")
MINUTES, LONG_MINUTES = 7, 20  # a board: of one deal, of a whole game; a guess, which the club corrects


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
    hours by the club's clock; `pace`: how its rounds follow each other, as `rounds.Pace` has it, None where
    all are open; `boards`: how many each is to play, if that is not to follow from the time; `movement_file`:
    the text of one that somebody has brought, which is offered beside the others; `leg`: of an event whose
    boards are played; `replaces`: the session (its id) whose place this one takes; `done`: the steps that
    somebody has confirmed."""

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
    movement_file: str = ""
    reserves: int = 2
    custody: str = BoardSet.Keeping.OFFICER.value
    public_kind: str = ""
    public_source: str = ""
    method: str = "matchpoints"
    method_options: Mapping[str, Any] = field(default_factory=dict)
    substitutes_credited: str = Session.Credited.BOTH.value
    live: str = Session.Live.BOARDS_OVER.value
    pace: Mapping[str, Any] | None = None
    leg: int | None = None
    replaces: int | None = None
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


def steps_of(wish: SessionWish) -> tuple[str, ...]:
    """The steps that there are: the boards of an event are dealt."""
    return tuple(one for one in STEPS if wish.leg is None or one != "boards")


def next_step(wish: SessionWish, after: str) -> str:
    """The first step after this one that nobody has confirmed; the review once there is none."""
    later = STEPS[STEPS.index(after) + 1 :]
    open_before = [one for one in STEPS[: STEPS.index(after)] if one not in wish.done]
    return next((one for one in (*open_before, *later) if one not in wish.done), "review")


def list_of(draft: Draft, wish: SessionWish) -> RegistrationList | None:
    """The registration list that a session is to be set up from."""
    if wish.registration is None or draft.tournament_id is None:
        return None
    return RegistrationList.objects.filter(tournament=draft.tournament_id, pk=wish.registration).first()


def contestant_count(draft: Draft, wish: SessionWish | None = None) -> int:
    """How many are to play: those of the draft, or the complete entries of its registration list."""
    wish = wish or wish_of(draft)
    if wish.registration is None:
        return len(wish.contestants)
    the_list = list_of(draft, wish)
    return 0 if the_list is None else len(registrations.contestants_of(the_list))


# ── The day and its hours ───────────────────────────────────────────────────────────────────────────


def name_for(day: date) -> str:
    """What a session of this day is called, in the reader's language: its weekday and date."""
    text = formats.date_format(day, "l j F")
    return text[:1].upper() + text[1:]


def free_name(club: Club, day: date) -> str:
    """The name of another session of a day: with a number where the club has one that is called so."""
    name = name_for(day)
    own = Session.objects.filter(tournament__club=club, name__startswith=name).count()
    return f"{name} ({own + 1})" if own else name


def renamed(wish: SessionWish, club: Club, day: date) -> str:
    """The name on another day: one that is called after its day is called after that one."""
    if not wish.date or wish.date == day.isoformat():
        return wish.name
    usual = name_for(date.fromisoformat(wish.date))
    is_after_day = wish.name == usual or re.fullmatch(re.escape(usual) + r" \(\d+\)", wish.name)
    return free_name(club, day) if is_after_day else wish.name


def next_such_day(before: date, today: date) -> date:
    """The next day with the same place in the week, today perhaps, but not the same day again.

    >>> tuesday = date(2026, 11, 17)
    >>> [next_such_day(tuesday, date(2026, 11, today)).day for today in (17, 18, 23, 24)]
    [24, 24, 24, 24]
    """
    ahead = (before.weekday() - today.weekday()) % 7
    return today + timedelta(days=ahead or 7 * (today == before))


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


def minutes_between(begins: str, ends: str) -> int:
    """From one time of the day to the next other, perhaps after midnight.

    >>> minutes_between("19:30", "22:45"), minutes_between("22:00", "00:30")
    (195, 150)
    """
    start, end = (datetime.strptime(text, "%H:%M") for text in (begins, ends))
    return int((end - start).total_seconds() // 60) % (24 * 60)
