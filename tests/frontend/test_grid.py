"""The running grid and the page of a board at a table: who sees what, and how a director rules."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from frontend.desk import grid, seating, waits
from tests.samples import some
from tests.tournaments.worlds import (
    World,
    a_session,
    a_world,
    hand_in,
    plays_of,
    standings_of,
    table_hands_in,
    work,
)
from tournaments.models import Account, Play, Player, Round, Ruling, Session, Submission, Token
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    counting,
    desk_entries,
    flags,
    names,
    roles,
    rounds,
    rulings,
    tokens,
)
from tournaments.services.errors import Conflict
from tournaments.services.grid import GridPlay
from tournaments.services.play_states import PlayState
from tournaments.services.roles import RolePlace

from .test_desk import Visitor, _Forms, at_desk

pytestmark = pytest.mark.django_db


def an_official(session: Session, name: str, kind: RoleKind = RoleKind.DIRECTOR) -> Visitor:
    account = accounts.create(name=name, email=f"{name.split()[-1].lower()}@example.org", password="x")
    roles.grant(account=account, kind=kind, place=RolePlace(session=session), actor=None)
    return at_desk(account)


def states(visitor: Visitor, session: Session, query: str = "?round=1") -> dict[int, str]:
    """The grid, by play."""
    visitor.open(reverse("session-desk", args=[session.pk]) + query)
    return {
        int(play): state for play, state in re.findall(r'plays/(\d+)/" data-state="([\w-]+)"', visitor.text)
    }


def page_of(play: Play) -> str:
    return reverse("desk-play", args=[play.table.section.session_id, play.pk])


def a_running_world() -> tuple[World, list[Play]]:
    """Round one entered by its tables, but for the last, whose scorer did; a ruling in round two."""
    world = a_world()
    tokens.issue_for_tables(session=world.session, actor=world.organiser)
    plays = plays_of(world.session)
    for play in plays[:2]:
        table_hands_in(world, play)
    hand_in(world, plays[2])
    work(world.session)
    return world, plays


def test_the_grid_says_how_far_each_board_is_and_leads_to_its_page() -> None:
    world, plays = a_running_world()
    session = world.session
    visitor = an_official(session, "Dora")
    found = states(visitor, session)
    assert len(found) == len(plays) == 12
    assert [found[play.pk] for play in plays[:4]] == ["entered", "entered", "confirmed", "expected"]
    assert "+½" in visitor.text
    Submission.objects.filter(play=plays[0]).update(state=Submission.State.DISPUTED)
    place = rulings.PlayPlace("A", plays[4].table.number, plays[4].board.number)
    plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "artificial", "percent": "60"}])
    rulings.rule(plan, actor=None, text="A card fell")
    by_table = {play.table_id: play for play in plays if play.round == 2}
    late = (
        by_table[plays[2].table_id] if plays[2].table_id != plays[4].table_id else by_table[plays[0].table_id]
    )
    ahead = next(play for play in plays if play.round == 3 and play.table_id == late.table_id)
    hand_in(world, ahead)
    work(session)
    found = states(visitor, session)
    assert (found[plays[0].pk], found[plays[4].pk], found[late.pk]) == ("disputed", "ruled", "late")
    assert "The table has entered a later round already." in visitor.text
    assert "The cards of this board contradict it" in visitor.text
    waiting = {Play.objects.get(pk=pk).table_id for pk in states(visitor, session, "?show=waiting")}
    assert waiting == {plays[0].table_id, late.table_id}
    entered = {Play.objects.get(pk=pk).table_id for pk, state in found.items() if state == "entered"}
    of_them = states(visitor, session, "?show=entered")
    assert entered
    assert {Play.objects.get(pk=pk).table_id for pk in of_them} == entered
    assert {plays[4].table_id} == {
        Play.objects.get(pk=pk).table_id for pk in states(visitor, session, "?show=ruled")
    }
    for odd in ("?show=x", "?tables=0", "?tables=999", "?tables=²", "?tables=-1"):
        assert len(states(visitor, session, odd)) == 12

    visitor.open(page_of(plays[0]))
    assert "disputed" in visitor.text
    assert "tricks" in visitor.text.casefold()


def test_who_does_not_direct_learns_nothing_of_a_deal_and_who_plays_sees_states_alone() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[0]
    Submission.objects.filter(play=play).update(state=Submission.State.DISPUTED)
    play.refresh_from_db()
    score = ">+½<"
    scorer = an_official(session, "Sam", RoleKind.SCORER)
    assert states(scorer, session)[play.pk] == "entered", "that the deal contradicts it tells of the deal"
    assert "contradict" not in scorer.text
    assert "+½" in scorer.text
    page = scorer.open(page_of(play)).text
    assert "disputed" not in page
    assert score in page
    assert "A ruling" not in page
    assert scorer.client.post(page_of(play), {"way": "rule"}).status_code == 404

    officer = an_official(session, "Olga", RoleKind.DEAL_OFFICER)
    assert states(officer, session)[play.pk] == "entered"
    assert "+½" not in officer.text
    page = officer.open(page_of(play)).text
    assert score not in page
    assert "What was handed in" not in page

    seated = Player.objects.filter(contestants__seatings__play=plays[1]).first()
    assert seated is not None
    director = an_official(session, seated.name)
    found = states(director, session)
    assert {found[one.pk] for one in plays[:2]} == {"entered"}, "the board is played at other tables still"
    assert "+½" not in director.text
    page = director.open(page_of(play)).text
    assert score not in page
    assert "Show what it changes" not in page
    assert "You play in this session: until the board is over" in page
    known = {"sheet-outcome": "normal", "sheet-tricks1": "5", "sheet-tricks2": "3", "sheet-tricks3": "2"}
    for guess in (known, known | {"sheet-tricks1": "4", "sheet-tricks2": "4"}):
        director.open(page_of(plays[2])).press("Hand in the result", **guess)
        assert "say why it is another one" in director.text, "whatever they guess, or this would tell"
    assert director.client.post(page_of(play), {"way": "look"}).status_code == 404
    prefilled = re.compile(
        r'<input[^>]*value="5"[^>]*name="sheet-tricks1"|name="sheet-tricks1"[^>]*value="5"'
    )
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "annulled"}])
    rulings.rule(plan, actor=None, text="A card fell")
    known, hidden = scorer.open(page_of(play)).text, director.open(page_of(play)).text
    assert ("A card fell" in known, bool(prefilled.search(known))) == (True, True)
    assert ("A card fell" in hidden, bool(prefilled.search(hidden))) == (False, False)
    counted = re.compile(r"<small>[^<]*tricks \(\d")
    assert (bool(counted.search(known)), bool(counted.search(hidden))) == (True, False)
    for one in plays:
        if one.board_id == play.board_id and one.pk != play.pk:
            table_hands_in(world, one)
    stranger = at_desk(accounts.create(name="Eve", email="eve@example.org", password="x"))
    assert stranger.client.get(page_of(play)).status_code == 404
    foreign = a_session(club="Club B")
    assert director.client.get(reverse("desk-play", args=[foreign.pk, play.pk])).status_code == 404


def test_whom_a_ruling_moves_is_told_a_director_who_plays_by_the_boards_that_are_over() -> None:
    world, plays = a_running_world()
    board = plays[0].board_id
    for one in plays:
        if one.round == 1 or one.board_id == board:
            table_hands_in(world, one)
    work(world.session)
    seated = Player.objects.filter(contestants__seatings__play=plays[1]).first()
    assert seated is not None
    director = an_official(world.session, seated.name)
    other = an_official(world.session, "Dora")

    def looked(visitor: Visitor) -> str:
        visitor.open(page_of(plays[0])).press("Show what it changes", way_of="nothing", reason="A card fell")
        return re.findall(r'(?s)<div class="looked" role="status">.*?</table>', visitor.text)[0]

    before = [looked(director), looked(other)]
    for one in plays:
        if one.round == 4 and one.board_id != board:
            hand_in(world, one)
    work(world.session)
    assert looked(director) == before[0]
    assert looked(other) != before[1]


def test_every_kind_of_flag_has_its_place_among_what_waits() -> None:
    assert set(flags.KINDS) < set(waits.URGENCY)


def test_what_a_deal_contradicts_is_kept_or_ruled_on_and_waits_no_more() -> None:
    world, plays = a_running_world()
    session = world.session
    Submission.objects.filter(play__in=plays[:2]).update(state=Submission.State.DISPUTED)
    visitor = an_official(session, "Dora")
    account = Account.objects.get(name="Dora")
    roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(session=session), actor=None)
    scorer = an_official(session, "Sam", RoleKind.SCORER)
    assert "keep the result" not in scorer.open(page_of(plays[0])).text, "it would tell of the deal"
    assert scorer.client.post(page_of(plays[2]), {"way": "keep", "submission": "x"}).status_code == 409
    assert "keep the result" not in visitor.open(page_of(plays[2])).text, "nothing speaks against it"
    found = states(visitor, session)
    assert (found[plays[0].pk], found[plays[1].pk]) == ("disputed", "disputed")
    visitor.open(page_of(plays[0])).press("The table is right: keep the result")
    assert "The result is kept" in visitor.text
    assert "contradict" not in visitor.text
    place = rulings.PlayPlace("A", plays[1].table.number, plays[1].board.number)
    plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "artificial", "percent": "60"}])
    rulings.rule(plan, actor=None, text="A card fell")
    found = states(visitor, session)
    assert (found[plays[0].pk], found[plays[1].pk]) == ("confirmed", "ruled")
    assert "Settle it" not in visitor.text
    assert flags.of(session, world.organiser) == []


def test_a_director_sees_what_a_ruling_changes_before_it_counts_and_reverses_it() -> None:
    world, plays = a_running_world()
    for play in plays[3:]:
        hand_in(world, play)
    work(world.session)
    play = plays[0]
    visitor = an_official(world.session, "Dora").open(page_of(play))
    visitor.press("Show what it changes", score_0="x", reason="A revoke.")
    assert visitor.answer.status_code == 400
    assert "This is not a score of the game." in visitor.text
    played = "+½"
    visitor.press("Show what it changes", score_0=played, reason="A revoke.")
    assert "Say for whom something else is to count." in visitor.text
    split = {"kind_0": "plus", "kind_1": "minus", "kind_2": "assigned", "split_2": "−1½"}
    visitor.press("Show what it changes", way_of="split", **split)
    assert "What it changes in the list" in visitor.text
    assert 'id="ruling" tabindex="-1"' in visitor.text, "the page comes back there, and its reader too"
    assert not Ruling.objects.exists(), "nothing is stored before it is published"
    visitor.press("Publish the ruling")
    assert "The ruling counts from now on." in visitor.text
    made = Ruling.objects.get()
    assert (made.kind, made.remark.text, made.role.account.name) == ("split", "A revoke.", "Dora")  # type: ignore[union-attr]
    assert made.parts.get().entries == ["average 60 if better", "average 40 if worse", "-3"]
    assert states(visitor, world.session)[play.pk] == "ruled"
    visitor.open(page_of(play)).press("Reverse it", reason="")
    assert not Ruling.objects.get().reversed_at
    visitor.press("Reverse it", reason="It was none.")
    made.refresh_from_db()
    assert made.reversed_at
    again = visitor.client.post(page_of(play), {"way": "reverse", "ruling": made.pk, "reason": "Twice."})
    assert again.status_code == 409
    odd = visitor.client.post(page_of(play), {"way": "reverse", "ruling": "9" * 30, "reason": "x"})
    assert odd.status_code in {200, 400, 404}


def test_a_score_that_is_left_as_it_is_decides_nothing_and_one_for_all_is_one_ruling() -> None:
    world, plays = a_running_world()
    for play in plays[3:]:
        hand_in(world, play)
    work(world.session)
    play = plays[0]
    sat = [one.contestant.name for one in play.seatings.order_by("seat")]
    visitor = an_official(world.session, "Dora").open(page_of(play))
    shown = states(visitor, world.session)
    visitor.open(page_of(play)).press("Show what it changes", score_0="+2", score_1="-1½")
    assert "Draft of a ruling, not published" in visitor.text
    assert "as decided they add up to" in visitor.text, "the third has been forgotten, perhaps"
    assert "Publish the ruling" in visitor.text, "nobody has to say why before looking"
    visitor.press("Publish the ruling", reason="")
    assert visitor.answer.status_code == 400
    assert "Draft of a ruling, not published" in visitor.text, "what it changes stays in sight"
    visitor.press("Publish the ruling", reason="A revoke.")
    made = Ruling.objects.get()
    assert (made.kind, made.parts.get().entries) == ("assigned", ["4", "-3", None])
    assert f"{sat[0]}: assigned score +2." in visitor.text, "by name"
    assert ">Counts<" in visitor.text
    assert shown[play.pk] != states(visitor, world.session)[play.pk] == "ruled"
    assert re.search(r"<i>[^<]*\+2[^<]*</i>", visitor.text), "the grid says what counts"
    visitor.open(page_of(play)).press("Show what it changes", score_0="+2")
    assert "Say for whom something else is to count." in visitor.text, "that counts already"
    halves = {f"first_{number}": "+1" for number in range(3)} | {f"second_{n}": "0" for n in range(3)}
    visitor.press("Show what it changes", way_of="weighted", **halves, percent_first="70")
    assert "Both shares together are 100" in visitor.text
    visitor.press("Show what it changes", way_of="weighted", **halves, percent_second="30")
    visitor.press("Publish the ruling", reason="Seventy to thirty.")
    assert Ruling.objects.order_by("pk").last().kind == "weighted"  # type: ignore[union-attr]


def test_what_was_entered_for_the_wrong_board_is_taken_off_and_a_later_result_does_not_pass_unseen() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[2]
    scorer = an_official(session, "Sam", RoleKind.SCORER).open(page_of(play))
    assert "The director takes it off." in scorer.text
    assert scorer.client.post(page_of(play), {"way": "off"}).status_code == 404
    before = counting.of_session(session).standings
    visitor = an_official(session, "Dora").open(page_of(play))
    visitor.press("It was entered for the wrong board")
    work(session)
    assert (Ruling.objects.get().kind, states(visitor, session)[play.pk]) == ("not-played", "not-played")
    assert counting.of_session(session).standings != before
    later = "A result has come in since it was ruled not played"
    assert later not in visitor.text
    assert "take it off" not in visitor.open(page_of(play)).text, "it is"
    hand_in(world, play)
    work(session)
    visitor.open(reverse("session-desk", args=[session.pk]))
    assert later in visitor.text
    assert later in scorer.open(page_of(play)).text
    visitor.open(page_of(play)).press("Reverse it", reason="It has been played now")
    assert "The ruling is reversed." in visitor.text, re.findall(r"(?s)role=.alert.*?</div>", visitor.text)
    assert later not in visitor.text
    assert later not in visitor.open(reverse("session-desk", args=[session.pk])).text


def test_a_result_is_corrected_beside_it_and_of_two_the_other_is_seen_first() -> None:
    world, plays = a_running_world()
    play = plays[0]
    visitor = an_official(world.session, "Dora").open(page_of(play))
    page = visitor.text
    assert page.index("Correct the result") < page.index("What was handed in")
    first = play.result.submission
    content = {"sheet": {**first.content["sheet"], "tricks": [2, 3, 5]}}
    state = Submission.State.OPPOSED
    other = Submission.objects.create(
        play=play, table=play.table, seat=2, key=uuid4(), content=content, state=state
    )
    Play.objects.filter(pk=play.pk).update(disagreement=other)
    page = visitor.open(page_of(play)).text
    assert page.index("What was handed in") < page.index("Correct the result")


def test_an_average_for_the_whole_table_is_said_once_and_another_for_somebody_beside_it() -> None:
    world, plays = a_running_world()
    visitor = an_official(world.session, "Dora").open(page_of(plays[0]))
    all_three = {"way_of": "average", "average_all": "average"}
    visitor.press("Show what it changes", **all_three)
    visitor.press("Publish the ruling", reason="A card was lost.")
    made = Ruling.objects.get()
    assert made.parts.get().entries == ["average"] * 3
    visitor.press("Reverse it", reason="One of them lost it")
    visitor.press("Show what it changes", **all_three, average_1="minus")
    visitor.press("Publish the ruling", reason="A card was lost.")
    entries = Ruling.objects.get(reversed_at=None).parts.get().entries
    assert sorted(entries) == ["average", "average", "average 40 if worse"]


def test_no_average_is_offered_where_one_table_alone_plays_the_board() -> None:
    session = a_session(players=3, boards_per_round=2, movement="annealed")
    world = World(session, {"organiser": an_organiser(session)})
    play = plays_of(session)[0]
    hand_in(world, play)
    work(session)
    visitor = an_official(session, "Dora").open(page_of(play))
    assert "no other table plays this board" in visitor.text
    visitor.press("Show what it changes", way_of="average", average_0="plus")
    assert visitor.answer.status_code == 400
    assert not Ruling.objects.exists()


def test_of_two_sheets_of_a_table_the_other_is_taken_by_one_button() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[0]
    first = play.result.submission
    other = Submission.objects.create(
        play=play,
        table=play.table,
        seat=2,
        key=uuid4(),
        content={"sheet": {**first.content["sheet"], "tricks": [2, 3, 5]}},
        state=Submission.State.OPPOSED,
    )
    Play.objects.filter(pk=play.pk).update(disagreement=other)
    named = play.seatings.get(seat=2).contestant.name
    scorer = an_official(session, "Sam", RoleKind.SCORER).open(page_of(play))
    assert f"<strong>{named}, seat 2</strong>" in scorer.text
    assert "rule on it" not in scorer.text, "a scorer does not rule"
    assert "Keep this result" in scorer.text
    marked = re.findall('<mark class="differs">(.*?)</mark>', scorer.text)
    known = "-".join(map(str, first.content["sheet"]["tricks"]))
    assert marked == ["2-3-5", known], "what they differ in, and nothing else"
    seen = re.findall('name="seen" value="([^"]+)"', scorer.text)[0]
    odd = scorer.client.post(page_of(play), {"way": "take", "submission": 10**9, "key": "x", "seen": seen})
    assert odd.status_code == 400
    scorer.press("Take this result")
    work(session)
    play = Play.objects.get(pk=play.pk)
    assert play.result.sheet["tricks"] == [2, 3, 5]
    assert states(scorer, session)[play.pk] == "confirmed"
    assert "different results" not in scorer.text
    officer = an_official(session, "Olga", RoleKind.DEAL_OFFICER)
    assert officer.client.post(page_of(play), {"way": "take"}).status_code == 404


def test_officials_enter_and_correct_results_in_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[3]
    scorer = an_official(session, "Sam", RoleKind.SCORER).open(page_of(play))
    assert "Enter the result" in scorer.text
    assert "Why is it another result?" not in scorer.text
    wrong = {"sheet-outcome": "normal", "sheet-tricks1": "5", "sheet-tricks2": "3", "sheet-tricks3": "3"}
    scorer.press("Hand in the result", **wrong)
    assert scorer.answer.status_code == 400
    assert "Tricks: add up to 11" in scorer.text, "as the cells are called"
    scorer.press("Hand in the result", **wrong | {"sheet-tricks3": "x"})
    assert "is not a whole number" in scorer.text
    right = wrong | {"sheet-tricks3": "2"}
    (form,) = [one for one in _Forms(scorer.text).forms if "sheet-key" in one["fields"]]
    sent = form["fields"] | right | {"way": "enter"}
    for _twice in range(2):
        assert scorer.client.post(page_of(play), sent).status_code == 302
    submission = Submission.objects.get(play=play)
    assert submission.role is not None
    assert (submission.role.account.name, submission.role.kind) == ("Sam", "scorer")
    with (
        monkeypatch.context() as meanwhile
    ):  # judged while the page is made, which has read the result already
        meanwhile.setattr(flags, "of", lambda *_given, **_more: [work(session)][:0])
        assert 'http-equiv="refresh"' in scorer.open(page_of(play)).text
    assert 'http-equiv="refresh"' not in scorer.open(page_of(play)).text
    assert states(scorer, session)[play.pk] == "confirmed"
    page = scorer.open(page_of(play)).text
    assert "Correct the result" in page
    assert 'name="sheet-tricks1" value="5"' in page
    corrected = {"sheet-tricks1": "2", "sheet-tricks2": "3", "sheet-tricks3": "5"}
    reason = re.compile(r"Why is it another result\? *(<span[^>]*>\(optional\))?")
    assert (told := reason.search(page)) is not None
    assert told[1], "nobody explains a slip of their own pen"
    scorer.press("Hand in the result", **wrong | {"sheet-tricks1": "6", "sheet-tricks3": "1"})
    work(session)
    assert Play.objects.get(pk=play.pk).result.sheet["tricks"] == [6, 3, 1]
    other = an_official(session, "Tess", RoleKind.SCORER).open(page_of(play))
    assert (told := reason.search(other.text)) is not None
    assert not told[1], "what another official has entered is confirmed, as the page says"
    count = Submission.objects.filter(play=play).count()
    other.press("Hand in the result", **corrected)
    assert other.answer.status_code == 400
    assert "an official has entered it" in other.text
    assert Submission.objects.filter(play=play).count() == count
    other.press("Hand in the result", **corrected, **{"sheet-reason": "The slip was misread."})
    work(session)
    play = Play.objects.get(pk=play.pk)
    assert play.result.sheet["tricks"] == [2, 3, 5]
    assert "The slip was misread." in scorer.open(page_of(play)).text
    assert Token.objects.filter(role=submission.role, name="desk").count() == 1
    officer = an_official(session, "Olga", RoleKind.DEAL_OFFICER)
    assert "Hand in the result" not in officer.open(page_of(play)).text
    assert officer.client.post(page_of(play), sent).status_code == 404


def test_the_page_of_an_evening_asks_no_more_with_more_tables() -> None:
    counts: list[Any] = []
    for players in (9, 15):
        session = a_session(players=players, boards_per_round=2)
        hand_in(World(session, {"organiser": an_organiser(session)}), plays_of(session)[0])
        work(session)
        visitor = an_official(session, f"Dora D{players}")
        with CaptureQueriesContext(
            connection,
        ) as asked:
            states(visitor, session)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 70


def an_organiser(session: Session) -> Any:
    return tokens.issue_for_role(person="Otto", club=session.tournament.club, kind=RoleKind.ORGANISER)[0]


@pytest.mark.parametrize(("game", "movement", "each"), [("comon", "kirkman", 1), ("cochonnet", "howell", 2)])
def test_scores_stand_in_the_order_of_the_names_beside_them(game: str, movement: str, each: int) -> None:
    """Players change seats from board to board, and a pair has one score."""
    session = a_session(game=game, players=9 if each == 1 else 6, boards_per_round=3, movement=movement)
    reader = names.reader_for(accounts.create(name="Rita", email="rita@example.org", password="x"))
    signs, orders = grid._Signs(session), set()
    for table in seating.of_round(session, reader, 1, seating.places_of(session)):
        for play in plays_of(session):
            if (play.round, play.table.number) != (1, table.place[1]):
                continue
            sat = {one.contestant.name: one.seat for one in play.seatings.order_by("-seat")}
            scores = [2 * seat for seat in range(1, len(play.seatings.all()) + 1)]  # each knows its seat
            facts = (play.pk, *table.place, play.round, play.board.number, PlayState.ENTERED, scores, None)
            shown = re.findall(
                r"<i>(.*)</i>", signs.cell([GridPlay(*facts)], table, grid.GridHead(1, True, False))
            )[0].split()
            assert shown == [signs._score(2 * sat[name]) for _seats, name in table.seats]
            orders.add(tuple(shown))
    assert len(orders) == (3 if each == 1 else 1)


METHODS = (("matchpoints", {}), ("butler", {}), ("total-points", {}), ("cross-imps", {}))


@pytest.mark.parametrize(("method", "options"), some(METHODS, one_in=2))
def test_a_correction_says_before_whom_it_moves_and_is_undone(method: str, options: dict[str, Any]) -> None:
    world = a_world(method=method, method_options=options)
    session, plays = world.session, plays_of(world.session)
    for play in plays:
        hand_in(world, play)
    work(session)
    director, play = an_official(session, "Dora"), plays[0]
    page = page_of(play)
    before = {one.contestant.pk: (one.rank.rstrip("="), one.total.value) for one in standings_of(session)}
    sheet = Play.objects.get(pk=play.pk).result.sheet
    turned = [*sheet["tricks"][1:], sheet["tricks"][0]]
    other = {f"sheet-tricks{seat}": str(tricks) for seat, tricks in enumerate(turned, 1)}
    corrected = {"sheet-outcome": "normal", **other, "sheet-reason": "the slip was misread"}
    director.open(page).press("First show whom it moves", **corrected)
    told = re.findall(r'class="places"><span class="was">([^<]+)</span> → <b>([^<]+)</b>', director.text)
    assert told
    assert Play.objects.get(pk=play.pk).result.sheet == sheet, "nothing is handed in yet"
    director.press("Hand in the result")
    work(session)
    after = {one.contestant.pk: (one.rank.rstrip("="), one.total.value) for one in standings_of(session)}
    moved = [(before[k][0], after[k][0]) for k in after if after[k] != before[k]]
    assert sorted(told) == sorted(moved)
    director.open(reverse("session-desk", args=[session.pk])).press("Undo")
    assert "It has been undone" in director.text
    work(session)
    assert Play.objects.get(pk=play.pk).result.sheet == sheet
    assert {
        one.contestant.pk: (one.rank.rstrip("="), one.total.value) for one in standings_of(session)
    } == before


def test_a_correction_is_not_undone_over_what_came_in_since() -> None:
    world = a_world()
    session, play = world.session, plays_of(world.session)[0]
    first = hand_in(world, play)
    work(session)
    made = hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": [6, 3, 1]}})
    second = hand_in(world, play)
    work(session)
    an_official(session, "Dora")
    account = Account.objects.get(name="Dora")
    with pytest.raises(Conflict):
        desk_entries.take_back(session=session, play=play, account=account, made=made.pk, before=first.pk)
    assert Play.objects.get(pk=play.pk).result.submission_id == second.pk


def typed_at(visitor: Visitor, **tricks: str) -> dict[str, str]:
    """What the page's form of the result sends, once these have been typed."""
    (form,) = [
        one
        for one in _Forms(visitor.text).forms
        if any(button["text"].strip() == "Hand in the result" for button in one["buttons"])
    ]
    return form["fields"] | {f"sheet-{name}": value for name, value in tricks.items()} | {"way": "enter"}


