"""What a club or the federation may have: a form that makes one asks whose it is."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class OwnedForm(forms.Form):
    """`choices`: whose it may be, the short name of a club with its name; where there is one alone, nobody is
    asked. A form has its `name` besides."""

    owner = forms.ChoiceField(label=_("Whose it is"))
    field_order = ["name", "owner"]

    def __init__(self, data: Any, *, choices: list[tuple[str, str]], auto_id: str = "id_%s") -> None:
        super().__init__(data, auto_id=auto_id)
        self.fields["owner"].choices = choices  # type: ignore[attr-defined]
        if len(choices) == 1:
            self.fields["owner"].widget = forms.HiddenInput()
            self.initial["owner"] = choices[0][0]
