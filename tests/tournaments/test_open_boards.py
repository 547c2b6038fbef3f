"""Whose hands and travellers open to whom, and when: a board is open to those who have a part in it once it
is over, and to nobody else before the session is finished and published.
"""

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tournaments.models import Play, Player, Role, Section, Session, Table, open_boards
from tournaments.models.open_boards import open_in, over_in
from tournaments.services import (
    board_sets,
    flags,
    rankings,
    recomputing,
    sessions,
    states,
    submissions,
    tokens,
)
from tournaments.services.errors import Conflict, Invalid

from .worlds import (
    ROLES,
    World,
    a_club,
    a_world,
    an_entry,
    hand_in,
    played_through,
    plays_of,
    standings_of,
    table_hands_in,
    work,
)

pytestmark = pytest.mark.django_db


def open_to(world: World, role: str) -> list[int]:
    """The numbers of the world's boards that are open to a role."""
    boards = open_in(world.refresh(), world.tokens[role])
    return sorted(boards.values_list("number", flat=True))


def hand_in_rounds(world: World, *numbers: int) -> None:
    """Every table's own results of some rounds; all tables play the board of the round's number."""
    for play in plays_of(world.session):
        if play.round in numbers:
            tokens_of(play)
            table_hands_in(world, play)
    work(world.session)
    world.refresh()


def tokens_of(play: Play) -> None:
    """A table that another club's room has instead has a token as well."""
    if not play.table.tokens.exists():
        tokens._issue(tokens.OWN_SCOPES, table=play.table)


def section_of(club: str, session: Session, numbers: list[int]) -> Section:
    """Another club's room in the same session: its one table plays some boards in place of a table of A."""
    section = Section.objects.create(session=session, club=a_club(club), name="B")
    table = Table.objects.create(section=section, number=1)
    for number in numbers:
        play = next(play for play in plays_of(session) if play.board.number == number)
        Play.objects.filter(pk=play.pk).update(table=table)
    return section


@pytest.mark.parametrize("published", [False, True])
def test_a_board_that_all_have_played_opens_to_those_with_a_part_in_it(published: bool) -> None:
    world = a_world(published=published)
    hand_in_rounds(world, 1)
    assert {role: open_to(world, role) for role in ROLES} == {
        "anyone": [],
        "organiser": [1],
        "foreign organiser": [],
        "scorer": [1],
        "foreign scorer": [],
        "table": [1],
        "other table": [1],
        "foreign table": [],
        "player": [1],
        "foreign player": [],
    }


def test_the_traveller_of_a_published_session_in_play_is_hidden_from_other_clubs() -> None:
    world = a_world(published=True)
    hand_in_rounds(world, 1)
    address = f"/api/v1/sessions/{world.session.pk}/boards/1/traveller/"
    answers = {role: world.client(role).get(address).status_code for role in ROLES}
    own = ["organiser", "scorer", "table", "other table", "player"]
    assert [role for role, status in answers.items() if status == 200] == own
    assert set(answers.values()) == {200, 404}


def test_a_scorer_sees_only_those_boards_of_a_session_that_come_into_the_rooms_of_their_club(
    world: World,
) -> None:
    section_of("Club B", world.session, [2])
    hand_in_rounds(world, 1)
    hand_in_rounds(world, 2)
    assert open_to(world, "scorer") == [1, 2]
    assert open_to(world, "foreign scorer") == [2]  # board 1 never comes into the room of Club B


def test_a_board_stays_closed_as_long_as_another_club_has_to_play_it(world: World) -> None:
    section_of("Club B", world.session, [1])
    for play in plays_of(world.session):
        if play.board.number == 1 and play.table.section.name == "A":
            hand_in(world, play)
    work(world.session)
    assert [open_to(world, role) for role in ("scorer", "foreign scorer", "player")] == [[], [], []]


def test_a_player_who_did_not_play_a_board_does_not_see_it(world: World) -> None:
    Player.objects.create(club=a_club(), given_name="Visitor")
    world.tokens["visitor"], _text = tokens.issue_for_player(name="Visitor", club=a_club("Club A"))
    hand_in_rounds(world, 1)
    assert open_to(world, "player") == [1]
    assert open_to(world, "visitor") == []


