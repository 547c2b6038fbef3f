"""The scorer’s quick line, without scripts: what it reads, compares and keeps."""

import html
import re
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from engines import registry
from frontend.desk import slip_words
from frontend.desk.sheets import handed_in_by
from tests.tournaments.worlds import a_session, a_world, an_entry, plays_of, work
from tournaments.models import Play, Player, Submission
from tournaments.models.accounts import RoleKind
from tournaments.services import submissions, tokens, writer

from .test_desk import Visitor
from .test_grid import a_running_world, an_official

pytestmark = pytest.mark.django_db


def place(play: Play) -> str:
    return f"{play.table.section.name}{play.table.number} {play.board.number}"


def short(play: Play) -> str:
    """Where there is one section alone."""
    return f"{play.table.number} {play.board.number}"


def at_slips(session: Any, name: str = "Sam", kind: RoleKind = RoleKind.SCORER) -> Visitor:
    return an_official(session, name, kind).open(reverse("desk-slips", args=[session.pk]))


def test_a_slip_is_entered_in_a_line_and_what_is_wrong_keeps_the_line() -> None:
    session = a_session()
    visitor = at_slips(session)
    first, second = plays_of(session)[:2]
    for line, says in (
        ("x", "Begin with the table and the board"),
        ("A1", "After the table comes the number of the board"),
        ("A9 1 5 3 2", "There is no table 9."),
        (f"{place(first).split()[0]} 99 5 3 2", f"Table {first.table.number} does not play board 99."),
        (f"{place(first)} 5 3 x", "is not a whole number"),
        (f"{place(first)} 5 3 3", "10"),
        (f"{place(first)} 5 3 2 1", "one word too many"),
        (f"{place(first)}? 5 3 2", "After the table"),
    ):
        visitor.press("Enter", line=line)
        assert (visitor.answer.status_code, says in visitor.text) == (400, True), line
        assert f'value="{line}"' in visitor.text, "what was typed is kept"
    assert Submission.objects.count() == 0
    letter = "Z"
    visitor.press("Enter", line=f"{place(first)}{letter} 5 3 2")
    assert "is not the letter of board" in visitor.text
    visitor.press("Enter", line=f"{place(first)} 5-3")
    assert f"Table {place(first)[1:].replace(' ', ', board ')} is entered." in visitor.text
    assert "<undo-offer>" not in visitor.text, "it has taken nothing's place"
    listed = visitor.text.partition("Slips that are missing")[2]
    assert (f">{place(first)[1:]}<" in listed, f">{place(second)[1:]}<" in listed) == (False, True)
    visitor.press("Enter", line=place(second).lower() + " fault 2")
    work(session)
    assert Play.objects.get(pk=first.pk).result.submission.content == {
        "sheet": {"outcome": "normal", "tricks": [5, 3, 2]}
    }
    sheet = Play.objects.get(pk=second.pk).result.submission.content["sheet"]
    assert (sheet["outcome"], sheet["offender"]) == ("fault", 2)
    visitor.press("Enter", line=f"{place(first)} 5 3 2")
    assert "you have entered this already, the same" in visitor.text
    assert Play.objects.get(pk=first.pk).confirmation is None, "nobody agrees with themselves"
    visitor.press("Enter", line=f"{place(first)} 5 2 3")
    assert "(optional)" in visitor.text, "nobody has agreed with what they have typed themselves"
    visitor.press("The paper slip counts")
    work(session)
    sheet = Play.objects.get(pk=first.pk).result.submission.content["sheet"]
    assert sheet["tricks"] == [5, 2, 3]
    listed = visitor.open(visitor.path).text.partition("Slips that are missing")[2]
    newest, *before = visitor.text.partition("Entered last")[2].partition("</section>")[0].split("</li>")
    assert (">accepted<" in newest, "5-2-3" in newest) == (True, True)
    assert any("counts no longer" in one and "5-3-2" in one for one in before), (
        "two slips of one board do not both count"
    )
    assert f">{place(first)[1:]}<" not in listed
    stranger = an_official(a_session(club="Club B"), "Eve")
    for name in ("desk-slips", "desk-slip-hint"):
        assert stranger.client.get(reverse(name, args=[session.pk])).status_code == 404


