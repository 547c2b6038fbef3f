"""A club's register: whom a typed name means, who may change it, lists that are read and written, and one
person on two lines."""

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import Workbook, load_workbook
from rest_framework.test import APIClient

from tournaments.models import Club, Contestant, HistoryEntry, Member, Player, Role, Token
from tournaments.models.accounts import RoleKind
from tournaments.models.people import fold
from tournaments.services import duplicates, register, register_files, sessions, spreadsheets, tokens
from tournaments.services.errors import Conflict, Forbidden, Invalid, Stale
from tournaments.services.register import Details
from tournaments.services.register_files import Effect

from .worlds import NAMES, a_club, a_session

pytestmark = pytest.mark.django_db


def a_player(given: str = "Ana", family: str = "Durand", number: str = "", **more: Any) -> Player:
    club = more.pop("club", None) or a_club()
    details = Details(given_name=given, family_name=family, number=number, **more)
    return register.add(club=club, actor=None, details=details)


def named(*names: str, club: Club | None = None) -> dict[str, int]:
    return register.players_named(club or a_club(), names)


def caller(kind: RoleKind, club: str = "Club A") -> tuple[Token, APIClient]:
    token, text = tokens.issue_for_role(person=f"{kind} of {club}", club=a_club(club), kind=kind)
    client = APIClient(HTTP_ACCEPT_LANGUAGE="en")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return token, client


# ── Whom a typed name means ───────────────────────────────────────────────────────────────────────


def test_a_typed_name_is_the_one_player_who_bears_it_or_a_new_one() -> None:
    ana = a_player("Ana", "Durand")
    a_player("Ana", "Durand", club=a_club("Club B"))
    found = named("Ana  Durand", "Zoé")
    assert found["Ana  Durand"] == ana.pk
    zoe = Player.objects.get(pk=found["Zoé"])
    assert (zoe.given_name, zoe.family_name, zoe.consent, zoe.folded) == ("Zoé", "", False, "zoe")
    assert named("Zoé") == {"Zoé": zoe.pk}
    new = register.players_named(a_club(), ["Marie Anne Petit"], consent=True)
    marie = Player.objects.get(pk=new["Marie Anne Petit"])
    assert (marie.given_name, marie.family_name, marie.consent) == ("Marie Anne", "Petit", True)


def test_a_name_that_two_bear_is_refused_with_their_numbers_and_one_of_these_tells_which() -> None:
    first, second = a_player(number="17"), a_player(number="18")
    assert (first.pk, first.name) != (second.pk, first.name)
    with pytest.raises(Invalid, match="17, 18") as refused:
        named("Ana Durand")
    assert refused.value.code == "several-of-one-name"
    assert named("Ana Durand (18)") == {"Ana Durand (18)": second.pk}
    with pytest.raises(Invalid, match="17, 18"):
        named("Ana Durand (19)")
    assert not Player.objects.filter(number="").exists()


def test_a_set_up_keeps_new_names_back_unless_it_says_that_they_may_be_published() -> None:
    a_session(players=9)  # says that they may
    assert set(Player.objects.values_list("consent", flat=True)) == {True}


# ── Changes ───────────────────────────────────────────────────────────────────────────────────────


def test_who_adds_and_who_changes() -> None:
    roles = {
        kind: caller(kind)[0] for kind in (Role.Kind.ADMINISTRATOR, Role.Kind.ORGANISER, Role.Kind.SCORER)
    }
    stranger = caller(Role.Kind.ADMINISTRATOR, "Club B")[0]
    for n, actor in enumerate(roles.values()):
        register.add(club=a_club(), actor=actor, details=Details("A", f"B{n}"))
    with pytest.raises(Forbidden):
        register.add(club=a_club(), actor=stranger, details=Details("A", "B"))
    player = Player.objects.earliest("pk")
    for kind, actor in roles.items():
        seen = register.stamp(player)
        if kind == Role.Kind.SCORER:
            with pytest.raises(Forbidden):
                register.change(player=player, actor=actor, details=Details("X", "Y"), seen=seen)
        else:
            player = register.change(player=player, actor=actor, details=Details("X", kind), seen=seen)
    assert player.name == "X organiser"


