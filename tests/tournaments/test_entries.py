"""Who is entered in a session: players of the register, teams, nobody twice; and who plays in whose place."""

from dataclasses import replace
from typing import Any

import pytest

from tournaments.models import (
    Account,
    Custody,
    HistoryEntry,
    Member,
    Player,
    Role,
    Session,
    Substitution,
    Tournament,
)
from tournaments.services import duplicates, entries, register, replanning, sessions, substitutes
from tournaments.services.errors import Conflict, Forbidden, Invalid, Missing
from tournaments.services.register import Details

from .test_register import a_player, caller
from .worlds import NAMES, a_club, a_session

pytestmark = pytest.mark.django_db

PAIRS: dict[str, Any] = {
    "game": "cochonnet",
    "movement": "round-robin",
    "boards_per_round": 1,
    "method": "matchpoints",
}


def a_tournament(club: str = "Club A") -> Tournament:
    return Tournament.objects.create(club=a_club(club), name="Cup")


def set_up(*contestants: Any, tournament: Tournament | None = None, **wish: Any) -> Session:
    return sessions.set_up(
        tournament=tournament or a_tournament(),
        actor=None,
        **{"name": "Evening", "options": {}, **PAIRS, "contestants": contestants, **wish},
    )


def six(n: int = 6) -> list[Player]:
    return [a_player(f"P{n}", "Roux") for n in range(n)]


def pair(*players: Player, name: str = "") -> dict[str, Any]:
    return {"players": [one.pk for one in players], "name": name}


# ── Contestants are players of the register ───────────────────────────────────────────────────────


def test_pairs_are_entered_by_the_ids_of_their_players_beside_names() -> None:
    p = six(7)
    session = set_up(pair(p[0], p[1]), pair(p[2], p[3], name="The Foxes"), "P4 Roux", pair(p[5]))
    called = [
        (one.name, one.named_by_players, [m.player_id for m in one.members.order_by("pk")])
        for one in session.contestants.order_by("number")
    ]
    assert called == [
        ("P0 Roux – P1 Roux", True, [p[0].pk, p[1].pk]),
        ("The Foxes", False, [p[2].pk, p[3].pk]),
        ("P4 Roux", True, [p[4].pk]),
        ("P5 Roux", True, [p[5].pk]),
    ]
    for one in (p[0], p[2]):
        details = Details("New", "Name")
        register.change(player=one, actor=None, details=details, seen=register.stamp(one))
    names = session.contestants.order_by("number").values_list("name", flat=True)
    assert list(names)[:2] == ["New Name – P1 Roux", "The Foxes"]


@pytest.mark.parametrize("how", ["one contestant", "two contestants", "id and name", "merged", "one account"])
def test_nobody_is_entered_twice_in_a_session(how: str) -> None:
    p = six()
    rest: list[Any] = [pair(p[4]), pair(p[5])]
    twice: list[Any] = [pair(p[0], p[1]), pair(p[2], p[3])]
    if how == "one contestant":
        twice[0] = pair(p[0], p[0])
    elif how == "two contestants":
        twice[1] = pair(p[0], p[3])
    elif how == "id and name":
        twice[1] = "P0 Roux"
    elif how == "merged":
        p[3].club = a_club()
        duplicates.merge(kept=p[0], merged=p[3], actor=None)
        twice[1] = p[3].name
    else:
        account = Account.objects.create(name="Ana")
        Player.objects.filter(pk__in=[p[0].pk, p[3].pk]).update(account=account)
    with pytest.raises(Invalid, match="Roux is entered twice"):
        set_up(*twice, *rest)
    assert not Session.objects.exists()


def test_who_is_not_in_the_register_is_named() -> None:
    stranger = a_player(club=a_club("Club B"))
    for contestants in ([pair(stranger), "B", "C", "D"], [pair(stranger, stranger), "B", "C", "D"]):
        for refuse in (set_up, lambda *given: entries.check(a_club(), given)):
            with pytest.raises(Invalid, match=f"no player with the id {stranger.pk}") as refused:
                refuse(*contestants)
            assert stranger.name not in str(refused.value)
    assert Player.objects.count() == 1


