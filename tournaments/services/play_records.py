"""Plays as JSON Lines: a line each, with what was dealt and what was done. They leave a session that has been
played, and come into one that is set up.

docs/formats.md says what each name means. `FORMAT` is the version of a line; its `record` is one of the
engines (`engines.records`) with a version of its own.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.db.models import Prefetch
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engines import records, registry
from engines.contract import with_defaults
from engines.errors import EngineError, IllegalAction
from engines.phrases import brief

from ..models import Account, Play, Result, Seating, Session, Token
from ..models.open_boards import over_in
from . import board_sets, custody, exports, judging, names, result_files
from .errors import Forbidden, Invalid, Missing
from .register_files import Effect
from .result_files import CellMistake, FileColumn, FileLine, FilePlace, FilePlaces, FilePreview

FORMAT = 1
CONTENT_TYPE = "application/x-ndjson"
RECORDS = "records"
NAMES = (
    "format",
    "section",
    "round",
    "table",
    "board",
    "seatings",
    "record",
    "sheet",
    "scores",
    "submission",
)
CONTENTS = ("actions", "sheet")
ACTIONS, ACTION_LETTERS = 2_000, 200
"""So many actions a record has at most, of so many characters each."""

LINE = "line"
"""The column in which a page shows a line whole that is not JSON, or has names that are not known."""

REPLAYED_AT_MOST = 100
"""So many records of a file are played through before it is handed in, which takes some seconds at most; the
others when they are judged."""

# ── Out ───────────────────────────────────────────────────────────────────────────────────────────


def may(session: Session, viewer: Account | Token | None) -> bool:
    """Whether somebody takes the records of a session away: whoever takes its results, once its boards have
    been played wherever they are, since a record says who held what."""
    return exports.may(session, viewer) and session.are_boards_over


def document(*, session: Session, viewer: Account | Token | None) -> bytes:
    """The plays of a session that have a result, board by board, with the names that the viewer may read.
    Missing: there are none for them, or not yet. The time grows with the plays; the queries do not."""
    if not may(session, viewer):
        raise Missing("no-export", _("There is no such table of this session, or not yet."))
    game, seats = registry.game(session.game), Seating.objects.order_by("seat")
    plays = (
        Play.objects.filter(exports.plays_told(session, viewer), result__isnull=False)
        .select_related("table__section", "board", "result__submission")
        .prefetch_related(Prefetch("seatings", seats))
        .order_by("board__number", "table__section__name", "table__number")
    )
    named = names.of_contestants(
        list(session.contestants.values_list("pk", flat=True)), exports.reader_of(viewer)
    )
    settings: dict[str, Any] = {"format": records.FORMAT, "game": game.id, "options": session.options}
    dealt: dict[int, dict[str, Any]] = {}
    lines = []
    for play in plays:
        number, result = play.board.number, play.result
        if number not in dealt:
            deal = board_sets.deal_of(session, number)
            dealt[number] = {"conditions": game.conditions_of(number, session.conditions)}
            if deal is not None:
                dealt[number] = {"conditions": session.conditions, "deal": game.show_deal(deal)}
        content = result.submission.content
        said = {"actions": content["actions"]} if "actions" in content else {"sheet": result.sheet}
        line = {
            **{"format": FORMAT, "section": play.table.section.name, "round": play.round},
            **{"table": play.table.number, "board": number},
            "seatings": [
                {
                    **{"seat": one.seat, "number": named[one.contestant_id].number},
                    "contestant": named[one.contestant_id].name,
                }
                for one in play.seatings.all()
            ],
            "record": {**settings, **dealt[number], **said},
            **{"sheet": result.sheet, "scores": result.scores, "submission": result.submission_id},
        }
        lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
    return "".join(f"{line}\n" for line in lines).encode()


# ── In ────────────────────────────────────────────────────────────────────────────────────────────


def is_one(text: str) -> bool:
    """Whether a text is a file of records, and no table."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def text_of(content: bytes) -> str | None:
    """The text of a file of records; None of any other. Invalid: it is too large, or not in UTF-8."""
    if not content[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    if len(content) > result_files.BYTES_AT_MOST:
        raise Invalid("too-long", _("The file is too large."))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid("bad-file", _("JSON must be in UTF-8.")) from None


def preview(
    *, session: Session, account: Account | Token, text: str, held: Collection[int] = ()
) -> FilePreview:
    """What each line of a file would do; nothing is stored. Invalid: the file itself is wrong. Forbidden: the
    account enters no results here. The time grows with the lines.

    Only where a board is over is a record played with its cards: of any other board nobody learns here
    whether something can have happened on it."""
    places = result_files.places_of(session, account)
    if not places.plays:
        raise Forbidden("may-not-enter", _("You enter no results of this session."))
    reading = _PlayReader(session, places, sees=custody.seen_boards(session, account, held=held) is None)
    lines: list[FileLine] = []
    seen: dict[int, int] = {}
    for number, line in _rows(text):
        found = reading.line(number, line)
        first = number if found.place is None else seen.setdefault(found.place.play, number)
        if first != number:
            reason = _("This play is on line %(line)d already.") % {"line": first}
            found = FileLine(number, found.cells, Effect.WRONG, [CellMistake("board", reason)])
        lines.append(found)
    if not lines:
        raise Invalid("no-results", _("No row of the file has a result."))
    return FilePreview(_columns(lines), lines, text)


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, by their numbers."""
    lines = text.lstrip("\ufeff").split("\n")
    most = result_files.ROWS_AT_MOST
    if len(lines) > most + 1:
        raise Invalid("too-long", _("A file may have at most %(most)d rows.") % {"most": most})
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, line


def _columns(lines: Sequence[FileLine]) -> list[FileColumn]:
    """What a page shows of each line: where it was and what happened, and what else is wrong in some."""
    french = (get_language() or "en").startswith("fr")
    found = [FileColumn(name, words[-1 if french else 0]) for name, words in result_files.PLACE.items()]
    found.append(FileColumn("record", _("What happened")))
    wrong = {mistake.column or LINE for line in lines for mistake in line.mistakes}
    others = {"seatings": _("Who sat where"), "format": _("Format"), LINE: _("The line")}
    return found + [FileColumn(name, title) for name, title in others.items() if name in wrong]


def mended(text: str, cells: Mapping[tuple[int, str], str]) -> str:
    """The file with some of its values written anew: by their line, and the name of the column. A value that
    is empty leaves the line; in what is not JSON nothing is changed but the line whole."""
    lines = text.split("\n")
    for (number, name), value in cells.items():
        if not 0 < number <= len(lines):
            continue
        if name == LINE:
            line = " ".join(value.split("\n")).strip()
            lines[number - 1] = line if not line or line.startswith("{") else "{" + line  # it stays a record
            continue
        with suppress(_WrongLine):
            data = _object(lines[number - 1])
            data.pop(name, None)
            if value.strip():
                data[name] = _typed(name, value.strip())
            lines[number - 1] = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return "\n".join(lines)


def _typed(name: str, value: str) -> Any:
    """What somebody has written for a name of a line: JSON; a number; else the text itself, which the reader
    refuses where it has to be something else."""
    if name == "section":
        return value
    with suppress(_WrongLine):
        return _parsed(value)
    return value


class _PlayReader:
    """The lines of a file, read one after the other."""

    def __init__(self, session: Session, places: FilePlaces, *, sees: bool) -> None:
        self.session, self.places, self.sees = session, places, sees
        self.game = registry.game(session.game)
        self.numbers: dict[int, int] = dict(session.contestants.values_list("pk", "number"))
        plays = [one.play for one in places.plays.values() if one.sheet is not None]
        self.known: dict[int, Any] = dict(
            Result.objects.filter(play__in=plays).values_list("play", "submission__content")
        )
        self.over = frozenset(over_in(session).values_list("number", flat=True))
        self.boards: dict[int, records.Record] = {}
        self.replayed = 0

    def line(self, number: int, text: str) -> FileLine:
        """What a line would do. What is wrong with it is said by the name that it stands under."""
        mistakes: list[CellMistake] = []
        data: dict[str, Any] = {}
        content: dict[str, Any] = {}
        place = None
        try:
            data = _object(text)
            _check_names(data)
            place = result_files.place_of(_cells(data), self.places, mistakes)
            content = self._content(data["record"])
        except _WrongLine as wrong:
            mistakes.append(wrong.mistake)
        if place is not None and not mistakes:
            mistakes += self._seated(data.get("seatings"), place)
        kind = Effect.WRONG
        if place is not None and not mistakes:
            kind = self._kind(place, content)
            if kind != Effect.SAME and (reason := self._refusal(place, content)):
                mistakes.append(CellMistake("record", reason))
        if place is None or mistakes:
            told = _cells_told(text, data, mistakes)
            return FileLine(number, {"record": self._words(content), **told}, Effect.WRONG, mistakes)
        actions, sheet = content.get("actions"), content.get("sheet", {})
        cells = _cells(data) | {"record": self._words(content)}
        return FileLine(number, cells, kind, (), place, sheet, actions=actions)

    def _content(self, data: Any) -> dict[str, Any]:
        """What a record says has happened, as it is handed in."""
        if isinstance(data, str):
            _parsed(data, "record")  # written anew on a page: what is wrong is told by its place
        if not isinstance(data, dict):
            raise _WrongLine("record", _("This must be an object: names with their values."))
        _only(data, records.KEYS, "record")
        if data.get("format", records.FORMAT) != records.FORMAT:
            raise _WrongLine(
                "record", _("This version reads format %(format)d.") % {"format": records.FORMAT}
            )
        if data.get("game", self.game.id) != self.game.id:
            names_of_games = {"game": self.game.id, "other": brief(str(data["game"]))}
            raise _WrongLine("record", _("The game here is %(game)s, not %(other)s.") % names_of_games)
        options = data.get("options", {})
        here = with_defaults(self.game.options, self.session.options)
        if not isinstance(options, dict) or {**here, **options} != here:
            raise _WrongLine("record", _("It was played by other options than this session is."))
        given = [name for name in CONTENTS if name in data]
        if len(given) != 1:
            raise _WrongLine("record", _("Give either the actions or a sheet."))
        value = data[given[0]]
        if given == ["sheet"] and not isinstance(value, dict):
            raise _WrongLine("record", _("This must be an object: names with their values."))
        if given == ["actions"] and not _are_actions(value):
            words = {"most": ACTIONS, "letters": ACTION_LETTERS}
            message = _("Actions are a list of up to %(most)d words of up to %(letters)d letters.") % words
            raise _WrongLine("record", message)
        return {given[0]: value}

    def _seated(self, given: Any, place: FilePlace) -> Iterator[CellMistake]:
        """Where a line names others than those who sit there."""
        if given is None:
            return
        at = {seat: self.numbers[one] for seat, one in enumerate(place.contestants, 1)}
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            yield CellMistake("seatings", _("This must be a list of objects: each with its seat and number."))
            return
        for one in given:
            seat, number = one.get("seat"), one.get("number")
            if type(seat) is not int or type(number) is not int or seat not in at:
                reason = _("This must be a list of objects: each with its seat and number.")
                yield CellMistake("seatings", reason)
            elif at[seat] != number:
                words = {"number": at[seat], "seat": seat, "written": number}
                reason = _("Contestant %(number)d sits at seat %(seat)d here, not %(written)d.") % words
                yield CellMistake("seatings", reason)

    def _kind(self, place: FilePlace, content: Mapping[str, Any]) -> Effect:
        if place.sheet is None:
            return Effect.NEW
        if not self.sees:
            return Effect.CHANGED
        is_same = content in ({"sheet": dict(place.sheet)}, self.known.get(place.play))
        return Effect.SAME if is_same else Effect.CHANGED

    def _refusal(self, place: FilePlace, content: dict[str, Any]) -> str | None:
        """What the rules say against it: of a sheet, whatever was dealt; of actions, where the board is over,
        and as long as not too many have been played through."""
        language = (get_language() or "en")[:2]
        number = place.board
        try:
            if "sheet" in content:
                judging.check_unseen(self.session, number, content["sheet"])
            elif number in self.over and self.replayed < REPLAYED_AT_MOST:
                self.replayed += 1
                if number not in self.boards:
                    self.boards[number] = judging.board_of(self.session, number)
                judging.judgement_of(self.boards[number], content)
        except IllegalAction as error:
            return error.without_legal().phrase().to(language)
        except EngineError as error:
            return error.phrase().to(language)
        return None

    @staticmethod
    def _words(content: Mapping[str, Any]) -> str:
        if not content:
            return ""
        if "actions" in content:
            return _("card by card, %(count)d actions") % {"count": len(content["actions"])}
        return _("its result alone")


class _WrongLine(Exception):
    """Something in a line is not what it must be."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.mistake = CellMistake(name, reason)


def _parsed(text: str, name: str = "") -> Any:
    """What is written as JSON, of which everything can be stored; of what stands under a name."""
    try:
        value = json.loads(text, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _WrongLine(name, _("This is not JSON: %(reason)s.") % {"reason": error}) from None
    except UnicodeEncodeError:
        raise _WrongLine(name, _("This has characters that cannot be stored.")) from None
    except RecursionError:
        text = _("This is too long, is nested too deeply, or has characters that cannot be stored.")
        raise _WrongLine(name, text) from None
    except ValueError:
        raise _WrongLine(name, _("A number has too many digits, or is not one that JSON knows.")) from None
    return value


def _object(text: str) -> dict[str, Any]:
    """The object of a line."""
    value = _parsed(text.lstrip("\ufeff"))
    if not isinstance(value, dict):
        raise _WrongLine("", _("This must be an object: names with their values."))
    if "\\u0000" in text or "\0" in text:
        raise _WrongLine("", _("This has characters that cannot be stored."))
    return value


def _check_names(value: Mapping[str, Any]) -> None:
    """That a line has the names that it must have, and no others, in a format that is read here."""
    _only(value, NAMES, "")
    if value.get("format", FORMAT) != FORMAT:
        raise _WrongLine("format", _("This version reads format %(format)d.") % {"format": FORMAT})
    for name in ("table", "board", "record"):
        if name not in value:
            raise _WrongLine(name, _("This field is required."))


def _cells_told(text: str, data: Mapping[str, Any], mistakes: Sequence[CellMistake]) -> dict[str, str]:
    """The cells of a wrong line: where it belongs, and what is wrong as it is written."""
    wrong = {mistake.column for mistake in mistakes}
    if "" in wrong:
        return {LINE: text}
    shown = {name: value for name, value in data.items() if name in wrong or name in result_files.PLACE}
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in shown.items()
        if value is not None
    }


def _no_number(name: str) -> None:
    raise ValueError(name)


def _only(value: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for name in value:
        if name not in known:
            words = {"name": brief(name), "known": ", ".join(known)}
            raise _WrongLine(where, _("“%(name)s” is not known here. Known names: %(known)s.") % words)


def _cells(data: Mapping[str, Any]) -> dict[str, str]:
    """Where a line belongs, as a row of a table says it."""
    found = {}
    for name in result_files.PLACE:
        value = data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | str | None):
            words = {"text": brief(json.dumps(value, ensure_ascii=False))}
            raise _WrongLine(name, _("“%(text)s” is not a whole number.") % words)
        if value is not None:
            found[name] = str(value)
    return found


def _are_actions(value: Any) -> bool:
    return isinstance(value, list) and 0 < len(value) <= ACTIONS and all(map(_is_action, value))


def _is_action(one: Any) -> bool:
    is_word = isinstance(one, str) and one.isascii() and one.isprintable()
    return is_word and 0 < len(one) <= ACTION_LETTERS and one == one.strip()
