"""Every route × every role × own and others’ objects, beside the table in docs/roles.md.

A new route needs a line there; where its address has a place to fill that no other had before, it needs an
object in `Things` too. `make test` asks each route as those at its boundary (`at_the_boundary`), and
`make campaign-roles` as everybody.
"""

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from rest_framework.test import APIClient

from tests.running import EVERYBODY, ROOT
from tests.tournaments.worlds import (
    a_call,
    a_club,
    a_club_entry,
    a_code,
    a_delivery,
    a_draft_season,
    a_formula,
    a_late_entry,
    a_list,
    a_past_season,
    a_penalty,
    a_ruling,
    a_running_season,
    a_session,
    a_slip_photo,
    a_team,
    an_announcement,
    an_objection,
    plays_of,
)
from tournaments.models import (
    Account,
    ClubEntry,
    Draft,
    ErasureWish,
    Job,
    Player,
    Registration,
    RegistrationList,
    Session,
    Submission,
    Substitution,
    Table,
)
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import accounts, invitations, player_links, roles, submissions, templates, tokens
from tournaments.services.roles import FEDERATION, RolePlace
from tournaments.services.session_wishes import SessionWish

from ..tournaments.worlds import an_entry

pytestmark = pytest.mark.django_db

WORDS = (
    *("anyone", "account", "player", "table", "scorer", "session scorer", "deal officer", "director"),
    *("session organiser", "organiser", "administrator", "federation"),
)
BY_TOKEN_ALONE, BY_SIGN_IN_ALONE = {"player", "table"}, {"account"}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NOBODY = "–"
MAY_NOT = {401, 403, 404}
AWAY = 503
SIGNING_IN = ("anyone", "account", "federation")  # who asks allauth's views, which know of no roles
ABOVE = {
    "anyone": ("account", "player", "table"),
    "account": ("scorer", "session scorer", "deal officer", "federation"),
    "player": ("session scorer",),
    "table": ("session scorer",),
    "scorer": ("organiser",),
    "session scorer": ("director",),
    "deal officer": ("director",),
    "director": ("session organiser",),
    "session organiser": ("organiser",),
    "organiser": ("administrator",),
    "administrator": (),
    "federation": (),
}  # who has the next larger role of those that hold this one


# ── The table ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class TableRow:
    own: frozenset[str]
    others: frozenset[str]
    has_others: bool


def the_table() -> dict[str, TableRow]:
    """By request, as `GET session`: who may, of what is theirs and of what is others’."""
    text = roles_page()
    groups = groups_of(text)
    lines: dict[str, TableRow] = {}
    for cells in re.findall(r"^\| `((?:[A-Z]+ )+[^`]+)` \|(.*)\|$", text, re.M):
        own, others = (cell.strip() for cell in cells[1].split("|")[:2])
        head = re.fullmatch(r"((?:[A-Z]+ )+)(.+)", cells[0])
        assert head
        for method in head[1].split():
            for name in head[2].split(", "):
                assert f"{method} {name}" not in lines, f"two lines for {method} {name}"
                lines[f"{method} {name}"] = TableRow(
                    people(own, groups), people(others, groups), bool(others)
                )
    return lines


def roles_page() -> str:
    return (ROOT / "docs" / "roles.md").read_text()


def groups_of(text: str) -> dict[str, frozenset[str]]:
    """Who is meant by what the page has for short."""
    return {
        name: frozenset(split(cell))
        for name, cell in re.findall(r"^\| \*([\w ]+)\* \| (.+?) \|$", text, re.M)
    }


def split(cell: str) -> list[str]:
    return [word.strip() for word in cell.split(",")]


def people(cell: str, groups: dict[str, frozenset[str]]) -> frozenset[str]:
    """The words of a cell, groups taken apart. Whoever has an account may what every account may, and
    everybody what anyone may."""
    found: set[str] = set()
    for word in split(cell):
        if word in {NOBODY, ""}:
            continue
        assert word in groups or word in WORDS, f"{word} is nobody: {cell}"
        found |= groups.get(word, {word})
    if "anyone" in found:
        found |= set(WORDS)
    if "account" in found:
        found |= set(WORDS) - BY_TOKEN_ALONE - {"anyone"}
    return frozenset(found)


