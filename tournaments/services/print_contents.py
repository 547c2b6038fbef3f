"""What stands on each thing that is printed: rows into values, then onto the paper.

An evening is read once for all that is printed of it; the queries do not grow with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engines import by_hand, registry
from scoring.methods import METHODS
from scoring.rounding import decimals, in_units

from ..models import Account, Board, Result, Seating, Section, Session, Substitution, Token
from ..models.open_boards import over_in
from ..models.people import plain
from ..printing import (
    deals,
    seating,
    travelling,
)
from ..printing import (
    guide_cards as guide_pages,
)
from ..printing import (
    labels as label_pages,
)
from ..printing import (
    rankings as ranking_pages,
)
from ..printing import (
    scorebook as book_pages,
)
from ..printing import (
    slips as slip_pages,
)
from ..printing import (
    table_cards as table_pages,
)
from ..printing.paper import CardWords, Heading, Paper
from . import (
    board_sets,
    comparisons,
    custody,
    deal_sheets,
    evening_links,
    live_lists,
    logos,
    master_points,
    names,
    rankings,
    ruling_words,
    shuffling,
    table_links,
)
from .awards import AwardBook
from .games import conditions_in_words, value_in_words
from .names import Named, Reader
from .percentages import in_percent

Tell = Callable[[float], None]
FIRST = 3  # who get certificates
MARK_LETTERS = 9
STRUCK = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})  # no accents to take away
ROOM = 4  # places at a table, beside whose marks a page has room for awards


@dataclass(frozen=True, slots=True)
class PlayRow:
    """A board at a table, called as in the room; `contestants`: by seat, their ids."""

    play: int
    round: int
    table: str
    board: int
    board_id: int
    contestants: tuple[int, ...]


@dataclass
class PrintedEvening:
    """A session as its prints need it, by whoever prints: the sections in their charge, names as they read
    them."""

    session: Session
    actor: Account | Token
    account: Account
    reader: Reader
    language: str
    at: datetime
    base: str = ""
    held: Collection[int] = ()

    @cached_property
    def game(self) -> Any:
        return registry.game(self.session.game)

    @cached_property
    def heading(self) -> Heading:
        day = self.session.starts_at or self.session.created_at
        words = formats.date_format(day.astimezone(self.session.tournament.club.zone), "j F Y")
        club = self.session.tournament.club
        logo = logos.content_of(club) if club.logo else None
        return Heading(club.name, self.session.name, words, logo)

    @cached_property
    def sections(self) -> list[Section]:
        return list(Section.objects.scored_by(self.account).filter(session=self.session).order_by("name"))

    @cached_property
    def rows(self) -> list[PlayRow]:
        """The plays of these sections, by round, table and board."""
        seatings = Seating.objects.filter(play__table__section__in=self.sections).order_by(
            "play__round", "play__table__section__name", "play__table__number", "play__board__number", "seat"
        )
        found: dict[int, tuple[int, str, int, int]] = {}
        seated: dict[int, list[int]] = defaultdict(list)
        for play, number, section, table, board, board_id, contestant in seatings.values_list(
            *("play_id", "play__round", "play__table__section__name", "play__table__number"),
            *("play__board__number", "play__board_id", "contestant_id"),
        ):
            found[play] = (number, self.table_name(section, table), board, board_id)
            seated[play].append(contestant)
        return [PlayRow(play, *row, tuple(seated[play])) for play, row in found.items()]

    @cached_property
    def has_several_sections(self) -> bool:
        return self.session.sections.count() > 1

    def table_name(self, section: str, number: int) -> str:
        """As a table is called in the room: with its section, where the session has several."""
        return f"{section}{number}" if self.has_several_sections else str(number)

    @cached_property
    def shuffled(self) -> dict[str, tuple[int, ...]]:
        """By the name of each table, the boards that it shuffles itself; nothing where somebody deals."""
        tables = shuffling.by_table(self.session)
        return {self.table_name(*where): boards for where, boards in tables.items()}

    @cached_property
    def copies(self) -> dict[tuple[int, str], dict[int, int]]:
        """By round and the name of each table, which copy of its boards is there; nothing of those of which
        there is one alone."""
        return {
            (number, self.table_name(*where)): boards
            for number, tables in shuffling.copies_by_round(self.session).items()
            for where, boards in tables.items()
        }

    @cached_property
    def named(self) -> Mapping[int, Named]:
        return names.of_contestants(list(self.session.contestants.values_list("pk", flat=True)), self.reader)

    @cached_property
    def sides(self) -> Sequence[Sequence[int]]:
        """The places at a table: its sides where each is one contestant, else its seats."""
        whole = self.game.sides_of(self.session.conditions)
        together = all(
            len({row.contestants[seat - 1] for seat in side}) == 1 for row in self.rows for side in whole
        )
        return whole if together else [[seat] for seat in range(1, self.seats + 1)]

    @cached_property
    def seats(self) -> int:
        return int(self.game.seat_count(self.session.conditions))

    @cached_property
    def places(self) -> list[str]:
        if all(len(side) == 1 for side in self.sides):
            return [_("Seat %(seat)d") % {"seat": side[0]} for side in self.sides]
        return [_("Seats %(seats)s") % {"seats": " + ".join(map(str, side))} for side in self.sides]

    @cached_property
    def marks(self) -> list[str]:
        """The heads of what each place has marked."""
        return [_("Marks %(seats)s") % {"seats": "+".join(map(str, side))} for side in self.sides]

    @property
    def award_heads(self) -> list[str]:
        """The heads of what that was worth, as far as a page has room for them; none where one table alone
        plays, and nothing is compared."""
        heads = [_("won")] * len(self.sides)
        is_compared = self.session.plays_per_board > 1 or comparisons.adds_up(self.session)
        return heads if is_compared and len(heads) <= ROOM else []

    @cached_property
    def unit(self) -> str:
        """What the session counts in, in a word."""
        unit = METHODS[self.session.method].unit
        return {"percent": "%", "matchpoints": "%", "imps": "IMP"}.get(unit, _("points"))

    @cached_property
    def book(self) -> AwardBook:
        """What plays of the boards that are over were worth."""
        return AwardBook(self.session, list(over_in(self.session).values_list("pk", flat=True)))

    def name(self, contestant: int) -> str:
        return self.named[contestant].name

    def at_places(self, row: PlayRow) -> tuple[str, ...]:
        return tuple(self.name(row.contestants[side[0] - 1]) for side in self.sides)

    def conditions(self, board: int) -> str:
        """What everybody knows of a board: who deals, and what the organiser has set."""
        around = self.game.conditions_of(board, self.session.conditions)
        dealer = _("dealer: seat %(seat)d") % {"seat": around["dealer"]}
        return " · ".join([dealer, *conditions_in_words(self.game, around, self.language)])

    @cached_property
    def known(self) -> Collection[str]:
        """What stands beside the number of every board, and is not asked."""
        return set(self.game.known(None, self.game.conditions_of(1, self.session.conditions)))

    def letter(self, board: int) -> str | None:
        return board_sets.letter(self.session, board)

    @cached_property
    def cards(self) -> CardWords:
        return CardWords(self.language, _("Excuse"), _("trump"))

    def where(self, place: str) -> str:
        """A place of a deal in words."""
        if place.isdigit():
            return _("Seat %(seat)d") % {"seat": int(place)}
        return by_hand.in_words(self.game, place, self.language)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in few words.

    >>> ranges([3, 1, 2, 7]), ranges([4, 5]), ranges([])
    ('1–3, 7', '4, 5', '')
    """
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(
        f"{part[0]}–{part[-1]}" if len(part) > 2 else ", ".join(map(str, part)) for part in parts
    )


