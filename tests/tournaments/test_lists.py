"""The lists of a session: each is what `scoring` makes of the results alone, and says how it came about."""

from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines import registry
from scoring.entries import Entry
from scoring.masterpoints import master_points
from scoring.methods import method
from scoring.ranking import ranking
from scoring.recaps import Recap, TravellerRow, travellers_of
from scoring.rulings import Penalty, with_handicaps, with_penalties
from scoring.ties import tie_breaks
from tournaments.models import Contestant, HistoryEntry, Player, Result, Seating, Session
from tournaments.services import comparisons, counting, formulas, lists, rulings
from tournaments.services.errors import Conflict

from .worlds import World, a_world, hand_in, plays_of, work

pytestmark = pytest.mark.django_db

TRICKS = {1: [5, 3, 2], 2: [3, 5, 2], 3: [5, 3, 2]}  # by table
ALL_RULES = ["direct-encounter", "wins", "best-boards", "count-back", "opponents", "fewest-penalties"]


@pytest.fixture
def world() -> World:
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": TRICKS[play.table.number]}})
    work(world.session)
    world.refresh()
    return world


def recap_of(session: Session, comparison: Any) -> Recap[int]:
    """By a plain script: every result with who sat there, by number, compared by `scoring`."""
    rows = []
    seats = registry.game(session.game).seat_count(session.conditions)
    for result in Result.objects.filter(session=session).select_related("play"):
        who: list[int | None] = [None] * seats
        for seating in Seating.objects.filter(play=result.play_id).select_related("contestant"):
            who[seating.seat - 1] = seating.contestant.number
        entries: tuple[Entry, ...] = tuple(result.scores)
        play = result.play
        rows.append(TravellerRow(play.board_id, play.table_id, tuple(who), entries, play.round))
    sides = registry.game(session.game).sides_of(session.conditions)
    boards = travellers_of(rows, seats=seats)
    return Recap(boards, sides=sides, comparison=comparison, plays=session.plays_per_board)


def made(world: World, **setup: Any) -> dict[str, Any]:
    """A list that a director sets up, and what they see of it."""
    address = f"/api/v1/sessions/{world.session.pk}/lists/"
    answer = world.client("organiser").post(address, {"name": "List", **setup}, format="json")
    assert answer.status_code == 201, answer.content
    shown = world.client("organiser").get(f"{address}{answer.json()['number']}/places/")
    assert shown.status_code == 200, shown.content
    return dict(shown.json())


def shown(content: dict[str, Any]) -> list[tuple[str, int, str | None]]:
    return [(one["rank"], one["number"], one["before_next"]) for one in content["places"]]


def test_every_list_is_what_a_plain_script_makes_with_scoring(world: World) -> None:
    session = world.session
    penalty = rulings.on_contestant(session=session, kind="penalty", contestant=4, amount="10")
    rulings.rule(penalty, actor=world.organiser, text="Slow play")
    work(session)
    recap = recap_of(world.refresh(), comparisons.comparison_of(session))
    penalties = [Penalty(4, 10, "percent")]
    numbers = range(1, 10)  # equals stand in the order in which they were entered
    totals = with_penalties(
        recap.totals.of(numbers), penalties, unit="matchpoints", top=comparisons.top(session)
    )

    def by_scoring(rules: list[str], totals: Any = totals, recap: Any = recap) -> list[Any]:
        places = ranking(totals, tie_breaks=tie_breaks(rules, recap, penalties))
        return [(place.rank, place.contestant, place.before_next) for place in places]

    plain = made(world, kind="overall")
    assert shown(plain) == by_scoring([])
    assert any(one["rank"].endswith("=") for one in plain["places"]), "else nothing here splits a tie"
    tied = next(one for one in plain["places"] if one["rank"].endswith("="))
    assert tied["tie"] == "Tied: the list has no tie-breaks."
    split = set()
    for rules in ([rule] for rule in ALL_RULES):
        found = made(world, kind="overall", tie_breaks=rules)
        assert shown(found) == by_scoring(rules), rules
        for one in found["places"]:
            if one["before_next"] in rules:
                split.add(one["before_next"])
                assert "with the same score, by the tie-break" in one["tie"]
            elif one["rank"].endswith("="):
                assert one["tie"] == "Tied: no tie-break of the list tells them apart."
    assert split, "no rule has split a tie"

    imps = recap_of(session, method("cross-imps", unit="150"))
    other = made(world, kind="overall", method="cross-imps", tie_breaks=ALL_RULES)
    assert shown(other) == by_scoring(ALL_RULES, imps.totals.of(numbers), imps)
    assert other["left_out"] == 1, "a penalty in per cent of a board costs nothing in IMPs"
    assert {one["number"]: Fraction(one["points"]) for one in other["places"]} == {
        k: total.points for k, total in imps.totals.items()
    }
    assert plain["left_out"] == 0

    given = {"1": "6", "9": "5/2"}
    handicapped = made(world, kind="handicap", handicaps=given)
    with_them = with_handicaps(totals, {int(k): Fraction(one) for k, one in given.items()})
    assert shown(handicapped) == by_scoring([], with_them)
    ranks = {number: rank for rank, number, _by in shown(plain)}
    assert {one["number"]: one["scratch_rank"] for one in handicapped["places"]} == ranks

    paid = made(world, kind="overall", award_factor="3/2")
    points = master_points([(rank, k) for rank, k, _by in by_scoring([])], tables=3, factor=Fraction(3, 2))
    assert {one["number"]: Fraction(one["master_points"]) for one in paid["places"]} == {
        k: points.get(k, 0) for k in totals
    }


