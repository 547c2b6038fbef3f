"""What anybody may see of clubs, and find: nothing that is not listed, nobody who has not agreed."""

import json
import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import formats, timezone, translation
from PIL import Image

from frontend import demo, helping, icalendar, previews
from tests.tournaments.fields import a_leg, an_administrator
from tests.tournaments.worlds import (
    World,
    a_club,
    a_session,
    a_world,
    hand_in,
    played_through,
    plays_of,
    work,
)
from tournaments.models import Draft, Job, Player, RegistrationList, Season, Session, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    calls,
    events,
    finding,
    rankings,
    roles,
    rounds,
    seasons,
    sessions,
    states,
)
from tournaments.services.roles import RolePlace
from tournaments.services.session_wishes import ChosenMovement, SessionWish

from .test_desk import at_desk

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
PUBLIC = (
    *("/en/", "/en/clubs/", "/en/clubs/club-a/", "/en/clubs/club-a/players/"),
    *("/en/clubs/club-a/calendar.ics", "/en/clubs/club-a/results.atom", "/en/tournaments/{tournament}/"),
    *("/en/search/?q={word}", "/en/search/suggestions/?q={word}"),
)


def begins_with() -> World:
    """An evening that has been played, final and listed, under a name that is found; another of the same
    tournament that nobody has listed."""
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    Session.objects.filter(pk=world.session.pk).update(
        name="Galette", starts_at=timezone.now() - timedelta(days=7)
    )
    hidden = a_world()
    Session.objects.filter(pk=hidden.session.pk).update(
        name="Secrète", starts_at=timezone.now(), tournament=world.session.tournament, number=2
    )
    return world


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return str(answer.content.decode()).replace("\r\n ", "")


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_listed_is_shown_and_nothing_else(world: World, client: Client, address: str) -> None:
    if "players" in address:
        return
    place = {"tournament": world.session.tournament_id}
    shown = text_of(client, address.format(**place, word="galette"))
    assert "Galette" in shown or address == "/en/clubs/"
    assert "Secr" not in shown
    assert "Secr" not in text_of(client, address.format(**place, word="e"))


def test_a_club_is_public_once_something_of_it_is(world: World, client: Client) -> None:
    """Club B has a session that nobody has listed."""
    assert "Club B" not in text_of(client, "/en/clubs/") + text_of(client, "/en/search/?q=club")
    rest = ("", "players/", "calendar.ics", "results.atom")
    foreign = Tournament.objects.filter(club=a_club("Club B")).latest("pk")
    for address in (f"/en/clubs/club-b/{one}" for one in rest):
        assert client.get(address).status_code == 404, address
    assert client.get(f"/en/tournaments/{foreign.pk}/").status_code == 404
    RegistrationList.objects.create(tournament=foreign, name="Coupe", is_public=False)
    assert client.get("/en/clubs/club-b/").status_code == 404
    RegistrationList.objects.create(tournament=foreign, name="Finale", is_public=True)
    shown = text_of(client, "/en/clubs/club-b/")
    assert "Finale" in shown
    assert "Coupe" not in shown
    assert foreign.sessions.latest("pk").name not in shown
    RegistrationList.objects.filter(name="Finale").update(closed_at=timezone.now())
    assert client.get("/en/clubs/club-b/").status_code == 404, "it is closed"