# ── Before and while it is played ─────────────────────────────────────────────────────────────────


def table_cards(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    tables = _by(evening.rows, lambda row: row.table)
    codes = _codes(evening)
    for number, (name, rows) in enumerate(tables.items()):
        lines = [
            table_pages.TableRow(
                *(one, ranges(row.board for row in together), evening.at_places(together[0])),
                _copy(evening, together),
            )
            for (one, _seated), together in _by(rows, lambda row: (row.round, row.contestants)).items()
        ]
        table_pages.draw(
            paper,
            evening.heading,
            table_pages.TableCard(
                name, lines, *_page_of(evening, codes.get(name)), _to_shuffle(evening, name, rows)
            ),
            evening.seats,
            evening.places,
        )
        tell((number + 1) / len(tables))


def _copy(evening: PrintedEvening, rows: Sequence[PlayRow]) -> str:
    """Which copy of its boards a table has in a round, board by board where they differ; nothing where there
    is one alone."""
    first = rows[0]
    copies = evening.copies.get((first.round, first.table), {})
    own: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        if row.board in copies:
            own[copies[row.board]].append(row.board)
    if [len(boards) for boards in own.values()] == [len(rows)]:
        return str(*own)
    said = (
        _("%(column)s: %(reason)s") % {"column": ranges(boards), "reason": copy}
        for copy, boards in sorted(own.items())
    )
    return ", ".join(said)


def _to_shuffle(evening: PrintedEvening, table: str, rows: Sequence[PlayRow]) -> str:
    """What a table shuffles, in words, where tables do; nothing where somebody deals."""
    if not evening.shuffled:
        return ""
    own = evening.shuffled.get(table, ())
    words = []
    if own and evening.session.plays_per_board == 1:
        words.append(_("This table shuffles and deals its boards itself."))
    elif own:
        text = ngettext(
            "This table shuffles and deals board %(boards)s, before it plays it; it goes on as it was held.",
            "This table shuffles and deals boards %(boards)s, each before it plays it; they go on as they"
            " were held.",
            len(own),
        )
        words.append(text % {"boards": ranges(own)})
    if {row.board for row in rows} - set(own):
        words.append(_("Boards that others have held are not shuffled again."))
    return " ".join(words)


def _codes(evening: PrintedEvening) -> dict[str, str]:
    """By name of a table, the code of its page, where it has one and addresses are known."""
    links = table_links.codes(table_links.in_force(evening.session, evening.account)) if evening.base else []
    return {evening.table_name(link.table.section.name, link.table.number): code for link, code in links}


def _page_of(evening: PrintedEvening, code: str | None) -> tuple[str, str]:
    """The address of a table’s page, and what one types without a camera; nothing while it has none."""
    if code is None:
        return "", ""
    typed = evening.base.partition("//")[2] or evening.base
    return f"{evening.base}{table_links.path_of(code)}", f"{typed}/t/{table_links.shown(code)}"


def guide_cards(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    last = max((row.round for row in evening.rows), default=0)
    own: dict[int, dict[int, list[PlayRow]]] = defaultdict(lambda: defaultdict(list))
    for row in evening.rows:
        for contestant in set(row.contestants):
            own[contestant][row.round].append(row)
    notes, codes = _substitutes(evening), _evening_links(evening, own)
    cards = [
        guide_pages.GuideCard(
            evening.named[contestant].number,
            evening.name(contestant),
            [
                _stop(evening, contestant, number, own[contestant].get(number, ()))
                for number in range(1, last + 1)
            ],
            address=codes.get(contestant, ""),
            notes=notes.get(contestant, ()),
        )
        for contestant in sorted(own, key=lambda one: evening.named[one].number)
    ]
    for start in range(0, len(cards), 40):
        guide_pages.draw(paper, evening.heading, cards[start : start + 40])
        tell(min((start + 40) / len(cards), 1.0))


def _evening_links(evening: PrintedEvening, contestants: Collection[int]) -> dict[int, str]:
    """By contestant, what the square on its card opens; cards that were printed before open nothing now."""
    if not evening.base or not evening_links.may_make(evening.session, evening.account, evening.held):
        return {}
    made = evening_links.make(session=evening.session, contestants=contestants, actor=evening.actor)
    return {one: f"{evening.base}{evening_links.path_of(secret)}" for one, secret in made.items()}


def _substitutes(evening: PrintedEvening) -> dict[int, list[str]]:
    """By contestant, who plays for whom, and in which rounds."""
    there = Substitution.objects.filter(contestant__session=evening.session, undone_at=None)
    rows = list(there.order_by("first_round", "last_round", "pk"))
    people = {pk for one in rows for pk in (one.player_id, one.for_player_id)}
    called = names.of_players(people, evening.reader, session=evening.session.pk)
    found: dict[int, list[str]] = defaultdict(list)
    for one in rows:
        words = {"substitute": called[one.player_id], "member": called[one.for_player_id]}
        if one.first_round == one.last_round:
            said = _("Round %(first)d: %(substitute)s for %(member)s")
        else:
            said = _("Rounds %(first)d–%(last)d: %(substitute)s for %(member)s")
        found[one.contestant_id].append(said % (words | {"first": one.first_round, "last": one.last_round}))
    return found


def _stop(
    evening: PrintedEvening, contestant: int, number: int, rows: Sequence[PlayRow]
) -> guide_pages.GuideRow:
    if not rows:
        return guide_pages.GuideRow(number, "", "", "", "")
    places = dict.fromkeys(
        tuple(seat for seat, who in enumerate(row.contestants, 1) if who == contestant) for row in rows
    )
    others = dict.fromkeys(who for row in rows for who in row.contestants if who != contestant)
    shown = ", ".join(evening.name(who) for who in others)
    held = ", ".join("+".join(map(str, one)) for one in places)
    if len(places) > 1 and sum(map(len, places)) >= evening.seats:
        held = _("changing")
    return guide_pages.GuideRow(number, rows[0].table, held, ranges(row.board for row in rows), shown)


def slips(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    session = evening.session
    asked = slip_pages.questions(
        evening.game, session.options, session.conditions, evening.language, evening.known
    )
    together = _by(evening.rows, lambda row: (row.round, row.table))
    sides = evening.game.sides_of(session.conditions)
    codes = _codes(evening)
    for number, ((round_, table), rows) in enumerate(together.items()):
        slip = slip_pages.TableSlip(
            _("Table %(table)s, round %(round)d") % {"table": table, "round": round_},
            [
                slip_pages.SlipBoard(row.board, _before_play(evening, row), evening.letter(row.board))
                for row in rows
            ],
            [tuple(evening.name(who) for who in row.contestants) for row in rows],
            _page_of(evening, codes.get(table))[0],
        )
        slip_pages.draw(paper, evening.heading, [slip], asked, sides)
        tell((number + 1) / len(together))


def _before_play(evening: PrintedEvening, row: PlayRow) -> str:
    """The conditions of a board, and whether the table shuffles it, where tables do."""
    words = [evening.conditions(row.board)]
    if evening.shuffled:
        is_first = row.board in evening.shuffled.get(row.table, ())
        words.append(_("shuffle it first") if is_first else _("do not shuffle it"))
    return " · ".join(words)


def travelling_sheets(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    """Sheets that are written on: no result of anybody stands there."""
    _travelling(paper, evening, tell, {})


def travellers(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    """The same with the results that are there, and with what was ruled."""
    _travelling(paper, evening, tell, _came_of(evening, evening.rows))


def _travelling(paper: Paper, evening: PrintedEvening, tell: Tell, came: Mapping[int, Came]) -> None:
    boards = sorted(_by(evening.rows, lambda row: row.board).items())
    for number, (board, rows) in enumerate(boards):
        lines = [
            travelling.TravelRow(
                row.round,
                row.table,
                evening.at_places(row),
                *(_told(evening, row, came[row.play]) if row.play in came else ("", (), ())),
            )
            for row in rows
        ]
        sheet = travelling.TravelSheet(board, evening.conditions(board), evening.letter(board), lines)
        marks = evening.marks, evening.award_heads if came else []
        travelling.draw(paper, evening.heading, [sheet], evening.places, *marks)
        tell((number + 1) / len(boards))


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a play: its result, None where a director ruled what counts without one, and what was
    ruled."""

    result: Result | None
    decided: Sequence[ruling_words.ToldRuling] = ()


def _came_of(evening: PrintedEvening, rows: Collection[PlayRow]) -> dict[int, Came]:
    """By play, for those of which something has come. Two queries."""
    results = {one.play_id: one for one in Result.objects.filter(play__in=[row.play for row in rows])}
    named = {row.play: dict(enumerate(map(evening.name, row.contestants), 1)) for row in rows}
    decided = ruling_words.of_plays(evening.session, named, named)
    return {play: Came(results.get(play), decided.get(play, ())) for play in {*results, *decided}}


def _told(evening: PrintedEvening, row: PlayRow, came: Came) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What happened in a play, and what the rulings in force say, in words; what each place has marked, and
    what that was worth."""
    result, first = came.result, [side[0] for side in evening.sides]
    counted = (None, None, None) if result is None else (result.scores, result.averaged, result.position)
    won = evening.book.at(row.board_id, *counted, play=row.play) or [""] * evening.seats
    ruled = evening.book.ruled.get(row.play)
    words = [] if result is None else [_story(evening, result)]
    words += [_("Ruling: %(ruling)s") % {"ruling": one.words} for one in came.decided if not one.is_replaced]
    return (
        " · ".join(filter(None, words)),
        tuple(
            "–" if result is None else in_units(result.scores[seat - 1], evening.game.unit.divisor)
            for seat in first
        ),
        tuple(
            _bounded(_shown(Fraction(won[seat - 1])), ruled.entries[seat - 1] if ruled else None)
            if won[seat - 1]
            else "–"
            for seat in first
        ),
    )


def _bounded(award: str, token: str | None) -> str:
    """A share with what bounds it in letters: the fonts of paper have no sign for it."""
    sign = ruling_words.bound(token).strip()
    words = {"≤": _("max. %(award)s"), "≥": _("min. %(award)s")}.get(sign, "%(award)s")
    return words % {"award": award}


def _story(evening: PrintedEvening, result: Result) -> str:
    """What a table has done, and then each place: all that has brought no points by itself."""
    parts = [facts_in_words(evening, (one for one in result.facts if not one["seat"]))]
    for side in evening.sides:
        own = facts_in_words(
            evening, (one for one in result.facts if one["seat"] == side[0] and not one["points"])
        )
        if own:
            whose = _("%(column)s: %(reason)s") % {"column": side[0], "reason": ""}
            parts.append(whose.replace(" ", NO_BREAK) + own)
    return _("; ").join(filter(None, parts))


NO_BREAK = "\N{NO-BREAK SPACE}"


def facts_in_words(evening: PrintedEvening, facts: Iterable[Mapping[str, Any]]) -> str:
    """What facts of a result say, one after the other."""
    game, said = evening.game, []
    for fact in facts:
        value, words = fact.get("value"), game.names[fact["fact"]].to(evening.language)
        said.append(words if value is None else f"{words} {value_in_words(game, value, evening.language)}")
    return ", ".join(said)


def _shown(value: Fraction) -> str:
    """A number with two decimals where it needs them."""
    return _with_places(value, 0 if value.denominator == 1 else 2)


def _with_places(value: Fraction, places: int) -> str:
    return str(formats.number_format(decimals(value, places), places)).replace("-", "−")


def labels(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    board_set = evening.session.board_set
    numbers = sorted({row.board for row in evening.rows} | set(board_sets.numbers(evening.session)))
    mark, codes = (board_set.commitment or "")[:MARK_LETTERS], deal_sheets.codes(evening.session)
    dealt = {
        board: _("table %(table)s shuffles it") % {"table": table}
        for table, boards in evening.shuffled.items()
        for board in boards
    }
    label_pages.draw(
        paper,
        [
            label_pages.WalletLabel(
                *(number, evening.conditions(number), evening.letter(number)),
                *(evening.heading.session, evening.heading.day, mark, codes.get(number, "")),
                dealt.get(number, ""),
            )
            for number in numbers
        ],
    )
    tell(1.0)


def door_names(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    first = min((row.round for row in evening.rows), default=1)
    seated: dict[int, tuple[str, str]] = {}
    for row in evening.rows:
        if row.round == first:
            for who in row.contestants:
                seats = [str(seat) for seat, one in enumerate(row.contestants, 1) if one == who]
                seated.setdefault(who, (row.table, "+".join(seats)))
    playing = {who for row in evening.rows for who in row.contestants}
    places = [seating.SeatOfName(evening.name(who), *seated.get(who, ("", ""))) for who in playing]
    places.sort(key=lambda one: in_order(one.name))
    seating.draw_names(paper, evening.heading, places, first)
    tell(1.0)


def in_order(name: str) -> tuple[str, str]:
    """Where somebody stands in a list by family names, as it is read: accents and strokes do not count.

    >>> sorted(["Jean Petit", "Léa Őry", "Maë Łukasz", "Anne Maur"], key=in_order)
    ['Maë Łukasz', 'Anne Maur', 'Léa Őry', 'Jean Petit']
    """
    name = name.casefold().translate(STRUCK)
    return plain(name.rpartition(" ")[2]), plain(name)


def rounds(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    playing = {who for row in evening.rows for who in row.contestants}
    shown = []
    for number, rows in _by(evening.rows, lambda row: row.round).items():
        tables = [
            (
                *(table, ranges(row.board for row in together), evening.at_places(together[0])),
                _copy(evening, together),
            )
            for (table, _seated), together in _by(rows, lambda row: (row.table, row.contestants)).items()
        ]
        out = playing - {who for row in rows for who in row.contestants}
        shown.append(seating.RoundTables(number, tables, sorted(map(evening.name, out))))
    seating.draw_rounds(paper, evening.heading, shown, evening.places)
    tell(1.0)


def scorebook(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    session = evening.session
    asked = slip_pages.questions(evening.game, session.options, session.conditions, evening.language)
    heads = [words for words, _answers in asked.ticked if words] + ([asked.seat] if asked.seat else [])
    name = evening.game.name.to(evening.language)
    book_pages.draw(paper, evening.heading, name, heads[:3], evening.places)
    tell(1.0)


# ── Deals ─────────────────────────────────────────────────────────────────────────────────────────


def dealing_lists(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    """For whoever has custody alone, which the history says; their name is on every page."""
    numbers = board_sets.numbers(evening.session)
    printed = custody.print_lists(session=evening.session, actor=evening.actor, boards=numbers)
    moment = formats.date_format(printed.at.astimezone(evening.session.tournament.club.zone), "d/m/Y H:i")
    watermark = deals.watermark_of(printed.by, moment, printed.mark)
    for number, one in enumerate(printed.lists):
        sheet = deals.DealList(
            one["board"],
            one["letter"],
            [
                (card, evening.where(place) if not place.isdigit() else place)
                for card, place in one["by_card"]
            ],
            [
                (evening.where(place), by_hand.in_order(place, cards))
                for place, cards in one["by_seat"].items()
            ],
            deal_sheets.line(one["code"], one["before"]),
        )
        deals.draw_lists(paper, evening.heading, [sheet], evening.cards, watermark)
        tell((number + 1) / len(printed.lists))


def hand_records(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    """The boards that are over, with their results in the sections of whoever prints."""
    over = set(over_in(evening.session).values_list("pk", flat=True))
    came = _came_of(evening, [row for row in evening.rows if row.board_id in over])
    boards = Board.objects.filter(pk__in=over).order_by("number")
    by_board = _by(evening.rows, lambda row: row.board_id)
    records = []
    for board in boards:
        deal = board_sets.deal_of(evening.session, board.number)
        if deal is None:
            continue
        held = by_hand.by_seat(evening.game, deal)
        lines = [
            (row.table, evening.at_places(row), *_told(evening, row, came[row.play]))
            for row in by_board.get(board.pk, ())
            if row.play in came
        ]
        places = [(evening.where(place), by_hand.in_order(place, cards)) for place, cards in held.items()]
        records.append(deals.HandRecord(board.number, evening.conditions(board.number), places, lines))
        tell(len(records) / len(boards))
    heads = evening.marks, evening.award_heads
    deals.draw_records(paper, evening.heading, records, evening.cards, evening.places, *heads)


# ── Rankings ──────────────────────────────────────────────────────────────────────────────────────


def ranking(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    groups = _groups(evening)
    state = Session.State(evening.session.state).label
    shown = [
        (_("Ranking, line %(line)d") % {"line": number} if len(groups) > 1 else "", rows)
        for number, rows in groups.items()
    ]
    ranking_pages.draw(paper, evening.heading, shown, state=str(state).capitalize(), unit=evening.unit)
    tell(1.0)


def certificates(paper: Paper, evening: PrintedEvening, tell: Tell) -> None:
    game = evening.game.name.to(evening.language)
    for rows in _groups(evening).values():
        ranked = ((row, row.rank.rstrip("=")) for row in rows)
        best = [row for row, rank in ranked if rank.isdigit() and int(rank) <= FIRST]
        ranking_pages.draw_certificates(paper, evening.heading, best, game)
    tell(1.0)


def _groups(evening: PrintedEvening) -> dict[int, list[ranking_pages.RankRow]]:
    """The newest ranking by line group, the best first, as everybody sees it: it is hung on a wall."""
    newest = live_lists.public_ranking(evening.session)
    found: dict[int, list[ranking_pages.RankRow]] = defaultdict(list)
    standings = rankings.standings(newest, reader=evening.reader) if newest is not None else []
    places = rankings.places_of([one.total for one in standings])
    points = master_points.of_contestants(evening.session)
    for one in standings:
        value = one.total.value
        shown = "–" if value is None else _with_places(value, places)
        if value is not None and one.total.top:
            shown = in_percent(shown)
        found[one.line_group].append(
            ranking_pages.RankRow(
                *(one.rank or "–", one.contestant.name, str(one.total.boards), shown),
                points=_points_in_words(points.get(one.contestant.pk)),
            )
        )
    return found


def _points_in_words(points: Fraction | None) -> str:
    return (
        _("%(points)s master points") % {"points": formats.number_format(decimals(points), 2)}
        if points
        else ""
    )


def _by(rows: Iterable[PlayRow], key: Callable[[PlayRow], Any]) -> dict[Any, list[PlayRow]]:
    found: dict[Any, list[PlayRow]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


DRAWN: Mapping[str, Callable[[Paper, PrintedEvening, Tell], None]] = {
    "table-cards": table_cards,
    "guide-cards": guide_cards,
    "slips": slips,
    "travelling-sheets": travelling_sheets,
    "travellers": travellers,
    "labels": labels,
    "dealing-lists": dealing_lists,
    "names": door_names,
    "rounds": rounds,
    "ranking": ranking,
    "certificates": certificates,
    "hand-records": hand_records,
    "scorebook": scorebook,
}
"""By the names of `prints.KINDS`: onto a paper, telling how far it is."""
