"""What somebody tried who wished us ill, with the pages of people, players, custody and history."""

import io
import re
import struct
from datetime import UTC, datetime
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from openpyxl import Workbook

from tournaments.models import Account, Custody, Player, Registrant, Role, Submission, Token
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import (
    accounts,
    custody,
    duplicates,
    erasing,
    names,
    player_links,
    register_files,
    registrations,
    roles,
    submissions,
    tokens,
)
from tournaments.services.errors import Conflict, Forbidden, Invalid
from tournaments.services.roles import FEDERATION, RolePlace

from ..tournaments.test_custody import CLAIM
from ..tournaments.worlds import World, a_club, a_world, an_entry, plays_of, work
from .test_people_pages import PASSWORD, signed_in, somebody

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_tries_from_before() -> None:
    cache.clear()


def a_player(name: str, **more: object) -> Player:
    given, _space, family = name.partition(" ")
    return Player.objects.create(club=a_club(), given_name=given, family_name=family, **more)


def opened(client: Client, player: Player) -> None:
    """A link of a player's, used in a browser alone."""
    _link, secret = player_links.offer(player=player, actor=None)
    page = client.get(player_links.path_of(secret), follow=True)
    client.post(page.request["PATH_INFO"], {"way": "browser"})


def test_the_history_tells_a_scorer_no_more_of_a_deal_than_the_answer_did() -> None:
    world = a_world(four_aces="allow")
    play, place = plays_of(world.session)[0], RolePlace(session=world.session)
    for claimer in (1, 2, 3):
        entry = an_entry(play, {"sheet": CLAIM | {"claimer": claimer}})
        submissions.submit(session_id=world.session.pk, sender=world.holder("scorer"), entries=[entry])
        work(world.session)
    assert Submission.objects.filter(state="disputed").exists()
    page = reverse("session-history-page", kwargs={"session": world.session.pk})
    for kind, told in {RoleKind.SCORER: False, RoleKind.DEAL_OFFICER: False, RoleKind.DIRECTOR: True}.items():
        shown = signed_in(somebody(kind.value, (kind, place))).get(page).content.decode()
        assert ("contradicts" in shown) == told, kind


@pytest.mark.parametrize("is_kept", [True, False])
def test_merging_seats_nobody_who_has_had_custody(world: World, is_kept: bool) -> None:
    officer = somebody("Zork", (RoleKind.DEAL_OFFICER, RolePlace(session=world.session)))
    own, seated = a_player("Zork Other", account=officer), world.session.members.get(contestant__number=1)
    custody.take(session=world.session, account=officer, signed_in_again_at=timezone.now())
    kept, merged = (own, seated.player) if is_kept else (seated.player, own)
    with pytest.raises(Conflict, match="You have had custody"):
        duplicates.merge(kept=kept, merged=merged, actor=None)


def test_custody_ends_with_the_role_and_is_taken_anew(world: World) -> None:
    place = RolePlace(session=world.session)
    officer = somebody("Olga", (RoleKind.DEAL_OFFICER, place))
    custody.take(session=world.session, account=officer, signed_in_again_at=timezone.now())
    before = world.session.board_set.custody_changes
    roles.revoke(role=Role.objects.get(account=officer), actor=None)
    roles.grant(account=officer, kind=RoleKind.DEAL_OFFICER, place=place, actor=None)
    assert custody.held_by(officer, world.session) is None
    assert Custody.objects.get().laid_down_at is not None
    assert world.refresh().board_set.custody_changes > before


def test_erasing_oneself_erases_nobody_whose_link_was_opened_in_the_same_browser() -> None:
    other, me = a_player("Bea Quesnel"), somebody("Max")
    client = signed_in(me)
    opened(client, other)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert "Quesnel" not in client.get(reverse("erase-me")).content.decode()
    assert client.post(reverse("erase-me"), {"sure": "yes"}).status_code == 200
    other.refresh_from_db()
    assert other.erased_at is None
    assert Account.objects.get(pk=me.pk).erased_at is not None


def test_an_entry_of_an_account_is_not_erased_by_a_link_and_nobody_is_told_that_it_was() -> None:
    player = a_player("Ana Quesnel", account=somebody("Ana"))
    client = Client(HTTP_HOST="localhost")
    opened(client, player)
    answer = client.post(reverse("erase-me"), {"sure": "yes"})
    assert answer.status_code == 409
    assert "belongs to an account" in answer.content.decode()
    player.refresh_from_db()
    assert player.erased_at is None


