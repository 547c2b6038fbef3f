from engines.cards import Pack

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
