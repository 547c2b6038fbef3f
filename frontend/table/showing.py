"""What the page of a table shows, as templates and its script want it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engines import registry, sheets
from engines.by_hand import LETTERS
from engines.contract import Game, Unit, with_defaults
from engines.errors import EngineError
from engines.pads import Melding, Pad
from scoring.rounding import in_units
from tournaments.models import Session, Table
from tournaments.services import board_sets
from tournaments.services.games import conditions_in_words, language
from tournaments.services.names import in_hall
from tournaments.services.own_table import OwnBoard, OwnRound, OwnTable
from tournaments.services.play_drafts import PlayDraft

from ..desk.seating import called_in
from ..labels import side_names


@dataclass(frozen=True, slots=True)
class Mark:
    """What a seat marks by the result that counts."""

    seat: int
    name: str
    score: str
    is_gain: bool


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board of the round. `conditions`: what everybody knows of it, in words; `names`: by seat. `by`: who
    entered what counts, `other` and `other_sentence`: who says something else, and what; `may_agree`: those
    of other sides; `unit`: of the marks, where they are not in the game's smallest; `before`, `before_marks`,
    `before_by`: what the table had entered otherwise, and who; `moves`:
    who sits in which seat, where they sit otherwise than for the board before; `copy`: which one of the
    board is there, "" where there is one alone."""

    own: OwnBoard
    names: Sequence[str]
    conditions: str
    sentence: str
    marks: Sequence[Mark]
    is_open: bool
    by: str = ""
    other: str = ""
    other_sentence: str = ""
    may_agree: Sequence[tuple[int, str, int]] = ()
    moves: bool = False
    unit: str = ""
    before: str = ""
    before_marks: str = ""
    before_by: str = ""
    copy: str = ""

    @property
    def state(self) -> str:
        return str(self.own.state)


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat of the table: who sits there, and what the next board wants of them."""

    number: int
    name: str
    deals: bool
    is_first: bool  # the one to speak or lead after the deal


def conditions_of(session: Session, board: OwnBoard) -> str:
    """Who deals, and what else is preset of the board."""
    game = registry.game(session.game)
    dealer = _("dealer: seat %(seat)d") % {"seat": board.dealer}
    return ", ".join([dealer, *conditions_in_words(game, board.known, language())])


def boards(table: OwnTable, one: OwnRound, named: Mapping[int, str]) -> list[ShownBoard]:
    """The boards of a round, in their order."""
    before = [None, *one.boards[:-1]]
    return [
        _shown(
            table.session,
            board,
            named,
            is_open=one.takes,
            moves=last is not None and dict(last.seats) != dict(board.seats),
        )
        for last, board in zip(before, one.boards, strict=True)
    ]


def _shown(
    session: Session, board: OwnBoard, named: Mapping[int, str], *, is_open: bool, moves: bool
) -> ShownBoard:
    game = registry.game(session.game)
    names = _names(session, board, named)
    sentence, marks, other = "", [], ""
    own = next((side for side in game.sides_of(session.conditions) if board.by in side), ())
    if board.opposing is not None:
        other = sentence_of(session, board, board.opposing, names)
    if board.sheet is not None and board.scores is not None:
        sentence = sentence_of(session, board, board.sheet, names)
        divisor = _unit(session).divisor
        marks = [
            Mark(seat, names[seat - 1], in_units(score, divisor), score > 0)
            for seat, score in enumerate(board.scores, 1)
            if is_first(board, seat)
        ]
    return ShownBoard(
        board,
        names,
        conditions_of(session, board),
        sentence,
        marks,
        is_open,
        by=_speaker(board.by, names, is_official=board.is_official),
        other=_speaker(board.opposed_by, names),
        other_sentence=other,
        may_agree=[
            (seat, name, sum(one == board.seats.get(seat) for one in board.seats.values()) or 1)
            for seat, name in enumerate(names, 1)
            if seat not in own and is_first(board, seat)
        ],
        moves=moves,
        unit=unit_shown(session),
        **_before(session, board, names),
    )


def _before(session: Session, board: OwnBoard, names: Sequence[str]) -> dict[str, str]:
    """What the table had entered before, where it was something else: its sentence, its marks by seat."""
    if (told := board.before) is None:
        return {}
    divisor = _unit(session).divisor
    marks = " ".join(
        in_units(score, divisor) for seat, score in enumerate(told.scores, 1) if is_first(board, seat)
    )
    return {
        "before": sentence_of(session, board, told.sheet, names),
        "before_marks": f"({marks})",
        "before_by": _speaker(told.by, names),
    }


def _unit(session: Session) -> Unit:
    game = registry.game(session.game)
    return game.unit_of(with_defaults(game.options, session.options))


def unit_shown(session: Session) -> str:
    """What marks are counted in, where that is not the smallest unit of the game; "" elsewhere."""
    shown = _unit(session).shown
    return _("in %(unit)s") % {"unit": shown.to(language())} if shown else ""


def is_first(board: OwnBoard, seat: int) -> bool:
    """Whether a seat is the first of whoever sits there: a pair sits in two, and marks and agrees once."""
    held = board.seats.get(seat)
    return held is None or all(board.seats.get(one) != held for one in range(1, seat))


def _speaker(seat: int | None, names: Sequence[str], *, is_official: bool = False) -> str:
    """Who says what stands in a sheet."""
    if is_official:
        return _("The desk")
    return names[seat - 1] if seat else _("The phone for all")


def _names(session: Session, board: OwnBoard, named: Mapping[int, str]) -> list[str]:
    """By seat, who plays a board."""
    count = registry.game(session.game).seat_count(session.conditions)
    return [
        named.get(board.seats.get(seat, 0), _("Seat %(seat)d") % {"seat": seat})
        for seat in range(1, count + 1)
    ]


def _short(names: Sequence[str]) -> list[str]:
    """First names, as those at a table call each other, where they tell them apart.

    >>> _short(["Anna Roux", "Bruno Roux", "Anna Petit"])
    ['Anna Roux', 'Bruno', 'Anna Petit']
    """
    first = [name.split(" ")[0] for name in names]
    is_enough = [first.count(one) == 1 and not one.endswith(".") for one in first]
    return [one if enough else name for one, name, enough in zip(first, names, is_enough, strict=True)]


def sentence_of(session: Session, board: OwnBoard, sheet: Mapping[str, Any], names: Sequence[str]) -> str:
    """What a sheet says, in the words of its game."""
    game = registry.game(session.game)
    options = with_defaults(game.options, session.options)
    try:
        return sheets.sentence(game, dict(sheet), language(), names, options, board.known) or ""
    except EngineError:  # what a record says needs more than its sheet
        return ""


def seats(table: OwnTable, one: OwnRound, named: Mapping[int, str]) -> list[ShownSeat]:
    """Who sits in which seat for the next board of the round, in the order of the seats."""
    board = one.next_board or one.boards[-1]
    first = registry.game(table.session.game).seat_after(board.dealer, len(board.seats))
    return [
        ShownSeat(seat, named.get(contestant, ""), seat == board.dealer, seat == first)
        for seat, contestant in sorted(board.seats.items())
    ]


def owners(one: OwnRound, named: Mapping[int, str]) -> list[tuple[int, str]]:
    """Whose a phone at the table may be: each contestant once, with the first of its seats."""
    board = one.next_board or one.boards[-1]
    first = {contestant: seat for seat, contestant in sorted(board.seats.items(), reverse=True)}
    return sorted((seat, named.get(contestant, "")) for contestant, seat in first.items())


def sides(session: Session, one: OwnRound, named: Mapping[int, str]) -> list[tuple[str, str, str]]:
    """What each side is called on the slips, its seats, and who it is; nothing where each seat has its own
    result."""
    game, board = registry.game(session.game), one.next_board or one.boards[-1]
    own = game.sides_of(session.conditions)
    return [
        (called, " + ".join(map(str, seats)), named.get(board.seats.get(seats[0], 0), ""))
        for called, seats in zip(side_names(game), own, strict=False)
        if len({board.seats.get(seat) for seat in seats}) == 1
    ]


def planned(one: OwnRound, named: Mapping[int, str]) -> dict[int, str]:
    """Who is to sit in each seat at the first board of a round, which tells of all others."""
    first = min(one.boards, key=lambda board: board.number)
    return {seat: named.get(contestant, "") for seat, contestant in sorted(first.seats.items())}


def names_at(table: OwnTable, *rounds: OwnRound | None) -> dict[int, str]:
    """By contestant, whoever sits at the table in these rounds, as those at a table call each other."""
    sitting = {
        one.number: {pk for board in one.boards for pk in board.seats.values()}
        for one in rounds
        if one is not None
    }
    found: dict[int, str] = {}
    for words in called_in(table.session, in_hall(table.session, is_at_table=True), sitting).values():
        found = words | found
    return found


def goes(table: OwnTable, named: Mapping[int, str]) -> list[tuple[str, str]]:
    """Where those who sit here now play next: “Gaspard”, table “2”; no table for those who rest."""
    several = table.session.sections.count() > 1
    return [
        (named.get(contestant, "?"), f"{section}{number}" if several else str(number))
        for contestant, (section, number) in sorted(table.goes.items(), key=lambda one: one[1])
    ] + [(named.get(contestant, "?"), "") for contestant in table.rests]


def who_played(table: OwnTable, named: Mapping[int, str]) -> list[tuple[int, str, int]]:
    """Those who have played here and sit elsewhere now, while they may still agree with a result of this
    table: their seats, their names, and the round."""
    sitting = {pk for board in table.now.boards for pk in board.seats.values()} if table.now else set()
    found: dict[int, tuple[int, str, int]] = {}
    for one in (table.before, *table.earlier):
        for board in one.boards if one is not None else ():
            for seat, contestant in sorted(board.seats.items()):
                if contestant not in sitting and contestant in named and one is not None:
                    found.setdefault(contestant, (seat, named[contestant], one.number))
    return list(found.values())


def data(
    table: OwnTable,
    shown: Sequence[ShownBoard],
    named: Mapping[int, str],
    earlier: Sequence[ShownBoard],
) -> dict[str, Any]:
    """What the page's script knows of the boards of this round, and of `earlier` ones that can be agreed
    with."""
    game = registry.game(table.session.game)
    return {
        "game": game.id,
        "called": game.name.to(language()),
        "options": table.session.options,
        "divisor": _unit(table.session).divisor,
        "letters": LETTERS if shown and board_sets.letter(table.session, shown[0].own.number) else "",
        "sides": [list(side) for side in game.sides_of(table.session.conditions)],
        "boards": {
            one.own.number: _told(table.session, one)
            | {
                "state": one.state,
                "open": one.is_open,
                "submission": one.own.submission,
                "sheet": one.own.sheet,
                "by": one.own.by,
                "agreed": one.own.agreed,
                "said": one.own.said,
                **({"before": one.own.before.sheet} if one.own.before else {}),
                **({"other": [one.own.opposed_by, one.own.opposing]} if one.own.opposing else {}),
            }
            for one in shown
        },
        **(
            {"past": {one.own.number: {"names": one.names, "by": one.own.by} for one in earlier}}
            if earlier
            else {}
        ),
        "later": [
            {
                "round": one.number,
                "boards": {
                    board.own.number: _told(table.session, board) for board in boards(table, one, named)
                },
            }
            for one in table.later
        ],
    }


def _told(session: Session, board: ShownBoard) -> dict[str, Any]:
    """What everybody knows of a board."""
    there = {one.name for one in registry.game(session.game).conditions}
    return {
        "known": board.own.known,
        "conditions": {name: value for name, value in board.own.known.items() if name in there},
        "dealer": board.own.dealer,
        "first": registry.game(session.game).seat_after(board.own.dealer, len(board.names)),
        "names": board.names,
    }


def form(session: Session) -> dict[str, Any]:
    """The form of the session's game, for all of its boards: what is known of each stands with it."""
    game = registry.game(session.game)
    return game.show_form(language(), session.options, session.conditions)


