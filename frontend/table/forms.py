"""What a table sends to the director: what is wrong with a result, and photographs of paper slips."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.services import slip_photos

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
        _offer(self.fields["board"], boards)


class PhotoForm(forms.Form):
    """A photograph of the slip of one of `boards`; `board`: the one that is proposed."""

    board = forms.TypedChoiceField(label=_("Which board?"), coerce=int)
    photo = forms.FileField(
        label=_("A photo of the slip"),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=_("JPEG, PNG or WebP, 10 MB at most."),
        max_length=200,
    )

    def __init__(self, data: Any, files: Any, *, boards: Sequence[int], board: int | None) -> None:
        super().__init__(data, files, initial={"board": board})
        _offer(self.fields["board"], boards)

    def clean_photo(self) -> bytes:
        file = self.cleaned_data["photo"]
        if file.size > slip_photos.BYTES_AT_MOST:
            raise forms.ValidationError(slip_photos.too_many_bytes())
        return bytes(file.read())


def _offer(field: forms.Field, boards: Sequence[int]) -> None:
    assert isinstance(field, forms.TypedChoiceField)
    field.choices = [(number, gettext("Board %(board)d") % {"board": number}) for number in boards]
