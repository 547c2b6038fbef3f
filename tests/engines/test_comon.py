"""COM'ON!: the examples of the written rules first, then the worked examples of engines/rules/comon.md, then
every refusal and every option that it names."""

from typing import Any

import pytest

from engines import records, registry
from engines.errors import BadDeal, BadRecord, BadSheet, IllegalAction
from engines.games.comon import PACK, Comon, Deal, marks, place_taking, trumps_of
from engines.views import Laid

from .cases import RANDOM, SENSIBLE, Case

GAME = Comon()
# Spades and diamonds are trumps. Seat 2 leads.
DEAL: dict[str, Any] = {
    "dealer": 1,
    "hands": [
        ["7S", "9S", "9D", "KD", "7C", "8C", "TC", "JC", "QC", "KC"],
        ["AH", "JH", "8D", "TS", "KS", "7D", "AC", "9C", "7H", "8H"],
        ["9H", "TH", "QH", "KH", "QS", "JS", "QD", "JD", "AS", "AD"],
    ],
    "turned": ["8S", "TD"],
}
ACES: dict[str, Any] = {
    "dealer": 1,
    "hands": [
        ["KS", "QS", "JS", "TS", "KH", "QH", "JH", "TH", "KD", "QD"],
        ["AS", "AH", "AD", "AC", "9S", "8S", "7S", "9H", "8H", "7H"],
        ["KC", "QC", "JC", "TC", "9C", "8C", "7C", "JD", "TD", "9D"],
    ],
    "turned": ["8D", "7D"],
}


def replayed(deal: dict[str, Any], *actions: str, **options: str) -> Any:
    file = {"game": "comon", "options": options, "deal": deal, "actions": list(actions)}
    return records.replay(records.read(file))


def illegal(deal: dict[str, Any], *actions: str, **options: str) -> IllegalAction:
    with pytest.raises(IllegalAction) as refused:
        replayed(deal, *actions, **options)
    return refused.value


def state_with(hands: dict[int, str], *, lead: str, trumps: str) -> Any:
    """A state in which seat 2 has led and seat 3, with the given hand, is to play."""
    hand = hands[3].split()
    rest = [card for card in PACK.order if card not in [*hand, lead]]
    turned = []
    for suit in trumps:
        turned.append(next(card for card in rest if card[1] == suit and card not in turned))
    rest = [card for card in rest if card not in turned]
    fill = 10 - len(hand)
    third, rest = hand + rest[:fill], rest[fill:]
    return {"dealer": 1, "hands": [rest[9:19], [lead, *rest[:9]], third], "turned": turned}


@pytest.mark.parametrize(
    ("trick", "takes"),
    [
        ("AH JH 7S", "7S"),  # the rules, first example: a ruff beats the ace of the led suit
        ("8D TS 9D", "TS"),  # the rules, second example: the highest of three trumps of two suits
        ("JH QD QS", "JH"),  # the rules, Annulate: the queens of trumps annul each other
        ("QD QS 7C", "7C"),  # decision 1: the third card, even a discard of another suit
        ("QD 7D QS", "7D"),  # decision 1: even a lower trump
        ("QD AD QS", "AD"),  # even a higher one
        ("7H QD QS", "7H"),
        ("QD KH QS", "KH"),
        ("7H AC 8H", "8H"),  # the highest of the suit led, whatever is discarded
        ("9H AH KH", "AH"),
        ("7D AS KS", "AS"),
    ],
)
def test_who_takes_the_trick_when_spades_and_diamonds_are_trumps(trick: str, takes: str) -> None:
    assert taker(trick, ("TS", "TD")) == takes


def test_in_mono_nothing_is_annulled() -> None:
    assert taker("QH QS KH", ("TS", "9S")) == "QS"


def taker(trick: str, turned: tuple[str, str]) -> str:
    """The card that takes a trick."""
    cards, trumps = trick.split(), trumps_of(turned)
    played = [PACK.card(card) for card in cards]
    return cards[place_taking(played, trumps.powers[played[0].bit_length()])]