# ── Card by card ──────────────────────────────────────────────────────────────────────────────────


def pad_of(session: Session) -> Pad | None:
    """What takes down the play of a board; None where the game has none, or not with these options."""
    game = registry.game(session.game)
    return game.pad(with_defaults(game.options, session.options))


def pad(
    session: Session, one: Pad, board: OwnBoard, named: Mapping[int, str], draft: PlayDraft
) -> dict[str, Any]:
    """The pad of a board, and what was taken down so far."""
    kept = {"entries": list(draft.entries), "revision": draft.revision}
    names, game = _names(session, board, named), registry.game(session.game)
    own = {"dealer": board.dealer, "number": board.number, "known": board.known, "kept": kept}
    return pad_keys(game, one, names, own)


def pad_keys(game: Game[Any], one: Pad, names: Sequence[str], more: dict[str, Any]) -> dict[str, Any]:
    """The keys of a pad, suit by suit from the highest card, and what its script knows."""
    short = _short(list(names))
    around = {"seats": len(names), "names": names, "short": short}
    told = one.to_json(game.names, game.words, game.thing, language())
    for stage in told["stages"]:
        for word in (*stage.get("words", ()), *stage.get("said", {}).get("words", ())):
            if "seat" in word:  # people, where a game says their seats
                word["label"] = word["words"] = f"{word['label']}, {short[word['seat'] - 1]}"
    return {
        "told": told | around | more,
        "names": short,
        "rows": [_row(suit, cards) for suit, cards in one.rows() if cards],
        "counts_hands": any("throws" in stage for stage in told["stages"]),
        "in_points": any(isinstance(stage, Melding) for stage in one.stages),
        "has_pages": any(len(cards) > LONGEST_ROW for _suit, cards in one.rows()),
    }


LONGEST_ROW = 16  # more cards of a kind lie on a page of their own


def _row(suit: str, cards: Sequence[str]) -> dict[str, Any]:
    """Cards of a suit, in as few lines of at most eight as there can be."""
    lines = -(-len(cards) // 8)
    return {
        "suit": suit or "T",
        "cards": cards,
        "columns": -(-len(cards) // lines),
        "page": int(len(cards) > LONGEST_ROW),
    }


def begun(table: OwnTable) -> list[int]:
    """The boards whose rounds this table has begun, those of the present one first; none while nothing is
    being played."""
    if table.session.state not in (Session.State.READY, Session.State.RUNNING):
        return []
    there = [one for one in (table.now, table.before) if one is not None and not one.is_waiting]
    shown = [board.number for one in there for board in one.boards]
    return [*shown, *(board for board in table.past if board not in shown)]


def table_name(table: Table) -> str:
    """As it is called in the room: with its section, where there are several."""
    section = table.section
    several = section.session.sections.count() > 1
    return f"{section.name}{table.number}" if several else str(table.number)
