"""How each game's boards are laid out, as data: what docs/deals.md says in its table, for whoever deals a
board again in another language.

`pack`: in order, before it is shuffled; `bound`: the options and conditions that are part of what a board
comes from, with their defaults; `dealt`: where the cards go; `order`: what is sorted then, and which way;
`more`: what else a deal has. What the table cannot say, the page says beneath it.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def layouts() -> dict[str, dict[str, Any]]:
    """By the game's id."""
    known: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return known