def test_a_slip_is_compared_with_what_a_phone_has_entered() -> None:
    world, plays = a_running_world()
    session = world.session
    visitor = at_slips(session)
    same, other, _later = plays[:3]
    visitor.press("Enter", line=f"{place(same)}Z 5 3 2")
    assert "Z is not the letter of board" in visitor.text, "of another board, whatever it says"
    assert Play.objects.get(pk=same.pk).confirmation is None
    visitor.press("Enter", line=f"{place(same)} 5 3 2")
    assert "the slip says the same. It is confirmed." in visitor.text
    assert Play.objects.get(pk=same.pk).confirmation is not None
    count = Submission.objects.count()
    visitor.press("Enter", line=f"{place(other)} 4 4 2")
    assert (visitor.answer.status_code, "something else stands there" in visitor.text) == (409, True)
    assert (Submission.objects.count(), "The table" in visitor.text) == (count, True), "both are shown"
    before_the_line = visitor.text.partition('id="slip_line"')[0]
    assert "The paper slip counts" in before_the_line, "the answer stands beside the question"
    compared = visitor.text.partition('class="table versions"')[2].partition("</table>")[0]
    names = [one.contestant.name for one in other.seatings.order_by("seat").select_related("contestant")]
    assert f"{names[0]} 4, {names[1]} 4, {names[2]} 2" in compared, "whose tricks they are"
    assert f"{names[0]} +½" in compared, "and what it brings"
    assert "What it changes in the list" in visitor.text, "and whom it moves"
    assert "(optional)" in visitor.text
    assert handed_in_by(Submission()) == "Imported", "nobody's, of an evening that was imported as a whole"
    visitor.press("What stands there counts")
    assert "what stood there is confirmed" in visitor.text
    visitor.press("Enter", line=f"{place(other)} 4 4 2")
    assert "(optional)" not in visitor.text, "a result that is confirmed wants a reason"
    visitor.press("The paper slip counts")
    assert "say why it is another one" in visitor.text, "it is confirmed by now"
    visitor.press("The paper slip counts", reason="The slip says so")
    work(session)
    sheet = Play.objects.get(pk=other.pk).result.submission.content["sheet"]
    assert sheet["tricks"] == [4, 4, 2]
    visitor.press("Undo")
    assert "It has been undone:" in visitor.text
    work(session)
    assert Play.objects.get(pk=other.pk).result.submission.content["sheet"] != sheet


def test_a_slip_about_a_board_whose_sides_disagree_shows_all_three_and_counts_with_a_reason() -> None:
    world = a_world()
    session = world.session
    tokens.issue_for_tables(session=session, actor=world.organiser)
    play = plays_of(session)[0]
    sender = play.table.tokens.get(revoked_at=None)
    for seat, tricks in ((1, [5, 3, 2]), (2, [2, 5, 3])):
        said = an_entry(play, {"sheet": {"outcome": "normal", "tricks": tricks}})
        submissions.submit(session_id=session.pk, sender=sender, entries=[replace(said, seat=seat)])
        work(session)
    visitor = at_slips(session)
    visitor.press("Enter", line=f"{place(play)} 4 4 2")
    assert f"board {play.board.number}: the sides of the table disagree." in visitor.text
    compared = visitor.text.partition('class="table versions"')[2].partition("</table>")[0]
    names = [one.contestant.name for one in play.seatings.order_by("seat").select_related("contestant")]
    assert f"Stands there: {names[0]}" in compared
    assert f"Says otherwise: {names[1]}" in compared
    assert all(f"{names[0]} {count}" in compared for count in (5, 2, 4))
    count = Submission.objects.count()
    visitor.press("The paper slip counts")
    assert "disagree: say why the slip counts" in visitor.text, "Enter alone decides nothing"
    assert Submission.objects.count() == count
    visitor.press("The paper slip counts", reason="Both have signed it")
    work(session)
    assert Play.objects.get(pk=play.pk).result.submission.content["sheet"]["tricks"] == [4, 4, 2]
    visitor.press("Enter", line=f"{place(play)} 5 3 2")
    assert "something else stands there" in visitor.text, "the slip has settled it"


