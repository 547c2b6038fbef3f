"""What is asked for at the same moment: numbers stay different, a file is imported once, and no result comes
after the end of its session.

On SQLite a transaction that writes waits for the one before; only PostgreSQL lets two run side by side.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier
from time import sleep
from typing import TypeVar

import pytest
from django.db import connection, transaction

from tournaments.models import (
    Account,
    Call,
    Invitation,
    Player,
    RegistrationList,
    Result,
    Role,
    Session,
    Submission,
    Tournament,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    calls,
    counting,
    duplicates,
    evenings,
    invitations,
    judging,
    names,
    player_links,
    register,
    registrations,
    reseating,
    result_files,
    roles,
    sessions,
    submissions,
    tokens,
)
from tournaments.services.errors import Conflict
from tournaments.services.register_files import Effect
from tournaments.services.roles import FEDERATION, RolePlace

from .test_evenings import FIRST_ROUND
from .test_result_files import a_scorer, as_text, filled
from .worlds import NAMES, World, a_club, a_world, an_entry, plays_of, work

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="needs DATABASE_URL to name PostgreSQL"),
]
T = TypeVar("T")


def beside(first: Callable[[], object], second: Callable[[], T]) -> Future[T]:
    """The second's future: it was begun, in a transaction of its own, while the first's was still open."""

    def in_a_thread() -> T:
        try:
            return second()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            first()
            future = other.submit(in_a_thread)
            while not (future.done() or another_waits_for_this()):
                sleep(0.01)
        return future


def another_waits_for_this() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return cursor.fetchone() is not None


def a_tournament() -> Tournament:
    return Tournament.objects.create(club=a_club(), name="At once")


def set_up(tournament: Tournament) -> Session:
    return sessions.set_up(
        tournament=tournament,
        actor=None,
        name="Evening",
        game="comon",
        options={},
        method="matchpoints",
        movement="kirkman",
        contestants=[f"P{n}" for n in range(9)],
        boards_per_round=1,
    )


def hand_in(tournament: Tournament) -> Session:
    return evenings.import_evening(
        tournament=tournament,
        actor=None,
        name="Paper",
        text=FIRST_ROUND,
        game="comon",
        method="matchpoints",
        options={},
    )


def test_two_sessions_of_a_tournament_have_different_numbers() -> None:
    tournament = a_tournament()
    second = beside(lambda: set_up(tournament), lambda: set_up(tournament))
    assert second.result().number == 2


def test_a_file_that_is_handed_in_twice_is_imported_once() -> None:
    first, other = a_tournament(), a_tournament()
    with transaction.atomic():
        register.players_named(first.club, NAMES)  # new ones would wait for each other
    second = beside(lambda: hand_in(first), lambda: hand_in(other))
    with pytest.raises(Conflict, match="already"):
        second.result()
    assert Session.objects.count() == 1


def test_two_files_of_one_session_are_both_stored_and_the_later_row_of_each_play_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In pieces, from both ends of the evening: whichever waits for the other, none is lost or taken back."""
    monkeypatch.setattr(result_files, "AT_ONCE", 2)
    session = set_up(a_tournament())
    plays, both = plays_of(session), Barrier(2)
    texts = []
    for tricks, backwards in (([10, 0, 0], False), ([0, 10, 0], True)):
        account = a_scorer(session, f"Scorer {tricks}")
        sheets = {play.pk: {"outcome": "normal", "tricks": tricks} for play in plays}
        head, *rows = filled(session, account, "en", sheets)
        texts.append((account, as_text([head, *(rows[::-1] if backwards else rows)])))

    def bring(account: Account, text: str) -> dict[Effect, int]:
        both.wait()
        try:
            return result_files.hand_in(session=session, account=account, text=text, reason="both were kept")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        told = [one.result() for one in [pool.submit(bring, *given) for given in texts]]
    assert all(one[Effect.NEW] + one[Effect.CHANGED] == len(plays) for one in told)
    work(session)
    for play in plays:
        sheets = list(play.submissions.order_by("pk").values_list("pk", "content"))
        assert sorted(content["sheet"]["tricks"] for _pk, content in sheets) == [[0, 10, 0], [10, 0, 0]]
        assert Result.objects.get(play=play).submission_id == sheets[-1][0]


