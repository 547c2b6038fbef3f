"""The result sheet of any game as a plain form: a field for each of its columns in a club's file."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from engines import quick_lines, registry, rules, sheets
from engines.errors import BadSheet, EngineError
from engines.forms import JSON_KINDS, Field
from engines.phrases import Phrase
from tournaments.models import Play, Session, Submission
from tournaments.models.people import fold
from tournaments.services import clauses, desk_entries

from .. import sheet_words
from .wizard import language

TEXT_LETTERS = 2_000


def handed_in_by(submission: Submission) -> str:
    """By whom a result was handed in: an official, the table's phone, or nobody, where a whole evening was
    imported."""
    if submission.role is not None:
        return submission.role.account.name
    return gettext("The table") if submission.table_id is not None else gettext("Imported")


def _is_nested(field: Field) -> bool:
    """Whether a field is lists of lists, which no line has."""
    return field.is_bare and field.of[0].kind == "list"


class SheetForm(forms.Form):
    """`key`: the sender's own, so that what is sent twice counts once; `sheet`: what the fields say, once the
    form is valid, whatever was dealt."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why is it another result?"),
        max_length=2000,
        required=False,
        help_text=_("Needed where a result has been confirmed, or its board is over."),
    )

    def __init__(
        self,
        data: Any,
        *,
        session: Session,
        play: Play,
        known: Mapping[str, Any],
        names: Mapping[int, str] | None = None,
    ) -> None:
        """`names`: who sits where."""
        game = registry.game(session.game)
        self.session, self.play, self.game, self.names = session, play, game, names or {}
        self.seats = game.seat_count(session.conditions)
        self.rules = clauses.address(rules.clauses(game.id).of_sheet, language())
        public = game.known(None, game.conditions_of(play.board.number, session.conditions))
        told = {
            field.name: public.get(field.implied.removeprefix("known."))
            for field in game.fields
            if field.implied.startswith("known.")
        }
        self.of_board = {name: value for name, value in told.items() if value is not None}
        cells: dict[str, str] = {}
        own: dict[str, forms.Field] = {}
        for field in game.fields:
            if field.name in self.of_board or (_is_nested(field) and field.name not in known):
                continue  # lists of lists of cards: a club's file alone has them
            columns = self._columns(field)
            label = field.label.to(language())
            for number, name in enumerate(columns):
                own[name], called = self._field(field), label[:1].upper() + label[1:]
                if len(columns) > 1:
                    called = self._of_seat(called, number + 1, self.names.get(number + 1, ""))
                own[name].label = called
                value = known.get(field.name)
                value = value[number] if len(columns) > 1 and isinstance(value, list) else value
                cells[name] = self._cell(field, value, is_there=field.name in known)
        super().__init__(data, initial={"key": uuid4(), **cells}, prefix="sheet", auto_id="sheet_%s")
        self.columns = tuple(own)
        why = {"reason": self.fields["reason"]} if hasattr(play, "result") else {}
        self.fields = {"key": self.fields["key"], **own, **why}

    def ask_reason(self, needed: bool) -> None:
        """The field says whether a reason is needed, and when it would be only where it is."""
        field = self.fields["reason"]
        field.required = needed
        if not needed:
            field.help_text = ""

    def _columns(self, field: Field) -> list[str]:
        """As a club's file has them; but several things of each seat have a cell for each."""
        if quick_lines.cells_of_seats(field):
            return [f"{field.name}{seat}" for seat in range(1, self.seats + 1)]
        return sheets.columns((field,), seats=self.seats)

    @staticmethod
    def _of_seat(label: str, seat: int, name: str) -> str:
        if name:
            return f"{label}, {name}"
        return gettext("%(label)s, seat %(seat)d") % {"label": label, "seat": seat}

    def _field(self, field: Field) -> forms.Field:
        names = self.game.names
        if field.kind == "choice":
            words = [(one, names[one].to(language()) if one in names else one) for one in field.choices]
            return forms.ChoiceField(required=False, choices=[("", "–"), *words])
        if field.kind == "flag":
            return forms.ChoiceField(
                required=False, choices=[("", "–"), ("true", gettext("yes")), ("false", gettext("no"))]
            )
        asked = forms.CharField(required=False, max_length=TEXT_LETTERS)
        if field.kind in JSON_KINDS:
            asked.widget.attrs["class"] = "several"
            asked.help_text = self._notation(field)
        else:
            values = sheet_words.values(self.game, field, language(), seats=self.seats)
            if field.kind == "seat":  # a slip has names, a sheet numbers
                values = [f"{one} {self.names.get(seat, '')}".strip() for seat, one in enumerate(values, 1)]
            asked.help_text = ", ".join(values)
        return asked

    def _notation(self, field: Field) -> str:
        """How several things are written, as on the line of a slip."""
        if _is_nested(field):
            return ""
        written, of_seats = self.game.form.example.get(field.name), quick_lines.cells_of_seats(field)
        if written and not of_seats:
            text = quick_lines.write_value(self.game, field, written, seats=self.seats, language=language())
        else:
            text = sheet_words.example(self.game, field, language(), seats=self.seats)
        said = [] if field.is_bare else sheet_words.values(self.game, field, language(), seats=self.seats)
        return ". ".join([gettext("As on the line of a slip: %(example)s") % {"example": text}, *said])

    def _cell(self, field: Field, value: Any, *, is_there: bool) -> str:
        if value is None:
            return "-" if is_there and field.nobody else ""
        if _is_nested(field):
            return json.dumps(value)
        if quick_lines.cells_of_seats(field):
            return quick_lines.write_of_seat(self.game, field, value, seats=self.seats, language=language())
        if field.kind in JSON_KINDS:
            return quick_lines.write_value(self.game, field, value, seats=self.seats, language=language())
        return str(value).lower() if isinstance(value, bool) else str(value)

    @staticmethod
    def _nobody(text: str) -> str:
        """A cell, with nobody as a club's file has it."""
        return "none" if text.strip().casefold() in quick_lines.NOBODY else text

    def _called(self, name: str) -> str:
        """A field, or what is none, before what is wrong there, as its label calls it."""
        label = next((one.label.to(language()) for one in self.game.fields if one.name == name), name)
        return label[:1].upper() + label[1:] + pgettext("after a label", ":") + " "

    def _read(self, field: Field, written: Mapping[str, str]) -> dict[str, Any]:
        """What the cells of a field say; what is wrong in them is told beside what is wrong in others."""
        text = written.get(field.name, "").strip()
        try:
            if field.kind == "seat" and text and sheets.whole(text) is None and text != "none":
                written = {field.name: self._seat_of(field, text)}
            cells = quick_lines.in_json(self.game, written, seats=self.seats, only=field, language=language())
            return sheets.read_row((field,), cells, seats=self.seats)
        except BadSheet as error:
            self.add_error(*self._told(error))
        return {}

    def _seat_of(self, field: Field, text: str) -> str:
        """The seat of whoever has this name, or alone a name that begins so. BadSheet: nobody here has."""
        found = [seat for seat, name in self.names.items() if fold(name).startswith(fold(text))]
        if len(found) != 1:
            constraint = Phrase("must be a seat from 1 to {seats}", seats=self.seats)
            raise BadSheet(field.name, constraint)
        return str(found[0])

    def _told(self, error: BadSheet) -> tuple[str | None, str]:
        """Where a mistake is told, and how."""
        words = error.constraint.to(language())
        at = sheets.place_of(error, self.columns) or None
        return at, words if at else f"{self._called(error.field)}{words}"

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        try:
            written = {name: self._nobody(given[name]) for name in self.columns}
            self.sheet = dict(self.of_board)
            for field in self.game.fields:
                self.sheet |= self._read(field, written)
            if self.errors:
                return given
            desk_entries.check(self.session, self.play, self.sheet)
        except BadSheet as error:
            self.add_error(*self._told(error))
        except EngineError as error:
            self.add_error(None, error.phrase().to(language()))
        return given
