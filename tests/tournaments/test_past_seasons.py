"""Seasons of the years before: read, matched with the register, shown as consent says, written out and
deleted."""

import json
from fractions import Fraction
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tournaments.models import Account, Club, HistoryEntry, PastSeason, Player
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    duplicates,
    erasing,
    my_data,
    names,
    past_seasons,
    register,
    roles,
    spreadsheets,
)
from tournaments.services.errors import Conflict, Forbidden, Invalid, Stale
from tournaments.services.past_seasons import PastPlace
from tournaments.services.register import Details
from tournaments.services.roles import RolePlace

from .worlds import World, a_club, a_world

pytestmark = pytest.mark.django_db

TABLE = (
    "Rang;Numéro;Nom;Total;Soirées jouées\n"
    "1;17;;1 284,5;22\n"
    "2=;;Bo Li;57 %;\n"
    "2=;;Gaspard Martin;57,00;3\n"
    "4;99;Zoé Nulle-Part;1/3;1\n"
)


@pytest.fixture
def club() -> Club:
    club = a_club()
    for given, family, number, consent in (
        ("Ana", "Durand", "17", True),
        ("Bo", "Li", "18", False),
        ("Cléo", "Petit", "19", True),
    ):
        details = Details(given, family, number=number, consent=consent)
        register.add(club=club, actor=None, details=details)
    return club


def somebody(kind: RoleKind, club: Club) -> Account:
    account = accounts.create(name=str(kind), email=f"{kind}@example.org", password="x")
    roles.grant(account=account, kind=kind, place=RolePlace(club), actor=None)
    return account


def store(club: Club, text: str = TABLE, **more: Any) -> PastSeason:
    wish = {"title": "Winter", "year": 2019, "actor": None} | more
    return past_seasons.store(club=club, rows=past_seasons.rows_of(text), **wish)


def read(place: PastPlace) -> tuple[Any, ...]:
    who = place.player.name if place.player else (place.number, place.name)
    return place.rank, who, place.total, place.evenings


def test_a_table_is_read_as_people_write_it_and_matched_by_number_then_name(club: Club) -> None:
    rows = past_seasons.rows_of(TABLE)
    brought = past_seasons.preview(club=club, rows=rows)
    assert not brought.mistakes
    assert [read(place) for place in brought.places] == [
        (1, "Ana Durand", Fraction(2569, 2), 22),
        (2, "Bo Li", Fraction(57), None),
        (2, ("", "Gaspard Martin"), Fraction(57), 3),
        (4, ("99", "Zoé Nulle-Part"), Fraction(1, 3), 1),
    ]
    assert (brought.is_ready, brought.known) == (True, 2)
    assert not PastSeason.objects.exists(), "nothing is stored before it was seen"


def saved_as(form: str) -> bytes:
    rows = [line.split(";") for line in TABLE.splitlines()]
    if form == "xlsx":
        return spreadsheets.as_workbook(rows, "Saison")
    if form == "json":
        header = ["rank", "number", "name", "total", "evenings"]
        return json.dumps([dict(zip(header, row, strict=True)) for row in rows[1:]]).encode()
    return TABLE.replace(";", "\t").encode("cp1252" if form == "windows" else "utf-16")


@pytest.mark.parametrize("form", ["xlsx", "json", "windows", "utf-16"])
def test_the_same_table_in_another_file_is_recognised(club: Club, form: str) -> None:
    made = store(club)
    rows = past_seasons.rows_of(past_seasons.text_of(saved_as(form)))
    assert past_seasons.preview(club=club, rows=rows).there == made
    with pytest.raises(Conflict) as refusal:
        past_seasons.store(club=club, actor=None, rows=rows, title="Other", year=2020)
    assert (refusal.value.code, refusal.value.details) == ("same-table", {"past_season": made.pk})
    other = "rank,name,total\n1,Ana Durand,3\n"
    with pytest.raises(Conflict, match="2019"):
        store(club, other)
    store(club, other, year=2020)


