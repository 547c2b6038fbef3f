"""Golden records: whole deals as files that people read. `make goldens` writes them again.

Each file of golden/ holds what it is about, the record, and what the engine must make of it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from engines import bots, records, registry

FOLDER = Path(__file__).parent / "golden"
SEED = "c0" * 32

# By game: file name, what it shows, options, and either a board and a robot or the file as it is.
RECIPES: dict[str, list[dict[str, Any]]] = {
    "comon": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {"name": "random", "about": "Board 2, robots that play anything.", "number": 2, "bot": "random"},
        {
            "name": "four-aces-claimed",
            "about": "Seat 2 holds the four Aces and claims; both others grant half a life.",
            "deal": {
                "dealer": 1,
                "hands": [
                    ["KS", "QS", "JS", "TS", "KH", "QH", "JH", "TH", "KD", "QD"],
                    ["AS", "AH", "AD", "AC", "9S", "8S", "7S", "9H", "8H", "7H"],
                    ["KC", "QC", "JC", "TC", "9C", "8C", "7C", "JD", "TD", "9D"],
                ],
                "turned": ["8D", "7D"],
            },
            "actions": ["claim-aces", "vote:yes", "vote:yes"],
        },
    ],
    "bernicle": [
        {"name": "sensible", "about": "Board 4, sensible robots.", "number": 4, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "besigue-chinois": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "besigue-japonais": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "bridgette": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "caisse": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "cochonnet": [
        {
            "name": "sensible",
            "about": "Board 1, a game of four rounds by sensible robots.",
            "number": 1,
            "bot": "sensible",
        },
        {"name": "random", "about": "Board 2, robots that play anything.", "number": 2, "bot": "random"},
    ],
    "demons": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "demons-punisseurs": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "duel-las-vegas": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "frappe": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "heritiers": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "hombre": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "le-99": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "loba": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "mille": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "belote-noisette": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "sept": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "tarot-4-saisons": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "random",
            "about": "Board 2, robots that say and play anything.",
            "number": 2,
            "bot": "random",
        },
    ],
    "tarot-double-detente": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {
            "name": "all-options",
            "about": "Board 2 with every option, robots that play anything.",
            "number": 2,
            "bot": "random",
            "options": {"cavalry": True, "modifications": True, "winning_ace": True, "all_or_nothing": True},
        },
    ],
    "tarot-triple-detente": [
        {"name": "sensible", "about": "Board 1, sensible robots.", "number": 1, "bot": "sensible"},
        {"name": "random", "about": "Board 2, robots that play anything.", "number": 2, "bot": "random"},
    ],
}


def files() -> list[Path]:
    return sorted(FOLDER.glob("*/*.json"))


def golden(game_id: str, recipe: dict[str, Any]) -> dict[str, Any]:
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


def main() -> None:
    for game in registry.games().values():
        folder = FOLDER / game.id
        folder.mkdir(parents=True, exist_ok=True)
        for recipe in RECIPES[game.id]:
            made = golden(game.id, recipe)
            text = written(made, per_line=game.seats[0]) + "\n"
            assert json.loads(text) == made
            (folder / f"{recipe['name']}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
