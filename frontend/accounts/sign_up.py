"""An account for whoever likes, where the service is open. allauth's forms come with it, so it is a module of
its own: most services never need it."""

from typing import Any

from allauth.account.forms import SignupForm

from .forms import name_field


class SignUpForm(SignupForm):  # type: ignore[misc]  # theirs has no types
    field_order = ["name", "email", "password1"]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.fields["name"] = name_field()
        self.order_fields(self.field_order)
