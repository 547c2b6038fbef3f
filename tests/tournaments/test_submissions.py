"""From a submission to the ranking: twice, out of order, late, and with internal errors."""

import json
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from engines import cli
from engines.games.comon import Comon
from tournaments.models import (
    HistoryEntry,
    Play,
    Ranking,
    Result,
    Role,
    Submission,
    Tally,
    Token,
    WaitingSubmission,
)
from tournaments.services import board_sets, feed, judging, rankings, sessions, submissions, sweep, tokens
from tournaments.services.errors import Conflict, Missing

from .worlds import (
    World,
    a_club,
    a_record,
    a_session,
    a_world,
    an_entry,
    awards_of,
    hand_in,
    played_through,
    plays_of,
    standings_of,
    work,
)

pytestmark = pytest.mark.django_db


def sheet(*tricks: int) -> dict[str, Any]:
    return {"sheet": {"outcome": "normal", "tricks": list(tricks)}}


def test_where_tables_shuffle_the_board_says_which_mene_is_played() -> None:
    """No sheet says it: a form does not ask for what follows from the board's number."""
    world = World(a_session(players=3, movement="annealed", game="loba", sealed=False))
    plays = plays_of(world.session)
    tokened, _text = tokens.issue_for_role(
        person="organiser", club=a_club("Club A"), kind=Role.Kind.ORGANISER
    )
    world.tokens["organiser"] = tokened
    made = hand_in(world, plays[0], {"sheet": {"finisher": 1, "points": [0, 31, 88]}})
    work(world.session)
    made.refresh_from_db()
    assert made.state == Submission.State.ACCEPTED


def test_a_sheet_and_a_record_become_results_awards_and_a_ranking(world: World) -> None:
    first, second, third = plays_of(world.session)[:3]
    hand_in(world, first, sheet(5, 3, 2))
    hand_in(world, second, sheet(3, 5, 2))
    hand_in(world, third, a_record(third, world.session))
    work(world.session)
    world.refresh()
    result = Result.objects.get(play=first)
    assert result.scores == [1, -2, 0]
    assert [fact["fact"] for fact in result.facts] == ["first", "second", "spared"]
    assert (awards_of(result) is not None, world.session.version) == (True, 1)
    assert len(standings_of(world.session)) == 9
    assert Submission.objects.get(result__play=third).state == "accepted"


def test_the_whole_session_shares_out_exactly_what_there_is() -> None:
    world = a_world(boards_per_round=3)
    played_through(world)
    final = standings_of(world.session)
    assert sum(one.total.points for one in final) == 12 * 3 * 3 * 2
    assert {(one.total.boards, one.total.top) for one in final} == {(12, 48)}
    assert {len(one.progress) for one in final} == {4}
    assert [round(one.progress[-1], 8) for one in final] == [round(one.total.value or 0, 8) for one in final]
    values = [one.total.value or 0 for one in final]
    assert values == sorted(values, reverse=True)


def test_the_same_key_again_returns_the_same_submission(world: World) -> None:
    entry = an_entry(plays_of(world.session)[0])
    answers = [
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[entry])[0]
        for _ in range(2)
    ]
    assert answers[0].pk == answers[1].pk
    assert Submission.objects.count() == 1
    assert HistoryEntry.objects.filter(verb="submitted").count() == 1
    both = submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[entry, entry])
    assert [s.pk for s in both] == [answers[0].pk] * 2


def test_a_key_with_another_content_is_refused(world: World) -> None:
    entry = an_entry(plays_of(world.session)[0])
    submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[entry])
    other = submissions.ResultEntry(entry.section, entry.table, entry.board, entry.key, sheet(3, 5, 2))
    with pytest.raises(Conflict, match="another result"):
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[other])


def renewed(token: Token) -> Token:
    """Another token of the same role or table, which ends this one."""
    Token.objects.filter(pk=token.pk).update(revoked_at=timezone.now())
    token.pk, token.prefix, token.digest = None, token.prefix[::-1], ""
    token.save(force_insert=True)
    return token


