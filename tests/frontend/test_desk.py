"""Setting up a session in the browser, without scripts: as an organiser does, button after button."""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin
from zoneinfo import ZoneInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from engines import registry, rules
from frontend.desk import offers
from tests.tournaments.worlds import a_club, a_session, plays_of
from tournaments import tasks
from tournaments.models import Account, Draft, HistoryEntry, Job, MatchRules, Player, Session, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    drafts,
    jobs,
    movement_offers,
    registrations,
    roles,
    session_wishes,
    shuffling,
    states,
    typed_contestants,
)
from tournaments.services.roles import RolePlace

pytestmark = pytest.mark.django_db

GIVEN = ("Ana", "Bea", "Cid", "Dan", "Eva", "Flo", "Gil", "Hal", "Ida", "Jon", "Kim", "Lea", "Max")
THIRTEEN = [f"{given} Quesnel" for given in GIVEN]


# ── Somebody who reads a page and presses its buttons ─────────────────────────────────────────────


class _Forms(HTMLParser):
    """The forms of a page: their fields as a browser would send them, and their buttons."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self.text, self.area, self.select, self.button = "", None, None, None
        self.refreshes = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "meta" and given.get("http-equiv") == "refresh":
            self.refreshes = True
        if tag == "form":
            self.forms.append({"action": given.get("action"), "fields": {}, "buttons": [], **given})
        if not self.forms:
            return
        fields, name = self.forms[-1]["fields"], given.get("name")
        if tag == "input" and name:
            if given.get("type") not in {"radio", "checkbox"}:
                fields[name] = given.get("value") or ""
            elif "checked" in given:
                fields[name] = "on" if (value := given.get("value")) is None else value
        elif tag == "textarea":
            self.area, fields[name] = name, ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and ("selected" in given or self.select not in fields):
            fields[self.select] = given.get("value") or ""
        elif tag == "button":
            self.button = {
                "name": name,
                "value": given.get("value") or "",
                "text": "",
                "kind": given.get("class"),
            }
            self.forms[-1]["buttons"].append(self.button)

    def handle_data(self, data: str) -> None:
        if self.area is not None:
            self.forms[-1]["fields"][self.area] += data
        elif self.button is not None:
            self.button["text"] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            value = self.forms[-1]["fields"][self.area]
            self.forms[-1]["fields"][self.area] = value.removeprefix("\n")
            self.area = None
        elif tag in {"select", "button"}:
            setattr(self, tag, None)


@dataclass
class Visitor:
    """Somebody at the desk; `clicks` counts what a hand does but typing."""

    client: Client
    clicks: int = 0
    pages: list[str] = field(default_factory=list)
    answer: Any = None

    def open(self, address: str) -> "Visitor":
        return self._at(self.client.get(address, follow=True))

    def _at(self, answer: Any) -> "Visitor":
        assert answer.status_code < 500
        self.answer = answer
        self._waits()
        self._leads_to_fields()
        return self

    def _leads_to_fields(self) -> None:
        """Each line of what is wrong with a form leads to its field, wherever the form stands."""
        for summary in re.findall(r'<div class="summary".*?</ul>', self.text, re.S):
            for target in re.findall(r'href="#([^"]*)"', summary):
                assert f'id="{target}"' in self.text, target

    def _waits(self) -> None:
        """A page that waits for a worker comes again by itself."""
        if self.path.split("/")[2] == "jobs":
            jobs.do(job_id=Job.objects.latest("created_at").pk)
        elif "/drafts/" in self.path and _Forms(self.text).refreshes:
            tasks.compare_movements(Draft.objects.latest("pk").pk)
        else:
            return
        self.answer = self.client.get(self.answer.request["PATH_INFO"] + self._query, follow=True)
        assert not _Forms(self.text).refreshes, self.text

    @property
    def _query(self) -> str:
        query = self.answer.request.get("QUERY_STRING", "")
        return f"?{query}" if query else ""

    @property
    def path(self) -> str:
        return str(self.answer.request["PATH_INFO"])

    @property
    def text(self) -> str:
        return str(self.answer.content.decode())

    @property
    def heading(self) -> str:
        found = re.search(r"<h1>(.*?)</h1>", self.text, re.S)
        assert found
        return found[1]

    def press(self, words: str, **filled: Any) -> "Visitor":
        """Fill in fields and press the button whose words begin so."""
        for form in _Forms(self.text).forms:
            for button in form["buttons"]:
                if button["text"].strip().startswith(words) and button["kind"] != "unseen":
                    sent = form["fields"] | filled
                    if button["name"]:
                        sent[button["name"]] = button["value"]
                    self.clicks += 1
                    address = urljoin(self.path + self._query, form["action"] or "").partition("#")[0]
                    if form.get("method") == "get":
                        return self.open(f"{address.partition('?')[0]}?{urlencode(sent)}")
                    return self._at(self.client.post(address, sent, follow=True))
        raise AssertionError(f"no button says {words}: {self.path}")

    def fill(self, **filled: Any) -> dict[str, Any]:
        """A field that has to be reached, or a choice that has to be made, is a click each."""
        self.clicks += len(filled)
        return filled


def an_account(name: str = "Ada", club: str = "Club A", kind: RoleKind = RoleKind.ORGANISER) -> Account:
    account = accounts.create(name=name, email=f"{name.lower()}@example.org", password="x")
    roles.grant(account=account, kind=kind, place=RolePlace(a_club(club)), actor=None)
    return account


def at_desk(account: Account | None = None, language: str = "en") -> Visitor:
    client = Client(HTTP_HOST="localhost")
    client.force_login(account or an_account(), backend="allauth.account.auth_backends.AuthenticationBackend")
    return Visitor(client).open(f"/{language}/desk/")


def from_an_empty_desk(visitor: Visitor, contestants: list[str] = THIRTEEN, game: str = "hombre") -> Visitor:
    """The default buttons, from the desk to the session."""
    visitor.press("New session")
    visitor.press("Continue", **visitor.fill(game=game))
    visitor.press("Continue", **visitor.fill(contestants="\n".join(contestants)))
    visitor.press("Continue")  # the movement
    visitor.press("Continue")  # the boards
    visitor.press("Continue")  # the comparison
    return visitor.press("Set up the session")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_game_is_told_in_a_sentence_of_its_own_with_the_way_to_its_rules(language: str) -> None:
    visitor = at_desk(language=language)
    visitor.press("New session" if language == "en" else "Nouvelle séance")
    for game in registry.games():
        assert escape(rules.sentence(game, language)) in visitor.text
        assert f'href="/{language}/games/{game}/"' in visitor.text


# ── Whole journeys ────────────────────────────────────────────────────────────────────────────────


def test_thirteen_players_arrive_and_then_the_same_again_next_week() -> None:
    visitor = from_an_empty_desk(at_desk())
    session = Session.objects.get()
    assert visitor.path == reverse("session-desk", args=[session.pk])
    assert visitor.clicks == 9, "from an empty desk; docs/testing.md says so, and twelve are allowed"
    assert (session.contestants.count(), session.game, session.method) == (13, "hombre", "matchpoints")
    assert session.tournament.name.startswith("Club A 20")
    assert session.board_set.custody == "officer"
    assert len(session.board_set.manifest["reserves"]) == 2
    assert "Round 1" in visitor.text
    assert "Ana Quesnel" in visitor.text
    assert "Sits out:" in visitor.text
    assert "Nobody deals these boards yet." in visitor.text
    set_up = HistoryEntry.objects.get(verb="set up")
    assert (set_up.account.name, set_up.role.kind) == ("Ada", "organiser")
    assert Player.objects.filter(club=a_club()).count() == 13

    for name, kind in (
        ("Dora", RoleKind.DIRECTOR),
        ("Sam", RoleKind.SCORER),
        ("Olga", RoleKind.DEAL_OFFICER),
    ):
        helper = accounts.create(name=name, email=f"{name.lower()}@example.org", password="x")
        roles.grant(account=helper, kind=kind, place=RolePlace(session=session), actor=None)
    visitor.open(reverse("desk"))
    assert session.name in visitor.text
    visitor.clicks = 0
    visitor.press("Like")
    assert visitor.heading == "Who plays?"
    arrived = [*THIRTEEN[1:], "Noé Nouveau"]  # one stays at home, one is new
    visitor.press("Continue", contestants="\n".join(arrived))
    visitor.press("Continue")  # the movement; boards and comparison are as last week
    assert "New in the register:" in visitor.text
    assert "Dora (director), Olga (deal officer), Sam (scorer)" in visitor.text
    roles.revoke(role=Account.objects.get(name="Olga").roles.get(), actor=None)
    visitor.press("Set up the session")
    assert visitor.clicks == 4, "with the one that copies it; docs/testing.md says so, and five are allowed"
    again = Session.objects.latest("pk")
    assert visitor.path == reverse("session-desk", args=[again.pk])
    assert (again.tournament, again.game, again.contestants.count()) == (session.tournament, "hombre", 13)
    assert Player.objects.filter(club=a_club()).count() == 14
    kept = again.roles.order_by("account__name").values_list("account__name", "kind", "granted_by__name")
    assert list(kept) == [("Dora", "director", "Ada"), ("Sam", "scorer", "Ada")]
    assert (
        again.members.filter(player__given_name="Bea").get().player
        in session.contestants.get(number=2).players.all()
    ), "the same person, not another of her name"


def test_pairs_of_a_game_of_partners_and_french() -> None:
    visitor = at_desk(language="fr")
    pairs = [f"{a} / {b} (1{n})" for n, (a, b) in enumerate(zip(THIRTEEN[:6], THIRTEEN[6:12], strict=True))]
    for n, name in enumerate(THIRTEEN[6:12]):
        given, family = name.split()
        Player.objects.create(club=a_club(), given_name=given, family_name=family, number=f"1{n}")
    visitor.press("Nouvelle séance")
    visitor.press("Continuer", game="cochonnet")
    visitor.press("Continuer", contestants="\n".join([*pairs[:5], "Kim Quesnel"]))
    assert "Ligne 6" in visitor.text, "a pair has two"
    assert pairs[0] in visitor.text, "what was typed stays"
    visitor.press("Continuer", contestants="\n".join(pairs))
    for _step in range(3):
        visitor.press("Continuer")
    visitor.press("Préparer la séance")
    session = Session.objects.get()
    assert session.contestants.get(number=1).name == "Gil Quesnel – Ana Quesnel"
    assert [one.players.count() for one in session.contestants.all()] == [2] * 6
    assert Player.objects.filter(club=a_club()).count() == 12


def test_contestants_come_from_the_register_from_last_time_and_from_a_list() -> None:
    session = a_session()  # nine players in the club's register
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="comon")
    visitor.press("Find", search="joueur 03")
    assert "Joueur 03" in visitor.text
    assert "Joueur 04" not in visitor.text
    player = Player.objects.get(family_name="03")
    visitor.press("Add the chosen", player=player.pk, contestants="Zoé Neuf")
    assert "Zoé Neuf\nJoueur 03" in visitor.text
    visitor.press("Add those of")
    assert visitor.text.count("Joueur 03\n") == 1, "in the field; it stands beside it too"
    assert "Joueur 09" in visitor.text
    zola = Player.objects.create(club=a_club(), given_name="Émile", family_name="Zola")
    visitor.press("Find", search="zola").press("Continue", player=zola.pk)
    draft = Draft.objects.get()
    wish = session_wishes.wish_of(draft)
    assert (len(wish.contestants), typed_contestants.strangers(wish)) == (11, ["Zoé Neuf"])
    assert wish.contestants[-1].members == (zola.pk,), "ticked, and no more: taken all the same"

    the_list = registrations.open_list(tournament=session.tournament, actor=draft.made_by, name="Mardi")
    for member in session.members.all()[:4]:
        registrations.enter(
            the_list=the_list, players=[member.player_id], actor=draft.made_by, is_official=True
        )
    visitor.open(reverse("draft-step", args=[draft.pk, "contestants"]))
    visitor.press("Continue", registration=the_list.pk)
    assert "4 contestants" in visitor.text
    visitor.press("Continue").press("Continue").press("Continue")
    assert "from the list “Mardi”" in visitor.text
    visitor.press("Set up the session")
    the_list.refresh_from_db()
    assert the_list.session == Session.objects.latest("pk")
    assert the_list.session.contestants.count() == 4


def test_the_register_stands_beside_the_field_and_says_what_it_leaves_out() -> None:
    for number in range(1, 61):
        Player.objects.create(club=a_club(), given_name="Ida", family_name=f"A{number:02}")
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="hombre")
    assert visitor.text.count('name="player"') == 60, "from the beginning"
    assert "more: find" not in visitor.text
    for number in range(2):
        Player.objects.create(club=a_club(), given_name="Zoé", family_name=f"Z{number}")
    visitor.press("Find", search="")
    assert visitor.text.count('name="player"') == 60
    assert "2 players more: find them by their names." in visitor.text
    visitor.press("Find", search="zoe")
    assert visitor.text.count('name="player"') == 2
    assert "more: find" not in visitor.text


@pytest.mark.parametrize(("players", "seats"), [(4, 4), (5, 5), (6, 3), (8, 4), (10, 5)])
def test_all_play_at_tables_of_their_number_where_a_game_has_them(players: int, seats: int) -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="loba")
    visitor.press("Continue", contestants="\n".join(THIRTEEN[:players]))
    (best, *_others) = re.findall(r'<div class="offer best">.*?</div>', visitor.text, re.S)
    assert re.search(rf"At each table</span> <b>{seats}</b>", best)
    assert re.search(r"Sit-outs each</span> <b>none</b>", best)
    visitor.press("Continue").press("Continue").press("Continue").press("Set up the session")
    session = Session.objects.get()
    assert session.conditions == {"seats": seats}
    assert not session.contestants.exclude(seatings__play__round=1).exists(), "nobody sits out"


def test_one_more_than_last_time_sits_at_a_table_for_one_more() -> None:
    visitor = from_an_empty_desk(at_desk(), THIRTEEN[:4], "loba").open(reverse("desk"))
    visitor.press("Like").press("Continue", contestants="\n".join(THIRTEEN[:5]))
    assert "5 contestants: 1 table, full." in visitor.text
    visitor.press("Continue").press("Set up the session")
    assert Session.objects.latest("pk").conditions == {"seats": 5}


# ── Drafts ────────────────────────────────────────────────────────────────────────────────────────


def a_draft(visitor: Visitor, contestants: list[str] = THIRTEEN) -> Draft:
    """One that is ready to be set up."""
    visitor.press("New session")
    visitor.press("Continue", game="hombre")
    visitor.press("Continue", contestants="\n".join(contestants))
    for _step in range(3):
        visitor.press("Continue")
    assert visitor.heading == "Is everything right?"
    return Draft.objects.latest("pk")


def test_a_double_click_sets_up_once_and_a_stale_page_not_at_all() -> None:
    ada = an_account()
    visitor = at_desk(ada)
    draft = a_draft(visitor)
    review = reverse("draft-step", args=[draft.pk, "review"])
    seen = {"seen": draft.version}
    colleague = at_desk(an_account("Bob"))
    colleague.open(reverse("draft-step", args=[draft.pk, "boards"])).press("Continue", reserves=5)
    stale = visitor.client.post(review, seen)
    assert stale.status_code == 409
    assert "changed meanwhile" in stale.content.decode()
    assert not Job.objects.exists()
    seen = {"seen": draft.version + 1}
    first, second = visitor.client.post(review, seen), visitor.client.post(review, seen)
    assert first.url == second.url
    jobs.do(job_id=Job.objects.get().pk)
    again = visitor.client.post(review, seen)
    assert again.url == reverse("session-desk", args=[Session.objects.get().pk])
    assert (Tournament.objects.count(), Job.objects.get().actor) == (1, ada)


def test_a_form_that_was_overtaken_says_so_keeps_what_was_typed_and_counts_when_sent_again() -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="hombre")
    address, form = visitor.path, _Forms(visitor.text).forms[0]["fields"]
    visitor.press("Continue", contestants="\n".join(THIRTEEN[:9]))
    late = visitor.client.post(address, form | {"contestants": "\n".join(THIRTEEN)})
    assert late.status_code == 409
    page = late.content.decode()
    assert "changed meanwhile" in page
    assert THIRTEEN[12] in page
    (both,) = re.findall(r'<table class="table versions">.*?</table>', page, re.S)
    assert both.count('<th scope="row">') == 1, "nothing else differs"
    stored, typed = re.findall(r"<td>(.*?)</td>", both.partition("<tbody>")[2], re.S)
    assert (stored.count("Quesnel"), typed.count("Quesnel")) == (9, 13)
    sent_again = _Forms(page).forms[0]["fields"]
    assert visitor.client.post(address, sent_again).status_code == 302
    assert len(session_wishes.wish_of(Draft.objects.get()).contestants) == 13


def test_a_draft_is_left_found_again_and_deleted() -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="hombre")
    draft = Draft.objects.get()
    visitor.press("Continue", contestants="\n".join(THIRTEEN))
    visitor.open(reverse("desk"))
    assert "Being set up" in visitor.text
    visitor.open(reverse("draft", args=[draft.pk]))
    assert visitor.heading == "Which movement?"
    assert "Draft saved at" in visitor.text
    visitor.open(reverse("delete-draft", args=[draft.pk])).press("Delete the draft")
    assert "The draft has been deleted." in visitor.text
    assert not Draft.objects.exists()


def test_what_is_wrong_is_said_at_the_field_and_stays_typed() -> None:
    visitor = at_desk()
    Player.objects.create(club=a_club(), given_name="Ana", family_name="Durand", number="17")
    twin = Player.objects.create(club=a_club(), given_name="Ana", family_name="Durand")
    visitor.press("New session").press("Continue", name="", game="hombre")
    assert "This field is required" in visitor.text
    visitor.press("Continue", name="Tuesday", game="hombre")
    for typed, words in (
        ("Zoé", "needs 3 contestants at least"),
        ("Zoé\nBob Petit", "needs 3 contestants at least"),
        ("Zoé\nAna Durand", "Line 2: In the club’s register, Ana Durand is 17, without a number"),
        ("Zoé\n\nZoé", "Line 3: Zoé stands in line 1 already."),
        (f"Zoé\nAna Durand #{twin.pk}\nAna Durand #{twin.pk}", "stands in line 2 already."),
        ("Zoé\nA / B / C / D / E", "at most four"),
    ):
        visitor.press("Continue", contestants=typed)
        assert visitor.heading == "Who plays?"
        assert words in visitor.text
        assert typed.splitlines()[-1] in visitor.text
    visitor.press(
        "Continue", contestants=f"1. Zoé\n2) Ana Durand (17)\n- Ana Durand #{twin.pk}\n\tBob  Petit,"
    )
    assert visitor.heading == "Which movement?"
    assert "4 contestants: 1 table, and 1 sits out in each round." in visitor.text
    wish = session_wishes.wish_of(Draft.objects.get())
    assert [one.members[0] for one in wish.contestants][::3] == ["Zoé", "Bob Petit"]
    assert typed_contestants.text_of(a_club(), wish.contestants).splitlines()[1:3] == [
        "Ana Durand (17)",
        f"Ana Durand #{twin.pk}",
    ]
    visitor.press("Compare for these times", begins="20:00", ends="20:00")
    assert "later than it begins" in visitor.text
    visitor.press("Compare for these times", begins="20:00", ends="25h")
    assert "Write the hour as 19:30 or 1930." in visitor.text
    assert 'type="time"' not in visitor.text, "a browser in English would ask for AM or PM"
    visitor.press("Compare for these times", begins="20h", ends="2100", minutes=6)
    wish = session_wishes.wish_of(Draft.objects.get())
    assert (wish.begins, wish.ends) == ("20:00", "21:00")
    assert visitor.heading == "Which movement?"
    visitor.press("Continue", movement="no-such")
    assert "Choose one of the movements." in visitor.text
    visitor.press("Continue")
    visitor.press("Continue", public_kind="lottery-6", public_source="")
    assert "Say where the value will be found." in visitor.text
    visitor.press("Continue", public_kind="", reserves=1)
    assert "no board is played at two tables" in visitor.text.lower(), "four at three seats: one table"
    assert "and 1 in reserve" in visitor.press("Continue").text
    review = visitor.path
    visitor.open(review.replace("review", "boards")).press("Continue", custody="tables")
    assert "in reserve" not in visitor.open(review).text, "nothing is sealed that could be"
    visitor.open(review.replace("review", "boards")).press("Continue", custody="officer")
    visitor.open(review).press("Set up the session")
    assert Session.objects.get().method == "total-points"


def test_what_cannot_be_looked_for_is_said_at_the_field_and_odd_addresses_show_a_page() -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="comon")
    for odd, words in (("a\x00b", "Null characters are not allowed"), ("x" * 201, "at most 200 characters")):
        visitor.press("Find", search=odd, contestants="Zoé Neuf")
        assert words in visitor.text
        assert "nobody of this name" not in visitor.text
        assert "Zoé Neuf" in visitor.text
    visitor.press("Find", search="Nobody")
    assert "nobody of this name" in visitor.text
    session = a_session()
    own = reverse("club-tournaments", args=[a_club().slug])
    sessions = reverse("club-tournament", args=[a_club().slug, session.tournament_id])
    at = reverse("session-desk", args=[session.pk])
    for odd in ("%00", "-1", "9" * 25, "9" * 5_000, "x", "%C2%B2", "%D9%A3"):
        for address in (f"{own}?page={odd}", f"{sessions}?page={odd}", f"{at}?round={odd}"):
            assert visitor.client.get(address).status_code == 200, address[:80]
    for sent in ({"copy": "\x00"}, {"copy": "9" * 25}, {"tournament": "\x00"}, {"tournament": "9" * 25}):
        answer = visitor.client.post(reverse("new-session", args=[a_club().slug]), sent)
        assert answer.status_code == (404 if "copy" in sent else 302), sent


def test_the_time_to_read_contestants_grows_with_what_is_typed_alone() -> None:
    """A time that grew with the square of it would be hours: the test would never end."""
    for blanks in (" ", " \t"):
        typed = f"Ana{blanks * 300_000}Bob\nCid{blanks * 300_000}/ Dan"
        read = typed_contestants.read_contestants(a_club(), typed)
        assert [one.members for one in read] == [
            ("Ana Bob",) if blanks == " " else ("Ana", "Bob"),
            ("Cid", "Dan"),
        ]


def test_partners_stand_together_with_words_and_marks_between_them() -> None:
    typed = "Ana Bo et Cid Du\nEva Ro and Flo Etienne\nGil Ma / Hal Pe\nIda Fe + Jon Ga\nKim Anders - Lea Vi"
    read = typed_contestants.read_contestants(a_club(), typed, each=2)
    assert [one.members for one in read] == [
        *[("Ana Bo", "Cid Du"), ("Eva Ro", "Flo Etienne"), ("Gil Ma", "Hal Pe")],
        *[("Ida Fe", "Jon Ga"), ("Kim Anders", "Lea Vi")],
    ]


def test_a_swiss_is_offered_where_there_is_more_than_one_table() -> None:
    families = {
        count: {one.movement.family for one in movement_offers._by_matches("loba", count, 9)}
        for count in (5, 10)
    }
    assert "swiss" not in families[5], "all of them meet in the first round"
    assert "swiss" in families[10]


def test_a_known_player_is_found_however_the_name_is_typed() -> None:
    register = [("Aurélien", "Dufour", ""), ("Perrine", "Vasseur", ""), ("Raphaël", "Sitbon", "9")]
    register += [("Solange", "Etcheverry", "4"), ("Éva", "Petit", ""), ("Eva", "Petit", "")]
    known = [
        Player.objects.create(club=a_club(), given_name=given, family_name=family, number=number).pk
        for given, family, number in register
    ]
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="hombre")
    for typed, words in (
        ("Zoé\nPERRINE VASSEUR\nVasseur, Perrine", "Line 3: Vasseur, Perrine stands in line 2 already."),
        ("Zoé Neuf\nPerrine Vasseur\nneuf ZOE", "Line 3: neuf ZOE stands in line 1 already."),
        ("Zoé\nEVA PETIT", "Line 2: In the club’s register, EVA PETIT is without a number"),
        ("Zoé\nNoé Neuf (4)", "Line 2: Number 4 is Solange Etcheverry’s."),
        ("Zoé\nSolange Etcheverry ;5", "Line 2: In the club’s register, Solange Etcheverry is 4"),
    ):
        visitor.press("Continue", contestants=typed)
        assert words in visitor.text
    lines = ["aurelien dufour", "Vasseur, Perrine", "9 Sitbon Raphaël", "Solange Etcheverry ;4", "Eva Petit"]
    visitor.press("Continue", contestants="\n".join([*lines, "Neuf, Zoé ;12"]))
    assert visitor.heading == "Which movement?"
    wish = session_wishes.wish_of(Draft.objects.get())
    assert [one.members[0] for one in wish.contestants] == [*known[:4], known[5], "Zoé Neuf (12)"]
    visitor.press("Continue").press("Continue").press("Continue").press("Set up the session")
    new = Player.objects.exclude(pk__in=known).get()
    assert (new.given_name, new.family_name, new.number) == ("Zoé", "Neuf", "12")


def test_a_job_that_was_refused_leads_back_and_the_next_one_may_do() -> None:
    visitor = at_desk()
    draft = a_draft(visitor)
    review = reverse("draft-step", args=[draft.pk, "review"])
    visitor.client.post(review, {"seen": draft.version})
    job = Job.objects.get()
    Player.objects.create(club=a_club(), given_name="Ana", family_name="Quesnel", number="1")
    Player.objects.create(club=a_club(), given_name="Ana", family_name="Quesnel", number="2")
    jobs.do(job_id=job.pk)
    page = f"{reverse('job-page', args=[job.pk])}?then=desk"
    assert "Ana Quesnel is 1, 2" in visitor.open(page).text
    anyone = Client(HTTP_HOST="localhost").get(page).content.decode()
    assert "Quesnel" not in anyone
    assert draft.club.name not in anyone
    assert "finds the reason here after signing in" in anyone
    visitor.open(reverse("desk"))
    assert "could not be set up" in visitor.text
    visitor.open(reverse("draft-step", args=[draft.pk, "contestants"]))
    visitor.press("Continue", contestants="\n".join(["Ana Quesnel (2)", *THIRTEEN[1:]]))
    visitor.press("Set up the session")
    assert Session.objects.get().contestants.count() == 13
    assert Job.objects.count() == 2


def test_an_evening_has_a_day_and_an_hour_by_the_clock_of_its_club(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_wishes, "today_at", lambda _club: date(2026, 10, 20))
    visitor = from_an_empty_desk(at_desk())
    first = Session.objects.get()
    assert first.starts_at == datetime(2026, 10, 20, 17, 30, tzinfo=UTC), "19:30 in Paris, in summer"
    assert "Tuesday 20 October 2026, 19:30" in visitor.text
    assert first.name == "Tuesday 20 October"

    visitor.open(reverse("desk")).press("Like").press("Continue")
    wish = session_wishes.wish_of(Draft.objects.latest("pk"))
    assert (wish.date, wish.name) == ("2026-10-27", "Tuesday 27 October"), "in a week, in winter"
    visitor.press("Compare for these times", date="2032-01-01")
    assert "more than two years away" in visitor.text
    visitor.press("Compare for these times", date="2026-10-28", begins="20:00", ends="23:15")
    visitor.press("Continue").press("Set up the session")
    second = Session.objects.latest("pk")
    assert (second.name, second.starts_at) == (
        "Wednesday 28 October",
        datetime(2026, 10, 28, 19, 0, tzinfo=UTC),
    )

    states.mend(session=second, actor=None, starts_at=datetime(2026, 10, 29, 20, 15, tzinfo=UTC))
    visitor.open(reverse("desk")).press("Like")
    wish = session_wishes.wish_of(Draft.objects.latest("pk"))
    assert (wish.date, wish.begins, wish.ends) == ("2026-10-22", "21:15", "00:30"), "as it was mended"

    visitor.open(reverse("club-settings", args=["club-a"]))
    assert visitor.press("Save", time_zone="Mars/Olympus").answer.status_code == 400
    assert "Select a valid choice" in visitor.text
    visitor.press("Save", time_zone="America/Guadeloupe")
    for address in ("desk", "club-tournament", "session-desk"):
        arguments = {"club-tournament": ["club-a", first.tournament_id], "session-desk": [first.pk]}
        assert (
            "Tuesday 20 October 2026, 13:30"
            in visitor.open(reverse(address, args=arguments.get(address))).text
        )
    changed = HistoryEntry.objects.latest("pk")
    assert changed.changes == {"time_zone": ["Europe/Paris", "America/Guadeloupe"]}
    at = changed.at.astimezone(ZoneInfo("America/Guadeloupe"))
    assert f"{at:%H:%M:%S}" in visitor.open(reverse("club-history", args=["club-a"])).text
    until = f"until={at + timedelta(minutes=1):%Y-%m-%d&until_hour=%H:%M}"
    page = visitor.open(f"{reverse('club-history', args=['club-a'])}?{until}").text
    assert f"{at:%H:%M:%S}" in page, "what is asked for is by that clock too"
    states.publish(session=first, actor=None, listed=True)
    page = reverse("ranking-page", args=[first.pk])
    assert "Tuesday 20 October 2026, 13:30" in visitor.open(page).text
    shown = visitor.client.get(reverse("session", args=[first.pk])).json()
    assert (shown["starts_at"], shown["time_zone"]) == ("2026-10-20T17:30:00Z", "America/Guadeloupe")


def test_movements_of_one_kind_are_told_apart_and_say_who_meets_whom_and_when_they_end() -> None:
    some = [
        movement_offers.Offer(
            movement=session_wishes.ChosenMovement("annealed", rounds, boards, 3),
            boards=24,
            copies=4,
            is_single=False,
            boards_each=(24, 24),
            sit_outs=(0, 0),
            meetings=meetings,
            balance="90",
            one_ranking=True,
            met=(),
            method=None,
            reason={},
            takes_newcomers=rounds == 8,
        )
        for rounds, boards, meetings in ((8, 3, (1, 3)), (12, 2, (2, 2)), (24, 1, (0, 1)))
    ]
    wish = session_wishes.SessionWish(game="hombre", begins="19:30", ends="22:30")
    shown = {one["key"]: one for one in offers.shown(wish, some, 12)}
    eight, twelve, many = (shown[one.movement.key] for one in some)
    assert [one["name"] for one in (eight, twelve, many)] == [
        "Made to measure, 8 × 3",
        "Made to measure, 12 × 2",
        "Made to measure, 24 × 1",
    ]
    assert eight["words"] == "everybody meets everybody 1 to 3 times"
    assert twelve["words"] == "everybody meets everybody 2 times"
    late = [next(row for row in one["rows"] if row.label == "Whoever comes late") for one in (eight, many)]
    assert [(row.text, row.is_warning) for row in late] == [
        ("plays from the next round on", False),
        ("plays if somebody leaves", True),
    ]
    assert many["words"] == "some meet once, others never"
    ends = {row.label: row for row in eight["rows"]}["Ends at"]
    assert (ends.text, ends.is_warning) == ("22:32, 2 min later than asked", True)
    with translation.override("fr"):
        (french,) = offers.shown(wish, some[:1], 12)
        assert any(row.text.startswith("22\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}32") for row in french["rows"])
    (alone,) = offers.shown(replace(wish, ends="22:32"), some[:1], 12)
    ends = {row.label: row for row in alone["rows"]}["Ends at"]
    assert (alone["name"], ends.text, ends.is_warning) == ("Made to measure", "22:32", False)
    assert offers.sentence(replace(wish, game="comon"), 3) == "3 contestants: 1 table, full."
    at_four = session_wishes.ChosenMovement("annealed", 3, 2, 4)
    assert offers.sentence(replace(wish, game="loba"), 8, at_four) == "8 contestants: 2 tables, all full."
    assert offers.reservations(wish, some, "en") == [
        "None of these ends by 22:30: the one advised ends 2 min later. Ask for another end, or for fewer"
        " minutes a board."
    ]
    assert offers.reservations(replace(wish, ends="22:32"), some, "en") == [], "one ends in time"
    assert offers.reservations(replace(wish, boards=24), some, "en") == [], "no time is asked for"
    smaller = replace(some[0], movement=replace(some[0].movement, rounds=4, seats=5))
    (told,) = offers.reservations(wish, [some[0], smaller], "en")
    assert told.startswith(
        "The one advised ends 2 min later than 22:30: of those that seat as many at a table"
    )


def test_each_movement_says_what_it_costs_the_others_when_one_does_not_come() -> None:
    visitor = at_desk()
    draft = a_draft(visitor)
    wish = session_wishes.wish_of(draft)
    found = movement_offers.offers_of(draft)
    assert found is not None
    measured = [one for one in found[0] if not movement_offers.is_by_matches(one)]
    assert measured
    for one in measured:
        left = one.without_one
        assert left is not None
        assert left.sit_outs is not None
        assert left.boards_each is not None
        assert left.sit_outs[1] > one.sit_outs[1], "those at the tables that are not played sit out"
        assert left.boards_each[0] < one.boards_each[0]
        assert int(left.balance or 0) < int(one.balance or 0)
    visitor.open(reverse("draft-step", args=[draft.pk, "movement"]))
    for told in offers.shown(wish, found[0], 13):
        row = next(row for row in told["rows"] if row.label == "If one does not come")
        assert re.fullmatch(r"\d+–\d+ boards and \d+–\d+ sit-outs each, balance \d+", row.text)
        assert row.text in visitor.text


def test_where_nobody_is_left_to_play_with_a_no_show_is_a_warning_and_of_many_it_is_not_measured() -> None:
    alone = movement_offers._comparison({"game": "hombre", "contestants": 3, "boards": 4})
    (one,) = [movement_offers.Offer.of(stored) for stored in alone["offers"]][:1]
    assert [(row.text, row.is_warning) for row in offers.no_show(one)] == [("nobody can play", True)]
    assert offers.no_show(replace(one, without_one=None)) == []
    assert movement_offers.MEASURED_AT_MOST < session_wishes.CONTESTANTS_AT_MOST


@pytest.mark.parametrize(
    ("boards", "offers", "best"),
    [
        (5, [(4, 1, 4, 0, False, 64), (5, 1, 5, 1, True, 60)], 1),  # six pairs: a Howell that does none of it
        (5, [(2, 2, 4, 0, True, 57), (1, 5, 5, 0, True, 23)], 0),  # in one round hardly anybody is compared
        (9, [(3, 3, 9, 0, False, 85), (3, 3, 9, 0, True, 72)], 1),
        (4, [(7, 1, 6, 1, False, 100), (7, 1, 6, 1, True, 84)], 0),  # neither has four: the better one
        (
            None,
            [(5, 2, 10, 5, True, 0), (3, 3, 9, 3, True, 0)],
            1,
        ),  # five at one table: 13 minutes for nothing
        (None, [(5, 2, 10, 1, True, 100), (3, 3, 9, 0, True, 85)], 1),  # in time, though not all meet
        (None, [(7, 2, 14, 1, True, 90), (5, 2, 10, 1, True, 80), (3, 3, 9, 0, True, 70)], 2),
        (None, [(10, 1, 9, 0, True, 90), (7, 2, 14, 1, True, 80)], 0),  # none ends in time
        (None, [(7, 2, 14, 1, True, 90), (5, 2, 10, 1, True, 80)], 1),
    ],
)
def test_the_movement_that_is_advised_keeps_what_was_asked_for(
    boards: int | None, offers: list[tuple[int, int, int, int, bool, int]], best: int
) -> None:
    found = [
        movement_offers.Offer(
            movement=session_wishes.ChosenMovement("howell", rounds, a_round, 4),
            boards=each,
            copies=1,
            is_single=True,
            boards_each=(each, each),
            sit_outs=(0, 0),
            meetings=(meet, 1),
            balance=str(balance) if balance else None,
            one_ranking=True,
            met=(),
            method=None,
            reason={},
            takes_newcomers=late,
        )
        for rounds, a_round, each, meet, late, balance in offers
    ]
    wish = session_wishes.SessionWish(game="cochonnet", minutes=20, boards=boards)
    assert movement_offers.advised(wish, found) is found[best]
    waiting = [
        replace(one, movement=replace(one.movement, seats=3 + at), takes_newcomers=at > 0)
        for at, one in enumerate(found)
    ]
    nearly = found[0].minutes(20) <= 195 + movement_offers.LATE_MINUTES
    if boards is not None or nearly:
        assert movement_offers.advised(wish, waiting) is waiting[0], "beside tables of another size"


# ── Who may, and what the desk shows ──────────────────────────────────────────────────────────────


def test_whoever_lets_the_tables_shuffle_is_asked_for_a_movement_of_single_boards() -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="comon")
    visitor.press("Continue", contestants="\n".join(THIRTEEN[:12]))
    offered = re.findall(r'name="movement" value="([^"]+)"', visitor.text)
    visitor.press("Continue", movement=next(one for one in offered if one.startswith("annealed")))
    assert "several tables play the same board at once: 4 copies of each are dealt" in visitor.text
    visitor.press("Continue", custody="tables")
    assert visitor.heading == "Which movement?"
    assert "The tables shuffle their own cards: here are the movements" in visitor.text
    draft = Draft.objects.get()
    found = movement_offers.offers_of(draft)
    assert found is not None
    assert {one.is_single for one in found[0]} == {True}
    assert "1 copy of" in visitor.text
    visitor.press("Continue").press("Continue")
    assert "Each board is shuffled by the table that plays it first" in visitor.text
    visitor.press("Set up the session")
    session = Session.objects.get()
    assert session.board_set.manifest is None
    assert shuffling.of_session(session).at_once == 0
    again = drafts.like(session)
    assert again.custody == session_wishes.BY_TABLES
    visitor.open(reverse("desk"))
    visitor.press("New session").press("Continue", game="comon")
    visitor.press("Continue", contestants="\n".join(THIRTEEN))
    visitor.press("Continue").press("Continue", custody="tables")
    assert "in which every board is at one table at a time" in visitor.text
    assert "Somebody deals after all" in visitor.text
    boards = reverse("draft-step", args=[Draft.objects.latest("pk").pk, "boards"])
    visitor.open(boards).press("Continue", custody="copied")
    assert visitor.heading == "Which movement?"
    visitor.press("Continue").press("Continue")
    assert "copies it for the tables" in visitor.text
    visitor.press("Set up the session")
    assert drafts.like(Session.objects.latest("pk")).custody == session_wishes.COPIED


def test_who_runs_the_club_alone_and_plays_is_told_that_nobody_can_deal() -> None:
    ada = an_account("Ada Quesnel")
    visitor = at_desk(ada)
    visitor.press("New session").press("Continue", game="hombre")
    visitor.press("Continue", contestants="\n".join([*THIRTEEN[:11], "Ada Quesnel"]))
    visitor.press("Continue")  # the movement
    nobody = "nobody of you can be the deal officer"
    held = "Nobody is there to hold it"
    assert visitor.heading == "Which boards?"
    assert nobody in visitor.text
    assert re.search(r'value="(?:tables|copied)"[^>]*checked', visitor.text), "the way that works is chosen"
    visitor.press("Continue", custody="officer").press("Continue")
    assert held in visitor.text
    boards = reverse("draft-step", args=[Draft.objects.get().pk, "boards"])
    assert re.search(r'value="officer"[^>]*checked', visitor.open(boards).text), "what was decided stays"
    visitor.press("Continue", custody="copied")
    assert "ask somebody else" in visitor.text
    assert held not in visitor.text
    roles.grant(
        account=accounts.create(name="Bea", email="bea@example.org", password="x"),
        kind=RoleKind.SCORER,
        place=RolePlace(a_club("Club A")),
        actor=None,
    )
    assert nobody not in visitor.open(boards).text, "there is somebody else"
    visitor.press("Continue", custody="officer")
    assert held not in visitor.text


def test_a_movement_of_ones_own_is_offered_chosen_and_played_as_it_stands() -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="comon")
    visitor.press("Continue", contestants="\n".join(THIRTEEN[:6]))
    rows = ["round,table,seat,contestant,boards"]
    rows += [f"1,{1 + at // 3},{1 + at % 3},{at + 1},1 2" for at in range(6)]
    wrong = SimpleUploadedFile("own.csv", "\n".join([*rows[:-1], "1,2,3,1,1 2"]).encode())
    visitor.press("Look at this movement", file=wrong)
    assert "Line 7, contestant: contestant 1 sits at table 1 in this round, on line 2" in visitor.text
    assert session_wishes.wish_of(Draft.objects.get()).movement_file == ""
    visitor.press("Look at this movement", file=SimpleUploadedFile("own.csv", "\n".join(rows).encode()))
    assert "From your file" in visitor.text
    for _step in range(3):
        visitor.press("Continue")
    visitor.press("Set up the session")
    session = Session.objects.get()
    assert session.movement == "file"
    assert sorted({(one.round, one.table.number, one.board.number) for one in plays_of(session)}) == [
        (1, table, board) for table in (1, 2) for board in (1, 2)
    ]


def test_a_file_of_fewer_players_no_longer_does_when_more_come() -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="comon")
    visitor.press("Continue", contestants="\n".join(THIRTEEN[:3]))
    rows = ["round,table,seat,contestant,boards", "1,1,1,1,1", "1,1,2,2,1", "1,1,3,3,1"]
    visitor.press("Look at this movement", file=SimpleUploadedFile("own.csv", "\n".join(rows).encode()))
    visitor.press("Continue")
    draft = Draft.objects.get()
    visitor.open(reverse("draft-step", args=[draft.pk, "contestants"]))
    visitor.press("Continue", contestants="\n".join(THIRTEEN[:6]))
    visitor.open(reverse("draft-step", args=[draft.pk, "movement"]))
    assert "Line 1, contestant: 4 is missing" in visitor.text
    assert "From your file" not in visitor.text


def test_a_draft_is_its_clubs_alone() -> None:
    draft = a_draft(at_desk())
    stranger, scorer = (
        at_desk(an_account("Eve", club="Club B")),
        at_desk(an_account("Sam", kind=RoleKind.SCORER)),
    )
    for visitor in (stranger, scorer):
        for name, arguments in (
            ("draft", [draft.pk]),
            ("draft-step", [draft.pk, "review"]),
            ("delete-draft", [draft.pk]),
            ("new-session", ["club-a"]),
            ("club-tournaments", ["club-a"]),
        ):
            assert visitor.client.get(reverse(name, args=arguments)).status_code == 404
            assert visitor.client.post(reverse(name, args=arguments)).status_code in {404, 405}
    assert "New session" not in scorer.text


def test_the_desk_says_what_waits_and_what_is_next(django_assert_max_num_queries: Any) -> None:
    ada = an_account()
    visitor = at_desk(ada)
    assert "No session yet." in visitor.text
    assert "Like “" not in visitor.text
    for _session in range(3):
        a_session()
    with django_assert_max_num_queries(13):
        visitor.open(reverse("desk"))
    assert "Invite a deal officer" in visitor.text
    session = Session.objects.latest("pk")
    inviting = f"{reverse('session-people', args=[session.pk])}?role=deal-officer"
    assert f'href="{inviting}"' in visitor.text
    assert f'href="{inviting}"' in visitor.open(reverse("session-desk", args=[session.pk])).text
    for address, kind in ((inviting, "deal-officer"), (inviting.replace("deal-officer", "king"), "")):
        forms = _Forms(visitor.open(address).text).forms
        assert [form["fields"]["kind"] for form in forms if "kind" in form["fields"]] == [kind]
    assert f'href="{reverse("session-desk", args=[session.pk])}"' in visitor.text, "and the way back"
    visitor.press("Make the invitation", kind="scorer")
    assert "<share-link copies" in visitor.text
    visitor.open(reverse("session-desk", args=[session.pk]))
    visitor.press("Publish the ranking")
    assert "Everybody may see the ranking now." in visitor.text
    assert Session.objects.get(pk=session.pk).listed
    visitor.open(reverse("run-session", args=[session.pk, "withdraw"]))
    visitor.press("Hide the ranking", reason="Not yet")
    assert not Session.objects.get(pk=session.pk).listed
    visitor.open(reverse("session-desk", args=[session.pk]) + "?round=99")
    assert "Round 4" in visitor.text


def test_a_tournament_has_one_field_and_its_sessions() -> None:
    visitor = at_desk()
    visitor.open(reverse("club-tournaments", args=["club-a"])).press("Make the tournament", name="")
    assert "This field is required" in visitor.text
    visitor.press("Make the tournament", name="Coupe d’hiver")
    assert "No session yet" in visitor.text
    visitor.press("New session")
    assert Draft.objects.get().tournament.name == "Coupe d’hiver"
    other = a_session()
    assert (
        visitor.client.get(reverse("club-tournament", args=["club-b", other.tournament_id])).status_code
        == 404
    )
    visitor.open(reverse("club-tournament", args=["club-a", other.tournament_id]))
    assert other.name in visitor.text


def test_a_director_of_one_session_comes_to_its_page() -> None:
    session = a_session()
    director = accounts.create(name="Cid", email="cid@example.org", password="x")
    roles.grant(account=director, kind=RoleKind.DIRECTOR, place=RolePlace(session=session), actor=None)
    visitor = at_desk(director)
    assert "Sessions that I direct" in visitor.text
    assert "Invite a deal officer" not in visitor.text, "a director may invite nobody"
    visitor.open(reverse("session-desk", args=[session.pk]))
    assert (visitor.answer.status_code, "Joueur 01" in visitor.text) == (200, True)
    assert "Invite somebody" not in visitor.text
    assert "The club’s organisers invite a deal officer" in visitor.text
    assert "Invite a deal officer" not in visitor.text
    assert "Begin one like it" not in visitor.text
    roles.grant(account=director, kind=RoleKind.ORGANISER, place=RolePlace(session=session), actor=None)
    assert "Invite a deal officer" in visitor.open(reverse("desk")).text


@pytest.mark.parametrize("kind", [RoleKind.SCORER, RoleKind.DEAL_OFFICER])
def test_a_scorer_and_a_deal_officer_of_a_session_see_its_seats_and_change_nothing(kind: RoleKind) -> None:
    session = a_session()
    account = accounts.create(name="Sam", email="sam@example.org", password="x")
    roles.grant(account=account, kind=kind, place=RolePlace(session=session), actor=None)
    page = reverse("session-desk", args=[session.pk])
    visitor = at_desk(account)
    assert f'href="{page}"' in visitor.text
    visitor.open(page)
    assert (visitor.answer.status_code, "Joueur 01" in visitor.text) == (200, True)
    for name in ("session-people", "session-substitutes"):
        assert reverse(name, args=[session.pk]) not in visitor.text
    assert "/run/" not in visitor.text
    publication = reverse("run-session", args=[session.pk, "publish"])
    assert visitor.client.get(publication).status_code == 404
    assert visitor.client.post(publication, {"seen": "x"}).status_code == 404
    Session.objects.update(state="running")
    slips = f'href="{reverse("desk-slips", args=[session.pk])}">Enter results<'
    enters = kind == RoleKind.SCORER
    assert (slips in visitor.open(reverse("desk")).text, "Enter results" in visitor.text) == (enters, enters)


def test_a_scorer_of_a_club_enters_the_results_of_its_evenings_and_of_no_others() -> None:
    session, other = a_session(), a_session(club="Club B")
    account = accounts.create(name="Sam", email="sam@example.org", password="x")
    roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(session.tournament.club), actor=None)
    visitor = at_desk(account)
    assert "Sessions that I score" in visitor.text
    for name in ("session-desk", "desk-slips"):
        assert visitor.client.get(reverse(name, args=[session.pk])).status_code == 200
        assert visitor.client.get(reverse(name, args=[other.pk])).status_code == 404
    assert reverse("session-desk", args=[other.pk]) not in visitor.text


def test_the_desk_knows_who_may_invite_as_the_roles_do() -> None:
    session, place = a_session(), RolePlace(session=a_session(club="Club B"))
    for number, (kind, where) in enumerate(
        [(kind, at) for at in (roles.FEDERATION, RolePlace(a_club()), place) for kind in at.kinds]
        + [(kind, RolePlace(session=session)) for kind in RolePlace(session=session).kinds]
    ):
        account = accounts.create(name=f"P{number}", email=f"p{number}@example.org", password=None)
        roles.grant(account=account, kind=kind, place=where, actor=None)
        for one in (session, place.session):
            assert one is not None
            may = bool(roles.grantable(account, RolePlace(session=one)))
            assert roles.may_invite_to(one, roles.of(account)) == may, (kind, where, one)


def test_the_wizard_offers_swiss_knock_out_and_teams_and_what_everybody_sees_meanwhile() -> None:
    visitor = at_desk()
    visitor.press("New session").press("Continue", game="cochonnet")
    visitor.press("Continue", contestants="\n".join(f"Zoé {one} / Noé {one}" for one in "ABCDEFGH"))
    assert visitor.heading == "Which movement?"
    for words in ("Swiss of teams", "Round robin of teams", "Knock-out of teams", "equals meet equals"):
        assert words in visitor.text
    draft = Draft.objects.get()
    found = movement_offers.offers_of(draft)
    assert found is not None
    offered = {one.movement.family: one.movement for one in found[0]}
    advised = movement_offers.advised(session_wishes.wish_of(draft), found[0])
    assert advised is not None
    assert advised.movement.family not in movement_offers.BY_MATCHES, "nobody is led there"
    visitor.press("Continue", movement=offered["knock-out"].key)
    visitor.press("Continue", public_kind="")
    assert "nobody else plays the boards" in visitor.text.lower()
    assert session_wishes.wish_of(Draft.objects.get()).method == "total-points"
    visitor.open(reverse("draft-step", args=[draft.pk, "movement"]))
    visitor.press("Continue", movement=offered["team-swiss"].key)
    visitor.open(reverse("draft-step", args=[draft.pk, "comparison"]))
    visitor.press("Continue", method="butler", live="hidden")
    assert "What everybody sees of the list while it is played: nothing until it has been" in visitor.text
    visitor.press("Set up the session")
    session = Session.objects.get()
    assert (session.live, session.method) == ("hidden", "butler")
    rules = MatchRules.objects.get(session=session)
    chosen = offered["team-swiss"]
    assert (rules.form, rules.team_size, rules.rounds) == ("swiss", 2, chosen.rounds)
    boards = {one.board.number for one in plays_of(session)}
    assert len(boards) == chosen.boards_per_round, "of the first round alone"
