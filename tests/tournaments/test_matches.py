"""Matches of an evening: Swiss, knock-out and round robin, through the API."""

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from scoring.imps import imps
from scoring.vps import victory_points
from tournaments.models import Match, Play, Player, Result, Team
from tournaments.models.open_boards import open_in
from tournaments.services import jobs, sessions, states, submissions

from .worlds import World, a_world, an_entry, hand_in, table_hands_in, work

pytestmark = pytest.mark.django_db


class Evening:
    """A session with matches, as its organiser runs it by the API."""

    def __init__(self, **setting: Any) -> None:
        self.world: World = a_world(**{"boards_per_round": 2, **setting})
        self.client = self.world.client("organiser")
        self.address = f"/api/v1/sessions/{self.world.session.pk}/"

    def get(self, path: str, role: str = "organiser", **query: Any) -> Any:
        answer = self.world.client(role).get(self.address + path, query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def ask(self, method: str, path: str, body: Any = None, *, status: int = 200) -> Any:
        answer = getattr(self.client, method)(self.address + path, body, format="json")
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    def matches(self, role: str = "organiser", **query: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get("matches/", role, **query)["results"]
        return found

    def plays(self, number: int) -> list[Play]:
        own = Play.objects.filter(table__section__session=self.world.session, round=number)
        return list(own.select_related("table__section", "board").order_by("board__number", "table__number"))

    def play_round(self, number: int) -> None:
        """Every table enters something else, the same whenever the test runs."""
        for play in self.plays(number):
            hand_in(self.world, play, self.sheet(play.table.number, play.board.number))
        work(self.world.session)

    def sheet(self, table: int, board: int) -> dict[str, Any]:
        lots = Random(f"{table} {board}")
        return {"sheet": {"rounds": [[lots.randint(25, 59), lots.randint(25, 59)] for _round in range(4)]}}

    def plan(self, **wish: Any) -> Any:
        asked = self.client.post(f"{self.address}next-round/", wish, format="json")
        assert asked.status_code == 202, asked.content
        jobs.do(job_id=asked.json()["id"])
        job = self.client.get(f"/api/v1/jobs/{asked.json()['id']}/").json()
        assert job["state"] == "done", job
        return job["outcome"]

    def rule(self, **ruling: Any) -> Any:
        made = self.ask("post", "rulings/", {**ruling, "reason": "So"}, status=201)
        work(self.world.session)
        return made

    def a_list(self, kind: str, **more: Any) -> list[dict[str, Any]]:
        number = self.ask("post", "lists/", {"name": kind, "kind": kind, **more}, status=201)["number"]
        places: list[dict[str, Any]] = self.get(f"lists/{number}/places/")["places"]
        return places


def by_hand(evening: Evening, match: dict[str, Any], unit: Fraction) -> tuple[Fraction, int]:
    """The margin of the first team and the boards, from the scores as they came in: each team once in each
    direction, half of the difference in IMPs."""
    pairs = {2 * match[side]["number"] - place: side for side in ("first", "second") for place in (0, 1)}
    made: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for result in Result.objects.filter(play__in=evening.plays(match["round"])).select_related("play__board"):
        seated = dict(result.play.seatings.values_list("seat", "contestant__number"))
        if seated[1] in pairs:
            for seat in (1, 2):
                made[result.play.board.number][pairs[seated[seat]]] += result.scores[seat - 1]
    margins = [imps(Fraction(one["first"] - one["second"], 2) * unit) for one in made.values()]
    return Fraction(sum(margins)), len(margins)


def test_an_evening_of_swiss_teams() -> None:
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler")
    rules = evening.get("match-rules/")
    assert (rules["form"], rules["rounds"], rules["worth"]) == ("swiss", 3, "scale")
    refused = evening.ask("post", "next-round/", {}, status=409)
    assert refused["error"]["code"] == "results-missing", "the first round has not been played"
    gained: dict[int, Fraction] = defaultdict(Fraction)
    met: set[frozenset[int]] = set()
    for number in (1, 2, 3):
        if number > 1:
            plan = evening.plan()
            order = sorted(range(1, 5), key=lambda one: (-gained[one], one))
            if number == 2:
                assert order[0] in plan["matches"][0], "the leader plays at the first tables"
            assert (plan["sit_outs"], plan["repeats"]) == ([], [])
        pairs = {
            frozenset({one["first"]["number"], one["second"]["number"]})
            for one in evening.matches(round=number)
        }
        assert len(pairs) == 2
        assert not met & pairs, "nobody meets anybody twice"
        met |= pairs
        evening.play_round(number)
        for one in evening.matches(round=number):
            margin, boards = by_hand(evening, one, Fraction(rules["unit"]))
            shares = victory_points(margin, boards)
            assert (one["state"], one["counted"], one["margin"]) == ("complete", 2, str(margin))
            assert one["gained"] == [str(share) for share in shares]
            for side, share in zip(("first", "second"), shares, strict=True):
                gained[one[side]["number"]] += share
    assert evening.ask("post", "next-round/", {}, status=409)["error"]["code"] == "all-rounds-planned"
    places = evening.a_list("matches", tie_breaks=["direct-encounter", "margin", "wins", "opponents"])
    assert {one["number"]: Fraction(one["points"]) for one in places} == gained
    assert [one["number"] for one in places] == sorted(gained, key=lambda one: -gained[one])

    names = {one["contestant"] for one in evening.a_list("teams")}
    assert "Joueur 01 + Joueur 02" in names
    sessions.finish(session=evening.world.session, actor=None)
    sessions.publish(session=evening.world.session, actor=None, listed=True)
    address = f"/api/v1/tournaments/{evening.world.session.tournament_id}/standings/?value=matches"
    combined = evening.client.get(address).json()
    assert sorted(Fraction(one["value"]) for one in combined["places"]) == sorted(gained.values())
    assert all(len(one["players"]) == 2 for one in combined["places"])


def test_forfeits_penalties_and_their_reversal_move_the_teams_as_the_preview_says() -> None:
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler")
    evening.play_round(1)
    before = evening.a_list("matches")
    points = {one["number"]: Fraction(one["points"]) for one in before}
    forfeit = {"match": {"round": 1, "match": 2, "lost": [3]}}
    fine = {"contestant": {"kind": "penalty", "contestant": 8, "amount": "3/2", "unit": "vps"}}
    carry = {
        "contestant": {"kind": "carry-over", "contestant": 1, "won": "9", "fraction": "1/3", "unit": "vps"}
    }
    looked = evening.ask("post", "rulings/preview/", forfeit)
    told = {one["number"]: (one["before"]["points"], one["after"]["points"]) for one in looked["teams"]}
    assert {3, 4} <= told.keys()
    assert (told[3][1], told[4][1]) == ("0", "12")
    assert looked["count"] == 0, "the ranking of the pairs is another matter"
    (of_list,) = looked["lists"]
    assert {
        one["number"]: (one["before"]["points"], one["after"]["points"]) for one in of_list["moves"]
    } == told
    made = [evening.rule(**one) for one in (forfeit, fine, carry)]
    (one,) = (one for one in evening.matches() if one["number"] == 2)
    assert (one["state"], one["lost"], one["gained"], one["margin"]) == ("forfeited", [3], ["0", "12"], None)
    assert made[0]["words"] == "Match 2 of round 1: team 3 forfeits it."
    number = evening.get("lists/")["results"][0]["number"]

    def gained() -> dict[int, Fraction]:
        places = evening.get(f"lists/{number}/places/")["places"]
        return {one["number"]: Fraction(one["points"]) for one in places}

    assert gained() == {1: points[1] + 3, 2: points[2], 3: Fraction(0), 4: Fraction(21, 2)}
    for ruling in made:
        evening.ask("put", f"rulings/{ruling['id']}/state/", {"state": "reversed", "reason": "No"})
    work(evening.world.session)
    assert gained() == points
    for wrong in (
        {"match": {"round": 1, "match": 2, "lost": [1]}},
        {"contestant": {"kind": "penalty", "contestant": 1, "amount": "1", "unit": "matchpoints"}},
    ):
        evening.ask("post", "rulings/", {**wrong, "reason": "So"}, status=400)


def test_rulings_on_plays_count_in_their_match() -> None:
    """Average plus against average minus are 3 IMPs and −3; of a board that is not played, nothing counts."""
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler")
    evening.play_round(1)
    rules = evening.get("match-rules/")
    first = evening.matches()[0]
    other = by_hand(evening, first, Fraction(rules["unit"]))[0] - by_board(
        evening, first, 1, Fraction(rules["unit"])
    )
    pairs = [
        {"kind": "artificial", "percent": "60", "seats": [1, 3]},
        {"kind": "artificial", "percent": "40", "seats": [2, 4]},
    ]
    ruling = evening.rule(play={"table": 1, "board": 1, "decisions": pairs})
    assert Fraction(evening.matches()[0]["margin"]) == 3 + other, "team 1 sits first at table 1"
    evening.ask("put", f"rulings/{ruling['id']}/state/", {"state": "reversed", "reason": "No"})
    evening.rule(play={"table": 1, "board": 1, "decisions": [{"kind": "not-played"}]})
    after = evening.matches()[0]
    assert (after["counted"], Fraction(after["margin"]), after["state"]) == (1, other, "complete")
    assert after["gained"] == [str(one) for one in victory_points(other, 1)]


def by_board(evening: Evening, match: dict[str, Any], board: int, unit: Fraction) -> int:
    """The IMPs of one board, of round one at the tables of the first match."""
    own = Result.objects.filter(play__in=evening.plays(1), play__board__number=board)
    scores = {one.play.table.number: one.scores for one in own.select_related("play__table")}
    return imps(Fraction(scores[1][0] + scores[2][1] - scores[1][1] - scores[2][0], 2) * unit)


def test_a_round_is_taken_back_as_long_as_nobody_relies_on_it() -> None:
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler")
    assert evening.ask("delete", "next-round/", status=409)["error"]["code"] == "nothing-to-undo"
    evening.play_round(1)
    plan = evening.plan(leaving=[4])
    assert plan["sit_outs"] == [min(range(1, 4), key=lambda n: (gains(evening)[n], -n))], (
        "the last, not who left"
    )
    evening.ask("delete", "next-round/")
    assert evening.matches(round=2) == []
    assert evening.plays(2) == []
    assert evening.plan()["sit_outs"] == [], "who had left is there again"
    hand_in(evening.world, evening.plays(2)[0], evening.sheet(1, 3))
    work(evening.world.session)
    assert evening.ask("delete", "next-round/", status=409)["error"]["code"] == "round-begun"
    refused = evening.ask("post", "replans/", {"after": 2, "leaving": [1]}, status=409)
    assert refused["error"]["code"] == "paired", "who leaves is said when the next round is planned"


@pytest.mark.parametrize(("movement", "players", "arriving"), [
    ("team-swiss", 8, ["Ève", "Zoé"]),
    ("swiss", 7, ["Ève"]),
])  # fmt: skip
def test_who_comes_late_to_a_swiss_plays_from_the_next_round_on(
    movement: str, players: int, arriving: list[str]
) -> None:
    evening = Evening(players=players, game="cochonnet", movement=movement, method="butler")
    new = len(evening.get("teams/")["results"]) + 1
    evening.play_round(1)
    if movement == "team-swiss":
        odd = evening.ask("post", "next-round/", {"arriving": ["Ève"]}, status=400)
        assert odd["error"]["code"] == "contestants", "a team has two"
    plan = evening.plan(arriving=arriving, names_may_be_published=True)
    there = {team for match in plan["matches"] for team in match if team}
    assert new in there
    assert plan["sit_outs"] != [new], "who has missed a round does not sit out first"
    teams = {one["number"]: one["contestants"] for one in evening.get("teams/")["results"]}
    assert teams[new] == list(range(players + 1, players + 1 + len(arriving)))
    evening.play_round(2)
    places = {one["number"]: Fraction(one["points"]) for one in evening.a_list("matches")}
    won = next(
        Fraction(one["gained"][[one["first"]["number"], one["second"]["number"]].index(new)])
        for one in evening.matches(round=2)
        if one["second"] and new in {one["first"]["number"], one["second"]["number"]}
    )
    assert places[new] == won, "nothing for what it has missed"
    later = evening.plan(leaving=[new])
    assert new not in {team for match in later["matches"] for team in match}
    evening.ask("delete", "next-round/")
    assert new in {team for match in evening.plan()["matches"] for team in match}


def test_who_comes_back_to_a_swiss_is_in_a_match_or_is_told_why_not() -> None:
    """Half a team is nobody's opponent, and a team of which somebody is disqualified has no place."""
    evening = Evening(players=10, game="cochonnet", movement="team-swiss", method="butler")
    evening.play_round(1)
    assert 2 not in {team for match in evening.plan(leaving=[2])["matches"] for team in match}
    evening.play_round(2)
    members = [f"Joueur {number:02}" for number in (3, 4)]

    def refused(arriving: list[str]) -> tuple[str, dict[str, Any]]:
        error = evening.ask("post", "next-round/", {"arriving": arriving}, status=400)["error"]
        return error["code"], error["details"]

    half = ("contestants", {"team": 2, "contestants": [3, 4]})
    assert [refused([one]) for one in members] == [half, half]
    assert refused([members[0], "Zoé", "Ana", "Bob"]) == half, "others do not make it whole"
    ruling = evening.rule(contestant={"kind": "disqualification", "contestant": 4})
    assert refused(members) == ("no-place", {"team": 2, "contestants": [3, 4]})
    evening.ask("put", f"rulings/{ruling['id']}/state/", {"state": "reversed", "reason": "No"})
    work(evening.world.session)
    assert 2 in {team for match in evening.plan(arriving=members)["matches"] for team in match}


def test_a_next_round_says_of_each_row_that_is_wrong_why() -> None:
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler")
    evening.play_round(1)
    wish = {"leaving": [1, 9], "arriving": ["Zoé", "Joueur 03", {"players": [10**9]}, "Ana"]}
    details = evening.ask("post", "next-round/", wish, status=400)["error"]["details"]
    assert [(row["field"], row["index"], row["code"]) for row in details["rows"]] == [
        ("leaving", 1, "no-such-team"),
        ("arriving", 1, "contestants"),
        ("arriving", 2, "no-such-player"),
    ]


def test_in_a_swiss_all_stay_one_ranking_whoever_has_changed_seats() -> None:
    """Whom they have met in a few rounds says nothing of whom they are ranked with."""
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler")
    evening.play_round(1)
    turned = {"kind": "turned", "table": 1, "round": 1, "reason": "Nobody looked"}
    evening.ask("post", "reseatings/", turned, status=201)
    work(evening.world.session)
    assert {place["line_group"] for place in evening.get("ranking/")["places"]} == {1}


def test_a_round_that_is_taken_back_takes_back_who_came_with_it() -> None:
    evening = Evening(players=6, game="cochonnet", movement="swiss", method="butler")
    evening.play_round(1)
    evening.plan(arriving=["Zoé", "Yann"])
    evening.ask("delete", "next-round/")
    assert {team for match in evening.plan()["matches"] for team in match if team} == set(range(1, 7))
    evening.ask("delete", "next-round/")
    again = evening.plan(arriving=["Zoé"])
    assert {team for match in again["matches"] for team in match if team} == {*range(1, 8)}, "Zoé comes back"
    knocked = Evening(players=4, game="cochonnet", movement="knock-out", method="total-points")
    refused = knocked.ask("post", "next-round/", {"arriving": ["Zoé"], "confirm": True}, status=400)
    assert refused["error"]["code"] == "no-place"


def gains(evening: Evening) -> dict[int, Fraction]:
    gained: dict[int, Fraction] = {}
    for one in evening.matches(round=1):
        for side, points in zip(("first", "second"), one["gained"], strict=True):
            gained[one[side]["number"]] = Fraction(points)
    return gained


def test_a_knock_out_has_byes_forfeits_and_a_winner() -> None:
    """Six pairs: two byes; the winners meet in their order, and a match that is tied or without a winner
    waits for the director."""
    evening = Evening(players=6, game="cochonnet", movement="knock-out", method="total-points")
    assert evening.get("match-rules/")["rounds"] == 3
    drawn = [(one["first"]["number"], one["second"] and one["second"]["number"]) for one in evening.matches()]
    assert drawn == [(1, None), (4, 5), (2, None), (3, 6)]
    assert [one["state"] for one in evening.matches()] == ["bye", "open", "bye", "open"]
    evening.rule(match={"round": 1, "match": 2, "lost": [4]})
    evening.rule(match={"round": 1, "match": 4, "lost": [6]})
    assert evening.plan()["matches"] in (
        [[1, 5], [2, 3]],
        [[5, 1], [3, 2]],
        [[5, 1], [2, 3]],
        [[1, 5], [3, 2]],
    )
    board = evening.plays(2)[0].board.number
    for play in evening.plays(2):
        hand_in(evening.world, play, {"sheet": {"rounds": [[35, 35]] * 4}})
    work(evening.world.session)
    refused = evening.ask("post", "next-round/", {}, status=202)
    jobs.do(job_id=refused["id"])
    error = evening.client.get(f"/api/v1/jobs/{refused['id']}/").json()["error"]
    assert error["code"] == "no-winner"
    assert board > 2
    assert sorted(evening.plan(winners={"1": 5, "2": 3})["matches"][0]) == [3, 5]
    evening.play_round(3)
    final = evening.matches(round=3)[0]
    places = evening.a_list("matches", tie_breaks=["wins"])
    winner = final["first" if Fraction(final["margin"]) > 0 else "second"]["number"]
    assert final["state"] == "complete"
    assert Fraction(final["margin"]) != 0
    assert places[0]["number"] == winner or Fraction(places[0]["points"]) == Fraction(places[1]["points"])


def test_three_at_a_table_play_swiss_by_the_ranking() -> None:
    evening = Evening(players=9, movement="swiss", method="matchpoints", boards_per_round=3)
    assert evening.matches() == []
    assert len(evening.get("teams/")["results"]) == 9
    first = {frozenset(one.seatings.values_list("contestant__number", flat=True)) for one in evening.plays(1)}
    assert first == {frozenset({1, 2, 3}), frozenset({4, 5, 6}), frozenset({7, 8, 9})}
    for play in evening.plays(1):
        hand_in(evening.world, play, {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}})
    work(evening.world.session)
    tables = [frozenset(table) for table in evening.plan()["tables"]]
    assert all(len(here & before) <= 1 for here in tables for before in first), "nobody meets anybody twice"
    ranked = [one["number"] for one in evening.get("ranking/")["places"]]
    assert ranked[0] in tables[0]
    assert {play.board.number for play in evening.plays(2)} == {4, 5, 6}


def test_what_came_of_a_match_is_told_once_its_boards_are_over() -> None:
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler", published=True)
    plays = evening.plays(1)
    for play in plays[:-1]:  # the last table has not played the second board
        hand_in(evening.world, play, evening.sheet(play.table.number, play.board.number))
    work(evening.world.session)
    assert evening.matches()[0]["margin"] is not None, "the director sees all"
    assert evening.matches("scorer")[0]["margin"] is not None, "and a scorer, as in the ranking"
    for role in ("anyone", "player", "table"):
        found = evening.matches(role)
        assert [one["margin"] for one in found] == [None, None], role
        assert found[0]["first"]["name"], "who meets whom is public"
        assert found[0]["gained"] is None
    role = evening.world.organiser.role
    assert role is not None
    seated = Player.objects.filter(memberships__session=evening.world.session)
    seated.filter(pk=seated.order_by("pk")[0].pk).update(account=role.account_id)
    hand_in(evening.world, plays[-1], evening.sheet(1, 1))
    work(evening.world.session)
    assert [one["margin"] for one in evening.matches("anyone")] == [None, None], (
        "what somebody types who plays opens nothing"
    )
    for play in plays:
        table_hands_in(evening.world, play, evening.sheet(play.table.number, play.board.number))
    work(evening.world.session)
    assert None not in [one["margin"] for one in evening.matches("anyone")], "all boards are over"
    states.mend(session=evening.world.refresh(), actor=evening.world.organiser, live="hidden")
    assert [one["margin"] for one in evening.matches("anyone")] == [None, None], "the club shows none yet"
    sessions.finish(session=evening.world.refresh(), actor=None)
    assert None not in [one["margin"] for one in evening.matches("anyone")]


def test_a_match_that_an_official_types_who_does_not_play_counts_in_the_live_list_at_once() -> None:
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler", published=True)
    world, made = evening.world, evening.a_list("matches")
    assert not any(one["boards"] for one in made), "nothing has been typed"
    entries = [
        an_entry(play, evening.sheet(play.table.number, play.board.number)) for play in evening.plays(1)
    ]
    submissions.submit(session_id=world.session.pk, sender=world.holder("scorer"), entries=entries)
    work(world.session)
    assert open_in(world.refresh(), None).count() == 0, "no hands are opened"
    for role in ("anyone", "player", "table"):
        assert None not in [one["margin"] for one in evening.matches(role)], role
        shown = evening.get("lists/1/places/", role)
        assert shown["live"]
        assert {one["boards"] for one in shown["places"]} == {2}, "those of one match each"
        gained = {one["number"]: Fraction(one["points"]) for one in shown["places"]}
        for one in evening.matches(role):
            sides = one["first"]["number"], one["second"]["number"]
            assert [gained[side] for side in sides] == [Fraction(share) for share in one["gained"]]


def test_a_round_robin_gets_matches_by_a_table_of_its_own() -> None:
    evening = Evening(players=6, game="cochonnet", movement="round-robin", method="matchpoints")
    assert evening.world.client("organiser").get(f"{evening.address}match-rules/").status_code == 404
    scale = evening.ask("put", "match-rules/", {"worth": "scale"}, status=400)
    assert scale["error"]["code"] == "bad-match-rules", "the scale is for IMPs"
    steps = [{"margin": "0", "gained": "10"}, {"margin": "2", "gained": "15"}]
    rules = evening.ask("put", "match-rules/", {"worth": "table", "steps": steps})
    assert (rules["form"], rules["is_paired"], rules["rounds"], rules["bye"]) == (
        "round-robin",
        False,
        5,
        "12",
    )
    found = evening.matches()
    pairs = {frozenset({one["first"]["number"], one["second"]["number"]}) for one in found}
    assert (len(found), len(pairs)) == (15, 15), "everybody meets everybody once"
    evening.play_round(1)
    for one in evening.matches(round=1):
        margin = Fraction(one["margin"])
        won = [20 - 15 if margin < 0 else 15, 20 - 15 if margin > 0 else 15]
        assert one["gained"] == ([str(share) for share in won] if abs(margin) >= 2 else ["10", "10"])
    assert evening.ask("post", "next-round/", {}, status=409)["error"]["code"] == "not-paired"
    replanned = evening.ask("post", "replans/", {"after": 1, "leaving": [6], "arriving": ["Zoé"]}, status=202)
    jobs.do(job_id=replanned["id"])
    teams = {one["number"]: one["contestants"] for one in evening.get("teams/")["results"]}
    assert teams[7] == [7], "a newcomer is a team"
    later = {
        n
        for one in evening.matches()
        if one["round"] > 1
        for n in (one["first"]["number"], one["second"]["number"])
    }
    assert later == {1, 2, 3, 4, 5, 7}
    named = evening.ask("put", "teams/7/", {"name": "Latecomers"})
    assert named["name"] == "Latecomers"
    assert {one["name"] for one in evening.get("teams/", "player")["results"]} >= {"Latecomers"}


def test_a_triplicate_is_three_matches_in_two_rounds() -> None:
    evening = Evening(players=6, game="cochonnet", movement="triplicate", method="butler")
    evening.play_round(1)
    assert [one["state"] for one in evening.matches()] == ["open"] * 3
    evening.play_round(2)
    found = evening.matches()
    assert [(one["state"], one["counted"], one["boards"]) for one in found] == [("complete", 2, 2)] * 3
    total = sum(Fraction(share) for one in found for share in one["gained"])
    assert total == 60 == sum(Fraction(one["points"]) for one in evening.a_list("matches"))


def test_a_trial_is_deleted_with_its_matches() -> None:
    evening = Evening(players=8, game="cochonnet", movement="team-swiss", method="butler", trial=True)
    evening.play_round(1)
    evening.plan()
    evening.rule(match={"round": 1, "match": 1, "lost": [1]})
    evening.ask("delete", "", status=204)
    assert not Match.objects.exists()
    assert not Team.objects.exists()
