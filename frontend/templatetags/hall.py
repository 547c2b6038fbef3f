"""The tables that call, wherever somebody is at the desk of their session."""

from typing import Any

from django import template

from tournaments.models import Account, Session

from ..desk import waits

register = template.Library()
OWN = "session-desk"  # tells them in its course


@register.inclusion_tag("desk/hall_calls.html", takes_context=True)
def hall_calls(context: template.Context) -> dict[str, Any]:
    """The tables that call, on a page of a session at the desk while it is played; nothing anywhere else."""
    session: Any = context.get("session")
    request: Any = context.get("request")
    if not _is_at_desk(request, session) or request.resolver_match.url_name == OWN:
        return {}
    return {
        "session": session,
        "calling": waits.calling(session, request.user),
        "CSP_NONCE": context.get("CSP_NONCE"),
    }


@register.simple_tag(takes_context=True)
def calls_in_title(context: template.Context) -> str:
    """How many tables call, before the title of such a page: “(2) ”, which a browser's tab shows."""
    session: Any = context.get("session")
    request: Any = context.get("request")
    if not _is_at_desk(request, session):
        return ""
    count = waits.calling_count(session, request.user)
    return f"({count}) " if count else ""


def _is_at_desk(request: Any, session: Any) -> bool:
    return (
        isinstance(session, Session)
        and session.state == Session.State.RUNNING
        and getattr(request, "resolver_match", None) is not None
        and "/desk/sessions/" in request.path
        and isinstance(request.user, Account)
    )
