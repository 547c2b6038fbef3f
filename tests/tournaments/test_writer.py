"""What waits is stored together: each sender gets an answer of their own, whatever becomes of the others."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from tests.running import PATIENCE
from tournaments.models import HistoryEntry, Play, Session, Submission, Token, access
from tournaments.models.accounts import AT_SESSION
from tournaments.services import accounts, bulk, queue, roles, sessions, storing, submissions, tokens, writer
from tournaments.services.deliveries import BadToken, Busy, Delivery, ResultEntry, Stored
from tournaments.services.errors import Conflict, Invalid, Missing
from tournaments.services.roles import RolePlace

from .worlds import ROLES, World, a_world, an_entry, plays_of

pytestmark = pytest.mark.django_db


def a_delivery(world: World, role: str, *entries: ResultEntry, language: str = "en") -> Delivery:
    return Delivery(world.session.pk, world.holder(role), entries, language)


def own_entry(world: World, **content: Any) -> ResultEntry:
    plays = Play.objects.filter(table=world.table.table).select_related("table__section", "board")
    return an_entry(plays[0], content or None)


def test_each_of_a_group_gets_its_own_answer_in_its_own_language() -> None:
    world = a_world()
    good, same = own_entry(world), own_entry(world)
    wrong = ResultEntry(good.section, good.table, good.board, uuid4(), good.content, check="?")
    ended = world.holder("scorer")
    Token.objects.filter(pk=ended.pk).update(revoked_at=ended.created_at)
    answers = storing.store([
        a_delivery(world, "table", good),
        a_delivery(world, "organiser", ResultEntry("Z", 1, 1, uuid4(), {}), language="fr"),
        a_delivery(world, "organiser", wrong),
        a_delivery(world, "scorer", own_entry(world)),
        Delivery(10**9, world.organiser, [own_entry(world)], "en"),
        a_delivery(world, "organiser", same, an_entry(plays_of(world.session)[-1])),
        a_delivery(world, "table", good),
        a_delivery(world, "player", own_entry(world)),
    ])  # fmt: skip
    kinds = [list, Missing, Invalid, BadToken, Missing, list, list, Missing]
    assert [type(answer) for answer in answers] == kinds
    assert "plateau" in str(answers[1]).lower() or "table" in str(answers[1]).lower()
    assert answers[0] == answers[6]  # the same key again, in the same group
    first, second, third = Submission.objects.order_by("pk")
    noted = HistoryEntry.objects.filter(verb="submitted").order_by("pk")
    assert [(one.actor, one.subject, one.detail) for one in noted] == [
        (str(world.table), f"submission {first.pk}", {"play": first.play_id}),
        (str(world.organiser), "2 submissions", {"ids": [[second.pk, third.pk]]}),
    ]


def test_a_bad_delivery_stores_nothing_and_takes_no_key_from_its_neighbour() -> None:
    world = a_world()
    entry = own_entry(world)
    half = a_delivery(world, "table", entry, ResultEntry("Z", 1, 1, uuid4(), {}))
    first, second = storing.store([half, a_delivery(world, "table", entry)])
    assert isinstance(first, Missing)
    assert isinstance(second, list)
    assert Submission.objects.get().pk == second[0].pk


def test_guesses_of_a_group_are_counted_together() -> None:
    world = a_world()
    deliveries = [a_delivery(world, "table", own_entry(world)) for _ in range(storing.REFUSALS_AT_MOST + 2)]
    answers = storing.store(deliveries)
    assert [isinstance(answer, Conflict) for answer in answers] == [False] * 10 + [True] * 2


def test_what_the_database_refuses_fails_alone(monkeypatch: Any) -> None:
    world = a_world()
    insert, poison = bulk.insert, own_entry(world, sheet="poison")

    def refuse(model: Any, columns: Any, **rest: Any) -> None:
        if model is Submission and poison.content in columns["content"]:
            raise DatabaseError("not storable")
        insert(model, columns, **rest)

    monkeypatch.setattr(storing.bulk, "insert", refuse)
    good, bad, other = storing.store(
        [a_delivery(world, "table", one) for one in (own_entry(world), poison, own_entry(world))]
    )
    assert (type(good), type(bad), type(other)) == (list, DatabaseError, list)
    assert Submission.objects.count() == 2


def test_who_may_enter_a_result_is_one_rule_read_in_two_ways() -> None:
    world = a_world()
    senders = [sender for role in ROLES if (sender := world.tokens[role]) is not None]
    for kind in AT_SESSION:
        account = accounts.create(name=kind.label)
        place = RolePlace(session=world.session)
        role, _new = roles.grant(account=account, kind=kind, place=place, actor=None)
        senders.append(tokens.make(role=role, name="test", scopes=["read"], actor=account)[0])
    counts = set()
    for sender in senders:
        may = set(Play.objects.entered_by(sender).values_list("pk", flat=True))
        counts.add(len(may))
        for play in Play.objects.select_related("table__section__session__tournament"):
            section = play.table.section
            club = section.session.tournament.club_id
            enters = access.enters(sender, session=section.session_id, club=club)
            assert enters(play.table_id, section.club_id) == (play.pk in may), str(sender)
    assert counts == {0, 4, 12}  # nobody’s, a table’s, a session’s


def test_the_answer_shows_what_the_resource_shows() -> None:
    world = a_world()
    entry = own_entry(world)
    body = {"section": entry.section, "table": entry.table, "board": entry.board, "key": str(entry.key)}
    client = world.client("organiser")
    answer = client.post(f"/api/v1/sessions/{world.session.pk}/submissions/", body | entry.content)
    assert answer.status_code == 202
    assert client.get(f"/api/v1/submissions/{answer.json()['id']}/").json() == answer.json()


# ── The thread ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def running(monkeypatch: Any) -> Iterator[writer.Writer]:
    one = writer.Writer()
    monkeypatch.setattr(submissions, "carry", one.carry)
    monkeypatch.setattr(queue, "send", lambda *_, **__: None)
    yield one
    one.end()


def hand_in(world: World, entry: ResultEntry) -> Stored:
    return submissions.submit(session_id=world.session.pk, sender=world.organiser, entries=[entry])[0]


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_stored_in_few_groups_and_each_is_answered(
    running: writer.Writer, monkeypatch: Any
) -> None:
    world = a_world()
    entries = [an_entry(play) for play in plays_of(world.session)] * 4
    groups: list[int] = []
    store = storing.store

    def counted(deliveries: Any, **rest: Any) -> Any:
        groups.append(len(deliveries))
        return store(deliveries, **rest)

    monkeypatch.setattr(storing, "store", counted)
    with ThreadPoolExecutor(16) as senders:
        stored = list(senders.map(lambda entry: hand_in(world, entry), entries))
    assert [one.key for one in stored] == [entry.key for entry in entries]
    assert Submission.objects.count() == 12
    assert sum(groups) == len(entries)
    assert max(groups) > 1


@pytest.mark.django_db(transaction=True)
def test_a_lost_connection_is_an_outage_and_the_next_result_is_stored(
    running: writer.Writer, monkeypatch: Any
) -> None:
    world = a_world()
    first, second = (an_entry(play) for play in plays_of(world.session)[:2])
    hand_in(world, first)
    with monkeypatch.context() as broken:
        broken.setattr(history_of(), "keep", lost)
        with pytest.raises(OperationalError):
            hand_in(world, second)
    assert Submission.objects.count() == 1
    assert hand_in(world, second).key == second.key
    assert Submission.objects.count() == 2


def history_of() -> Any:
    return storing.history


def lost(*_: Any) -> None:
    connection.close()
    raise OperationalError("the connection is lost")


@pytest.mark.django_db(transaction=True)
def test_a_writer_that_has_ended_is_started_again(running: writer.Writer, monkeypatch: Any) -> None:
    world = a_world()
    first, second = (an_entry(play) for play in plays_of(world.session)[:2])
    hand_in(world, first)
    ended = running.thread
    running.end()
    assert ended is not None
    assert not ended.is_alive()
    assert hand_in(world, second).key == second.key


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="needs DATABASE_URL to name PostgreSQL")
def test_a_session_that_is_being_changed_keeps_no_other_waiting(running: writer.Writer) -> None:
    world = a_world()
    foreign = Session.objects.exclude(pk=world.session.pk).get()
    own, other = an_entry(plays_of(world.session)[0]), an_entry(plays_of(foreign)[0])
    with ThreadPoolExecutor(2) as sender:
        with transaction.atomic():
            sessions.finish(session=world.session, actor=None)
            (busy,) = storing_aside([a_delivery(world, "organiser", own)])
            assert isinstance(busy, Busy)
            waiting = sender.submit(hand_in, world, own)
            sender.submit(
                submissions.submit,
                session_id=foreign.pk,
                sender=world.holder("foreign organiser"),
                entries=[other],
            ).result(PATIENCE)
            assert not waiting.done()
        assert waiting.result(PATIENCE).key == own.key


def storing_aside(deliveries: list[Delivery]) -> Any:
    """Stored by a connection of its own, which does not wait."""

    def aside() -> Any:
        try:
            return storing.store(deliveries, patient=False)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        return other.submit(aside).result(PATIENCE)


def test_what_was_acknowledged_is_on_the_disk() -> None:
    setting, most = {
        "sqlite": ("PRAGMA synchronous", 2),  # FULL
        "postgresql": ("SHOW synchronous_commit", "on"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(setting)
        assert cursor.fetchone() == (most,)