# ── The routes ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Route:
    name: str
    path: str
    parameters: tuple[str, ...]
    is_api: bool
    is_signing_in: bool
    methods: tuple[str, ...]


def routes(patterns: list[Any] | None = None, before: str = "") -> Iterator[Route]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            assert pattern.name, f"{path} has no name"
            view = getattr(pattern.callback, "view_class", None) or getattr(pattern.callback, "cls", None)
            is_api = path.startswith("api/v1/")
            has = [one for one in METHODS if hasattr(view, one.lower())] if view else ["GET", "POST"]
            of_allauth = pattern.callback.__qualname__.startswith("later")
            places = tuple(pattern.pattern.converters) or tuple(re.findall(r"\(\?P<(\w+)>", path))
            yield Route(pattern.name, path, places, is_api, of_allauth, tuple(has))


# ── What there is to ask for, and who asks ────────────────────────────────────────────────────────


@dataclass
class Things:
    """What is somebody’s: of one club, its session, and what hangs on them."""

    session: Session
    submission: Submission
    job: Job
    scorer_role: int
    administrator_role: int
    template: int
    invitation: int
    token: int
    player: int
    substitution: int
    ruling: int
    listing: int
    team: int
    penalty: int
    formula: int
    past_season: int
    season: int
    entry: ClubEntry
    objection: int
    call: int
    announcement: int
    registration_list: int
    registration: int
    player_link: int
    erasure: int
    draft: int
    code: str
    late: int
    photo: int
    webhook: tuple[int, int]
    draft_season: int
    own_roles: dict[str, int]
    own_tokens: dict[str, int]

    def arguments(self, route: Route, who: str, variant: str) -> dict[str, Any]:
        """The places in a route’s address, filled. What is an account’s own differs by who asks."""
        play, pk = self.submission.play, None
        match route.path.rpartition("<int:pk>")[0] or route.path.rpartition("<uuid:pk>")[0]:
            case before if before.endswith("sessions/"):
                pk = self.session.pk
            case before if before.endswith("events/"):
                pk = self.entry.leg.event_id
            case before if before.endswith("legs/"):
                pk = self.entry.leg_id
            case before if before.endswith("v1/entries/"):
                pk = self.entry.pk
            case before if before.endswith("webhooks/"):
                pk = self.webhook[0]
            case before if before.endswith("tournaments/"):
                pk = self.session.tournament_id
            case before if before.endswith("/templates/"):
                pk = self.template
            case before if before.endswith("drafts/"):
                pk = self.draft
            case before if before.endswith("slip-photos/"):
                pk = self.photo
            case before if before.endswith("desk/late/"):
                pk = self.late
            case before if before.endswith(("jobs/", "print/", "prints/", "archive/", "archives/")):
                pk = self.job.pk
            case before if before.endswith("submissions/"):
                pk = self.submission.pk
            case before if before.endswith("account/roles/"):
                pk = self.own_roles.get(who, self.scorer_role)
            case before if before.endswith("account/tokens/"):
                pk = self.own_tokens.get(who, self.token)
            case before if before.endswith("desk/roles/"):
                pk = self.administrator_role if variant == "an administrator’s" else self.scorer_role
            case before if before.endswith(("/clubs/<str:club>/players/", "desk/players/", "me/entries/")):
                pk = self.player
            case before if before.endswith("desk/erasures/"):
                pk = self.erasure
            case before if before.endswith(("links/", "en/players/")):
                pk = self.player_link
            case before if before.endswith(("registration-lists/", "registration/")):
                pk = self.registration_list
            case before if before.endswith("registrations/"):
                pk = self.registration
            case before if before.endswith("v1/seasons/"):
                pk = self.draft_season
            case before if before.endswith("seasons/"):
                pk = self.past_season
            case before if before.endswith("substitutes/"):
                pk = self.substitution
            case before if before.endswith("desk/invitations/"):
                pk = self.invitation
            case before if before.endswith(("invitations/", "passkeys/")):
                pk = self.invitation
        values = {
            **{"pk": pk, "session": self.session.pk, "club": self.session.tournament.club.slug},
            **{"number": play.board.number, "play": play.pk, "secret": "no-such-link"},
            **{"substitution": self.substitution, "form": "csv", "ruling": self.ruling},
            **{"act": "cancel", "game": "comon", "job": self.job.pk, "what": "ranking"},
            **{"call": self.call, "announcement": self.announcement, "photo": self.photo},
            **{"code": self.code, "board": play.board.number},
            **{"objection": self.objection, "listing": self.listing, "penalty": self.penalty},
            "formula": self.formula,
            **{"webhook": self.webhook[0], "delivery": self.webhook[1], "season": self.season},
            **{"team": self.team, "leg": 1, "event": self.entry.leg.event_id},
            **{"uidb36": "1", "key": "no-such-key", "rest": "tournaments/account/", "step": "game"},
        }
        assert set(route.parameters) <= set(values), (
            f"{route.path}: what is to fill its places? Say it above."
        )
        return {name: values[name] for name in route.parameters if values[name] is not None}


