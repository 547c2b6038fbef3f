"""A club with everything that a page can show, and every page of the site as each of its people sees it.

Pages are fetched in the test's own process; `tests/frontend/test_every_page.py` looks at them.
"""

import json
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from itertools import cycle
from typing import Any
from unittest import mock

from django.core.cache import cache as remembered
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, transaction
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone, translation

from tests.tournaments.worlds import World, hand_in, played_through, plays_of, work
from tournaments import tasks
from tournaments.limits import limiter
from tournaments.models import (
    Account,
    Club,
    Draft,
    ErasureWish,
    Job,
    Player,
    PlayerLink,
    Role,
    Session,
    Token,
    Tournament,
)
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import (
    accounts,
    clubs,
    custody,
    erasing,
    invitations,
    player_links,
    register,
    registrations,
    roles,
    rounds,
    session_wishes,
    sessions,
    substitutes,
    tokens,
)
from tournaments.services.register import Details
from tournaments.services.roles import FEDERATION, RolePlace

from .test_desk import Visitor

PASSWORD = "une bonne phrase de passe"
PHONE = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile"
    " Safari/537.36"
)
GIVEN = (
    *("Marie-Antoinette", "François-Xavier", "Éloïse", "Odile", "Joséphine", "Yann", "Bérengère", "Noé"),
    *("Anne", "Guénolé", "Solène", "Hadrien", "Zoé", "Maël", "Apolline"),
)
FAMILY = (
    "de Villeneuve-Bargemon",
    "de La Rochebrochard",
    "Quéméner",
    "Le Guillou",
    "Ő",
    "Roux",
    "d’Harcourt",
)
PEOPLE = list(dict.fromkeys(zip(cycle(GIVEN), [name for name in FAMILY for _ in GIVEN], strict=False)))[:60]
FULL = [f"{given} {family}" for given, family in PEOPLE]
TITLE = "Coupe d’automne des clubs de la vallée de la Bièvre"


# ── The club ──────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Scene:
    """`clients`: browsers by who sits at them; `ids`: what stands in addresses."""

    clients: dict[str, Client] = field(default_factory=dict)
    ids: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def set(cls) -> "Scene":
        remembered.clear()
        scene = cls(ids={"no_key": "no-such-key"})
        for build in (_people, _evenings, _drafts, _register, _registration, _links, _jobs, _factors):
            build(scene)
        return scene

    def account(self, who: str) -> Account:
        return Account.objects.get(email=f"{who}@example.org")

    @property
    def club(self) -> Club:
        return Club.objects.get(slug=self.ids["club"])

    @property
    def session(self) -> Session:
        return Session.objects.get(pk=self.ids["session"])


def _sign_in(scene: Scene, who: str, name: str, *held: tuple[RoleKind, RolePlace], **how: Any) -> Account:
    account = accounts.create(name=name, email=f"{who}@example.org", password=PASSWORD)
    for kind, place in held:
        roles.grant(account=account, kind=kind, place=place, actor=None)
    client = Client(HTTP_HOST="localhost", HTTP_USER_AGENT=PHONE)
    client.post(reverse("account_login"), {"login": account.email, "password": PASSWORD})
    scene.clients[who] = client
    return account


def _people(scene: Scene) -> None:
    scene.clients["anyone"] = Client(HTTP_HOST="localhost")
    club = clubs.create("Cercle de l’Étui de Saint-Rémy-lès-Chevreuse")
    empty = clubs.create("Club de Nantes")
    scene.ids |= {"club": club.slug, "empty": empty.slug}
    here = RolePlace(club)
    _sign_in(scene, "odile", "Odile Le Guillou", (RoleKind.ADMINISTRATOR, here), (RoleKind.ORGANISER, here))
    _sign_in(scene, "second", "Guénolé Ő", (RoleKind.ADMINISTRATOR, here), (RoleKind.SCORER, here))
    _sign_in(scene, "newcomer", "Yann Quéméner", (RoleKind.ADMINISTRATOR, RolePlace(empty)))
    _sign_in(scene, "federation", "Fantine Roux", (RoleKind.ADMINISTRATOR, FEDERATION))
    _sign_in(scene, "nobody", "Noé d’Harcourt")
    account = accounts.create(name="Maël Roux", email="passwordless@example.org", password=None)
    scene.clients["passwordless"] = client = Client(HTTP_HOST="localhost")
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    invitations.invite(
        kind=RoleKind.SCORER, place=here, actor=scene.account("odile"), email="marie-antoinette@example.org"
    )
    invitations.invite(kind=RoleKind.ORGANISER, place=here, actor=scene.account("odile"))


