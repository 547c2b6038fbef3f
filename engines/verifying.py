"""Whether a published file of deals holds: what it proves, and what nobody can prove from it.

A file can agree with itself and still be another one than was published before play. So `verify` says what
it has compared with what, and names what is left to compare by eye.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .dealing import canonical, read_seed
from .phrases import Phrase
from .public_values import PublicValue
from .sealing import (
    FORMAT,
    VERSION,
    BadSeal,
    Boards,
    boards_of,
    check_boards,
    check_dealt,
    commitment,
    key_of,
    leaf,
    path,
    public_value_of,
    root,
    root_from,
    seed_hash,
    tree,
    without_value,
)

MANIFEST: dict[str, tuple[type, ...]] = {
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
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True, slots=True)
class Verified:
    """What has been proved. `compared`: whether the commitment that was given is the one of this file, from
    BEFORE its public value was known (the same if it has none) or from AFTER; None if none was given.
    `dealt_again`: boards dealt from the revealed seed; `revealed`: single boards that belong to the root."""

    boards: Boards
    public_value: PublicValue | None
    commitment: str
    compared: str | None
    dealt_again: tuple[int, ...]
    revealed: tuple[int, ...]

    def checked(self) -> Iterator[Phrase]:
        """What holds, in sentences."""
        yield Phrase("The file agrees with its own commitment, {commitment}.", commitment=self.commitment)
        if self.compared == BEFORE and self.public_value:
            yield Phrase(
                "The commitment that you gave is that of this file before its public value was known: event, "
                "game, options, board numbers, seed and source were fixed by then."
            )
        elif self.compared:
            yield Phrase(
                "The commitment that you gave is that of this file: event, game, options, board numbers and "
                "boards were fixed when it was published."
            )
        if self.dealt_again:
            numbers = spans(self.dealt_again)
            yield Phrase("All boards dealt again from the seed are as sealed: {numbers}.", numbers=numbers)
        if self.revealed:
            numbers = spans(self.revealed)
            yield Phrase("These boards are among those that were sealed: {numbers}.", numbers=numbers)

    def unchecked(self) -> Iterator[Phrase]:
        """What this file cannot show, or not yet, and what would."""
        if self.compared is None:
            yield Phrase(
                "Whether this is the file that was sealed before play: anybody could have changed it, its "
                "event and board numbers included. Give the commitment that was published then "
                "(--commitment)."
            )
        value = self.public_value
        if value and value.value and self.compared == AFTER:
            yield Phrase(
                "Whether the source of the public value was named before the value was known: give the "
                "commitment that was published before."
            )
        if value and value.value:
            yield Phrase(
                "Whether {value} is what was published there: compare it with the source, {source}.",
                value=value.value,
                source=value.source,
            )
        elif value:
            yield Phrase("The boards: there are none before the public value is known.")
        if self.revealed:
            yield Phrase("All other boards, and that these come from the seed: that takes the seed.")
        elif not self.dealt_again and not (value and not value.value):
            yield Phrase("The boards: they are sealed until the seed is revealed.")


def verify(file: bytes, *, expected: str | None = None) -> Verified:
    """Check a published file against itself, and against the commitment that was `expected` from before play
    (from before the public value was known, or after).

    BadSeal says what does not agree, and where; BadRecord and BadPublicValue what cannot be dealt.
    """
    content = read(file)
    manifest = content["manifest"]
    check_manifest(manifest)
    own = commitment(manifest)
    if content["commitment"] != own:
        raise BadSeal("commitment", Phrase("the manifest gives {own}", own=own))
    compared = comparison(manifest, expected)
    boards = boards_of(manifest)
    if content.keys() & {"seed", "revealed"}:
        check_dealt(manifest)
    revealed = tuple(checked_numbers(manifest, content["revealed"])) if "revealed" in content else ()
    if "seed" in content:
        check_seed(manifest, content["seed"])
    dealt_again = tuple(boards.numbers) if "seed" in content else ()
    return Verified(boards, public_value_of(manifest), own, compared, dealt_again, revealed)


def comparison(manifest: Mapping[str, Any], expected: str | None) -> str | None:
    """From when the expected commitment is. BadSeal if it is not that of the manifest."""
    if expected is None:
        return None
    expected = expected.strip().lower()
    if not is_hash(expected):
        raise BadSeal("--commitment", Phrase("must be 64 hexadecimal digits"))
    if expected == commitment(without_value(manifest)):
        return BEFORE
    if expected == commitment(manifest):
        return AFTER
    own = commitment(manifest)
    raise BadSeal(
        "commitment",
        Phrase("the manifest gives {own}, and {expected} was expected", own=own, expected=expected),
    )


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def read(file: bytes) -> dict[str, Any]:
    """The content of a published file, of its keys and no others, once it is written in the one way."""
    try:
        content = json.loads(file)
        is_canonical = canonical(content) + b"\n" == file
    except (ValueError, RecursionError) as error:
        raise BadSeal("file", Phrase("is not JSON: {error}", error=error)) from None
    if not isinstance(content, dict) or not isinstance(content.get("manifest"), dict):
        raise BadSeal("manifest", Phrase("is missing"))
    if not is_canonical:
        raise BadSeal("file", Phrase("is not written as it was published"))
    check_keys("", content.keys() - {"seed", "revealed"}, {"manifest", "commitment"})
    if "seed" in content and "revealed" in content:
        raise BadSeal("revealed", Phrase("a file reveals single boards or the seed, not both"))
    return content


def check_keys(prefix: str, keys: Any, wanted: Any) -> None:
    for name in sorted(wanted ^ keys):
        reason = Phrase("does not belong here") if name in keys else Phrase("is missing")
        raise BadSeal(f"{prefix}{name}", reason)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Whether a manifest is one that could have been sealed."""
    check_keys("manifest.", manifest.keys(), MANIFEST.keys())
    for name, kinds in MANIFEST.items():
        if not isinstance(manifest[name], kinds):
            raise BadSeal(f"manifest.{name}", Phrase("is not of its kind"))
    if (manifest["format"], manifest["version"]) != (FORMAT, VERSION):
        known = f"{FORMAT}, {VERSION}"
        raise BadSeal("manifest.version", Phrase("this library verifies {known}", known=known))
    check_boards(boards_of(manifest))
    value = manifest["public_value"]
    if value is not None:
        check_keys("manifest.public_value.", value.keys(), {"kind", "source", "value"})
        for name, part in value.items():
            if not (isinstance(part, str) or (name == "value" and part is None)):
                raise BadSeal(f"manifest.public_value.{name}", Phrase("is not of its kind"))
    is_waiting = value is not None and value["value"] is None
    if is_waiting != (manifest["root"] is None):
        raise BadSeal("manifest.root", Phrase("there is one as soon as the boards are known, and not before"))
    for name in ("seed_hash", "root"):
        if not (manifest[name] is None or is_hash(manifest[name])):
            raise BadSeal(f"manifest.{name}", Phrase("must be 64 hexadecimal digits"))


