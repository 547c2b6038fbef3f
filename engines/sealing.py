"""Commit and reveal: boards that everybody can trust.

Before play the organiser publishes a *sealed file*. It binds the event, the game, the numbers of the boards
and the secret seed without telling it: the seed's hash, and the root of a Merkle tree whose leaves are the
hashes of the boards, each with a salt. After play a *revealed file* tells single boards (a board, its salt
and the way from its leaf to the root) or the seed, from which all boards are dealt again. `verify` needs
nothing but the file.

Where the organiser does not want to be able to choose among seeds either, a public value that nobody knows
yet (a lottery's numbers of the next day) is mixed in. The file says beforehand where it will come from; the
boards, and the root, exist only when it is known.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from . import registry
from .dealing import SEED_BYTES, Stream, canonical
from .errors import BadField
from .phrases import Phrase

FORMAT = 2
VERSION = "etui-deal-1"
"""What deals are made by. It changes when any deal would, and none has so far."""

_KEYS: dict[str, tuple[type, ...]] = {
    "format": (int,),
    "version": (str,),
    "event": (str,),
    "game": (str,),
    "options": (dict,),
    "conditions": (dict,),
    "boards": (list,),
    "reserves": (list,),
    "public_value": (dict, type(None)),
    "seed_hash": (str,),
    "root": (str, type(None)),
}


class BadSeal(BadField):
    """A sealed or revealed file that is not what it says. `field`: where (`boards.7.deal`)."""


@dataclass(frozen=True, slots=True)
class Boards:
    """What is dealt: a game with its options and conditions, the numbers of the boards and of the reserve
    boards, and for which event."""

    event: str
    game: str
    options: Mapping[str, Any]
    conditions: Mapping[str, Any]
    boards: Sequence[int]
    reserves: Sequence[int] = ()

    @property
    def numbers(self) -> list[int]:
        return sorted([*self.boards, *self.reserves])


def manifest_of(
    boards: Boards, seed: bytes, *, source: str | None = None, value: str | None = None
) -> dict[str, Any]:
    """The manifest of a board set. `source`: where a public value will come from; `value`: what it was. While
    a value is still to come there is no root. BadSeal for numbers that are no numbers of boards."""
    _check(boards, source, value)
    known = source is None or value is not None
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": boards.event,
        "game": boards.game,
        "options": dict(registry.options_of(registry.game(boards.game), boards.options)),
        "conditions": dict(boards.conditions),
        "boards": list(boards.boards),
        "reserves": list(boards.reserves),
        "public_value": None if source is None else {"source": source, "value": value},
        "seed_hash": _hash("seed", seed.hex()),
        "root": tree(leaves(boards, key(seed, value)))[-1][0] if known else None,
    }


def commitment(manifest: Mapping[str, Any]) -> str:
    """SHA-256 of a manifest in its canonical form: what is printed, read out or posted before play."""
    return sha256(canonical(manifest)).hexdigest()


def without_value(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest as it was before its public value was known; the same if it has none."""
    value = manifest["public_value"]
    if value is None:
        return dict(manifest)
    return {**manifest, "public_value": {**value, "value": None}, "root": None}


def key(seed: bytes, value: str | None) -> bytes:
    """What boards are dealt from: the seed, or the seed and the public value together."""
    if len(seed) != SEED_BYTES:
        raise BadSeal(
            "seed", Phrase("must have {wanted} bytes, not {count}", wanted=SEED_BYTES, count=len(seed))
        )
    return seed if value is None else sha256(b"etui/public/1\n" + seed + value.encode()).digest()


def deal_of(boards: Boards, board_key: bytes, number: int) -> dict[str, Any]:
    """A board as JSON shows it."""
    game = registry.game(boards.game)
    options = registry.options_of(game, boards.options)
    return game.show_deal(registry.deal_board(game, board_key, number, options, boards.conditions))


def salt(board_key: bytes, number: int) -> str:
    """128 bits that keep anyone from trying deals against a leaf."""
    stream = Stream(board_key, {"salt": number})
    return f"{stream.below(1 << 128):032x}"


def leaf(number: int, deal: Mapping[str, Any], board_salt: str) -> str:
    return _hash("board", {"board": number, "deal": deal, "salt": board_salt})


