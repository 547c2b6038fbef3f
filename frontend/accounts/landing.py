"""Where somebody goes on who has just signed in, or has accepted an invitation."""

from django.urls import reverse

from tournaments.models import Account, Player, Role
from tournaments.services import roles


def page_of_role(role: Role) -> str:
    """The desk of its session, or the one of its holder."""
    return reverse("session-desk", args=[role.session_id]) if role.session_id else reverse("desk")


def page_of(account: Account) -> str:
    """Where an account works: the session of its only role, or the desk if it has several roles; a player's
    own page if it has none."""
    held = list(roles.of(account)[:2])
    if held:
        return page_of_role(held[0]) if len(held) == 1 else reverse("desk")
    return reverse("me") if Player.objects.filter(account=account).exists() else reverse("my-account")
