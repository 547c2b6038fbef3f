"""A value after what it is called: French sets the colon off."""

from typing import Any

from django.utils.translation import pgettext


def labelled(label: Any, value: Any) -> str:
    """As in “board 4: entered”, in the reader's language.

    >>> labelled("board 4", "entered")
    'board 4: entered'
    """
    return f"{label}{pgettext('after a label', ':')} {value}"