def test_a_list_of_some_ranks_them_alone_and_compares_nothing_again(world: World) -> None:
    """A category and a club: every player of the contestant must belong to it."""
    session, club = world.session, world.session.tournament.club
    young = list(session.contestants.filter(number__in=[2, 5, 8]))
    Player.objects.filter(contestants__in=young).update(categories=["newcomer", "junior"])
    guest = lists.Club.objects.create(name="Guests", slug="guests")
    Player.objects.filter(contestants__number=9, contestants__session=session).update(home_club=guest)
    content = made(world, kind="category", about="newcomer", min_boards=5)
    assert {one["number"] for one in content["places"]} == {2, 5, 8}
    assert {one["rank"] for one in content["places"]} == {""}, "nobody has played five boards"
    here = made(world, kind="club", about=club.slug)
    assert {one["number"] for one in here["places"]} == set(range(1, 9))
    away = made(world, kind="club", about="guests")
    assert [(one["rank"], one["number"]) for one in away["places"]] == [("1", 9)]
    assert {one["number"] for one in made(world, kind="section", about="A")["places"]} == set(range(1, 10))
    counting.memory.forget()
    address = f"/api/v1/sessions/{session.pk}/lists/1/places/"
    with CaptureQueriesContext(connection) as queries:
        assert world.client("organiser").get(address).status_code == 200
    assert not [one for one in queries if "tournaments_result" in one["sql"]]


def test_a_list_is_shown_by_an_earlier_version_as_it_was_then() -> None:
    """Whatever needs the results themselves is refused by that: they are known as they are now."""
    world = a_world(published=True)
    client = world.client("organiser")
    first, *others = plays_of(world.session)
    hand_in(world, first)
    work(world.session)
    young = list(world.session.contestants.filter(number__in=[2, 5, 8]))
    Player.objects.filter(contestants__in=young).update(categories=["newcomer"])
    address = f"/api/v1/sessions/{world.session.pk}/lists/"

    def set_up(**setup: Any) -> str:
        answer = client.post(address, {"name": "List", **setup}, format="json")
        assert answer.status_code == 201, answer.content
        return f"{address}{answer.json()['number']}/places/"

    plain = [set_up(kind="category", about="newcomer"), set_up(kind="handicap", handicaps={"2": "5"})]
    needing = [set_up(kind="overall", method="cross-imps"), set_up(kind="overall", tie_breaks=["wins"])]
    then = {one: client.get(one).json() for one in plain + needing}
    assert {content["version"] for content in then.values()} == {1}
    for play in others:
        hand_in(world, play)
    work(world.session)
    for one in plain:
        now, old = client.get(one).json(), client.get(one, {"version": 1}).json()
        assert (now["version"], old) == (2, then[one])
        assert now["places"] != old["places"]
        assert client.get(one, {"version": 2}).json() == now
        pages = client.get(one, {"version": 1, "page_size": 1}).json()
        if pages["next"]:
            assert client.get(pages["next"]).json()["version"] == 1
    for one in needing:
        refused = client.get(one, {"version": 1})
        assert (refused.status_code, refused.json()["code"]) == (409, "only-newest"), refused.content
        assert client.get(one, {"version": 2}).json() == client.get(one).json()
    for version, status in (("3", 404), ("0", 400), ("x", 400), ("9" * 5000, 400)):
        ranking = client.get(f"/api/v1/sessions/{world.session.pk}/ranking/", {"version": version})
        refused = client.get(plain[0], {"version": version})
        assert (refused.status_code, refused.json()["code"]) == (status, ranking.json()["code"])