def _evenings(scene: Scene) -> None:
    """One that is over, with everything published; one that is being played."""
    club, odile = scene.club, scene.account("odile")
    organiser, _text = tokens.issue_for_role(person="Odile", club=club, kind=Role.Kind.ORGANISER)
    tournament = Tournament.objects.create(club=club, name=TITLE)
    wish: dict[str, Any] = {
        **{"tournament": tournament, "actor": organiser, "options": {}, "method": "matchpoints"},
        **{"movement": "kirkman", "names_may_be_published": True, "boards_per_round": 1},
    }
    past = sessions.set_up(name="Mardi 17 novembre", game="comon", contestants=FULL[:9], **wish)
    played_through(World(past, tokens={"organiser": organiser}))
    sessions.publish(session=past, actor=organiser, listed=True)
    sessions.finish(session=past, actor=organiser)
    now = sessions.set_up(name="Mardi 24 novembre", game="comon", contestants=FULL[:15], reserves=2, **wish)
    running = sessions.set_up(name="Mercredi, en cours", game="comon", contestants=FULL[:9], **wish)
    rounds.pace(session=running, actor=organiser, pace=rounds.Pace(duration=1500, warning=300))
    rounds.open_round(session=running, actor=organiser, number=1)
    evening = World(running, tokens={"organiser": organiser})
    entered, expected, *_later = plays_of(running)
    hand_in(evening, entered)
    scene.ids |= {"entered": entered.pk, "expected": expected.pk}
    work(running)
    play = plays_of(past)[0]
    scene.ids |= {
        "running": running.pk,
        "session": now.pk,
        "past": past.pk,
        "tournament": tournament.pk,
        "number": 1,
    }
    scene.ids |= {"board": play.board.number, "play": play.pk, "organiser_token": organiser.pk}
    at = RolePlace(session=now)
    _sign_in(scene, "director", "Hadrien de La Rochebrochard", (RoleKind.DIRECTOR, at))
    _sign_in(scene, "scorer", "Solène Roux", (RoleKind.SCORER, at))
    olga = _sign_in(scene, "officer", "Olga d’Harcourt", (RoleKind.DEAL_OFFICER, at))
    custody.take(session=now, account=olga, signed_in_again_at=timezone.now())
    custody.print_lists(session=now, actor=olga, boards=[1, 2])
    member = now.members.order_by("pk")[0]
    zoe = register.add(
        club=club, actor=odile, details=Details("Zoé", "de Kerguelen", number="R-1", consent=True)
    )
    substitutes.substitute(
        session=now,
        actor=odile,
        contestant=member.contestant.number,
        player=zoe.pk,
        for_player=member.player_id,
        first_round=1,
        last_round=2,
    )
    for name, scopes in (
        ("Tableau de la salle Clemenceau", [Scope.READ]),
        ("Borne", [Scope.READ, Scope.ENTER]),
    ):
        role = Role.objects.get(account=odile, kind=RoleKind.ORGANISER)
        token, _text = tokens.make(role=role, name=name, scopes=scopes, actor=odile)
    Token.objects.filter(pk=token.pk).update(expires_at=timezone.now() + timedelta(days=6))
    scene.ids |= {"token": token.pk, "role": Role.objects.get(account=scene.account("scorer")).pk}
    scene.ids["own_role"] = Role.objects.get(account=odile, kind=RoleKind.ORGANISER).pk


def _drafts(scene: Scene) -> None:
    """Sessions half set up: of thirteen and of sixty with every step filled in, and one just begun."""
    for name, count in (("thirteen", 13), ("sixty", 60)):
        visitor = Visitor(scene.clients["odile"]).open("/fr/desk/")
        visitor.press("Nouvelle séance").press("Continuer", game="hombre" if count == 13 else "comon")
        visitor.press("Continuer", contestants="\n".join(FULL[-count:]))
        for _step in range(3):
            visitor.press("Continuer")
        scene.ids[name] = Draft.objects.latest("pk").pk
    visitor = Visitor(scene.clients["odile"]).open("/fr/desk/").press("Nouvelle séance")
    scene.ids["begun"] = Draft.objects.latest("pk").pk
    with mock.patch.object(tasks, "compare_movements"), mock.patch("tests.frontend.test_desk.Visitor._waits"):
        visitor = Visitor(scene.clients["odile"]).open("/fr/desk/").press("Nouvelle séance")
        visitor.press("Continuer", game="comon").press("Continuer", contestants="\n".join(FULL[20:47]))
    scene.ids["waiting"] = Draft.objects.latest("pk").pk


