"""One suite for every game of the registry: the contract, on golden records and on random boards.

ETUI_BOARDS sets how many random boards a game is played on (docs/testing.md).
"""

import json
import os
import pickle
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations_with_replacement, islice
from random import Random
from typing import Any

import pytest

from engines import bots, records, registry
from engines.contract import Game, State, seat_and_token, setting_text
from engines.errors import BadDeal, BadSheet, EngineError, IllegalAction
from engines.phrases import LANGUAGES

from . import goldens
from .test_besigue import shape

GAMES = list(registry.games().values())
BOARDS = int(os.environ.get("ETUI_BOARDS", "2000"))
SAME_WORDS = {
    "vote",
    "point",
    "Cochonnet",
    "codille",
    "remise",
    "bête",
    "matadors",
    "Mille",
    "Belote Noisette",
    "belote",
    "Tarot double détente",
    "Triple-Détente",
    "Bernicle",
    "Double Bernicle",
    "Grande Bernicle",
    "procession",
    "niche",
    "Tarot 4 saisons",
    "misère",
    "suites",
    "contres",
    "contre",
    "contre, clair",
    "tout",
    "tout, clair",
    "2 + 2",
    "2 + 2, clair",
    "1 + 1",
    "1 + 1, clair",
    "sans voir",
    "sans voir, clair",
    "sans points",
    "sans points, clair",
    "Sept",
    "Le 99",
    "Frappe",
    "extension",
    "frappe",
    "contre-frappe",
    "pénitence",
    "Bridgette",
    "surcontre",
    "{level} {denomination}",
    "Duel à Las Vegas",
    "Loba",
    "mène",
    "Bésigue chinois",
    "mariage",
    "bésigue",
    "carré",
    "suite",
    "brisques",
    "cartes blanches",
    "total",
    "Bésigue japonais",
    "Caisse",
    "Clarté",
    "Cent",
    "Deux Cents",
    "défi",
    "validation",
    "talon",
    "Misère",
    "Misère Générale",
    "Belote",
    "Démons",
    "Les Héritiers",
    "Démons punisseurs",
    "exposition",
    "Pareil",
    "Suite",
    "Jeu",
}  # in both languages
SEED = sha256(b"conformance").digest()

PUBLIC = {
    "frappe": ("announced", "resolved", "events"),
    "caisse": ("announced", "suite", "carre"),
    "demons": ("phase", "actors", "devil"),  # the Diable is revealed by a card
    "heritiers": ("phase", "actors", "devil"),
    "demons-punisseurs": ("phase", "objectives"),  # whether who is left had a specimen
    "besigue-japonais": ("phase", "actors"),  # who is asked about cartes blanches has them
    "besigue-chinois": ("phase", "actors"),
}
"""What the rules announce to all without an action: hands that would announce something else differ openly,
as do deals that would be over (for every game)."""


def exactly(_state: Any, token: str) -> Any:
    return token


def any_joker(_state: Any, token: str) -> Any:
    """Loba lists a joker as the first that the hand holds."""
    return token.replace("JK2", "JK1")


def any_discard(state: Any, token: str) -> Any:
    """Bridgette lists one of the millions of large discards."""
    return "discard" if state.phase == "exchange" and state.surplus() > 4 else token


def any_alike(state: Any, token: str) -> Any:
    """The Bésigues list one of the announcements that differ by cards which nothing tells apart."""
    return shape(state, token) if token.startswith("meld") else token


def any_reveal(_state: Any, token: str) -> Any:
    """Démons punisseurs lists one of the reveals with which an objective may be disputed."""
    return ":".join(token.split(":")[:2]) if token.startswith("dispute") else token


SPELLINGS = {
    "demons-punisseurs": any_reveal,
    "loba": any_joker,
    "bridgette": any_discard,
    "besigue-japonais": any_alike,
    "besigue-chinois": any_alike,
}
"""Legal actions that are listed in one spelling only: what makes two of them the same."""

SECRETIVE = {"caisse", "demons", "demons-punisseurs", "heritiers"}
"""Games with secret roles or exchanges face down, looked at on all boards."""

