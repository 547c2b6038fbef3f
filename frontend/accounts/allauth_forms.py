"""allauth's forms, in our words. They are imported with its views alone: most callers never need them."""

from typing import Any

from allauth.account.forms import AddEmailForm, LoginForm, RequestLoginCodeForm, ResetPasswordForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django.utils.translation import gettext_lazy as _

# Django calls an address « Courriel », and nobody has named the field of a passkey.
LABELS = {"login": _("E-mail address"), "email": _("E-mail address"), "name": _("Name")}


class InOurWords:
    """A form whose fields are called as on our own pages."""

    fields: dict[str, Any]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        for name, label in LABELS.items():
            if name in self.fields:
                self.fields[name].label = label


class SignInForm(InOurWords, LoginForm):  # type: ignore[misc]  # theirs have no types
    pass


class AddressForm(InOurWords, AddEmailForm):  # type: ignore[misc]
    pass


class ForgottenForm(InOurWords, ResetPasswordForm):  # type: ignore[misc]
    pass


class CodeByMailForm(InOurWords, RequestLoginCodeForm):  # type: ignore[misc]
    pass


class NewPasskeyForm(InOurWords, AddWebAuthnForm):  # type: ignore[misc]
    pass


class PasskeyNameForm(InOurWords, EditWebAuthnForm):  # type: ignore[misc]
    pass
