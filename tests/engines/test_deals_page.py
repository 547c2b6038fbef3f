"""docs/deals.md read by a program that knows nothing else: it deals, seals and checks what the page says.

Nothing of the project is imported here. The tables of the page are read as they stand, so a word that the
page lacks or has wrong fails a test. In the end the project's command line has to agree.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "deals.md").read_text("utf-8")


# ── The page ──────────────────────────────────────────────────────────────────────────────────────


def table(heading: str) -> list[list[str]]:
    """The rows of the table that begins with this line."""
    lines = PAGE[PAGE.index(heading) :].splitlines()[2:]
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def marked(cell: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]*)`", cell)


def settings(cell: str) -> dict[str, Any]:
    return {name: json.loads(value) for name, value in (one.split("=", 1) for one in marked(cell))}


GAMES = {
    marked(row[0])[0]: {
        "seats": int(row[1]),
        "pack": marked(row[2])[0],
        "bound": settings(row[3]),
        "dealt": marked(row[4])[0],
        "order": {one[:-1]: one[-1] for one in marked(row[5])},
        "more": marked(row[6]),
    }
    for row in table("| game | seats | pack |")
}
HASHES = [
    (marked(game)[0], settings(options), settings(conditions), marked(digest)[0])
    for game, options, conditions, digest in table("| game | options | conditions | hash |")
]
FORMS = {marked(kind)[0]: marked(example)[0] for kind, _form, example in table("| kind | form | example |")}
LETTERS = "".join(marked(row[0])[0] for row in table("| letter | in French | in English |"))
VECTORS = json.loads(PAGE[PAGE.index("```json\n") + 8 :].split("```")[0])
SEED = bytes.fromhex(VECTORS["seed"])


# ── Canonical JSON, stream, public value ──────────────────────────────────────────────────────────

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def canonical(value: Any) -> bytes:
    return as_text(value).encode()


def as_text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{as_text(name)}:{as_text(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(as_text, value)) + "]"
    if isinstance(value, str):
        escaped = [ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 0x20 else c) for c in value]
        return '"' + "".join(escaped) + '"'
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "null"}[value]
    return str(value)


class Stream:
    def __init__(self, key: bytes, context: dict[str, Any]) -> None:
        self.bytes = shake_256(b"etui/deal/1\n" + key + canonical(context)).digest(20_000)

    def take(self, count: int) -> bytes:
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def below(self, n: int) -> int:
        digits = len(f"{n - 1:b}")
        while True:
            number = int.from_bytes(self.take(-(-digits // 8)), "big") % 2**digits
            if number < n:
                return number

    def shuffle(self, cards: Sequence[str]) -> list[str]:
        order = list(cards)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def key_with(seed: bytes, value: str | None) -> bytes:
    return seed if value is None else sha256(b"etui/public/1\n" + seed + value.encode("ascii")).digest()


# ── Board ─────────────────────────────────────────────────────────────────────────────────────────


def pack_of(game: str, conditions: dict[str, Any], options: dict[str, Any]) -> tuple[list[str], str, str]:
    """The pack in order, its suits, and the ranks of its first part."""
    copies, content = 1, GAMES[game]["pack"]
    if several := re.fullmatch(r"(\d)×\((.*)\)", content):
        copies, content = int(several[1]), several[2]
    if game == "le-99":
        copies = conditions.get("seats", 3) // 2 + 1
    faces: list[str] = []
    for part in content.split(" + "):
        suits, colon, ranks = part.partition(":")
        if colon:
            if game == "belote-noisette":
                suits = suits.replace(options.get("removed_suit", "C"), "")
            faces += [rank + suit for suit in suits for rank in ranks]
        elif ".." in part:
            first, last = (int(end[:-1]) for end in part.split(".."))
            faces += [f"{number}T" for number in range(first, last + 1)]
        else:
            faces.append(part)
    suits, _colon, ranks = content.split(" + ")[0].partition(":")
    return faces * copies, suits, ranks


def dealer_of(game: str, number: int, seats: int) -> int:
    return [1, 3, 2][(number - 1) % 3] if game == "hombre" else (number - 1) % seats + 1


def steps(dealt: str, seats: int) -> Iterator[tuple[str, str]]:
    """(place, how many) one after the other, groups written out."""
    while repeated := re.search(r"\(([^()]*)\)×(\d+)", dealt):
        again = " ".join([repeated[1]] * int(repeated[2]))
        dealt = dealt[: repeated.start()] + again + dealt[repeated.end() :]
    for step in dealt.split():
        place, _times, count = step.partition("×")
        if place == "all":
            for _ in range(int(count)):
                yield from ((str(seat), "1") for seat in range(1, seats + 1))
        else:
            yield place, count or "1"


def lay_out(game: str, cards: list[str], dealer: int, seats: int) -> dict[str, Any]:
    """Hands and piles of a shuffled pack."""
    turn = 1 if game != "hombre" else -1
    seat_of = {str(place): (dealer - 1 + turn * place) % seats for place in range(1, seats + 1)}
    deal: dict[str, Any] = {"hands": [[] for _ in range(seats)]}
    at = 0
    for place, count in steps(GAMES[game]["dealt"], seats):
        if count == "rest":
            size = len(cards) - at
        elif count == "plain":
            size = next(i for i in range(at, len(cards)) if cards[i][-1] != "C") - at + 1
        else:
            size = int(count)
        taken, at = cards[at : at + size], at + size
        assert len(taken) == size
        if place in seat_of:
            deal["hands"][seat_of[place]] += taken
        elif place.endswith("!"):
            [deal[place[:-1]]] = taken
        elif "." in place:
            name, _dot, seat = place.partition(".")
            deal.setdefault(name, [[] for _ in range(seats)])[seat_of[seat]] += taken
        elif "#" in place:
            deal.setdefault(place.partition("#")[0], []).append(taken)
        else:
            deal.setdefault(place, []).extend(taken)
    assert at == len(cards)
    return deal


def in_order(cards: list[str], pack: list[str], suits: str, ranks: str, sign: str) -> list[str]:
    if sign == "↑":
        return sorted(cards, key=pack.index)
    suited = [rank + suit for suit in suits for rank in ranks[::-1]]
    beyond = [card for card in dict.fromkeys(pack) if card not in suited][::-1]
    return sorted(cards, key=[*suited, *beyond].index)


def must_be_dealt_again(game: str, options: dict[str, Any], deal: dict[str, Any]) -> bool:
    if game == "comon" and options.get("four_aces", "redraw") == "redraw":
        return any({"AS", "AH", "AD", "AC"} <= set(hand) for hand in deal["hands"])
    if game in {"demons", "heritiers"}:
        return {"1T", "2T", "3T", "4T", "5T"} <= set(deal["pool"])
    if game == "tarot-4-saisons":
        return not all(any(card[-1] == "T" for card in hand) for hand in deal["hands"])
    return False


def deal_of(game: str, key: bytes, n: int, options: dict[str, Any], conditions: dict[str, Any]) -> Any:
    entry = GAMES[game]
    given = options if game == "mille" else options | conditions
    bound = {name: given.get(name, default) for name, default in entry["bound"].items()}
    stream = Stream(key, {"board": n, "game": game, "options": bound})
    seats = conditions.get("seats", entry["seats"])
    pack, suits, ranks = pack_of(game, conditions, options)
    if game == "duel-las-vegas":
        return {"decks": [stream.shuffle(pack), stream.shuffle(pack)]}
    dealer = dealer_of(game, n, seats)
    deal = lay_out(game, stream.shuffle(pack), dealer, seats)
    while must_be_dealt_again(game, options, deal):
        deal = lay_out(game, stream.shuffle(pack), dealer, seats)
    for name, sign in entry["order"].items():
        if isinstance(deal[name][0], list):
            deal[name] = [in_order(cards, pack, suits, ranks, sign) for cards in deal[name]]
        else:
            deal[name] = in_order(deal[name], pack, suits, ranks, sign)
    more = {name: more_of(name, game, stream, n, options, conditions) for name in entry["more"]}
    return {"dealer": dealer} | deal | more


def more_of(
    name: str, game: str, stream: Stream, n: int, options: dict[str, Any], conditions: dict[str, Any]
) -> Any:
    """What the list below the table says of each name."""
    if name == "reshuffle_key":
        return "".join(f"{stream.below(16):x}" for _ in range(32))
    if name == "markers":
        return ["S", "D", "C"]
    if name == "pot" and game == "belote-noisette":
        nuts = more_of("nuts", game, stream, n, options, conditions)
        return conditions.get("pot", 30 - sum(nuts))
    if name in conditions:
        return conditions[name]
    if name == "nuts":
        return [9, 9, 9] if options.get("pot_carry") == "cycle" and n % 2 == 0 else [10, 10, 10]
    if name == "pot":
        return [18, 30, 42][(n - 1) // 3 % 3] if options.get("pot_cycle") == "relance" else 18
    if name == "mene":
        return (n - 1) % 6 + 1
    if name == "bombs":
        bombs = options.get("bombs", "third")
        return [1, 2, 3] if bombs == "always" or (bombs == "third" and n % 9 in {3, 5, 7}) else []
    assert name == "start_scores"
    high = n % 2 == 0 if game == "tarot-double-detente" else n % 4 in {3, 0}
    return [100 if options.get("all_or_nothing") and high else 0] * GAMES[game]["seats"]


def new_stock(key: str, number: int, pile: Sequence[str]) -> list[str]:
    copies = [(card, copy) for card, count in Counter(pile).items() for copy in range(1, count + 1)]
    return [
        card
        for card, copy in sorted(
            copies, key=lambda one: sha256(f"{key}|{number}|{one[0]}|{one[1]}".encode()).hexdigest()
        )
    ]


# ── Salt, leaf, node, root, files ─────────────────────────────────────────────────────────────────


def hashed(kind: str, value: Any) -> str:
    return sha256(f"etui/{kind}/1\n".encode() + canonical(value)).hexdigest()


def salt(key: bytes, n: int) -> str:
    return Stream(key, {"salt": n}).take(16).hex()


def leaf(n: int, deal: Any, board_salt: str) -> str:
    return hashed("board", {"board": n, "deal": deal, "salt": board_salt})


def rows_above(row: list[str]) -> list[list[str]]:
    if len(row) == 1:
        return [row]
    pairs = [row[i : i + 2] for i in range(0, len(row), 2)]
    return [row, *rows_above([hashed("node", pair) if len(pair) == 2 else pair[0] for pair in pairs])]


def path(rows: list[list[str]], place: int) -> list[list[str]]:
    way = []
    for row in rows[:-1]:
        if place % 2:
            way.append(["left", row[place - 1]])
        elif place + 1 < len(row):
            way.append(["right", row[place + 1]])
        place //= 2
    return way


def tree_of(manifest: dict[str, Any], key: bytes) -> list[list[str]]:
    row = []
    for n in sorted(manifest["boards"] + manifest["reserves"]):
        deal = deal_of(manifest["game"], key, n, manifest["options"], manifest["conditions"])
        row.append(leaf(n, deal, salt(key, n)))
    return rows_above(row)


def sealed(manifest: dict[str, Any], value: str | None = None) -> dict[str, Any]:
    """The manifest with seed hash and root."""
    return manifest | {
        "seed_hash": hashed("seed", SEED.hex()),
        "root": tree_of(manifest, key_with(SEED, value))[-1][0],
    }


def commitment(manifest: dict[str, Any]) -> str:
    return sha256(canonical(manifest)).hexdigest()


def before(manifest: dict[str, Any]) -> dict[str, Any]:
    return manifest | {"public_value": manifest["public_value"] | {"value": None}, "root": None}


# ── The vectors of the page ───────────────────────────────────────────────────────────────────────


def test_programs_get_the_table_as_data() -> None:
    """`engines/layouts.json`, by which a browser deals again: the page is the specification."""
    ways = {"↓": "down", "↑": "up"}
    shown = {
        game: entry | {"order": {name: ways[sign] for name, sign in entry["order"].items()}}
        for game, entry in GAMES.items()
    }
    assert json.loads((ROOT / "engines" / "layouts.json").read_text("utf-8")) == shown


def test_canonical_json() -> None:
    vector = VECTORS["canonical"]
    assert canonical(vector["of"]).hex() == vector["bytes as hex"]


def test_the_stream_its_numbers_and_its_shuffles() -> None:
    vector = VECTORS["stream"]
    context = vector["context"]
    assert Stream(SEED, context).take(16).hex() == vector["first 16 bytes"]
    for count, n in ((12, 32), (6, 1000)):
        stream = Stream(SEED, context)
        [name] = [name for name in vector if name.endswith(f"first {count} numbers below {n}")]
        assert [stream.below(n) for _ in range(count)] == vector[name]
    assert Stream(SEED, context).shuffle(vector["instead, a shuffle of"]) == vector["gives"]


def test_a_public_value_makes_another_key() -> None:
    vector = VECTORS["public value"]
    assert key_with(SEED, vector["value"]).hex() == vector["key"]
    assert vector["value"] == FORMS["lottery-5"]


def test_a_board_from_the_seed_to_its_leaf() -> None:
    vector = VECTORS["board 1 of comon"]
    pack, _suits, _ranks = pack_of("comon", {}, {})
    assert Stream(SEED, vector["context"]).shuffle(pack) == vector["pack as shuffled"]
    deal = deal_of("comon", SEED, 1, {}, {})
    assert deal == vector["deal"]
    assert salt(SEED, 1) == vector["salt"]
    assert leaf(1, deal, salt(SEED, 1)) == vector["leaf"]


def test_the_manifest_its_tree_and_its_commitments() -> None:
    manifest = VECTORS["manifest"]
    assert sealed(manifest) == manifest
    assert commitment(manifest) == VECTORS["commitment"]
    rows = tree_of(manifest, SEED)
    assert rows == VECTORS["rows of its tree"]
    assert path(rows, 4) == VECTORS["path of its board 5"]
    vector = VECTORS["the same with a public value"]
    known = manifest | {"public_value": vector["public_value"]}
    known = sealed(known, known["public_value"]["value"])
    assert known["root"] == vector["root"]
    assert commitment(known) == vector["commitment after"]
    assert commitment(before(known)) == vector["commitment before"]


def letter(n: int) -> str:
    return LETTERS[(Stream(SEED, {"check letter": 0}).below(7) + n) % 7]


def test_check_letters() -> None:
    assert " ".join(LETTERS) in PAGE
    assert "".join(map(letter, range(1, 9))) == VECTORS["letters of boards 1 to 8"]


def test_a_reshuffle() -> None:
    vector = VECTORS["reshuffle"]
    assert deal_of("le-99", SEED, 1, {}, {})["reshuffle_key"] == vector["key"]
    assert new_stock(vector["key"], vector["number"], vector["pile"]) == vector["new stock"]


by_row = pytest.mark.parametrize(
    ("game", "options", "conditions", "digest"),
    HASHES,
    ids=[f"{row[0]}{row[1] or ''}{row[2] or ''}" for row in HASHES],
)


@by_row
def test_fifty_boards_of_every_game(
    game: str, options: dict[str, Any], conditions: dict[str, Any], digest: str
) -> None:
    deals = [deal_of(game, SEED, n, options, conditions) for n in range(1, 51)]
    assert sha256(canonical(deals)).hexdigest() == digest


# ── The library agrees ────────────────────────────────────────────────────────────────────────────


def library(*arguments: str, file: bytes = b"") -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "engines", *arguments, "--json"],
        input=file,
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(("game", "options", "conditions"), [
    ("comon", {}, {}),
    ("hombre", {"pot_cycle": "relance"}, {}),
    ("loba", {}, {"seats": 5}),
])  # fmt: skip
def test_the_command_line_verifies_what_was_dealt_from_the_page(
    game: str, options: dict[str, Any], conditions: dict[str, Any]
) -> None:
    """A file that this program has sealed; that the library deals the fifty boards is in test_dealing.py."""
    public_value = {"kind": "lottery-5", "source": "x", "value": FORMS["lottery-5"]}
    manifest = sealed(
        {
            "format": 2,
            "version": "etui-deal-1",
            "event": "From the page",
            "game": game,
            "options": options,
            "conditions": conditions,
            "boards": list(range(1, 10)),
            "reserves": [11, 12],
            "public_value": public_value,
        },
        public_value["value"],
    )
    file = {"manifest": manifest, "commitment": commitment(manifest), "seed": SEED.hex()}
    answer = library(
        "verify", "-", "--commitment", commitment(before(manifest)), file=canonical(file) + b"\n"
    )
    assert (answer.get("error"), answer.get("compared")) == (None, "before")
    assert answer["dealt_again"] == [*range(1, 10), 11, 12]


def test_the_command_line_verifies_single_boards_of_the_page() -> None:
    manifest = VECTORS["manifest"]
    rows, revealed = tree_of(manifest, SEED), []
    for n in (1, 2, 5):
        deal = deal_of("comon", SEED, n, manifest["options"], {})
        revealed.append({"board": n, "deal": deal, "salt": salt(SEED, n), "path": path(rows, n - 1)})
    file = {"manifest": manifest, "commitment": commitment(manifest), "revealed": revealed}
    assert library("verify", "-", file=canonical(file) + b"\n")["revealed"] == [1, 2, 5]


def test_the_command_line_deals_and_marks_a_board_as_the_page_does() -> None:
    arguments = ["comon", "--seed", SEED.hex(), "--board", "7"]
    assert library("deal", *arguments) == deal_of("comon", SEED, 7, {}, {})
    assert library("lists", *arguments)["letter"] == letter(7)
    key = key_with(SEED, FORMS["index"])
    assert library("deal", *arguments, "--public-value", FORMS["index"]) == deal_of("comon", key, 7, {}, {})


def test_the_page_names_every_game() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engines", "games", "--json"], cwd=ROOT, check=True, capture_output=True
    )
    assert (
        {json.loads(line)["id"] for line in done.stdout.splitlines()}
        == set(GAMES)
        == {row[0] for row in HASHES}
    )