@pytest.mark.parametrize(
    ("lead", "legal"),
    [("8H", ["KS", "7D"]), ("8S", ["KS", "7D"]), ("8C", ["AC", "9C"])],
)
def test_worked_example_4_what_follows_a_lead(lead: str, legal: list[str]) -> None:
    """Hand KS 7D AC 9C, trumps spades and diamonds: reached as the last four cards of a hand."""
    state = records.replay(records.read({"game": "comon", "deal": DEAL, "actions": []}))
    trumps = trumps_of(("TS", "TD"))
    state.trumps, state.asks, state.powers = trumps.cards, trumps.asks, trumps.powers
    state.hands = [0, PACK.card(lead), PACK.cards("KS 7D AC 9C")]
    state.lead(1)
    state.apply(f"play:{lead}")
    assert sorted(token.removeprefix("play:") for token in state.legal(3)) == sorted(legal)
    for card in PACK.order:
        assert state.is_legal(f"play:{card}") == (card in legal)


def test_without_suit_and_trump_any_card_may_be_played() -> None:
    deal = state_with({3: "7C 8C 9C TC JC QC KC AC 7D 8D"}, lead="7H", trumps="SS")
    state = replayed(deal, "play:7H")
    assert len(list(state.legal(3))) == 10


SPLITS = {  # section 5, all fourteen
    (10, 0, 0): (1, -2, -2), (9, 1, 0): (1, -2, 0), (8, 2, 0): (1, -2, 0), (8, 1, 1): (1, -2, -2),
    (7, 3, 0): (1, -2, 0), (7, 2, 1): (1, -2, 0), (6, 4, 0): (1, -2, 0), (6, 3, 1): (1, -2, 0),
    (6, 2, 2): (1, -2, -2), (5, 5, 0): (1, 1, -2), (5, 4, 1): (1, -2, 0), (5, 3, 2): (1, -2, 0),
    (4, 4, 2): (1, 1, -2), (4, 3, 3): (1, -2, -2),
}  # fmt: skip


def test_the_marks_of_every_split() -> None:
    every = {tuple(sorted((a, b, 10 - a - b), reverse=True)) for a in range(11) for b in range(11 - a)}
    assert every == set(SPLITS)
    for tricks, scores in SPLITS.items():
        assert marks(tricks) == scores
    assert marks((0, 5, 5)) == (-2, 1, 1)  # worked example 5, by seat


def test_packets_of_three_three_two_and_two_from_the_dealers_left() -> None:
    deal = Deal.of(PACK.order, dealer=1)
    second = [*PACK.order[0:3], *PACK.order[9:12], *PACK.order[18:20], *PACK.order[24:26]]
    assert deal.hands[1] == PACK.cards(second)
    assert deal.hands[0] == PACK.cards(
        [*PACK.order[6:9], *PACK.order[15:18], *PACK.order[22:24], *PACK.order[28:30]]
    )
    assert deal.turned == PACK.order[30:32]


def test_trumps_in_play_are_fourteen_or_six() -> None:
    for number in range(1, 301):
        deal = registry.deal_board(GAME, bytes(32), number, registry.options_of(GAME, {}), {})
        trumps = trumps_of(deal.turned).cards
        held = sum((hand & trumps).bit_count() for hand in deal.hands)
        assert held == (6 if deal.turned[0][1] == deal.turned[1][1] else 14)


def test_boards_with_the_four_aces_in_one_hand_are_drawn_again() -> None:
    seed = bytes(32)

    def holders(four_aces: str) -> list[int | None]:
        options = registry.options_of(GAME, {"four_aces": four_aces})
        deals = (registry.deal_board(GAME, seed, number, options, {}) for number in range(1, 1001))
        return [deal.holder_of_aces() for deal in deals]

    assert any(holders("allow"))
    assert not any(holders("redraw"))


# ── The play ──────────────────────────────────────────────────────────────────────────────────────