def test_a_change_of_what_somebody_else_has_changed_is_refused() -> None:
    player = a_player()
    seen = register.stamp(player)
    register.change(player=player, actor=None, details=Details("Anna", "Durand"), seen=seen)
    with pytest.raises(Stale):
        register.change(player=player, actor=None, details=Details("Anne", "Durand"), seen=seen)
    player.refresh_from_db()
    assert (player.given_name, player.folded) == ("Anna", "anna durand")


def test_the_history_says_which_fields_have_changed_and_keeps_no_name() -> None:
    player = a_player()
    details = Details("Béatrice", "Dupont", consent=True)
    register.change(player=player, actor=None, details=details, seen=register.stamp(player))
    entry = HistoryEntry.objects.get(verb="changed in register")
    assert entry.detail == {"changed": ["given_name", "family_name", "consent"], "consent": [False, True]}
    assert (entry.club, entry.subject) == (a_club(), f"player {player.pk}")


def test_a_number_is_one_players_in_a_club() -> None:
    a_player(number="17")
    a_player(number="17", club=a_club("Club B"))
    with pytest.raises(Conflict, match="Ana Durand"):
        a_player("Zoé", "Petit", number="17")


@pytest.mark.parametrize(("details", "wrong"), [
    (Details(), "family_name"),
    (Details("x" * 201), "given_name"),
    (Details("x" * 150, "y" * 150), "family_name"),
    (Details("A\u200b", "B"), "given_name"),
    (Details("A", number="(17)"), "number"),
    (Details("A", number="1" * 21), "number"),
    (Details("A", categories=("knight",)), "categories"),
    (Details("A", home_club=10**6), "home_club"),
])  # fmt: skip
def test_every_field_that_is_wrong_is_named(details: Details, wrong: str) -> None:
    with pytest.raises(Invalid) as refused:
        register.add(club=a_club(), actor=None, details=details)
    assert list(refused.value.details) == [wrong]


def test_contestants_are_called_as_their_players_are_now() -> None:
    session = a_session(players=9)
    tally = session.tally
    player = Player.objects.get(folded=fold(NAMES[0]))
    details = Details("Ana", "Durand", consent=True)
    register.change(player=player, actor=None, details=details, seen=register.stamp(player))
    assert Contestant.objects.get(members__player=player).name == "Ana Durand"
    tally.refresh_from_db()
    assert (tally.layout, tally.counted_layout) == (2, 2)  # who has read the old name is told so


# ── The API ───────────────────────────────────────────────────────────────────────────────────────