@pytest.mark.django_db(transaction=True)
def test_a_slip_is_undone_by_the_thread_that_stores_results(monkeypatch: Any) -> None:
    """As it is in every service that runs; a transaction around it would wait for what waits for it."""
    world, plays = a_running_world()
    visitor = at_slips(world.session)
    visitor.press("Enter", line=f"{place(plays[0])} 4 4 2")
    the_writer = writer.Writer()
    monkeypatch.setattr(submissions, "carry", the_writer.carry)
    try:
        visitor.press("The paper slip counts")
        visitor.press("Undo")
    finally:
        the_writer.end()
    assert "It has been undone:" in visitor.text
    assert Submission.objects.filter(play=plays[0]).count() == 3


def test_the_next_slip_does_not_answer_what_was_asked_of_the_one_before() -> None:
    """Somebody with a pile types on, and Enter presses the first button."""
    world, plays = a_running_world()
    visitor = at_slips(world.session)
    first, second = plays[:2]
    visitor.press("Enter", line=f"{place(first)} 4 4 2")
    assert "something else stands there" in visitor.text
    count = Submission.objects.count()
    visitor.press("The paper slip counts", line=f"{place(second)} 4 4 2")
    assert (visitor.answer.status_code, Submission.objects.count()) == (409, count), "it is compared as well"
    assert f"Table {place(second)[1:].replace(' ', ', board ')}: something else" in visitor.text
    assert f"Table {place(first)[1:].replace(' ', ', board ')} has not been decided" in visitor.text
    visitor.press("The paper slip counts")
    assert Submission.objects.count() == count + 1


def test_a_slip_that_was_left_undecided_is_named_after_a_mistake_too() -> None:
    world, plays = a_running_world()
    visitor = at_slips(world.session)
    first, second = plays[:2]
    visitor.press("Enter", line=f"{place(first)} 4 4 2")
    visitor.press("The paper slip counts", line=f"{place(second)} 4 4 x")
    assert visitor.answer.status_code == 400
    visitor.press("Enter", line=f"{place(second)} 4 4 2")
    assert f"Table {place(first)[1:].replace(' ', ', board ')} has not been decided" in visitor.text


def test_a_field_that_asks_a_seat_says_who_sits_there() -> None:
    session = a_session(game="hombre")
    play = plays_of(session)[0]
    visitor = an_official(session, "Sam", RoleKind.SCORER)
    page = visitor.open(reverse("desk-play", args=[session.pk, play.pk])).text
    assert re.search(r"1 Joueur \d\d, 2 Joueur \d\d, 3 Joueur \d\d", page)


def listed_for_anybody(session: Any) -> tuple[bool, set[int]]:
    """Whether everybody's page says that nothing counts yet, and how many boards its list counts."""
    work(session)
    shown = Client().get(reverse("ranking-page", args=[session.pk])).content.decode()
    told = Client().get(f"/api/v1/sessions/{session.pk}/ranking/").json()
    places = told.get("places", [])
    return '<div class="empty">' in shown, {place["boards"] for place in places} - {0}


def test_an_evening_that_is_typed_at_the_desk_has_a_list_that_grows_all_evening() -> None:
    session = a_session(published=True)
    scorer = at_slips(session)
    assert listed_for_anybody(session) == (True, set())
    for number in (1, 2, 3, 4):
        for play in [one for one in plays_of(session) if one.round == number]:
            scorer.press("Enter", line=f"{place(play)} 5 3 2")
        assert listed_for_anybody(session) == (False, {number})


def test_who_types_and_plays_is_told_that_it_counts_when_the_play_ends() -> None:
    session = a_session(published=True)
    seated = Player.objects.filter(memberships__session=session).order_by("pk")[0]
    director = at_slips(session, seated.name, RoleKind.DIRECTOR)
    for play in [one for one in plays_of(session) if one.round == 1]:
        director.press("Enter", line=f"{place(play)} 5 3 2")
    assert listed_for_anybody(session) == (True, set())
    director.open(reverse("desk-lists", args=[session.pk]))
    assert "What you enter for the tables counts there when the play ends." in director.text


def test_a_board_of_a_round_far_ahead_is_entered_once_somebody_says_so() -> None:
    session = a_session()
    visitor = at_slips(session)
    first, late = (next(one for one in plays_of(session) if one.round == number) for number in (1, 3))
    visitor.press("Enter", line=f"{place(first)} 5 3 2")
    visitor.press("Enter", line=f"{place(late)} 5 3 2")
    assert (visitor.answer.status_code, Submission.objects.count()) == (409, 1)
    assert f"plays board {late.board.number} in round 3." in visitor.text
    assert "results to round 1 so far" in visitor.text
    visitor.press("Enter it for this board")
    assert ("is entered" in visitor.text, Submission.objects.count()) == (True, 2)