def test_the_seat_at_the_dealers_left_leads_and_the_taker_leads_next() -> None:
    state = replayed(DEAL, "play:AH", "play:9H", "play:7S")
    assert state.tricks == [1, 0, 0]
    assert state.actors() == (1,)


@pytest.mark.parametrize(
    ("actions", "seat", "rule", "legal"),
    [
        (["play:AH", "play:QS"], 3, "follow the suit", ["KH", "QH", "TH", "9H"]),
        (["play:AH", "play:9H", "play:7C"], 1, "ruff", ["9S", "7S", "KD", "9D"]),
        (["play:8D", "play:9H"], 3, "a trump was led", ["AS", "QS", "JS", "AD", "QD", "JD"]),
        (["play:9H"], 2, "not in the hand", ["KS", "TS", "AH", "JH", "8H", "7H", "8D", "7D", "AC", "9C"]),
        (["play:AH", "play:9H", "play:7S", "play:7S"], 1, "not in the hand", None),
        (["3 play:9H"], 3, "another seat's turn", []),
        (["play:1H"], 2, "no such action", None),
        (["claim-aces"], 2, "no such action", None),
        (["vote:yes"], 2, "no such action", None),
        ([""], 2, "no such action", None),
    ],
)
def test_an_illegal_action_is_told_with_all_its_facts(
    actions: list[str], seat: int, rule: str, legal: list[str] | None
) -> None:
    error = illegal(DEAL, *actions)
    assert error.position == len(actions) - 1
    assert error.seat == seat
    assert error.action == actions[-1].removeprefix("3 ")
    assert rule in str(error.rule)
    if legal is not None:
        assert [action.removeprefix("play:") for action in error.legal] == legal
    assert error.rule.to("fr") != str(error.rule)


def test_nothing_is_changed_by_a_refused_action() -> None:
    state = replayed(DEAL, "play:AH")
    before, entries = state.view(3), list(state.entries)
    for action in ("play:QS", "play:7S", "1 play:7S", "vote:no", "nonsense"):
        with pytest.raises(IllegalAction):
            state.apply(action)
    assert (state.view(3), state.entries) == (before, entries)


def test_after_the_end_nothing_is_legal() -> None:
    state = replayed(ACES, "claim-aces", "vote:yes", "vote:no")
    error = illegal(ACES, "claim-aces", "vote:yes", "vote:no", "play:KS")
    assert state.over
    assert (error.seat, error.legal) == (None, ())


def test_the_prefix_with_the_seat_is_always_allowed() -> None:
    plain = replayed(DEAL, "play:AH", "play:9H", "play:7S")
    prefixed = replayed(DEAL, "2 play:AH", "3 play:9H", "1 play:7S")
    assert plain.view(1) == prefixed.view(1)


# ── The four Aces ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("votes", "scores", "granted"),
    [
        (("vote:yes", "vote:yes"), (0, 1, 0), True),
        (("vote:yes", "vote:no"), (0, 0, 0), False),
        (("vote:no", "vote:yes"), (0, 0, 0), False),
        (("vote:no", "vote:no"), (0, 0, 0), False),
    ],
)
def test_by_right_the_claim_annuls_and_the_votes_concern_the_half_life(
    votes: tuple[str, str], scores: tuple[int, ...], granted: bool
) -> None:
    state = replayed(ACES, "claim-aces", *votes)
    assert state.over
    assert state.outcome().scores == scores
    assert GAME.summarise(state) == {"outcome": "annulled", "claimer": 2, "granted": granted}


def test_by_vote_the_deal_is_played_without_two_yes_votes() -> None:
    state = replayed(ACES, "claim-aces", "vote:yes", "vote:no", aces_annulment="voted")
    assert (state.phase, state.actors()) == ("play", (2,))
    assert replayed(ACES, "claim-aces", "vote:yes", "vote:yes", aces_annulment="voted").over