def test_the_register_by_the_api() -> None:
    _token, organiser = caller(Role.Kind.ORGANISER)
    _token, scorer = caller(Role.Kind.SCORER)
    _token, stranger = caller(Role.Kind.ORGANISER, "Club B")
    address = f"/api/v1/clubs/{a_club().slug}/players/"
    assert APIClient().get(address).status_code == 401
    assert stranger.get(address).status_code == 404
    body = {"given_name": "Ana", "family_name": "Durand", "number": "17", "categories": ["senior"]}
    body |= {"home_club": a_club("Club B").slug}
    made = scorer.post(address, body, format="json", headers={"accept": "text/csv"})
    assert (made.status_code, made["content-type"]) == (201, "application/json"), made.content
    one = made.json()
    assert {name: one[name] for name in body} == body
    assert (one["name"], one["consent"], one["public_name"]) == ("Ana Durand", False, "")
    own = f"{address}{one['id']}/"
    assert scorer.get(own)["ETag"] == made["ETag"]
    assert scorer.get(own, headers={"if-none-match": made["ETag"]}).status_code == 304
    assert scorer.patch(own, {"consent": True}, format="json").status_code == 403
    assert organiser.patch(own, {"consent": True}, HTTP_IF_MATCH="").status_code == 428
    condition = {"if-match": made["ETag"]}
    changed = organiser.patch(own, {"consent": True}, format="json", headers=condition)
    assert (changed.status_code, changed.json()["consent"], changed.json()["number"]) == (200, True, "17")
    stale = organiser.patch(own, {"consent": False}, format="json", headers=condition)
    assert (stale.status_code, stale.json()["error"]["code"]) == (412, "changed-meanwhile")
    taken = organiser.post(address, {"given_name": "Zoé", "number": "17"}, format="json")
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "number-taken")
    for wrong in (
        {"birthday": "x"},
        {"given_name": 7},
        {"home_club": "nowhere"},
        {"home_club": ""},
        {"categories": ["x"]},
        {},
    ):
        assert organiser.post(address, wrong, format="json").status_code == 400, wrong
    table = organiser.get(address, headers={"accept": "text/csv", "accept-language": "fr"})
    said = table.content.decode("utf-8-sig").splitlines()
    assert said[0] == "player,number,given name,family name,public name,home club,categories,consent"
    assert [line.split(",")[0] for line in said[1:]] == [str(one["id"])]
    assert organiser.get(address, headers={"accept": spreadsheets.CONTENT_TYPES["xlsx"]}).content[:2] == b"PK"
    assert scorer.get(address, headers={"accept": "text/csv"}).status_code == 403
    assert stranger.get(own).status_code == 404
    other = f"/api/v1/clubs/{a_club('Club B').slug}/players/{one['id']}/"
    assert stranger.get(other).status_code == 404


def test_a_club_of_which_nothing_is_public_is_like_none_for_those_who_have_no_part_in_it() -> None:
    """And everybody else is told that its register is not theirs."""
    session = a_session(club="Club B")
    hidden = session.tournament.club
    strangers = (caller(Role.Kind.ORGANISER)[1], APIClient())
    player = session.members.order_by("pk")[0].player
    held = tokens.issue_for_player(name=player.name, club=hidden)[1]
    concerned = APIClient(HTTP_AUTHORIZATION=f"Bearer {held}")
    paths = ("players/", "players/1/", "players/bulk/", "ratings/", "penalties/")

    def answers(client: APIClient, slug: str) -> list[tuple[int, Any]]:
        """To whoever reads, or adds what is wrong."""
        at = f"/api/v1/clubs/{slug}/"
        read = [client.get(at + path) for path in paths]
        sent = [client.post(at + path, {"x": 1}, format="json") for path in paths]
        return [(one.status_code, one.json()) for one in [*read, *sent]]

    for stranger in strangers:
        assert answers(stranger, hidden.slug) == answers(stranger, "nowhere")
    assert concerned.get(f"/api/v1/clubs/{hidden.slug}/players/").status_code == 403
    assert concerned.get(f"/api/v1/clubs/{hidden.slug}/ratings/").status_code == 200
    sessions.publish(session=session, actor=None, listed=True)
    assert strangers[0].get(f"/api/v1/clubs/{hidden.slug}/players/").status_code == 403
    assert strangers[1].get(f"/api/v1/clubs/{hidden.slug}/ratings/").status_code == 200