@pytest.mark.parametrize(
    ("finished", "published", "numbers"),
    [(False, False, []), (True, False, []), (False, True, []), (True, True, [1, 2, 3, 4])],
)
def test_hands_are_public_when_a_session_is_over_and_published(
    finished: bool, published: bool, numbers: list[int]
) -> None:
    world = a_world(published=published)
    played_through(world)
    if finished:
        sessions.finish(session=world.session, actor=world.organiser)
    for role in ("anyone", "foreign organiser", "foreign scorer", "foreign table", "foreign player"):
        assert open_to(world, role) == numbers, role


@pytest.mark.parametrize(("club", "numbers"), [("Club A", [1, 2]), ("Club B", [2])])
def test_scorers_see_and_enter_what_is_played_in_the_rooms_of_their_club(
    world: World, club: str, numbers: list[int]
) -> None:
    away = section_of("Club B", world.session, [2])
    scorer, _text = tokens.issue_for_role(person="Sam", club=a_club(club), kind=Role.Kind.SCORER)
    of_session = Play.objects.filter(table__section__session=world.session)
    own = (
        of_session.filter(table__section=away)
        if club == "Club B"
        else of_session.exclude(table__section=away)
    )

    def keys(rows: Any) -> set[int]:
        return set(rows.values_list("pk", flat=True))

    assert keys(of_session.visible_to(scorer)) == keys(own)
    assert keys(of_session.entered_by(scorer)) == keys(own)


# ── What opens nothing ────────────────────────────────────────────────────────────────────────────

INSIDE = ("organiser", "scorer", "table", "other table", "player")


def test_a_table_that_enters_what_it_has_not_played_sees_no_board_before_it_plays_it(world: World) -> None:
    own = world.table.table_id
    for play in plays_of(world.session):
        if play.table_id == own:  # fakes for the whole evening, as it begins
            table_hands_in(world, play)
    for number in range(1, 5):
        for play in plays_of(world.session):
            if play.round == number and play.table_id != own:
                table_hands_in(world, play)
        work(world.session)
    assert {role: open_to(world, role) for role in INSIDE} == {role: [1, 2] for role in INSIDE}
    for play in plays_of(world.session):  # now they have been played, and are entered again
        if play.table_id == own:
            table_hands_in(world, play)
    work(world.session)
    assert open_to(world, "player") == [1, 2, 3, 4]


def test_results_of_a_later_round_open_nothing_before_the_earlier_ones_are_played(world: World) -> None:
    hand_in_rounds(world, 3)
    assert {role: open_to(world, role) for role in INSIDE} == {role: [] for role in INSIDE}
    hand_in_rounds(world, 1)
    assert {role: open_to(world, role) for role in INSIDE} == {role: [1] for role in INSIDE}
    hand_in_rounds(world, 2)
    assert open_to(world, "player") == [1, 2]  # the results of round 3 came before it had begun


def test_results_that_others_enter_for_the_tables_open_nothing_before_the_end(world: World) -> None:
    """Whoever may enter all results could otherwise open each board with results that nobody has made."""
    for sender in ("scorer", "organiser"):
        for play in plays_of(world.session):
            submissions.submit(
                session_id=world.session.pk, sender=world.holder(sender), entries=[an_entry(play)]
            )
        work(world.session)
        assert {role: open_to(world, role) for role in INSIDE} == {role: [] for role in INSIDE}
    sessions.finish(session=world.session, actor=world.organiser)
    assert {role: len(open_to(world, role)) for role in ROLES} == {
        **dict.fromkeys(ROLES, 0),
        **dict.fromkeys(INSIDE, 4),
    }


def test_an_award_is_shown_to_those_who_play_once_the_board_is_over_and_a_score_at_once(world: World) -> None:
    first, *others = [play for play in plays_of(world.session) if play.round == 1]

    def seen(role: str) -> tuple[Any, Any]:
        plays = world.client(role).get(f"/api/v1/sessions/{world.session.pk}/plays/").json()["results"]
        (result,) = (one["result"] for one in plays if one["id"] == first.pk)
        return result["scores"], result["awards"]

    table_hands_in(world, first)
    hand_in(world, others[0])  # compared by now, but somebody has still to play it
    work(world.session)
    scores, awards = seen("organiser")
    assert awards is not None
    assert seen("scorer") == (scores, awards)
    assert seen("table") == seen("player") == (scores, None)
    for play in others:
        table_hands_in(world, play)
    work(world.session)
    assert seen("table") == seen("player") == seen("organiser")
    assert seen("player")[1] is not None


