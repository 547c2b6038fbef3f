"""What a notice offers to undo."""

from typing import Any

from django import template

from ..desk.undoing import MARK

register = template.Library()


@register.simple_tag
def undo_of(message: Any) -> str:
    """What a message offers to undo, as the form sends it back; "" for nothing."""
    tags = message.extra_tags or ""
    return tags.removeprefix(MARK) if tags.startswith(MARK) else ""