def test_many_players_are_added_at_once_in_the_order_of_their_rows() -> None:
    _token, scorer = caller(Role.Kind.SCORER)
    other = a_club("Club B")
    address = f"/api/v1/clubs/{a_club().slug}/players/"
    rows: list[dict[str, Any]] = [
        {"given_name": "Zoé", "family_name": "Petit", "number": "2", "categories": ["senior", "junior"]},
        {"given_name": " Ana ", "family_name": "Durand", "home_club": other.slug, "consent": True},
        {"family_name": "Petit", "given_name": "Zoé", "home_club": None},  # a namesake
    ]
    key = {"Idempotency-Key": "list-1"}
    made = scorer.post(f"{address}bulk/", {"players": rows}, format="json", headers=key)
    assert made.status_code == 201, made.content
    added = made.json()["players"]
    assert [(one["index"], one["state"]) for one in added] == [(n, "created") for n in range(3)]
    players = [one["player"] for one in added]
    assert [one["name"] for one in players] == ["Zoé Petit", "Ana Durand", "Zoé Petit"]
    assert [one["number"] for one in players] == ["2", "", ""]
    assert [one["home_club"] for one in players] == [None, other.slug, None]
    assert [one["consent"] for one in players] == [False, True, False]
    assert players[0]["categories"] == ["junior", "senior"]  # in the order of the choice
    assert [scorer.get(f"{address}{one['id']}/").json() for one in players] == players
    assert [one["number"] for one in scorer.get(address, {"search": "zoe"}).json()["results"]] == ["2", ""]
    entries = HistoryEntry.objects.filter(verb="added to register")
    assert sorted(entries.values_list("subject", flat=True)) == sorted(f"player {x['id']}" for x in players)
    again = scorer.post(f"{address}bulk/", {"players": rows}, format="json", headers=key)
    assert (again.status_code, again.json()) == (201, made.json())
    assert Player.objects.filter(club=a_club()).count() == 3


def test_of_many_players_all_are_added_or_none_and_every_row_says_why() -> None:
    _token, scorer = caller(Role.Kind.SCORER)
    there = a_player("Éva", "Martin", number="17")
    address = f"/api/v1/clubs/{a_club().slug}/players/bulk/"
    rows: list[dict[str, Any]] = [
        {"family_name": "Petit", "number": "4"},
        {"family_name": "Durand", "number": "17"},
        {"family_name": "Blanc", "number": "4"},
        {"family_name": "Noir", "home_club": "nowhere"},
        {"number": "5"},
        {"family_name": "Roux", "birthday": "x"},
        {"family_name": "Gris", "categories": ["x"]},
        {"family_name": "Vert", "categories": ["junior", "junior"]},
        {"family_name": "Petit"},
        {"family_name": "Jaune\0"},
    ]
    refused = scorer.post(address, {"players": rows}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "slips"), refused.content
    said = refused.json()["details"]
    assert [one["index"] for one in said] == list(range(len(rows)))
    assert [(one["state"], one.get("code")) for one in said] == [
        ("ready", None),
        *[("refused", "number-taken")] * 2,
        *[("refused", "bad-player")] * 2,
        *[("refused", "invalid")] * 3,
        ("ready", None),
        ("refused", "invalid"),
    ]
    assert said[1]["details"] == {"number": "17", "player": there.pk}
    wrong = [list(one["details"]) for one in [*said[2:8], said[9]]]
    assert wrong == [
        *[["number"], ["home_club"], ["family_name"]],
        *[["birthday"], ["categories"], ["categories"], ["family_name"]],
    ]
    assert Player.objects.filter(club=a_club()).count() == 1
    assert HistoryEntry.objects.filter(verb="added to register").count() == 1
    for body in (
        {},
        {"players": []},
        {"players": "Ana"},
        {"players": ["Ana"]},
        [rows[0]],
        {"players": [rows[0]], "x": 1},
        {"players": [rows[0]], "x": "\0"},
    ):
        assert scorer.post(address, body, format="json").json()["code"] == "invalid", body
    nameless = {"players": [{"family\0name": "Petit"}]}
    wrong_name = scorer.post(address, nameless, format="json").json()
    assert list(wrong_name["details"]["players"]) == ["0"], "a name that cannot be said again"
    too_many = {"players": [{"family_name": "Petit"}] * (register.AT_ONCE + 1)}
    assert scorer.post(address, too_many, format="json").json()["code"] == "invalid"


def test_many_players_cost_the_questions_of_one() -> None:
    _token, scorer = caller(Role.Kind.SCORER)
    other = a_club("Club B").slug
    address = f"/api/v1/clubs/{a_club().slug}/players/bulk/"

    def cost(first: int, count: int) -> int:
        numbers = map(str, range(first, first + count))
        rows = [{"family_name": "Petit", "number": number, "home_club": other} for number in numbers]
        with CaptureQueriesContext(connection) as queries:
            assert scorer.post(address, {"players": rows}, format="json").status_code == 201
        return len(queries)

    cost(1000, 1)
    assert cost(0, 60) == cost(500, 1)