def test_the_holder_speaks_first_whoever_leads_then_the_others_vote_in_turn() -> None:
    later = ACES | {"dealer": 3}  # seat 1 is to lead
    assert replayed(later).actors() == (2,)
    assert replayed(later, "claim-aces").actors() == (3,)
    assert replayed(later, "claim-aces", "vote:no").actors() == (1,)
    assert replayed(later, "play-on").actors() == (1,)


def test_a_vote_may_not_be_skipped_or_given_out_of_turn() -> None:
    assert "no such action" in str(illegal(ACES, "play:AS").rule)
    assert "no such action" in str(illegal(ACES, "claim-aces", "play-on").rule)
    assert "another seat" in str(illegal(ACES, "claim-aces", "1 vote:yes").rule)


def test_without_four_aces_in_one_hand_there_is_no_such_phase() -> None:
    assert replayed(DEAL).phase == "play"


# ── The result sheet ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sheet", "scores"),
    [
        ({"outcome": "normal", "tricks": [5, 3, 2]}, (1, -2, 0)),
        ({"outcome": "normal", "tricks": [0, 5, 5]}, (-2, 1, 1)),
        ({"outcome": "fault", "offender": 2}, (1, -2, 1)),  # worked example 8
        ({"outcome": "annulled", "claimer": 3, "granted": True}, (0, 0, 1)),
        ({"outcome": "annulled", "claimer": 3, "granted": False}, (0, 0, 0)),
        ({"outcome": "normal", "tricks": [4, 4, 2], "stars": [1, 3]}, (1, 1, -2)),
    ],
)
def test_what_a_sheet_is_worth(sheet: dict[str, Any], scores: tuple[int, ...]) -> None:
    assert GAME.score(sheet).scores == scores


@pytest.mark.parametrize(
    ("sheet", "field", "constraint"),
    [
        ({"outcome": "normal", "tricks": [5, 3, 3]}, "tricks", "add up to 11"),
        ({"outcome": "normal", "tricks": [5, 5]}, "tricks", "3 values"),
        ({"outcome": "normal", "tricks": [11, 0, -1]}, "tricks", "from 0 to 10"),
        ({"outcome": "normal", "tricks": [5.0, 3, 2]}, "tricks", "whole number"),
        ({"outcome": "normal", "tricks": [True, 9, 0]}, "tricks", "whole number"),
        ({"outcome": "normal"}, "tricks", "missing"),
        ({"outcome": "normal", "tricks": [5, 3, 2], "offender": 1}, "offender", "does not belong"),
        ({"outcome": "fault", "tricks": [5, 3, 2], "offender": 1}, "tricks", "does not belong"),
        ({"outcome": "fault"}, "offender", "missing"),
        ({"outcome": "fault", "offender": 4}, "offender", "seat from 1 to 3"),
        ({"outcome": "fault", "offender": 0}, "offender", "seat from 1 to 3"),
        ({"outcome": "annulled", "granted": True}, "claimer", "missing"),
        ({"outcome": "annulled", "claimer": 1}, "granted", "missing"),
        ({"outcome": "annulled", "claimer": 1, "granted": 1}, "granted", "true or false"),
        ({"outcome": "drawn"}, "outcome", "must be one of"),
        ({"outcome": ["normal"]}, "outcome", "must be one of"),
        ({}, "outcome", "missing"),
        ({"outcome": "normal", "tricks": [5, 3, 2], "stars": [1, 1]}, "stars", "different seats"),
        ({"outcome": "normal", "tricks": [5, 3, 2], "stars": [4]}, "stars", "different seats"),
        ({"outcome": "normal", "tricks": [5, 3, 2], "stars": [[1]]}, "stars", "different seats"),
        ({"outcome": "normal", "tricks": [5, 3, 2], "trick": 1}, "trick", "not a field"),
        ([], "sheet", "object"),
    ],
)
def test_what_a_sheet_refuses(sheet: Any, field: str, constraint: str) -> None:
    with pytest.raises(BadSheet) as refused:
        GAME.score(sheet)
    assert refused.value.field == field
    assert constraint in str(refused.value.constraint)
    assert refused.value.constraint.to("fr") != str(refused.value.constraint)