def leaves(boards: Boards, board_key: bytes) -> list[str]:
    """The leaves in the order of the board numbers."""
    return [
        leaf(number, deal_of(boards, board_key, number), salt(board_key, number)) for number in boards.numbers
    ]


def tree(row: Sequence[str]) -> list[list[str]]:
    """The rows of a Merkle tree, from the leaves to the root. One without a partner goes up as it is."""
    rows = [list(row)]
    while len(rows[-1]) > 1:
        row = rows[-1]
        rows.append(
            [_hash("node", row[i : i + 2]) if i + 1 < len(row) else row[i] for i in range(0, len(row), 2)]
        )
    return rows


def path(rows: Sequence[Sequence[str]], place: int) -> list[list[str]]:
    """The way from a leaf to the root: ["left" or "right", the hash of the one beside]."""
    steps = []
    for row in rows[:-1]:
        beside = place ^ 1
        if beside < len(row):
            steps.append(["right" if beside > place else "left", row[beside]])
        place //= 2
    return steps


def root_from(found: str, steps: Iterable[Sequence[str]]) -> str:
    """The root to which a path leads."""
    for side, beside in steps:
        found = _hash("node", [found, beside] if side == "right" else [beside, found])
    return found


def sealed_file(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The sealed file: what everybody may have before play."""
    return {"manifest": dict(manifest), "commitment": commitment(manifest)}


def boards_file(manifest: Mapping[str, Any], seed: bytes, numbers: Iterable[int]) -> dict[str, Any]:
    """The file that reveals some boards, and nothing of the others."""
    boards = boards_of(manifest)
    board_key = key(seed, _value(manifest))
    rows = tree(leaves(boards, board_key))
    told = []
    for number in numbers:
        if number not in boards.numbers:
            known = ", ".join(map(str, boards.numbers))
            raise BadSeal(
                "boards", Phrase("there is no board {number}; there are: {known}", number=number, known=known)
            )
        place = boards.numbers.index(number)
        told.append(
            {
                "board": number,
                "deal": deal_of(boards, board_key, number),
                "salt": salt(board_key, number),
                "path": path(rows, place),
            }
        )
    return sealed_file(manifest) | {"revealed": told}


def seed_file(manifest: Mapping[str, Any], seed: bytes) -> dict[str, Any]:
    """The file that reveals the seed, and so all boards."""
    return sealed_file(manifest) | {"seed": seed.hex()}


def to_bytes(file: Mapping[str, Any]) -> bytes:
    """The file as it is published: the one way to write it."""
    return canonical(file) + b"\n"


def boards_of(manifest: Mapping[str, Any]) -> Boards:
    names = ("event", "game", "options", "conditions", "boards", "reserves")
    return Boards(**{name: manifest[name] for name in names})


@dataclass(frozen=True, slots=True)
class Verified:
    """What has been proved. `dealt_again`: boards dealt from the revealed seed; `revealed`: single boards
    that belong to the root."""

    commitment: str
    dealt_again: tuple[int, ...]
    revealed: tuple[int, ...]


def verify(file: bytes, *, expected: str | None = None) -> Verified:
    """Check a published file against itself, and against the commitment that was `expected` from before play
    (from before the public value was known, or after).

    BadSeal says what does not agree, and where.
    """
    told = _read(file)
    manifest = told["manifest"]
    made = commitment(manifest)
    if told["commitment"] != made:
        raise BadSeal("commitment", Phrase("the manifest gives {made}", made=made))
    if expected is not None and expected.lower() not in {made, commitment(without_value(manifest))}:
        raise BadSeal(
            "commitment",
            Phrase("the manifest gives {made}, and {expected} was expected", made=made, expected=expected),
        )
    boards = boards_of(manifest)
    value = manifest["public_value"]
    _check(boards, value and value["source"], value and value["value"])
    revealed = tuple(_revealed_number(manifest, one) for one in told.get("revealed", ()))
    if "seed" not in told:
        return Verified(made, (), revealed)
    seed = _seed(told["seed"])
    if _hash("seed", seed.hex()) != manifest["seed_hash"]:
        raise BadSeal("seed", Phrase("is not the one that was sealed"))
    if manifest["root"] is None:
        raise BadSeal("manifest.root", Phrase("the public value is still to come, and with it the boards"))
    if tree(leaves(boards, key(seed, _value(manifest))))[-1][0] != manifest["root"]:
        raise BadSeal("manifest.root", Phrase("the boards of this seed are not the ones that were sealed"))
    return Verified(made, tuple(boards.numbers), revealed)


def _read(file: bytes) -> dict[str, Any]:
    try:
        told = json.loads(file)
    except ValueError as error:
        raise BadSeal("file", Phrase("is not JSON: {error}", error=error)) from None
    if not isinstance(told, dict) or not isinstance(told.get("manifest"), dict):
        raise BadSeal("manifest", Phrase("is missing"))
    if to_bytes(told) != file:
        raise BadSeal("file", Phrase("has been written in another way than it was published"))
    for name in sorted({"manifest", "commitment"} ^ (told.keys() - {"seed", "revealed"})):
        raise BadSeal(name, Phrase("is missing") if name not in told else Phrase("does not belong here"))
    manifest = told["manifest"]
    for name in sorted(_KEYS.keys() ^ manifest.keys()):
        reason = Phrase("is missing") if name in _KEYS else Phrase("does not belong here")
        raise BadSeal(f"manifest.{name}", reason)
    wrong = [name for name, kinds in _KEYS.items() if not isinstance(manifest[name], kinds)]
    value = manifest["public_value"]
    if value is not None and "public_value" not in wrong and value.keys() != {"source", "value"}:
        wrong.append("public_value")
    if wrong:
        raise BadSeal(f"manifest.{wrong[0]}", Phrase("is not of its kind"))
    if not isinstance(told.get("revealed", []), list):
        raise BadSeal("revealed", Phrase("is not of its kind"))
    if (manifest["format"], manifest["version"]) != (FORMAT, VERSION):
        known = f"{FORMAT}, {VERSION}"
        raise BadSeal("manifest.version", Phrase("this library verifies {known}", known=known))
    return told


def _seed(text: object) -> bytes:
    try:
        seed = bytes.fromhex(str(text))
    except ValueError:
        raise BadSeal("seed", Phrase("must be 64 hexadecimal digits")) from None
    if len(seed) != SEED_BYTES or seed.hex() != text:
        raise BadSeal("seed", Phrase("must be 64 hexadecimal digits"))
    return seed


def _revealed_number(manifest: Mapping[str, Any], told: Mapping[str, Any]) -> int:
    """The number of a revealed board, if its path leads to the root from its own place."""
    if not isinstance(told, dict) or told.keys() != {"board", "deal", "salt", "path"}:
        raise BadSeal("revealed", Phrase("each needs board, deal, salt and path"))
    number = told["board"]
    numbers = boards_of(manifest).numbers
    if number not in numbers:
        raise BadSeal("revealed", Phrase("there is no board {number}", number=number))
    steps = told["path"]
    try:
        led = root_from(leaf(number, told["deal"], told["salt"]), steps)
        sides = [side for side, _ in steps]
    except (TypeError, ValueError):
        raise BadSeal(f"revealed.{number}.path", Phrase("is no path")) from None
    if led != manifest["root"] or sides != _sides(len(numbers), numbers.index(number)):
        raise BadSeal(f"revealed.{number}", Phrase("is not the board that was sealed"))
    return int(number)


def _sides(count: int, place: int) -> list[str]:
    """On which side the neighbours of a path lie, for the leaf of that place."""
    return [side for side, _ in path(tree([str(n) for n in range(count)]), place)]


def _value(manifest: Mapping[str, Any]) -> str | None:
    value = manifest["public_value"]
    return None if value is None else value["value"]


def _check(boards: Boards, source: object, value: object) -> None:
    game = registry.game(boards.game)
    registry.options_of(game, boards.options)
    registry.valid_settings(game.conditions, boards.conditions, of="conditions")
    numbers = [*boards.boards, *boards.reserves]
    if (
        not boards.boards
        or any(type(n) is not int or n < 1 for n in numbers)
        or len(set(numbers)) < len(numbers)
    ):
        raise BadSeal("boards", Phrase("must be different whole numbers from 1 on"))
    if value is not None and source is None:
        raise BadSeal("public_value", Phrase("needs a source, published before it was known"))
    if any(text is not None and (not isinstance(text, str) or not text.strip()) for text in (source, value)):
        raise BadSeal("public_value", Phrase("must be a text"))


def _hash(kind: str, value: Any) -> str:
    return sha256(f"etui/{kind}/1\n".encode() + canonical(value)).hexdigest()
