"""What every game gives: its identity, its deals, its states, its result sheet, its ledger.

The values here are immutable; a `State` is the one thing that changes, and only by `apply`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from .dealing import Stream, dealer_of
from .errors import IllegalAction
from .forms import Field, Form, schema
from .pads import Pad
from .phrases import Phrase, enumeration
from .views import View

if TYPE_CHECKING:
    from .matches import Match

PLAYS = Phrase("plays")

Setting = str | int | bool
Settings = Mapping[str, Any]
Sheet = Mapping[str, Any]


def setting_text(value: Setting) -> str:
    """A setting as people write it, and as the command line takes it.

    >>> setting_text(True), setting_text(4), setting_text("off")
    ('true', '4', 'off')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest unit of a score; `divisor` of them make what players call one, of which `shown` is the
    plural."""

    name: Phrase
    divisor: int = 1
    shown: Phrase | None = None

    def to_json(self) -> dict[str, Any]:
        return {"fr": self.name.to("fr"), "en": self.name.to("en"), "divisor": self.divisor}


@dataclass(frozen=True, slots=True)
class Option:
    """A named variant. `values`: default first. `reads`: who looks at it, of "generator", "engine",
    "sheet", "ledger", "comparison"; the generator's are part of what a board is made from.

    `more`: what else it may be, where the values cannot be listed; `which` says it in words.
    """

    name: str
    values: tuple[Setting, ...]
    reads: tuple[str, ...]
    meaning: Phrase
    more: Callable[[Any], bool] | None = None
    which: Phrase | None = None

    def accepts(self, value: object) -> bool:
        is_listed = any(value == v and type(value) is type(v) for v in self.values)
        return is_listed or (self.more is not None and self.more(value))

    def requirement(self) -> Phrase:
        """What a value must be, for somebody who gave another."""
        values = ", ".join(map(setting_text, self.values))
        if self.which is not None and not self.values:
            return self.which
        if self.which is None:
            return Phrase("must be one of: {values}", values=values)
        return Phrase("must be one of: {values}; or {which}", values=values, which=self.which)

    @property
    def default(self) -> Setting:
        return self.values[0]


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the traveller: what happened, whose it is (None: the table's), how often or how much
    (`value`), and the points that it brought. The points of a seat's facts add up to its score."""

    name: str
    seat: int | None = None
    points: int = 0
    value: Setting | None = None

    def to_json(self) -> dict[str, Any]:
        fact: dict[str, Any] = {"fact": self.name, "seat": self.seat, "points": self.points}
        return fact if self.value is None else fact | {"value": self.value}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished deal is worth to each seat, in the game's smallest unit, and why.

    `averaged`: seats whose score says nothing about their play; the comparison gives them an average.
    """

    scores: tuple[int, ...]
    facts: tuple[Fact, ...]
    averaged: tuple[int, ...] = ()

    @classmethod
    def of(cls, facts: Iterable[Fact], seats: int, averaged: tuple[int, ...] = ()) -> "Outcome":
        """What the facts of so many seats make: the points of a seat's facts are its score."""
        lines, scores = tuple(facts), [0] * seats
        for fact in lines:
            if fact.seat is not None:
                scores[fact.seat - 1] += fact.points
        return cls(tuple(scores), lines, averaged)


class State(ABC):
    """A deal in progress. Seats count from 1. What it only adds to now and then, such as an auction, is a
    tuple, which its copies share."""

    __slots__ = ()

    @property
    @abstractmethod
    def entries(self) -> list[str]:
        """The actions so far, as a record has them."""

    @property
    @abstractmethod
    def phase(self) -> str:
        """The phase of the rules, by its name in `Game.names`."""

    @property
    @abstractmethod
    def over(self) -> bool: ...

    @abstractmethod
    def actors(self) -> tuple[int, ...]:
        """The seats that may act now, in seat order; none when the deal is over."""

    @property
    def turn(self) -> int:
        """Whose turn it is where several seats may act: an entry without a seat is that one's."""
        return self.actors()[0]

    @abstractmethod
    def legal(self, seat: int) -> Iterator[str]:
        """The seat's legal actions as tokens, in a fixed order; none when it may not act."""

    def any_legal(self, seat: int, random: Random) -> str:
        """One of the seat's legal actions, by chance; each can be drawn. A state whose lists may be long
        draws without listing."""
        return random.choice(list(self.legal(seat)))

    @abstractmethod
    def refusal(self, entry: str) -> IllegalAction | None:
        """Why an entry is illegal here, found without listing the legal ones; None if it is legal."""

    @abstractmethod
    def apply(self, entry: str) -> None:
        """Take an action, `play:AH` or with its seat `2 play:AH`. IllegalAction changes nothing."""

    def apply_all(self, entries: Sequence[str]) -> None:
        """Take several, one after the other; IllegalAction changes nothing after those before it."""
        for entry in entries:
            self.apply(entry)

    @abstractmethod
    def outcome(self) -> Outcome:
        """What the deal is worth. ValueError before it is over."""

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """What a seat may know; None: what a spectator may."""

    def copy(self) -> Self:
        """Another state that lives by itself: lists are copied, all else is immutable and shared. What is a
        list is one from beginning to end; its parts are all lists, or none of them is."""
        state = type(self)
        other = state.__new__(state)
        self.give_to(other)
        return other

    def give_to(self, other: "State") -> None:
        """A new state gets all that this one has."""
        _giver(self)(self, other)

    def check_over(self) -> None:
        """ValueError before the end."""
        if not self.over:
            raise ValueError("the deal is not over")

    def is_legal(self, entry: str) -> bool:
        return self.refusal(entry) is None