def test_on_a_known_board_only_the_holder_of_the_four_aces_may_have_claimed() -> None:
    deal = GAME.read_deal(ACES)
    assert GAME.score({"outcome": "annulled", "claimer": 2, "granted": False}, deal=deal).scores == (0, 0, 0)
    with pytest.raises(BadSheet, match="four Aces"):
        GAME.score({"outcome": "annulled", "claimer": 1, "granted": False}, deal=deal)
    with pytest.raises(BadSheet, match="four Aces"):
        GAME.score({"outcome": "annulled", "claimer": 2, "granted": False}, deal=GAME.read_deal(DEAL))


def test_by_vote_an_ungranted_claim_is_no_end_of_a_deal() -> None:
    options = {"aces_annulment": "voted"}
    assert GAME.score({"outcome": "annulled", "claimer": 2, "granted": True}, options=options).scores == (
        0,
        1,
        0,
    )
    with pytest.raises(BadSheet, match="played out"):
        GAME.score({"outcome": "annulled", "claimer": 2, "granted": False}, options=options)


def test_the_innocent_seats_of_a_fault_get_an_average_where_the_option_says_so() -> None:
    sheet = {"outcome": "fault", "offender": 2}
    assert GAME.score(sheet).averaged == ()
    assert GAME.score(sheet, options={"fault_line": "adjusted"}).averaged == (1, 3)


# ── The match ─────────────────────────────────────────────────────────────────────────────────────


def normal(*tricks: int) -> dict[str, Any]:
    return {"outcome": "normal", "tricks": list(tricks)}


def fault(offender: int) -> dict[str, Any]:
    return {"outcome": "fault", "offender": offender}


def test_the_score_sheet_of_the_rules() -> None:
    """Section 12, example 6: one loss and no gain leave five lives; five gains and five losses three
    and a half; three gains and six losses one and a half (Nage)."""
    ledger = GAME.ledger([normal(5, 3, 2)])
    assert ledger["half_lives"][1] == 10
    ledger = GAME.ledger([normal(5, 3, 2)] * 3 + [normal(3, 5, 2)] * 3 + [normal(3, 2, 5)])
    assert ledger["half_lives"] == [12 + 3 - 8, 12 + 3 - 6, 12 + 1]
    assert ledger["half_lives"][0] == 7
    ledger = GAME.ledger([normal(5, 3, 2)] * 3 + [normal(3, 2, 5)] * 6)
    assert ledger["half_lives"][0] == 3
    assert ledger["labels"][0] == "Nage"


def test_the_first_seat_out_ends_the_match_and_deals_next() -> None:
    ledger = GAME.ledger([normal(5, 3, 2)] * 6)
    assert ledger["over"]
    assert ledger["losers"] == [2]
    assert ledger["half_lives"] == [18, 0, 12]
    assert (ledger["ranks"], ledger["winner"], ledger["dealer"]) == ([1, 3, 2], 1, 2)
    assert ledger["labels"][1] == "Fitil"
    assert [row["dealer"] for row in ledger["rows"]] == [1, 2, 3, 1, 2, 3]
    assert ledger["rows"][1] == {
        "dealer": 2,
        "scores": [1, -2, 0],
        "half_lives": [14, 8, 12],
        "gross": [2, 0, 0],
    }


def test_half_a_life_and_a_second_place_leave_minus_one() -> None:
    """Section 12, example 7: 1 − 2 = −1: out."""
    to_half_a_life = [normal(3, 5, 2)] * 5 + [fault(2)] + [normal(3, 5, 2)]
    assert GAME.ledger(to_half_a_life)["half_lives"][0] == 1
    assert GAME.ledger(to_half_a_life)["labels"][0] == "Tuba"
    ledger = GAME.ledger([*to_half_a_life, normal(3, 5, 2)])
    assert ledger["half_lives"][0] == -1
    assert (ledger["losers"], ledger["over"], ledger["labels"][0]) == ([1], True, "Fitil")


