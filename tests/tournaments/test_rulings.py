"""Rulings on plays and on contestants: what they change, before and after they are made and taken back."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tournaments.models import HistoryEntry, Play, Player, Result, RuledPlay, Ruling, Session
from tournaments.services import counting, lists, rankings, recomputing, rulings, versions
from tournaments.services.differences import Move
from tournaments.services.errors import Refused

from .worlds import World, a_world, awards_of, hand_in, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

AHEAD, BEHIND = [5, 3, 2], [3, 5, 2]  # tricks at COM'ON!: 1, -2, 0 half lives; and -2, 1, 0


def sheet(tricks: Sequence[int]) -> dict[str, Any]:
    return {"sheet": {"outcome": "normal", "tricks": list(tricks)}}


def begins_with() -> World:
    """Everything is played, with the same results but for the first table's."""
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play, sheet(AHEAD if play.table.number == 1 else BEHIND))
    work(world.session)
    world.refresh()
    return world


def place_of(play: Play) -> rulings.PlayPlace:
    return rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)


def plan(world: World, play: Play, *decisions: Mapping[str, Any]) -> rulings.RulingPlan:
    return rulings.on_play(session=world.session, place=place_of(play), decisions=decisions)


def points(session: Session) -> dict[int, Fraction]:
    """By contestant, in the newest version."""
    content = versions.content_of(session.pk, session.version)
    return {k: Fraction(won.points, won.scale) for k, won in content.items()}


def agrees(session: Session) -> None:
    """The lists are what a recomputation from nothing gives: the stored version, the histograms and, in a
    process that has counted them step by step, the memory."""
    answer = recomputing.recompute(session=session)
    assert answer is not None
    assert answer.disagreements == ()


def awards(play: Play) -> list[Fraction | None] | None:
    found = awards_of(Result.objects.select_related("play", "session").get(play=play))
    return found and [Fraction(one) if one else None for one in found]


def first_of_board(world: World, number: int = 1) -> list[Play]:
    return [play for play in plays_of(world.session) if play.board.number == number]


def ruled(world: World, a_plan: rulings.RulingPlan, text: str = "A card fell") -> Ruling:
    """The ruling, once its preview has been found to be what comes of it."""
    before = points(world.refresh())
    told = rulings.preview(a_plan)
    assert points(world.refresh()) == before, "a preview changes nothing"
    ruling = rulings.rule(a_plan, actor=world.organiser, text=text)
    work(world.session)
    as_was_told(before, told, points(world.refresh()))
    agrees(world.session)
    return ruling


def as_was_told(before: Mapping[int, Fraction], told: Sequence[Move], after: Mapping[int, Fraction]) -> None:
    changed = {k for k in after if after[k] != before[k]}
    assert {one.contestant for one in told if one.before.total != one.after.total} >= changed
    assert {one.contestant: one.after.total.points for one in told} == {
        one.contestant: after[one.contestant] for one in told
    }


PLUS = {"kind": "artificial", "percent": "60", "own": "if better"}
MINUS = {"kind": "artificial", "percent": "40", "own": "if worse"}
EVEN = {"kind": "artificial", "percent": "50"}


def assigned(*outcomes: tuple[str, Sequence[int]]) -> dict[str, Any]:
    return {"kind": "assigned", "outcomes": [{"weight": w, "scores": list(s)} for w, s in outcomes]}


# What stood before: table 1 has 1, -2, 0 and the others -2, 1, 0; a top is 4.
CASES: list[tuple[str, str, list[dict[str, Any]], list[list[str | None]]]] = [
    ("nobody's fault", "artificial", [EVEN], [["2", "2", "2"], ["2", "2", "2"]]),
    (
        "two at fault, one not: 40 %, 40 % and 60 % of a top, the others by Neuberg",
        "artificial",
        [PLUS | {"seats": [1]}, MINUS | {"seats": [2, 3]}],
        [["12/5", "8/5", "8/5"], ["2", "2", "2"]],
    ),
    (
        "assigned: like the others",
        "assigned",
        [assigned(("1", [-2, 1, 0]))],
        [["2", "2", "2"], ["2", "2", "2"]],
    ),
    (
        "weighted: half of each, so that the others tie with half and lose to half of it",
        "weighted",
        [assigned(("1/2", [1, -2, 0]), ("1/2", [-2, 1, 0]))],
        [["3", "1", "2"], ["3/2", "5/2", "2"]],
    ),
    (
        "split: the score stays for the third seat, which nothing is said of",
        "split",
        [assigned(("1", [-2, 1, 0])) | {"seats": [1]}, PLUS | {"seats": [2]}],
        [["2", "12/5", "2"], ["2", "2", "2"]],
    ),
    ("annulled", "annulled", [{"kind": "annulled"}], [[None] * 3, ["2", "2", "2"]]),
    ("not played after all", "not-played", [{"kind": "not-played"}], [[None] * 3, ["2", "2", "2"]]),
]