def test_the_pages_of_a_list_are_of_one_version_though_results_come_in_meanwhile() -> None:
    world = a_world(published=True)
    client = world.client("organiser")
    made(world, kind="overall")
    address = f"/api/v1/sessions/{world.session.pk}/lists/1/places/"
    assert client.get(address).json()["next"] is None, "nobody has played, and there is no version yet"
    first, *others = plays_of(world.session)
    hand_in(world, first)
    work(world.session)
    whole = client.get(address).json()
    page = client.get(address, {"page_size": 2}).json()
    for play in others:
        hand_in(world, play)
    work(world.session)
    following = client.get(page["next"]).json()
    assert (following["version"], client.get(address).json()["version"]) == (1, 2)
    assert page["places"] + following["places"] == whole["places"]
    assert client.get(following["previous"]).json()["places"] == page["places"]


def test_who_sees_the_live_list_asks_for_its_versions_alone() -> None:
    """The ranking of a session that is played has more versions than the live list, and tells more."""
    world = a_world(published=True)
    first, second, *_ = plays_of(world.session)
    for play in (first, second):
        hand_in(world, play)
        work(world.session)
    made(world, kind="overall")
    world.refresh()
    assert (world.session.version, world.session.tally.live_version) == (2, 0)
    address = f"/api/v1/sessions/{world.session.pk}/lists/1/places/"
    assert world.client("organiser").get(address, {"version": 1}).status_code == 200
    for version in ("1", "2"):
        assert world.client("anyone").get(address, {"version": version}).status_code == 404
    assert world.client("anyone").get(address).json()["version"] == 0


def test_lines_that_are_never_compared_are_never_in_one_ranking() -> None:
    """Nor are those in places who have not played."""
    world = a_world(movement="rainbow", players=12, published=True)
    first = plays_of(world.session)[0]
    hand_in(world, first, {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}})
    work(world.session)
    seated = {one.contestant.number for one in first.seatings.all()}
    content = made(world, kind="overall")
    assert [(one["line_group"], one["rank"]) for one in content["places"]] == [(1, "1"), (2, "1"), (3, "1")]
    assert {one["number"] for one in content["places"]} == seated
    assert {one["number"] for one in content["absent"]} == set(range(1, 13)) - seated
    second = made(world, kind="line-group", about="2")
    assert [one["line_group"] for one in second["places"]] == [2]
    assert {one["number"] for one in second["absent"]} | {one["number"] for one in second["places"]} == set(
        Contestant.objects.filter(session=world.session, line_group=2).values_list("number", flat=True)
    )


REFUSED: list[dict[str, Any]] = [
    {"kind": "overall", "about": "A"},
    {"kind": "section", "about": "Z"},
    {"kind": "club", "about": "no-such-club"},
    {"kind": "category", "about": "giant"},
    {"kind": "line-group", "about": "2"},
    {"kind": "overall", "method": "cross-imps", "method_options": {"divisor": "pairs"}},
    {"kind": "overall", "method_options": {"unit": "3"}},
    {"kind": "overall", "method_options": [1], "method": "butler"},
    {"kind": "overall", "tie_breaks": ["wins", "wins"]},
    {"kind": "overall", "tie_breaks": ["dice"]},
    {"kind": "overall", "handicaps": {"1": "3"}},
    {"kind": "handicap", "handicaps": {"77": "3"}},
    {"kind": "handicap", "handicaps": {"1": "three"}},
    {"kind": "overall", "award_factor": "-1"},
    {"kind": "overall", "min_boards": 0},
    {"kind": "overall", "colour": "red"},
    {"kind": "event"},
]


