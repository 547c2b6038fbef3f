"""What a phone needs to take down the play of a deal from what everybody at the table sees, as plain data.

It knows no hand and no stock: which cards there are, what is said before the first one and with one, who
leads, and what takes a trick. So it can say whose turn it is, and never what somebody may play. What lies
face down is asked after the last card. docs/forms.md tells a program that draws it what it means.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .cards import Pack
from .phrases import Phrase

Words = tuple[str, ...]
SEATS_OF_COSTUMES = 3
SHORT = 4  # letters of a label of which many stand in a line


@dataclass(frozen=True, slots=True)
class Turned:
    """So many cards lie face up, whose suits are trumps; or each of those that have `names`, whole. They
    `stay` there to be taken; `until`: with the first card that is not of this suit, which names trumps,
    there is no further one. `unless`: not where one of these was bid; `count` and `names` are those of all
    cards that lie there by then."""

    count: int
    names: Words = ()
    stay: bool = False
    until: str = ""
    unless: Words = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contracts:
    """What each seat may announce once, where one of `when` was bid: `words`, those `of_trumps` only where
    there are trumps, one that `bars` names not with or after the other. `contre`: how a contre of the `game`
    begins, or of a contract and its seat; the sides take turns, up to so many `levels`, the one against its
    owner first."""

    words: Words
    when: Words
    of_trumps: Words
    bars: Mapping[str, str]
    contre: str
    game: str
    levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Seats speak in turn. `begins`: the dealer's left, the taker, the taker's left, whoever said the last
    word `closing` (closer), or who led the last first trick (leader); `turns`: so many in all, or as long as
    it is not over.

    `bids`, from low to high: whoever said the last one is the taker; each `rises` so many places above the
    last at least, and by one of the `jumps`, if there are any. `words`: what else may be said; those of
    `free` take no turn, those of `answers` follow what begins so, those of `only` are for the taker or for
    the others. With `trumps` the last letter of a bid or word names them. With
    `between` a seat names several of the words, after the `verb`, `twice` where one may be named twice, or
    `nothing`. `against`: of what the other side has said, such as `quasi@3`; what names no seat is the
    taker's.

    It is over at one of the words `closing`; at the taker's own pass (`own`); at so many `passes` in a row
    after a bid, or of seats that speak no more (`out`), once there were `least` turns; without a bid nobody
    plays after `without` of them. `opens`: the first may not pass. `never`: what the last number may not
    bring the sum to. `when`: only if one of these has been said, or is the bid; `unless`: not if one has.

    `goes_on`: without a bid comes what follows. `proposed`: a bid takes the suit of the first turned card
    as trumps; `barred`: it is no longer to be bid; `of_turned`: only suits of turned cards are bid.
    `lifts`: only if the last turned card is of trumps or of these ranks. `contracts`: what may be announced
    and contred, of these words. `maintained`: those speak who have said one of the words, each of what they
    have said."""

    begins: str = "left"
    turns: int = 0
    bids: Words = ()
    words: Words = ()
    rises: int = 1
    jumps: tuple[int, ...] = ()
    free: Words = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, str] = field(default_factory=dict)
    trumps: bool = False
    verb: str = ""
    between: str = ""
    nothing: str = "pass"
    twice: bool = False
    against: bool = False
    closing: Words = ()
    own: bool = False
    passes: int = 0
    out: bool = False
    without: int = 0
    least: int = 0
    opens: bool = False
    never: int = 0
    when: Words = ()
    unless: Words = ()
    goes_on: bool = False
    proposed: bool = False
    barred: bool = False
    of_turned: bool = False
    lifts: str = ""
    contracts: Contracts | None = None
    maintained: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """The taker's opponents may challenge, by the first of `raises`, or each `refuses`; after each of at most
    `levels` the other side answers, each of it in turn. Where all of a side say `concedes` it ends there. Not
    without a taker, nor where a contract other than `beside` was announced."""

    raises: Words
    refuses: str
    accepts: str
    concedes: str
    levels: int
    beside: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceDown:
    """Cards that nobody else sees, told once all have been played: `who` laid them aside, the taker, the
    closer of a talk, the others, all from the taker or from the dealer's left, after the `verb`; `count` of
    them, or any number; `nothing`: what stands for none. `given`: one to each of the others, which has played
    it since."""

    who: str
    verb: str
    count: int = 0
    nothing: str = ""
    given: bool = False
    when: Words = ()
    unless: Words = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tricks:
    """Tricks of one card from each seat, `cards` in all. `leads`: the first, or the taker (`lead_words`: or
    if one of these was said), or whoever won the last one (winner); the seat before the taker, if one of
    `before_words` was said. `said`: what a seat may say, once, before its card. `lost`: where one of these
    was bid, a trick of the taker ends it.

    `order`: ranks from low to high, of trumps `trump_order`; where that does not tell it, `ranked` has by
    trumps (or by "", whatever they are) the cards of each suit from the highest, those of "trumps" above all
    others. A card of `alone` that is led loses to these ranks and to trumps; it never takes another.
    `marks`: what may be said with a card, as the end of its token; `making`: the one that makes its suit
    trumps. `cancelling`: two trumps of one rank in a trick of three cancel each other. `gives`: how the token
    begins by which the winner of a trick names the seat that gets it and leads, each at most `quota` times a
    round; not of the last trick.

    `duty`: who has a card of the suit led plays one ("suit"), and else a trump ("trump"): what was taken down
    tells who has not. A card without a suit is free; the highest `spared` trumps need not be played where
    they are a seat's only ones and a trump lies there."""

    cards: int
    order: str
    trump_order: str = ""
    ranked: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    alone: Mapping[str, str] = field(default_factory=dict)
    leads: str = "left"
    lead_words: Words = ()
    marks: Words = ()
    making: str = ""
    cancelling: bool = False
    gives: str = ""
    quota: int = 0
    before_words: Words = ()
    said: Talk | None = None
    lost: Words = ()
    duty: str = ""
    spared: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """Cards are laid in turn, each seat holding `hand` cards that are filled up from the rest of `cards`.
    Whoever leads goes on, with the rank led or a card of the rank `wild`, or says `stop`; the last such card
    takes the trick."""

    cards: int
    order: str
    hand: int
    wild: str
    stop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """A card is turned up, then each seat plays one that `adds` to the total, up to the `goal`; the ranks of
    `fills` bring it there. Those of `skips` leave out a seat, those of `reverses` turn the direction; so does
    the turned one (`effects`). Only ranks of `saves` may pass the goal; `late`: or any below it. It is over
    when a seat cannot play. Cards come back."""

    order: str
    adds: Mapping[str, int]
    goal: int
    fills: str
    skips: str
    reverses: str
    saves: str
    effects: bool = False
    late: bool = False
    cards: int = 1  # at least


