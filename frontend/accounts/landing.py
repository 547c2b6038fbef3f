"""Where somebody goes on who has just signed in, or has accepted an invitation."""

from django.urls import reverse

from tournaments.models import Account, Player, Role
from tournaments.services import roles


def page_of_role(role: Role) -> str:
    """The desk of its session, or the one of its holder."""
    return reverse("session-desk", args=[role.session_id]) if role.session_id else reverse("desk")


def page_of(account: Account) -> str:
    """Where their work is: the session of an only role, the desk of several; the own page of a player."""
    held = list(roles.of(account)[:2])
    if held:
        return page_of_role(held[0]) if len(held) == 1 else reverse("desk")
    return reverse("me") if Player.objects.filter(account=account).exists() else reverse("my-account")