def test_a_list_is_set_up_changed_and_removed_by_those_who_run_the_session() -> None:
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/lists/"
    client.defaults.pop("HTTP_IF_MATCH")
    for setup in REFUSED:
        refused = client.post(address, {"name": "List", **setup}, format="json")
        assert refused.status_code == 400, (setup, refused.content)
    same = {"name": "Everybody", "kind": "overall", "method": "matchpoints"}
    first = client.post(address, same, format="json")
    assert (first.status_code, first.json()["number"], first.json()["method"]) == (201, 1, "")
    other = same | {"tie_breaks": ["wins"]}
    one = f"{address}1/"
    assert client.put(one, other, format="json").status_code == 428
    etag = first.headers["ETag"]
    changed = client.put(one, other, format="json", HTTP_IF_MATCH=etag)
    assert (changed.status_code, changed.json()["tie_breaks"]) == (200, ["wins"])
    assert client.put(one, same, format="json", HTTP_IF_MATCH=etag).status_code == 412
    assert client.get(one, HTTP_IF_NONE_MATCH=changed.headers["ETag"]).status_code == 304
    shown = client.get(f"{one}places/")
    assert (shown.json()["version"], len(shown.json()["absent"])) == (0, 9)
    assert client.get(f"{one}places/", HTTP_IF_NONE_MATCH=shown.headers["ETag"]).status_code == 304
    assert client.delete(one, HTTP_IF_MATCH=changed.headers["ETag"]).status_code == 204
    assert client.get(one).status_code == 404
    assert client.get(address).json()["results"] == []
    again = client.post(address, same, format="json").json()
    assert again["number"] == 2, "an address is never given again"
    entries = HistoryEntry.objects.filter(session=world.session, subject__startswith="list")
    assert list(entries.order_by("pk").values_list("verb", flat=True)) == [
        *["set up list", "changed list", "removed list", "set up list"]
    ]


def test_a_ruling_says_before_it_is_made_whom_it_moves_in_each_list(world: World) -> None:
    """By the places that the lists have once it is made, and again once it is reversed."""
    client, session = world.client("organiser"), world.session
    setups: list[dict[str, Any]] = [
        {"kind": "overall", "tie_breaks": ALL_RULES},
        {"kind": "overall", "method": "cross-imps", "method_options": {"unit": "150"}},
        {"kind": "handicap", "handicaps": {"1": "6"}, "award_factor": "1"},
        {"kind": "section", "about": "A", "min_boards": 4},
        {"kind": "category", "about": "junior"},
    ]
    for setup in setups:
        made(world, **setup)
    address = f"/api/v1/sessions/{session.pk}/"

    def places() -> dict[int, dict[int, tuple[int | None, str]]]:
        found = {}
        for number in range(1, len(setups) + 1):
            shown = client.get(f"{address}lists/{number}/places/").json()["places"]
            found[number] = {
                one["number"]: (int(one["rank"].rstrip("=")) if one["rank"] else None, one["points"])
                for one in shown
            }
        return found

    def told(answer: Any, at: str) -> dict[int, dict[int, tuple[int | None, str]]]:
        return {
            one["number"]: {move["number"]: (move[at]["rank"], move[at]["points"]) for move in one["moves"]}
            for one in answer.json()["lists"]
        }

    def differing(before: Any, after: Any) -> Any:
        found = {
            number: {k: place for k, place in after[number].items() if before[number].get(k) != place}
            for number in after
        }
        return {number: moved for number, moved in found.items() if moved}

    play = plays_of(session)[0]
    wishes: list[dict[str, Any]] = [
        {
            "play": {
                **{"section": "A", "table": play.table.number, "board": play.board.number},
                "decisions": [{"kind": "assigned", "outcomes": [{"scores": [-2, 1, 0]}]}],
            }
        },
        {"contestant": {"kind": "penalty", "contestant": 2, "amount": "30"}},
        {"contestant": {"kind": "disqualification", "contestant": 3}},
    ]
    for wish in wishes:
        before = places()
        looked = client.post(f"{address}rulings/preview/", wish, format="json")
        assert looked.status_code == 200, looked.content
        assert places() == before, "looking changes nothing, nor what is remembered"
        made_one = client.post(f"{address}rulings/", {**wish, "reason": "So"}, format="json").json()
        work(session)
        after = places()
        assert told(looked, "after") == differing(before, after) != {}, wish
        assert told(looked, "before") == differing(after, before)
        back = client.get(f"{address}rulings/{made_one['id']}/reversal/")
        assert told(back, "after") == told(looked, "before")
        world.refresh()


