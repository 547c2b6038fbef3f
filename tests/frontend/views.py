"""Every page of the site, as each of its people sees it, in the club of `tests/frontend/scene.py`.

Pages are fetched in the test's own process; `tests/frontend/test_every_page.py` looks at them. A new page
joins `VIEWS`, or `ELSEWHERE` with the reason why nobody looks at it.
"""

import json
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any
from unittest import mock
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, transaction
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone, translation

from tests.tournaments.test_logos import a_picture
from tests.tournaments.worlds import plays_of, work
from tournaments.limits import limiter
from tournaments.models import Call, Draft, Job, Play, Role, Round, Session, SlipPhoto, Submission
from tournaments.services import (
    calls,
    jobs,
    play_drafts,
    readiness,
    result_files,
    rulings,
    session_wishes,
    slip_photos,
    table_links,
)

from .scene import PASSWORD, Scene


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


def _a_result_file(scene: Scene) -> dict[str, Any]:
    """A file with a good row, and one with two slips."""
    account = scene.account("odile")
    rows, _choices = result_files.template(session=scene.session, account=account, language="fr")
    good, wrong = rows[1], rows[2]
    at = rows[0].index("fin de la donne")
    good[at : at + 4] = wrong[at : at + 4] = ["jouée", 5, 3, 2]
    wrong[3], wrong[at + 1] = 99, "cinq"
    lines = ["\t".join("" if cell is None else str(cell) for cell in row) for row in rows]
    return {"pasted": "\n".join(lines)}


def _a_file_of_plays(scene: Scene) -> dict[str, Any]:
    """Plays as JSON Lines: one card by card, one by its sheet, and two lines with a slip each."""
    plays = plays_of(scene.session)
    said = [
        {"actions": ["play:AS", "play:KS"]},
        {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}},
        {"sheet": {"outcome": "normal", "tricks": [5, 5, 5]}},
    ]
    lines = [
        {
            "section": one.table.section.name,
            "table": one.table.number,
            "board": one.board.number,
            "record": record,
        }
        for one, record in zip(plays, said, strict=False)
    ]
    return {"pasted": "\n".join([*map(json.dumps, lines), '{"table": 1}'])}


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


def _with_few_boards(scene: Scene, client: Client, address: str) -> Any:
    """Somebody has played one board of four: the others are ruled not played."""
    session = Session.objects.select_related("board_set", "tournament__club").get(pk=scene.ids["past"])
    for play in plays_of(session):
        if play.round > 1 and play.seatings.filter(contestant__number=9).exists():
            place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
            plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "not-played"}])
            rulings.rule(plan, actor=scene.account("odile"), text="Arrivé trop tard")
    work(session)
    return client.get(address, HTTP_ACCEPT_LANGUAGE=translation.get_language())


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


def _taken_down(scene: Scene, client: Client, address: str) -> Any:
    link = table_links.with_code(scene.ids["code"])
    assert link is not None
    entries = ["@turned:S", "@turned:H", "play:AD", "play:TD", "play:7C", "@leads:3", "play:KS"]
    board = scene.ids["table_board"]
    play_drafts.keep(link, board, entries, play_drafts.kept(link, board).revision)
    return client.get(address)


def _round_over(scene: Scene, client: Client, address: str) -> Any:
    link = table_links.with_code(scene.ids["code"])
    assert link is not None
    Round.objects.filter(session=link.table.section.session_id, number=1).update(
        state=Round.State.CLOSED, settled_at=timezone.now()
    )
    calls.answer(call=Call.objects.open().get(table=link.table_id), actor=link.token, state="withdrawn")
    return client.get(address)


def _disputed(scene: Scene, client: Client, address: str) -> Any:
    link = table_links.with_code(scene.ids["entered_code"])
    play = Play.objects.select_related("board").get(pk=scene.ids["entered"])
    assert link is not None
    other = {"outcome": "normal", "tricks": [4, 4, 2]}
    table_links.hand_in(link=link, board=play.board.number, key=uuid4(), sheet=other, seat=2)
    work(link.table.section.session)
    return client.get(address)