def test_nobody_plays_the_same_boards_in_two_sessions() -> None:
    p = six()
    first = set_up(*map(pair, p[:4]))
    seed, manifest = b"s" * 32, first.board_set.manifest or {}

    def again(*contestants: Any, tournament: Tournament | None = None) -> Session:
        tournament = tournament or first.tournament
        plan = sessions.plan(
            tournament=tournament, **{"name": "Beside", "options": {}, **PAIRS, "contestants": contestants}
        )
        return sessions.store(replace(plan, seed=seed, manifest=manifest), tournament=tournament, actor=None)

    with pytest.raises(Conflict, match="P3 Roux is entered already in “Evening”, as contestant 4") as refused:
        again(pair(p[3]), "New 1", "New 2", "New 3")
    assert refused.value.details == {"player": p[3].pk, "session": first.pk, "number": 4}
    assert not Player.objects.filter(given_name="New").exists()
    again(pair(p[4]), "New 1", "New 2", "New 3")
    set_up(*map(pair, p[:4]))  # other boards, on another evening
    # In another club's register too, once one account has claimed both lines.
    account = Account.objects.create(name="Ana")
    visitor = a_player("Ana", "Visitor", club=a_club("Club B"))
    Player.objects.filter(pk__in=[visitor.pk, p[0].pk]).update(account=account)
    with pytest.raises(Conflict, match="Ana Visitor is entered already at another club") as refused:
        again(pair(visitor), "B1", "B2", "B3", tournament=a_tournament("Club B"))
    assert refused.value.details == {"player": visitor.pk}, "not with whom they play there"
    assert not any(word in str(refused.value) for word in ("Roux", "Evening", "contestant"))


def test_who_arrives_may_be_named_by_the_register_and_not_be_there_already() -> None:
    session = a_session(players=9)
    ana = a_player("Ana", "Durand")
    there = Member.objects.filter(session=session).earliest("pk").player
    with pytest.raises(Invalid, match="different name"):
        replanning.replan(session=session, actor=None, after=1, leaving=[3], arriving=[pair(there)])
    there.family_name = "Other"
    there.save()
    with pytest.raises(Conflict, match="entered already in “Evening”, as contestant 1"):
        replanning.replan(session=session, actor=None, after=1, leaving=[3], arriving=[pair(there)])
    replanning.replan(session=session, actor=None, after=1, leaving=[3], arriving=[pair(ana)])
    new = session.contestants.get(number=10)
    assert (new.name, new.players.get()) == ("Ana Durand", ana)
    replanning.replan(session=session, actor=None, after=2, leaving=[10], arriving=[NAMES[2]])
    replanning.replan(session=session, actor=None, after=3, leaving=[3], arriving=[pair(ana)])
    assert session.contestants.count() == 10  # who comes back is who had left


def test_a_set_up_by_the_api_says_at_once_who_cannot_be_entered() -> None:
    _token, client = caller(Role.Kind.ORGANISER)
    p = six()
    where = f"/api/v1/tournaments/{a_tournament().pk}/sessions/"
    wish = {"name": "Cup", **PAIRS, "contestants": [pair(p[0], p[1]), "B", "C", "D"]}
    assert client.post(where, wish, format="json").status_code == 202
    a_player("Two", "Alike", number="1")
    a_player("Two", "Alike", number="2")
    for wrong, code in (
        (pair(p[0], p[0]), "player-twice"),
        ({"players": [10**9]}, "no-such-player"),
        ("Two Alike", "several-of-one-name"),
        ({"players": []}, "invalid"),
        ({"players": [1], "colour": "red"}, "invalid"),
        ({"players": [True]}, "invalid"),
        ({"name": "Nobody"}, "invalid"),
        ("", "invalid"),
        (7, "invalid"),
    ):
        answer = client.post(where, {**wish, "contestants": [wrong, "B", "C", "D"]}, format="json")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, code), wrong


def test_every_contestant_who_cannot_be_entered_is_told_in_one_answer() -> None:
    """Whoever mends the first would only meet the second otherwise."""
    _token, client = caller(Role.Kind.ORGANISER)
    p = six()
    a_player("Two", "Alike", number="1")
    a_player("Two", "Alike", number="2")
    where = f"/api/v1/tournaments/{a_tournament().pk}/sessions/"
    given = [
        pair(p[0], p[1]),
        {"players": [10**9, p[2].pk]},
        "Zoé",
        "Two Alike",
        pair(p[3], p[1]),
        "Zoé",
        pair(p[4], p[4]),
        pair(p[5]),
        p[5].name,
    ]
    answer = client.post(where, {"name": "Cup", **PAIRS, "contestants": given}, format="json")
    told = answer.json()
    assert (answer.status_code, told["code"]) == (400, "contestants"), "the first that is found"
    assert told["details"]["names"] == ["Zoé"]
    assert [(row["index"], row["state"], row["code"]) for row in told["details"]["rows"]] == [
        (1, "refused", "no-such-player"),
        (3, "refused", "several-of-one-name"),
        (4, "refused", "player-twice"),
        (5, "refused", "contestants"),
        (6, "refused", "player-twice"),
        (8, "refused", "player-twice"),
    ]
    assert told["details"]["rows"][0]["details"] == {"players": [10**9]}
    assert all(row["message"] for row in told["details"]["rows"])