def test_players_are_shown_and_found_who_agreed_and_by_the_name_that_is_shown(
    world: World, client: Client
) -> None:
    club = a_club("Club A")
    Player.objects.filter(club=club).update(consent=False)
    agreed, silent, hidden = Player.objects.filter(memberships__session=world.session).order_by("pk")[:3]
    for player, given, family, consent, public_name in (
        (agreed, "Éloïse", "Quéméner", True, ""),
        (silent, "Éloïse", "Kerguelen", False, ""),
        (hidden, "Éloïse", "Villeneuve", True, "La Dame de Pique"),
    ):
        player.given_name, player.family_name = given, family
        player.consent, player.public_name = consent, public_name
        player.save()
    listed = text_of(client, "/en/clubs/club-a/players/")
    assert "Quéméner" in listed
    assert "La Dame de Pique" in listed
    assert "Kerguelen" not in listed
    assert "Villeneuve" not in listed
    found = {
        word: text_of(client, f"/en/search/?q={word}") for word in ("quemener", "QUÉMÉNER", "eloise dame")
    }
    assert all("Quéméner" in found[word] for word in ("quemener", "QUÉMÉNER"))
    for word in ("kerguelen", "villeneuve", "eloise villeneuve", "eloise"):
        shown = text_of(client, f"/en/search/?q={word}")
        assert "Kerguelen" not in shown, word
        assert "Pique" not in shown, word
        assert "Pique" not in text_of(client, f"/en/search/suggestions/?q={word}"), word
    assert "La Dame de Pique" in text_of(client, "/en/search/?q=dame pique")
    assert 'href="/t/K7RM4QXDAB"' in text_of(client, "/en/search/?q=k7rm4-qxdab"), (
        "the code of a table’s card"
    )
    assert 'href="/t/' not in text_of(client, "/en/search/?q=quemener")
    own = text_of(client, f"/en/clubs/club-a/players/{hidden.pk}/")
    assert "Galette" in own
    assert "Pique" in own
    assert "Villeneuve" not in own
    assert client.get(f"/en/clubs/club-a/players/{silent.pk}/").status_code == 404
    assert client.get(f"/en/clubs/club-b/players/{agreed.pk}/").status_code == 404
    Session.objects.filter(pk=world.session.pk).update(state="played")
    assert "Galette" not in text_of(client, f"/en/clubs/club-a/players/{hidden.pk}/")


def test_those_who_are_signed_in_find_their_own_register_and_sessions_too(world: World) -> None:
    account = accounts.create(name="Odile", email="odile@example.org", password=None)
    Player.objects.filter(memberships__session=world.session).update(consent=False)
    assert not finding.find("joueur 01", account).own_players
    assert not finding.find("secrete", account).own_sessions, "whoever has no role is anybody"
    roles.grant(account=account, kind=RoleKind.DIRECTOR, place=RolePlace(session=world.session), actor=None)
    assert [one.name for one in finding.find("a", account).own_sessions] == ["Galette"], "of one session"
    assert not finding.find("joueur 01", account).own_players, "who directs an evening keeps no register"
    here = RolePlace(a_club("Club A"))
    role, _is_new = roles.grant(account=account, kind=RoleKind.ORGANISER, place=here, actor=None)
    found = finding.find("joueur 01", account)
    assert {player.name for player in found.own_players} == {"Joueur 01"}
    assert not found.players
    assert {one.name for one in finding.find("secrete", account).own_sessions} == {"Secrète"}
    assert not finding.find("secrete").sessions
    roles.revoke(role=role, actor=None)
    assert not finding.find("joueur 01", account).own_players
    assert not finding.find("secrete", account).own_sessions
    assert not finding.find("   ").count


def test_events_and_seasons_are_found_once_they_are_public_and_before_by_those_who_run_them(
    client: Client,
) -> None:
    federation = an_administrator()
    leg = a_leg(name="Simultané d’été")
    events.create(actor=federation, club=None, name="Été secret")
    season = seasons.create(actor=None, club=a_club("Club A"), name="L’été des clubs")
    begins = formats.date_format(leg.opens_at.astimezone(leg.event.zone), "j N Y")

    def found(by: Client) -> list[str]:
        shown = [text_of(by, f"/en/search/{one}?q=ete") for one in ("", "suggestions/")]
        assert all(begins in one for one in shown), "what tells it from others of the name"
        names = ("Simultané", "secret", "des clubs")
        assert [one in shown[0] for one in names] == [one in unescaped(shown[1]) for one in names]
        return [one for one in names if one in shown[0]]

    assert found(client) == ["Simultané"]
    assert found(at_desk(federation).client) == ["Simultané", "secret"]
    organiser = accounts.create(name="Odile")
    here = RolePlace(a_club("Club A"))
    roles.grant(account=organiser, kind=RoleKind.ORGANISER, place=here, actor=None)
    assert found(at_desk(organiser).client) == ["Simultané", "des clubs"]
    Season.objects.filter(pk=season.pk).update(state="open")
    assert found(client) == ["Simultané", "des clubs"]
    shown = text_of(client, "/en/search/?q=ete")
    for address in (f"/en/events/{leg.event_id}/", f"/en/seasons/{season.pk}/"):
        assert f'href="{address}"' in shown
        assert client.get(address).status_code == 200
    assert f"/events/{leg.event_id}/legs/" not in shown, "of an event, nothing but its page"