def test_a_board_of_a_later_round_is_asked_for_where_its_table_lacks_one_of_a_round_before() -> None:
    session = a_session()
    visitor = at_slips(session)
    late = next(one for one in plays_of(session) if one.round == 2)
    other = next(one for one in plays_of(session) if one.round == 1 and one.table_id == late.table_id)
    begun = next(one for one in plays_of(session) if one.round == 1 and one.table_id != late.table_id)
    visitor.press("Enter", line=f"{place(begun)} 5 3 2").press("Enter", line=f"{place(late)} 5 3 2")
    assert (visitor.answer.status_code, Submission.objects.count()) == (409, 1)
    assert f"Its board {other.board.number} of round 1 has no result yet" in visitor.text
    assert "The table has played other boards" not in visitor.text, "a scorer does not write that down"
    director = at_slips(session, "Dora", RoleKind.DIRECTOR).press("Enter", line=f"{place(late)} 5 3 2")
    (href,) = re.findall(r'href="([^"]+)">The table has played other boards<', director.text)
    assert f"Table {late.table.number}, round 1" in director.open(html.unescape(href)).text
    visitor.press("Enter", line=f"{place(other)} 5 3 2")
    assert Submission.objects.count() == 2
    visitor.press("Enter", line=f"{place(late)} 5 3 2")
    assert ("is entered" in visitor.text, Submission.objects.count()) == (True, 3), "nothing is doubtful now"


def test_slips_that_are_missing_stand_round_by_round_and_begin_a_line() -> None:
    session = a_session()
    visitor = at_slips(session)
    missing = visitor.text.partition("Slips that are missing")[2]
    rounds = {one.round for one in plays_of(session)}
    assert [int(one) for one in re.findall(r"<summary>Round (\d+)<", missing)] == sorted(rounds)
    for one in plays_of(session):
        line = place(one).removeprefix("A")
        assert f'data-line="{line} ">{line}<' in missing
    assert missing.count(" open>") == 1, "of rounds that nobody has begun the first"


def test_a_line_that_ends_too_early_says_what_is_lacking_and_of_whom() -> None:
    session = a_session(players=6, game="loba", movement="annealed")
    visitor = at_slips(session)
    play = plays_of(session)[0]
    names = [one.contestant.name for one in play.seatings.order_by("seat").select_related("contestant")]
    visitor.press("Enter", line=f"{place(play)} nobody")
    assert f"Next: Points left, in the order {', '.join(names)}" in visitor.text
    visitor.press("Enter", line=f"{place(play)} nobody 12 31")
    assert "Points left, " + names[2] in visitor.text
    assert "mène" not in visitor.text.partition("For example")[0].lower(), "its number says which one it is"
    assert Submission.objects.count() == 0


@pytest.mark.parametrize(("code", "typed"), [
    ("en", ["fault 2", "annulled by the four Aces 2 yes", "stars=1,3"]),
    ("fr", ["faute de jeu 2", "annulée par les quatre As 2 oui", "étoiles=1,3"]),
])  # fmt: skip
def test_what_is_rare_is_typed_in_the_words_of_the_page(code: str, typed: list[str]) -> None:
    session = a_session()
    visitor = at_slips(session)
    with translation.override(code):
        visitor.open(reverse("desk-slips", args=[session.pk]))
    shown = visitor.text.partition("rarewords")[2].partition("</dl>")[0]
    assert re.findall(r"<code>(.*?)</code>", shown) == typed
    play = plays_of(session)[0]
    address = reverse("desk-slip-hint", args=[session.pk])
    for words in (*typed[:2], f"5 3 2 {typed[2]}"):
        said = visitor.client.get(address, {"line": f"{place(play)} {words}"}).json()
        assert not said["wrong"], said


def test_enter_on_an_empty_line_does_nothing() -> None:
    visitor = at_slips(a_session())
    visitor.press("Enter", line=" ")
    assert (visitor.answer.status_code, "This field is required" in visitor.text) == (200, False)