def test_the_register_in_pages_by_name_and_category() -> None:
    _token, scorer = caller(Role.Kind.SCORER)
    for n in range(7):
        a_player("Éva", f"Martin {n}", number=str(n), categories=("junior",) if n % 2 else ())
    address = f"/api/v1/clubs/{a_club().slug}/players/"
    found, page = [], f"{address}?page_size=3"
    while page:
        answer = scorer.get(page).json()
        found += [one["family_name"] for one in answer["results"]]
        page = answer["next"]
    assert found == [f"Martin {n}" for n in range(7)]

    def numbers(**query: str) -> str:
        return " ".join(one["number"] for one in scorer.get(address, query).json()["results"])

    assert numbers(search="martin EVA") == "0 1 2 3 4 5 6"
    assert numbers(search="éva 3") == "3"
    assert numbers(search="5") == "5"
    assert numbers(search="petit") == ""
    assert numbers(category="junior") == "1 3 5"
    assert scorer.get(address, {"category": "x"}).status_code == 400
    assert scorer.get(address, {"search": "a\0b"}).status_code == 400
    assert scorer.get("/api/v1/clubs/%00/players/").status_code == 404
    assert scorer.get(address, {"colour": "x"}).status_code == 400


# ── Lists ─────────────────────────────────────────────────────────────────────────────────────────


def show(text: str, **how: Any) -> register_files.Preview:
    lines = register_files.lines_of_text(text)
    return register_files.preview(club=a_club(), lines=lines, text=text, **how)


def take(shown: register_files.Preview, actor: Token | None = None, **how: Any) -> register_files.Preview:
    lines = register_files.lines_of_text(shown.text)
    return register_files.store(
        club=a_club(), actor=actor, lines=lines, text=shown.text, seen=shown.seen, **how
    )


def kinds(shown: register_files.Preview) -> list[str]:
    return [entry.kind.value for entry in shown.entries]


def test_a_list_shows_what_it_would_do_and_does_it_once_that_is_confirmed() -> None:
    a_player("Ana", "Durand", number="17")
    a_player("Zoé", "Petit")
    text = (
        "Prénom;Nom;Numéro;Catégories;Accord\n"
        "Ana;Durant;17;;oui\n"  # by the number: a name is mended, and a consent given
        "zoe;PETIT;;;\n"  # by the name: as it is, but for its letters
        "\n"
        "Léo;Roux;23;junior, senior;non\n"
        "Ana;Durand;;;\n"  # nobody's, but the line before mends 17's name only once it is confirmed
    )
    shown = show(text)
    assert kinds(shown) == ["changed", "changed", "new", "wrong"]
    assert shown.entries[0].changes == ("family name", "consent")
    assert Player.objects.count() == 2
    (mistake,) = shown.mistakes
    assert (mistake.line, "line 2" in mistake.reason) == (6, True)
    shown = show(text.rpartition("Ana")[0])
    assert take(shown).counts == {Effect.NEW: 1, Effect.CHANGED: 2, Effect.SAME: 0, Effect.WRONG: 0}
    rows = Player.objects.order_by("pk").values_list("given_name", "family_name", "number", "consent")
    assert list(rows) == [
        ("Ana", "Durant", "17", True), ("zoe", "PETIT", "", False), ("Léo", "Roux", "23", False)
    ]  # fmt: skip
    leo = Player.objects.get(number="23")
    assert (leo.categories, leo.folded) == (["junior", "senior"], "leo roux")
    assert kinds(show(shown.text)) == ["same"] * 3
    assert HistoryEntry.objects.filter(verb="added to register", subject=f"player {leo.pk}").exists()