def is_hash(text: str) -> bool:
    return re.fullmatch("[0-9a-f]{64}", text) is not None


# ── The boards ────────────────────────────────────────────────────────────────────────────────────


def check_seed(manifest: Mapping[str, Any], text: object) -> None:
    """Whether the seed is the one that was sealed, and all boards come from it."""
    if not isinstance(text, str) or not is_hash(text):
        raise BadSeal("seed", Phrase("must be 64 hexadecimal digits"))
    seed = read_seed(text)
    if seed_hash(seed) != manifest["seed_hash"]:
        raise BadSeal("seed", Phrase("is not the one that was sealed"))
    if root(boards_of(manifest), key_of(manifest, seed)) != manifest["root"]:
        raise BadSeal("manifest.root", Phrase("the boards of this seed are not the ones that were sealed"))


def checked_numbers(manifest: Mapping[str, Any], revealed: object) -> Iterator[int]:
    """The numbers of revealed boards whose paths lead to the root from their own places."""
    parts = {"board", "deal", "salt", "path"}
    if not isinstance(revealed, list) or not all(
        isinstance(one, dict) and one.keys() == parts for one in revealed
    ):
        raise BadSeal("revealed", Phrase("must be a list, each with board, deal, salt and path"))
    if not revealed:
        raise BadSeal("revealed", Phrase("there must be at least one"))
    numbers = [one["board"] for one in revealed]
    known = boards_of(manifest).numbers
    for number in numbers:
        if type(number) is not int or number not in known:
            raise BadSeal("revealed", Phrase("there is no board {number}", number=number))
    if any(earlier >= later for earlier, later in pairwise(numbers)):
        raise BadSeal("revealed", Phrase("each board once, in the order of their numbers"))
    for one in revealed:
        place = known.index(one["board"])
        if not leads_to(manifest["root"], one, sides(len(known), place)):
            raise BadSeal(f"revealed.{one['board']}", Phrase("is not the board that was sealed"))
        yield one["board"]


def leads_to(sealed_root: str | None, one: Mapping[str, Any], due: list[str]) -> bool:
    """Whether a revealed board's path leads to the root, on the `due` sides."""
    try:
        led = root_from(leaf(one["board"], one["deal"], one["salt"]), one["path"])
        return led == sealed_root and [side for side, _ in one["path"]] == due
    except (TypeError, ValueError):  # a path that is not one
        return False


def sides(count: int, place: int) -> list[str]:
    """On which side the neighbours of a path lie, for the leaf of that place."""
    return [side for side, _ in path(tree([str(n) for n in range(count)]), place)]


def spans(numbers: Sequence[int]) -> str:
    """Ascending numbers, neighbours taken together.

    >>> spans((1, 2, 3, 5, 8, 9))
    '1–3, 5, 8–9'
    """
    ends: list[list[int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ends)
