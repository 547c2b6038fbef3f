"""What values, and the sides of a table, are called."""

from typing import Any

from django.utils.translation import gettext, gettext_lazy, pgettext

from engines.contract import Game

LIVE_NOTE = gettext_lazy(
    "A board counts there once the results of all its tables are in. What you enter for the tables counts at "
    "once if you do not play in this session, otherwise when the play ends."
)
"""Of the list that everybody sees while a session is played."""


def labelled(label: Any, value: Any) -> str:
    """As in “board 4: entered”, in the reader's language.

    >>> labelled("board 4", "entered")
    'board 4: entered'
    """
    return f"{label}{pgettext('after a label', ':')} {value}"


def side_names(game: Game[Any]) -> list[str]:
    """What the sides of a table are called where results are written side by side; empty where each seat has
    its own.

    >>> from engines import registry
    >>> len(side_names(registry.game("cochonnet"))), side_names(registry.game("comon"))
    (2, [])
    """
    is_by_side = any(one.per_side for field in game.fields for one in (field, *field.of))
    return [gettext("NS"), gettext("EW")] if is_by_side else []
