"""Two at one form: whoever saves second is told, sees both versions, keeps what was typed, and counts when it
is sent again. One way for every form of what another may change meanwhile; the wizard's is in `test_desk`."""

import re
from collections.abc import Callable
from html import unescape
from typing import NamedTuple

import pytest
from django.urls import reverse

from tests.tournaments.fields import a_leg, an_administrator
from tests.tournaments.seasons import a_season, evenings
from tests.tournaments.test_registration import a_list
from tests.tournaments.worlds import a_club, a_session, forget
from tournaments.models import (
    Club,
    Event,
    Fee,
    Player,
    RegistrationList,
    Season,
    SessionList,
    SessionTemplate,
)
from tournaments.services import season_standings

from .test_club_desk import a_template
from .test_desk import Visitor, an_account, at_desk
from .test_desk_rankings import a_played_world, page_of
from .test_grid import an_official

pytestmark = pytest.mark.django_db


class Two(NamedTuple):
    """Two who save one form. `field`: what both fill in, `first` and `second` how; `rest`: what both leave;
    `row`: what stands beside each other, with its label; `stored`: what is kept of it."""

    first: Visitor
    second: Visitor
    page: str
    button: str
    theirs: dict[str, str]
    own: dict[str, str]
    row: tuple[str, str, str]
    stored: Callable[[], object]
    kept: tuple[object, object]


def of_the_club() -> Two:
    return Two(
        at_desk(an_account("Ada")),
        at_desk(an_account("Bob")),
        reverse("club-settings", args=[a_club().slug]),
        "Save",
        {"town": "Lyon"},
        {"town": "Paris"},
        ("Town", "Lyon", "Paris"),
        lambda: Club.objects.get().town,
        ("Lyon", "Paris"),
    )


def of_a_template() -> Two:
    one = a_template()
    return Two(
        at_desk(an_account("Ada")),
        at_desk(an_account("Bob")),
        reverse("club-template", args=[a_club().slug, one.pk]),
        "Save",
        {"reserves": "3"},
        {"reserves": "2"},
        ("Boards in reserve", "3", "2"),
        lambda: SessionTemplate.objects.get().wish["reserves"],
        (3, 2),
    )


def of_a_list() -> Two:
    world = a_played_world()
    first, second = (an_official(world.session, name) for name in ("Dora", "Bob"))
    first.open(page_of(world.session, "?new=1"))
    first.press("Set the list up", whom="category:newcomer", name="New ones")
    return Two(
        first,
        second,
        page_of(world.session, "?list=1"),
        "Change the list",
        {"name": "Beginners"},
        {"name": "Newcomers"},
        ("What it is called", "Beginners", "Newcomers"),
        lambda: SessionList.objects.get(removed_at=None).name,
        ("Beginners", "Newcomers"),
    )


def of_the_fees() -> Two:
    session = a_session()
    return Two(
        an_official(session, "Dora"),
        an_official(session, "Bob"),
        reverse("desk-fees", args=[session.pk]),
        "Save",
        {"fee_": "6"},
        {"fee_": "7"},
        ("Everybody", "6", "7"),
        lambda: Fee.objects.get().amount,
        (600, 700),
    )


def of_a_session() -> Two:
    session = a_session()
    return Two(
        an_official(session, "Dora"),
        an_official(session, "Bob"),
        reverse("run-session", args=[session.pk, "mend"]),
        "Save",
        {"name": "Hers"},
        {"name": "His"},
        ("Name of the session", "Hers", "His"),
        lambda: type(session).objects.get().name,
        ("Hers", "His"),
    )


def of_a_player() -> Two:
    one = Player.objects.create(club=a_club(), given_name="Ana", family_name="Durand", categories=["junior"])
    return Two(
        at_desk(an_account("Ada")),
        at_desk(an_account("Bob")),
        reverse("register-player", args=[a_club().slug, one.pk]),
        "Save the player",
        {"family_name": "Roux"},
        {"categories": "senior"},
        ("Categories", "junior", "senior"),
        lambda: Player.objects.get().categories,
        (["junior"], ["senior"]),
    )


def of_a_licence() -> Two:
    one = Player.objects.create(club=a_club(), given_name="Ana", family_name="Durand")
    return Two(
        at_desk(an_account("Ada")),
        at_desk(an_account("Bob")),
        reverse("register-player", args=[a_club().slug, one.pk]),
        "Save the licence",
        {"licence_until": "2026-12-31"},
        {"licence_until": "2027-12-31"},
        ("Licence until", "2026-12-31", "2027-12-31"),
        lambda: f"{Player.objects.get().licence_until}",
        ("2026-12-31", "2027-12-31"),
    )


def of_a_registration_list() -> Two:
    the_list = a_list()
    return Two(
        at_desk(an_account("Ada")),
        at_desk(an_account("Bob")),
        reverse("desk-registration", args=[the_list.pk]),
        "Keep the changes",
        {"limit": "8"},
        {"limit": "12"},
        ("Room for", "8", "12"),
        lambda: RegistrationList.objects.get().limit,
        (8, 12),
    )


