"""What a table writes to the director."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

TEXT_LETTERS = 500


class CorrectionForm(forms.Form):
    """A result that the table can no longer change itself. `boards`: the numbers of those."""

    board = forms.TypedChoiceField(label=_("Which board?"), coerce=int)
    text = forms.CharField(
        label=_("What is wrong, and what should it say?"),
        max_length=TEXT_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, data: Any, *, boards: Sequence[int]) -> None:
        super().__init__(data)
        own = self.fields["board"]
        assert isinstance(own, forms.TypedChoiceField)
        own.choices = [(number, gettext("Board %(board)d") % {"board": number}) for number in boards]