TELL_MORE = {"frappe", "besigue-japonais", "besigue-chinois"}
"""Games whose records explain points that their sheets only sum up."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def options_of(game: Game[Any], random: Random) -> dict[str, Any]:
    """Some options at their defaults, some not."""
    return {option.name: random.choice(option.values) for option in game.options if random.random() < 0.5}


def started(game: Game[Any], number: int) -> tuple[dict[str, Any], Any, State, Random]:
    """The record to be, its deal and first state, and the dice of one random board."""
    random = bots.randomness("conformance", game.id, number)
    file = {
        "game": game.id,
        "options": options_of(game, random),
        "conditions": {"seats": random.choice(game.seats)} if len(game.seats) > 1 else {},
        "board": {"seed": SEED.hex(), "number": number},
    }
    record = records.read(file | {"actions": []})
    return file, record.deal, game.start(record.deal, record.options), random


def played(game: Game[Any], number: int) -> tuple[dict[str, Any], State]:
    file, _deal, state, random = started(game, number)
    seats = game.seat_count(file["conditions"])
    bots.play_on(game, state, [bots.at_random] * seats, random)
    return file, state


@every_game
def test_there_are_golden_records(game: Game[Any]) -> None:
    assert [path for path in goldens.files() if path.parent.name == game.id]


@pytest.mark.parametrize("path", goldens.files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_records_replay_to_what_they_say(path: Any) -> None:
    golden = json.loads(path.read_text("utf-8"))
    record = records.read(golden["record"])
    state = records.replay(record)
    assert record.game.show_deal(record.deal) == golden["deal"]
    assert records.show_outcome(record, state.outcome()) == golden["outcome"]
    assert record.game.summarise(state) == golden["sheet"]


def test_golden_records_are_what_their_command_writes() -> None:
    for game in GAMES:
        for recipe in goldens.RECIPES[game.id]:
            path = goldens.FOLDER / game.id / f"{recipe['name']}.json"
            written = goldens.written(goldens.golden(game.id, recipe), per_line=game.seats[0]) + "\n"
            assert path.read_text("utf-8") == written


@every_game
def test_legal_actions_are_accepted_and_all_others_refused(game: Game[Any]) -> None:
    """At each step, later at every fourth, some tokens that the game knows are tried and all that are listed,
    from the actors and from other seats."""
    known = every_token(game)
    for number in range(1, max(BOARDS // 10, 20) + 1):
        file, _deal, state, random = started(game, number)
        while not state.over:
            if len(state.entries) > 40 and random.random() < 0.75:
                actor = random.choice(state.actors())
                state.apply(f"{actor} {state.any_legal(actor, random)}")
                continue
            legal = {(seat, token) for seat in state.actors() for token in state.legal(seat)}
            assert legal, "somebody may act and nothing is legal"
            for seat in range(1, game.seat_count(file["conditions"]) + 1):
                own = {token for who, token in legal if who == seat}
                for token in random.sample(known, min(len(known), 12)) + sorted(own):
                    if not state.is_legal(f"{seat} {token}"):
                        assert token not in own, (seat, token)
                    elif token not in own:
                        same = SPELLINGS.get(game.id, exactly)
                        assert same(state, token) in {same(state, listed) for listed in own}, (seat, token)
            seat, token = random.choice(sorted(legal))
            other = state.copy()
            refused_token = random.choice(known)
            if not state.is_legal(f"{seat} {refused_token}"):
                before = state.view(seat)
                with pytest.raises(IllegalAction) as refused:
                    state.apply(f"{seat} {refused_token}")
                assert state.view(seat) == before
                assert refused.value.position == len(state.entries)
            state.apply(f"{seat} {token}")
            assert len(other.entries) == len(state.entries) - 1  # a copy lives by itself


@every_game
def test_what_is_drawn_by_chance_is_legal(game: Game[Any]) -> None:
    for number in range(1, max(BOARDS // 10, 20) + 1):
        _file, _deal, state, random = started(game, number)
        while not state.over:
            seat = random.choice(state.actors())
            token = state.any_legal(seat, random)
            assert state.is_legal(f"{seat} {token}")
            state.apply(f"{seat} {token}")


def every_token(game: Game[Any]) -> list[str]:
    """All tokens that are legal somewhere on some random boards, and some that never are."""
    found = {"", "pass", "play:", "play:ZZ", "nonsense"}
    for number in range(1, 21):
        _file, _deal, state, random = started(game, number)
        while not state.over:
            seat = random.choice(state.actors())
            found.update(islice(state.legal(seat), 500), (state.any_legal(seat, random),))
            state.apply(f"{seat} {state.any_legal(seat, random)}")
    return sorted(found)


@every_game
def test_the_order_of_legal_actions_is_fixed(game: Game[Any]) -> None:
    for number in range(1, 21):
        _file, _deal, state, random = started(game, number)
        while not state.over:
            seat = random.choice(state.actors())
            tokens = list(state.legal(seat))
            assert tokens == list(state.copy().legal(seat))
            assert len(set(tokens)) == len(tokens)
            state.apply(f"{seat} {random.choice(tokens)}")


@every_game
def test_record_and_sheet_agree_and_points_add_up(game: Game[Any]) -> None:
    """The replay of the text record, and the score of its summary, are the outcome of the play; the
    points of each seat's facts are its score; everything that shows up has a name."""
    for number in range(1, BOARDS + 1):
        file, state = played(game, number)
        outcome = state.outcome()
        record = records.read(file | {"actions": list(state.entries)})
        assert records.replay(record).outcome() == outcome
        plain = [seat_and_token(entry)[1] for entry in state.entries]
        if all(len(actors) == 1 for actors in actors_of(game, record, state.entries)):
            assert records.replay(records.read(file | {"actions": plain})).outcome() == outcome
        sheet = game.summarise(state)
        scored = game.score(sheet, deal=record.deal, options=record.options, conditions=record.conditions)
        assert (scored.scores, scored.averaged) == (outcome.scores, outcome.averaged)
        assert scored == outcome or game.id in TELL_MORE
        assert {state.phase} | {fact.name for fact in (*outcome.facts, *scored.facts)} <= game.names.keys()
        for seat, score in enumerate(outcome.scores, 1):
            for told in (outcome, scored):
                assert sum(fact.points for fact in told.facts if fact.seat == seat) == score


