"""What is asked for on the pages of people."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import get_language, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models import Account, Role, Token
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import tokens
from tournaments.services.roles import RolePlace

NAME_LETTERS = Account._meta.get_field("name").max_length


def name_field() -> forms.CharField:
    return forms.CharField(
        label=_("Your name"),
        max_length=NAME_LETTERS,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text=_("As others are to read it."),
    )


def address_field(**how: Any) -> forms.EmailField:
    return forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "username"}), **how
    )


def password_field() -> forms.CharField:
    return forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Ten characters or more; a short sentence is good."),
    )


class JoinForm(forms.Form):
    """A new account for somebody who was invited. The invitation may say for which address."""

    name = name_field()
    email = address_field()
    password = password_field()

    def __init__(self, *arguments: Any, bound_to: str | None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if bound_to is not None:
            self.fields["email"].initial = bound_to
            self.fields["email"].disabled = True

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("password"):
            somebody = Account(name=data.get("name", ""), email=data.get("email"))
            try:
                validate_password(data["password"], somebody)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return data


class MyselfForm(forms.Form):
    name = name_field()
    language = forms.ChoiceField(
        label=_("Language of mails"),
        required=False,
        choices=[("", _("As in the browser")), *settings.LANGUAGES],
    )


class InvitationForm(forms.Form):
    """Whom to invite as what; `kinds`: what may be granted there; `kind`: the one chosen at first, or none:
    nobody becomes a scorer by haste."""

    kind = forms.ChoiceField(label=pgettext_lazy("of an invitation", "As"))
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("The invitation is then sent there, and is good for this person alone."),
    )

    def __init__(
        self, *arguments: Any, kinds: tuple[RoleKind, ...], kind: str | None = None, **named: Any
    ) -> None:
        super().__init__(*arguments, **named)
        only = kind or (kinds[0].value if len(kinds) == 1 else None)
        first = [] if only else [("", _("choose…"))]
        self.fields["kind"].choices = [*first, *((one.value, one.label) for one in kinds)]  # type: ignore[attr-defined]
        self.fields["kind"].initial = only


class TokenForm(forms.Form):
    """A token for one of somebody's roles."""

    name = forms.CharField(
        label=pgettext_lazy("of a token", "Name"),
        max_length=Token._meta.get_field("name").max_length,
        help_text=_("What will use it: “scoring tablet”, “our website”."),
    )
    role = forms.ChoiceField(label=_("With my role"))
    scopes = forms.MultipleChoiceField(
        label=_("It may"),
        choices=Scope.choices,
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Never more than the role itself may do."),
    )
    days = forms.TypedChoiceField(label=_("Good for"), coerce=int, initial=tokens.DAYS)

    def __init__(self, *arguments: Any, roles: Iterable[Role], **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (str(role.pk), f"{RoleKind(role.kind).label} – {RolePlace.of(role).name}") for role in roles
        ]
        self.fields["days"].choices = [  # type: ignore[attr-defined]
            *((days, ngettext("%d day", "%d days", days) % days) for days in (1, 7, 30, tokens.DAYS, 180)),
            (tokens.MOST_DAYS, _("a year")),
        ]


class ClubForm(forms.Form):
    name = forms.CharField(label=_("Name of the club"), max_length=200)


def language_now() -> str:
    return (get_language() or "")[:2]