@pytest.mark.parametrize(("text", "line", "column", "reason"), [
    ("name;colour\nAna;red\n", 1, "colour", "not a column"),
    ("number\n17\n", 1, "", "names the columns"),
    ("name;name\nAna;Ana\n", 1, "name", "twice"),
    ("name;consent\nAna;perhaps\n", 2, "consent", "yes or no"),
    ("name;categories\nAna;knight\n", 2, "categories", "“knight” is not a category"),
    ("name;home club\nAna;nowhere\n", 2, "home club", "No club"),
    ("name;number\nZoé;17\n", 2, "number", "Number 17 is Ana Durand’s"),
    ("name;number\nLéo Roux;\n", 2, "number", "Several players are called so (1, 2)"),
    ("player;name\n999999;Zoé\n", 2, "player", "No player of this register"),
    ("name;number\nZoé;5\nLéa;5\n", 3, "", "line 2"),
    ("name\nZoé\nZOÉ\n", 3, "", "line 2"),
    ("name;number\nZoé;5;6\n", 2, "", "more cells"),
    ("name;number\n;5\n", 2, "family name", "needs a name"),
])  # fmt: skip
def test_what_is_wrong_in_a_list_is_said_with_its_line_its_column_and_what_would_be_right(
    text: str, line: int, column: str, reason: str
) -> None:
    a_player("Ana", "Durand", number="17")
    a_player("Léo", "Roux", number="1")
    a_player("Léo", "Roux", number="2")
    try:
        mistakes = [mistake.to_json() for mistake in show(text).mistakes]
    except Invalid as refused:
        mistakes = refused.details
    (mistake,) = mistakes
    assert (mistake["line"], mistake["column"]) == (line, column)
    assert reason in mistake["reason"]


def test_nothing_is_written_of_a_list_with_a_mistake_or_over_what_has_changed_since_it_was_shown() -> None:
    with pytest.raises(Invalid, match="1 line has to be mended") as refused:
        take(show("name;consent\nAna;perhaps\nZoé;yes\n"))
    assert refused.value.details[0]["line"] == 2
    shown = show("name\nAna Durand\nZoé\n")
    a_player("Ana", "Durand")
    with pytest.raises(Conflict, match="has changed meanwhile"):
        take(shown)
    assert Player.objects.count() == 1
    with pytest.raises(Forbidden):
        take(show("name\nZoé\n"), caller(Role.Kind.SCORER)[0])


def test_the_time_to_read_a_pasted_line_grows_with_its_length_alone() -> None:
    """Otherwise one line could keep a server busy: with the cube of its length, this test for hours."""
    for line in ("Ana, " + "1a," * 10_000 + " 1 x", "Ana " + "(1a" * 2_000, "Ana" + " " * 50_000 + "(1"):
        assert len(register_files.lines_of_paste(line)) == 1


def test_what_is_pasted_only_adds() -> None:
    a_player("Ana", "Durand")
    text = "Ana Durand; 17\nZoé Petit\t18\n\n  Léo  \n"
    lines = register_files.lines_of_paste(text)
    how: dict[str, Any] = {"club": a_club(), "lines": lines, "text": text, "consent": True, "adds_only": True}
    shown = register_files.preview(**how)
    assert kinds(shown) == ["same", "new", "new"]
    scorer = caller(Role.Kind.SCORER)[0]
    register_files.store(**how, actor=scorer, seen=shown.seen)
    rows = Player.objects.order_by("pk").values_list("given_name", "family_name", "number", "consent")
    assert list(rows) == [("Ana", "Durand", "", False), ("Zoé", "Petit", "18", True), ("Léo", "", "", True)]


