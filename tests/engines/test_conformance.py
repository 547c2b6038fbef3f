"""One suite for every game of the registry: the contract, on golden records and on random boards.

The random boards are the same in every run. ETUI_SEED makes others, and ETUI_BOARDS says which are played:
the first so many, or from one number to another (137-137). `make campaign-boards` asks the same of many more.
"""

import json
import os
import pickle
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import combinations_with_replacement, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines import bots, records, registry, rules
from engines.contract import Game, Settings, State, attributes, setting_text
from engines.errors import BadDeal, BadSheet, EngineError, IllegalAction
from engines.phrases import LANGUAGES
from engines.views import View
from tests.samples import many

from . import goldens
from .cases import case_of

GAMES = list(registry.games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


# ── Random boards ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class RandomBoard(AbstractContextManager[None]):
    """A random board at its start, and the dice of those who play it. Errors `with` it say which it was."""

    seed: str
    number: int
    file: dict[str, Any]  # its record, without actions
    deal: Any
    options: Settings
    seats: range
    state: State
    random: Random

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        if error is not None:
            name, number = self.file["game"], self.number
            error.add_note(
                f"{name}, board {number}: again with ETUI_SEED={self.seed} ETUI_BOARDS={number}-{number}"
            )

    def play(self, depth: int | None = None) -> list[str]:
        """Robots play anything, to the end or until there are so many actions: their entries, half of which
        leave out the seat where a record may. On half of the boards all speak who may, in turn or not."""
        state, random, entries = self.state, self.random, []
        interrupts = random.choice((bots.INTERRUPTS, 1))
        while not state.over and len(entries) != depth:
            seat = random.choice(state.actors()) if random.random() < interrupts else state.turn
            token = state.any_legal(seat, random)
            entries.append(token if seat == state.turn and random.random() < 0.5 else f"{seat} {token}")
            state.apply(f"{seat} {token}")
        return entries


@dataclass(frozen=True)
class RandomBoards:
    """Random boards: a seed, a game and a number always make the same."""

    seed: str
    numbers: range

    def of(self, game: Game[Any], *, one_in: int = 1) -> Iterator[RandomBoard]:
        """All of them, or one in so many."""
        for number in self.numbers[::one_in]:
            yield board(game, self.seed, number)


def board(game: Game[Any], seed: str, number: int) -> RandomBoard:
    random = bots.randomness(seed, game.id, number)
    options = {option.name: random.choice(option.values) for option in game.options if random.random() < 0.5}
    conditions = {"seats": random.choice(game.seats)} if len(game.seats) > 1 else {}
    file = {"game": game.id, "options": options, "conditions": conditions}
    file |= {"board": {"seed": sha256(seed.encode()).hexdigest(), "number": number}}
    record = records.read(file | {"actions": []})
    seats = range(1, game.seat_count(record.conditions) + 1)
    state = game.start(record.deal, record.options)
    return RandomBoard(seed, number, file, record.deal, record.options, seats, state, random)


@pytest.fixture(scope="session")
def boards() -> RandomBoards:
    first, _dash, last = os.environ.get("ETUI_BOARDS", str(many(12, 30))).rpartition("-")
    return RandomBoards(os.environ.get("ETUI_SEED", "conformance"), range(int(first or 1), int(last) + 1))


@cache
def known_tokens(game: Game[Any]) -> list[str]:
    """Tokens that are legal somewhere on some random boards, and some that never are."""
    known = {"", "pass", "play:", "play:ZZ", "nonsense"}
    for board in RandomBoards("tokens", range(1, 21)).of(game):
        state, random = board.state, board.random
        while not state.over:
            seat = random.choice(state.actors())
            drawn = state.any_legal(seat, random)
            known.add(drawn)
            if random.random() < 0.25:
                known.update(islice(state.legal(seat), 500))
            state.apply(f"{seat} {drawn}")
    return sorted(known)


# ── Golden records ────────────────────────────────────────────────────────────────────────────────


@every_game
def test_there_are_golden_records(game: Game[Any]) -> None:
    assert [path for path in goldens.files() if path.parent.name == game.id]


@pytest.mark.parametrize("path", goldens.files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_records_replay_to_what_they_say(path: Path) -> None:
    golden = json.loads(path.read_text("utf-8"))
    record = records.read(golden["record"])
    state = records.replay(record)
    assert record.game.show_deal(record.deal) == golden["deal"]
    assert records.show_outcome(record, state.outcome()) == golden["outcome"]
    assert record.game.summarise(state) == golden["sheet"]


@every_game
def test_golden_records_are_what_their_command_writes(game: Game[Any]) -> None:
    folder = goldens.FOLDER / game.id
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == dict(goldens.texts(game))


# ── The contract, on random boards ────────────────────────────────────────────────────────────────


@every_game
def test_legal_actions_are_accepted_and_all_others_refused(game: Game[Any], boards: RandomBoards) -> None:
    """At each step, later at every fourth, some tokens that the game knows are tried and all that are listed,
    from the actors and from other seats."""
    known, case = known_tokens(game), case_of(game.id)
    for board in boards.of(game, one_in=5):
        state, random = board.state, board.random
        with board:
            while not state.over:
                if len(state.entries) > 40 and random.random() < 0.75:
                    seat = random.choice(state.actors())
                    state.apply(f"{seat} {state.any_legal(seat, random)}")
                    continue
                listed = {seat: list(state.legal(seat)) for seat in state.actors()}
                assert any(listed.values()), "somebody may act and nothing is legal"
                for seat in board.seats:
                    own = dict.fromkeys(listed.get(seat, ()))
                    for token in own:
                        assert state.is_legal(f"{seat} {token}"), (seat, token)
                    meanings: set[Any] = set()
                    for token in random.sample(known, min(len(known), 12)):
                        if token not in own and state.is_legal(f"{seat} {token}"):
                            meanings = meanings or {case.meaning(state, one) for one in own}
                            assert case.meaning(state, token) in meanings, (seat, token)
                seat = random.choice([seat for seat, tokens in listed.items() if tokens])
                check_refusal(state, seat, random.choice(known))
                other = state.copy()
                state.apply(f"{seat} {random.choice(listed[seat])}")
                assert len(other.entries) == len(state.entries) - 1  # a copy is a state of its own


def check_refusal(state: State, seat: int, token: str) -> None:
    """An illegal action is refused with its place in the record, and changes nothing."""
    if not state.is_legal(f"{seat} {token}"):
        before = state.view(seat)
        with pytest.raises(IllegalAction) as refusal:
            state.apply(f"{seat} {token}")
        assert state.view(seat) == before
        assert refusal.value.position == len(state.entries)


@every_game
def test_who_begins_is_the_dealer_or_comes_after_the_dealer(game: Game[Any]) -> None:
    """As the page of a table says it: after the dealer the one at whose side the game goes on, in a game to
    the right the other one."""
    for number in range(1, 7):
        with board(game, "begins", number) as dealt:
            conditions = dealt.file["conditions"]
            dealer, seats = game.dealer_of(number, conditions), game.seat_count(conditions)
            assert dealt.state.turn in (dealer, game.seat_after(dealer, seats))
            pad = game.pad(dealt.options)
            assert pad is None or pad.turn == game.direction


@every_game
def test_the_order_of_legal_actions_is_fixed(game: Game[Any], boards: RandomBoards) -> None:
    for board in boards.of(game, one_in=20):
        state, random = board.state, board.random
        with board:
            while not state.over:
                seat = random.choice(state.actors())
                tokens = list(state.legal(seat))
                assert tokens == list(state.copy().legal(seat))
                assert len(set(tokens)) == len(tokens)
                state.apply(f"{seat} {random.choice(tokens)}")


@every_game
def test_a_copy_shares_no_list_and_what_is_a_list_stays_one(game: Game[Any], boards: RandomBoards) -> None:
    for board in boards.of(game, one_in=6):
        state, random = board.state, board.random
        with board:
            lists = lists_of(state).keys()
            while not state.over:
                own, others = lists_of(state), lists_of(state.copy())
                assert own.keys() == others.keys() == lists
                assert own == others
                assert not set(map(id, parts_of(own.values()))) & set(map(id, parts_of(others.values())))
                state.apply(state.any_legal(state.turn, random))


def lists_of(state: State) -> dict[str, list[Any]]:
    values = {name: getattr(state, name) for name in attributes(type(state))}
    return {name: value for name, value in values.items() if type(value) is list}


def parts_of(lists: Iterable[list[Any]]) -> Iterator[list[Any]]:
    """The lists, and those in them."""
    for one in lists:
        yield one
        yield from parts_of(part for part in one if type(part) is list)


@every_game
def test_the_sensible_robot_answers_for_every_seat_that_may_act(
    game: Game[Any], boards: RandomBoards
) -> None:
    """Whoever's turn it is, at each step, later at every fourth: what it suggests is legal."""
    for board in boards.of(game, one_in=20):
        state, random = board.state, board.random
        with board:
            while not state.over:
                for seat in state.actors():
                    if len(state.entries) <= 40 or random.random() < 0.25:
                        suggested = bots.action_of(game, state, seat, bots.sensible, random)
                        assert state.is_legal(f"{seat} {suggested}"), (seat, suggested)
                seat = random.choice(state.actors())
                state.apply(f"{seat} {state.any_legal(seat, random)}")


@every_game
def test_record_and_sheet_agree_and_points_add_up(game: Game[Any], boards: RandomBoards) -> None:
    """What is drawn by chance is legal. The replay of the record, and the score of its summary, are the
    outcome of the play; the points of each seat's facts are its score; all that shows up has a name."""
    case = case_of(game.id)
    for board in boards.of(game):
        with board:
            entries, state = board.play(), board.state
            outcome = state.outcome()
            actions = board.random.choice((entries, list(state.entries)))
            record = records.read(board.file | {"actions": actions})
            assert records.replay(record).outcome() == outcome
            sheet = game.summarise(state)
            scored = game.score(sheet, deal=record.deal, options=record.options, conditions=record.conditions)
            assert (scored.scores, scored.averaged) == (outcome.scores, outcome.averaged)
            assert scored == outcome or case.explains_more
            assert {state.phase} | {
                fact.name for fact in (*outcome.facts, *scored.facts)
            } <= game.names.keys()
            for facts in {outcome.facts, scored.facts}:
                points = Counter[int | None]()
                for fact in facts:
                    points[fact.seat] += fact.points
                assert tuple(points[seat] for seat in board.seats) == outcome.scores


@every_game
def test_a_deal_is_the_whole_pack_and_its_json_reads_back(game: Game[Any], boards: RandomBoards) -> None:
    case = case_of(game.id)
    packs: dict[Any, Counter[str]] = {}  # by what changes the pack
    for board in boards.of(game):
        with board:
            shown = game.show_deal(board.deal)
            again = game.read_deal(shown, board.options)
            assert game.show_deal(again) == shown
            assert game.start(again, board.options).view(1) == board.state.view(1)
            kind = (len(board.seats), *(board.options[name] for name in case.pack_options))
            pack = Counter(cards_in(shown))
            assert packs.setdefault(kind, pack) == pack


def cards_in(shown: Any) -> Iterator[str]:
    if isinstance(shown, str):
        yield from [shown] if len(shown) <= 3 else []
    elif isinstance(shown, dict | list):
        for part in shown.values() if isinstance(shown, dict) else shown:
            yield from cards_in(part)


@every_game
def test_views_hide_what_a_seat_may_not_know(game: Game[Any], boards: RandomBoards) -> None:
    """Two hidden cards of two other seats change places: as long as the same actions remain legal,
    the seat sees the same and may do the same."""
    compared = 0
    for board in boards.of(game, one_in=1 if case_of(game.id).is_secretive else 3):
        with board:
            board.play(depth=board.random.randrange(25))
            state, public = board.state, board.state.view(None)
            for seat in board.seats:
                view, legal = state.view(seat), list(state.legal(seat))
                for other in indistinguishable(game, board, seat):
                    compared += 1
                    assert other.view(seat) == view
                    assert other.view(None) == public
                    if seat in state.actors() or seat in other.actors():
                        assert list(other.legal(seat)) == legal
    assert compared >= len(boards.numbers) // 3


@every_game
def test_no_view_shows_a_card_of_a_hand_before_an_action_names_it(
    game: Game[Any], boards: RandomBoards
) -> None:
    """The cards that were dealt to a seat and that it holds are shown to nobody else, in its hand or in any
    other pile; all see how many it has."""
    opens, secrets = case_of(game.id).opens, 0
    for board in boards.of(game, one_in=3):
        state, random, lie = board.state, board.random, game.places(board.deal)
        dealt = {seat: set(lie.get(str(seat), ())) for seat in board.seats}
        hidden = {pile.name for pile in state.view(None).piles if pile.hidden}
        piles = (cards for place, cards in lie.items() if not place.isdigit() and place not in hidden)
        named = {card for cards in piles for card in cards}
        with board:
            while not state.over:
                named |= words_of(state.entries[-1:])
                views = {seat: state.view(seat) for seat in (None, *board.seats)}
                secret = {seat: set(views[seat].hand) & dealt[seat] - named for seat in board.seats}
                counts = views[None].held
                assert len(counts) == len(board.seats)
                for seat, view in views.items():
                    assert view.held == counts
                    own = set(view.hand).union(dealt.get(seat, ()) if seat else ())
                    of_others = {card for one in board.seats if one != seat for card in secret[one]} - own
                    secrets += len(of_others)
                    assert not of_others & cards_shown(view, opens), (seat, state.entries[-1:])
                seat = random.choice(state.actors())
                state.apply(f"{seat} {state.any_legal(seat, random)}")
    assert secrets or not any(dealt.values())


@every_game
def test_a_trick_says_who_has_played_its_cards(game: Game[Any], boards: RandomBoards) -> None:
    for board in boards.of(game, one_in=6):
        state, random = board.state, board.random
        said = {seat: set[str]() for seat in board.seats}
        with board:
            while not state.over:
                seat = random.choice(state.actors())
                state.apply(f"{seat} {state.any_legal(seat, random)}")
                said[seat] |= words_of(state.entries[-1:])
                for one in state.view(None).trick:
                    assert one.card in said[one.seat] or not any(one.card in words for words in said.values())


def cards_shown(view: View, but: Sequence[str] = ()) -> set[str]:
    """All cards that a view shows, in all piles but some."""
    laid = {card for one in view.trick for card in (one.card, one.under) if card}
    return laid | {card for pile in view.piles if pile.name not in but for card in pile.shown}


def words_of(entries: Sequence[str]) -> set[str]:
    """All words of some actions, the cards that they name among them."""
    return set(re.split(r"\W+", " ".join(entries)))


def indistinguishable(game: Game[Any], board: RandomBoard, seat: int) -> Iterator[State]:
    """States that the seat cannot tell from this one, by swapping cards that it has not seen."""
    state, options, random = board.state, board.options, board.random
    shown, public = game.show_deal(board.deal), state.view(None)
    first_phase = game.start(board.deal, options).phase
    seen = words_of(state.entries) | cards_shown(state.view(seat))
    piles = game.places(board.deal)
    pools: list[tuple[str, int | None]] = []
    for name, cards in shown.items():
        if isinstance(cards, list) and cards and isinstance(cards[0], list):
            pools += [(name, at) for at in range(len(cards)) if (name, at) != ("hands", seat - 1)]
        elif name in piles and isinstance(cards, list):
            pools.append((name, None))
    pairs = list(combinations_with_replacement(pools, 2))
    for first, second in random.sample(pairs, min(len(pairs), 6)):
        swapped = with_a_swap(shown, first, second, seen, random)
        if swapped is None:
            continue
        try:
            other = game.start(game.read_deal(swapped, options), options)
            if other.phase != first_phase:
                continue
            for entry in state.entries:
                other.apply(entry)
        except (
            BadDeal,
            IllegalAction,
        ):  # two packs, and a card that the other has; an action that gave it away
            continue
        if other.over == state.over:
            announced = other.view(None)
            if all(getattr(announced, name) == getattr(public, name) for name in case_of(game.id).announced):
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


CAMPAIGN = (
    test_legal_actions_are_accepted_and_all_others_refused,
    test_the_order_of_legal_actions_is_fixed,
    test_the_sensible_robot_answers_for_every_seat_that_may_act,
    test_record_and_sheet_agree_and_points_add_up,
    test_a_deal_is_the_whole_pack_and_its_json_reads_back,
    test_views_hide_what_a_seat_may_not_know,
    test_no_view_shows_a_card_of_a_hand_before_an_action_names_it,
    test_a_trick_says_who_has_played_its_cards,
)
"""What `make campaign-boards` asks (campaign.py)."""


# ── What does not depend on a board ───────────────────────────────────────────────────────────────


@every_game
def test_everything_has_a_name_in_every_language(game: Game[Any]) -> None:
    assert {choice for field in game.fields for choice in field.choices} <= game.names.keys()
    phrases = [game.name, game.pack, game.board, game.line_score, game.unit.name, *game.names.values()]
    phrases += [option.meaning for option in game.options + game.conditions]
    phrases += [field.label for field in game.fields]
    phrases += [game.words(action) for action in known_tokens(game) if is_spoken(game, action)]
    assert all(phrase.to(language) for phrase in phrases for language in LANGUAGES)
    same = {phrase.text for phrase in phrases if phrase.to("fr") == phrase.to("en")}
    assert same - {game.name.text, "point"} == case_of(game.id).same_words


def is_spoken(game: Game[Any], action: str) -> bool:
    return action not in {"", "pass", "play:", "play:ZZ", "nonsense"} and not action.startswith("play:")


@every_game
def test_a_page_of_the_documents_says_its_options_and_fields(game: Game[Any]) -> None:
    text = (rules.FOLDER / f"{game.id}.md").read_text("utf-8")
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
    with pytest.raises(EngineError) as refusal:
        board(game, "errors", 1).state.apply("nonsense")
    again = pickle.loads(pickle.dumps(refusal.value))
    assert again.to_json("fr") == refusal.value.to_json("fr")
    assert again.to_json()["type"] == "IllegalAction"


@pytest.mark.parametrize("suite", ["test_conformance", "test_uniform", "campaign", "cases", "goldens"])
def test_the_suites_of_all_games_name_none(suite: str) -> None:
    text = Path(__file__).with_name(f"{suite}.py").read_text("utf-8")
    own_files = {type(game).__module__.split(".")[2] for game in GAMES}
    assert not [name for name in registry.games() if f'"{name}"' in text]
    assert not [name for name in own_files if f"test_{name}" in text]