@pytest.mark.parametrize("role", ["table", "organiser", "scorer"])
def test_a_key_is_answered_as_the_first_time_whatever_has_happened_since(world: World, role: str) -> None:
    play = Play.objects.filter(table=world.table.table).select_related("table__section", "board")[0]
    entry, session = an_entry(play, sheet(5, 3, 3)), world.session.pk
    (first,) = submissions.submit(session_id=session, sender=world.holder(role), entries=[entry])
    for _ in range(submissions.REFUSALS_AT_MOST - (role == "table")):
        wrong = an_entry(play, sheet(5, 3, 3))
        submissions.submit(session_id=session, sender=world.table, entries=[wrong])
    work(world.session)
    sessions.finish(session=world.session, actor=None)
    sender = renewed(world.holder(role))
    (again,) = submissions.submit(session_id=session, sender=sender, entries=[entry])
    assert (again.pk, again.state) == (first.pk, "refused")
    other = submissions.ResultEntry(entry.section, entry.table, entry.board, entry.key, sheet(3, 5, 2))
    with pytest.raises(Conflict, match="another result"):
        submissions.submit(session_id=session, sender=sender, entries=[other])
    elsewhere = a_session()
    with pytest.raises(Conflict, match="another result"):
        submissions.submit(session_id=elsewhere.pk, sender=sender, entries=[entry])


def test_a_key_that_comes_again_beside_new_ones_is_not_what_is_refused(world: World) -> None:
    play = Play.objects.filter(table=world.table.table).select_related("table__section", "board")[0]
    entry = an_entry(play)
    submissions.submit(session_id=world.session.pk, sender=world.table, entries=[entry])
    sessions.finish(session=world.session, actor=None)
    with pytest.raises(Conflict, match="finished"):
        submissions.submit(session_id=world.session.pk, sender=world.table, entries=[entry, an_entry(play)])


def test_all_of_a_bulk_is_stored_or_nothing(world: World) -> None:
    good = an_entry(plays_of(world.session)[0])
    bad = submissions.ResultEntry("A", 99, 1, uuid4(), good.content)
    with pytest.raises(Missing) as refusal:
        submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[good, bad])
    assert refusal.value.details["index"] == 1
    assert not Submission.objects.exists()


def test_of_a_bulk_all_rows_that_are_wrong_are_told_at_once_each_with_its_code(world: World) -> None:
    plays = plays_of(world.session)
    good, twice, other_board = (an_entry(play) for play in plays[:3])
    other_board = replace(other_board, check="?")
    rows = [
        good,
        replace(good, table=99, key=uuid4()),
        twice,
        replace(twice, content=sheet(2, 3, 5)),
        other_board,
        replace(good, seat=1, key=uuid4()),
    ]
    body = {"submissions": [as_sent(row) for row in rows]}
    answer = world.client("organiser").post(
        f"/api/v1/sessions/{world.session.pk}/submissions/bulk/", body, format="json"
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "no-such-play"), "of the first that is wrong"
    details = answer.json()["details"]
    assert details["index"] == 1
    assert [(one["index"], one["state"], one.get("code")) for one in details["rows"]] == [
        (0, "ready", None),
        (1, "refused", "no-such-play"),
        (2, "ready", None),
        (3, "refused", "key-reused"),
        (4, "refused", "wrong-board"),
        (5, "refused", "bad-seat"),
    ]
    assert all(one["message"] for one in details["rows"] if one["state"] == "refused")
    assert not Submission.objects.exists()


def test_what_is_wrong_with_all_of_a_bulk_is_told_of_no_row(world: World) -> None:
    play = Play.objects.filter(table=world.table.table).select_related("table__section", "board")[0]
    sessions.finish(session=world.session, actor=None)
    entries = [an_entry(play), replace(an_entry(play), table=99)]
    with pytest.raises(Conflict) as refusal:
        submissions.submit(session_id=world.session.pk, sender=world.table, entries=entries)
    assert (refusal.value.code, refusal.value.details) == ("session-finished", None)


def as_sent(entry: submissions.ResultEntry) -> dict[str, Any]:
    """A row of a request."""
    place = {"section": entry.section, "table": entry.table, "board": entry.board}
    return {**place, "key": str(entry.key), "check": entry.check, "seat": entry.seat, **entry.content}