def attributes(state: type[State]) -> tuple[str, ...]:
    """What a state is made of."""
    compiled = getattr(state, "__mypyc_attrs__", ())
    slots = (name for kind in state.__mro__ for name in getattr(kind, "__slots__", ()))
    return tuple(name for name in compiled or slots if name != "__dict__")


_givers: dict[type[State], Callable[[State, State], None]] = {}


def _giver(state: State) -> Callable[[State, State], None]:
    """What `give_to` does, written out for the class of a state: to look each name up, or to ask of each
    value whether it is a list, takes twice as long."""
    giver = _givers.get(type(state))
    if giver is None:
        lines = [
            f" value = state.{name}\n"
            f" other.{name} = copied(value) if value and type(value[0]) is list else value[:]"
            if type(getattr(state, name)) is list
            else f" other.{name} = state.{name}"
            for name in attributes(type(state))
        ]
        names: dict[str, Any] = {"copied": copied}
        exec("\n".join(["def give(state, other):", *lines]), names)  # noqa: S102 - from names of this library
        giver = _givers[type(state)] = names["give"]
    return giver


def copied(value: Any) -> Any:
    """A list and the lists in it, copied; anything else as it is."""
    if type(value) is not list:
        return value
    return [copied(one) for one in value] if value and type(value[0]) is list else value[:]


D = TypeVar("D")