def unescaped(suggestions: str) -> str:
    return str([one["name"] for one in json.loads(suggestions)["suggestions"]])


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("comon", "/fr/games/comon/"),
        ("com'on", "/fr/games/comon/"),
        ("besigue japon", "/fr/games/besigue-japonais/"),
        ("triple double", "/fr/games/tarot-double-detente/"),
        ("remplacants", "/fr/help/#substitutes"),
        ("lettre controle", "/fr/help/#slips"),
    ],
)
def test_games_and_sections_of_the_help_are_found_in_the_readers_language(
    client: Client, asked: str, address: str
) -> None:
    assert f'href="{address}' in text_of(client, f"/fr/search/?q={asked}")
    shown = json.loads(text_of(client, f"/fr/search/suggestions/?q={asked}"))["suggestions"]
    assert any(one["address"].startswith(address) for one in shown)
    assert "/fr/help/#" not in text_of(client, "/fr/search/?q=zz") + text_of(client, "/fr/search/?q=")


def test_every_kind_has_a_place_among_the_suggestions(client: Client, world: World) -> None:
    club = a_club("Club A")
    for number in range(12):
        Player.objects.create(club=club, given_name="Tarot", family_name=f"{number}", consent=True)
    shown = json.loads(text_of(client, "/en/search/suggestions/?q=tarot"))["suggestions"]
    assert len(shown) == 8
    assert [one["address"].split("/")[2] for one in shown].count("games") == 3


def test_the_calendar_feed_is_a_calendar(world: World, client: Client) -> None:
    session = world.session
    Session.objects.filter(pk=session.pk).update(name="Fête, des rois; " + "é" * 120)
    answer = client.get("/fr/clubs/club-a/calendar.ics")
    assert answer["Content-Type"] == icalendar.TYPE
    lines = answer.content.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert lines[-1] == b""
    for line in lines:
        line.decode()  # no letter is cut in two
    text = answer.content.decode().replace("\r\n ", "")
    when = Session.objects.get(pk=session.pk).starts_at
    assert when is not None
    assert f"DTSTART:{when.astimezone(UTC):%Y%m%dT%H%M%SZ}\r\n" in text
    assert "SUMMARY:Tournament of Club A\\, Fête\\, des rois\\; " + "é" * 120 + "\r\n" in text
    assert f"URL:http://testserver/fr/sessions/{session.pk}/\r\n" in text
    assert text.count("BEGIN:VEVENT") == 1
    assert "STATUS:CONFIRMED" in text
    assert "PRODID:-//Étui//Étui//FR\r\n" in text
    assert "DTEND" not in text, "nobody has planned it in steps"
    organiser = accounts.create(name="Odile", email="odile@example.org")
    made = {"kind": Job.Kind.SET_UP, "state": Job.State.DONE, "ended_at": timezone.now()}
    job = Job.objects.create(tournament=session.tournament, session=session, account=organiser, **made)
    chosen = ChosenMovement("kirkman", 4, 3, 3)
    wish = SessionWish(game="comon", minutes=7, movement=chosen).to_json()
    Draft.objects.create(club=session.tournament.club, made_by=organiser, job=job, wish=wish)
    ends = when.astimezone(UTC) + timedelta(minutes=4 * 3 * 7 + 3 * 2)
    assert f"DTEND:{ends:%Y%m%dT%H%M%SZ}\r\n" in text_of(client, "/fr/clubs/club-a/calendar.ics")
    Session.objects.filter(pk=session.pk).update(state="cancelled")
    assert "STATUS:CANCELLED" in text_of(client, "/fr/clubs/club-a/calendar.ics")


