"""Entry fees are ticked off at the door, on a page without scripts."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from frontend.desk.fees import money
from tests.tournaments.worlds import a_session
from tournaments.models import FeePayment, HistoryEntry, Member, Player, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import deleting, fees, my_data
from tournaments.services.errors import Conflict, Invalid, Missing

from .test_desk import Visitor, _Forms
from .test_grid import an_official

pytestmark = pytest.mark.django_db


def page_of(session: Session, query: str = "") -> str:
    return reverse("desk-fees", args=[session.pk]) + query


def a_priced_session(players: int = 9) -> Session:
    """Six euros, juniors three, newcomers nothing: two juniors, one newcomer who is a junior too."""
    session = a_session(players=players)
    first = [one.player_id for one in session.members.order_by("pk")[:3]]
    Player.objects.filter(pk__in=first[:2]).update(categories=["junior"])
    Player.objects.filter(pk=first[2]).update(categories=["junior", "newcomer"])
    fees.set_fees(session=session, actor=None, fees={"": 600, "junior": 300, "newcomer": 0, "senior": None})
    return session


def ticks(visitor: Visitor, member: Member, way: str = "take") -> Visitor:
    return visitor._at(visitor.client.post(visitor.path + visitor._query, {way: member.pk}, follow=True))


def test_a_director_says_what_it_costs_and_a_scorer_ticks_off_who_has_paid() -> None:
    session = a_session()
    director = an_official(session, "Dora").open(page_of(session))
    director.press("Save", fee_="6,50", fee_junior="x")
    assert director.answer.status_code == 400
    director.press("Save", fee_="-1", fee_junior="3")
    assert director.answer.status_code == 400
    director.press("Save", fee_="6.50", fee_junior="3", fee_newcomer="0")
    assert fees.of(session) == {"": 650, "junior": 300, "newcomer": 0}
    junior, other = session.members.order_by("pk")[:2]
    Player.objects.filter(pk=junior.player_id).update(categories=["junior"])
    scorer = an_official(session, "Sam", RoleKind.SCORER).open(page_of(session))
    assert "What the evening costs" not in scorer.text
    ticks(scorer, junior)
    ticks(ticks(scorer, other), other)
    assert "9.50\u202f€" in scorer.text
    assert "2 of 9" in scorer.text
    assert HistoryEntry.objects.filter(verb="took fee").count() == 2
    scorer.open(page_of(session, "?show=paid"))
    assert scorer.text.count('data-state="confirmed"') == 2
    scorer.open(page_of(session, "?show=owed"))
    assert scorer.text.count('name="take"') == 7
    ticks(scorer, other, "undo")
    assert scorer._query == "?show=owed", "it stays where one was"
    assert scorer.text.count('name="take"') == 8
    assert [(one.amount, one.undone_at is None) for one in FeePayment.objects.order_by("pk")] == [
        (300, True),
        (650, False),
    ]
    ticks(scorer, other)
    assert f"{other.player.name} has paid." in scorer.text
    (form,) = [one for one in _Forms(scorer.text).forms if (one["action"] or "").endswith("/undo/")]
    stranger = an_official(session, "Olga", RoleKind.DEAL_OFFICER)
    assert stranger.client.post(form["action"], form["fields"]).status_code == 404
    scorer.press("Undo")
    assert "It has been undone:" in scorer.text
    assert scorer.text.count('name="take"') == 8
    ticks(scorer, junior, "undo").press("Undo")
    assert scorer.text.count('name="take"') == 8, "the notice takes it again"
    director.open(page_of(session)).press("Save", fee_="8")
    assert fees.till(fees.at_door(session)).taken == 300, "who has paid has paid"
    assert scorer.client.post(page_of(session), {"way": "set", "fee_": "0"}).status_code == 404
    assert fees.of(session)[""] == 800
    assert director.answer["Cache-Control"].startswith(("no-store", "private"))


def test_of_several_categories_the_least_is_owed_and_who_owes_nothing_pays_nothing() -> None:
    session = a_priced_session()
    entries = fees.at_door(session)
    assert sorted(one.due for one in entries) == [0, 300, 300, 600, 600, 600, 600, 600, 600]
    assert [one.name for one in entries] == sorted(one.name for one in entries)
    free = next(one for one in entries if one.due == 0)
    with pytest.raises(Conflict, match="owes nothing"):
        fees.take(session=session, actor=None, member=free.member)
    assert fees.till(entries) == fees.Till(taken=0, owed=4200, paid_count=0, count=8)
    paid = fees.take(session=session, actor=None, member=entries[0].member)
    assert fees.take(session=session, actor=None, member=entries[0].member) == paid
    fees.give_back(session=session, actor=None, member=entries[0].member)
    fees.give_back(session=session, actor=None, member=entries[0].member)
    again = fees.take(session=session, actor=None, member=entries[0].member)
    assert again != paid
    for member in (0, 10**15):
        with pytest.raises(Missing):
            fees.take(session=session, actor=None, member=member)
    for wrong in ({"cats": 1}, {"": -1}, {"": fees.MOST + 1}):
        with pytest.raises(Invalid):
            fees.set_fees(session=session, actor=None, fees=wrong)


def test_who_left_before_the_first_round_pays_nothing_and_takes_back_what_they_have_paid() -> None:
    session = a_priced_session()
    gone, paid, here = session.members.select_related("contestant").order_by("-pk")[:3]
    fees.take(session=session, actor=None, member=paid.pk)
    session.contestants.filter(pk__in=[gone.contestant_id, paid.contestant_id]).update(left_after=0)
    session.contestants.filter(pk=here.contestant_id).update(left_after=1)
    with pytest.raises(Conflict, match="owes nothing"):
        fees.take(session=session, actor=None, member=gone.pk)
    assert not FeePayment.objects.filter(member=gone).exists()
    fees.give_back(session=session, actor=None, member=paid.pk)
    with pytest.raises(Conflict, match="owes nothing"):
        fees.take(session=session, actor=None, member=paid.pk)
    fees.take(session=session, actor=None, member=here.pk)


def test_nobody_ticks_off_a_player_of_another_session_or_without_a_role() -> None:
    session, other = a_priced_session(), a_session(club="Club B")
    visitor = an_official(session, "Sam", RoleKind.SCORER).open(page_of(session))
    member = other.members.order_by("pk")[0]
    assert visitor.client.post(visitor.path, {"take": member.pk}).status_code == 404
    officer = an_official(session, "Olga", RoleKind.DEAL_OFFICER)
    assert officer.client.get(page_of(session)).status_code == 404
    assert FeePayment.objects.count() == 0


def test_players_take_along_what_they_have_paid_and_a_session_with_money_is_not_deleted() -> None:
    session = a_priced_session()
    member = session.members.order_by("pk")[0]
    fees.take(session=session, actor=None, member=member.pk)
    (told,) = my_data.about(None, [member.player])["fees"]["data"]
    assert told["amount"] == 300
    with pytest.raises(Conflict, match="give them back first"):
        deleting.delete(session=session, actor=None)
    fees.give_back(session=session, actor=None, member=member.pk)
    deleting.delete(session=session, actor=None)
    assert not FeePayment.objects.exists()


def test_amounts_are_written_as_the_reader_writes_them() -> None:
    with translation.override("fr"):
        assert (money(600, "EUR"), money(1250, "CHF")) == ("6\u202f€", "12,50\u202fCHF")
    with translation.override("en"):
        assert (money(650, "EUR"), money(100, "GBP")) == ("6.50\u202f€", "1\u202f£")


def test_the_door_asks_as_often_for_sixty_as_for_nine() -> None:
    counts = []
    for players in (9, 15):
        session = a_priced_session(players)
        visitor = an_official(session, f"Sam{players}", RoleKind.SCORER)
        visitor.client.get(page_of(session))
        with CaptureQueriesContext(connection) as found:
            assert visitor.client.get(page_of(session)).status_code == 200
        counts.append(len(found))
    assert counts[0] == counts[1]