def test_a_browser_that_held_a_player_does_so_no_more_once_an_account_has_it() -> None:
    player, client = a_player("Ana Quesnel"), Client(HTTP_HOST="localhost")
    opened(client, player)
    assert "Quesnel" in client.get(reverse("my-data")).content.decode()
    link = player_links.offer(player=player, actor=None)[0]
    player_links.attach(link=link, account=somebody("Ana"))
    assert not Token.objects.filter(player=player).valid().exists()  # type: ignore[attr-defined]
    assert client.get(reverse("my-data")).status_code == 302


def test_a_name_follows_the_line_that_was_kept_into_registration_lists() -> None:
    said, kept = a_player("Anabelle Quesnel", consent=True), a_player("Anabelle Kesnel")
    admin = somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    the_list = registrations.open_list(tournament=a_world().session.tournament, actor=admin, name="Next")
    registrations.enter(the_list=the_list, players=[said.pk], actor=admin, is_official=True)
    duplicates.merge(kept=kept, merged=said, actor=None)
    (place,) = registrations.places(the_list, names.ANYONE)
    assert (place.players, place.names) == ([kept.pk], ["A. K."])


@pytest.mark.parametrize("harm", ["locked", "packed otherwise", "damaged"])
def test_a_workbook_that_cannot_be_read_is_said_to_be_one(harm: str) -> None:
    file = io.BytesIO()
    book = Workbook()
    for number in range(50):
        book.worksheets[0].append([f"Ana {number}", number])
    book.save(file)
    content = bytearray(file.getvalue())
    at = 0
    while (at := content.find(b"PK\x01\x02", at)) >= 0:  # each part, in the directory and where it lies
        there = struct.unpack_from("<I", content, at + 42)[0]
        if harm == "locked":
            struct.pack_into("<H", content, at + 8, 1)
            struct.pack_into("<H", content, there + 6, 1)
        elif harm == "packed otherwise":
            struct.pack_into("<H", content, at + 10, 99)
            struct.pack_into("<H", content, there + 8, 99)
        else:
            begin = there + 30 + sum(struct.unpack_from("<HH", content, there + 26))
            content[begin : begin + 12] = bytes(byte ^ 0xFF for byte in content[begin : begin + 12])
        at += 4
    with pytest.raises(Invalid, match="cannot be read"):
        register_files.lines_of_file(bytes(content))


def test_operators_look_for_nothing_by_what_is_hidden_and_shut_out_nobody_but_others() -> None:
    operator = somebody("Olga")
    accounts.set_staff(account=operator, is_staff=True)
    with pytest.raises(Conflict, match="somebody else"):
        accounts.set_active(account=operator, is_active=False, actor=operator)
    from frontend import operators

    admin = operators.site._registry[Account]
    assert not admin.lookup_allowed("password__startswith", "argon2", None)  # type: ignore[arg-type]


def test_who_comes_back_to_the_address_of_lists_is_led_to_the_deals(world: World) -> None:
    client = signed_in(somebody("Olga", (RoleKind.DEAL_OFFICER, RolePlace(session=world.session))))
    answer = client.get(reverse("print-lists", kwargs={"session": world.session.pk}))
    assert answer["Location"] == reverse("session-deals-page", kwargs={"session": world.session.pk})


def test_who_does_not_run_the_club_opens_no_players_page_by_a_link() -> None:
    player = a_player("Zoé Quesnel")
    federation = somebody("Fay", (RoleKind.ADMINISTRATOR, FEDERATION))
    page = reverse("player-links", kwargs={"club": a_club().slug})
    assert signed_in(federation).get(page, {"q": "zoe"}).status_code == 403
    with pytest.raises(Forbidden):
        player_links.offer(player=player, actor=federation)
    assert page not in signed_in(federation).get(reverse("desk")).content.decode()
    organiser = somebody("Ori", (RoleKind.ORGANISER, RolePlace(a_club())))
    assert page in signed_in(organiser).get(reverse("desk")).content.decode()
    assert "Quesnel" in signed_in(organiser).get(page, {"q": "zoe"}).content.decode()