def _register(scene: Scene) -> None:
    club, odile = scene.club, scene.account("odile")
    for number, (given, family) in enumerate(PEOPLE[20:40]):
        how = {"number": f"2026-{number:03}", "consent": bool(number % 3)}
        kind = ("junior",) if number % 4 == 0 else ()
        try:
            register.add(club=club, actor=odile, details=Details(given, family, categories=kind, **how))
        except Exception:  # somebody of this number
            continue
    kept = Player.objects.filter(club=club).order_by("pk")[0]
    register.add(club=club, actor=odile, details=Details(kept.given_name, kept.family_name))
    Player.objects.filter(pk=kept.pk).update(number="1917", public_name="M.-A. de V.-B.")
    scene.ids["player"] = kept.pk


def _registration(scene: Scene) -> None:
    club, odile = scene.club, scene.account("odile")
    tournament = Tournament.objects.get(pk=scene.ids["tournament"])
    the_list = registrations.open_list(
        tournament=tournament, actor=odile, name="Mardi 1er décembre, par paires", limit=3, players_each=2
    )
    members = list(Player.objects.filter(club=club).order_by("pk")[:9])
    for pair in (members[0:2], members[2:3], members[3:5], members[5:7], members[7:8]):
        ids = [one.pk for one in pair]
        registrations.enter(the_list=the_list, players=ids, actor=odile, is_official=True)
    empty = registrations.open_list(tournament=tournament, actor=odile, name="Galette")
    scene.ids |= {"list": the_list.pk, "empty_list": empty.pk}


def _links(scene: Scene) -> None:
    """A player by the link alone, one with an account, and links in every state."""
    club = scene.club
    by_link, with_account, other = Player.objects.filter(club=club, memberships__session=scene.ids["past"])[
        :3
    ]
    account = _sign_in(scene, "player", with_account.name)
    player_links.attach(link=player_links.offer(player=with_account, actor=None)[0], account=account)
    for who, player, way in (("browser", by_link, "browser"), ("invited", other, "")):
        link, secret = player_links.offer(player=player, actor=None)
        client = scene.clients[who] = Client(HTTP_HOST="localhost")
        page = client.get(player_links.path_of(secret), follow=True)
        scene.ids[f"{who}_link"] = link.pk
        if way:
            client.post(page.request["PATH_INFO"], {"way": way}, follow=True)  # it has been told
    erasing.wish(player=by_link, actor=Token.objects.filter(player=by_link).latest("pk"))
    scene.ids |= {"asked": by_link.pk, "erasure": ErasureWish.objects.latest("pk").pk}
    client = scene.clients["late"] = Client(HTTP_HOST="localhost")
    late, secret = player_links.offer(player=Player.objects.filter(club=club).latest("pk"), actor=None)
    client.get(player_links.path_of(secret), follow=True)
    made = timezone.now() - timedelta(days=20)
    PlayerLink.objects.filter(pk=late.pk).update(made_at=made, ends_at=made + timedelta(days=14))
    scene.ids["late_link"] = late.pk
    for who, email in (("guest", None), ("ended", None), ("mistaken", "eloise@example.org")):
        place = RolePlace(club)
        then = timezone.now() - timedelta(days=20 if who == "ended" else 0)
        with mock.patch("tournaments.services.invitations.timezone.now", return_value=then):
            invitation, secret = invitations.invite(
                kind=RoleKind.SCORER, place=place, actor=scene.account("odile"), email=email
            )
        client = scene.clients[who] = Client(HTTP_HOST="localhost")
        if who == "mistaken":
            client.post(reverse("account_login"), {"login": "nobody@example.org", "password": PASSWORD})
        client.get(invitations.path_of(secret), follow=True)
        scene.ids[f"{who}_invitation"] = invitation.pk


