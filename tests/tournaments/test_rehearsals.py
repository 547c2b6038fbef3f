"""Rehearsals: robots play a copy of a session, and nothing of it is left."""

from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engines import registry
from tests.samples import here
from tournaments.models import Confirmation, HistoryEntry, Job, Play, Player, Session, Submission
from tournaments.models.open_boards import open_in
from tournaments.services import jobs, rehearsals, sessions

from .test_deleting import counts
from .worlds import World, a_world

pytestmark = pytest.mark.django_db
AT_ONCE = rehearsals.RehearsalWish(seconds=0)


def copies(world: World) -> Any:
    return Session.objects.filter(is_trial=True)


def test_what_goes_wrong_on_an_evening_goes_wrong_in_a_rehearsal() -> None:
    world = a_world(boards_per_round=2)
    before = counts()
    seen: list[dict[str, Any]] = []

    def began(copy: Session) -> None:
        assert copy.board_set.seed != world.session.board_set.seed
        assert (copy.listed, copy.name) == (False, "Rehearsal of Evening")
        seen.append({role: open_in(copy, token).count() for role, token in world.tokens.items()})

    report = rehearsals.rehearse(
        session=world.session, actor=world.organiser, wish=AT_ONCE, keep=True, began=began, random=Random(1)
    )
    assert set(seen[0].values()) == {0}, "nobody sees a board of it"
    copy = copies(world).get()
    assert report.lists_are_right
    happened = report.happened
    assert {name: happened[name] for name in ("no_shows", "missing")} == {"no_shows": 1, "missing": 0}
    assert happened["late"] == copy.rounds.count()
    assert min(happened[name] for name in ("slips", "disputes", "rulings", "confirmations")) > 0
    assert happened["disputes"] == happened["rulings"]
    own = Submission.objects.filter(play__board__board_set__session=copy)
    assert {"accepted", "refused", "opposed"} <= set(own.values_list("state", flat=True))
    assert set(Confirmation.objects.values_list("is_shared", flat=True)) == {True, False}
    assert (copy.state, copy.tally.version > 0) == ("played", True)
    assert not Player.objects.filter(given_name__startswith="Robot").exists()
    deleted = world.client("organiser").delete(f"/api/v1/sessions/{copy.pk}/")
    assert deleted.status_code == 204, deleted.content
    left = {name for name, count in counts().items() if count > before[name]}
    assert left <= {"HistoryEntry", "Remark"}
    assert HistoryEntry.objects.filter(verb="deleted session").count() == 1
    assert world.refresh().state == "ready"


def test_it_is_asked_for_by_whoever_runs_the_session_and_leaves_nothing() -> None:
    world = a_world()
    organiser, wish = world.client("organiser"), {"session": world.session.pk, "seconds": 0}
    assert world.client("scorer").post("/api/v1/rehearsals/", wish, "json").status_code == 403
    assert world.client("foreign organiser").post("/api/v1/rehearsals/", wish, "json").status_code == 404
    plays = Play.objects.count()
    job = organiser.post("/api/v1/rehearsals/", wish | {"no_show": False}, "json").json()
    again = organiser.post("/api/v1/rehearsals/", wish, "json")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "rehearsed-now"), "one at a time"
    jobs.do(job_id=job["id"])
    done = organiser.get(f"/api/v1/jobs/{job['id']}/").json()
    assert (done["state"], done["outcome"]["plays"], done["outcome"]["lists_are_right"]) == ("done", 12, True)
    assert (copies(world).count(), Play.objects.count(), Submission.objects.count()) == (0, plays, 0)
    assert Job.objects.get().session == world.session
    assert organiser.post("/api/v1/rehearsals/", wish, "json").status_code == 202, "it is over"


def test_one_that_is_broken_off_leaves_nothing_either() -> None:
    world = a_world()

    def stop(done: float) -> None:
        if done > 0.3:
            raise jobs.NotHeld

    with pytest.raises(jobs.NotHeld):
        rehearsals.rehearse(session=world.session, actor=world.organiser, wish=AT_ONCE, tell=stop)
    assert copies(world).count() == 0
    left = rehearsals.copy(session=world.session, actor=None)
    rehearsals.forget(copy_id=left.pk, actor=None)
    rehearsals.forget(copy_id=world.session.pk, actor=None)
    assert list(Session.objects.filter(pk__in=[left.pk, world.session.pk])) == [world.session]


def test_an_operator_rehearses_by_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    world = a_world()
    call_command("rehearse", str(world.session.pk), "--seconds", "0", "--keep")
    said = capsys.readouterr().out
    assert f"The copy is session {copies(world).get().pk}." in said
    for arguments in (["999"], [str(world.session.pk), "--seconds", "-1"]):
        with pytest.raises(CommandError):
            call_command("rehearse", *arguments)


@pytest.mark.campaign
@pytest.mark.parametrize("game", here(sorted(registry.games()), one_in=7))
def test_every_game_is_rehearsed(game: str) -> None:
    world = a_world()
    the_game = registry.game(game)
    is_for_sides = len(the_game.sides_of({"seats": the_game.seats[0]})) < the_game.seats[0]
    session = sessions.set_up(
        tournament=world.session.tournament,
        actor=world.organiser,
        name=game,
        game=game,
        options={},
        method="matchpoints",
        movement="round-robin" if is_for_sides or the_game.seats[0] == 2 else "kirkman",
        contestants=[
            f"Contestant {n}" for n in range(1, 7 if is_for_sides or the_game.seats[0] == 2 else 10)
        ],
        boards_per_round=1,
        rounds=2,
    )
    report = rehearsals.rehearse(session=session, actor=None, wish=AT_ONCE)
    assert report.lists_are_right
    assert report.happened["plays"] > 0
    assert report.happened["missing"] == 0