def test_two_out_on_one_deal_are_a_caveau_and_the_lower_deals_next() -> None:
    ledger = GAME.ledger([normal(4, 3, 3)] * 6)
    assert ledger["losers"] == [2, 3]
    assert (ledger["ranks"], ledger["winner"], ledger["dealer"]) == ([1, 2, 2], 1, 2)


def gains(count: int) -> list[dict[str, Any]]:
    """Deals in which seat 1 gains half a life and nobody loses any."""
    return [{"outcome": "annulled", "claimer": 1, "granted": True}] * count


def test_end_two_comes_with_sixteen_half_lives_gained() -> None:
    ledger = GAME.ledger(gains(15))
    assert not ledger["over"]
    assert ledger["ranks"] is None
    ledger = GAME.ledger(gains(16))
    assert (ledger["over"], ledger["winner"], ledger["losers"]) == (True, 1, [])
    assert ledger["ranks"] == [1, 2, 2]
    assert ledger["dealer"] == 16 % 3 + 1  # no loser: the next seat clockwise


def test_net_gains_deduct_what_was_lost() -> None:
    deals = [fault(1), *gains(16)]
    assert GAME.ledger(deals[:17])["over"]
    assert not GAME.ledger(deals, options={"caveau_gain": "net"})["over"]
    assert GAME.ledger(gains(16), options={"caveau_gain": "net"})["over"]


def test_who_gains_eight_lives_is_ranked_before_who_has_more_left() -> None:
    deals = [fault(1)] * 2 + gains(15) + [normal(5, 3, 2)]
    ledger = GAME.ledger(deals)
    assert ledger["gross"][0] == 16
    assert ledger["ranks"][0] == 1


def test_two_may_reach_sixteen_on_one_deal() -> None:
    both = [{"outcome": "annulled", "claimer": seat, "granted": True} for seat in (1, 2) for _ in range(15)]
    ledger = GAME.ledger([*both, normal(5, 5, 0)])
    assert (ledger["ranks"], ledger["winner"], ledger["over"]) == ([1, 1, 3], None, True)


def test_the_organiser_may_preset_the_first_dealer() -> None:
    ledger = GAME.ledger([normal(5, 3, 2)] * 2, conditions={"dealer": 3})
    assert [row["dealer"] for row in ledger["rows"]] == [3, 1]
    assert ledger["dealer"] == 2


def test_stars_are_counted_and_cost_nothing() -> None:
    ledger = GAME.ledger([normal(4, 4, 2) | {"stars": [1, 2]}, normal(5, 3, 2) | {"stars": [2]}])
    assert ledger["stars"] == [1, 2, 0]


def test_a_finished_match_takes_no_more_deals_and_a_bad_one_is_named() -> None:
    with pytest.raises(BadRecord, match="over after 6"):
        GAME.ledger([normal(5, 3, 2)] * 7)
    with pytest.raises(BadSheet, match=r"deals\[1\].tricks"):
        GAME.ledger([normal(5, 3, 2), normal(5, 3, 3)])


def test_an_empty_ledger_is_the_start() -> None:
    ledger = GAME.ledger([])
    assert (ledger["half_lives"], ledger["over"], ledger["winner"]) == ([12, 12, 12], False, None)


# ── Deals from books ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("change", "cards"),
    [
        ({"dealer": 4}, ()),
        ({"dealer": True}, ()),
        ({"hands": DEAL["hands"][:2]}, ()),
        ({"hands": "none"}, ()),
        ({"turned": ["8S"]}, ()),
        ({"turned": ["8S", "8S"]}, ("8S",)),
        ({"turned": ["8S", "1D"]}, ("1D",)),
        ({"turned": ["8S", 7]}, ("7",)),
        ({"turned": ["8S", "AH"]}, ("AH",)),
        ({"stock": []}, ()),
    ],
)
def test_a_deal_that_is_not_the_whole_pack_is_refused(change: dict[str, Any], cards: tuple[str, ...]) -> None:
    with pytest.raises(BadDeal) as refused:
        GAME.read_deal(DEAL | change)
    assert refused.value.cards == cards


