"""What allauth tells of ways to sign in, for the history; and what a sign-in tidies up."""

from typing import Any

from allauth.account import signals as account_signals
from allauth.mfa import signals as factor_signals
from django.contrib.sessions.backends.db import SessionStore

from tournaments.models import Account
from tournaments.services import accounts


def connect() -> None:
    """Have these called; none of them imports what is not there anyway."""
    for signal, change, method in (
        (account_signals.password_changed, "changed", "password"),
        (account_signals.password_set, "added", "password"),
        (account_signals.password_reset, "reset", "password"),
        (account_signals.email_changed, "changed", "e-mail"),
        (factor_signals.authenticator_added, "added", ""),
        (factor_signals.authenticator_removed, "removed", ""),
        (factor_signals.authenticator_reset, "reset", ""),
    ):
        signal.connect(_noter(change, method), weak=False)
    account_signals.user_logged_in.connect(_tidy, weak=False)
    account_signals.user_logged_in.connect(_establish_address, weak=False)


def _noter(change: str, method: str) -> Any:
    def note(sender: Any, user: Account, **told: Any) -> None:
        what = method or str(told["authenticator"].type)
        accounts.note_sign_in_method(account=user, change=f"{change} way to sign in", method=what)

    return note


def _establish_address(sender: Any, user: Account, **_: Any) -> None:
    """The address of somebody who has signed in is theirs: allauth would take one that it has never seen for
    one that they are about to change to."""
    if user.email is not None:
        from allauth.account.models import EmailAddress

        EmailAddress.objects.filter(user=user, primary=True).exclude(email=user.email).update(primary=False)
        EmailAddress.objects.update_or_create(
            user=user, email=user.email, defaults={"verified": True, "primary": True}
        )


def _tidy(sender: Any, **_: Any) -> None:
    """Sessions that have ended are not kept."""
    SessionStore.clear_expired()
