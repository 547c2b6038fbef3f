"""The clauses that refusals appeal to: every refusal of a game's play has its own, and none is left over."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from engines import records, registry, rules, turns
from engines.contract import seat_and_token
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction, NeedsDeal
from engines.phrases import LANGUAGES, Phrase
from engines.rules import Clause
from tests.locale import translated

from .goldens import files

GAMES = list(registry.games())
IN_GENERAL = {
    phrase.text for phrase in (turns.IS_OVER, turns.NOT_YOUR_TURN, turns.NO_SUCH_ACTION, turns.NOT_HELD)
}
"""What is said of any entry that comes at the wrong moment: the section on the play says when it is right."""


def rules_of_play() -> Iterator[tuple[str, str]]:
    """The module of a game, and a sentence in it: of each rule that its play knows by a name in capitals."""
    folder = Path(engines.__file__).parent / "games"
    for path in sorted([*folder.glob("*.py"), *folder.glob("*/*.py")]):
        if path.stem in {
            "__init__",
            "match",
            "sheet",
            "cards",
        }:  # deals, sheets and accounts go by their kind
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(func=ast.Name("Phrase"), args=[ast.Constant(str(sentence))]),
                ) if name.isupper() and not name.endswith("_WANTED"):
                    yield path.relative_to(folder).parts[0].removesuffix(".py"), sentence


def test_every_rule_of_the_play_is_a_clause() -> None:
    of_module: dict[str, set[str]] = {}
    for game in registry.games().values():
        module = type(game).__module__.split(".")[2]
        of_module.setdefault(module, set()).update(rules.clauses(game.id).of_sentence)
    found = list(rules_of_play())
    assert len(found) > 60
    assert [one for one in found if one[1] not in of_module.get(one[0], set()) | {FROM_ONE}] == []


FROM_ONE = "another whole number, 1 or more"  # what an option may be


def test_no_clause_stands_for_what_nobody_says() -> None:
    said = {message.id for message in translated("engines")}
    for game in GAMES:
        assert set(rules.clauses(game).of_sentence) <= said, game


@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_is_refused_in_a_golden_deal_has_a_clause_of_its_own(path: Path) -> None:
    golden = json.loads(path.read_text("utf-8"))["record"]
    record = records.read(golden)
    state = record.game.start(record.deal, record.options)
    tokens = sorted({seat_and_token(entry)[1] for entry in golden["actions"]})[:40]
    listed = rules.clauses(record.game.id).of_sentence
    for entry in golden["actions"][:30]:
        for token in tokens:
            refusal = state.refusal(token)
            assert refusal is None or refusal.rule.text in listed or refusal.rule.text in IN_GENERAL
        state.apply(entry)


def test_a_refusal_appeals_to_its_clause_or_to_the_section_of_its_kind() -> None:
    follow = IllegalAction(0, 1, "play:7S", turns.FOLLOW, ())
    assert rules.clause_of("comon", follow) == Clause("comon", "4.2")
    assert rules.clause_of("mille", follow) == Clause("mille", "4.3")
    late = IllegalAction(0, 1, "play:7S", turns.IS_OVER, ())
    assert rules.clause_of("comon", late) == Clause("comon", "4")
    missing = Phrase("is missing")
    assert rules.clause_of("comon", BadSheet("tricks", missing)) == Clause("comon", "8")
    assert rules.clause_of("demons-punisseurs", NeedsDeal("tricks", missing)) == Clause(
        "demons-punisseurs", "9"
    )
    assert rules.clause_of("sept", BadDeal((), missing)) == Clause("sept", "3")
    assert rules.clause_of("sept", BadRecord("options", missing)) is None


def test_a_reason_within_a_reason_has_its_clause() -> None:
    within = Phrase("{part}: {constraint}", part="x", constraint=Phrase("there is no such combination"))
    assert rules.clause_of("demons", BadSheet("best_suite", within)) == Clause("demons", "5")


def test_games_with_the_same_rules_share_a_page() -> None:
    refusal = IllegalAction(0, 1, "play:7S", turns.FOLLOW, ())
    assert rules.clause_of("besigue-chinois", refusal) == Clause("besigue-japonais", "4.4")


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_are_written_in_lines(game: str) -> None:
    for language in LANGUAGES:
        lines = rules.text(game, language).splitlines()
        assert [line for line in lines if len(line) > 110 and not re.match(r"\||!\[", line)] == []