def test_the_results_feed_is_an_atom_feed(world: World, client: Client) -> None:
    feed = ElementTree.fromstring(client.get("/fr/clubs/club-a/results.atom").content)
    assert feed.findtext(f"{ATOM}title") == "Résultats\N{NARROW NO-BREAK SPACE}: Club A"
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "Tournament of Club A, Galette"
    assert re.search(r"COM.ON.* · 1=? Joueur \d\d", entry.findtext(f"{ATOM}summary") or "")
    moment = datetime.fromisoformat(entry.findtext(f"{ATOM}updated") or "")
    assert moment == Session.objects.get(pk=world.session.pk).starts_at


def test_what_begins_soon_is_on_and_what_begins_later_comes(client: Client) -> None:
    soon, later, gone = a_world(published=True), a_world(published=True), a_world(published=True)
    now = timezone.now()
    for world, hours in ((soon, 2), (later, 48), (gone, 48)):
        Session.objects.filter(pk=world.session.pk).update(
            starts_at=now + timedelta(hours=hours), name=f"Evening {hours}"
        )
    states.change(session=gone.refresh(), actor=gone.organiser, to="cancelled", reason="Snow")
    on, _heading, coming = text_of(client, "/en/").partition("Coming evenings")
    assert "Evening 2" in on
    assert "Evening 48" not in on
    assert coming.count("Evening 48") == 1
    assert "Evening 2" not in coming


@pytest.mark.parametrize("address", PUBLIC)
def test_more_rows_cost_no_more_queries(world: World, client: Client, address: str) -> None:
    def cost() -> int:
        path = address.format(tournament=world.session.tournament_id, word="a")
        text_of(client, path)  # orders of rankings are remembered from now on
        with CaptureQueriesContext(
            connection,
        ) as queries:
            text_of(client, path)
        return len(queries)

    before = cost()
    for _ in range(3):
        more = a_world(published=True)
        played_through(more)
        Session.objects.filter(pk=more.session.pk).update(
            tournament=world.session.tournament, number=more.session.pk + 10, starts_at=timezone.now()
        )
        sessions.finish(session=more.refresh(), actor=more.organiser)
        a_leg(name="A simultaneous")
        seasons.create(actor=None, club=a_club("Club A"), name="A season")
        Season.objects.update(state="open")
    assert cost() <= before


# ── The projector ─────────────────────────────────────────────────────────────────────────────────