def test_a_refused_submission_says_why_in_both_languages_and_changes_no_result(world: World) -> None:
    play = plays_of(world.session)[0]
    hand_in(world, play, sheet(5, 3, 2))
    wrong = hand_in(world, play, sheet(5, 3, 3))
    work(world.session)
    wrong.refresh_from_db()
    assert wrong.state == "refused"
    assert wrong.refusal["en"]["field"] == wrong.refusal["fr"]["field"] == "tricks"
    assert wrong.refusal["en"]["message"] != wrong.refusal["fr"]["message"]
    assert Result.objects.get(play=play).scores == [1, -2, 0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"actions": []}, "not over after 0"),
        ({"actions": ["play:ZZ"]}, "no such action"),
        ({"actions": "x"}, "list"),
        ({"sheet": None}, "object"),
        ({"sheet": {}, "actions": []}, "one of the three"),
        ({"deals": []}, "sheet is needed"),
        ({}, "one of the three"),
    ],
)
def test_what_the_engine_does_not_accept_is_refused(world: World, content: Any, message: str) -> None:
    handed_in = hand_in(world, plays_of(world.session)[0], content or {"nothing": 1})
    work(world.session)
    handed_in.refresh_from_db()
    assert handed_in.state == "refused"
    assert message in handed_in.refusal["en"]["message"]


@pytest.mark.parametrize("content", [
    {"actions": "all"},
    {"actions": []},
    sheet(5, 3, 2),
    sheet(5, 3, 3),
    {"sheet": None},
])  # fmt: skip
def test_the_command_line_judges_as_the_service_does(
    world: World, content: Any, tmp_path: Any, capsys: Any
) -> None:
    play = plays_of(world.session)[0]
    if content == {"actions": "all"}:
        content = a_record(play, world.session)
    handed_in = hand_in(world, play, content)
    work(world.session)
    handed_in.refresh_from_db()
    seed = bytes(world.session.board_set.seed or b"").hex()
    file = tmp_path / "record.json"
    file.write_text(
        json.dumps({"game": "comon", "board": {"seed": seed, "number": play.board.number}} | content)
    )
    command = "sheet" if "sheet" in content else "summarise"
    cli.main([command, str(file), "--json"])
    answer = json.loads(capsys.readouterr().out)
    if handed_in.state == "refused":
        refusal = handed_in.refusal["en"]
        assert (refusal.pop("clause") or "/en/games/comon/#").startswith("/en/games/comon/#")  # for the pages
        assert answer == {"error": refusal}
        return
    assert handed_in.state == "accepted"
    result = Result.objects.get(play=play)
    if "actions" in content:
        assert answer == result.sheet
        cli.main(["replay", str(file), "--json"])
        answer = json.loads(capsys.readouterr().out)
    assert (answer["scores"], answer["facts"]) == (result.scores, result.facts)


def test_the_newest_accepted_submission_counts_in_whatever_order_they_are_judged(world: World) -> None:
    play = plays_of(world.session)[0]
    first, second = hand_in(world, play, sheet(5, 3, 2)), hand_in(world, play, sheet(2, 5, 3))
    Submission.objects.filter(pk=first.pk).update(state="failed")  # judged later
    WaitingSubmission.objects.filter(pk=first.pk).delete()
    work(world.session)
    assert Result.objects.get(play=play).submission_id == second.pk
    judging.retry(session=world.session)
    work(world.session)
    assert Result.objects.get(play=play).submission_id == second.pk
    assert Submission.objects.get(pk=first.pk).state == "accepted"


def test_a_correction_changes_the_board_and_the_ranking(world: World) -> None:
    played_through(world)
    play = plays_of(world.session)[0]
    before = standings_of(world.session)
    scores = Result.objects.get(play=play).scores
    hand_in(world, play, sheet(*([3, 5, 2] if scores[0] >= 0 else [5, 3, 2])))
    work(world.session)
    world.refresh()
    assert standings_of(world.session) != before
    assert Ranking.objects.filter(session=world.session, is_live=False).count() == world.session.version == 2


def test_working_again_changes_nothing(world: World) -> None:
    played_through(world)
    before = (
        standings_of(world.session),
        list(Result.objects.order_by("pk").values()),
        HistoryEntry.objects.count(),
    )
    for _ in range(3):
        work(world.session)
        rankings.change_layout(world.session)
        work(world.session)
    world.refresh()
    assert (standings_of(world.session), HistoryEntry.objects.count()) == (before[0], before[2])
    assert list(Result.objects.order_by("pk").values()) == before[1]
    assert world.session.version == 1  # an unchanged ranking gets no new version