def test_who_plays_is_not_told_by_comparison_what_counts() -> None:
    world, plays = a_running_world()
    own = plays[1].seatings.get(seat=1).contestant
    visitor = at_slips(world.session, own.name)
    for tricks in ("5 3 2", "4 4 2"):
        visitor.open(visitor.path).press("Enter", line=f"{place(plays[2])} {tricks}")
        assert "has a result already" in visitor.text, "whatever they guess, or this would tell"
        assert "stands there" not in visitor.text
        visitor.press("The paper slip counts")
        assert "say why it is another one" in visitor.text, "whatever they guess"
        assert "has a result already" in visitor.text
        forged = {"line": f"{place(plays[2])} {tricks}", "key": str(uuid4()), "way": "slip"}
        answer = visitor.client.post(visitor.path, forged).content.decode()
        assert ("stands there" in answer, "has a result already" in answer) == (False, True)
    assert Submission.objects.filter(play=plays[2]).count() == 1
    visitor.press("The paper slip counts", reason="The slip of table 3")
    assert Submission.objects.filter(play=plays[2]).count() == 2


def test_who_plays_is_asked_before_a_slip_takes_the_place_of_their_own() -> None:
    world, plays = a_running_world()
    visitor = at_slips(world.session, plays[1].seatings.get(seat=1).contestant.name)
    visitor.press("Enter", line=f"{place(plays[4])} 5 3 2")
    work(world.session)
    visitor.press("Enter", line=f"{place(plays[4])} 4 4 2")
    assert "has a result already" in visitor.text
    assert Submission.objects.filter(play=plays[4]).count() == 1, "the wrong board, perhaps"
    visitor.press("The paper slip counts")
    assert Submission.objects.filter(play=plays[4]).count() == 2


def test_what_was_entered_last_tells_who_plays_states_alone() -> None:
    world, plays = a_running_world()
    own = plays[1].seatings.get(seat=1).contestant
    for name, is_told in (("Sam", True), (own.name, False)):
        visitor = at_slips(world.session, name)
        play = plays[3] if is_told else plays[4]
        visitor.press("Enter", line=f"{place(play)} 5 3 2")
        entered = visitor.text.partition("Entered last")[2].partition("</section>")[0]
        assert f"Table {place(play)[1:].replace(' ', ', board ')}" in entered
        assert ("5" in re.sub(r"<[^>]*>|board \d+|Table \d+", "", entered)) == is_told, entered


def test_a_line_is_explained_while_it_is_typed() -> None:
    session = a_session()
    visitor = at_slips(session)
    play = plays_of(session)[0]
    name = play.seatings.get(seat=1).contestant.name

    def hint(line: str) -> dict[str, Any]:
        address = reverse("desk-slip-hint", args=[session.pk])
        return dict(visitor.client.get(address, {"line": line}).json())

    assert hint("")["says"] == f"Begin with the table and the board: {short(play)}."
    other = next(one for one in plays_of(session) if one.table.number != play.table.number)
    after = f"After the table comes the number of the board: {short(other)}."
    assert hint(f"{other.table.number} ")["says"] == after
    assert hint("77")["says"] == "There is no table 77."
    begun = hint(place(play))
    assert (begun["whole"], name in begun["who"]) == (False, True)
    assert "ricks" in begun["says"]
    assert hint(f"{place(play)} fault")["choices"] == ["1", "2", "3"]
    assert hint(f"{place(play)} 5 x 2")["wrong"] is True
    whole = hint(f"{place(play)} 5 3 2")
    assert (whole["whole"], "½" in whole["says"]) == (True, True)
    assert hint(f"{place(play)} 5 3 3")["wrong"] is True


@pytest.mark.parametrize(
    ("game", "line"), [("loba", "1 0-31-88"), ("cochonnet", "41 30 / 45 33 / 38 29 / 35 40")]
)
def test_a_whole_line_is_said_to_be_whole_in_games_that_ask_no_dealer_too(game: str, line: str) -> None:
    session = a_session(players=6, game=game, movement="annealed")
    visitor = at_slips(session)
    first = plays_of(session)[0]
    address = reverse("desk-slip-hint", args=[session.pk])
    begun = visitor.client.get(address, {"line": f"{place(first)} "}).json()
    assert (begun["says"][:5], begun["wrong"]) == ("Next:", False), "nothing is wrong yet"
    said = visitor.client.get(address, {"line": f"{place(first)} {line}"}).json()
    assert (said["whole"], said["wrong"]) == (True, False), said
    visitor.press("Enter", line=f"{place(first)} {line}")
    assert "is entered." in visitor.text