def test_the_screen_shows_who_sits_where_and_who_is_waited_for(world: World, client: Client) -> None:
    session, organiser = (
        a_session(players=10, movement="annealed", boards_per_round=3, published=True),
        None,
    )
    rounds.pace(session=session, actor=organiser, pace=rounds.Pace(duration=1500))
    address = f"/en/sessions/{session.pk}/screen/"
    before = text_of(client, address)
    assert "Round 1, your seats" in before
    assert "No board counts here yet" in before
    rounds.open_round(session=session, actor=organiser, number=1)
    calls.announce(session=session, actor=organiser, text="Tea <now>")
    of_a_table = [play for play in plays_of(session) if play.round == 1 and play.table.number == 2]
    here = a_world(session)
    for play in of_a_table:
        assert "Round 1, your seats" in text_of(client, address), "until a table has finished it"
        hand_in(here, play)
        work(session)
    text = text_of(client, address)
    assert "Round 2, your seats" in text
    assert "<round-clock" in text
    assert "Tea &lt;now&gt;" in text
    assert "Still expected" not in text  # the round is being played
    seats = text.partition('data-part="seats"')[2]
    later = plays_of(session)
    second = [one for one in later if one.round == 2]
    seated = {s.contestant for play in second for s in play.seatings.select_related("contestant")}
    for contestant in session.contestants.all():
        assert seats.count(contestant.name) == 1, "once, though seats change from board to board"
    out = re.findall(r'class="out"><span>[^<]*</span> ([^<]*)<', seats)[0]
    assert {*out.split(", ")} == {c.name for c in session.contestants.all()} - {c.name for c in seated}
    rounds.close_round(session=session, actor=organiser, number=1)
    rounds.open_round(session=session, actor=organiser, number=2)
    assert "Still expected: <b>1, 3</b>" in re.sub(r"\s+", " ", text_of(client, address))
    Player.objects.filter(memberships__session=session).update(consent=False, family_name="Secret")
    assert "Secret" not in text_of(client, address)
    sessions.publish(session=session, actor=organiser, listed=False)
    assert client.get(address).status_code == 404


def test_the_screen_shows_the_ranking_as_anybody_may_see_it(world: World, client: Client) -> None:
    text = text_of(client, f"/en/sessions/{world.session.pk}/screen/")
    ranking = text_of(client, f"/en/sessions/{world.session.pk}/")
    figures = re.findall(r'class="score">([\d.]+)<', ranking)
    assert re.findall(r'class="score">([\d.]+)<', text) == figures
    assert len(figures) == 9
    assert "provisional ranking" in text
    assert "your seats" not in text
    assert "<svg" in text.partition('class="code"')[2]
    assert "style=" not in text  # the page's policy forbids it
    Player.objects.filter(memberships__session=world.session).update(consent=False, family_name="Secret")
    for address in ("screen/", ""):
        assert "Secret" not in text_of(client, f"/en/sessions/{world.session.pk}/{address}")
    assert "Secret" not in str(previews.told_of(world.session).places)


def test_the_screen_says_why_it_shows_no_ranking_yet(client: Client) -> None:
    session = a_session(published=True)
    address = f"/en/sessions/{session.pk}/screen/"
    assert "No board counts here yet" in text_of(client, address)
    states.mend(session=session, actor=None, live="hidden")
    assert "The ranking is not shown yet" in text_of(client, address)


# ── The picture beside an address ─────────────────────────────────────────────────────────────────


