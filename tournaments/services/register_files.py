"""Lists of players: read as people paste and spreadsheets save them, compared with the register before
anything is written, and written out."""

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engines.phrases import brief

from ..models import Category, Club, Player
from ..models.people import fold, split_name
from . import bulk, contestants, history, register, roles, spreadsheets
from .errors import Conflict, Invalid
from .register import Actor, Details

ROWS_AT_MOST, BYTES_AT_MOST = 5_000, 2_000_000

# ── Columns ───────────────────────────────────────────────────────────────────────────────────────


class Column(NamedTuple):
    """A column of a list of players: what it is called in the reader's language, and its other names."""

    title: Any
    names: tuple[str, ...]


COLUMNS: Mapping[str, Column] = {
    "player": Column(pgettext_lazy("column", "player"), ("player", "joueur", "id")),
    "number": Column(pgettext_lazy("column", "number"), ("number", "numéro", "licence", "no")),
    "given_name": Column(pgettext_lazy("column", "given name"), ("given name", "first name", "prénom")),
    "family_name": Column(
        pgettext_lazy("column", "family name"),
        ("family name", "last name", "surname", "nom", "nom de famille"),
    ),
    "name": Column(pgettext_lazy("column", "name"), ("name", "nom complet", "nom et prénom")),
    "public_name": Column(pgettext_lazy("column", "public name"), ("public name", "nom public")),
    "home_club": Column(pgettext_lazy("column", "home club"), ("home club", "club d’origine", "club")),
    "categories": Column(
        pgettext_lazy("column", "categories"), ("categories", "category", "catégories", "catégorie")
    ),
    "consent": Column(
        pgettext_lazy("column", "consent"), ("consent", "accord", "names may be published", "publication")
    ),
}
EXPORTED = [name for name in COLUMNS if name != "name"]
BY_NAME = {fold(name): column for column, (_title, names) in COLUMNS.items() for name in names}
YES = {"yes", "oui", "true", "vrai", "1", "x"}
NO = {"no", "non", "false", "faux", "0"}


class Effect(StrEnum):
    """What a line would do."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    WRONG = "wrong"

    @property
    def label(self) -> Any:
        return LABELS[self]


LABELS = {
    Effect.NEW: pgettext_lazy("line of a list", "new"),
    Effect.CHANGED: pgettext_lazy("line of a list", "changed"),
    Effect.SAME: pgettext_lazy("line of a list", "as it is"),
    Effect.WRONG: pgettext_lazy("line of a list", "to mend"),
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong in a list: where, and what would be right. `column` is empty for the whole line."""

    line: int
    column: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"line": self.line, "column": self.column, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of a list, its cells by column, trimmed."""

    number: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PreviewEntry:
    """What becomes of a line. `changes`: the titles of the columns that it changes."""

    line: int
    kind: Effect
    details: Details
    player: Player | None = None
    changes: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What a list would do to a register. `text`: the list, to be sent again once it is confirmed; `seen`:
    what was shown."""

    entries: Sequence[PreviewEntry]
    text: str
    seen: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", _digest(self.entries))

    def of_kind(self, kind: Effect) -> list[PreviewEntry]:
        return [entry for entry in self.entries if entry.kind == kind]

    @property
    def counts(self) -> dict[Effect, int]:
        counted = Counter(entry.kind for entry in self.entries)
        return {kind: counted[kind] for kind in Effect}

    @property
    def mistakes(self) -> list[Mistake]:
        return [mistake for entry in self.entries for mistake in entry.mistakes]

    @property
    def is_ready(self) -> bool:
        """Whether there is something to write, and nothing to mend."""
        counts = self.counts
        return not counts[Effect.WRONG] and bool(counts[Effect.NEW] + counts[Effect.CHANGED])


def _digest(shown: Iterable[PreviewEntry]) -> str:
    said = [
        [one.kind, one.player and [one.player.pk, register.stamp(one.player)], one.details.columns]
        for one in shown
    ]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def lines_of_paste(text: str) -> list[ListLine]:
    """The players that somebody has pasted, one a line: the whole name, and after a semicolon or a tab the
    number. Also as other lists have it: `Durand, Ana`, the number before the name, after a comma or in
    brackets, names in two columns, lines that are counted, and signs left over at the end."""
    found = []
    for number, line in enumerate(_checked_length(text).replace("\ufeff", "").split("\n"), 1):
        cells = COUNTED.sub("", line.strip("\t ")).replace("\t", ";").split(";")
        parts = [" ".join(cell.split()).strip(", ") for cell in cells]
        while parts and not parts[-1]:
            parts.pop()
        if parts:
            found.append(ListLine(number, _cells_of_paste(parts, has_tabs="\t" in line)))
    return found