def _a_photo(content: bytes | None = None) -> Callable[[Scene], dict[str, Any]]:
    def sent(scene: Scene) -> dict[str, Any]:
        taken = a_picture("JPEG", (900, 1200)) if content is None else content
        return {"board": scene.ids["table_board"], "photo": SimpleUploadedFile("slip.jpg", taken)}

    return sent


def _with_a_photo(scene: Scene, client: Client, address: str) -> Any:
    play = Play.objects.get(pk=scene.ids["entered"])
    made = slip_photos.picture(a_picture("JPEG", (900, 1200)))
    SlipPhoto.objects.create(
        play=play, content=made.content, digest="0" * 64, width=made.width, height=made.height
    )
    return client.get(address)


def _no_admin(_scene: Scene, client: Client, address: str) -> Any:
    Role.objects.filter(club=None, session=None).update(revoked_at=timezone.now())
    at_the_machine = Client(HTTP_HOST="localhost:8000", REMOTE_ADDR="127.0.0.1")
    with override_settings(PRODUCTION=False):
        return at_the_machine.get(address)


def _failures(scene: Scene, client: Client, address: str) -> Any:
    """Results and long work that an error of the program has ended, and a worker that has found some."""
    judged = Submission.objects.filter(play__table__section__session=scene.ids["past"])
    judged.filter(pk__in=judged.values("pk")[:3]).update(state=Submission.State.FAILED)
    broken = {language: {"code": jobs.BROKEN, "message": "Internal error."} for language in ("en", "fr")}
    tournament = scene.session.tournament
    for kind in (Job.Kind.ARCHIVE, Job.Kind.SET_UP):
        made = Job.objects.create(kind=kind, tournament=tournament, name=scene.session.name)
        ended = timezone.now()
        Job.objects.filter(pk=made.pk).update(state=Job.State.FAILED, error=broken, ended_at=ended)
    readiness.sign_of_life(worker="worker1@sirius.example.org")
    readiness.note_sweep(worker="worker1@sirius.example.org", found={"judge": 1, "rank": 12, "work": 3})
    readiness.sign_of_life(worker="worker2@sirius.example.org")
    return client.get(address, HTTP_ACCEPT_LANGUAGE=translation.get_language())


def _file(scene: Scene) -> dict[str, Any]:
    rows = "prénom,nom,numéro\nLéa,Martin,77\nMarie-Antoinette,de Villeneuve-Bargemon,1917\n"
    return {"file": SimpleUploadedFile("membres.csv", rows.encode())}


def _at_a_table(scene: Scene, client: Client, address: str) -> Any:
    play = Play.objects.get(pk=scene.ids["entered"])
    sent = {"seen": Session.objects.get(pk=scene.ids["running"]).tally.layout, "kind": "seats"}
    sent |= {"seat_1": 2, "seat_2": 1, "seat_3": 3, "reason": ""}
    return client.post(f"{address}?table={play.table_id}&round={play.round}", sent)


def _slip(line: str) -> Callable[[Scene], dict[str, Any]]:
    def sent(scene: Scene) -> dict[str, Any]:
        play = Play.objects.select_related("table", "board").get(pk=scene.ids["entered"])
        place = f"{play.table.number} {play.board.number}"
        return {"line": line.format(place), "key": str(uuid4())}

    return sent


RUNNING = {"session": "running"}
CLUB, EMPTY, SESSION, PAST = {"club": "club"}, {"club": "empty"}, {"session": "session"}, {"session": "past"}
PK_PAST = {"pk": "past"}
PLAYER = {"club": "club", "pk": "player"}
PLAYED = {"club": "club", "pk": "played"}
FIELD = {"pk": "played_event", "leg": "leg"}


def _no_picture(_scene: Scene) -> dict[str, Any]:
    return {"way": "logo", "logo": SimpleUploadedFile("logo.svg", b"<svg/>")}


def _a_wrong_list(_scene: Scene) -> dict[str, Any]:
    return {"way": "set up", "whom": "handicap", "min_boards": "1", "handicaps": "7: deux"}