def test_a_ranking_has_a_picture_that_changes_with_what_it_shows(world: World, client: Client) -> None:
    session = world.session
    shown = text_of(client, f"/fr/sessions/{session.pk}/")
    (address,) = re.findall(r'property="og:image" content="http://testserver([^"]*)"', shown)
    answer = client.get(address)
    assert answer["Content-Type"] == "image/png"
    picture = Image.open(BytesIO(answer.content))
    assert picture.size == (1200, 630)
    assert len(picture.convert("RGB").getcolors(1_000_000) or ()) > 20  # there is something on it
    again = client.get(address, headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    leader = rankings.standings(rankings.newest(session), range(1))[0].contestant
    Player.objects.filter(contestants=leader.pk).update(public_name="Ž" * 180)
    other = client.get(address)
    assert other["ETag"] != answer["ETag"]
    assert other.content != answer.content
    Player.objects.filter(contestants=leader.pk).update(consent=False)
    assert "Ž" not in str(previews.told_of(session).places)
    Session.objects.filter(pk=session.pk).update(listed=False)
    assert client.get(address).status_code == 404
    assert "og:image" not in str(client.get(f"/fr/sessions/{session.pk}/").content)


# ── The demo ──────────────────────────────────────────────────────────────────────────────────────


def test_the_demo_has_a_link_for_its_director_and_a_tour_and_nobody_else_has(
    world: World, client: Client, settings: Any
) -> None:
    director = accounts.create(name="Odile", email=settings.DEMO_DIRECTOR)
    for club in ("Club A", "Club B"):
        roles.grant(account=director, kind=RoleKind.ORGANISER, place=RolePlace(a_club(club)), actor=None)
    for secret in ("", "x", "None"):
        assert client.get(f"/demo/{secret or 'y'}/").status_code == 404  # no demo runs
    settings.DEMO_SECRET = "s" * 43
    assert client.get("/demo/wrong/").status_code == 404
    assert "Tour, " not in text_of(client, "/en/")
    page = client.get(f"/demo/{settings.DEMO_SECRET}/", headers={"accept-language": "en"}, follow=True)
    newest = Session.objects.latest("pk").pk
    assert page.redirect_chain[-1][0] == f"/en/desk/sessions/{newest}/"
    for number, stop in enumerate(demo.STOPS, 1):
        text = page.content.decode()
        assert f"Tour, {number} of 5" in text, "every stop is told where it can be gone on from"
        assert not stop.told_on or f'/sessions/{newest}/screen/" target="_blank"' in text
        page = client.post("/en/demo/tour/", {"way": "next"}, follow=True)
    assert "Tour, " not in page.content.decode()
    client.get(f"/demo/{settings.DEMO_SECRET}/")
    assert "Robots play the evening" in text_of(client, "/en/")
    sessions.finish(session=Session.objects.get(pk=newest), actor=world.organiser)
    assert "Robots have played the evening" in text_of(client, "/en/"), "they take a minute"
    client.post("/en/demo/tour/", {"way": "end"})
    assert "Tour, " not in text_of(client, "/en/")
    settings.DEMO_SECRET = ""
    assert client.post("/en/demo/tour/", {"way": "next"}).status_code == 404


# ── Help ──────────────────────────────────────────────────────────────────────────────────────────


def test_help_stands_beside_forms_from_the_same_texts_as_the_documents(client: Client) -> None:
    for language, name in (("en", "help.md"), ("fr", "help.fr.md")):
        titles = re.findall(r"^## (.*)$", (helping.FOLDER / name).read_text(), re.M)
        assert [one.title for one in helping.sections(language).values()] == titles
        shown = text_of(client, f"/{language}/help/")
        assert all(f'id="{topic}"' in shown for topic in helping.TOPICS)
        assert all(f"<h2>{title}</h2>" in shown for title in titles)
    with translation.override("fr"):
        beside = Template('{% load help %}{% help "roles" %}').render(Context())
        assert "<summary>Aide" in beside
        assert "Un organisateur prépare les séances" in beside
        assert not Template('{% load help %}{% help "nothing" %}').render(Context()).strip()


TEMPLATES = Path(helping.__file__).parent / "templates"
WITHOUT_HELP = {
    "desk/bring_archive.html": "says itself what a file may bring",
    "desk/tournaments.html": "one name, told beside its field",
    "desk/partners.html": "for programmers, with the way to the API’s pages",
}


def parts_of(name: str) -> str:
    """The text of a template, with all that it extends and includes."""
    own = (TEMPLATES / name).read_text("utf-8")
    others = re.findall(r'{% (?:extends|include) "((?:desk|register)/[^"]+)"', own)
    return own + "".join(parts_of(other) for other in others)


def test_each_page_of_the_desk_with_a_form_to_fill_in_carries_help() -> None:
    pages = [
        f"{folder}/{path.name}"
        for folder in ("desk", "register")
        for path in sorted((TEMPLATES / folder).glob("*.html"))
        if "{% extends" in path.read_text("utf-8")
    ]
    texts = {name: parts_of(name) for name in pages}
    asking = {name for name, text in texts.items() if re.search(r"parts/(field|form)\.html", text)}
    assert len(asking) > 25
    silent = {name for name in asking if "{% help " not in texts[name]}
    assert silent == WITHOUT_HELP.keys()
    named = {topic for text in texts.values() for topic in re.findall(r'{% help "(\w+)"', text)}
    assert named <= set(helping.TOPICS)