def _jobs(scene: Scene) -> None:
    tournament, odile = Tournament.objects.get(pk=scene.ids["tournament"]), scene.account("odile")
    slips = [
        {"line": 3 + n, "column": "plis", "reason": "Les plis font 11, et une donne en a dix."}
        for n in range(3)
    ]
    error = {"code": "slips", "message": "Trois lignes ne vont pas.", "details": slips}
    for name, how in {
        "job_waiting": {"kind": Job.Kind.SET_UP},
        "job_running": {"kind": Job.Kind.SET_UP, "state": Job.State.RUNNING, "progress": 0.42},
        "job_failed": {
            **{"kind": Job.Kind.CHECK, "state": Job.State.FAILED, "error": {"fr": error, "en": error}}
        },
        "job_done": {
            **{"kind": Job.Kind.SET_UP, "state": Job.State.DONE, "progress": 1},
            **{"session_id": scene.ids["past"]},
        },
    }.items():
        job = Job.objects.create(tournament=tournament, account=odile, name="Mardi 24 novembre", **how)
        scene.ids[name] = job.pk


def _factors(scene: Scene) -> None:
    """Somebody with an app, recovery codes and two passkeys; and somebody who is asked for the app's code."""
    from allauth.mfa.models import Authenticator
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
    from allauth.mfa.totp.internal.auth import TOTP

    account = _sign_in(scene, "careful", "Apolline de Villeneuve-Bargemon")
    client = scene.clients["careful"]
    TOTP.activate(account, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(account)
    for name in ("Téléphone", "Clé de sécurité du tiroir de gauche, au secrétariat"):
        data = {"name": name, "credential": _a_passkey(name.encode()), "passwordless": True}
        made = Authenticator.objects.create(user=account, type=Authenticator.Type.WEBAUTHN, data=data)
    scene.ids["passkey"] = made.pk
    for one in (client, scene.clients["odile"], scene.clients["player"]):
        one.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    half = scene.clients["half"] = Client(HTTP_HOST="localhost")
    half.post(reverse("account_login"), {"login": account.email, "password": PASSWORD})
    mailed = scene.clients["mailed"] = Client(HTTP_HOST="localhost")
    mailed.post(reverse("account_request_login_code"), {"email": "odile@example.org"})
    other = Client(HTTP_HOST="localhost", HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0")
    other.post(reverse("account_login"), {"login": "odile@example.org", "password": PASSWORD})


def _a_passkey(name: bytes) -> dict[str, Any]:
    """What a browser has answered when it was added: with a key that nobody holds."""
    from fido2.cose import ES256
    from fido2.utils import websafe_encode
    from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

    point = b"\x01" * 32
    key = ES256({1: 2, 3: -7, -1: 1, -2: point, -3: point})
    credential = AttestedCredentialData.create(b"\x00" * 16, name, key)
    data = AuthenticatorData.create(sha256(b"localhost").digest(), 0x45, 0, credential)
    client = json.dumps({"type": "webauthn.create", "challenge": "AAAA", "origin": "http://localhost"})
    return {
        **{"id": websafe_encode(name), "rawId": websafe_encode(name), "type": "public-key"},
        "response": {
            "clientDataJSON": websafe_encode(client.encode()),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    }


# ── Its pages ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class View:
    """A page as somebody sees it. `which`: what stands in its address, by its name in the scene; `part`: the
    same, as it is; `sent`: the form that leads to it."""

    route: str
    who: str = "anyone"
    which: dict[str, str] = field(default_factory=dict)
    note: str = ""
    part: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    sent: Callable[[Scene], dict[str, Any]] | None = None
    status: int = 200
    fetch: Callable[[Scene, Client, str], Any] | None = None

    @property
    def name(self) -> str:
        return "-".join(
            filter(None, (self.route.replace("_", "-"), *self.part.values(), self.note, self.who))
        )

    def answer(self, scene: Scene, language: str) -> Any:
        """What the browser gets in a language; what the form changes does not stay."""
        client, place = scene.clients[self.who], {name: scene.ids[one] for name, one in self.which.items()}
        cookies = copy(client.cookies)
        with transaction.atomic(), translation.override(language):
            address = reverse(self.route, kwargs=place | self.part)
            if self.fetch is not None:
                answer = self.fetch(scene, client, address)
            elif self.sent is not None:
                answer = client.post(address, self.sent(scene), follow=True)
            else:
                answer = client.get(address, self.query, HTTP_ACCEPT_LANGUAGE=language)
            transaction.set_rollback(True)
        client.cookies = cookies
        assert answer.status_code == self.status, (
            self.name,
            answer.status_code,
            answer.headers.get("Location"),
        )
        return answer


def _busy(_scene: Scene, client: Client, address: str) -> Any:
    from django.conf import settings

    with override_settings(RATES=settings.RATES | {"anonymous": "1/min"}):
        answers = [client.get(address, REMOTE_ADDR="10.9.8.7") for _ in range(2)]
    limiter.reset()
    return answers[1]


def _away(_scene: Scene, client: Client, address: str) -> Any:
    with mock.patch("frontend.views.presentation.leaders", side_effect=OperationalError("away")):
        return client.get(address)


def _broken(_scene: Scene, client: Client, address: str) -> Any:
    client.raise_request_exception = False
    with mock.patch("frontend.views.presentation.leaders", side_effect=ValueError("broken")):
        return client.get(address)


def _with_design(_scene: Scene, client: Client, address: str) -> Any:
    with override_settings(DESIGN_PAGE=True):
        return client.get(address)


def _stale(_scene: Scene, client: Client, address: str) -> Any:
    client.handler.enforce_csrf_checks = True
    try:
        return client.post(address, {"name": "Club de Nantes"}, HTTP_ORIGIN="http://localhost")
    finally:
        client.handler.enforce_csrf_checks = False


def _signed_out(scene: Scene, client: Client, address: str) -> Any:
    client.post(reverse("account_logout"))
    client.post(reverse("clubs"), {"name": "Club de Nantes"})
    sign_in = {"login": "federation@example.org", "password": PASSWORD}
    client.post(reverse("account_login"), sign_in)
    return client.get(address)


def _erased(scene: Scene, client: Client, address: str) -> Any:
    return client.post(address, {"sure": "yes"})


def _no_admin(_scene: Scene, client: Client, address: str) -> Any:
    Role.objects.filter(club=None, session=None).update(revoked_at=timezone.now())
    at_the_machine = Client(HTTP_HOST="localhost:8000", REMOTE_ADDR="127.0.0.1")
    with override_settings(PRODUCTION=False):
        return at_the_machine.get(address)


def _file(scene: Scene) -> dict[str, Any]:
    rows = "prénom,nom,numéro\nLéa,Martin,77\nMarie-Antoinette,de Villeneuve-Bargemon,1917\n"
    return {"file": SimpleUploadedFile("membres.csv", rows.encode())}


CLUB, EMPTY, SESSION, PAST = {"club": "club"}, {"club": "empty"}, {"session": "session"}, {"session": "past"}
PK_PAST = {"pk": "past"}
PLAYER = {"club": "club", "pk": "player"}


def _steps() -> Iterator[View]:
    for draft in ("thirteen", "sixty"):
        for step in session_wishes.STEPS:
            yield View("draft-step", "odile", {"pk": draft}, draft, {"step": step})


VIEWS: list[View] = [
    # What everybody sees
    View("home"),
    View("home", "odile", note="signed-in"),
    View("home", note="busy", fetch=_busy, status=429),
    View("home", note="away", fetch=_away, status=503),
    View("home", note="broken", fetch=_broken, status=500),
    View("home", note="first-start", fetch=_no_admin),
    View("design", fetch=_with_design),
    View("design", note="nothing", status=404),
    View("ranking-page", which=PK_PAST),
    View("boards-page", which=PK_PAST),
    View("traveller-page", which=PK_PAST | {"number": "number"}),
    View("replay-page", which=PK_PAST | {"number": "board", "play": "play"}),
    View("registration", which={"pk": "list"}),
    View("registration", which={"pk": "empty_list"}, note="empty"),
    View("registration", "player", {"pk": "list"}, "own"),
    View("job-page", which={"pk": "job_waiting"}, note="stranger"),
    *(
        View("job-page", "odile", {"pk": f"job_{one}"}, one)
        for one in ("waiting", "running", "failed", "done")
    ),
    # Signing in
    View("account_login"),
    View("account_login", note="wrong", sent=lambda scene: {"login": "odile@example.org", "password": "x"}),
    View("account_request_login_code"),
    View("account_confirm_login_code", "mailed"),
    View("mfa_authenticate", "half"),
    View("account_signup"),
    View("account_inactive"),
    View("account_reset_password"),
    View("account_reset_password_done"),
    View("account_reset_password_from_key_done"),
    View("account_reset_password_from_key", which={"uidb36": "number", "key": "no_key"}),
    View("account_email_verification_sent"),
    View("account_confirm_email", which={"key": "no_key"}),
    View("account_logout", "nobody"),
    View("invitation", "guest", {"pk": "guest_invitation"}),
    View("invitation", "ended", {"pk": "ended_invitation"}, status=410),
    View("invitation", "mistaken", {"pk": "mistaken_invitation"}),
    View("invitation", "anyone", {"pk": "guest_invitation"}, "foreign", status=404),
    View(
        "invitation",
        "guest",
        {"pk": "guest_invitation"},
        "wrong",
        sent=lambda scene: {"name": "", "email": "odile@example.org", "password": "court"},
    ),
    # One's own account
    View("my-account", "odile"),
    View("my-account", "nobody"),
    View("my-account", "player"),
    View("account_reauthenticate", "second"),
    View("mfa_reauthenticate", "careful"),
    View("mfa_reauthenticate_webauthn", "careful"),
    View("account_change_password", "odile"),
    View(
        "account_change_password",
        "odile",
        note="wrong",
        sent=lambda scene: {"oldpassword": "x", "password1": "court", "password2": "autre"},
    ),
    View("account_set_password", "passwordless"),
    View("account_email", "odile"),
    View(
        "account_email",
        "odile",
        note="sent",
        sent=lambda scene: {"email": "ola@example.org", "action_add": "1"},
    ),
    View("mfa_index", "odile"),
    View("mfa_index", "careful"),
    View("mfa_activate_totp", "odile"),
    View("mfa_deactivate_totp", "careful"),
    View("mfa_view_recovery_codes", "careful"),
    View("mfa_generate_recovery_codes", "careful"),
    View("mfa_list_webauthn", "careful"),
    View("mfa_add_webauthn", "careful"),
    View("mfa_edit_webauthn", "careful", {"pk": "passkey"}),
    View("mfa_remove_webauthn", "careful", {"pk": "passkey"}),
    View("usersessions_list", "odile"),
    View("my-tokens", "odile"),
    View("my-tokens", "nobody"),
    View(
        "my-tokens",
        "odile",
        note="made",
        sent=lambda scene: {"role": scene.ids["own_role"], "name": "Borne 2", "scopes": ["read"], "days": 90},
    ),
    View("rotate-token", "odile", {"pk": "token"}),
    View("revoke-token", "odile", {"pk": "token"}),
    View("leave-role", "odile", {"pk": "own_role"}),
    View("kept-form", "federation", fetch=_signed_out),
    View("clubs", "federation", note="stale", fetch=_stale, status=403),
    # Who may do what
    View("clubs", "federation"),
    View("clubs", "nobody", note="not-yours", status=403),
    View("people", "federation"),
    View("club-people", "odile", CLUB),
    View("club-people", "odile", CLUB, "made", sent=lambda scene: {"kind": "scorer", "email": ""}),
    View("club-people", "newcomer", EMPTY, "empty"),
    View("session-people", "odile", SESSION),
    View("revoke-role", "odile", {"pk": "role"}),
    # The desk
    View("desk", "odile"),
    View("desk", "newcomer"),
    View("desk", "nobody"),
    View("desk", "director"),
    View("club-settings", "odile", CLUB),
    View("club-tournaments", "odile", CLUB),
    View("club-tournaments", "newcomer", EMPTY, "empty"),
    View("club-tournament", "odile", CLUB | {"pk": "tournament"}),
    View("new-session", "odile", CLUB),
    View("new-session", "newcomer", EMPTY, "empty"),
    View("delete-draft", "odile", {"pk": "begun"}),
    *_steps(),
    View("draft-step", "odile", {"pk": "begun"}, "begun", {"step": "game"}),
    View("draft-step", "odile", {"pk": "waiting"}, "waiting", {"step": "movement"}),
    *(View("session-desk", who, SESSION) for who in ("odile", "director", "scorer", "officer")),
    View("session-desk", "odile", PAST, "past"),
    View("session-desk", "odile", {"session": "running"}, "running"),
    View("desk-play", "odile", PAST | {"play": "play"}),
    *(
        View("desk-play", "odile", {"session": "running", "play": play}, play)
        for play in ("entered", "expected")
    ),
    *(
        View("run-session", "odile", {"session": "running"}, part={"act": act}, query={"round": "1"})
        for act in ("mend", "pace", "extend", "cancel")
    ),
    View("session-deals-page", "officer", SESSION),
    View("session-deals-page", "director", SESSION),
    View("print-lists", "officer", SESSION, sent=lambda scene: {"first": 1, "last": 3}),
    View("club-history", "odile", CLUB),
    View("club-history", "newcomer", EMPTY, "empty"),
    View("session-history-page", "odile", SESSION),
    # Players
    View("club-register", "odile", CLUB),
    View("club-register", "newcomer", EMPTY, "empty"),
    View("club-register", "odile", CLUB, "none", query={"search": "xyzzy"}),
    View("register-add", "odile", CLUB),
    View("register-add", "odile", CLUB, "wrong", sent=lambda scene: {"given_name": "", "number": "1917"}),
    View("register-paste", "odile", CLUB),
    View(
        "register-paste",
        "odile",
        CLUB,
        "preview",
        sent=lambda scene: {
            "players": "Léa Martin; 77\nMarie-Antoinette de Villeneuve-Bargemon; 1917\n\nX; Y; Z; 0; 0"
        },
    ),
    View("register-import", "odile", CLUB),
    View("register-import", "odile", CLUB, "preview", sent=_file),
    View("register-player", "odile", PLAYER),
    View("register-player", "second", PLAYER),
    View("register-duplicates", "odile", CLUB),
    View("register-duplicates", "newcomer", EMPTY, "empty"),
    View("session-substitutes", "odile", SESSION),
    View("session-substitutes", "odile", PAST, "past"),
    View("club-registration", "odile", CLUB),
    View("club-registration", "newcomer", EMPTY, "empty"),
    View("tournament-registration", "odile", {"pk": "tournament"}),
    View("desk-registration", "odile", {"pk": "list"}),
    View("desk-registration", "odile", {"pk": "list"}, "found", query={"q": "o"}),
    View("desk-registration", "odile", {"pk": "empty_list"}, "empty"),
    View("player-links", "odile", CLUB),
    View("player-links", "odile", CLUB, "found", query={"q": "roche"}),
    View("player-links", "odile", CLUB, "made", sent=lambda scene: {"player": scene.ids["player"]}),
    View("erase-player", "odile", {"pk": "asked"}),
    View("player-link", "invited", {"pk": "invited_link"}),
    View("player-link", "browser", {"pk": "browser_link"}),
    View("player-link", "late", {"pk": "late_link"}, status=410),
    View("player-link", "nobody", {"pk": "late_link"}, "foreign", status=404),
    View("me"),
    View("me", "browser"),
    View("me", "player"),
    View("my-evening", "browser", PK_PAST),
    View("erase-me", "browser"),
    View("erase-me", "player"),
    View("erase-me", "player", note="unsure", sent=lambda scene: {}, status=400),
    View("erase-me", "player", note="done", fetch=_erased),
    # Operators
    View("admin", "nobody", status=403),
]

ELSEWHERE = {
    "api-docs": "a page of its own, by Swagger",
    "admin-page": "Django's own pages, for those who operate the service",
    "live": "for machines",
    "ready": "for machines",
    "invitation-link": "leads to `invitation`",
    "player-link-start": "leads to `player-link`",
    "mfa_login_webauthn": "asked by a script",
    "draft": "leads to a step",
    "mfa_download_recovery_codes": "a file",
    "register-export": "a file",
    "my-data": "a file",
    "club-history-jsonl": "a file",
    "club-history-csv": "a file",
    "session-history-jsonl": "a file",
    "session-history-csv": "a file",
    "withdraw-invitation": "takes forms alone",
    "set-up": "takes forms alone",
    "register-merge": "takes forms alone",
    "register-take-apart": "takes forms alone",
    "undo-substitution": "takes forms alone",
    "my-consent": "takes forms alone",
    "detach-player": "takes forms alone",
    "leave-browser": "takes forms alone",
    "decline-erasure": "takes forms alone",
    "withdraw-player-link": "takes forms alone",
    "take-custody": "takes forms alone",
    "lay-down-custody": "takes forms alone",
}
"""Routes that take GET and are not looked at, with the reason."""