COUNTED = re.compile(r"^\s*\d+[.)]\s+(?=\D)")


def _cells_of_paste(parts: list[str], *, has_tabs: bool) -> dict[str, str]:
    """What the parts of a pasted line say. `""`: what does not fit."""
    if len(parts) > 1 and parts[0].isdecimal() and not parts[1].isdecimal():
        parts = [*parts[1:], parts[0]]
    if has_tabs and len(parts) > 1 and parts[0] and not _has_digit(parts[0] + parts[1]):
        parts = [f"{parts[0]} {parts[1]}", *parts[2:]]
    one = register.typed_name(";".join(parts[:2]))
    cells = {"name": one.name, "number": one.number}
    if one.family_name:
        cells |= {"given_name": one.given_name, "family_name": one.family_name}
    return cells | ({"": parts[2]} if any(parts[2:]) else {})


def _has_digit(text: str) -> bool:
    return any(letter.isdecimal() for letter in text)


def lines_of_file(content: bytes) -> tuple[list[ListLine], str]:
    """The lines of a CSV file or of the first sheet of a workbook, and the list as text. Invalid carries what
    is wrong with the file itself, or with the first line."""
    text = spreadsheets.text_of(content, bytes_at_most=BYTES_AT_MOST, rows_at_most=ROWS_AT_MOST)
    return lines_of_text(text), text


def lines_of_text(text: str) -> list[ListLine]:
    """The lines of a list whose first line names the columns."""
    if "\0" in text:
        raise Invalid("bad-file", _("The file cannot be read as text: save it as “CSV UTF-8”."))
    rows = spreadsheets.rows_of_text(_checked_length(text))
    try:
        header = next(rows, (1, []))[1]
        columns = _columns_of(header)
        return [
            ListLine(
                number,
                dict(zip(columns, cells, strict=False))
                | ({"": cells[len(columns)]} if len(cells) > len(columns) else {}),
            )
            for number, cells in rows
        ]
    except csv.Error:
        raise spreadsheets.long_cell() from None


def _checked_length(text: str) -> str:
    if text.count("\n") > ROWS_AT_MOST:
        raise Invalid("too-long", _("A list may have at most %(most)d lines.") % {"most": ROWS_AT_MOST})
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _columns_of(header: Sequence[str]) -> list[str]:
    columns = [BY_NAME.get(fold(cell), "") for cell in header]
    known = ", ".join(str(column.title) for column in COLUMNS.values())
    mistakes = []
    for at, (cell, column) in enumerate(zip(header, columns, strict=True)):
        if not column:
            message = _("“%(column)s” is not a column of a list of players; the columns are: %(known)s.")
            mistakes.append(
                Mistake(1, brief(cell.strip()), message % {"column": brief(cell.strip()), "known": known})
            )
        elif column in columns[:at]:
            mistakes.append(Mistake(1, brief(cell.strip()), _("This column appears twice.")))
    if not {"name", "given_name", "family_name"} & set(columns):
        message = _("The first line names the columns, one of them the name; the columns are: %(known)s.")
        mistakes.insert(0, Mistake(1, "", message % {"known": known}))
    if mistakes:
        raise Invalid("bad-columns", mistakes[0].reason, [mistake.to_json() for mistake in mistakes])
    return columns


# ── Comparing ─────────────────────────────────────────────────────────────────────────────────────


def preview(
    *, club: Club, lines: Sequence[ListLine], text: str, consent: bool = False, adds_only: bool = False
) -> Preview:
    """What a list would do to a club's register; nothing is written. `consent`: of new players whose line
    does not say. `adds_only`: whoever is there stays as they are. The time grows with the register and the
    lines."""
    there = RegisterAtHand(club)
    found = [_entry(line, there, consent=consent, adds_only=adds_only) for line in lines]
    return Preview(_without_repeats(found), text)


class RegisterAtHand:
    """A club's register at hand: by id, number and name."""

    def __init__(self, club: Club) -> None:
        players = list(Player.objects.in_register().filter(club=club).select_related("home_club"))
        self.by_id = {player.pk: player for player in players}
        self.by_number = {player.number: player for player in players if player.number}
        self.by_name: dict[str, list[Player]] = defaultdict(list)
        for player in players:
            self.by_name[player.folded].append(player)
        self.clubs = {club.slug: club.pk for club in Club.objects.only("slug")}