def test_an_internal_error_is_set_aside_and_can_be_tried_again(
    world: World, monkeypatch: Any, caplog: Any, capsys: Any
) -> None:
    first, second = plays_of(world.session)[:2]
    broken, fine = hand_in(world, first, sheet(5, 3, 2)), hand_in(world, second, sheet(4, 4, 2))

    score = Comon.score

    def fails_once(self: Any, sheet: Any, **rest: Any) -> Any:
        if sheet["tricks"] == [5, 3, 2]:
            raise ZeroDivisionError
        return score(self, sheet, **rest)

    with monkeypatch.context() as patch:
        patch.setattr(Comon, "score", fails_once)
        work(world.session)
    states = {s.pk: s.state for s in Submission.objects.all()}
    assert states == {broken.pk: "failed", fine.pk: "accepted"}
    assert "the engine of comon failed" in caplog.text
    call_command("retry", str(world.session.pk))
    assert capsys.readouterr().out == "Submissions that will be judged again: 1.\n"
    work(world.session)
    assert Submission.objects.get(pk=broken.pk).state == "accepted"


def test_equal_sheets_of_a_board_are_judged_once(world: World, monkeypatch: Any) -> None:
    """Whoever hands them in, and whenever; on another board they may be worth something else."""
    judged: list[Any] = []
    score = Comon.score

    def counted(self: Any, sheet: Any, **rest: Any) -> Any:
        judged.append(sheet)
        return score(self, sheet, **rest)

    monkeypatch.setattr(Comon, "score", counted)
    plays = Play.objects.select_related("table__section", "board").order_by("pk")
    first = plays[0].board
    same_board = list(plays.filter(board=first))
    other_board = plays.exclude(board=first)[0]
    for play in (same_board[0], same_board[1]):
        hand_in(world, play, sheet(5, 3, 2))
        judging.judge()
    assert len(judged) == 1
    hand_in(world, other_board, sheet(5, 3, 2))
    hand_in(world, same_board[2], sheet(3, 5, 2))
    judging.judge()
    assert len(judged) == 3
    scores = {one.submission.play_id: one.scores for one in Result.objects.select_related("submission")}
    assert scores[same_board[0].pk] == scores[same_board[1].pk] != scores[same_board[2].pk]


def test_after_the_end_tables_hand_in_nothing_and_the_organiser_can_still_correct(world: World) -> None:
    play = plays_of(world.session)[0]
    handed_in = hand_in(world, play)
    for _ in range(2):
        sessions.finish(session=world.session, actor=world.organiser)
    with pytest.raises(Conflict, match="finished"):
        submissions.submit(session_id=world.refresh().pk, sender=world.table, entries=[an_entry(play)])
    correction = hand_in(world, play, sheet(4, 4, 2))
    work(world.session)
    handed_in.refresh_from_db()
    assert handed_in.state == "accepted"
    assert Result.objects.get(play=play).submission_id == correction.pk
    assert HistoryEntry.objects.filter(verb="finished").count() == 1


def test_boards_of_fewer_plays_are_brought_to_scale(world: World) -> None:
    """Neuberg: two of three plays, top 4: a win is (2·3 + 1)/2 = 7/2, a loss 1/2."""
    first, second = [play for play in plays_of(world.session) if play.board.number == 1][:2]
    hand_in(world, first, sheet(5, 3, 2))
    hand_in(world, second, sheet(3, 5, 2))
    work(world.session)
    assert awards_of(Result.objects.get(play=first)) == ["7/2", "1/2", "2"]
    assert awards_of(Result.objects.get(play=second)) == ["1/2", "7/2", "2"]


def test_players_not_at_fault_get_an_average_where_the_option_says_so() -> None:
    world = a_world(fault_line="adjusted")
    plays = [play for play in plays_of(world.session) if play.board.number == 1]
    hand_in(world, plays[0], {"sheet": {"outcome": "fault", "offender": 2}})
    hand_in(world, plays[1], sheet(5, 3, 2))
    hand_in(world, plays[2], sheet(3, 5, 2))
    work(world.session)
    assert awards_of(Result.objects.get(play=plays[0])) == ["2", "1", "2"]
    assert awards_of(Result.objects.get(play=plays[1])) == ["7/2", "1", "2"]


