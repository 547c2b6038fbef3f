"""The result sheet of any game as a plain form: a field for each of its columns in a club's file."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engines import registry, rules, sheets
from engines.errors import BadSheet, EngineError
from engines.forms import JSON_KINDS, Field
from tournaments.models import Play, Session, Submission
from tournaments.services import clauses, desk_entries

from .wizard import language

TEXT_LETTERS = 2_000


def handed_in_by(submission: Submission) -> str:
    """By whom a result was handed in: an official, the table's phone, or nobody, where a whole evening was
    imported."""
    if submission.role is not None:
        return submission.role.account.name
    return gettext("The table") if submission.table_id is not None else gettext("Imported")


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

    def __init__(self, data: Any, *, session: Session, play: Play, known: Mapping[str, Any]) -> None:
        game = registry.game(session.game)
        self.session, self.play, self.fields_of_game = session, play, game.fields
        self.seats = game.seat_count(session.conditions)
        self.rules = clauses.address(rules.clauses(game.id).of_sheet, language())
        cells: dict[str, str] = {}
        own: dict[str, forms.Field] = {}
        for field in game.fields:
            names = sheets.columns((field,), seats=self.seats)
            label = field.label.to(language())
            for number, name in enumerate(names):
                own[name] = self._field(field, game.names)
                own[name].label = label[:1].upper() + label[1:]
                if len(names) > 1:
                    own[name].label = gettext("%(label)s, seat %(seat)d") % {
                        "label": own[name].label,
                        "seat": number + 1,
                    }
                value = known.get(field.name)
                value = value[number] if field.has_columns and isinstance(value, list) else value
                cells[name] = self._cell(field, value, is_there=field.name in known)
        super().__init__(data, initial={"key": uuid4(), **cells}, prefix="sheet", auto_id="sheet_%s")
        self.columns = tuple(own)
        why = {"reason": self.fields["reason"]} if hasattr(play, "result") else {}
        self.fields = {"key": self.fields["key"], **own, **why}

    @staticmethod
    def _field(field: Field, names: Mapping[str, Any]) -> forms.Field:
        if field.kind == "choice":
            words = [(one, names[one].to(language()) if one in names else one) for one in field.choices]
            return forms.ChoiceField(required=False, choices=[("", "–"), *words])
        if field.kind == "flag":
            return forms.ChoiceField(
                required=False, choices=[("", "–"), ("true", gettext("yes")), ("false", gettext("no"))]
            )
        asked = forms.CharField(required=False, max_length=TEXT_LETTERS)
        if field.kind in JSON_KINDS:
            asked.help_text = gettext("As in a club’s file: a list such as [1, 3].")
        elif field.nobody:
            asked.help_text = gettext("“none” for nobody.")
        return asked

    @staticmethod
    def _cell(field: Field, value: Any, *, is_there: bool) -> str:
        if value is None:
            return "none" if is_there and field.nobody else ""
        if field.kind in JSON_KINDS:
            return json.dumps(value, ensure_ascii=False)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        try:
            cells = {name: given[name] for name in self.columns}
            self.sheet = sheets.read_row(self.fields_of_game, cells, seats=self.seats)
            desk_entries.check(self.session, self.play, self.sheet)
        except BadSheet as error:
            words = error.constraint.to(language())
            at = next((name for name in self.columns if name == error.field), None)
            self.add_error(at, words if at else error.phrase().to(language()))
        except EngineError as error:
            self.add_error(None, error.phrase().to(language()))
        return given
