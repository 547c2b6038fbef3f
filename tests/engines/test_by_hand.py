"""Lists for people who deal: every card once, where it goes; a letter that tells boards apart."""

from collections import Counter
from typing import Any

import pytest

from engines import by_hand, cli, registry
from engines.contract import Game

SEED = bytes(range(32))


def deal_of(game: Game[Any], number: int) -> Any:
    conditions = {"seats": game.seats[-1]} if len(game.seats) > 1 else {}
    return registry.deal_board(game, SEED, number, registry.options_of(game, {}), conditions)


@pytest.mark.parametrize("name", registry.games())
def test_the_list_by_card_and_the_list_by_seat_tell_the_same(name: str) -> None:
    game = registry.game(name)
    sizes = set()
    for number in range(1, 21):
        deal = deal_of(game, number)
        seats = by_hand.by_seat(game, deal)
        cards = by_hand.by_card(game, deal)
        assert Counter(card for card, _ in cards) == Counter(card for held in seats.values() for card in held)
        assert len({place for _, place in cards if not place.isdigit()}) == sum(
            not place.isdigit() for _, place in cards
        )  # each place in a pile is taken once
        sizes.add(len(cards))
    assert len(sizes) == 1  # the whole pack, always


def test_the_list_by_card_is_in_the_order_of_a_sorted_pack() -> None:
    game = registry.game("comon")
    cards = [card for card, _ in by_hand.by_card(game, deal_of(game, 1))]
    assert cards == [rank + suit for suit in "SHDC" for rank in "789TJQKA"]
    tarot = registry.game("tarot-double-detente")
    cards = [card for card, _ in by_hand.by_card(tarot, deal_of(tarot, 1))]
    assert cards[:3] == ["1S", "2S", "3S"]
    assert cards[-3:] == ["20T", "21T", "EX"]


# Names of letters with the same vowel, or one that is taken for it: in French the é of B and the a of K…,
# in English the e of B, the a of K (A, H, J, K), the e of F (F, L, M, N, S, X) and so on.
ALIKE = {
    "French": ["AHK", "BCDEGPTV", "FLMNRSZ", "IJX", "O", "QU", "W", "Y"],
    "English": ["AHJK", "BCDEGPTVZ", "FLMNSXZ", "IY", "O", "QU", "R", "W"],
}


@pytest.mark.parametrize("language", ALIKE)
def test_no_two_letters_sound_alike_across_a_room(language: str) -> None:
    assert set("".join(ALIKE[language])) == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for group in ALIKE[language]:
        assert len(set(group) & set(by_hand.LETTERS)) <= 1, group
    assert not set(by_hand.LETTERS) & set("OI")  # they are written like digits


def test_neighbouring_boards_have_different_letters() -> None:
    for seed in (SEED, bytes(32)):
        letters = [by_hand.check_letter(seed, number) for number in range(1, 100)]
        assert all(len(set(letters[i : i + 7])) == 7 for i in range(90))
        for number in range(10, 100):  # two digits that change places are another letter too
            other = number % 10 * 10 + number // 10
            if 0 < abs(number - other) != 63:
                assert by_hand.check_letter(seed, number) != by_hand.check_letter(seed, other)
    assert len({by_hand.check_letter(bytes([n]) * 32, 1) for n in range(100)}) == 7


def test_the_lists_on_the_command_line(capsys: Any) -> None:
    assert cli.main(["lists", "comon", "--seed", SEED.hex(), "--board", "7"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"board 7 {by_hand.check_letter(SEED, 7)}\n")
    assert "  7S  " in out
    assert "\n1: " in out
    assert cli.main(["lists", "comon", "--seed", SEED.hex(), "--board", "0"]) == 2
