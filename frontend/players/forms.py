"""What is asked for on the pages of players."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from scoring.rounding import in_units
from tournaments.models import RegistrationList
from tournaments.services import registrations
from tournaments.services.own_results import OwnPlay

from ..places import table_name


class ObjectionForm(forms.Form):
    """What somebody objects to, among what they have played, and why. `divisor`: of the game's smallest
    unit."""

    play = forms.TypedChoiceField(label=_("Board"), coerce=int)
    text = forms.CharField(
        label=_("What is wrong?"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("The director reads it, and answers here."),
    )

    def __init__(
        self, plays: Sequence[OwnPlay], divisor: int, *given: Any, several: bool = False, **more: Any
    ) -> None:
        """`several`: the session has several sections."""
        super().__init__(*given, **more)
        places = [(one.pk, _place(one, divisor, several=several)) for one in plays]
        self.fields["play"].choices = places  # type: ignore[attr-defined]


def _place(play: OwnPlay, divisor: int, *, several: bool) -> str:
    words = gettext("Board %(board)s, round %(round)s, table %(table)s")
    table = table_name(play.section, play.table, several=several)
    place = words % {"board": play.board, "round": play.round, "table": table}
    if play.score is None:
        return place
    return f"{place}{pgettext('after a label', ':')} {in_units(play.score, divisor)}"  # short: phones cut it


class FindForm(forms.Form):
    q = forms.CharField(label=_("Name"), max_length=200, help_text=_("Or a part of it."))


class RoomForm(forms.Form):
    """How many a list has room for, and who may still do what with it. `seen`: how it was."""

    seen = forms.CharField(widget=forms.HiddenInput)
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

    def __init__(self, data: Any, *, the_list: RegistrationList) -> None:
        own = {name: getattr(the_list, name) for name in ("limit", "is_open", "is_public")}
        super().__init__(data, initial={**own, "seen": registrations.stamp(the_list)})


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