def _entry(line: ListLine, there: RegisterAtHand, *, consent: bool, adds_only: bool) -> PreviewEntry:
    wrong: list[Mistake] = []

    def mistake(column: str, reason: str) -> None:
        title = str(COLUMNS[column].title) if column in COLUMNS else column
        wrong.append(Mistake(line.number, title, reason))

    if "" in line.cells:
        mistake("", _("This line has more cells than there are columns."))
    cells = {name: spreadsheets.plain(cell) for name, cell in line.cells.items() if name}
    player = player_of(cells, there, mistake)
    before = Details(consent=consent) if player is None else Details.of(player)
    details = before if adds_only and player is not None else _details(cells, before, there, mistake)
    if not wrong and (player is None or details != before):
        try:
            details = register.tidied(details, clubs_known=True)
        except Invalid as error:
            for column, reasons in error.details.items():
                mistake(column, reasons[0])
        else:
            other = there.by_number.get(details.number)
            if other is not None and other != player:
                reason = _("Number %(number)s is %(name)s’s.")
                mistake("number", reason % {"number": details.number, "name": other.name})
    if wrong:
        return PreviewEntry(line.number, Effect.WRONG, details, player, mistakes=tuple(wrong))
    if player is None:
        return PreviewEntry(line.number, Effect.NEW, details)
    changes = tuple(str(COLUMNS[name].title) for name in before.differences(details))
    return PreviewEntry(line.number, Effect.CHANGED if changes else Effect.SAME, details, player, changes)


def player_of(
    cells: Mapping[str, str], there: RegisterAtHand, mistake: Callable[[str, str], None]
) -> Player | None:
    """Who a line is about: by the id that an export gave, else by number, else by the name if only one bears
    it and no other number speaks against it."""
    if own := cells.get("player"):
        player = there.by_id.get(int(own)) if own.isascii() and own.isdecimal() and len(own) < 19 else None
        if player is None:
            mistake(
                "player", _("No player of this register has this id: leave the cell empty for a new one.")
            )
        return player
    number = cells.get("number", "")
    name = cells.get("name") or f"{cells.get('given_name', '')} {cells.get('family_name', '')}"
    namesakes = there.by_name.get(fold(name), [])
    if number and number in there.by_number:
        player = there.by_number[number]
        # A whole name can be somebody's only under their number; parts of a name may mend it.
        if player in namesakes or not cells.get("name"):
            return player
        reason = _("Number %(number)s is %(name)s’s.") % {"number": number, "name": player.name}
        mistake("number", reason)
        return player
    possible = [one for one in namesakes if not number or not one.number]
    if len(possible) > 1:
        numbers = ", ".join(sorted(one.number or "–" for one in possible))
        reason = _(
            "Several players are called so (%(numbers)s): "
            "say which by the number, or give them numbers first."
        )
        mistake("number", reason % {"numbers": numbers})
        return None
    return possible[0] if possible else None


def _details(
    cells: Mapping[str, str], before: Details, there: RegisterAtHand, mistake: Callable[[str, str], None]
) -> Details:
    """What a line says; what it leaves out, or empty, stays as it was."""
    given: dict[str, Any] = {
        name: cells[name]
        for name in ("given_name", "family_name", "public_name", "number")
        if cells.get(name)
    }
    if cells.get("name") and not cells.get("family_name") and fold(cells["name"]) != fold(before.name):
        given["given_name"], given["family_name"] = split_name(cells["name"])
    if slug := cells.get("home_club"):
        if slug in there.clubs:
            given["home_club"] = there.clubs[slug]
        else:
            mistake("home_club", _("No club here has this slug: the last part of its address."))
    if text := cells.get("categories"):
        labels = {fold(name): one.value for one in Category for name in (one.value, str(one.label))}
        words = [word for word in text.replace(";", ",").replace(" ", ",").split(",") if word]
        if strangers := [word for word in words if fold(word) not in labels]:
            known = ", ".join(str(one.label) for one in Category)
            reason = _("“%(category)s” is not a category; the categories are: %(known)s.")
            mistake("categories", reason % {"category": brief(strangers[0]), "known": known})
        else:
            given["categories"] = tuple(labels[fold(word)] for word in words)
    if text := cells.get("consent", "").casefold():
        if text in YES | NO:
            given["consent"] = text in YES
        else:
            mistake("consent", _("Write yes or no."))
    return replace(before, **given)


