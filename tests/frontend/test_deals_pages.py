"""The page of a session's deals: custody with a second sign-in, lists that say who had them, and both
languages."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.worlds import a_session
from tournaments.models import Account, HistoryEntry, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import custody, deal_sheets, roles, states
from tournaments.services.roles import FEDERATION, RolePlace

from .test_people_pages import PASSWORD, signed_in, somebody

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_tries_from_before() -> None:
    cache.clear()


def address(name: str, session: Session) -> str:
    return reverse(name, kwargs={"session": session.pk})


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def scene(**setting: Any) -> tuple[Session, Account, Client]:
    """A session, its deal officer, and the officer's browser."""
    session = a_session(reserves=1, **setting)
    olga = somebody("Olga", (RoleKind.DEAL_OFFICER, RolePlace(session=session)))
    return session, olga, signed_in(olga)


def test_whoever_is_to_deal_is_sent_to_take_custody_until_somebody_has() -> None:
    session, olga, client = scene()
    way = f'href="{address("session-deals-page", session)}">Take custody'
    other = signed_in(somebody("Oscar", (RoleKind.SCORER, RolePlace(session=session))))
    pages = [reverse("desk"), address("session-desk", session)]
    assert [way in client.get(page).content.decode() for page in pages] == [True, True]
    assert [way in other.get(page).content.decode() for page in pages] == [False, False]
    states.change(session=session, actor=None, to="running")
    assert [way in client.get(page).content.decode() for page in pages] == [True, True], "nobody deals still"
    custody.take(session=session, account=olga, signed_in_again_at=timezone.now())
    assert [way in client.get(page).content.decode() for page in pages] == [False, False]


def test_an_officer_signs_in_again_takes_custody_prints_lists_and_lays_it_down() -> None:
    session, olga, client = scene()
    page, take = address("session-deals-page", session), address("take-custody", session)
    first = client.get(page)
    assert "Nobody has custody of these boards" in text_of(first)
    assert "Sign in once more to take custody" in text_of(first)
    assert first["Cache-Control"] == "private, no-store"
    lists = address("print-lists", session)
    early = client.post(lists, {"first": 1, "last": 2})
    assert (early.status_code, "Only whoever has custody" in text_of(early)) == (409, True)

    asked = client.post(take)
    assert asked.status_code == 302
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    assert not custody.in_force(session).exists()
    back = client.post(asked["Location"], {"password": PASSWORD})
    assert (back.status_code, back["Location"]) == (302, page)
    assert "Sign in once more" not in text_of(client.get(page))
    shown = client.post(take, follow=True)
    assert "You have custody of the boards." in text_of(shown)
    assert custody.held_by(olga, session) is not None

    assert "From board" in text_of(shown)
    wrong = client.post(lists, {"first": "x", "last": 2})
    assert "From board" in text_of(wrong)
    printed = client.post(lists, {"first": 4, "last": 9})  # the last board, and the reserve
    event = HistoryEntry.objects.get(session=session, verb="printed lists")
    assert event.detail["boards"] == [4, 5]
    assert event.account == olga
    body = text_of(printed)
    assert body.count(f"mark {event.detail['mark']}. Not for those who play.") == 2
    assert body.count("Printed for Olga") == 2
    assert printed.content.decode().count('class="card"') == 2 * 2 * 32
    assert printed["Cache-Control"] == "private, no-store"

    log = text_of(client.get(page))
    assert log.index("had the lists of boards 4, 5") < log.index("took custody of the boards")
    over = client.post(address("lay-down-custody", session), follow=True)
    assert "You no longer have custody" in text_of(over)
    assert client.post(lists, {"first": 1, "last": 1}).status_code == 409


def test_all_officials_see_who_has_custody_and_nobody_else_does() -> None:
    session, olga, _client = scene()
    custody.take(session=session, account=olga, signed_in_again_at=timezone.now())
    club, page = session.tournament.club, address("session-deals-page", session)
    for kind, place in (
        (RoleKind.DIRECTOR, RolePlace(session=session)),
        (RoleKind.SCORER, RolePlace(session=session)),
        (RoleKind.ORGANISER, RolePlace(club=club)),
        (RoleKind.ADMINISTRATOR, FEDERATION),
    ):
        client = signed_in(somebody(f"{kind.value}-{place.name[:3].strip()}", (kind, place)))
        shown = client.get(page)
        assert "Olga" in text_of(shown), kind
        assert "From board" not in text_of(shown), kind
        assert client.post(address("print-lists", session), {"first": 1, "last": 1}).status_code == 409
        assert client.post(address("take-custody", session)).status_code == 409
    stranger = signed_in(
        somebody("Stranger", (RoleKind.ORGANISER, RolePlace(club=a_session(club="Other").tournament.club)))
    )
    for method, name in (("get", "session-deals-page"), *(("post", one) for one in POSTS)):
        assert getattr(stranger, method)(address(name, session)).status_code == 403, name
        assert getattr(Client(), method)(address(name, session)).status_code == 302, name
    assert stranger.get(reverse("session-deals-page", kwargs={"session": 0})).status_code == 404


POSTS = ("take-custody", "lay-down-custody", "print-lists")


def test_a_club_without_custody_says_so_everywhere_in_both_languages() -> None:
    session, _olga, client = scene(custody="none", published=True)
    organiser = somebody("Orga", (RoleKind.ORGANISER, RolePlace(club=session.tournament.club)))
    words_of = {
        "fr": "le club joue ce que ses propres organisateurs ont distribué",
        "en": "the club plays with what its own organisers have dealt",
    }
    for language, words in words_of.items():
        assert words in text_of(client.get(f"/{language}/desk/sessions/{session.pk}/deals/"))
        assert words in text_of(Client().get(f"/{language}/sessions/{session.pk}/boards/"))
    printed = signed_in(organiser).post(address("print-lists", session), {"first": 1, "last": 1})
    assert "Printed for Orga" in text_of(printed)
    roles.revoke(role=organiser.roles.get(), actor=None)


def test_whoever_has_a_sheet_learns_by_its_code_which_deal_it_is_and_whether_there_are_others() -> None:
    session, olga, client = scene()
    page = address("session-deals-page", session)
    code = deal_sheets.codes(session)[3]
    assert "No list of this deal has been printed." in text_of(client.get(page, {"code": code}))
    custody.take(session=session, account=olga, signed_in_again_at=timezone.now())
    marks = [custody.print_lists(session=session, actor=olga, boards=[3]).mark for _time in range(2)]
    found = text_of(client.get(page, {"code": f" {code.lower()[:4]} {code.lower()[5:]} "}))
    assert "Board 3" in found
    assert "There are 2 lists of this deal" in found
    assert all(found.count(mark) >= 2 for mark in marks)  # beside who had it, and in the log
    wrong = client.get(page, {"code": "AAAA-AAAA"})
    assert "No board of this session has the code AAAA-AAAA" in text_of(wrong)
    assert "There are 2 lists" not in text_of(wrong)
