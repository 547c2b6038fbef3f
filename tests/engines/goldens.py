"""Golden records: whole deals as files that people read. `make goldens` writes them again.

Each file of golden/<game>/ holds what it is about, the record, and what the engine must make of it. Beside
them, `deals.sha256` is the digest of the game's first deals, which no version may deal otherwise.
"""

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from engines import bots, dealing, records, registry
from engines.contract import Game

from .cases import Recipe, case_of

FOLDER = Path(__file__).parent / "golden"
SEED = "c0" * 32
FIRST_SEED = bytes(range(32))


def files() -> list[Path]:
    return sorted(FOLDER.glob("*/*.json"))


def golden(game_id: str, recipe: Recipe) -> dict[str, Any]:
    record: dict[str, Any] = {"format": records.FORMAT, "game": game_id, "options": recipe.get("options", {})}
    if "deal" in recipe:
        record |= {"deal": recipe["deal"], "actions": recipe["actions"]}
    else:
        record |= {"board": {"seed": SEED, "number": recipe["number"]}, "actions": []}
        read = records.read(record)
        state = read.game.start(read.deal, read.options)
        bot = bots.bot(recipe["bot"])
        seats = read.game.seat_count(read.conditions)
        bots.play_on(read.game, state, [bot] * seats, bots.randomness(recipe["name"]))
        record["actions"] = state.entries
    read = records.read(record)
    state = records.replay(read)
    return {
        "about": recipe["about"],
        "deal": read.game.show_deal(read.deal),
        "record": record,
        "outcome": records.show_outcome(read, state.outcome()),
        "sheet": read.game.summarise(state),
    }


def written(value: Any, *, per_line: int, indent: str = "") -> str:
    """JSON with a hand, a fact or a trick on one line."""
    inner = indent + " "
    if isinstance(value, dict) and any(isinstance(part, dict | list) for part in value.values()):
        parts = [
            f"{inner}{json.dumps(key)}: {written(part, per_line=per_line, indent=inner)}"
            for key, part in value.items()
        ]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
        parts = [inner + written(part, per_line=per_line, indent=inner) for part in value]
        return "[\n" + ",\n".join(parts) + f"\n{indent}]"
    if isinstance(value, list) and len(value) > 13:  # longer than a hand: the actions, trick by trick
        rows = [value[at : at + per_line] for at in range(0, len(value), per_line)]
        parts = [inner + ", ".join(json.dumps(part) for part in row) for row in rows]
        return "[\n" + ",\n".join(parts) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def texts(game: Game[Any]) -> Iterator[tuple[str, str]]:
    """What the folder of a game holds: (file name, text)."""
    for recipe in case_of(game.id).recipes:
        made = golden(game.id, recipe)
        text = written(made, per_line=game.seats[0]) + "\n"
        assert json.loads(text) == made
        yield f"{recipe['name']}.json", text
    yield "deals.sha256", digest_of_deals(game) + "\n"


def digest_of_deals(game: Game[Any]) -> str:
    """SHA-256 of the first fifty deals of a seed, options at their defaults."""
    options = registry.options_of(game, {})
    deals = [game.show_deal(registry.deal_board(game, FIRST_SEED, n, options, {})) for n in range(1, 51)]
    return sha256(dealing.canonical(deals)).hexdigest()


def main() -> None:
    for game in registry.games().values():
        (FOLDER / game.id).mkdir(parents=True, exist_ok=True)
        for name, text in texts(game):
            (FOLDER / game.id / name).write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
