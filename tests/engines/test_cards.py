from collections.abc import Iterator
from random import Random
from threading import Thread

import pytest

from engines.cards import Pack, Part, below
from engines.errors import BadDeal

PACK = Pack(suits="SHDC", ranks="789TJQKA")


def test_a_token_and_its_card_undo_each_other() -> None:
    assert [PACK.token(PACK.card(token)) for token in PACK.order] == list(PACK.order)


def test_the_pack_is_in_the_order_of_the_rules() -> None:
    assert PACK.order[:9] == ("7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "7H")


def test_the_higher_of_two_cards_is_the_greater_integer_whatever_the_suits() -> None:
    assert PACK.card("8S") > PACK.card("7C")
    assert PACK.card("AS") > PACK.card("KC")


def test_suits_and_ranks_partition_the_pack() -> None:
    suits = [PACK.suit(letter) for letter in "SHDC"]
    ranks = [PACK.rank(letter) for letter in "789TJQKA"]
    assert sum(suits) == sum(ranks) == PACK.all
    assert all(suit & rank for suit in suits for rank in ranks)
    assert PACK.suits("SD") == PACK.suit("S") | PACK.suit("D")


DOUBLE = Pack(suits="SHDC", ranks="7JQKTA", copies=2)


def test_copies_share_a_token_and_are_different_cards() -> None:
    assert DOUBLE.order == DOUBLE.faces * 2
    assert len(DOUBLE.order) == DOUBLE.all.bit_count() == 48
    both = DOUBLE.cards("AS AS")
    assert both == DOUBLE.card("AS")
    assert both.bit_count() == 2
    assert DOUBLE.tokens(both) == ("AS", "AS")
    assert DOUBLE.faces_of(both) == ("AS",)
    with pytest.raises(KeyError):
        DOUBLE.cards("AS AS AS")


def test_cards_are_picked_out_of_those_held() -> None:
    hand = DOUBLE.cards("7S AS AS") ^ DOUBLE.cards("AS")
    assert DOUBLE.selection(hand, ["AS"]) == hand & DOUBLE.card("AS")
    with pytest.raises(KeyError):
        DOUBLE.selection(hand, ["AS", "AS"])


def test_lists_of_cards_are_read_as_the_whole_pack() -> None:
    half, other = DOUBLE.read([list(DOUBLE.faces), list(DOUBLE.faces)], sizes=(24, 24))
    assert (half & other, half | other) == (0, DOUBLE.all)
    with pytest.raises(BadDeal, match="more than 2 times"):
        DOUBLE.read([["AS", "AS", "AS"]], sizes=(3,))
    with pytest.raises(BadDeal, match="same card twice"):
        PACK.read([["AS", "AS"]], sizes=(2,))


def test_cards_alone_have_no_suit_and_no_rank() -> None:
    pack = Pack(suits="SHDC", ranks="23KA", alone=("1T", "CS", "EX"))
    assert pack.order[-3:] == ("1T", "CS", "EX")
    assert pack.tokens(pack.suit("S")) == ("AS", "KS", "3S", "2S")
    knight = pack.card("CS")
    assert pack.suit_of[knight] == pack.rank_of[knight] == knight


@pytest.mark.parametrize("pack", [PACK, Pack(suits="SHDC", ranks="7JQKTA", copies=2)], ids=["one", "two"])
def test_what_is_drawn_without_a_list_is_what_would_be_chosen_from_it(pack: Pack) -> None:
    """Golden records hold what chance has drawn, and it asks no more of its dice."""
    own, other = Random(5), Random(5)
    for _ in range(300):
        cards = other.getrandbits(pack.all.bit_length()) & pack.all or pack.all
        assert own.getrandbits(pack.all.bit_length()) & pack.all in (cards, 0)
        assert pack.any_play(cards, own) == other.choice(pack.plays_of(cards))
        assert below(cards, own) == other.randrange(cards)


class WordsInterrupted(list[tuple[int, str]]):
    """Words that are being listed when a second thread looks some up."""

    part: Part
    seen: tuple[str, ...] | None = None

    def __reversed__(self) -> Iterator[tuple[int, str]]:
        for one in super().__reversed__():
            yield one
            if self.seen is None:
                self.seen = ()
                thread = Thread(target=self.look)
                thread.start()
                thread.join()

    def look(self) -> None:
        self.seen = self.part[5]


def test_words_are_listed_for_one_thread_while_another_looks_some_up() -> None:
    shown = WordsInterrupted([(1, "AS"), (2, "KS"), (4, "QS")])
    shown.part = Part(shown)
    assert shown.part[3] == ("AS", "KS")
    assert shown.part[5] == shown.seen == ("AS", "QS")
    assert shown.part[7] == ("AS", "KS", "QS")