def test_a_seat_is_asked_for_by_its_number_whatever_else_has_that_name() -> None:
    session = a_session(players=6, game="belote-noisette", movement="annealed")
    address = reverse("desk-slip-hint", args=[session.pk])
    begun = at_slips(session).client.get(address, {"line": f"{place(plays_of(session)[0])} "}).json()
    assert (begun["says"], begun["choices"]) == ("Next: Taker", ["1", "2", "3"])


def test_a_word_is_wrong_only_once_it_can_become_nothing_else() -> None:
    session = a_session()
    visitor = at_slips(session)
    play = plays_of(session)[0]
    names = [one.contestant.name for one in play.seatings.order_by("seat").select_related("contestant")]
    address = reverse("desk-slip-hint", args=[session.pk])
    for words, says, is_wrong in (
        ("f", "Next:", False),
        ("5", f"Next: Tricks, {names[1]}", False),
        ("53", "Next: Tricks, in the order", False),
        ("5 11", f"Tricks, {names[1]}: must be a whole number from 0 to 10", True),
        ("zz", f"Tricks, {names[0]}: “zz” is not a whole number", True),
    ):
        said = visitor.client.get(address, {"line": f"{place(play)} {words}"}).json()
        assert (said["says"][: len(says)], said["wrong"]) == (says, is_wrong), said
    assert visitor.client.get(address, {"line": f"{place(play)} 532"}).json()["whole"]


def test_each_round_of_a_game_is_asked_for_and_partners_mark_once() -> None:
    session = a_session(players=6, game="cochonnet", movement="annealed")
    address = reverse("desk-slip-hint", args=[session.pk])
    visitor, play = at_slips(session), plays_of(session)[0]

    def says(words: str) -> str:
        return str(visitor.client.get(address, {"line": f"{place(play)} {words}"}).json()["says"])

    assert says("41 30 / 45") == "Next: Points of the round 2, EW"
    assert says("41 30 / 45 33") == "Next: Points of the round 3, NS"
    assert says("41 30 / 45 333") == "Points of the round 2, EW: must be a whole number from 14 to 195"
    assert "a side had 61 points, 60 a round or more" in says("61/47 45/33")
    names = {one.contestant.name for one in play.seatings.select_related("contestant")}
    assert all(says("41 30 45 33 38 29 35 40").count(name) == 1 for name in names)


def test_a_result_of_several_rounds_is_corrected_as_its_slip_has_it() -> None:
    session = a_session(players=6, game="cochonnet", movement="annealed")
    visitor = at_slips(session, "Dora", RoleKind.DIRECTOR)
    play = plays_of(session)[0]
    visitor.press("Enter", line=f"{place(play)} 32 37 / 41 37 / 45 38 / 35 43")
    work(session)
    visitor.open(reverse("desk-play", args=[session.pk, play.pk]))
    assert 'value="32 37 / 41 37 / 45 38 / 35 43"' in visitor.text
    assert "[[" not in visitor.text
    visitor.press("Hand in the result", **{"sheet-rounds": "32 37 / 41 377", "sheet-reason": "Misread"})
    assert "round 2, EW: must be a whole number from 14 to 195" in visitor.text
    visitor.press("Hand in the result", **{"sheet-rounds": "32 37 / 41 37 / 45 38 / 35 44"})
    work(session)
    sheet = Play.objects.get(pk=play.pk).result.submission.content["sheet"]
    assert sheet == {"rounds": [[32, 37], [41, 37], [45, 38], [35, 44]]}


def test_a_correction_names_the_players_and_takes_nobody_as_a_slip_does() -> None:
    session = a_session(players=6, game="bernicle", movement="annealed")
    visitor = at_slips(session, "Dora", RoleKind.DIRECTOR)
    play = plays_of(session)[0]
    visitor.press("Enter", line=f"{place(play)} 1 250 140-0-0 7-3-3 120-40-20 30")
    work(session)
    visitor.open(reverse("desk-play", args=[session.pk, play.pk]))
    for seating in play.seatings.select_related("contestant"):
        assert f"Tricks, {seating.contestant.name}" in visitor.text
    cells = dict.fromkeys(re.findall(r'name="(sheet-[a-z]+[1-3]?)"', visitor.text), "") | {
        "sheet-taker": "-", "sheet-reason": "It was passed out",
    }  # fmt: skip
    cells.pop("sheet-key")
    visitor.press("Hand in the result", **cells)
    work(session)
    assert Play.objects.get(pk=play.pk).result.submission.content["sheet"] == {"taker": None}


