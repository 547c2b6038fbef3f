"""What is asked for on the pages of a register."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Category, Club, Player
from tournaments.services import dates, licences, register
from tournaments.services.errors import Refused
from tournaments.services.register import Details
from tournaments.services.register_files import BYTES_AT_MOST


class SearchForm(forms.Form):
    search = forms.CharField(
        label=_("Name or number"), max_length=register.NAME_LETTERS, required=False, widget=forms.SearchInput
    )
    category = forms.ChoiceField(
        label=_("Category"), required=False, choices=[("", _("All categories")), *Category.choices]
    )


class ClubField(forms.ModelChoiceField):  # type: ignore[type-arg]  # Django's own takes none
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


class ConsentForm(forms.Form):
    """Who of the players chosen has agreed to be named, or has not, as somebody says. `chosen`: their ids,
    with all of the page where that is ticked."""

    players = forms.CharField(label=_("Players"), required=False)  # drawn by the page, a tick for each
    told = forms.CharField(
        label=_("Who said so, and when"),
        max_length=2000,
        help_text=_(
            "For example: each of them signed the list of members on 4 September. The history keeps it."
        ),
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data, auto_id="names_%s")
        sent = (
            []
            if data is None
            else [*data.getlist("players"), *(data.getlist("shown") if "all" in data else ())]
        )
        self.chosen = {int(one) for one in sent if one.isascii() and one.isdecimal() and len(one) < 19}


def a_day(label: Any, help_text: Any = "") -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, help_text=help_text, widget=widget, required=False)


class PlayerForm(forms.Form):
    """A player's details. `seen`: the stamp of what they are to replace."""

    given_name = forms.CharField(label=_("Given name"), max_length=register.NAME_LETTERS, required=False)
    family_name = forms.CharField(label=_("Family name"), max_length=register.NAME_LETTERS, required=False)
    number = forms.CharField(
        label=_("Membership number"),
        max_length=register.NUMBER_LETTERS,
        required=False,
        help_text=_("Tells people of one name apart."),
    )
    consent = forms.BooleanField(
        label=_("The name may be published"),
        required=False,
        help_text=_("Tick it only if the player has agreed."),
    )
    public_name = forms.CharField(
        label=_("Public name"),
        max_length=register.NAME_LETTERS,
        required=False,
        help_text=_("As the player wants to be shown; the whole name if this is empty."),
    )
    categories = forms.MultipleChoiceField(
        label=_("Categories"),
        choices=Category.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    home_club = ClubField(
        label=_("Home club"),
        queryset=Club.objects.none(),
        required=False,
        empty_label=pgettext_lazy("home club", "This club"),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any = None, *, club: Club, player: Player | None = None) -> None:
        initial = {} if player is None else {**Details.of(player).columns, "seen": register.stamp(player)}
        super().__init__(data, initial=initial)
        home_club = self.fields["home_club"]
        assert isinstance(home_club, ClubField)
        home_club.queryset = Club.objects.exclude(pk=club.pk).order_by("name", "pk")

    def details(self) -> Details:
        given = {name: value for name, value in self.cleaned_data.items() if name != "seen"}
        home_club = given.pop("home_club")
        categories = tuple(given.pop("categories"))
        return Details(**given, home_club=home_club and home_club.pk, categories=categories)

    def refuse(self, error: Refused) -> None:
        """Show beside the fields, or on top, why a service has refused."""
        if error.code == "number-taken":
            self.add_error("number", str(error))
        elif error.code == "bad-player" and isinstance(error.details, Mapping):
            for name, reasons in error.details.items():
                self.add_error(name, reasons[0])
        else:
            self.add_error(None, str(error))


class PasteForm(forms.Form):
    players = forms.CharField(
        label=_("Players, one a line"),
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        strip=False,
        help_text=_("The given name, the family name and, after a semicolon, the number: Ana Durand; 17"),
    )
    consent = forms.BooleanField(label=_("They have agreed that their names are published"), required=False)


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("List of players"),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt"}),
        help_text=_("CSV or XLSX, as a spreadsheet saves it; the first line names the columns."),
    )
    consent = forms.BooleanField(
        label=_("New players have agreed that their names are published"),
        required=False,
        help_text=_("For lines that do not say."),
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > BYTES_AT_MOST:
            raise forms.ValidationError(_("The file is too large."))
        return bytes(file.read())


class ConfirmForm(forms.Form):
    """A list that has been shown, to be taken in."""

    text = forms.CharField(widget=forms.HiddenInput, strip=False)
    seen = forms.CharField(widget=forms.HiddenInput)
    consent = forms.BooleanField(widget=forms.HiddenInput, required=False)


class LicenceForm(forms.Form):
    """What the register says of a player's licence. `seen`: the stamp of what this replaces."""

    seen = forms.CharField(widget=forms.HiddenInput)
    licence_until = a_day(_("Licence until"), _("The last day on which it holds; empty: not known."))
    suspended_from = a_day(_("Suspended from"))
    suspended_until = a_day(_("Suspended until"), _("The last day; empty: until further notice."))

    def __init__(self, data: Any = None, *, player: Player) -> None:
        own = asdict(licences.of(player)) | {"seen": licences.stamp(player)}
        super().__init__(data, initial=own, auto_id="licence_%s")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for name, day in given.items():
            if isinstance(day, date) and not dates.is_near(day):
                self.add_error(name, _("This day is too far away."))
        return given
