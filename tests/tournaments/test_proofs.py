"""What a version says it was made from: its digest, its rules, its sums and counts."""

from typing import Any

import pytest

import scoring
from scoring.amounts import LOW
from scoring.methods import METHODS
from tournaments import guards
from tournaments.models import Player, Ranking, Session, Tally
from tournaments.services import counting, proofs, recomputing, rulings, versions
from tournaments.services.differences import moves

from .worlds import World, a_world, hand_in, plays_of, work

pytestmark = pytest.mark.django_db


def sheet(*tricks: int) -> dict[str, Any]:
    return {"sheet": {"outcome": "normal", "tricks": list(tricks)}}


def newest(world: World) -> Ranking:
    session = world.refresh()
    return Ranking.objects.get(session=session, is_live=False, version=session.version)


def agrees(world: World) -> None:
    answer = recomputing.recompute(session=world.session)
    assert answer is not None
    assert answer.disagreements == ()


def test_a_digest_says_what_a_version_was_made_from_however_it_came_about() -> None:
    world = a_world()
    digests: list[str] = []

    def counted() -> None:
        work(world.session)
        made = newest(world)
        agrees(world)  # the recomputation makes the digest by other code
        assert made.rules == scoring.RULES
        assert made.invariants["holds"]
        digests.append(made.digest)

    play, other, *_ = plays_of(world.session)
    for one, tricks in ((play, (5, 3, 2)), (other, (3, 5, 2)), (play, (3, 5, 2))):
        hand_in(world, one, sheet(*tricks))
        counted()
    place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
    split = [{"kind": "artificial", "percent": "60", "own": "if better", "seats": [1]}]
    plan = rulings.on_play(session=world.session, place=place, decisions=split)
    ruling = rulings.rule(plan, actor=world.organiser, text="A card fell")
    counted()
    penalty = rulings.on_contestant(session=world.session, kind="penalty", contestant=2, amount="10")
    rulings.rule(penalty, actor=world.organiser, text="Slow play")
    counted()
    counting.memory.forget()
    rulings.reverse(ruling=ruling, actor=world.organiser, text="On appeal")
    counted()
    assert len(set(digests)) == len(digests)
    hand_in(world, play, sheet(5, 3, 2))
    counted()
    hand_in(world, play, sheet(3, 5, 2))
    counted()
    assert digests[-1] == digests[-3], "the same results, seats and decisions"


def test_a_wrong_digest_is_found() -> None:
    world = a_world()
    hand_in(world, plays_of(world.session)[0], sheet(5, 3, 2))
    work(world.session)
    with guards.away():
        Ranking.objects.filter(session=world.session).update(digest="0" * 64)
    answer = recomputing.recompute(session=world.session)
    assert answer is not None
    assert [one.of for one in answer.disagreements] == ["the digest"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_adds_up_and_a_wrong_sum_is_told(method: str) -> None:
    world = a_world(method=method)
    for at, play in enumerate(plays_of(world.session)[:7]):
        hand_in(world, play, sheet(*[(5, 3, 2), (3, 5, 2), (2, 3, 5)][at % 3]))
    work(world.session)
    told = newest(world).invariants
    assert told["holds"]
    assert told["boards"] == 21
    assert (told["shared_out"] > 0) == (method in proofs.SHARES_OUT)
    tally = Tally.objects.select_related("session__board_set").get(session=world.session)
    held, _lines = counting.up_to_date(tally)
    wrong = held.standings.with_lines({})
    contestant = next(iter(wrong.totals))
    wrong._amounts[contestant] += 1 << LOW
    assert not proofs.invariants(world.session, wrong)["holds"]


def test_the_versions_are_read_with_their_proofs_by_those_who_may_know_what_came_between() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session)[:2]:
        hand_in(world, play, sheet(5, 3, 2))
        work(world.session)
    address = f"/api/v1/sessions/{world.session.pk}/ranking/versions/"
    told = world.client("organiser").get(address).json()["results"]
    assert [one["version"] for one in told] == [1, 2]
    assert told[1]["digest"] == newest(world).digest
    assert told[1]["invariants"]["holds"] is True
    for stranger in ("anyone", "player", "table"):
        assert not world.client(stranger).get(address).json()["results"], "a digest tries out secret results"
    Player.objects.filter(memberships__session=world.session).update(account=world.organiser.role.account)
    assert not world.client("organiser").get(address).json()["results"]
    Session.objects.filter(pk=world.session.pk).update(state="played")
    assert len(world.client("anyone").get(address).json()["results"]) == 2