def test_an_account_claims_no_second_player_of_a_session() -> None:
    world, account = a_world(), somebody("Ana")
    one, two = (member.player for member in world.session.members.order_by("pk")[:2])
    assert player_links.attach(link=player_links.offer(player=one, actor=None)[0], account=account) == one
    with pytest.raises(Conflict, match="plays in “Evening” as"):
        player_links.attach(link=player_links.offer(player=two, actor=None)[0], account=account)


def test_the_history_says_what_a_token_is_for_in_the_readers_language() -> None:
    account = somebody("Ana", (RoleKind.ORGANISER, RolePlace(a_club())))
    role = Role.objects.get(account=account)
    tokens.make(role=role, name="Board", scopes=role.scopes, actor=account)
    page = reverse("club-history", kwargs={"club": a_club().slug}).replace("/en/", "/fr/")
    shown = signed_in(account).get(page).content.decode()
    assert "read enter" not in shown
    with translation.override("fr"):
        assert str(Scope.ENTER.label) in shown


def test_a_desk_leads_to_all_that_a_director_may_open(world: World) -> None:
    director = somebody("Dan", (RoleKind.DIRECTOR, RolePlace(session=world.session)))
    client, where = signed_in(director), {"session": world.session.pk}
    of_session = reverse("session-desk", kwargs=where)
    assert of_session in client.get(reverse("desk")).content.decode()
    desk = client.get(of_session).content.decode()
    for name in ("session-deals-page", "session-history-page", "session-substitutes"):
        assert reverse(name, kwargs=where) in desk
        assert client.get(reverse(name, kwargs=where)).status_code == 200


def test_what_somebody_filled_in_is_not_shown_to_whoever_signs_in_next() -> None:
    ana, bea = (somebody(name, (RoleKind.ADMINISTRATOR, FEDERATION)) for name in ("Ana", "Bea"))
    client = signed_in(ana)
    client.post(reverse("account_logout"))
    client.post(reverse("clubs"), {"name": "Club de Nantes"})
    client.post(reverse("account_login"), {"login": bea.email, "password": PASSWORD})
    answer = client.get(reverse("kept-form"))
    assert answer.status_code == 302
    assert "Nantes" not in client.get(answer["Location"]).content.decode()
    client.post(reverse("account_logout"))
    client.post(reverse("account_login"), {"login": ana.email, "password": PASSWORD})
    assert client.get(reverse("kept-form")).status_code == 302, "it was emptied"


def test_a_list_with_somebody_erased_is_set_up_without_their_entry() -> None:
    admin = somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    tournament = a_world().session.tournament
    how = {"tournament": tournament, "actor": admin, "name": "Next"}
    the_list = registrations.open_list(**how, players_each=2)  # type: ignore[arg-type]
    people = [a_player(f"Zoé {letter * 3}") for letter in "ABCDEF"]
    for pair in (people[:2], people[2:4], people[4:]):
        ids = [one.pk for one in pair]
        registrations.enter(the_list=the_list, players=ids, actor=admin, is_official=True)
    registrations.change(the_list=the_list, actor=admin, limit=None, is_open=False, is_public=True)
    erasing.erase_player(player=people[2], actor=admin)
    assert not Registrant.objects.filter(player=people[2], left_at=None).exists()
    assert registrations.enough_of(the_list) == [
        [one.pk for one in pair] for pair in (people[:2], people[4:])
    ]
    Registrant.objects.filter(player=people[2]).update(left_at=None)  # erased before lists were left
    assert registrations.enough_of(the_list) == [
        [one.pk for one in pair] for pair in (people[:2], people[4:])
    ]
    page = reverse("desk-registration", kwargs={"pk": the_list.pk})
    assert "left out" in signed_in(admin).get(page).content.decode()