def test_a_correction_asks_nothing_that_the_board_tells_and_each_hand_in_its_own_cell() -> None:
    session = a_session(players=6, game="loba", movement="annealed")
    visitor = at_slips(session, "Dora", RoleKind.DIRECTOR)
    play = plays_of(session)[0]
    visitor.open(reverse("desk-play", args=[session.pk, play.pk]))
    cells = dict.fromkeys(re.findall(r'name="(sheet-[a-z]+[1-3]?)"', visitor.text), "")
    cells.pop("sheet-key")
    asked = ["finisher", *(f"{name}{seat}" for name in ("points", "laid", "left") for seat in (1, 2, 3))]
    assert list(cells) == [f"sheet-{name}" for name in asked], "the mène is the board’s"
    assert "Has laid down, " + play.seatings.get(seat=2).contestant.name in visitor.text
    points = {"sheet-points1": "0", "sheet-points2": "9,5", "sheet-points3": "20"}
    visitor.press("Hand in the result", **cells | points | {"sheet-finisher": "Nobody here"})
    told = ["must be a seat from 1 to 3", "“9,5”: results have whole numbers alone, no halves"]
    assert all(one in visitor.text for one in told), "both at once"
    visitor.press("Hand in the result", **cells | {"sheet-finisher": "1", "sheet-left2": "AS;XX"})
    assert "has cards that are not in the pack" in visitor.text
    finisher = play.seatings.get(seat=1).contestant.name
    hands = {"sheet-finisher": finisher.upper(), "sheet-left2": "AS;4C", "sheet-left3": "KS"}
    visitor.press("Hand in the result", **cells | hands)
    work(session)
    sheet = Play.objects.get(pk=play.pk).result.submission.content["sheet"]
    assert sheet == {"mene": 1, "finisher": 1, "left": [[], ["AS", "4C"], ["KS"]]}
    visitor.open(reverse("desk-play", args=[session.pk, play.pk]))
    assert 'value="AS;4C"' in visitor.text


def test_partners_are_told_by_the_side_that_the_slip_names() -> None:
    names = {7: "Ana – Bob", 8: "Cid – Dan"}
    told = slip_words.who(registry.game("cochonnet"), {1: 7, 2: 8, 3: 7, 4: 8}, names)
    assert told == "NS 1+3 Ana – Bob, EW 2+4 Cid – Dan"
    assert slip_words.who(registry.game("sept"), {1: 7, 2: 8}, names) == "1 Ana – Bob, 2 Cid – Dan"


@pytest.mark.parametrize(("code", "words", "made", "depends"), [
    ("en", "sans prendre", "vole made yes", "Matadors of the seat that takes the pot (if there are any)"),
    ("fr", "sans prendre", "vole faite oui", "Matadors de la place qui ramasse la mise (s’il y en a)"),
])  # fmt: skip
def test_a_line_is_read_and_told_in_the_words_of_the_page(
    code: str, words: str, made: str, depends: str
) -> None:
    session = a_session(game="hombre")
    visitor = at_slips(session)
    with translation.override(code):
        visitor.open(reverse("desk-slips", args=[session.pk]))
        address = reverse("desk-slip-hint", args=[session.pk])
    first, second = plays_of(session)[:2]
    said = visitor.client.get(address, {"line": f"{place(first)} {words} 2"}).json()
    assert depends in said["order"]
    assert "ole " not in said["order"], "what another contract asks"
    for play, line in ((first, f"{words} 2 2-5-2 2"), (second, "vole 1 9-0-0 oui 3")):
        form = {"line": f"{place(play)} {line}", "key": str(uuid4())}
        assert visitor.client.post(visitor.path, form).status_code == 302, line
    text = visitor.client.get(visitor.path).content.decode()
    assert made in text
    assert "True" not in text
    told = visitor.client.get(address, {"line": f"{place(first)} vole 1 2"}).json()
    assert (told["wrong"], "“2”" in told["says"] or "«\u202f2\u202f»" in told["says"]) == (True, True)
