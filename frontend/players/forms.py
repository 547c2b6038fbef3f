"""What is asked for on the pages of players."""

from django import forms
from django.utils.translation import gettext_lazy as _


class FindForm(forms.Form):
    q = forms.CharField(label=_("Name"), max_length=200, help_text=_("Or a part of it."))


class RoomForm(forms.Form):
    """How many a list has room for, and who may still do what with it."""

    limit = forms.IntegerField(
        label=_("Room for"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_("So many contestants; the next ones wait. Empty: for everybody."),
    )
    is_open = forms.BooleanField(label=_("Players may enter and leave"), required=False, initial=True)
    is_public = forms.BooleanField(
        label=_("Everybody may see the list"),
        required=False,
        initial=True,
        help_text=_("Names stand there as each player allows."),
    )


class ListForm(forms.Form):
    """A new list."""

    name = forms.CharField(label=_("Name of the list"), max_length=200)
    players_each = forms.TypedChoiceField(
        label=_("Who enters"),
        coerce=int,
        choices=[
            (1, _("players, each alone")),
            (2, _("pairs")),
            (3, _("teams of three")),
            (4, _("teams of four")),
        ],
    )
    limit = forms.IntegerField(
        label=_("Room for"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_("So many contestants; the next ones wait. Empty: for everybody."),
    )