def test_who_moves_up_from_the_waiting_list_is_told_by_mail_in_their_language(
    mailoutbox: Any, django_capture_on_commit_callbacks: Any, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://etui.example"
    admin = somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club())))
    tournament = a_world().session.tournament
    the_list = registrations.open_list(tournament=tournament, actor=admin, name="Mardi", limit=1)
    people = [a_player(f"{name} Quesnel", account=somebody(name)) for name in ("Ana", "Bea", "Cleo")]
    Account.objects.filter(name="Bea").update(language="fr")
    first, *_others = [
        registrations.enter(the_list=the_list, players=[one.pk], actor=admin, is_official=True)
        for one in people
    ]
    with django_capture_on_commit_callbacks(execute=True):
        registrations.leave(registration=first, player=None, actor=admin, is_official=True)
    assert [mail.to for mail in mailoutbox] == [["bea@example.org"]]
    assert "une place" in mailoutbox[0].subject
    assert f"https://etui.example/registration/{the_list.pk}/" in mailoutbox[0].body
    with django_capture_on_commit_callbacks(execute=True):
        registrations.change(the_list=the_list, actor=admin, limit=5, is_open=True, is_public=True)
        registrations.change(the_list=the_list, actor=admin, limit=6, is_open=True, is_public=True)
    assert [mail.to for mail in mailoutbox[1:]] == [["cleo@example.org"]]


def test_the_club_enters_the_only_one_found_and_reads_that_they_wait() -> None:
    client = signed_in(somebody("Ada", (RoleKind.ADMINISTRATOR, RolePlace(a_club()))))
    a_player("Ana Quesnel"), a_player("Bea Quesnel")
    admin = Account.objects.get(name="Ada")
    the_list = registrations.open_list(
        tournament=a_world().session.tournament, actor=admin, name="Next", limit=1
    )
    page = reverse("desk-registration", kwargs={"pk": the_list.pk})
    choice = re.compile(r'name="player" value="(\d+)"( checked)?>')
    assert {one[2] for one in choice.finditer(client.get(page, {"q": "quesnel"}).content.decode())} == {None}
    said = []
    for name in ("ana", "bea"):
        (chosen,) = choice.finditer(client.get(page, {"q": name}).content.decode())
        assert chosen[2]
        entered = {"way": "enter", "player": chosen[1]}
        said.append(client.post(page, entered, follow=True).content.decode())
    assert "They have entered." in said[0]
    assert "They are on the waiting list, in place 1." in said[1]
    assert "Choose one player" in client.post(page, {"way": "enter"}, follow=True).content.decode()


def test_dates_and_dealing_lists_are_in_the_readers_words(world: World) -> None:
    officer = somebody("Olga", (RoleKind.DEAL_OFFICER, RolePlace(session=world.session)))
    custody.take(session=world.session, account=officer, signed_in_again_at=timezone.now())
    client, address = signed_in(officer), reverse("print-lists", kwargs={"session": world.session.pk})
    texts = {
        language: client.post(address.replace("/en/", f"/{language}/"), {"first": 1, "last": 1})
        .content.decode()
        .partition("<article")[2]
        for language in ("en", "fr")
    }
    assert "turned cards" in texts["en"]
    assert "retournes" in texts["fr"]
    assert "turned" not in texts["fr"]
    day = datetime(2026, 3, 4, tzinfo=UTC)
    shown = {}
    for language in ("en", "fr"):
        with translation.override(language):
            shown[language] = date_format(day, "SHORT_DATE_FORMAT")
    assert shown == {"en": "4 Mar 2026", "fr": "4 mars 2026"}


def test_recovery_codes_are_not_shown_as_stars_but_said_to_have_been_shown() -> None:
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes

    account = somebody("Bob")
    codes = RecoveryCodes.activate(account).get_unused_codes()
    client = Client(HTTP_HOST="localhost")
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    address = reverse("mfa_view_recovery_codes")
    assert codes[0] in client.get(address).content.decode()
    page = client.get(address).content.decode()
    assert "You have 10 codes left" in page
    assert "Make new codes" in page
    assert "****" not in page
    assert not [code for code in codes if code in page]


@pytest.mark.parametrize("status", [429, 503])
def test_a_page_that_asks_for_patience_leads_back_to_itself(status: int, settings: Any) -> None:
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="10.9.8.7")
    if status == 429:
        settings.RATES = settings.RATES | {"anonymous": "1/min"}
        client.get("/fr/")
        answer = client.get("/fr/")
    else:
        with mock.patch("frontend.views.presentation.leaders", side_effect=OperationalError("away")):
            answer = client.get("/fr/")
    assert answer.status_code == status
    assert 'href="">Recharger la page</a>' in answer.content.decode()