def test_every_wrong_cell_is_told_at_once_with_what_to_write(club: Club) -> None:
    text = (
        "rank,number,name,total,evenings\n"
        "0,,Ana Durand,3,\n"
        "2,17,Bo Li,12 pts,many\n"
        "3,404,,five,\n"
        "4,,,5,\n"
        "5,17,,5,\n"
        "6,,Ana Durand,4,,more\n"
    )
    with pytest.raises(Invalid) as refusal:
        store(club, text)
    assert refusal.value.code == "slips"
    told = [(one["line"], one["column"]) for one in refusal.value.details]
    assert told == [
        *[(2, "rank"), (3, "total"), (3, "evenings"), (3, "number")],
        *[(4, "total"), (4, "number"), (5, "name"), (7, "")],
    ]
    reasons = [one["reason"] for one in refusal.value.details]
    assert reasons[0] == "Write a rank from 1 to 6. Is it 0?"
    assert reasons[1].endswith("Is it 12?")
    assert not PastSeason.objects.exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("rank,name\n1,Ana\n", "bad-columns"),
        ("rank,name,total,colour\n1,Ana,3,red\n", "bad-columns"),
        ("rank,name,total,points\n1,Ana,3,3\n", "bad-columns"),
        ("", "bad-columns"),
        ('{"places": 3}', "bad-file"),
        ("[" * 100_000, "bad-file"),
        ('[{"rank": 1, "name": "Ana", "total": 3, "colour": "red"}]', "bad-columns"),
        ("rank,name,total\n" + "1,Ana,3\n" * 2_002, "too-long"),
        ("rank,name,total\n", "slips"),
        ('[{"rank": 1e999999999, "name": ["Ana"], "total": NaN}]', "slips"),
    ],
)
def test_what_is_no_table_is_refused(club: Club, text: str, code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        store(club, text)
    assert refusal.value.code == code


def test_names_are_shown_as_consent_says(club: Club) -> None:
    season = store(club)
    public = past_seasons.shown(season, names.ANYONE)
    assert [one.name for one in public] == ["Ana Durand", "B. L.", "G. M.", "Z. N."]
    assert [one.number for one in public] == ["", "", "", ""]
    official = names.Reader(clubs=frozenset({club.pk}))
    assert [(one.number, one.name) for one in past_seasons.shown(season, official)] == [
        *[("17", "Ana Durand"), ("18", "Bo Li")],
        *[("", "Gaspard Martin"), ("99", "Zoé Nulle-Part")],
    ]
    ana, bo, _cleo = Player.objects.order_by("pk")
    duplicates.merge(kept=bo, merged=ana, actor=None)
    assert past_seasons.shown(season, names.ANYONE)[0].name == "B. L.", "the player that they are by now"


def test_the_table_leaves_as_it_came(club: Club) -> None:
    season, official = store(club), names.Reader(clubs=frozenset({club.pk}))
    table = past_seasons.table(season, official)
    assert table.rows[0] == [1, "17", "Ana Durand", 1284.5, 22]
    assert table.rows[3] == [4, "99", "Zoé Nulle-Part", "1/3", 1]
    whole = [table.header, *table.rows]
    for content in (
        *(spreadsheets.as_csv(whole, ";"), spreadsheets.as_workbook(whole, "x")),
        json.dumps(table.to_json()).encode(),
    ):
        rows = past_seasons.rows_of(past_seasons.text_of(content))
        assert [one.to_json() for one in past_seasons.preview(club=club, rows=rows).places] == season.places


def test_erasing_somebody_leaves_no_name_of_theirs(club: Club) -> None:
    season = store(club)
    late = register.add(club=club, actor=None, details=Details("Gaspard", "Martin", consent=True))
    ana = Player.objects.get(number="17")
    (own,) = my_data.about(None, [ana])["past_seasons"]["data"]
    assert (own["title"], own["rank"], own["total"]) == ("Winter", 1, "2569/2")
    for player in (late, ana):
        erasing.erase_player(player=player, actor=None)
    season.refresh_from_db()
    assert "Gaspard" not in json.dumps(season.places)
    shown = past_seasons.shown(season, names.OPERATOR)
    assert [one.name for one in shown][1:] == ["Bo Li", "Player 3", "Zoé Nulle-Part"]
    assert shown[0].name == f"Player {ana.pk}"


def test_administrators_delete_what_they_have_seen(club: Club) -> None:
    season = store(club)
    organiser, administrator = (somebody(kind, club) for kind in (RoleKind.ORGANISER, RoleKind.ADMINISTRATOR))
    seen = past_seasons.stamp(season)
    with pytest.raises(Forbidden):
        past_seasons.delete(season=season, actor=organiser, seen=seen)
    with pytest.raises(Stale):
        past_seasons.delete(season=season, actor=administrator, seen="else")
    past_seasons.delete(season=season, actor=administrator, seen=seen)
    assert not PastSeason.objects.exists()
    verbs = HistoryEntry.objects.filter(club=club).order_by("pk").values_list("verb", flat=True)
    assert list(verbs)[-1] == "deleted past season"
    with pytest.raises(Forbidden):
        store(club, actor=somebody(RoleKind.SCORER, club))


def test_the_desks_page_shows_first_and_stores_then(club: Club) -> None:
    browser = Client()
    browser.force_login(
        somebody(RoleKind.ADMINISTRATOR, club), backend="allauth.account.auth_backends.AuthenticationBackend"
    )
    address = reverse("club-seasons", args=[club.slug])
    sent = {"way": "look", "title": "Winter", "year": "2019", "counted": "points"}
    wrong = SimpleUploadedFile("a.csv", b"rank,name,total\n7,Ana Durand,x\n")
    answer = browser.post(address, sent | {"file": wrong})
    assert answer.status_code == 400
    assert "Write a rank from 1 to 1." in answer.content.decode()
    answer = browser.post(address, sent | {"file": SimpleUploadedFile("a.csv", TABLE.encode())})
    assert answer.status_code == 200
    assert not PastSeason.objects.exists()
    context = answer.context
    confirmed = (
        sent | {"way": "store"} | {name: context["confirm"][name].value() for name in ("text", "seen")}
    )
    Player.objects.filter(number="17").update(number="20")
    assert browser.post(address, confirmed).status_code == 400, "the register has changed since"
    Player.objects.filter(number="20").update(number="17")
    untitled = browser.post(address, confirmed | {"title": "", "counted": "marks"})
    kept = {name: untitled.context["confirm"][name].value() for name in ("year", "counted", "text", "seen")}
    assert (untitled.status_code, kept) == (
        400,
        {name: confirmed[name] for name in kept} | {"counted": "marks"},
    )
    assert "Ana Durand" in untitled.content.decode(), "its rows are still there"
    file = SimpleUploadedFile("a.csv", TABLE.encode())
    nameless = browser.post(address, sent | {"title": "", "file": file})
    assert nameless.context["confirm"]["text"].value() == confirmed["text"], "nobody picks the file again"
    answer = browser.post(address, confirmed, follow=True)
    made = PastSeason.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("past-season", args=[club.slug, made.pk])
    assert "Gaspard Martin" in answer.content.decode(), "whoever works there reads the names"
    file = browser.get(reverse("past-season-file", args=[club.slug, made.pk, "csv"]))
    assert file.content.decode("utf-8-sig").splitlines()[1].split(",")[2:] == ["Ana Durand", "1284.5", "22"]
    deleted = {"way": "delete", "season": str(made.pk), "seen": past_seasons.stamp(made)}
    browser.post(address, deleted)
    assert not PastSeason.objects.exists()


PLACES = [{"rank": 1, "name": "Gaspard Martin", "total": "57.25"}, {"rank": 2, "name": "X Y", "total": "1/3"}]


def test_a_program_brings_and_deletes_a_season() -> None:
    world: World = a_world(published=True)
    address = f"/api/v1/clubs/{world.session.tournament.club.slug}/past-seasons/"
    client = world.client("organiser")
    body: dict[str, Any] = {"title": "Winter", "year": 2019, "places": PLACES}
    answer = client.post(address, body | {"dry_run": True}, format="json")
    assert (answer.status_code, answer.json()) == (200, {"players": 2, "in_register": 0})
    assert not PastSeason.objects.exists()
    headers = {"idempotency-key": "one"}
    made = [client.post(address, body, format="json", headers=headers) for _ in range(2)]
    assert [one.status_code for one in made] == [201, 201]
    assert PastSeason.objects.count() == 1
    again = client.post(address, body | {"year": 2020}, format="json")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "same-table")
    own = f"{address}{made[0].json()['id']}/"
    assert [one["name"] for one in world.client("anyone").get(own).json()["places"]] == ["G. M.", "X. Y."]
    table = client.get(own, headers={"accept": "text/csv"})
    assert table.content.decode("utf-8-sig").splitlines()[1] == "1,,Gaspard Martin,57.25,"
    assert client.delete(own, headers={"if-match": made[0]["ETag"]}).status_code == 403
    wrong = [PLACES[0] | {"rank": 3}, PLACES[1] | {"name": ""}]
    answer = client.post(address, body | {"year": 2021, "places": wrong}, format="json")
    assert [one["line"] for one in answer.json()["error"]["details"]] == [1, 2]