def _a_season(*, wrong: bool = False) -> Callable[[Scene], dict[str, Any]]:
    def sent(_scene: Scene) -> dict[str, Any]:
        rows = [
            "rang;numéro;nom;total;soirées",
            "1;;Anne Quéméner;1 284,5;22",
            "2;1917;;57;",
        ]
        if wrong:
            rows += ["9;;Zoé Ő;12,5 pts;22", "4;999;;;beaucoup"]
        file = SimpleUploadedFile("saison.csv", "\n".join(rows).encode())
        return {"way": "look", "title": "Championnat", "year": "2018", "counted": "points", "file": file}

    return sent


def _a_movement(*, wrong: bool = False) -> Callable[[Scene], dict[str, Any]]:
    """Thirteen at four tables, of whom another sits out in each round."""

    def sent(scene: Scene) -> dict[str, Any]:
        draft = Draft.objects.get(pk=scene.ids["thirteen"])
        rows = ["tour;table;place;concurrent;étuis"]
        rows += [
            f"{turn};{seat // 3 + 1};{seat % 3 + 1};{(turn + seat) % 13 + 1};{2 * turn - 1} {2 * turn}"
            for turn in range(1, 8)
            for seat in range(12)
        ]
        if wrong:
            rows[3], rows[5] = "1;1;3;99;1 2", "1;2;2;5;2026-01-02"
        file = SimpleUploadedFile("mouvement.csv", "\n".join(rows).encode())
        hours = {name: draft.wish[name] for name in ("date", "begins", "ends", "minutes")}
        return {"seen": draft.version, **hours, "boards": "", "movement": "", "way": "file", "file": file}

    return sent


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
    View("public-clubs"),
    View("public-club", which=CLUB),
    View("public-club", which=EMPTY, note="nothing", status=404),
    View("public-players", which=CLUB),
    View("ratings-page", which=CLUB),
    View("ratings-page", which=EMPTY, note="nothing", status=404),
    View("public-player", which=PLAYED),
    View("public-tournament", which={"pk": "tournament"}),
    View("public-events"),
    View("public-event", which={"pk": "event"}),
    View("public-event", "federation", {"pk": "draft_event"}, "empty"),
    View("public-event", which={"pk": "draft_event"}, note="nothing", status=404),
    View("public-field", which={"pk": "event", "leg": "leg"}),
    View("public-field", which=FIELD, note="played"),
    View("public-field", which=FIELD, note="of-a-region", query={"region": "Vallée de la Bièvre"}),
    View("public-field", which=FIELD, note="of-a-club", query={"club": "cercle-des-étuis-de-laon"}),
    View("search"),
    View("search", note="found", query={"q": "mar"}),
    View("search", "odile", note="own", query={"q": "roche"}),
    View("search", note="none", query={"q": "xyzzy"}),
    View("keys"),
    View("help"),
    View("verify-page", which=PK_PAST),
    View("verify-page", which=PK_PAST, note="board", query={"board": "1"}),
    View("screen-page", which=PK_PAST),
    View("screen-page", which={"pk": "running"}, note="running"),
    View("games-page"),
    View("rules-page", which={"game": "game"}),
    View("ranking-page", which=PK_PAST),
    View("ranking-page", which=PK_PAST, note="list", query={"list": "1"}),
    View("ranking-page", which={"pk": "running"}, note="running"),
    View("ranking-page", "odile", PK_PAST),
    View("ranking-embed", which=PK_PAST),
    View("ranking-embed", which={"pk": "running"}, note="running"),
    View("matches-page", which={"pk": "matches"}),
    View("matches-page", "odile", {"pk": "matches"}, "runs"),
    View(
        "matches-act", "odile", {"pk": "matches"}, "wrong", sent=lambda _scene: {"way": "forfeit"}, status=400
    ),
    View("boards-page", which=PK_PAST),
    View("traveller-page", which=PK_PAST | {"number": "number"}),
    View("replay-page", which=PK_PAST | {"number": "board", "play": "play"}),
    View("registration", which={"pk": "list"}),
    View("registration", which={"pk": "empty_list"}, note="empty"),
    View("registration", "player", {"pk": "list"}, "own"),
    View("job-page", which={"pk": "job_waiting"}, note="stranger"),
    *(
        View("job-page", "odile", {"pk": f"job_{one}"}, one)
        for one in ("waiting", "running", "failed", "done", "printed", "archived")
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
    View("club-settings", "odile", CLUB, "wrong", sent=_no_picture, status=400),
    View("club-templates", "odile", CLUB),
    View("club-templates", "newcomer", EMPTY, "empty"),
    View("club-template", "odile", CLUB | {"pk": "template"}),
    View("club-catalogue", "odile", CLUB),
    View("club-catalogue", "newcomer", EMPTY, "empty"),
    View("desk-formulas", "odile", CLUB),
    View("desk-formulas", "newcomer", EMPTY, "empty"),
    View("club-seasons", "odile", CLUB),
    View("club-seasons", "odile", CLUB, "shown", sent=_a_season()),
    View("club-seasons", "odile", CLUB, "wrong", sent=_a_season(wrong=True), status=400),
    View("club-seasons", "newcomer", EMPTY, "empty"),
    View("desk-events", "federation"),
    View("desk-events", "odile"),
    View("desk-event", "federation", {"event": "event"}),
    View("desk-event", "federation", {"event": "event"}, "invited", query={"leg": "1", "stage": "invited"}),
    View("desk-event", "federation", {"event": "draft_event"}, "first"),
    View("desk-event", "federation", {"event": "played_event"}, "played"),
    View(
        *("desk-event", "federation", {"event": "played_event"}, "leave-out"),
        sent=lambda scene: {"way": "step", "entry": str(scene.ids["played_entry"]), "to": "left-out"},
        status=400,
    ),
    View("desk-event-checks", "federation", {"event": "played_event"}),
    View("desk-event-checks", "federation", {"event": "event"}, "embargo"),
    View(
        *("desk-event-checks", "federation", {"event": "played_event"}, "gone"),
        sent=lambda _scene: {"key": "gone", "answer": "right"},
        status=400,
    ),
    View(
        *("desk-event", "federation", {"event": "draft_event"}, "wrong"),
        sent=lambda scene: {"way": "leg", "boards": "0", "opens_hour": "noon"},
        status=400,
    ),
    View("club-events", "odile", CLUB),
    View(
        *("club-events", "odile", CLUB, "wrong"),
        sent=lambda scene: {"way": "enter", "leg": str(scene.ids["invited_leg"]), "tables": "1"},
        status=400,
    ),
    View("club-events", "newcomer", EMPTY, "empty"),
    View("season-page", "anyone", {"season": "standing"}),
    View("season-page", "odile", {"season": "draft_standing"}, "empty"),
    View("season-page", "anyone", {"season": "draft_standing"}, "nothing", status=404),
    View("desk-partners", "odile"),
    View(
        *("desk-partners", "odile", {}, "made"),
        sent=lambda scene: {
            **{"owner": scene.club.slug, "name": "Site", "url": "https://example.org/etui"},
            "kinds": ["ranking.published"],
        },
    ),
    View(
        *("desk-partners", "odile", {}, "wrong"),
        sent=lambda scene: {"owner": scene.club.slug, "name": "", "url": "http://10.0.0.1/"},
        status=400,
    ),
    View(
        "desk-keys",
        "odile",
        sent=lambda scene: {"owner": scene.club.slug, "name": "Site", "per_minute": "600"},
    ),
    View(
        *("desk-keys", "odile", {}, "wrong"),
        sent=lambda scene: {"owner": scene.club.slug, "name": "", "per_minute": "7"},
        status=400,
    ),
    View("desk-webhook", "odile", {"webhook": "webhook"}),
    View("desk-webhook", "odile", {"webhook": "webhook"}, "secret", sent=lambda _scene: {"way": "rotate"}),
    View("desk-webhook", "odile", {"webhook": "webhook_off"}, "off"),
    View("desk-seasons", "odile"),
    View("desk-ratings", "odile", CLUB),
    View("desk-ratings", "newcomer", EMPTY, "empty"),
    View("desk-season", "odile", {"season": "standing"}),
    View("desk-season", "odile", {"season": "draft_standing"}, "empty"),
    View(
        *("desk-season", "odile", {"season": "standing"}, "wrong"),
        sent=lambda _scene: {"way": "rules", "which": "best"},
        status=400,
    ),
    View("past-season", "anyone", CLUB | {"pk": "season"}),
    View("past-season", "odile", CLUB | {"pk": "season"}),
    View("club-tournaments", "odile", CLUB),
    View("club-tournaments", "newcomer", EMPTY, "empty"),
    View("club-tournament", "odile", CLUB | {"pk": "tournament"}),
    View("new-session", "odile", CLUB),
    View("new-session", "newcomer", EMPTY, "empty"),
    View("delete-draft", "odile", {"pk": "begun"}),
    *_steps(),
    View("draft-step", "odile", {"pk": "begun"}, "begun", {"step": "game"}),
    View("draft-step", "odile", {"pk": "waiting"}, "waiting", {"step": "movement"}),
    View(
        "draft-step",
        "odile",
        {"pk": "thirteen"},
        "wrong-file",
        {"step": "movement"},
        sent=_a_movement(wrong=True),
    ),
    View("draft-step", "odile", {"pk": "thirteen"}, "own-file", {"step": "movement"}, sent=_a_movement()),
    *(View("session-desk", who, SESSION) for who in ("odile", "director", "scorer", "officer")),
    View("session-desk", "odile", PAST, "past"),
    View("session-desk", "odile", {"session": "running"}, "running"),
    View("desk-play", "odile", PAST | {"play": "play"}),
    View(
        "desk-play", "odile", {"session": "running", "play": "entered"}, "photographed", fetch=_with_a_photo
    ),
    *(
        View("desk-play", "odile", {"session": "running", "play": play}, play)
        for play in ("entered", "expected")
    ),
    *(
        View("run-session", "odile", {"session": "running"}, part={"act": act}, query={"round": "1"})
        for act in ("mend", "pace", "extend", "cancel")
    ),
    View("run-session", "odile", SESSION, "deals", part={"act": "start"}),
    *(
        View("run-session", "odile", SESSION, "shuffled", part={"act": act})
        for act in ("by-copies", "by-tables")
    ),
    *(View("session-desk", "odile", {"session": one}, one) for one in ("by_hand", "copied")),
    *(View("session-deals-page", "odile", {"session": one}, one) for one in ("by_hand", "copied")),
    View("run-session", "odile", PAST, "few-boards", part={"act": "final"}, fetch=_with_few_boards),
    View("desk-lists", "odile", PAST, "few-boards", fetch=_with_few_boards),
    View(
        "desk-play",
        "odile",
        {"session": "running", "play": "entered"},
        "priced",
        sent=lambda _scene: (
            {"way": "price", "sheet-outcome": "normal", "sheet-key": str(uuid4())}
            | {f"sheet-tricks{seat}": tricks for seat, tricks in enumerate("235", 1)}
        ),
    ),
    View("run-session", "odile", PAST, "unsettled", part={"act": "final"}),
    *(
        View(route, "odile", {"session": "running"})
        for route in ("session-changes", "change-here", "change-table", "change-cards", "change-reserve")
    ),
    View(
        "change-here", "odile", {"session": "running"}, "wrong", sent=lambda scene: {"first": 2}, status=400
    ),
    View("change-table", "odile", {"session": "running"}, "one", fetch=_at_a_table),
    View(
        "change-reserve",
        "odile",
        SESSION,
        "price",
        sent=lambda scene: {"board": 1, "reason": "Une carte vue"},
    ),
    View(
        "desk-play",
        "odile",
        {"session": "running", "play": "entered"},
        "looked",
        sent=lambda _scene: {"way": "look", "way_of": "assigned", "score_0": "+99"},
    ),
    View(
        "desk-play",
        "odile",
        {"session": "running", "play": "entered"},
        "wrong",
        sent=lambda _scene: {"way": "look", "way_of": "split", "kind_0": "assigned", "split_0": "x"},
        status=400,
    ),
    View(
        "desk-objections",
        "odile",
        PAST,
        "looked",
        sent=lambda _scene: {
            **{"way": "look", "contestant": 1, "penalty": "other"},
            **{"kind": "penalty", "amount": "10", "unit": "percent"},
        },
    ),
    View("desk-objections", "odile", PAST),
    View("desk-objections", "odile", RUNNING, "empty"),
    View("desk-fees", "odile", RUNNING),
    View("desk-fees", "odile", RUNNING, "owed", query={"show": "owed"}),
    View(
        "desk-fees",
        "odile",
        RUNNING,
        "wrong",
        sent=lambda _scene: {"way": "set", "seen": "so", "fee_": "six"},
        status=400,
    ),
    View("desk-fees", "scorer", SESSION, "none"),
    View("desk-lists", "odile", PAST),
    View("desk-lists", "odile", PAST, "list", query={"list": "1"}),
    View("desk-lists", "odile", PAST, "new", query={"new": "1"}),
    View("desk-lists", "odile", PAST, "moved", query={"from": "0", "to": "99"}),
    View("desk-lists", "odile", PAST, "wrong", sent=_a_wrong_list, status=400),
    View("desk-lists", "odile", RUNNING, "running"),
    View("desk-lists", "odile", SESSION, "empty"),
    View("desk-rehearsal", "odile", SESSION),
    View("set-up-again", "odile", SESSION),
    View("delete-session", "odile", SESSION),
    View("desk-slips", "odile", RUNNING),
    View("desk-slips", "odile", RUNNING, "wrong", sent=_slip("1 1 5 3 x"), status=400),
    View("desk-slips", "odile", RUNNING, "compared", sent=_slip("{} 4-4-2"), status=409),
    View("change-price", "odile", {"session": "running", "job": "job_price"}),
    View("session-deals-page", "officer", SESSION),
    View("session-deals-page", "director", SESSION),
    View("print-lists", "officer", SESSION, sent=lambda scene: {"first": 1, "last": 3}),
    View("club-history", "odile", CLUB),
    View("club-history", "newcomer", EMPTY, "empty"),
    View("session-history-page", "odile", SESSION),
    # The table
    View("table-code"),
    View("table-page", which={"code": "no_code"}, note="unknown", status=404),
    *(
        View("table-page", which={"code": f"{one}_code"}, note=one)
        for one in ("entered", "ended", "fresh", "played", "waiting")
    ),
    View("table-page", which={"code": "code"}),
    View("table-page", which={"code": "entered_code"}, note="disputed", fetch=_disputed),
    View("table-board", which={"code": "code", "board": "table_board"}),
    View("table-corrections", which={"code": "code"}, fetch=_round_over),
    View("table-seats", which={"code": "code"}, note="called"),
    View("table-seats", which={"code": "fresh_code"}),
    View(
        "table-seats",
        which={"code": "fresh_code"},
        note="wrong",
        sent=lambda scene: {"seat_1": "2"},
        status=400,
    ),
    View("table-page", which={"code": "code"}, note="over", fetch=_round_over),
    View("table-photos", which={"code": "code"}),
    View("table-photos", which={"code": "code"}, note="sent", sent=_a_photo()),
    View("table-photos", which={"code": "code"}, note="wrong", sent=_a_photo(b"<svg/>"), status=400),
    View("table-photos", which={"code": "waiting_code"}, note="waiting"),
    View("table-play", which={"code": "code", "board": "table_board"}),
    View("table-play", which={"code": "code", "board": "table_board"}, note="begun", fetch=_taken_down),
    View(
        "table-board",
        which={"code": "code", "board": "table_board"},
        note="wrong",
        sent=lambda scene: {"sheet-outcome": "normal", "sheet-tricks1": "12"},
        status=400,
    ),
    View(
        "table-seated", which={"code": "code"}, note="wrong", sent=lambda scene: {"round": "99"}, status=404
    ),
    View("session-tables", "odile", {"session": "running"}),
    View("session-tables", "odile", SESSION, "none"),
    View("session-tables", "odile", PAST, "past"),
    View("table-cards", "odile", {"session": "running"}),
    View("table-cards", "odile", SESSION, "none"),
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
    View(
        *("register-player", "odile", PLAYER, "suspension"),
        sent=lambda _scene: {"way": "licence", "seen": "so", "suspended_until": "2027-03-01"},
        status=400,
    ),
    View("register-duplicates", "odile", CLUB),
    View("register-duplicates", "newcomer", EMPTY, "empty"),
    View("session-substitutes", "odile", SESSION),
    View("session-results-file", "odile", SESSION),
    View("session-results-file", "odile", SESSION, "wrong", sent=_a_result_file),
    View("session-results-file", "odile", SESSION, "plays", sent=_a_file_of_plays),
    View("session-archive", "odile", SESSION, "early"),
    View("session-archive", "odile", PAST),
    View("tournament-archive", "odile", CLUB | {"pk": "tournament"}),
    View("club-archives", "odile", CLUB),
    View("club-archives", "odile", CLUB, "wrong", sent=lambda scene: {"tournament": ""}),
    View("session-print", "odile", SESSION),
    View("session-print", "odile", SESSION, "wrong", sent=lambda scene: {"size": "A4"}),
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
    View("all-player-links", "odile", CLUB),
    View("all-player-links", "odile", CLUB, "made", sent=lambda scene: {"session": scene.ids["session"]}),
    View("all-player-links", "newcomer", EMPTY, "empty"),
    View("erase-player", "odile", {"pk": "asked"}),
    View("player-link", "invited", {"pk": "invited_link"}),
    View("player-link", "browser", {"pk": "browser_link"}),
    View("player-link", "late", {"pk": "late_link"}, status=410),
    View("player-link", "nobody", {"pk": "late_link"}, "foreign", status=404),
    View("me"),
    View("me", "browser"),
    View("me", "player"),
    View("my-evening", "browser", PK_PAST),
    View("my-evening", "browser", {"pk": "running"}, "running"),
    View("my-results", "browser"),
    View("my-season", "browser"),
    View("my-board", "browser", PK_PAST | {"number": "own_board"}),
    View("my-replay", "browser", PK_PAST | {"number": "own_board", "play": "own_play"}),
    View("my-objections", "browser", PK_PAST),
    View("evening-card", status=404),
    View("erase-me", "browser"),
    View("erase-me", "player"),
    View("erase-me", "player", note="unsure", sent=lambda scene: {}, status=400),
    View("erase-me", "player", note="done", fetch=_erased),
    # Operators
    View("admin", "nobody", status=403),
    View("operating", "nobody", status=403),
    View("operating", "operator"),
    View("operating", "operator", note="failed", fetch=_failures),
]