def test_a_ruling_counts_as_scoring_says_and_can_be_taken_back(world: World) -> None:
    """Case by case on one evening: preview, ruling, lists, awards, recomputation, reversal."""
    play, other, _third = first_of_board(world)
    before, usual = points(world.refresh()), (awards(play), awards(other))
    assert usual == ([4, 0, 2], [1, 3, 2])
    for case, kind, decisions, expected in CASES:
        ruling = ruled(world, plan(world, play, *decisions))
        assert ruling.kind == kind, case
        shown = [[one and Fraction(one) for one in row] for row in expected]
        assert [awards(play), awards(other)] == shown, case
        told = rulings.preview_of_reversal(ruling)
        changed = points(world.refresh())
        rulings.reverse(ruling=ruling, actor=world.organiser, text="On appeal")
        work(world.session)
        as_was_told(changed, told, points(world.refresh()))
        assert points(world.session) == before, case
        assert (awards(play), awards(other)) == usual
        agrees(world.session)
    assert Ruling.objects.in_force().count() == 0


def test_the_newest_ruling_counts_for_each_seat_and_a_later_result_changes_nothing_of_it(
    world: World,
) -> None:
    play, *_others = first_of_board(world)
    first = ruled(world, plan(world, play, PLUS))
    second = ruled(world, plan(world, play, assigned(("1", [-2, 1, 0])) | {"seats": [1]}))
    assert RuledPlay.objects.get(play=play).entries == ["-2", *["average 60 if better"] * 2]
    hand_in(world, play, sheet([2, 3, 5]))
    work(world.session)
    assert awards(play) == [2, Fraction(12, 5), Fraction(12, 5)]
    rulings.reverse(ruling=first, actor=world.organiser, text="Wrong table")
    work(world.session)
    agrees(world.session)
    scores = Result.objects.get(play=play).scores
    assert scores != [1, -2, 0]
    assert RuledPlay.objects.get(play=play).entries == ["-2", None, None]
    with pytest.raises(Refused, match="reversed already"):
        rulings.reverse(ruling=first, actor=world.organiser, text="Again")
    rulings.reverse(ruling=second, actor=world.organiser, text="Wrong table")
    work(world.session)
    agrees(world.session)


def test_a_play_without_a_result_can_be_ruled_on_and_that_be_taken_back() -> None:
    world = a_world()
    play, *others = first_of_board(world)
    for other in others:
        hand_in(world, other, sheet(AHEAD))
    work(world.session)
    before = points(world.refresh())
    ruling = ruled(world, plan(world, play, EVEN))
    assert sum(points(world.session).values()) == sum(before.values()) + 6
    rulings.reverse(ruling=ruling, actor=world.organiser, text="They will play it late")
    work(world.session)
    agrees(world.session)
    assert points(world.refresh()) == before


def test_tables_of_a_fouled_board_are_compared_with_those_who_held_the_same_cards(world: World) -> None:
    play, other, third = first_of_board(world)
    groups = [("B", [("A", play.table.number)])]
    ruling = ruled(
        world, rulings.on_fouled_board(session=world.session, board=play.board.number, groups=groups)
    )
    assert awards(play) == [Fraction(12, 5)] * 3  # alone with these cards: 60 %
    assert awards(other) == awards(third) == [2, 2, 2]
    rulings.reverse(ruling=ruling, actor=world.organiser, text="The cards were right")
    work(world.session)
    agrees(world.session)
    assert awards(play) == [4, 0, 2]