# ── Formulas for master points ────────────────────────────────────────────────────────────────────


def test_a_list_gives_its_points_by_a_formula_of_the_club_and_keeps_what_it_said(world: World) -> None:
    club, organiser = world.session.tournament.club, world.client("organiser")
    address = f"/api/v1/clubs/{club.slug}/formulas/"
    for text, why in (
        ("place ^ 2", "Column 7: “^” has no meaning here"),
        ("4: 1\n2: 1", "Line 2: each line"),
    ):
        refused = organiser.post(address, {"name": "Ours", "text": text}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (400, "bad-formula")
        assert refused.json()["detail"].startswith(why)
        assert refused.json()["details"]["field"] == "text"
    wanted = {"name": "Ours", "text": "factor * (beaten + boards / 100)"}
    assert world.client("scorer").post(address, wanted, format="json").status_code == 403
    one = organiser.post(address, wanted, format="json").json()
    assert organiser.post(address, wanted, format="json").json()["code"] == "name-taken"
    assert [row["name"] for row in world.client("scorer").get(address).json()["results"]] == ["Ours"]

    lists_at = f"/api/v1/sessions/{world.session.pk}/lists/"
    for wrong in ({"formula": "Ours"}, {"formula": "Theirs", "award_factor": "1"}):
        setup = {"name": "List", "kind": "overall", **wrong}
        assert organiser.post(lists_at, setup, format="json").json()["code"] == "bad-list", wrong
    setup = {"name": "List", "kind": "overall", "award_factor": "1/2", "formula": "Ours"}
    content = made(world, **setup)
    assert content["list"]["formula_text"] == wanted["text"]
    places = content["places"]
    for at, place in enumerate(places):
        shared = [n for n, other in enumerate(places, 1) if other["rank"] == place["rank"]]
        mean = Fraction(sum(len(places) - n for n in shared), len(shared)) + Fraction(place["boards"], 100)
        assert Fraction(place["master_points"]) == Fraction(mean * 100 / 2 // 1, 100), at
    built_in = made(world, kind="overall", award_factor="1/2")
    assert {row["master_points"] for row in built_in["places"]} != {row["master_points"] for row in places}

    retired = organiser.put(f"{address}{one['id']}/state/", {"state": "retired"}, format="json")
    assert retired.status_code == 204
    assert (
        organiser.put(f"{address}{one['id']}/state/", {"state": "retired"}, format="json").status_code == 404
    )
    assert organiser.post(lists_at, setup, format="json").status_code == 400, "no new list names it"
    other = organiser.post(address, {"name": "Ours", "text": "1"}, format="json")
    assert other.status_code == 201
    own = f"{lists_at}{content['list']['number']}/"
    stamp = organiser.get(own)["ETag"]
    kept = organiser.put(own, setup | {"name": "Renamed"}, format="json", headers={"If-Match": stamp})
    assert (kept.status_code, kept.json()["formula_text"]) == (200, wanted["text"])
    assert organiser.get(f"{own}places/").json()["places"] == places
    verbs = set(HistoryEntry.objects.filter(club=club).values_list("verb", flat=True))
    assert verbs >= {"added formula", "retired formula"}


def test_a_club_has_so_many_formulas(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "MOST", 1)
    club = world.session.tournament.club
    one = formulas.add(club=club, actor=None, name="One", text="1")
    with pytest.raises(Conflict) as refused:
        formulas.add(club=club, actor=None, name="Two", text="2")
    assert refused.value.code == "too-many-formulas"
    formulas.retire(one=one, actor=None)
    formulas.add(club=club, actor=None, name="Two", text="2")