@dataclass
class RoleCaller:
    """Somebody in one role: with a token, signed in, or both."""

    api: APIClient | None
    web: Client | None

    def status(self, route: Route, method: str, address: str) -> int:
        client = self.api if route.is_api else self.web
        assert client is not None
        cookies = copy(client.cookies)
        with transaction.atomic():
            answer = client.generic(method, address, **({} if method == "GET" else self.body(route)))
            transaction.set_rollback(True)
        client.cookies = cookies
        where = answer.headers.get("Location", "")
        return 401 if where.startswith(reverse("account_login") + "?") else int(answer.status_code)

    @staticmethod
    def body(route: Route) -> dict[str, Any]:
        """Nothing: whoever may not is told so before what is wrong with it."""
        if route.is_api:
            return {"data": "{}", "content_type": "application/json"}
        return {"data": "", "content_type": "application/x-www-form-urlencoded"}


@dataclass
class TwoClubs:
    own: Things
    others: Things
    callers: dict[str, RoleCaller]

    @classmethod
    def set(cls) -> "TwoClubs":
        session, foreign = a_session(), a_session(club="Club B")
        held: dict[str, tuple[RoleKind, RolePlace] | None] = {
            "account": None,
            "scorer": (RoleKind.SCORER, RolePlace(a_club())),
            "session scorer": (RoleKind.SCORER, RolePlace(session=session)),
            "deal officer": (RoleKind.DEAL_OFFICER, RolePlace(session=session)),
            "director": (RoleKind.DIRECTOR, RolePlace(session=session)),
            "session organiser": (RoleKind.ORGANISER, RolePlace(session=session)),
            "organiser": (RoleKind.ORGANISER, RolePlace(a_club())),
            "administrator": (RoleKind.ADMINISTRATOR, RolePlace(a_club())),
            "federation": (RoleKind.ADMINISTRATOR, FEDERATION),
        }
        callers = {"anyone": RoleCaller(APIClient(), Client(HTTP_HOST="localhost"))}
        own_roles, own_tokens = {}, {}
        for who, what in held.items():
            account = accounts.create(name=who, email=f"{who.replace(' ', '.')}@example.org", password="x")
            client, text = Client(HTTP_HOST="localhost"), None
            client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
            if what is not None:
                role, _new = roles.grant(account=account, kind=what[0], place=what[1], actor=None)
                token, text = tokens.make(role=role, name=who, scopes=role.scopes, actor=account)
                own_roles[who], own_tokens[who] = role.pk, token.pk
            callers[who] = RoleCaller(calling(text) if text else None, client)
        own = things(session, own_roles, own_tokens, callers, own_roles["administrator"])
        return cls(own, things(foreign, {}, {}, None, None), callers)