def test_results_by_tokens_that_a_scorer_has_made_for_the_tables_open_nothing_before_the_end(
    world: World,
) -> None:
    """Whoever reads the texts of all tables' tokens could otherwise play the whole evening alone."""
    for maker, opened in (("scorer", []), ("organiser", [1, 2, 3, 4])):
        tokens.issue_for_tables(session=world.session, actor=world.holder(maker))
        for play in plays_of(world.session):
            table_hands_in(world, play)
            work(world.session)
        world.tokens["table"] = world.table.table.tokens.get(revoked_at=None)  # type: ignore[union-attr]
        for role in ("organiser", "scorer", "table", "player"):
            assert open_to(world, role) == opened, (maker, role)


def test_whoever_asks_again_is_told_without_a_look_at_every_play(world: World) -> None:
    """What is over is known; what is not has a play that it waits for."""
    hand_in_rounds(world, 1)
    assert open_to(world, "table") == [1]
    session, board = world.refresh(), world.session.board_set.boards.get(number=2)
    first = Play.objects.filter(board=board).order_by("pk")[0]
    for _begun in range(2):
        with CaptureQueriesContext(connection) as asked:
            assert not over_in(session, [board.pk]).exists()
        plays = [one["sql"] for one in asked if "tournaments_play" in one["sql"]]
        assert len(plays) == 1
        assert '"tournaments_play"."id" ' in plays[0]  # of the board, one play
        table_hands_in(world, first)
        work(session)
        assert not over_in(session, [board.pk]).exists()
    hand_in_rounds(world, 2, 3)
    assert open_to(world, "table") == [1, 2, 3]
    session = world.refresh()
    with CaptureQueriesContext(connection) as asked:
        assert over_in(session, [board.pk]).exists()
    assert not [one for one in asked if "tournaments_play" in one["sql"]]


def test_a_board_that_was_over_is_not_any_more_when_a_new_plan_has_it_played_again(world: World) -> None:
    hand_in_rounds(world, 1)
    assert open_to(world, "table") == [1]
    section = world.session.sections.get()
    table = Table.objects.create(section=section, number=99)
    Play.objects.create(table=table, board=world.session.board_set.boards.get(number=1), round=2)
    rankings.change_layout(world.session)
    assert open_to(world, "table") == []


# ── What a director has closed ────────────────────────────────────────────────────────────────────


def rule(world: World, play: Play, kind: str = "not-played") -> Any:
    place = {"section": play.table.section.name, "table": play.table.number, "board": play.board.number}
    body = {"play": {**place, "decisions": [{"kind": kind, "percent": "40"}]}, "reason": "Too late"}
    if kind != "artificial":
        del body["play"]["decisions"][0]["percent"]  # type: ignore[attr-defined]
    answer = world.client("organiser").post(f"/api/v1/sessions/{world.session.pk}/rulings/", body, "json")
    work(world.session)
    return answer.json() | {"status": answer.status_code}


@pytest.mark.parametrize("kind", ["not-played", "artificial"])
def test_a_board_is_over_once_what_is_missing_has_been_ruled_on_and_is_never_played_then(kind: str) -> None:
    world = a_world()
    missing, *others = [play for play in plays_of(world.session) if play.round == 1]
    for play in others:
        table_hands_in(world, play)
    work(world.session)
    assert open_to(world, "table") == []
    ruling = rule(world, missing, kind)
    assert ruling["status"] == 201
    assert {role: open_to(world, role) for role in INSIDE} == {role: [1] for role in INSIDE}
    with pytest.raises(Conflict, match="not played here"):
        table_hands_in(world, missing)
    address = f"/api/v1/sessions/{world.session.pk}/rulings/{ruling['id']}/state/"
    reversal = {"state": "reversed", "reason": "We have time"}
    refused = world.client("organiser").put(address, reversal, "json")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "board-over")
    hand_in_rounds(world, 2)
    assert open_to(world, "table") == [1, 2], "the evening goes on after it"
    sessions.finish(session=world.session, actor=world.organiser)
    assert world.client("organiser").put(address, reversal, "json").status_code == 200, "nobody plays now"