ELSEWHERE = {
    "table-start": "leads to `table-page`",
    "table-now": "a part of `table-page`",
    "table-manifest": "for machines",
    "table-worker": "for machines",
    "table-results": "takes what phones send",
    "table-records": "takes what phones send",
    "table-agreements": "takes what phones send",
    "table-calls": "takes what phones send",
    "metrics": "for machines",
    "slip-photo": "a picture",
    "settle-late": "takes forms alone",
    "api-docs": "a page of its own, by Swagger",
    "admin-page": "Django's own pages, for those who operate the service",
    "demo-sign-in": "leads to the desk, in the demo alone",
    "demo-tour": "takes forms alone",
    "club-calendar": "for machines",
    "club-logo": "a picture",
    "ranking-preview": "a picture",
    "place-preview": "a picture",
    "board-preview": "a picture",
    "oembed": "for machines",
    "club-results": "for machines",
    "search-suggestions": "asked by a script",
    "live": "for machines",
    "ready": "for machines",
    "invitation-link": "leads to `invitation`",
    "player-link-start": "leads to `player-link`",
    "evening-card-start": "leads to `evening-card`",
    "mfa_login_webauthn": "asked by a script",
    "draft": "leads to a step",
    "mfa_download_recovery_codes": "a file",
    "register-export": "a file",
    "my-data": "a file",
    "my-calendar": "a file",
    "print-file": "a file",
    "archive-file": "a file",
    "session-file": "a file",
    "event-clubs-file": "a file",
    "public-field-file": "a file",
    "tournament-standings-file": "a file",
    "past-season-file": "a file",
    "season-file": "a file",
    "session-result-template": "a file",
    "club-history-jsonl": "a file",
    "club-history-csv": "a file",
    "session-history-jsonl": "a file",
    "session-history-csv": "a file",
    "withdraw-invitation": "takes forms alone",
    "undo": "takes forms alone",
    "desk-waits": "takes forms alone",
    "desk-news": "asked by a script",
    "desk-slip-hint": "asked by a script",
    "draft-names": "asked by a script",
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