@dataclass(frozen=True, slots=True, kw_only=True)
class Fishing:
    """Each card takes the one of its rank on the table, and those that follow it there, the first of `order`
    after the last; `cards` in all, `hand` to each seat at a time. One that stays may bring the number of the
    cards that then lie there (`numbers`), as one that could take does if it is said with the mark `place`.

    Before the dealt cards are looked at, the dealer lays `extension` more cards on the table, after the
    `verb`, one of the `ends` saying from where they count: always before distribution `at`, or before any,
    as one of the words `whether` says, and at the latest before the last. Four of a rank on the table then
    end it, and so does the fourth card of a rank in a row."""

    cards: int
    order: str
    hand: int
    numbers: Mapping[str, int]
    place: str
    verb: str
    extension: int
    ends: Words
    whether: Words
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """In turn, from the dealer's left, each seat shows two or more cards of a `rank` after the `verb`, and
    takes fewer of those that lie face up, or says `nothing`. What it gave for them is told once all have
    been played."""

    rank: str
    verb: str
    nothing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trading:
    """A card of the hand for one that lies face up, of one suit, after the `verb`, until the dealer says
    `nothing`: an ordinary card for a Démon, of trumps and of the suit `always`, once each; `again`: as
    often as there is one."""

    verb: str
    nothing: str
    always: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wagers:
    """Bets that any seat may open while a card is waited for: each of `opens` while at most so many cards
    have been played; the one that comes `first` only before any other, and who concedes it says no more
    of either. The others answer in turn by one of `answers`: concede, hold, raise; after the last of the
    `levels` nobody raises."""

    opens: Mapping[str, int]
    first: str
    answers: Words
    levels: int

    @property
    def calls(self) -> Words:
        return tuple(self.opens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Objectives:
    """What any seat may say of each of the `names` while a card is waited for, by one of the `verbs`: bet,
    push a bet of another one, concede; and how the others `answer`: hold, good, push, silent. Who is
    `decided` by tricks is no longer talked about. After the play each seat that has not conceded the
    others in turn shows what it has, after the verb `exposes`, concedes, or bets."""

    names: Words
    verbs: Words
    answers: Words
    decided: str
    exposes: str

    @property
    def calls(self) -> Words:
        return tuple(f"{verb}:{name}" for name in self.names for verb in self.verbs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Costumes:
    """Tricks of one card from each seat, `cards` in all or until a seat has `enough` tricks; the dealer's
    left leads, then whoever won. By trumps (or by "", whatever they are), `demons` from the weakest:
    each may be played as another face: as one that lies face up (`borrows`), which goes with it, or as
    any. In a trick the highest face of trumps or of the suit led wins, of equal ones the stronger Démon,
    else the first; where they borrow, one that shows itself is above all, and only others like it answer
    it.

    `marks`: what may be said with a card; one that ends with `more` only if the seat has said the same of
    its last card, or, with `apart`, of an earlier one. `talk`: what any seat may say at any time. After a
    trick with the strongest Démon that did not lie face up at first, its player may trade a card for one of
    those, after the verb `trades`, or says that it `stays`."""

    cards: int
    order: str
    demons: Mapping[str, Words]
    talk: Wagers | Objectives
    borrows: bool = False
    marks: Words = ()
    more: str = ""
    apart: bool = False
    enough: int = 0
    trades: str = ""
    stays: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rummy:
    """In turn, from the dealer's left, each seat draws (`draws`: a card of the stock, or the last one thrown
    away), may lay combinations or add to those that lie there, and throws a card away (`throws`), of `hand`
    cards each and `whole` in the packs. It is over when a hand is empty.

    Combinations have `sizes`, one card of which may be the `joker`, at most; `order`: ranks from low to high,
    of which the first also follows the last; `multicolour`: runs of any suits. A seat first lays those of the
    `contracts`, by what the board's number or its session says (`by`), and more in its later turns. `keeps`:
    the last card is to be thrown away. Without a stock what was thrown away is shuffled, so many times
    (`reshuffles`); then, or after so many `turns`, it is over, too."""

    order: str
    whole: int
    hand: int
    draws: Words
    throws: str
    joker: str
    sizes: Mapping[str, int]
    contracts: Mapping[int, tuple[int, int]]
    by: str
    reshuffles: int
    turns: int
    multicolour: bool = False
    keeps: bool = False
    cards: int = 1  # at least


@dataclass(frozen=True, slots=True, kw_only=True)
class Melding:
    """Tricks of two seats, `cards` in all; while there is a stock each draws after a trick, up to a `hand`,
    and anything may be answered. The dealer's left leads, then whoever won. Before both draw the winner may
    lay combinations (`announces`) on the table, where the cards stay in the hand; the first of them is
    marked, the others are pending. What they are worth: `mariages` and `suites` (in trumps the second
    number), `besigues` of the `pair` by their number, `carres` by rank, and `trump_carres`.

    `needs_new`, `connected`, `apart`: an announcement needs a new card, its combinations only hang together,
    a mariage and a suite are not announced together. A hand without a figure, dealt or after each draw in an
    unbroken chain (`any_time`: after any), is shown with the word `shows` and worth `shown`. The winner of
    the last trick marks `last`; then those with fewer points than `under` are `asked`, until one says the
    first word."""

    cards: int
    hand: int
    order: str
    announces: Words
    mariages: Mapping[int, tuple[int, int]]
    pair: Words
    besigues: Mapping[int, int]
    carres: Mapping[str, int]
    suites: tuple[int, int]
    suite: str
    refusals: Mapping[str, Phrase]
    trump_carres: Mapping[str, int] = field(default_factory=dict)
    needs_new: bool = False
    connected: bool = False
    apart: bool = False
    shows: str
    shown: int
    any_time: bool = False
    last: int
    under: int
    asked: Words


Stage = (
    Turned
    | Talk
    | Challenge
    | FaceDown
    | Tricks
    | Matching
    | Counting
    | Fishing
    | Showing
    | Trading
    | Costumes
    | Rummy
    | Melding
)
PLAYED = (Tricks, Matching, Counting, Fishing, Costumes, Rummy, Melding)
Said = Callable[[str], Phrase]


@dataclass(frozen=True, slots=True)
class Pad:
    """What happens in a round, in order, and how many rounds a board has at most; `turn`: 1 clockwise, −1
    the other way. Of the cards `once` there is one, whatever the pack's copies, and of those of
    `counts` so many; those of `without` are not there. `rows`: the cards as a phone shows them; the later
    ones of `pages` on a page of their own."""

    pack: Pack
    stages: tuple[Stage, ...]
    rounds: int = 1
    turn: int = 1
    once: Words = ()
    without: Words = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def cards(self) -> int:
        """How many cards are played in a round."""
        return sum(
            stage.enough * SEATS_OF_COSTUMES if isinstance(stage, Costumes) and stage.enough else stage.cards
            for stage in self.stages
            if isinstance(stage, PLAYED)
        )

    @property
    def ends_anywhere(self) -> bool:
        """Whether a play may be whole after any card, where the next seat cannot go on: whether one is taken
        tells whether that seat could."""
        return any(
            isinstance(stage, Counting | Rummy) or (isinstance(stage, Costumes) and bool(stage.enough))
            for stage in self.stages
        )

    def is_whole(self, actions: Sequence[str]) -> bool:
        """Whether all cards of a round at least were played: a shorter play would ask about hands."""
        verb = next((stage.throws for stage in self.stages if isinstance(stage, Rummy)), "play:")
        return sum(verb in one for one in actions) >= self.cards

    def rows(self) -> list[tuple[str, list[str]]]:
        """The cards by suits, each from the highest; cards without a suit at the end."""
        order = next(stage.order for stage in self.stages if isinstance(stage, PLAYED))
        rows = [
            (suit, [rank + suit for rank in order[::-1] if rank + suit not in self.without])
            for suit in self.pack.suit_letters
        ]
        shown = {token for _suit, tokens in rows for token in tokens}
        return [
            *rows,
            ("", [token for token in self.pack.faces[::-1] if token not in {*shown, *self.without}]),
        ]

    def to_json(self, names: Mapping[str, Phrase], said: Said, thing: Said, language: str) -> dict[str, Any]:
        """`said`: a token in words, of the game; `thing`: what it names."""
        wording = _Wording(names, said, thing, language)
        return {
            "suits": self.pack.suit_letters,
            "copies": self.pack.copies,
            "once": self.once,
            "counts": self.counts,
            "faces": [face for face in self.pack.faces if face not in self.without],
            "rounds": self.rounds,
            "turn": self.turn,
            "cards": self.cards,
            "stages": [wording.stage(stage, self.pack) for stage in self.stages],
            "labels": wording.labels(self.stages),
        }


def tarot_ranks(pack: Pack) -> dict[str, dict[str, Sequence[str]]]:
    """The suits and the trumps of a tarot pack from the highest, whatever is played; the Excuse in none."""
    suits = {"trumps": "T"} | {suit: suit for suit in pack.suit_letters}
    return {"": {name: pack.tokens(pack.suit(suit)) for name, suit in suits.items()}}


@dataclass(frozen=True, slots=True)
class _Wording:
    """Stages as plain data, in a language."""

    names: Mapping[str, Phrase]
    said: Said
    thing: Said
    language: str

    def word(self, token: str, *, verb: str = "", suits: str = "") -> dict[str, Any]:
        """`label`: as short as a key, beside the `suit` that it names; `words`: as it is read out; `seat`:
        whose contract it is about."""
        whole = f"{verb}:{token}" if verb and token not in self.names else token.lstrip("!")
        what = whole.partition(":")[2] or whole
        read = self.names[whole] if whole in self.names else self.said(whole)
        name = self.names.get(whole) or self.names.get(what)
        suit = what[-1] if what[-1] in suits else ""
        if name is None and verb:
            name = self.thing(token)
        label = name.to(self.language) if name is not None else what.removesuffix(suit)
        seat = what.partition("@")[2]
        if verb and (seat or token in self.names):
            label = label.partition(" (")[0]  # what it means is read out
        told = {"token": token, "label": label, "suit": suit, "words": read.to(self.language)}
        return told | ({"seat": int(seat)} if seat else {})

    def labels(self, stages: Sequence[Stage]) -> dict[str, str]:
        """What is said at any time, and what it is about, as a strip shows it."""
        talks = [stage.talk for stage in stages if isinstance(stage, Costumes)]
        said = [call for talk in talks for call in talk.calls]
        about = [name for talk in talks if isinstance(talk, Objectives) for name in talk.names]
        laid = [
            word for stage in stages if isinstance(stage, Melding) for word in (stage.shows, *stage.announces)
        ]
        return {one: self.word(one)["words"] for one in (*said, *about, *laid)}

    def stage(self, stage: Stage, pack: Pack) -> dict[str, Any]:
        match stage:
            case Turned():
                labels = [self.names[name].to(self.language) for name in stage.names]
                return {"kind": "turned", "labels": labels} | _plain(stage)
            case Challenge():
                said = (*stage.raises, stage.accepts, stage.concedes, stage.refuses)
                return {"kind": "challenge"} | _plain(stage) | {"words": [self.word(one) for one in said]}
            case FaceDown():
                return {"kind": "down", "label": self.names[stage.verb].to(self.language)} | _plain(stage)
            case Talk():
                suits = pack.suit_letters if stage.trumps else ""
                said = (*stage.bids, *stage.words)
                apart = {stage.nothing, *stage.free, *stage.answers}
                words = [
                    self.word(one, verb=stage.verb, suits=suits) | {"is_apart": one in apart} for one in said
                ]
                is_short = all(len(one["label"]) <= SHORT for one in words if not one["is_apart"])
                return {"kind": "talk"} | _plain(stage) | {"words": words, "is_short": is_short}
            case Matching():
                return {"kind": "matching"} | _plain(stage) | {"stop": self.word(stage.stop)}
            case Counting():
                return {"kind": "counting"} | _plain(stage)
            case Fishing():
                words = [self.word(one) for one in stage.whether]
                return {"kind": "fishing"} | _plain(stage) | {"words": words, "place": self.word(stage.place)}
            case Showing() | Trading():
                kind, asks = ("showing", "shows") if isinstance(stage, Showing) else ("trading", "trades")
                words = [self.word(stage.nothing)]
                return {"kind": kind, "asks": asks} | _plain(stage) | {"words": words}
            case Costumes():
                talk = stage.talk
                return {"kind": "costumes", "asks": "devil"} | _plain(stage) | {
                    "marks": [self.word(mark) for mark in stage.marks],
                    "calls": [self.word(call) for call in talk.calls],
                    "answers": [self.word(answer) for answer in talk.answers],
                    "words": [self.word(stage.stays)] if stage.stays else [],
                    "talk": {"kind": type(talk).__name__.lower()} | _plain(talk),
                }  # fmt: skip
            case Rummy():
                kinds = {kind: self.names[kind].to(self.language) for kind in stage.sizes}
                draws = [self.word(one) for one in stage.draws]
                return {"kind": "rummy"} | _plain(stage) | {"draws": draws, "kinds": kinds}
            case Melding():
                return {"kind": "melding"} | _plain(stage) | {
                    "words": [self.word(one) for one in stage.asked],
                    "shows": self.word(stage.shows),
                    "announces": [self.word(kind) for kind in stage.announces],
                    "refusals": {name: rule.to(self.language) for name, rule in stage.refusals.items()},
                }  # fmt: skip
            case Tricks():
                marks = {"marks": [self.word(mark) for mark in stage.marks]}
                order, trumps = stage.order[::-1], (stage.trump_order or stage.order)[::-1]
                spoken = {"said": self.stage(stage.said, pack)} if stage.said else {}
                orders = {"order": order, "trump_order": trumps}
                return {"kind": "tricks"} | _plain(stage) | marks | orders | spoken


def _plain(stage: Stage | Contracts | Wagers | Objectives) -> dict[str, Any]:
    """What a stage says beyond what is usual: nothing."""
    said = {name: value for name in stage.__slots__ if (value := getattr(stage, name))}
    parts = (Contracts, Wagers, Objectives)
    return {name: _plain(one) if isinstance(one, parts) else one for name, one in said.items()}