def test_two_tokens_for_one_new_name_are_those_of_one_person() -> None:
    club = a_club()

    def a_token() -> int:
        token, _text = tokens.issue_for_role(person="New", club=club, kind=Role.Kind.ORGANISER)
        assert token.role is not None
        return token.role.account_id

    assert beside(a_token, a_token).result() == Account.objects.get(name="New").pk


@pytest.mark.parametrize("where", ["club", "federation"])
def test_of_two_administrators_who_leave_one_stays(where: str) -> None:
    place = RolePlace(a_club()) if where == "club" else FEDERATION
    held = [
        roles.grant(account=accounts.create(name=name), kind=RoleKind.ADMINISTRATOR, place=place, actor=None)[
            0
        ]
        for name in ("Ana", "Bea")
    ]
    second = beside(
        lambda: roles.revoke(role=held[0], actor=held[0].account),
        lambda: roles.revoke(role=held[1], actor=held[1].account),
    )
    with pytest.raises(Conflict, match="last administrator"):
        second.result()
    assert Role.objects.in_force().get() == held[1]


def test_two_who_follow_one_invitation_get_one_role() -> None:
    invitation, _secret = invitations.invite(kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=None)
    people = [accounts.create(name=name) for name in ("Ana", "Bea")]
    second = beside(
        lambda: invitations.accept(invitation=invitation, account=people[0]),
        lambda: invitations.accept(invitation=invitation, account=people[1]),
    )
    with pytest.raises(Conflict, match="no longer"):
        second.result()
    assert Role.objects.get().account == people[0]


def test_two_links_of_the_first_start_make_one_administrator() -> None:
    links = [
        invitations.invite(kind=RoleKind.ADMINISTRATOR, place=FEDERATION, actor=None, is_first=True)[0]
        for _ in range(2)
    ]
    people = [accounts.create(name=name) for name in ("Ana", "Eve")]
    second = beside(
        lambda: invitations.accept(invitation=links[0], account=people[0]),
        lambda: invitations.accept(invitation=links[1], account=people[1]),
    )
    with pytest.raises(Conflict):
        second.result()
    assert Role.objects.get().account == people[0]
    assert Invitation.objects.filter(accepted_at=None).count() == 1


def from_its_table(world: World, which: int = 0) -> None:
    play = [play for play in plays_of(world.session) if play.table_id == world.table.table_id][which]
    submissions.submit(session_id=world.session.pk, sender=world.table, entries=[an_entry(play)])


def test_who_judges_keeps_nobody_from_handing_in() -> None:
    """A submission is locked while it is judged, and nothing else that whoever hands in needs, the first time
    at least: of a play that has a result, what is said meanwhile waits."""
    world = a_world()
    from_its_table(world)
    judging.judge()  # the first result starts the session, in a transaction of its own
    from_its_table(world, 1)

    def another() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '10s'")
        try:
            from_its_table(world, 1)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        assert judging.judge().sessions == (world.session.pk,)
        other.submit(another).result()
    assert Submission.objects.count() == 3


def test_finishing_waits_for_the_results_that_are_being_stored() -> None:
    world = a_world()

    def count_after_finish() -> int:
        sessions.finish(session=world.session, actor=None)
        return Submission.objects.count()

    assert beside(lambda: from_its_table(world), count_after_finish).result() == 1


def test_a_result_that_comes_while_the_session_is_being_finished_is_too_late() -> None:
    world = a_world()
    late = beside(lambda: sessions.finish(session=world.session, actor=None), lambda: from_its_table(world))
    with pytest.raises(Conflict, match="finished"):
        late.result()
    assert not Submission.objects.exists()


def test_one_person_is_not_entered_from_two_sides_at_once() -> None:
    """In two sessions that play the same boards, each of which looks for the other before it is there."""
    first, other = a_tournament(), a_tournament()
    with transaction.atomic():
        players = register.players_named(first.club, NAMES)
    wish = {"name": "Evening", "game": "comon", "options": {}, "method": "matchpoints", "boards_per_round": 1}
    contestants = [{"players": [players[name]]} for name in NAMES[:9]]
    plan = sessions.plan(tournament=first, movement="kirkman", contestants=contestants, **wish)
    second = beside(
        lambda: sessions.store(plan, tournament=first, actor=None),
        lambda: sessions.store(plan, tournament=other, actor=None),
    )
    with pytest.raises(Conflict, match="Joueur 01 is entered already"):
        second.result()
    assert Session.objects.count() == 1


