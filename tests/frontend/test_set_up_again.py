"""A session that nobody has begun goes back into the steps that set it up, or is deleted, at the desk."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tournaments.models import BoardSet, Draft, Play, RegistrationList, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, custody, fees, replacing, roles, session_wishes, states
from tournaments.services.errors import Conflict
from tournaments.services.roles import RolePlace

from .test_desk import THIRTEEN, Visitor, a_draft, an_account, at_desk, from_an_empty_desk

pytestmark = pytest.mark.django_db


def a_ready_session() -> tuple[Visitor, Session]:
    visitor = at_desk(account=an_account())
    from_an_empty_desk(visitor)
    return visitor, Session.objects.get()


def take_custody(session: Session) -> None:
    officer = accounts.create(name="Olga", email="olga@example.org", password="x")
    roles.grant(account=officer, kind=RoleKind.DEAL_OFFICER, place=RolePlace(session=session), actor=None)
    custody.take(session=session, account=officer, signed_in_again_at=timezone.now())


def set_up_again(visitor: Visitor, session: Session) -> Draft:
    visitor.open(reverse("session-desk", args=[session.pk]))
    assert f'href="{reverse("set-up-again", args=[session.pk])}"' in visitor.text
    visitor.open(reverse("set-up-again", args=[session.pk])).press("Set up again")
    assert visitor.heading == "Is everything right?"
    return Draft.objects.latest("pk")


def test_all_answers_come_back_and_the_session_stays_until_the_other_takes_its_place() -> None:
    visitor, old = a_ready_session()
    helper = accounts.create(name="Dora", email="dora@example.org", password="x")
    roles.grant(account=helper, kind=RoleKind.DIRECTOR, place=RolePlace(session=old), actor=None)
    fees.set_fees(session=old, actor=None, fees={"": 600})
    states.publish(session=old, actor=None, listed=True)
    entries = RegistrationList.objects.create(tournament=old.tournament, name="Entries", session=old)
    before, sealed = session_wishes.wish_of(Draft.objects.get()), old.board_set.commitment
    draft = set_up_again(visitor, old)
    wish = session_wishes.wish_of(draft)
    kept = ("game", "name", "date", "begins", "ends", "minutes", "movement", "reserves", "method")
    assert [getattr(wish, name) for name in kept] == [getattr(before, name) for name in kept]
    assert (len(wish.contestants), wish.replaces, wish.options) == (13, old.pk, old.options)
    assert "This takes the place of" in visitor.text
    assert Session.objects.get() == old, "nothing has happened to it yet"
    visitor.open(reverse("draft-step", args=[draft.pk, "comparison"]))
    visitor.press("Continue", method="total-points")
    visitor.press("Set up the session")
    (new,) = Session.objects.all()
    assert new.pk != old.pk
    assert (new.method, new.name, new.listed) == ("total-points", old.name, True)
    assert new.board_set.commitment != sealed, "no board is used twice"
    assert BoardSet.objects.count() == 1
    assert new.contestants.count() == 13
    assert fees.of(new) == {"": 600}
    entries.refresh_from_db()
    assert entries.session == new
    assert list(new.roles.values_list("account__name", "kind")) == [("Dora", RoleKind.DIRECTOR)]


def test_the_review_tells_of_seats_guides_prints_and_links_and_the_next_page_leads_to_them() -> None:
    visitor = at_desk(account=an_account())
    a_draft(visitor)
    told = visitor.text
    assert "13 contestants: 4 tables, and 1 sits out in each round." in told
    assert "A guide card for each of the 13 contestants" in told
    assert "A link for each table" in told
    session = Session.objects.get(pk=visitor.press("Set up the session").path.split("/")[-2])
    before = visitor.text.partition('id="before"')[2].partition("</section>")[0]
    for name in ("session-print", "session-tables"):
        assert f'href="{reverse(name, args=[session.pk])}"' in before
    assert 'href="#seats"' in before
    assert 'id="seats"' in visitor.text
    states.change(session=session, actor=None, to=Session.State.RUNNING)
    visitor.open(reverse("session-desk", args=[session.pk]))
    assert 'id="before"' not in visitor.text, "it has begun"


def test_a_second_time_it_is_the_same_draft_and_a_draft_that_is_left_changes_nothing() -> None:
    visitor, old = a_ready_session()
    first = set_up_again(visitor, old)
    assert set_up_again(visitor, old) == first
    visitor.open(reverse("delete-draft", args=[first.pk])).press("Delete the draft")
    assert Session.objects.get() == old


def test_boards_that_somebody_had_in_custody_are_cancelled_with_their_session_and_never_played() -> None:
    visitor, old = a_ready_session()
    draft = set_up_again(visitor, old)
    take_custody(old)
    visitor.open(reverse("draft-step", args=[draft.pk, "review"])).press("Set up the session")
    old.refresh_from_db()
    new = Session.objects.exclude(pk=old.pk).get()
    assert (old.state, new.state) == (Session.State.CANCELLED, Session.State.READY)
    assert new.board_set.commitment != old.board_set.commitment


@pytest.mark.parametrize("kind", ["started", "fees"])
def test_what_has_begun_or_was_paid_for_meanwhile_stays_and_nothing_is_set_up(kind: str) -> None:
    visitor, old = a_ready_session()
    draft = set_up_again(visitor, old)
    if kind == "started":
        states.change(session=old, actor=None, to=Session.State.RUNNING)
    else:
        fees.set_fees(session=old, actor=None, fees={"": 600})
        fees.take(session=old, actor=None, member=old.members.order_by("pk")[0].pk)
    plays = Play.objects.count()
    visitor.open(reverse("draft-step", args=[draft.pk, "review"])).press("Set up the session")
    visitor.open(reverse("draft-step", args=[draft.pk, "review"]))
    assert "Nothing has been set up." in visitor.text
    assert Session.objects.get() == old
    assert Play.objects.count() == plays
    with pytest.raises(Conflict):
        replacing.check(Session.objects.get())


def test_a_page_that_was_overtaken_neither_deletes_nor_sets_up_again() -> None:
    visitor, old = a_ready_session()
    for name, button in (("delete-session", "Delete the session"), ("set-up-again", "Set up again")):
        visitor.open(reverse(name, args=[old.pk]))
        states.mend(session=old, actor=None, name=f"Another {name}")
        visitor.press(button)
        assert visitor.answer.status_code == 409
        assert "meanwhile" in visitor.text
    assert Session.objects.get().name == "Another set-up-again"
    assert Draft.objects.count() == 1


def test_a_ready_session_is_deleted_at_the_desk_and_one_with_custody_only_cancelled() -> None:
    visitor, old = a_ready_session()
    visitor.open(reverse("session-desk", args=[old.pk]))
    assert f'href="{reverse("delete-session", args=[old.pk])}"' in visitor.text
    take_custody(old)
    visitor.open(reverse("delete-session", args=[old.pk])).press("Delete the session")
    assert "it can be cancelled, and stays" in visitor.text
    assert Session.objects.get() == old
    from_an_empty_desk(visitor.open(reverse("desk")), THIRTEEN[:6])
    other = Session.objects.latest("pk")
    visitor.open(reverse("delete-session", args=[other.pk])).press("Delete the session")
    assert "has been deleted" in visitor.text
    assert Session.objects.get() == old


def test_a_director_of_the_session_deletes_it_and_does_not_set_it_up_again() -> None:
    _visitor, old = a_ready_session()
    director = accounts.create(name="Dora", email="dora@example.org", password="x")
    roles.grant(account=director, kind=RoleKind.DIRECTOR, place=RolePlace(session=old), actor=None)
    own = at_desk(director)
    page = own.open(reverse("session-desk", args=[old.pk])).text
    assert reverse("set-up-again", args=[old.pk]) not in page
    assert reverse("delete-session", args=[old.pk]) in page
    assert own.open(reverse("set-up-again", args=[old.pk])).answer.status_code == 404