class Game(ABC, Generic[D]):
    """A rule set. `D` is its deal, an immutable value."""

    id: ClassVar[str]
    name: ClassVar[Phrase]
    seats: ClassVar[tuple[int, ...]]  # the numbers of seats that it can be played with
    sides: ClassVar[tuple[tuple[int, ...], ...]] = ()  # seats that score together; none: each alone
    direction: ClassVar[int] = 1  # 1: turns pass clockwise, −1: to the right
    pack: ClassVar[Phrase]
    board: ClassVar[Phrase] = Phrase("one deal")
    line_score: ClassVar[Phrase]
    unit: ClassVar[Unit]
    options: ClassVar[tuple[Option, ...]] = ()
    conditions: ClassVar[tuple[Option, ...]] = ()  # what an organiser may preset besides
    form: ClassVar[Form]  # the result sheet: what it has, and how a phone asks for it
    names: ClassVar[Mapping[str, Phrase]]  # of phases, verbs, facts, labels
    calls: ClassVar[frozenset[str]] = frozenset({"bid"})  # verbs that say no card, however it is spelled
    between: ClassVar[Mapping[str, str]] = {}  # of verbs that name several things: what stands between them
    public: ClassVar[tuple[str, ...]] = ()  # the fields of a deal that everybody at the table sees
    robot: "ClassVar[staticmethod[[Any, Sequence[str]], str] | None]" = None  # what it does on its view

    @abstractmethod
    def deal(self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings) -> D:
        """Board `number` from its stream, drawn again until the rules accept it."""

    @abstractmethod
    def read_deal(self, data: Any, options: Settings | None = None) -> D:
        """An explicit deal from its JSON form. BadDeal names the cards that are wrong. The options
        matter where they change the pack."""

    @abstractmethod
    def show_deal(self, deal: D) -> dict[str, Any]:
        """The JSON form of a deal."""

    @abstractmethod
    def places(self, deal: D) -> dict[str, Sequence[str]]:
        """Where the cards of a deal lie: "1", "2"… are the hands of the seats; piles are called by their
        names."""

    @abstractmethod
    def start(self, deal: D, options: Settings) -> State:
        """The first state of a deal. `options` are complete (`with_defaults`)."""

    @abstractmethod
    def summarise(self, state: State) -> dict[str, Any]:
        """The result sheet of a finished deal. ValueError before it is over."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the result sheet."""
        return self.form.fields

    def show_form(self, language: str, options: Settings, conditions: Settings) -> dict[str, Any]:
        """The form by which a phone asks for a result sheet, as plain data (docs/forms.md). No deal is in
        it."""
        return self.form.to_json(
            self.names,
            language,
            seats=self.seat_count(conditions),
            options=with_defaults(self.options, options),
            known=self.known(None, conditions),
        )

    def pad(self, options: Settings) -> Pad | None:
        """What a phone needs to take down the play card by card; None where that takes more than everybody
        sees. `options` are complete."""
        return None

    def whole(self, deal: D, options: Settings, actions: Sequence[str]) -> Sequence[str]:
        """The actions of a record, with those that a table leaves out because nobody has heard them."""
        return actions

    def sheet_schema(self, language: str, conditions: Settings) -> dict[str, Any]:
        """The JSON Schema of a result sheet."""
        seats = self.seat_count(conditions)
        return schema(self.form, self.names, language, title=self.name.to(language), seats=seats)

    def sheet_of_row(self, given: Sheet) -> Sheet:
        """The sheet that the filled cells of a club's row mean, complete: what is empty did not happen."""
        return self.form.with_usual(given)

    def known(self, deal: D | None, conditions: Settings | None) -> dict[str, Any]:
        """What everybody at the table knows of a board, and its sheet may be checked against: the names that
        rules read after `known`."""
        seen = {} if deal is None else {name: getattr(deal, name) for name in self.public}
        return dict(conditions or {}) | seen

    def score(
        self,
        sheet: Sheet,
        *,
        deal: D | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        """The outcome of a result sheet. BadSheet names a field that contradicts the rules, another field, or
        the deal where it is known."""
        return self.scored(sheet, deal, with_defaults(self.options, options), conditions or {})

    @abstractmethod
    def scored(self, sheet: Sheet, deal: D | None, options: Settings, conditions: Settings) -> Outcome:
        """What `score` answers; `options` are complete."""

    @abstractmethod
    def match(self, options: Settings, conditions: Settings) -> "Match":
        """The account of a match before its first deal. `options` are complete."""

    def ledger(
        self,
        deals: Sequence[Any],
        *,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> dict[str, Any]:
        """The account of a match from the inputs of its deals: at least over, winner and rows."""
        return self.match(with_defaults(self.options, options), conditions or {}).ledger(deals)

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        """The action of the sensible robot, which knows what its seat may know and no more; any, if the game
        has none.

        Any seat that may act can be asked, also when it is another's turn: `legal` is all that the seat may
        do, and not empty."""
        robot = self.robot
        return random.choice(legal) if robot is None else robot(view, legal)

    def unit_of(self, options: Settings) -> Unit:
        """The unit of a score under these options, of the same divisor as `unit`."""
        return self.unit

    def seat_count(self, conditions: Settings) -> int:
        """How many seats a board of these conditions has."""
        return int(conditions.get("seats", self.seats[0]))

    def dealer_of(self, number: int, conditions: Settings) -> int:
        """Who deals board `number`."""
        return dealer_of(number, self.seat_count(conditions))

    def seat_after(self, seat: int, seats: int) -> int:
        """Who comes next round the table, after the dealer the one who begins."""
        return (seat - 1 + self.direction) % seats + 1

    def conditions_of(self, number: int, conditions: Settings) -> dict[str, Any]:
        """What everybody knows of board `number` before it is dealt: the conditions, and who deals."""
        return {**conditions, "dealer": self.dealer_of(number, conditions)}

    def words(self, action: str) -> Phrase:
        """An action that does not play a card, in words: by its own name, or by its verb's."""
        if action in self.names:
            return self.names[action]
        verb, _colon, what = action.partition(":")
        mark = self.between.get(verb)
        things = what if mark is None else enumeration([self.thing(one) for one in what.split(mark)])
        return Phrase("{verb}: {what}", verb=self.names[verb], what=things)

    def thing(self, named: str) -> Phrase:
        """One of the things that an action names, in words."""
        return self.names[named]

    def spoken(self, action: str, pack: Container[str]) -> tuple[Phrase, tuple[str, ...]]:
        """An action in words, and the cards of the pack that it names, which are shown beside."""
        verb, _colon, what = action.partition(":")
        cards = (
            ()
            if verb in self.calls
            else tuple(word for word in re.findall("[0-9A-Z]+", what) if word in pack)
        )
        if not cards or re.search("[a-z]", what):
            return self.words(action), cards
        return PLAYS if verb == "play" else self.names[verb], cards

    def sides_of(self, conditions: Settings) -> tuple[tuple[int, ...], ...]:
        """The sides of a board, each the seats that score together."""
        return self.sides or tuple((s + 1,) for s in range(self.seat_count(conditions)))


def with_defaults(options: Iterable[Option], given: Settings | None) -> dict[str, Setting]:
    """All options with their values: as given, and defaults for the others."""
    return {option.name: option.default for option in options} | dict(given or {})


def is_play(token: str) -> bool:
    """Whether an action plays a card.

    >>> is_play("play:QS!marriage"), is_play("bid:100")
    (True, False)
    """
    return token.startswith("play:")


def seat_and_token(entry: str) -> tuple[int | None, str]:
    """Seat and token of an entry: `2 bet:partial` is (2, "bet:partial"); without a seat, None.

    >>> seat_and_token("2 bet:partial"), seat_and_token("pass")
    ((2, 'bet:partial'), (None, 'pass'))
    """
    if " " in entry:
        seat, _space, token = entry.partition(" ")
        if len(seat) < 10 and seat.isascii() and seat.isdigit() and seat.lstrip("0"):
            return int(seat), token
    return None, entry