def test_penalties_bonuses_and_carry_over_change_the_total_of_one_contestant(world: World) -> None:
    before = points(world.refresh())
    k = world.session.contestants.get(number=1).pk
    changes: list[tuple[dict[str, Any], Fraction]] = [
        ({"kind": "penalty", "amount": "10", "unit": "percent"}, Fraction(-4, 10)),
        ({"kind": "bonus", "amount": "1/3", "unit": "matchpoints"}, Fraction(1, 3)),
        ({"kind": "carry-over", "won": "-90", "fraction": "1/3", "clamp": "18"}, Fraction(-18)),
    ]
    made, changed = [], before[k]
    for wish, gain in changes:
        made.append(ruled(world, rulings.on_contestant(session=world.session, contestant=1, **wish)))
        changed += gain
        assert points(world.session) == before | {k: changed}
    counting.memory.forget()
    hand_in(world, plays_of(world.session)[0], sheet(BEHIND))  # a process that has counted nothing yet
    work(world.session)
    agrees(world.session)
    for ruling in made:
        told = rulings.preview_of_reversal(ruling)
        assert {one.contestant for one in told if one.before.total != one.after.total} == {k}
        rulings.reverse(ruling=ruling, actor=world.organiser, text="On appeal")
    work(world.session)
    agrees(world.session)
    hand_in(world, plays_of(world.session)[0], sheet(AHEAD))
    work(world.session)
    assert points(world.refresh()) == before


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"decisions": [EVEN | {"seats": [4]}]}, "bad-ruling"),
    ({"decisions": [EVEN | {"seats": [1, 2]}, PLUS | {"seats": [2]}]}, "bad-ruling"),
    ({"decisions": [assigned(("1/2", [1, 1, 1]), ("1/3", [0, 0, 0]))]}, "bad-ruling"),
    ({"decisions": [{"kind": "artificial", "percent": "101"}]}, "bad-ruling"),
    ({"decisions": [{"kind": "assigned", "outcomes": [{"scores": [1, 2]}]}]}, "bad-ruling"),
    ({"decisions": [{"kind": "assigned", "outcomes": [{"sheet": {"tricks": 1}}]}]}, "bad-ruling"),
    ({"decisions": [EVEN], "table": 99}, "no-such-play"),
]


def test_the_api_rules_and_tells_of_it(world: World) -> None:
    """One director's evening by the API: what is refused, a preview, a ruling, what a traveller says of it,
    the history, and the way back."""
    play, other, _third = first_of_board(world)
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/rulings/"
    body = place_of(play)._asdict() | {"decisions": [PLUS | {"seats": [1]}, MINUS | {"seats": [2, 3]}]}
    for wrong, code in WRONG:
        answer = client.post(f"{address}preview/", {"play": body | wrong}, format="json")
        assert (answer.status_code, answer.json()["error"]["code"]) in ((400, code), (404, code)), wrong
    for wish in ({"play": body}, {"reason": "So"}, {"play": body, "fouled": {}, "reason": "So"}):
        assert client.post(address, wish, format="json").status_code == 400, wish
    for wish in (
        {"kind": "penalty", "contestant": 1, "amount": "-1"},
        {"kind": "penalty", "contestant": 1, "amount": "1", "unit": "imps"},
        {"kind": "penalty", "contestant": 1, "won": "1"},
        {"kind": "carry-over", "contestant": 1, "won": "1", "fraction": "2"},
    ):
        answer = client.post(address, {"contestant": wish, "reason": "So"}, format="json")
        assert answer.status_code == 400, wish
    assert Ruling.objects.count() == 0

    told = client.post(f"{address}preview/", {"play": body}, format="json").json()
    assert told["count"] == len(told["moves"]) >= 7
    made = client.post(address, {"play": body, "reason": "A card fell"}, format="json")
    assert made.status_code == 201
    words = (
        "Seat 1: 60%, or the share won on the other boards if that is better."
        " Seats 2, 3: 40%, or the share won on the other boards if that is worse."
    )
    shown = made.json()
    assert (shown["kind"], shown["words"], shown["reason"]) == ("artificial", words, "A card fell")
    assert (shown["by"], shown["role"], shown["state"]) == ("organiser", "organiser", "in force")
    work(world.session)
    ranking = client.get(f"/api/v1/sessions/{world.session.pk}/ranking/").json()["places"]
    after = {place["number"]: place["points"] for place in ranking}
    assert {one["number"]: one["after"]["points"] for one in told["moves"]} == {
        one["number"]: after[one["number"]] for one in told["moves"]
    }
    plays = client.get(f"/api/v1/sessions/{world.session.pk}/plays/").json()["results"]
    by_id = {one["id"]: one for one in plays}
    assert by_id[play.pk]["ruled"] == {"words": [words], "awards": ["12/5", "8/5", "8/5"]}
    assert by_id[other.pk]["ruled"] is None

    penalty = {"kind": "penalty", "contestant": 1, "amount": "10"}
    second = client.post(address, {"contestant": penalty, "reason": "Slow play"}, format="json").json()
    assert (second["words"], second["contestant"]) == ("Penalty: 10% of a board.", 1)
    fouled = {"board": play.board.number, "groups": [{"name": "B", "tables": [{"table": 1}]}]}
    third = client.post(address, {"fouled": fouled, "reason": "Wrong cards"}, format="json").json()
    assert third["words"] == f"Board {play.board.number} was fouled: group B at tables A1."
    assert [one["id"] for one in client.get(address).json()["results"]] == [
        shown["id"],
        second["id"],
        third["id"],
    ]
    one = f"{address}{shown['id']}/"
    reversal = client.get(f"{one}reversal/").json()
    assert reversal["count"] > 0
    state = {"state": "reversed", "reason": "On appeal"}
    gone = client.put(f"{one}state/", state, format="json").json()
    assert (gone["state"], gone["reversed_by"], gone["reversal_reason"]) == (
        "reversed",
        "organiser",
        "On appeal",
    )
    assert client.put(f"{one}state/", state, format="json").status_code == 409
    assert client.get(f"{one}reversal/").status_code == 409
    work(world.session)
    agrees(world.session)
    plays = client.get(f"/api/v1/sessions/{world.session.pk}/plays/").json()["results"]
    assert {one["id"]: one for one in plays}[play.pk]["ruled"]["words"] == [
        "Fouled board: compared with the other tables of group B."
    ]
    entries = HistoryEntry.objects.filter(session=world.session, subject__startswith="ruling")
    assert [(one.verb, one.remark and one.remark.text) for one in entries.order_by("pk")] == [
        ("ruled", "A card fell"),
        ("ruled on contestant", "Slow play"),
        ("ruled", "Wrong cards"),
        ("reversed ruling", "On appeal"),
    ]