def things(
    session: Session,
    own_roles: dict[str, int],
    own_tokens: dict[str, int],
    callers: dict[str, RoleCaller] | None,
    administrator_role: int | None,
) -> Things:
    """What a club has, with a table and a player of its own where `callers` are to be among them."""
    club = session.tournament.club
    place = RolePlace(club)
    other = accounts.create(name=f"Other of {club.name}")
    role, _new = roles.grant(account=other, kind=RoleKind.SCORER, place=place, actor=None)
    if administrator_role is None:
        above = accounts.create(name=f"Above at {club.name}")
        administrator_role = roles.grant(account=above, kind=RoleKind.ADMINISTRATOR, place=place, actor=None)[
            0
        ].pk
    organiser, _text = tokens.issue_for_role(
        person=f"Organiser of {club.name}", club=club, kind=RoleKind.ORGANISER
    )
    issued = tokens.issue_for_tables(session=session, actor=organiser)
    table, text = issued[0]
    play = next(one for one in plays_of(session) if one.table_id == table.pk)
    if callers is not None:
        callers["table"] = RoleCaller(calling(text), None)
        name = play.seatings.select_related("contestant").get(seat=1).contestant.name
        callers["player"] = RoleCaller(calling(tokens.issue_for_player(name=name, club=club)[1]), None)
    sender = Table.objects.get(pk=table.pk).tokens.get(revoked_at=None)
    member = session.members.order_by("pk")[0]
    substitution = Substitution.objects.create(
        contestant=member.contestant,
        player=Player.objects.create(club=club, given_name="Zoé"),
        for_player=member.player,
        first_round=1,
        last_round=1,
    )
    the_list = RegistrationList.objects.create(tournament=session.tournament, name="Next", is_public=False)
    (stored,) = submissions.submit(session_id=session.pk, sender=sender, entries=[an_entry(play)])
    return Things(
        session=session,
        submission=Submission.objects.select_related("play__board").get(pk=stored.pk),
        job=Job.objects.create(
            kind=Job.Kind.REPLAN, tournament=session.tournament, session=session, name="Plan"
        ),
        scorer_role=role.pk,
        administrator_role=administrator_role,
        template=templates.add(club=club, actor=None, name="Tuesday", wish=SessionWish(game="comon")).pk,
        invitation=invitations.invite(kind=RoleKind.SCORER, place=place, actor=None)[0].pk,
        token=tokens.make(role=role, name="other", scopes=[Scope.READ], actor=other)[0].pk,
        player=member.player_id,
        substitution=substitution.pk,
        ruling=a_ruling(session, play),
        listing=a_list(session),
        team=a_team(session),
        penalty=a_penalty(session),
        formula=a_formula(session),
        past_season=a_past_season(club),
        season=a_running_season(session),
        entry=a_club_entry(club),
        objection=an_objection(session, play, organiser),
        call=a_call(play.table, organiser),
        announcement=an_announcement(session, organiser),
        registration_list=the_list.pk,
        registration=Registration.objects.create(list=the_list).pk,
        player_link=player_links.offer(player=member.player, actor=None)[0].pk,
        erasure=ErasureWish.objects.create(player=member.player).pk,
        draft=Draft.objects.create(club=club, tournament=session.tournament, made_by=other).pk,
        code=a_code(table, organiser),
        late=a_late_entry(table),
        photo=a_slip_photo(play),
        webhook=a_delivery(club),
        draft_season=a_draft_season(club),
        own_roles=own_roles,
        own_tokens=own_tokens,
    )