def _without_repeats(found: Sequence[PreviewEntry]) -> list[PreviewEntry]:
    """Each player and each number on one line only."""
    players: dict[int, int] = {}
    numbers: dict[str, int] = {}
    names: dict[tuple[str, str], int] = {}
    result = []
    for entry in found:
        repeated = None
        if entry.kind != Effect.WRONG:
            if entry.player is not None:
                repeated = players.setdefault(entry.player.pk, entry.line)
            else:
                repeated = names.setdefault((fold(entry.details.name), entry.details.number), entry.line)
            if repeated == entry.line and entry.details.number:
                repeated = numbers.setdefault(entry.details.number, entry.line)
        if repeated is not None and repeated != entry.line:
            reason = _("This player, or this number, is already on line %(line)d.") % {"line": repeated}
            mistakes = (Mistake(entry.line, "", reason),)
            entry = replace(entry, kind=Effect.WRONG, mistakes=mistakes)
        result.append(entry)
    return result


# ── Writing ───────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def store(
    *,
    club: Club,
    actor: Actor | None,
    lines: Sequence[ListLine],
    text: str,
    seen: str,
    consent: bool = False,
    adds_only: bool = False,
) -> Preview:
    """Do to a register what was shown. Conflict if it would do something else by now; Invalid carries what is
    still wrong."""
    (register.check_may_add if adds_only else register.check_may_change)(actor, club)
    roles.lock(club)
    shown = preview(club=club, lines=lines, text=text, consent=consent, adds_only=adds_only)
    if shown.seen != seen:
        message = _("The register has changed meanwhile: look at what the list would do now.")
        raise Conflict("changed-meanwhile", message)
    if shown.mistakes:
        wrong = shown.mistakes
        raise register.slips(len(wrong), [one.to_json() for one in wrong])
    register.insert(club, [entry.details for entry in shown.of_kind(Effect.NEW)], actor)
    _update(club, shown.of_kind(Effect.CHANGED), actor)
    return shown


def _update(club: Club, changed: Sequence[PreviewEntry], actor: Actor | None) -> None:
    """Numbers that go from one to another are given up first."""
    pairs = [(entry.player, entry.details) for entry in changed if entry.player is not None]
    new_numbers = [player.pk for player, details in pairs if player.number != details.number]
    bulk.give(Player, new_numbers, number="")
    ids = [player.pk for player, _details in pairs]
    bulk.update(Player, {"id": ids} | register.columns_of([details for _player, details in pairs]))
    said = [(player, register.said_of(Details.of(player), details)) for player, details in pairs]
    history.note_all(actor, "changed in register", said, club=club)
    contestants.follow([player.pk for player, details in pairs if player.name != details.name])


# ── Writing out ───────────────────────────────────────────────────────────────────────────────────


def as_csv(players: Iterable[Player], delimiter: str) -> bytes:
    """A register as spreadsheets open it, and `lines_of_file` reads it."""
    return spreadsheets.as_csv(export_rows(players), delimiter)


def as_workbook(players: Iterable[Player]) -> bytes:
    """The same as a workbook, all of whose cells are texts."""
    return spreadsheets.as_workbook(export_rows(players), _("Players"))


def as_json(players: Iterable[Player]) -> bytes:
    """The same for programs: its columns are called the same in every language."""
    said = [
        {
            "player": player.pk,
            "number": player.number,
            "given_name": player.given_name,
            "family_name": player.family_name,
            "public_name": player.public_name,
            "home_club": player.home_club.slug if player.home_club else None,
            "categories": player.categories,
            "consent": player.consent,
        }
        for player in players
    ]
    return json.dumps(said, ensure_ascii=False, indent=1).encode()


def export_rows(players: Iterable[Player]) -> Iterator[list[str]]:
    yield [str(COLUMNS[name].title) for name in EXPORTED]
    for player in players:
        yield [
            str(player.pk),
            player.number,
            player.given_name,
            player.family_name,
            player.public_name,
            player.home_club.slug if player.home_club else "",
            ", ".join(player.category_names),
            str(YES_OR_NO[player.consent]),
        ]


YES_OR_NO = {True: gettext_lazy("yes"), False: gettext_lazy("no")}