@pytest.mark.parametrize(
    ("pasted", "rows"),
    [
        ("\ufeffAna  Durand\r\nZoé\r\n\r\n", [("Ana", "Durand", ""), ("Zoé", "", "")]),
        ("Durand, Ana; 17\nPetit, Marie Anne, 18", [("Ana", "Durand", "17"), ("Marie Anne", "Petit", "18")]),
        ("Ana Durand,,\nZoé Petit;;\t", [("Ana", "Durand", ""), ("Zoé", "Petit", "")]),
        ("Ana Durand, 17\nZoé Petit (A-18)", [("Ana", "Durand", "17"), ("Zoé", "Petit", "A-18")]),
        ("17\tAna Durand\n18 Zoé Petit", [("Ana", "Durand", "17"), ("Zoé", "Petit", "18")]),
        ("Ana\tDurand\t17\nZoé\tPetit", [("Ana", "Durand", "17"), ("Zoé", "Petit", "")]),
        ("1. Ana Durand\n2) Zoé Petit; 4", [("Ana", "Durand", ""), ("Zoé", "Petit", "4")]),
        ("Joueur 12", [("Joueur", "12", "")]),  # a name that ends in a number is one
    ],
)
def test_a_list_is_pasted_as_others_write_it(pasted: str, rows: list[tuple[str, str, str]]) -> None:
    lines = register_files.lines_of_paste(pasted)
    shown = register_files.preview(club=a_club(), lines=lines, text=pasted, adds_only=True)
    details = [one.details for one in shown.entries]
    assert [(one.given_name, one.family_name, one.number) for one in details] == rows


def test_numbers_may_change_hands_in_one_list() -> None:
    first, second = a_player("Ana", "A", number="1"), a_player("Bea", "B", number="2")
    text = f"player;number\n{first.pk};2\n{second.pk};1\n"
    with pytest.raises(Invalid):  # without a name nobody would see whom it is about
        show(text)
    shown = show(f"player;name;number\n{first.pk};Ana A;2\n{second.pk};Bea B;1\n")
    assert not shown.is_ready  # each number is another's still
    assert [mistake.line for mistake in shown.mistakes] == [2, 3]


def a_workbook(*rows: list[Any]) -> bytes:
    book = Workbook()
    sheet = book.create_sheet(index=0)
    for row in rows:
        sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_lists_come_as_spreadsheets_save_them() -> None:
    rows: list[list[Any]] = [["Name", "Number", "Consent"], ["Éva Noël", 17, True], ["Zoé", 18.0, None]]
    as_text = "Name;Number;Consent\r\nÉva Noël;17;yes\r\nZoé;18;\r\n"
    files = [a_workbook(*rows), *(as_text.encode(code) for code in ("utf-8-sig", "cp1252", "utf-16"))]
    files.append(as_text.replace(";", "\t").encode())
    for content in files:
        lines, _text = register_files.lines_of_file(content)
        assert [dict(line.cells) for line in lines] == [
            {"name": "Éva Noël", "number": "17", "consent": "yes"},
            {"name": "Zoé", "number": "18"}
            | ({"consent": ""} if content[:2] == b"PK" and len(lines[1].cells) > 2 else {}),
        ]
        assert [line.number for line in lines] == [2, 3]


@pytest.mark.parametrize("content", [b"PK\x03\x04 no workbook", b"", b"\x00\x01", b"name\n" * 5_002])
def test_what_is_no_list_is_refused(content: bytes) -> None:
    with pytest.raises(Invalid):
        register_files.lines_of_file(content)


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "UNPACKED_AT_MOST", 2_000)
    with pytest.raises(Invalid, match="too large"):
        register_files.lines_of_file(a_workbook(["name"], ["Ana"]))


def test_what_is_written_out_reads_back_and_holds_no_formula() -> None:
    a_player("=1+1", "@cmd", number="+17", public_name="-2", categories=("junior",), consent=True)
    a_player("Zoé", "Petit", home_club=a_club("Club B").pk)
    players = list(register.players_of(a_club()))
    text, book = register_files.as_csv(players, ";"), register_files.as_workbook(players)
    cells = [cell for row in csv.reader(io.StringIO(text.decode("utf-8-sig")), delimiter=";") for cell in row]
    assert not any(cell.startswith(spreadsheets.FORMULA) for cell in cells)
    sheet = load_workbook(io.BytesIO(book)).active
    assert sheet is not None
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"inlineStr", "s", "n"}
    for content in (text, book):
        lines, as_text = register_files.lines_of_file(content)
        shown = register_files.preview(club=a_club(), lines=lines, text=as_text)
        assert kinds(shown) == ["same", "same"], shown.mistakes


