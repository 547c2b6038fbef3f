"""Commit and reveal: a published file proves its boards, and not one byte of it can be changed."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import cli, sealing
from engines.errors import EngineError
from engines.public_values import KINDS, BadPublicValue, PublicValue
from engines.sealing import BadSeal, Boards
from engines.verifying import Verified, verify

SEED = bytes(range(32))
BOARDS = Boards("Open, Final", "comon", {"four_aces": "allow"}, {}, range(1, 8), (8, 9))
ANNOUNCED = PublicValue("lottery-5", "the five numbers of the Loto of 28 November 2026")
KNOWN = replace(ANNOUNCED, value="03-07-12-28-41")


def manifest(public_value: PublicValue | None = None) -> dict[str, Any]:
    return sealing.manifest_of(BOARDS, SEED, public_value)


def with_seed(sealed: dict[str, Any], seed: bytes = SEED, **kwargs: Any) -> Verified:
    return verify(sealing.to_bytes(sealing.seed_file(sealed, seed)), **kwargs)


def test_the_seed_proves_all_boards() -> None:
    before = verify(sealing.to_bytes(sealing.sealed_file(manifest())))
    assert (before.dealt_again, before.revealed) == ((), ())
    after = with_seed(manifest(), expected=before.commitment)
    assert after.dealt_again == tuple(range(1, 10))


def test_single_boards_are_revealed_without_a_word_about_the_others() -> None:
    file = sealing.to_bytes(sealing.boards_file(manifest(), SEED, [8, 3, 8]))
    assert verify(file).revealed == (3, 8)
    text = file.decode()
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
    return {
        "sealed": sealing.to_bytes(sealing.sealed_file(manifest())),
        "seed": sealing.to_bytes(sealing.seed_file(manifest(), SEED)),
        "boards": sealing.to_bytes(sealing.boards_file(manifest(), SEED, [2, 9])),
        "value": sealing.to_bytes(sealing.seed_file(manifest(KNOWN), SEED)),
    }


@pytest.mark.parametrize("name", ["sealed", "seed", "boards", "value"])
def test_every_changed_byte_of_a_published_file_is_found(name: str) -> None:
    """Each byte becomes another of its kind (a digit another digit), the next byte, and nothing."""
    file = files()[name]
    verify(file)
    for at, byte in enumerate(file):
        for other in {
            byte ^ 1,
            (byte + 1) % 128,
            ord("7") if chr(byte).isdigit() and byte != ord("7") else byte ^ 2,
        }:
            with pytest.raises(EngineError):
                verify(file[:at] + bytes([other]) + file[at + 1 :])
        with pytest.raises(EngineError):
            verify(file[:at] + file[at + 1 :])


# ── Public values ─────────────────────────────────────────────────────────────────────────────────


def test_a_public_value_that_nobody_knew_changes_every_board() -> None:
    waiting = manifest(ANNOUNCED)
    assert waiting["root"] is None
    one, other = manifest(KNOWN), manifest(replace(KNOWN, value="03-07-12-28-42"))
    assert one["seed_hash"] == other["seed_hash"] == waiting["seed_hash"]
    assert len({one["root"], other["root"], manifest()["root"]}) == 3
    assert with_seed(one).dealt_again == tuple(range(1, 10))
    before = sealing.commitment(waiting)
    for sealed in (one, other):  # what was published first binds them all
        assert with_seed(sealed, expected=before).compared == "before"
        assert with_seed(sealed, expected=sealing.commitment(sealed)).compared == "after"
    with pytest.raises(BadSeal, match="was expected"):
        with_seed(manifest(), expected=before)
    for file in (sealing.seed_file(waiting, SEED), sealing.sealed_file(waiting) | {"revealed": []}):
        with pytest.raises(BadSeal, match="still to come"):
            verify(sealing.to_bytes(file))
    with pytest.raises(BadSeal, match="still to come"):
        sealing.boards_file(waiting, SEED, [1])


@pytest.mark.parametrize(("kind", "value"), [
    ("lottery-5", "03-07-12-28-41"),
    ("lottery-6", "01-02-03-04-05-49"),
    ("lottery-7", "01-02-03-04-05-06-99"),
    ("index", "7423.51"), ("index", "23410.07"), ("digest", "0123456789abcdef" * 4),
])  # fmt: skip
def test_a_public_value_has_one_form(kind: str, value: str) -> None:
    assert PublicValue(kind, "x", value).value == value


@pytest.mark.parametrize(("kind", "value"), [
    *[("lottery-5", value) for value in (
        "", "3 7 12 28 41", "3-7-12-28-41", "03 07 12 28 41", "03-07-12-41-28", "41-28-12-07-03",
        "03-07-12-28", "03-07-12-28-41-49", "03-07-12-28-28", " 03-07-12-28-41",
        "03-07-12-28-41\n", "03,07,12,28,41",
        "03–07–12–28–41", "03-07-12-28-041", "٠٣-٠٧-١٢-٢٨-٤١", "03-07-12-28-41-", "03/07/12/28/41",
    )],
    *[("index", value) for value in (
        "7 423.51", "7,423.51", "7423,51", "7423.5", "7423.510", "07423.51", "+7423.51", "7423", "7423.51 ",
        ".51",
    )],
    *[("digest", value) for value in ("AB" * 32, "0x" + "ab" * 31, "ab" * 31, "ab" * 33, "ab" * 32 + "\n")],
])  # fmt: skip
def test_no_other_way_to_write_a_public_value_is_taken(kind: str, value: str) -> None:
    """Each of them would give other boards from the same draw."""
    with pytest.raises(BadPublicValue) as caught:
        PublicValue(kind, "x", value)
    assert caught.value.field == "public_value.value"
    assert KINDS[kind].example in str(caught.value)


@pytest.mark.parametrize(("kind", "source", "field"), [
    ("weather", "x", "public_value.kind"),
    ("index", "", "public_value.source"),
    ("index", " x", "public_value.source"),
])  # fmt: skip
def test_a_public_value_is_announced_by_kind_and_source(kind: str, source: str, field: str) -> None:
    with pytest.raises(BadPublicValue) as caught:
        PublicValue(kind, source)
    assert caught.value.field == field


def test_the_example_of_every_kind_is_in_its_form() -> None:
    for name, kind in KINDS.items():
        assert PublicValue(name, "x", kind.example)


# ── What was checked, and what was not ────────────────────────────────────────────────────────────


NOT_COMPARED = "Give the commitment that was published then"
COMPARE_THE_VALUE = "Whether 03-07-12-28-41 is what was published there: compare it with the source"
BEFORE_THE_VALUE = "Whether the source of the public value was named before the value was known"
AFTER_KNOWN = sealing.commitment(manifest(KNOWN))
BEFORE_KNOWN = sealing.commitment(manifest(ANNOUNCED))
COMMITMENT = sealing.commitment(manifest())


@pytest.mark.parametrize(("file", "expected", "checked", "unchecked"), [
    (sealing.sealed_file(manifest()), None, [], [NOT_COMPARED, "The boards: they are sealed"]),
    (sealing.sealed_file(manifest()), COMMITMENT, ["board numbers and boards were fixed"],
     ["The boards: they are sealed"]),
    (sealing.sealed_file(manifest(ANNOUNCED)), BEFORE_KNOWN, ["seed and source were fixed"],
     ["The boards: there are none before"]),
    (sealing.seed_file(manifest(), SEED), None, ["from the seed are as sealed: 1–9"], [NOT_COMPARED]),
    (sealing.seed_file(manifest(), SEED), f" {COMMITMENT.upper()}\n",
     ["boards were fixed", "dealt again from the seed"], []),
    (sealing.seed_file(manifest(KNOWN), SEED), None, ["dealt again"], [NOT_COMPARED, COMPARE_THE_VALUE]),
    (sealing.seed_file(manifest(KNOWN), SEED), AFTER_KNOWN, ["boards were fixed", "dealt again"],
     [BEFORE_THE_VALUE, COMPARE_THE_VALUE]),
    (sealing.seed_file(manifest(KNOWN), SEED), BEFORE_KNOWN, ["seed and source were fixed", "dealt again"],
     [COMPARE_THE_VALUE]),
    (sealing.boards_file(manifest(), SEED, [1, 2, 9]), None, ["among those that were sealed: 1–2, 9"],
     [NOT_COMPARED, "All other boards"]),
])  # fmt: skip
def test_what_was_checked_is_said_and_what_was_not(
    file: dict[str, Any], expected: str | None, checked: list[str], unchecked: list[str]
) -> None:
    proof = verify(sealing.to_bytes(file), expected=expected)
    for sentences, due in (
        (proof.checked(), ["The file agrees with its own commitment", *checked]),
        (proof.unchecked(), unchecked),
    ):
        for sentence, part in zip(sentences, due, strict=True):
            assert part in str(sentence)


@pytest.mark.parametrize("change", [
    {"event": "Another evening"},
    {"boards": [1, 2, 3, 4, 5, 6, 7, 8], "reserves": [9]},
    {"reserves": [], "boards": [*range(1, 10)]},
])  # fmt: skip
def test_a_rewritten_file_agrees_with_nothing_but_itself(change: dict[str, Any]) -> None:
    """No board changes with these: only the commitment from before play finds them."""
    file = sealing.to_bytes(sealing.seed_file(manifest() | change, SEED))
    assert str(next(verify(file).unchecked())).startswith("Whether this is the file")
    with pytest.raises(BadSeal, match="was expected"):
        verify(file, expected=COMMITMENT)


def test_a_commitment_changes_with_everything_that_it_binds() -> None:
    changes = [
        BOARDS,
        replace(BOARDS, event="Open, Consolation"),
        replace(BOARDS, options={}),
        replace(BOARDS, boards=range(1, 9), reserves=(9,)),
        replace(BOARDS, reserves=()),
        replace(BOARDS, game="hombre", options={}),
    ]
    announced = [None, ANNOUNCED, replace(ANNOUNCED, kind="lottery-6"), replace(ANNOUNCED, source="x")]
    commitments = [
        sealing.commitment(sealing.manifest_of(boards, seed, value))
        for boards in changes
        for seed in (SEED, bytes(32))
        for value in announced
    ]
    assert len(set(commitments)) == len(commitments)


def changed(**changes: Any) -> bytes:
    """A file with a part of its manifest changed, and everything that follows from it made to agree."""
    return sealing.to_bytes(sealing.seed_file(manifest() | changes, SEED))


def revealing(change: Callable[[list[Any]], Any]) -> bytes:
    """A file that reveals boards 2 and 3, once they are changed."""
    file = sealing.boards_file(manifest(), SEED, [2, 3])
    return sealing.to_bytes(file | {"revealed": change(file["revealed"])})


def renumbered(boards: list[Any]) -> list[Any]:
    return [boards[0] | {"board": 3}, boards[1] | {"board": 4}]


@pytest.mark.parametrize(("file", "field", "constraint"), [
    (b"", "file", "is not JSON"),
    (b"[]\n", "manifest", "is missing"),
    (b'{"manifest":"\\ud800"}\n', "file", "is not JSON"),
    (b"[" * 100_000, "file", "is not JSON"),
    (json.dumps(sealing.sealed_file(manifest())).encode(), "file", "is not written as it was published"),
    (sealing.to_bytes({"manifest": manifest()}), "commitment", "is missing"),
    (sealing.to_bytes(sealing.sealed_file(manifest()) | {"note": 1}), "note", "does not belong here"),
    (changed(colour="red"), "manifest.colour", "does not belong here"),
    (sealing.to_bytes(sealing.sealed_file({k: v for k, v in manifest().items() if k != "root"})),
     "manifest.root", "is missing"),
    (changed(version="etui-deal-9"), "manifest.version", "this library verifies 2, etui-deal-1"),
    (changed(boards=[1, 1]), "boards", "different whole numbers"),
    (changed(boards=[2, 1, 3, 4, 5, 6, 7]), "boards", "in ascending order"),
    (changed(boards=[]), "boards", "at least one"),
    (changed(reserves=[9, 8]), "reserves", "in ascending order"),
    (changed(reserves=[7, 8]), "reserves", "are boards already: 7"),
    (changed(boards=[1, 2, 3]), "manifest.root", "not the ones that were sealed"),
    (changed(conditions={"seats": 4}), "conditions.seats", "unknown here"),
    (changed(options={"four_aces": "redraw"}), "manifest.root", "not the ones that were sealed"),
    (changed(options={}), "manifest.root", "not the ones that were sealed"),
    (changed(root=None), "manifest.root", "as soon as the boards are known"),
    (changed(root="0" * 63), "manifest.root", "64 hexadecimal digits"),
    (changed(seed_hash="X" * 64), "manifest.seed_hash", "64 hexadecimal digits"),
    (changed(public_value={"source": "x", "value": "x"}), "manifest.public_value.kind", "is missing"),
    (changed(public_value={"kind": "index", "source": 5, "value": None}),
     "manifest.public_value.source", "is not of its kind"),
    (changed(public_value={"kind": "index", "source": "x", "value": "7 423,51"}),
     "public_value.value", "for example 7423.51"),
    (changed(public_value={"kind": "index", "source": "x", "value": None}), "manifest.root", "not before"),
    (changed(public_value={"kind": "index", "source": "x", "value": "7423.51"}), "manifest.root", "not the"),
    (sealing.to_bytes(sealing.seed_file(manifest(), bytes(32))), "seed", "not the one that was sealed"),
    (sealing.to_bytes(sealing.sealed_file(manifest()) | {"seed": "7"}), "seed", "64 hexadecimal digits"),
    (sealing.to_bytes(sealing.sealed_file(manifest()) | {"seed": "AB" * 32}), "seed", "64 hexadecimal"),
    (sealing.to_bytes(sealing.seed_file(manifest(), SEED) | sealing.boards_file(manifest(), SEED, [1])),
     "revealed", "not both"),
    (revealing(lambda boards: []), "revealed", "at least one"),
    (revealing(lambda boards: [boards[0], boards[0]]), "revealed", "each board once"),
    (revealing(lambda boards: boards[::-1]), "revealed", "in the order of their numbers"),
    (revealing(lambda boards: boards[0]), "revealed", "must be a list"),
    (revealing(lambda boards: [boards[0] | {"note": 1}]), "revealed", "each with board, deal, salt and path"),
    (revealing(lambda boards: [boards[0] | {"board": 77}]), "revealed", "there is no board 77"),
    (revealing(lambda boards: [boards[0] | {"board": True}]), "revealed", "there is no board True"),
    (revealing(renumbered), "revealed.3", "is not the board that was sealed"),
    (revealing(lambda boards: [boards[0] | {"path": boards[1]["path"]}]), "revealed.2", "is not the board"),
    (revealing(lambda boards: [boards[0] | {"path": [["left"]]}]), "revealed.2", "is not the board"),
    (revealing(lambda boards: [boards[0] | {"path": 5}]), "revealed.2", "is not the board"),
    (revealing(lambda boards: [boards[0] | {"salt": "0" * 32}]), "revealed.2", "is not the board"),
])  # fmt: skip
def test_a_file_that_does_not_hold_says_where(file: bytes, field: str, constraint: str) -> None:
    with pytest.raises(EngineError) as caught:
        verify(file)
    assert str(caught.value).startswith(f"{field}: ")
    assert constraint in str(caught.value)


@pytest.mark.parametrize("name", [*manifest(), "revealed"])
@pytest.mark.parametrize("value", [5, "x", [5], [[]], {"x": 1}, {"source": 1}, None, True])
def test_a_file_made_up_to_confuse_is_refused(name: str, value: Any) -> None:
    """It agrees with its own commitment, but what it holds is of another kind, or not what was sealed:
    nothing but a refusal comes of it."""
    if (name, value) == ("public_value", None):
        return  # as it was
    file = sealing.seed_file(manifest() | ({} if name == "revealed" else {name: value}), SEED)
    if name == "revealed":
        file = sealing.sealed_file(manifest()) | {"revealed": value}
    with pytest.raises(EngineError):
        verify(sealing.to_bytes(file), expected=COMMITMENT)


def test_a_board_is_proved_from_its_own_place_alone() -> None:
    """An organiser could seal a second board 3 in the place of board 4, and show the one that suits."""
    deals = {number: sealing.deal_of(BOARDS, SEED, number) for number in BOARDS.numbers}
    salts = {number: sealing.salt(SEED, number) for number in BOARDS.numbers}
    leaves = [sealing.leaf(number, deals[number], salts[number]) for number in BOARDS.numbers]
    leaves[3] = sealing.leaf(3, deals[4], salts[4])
    rows = sealing.tree(leaves)
    forged = manifest() | {"root": rows[-1][0]}
    for place, holds in ((2, True), (3, False)):
        number = place + 1
        board = {"board": 3, "deal": deals[number], "salt": salts[number], "path": sealing.path(rows, place)}
        file = sealing.to_bytes(sealing.sealed_file(forged) | {"revealed": [board]})
        if holds:
            assert verify(file).revealed == (3,)
        else:
            with pytest.raises(BadSeal, match="is not the board that was sealed"):
                verify(file)


@pytest.mark.parametrize("text", ["", "0" * 63, "g" * 64])
def test_a_commitment_to_compare_with_is_64_digits(text: str) -> None:
    with pytest.raises(BadSeal, match="64 hexadecimal digits"):
        with_seed(manifest(), expected=text)


@pytest.mark.parametrize(("call", "field"), [
    (lambda: sealing.manifest_of(BOARDS, b"short"), "seed"),
    (lambda: sealing.manifest_of(replace(BOARDS, boards=[]), SEED), "boards"),
    (lambda: sealing.manifest_of(replace(BOARDS, boards=[2, 1]), SEED), "boards"),
    (lambda: sealing.manifest_of(replace(BOARDS, reserves=(3,)), SEED), "reserves"),
    (lambda: sealing.boards_file(manifest(), SEED, [77]), "boards"),
])  # fmt: skip
def test_what_cannot_be_sealed_is_refused(call: Any, field: str) -> None:
    with pytest.raises(BadSeal) as caught:
        call()
    assert caught.value.field == field


# ── On the command line ───────────────────────────────────────────────────────────────────────────


def test_anyone_can_verify_on_the_command_line(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "deals.json"
    path.write_bytes(files()["seed"])
    assert cli.main(["verify", str(path), "--commitment", COMMITMENT]) == 0
    shown = capsys.readouterr().out
    assert "✓ All boards dealt again from the seed are as sealed: 1–9." in shown
    assert "? " not in shown
    assert cli.main(["verify", str(path), "--commitment", "0" * 64, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["field"] == "commitment"
    path.write_bytes(files()["seed"].replace(b"Final", b"final"))
    assert cli.main(["verify", str(path), "--lang", "fr"]) == 2
    assert "commitment : le manifeste donne" in capsys.readouterr().err
    assert cli.main(["verify", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_command_line_shows_what_is_bound_and_what_to_compare(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "deals.json"
    path.write_bytes(files()["value"])
    assert cli.main(["verify", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "event: Open, Final",
        "game: comon aces_annulment=of_right caveau_gain=gross fault_line=score four_aces=allow",
        "boards: 1–7; in reserve: 8–9",
        "public value (lottery-5): 03-07-12-28-41",
        "    source: the five numbers of the Loto of 28 November 2026",
    ]
    assert [line[0] for line in lines[5:]] == ["✓", "✓", "?", "?"]
    assert cli.main(["verify", str(path), "--json", "--lang", "fr"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["public_value"] == KNOWN.to_json()
    assert (answer["compared"], answer["dealt_again"]) == (None, [*range(1, 10)])
    assert "comparez" in answer["not_checked"][-1]


def test_a_board_is_dealt_with_a_public_value_in_its_form_alone(capsys: Any) -> None:
    arguments = [
        "deal",
        "comon",
        "--seed",
        SEED.hex(),
        "--board",
        "1",
        "--option",
        "four_aces=allow",
        "--json",
    ]
    assert cli.main([*arguments, "--public-value", "03-07-12-28-41"]) == 0
    assert json.loads(capsys.readouterr().out) == sealing.deal_of(BOARDS, sealing.key(SEED, KNOWN.value), 1)
    assert cli.main([*arguments, "--public-value", "3 7 12 28 41"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["key"] == "--public-value"