def test_a_slip_typed_after_a_phone_was_quicker_shows_both_and_counts_once_somebody_says_so() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[3]
    visitor = an_official(session, "Dora").open(page_of(play))
    slip = typed_at(visitor, outcome="normal", tricks1="4", tricks2="4", tricks3="2")
    table_hands_in(world, play)
    work(session)
    phone = play.submissions.get()
    answer = visitor.client.post(page_of(play), slip)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "something else stands there" in text
    assert [*play.submissions.all()] == [phone], "nothing has been replaced"
    rows = re.search(r'<table class="table versions">.*?</table>', text, re.S)
    assert rows is not None
    cells = re.findall(r"<td[^>]*>([^<]+)</td>", rows[0])
    assert any("5" in one and "3" in one for one in cells), "what the phone said"
    assert any("4" in one for one in cells), "and the slip"
    visitor.answer = answer
    visitor.press("The paper slip counts")
    work(session)
    assert play.submissions.count() == 2
    again = visitor.client.post(page_of(play), slip)
    assert (again.status_code, play.submissions.count()) == (302, 2), "the same slip, sent again"

    other = plays[0]
    visitor.open(page_of(other))
    same = typed_at(visitor, outcome="normal", tricks1="5", tricks2="3", tricks3="2")
    for question in ("", "0-0"):
        asked = visitor.client.post(
            page_of(other), same | {"seen": question, "sheet-tricks1": "4", "sheet-tricks2": "4"}
        )
        assert (asked.status_code, other.submissions.count()) == (409, 1)
    visitor.answer = asked
    visitor.press("What stands there counts")
    other.refresh_from_db()
    assert other.confirmation is not None
    assert other.submissions.count() == 1