def test_whoever_is_disqualified_has_no_place_and_the_others_move_up() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session):
        hand_in(world, play, sheet(5, 3, 2) if play.table.number == 1 else sheet(3, 5, 2))
    work(world.session)
    before = versions.order_of(newest(world))
    (first, *rest) = [k for k, _position in before.positions.items()]
    number = world.session.contestants.get(pk=first).number
    plan = rulings.on_contestant(session=world.session, kind="disqualification", contestant=number)
    told = rulings.preview(plan)
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/rulings/"
    body = {"contestant": {"kind": "disqualification", "contestant": number}, "reason": "Looked at a board"}
    made = client.post(address, body, format="json")
    assert made.status_code == 201, made.content
    assert made.json()["words"] == "Disqualified: ranked without a place."
    work(world.session)
    after = versions.order_of(newest(world))
    agrees(world)
    assert [one.contestant for one in told] == [one.contestant for one in moves(before, after)]
    assert list(after.positions) == rest
    assert min(after.positions.values()) == 1
    ranking = client.get(f"/api/v1/sessions/{world.session.pk}/ranking/").json()["places"]
    assert (ranking[-1]["number"], ranking[-1]["rank"]) == (number, "")
    assert before.totals[first] == after.totals[first], "what it has won stays in the comparison"
    counting.memory.forget()
    state = {"state": "reversed", "reason": "On appeal"}
    assert client.put(f"{address}{made.json()['id']}/state/", state, format="json").status_code == 200
    work(world.session)
    agrees(world)
    assert versions.order_of(newest(world)).positions == before.positions


def test_a_penalty_of_the_catalogue_costs_everybody_the_same_and_says_what_for() -> None:
    world = a_world()
    client = world.client("organiser")
    catalogue = f"/api/v1/clubs/{world.session.tournament.club.slug}/penalties/"
    slow = {"name": "slow play", "amount": "10"}
    entry = client.post(catalogue, slow, format="json")
    assert (entry.status_code, entry.json()["unit"]) == (201, "percent"), entry.content
    assert client.post(catalogue, slow, format="json").status_code == 409
    for wrong in ({"name": "x", "amount": "0"}, {"name": "x", "amount": "1", "unit": "euros"}, {"name": "x"}):
        assert client.post(catalogue, wrong, format="json").status_code == 400, wrong
    assert [one["name"] for one in world.client("scorer").get(catalogue).json()["results"]] == ["slow play"]
    assert world.client("scorer").post(catalogue, slow, format="json").status_code == 403
    address, named = f"/api/v1/sessions/{world.session.pk}/rulings/", {"catalogue": entry.json()["id"]}
    hand_in(world, plays_of(world.session)[0], sheet(5, 3, 2))
    work(world.session)
    preview = client.post(f"{address}preview/", {"contestant": {"contestant": 1, **named}}, format="json")
    assert preview.status_code == 200, preview.content
    body = {"contestant": {"contestant": 1, **named}, "reason": "Twice warned"}
    made = client.post(address, body, format="json").json()
    assert made["kind"] == "penalty"
    assert made["words"] == "Penalty for slow play: 10% of a board."
    both = {"contestant": {"contestant": 1, **named, "kind": "penalty", "amount": "3"}, "reason": "So"}
    assert client.post(address, both, format="json").status_code == 400
    retired = f"{catalogue}{named['catalogue']}/state/"
    assert client.put(retired, {"state": "retired"}, format="json").status_code == 204
    assert client.post(address, body, format="json").status_code == 404
    assert client.post(catalogue, slow | {"amount": "20"}, format="json").status_code == 201
    assert client.get(f"{address}{made['id']}/").json()["words"] == made["words"], "it keeps what it said"
