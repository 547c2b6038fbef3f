"""Records, result sheets and match accounts as JSON: read strictly, replayed, summarised."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from . import registry
from .contract import Game, Outcome, Setting, State
from .dealing import read_seed
from .errors import BadRecord, BadSheet
from .phrases import Phrase
from .sheets import is_whole

FORMAT = 1
KEYS = ("format", "game", "options", "conditions", "board", "deal", "actions", "sheet", "deals")
CONTENTS = ("actions", "sheet", "deals")
READER = {"actions": "engine", "sheet": "sheet", "deals": "ledger"}


@dataclass(frozen=True, slots=True)
class Record:
    """One file: a game on a board, and what happened there.

    `deal`: the game's deal, None where the file gives none. Of `actions`, `sheet` and `deals` at most
    one is not None.
    """

    game: Game[Any]
    options: Mapping[str, Setting]
    conditions: Mapping[str, Setting]
    deal: Any
    actions: tuple[str, ...] | None = None
    sheet: Mapping[str, Any] | None = None
    deals: tuple[Any, ...] | None = None


def read(data: object, *, content: str | None = None) -> Record:
    """The record that a JSON value means; `content`: which of CONTENTS it must have, if only one will do.

    BadRecord names an unknown or missing key, game, option or condition; BadDeal a wrong deal.
    """
    if not isinstance(data, dict):
        raise BadRecord("record", Phrase("must be an object"))
    for key in data:
        if key not in KEYS:
            keys = ", ".join(KEYS)
            raise BadRecord(str(key), Phrase("unknown key; there are: {keys}", keys=keys))
    if type(data.get("format", FORMAT)) is not int or data.get("format", FORMAT) != FORMAT:
        raise BadRecord("format", Phrase("this version reads format {format}", format=FORMAT))
    content = content_of(data, content)
    game = registry.game(data.get("game"))
    options = registry.options_of(game, data.get("options", {}))
    conditions = registry.valid_settings(
        game.conditions, data.get("conditions", {}), of="conditions", reader=READER[content]
    )
    deal = deal_of(game, data, options, conditions)
    if content == "actions" and deal is None:
        raise BadRecord("board", Phrase("a record needs a board or a deal"))
    return with_content(Record(game, options, conditions, deal), data)


def with_content(board: Record, data: Mapping[str, Any]) -> Record:
    """The record of a known board with what happened there: actions, a sheet or deals."""
    content = content_of(data)
    return replace(board, **{content: content_value(content, data[content])})


def content_of(data: Mapping[str, Any], content: str | None = None) -> str:
    """Which of CONTENTS a file has: exactly one, and this `content` if it is given."""
    contents = [key for key in CONTENTS if key in data]
    if content and contents != [content]:
        raise BadRecord(
            content, Phrase("this command needs this key, and neither of the others (actions, sheet, deals)")
        )
    if len(contents) != 1:
        raise BadRecord("actions", Phrase("there must be actions, a sheet or deals, one of the three"))
    return contents[0]


def content_value(content: str, value: object) -> Any:
    """Actions and deals as tuples; the fields of a sheet are left to its game."""
    if content == "sheet":
        if not isinstance(value, dict):
            raise BadSheet("sheet", Phrase("must be an object of fields"))
        return value
    if not isinstance(value, list):
        raise BadRecord(content, Phrase("must be a list"))
    if content == "actions" and not all(isinstance(entry, str) for entry in value):
        raise BadRecord(content, Phrase("must be a list of words"))
    return tuple(value)


def deal_of(
    game: Game[Any],
    data: Mapping[str, Any],
    options: Mapping[str, Setting],
    conditions: Mapping[str, Setting],
) -> Any:
    """The deal that a file gives, by its board's seed or card by card; None if it gives none."""
    if "deal" in data:
        if "board" in data:
            raise BadRecord("deal", Phrase("a file has a board or a deal, not both"))
        return game.read_deal(data["deal"], options)
    if "board" not in data:
        return None
    board = data["board"]
    if not isinstance(board, dict) or board.keys() != {"seed", "number"}:
        raise BadRecord("board", Phrase("must have a seed and a number"))
    try:
        seed = read_seed(board["seed"] if isinstance(board["seed"], str) else "")
    except ValueError:
        raise BadRecord("board.seed", Phrase("must be 64 hexadecimal digits")) from None
    if not is_whole(board["number"], 1, None):
        raise BadRecord("board.number", Phrase("must be a whole number, 1 or more"))
    return registry.deal_board(game, seed, board["number"], options, conditions)


def replay(record: Record) -> State:
    """The state that the actions lead to, each checked. IllegalAction names the first that is not legal."""
    if record.actions is None:
        raise BadRecord("actions", Phrase("there are none to replay"))
    state = record.game.start(record.deal, record.options)
    state.apply_all(record.actions)
    return state


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a result is worth, and the result sheet that says the same."""

    outcome: Outcome
    sheet: Mapping[str, Any]


def judgement(record: Record) -> Judgement | None:
    """What the engine makes of a result sheet, or of actions; None while the deal is not over.

    EngineError refuses: IllegalAction names the first action that is not legal, BadSheet the field.
    """
    game = record.game
    if record.sheet is not None:
        circumstances = {"deal": record.deal, "options": record.options, "conditions": record.conditions}
        return Judgement(game.score(record.sheet, **circumstances), record.sheet)
    state = replay(record)
    return Judgement(state.outcome(), game.summarise(state)) if state.over else None


def final_judgement(record: Record) -> Judgement:
    """The judgement of a deal that has to be over: BadRecord while it is not."""
    final = judgement(record)
    if final is None:
        count = len(record.actions or ())
        raise BadRecord("actions", Phrase("the deal is not over after {count} actions", count=count))
    return final


def show_outcome(record: Record, outcome: Outcome | None) -> dict[str, Any]:
    """An outcome as JSON; None stands for a deal that is not over."""
    return {
        "over": outcome is not None,
        "scores": list(outcome.scores) if outcome else None,
        "unit": record.game.unit_of(record.options).to_json(),
        "facts": [fact.to_json() for fact in outcome.facts] if outcome else [],
    }


def show_legal(state: State) -> dict[str, Any]:
    """Phase and legal actions of each seat that may act, as JSON."""
    actions = [{"seat": seat, "actions": list(state.legal(seat))} for seat in state.actors()]
    return {"over": state.over, "phase": state.phase, "actions": actions}