def test_who_is_merged_while_somebody_enters_them_is_not_entered_under_a_line_that_is_gone() -> None:
    tournament = a_tournament()
    with transaction.atomic():
        players = register.players_named(tournament.club, NAMES)
    kept, merged = (Player.objects.select_related("club").get(pk=players[name]) for name in NAMES[:2])
    contestants = [{"players": [players[name]]} for name in NAMES[1:10]]
    wish = {"name": "Evening", "game": "comon", "options": {}, "method": "matchpoints", "boards_per_round": 1}
    plan = sessions.plan(tournament=tournament, movement="kirkman", contestants=contestants, **wish)
    second = beside(
        lambda: duplicates.merge(kept=kept, merged=merged, actor=None),
        lambda: sessions.store(plan, tournament=tournament, actor=None),
    )
    with pytest.raises(Conflict, match="left the register"):
        second.result()


def test_two_names_that_are_typed_at_once_are_one_new_player() -> None:
    club = a_club()

    @transaction.atomic
    def typed() -> dict[str, int]:
        return register.players_named(club, ["Zoé Petit"])

    second = beside(typed, typed)
    assert second.result() == register.players_named(club, ["Zoé Petit"])


def a_list(limit: int) -> tuple[RegistrationList, list[Player]]:
    players = [Player.objects.create(club=a_club(), given_name=f"P{n}") for n in range(2)]
    the_list = registrations.open_list(
        tournament=a_tournament(), actor=accounts.create(name="Ana"), name="Tuesday", limit=limit
    )
    return the_list, players


def enters(the_list: RegistrationList, player: Player) -> Callable[[], object]:
    actor = Account.objects.get(name="Ana")
    return lambda: registrations.enter(the_list=the_list, players=[player.pk], actor=actor, is_official=False)


def test_of_two_who_ask_for_the_last_place_the_second_waits() -> None:
    the_list, players = a_list(limit=1)
    beside(enters(the_list, players[0]), enters(the_list, players[1])).result()
    places = registrations.places(the_list, names.OPERATOR)
    assert [(one.players, one.waits) for one in places] == [([players[0].pk], False), ([players[1].pk], True)]


def test_a_player_who_enters_in_two_tabs_stands_in_the_list_once() -> None:
    the_list, players = a_list(limit=1)
    with pytest.raises(Conflict, match="already"):
        beside(enters(the_list, players[0]), enters(the_list, players[0])).result()
    assert len(registrations.places(the_list, names.OPERATOR)) == 1


def test_a_link_that_two_browsers_use_is_good_for_one() -> None:
    player = Player.objects.create(club=a_club(), given_name="P")
    link, _secret = player_links.offer(player=player, actor=None)
    with pytest.raises(Conflict, match="no longer"):
        beside(lambda: player_links.use(link=link), lambda: player_links.use(link=link)).result()
    assert player.tokens.count() == 1


def test_one_worker_at_a_time_makes_the_lists_of_a_session() -> None:
    """Another process would work out the same beside it. What ends is another's turn, as with a connection
    that breaks."""
    one, another = counting.Turns(9), counting.Turns(9)

    def is_free(session_id: int) -> bool:
        def turn() -> bool:
            with another.of(session_id) as is_mine:
                return is_mine

        return beside(lambda: None, turn).result()

    with one.of(1) as is_mine:
        assert is_mine
        assert not is_free(1)
        assert is_free(2)
    assert is_free(1)
    with pytest.raises(ZeroDivisionError), one.of(1):
        1 / 0  # noqa: B018 - what fails has had its turn
    assert is_free(1)


def test_seats_are_written_down_while_somebody_else_settles_the_call_about_them() -> None:
    world = a_world()
    play = plays_of(world.session)[0]
    made = calls.call(table=play.table, actor=world.table, reason=Call.Reason.SEATS)
    plan = reseating.plan(session=world.session, kind="seats", table=1, number=1, order=[2, 1, 3])
    before = list(play.seatings.order_by("seat").values_list("contestant", flat=True))

    def settles() -> None:
        calls.answer(call=made, actor=world.holder("scorer"), state=Call.State.DONE)

    stored = beside(settles, lambda: reseating.store(plan, actor=world.organiser, answers_call=True))
    assert stored.result().pk == world.session.pk
    after = list(play.seatings.order_by("seat").values_list("contestant", flat=True))
    assert after == [before[1], before[0], before[2]]
    made.refresh_from_db()
    assert made.state == Call.State.DONE