def actors_of(game: Game[Any], record: records.Record, entries: list[str]) -> Iterator[tuple[int, ...]]:
    state = game.start(record.deal, record.options)
    for entry in entries:
        yield state.actors()
        state.apply(entry)


@every_game
def test_a_deal_is_the_whole_pack_and_its_json_reads_back(game: Game[Any]) -> None:
    packs: dict[Any, set[Any]] = {}  # by the option that changes the pack
    for number in range(1, BOARDS + 1):
        _file, deal, state, _random = started(game, number)
        shown = game.show_deal(deal)
        options = state.options  # type: ignore[attr-defined]
        assert game.show_deal(game.read_deal(shown, options)) == shown
        assert game.start(game.read_deal(shown, options), options).view(1) == state.view(1)  # type: ignore[attr-defined]
        packs.setdefault((options.get("removed_suit"), len(shown.get("hands", []))), set()).add(
            tuple(sorted(Counter(cards_in(shown)).items()))
        )
    assert all(len(found) == 1 for found in packs.values())


def cards_in(shown: Any) -> Iterator[str]:
    if isinstance(shown, str):
        yield from [shown] if len(shown) <= 3 else []
    elif isinstance(shown, dict | list):
        for part in shown.values() if isinstance(shown, dict) else shown:
            yield from cards_in(part)