def test_a_session_without_rulings_asks_nothing_about_them(world: World) -> None:
    """Neither who reads it nor who ranks it."""
    hand_in(world, plays_of(world.session)[0], sheet(BEHIND))
    with CaptureQueriesContext(connection) as queries:
        work(world.session)
        world.client("organiser").get(f"/api/v1/sessions/{world.session.pk}/plays/")
    tables = ("tournaments_ruling", "tournaments_rulingpart", "tournaments_ruledplay")
    asked = [one["sql"] for one in queries if any(table in one["sql"] for table in tables)]
    assert all('"is_whole"' in sql and "ruled" in sql for sql in asked), "but for whether a board is over"
    assert any("tournaments_result" in one["sql"] for one in queries)


def test_two_versions_differ_by_what_came_between_them_and_it_says_who_moved_and_why() -> None:
    world = a_world(published=True)
    play, other, third = first_of_board(world)
    for one in (play, other, third):
        hand_in(world, one, sheet(AHEAD))
    work(world.session)
    first = {"kind": "result", "board": 1, "section": "A", "table": play.table.number}
    first |= {"ruling": None, "number": None}
    told = difference(world)
    assert (told["first"], told["last"], told["cause_count"]) == (0, 1, 3)
    assert first in told["causes"]

    hand_in(world, play, sheet(BEHIND))
    work(world.session)
    told = difference(world)
    assert told["causes"] == [first | {"kind": "correction"}]
    assert told["count"] == len(told["moves"])
    by_number = {one["number"]: one for one in told["moves"]}
    seats = dict(play.seatings.values_list("seat", "contestant__number"))
    assert (by_number[seats[1]]["before"]["points"], by_number[seats[1]]["after"]["points"]) == ("2", "0")
    assert by_number[seats[1]]["boards"] == [1]

    ruling = rulings.rule(plan(world, play, EVEN), actor=world.organiser, text="A card fell")
    work(world.session)
    because = first | {"kind": "ruling", "ruling": ruling.pk}
    assert difference(world)["causes"] == [because]
    penalty = rulings.on_contestant(session=world.session, kind="penalty", contestant=seats[2], amount="10")
    penalised = rulings.rule(penalty, actor=world.organiser, text="Slow play")
    rulings.reverse(ruling=ruling, actor=world.organiser, text="On appeal")
    work(world.session)
    told = difference(world)
    assert told["causes"] == [
        {
            **{"kind": "ruling", "board": None, "section": None, "table": None},
            **{"ruling": penalised.pk, "number": seats[2]},
        },
        because | {"kind": "reversal"},
    ]
    last = world.refresh().version
    told = difference(world, {"from": 1, "to": last})
    assert [one["kind"] for one in told["causes"]] == ["correction", "ruling", "ruling", "reversal"]
    rankings.change_layout(world.session)
    hand_in(world, other, sheet(BEHIND))
    work(world.session)
    assert [one["kind"] for one in difference(world)["causes"]] == ["recomputation"]
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/ranking/difference/"
    assert client.get(address, {"to": 99}).status_code == 404
    assert client.get(address, {"from": "x"}).status_code == 400


