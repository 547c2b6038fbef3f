"""What a table sends to the director: what is wrong with a result, and photographs of paper slips."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.services import calls, slip_photos

TEXT_LETTERS = calls.TEXT_LETTERS


class CorrectionForm(forms.Form):
    """A result that the table can no longer change itself. `boards`: the numbers of those; `board`: the one
    that is proposed."""

    board = forms.TypedChoiceField(label=_("Which board?"), coerce=int)
    text = forms.CharField(
        label=_("What is wrong, and what should it say?"),
        max_length=TEXT_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, data: Any, *, boards: Sequence[int], board: str = "") -> None:
        super().__init__(data, initial={"board": board})
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


class SeatsForm(forms.Form):
    """Who really sits in each seat: one of those who are planned at the table (`planned`: names by seat), or
    somebody else, whom a text names."""

    text = forms.CharField(
        label=_("Somebody else: who, and in which seat?"), max_length=TEXT_LETTERS, required=False
    )

    def __init__(self, data: Any, *, planned: Mapping[int, str]) -> None:
        self.planned = planned
        super().__init__(data, initial={f"seat_{seat}": seat for seat in planned})
        names = [*planned.items(), (0, gettext("somebody else"))]
        own = {
            f"seat_{seat}": forms.TypedChoiceField(
                label=gettext("Seat %(seat)d") % {"seat": seat}, coerce=int, choices=names
            )
            for seat in planned
        }
        self.fields = own | self.fields

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        order = [given[f"seat_{seat}"] for seat in self.planned if f"seat_{seat}" in given]
        if len(order) < len(self.planned):
            return given
        twice = next((one for one in order if one and order.count(one) > 1), None)
        if twice is not None:
            at = [seat for seat, one in zip(self.planned, order, strict=True) if one == twice]
            told = {"name": self.planned[twice], "first": at[0], "second": at[1]}
            text = gettext("%(name)s stands in seats %(first)d and %(second)d: who sits in the other?")
            raise forms.ValidationError(text % told)
        if order == list(self.planned) and not given.get("text"):
            raise forms.ValidationError(_("Everybody sits as planned: say who sits elsewhere."))
        if 0 in order and not given.get("text"):
            self.add_error("text", _("Say who it is: the director does not see the table."))
        return given | {"order": None if 0 in order or order == list(self.planned) else order}


def _offer(field: forms.Field, boards: Sequence[int]) -> None:
    assert isinstance(field, forms.TypedChoiceField)
    field.choices = [(number, gettext("Board %(board)d") % {"board": number}) for number in boards]