def calling(text: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def asking(route: Route) -> tuple[str, ...]:
    if route.is_signing_in:
        return SIGNING_IN
    if route.name == "schema":  # half a second each time
        return ("anyone", "federation")
    left_out = BY_SIGN_IN_ALONE if route.is_api else BY_TOKEN_ALONE
    return tuple(who for who in WORDS if who not in left_out)


# ── The boundary ──────────────────────────────────────────────────────────────────────────────────


def the_least(may: frozenset[str]) -> set[str]:
    """Those who may, and nobody with less."""
    return {who for who in may if not any(who in ABOVE[less] for less in may)}


def the_nearest(may: frozenset[str]) -> set[str]:
    """Those who may not, though somebody with the next larger role may, or though there is none larger."""
    return {who for who in WORDS if who not in may and (not ABOVE[who] or may & set(ABOVE[who]))}


def at_the_boundary(line: TableRow, *, others: bool) -> set[str]:
    """Whose answers change first if a rule does: of what is theirs, the least that may, the nearest that may
    not, and nobody; of what is others’, those who may with their own, and whoever may everything at home."""
    if EVERYBODY:
        return set(WORDS)
    if others:
        return the_least(line.own) | the_least(line.others) | {"administrator"}
    return the_least(line.own) | the_nearest(line.own) | {"anyone"}


def test_the_boundary_is_where_the_answers_change() -> None:
    runs = people("runs", groups_of(roles_page()))
    line = TableRow(runs, frozenset(), True)
    assert the_least(runs) == {"director"}
    assert the_nearest(runs) == {"scorer", "session scorer", "deal officer", "federation"}
    everybody = frozenset(WORDS)
    assert (the_least(everybody), the_nearest(everybody)) == ({"anyone"}, set())
    assert set(ABOVE) == {above for many in ABOVE.values() for above in many} | {"anyone"} == everybody
    if not EVERYBODY:
        assert at_the_boundary(line, others=True) == {"director", "administrator"}


# ── The walk ──────────────────────────────────────────────────────────────────────────────────────


def those_who_may(
    scene: TwoClubs, of: Things, route: Route, method: str, variant: str, asked: set[str]
) -> set[str] | None:
    """Of those who are asked. None: the route has no such method."""
    may = set()
    for who in sorted(asked, key=WORDS.index):
        caller = scene.callers[who]
        address = reverse(route.name, kwargs=of.arguments(route, who, variant))
        status = caller.status(route, method, address)
        if status == 405:
            return None
        assert status < 500 or status == AWAY, (method, address, who, status)
        if status not in MAY_NOT:
            may.add(who)
    return may


def said(may: set[str]) -> str:
    return ", ".join(word for word in WORDS if word in may) or NOBODY


def test_who_may_do_what_is_as_the_table_says(settings: Any) -> None:
    settings.METRICS_TOKEN = "of the monitoring"  # without one, whoever sits at the machine reads them
    scene, table = TwoClubs.set(), the_table()
    wrong: list[str] = []
    asked: set[str] = set()
    for route in routes():
        cache.clear()  # tries are counted
        there = set(asking(route))
        for method in route.methods:
            plain = f"{method} {route.name}"
            lines = [one for one in table if one == plain or one.startswith(f"{plain} (")]
            if not lines:
                own = those_who_may(scene, scene.own, route, method, "", there)
                if own is not None:
                    has_others = bool(route.parameters)
                    others = (
                        those_who_may(scene, scene.others, route, method, "", there) if has_others else None
                    )
                    line = f"| `{plain}` | {said(own)} | {'' if others is None else said(others)} | |"
                    wrong.append(f"no line for {plain} ({route.path}). It would be: {line}")
                continue
            for request in lines:
                asked.add(request)
                line, variant = table[request], request[len(plain) + 2 : -1]
                for things_, expected in ((scene.own, line.own), (scene.others, line.others)):
                    if things_ is scene.others and not line.has_others:
                        continue
                    some = there & at_the_boundary(line, others=things_ is scene.others)
                    may = those_who_may(scene, things_, route, method, variant, some)
                    if may != expected & some:
                        whose = "own" if things_ is scene.own else "others’"
                        everybody = those_who_may(scene, things_, route, method, variant, there)
                        wrong.append(f"{request}, {whose}: {said(everybody or set())}")
                if (
                    route.parameters
                    and not line.has_others
                    and set(route.parameters) & {"pk", "club", "session"}
                ):
                    wrong.append(f"{request}: the table does not say who may with what is others’")
    wrong += [f"{request}: no route has this name" for request in table.keys() - asked]
    assert not wrong, "docs/roles.md is not what happens:\n" + "\n".join(wrong)


def test_the_table_tells_every_word_that_the_walk_knows() -> None:
    text = roles_page()
    assert [word for word in WORDS if f"| {word} |" not in text] == []
    assert Account.objects.count() == 0