def test_the_sweep_finds_what_was_left_undone(monkeypatch: Any) -> None:
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr(sweep.queue, "send", lambda *message, **_: messages.append(message))
    world = a_world()
    feed.place_new()
    assert sweep.sweep().total() == 0
    hand_in(world, plays_of(world.session)[0])
    pk = world.session.pk
    sweep.sweep()
    judging.judge()
    sweep.sweep()
    rankings.rank(session_id=pk)
    sweep.sweep()
    assert [one for one in messages if one != ("place_feed",)] == [("judge",), ("rank", pk)]


def test_work_for_a_session_that_does_not_exist_is_not_an_error() -> None:
    assert judging.judge(session_id=10**9) == judging.Batch()
    assert rankings.rank(session_id=10**9) is None


def test_many_results_cost_few_queries(django_assert_max_num_queries: Any) -> None:
    world = a_world(boards_per_round=3)
    session = world.refresh()
    entries = [an_entry(play) for play in plays_of(session)]
    with django_assert_max_num_queries(12):
        submissions.submit(session_id=session.pk, sender=world.organiser, entries=entries)
    with django_assert_max_num_queries(17):  # the session begins, and the feed tells it
        judging.judge(session_id=session.pk)
    with django_assert_max_num_queries(23):  # the live list, too, and who of the officials plays
        rankings.rank(session_id=session.pk)


def test_what_was_handed_in_and_what_happened_cannot_be_rewritten(world: World) -> None:
    handed_in = hand_in(world, plays_of(world.session)[0])
    for change in (
        lambda: Submission.objects.filter(pk=handed_in.pk).update(content={}),
        lambda: HistoryEntry.objects.update(verb="nothing happened"),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()


def test_the_database_itself_refuses_rows_that_must_not_exist(world: World) -> None:
    play = plays_of(world.session)[0]
    seating = play.seatings.first()
    assert seating is not None
    for name, wrong in {
        "seating_one_contestant_a_seat": lambda: play.seatings.create(seat=1, contestant=seating.contestant),
        "seating_seat_from_1": lambda: play.seatings.create(seat=0, contestant=seating.contestant),
        "play_once_at_a_table": lambda: play.board.plays.create(table=play.table, round=1),
        "board_number_unique": lambda: play.board.board_set.boards.create(number=play.board.number),
        "tally_not_ahead": lambda: Tally.objects.filter(session=world.session).update(counted_layout=9),
        "player_once_in_session": lambda: world.session.members.create(
            contestant=seating.contestant, player=seating.contestant.players.get()
        ),
        "session_state_known": lambda: type(world.session).objects.update(state="lost"),
        "token_has_one_holder": lambda: type(world.organiser).objects.update(role=None),
    }.items():
        message = name if connection.vendor == "postgresql" else f"{name}|UNIQUE"  # SQLite names CHECKs only
        with pytest.raises(IntegrityError, match=message), transaction.atomic():
            wrong()


def test_a_board_set_is_sealed_with_a_commitment_that_its_seed_proves() -> None:
    from engines import sealing, verifying

    session = a_session()
    seed = bytes(session.board_set.seed or b"")
    manifest = session.board_set.manifest
    assert sealing.commitment(manifest) == session.board_set.commitment
    proof = verifying.verify(sealing.to_bytes(sealing.seed_file(manifest, seed)))
    assert proof.dealt_again == (1, 2, 3, 4)
    deal = board_sets.deal_of(session, 3)
    assert Comon().show_deal(deal) == sealing.deal_of(sealing.boards_of(manifest), seed, 3)
    assert len({bytes(a_session().board_set.seed or b"") for _ in range(3)}) == 3


def test_a_board_that_is_forgotten_while_others_are_judged_is_judged_all_the_same(monkeypatch: Any) -> None:
    """Boards of another session, more than are remembered, come first in the same batch."""
    monkeypatch.setattr(judging, "BOARDS", 2)
    judging._boards.clear()
    known = a_world()
    other = World(a_session(), known.tokens, known.texts)
    first = plays_of(known.session)[0]
    hand_in(known, first, sheet(5, 3, 2))
    judging.judge()
    of_each_board = {play.board_id: play for play in plays_of(other.session)}
    assert len(of_each_board) > judging.BOARDS
    for play in of_each_board.values():
        hand_in(other, play, sheet(5, 3, 2))
    hand_in(known, first, sheet(3, 5, 2))
    judging.judge()
    assert set(Submission.objects.values_list("state", flat=True)) == {"accepted"}
