"""What docs/privacy.md promises: what is forgotten and when, and that nothing personal is in the logs."""

import json
import logging
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session as SignIn
from django.core.cache import cache
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.running import ROOT
from tournaments.logs import WithoutSecrets
from tournaments.models import (
    Invitation,
    Job,
    Player,
    PlayerLink,
    Registrant,
    Registration,
    RegistrationList,
    Remark,
    Tournament,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    erasing,
    evening_links,
    invitations,
    my_data,
    objections,
    player_links,
    registrations,
    retention,
    roles,
    rulings,
)
from tournaments.services.roles import RolePlace

from .worlds import a_club, a_world, hand_in, played_through, plays_of

pytestmark = pytest.mark.django_db

PASSWORD = "une bonne phrase de passe"


def test_the_page_tells_the_days_that_the_code_keeps() -> None:
    page = (ROOT / "docs" / "privacy.md").read_text()
    told = {
        row[0]: int(days[1])
        for row in (line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| "))
        if (days := re.search(r"\b(\d+) days?\b", row[-1]))
    }
    for kind in retention.RETENTIONS:
        name = "where somebody is signed in" if kind.name == "sign-ins" else kind.name
        assert [days for what, days in told.items() if what.startswith(name)] == [kind.days], kind.name


def test_what_was_kept_long_enough_is_forgotten(settings: Any, tmp_path: Path) -> None:
    settings.MAIL_DIR, settings.VAR_DIR = tmp_path / "mail", tmp_path
    for folder in ("mail", "log"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mail" / "new.eml").write_text("To: ana@example.org")
    club = a_club()
    ana = accounts.create(name="Ana", email="ana@example.org")
    for kind in (RoleKind.SCORER, RoleKind.ORGANISER):
        invitations.invite(kind=kind, place=RolePlace(club), actor=None, email=ana.email)
    accepted = Invitation.objects.get(kind=RoleKind.SCORER)
    invitations.accept(invitation=accepted, account=ana)
    tournament = Tournament.objects.create(club=club, name="Coupe")
    players = [Player.objects.create(club=club, given_name=f"P{n}") for n in range(3)]
    player_links.offer(player=players[0], actor=None)
    link, _secret = player_links.offer(player=players[1], actor=None)
    player_links.use(link=link)
    lists = [
        registrations.open_list(tournament=tournament, actor=ana, name=name) for name in ("closed", "open")
    ]
    for one in lists:
        registrations.enter(the_list=one, players=[players[2].pk], actor=ana, is_official=True)
    RegistrationList.objects.filter(pk=lists[0].pk).update(closed_at=timezone.now())
    job = Job.objects.create(
        tournament=tournament, name="Paper", state="failed", error={"en": {}}, ended_at=timezone.now()
    )
    sign_in = SessionStore()
    sign_in.set_expiry(timedelta(days=14))
    sign_in.create()
    log = tmp_path / "log" / "web.log"
    now = timezone.now()
    log.write_text(
        "".join(f"{now + timedelta(days=d):%Y-%m-%d %H:%M:%S},1 WARNING x\n  more\n" for d in (0, 60))
    )

    def left() -> dict[str, int]:
        return {
            "sign-ins": SignIn.objects.count(),
            "addresses": Invitation.objects.exclude(email=None).count(),
            "links": PlayerLink.objects.count(),
            "registrants": Registrant.objects.count(),
            "registrations": Registration.objects.count(),
            "errors": Job.objects.exclude(error=None).count(),
            "mails": len(list(settings.MAIL_DIR.iterdir())),
            "lines": len(log.read_text().splitlines()),
        }

    whole = left()
    call_command("forget_old")
    assert left() == whole  # nothing is old yet
    expected = whole
    for days, less in (
        (15, {"sign-ins": 0}),
        (31, {"errors": 0, "mails": 0, "lines": 2}),
        (105, {"addresses": 0, "links": 1, "lines": 0}),
        (271, {"links": 0}),
        (366, {"registrants": 1, "registrations": 1}),
    ):
        retention.forget_old(now + timedelta(days=days, hours=1))
        expected = expected | less
        assert left() == expected, days
    job.refresh_from_db()
    assert job.name == "Paper"
    assert Registrant.objects.get().list == lists[1]
    assert Invitation.objects.get(pk=accepted.pk).role is not None


def test_the_address_of_an_invitation_goes_only_when_nobody_can_accept_it_any_more() -> None:
    invitation, _secret = invitations.invite(
        kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=None, email="ana@example.org"
    )
    mine = Invitation.objects.filter(pk=invitation.pk)
    for change in (
        {"email": None},
        {"email": "bea@example.org"},
        {"email": None, "kind": RoleKind.ORGANISER},
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            mine.update(**change)
    mine.update(withdrawn_at=timezone.now())
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        mine.update(email="bea@example.org")
    mine.update(email=None)


def test_objections_and_rulings_about_somebody_are_told_to_them_and_erased_with_them() -> None:
    """What was said about others stays."""
    world = a_world(published=True)
    table = [one for one in plays_of(world.session) if one.round == 1]
    own = next(one for one in table if one.table == world.table.table)
    elsewhere = next(one for one in table if one.table != own.table)
    hand_in(world, own)
    player = world.holder("player").player
    assert player is not None
    number = own.seatings.get(contestant__players=player).contestant.number
    there = rulings.PlayPlace("A", own.table.number, own.board.number)
    objection = objections.object_to(
        session=world.session, actor=world.holder("player"), place=there, text="Bea saw my cards"
    )
    objections.follow(
        objection=objection,
        actor=world.organiser,
        kind="answer",
        outcome="rejected",
        text="Ana says so alone",
    )
    texts = {"Bea saw my cards", "Ana says so alone", "Ana was late", "Ana revoked", "She did not"}
    on_contestant = rulings.on_contestant(
        session=world.session, kind="penalty", contestant=number, amount="10"
    )
    rulings.rule(on_contestant, actor=None, text="Ana was late")
    made = []
    for play, text in ((own, "Ana revoked"), (elsewhere, "Zoé revoked")):
        place = rulings.PlayPlace("A", play.table.number, play.board.number)
        planned = rulings.on_play(session=world.session, place=place, decisions=[{"kind": "annulled"}])
        made.append(rulings.rule(planned, actor=None, text=text))
    rulings.reverse(ruling=made[0], actor=None, text="She did not")
    told = json.dumps(my_data.about(None, [player]), default=str, ensure_ascii=False)
    assert [text for text in texts if text not in told] == []
    assert "Zoé revoked" not in told
    erasing.erase_player(player=player, actor=None)
    assert list(Remark.objects.exclude(text="").values_list("text", flat=True)) == ["Zoé revoked"]


def test_nothing_personal_is_in_the_logs(
    caplog: pytest.LogCaptureFixture, settings: Any, tmp_path: Path
) -> None:
    """Typical requests, right and wrong, at the level of the most words."""
    cache.clear()
    settings.EMAIL_BACKEND, settings.MAIL_DIR = "tournaments.mail.Folder", tmp_path / "mail"
    caplog.handler.setFormatter(WithoutSecrets("{asctime} {levelname} {name}: {message}", style="{"))
    caplog.set_level(logging.DEBUG)
    for chatty in ("django.db.backends", "django.template", "faker"):
        logging.getLogger(chatty).setLevel(logging.INFO)  # DEBUG alone: statements with their values
    world = a_world(published=True)
    played_through(world)
    hand_in(world, plays_of(world.session)[0], {"actions": ["play:ZZ"]})
    player = Player.objects.get(pk=world.holder("player").player_id)
    player.given_name, player.family_name = "Ysaline", "Quesnelot"
    player.save()
    ana = accounts.create(name="Quesnelana", email="quesnel.ana@example.org", password=PASSWORD)
    roles.grant(account=ana, kind=RoleKind.ADMINISTRATOR, place=RolePlace(a_club()), actor=None)
    _link, secret = player_links.offer(player=player, actor=None)
    contestants = world.session.contestants.values_list("pk", flat=True)
    card = next(iter(evening_links.make(session=world.session, contestants=contestants, actor=None).values()))
    _offer, invited = invitations.invite(
        kind=RoleKind.SCORER, place=RolePlace(a_club()), actor=ana, email="q@example.org"
    )
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="203.0.113.77", HTTP_USER_AGENT="Quesnelbrowser")
    for password in ("wrong", PASSWORD):
        client.post(reverse("account_login"), {"login": ana.email, "password": password})
    client.post(reverse("account_reset_password"), {"email": ana.email})
    for path in (
        player_links.path_of(secret),
        player_links.path_of(secret + "x"),
        evening_links.path_of(card),
        invitations.path_of(invited),
        f"{reverse('player-links', kwargs={'club': a_club().slug})}?q=Quesnelot",
        reverse("me"),
        reverse("my-data"),
        reverse("ranking-page", kwargs={"pk": world.session.pk}),
        reverse("ranking-page", kwargs={"pk": 999_999}),
        "/en/me/?name=Quesnelot",
        "/api/v1/nothing/?name=Quesnelot",
    ):
        client.get(path, follow=True)
    client.post(reverse("player-links", kwargs={"club": a_club().slug}), {"player": player.pk})
    for role in ("organiser", "scorer", "table", "player", "anyone"):
        api = world.client(role)
        for route in ("ranking/", "plays/", "guides/contestants/", "history/", "boards/99/traveller/"):
            api.get(f"/api/v1/sessions/{world.session.pk}/{route}")
        api.post(f"/api/v1/sessions/{world.session.pk}/submissions/", {"name": "Quesnelot"}, format="json")
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {world.texts['player']}x")
    api.get(f"/api/v1/sessions/{world.session.pk}/ranking/")
    assert len(caplog.records) > 20
    text = caplog.text
    tokens = [text_of for text_of in world.texts.values() if text_of]
    for trace in ("uesnel", "Ysaline", "example.org", "203.0.113.77", PASSWORD, secret, invited, *tokens):
        assert trace not in text, trace
