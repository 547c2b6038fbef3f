"""Commit and reveal: a published file proves its boards, and not one byte of it can be changed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import cli, sealing
from engines.errors import EngineError
from engines.sealing import BadSeal, Boards

SEED = bytes(range(32))
BOARDS = Boards("Open, Final", "comon", {"four_aces": "allow"}, {}, range(1, 8), (8, 9))


def sealed(**given: Any) -> dict[str, Any]:
    return sealing.manifest_of(BOARDS, SEED, **given)


def test_the_seed_opens_what_was_sealed() -> None:
    manifest = sealed()
    before = sealing.verify(sealing.to_bytes(sealing.sealed_file(manifest)))
    assert (before.dealt_again, before.revealed) == ((), ())
    after = sealing.verify(sealing.to_bytes(sealing.seed_file(manifest, SEED)), expected=before.commitment)
    assert after.dealt_again == tuple(range(1, 10))


def test_single_boards_are_revealed_and_tell_nothing_of_the_others() -> None:
    file = sealing.boards_file(sealed(), SEED, [3, 8])
    assert sealing.verify(sealing.to_bytes(file)).revealed == (3, 8)
    text = sealing.to_bytes(file).decode()
    assert SEED.hex() not in text
    for number in (1, 2, 4, 5, 6, 7, 9):
        assert sealing.salt(SEED, number) not in text
        assert json.dumps(sealing.deal_of(BOARDS, SEED, number)["hands"][0]) not in text


@pytest.mark.parametrize("count", range(1, 18))
def test_every_board_of_every_number_of_boards_leads_to_the_root(count: int) -> None:
    leaves = [f"leaf {n}" for n in range(count)]
    rows = sealing.tree(leaves)
    for place, leaf in enumerate(leaves):
        steps = sealing.path(rows, place)
        assert sealing.root_from(leaf, steps) == rows[-1][0]
        assert sealing.root_from("another leaf", steps) != rows[-1][0]


def files() -> dict[str, bytes]:
    with_value = sealed(source="the lottery of 28 November", value="3 7 12 24 40")
    return {
        "sealed": sealing.to_bytes(sealing.sealed_file(sealed())),
        "seed": sealing.to_bytes(sealing.seed_file(sealed(), SEED)),
        "boards": sealing.to_bytes(sealing.boards_file(sealed(), SEED, [2, 9])),
        "value": sealing.to_bytes(sealing.seed_file(with_value, SEED)),
    }


@pytest.mark.parametrize("name", ["sealed", "seed", "boards", "value"])
def test_every_changed_byte_of_a_published_file_is_found(name: str) -> None:
    """Each byte becomes another of its kind (a digit another digit), the next byte, and nothing."""
    file = files()[name]
    sealing.verify(file)
    for at, byte in enumerate(file):
        for other in {
            byte ^ 1,
            (byte + 1) % 128,
            ord("7") if chr(byte).isdigit() and byte != ord("7") else byte ^ 2,
        }:
            with pytest.raises(BadSeal):
                sealing.verify(file[:at] + bytes([other]) + file[at + 1 :])
        with pytest.raises(BadSeal):
            sealing.verify(file[:at] + file[at + 1 :])


def test_a_public_value_that_nobody_knew_changes_every_board() -> None:
    source = "the lottery of 28 November"
    waiting = sealed(source=source)
    assert waiting["root"] is None
    one, other = (sealed(source=source, value=value) for value in ("3 7 12", "3 7 13"))
    assert one["seed_hash"] == other["seed_hash"] == waiting["seed_hash"]
    assert one["root"] != other["root"] != sealed()["root"]
    assert sealing.verify(sealing.to_bytes(sealing.seed_file(one, SEED))).dealt_again == tuple(range(1, 10))
    before = sealing.commitment(waiting)
    for file in (
        sealing.sealed_file(one),
        sealing.seed_file(one, SEED),
        sealing.seed_file(other, SEED),
    ):
        assert sealing.verify(
            sealing.to_bytes(file), expected=before
        )  # what was published first binds them all
    with pytest.raises(BadSeal, match="was expected"):
        sealing.verify(sealing.to_bytes(sealing.seed_file(sealed(), SEED)), expected=before)
    with pytest.raises(BadSeal, match="still to come"):
        sealing.verify(sealing.to_bytes(sealing.seed_file(waiting, SEED)))


def test_a_commitment_changes_with_everything_that_it_binds() -> None:
    changes = [
        BOARDS,
        replace(BOARDS, event="Open, Consolation"),
        replace(BOARDS, options={}),
        replace(BOARDS, boards=range(1, 9), reserves=(9,)),
        replace(BOARDS, reserves=()),
        replace(BOARDS, game="hombre", options={}),
    ]
    made = [
        sealing.commitment(sealing.manifest_of(one, seed)) for one in changes for seed in (SEED, bytes(32))
    ]
    assert len(set(made)) == len(made)


def told(**changes: Any) -> bytes:
    """A file with a part changed and everything that follows from it made to agree."""
    file = sealing.seed_file(sealed() | changes, SEED)
    return sealing.to_bytes(file)


@pytest.mark.parametrize(("file", "field", "constraint"), [
    (b"", "file", "is not JSON"),
    (b"[]\n", "manifest", "is missing"),
    (json.dumps(sealing.sealed_file(sealed())).encode(), "file", "in another way than it was published"),
    (sealing.to_bytes({"manifest": sealed()}), "commitment", "is missing"),
    (sealing.to_bytes(sealing.sealed_file(sealed()) | {"note": 1}), "note", "does not belong here"),
    (told(colour="red"), "manifest.colour", "does not belong here"),
    (sealing.to_bytes(sealing.sealed_file({k: v for k, v in sealed().items() if k != "root"})),
     "manifest.root", "is missing"),
    (told(version="etui-deal-9"), "manifest.version", "this library verifies 2, etui-deal-1"),
    (told(boards=[1, 1]), "boards", "different whole numbers"),
    (told(boards=[1, 2, 3]), "manifest.root", "not the ones that were sealed"),
    (told(conditions={"seats": 4}), "conditions.seats", "unknown here"),
    (told(options={}), "manifest.root", "not the ones that were sealed"),
    (told(public_value={"source": " ", "value": "x"}), "public_value", "must be a text"),
    (sealing.to_bytes(sealing.seed_file(sealed(), bytes(32))), "seed", "not the one that was sealed"),
    (sealing.to_bytes(sealing.sealed_file(sealed()) | {"seed": "7"}), "seed", "64 hexadecimal digits"),
])  # fmt: skip
def test_a_file_that_does_not_hold_says_where(file: bytes, field: str, constraint: str) -> None:
    with pytest.raises(EngineError) as caught:
        sealing.verify(file)
    assert str(caught.value).startswith(f"{field}: ")
    assert constraint in str(caught.value)


@pytest.mark.parametrize("name", [*sealed(), "revealed"])
@pytest.mark.parametrize("value", [5, "x", [5], [[]], {"x": 1}, {"source": 1}, None, True])
def test_a_file_made_up_to_confuse_is_refused(name: str, value: Any) -> None:
    """It agrees with its own commitment, but what it holds is of another kind, or not what was sealed:
    nothing but a refusal comes of it."""
    if (name, value) == ("public_value", None):
        return  # as it was
    changed = {} if name == "revealed" else {name: value}
    file = sealing.seed_file(sealed() | changed, SEED)
    if name == "revealed":
        file = {**file, "revealed": value}
    with pytest.raises(EngineError):
        sealing.verify(sealing.to_bytes(file), expected=sealing.commitment(sealed()))


def test_a_board_under_the_number_of_another_is_found() -> None:
    file = sealing.boards_file(sealed(), SEED, [2, 3])
    one, other = file["revealed"]
    one["board"], other["board"] = 3, 2
    with pytest.raises(BadSeal, match="revealed"):
        sealing.verify(sealing.to_bytes(file))


@pytest.mark.parametrize(("call", "field"), [
    (lambda: sealing.manifest_of(BOARDS, b"short"), "seed"),
    (lambda: sealing.manifest_of(replace(BOARDS, boards=[]), SEED), "boards"),
    (lambda: sealing.manifest_of(replace(BOARDS, reserves=(3,)), SEED), "boards"),
    (lambda: sealing.manifest_of(BOARDS, SEED, value="7"), "public_value"),
    (lambda: sealing.boards_file(sealed(), SEED, [77]), "boards"),
])  # fmt: skip
def test_what_cannot_be_sealed_is_refused(call: Any, field: str) -> None:
    with pytest.raises(BadSeal) as caught:
        call()
    assert caught.value.field == field


def test_anyone_can_verify_on_the_command_line(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "deals.json"
    path.write_bytes(files()["seed"])
    committed = sealing.commitment(sealed())
    assert cli.main(["verify", str(path), "--commitment", committed]) == 0
    assert "9 boards dealt again from the seed: all as sealed" in capsys.readouterr().out
    assert cli.main(["verify", str(path), "--commitment", "0" * 64, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["field"] == "commitment"
    path.write_bytes(files()["seed"].replace(b"Final", b"final"))
    assert cli.main(["verify", str(path), "--lang", "fr"]) == 2
    assert "commitment : le manifeste donne" in capsys.readouterr().err
    assert cli.main(["verify", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err
