"""Commit and reveal: boards that everybody can trust. docs/deals.md is the specification.

Before play the organiser publishes a *sealed file*. It binds the event, the game, the numbers of the boards
and the secret seed without giving it away: the seed's hash, and the root of a Merkle tree whose leaves are
the hashes of the boards, each with a salt. After play a *revealed file* shows single boards (a board, its
salt and the way from its leaf to the root) or the seed, from which all boards can be dealt again.
`verifying` needs nothing but the file.

Where the organiser does not want to be able to choose among seeds either, a public value that nobody knows
yet (a lottery's numbers of the next day) is mixed in. The file says beforehand where it will come from; the
boards, and the root, exist only when it is known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from . import registry
from .dealing import SEED_BYTES, Stream, canonical
from .errors import BadField
from .phrases import Phrase
from .public_values import PublicValue

FORMAT = 2
VERSION = "etui-deal-1"
"""What deals are made by. It changes when any deal would, and none has so far."""


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


# ── The manifest ──────────────────────────────────────────────────────────────────────────────────


def manifest_of(boards: Boards, seed: bytes, public_value: PublicValue | None = None) -> dict[str, Any]:
    """The manifest of a board set; while its public value is still to come there is no root.

    BadSeal for numbers that boards cannot have; BadRecord for a game, options or conditions that are wrong.
    """
    check_boards(boards)
    value = public_value.value if public_value else None
    is_known = public_value is None or value is not None
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": boards.event,
        "game": boards.game,
        "options": registry.options_of(registry.game(boards.game), boards.options),
        "conditions": dict(boards.conditions),
        "boards": list(boards.boards),
        "reserves": list(boards.reserves),
        "public_value": public_value.to_json() if public_value else None,
        "seed_hash": seed_hash(seed),
        "root": root(boards, key(seed, value)) if is_known else None,
    }


def check_boards(boards: Boards) -> None:
    """BadSeal, BadRecord: what cannot be dealt."""
    game = registry.game(boards.game)
    registry.options_of(game, boards.options)
    registry.valid_settings(game.conditions, boards.conditions, of="conditions")
    if not boards.boards:
        raise BadSeal("boards", Phrase("there must be at least one"))
    for name, numbers in (("boards", boards.boards), ("reserves", boards.reserves)):
        if any(type(n) is not int or n < 1 for n in numbers) or list(numbers) != sorted(set(numbers)):
            raise BadSeal(name, Phrase("must be different whole numbers from 1 on, in ascending order"))
    if twice := set(boards.boards) & set(boards.reserves):
        known = ", ".join(map(str, sorted(twice)))
        raise BadSeal("reserves", Phrase("are boards already: {known}", known=known))


def commitment(manifest: Mapping[str, Any]) -> str:
    """SHA-256 of a manifest in its canonical form: what is printed, read out or posted before play."""
    return sha256(canonical(manifest)).hexdigest()


def without_value(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest as it was before its public value was known; the same if it has none."""
    value = manifest["public_value"]
    if value is None:
        return dict(manifest)
    return {**manifest, "public_value": {**value, "value": None}, "root": None}


def boards_of(manifest: Mapping[str, Any]) -> Boards:
    names = ("event", "game", "options", "conditions", "boards", "reserves")
    return Boards(**{name: manifest[name] for name in names})


def public_value_of(manifest: Mapping[str, Any]) -> PublicValue | None:
    value = manifest["public_value"]
    return None if value is None else PublicValue(**value)


# ── From the seed to the root ─────────────────────────────────────────────────────────────────────


def key(seed: bytes, value: str | None) -> bytes:
    """What boards are dealt from: the seed, or the seed and the public value together."""
    if len(seed) != SEED_BYTES:
        raise BadSeal(
            "seed", Phrase("must have {wanted} bytes, not {count}", wanted=SEED_BYTES, count=len(seed))
        )
    return seed if value is None else sha256(b"etui/public/1\n" + seed + value.encode()).digest()


def key_of(manifest: Mapping[str, Any], seed: bytes) -> bytes:
    """What the boards of a manifest are dealt from. BadSeal while they wait for a public value."""
    check_dealt(manifest)
    public_value = public_value_of(manifest)
    return key(seed, public_value.value if public_value else None)


def check_dealt(manifest: Mapping[str, Any]) -> None:
    """BadSeal while there are no boards."""
    public_value = public_value_of(manifest)
    if public_value is not None and public_value.value is None:
        raise BadSeal("public_value.value", Phrase("is still to come, and with it the boards"))


def seed_hash(seed: bytes) -> str:
    return hash_of("seed", seed.hex())


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
    return hash_of("board", {"board": number, "deal": deal, "salt": board_salt})


def leaves(boards: Boards, board_key: bytes) -> list[str]:
    """The leaves in the order of the board numbers."""
    return [
        leaf(number, deal_of(boards, board_key, number), salt(board_key, number)) for number in boards.numbers
    ]


def root(boards: Boards, board_key: bytes) -> str:
    return tree(leaves(boards, board_key))[-1][0]


def tree(row: Sequence[str]) -> list[list[str]]:
    """The rows of a Merkle tree, from the leaves to the root. One without a partner goes up as it is."""
    rows = [list(row)]
    while len(rows[-1]) > 1:
        row = rows[-1]
        rows.append(
            [hash_of("node", row[i : i + 2]) if i + 1 < len(row) else row[i] for i in range(0, len(row), 2)]
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


def root_from(start: str, steps: Iterable[Sequence[str]]) -> str:
    """The root to which a path leads from a leaf."""
    node = start
    for side, beside in steps:
        node = hash_of("node", [node, beside] if side == "right" else [beside, node])
    return node


def hash_of(kind: str, value: Any) -> str:
    """SHA-256 of a JSON value in its canonical form, for one kind of values: none passes for another."""
    return sha256(f"etui/{kind}/1\n".encode() + canonical(value)).hexdigest()


# ── The files ─────────────────────────────────────────────────────────────────────────────────────


def sealed_file(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What everybody may have before play."""
    return {"manifest": dict(manifest), "commitment": commitment(manifest)}


def boards_file(manifest: Mapping[str, Any], seed: bytes, numbers: Iterable[int]) -> dict[str, Any]:
    """The file that reveals some boards, in the order of their numbers, and nothing of the others."""
    boards = boards_of(manifest)
    board_key = key_of(manifest, seed)
    rows = tree(leaves(boards, board_key))
    revealed = []
    for number in sorted(set(numbers)):
        if number not in boards.numbers:
            known = ", ".join(map(str, boards.numbers))
            raise BadSeal(
                "boards", Phrase("there is no board {number}; there are: {known}", number=number, known=known)
            )
        revealed.append(
            {
                "board": number,
                "deal": deal_of(boards, board_key, number),
                "salt": salt(board_key, number),
                "path": path(rows, boards.numbers.index(number)),
            }
        )
    return sealed_file(manifest) | {"revealed": revealed}


def seed_file(manifest: Mapping[str, Any], seed: bytes) -> dict[str, Any]:
    """The file that reveals the seed, and so all boards."""
    return sealed_file(manifest) | {"seed": seed.hex()}


def to_bytes(file: Mapping[str, Any]) -> bytes:
    """The file as it is published: the one way to write it."""
    return canonical(file) + b"\n"