@every_game
def test_views_hide_what_a_seat_may_not_know(game: Game[Any]) -> None:
    """Two hidden cards of two other seats change places: as long as the same actions remain legal,
    the seat sees the same and may do the same."""
    compared = 0
    for number in range(1, (BOARDS if game.id in SECRETIVE else max(BOARDS // 3, 60)) + 1):
        file, deal, state, random = started(game, number)
        depth = random.randrange(0, 25)
        while not state.over and len(state.entries) < depth:
            actor = random.choice(state.actors())
            state.apply(f"{actor} {state.any_legal(actor, random)}")
        for seat in range(1, game.seat_count(file["conditions"]) + 1):
            for other in determinised(game, deal, state, seat, random):
                compared += 1
                assert other.view(seat) == state.view(seat)
                assert other.view(None) == state.view(None)
                if seat in state.actors() or seat in other.actors():
                    assert list(other.legal(seat)) == list(state.legal(seat))
    assert compared > max(BOARDS // 3, 60)


def determinised(game: Game[Any], deal: Any, state: State, seat: int, random: Random) -> Iterator[State]:
    """States that the seat cannot tell from this one, by swapping cards that it has not seen."""
    shown = game.show_deal(deal)
    seen = set(re.split(r"\W+", " ".join(state.entries)))
    seen |= set(cards_in(state.view(seat)))
    pools: list[tuple[str, int | None]] = []
    for name, cards in shown.items():
        if isinstance(cards, list) and cards and isinstance(cards[0], list):
            pools += [(name, at) for at in range(len(cards)) if (name, at) != ("hands", seat - 1)]
        elif isinstance(cards, list) and cards and isinstance(cards[0], str):
            pools.append((name, None))
    pairs = list(combinations_with_replacement(pools, 2))
    for first, second in random.sample(pairs, min(len(pairs), 6)):
        for _ in range(3):
            swapped = with_a_swap(shown, first, second, seen, random)
            if swapped is None:
                break
            options = state.options  # type: ignore[attr-defined]
            try:
                other = game.start(game.read_deal(swapped, options), options)
            except BadDeal:  # two packs, and a card that the other has
                continue
            if other.phase != game.start(deal, options).phase:
                continue
            try:
                for entry in state.entries:
                    other.apply(entry)
            except IllegalAction:
                continue
            public = PUBLIC.get(game.id, ())
            if other.over == state.over and all(other.view(None)[k] == state.view(None)[k] for k in public):
                yield other


def with_a_swap(shown: Any, first: Any, second: Any, seen: set[str], random: Random) -> Any:
    """The deal with an unseen card of one pool in the place of one of another; None if there is none."""
    deal = json.loads(json.dumps(shown))
    lists = [deal[name] if at is None else deal[name][at] for name, at in (first, second)]
    hidden = [[place for place, card in enumerate(cards) if card not in seen] for cards in lists]
    if not all(hidden):
        return None
    here, there = (random.choice(places) for places in hidden)
    lists[0][here], lists[1][there] = lists[1][there], lists[0][here]
    return deal


@every_game
def test_everything_has_a_name_in_every_language(game: Game[Any]) -> None:
    assert {choice for field in game.fields for choice in field.choices} <= game.names.keys()
    phrases = [game.name, game.pack, game.board, game.line_score, game.unit.name, *game.names.values()]
    phrases += [option.meaning for option in game.options + game.conditions]
    phrases += [field.label for field in game.fields]
    phrases += [game.words(action) for action in every_token(game) if is_spoken(game, action)]
    for phrase in phrases:
        for language in LANGUAGES:
            assert phrase.to(language)
        if phrase.text not in SAME_WORDS:
            assert phrase.to("fr") != phrase.to("en"), phrase


def is_spoken(game: Game[Any], action: str) -> bool:
    return action not in {"", "pass", "play:", "play:ZZ", "nonsense"} and not action.startswith("play:")


@every_game
def test_a_page_of_the_documents_tells_its_rules(game: Game[Any]) -> None:
    page = goldens.FOLDER.parent.parent.parent / "docs" / "games" / f"{game.id}.md"
    text = page.read_text("utf-8")
    for option in game.options:
        assert f"`{option.name}`" in text
        assert all(f"`{setting_text(value)}`" in text for value in option.values)
    for field in game.fields:
        assert f"`{field.name}`" in text


@every_game
def test_sheets_of_nonsense_are_refused_with_a_field(game: Game[Any]) -> None:
    values = [None, -1, 0, 1, 10**9, 1.5, "", "x", True, [], [1], [1, 2, 3], [[]], {}]
    random = Random(7)
    names = [field.name for field in game.fields] + ["nonsense"]
    refused = [
        error for error in (refusal_of(game, sheet(random, names, values)) for _ in range(2000)) if error
    ]
    assert len(refused) > 1900
    assert all(error.field and str(error.constraint) for error in refused)


def sheet(random: Random, names: list[str], values: list[Any]) -> dict[str, Any]:
    return {name: random.choice(values) for name in random.sample(names, random.randint(0, len(names)))}


def refusal_of(game: Game[Any], sheet: dict[str, Any]) -> BadSheet | None:
    try:
        game.score(sheet)
    except BadSheet as error:
        return error
    return None


@every_game
def test_errors_survive_the_way_between_processes(game: Game[Any]) -> None:
    _file, _deal, state, _random = started(game, 1)
    with pytest.raises(EngineError) as refused:
        state.apply("nonsense")
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.to_json("fr") == refused.value.to_json("fr")
    assert again.to_json()["type"] == "IllegalAction"