def test_a_slip_that_says_what_came_meanwhile_confirms_it() -> None:
    world, plays = a_running_world()
    visitor = an_official(world.session, "Dora").open(page_of(plays[3]))
    slip = typed_at(visitor, outcome="normal", tricks1="5", tricks2="3", tricks3="2")
    table_hands_in(world, plays[3])
    work(world.session)
    assert visitor.client.post(page_of(plays[3]), slip).status_code == 302
    plays[3].refresh_from_db()
    assert (plays[3].submissions.count(), plays[3].confirmation is None) == (1, False)


def test_a_ruling_is_not_made_over_what_came_since_the_page_was_opened() -> None:
    world, plays = a_running_world()
    session, play = world.session, plays[0]
    visitor = an_official(session, "Dora").open(page_of(play))
    visitor.press("Show what it changes", score_0="+2", reason="A revoke")
    place = rulings.PlayPlace("A", play.table.number, play.board.number)
    plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "artificial", "percent": "60"}])
    rulings.rule(plan, actor=None, text="Another director was quicker")
    work(session)
    visitor.press("Publish the ruling")
    assert visitor.answer.status_code == 409
    assert "Nothing has been ruled yet" in visitor.text
    assert "Another director was quicker" in visitor.text, "what was done meanwhile"
    assert 'value="+2"' in visitor.text, "what was written"
    assert Ruling.objects.count() == 1
    visitor.press("Publish the ruling")
    assert Ruling.objects.count() == 2
    old = _Forms(visitor.text).forms
    off = [one["fields"] for one in old if any("take it off" in button["text"] for button in one["buttons"])]
    for fields in off:
        refused = visitor.client.post(page_of(play), fields | {"way": "off", "seen": "0-0"})
        assert refused.status_code == 409
    assert Ruling.objects.count() == 2


