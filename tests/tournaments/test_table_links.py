"""Links of tables: codes that one can type and nobody guesses, and what comes by one that has ended."""

import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from tests.tournaments.worlds import World, hand_in, plays_of, work
from tournaments.models import Account, LateEntry, Role, Submission, TableLink
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, own_table, roles, rounds, table_links
from tournaments.services.errors import Conflict, Missing
from tournaments.services.roles import RolePlace

SHEET = {"outcome": "normal", "tricks": [4, 4, 2]}


def linked(world: World) -> tuple[TableLink, str]:
    (link, code), *_others = table_links.codes(table_links.make(session=world.session, actor=world.organiser))
    return link, code


def an_official(world: World, kind: RoleKind = RoleKind.DIRECTOR) -> Account:
    account = accounts.create(name="Dora", email="dora@example.org", password=None)
    roles.grant(account=account, kind=kind, place=RolePlace(session=world.session), actor=None)
    return account


def first_board(link: TableLink, number: int = 1) -> int:
    return next(
        one.board.number
        for one in plays_of(link.table.section.session)
        if one.table_id == link.table_id and one.round == number
    )


def test_a_code_can_be_typed_is_in_no_column_and_finds_its_table(world: World) -> None:
    link, code = linked(world)
    assert re.fullmatch(r"[2-9A-HJ-KM-NP-TV-Z]{10}", code)
    found = table_links.with_code(f"{code[:4].lower()}-{code[4:8]} {code[8:]}")
    assert found == link
    assert code not in str(TableLink.objects.values_list()) + str(link.token.__dict__)
    codes = {one for _link, one in table_links.codes(table_links.in_force(world.session, world.organiser))}
    assert len(codes) == 3
    assert table_links.make(session=world.session, actor=world.organiser) == []  # they are there
    for wrong in ("", "2222222222", code[:-1], code + "2", "O" * 10):
        assert table_links.with_code(wrong) is None
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert (table_links.with_code(code), table_links.code_of(link)) == (link, code)
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=[]):
        assert (table_links.with_code(code), table_links.code_of(link)) == (None, None)


def test_a_new_link_ends_the_one_before_and_what_that_still_brings_waits_for_the_director(
    world: World,
) -> None:
    link, code = linked(world)
    (new,) = table_links.make(session=world.session, actor=world.organiser, tables=[link.table_id])
    old = table_links.with_code(code)
    assert old is not None
    assert not table_links.is_in_force(old)
    assert table_links.is_in_force(new)
    key, board = uuid4(), first_board(link)
    kept = [table_links.hand_in(link=old, board=board, key=key, sheet=SHEET) for _time in range(2)]
    assert kept[0] == kept[1] == LateEntry.objects.get()
    assert not Submission.objects.exists()
    with pytest.raises(Missing):
        table_links.hand_in(link=old, board=99, key=uuid4(), sheet=SHEET)
    dora = an_official(world)
    assert list(table_links.late(world.session, dora)) == [kept[0]]
    other = an_official_of_nothing()
    assert not table_links.late(world.session, other).exists()
    for _time in range(2):
        table_links.settle(entry=LateEntry.objects.get(), account=dora, take=True)
    work(world.session)
    submission = Submission.objects.get()
    assert (submission.state, submission.role.kind) == ("accepted", Role.Kind.DIRECTOR)  # type: ignore[union-attr]
    assert not table_links.late(world.session, dora).exists()


def an_official_of_nothing() -> Account:
    return accounts.create(name="Nemo", email="nemo@example.org", password=None)


def test_a_round_that_is_closed_sends_what_comes_to_the_director_and_one_that_waits_refuses(
    world: World,
) -> None:
    link, _code = linked(world)
    organiser = world.organiser
    rounds.pace(session=world.session, actor=organiser, pace=rounds.Pace())
    rounds.open_round(session=world.session, actor=organiser, number=1)
    with pytest.raises(Conflict, match="not begun"):
        table_links.hand_in(link=link, board=first_board(link, 2), key=uuid4(), sheet=SHEET)
    rounds.close_round(session=world.session, actor=organiser, number=1)
    late = table_links.hand_in(link=link, board=first_board(link), key=uuid4(), sheet=SHEET)
    assert isinstance(late, LateEntry)
    table_links.settle(entry=late, account=an_official(world), take=False)
    assert (LateEntry.objects.get().settled_at is not None, Submission.objects.count()) == (True, 0)
    for _time in range(table_links.LATE_AT_MOST):
        table_links.hand_in(link=link, board=first_board(link), key=uuid4(), sheet=SHEET)
    with pytest.raises(Conflict, match="already"):
        table_links.hand_in(link=link, board=first_board(link), key=uuid4(), sheet=SHEET)


def test_a_phone_that_is_handed_on_shows_no_result_of_an_earlier_round(world: World) -> None:
    """Who sits there now may play that board later, elsewhere."""
    link, _code = linked(world)
    plays = [one for one in plays_of(world.session) if one.table_id == link.table_id]
    first, second = (next(one for one in plays if one.round == number) for number in (1, 2))
    hand_in(world, first)
    work(world.session)
    shown = own_table.of(link.table)
    assert shown.now is not None
    assert shown.now.number == 2
    assert shown.before is not None
    assert shown.before.boards[0].scores is not None  # those who have played it may still look
    rounds.seat(session=world.session, actor=link.token, number=second.round, table=link.table, seated=True)
    shown = own_table.of(link.table)
    assert shown.before is None
    known = [board for one in (shown.now, *shown.later) if one for board in one.boards]
    assert [board.number for board in known if board.sheet or board.scores or board.said] == []


def test_a_link_lasts_no_longer_than_its_token(world: World) -> None:
    link, _code = linked(world)
    link.token.expires_at = timezone.now()
    link.token.save()
    kept = table_links.hand_in(
        link=TableLink.objects.select_related("token", "table__section__session__tournament").get(pk=link.pk),
        board=first_board(link),
        key=uuid4(),
        sheet=SHEET,
    )
    assert isinstance(kept, LateEntry)


def test_the_tables_of_many_codes_are_found_at_once_and_none_of_a_link_that_has_ended(world: World) -> None:
    """As the streams of a thousand tables ask; a code may be written in several ways."""
    table_links.make(session=world.session, actor=world.organiser)
    links = table_links.codes(table_links.in_force(world.session, world.organiser))
    by_code = {code: link.table_id for link, code in links}
    (ended, *others), small = by_code, {code.lower(): table for code, table in by_code.items()}
    asked = {*by_code, *small, "2222222222", ""}
    assert table_links.tables_with_codes(asked) == by_code | small
    table_links.make(session=world.session, actor=world.organiser, tables=[by_code[ended]])
    assert set(table_links.tables_with_codes(asked)) == {*others, *(code.lower() for code in others)}
