"""A club with everything that a page can show: `tests/frontend/views.py` lists the pages."""

import json
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import cycle
from typing import Any
from unittest import mock
from uuid import uuid4

from django.core.cache import cache as remembered
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.fields import an_organiser, send
from tests.tournaments.test_logos import a_picture
from tests.tournaments.worlds import World, hand_in, played_through, plays_of, work
from tournaments import tasks
from tournaments.models import (
    Account,
    Club,
    ClubEntry,
    Draft,
    ErasureWish,
    Job,
    Play,
    Player,
    PlayerLink,
    Role,
    Session,
    Submission,
    Table,
    Token,
    Tournament,
)
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import (
    accounts,
    calls,
    clubs,
    custody,
    erasing,
    events,
    fees,
    fields,
    formulas,
    invitations,
    jobs,
    lists,
    logos,
    partner_keys,
    past_seasons,
    penalties,
    player_links,
    ratings,
    register,
    registrations,
    roles,
    rounds,
    rulings,
    season_standings,
    seasons,
    session_wishes,
    sessions,
    substitutes,
    table_links,
    templates,
    tokens,
    webhooks,
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
    """`players`: of its evenings; `clients`: browsers by who sits at them; `ids`: what is in addresses."""

    players: int = 9
    clients: dict[str, Client] = field(default_factory=dict)
    ids: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def set(cls, *, players: int = 9) -> "Scene":
        remembered.clear()
        scene = cls(players=players, ids={"no_key": "no-such-key", "game": "comon"})
        for build in (
            _people,
            _evenings,
            _events,
            _drafts,
            _register,
            _registration,
            _seasons,
            _partners,
            _links,
            _jobs,
            _factors,
        ):
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
    from allauth.mfa.totp.internal.auth import TOTP

    scene.clients["anyone"] = Client(HTTP_HOST="localhost")
    club = clubs.create("Cercle de l’Étui de Saint-Rémy-lès-Chevreuse")
    empty = clubs.create("Club de Nantes")
    scene.ids |= {"club": club.slug, "empty": empty.slug}
    wish = session_wishes.SessionWish(game="hombre", boards=24)
    made = templates.add(club=club, actor=None, name="Mardi, à L’Hombre", wish=wish)
    templates.add(club=club, actor=None, name="Dimanche, en paires", wish=replace(wish, game="cochonnet"))
    scene.ids["template"] = made.pk
    for name, amount in (("Jeu lent", "10"), ("Étui détérioré", "25")):
        penalties.add(club=club, actor=None, name=name, kind="penalty", amount=amount, unit="percent")
    for name, text in (
        ("Fédération 2026", "factor × sqrt(tables) × max(0, ceil(contestants ÷ 3) + 1 − place) ÷ 2"),
        ("Soirées du cercle", "4: 0.50 0.25\n8: 1.00 0.75 0.50 0.25"),
    ):
        formulas.add(club=club, actor=None, name=name, text=text)
    logos.put(club=club, actor=None, content=a_picture())
    here = RolePlace(club)
    _sign_in(scene, "odile", "Odile Le Guillou", (RoleKind.ADMINISTRATOR, here), (RoleKind.ORGANISER, here))
    _sign_in(scene, "second", "Guénolé Ő", (RoleKind.ADMINISTRATOR, here), (RoleKind.SCORER, here))
    _sign_in(scene, "newcomer", "Yann Quéméner", (RoleKind.ADMINISTRATOR, RolePlace(empty)))
    _sign_in(scene, "federation", "Fantine Roux", (RoleKind.ADMINISTRATOR, FEDERATION))
    _sign_in(scene, "nobody", "Noé d’Harcourt")
    operator = _sign_in(scene, "operator", "Solène d’Harcourt")
    accounts.set_staff(account=operator, is_staff=True)
    TOTP.activate(operator, "JBSWY3DPEHPK3PXP")  # after the sign-in, which would ask for it
    account = accounts.create(name="Maël Roux", email="passwordless@example.org", password=None)
    scene.clients["passwordless"] = client = Client(HTTP_HOST="localhost")
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    invitations.invite(
        kind=RoleKind.SCORER, place=here, actor=scene.account("odile"), email="marie-antoinette@example.org"
    )
    invitations.invite(kind=RoleKind.ORGANISER, place=here, actor=scene.account("odile"))


def _matches(tournament: Tournament, organiser: Token) -> int:
    """A Swiss of teams after its first round."""
    session = sessions.set_up(
        **{"tournament": tournament, "actor": organiser, "options": {}, "method": "butler"},
        **{"name": "Coupe des équipes", "game": "cochonnet", "movement": "team-swiss"},
        **{"contestants": FULL[:12], "boards_per_round": 2, "names_may_be_published": True},
    )
    session = Session.objects.select_related("board_set").get(pk=session.pk)
    sessions.publish(session=session, actor=organiser, listed=True)
    world = World(session, tokens={"organiser": organiser})
    for play in plays_of(session):
        points = 28 + (7 * play.table.number + 5 * play.board.number) % 30
        hand_in(world, play, {"sheet": {"rounds": [[points, 40]] * 4}})
    work(session)
    sheet = {"match": 2, "round": 1, "lost": [3]}
    rulings.rule(rulings.on_match(session=session, **sheet), actor=organiser, text="Not there in time")
    work(session)
    return session.pk


def _evenings(scene: Scene) -> None:
    """One that is over, with everything published; one that is being played."""
    club, odile = scene.club, scene.account("odile")
    organiser, _text = tokens.issue_for_role(person="Odile", club=club, kind=Role.Kind.ORGANISER)
    tournament = Tournament.objects.create(club=club, name=TITLE)
    wish: dict[str, Any] = {
        **{"tournament": tournament, "actor": organiser, "options": {}, "method": "matchpoints"},
        **{"movement": "kirkman", "names_may_be_published": True, "boards_per_round": 1},
    }
    past = sessions.set_up(name="Mardi 17 novembre", game="comon", contestants=FULL[: scene.players], **wish)
    played_code = _codes(past, organiser)[0]
    played_through(World(past, tokens={"organiser": organiser}))
    sessions.publish(session=past, actor=organiser, listed=True)
    sessions.finish(session=past, actor=organiser)
    setup = lists.ListSetup(
        "Handicap", "handicap", tie_breaks=["wins"], handicaps={"3": "2"}, award_factor="1"
    )
    lists.set_up(session=past, actor=organiser, setup=setup)
    now = sessions.set_up(name="Mardi 24 novembre", game="comon", contestants=FULL[:15], reserves=2, **wish)
    by_hand = sessions.set_up(
        name="Jeudi, les étuis qui passent",
        sealed=False,
        **wish | {"game": "sept", "movement": "howell", "contestants": FULL[:8], "boards_per_round": 4},
    )
    copied = sessions.set_up(
        name="Vendredi, copiés",
        game="comon",
        contestants=FULL[: scene.players],
        sealed=False,
        copied=True,
        **wish,
    )
    scene.ids |= {"by_hand": by_hand.pk, "copied": copied.pk}
    running = sessions.set_up(
        name="Mercredi, en cours", game="comon", contestants=FULL[: scene.players], **wish
    )
    rounds.pace(session=running, actor=organiser, pace=rounds.Pace(duration=1500, warning=300))
    rounds.open_round(session=running, actor=organiser, number=1)
    sessions.publish(session=running, actor=organiser, listed=True)
    evening = World(running, tokens={"organiser": organiser})
    entered, expected, *_later = plays_of(running)
    hand_in(evening, entered)
    scene.ids |= {"entered": entered.pk, "expected": expected.pk, "round": 1}
    work(running)
    fees.set_fees(session=running, actor=organiser, fees={"": 650, "junior": 300, "newcomer": 0})
    for member in running.members.order_by("pk")[1:5]:
        fees.take(session=running, actor=organiser, member=member.pk)
    codes = _codes(running, organiser)
    own, other = (one.table.number - 1 for one in (entered, expected))
    rounds.seat(session=running, actor=organiser, number=1, table=expected.table, seated=True)
    link = table_links.with_code(codes[other])
    assert link is not None
    calls.call(table=expected.table, actor=link.token, reason="board")
    calls.announce(session=running, actor=organiser, text="Pause à 21 h : la galette est au bar.")
    third = ({0, 1, 2} - {own, other}).pop()
    ended = codes[third]
    table = tables_of(running)[third]
    (new,) = table_links.make(session=running, actor=organiser, tables=[table.pk])
    old, late = table_links.with_code(ended), plays_of(running)
    assert old is not None
    board = next(one.board.number for one in late if one.table_id == table.pk)
    table_links.hand_in(link=old, board=board, key=uuid4(), sheet={"outcome": "normal", "tricks": [4, 4, 2]})
    scene.ids |= {
        "code": codes[other],
        "entered_code": codes[own],
        "ended_code": ended,
        "table_board": expected.board.number,
    }
    scene.ids |= {"fresh_code": table_links.code_of(new), "played_code": played_code, "no_code": "2222222222"}
    scene.ids |= {"waiting_code": _codes(_waiting(wish, organiser), organiser)[0]}
    scene.ids["matches"] = _matches(tournament, organiser)
    play = plays_of(past)[0]
    played = past.members.order_by("pk")[2].player
    scene.ids["played"] = played.pk
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


def _events(scene: Scene) -> None:
    """An event of the federation with clubs in every state, and one that has no leg yet."""
    federation, odile, now = scene.account("federation"), scene.account("odile"), timezone.now()
    terms = {"least_tables": 3, "fee": "3 € la table, réglés par le club"}
    name = "Simultané de mars des clubs de la vallée de la Bièvre"
    event = events.create(actor=federation, club=None, name=name, **terms)
    draft = events.create(actor=federation, club=None, name="Coupe des provinces")
    for game, boards, days in (("comon", 24, 0), ("cochonnet", 20, 7)):
        window = {"opens_at": now + timedelta(days=days - 1), "closes_at": now + timedelta(days=days + 6)}
        events.add_leg(event=event, actor=federation, game=game, board_count=boards, **window)
    leg, later = event.legs.order_by("number")
    events.announce(event=event, actor=federation)
    towns = ("Angers", "Besançon", "Brive-la-Gaillarde", "Clermont-Ferrand", "Laon", "Mont-de-Marsan", "Sète")
    others = [clubs.create(f"Cercle des étuis de {town}") for town in towns]
    events.invite(leg=leg, clubs=[scene.club, *others], actor=federation)
    events.invite(leg=later, clubs=[scene.club], actor=federation)
    events.enter(leg=leg, club=scene.club, actor=odile, tables=7)
    states = zip(
        leg.entries.exclude(club=scene.club), ("declined", "entered", "entered", "left-out"), strict=False
    )
    for entry, state in states:
        tables = 12 if state == "entered" else None
        ClubEntry.objects.filter(pk=entry.pk).update(state=state, tables=tables)
    scene.ids |= {"event": event.pk, "draft_event": draft.pk, "invited_leg": leg.pk}
    _field(scene, others[4:6])


def _field(scene: Scene, two: list[Club]) -> None:
    """An event that two clubs of a region have played, of unequal size: its boards are open."""
    federation, now = scene.account("federation"), timezone.now()
    event = events.create(actor=federation, club=None, name="Simultané d’automne")
    window = {"opens_at": now - timedelta(days=1), "closes_at": now + timedelta(days=1)}
    leg = events.add_leg(event=event, actor=federation, game="comon", board_count=12, **window)
    events.announce(event=event, actor=federation)
    events.invite(leg=leg, clubs=two, actor=federation)
    parts = []
    for club, players in zip(two, (9, 15), strict=True):
        club.region = "Vallée de la Bièvre"
        club.save()
        organiser = an_organiser(club)
        events.enter(leg=leg, club=club, actor=organiser, tables=players // 3)
        tournament = Tournament.objects.create(club=club, name="Simultanés")
        wish = {"name": "Simultané d’automne", "game": "comon", "movement": "kirkman", "method": "cross-imps"}
        wish |= {"options": {}, "boards_per_round": 1, "leg": leg.pk}
        guests = [f"{given} de La Tour d’Auvergne" for given in GUESTS[:players]]
        parts.append(sessions.set_up(tournament=tournament, actor=organiser, contestants=guests, **wish))
    for part in parts:
        send(part)
    fields.rank(leg_id=leg.pk)
    doubted = Submission.objects.filter(play__table__section__session=parts[1], play__board__number__lte=2)
    doubted.update(state=Submission.State.DISPUTED, contradicted=True)
    entry = leg.entries.get(session=parts[0])
    scene.ids |= {"played_event": event.pk, "leg": 1, "played_entry": entry.pk}


GUESTS = (
    *("Anne", "Bruno", "Chantal", "Denis", "Élodie", "Fabrice", "Gisèle", "Henri", "Inès", "Jacques"),
    *("Karine", "Léon", "Mireille", "Norbert", "Odette"),
)


def _codes(session: Session, organiser: Token) -> list[str]:
    links = table_links.make(session=session, actor=organiser)
    return [code for _link, code in table_links.codes(links)]


def tables_of(session: Session) -> list[Table]:
    return list(Table.objects.filter(section__session=session).order_by("number"))


def _waiting(wish: dict[str, Any], organiser: Token) -> Session:
    """A session of which the first round is not open yet."""
    session = sessions.set_up(name="Jeudi", game="comon", contestants=FULL[:9], **wish)
    rounds.pace(session=session, actor=organiser, pace=rounds.Pace(duration=1500))
    return session


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
    licence = {"licence_until": date(2027, 8, 31), "suspended_from": date(2027, 1, 4)}
    Player.objects.filter(pk=kept.pk).update(**licence)
    rows = [(2, {"rank": "1", "number": "1917", "total": "1284,5", "evenings": "22"})]
    rows += [
        (
            number,
            {
                "rank": str(number - 1),
                "name": " ".join(PEOPLE[17 + number]),
                "total": f"{1290 - 31 * number}/2",
            },
        )
        for number in range(3, 12)
    ]
    rows.append((12, {"rank": "11", "name": "Gaspard-Emmanuel de Nulle-Part-sur-Yvette", "total": "12"}))
    season = past_seasons.store(
        club=club,
        actor=odile,
        rows=rows,
        title="Championnat d’hiver des joueurs",
        year=2019,
        counted="points",
    )
    scene.ids["season"] = season.pk


def _seasons(scene: Scene) -> None:
    """One that counts an evening which is over, and a draft of one without any; and the ratings of the
    club."""
    odile = scene.account("odile")
    standing = seasons.create(club=scene.club, actor=odile, name="Championnat d’été des joueurs")
    counted = {("session", scene.ids["past"]): "1"}
    seasons.change(season=standing, actor=odile, evenings=counted, state="open")
    season_standings.rank(season_id=standing.pk)
    ratings.store(ratings.compute(club=scene.club), is_asked=True)
    draft = seasons.create(club=scene.club, actor=odile, name="Coupe d’hiver")
    scene.ids |= {"standing": standing.pk, "draft_standing": draft.pk}


def _partners(scene: Scene) -> None:
    """A webhook that has had every kind of answer, and one that is off."""
    odile, url = scene.account("odile"), "https://joueurs-de-cartes.example.org/programmes/nouvelles-du-club"
    told, _secret = webhooks.add(
        club=scene.club, actor=odile, name="Site de la fédération", url=url, kinds=["ranking.published"]
    )
    for state, status, error in (("delivered", 204, ""), ("failed", 500, ""), ("waiting", None, "too-slow")):
        told.deliveries.create(state=state, status=status, error=error, attempts=1)
    off, _secret = webhooks.add(club=scene.club, actor=odile, name="Agenda", url=url, kinds=())
    webhooks.change_state(webhook=off, actor=odile, to="off")
    partner_keys.make(club=scene.club, actor=odile, name="Site de la fédération", per_minute=600)
    scene.ids |= {"webhook": told.pk, "webhook_off": off.pk}


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
    own = Play.objects.filter(
        seatings__contestant__players=by_link, board__board_set__session=scene.ids["past"]
    )
    play = own.select_related("board").order_by("round")[0]
    scene.ids |= {"own_board": play.board.number, "own_play": play.pk}
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
    running = Session.objects.get(pk=scene.ids["running"])
    change = {"after": 1, "leaving": [2], "arriving": [{"typed": ["Zoé Petit"]}]}
    asked = jobs.ask(
        Job.Kind.PREVIEW,
        tournament=tournament,
        session=running,
        sender=odile,
        name=running.name,
        request=change,
    )
    jobs.do(job_id=asked.pk)
    scene.ids["job_price"] = asked.pk
    wish = {"kinds": ["guide-cards"], "language": "fr"}
    printed = jobs.ask_for_prints(session=scene.session, sender=odile, request=wish)
    jobs.do(job_id=printed.pk)
    scene.ids["job_printed"] = printed.pk
    over = Session.objects.get(pk=scene.ids["past"])
    packed = jobs.ask_for_archive(tournament=over.tournament, session=over, sender=odile)
    jobs.do(job_id=packed.pk)
    scene.ids["job_archived"] = packed.pk


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