def test_nobody_learns_from_what_moved_a_list_what_a_board_not_yet_over_gave() -> None:
    """What a change of the ranking, a ruling or its reversal would move, asked by all, before and after the
    session has been played; and by a director before and after they sit down at one of its tables."""
    world = a_world(published=True)
    play, other, third = first_of_board(world)
    for one in (play, other):
        hand_in(world, one, sheet(AHEAD))
    work(world.session)
    ruling = rulings.rule(plan(world, other, EVEN), actor=None, text="A card fell")
    address = f"/api/v1/sessions/{world.session.pk}"
    ways = [f"{address}/ranking/difference/", f"{address}/rulings/{ruling.pk}/reversal/"]

    def told(role: str) -> list[int]:
        """How each is answered; 0 for a difference of the live list in which nobody moves."""
        client, place = world.client(role), place_of(play)._asdict()
        decided = {"play": {**place, "decisions": [{"kind": "annulled"}]}}
        preview = client.post(f"{address}/rulings/preview/", decided, format="json")
        moved, reversal = (client.get(way) for way in ways)
        is_nothing = moved.status_code == 200 and moved.json()["live"] and not moved.json()["moves"]
        return [0 if is_nothing else moved.status_code, reversal.status_code, preview.status_code]

    assert told("organiser") == [200, 200, 200]
    role = world.organiser.role
    assert role is not None
    Player.objects.filter(memberships__contestant=third.seatings.get(seat=1).contestant).update(
        account=role.account
    )
    assert told("organiser") == [0, 403, 403]
    assert told("scorer")[0] == 200
    for stranger in ("anyone", "player", "other table"):
        assert told(stranger)[0] == 0, stranger
    for one in first_of_board(world):
        table_hands_in(world, one, sheet(AHEAD))
    for one in plays_of(world.session):
        if one.round == 1 and one.board.number != 1:
            table_hands_in(world, one, sheet(AHEAD))
    work(world.session)
    assert told("organiser") == [200, 200, 200], "the board is over"
    later = next(one for one in plays_of(world.session) if one.round == 2)
    hand_in(world, later, sheet(AHEAD))
    work(world.session)
    lists.set_up(session=world.session, actor=None, setup=lists.ListSetup("All", "overall"))
    live = world.client("anyone").get(f"{address}/ranking/").json()["places"]
    fined = {"contestant": later.seatings.get(seat=1).contestant.number, "kind": "penalty", "amount": "10"}
    for wish in (
        {"play": {**place_of(play)._asdict(), "decisions": [{"kind": "annulled"}]}},
        {"contestant": fined},
    ):
        looked = world.client("organiser").post(f"{address}/rulings/preview/", wish, format="json").json()
        before = [(one["number"], one["before"]["points"]) for one in looked["moves"]]
        assert before
        assert set(before) <= {(one["number"], one["points"]) for one in live}, "nothing of the second round"
        assert [one["before"] for one in looked["lists"][0]["moves"]] == [
            one["before"] for one in looked["moves"]
        ]
    back = world.client("organiser").get(ways[1]).json()["moves"]
    assert {(one["number"], one["before"]["points"]) for one in back} <= {
        (one["number"], one["points"]) for one in live
    }
    Session.objects.filter(pk=world.session.pk).update(state="played")
    assert told("organiser") == [200, 200, 200]
    assert [told(one)[0] for one in ("anyone", "player")] == [200, 200]


def difference(world: World, wish: dict[str, int] | None = None) -> dict[str, Any]:
    answer = world.client("organiser").get(
        f"/api/v1/sessions/{world.session.pk}/ranking/difference/", wish or {}
    )
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_a_ruling_on_what_was_final_amends_it(world: World) -> None:
    play, *_others = first_of_board(world)
    for state, after in (("running", "running"), ("final", "amended")):
        Session.objects.filter(pk=world.session.pk).update(state=state)
        ruling = rulings.rule(plan(world, play, EVEN), actor=world.organiser, text="A card fell")
        assert world.refresh().state == after
    Session.objects.filter(pk=world.session.pk).update(state="final")
    rulings.reverse(ruling=ruling, actor=world.organiser, text="On appeal")
    assert world.refresh().state == "amended"