# ── One person on two lines ───────────────────────────────────────────────────────────────────────


def test_who_may_be_one_person_is_found() -> None:
    for given, family, number in (
        ("Éva", "Noël", ""), ("NOEL", "Eva", ""),  # accents, and the order of the names
        ("Beatrice", "Dupond", ""), ("Béatrice", "Dupont", "4"),  # a letter
        ("Charles", "Martin", "7"), ("Charles", "Martin", "8"),  # two of one name
        ("Paul", "Roux", "0012"), ("P.", "R.", "12"),  # the number
        ("Joueur", "Numéro 1", ""), ("Joueur", "Numéro 2", ""),  # figures are no letters
    ):  # fmt: skip
        a_player(given, family, number)
    found = {(pair.first.name, pair.second.name, pair.reason) for pair in duplicates.pairs(a_club())}
    assert found == {
        ("Éva Noël", "NOEL Eva", "the same name"),
        ("Beatrice Dupond", "Béatrice Dupont", "names that differ by one letter"),
        ("Paul Roux", "P. R.", "the same number, written otherwise"),
    }


def test_merged_players_are_one_with_all_results_and_can_be_taken_apart_again() -> None:
    first = a_session(players=9)
    ana = Player.objects.get(folded=fold(NAMES[0]))
    anna, anya = a_player("Anna", "Other"), a_player("Anya", "Third")
    second, third = a_session(players=9), a_session(players=9)
    Member.objects.filter(session=second, player=ana).update(player=anna)
    Member.objects.filter(session=third, player=ana).update(player=anya)
    before = list(Member.objects.order_by("pk").values())
    text = tokens.issue_for_player(name="Anna Other", club=a_club())[1]
    duplicates.merge(kept=anna, merged=anya, actor=None)
    duplicates.merge(kept=ana, merged=anna, actor=None)
    assert set(ana.memberships.values_list("session", flat=True)) == {first.pk, second.pk, third.pk}
    assert tokens.holder_of(text) is None
    assert named("Anna Other", "Anya Third") == {"Anna Other": ana.pk, "Anya Third": ana.pk}
    assert [one.pk for one in register.players_of(a_club(), search="an")][:1] != [anna.pk]
    with pytest.raises(Conflict, match="not in the register"):
        duplicates.merge(kept=ana, merged=anna, actor=None)
    duplicates.take_apart(player=anna, actor=None)
    assert set(anna.memberships.values_list("session", flat=True)) == {second.pk, third.pk}
    duplicates.take_apart(player=anya, actor=None)
    assert list(Member.objects.order_by("pk").values()) == before
    history = HistoryEntry.objects.filter(club=a_club(), subject=f"player {anna.pk}")
    verbs = history.order_by("pk").values_list("verb", flat=True)
    assert list(verbs)[1:] == ["merged with", "merged", "taken apart", "taken apart"]


def test_two_who_have_played_in_one_session_are_not_one_person() -> None:
    a_session(players=9)
    first, second = Player.objects.order_by("pk")[:2]
    with pytest.raises(Conflict, match="both entered in “Evening”"):
        duplicates.merge(kept=first, merged=second, actor=None)


def test_a_number_that_was_given_away_is_said_when_players_are_taken_apart() -> None:
    ana, anna = a_player(number="17"), a_player("Anna", "Durand", number="18")
    duplicates.merge(kept=ana, merged=anna, actor=None)
    zoe = a_player("Zoé", "Petit", number="18")
    with pytest.raises(Conflict, match="Zoé Petit"):
        duplicates.take_apart(player=anna, actor=None)
    register.change(player=zoe, actor=None, details=Details("Zoé", "Petit"), seen=register.stamp(zoe))
    duplicates.take_apart(player=anna, actor=None)
    anna.refresh_from_db()
    assert (anna.merged_into, anna.number) == (None, "18")