def of_an_event() -> Two:
    leg = a_leg()
    return Two(
        at_desk(an_administrator()),
        at_desk(an_administrator()),
        reverse("desk-event", args=[leg.event_id]),
        "Save the terms",
        {"fee": "5 €"},
        {"fee": "2 €"},
        ("Fee", "5 €", "2 €"),
        lambda: Event.objects.get().fee,
        ("5 €", "2 €"),
    )


def of_a_season(
    button: str, theirs: dict[str, str], own: dict[str, str], row: tuple[str, str, str], column: str
) -> Two:
    forget()
    season_standings.forget()
    season = a_season(*evenings(1))
    return Two(
        at_desk(an_account("Ada")),
        at_desk(an_account("Bob")),
        reverse("desk-season", args=[season.pk]),
        button,
        theirs,
        own,
        row,
        lambda: Season.objects.values_list(column, flat=True).get(),
        (None, None),
    )


def of_the_rules_of_a_season() -> Two:
    name = "Name of the season"
    found = of_a_season("Save the rules", {"name": "Cup"}, {"name": "Coupe"}, (name, "Cup", "Coupe"), "name")
    return found._replace(kept=("Cup", "Coupe"))


def of_its_prizes() -> Two:
    list_ = "players:::"
    own = {"prize-0": "Cup", "prize-0-list": list_}
    found = of_a_season(
        "Save the prizes",
        {"prize-0": "Ham", "prize-0-list": list_},
        own,
        ("Prize 1", "Ham × 1, Players", "Cup × 1, Players"),
        "prizes__0__name",
    )
    return found._replace(kept=("Ham", "Cup"))


def of_its_divisions() -> Two:
    found = of_a_season(
        "Save divisions and handicaps",
        {"names": "A\nB"},
        {"names": "One\nTwo"},
        ("Divisions", "A<br>B", "One<br>Two"),
        "divisions__0__name",
    )
    return found._replace(kept=("A", "One"))


def of_its_handicaps() -> Two:
    found = of_a_season("Save divisions and handicaps", {}, {}, ("", "", ""), "handicaps")
    key = next(iter(re.findall(r'name="(handicap-\d+)"', found.first.open(found.page).text)))
    name = re.search(rf'name="{key}"[^>]*aria-label="Handicap – ([^"]*)"', found.first.text)
    assert name
    player = key.partition("-")[2]
    return found._replace(
        theirs={key: "2"},
        own={key: "3"},
        row=(unescape(name[1]), "2", "3"),
        kept=({player: "2"}, {player: "3"}),
    )


def of_its_evenings() -> Two:
    found = of_a_season("Save the evenings", {}, {}, ("", "", ""), "evenings__weight")
    text = found.first.open(found.page).text
    field = re.search(r'name="(weight-[^"]*)"[^>]*aria-label="Weight – ([^"]*)"', text)
    assert field
    words = "chosen, with the weight "
    return found._replace(
        theirs={field[1]: "2"},
        own={field[1]: "3"},
        kept=("2", "3"),
        row=(unescape(field[2]), f"{words}2", f"{words}3"),
    )


FORMS = (
    *(of_the_club, of_a_template, of_a_list, of_the_fees, of_a_session, of_a_player, of_a_licence),
    *(of_a_registration_list, of_an_event, of_the_rules_of_a_season, of_its_evenings, of_its_divisions),
    *(of_its_handicaps, of_its_prizes),
)


@pytest.mark.parametrize("of", FORMS, ids=lambda of: of.__name__)
def test_whoever_saves_second_sees_both_versions_and_counts_when_it_is_sent_again(
    of: Callable[[], Two],
) -> None:
    two = of()
    two.second.open(two.page)
    two.first.open(two.page).press(two.button, **two.theirs)
    assert two.first.answer.status_code == 200, two.first.text.partition('class="summary"')[2][:400]
    assert two.stored() == two.kept[0]
    two.second.press(two.button, **two.own)
    assert two.second.answer.status_code == 409
    assert two.stored() == two.kept[0], "nothing is stored yet"
    assert "Somebody else" in two.second.text or "quicker" in two.second.text
    assert two.row in rows_of(two.second.text)
    two.second.press(two.button)
    assert two.second.answer.status_code == 200
    assert two.stored() == two.kept[1], "what was typed is still there"


def rows_of(page: str) -> list[tuple[str, ...]]:
    (table,) = re.findall(r'<table class="table versions">.*?</table>', page, re.S)
    assert "Saved meanwhile" in table
    assert "Filled in here" in table
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>', table, re.S)
    return [tuple(map(unescape, row)) for row in rows]


def test_a_table_of_a_season_that_is_refused_keeps_what_was_typed() -> None:
    two = of_its_evenings()
    ((key, _value),) = two.own.items()
    two.second.open(two.page).press(two.button, **{key: "much"})
    assert two.second.answer.status_code == 400
    assert f'name="{key}" value="much"' in two.second.text
    assert 'class="table versions"' not in two.second.text, "nobody else has saved anything"