# ── Substitutes ───────────────────────────────────────────────────────────────────────────────────


def enter(
    session: Session, player: Player, *, contestant: int = 1, rounds: tuple[int, int] = (2, 3), **how: Any
) -> Substitution:
    member = session.contestants.get(number=contestant).members.earliest("pk").player_id
    asked = {"actor": None, "for_player": member, **how}
    return substitutes.substitute(
        session=session,
        contestant=contestant,
        player=player.pk,
        first_round=rounds[0],
        last_round=rounds[1],
        **asked,
    )


@pytest.mark.parametrize(("rule", "expected"), [
    ("both", ["substitute", "member"]), ("substitute", ["substitute"]), ("member", ["member"])
])  # fmt: skip
def test_a_substitute_keeps_the_contestant_and_is_credited_as_the_session_says(
    rule: str, expected: list[str]
) -> None:
    p = six()
    session = set_up(*map(pair, p[:4]), substitutes_credited=rule)
    before = list(session.contestants.order_by("pk").values())
    made = enter(session, p[4])
    assert list(session.contestants.order_by("pk").values()) == before
    who = {p[4].pk: "substitute", p[0].pk: "member"}
    assert [who[one.pk] for one in substitutes.credited(made)] == expected
    entry = HistoryEntry.objects.get(verb="substituted", session=session)
    assert entry.detail == {"contestant": 1, "player": p[4].pk, "for_player": p[0].pk, "rounds": [2, 3]}


def test_who_cannot_be_a_substitute_is_told_why() -> None:
    p = six()
    session = set_up(*map(pair, p[:4]))
    enter(session, p[4], rounds=(1, 2))
    for refused, how in (
        ("P1 Roux is entered already", {"player": p[1], "rounds": (3, 3)}),
        ("P4 Roux plays for P0 Roux in these rounds already", {"player": p[5], "rounds": (2, 3)}),
        ("P4 Roux is entered already", {"player": p[4], "contestant": 2}),
        ("rounds 1 to 3", {"player": p[5], "rounds": (3, 4)}),
        ("rounds 1 to 3", {"player": p[5], "rounds": (3, 2)}),
        ("no such member", {"player": p[5], "for_player": p[1].pk}),
        ("no player with the id", {"player": a_player(club=a_club("Club B"))}),
    ):
        with pytest.raises((Conflict, Invalid, Missing), match=refused):
            enter(session, **how)
    keeper = Account.objects.create(name="Keeper")
    Custody.objects.create(board_set=session.board_set, account=keeper)
    Player.objects.filter(pk=p[5].pk).update(account=keeper)
    with pytest.raises(Conflict, match="Keeper has had custody"):
        enter(session, p[5], rounds=(3, 3))
    Player.objects.filter(pk=p[5].pk).update(account=None)
    enter(session, p[4], rounds=(3, 3))  # the same again, for the same contestant
    with pytest.raises(Conflict, match="P4 Roux is entered already"):
        replanning.replan(session=session, actor=None, after=2, leaving=[2], arriving=[pair(p[4])])
    one = substitutes.of(session).earliest("pk")
    substitutes.undo(substitution=one, actor=None)
    substitutes.undo(substitution=one, actor=None)
    assert HistoryEntry.objects.filter(verb="undid substitution").count() == 1
    enter(session, p[5], rounds=(1, 2))


def test_substitutes_by_the_api_and_who_may_enter_them() -> None:
    p = six()
    _token, client = caller(Role.Kind.ORGANISER)
    scorer, other = caller(Role.Kind.SCORER)
    session = set_up(*map(pair, p[:4]))
    where = f"/api/v1/sessions/{session.pk}/substitutions/"
    body = {"contestant": 1, "player": p[4].pk, "for_player": p[0].pk, "first_round": 1, "last_round": 1}
    assert other.post(where, body, format="json").status_code == 403
    with pytest.raises(Forbidden):
        enter(session, p[4], actor=scorer)
    made = client.post(where, body, format="json")
    assert made.status_code == 201, made.content
    assert made.json()["credited"] == [p[4].pk, p[0].pk]
    assert [one["id"] for one in client.get(where).json()["results"]] == [made.json()["id"]]
    assert client.post(where, body, format="json").json()["error"]["code"] == "substituted-already"
    assert client.post(where, body | {"contestant": 9}, format="json").status_code == 404
    own, undone = f"{where}{made.json()['id']}/state/", {"state": "undone"}
    answers = [one.put(own, undone, format="json") for one in (other, client)]
    assert [answer.status_code for answer in answers] == [403, 200]
    assert client.get(where).json()["results"] == []
