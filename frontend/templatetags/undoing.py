"""What a notice offers to undo, and what a page offers beside it."""

from collections.abc import Mapping
from typing import Any

from django import template

from ..desk.undoing import MARK

register = template.Library()


@register.simple_tag
def undo_of(message: Any) -> str:
    """What a message offers to undo, as the form sends it back; "" for nothing."""
    tags = message.extra_tags or ""
    return tags.removeprefix(MARK) if tags.startswith(MARK) else ""


@register.simple_tag(takes_context=True)
def offered_by_notices(context: Mapping[str, Any]) -> set[str]:
    """What the notices of this page offer to undo: nothing else on it offers that at the same time."""
    if "X-Again" in context["request"].headers:  # they are not shown
        return set()
    return {undo_of(message) for message in context["messages"]} - {""}
