"""Help beside a form: `{% help "players" %}`."""

from typing import Any

from django import template
from django.utils.translation import get_language

from ..helping import sections

register = template.Library()


@register.inclusion_tag("frontend/parts/help.html")
def help(topic: str) -> dict[str, Any]:  # noqa: A001 (what templates call it)
    """The section of a topic; nothing where there is none."""
    return {"section": sections((get_language() or "en")[:2]).get(topic)}