def test_a_cell_tells_what_was_played_and_for_how_long_it_is_late() -> None:
    world = a_world(game="hombre")
    session = world.session
    rounds.pace(session=session, actor=None, pace=rounds.Pace(duration=1500))
    rounds.open_round(session=session, actor=None, number=1)
    first, second, *_rest = [play for play in plays_of(session) if play.round == 1]
    dora = an_official(session, "Dora")
    told = {"contract": "prendre", "hombre": 1, "tricks": [4, 3, 2], "matadors": 1}
    hand_in(world, first, {"sheet": told})
    work(session)
    states(dora, session)
    (cell,) = re.findall(rf'<a href="[^"]*plays/{first.pk}/".*?</a>', dora.text)
    assert "<small>prendre, with exchange, seat 1, tricks 4-3-2</small>" in cell
    number = first.board.number
    states(dora, session, "?round=2")
    (narrow,) = re.findall(rf'<a href="[^"]*plays/{first.pk}/".*?</a>', dora.text)
    assert f"<small>{number}</small>" in narrow, "a closed round, too, says which board"
    assert f'aria-label="board {number}: ' in narrow
    rounds.close_round(session=session, actor=None, number=1)
    Round.objects.filter(session=session, number=1).update(
        settled_at=timezone.now(), closed_at=timezone.now() - timedelta(minutes=2, seconds=20)
    )
    assert states(dora, session)[second.pk] == "late"
    assert f"<b>{second.board.number}</b> late, 2 min" in dora.text
    states(dora, session, "?round=2")
    assert f'aria-label="board {second.board.number}: late, 2 min"' in dora.text

    seated = Player.objects.filter(contestants__seatings__play=second).first()
    assert seated is not None
    player = an_official(session, seated.name)
    states(player, session)
    assert "seat 1, tricks" not in player.text, "a director who plays sees states alone"


def test_the_desk_tells_which_copy_of_a_board_is_at_which_table() -> None:
    session = a_session(boards_per_round=2)  # all tables play the same boards
    dora = an_official(session, "Dora").open(reverse("session-desk", args=[session.pk]))
    assert re.findall(r'<td class="boards"[^>]*>([^<]*)</td>', dora.text) == [
        f"1, 2 (copy {table})" for table in (1, 2, 3)
    ]
    alone = a_session(game="cochonnet", players=8, movement="howell", club="Club B")
    other = an_official(alone, "Olga").open(reverse("session-desk", args=[alone.pk]))
    assert "(copy " not in other.text, "one copy of each is enough"
