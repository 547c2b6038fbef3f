"""A club’s evening from printed paper alone, back by a workbook: its ranking is the one of the same evening
entered over the API."""

from collections import defaultdict
from typing import Any

import pytest
from rest_framework.test import APIClient

from engines import registry
from tournaments.models import Account, Role, Session, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    prints,
    rankings,
    result_files,
    roles,
    sessions,
    spreadsheets,
    states,
    tokens,
)
from tournaments.services.register_files import Effect
from tournaments.services.roles import RolePlace

from .test_prints import text_of
from .test_result_files import filled, sheets_of
from .worlds import a_club, an_entry, body_of, plays_of, work

pytestmark = pytest.mark.django_db

EVENINGS = [("hombre", 13, 2), ("cochonnet", 16, 2), ("loba", 10, 1)]  # game, contestants, boards a round


def twice(game: str, count: int, boards: int) -> tuple[Session, Session]:
    """The same plan, with the same deals, in two clubs."""
    offered = sessions.movements_for(game=game, contestants=count, boards=boards * 3)
    movement = next(one for one in offered if one.contestants == count and not one.beside)
    clubs = [a_club(name) for name in ("On paper", "On phones")]
    homes = [Tournament.objects.create(club=club, name="Cup") for club in clubs]
    plan = sessions.plan(
        tournament=homes[0],
        name="Tuesday",
        game=game,
        options={},
        method="total-points",
        movement=movement.family,
        seats=movement.seats if len(registry.game(game).seats) > 1 else None,
        contestants=[f"Joueur {number:02}" for number in range(1, count + 1)],
        boards_per_round=boards,
        rounds=3,
        names_may_be_published=True,
    )
    on_paper, on_phones = (sessions.store(plan, tournament=home, actor=None) for home in homes)
    return on_paper, on_phones


def an_organiser(session: Session) -> Account:
    account = accounts.create(name=f"Odile of {session.tournament.club.name}")
    place = RolePlace(session=session)
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=place, actor=None)
    return account


def by_place(session: Session, sheets: dict[int, dict[str, Any]]) -> dict[tuple[str, int, int], Any]:
    return {
        (play.table.section.name, play.table.number, play.board.number): sheets[play.pk]
        for play in plays_of(session)
    }


def standings(session: Session) -> list[Any]:
    newest = rankings.newest(session)
    assert newest is not None
    return [
        (one.line_group, one.rank, one.contestant.number, one.total.points, one.total.top, one.total.boards)
        for one in rankings.standings(newest)
    ]


@pytest.mark.parametrize(("game", "count", "boards"), EVENINGS)
def test_paper_and_phones_give_one_ranking(game: str, count: int, boards: int) -> None:
    on_paper, on_phones = twice(game, count, boards)
    organiser = an_organiser(on_paper)

    # What is printed says who plays what where.
    slips = prints.make(session=on_paper, actor=organiser, kinds=["slips"], language="fr", size="A4")
    guides = prints.make(session=on_paper, actor=organiser, kinds=["guide-cards"], language="fr", size="A4")
    on_slips, on_guides = text_of(slips.content), text_of(guides.content)
    rounds = defaultdict(set)
    for play in plays_of(on_paper):
        rounds[play.table.section.name, play.table.number].add(play.round)
        for seating in play.seatings.select_related("contestant"):
            assert seating.contestant.name in on_slips
            assert seating.contestant.name in on_guides
    assert slips.pages >= sum(map(len, rounds.values()))

    # What was written on it comes back as a workbook.
    sheets = sheets_of(on_paper)
    rows = filled(on_paper, organiser, "fr", sheets)
    book = spreadsheets.as_workbook(rows, "Résultats")
    done = result_files.hand_in(session=on_paper, account=organiser, text=result_files.text_of(book))
    assert done[Effect.NEW] == len(plays_of(on_paper))

    # The same, entered where it was played.
    known = by_place(on_paper, sheets)
    token, text = tokens.issue_for_role(
        person="Phones", club=on_phones.tournament.club, kind=Role.Kind.ORGANISER
    )
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {text}")
    entries = []
    for play in plays_of(on_phones):
        place = (play.table.section.name, play.table.number, play.board.number)
        entries.append(body_of(an_entry(play, {"sheet": known[place]})))
    address = f"/api/v1/sessions/{on_phones.pk}/submissions/bulk/"
    assert client.post(address, {"submissions": entries}, format="json").status_code == 202

    for session in (on_paper, on_phones):
        work(session)
        states.finish(session=Session.objects.get(pk=session.pk), actor=None)
    assert standings(on_paper) == standings(on_phones)
    assert len(standings(on_paper)) == count
    assert len({row[3] for row in standings(on_paper)}) > 1
    assert registry.game(game).id == on_paper.game
    assert token.role is not None