def test_a_table_says_nothing_first_of_a_board_that_a_reversed_ruling_had_closed() -> None:
    """Its cards may be known there; what an official had entered before counts again."""
    world = a_world()
    missing, *others = [play for play in plays_of(world.session) if play.round == 1]
    for play in others:
        table_hands_in(world, play)
    hand_in(world, missing)
    work(world.session)
    ruling = rule(world, missing)
    board_sets.note_over(session_id=world.session.pk)
    assert open_to(world, "table") == [1]
    address = f"/api/v1/sessions/{world.session.pk}/rulings/{ruling['id']}/state/"
    reversal = {"state": "reversed", "reason": "It was played"}
    assert world.client("organiser").put(address, reversal, "json").status_code == 200
    work(world.session)
    other = {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}}
    open_boards._courses.clear()  # as another process, which has never found that it was over
    with pytest.raises(Conflict, match="not played here"):
        table_hands_in(world, missing, other)
    assert Play.objects.get(pk=missing.pk).result.submission.role_id is not None
    assert table_hands_in(world, others[0]).pk, "the others say the same again"


def test_rulings_open_nothing_while_another_table_has_still_to_play_the_board() -> None:
    world = a_world()
    first, second, third = [play for play in plays_of(world.session) if play.round == 1]
    ruling = rule(world, first)
    table_hands_in(world, second)
    for play in plays_of(world.session):
        if play.round == 2:
            rule(world, play)
    work(world.session)
    assert open_to(world, "table") == [], "not even those of a later round that nobody plays"
    address = f"/api/v1/sessions/{world.session.pk}/rulings/{ruling['id']}/state/"
    reversal = {"state": "reversed", "reason": "We have time"}
    assert world.client("organiser").put(address, reversal, "json").status_code == 200
    table_hands_in(world, first)
    table_hands_in(world, third)
    work(world.session)
    assert open_to(world, "table") == [1, 2]


def test_a_result_of_a_board_that_is_over_is_changed_with_a_reason_alone() -> None:
    world = a_world()
    hand_in_rounds(world, 1)
    play = next(play for play in plays_of(world.session) if play.table_id == world.table.table_id)
    other = {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}}
    assert table_hands_in(world, play, other).pk, "nobody has found that it is over yet"
    work(world.session)
    board_sets.note_over(session_id=world.session.pk)
    for submit in (hand_in, table_hands_in):
        with pytest.raises(Invalid, match="its cards may be known"):
            submit(world, play)
    assert table_hands_in(world, play, other).pk, "the same again changes nothing"
    entry = an_entry(play, reason="Written down by the wrong seat")
    submissions.submit(session_id=world.session.pk, sender=world.table, entries=[entry])


def test_a_table_that_agrees_with_a_scorer_or_not_has_handed_in_its_own_result() -> None:
    world = a_world()
    entered, opposed, own = [play for play in plays_of(world.session) if play.round == 1]
    for play in (entered, opposed, own):
        tokens_of(play)
    table_hands_in(world, own)
    for play, content in ((entered, None), (opposed, {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}})):
        hand_in(world, play)
        work(world.session)
        assert open_to(world, "table") == []
        sender = play.table.tokens.get(revoked_at=None)
        entry = replace(an_entry(play, content), seat=2)
        submissions.submit(session_id=world.session.pk, sender=sender, entries=[entry])
    work(world.session)
    assert {entered.submissions.latest("pk").state, opposed.submissions.latest("pk").state} == {
        "agreed",
        "opposed",
    }
    assert open_to(world, "table") == [1]


def test_an_evening_abandoned_after_two_rounds_ranks_what_was_compared() -> None:
    world = a_world(published=True)
    hand_in_rounds(world, 1, 2)
    before = standings_of(world.session)
    with pytest.raises(Conflict) as refusal:
        states.change(session=world.session, actor=world.organiser, to="played")
    assert refusal.value.details["count"] == 6
    states.change(session=world.session, actor=world.organiser, to="played", confirmed=True)
    work(world.session)
    assert world.refresh().state == "provisional"
    after = standings_of(world.session)
    assert [(one.rank, one.total) for one in after] == [(one.rank, one.total) for one in before]
    assert {one.total.boards for one in after} == {2}
    assert {one.total.top for one in after} == {2 * (3 - 1) * 2}, "of the boards that were played"
    comparison = recomputing.recompute(session=world.session)
    assert comparison is not None
    assert not comparison.disagreements
    assert [flag.kind for flag in flags.of(world.session, world.organiser)] == ["missing"] * 6