def test_a_deal_without_a_key_is_refused() -> None:
    with pytest.raises(BadDeal, match="turned"):
        GAME.read_deal({key: DEAL[key] for key in ("dealer", "hands")})


def test_the_order_of_cards_in_a_deal_has_no_effect() -> None:
    turned_round = DEAL | {"hands": [hand[::-1] for hand in DEAL["hands"]], "turned": DEAL["turned"][::-1]}
    assert replayed(turned_round, "play:AH").view(1) == replayed(DEAL, "play:AH").view(1)


# ── What may be seen ──────────────────────────────────────────────────────────────────────────────


def test_a_view_shows_the_table_and_the_own_hand_only() -> None:
    view = replayed(DEAL, "play:AH", "play:9H").view(1)
    assert view.hand == ("9S", "7S", "KD", "9D", "KC", "QC", "JC", "TC", "8C", "7C")
    assert view.trick == (Laid(2, "AH"), Laid(3, "9H"))
    assert (view.pile("turned").shown, view.dealer, view.actors) == (("8S", "TD"), 1, (1,))
    assert replayed(DEAL).view(None).hand == ()


def test_the_last_trick_lies_until_the_next_lead() -> None:
    after_trick = replayed(DEAL, "play:AH", "play:9H", "play:7S")
    assert [one.card for one in after_trick.view(None).trick] == ["AH", "9H", "7S"]
    assert [one.seat for one in after_trick.view(None).trick] == [2, 3, 1]
    after_trick.apply("play:7C")
    assert [one.card for one in after_trick.view(None).trick] == ["7C"]
    assert after_trick.view(1).pile("played").shown == ("7S", "7C")


def test_votes_are_public() -> None:
    assert replayed(ACES, "claim-aces", "vote:yes").view(3).votes == ("yes",)


def test_an_outcome_or_a_summary_before_the_end_is_refused() -> None:
    state = replayed(DEAL)
    with pytest.raises(ValueError, match="not over"):
        state.outcome()
    with pytest.raises(ValueError, match="not over"):
        GAME.summarise(state)


def test_the_sensible_robot_does_better_than_one_that_plays_anything() -> None:
    from engines import bots

    options = registry.options_of(GAME, {})
    total = {"sensible": 0, "random": 0}
    for number in range(1, 301):
        state = GAME.start(registry.deal_board(GAME, bytes(32), number, options, {}), options)
        good = number % 3
        robots = [bots.sensible if seat == good else bots.at_random for seat in range(3)]
        bots.play_on(GAME, state, robots, bots.randomness(number))
        for seat, score in enumerate(state.outcome().scores):
            total["sensible" if seat == good else "random"] += score
    assert total["sensible"] / 300 > total["random"] / 600 + 0.15


# ── For the suites of all games ───────────────────────────────────────────────────────────────────

CLAIMED = {
    "name": "four-aces-claimed",
    "about": "Seat 2 holds the four Aces and claims; both others grant half a life.",
    "deal": {
        "dealer": 1,
        "hands": [
            ["KS", "QS", "JS", "TS", "KH", "QH", "JH", "TH", "KD", "QD"],
            ["AS", "AH", "AD", "AC", "9S", "8S", "7S", "9H", "8H", "7H"],
            ["KC", "QC", "JC", "TC", "9C", "8C", "7C", "JD", "TD", "9D"],
        ],
        "turned": ["8D", "7D"],
    },
    "actions": ["claim-aces", "vote:yes", "vote:yes"],
}
CASES = {"comon": Case(recipes=(SENSIBLE, RANDOM, CLAIMED), same_words=frozenset({"vote"}))}
