"""The games over HTTP: what a program needs that has never heard of any of them."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from engines import registry
from engines.contract import Game
from tests.engines import taps
from tests.engines.test_conformance import board, every_game

TRICKS = {"outcome": "normal", "tricks": [5, 3, 2]}


def ask(path: str, *, language: str = "en", **query: str) -> Any:
    return APIClient(HTTP_ACCEPT_LANGUAGE=language).get(f"/api/v1/games/{path}", query)


def preview(game: str, *, language: str = "en", **body: Any) -> Any:
    client = APIClient(HTTP_ACCEPT_LANGUAGE=language)
    return client.post(f"/api/v1/games/{game}/preview/", body, format="json")


def wrong_fields(response: Any) -> Any:
    assert response.status_code == 400, response.content
    assert response.json()["error"]["code"] == "invalid"
    return response.json()["error"]["details"]


@every_game
def test_a_program_that_knows_no_game_fills_in_its_form_and_gets_the_marks_of_the_board(
    game: Game[Any],
) -> None:
    """From the listing on, over HTTP alone; the test knows the board, to compare."""
    named = {one["id"]: one for one in ask("").json()["results"]}
    with board(game, "forms over http", 1) as played:
        played.play()
        sheet, conditions = game.summarise(played.state), played.file["conditions"]
        public = {one["name"] for one in ask(f"{game.id}/").json()["conditions"]}
        known = conditions | {
            name: value for name, value in game.known(played.deal, conditions).items() if name in public
        }
        query = {f"options[{name}]": json.dumps(value) for name, value in played.options.items()}
        query |= {f"conditions[{name}]": json.dumps(value) for name, value in known.items()}
        told = ask(f"{game.id}/", **query).json()
        assert told["name"] == named[game.id]["name"]
        assert told["chosen"] == {"options": played.options, "conditions": known}
        assert Draft202012Validator(told["sheet"]["schema"]["fr"]).is_valid(sheet)
        phone = taps.tapped_in(told["sheet"]["form"]["fr"], sheet)
        worth = preview(game.id, sheet=phone.sheet(), options=played.options, conditions=known)
        assert worth.status_code == 200, worth.content
        marks = worth.json()["marks"]
        assert worth.json()["sentence"]
        outcome = played.state.outcome()
        if marks is not None:
            assert [one["score"] for one in marks] == list(outcome.scores)
            assert [sum(fact["points"] for fact in one["facts"]) for one in marks] == list(outcome.scores)


def test_the_listing_has_every_game_a_page_at_a_time() -> None:
    names = [one["id"] for one in ask("").json()["results"]]
    assert names == list(registry.games())
    page = ask("", page_size="20").json()
    rest = APIClient().get(page["next"]).json()
    assert [one["id"] for one in page["results"] + rest["results"]] == names
    assert rest["next"] is None
    comon = next(one for one in page["results"] if one["id"] == "comon")
    assert comon["unit"] == {"en": "half life", "fr": "demi-vie", "divisor": 2}


def test_a_game_is_told_whole_with_an_example_that_is_worth_something() -> None:
    told = ask("comon/").json()
    assert [one["name"] for one in told["options"]][:2] == ["four_aces", "aces_annulment"]
    assert told["options"][0]["values"] == ["redraw", "allow"]
    assert told["names"]["normal"]["fr"] != told["names"]["normal"]["en"]
    assert told["sheet"]["columns"][:2] == ["outcome", "tricks1"]
    worth = preview("comon", sheet=told["sheet"]["example"])
    assert [one["score"] for one in worth.json()["marks"]] == [1, -2, 0]


@pytest.mark.parametrize("path", ["", "mille/"])
def test_who_has_it_already_is_told_so(path: str) -> None:
    first = ask(path)
    assert first["Cache-Control"] == "public, no-cache"
    client = APIClient()
    again = client.get(f"/api/v1/games/{path}", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/api/v1/games/comon/", headers={"if-none-match": first["ETag"]})
    assert other.status_code == 200


def test_another_variant_has_another_form_and_another_etag() -> None:
    plain, chosen = ask("loba/"), ask("loba/", **{"conditions[seats]": "5"})
    assert len(chosen.json()["sheet"]["form"]["en"]["seats"]) == 5
    assert plain["ETag"] != chosen["ETag"]


@pytest.mark.parametrize(
    ("path", "query", "wrong"),
    [
        ("comon/", {"options[four_aces]": "sometimes"}, {"options[four_aces]"}),
        ("comon/", {"options[four_aces]": "[" * 5000}, {"options[four_aces]"}),
        ("comon/", {"options[surprise]": "1", "options": "x"}, {"options[surprise]", "options"}),
        ("loba/", {"conditions[seats]": "NaN"}, {"conditions[seats]"}),
        ("loba/", {"conditions[seats]": "9" * 5000}, {"conditions[seats]"}),
        ("mille/", {"conditions[bombs]": "[1, 9]"}, {"conditions[bombs]"}),
    ],
)
def test_what_a_form_cannot_be_for_is_refused_by_name(path: str, query: dict[str, str], wrong: Any) -> None:
    assert set(wrong_fields(ask(path, **query))) == wrong


def test_a_game_that_nobody_knows_is_not_found() -> None:
    for response in (ask("poker/"), preview("poker", sheet={})):
        assert response.status_code == 404
        assert "comon" in response.json()["error"]["message"]


def test_a_preview_says_what_each_seat_marks_and_why_and_asks_no_deal(
    django_assert_num_queries: DjangoAssertNumQueries, db: None
) -> None:
    with django_assert_num_queries(0):
        worth = preview("comon", language="fr", sheet=TRICKS, names=["Anna", "Bruno", "Chloé"]).json()
    assert worth["sentence"] == "Plis : Anna 5, Bruno 3, Chloé 2."
    assert worth["unit"]["fr"] == "demi-vie"
    assert worth["marks"][1] == {
        **{"seat": 2, "score": -2, "averaged": False},
        "facts": [
            {
                "fact": "second",
                "words": registry.game("comon").names["second"].to("fr"),
                "points": -2,
                "value": "3",
            }
        ],
    }
    assert preview("comon", sheet=TRICKS).json()["sentence"] == "Tricks: Seat 1 5, Seat 2 3, Seat 3 2."
    averaged = preview("comon", sheet={"outcome": "fault", "offender": 1}, options={"fault_line": "adjusted"})
    assert [one["averaged"] for one in averaged.json()["marks"]] == [False, True, True]


def test_what_is_wrong_with_a_sheet_is_named_by_its_field_in_the_callers_language() -> None:
    few = wrong_fields(preview("comon", sheet={"outcome": "normal", "tricks": [5, 3, 1]}))
    assert few.keys() == {"sheet"}
    assert few["sheet"].keys() == {"tricks"}
    french = wrong_fields(preview("comon", language="fr", sheet={"outcome": "normal", "tricks": [5, 3, 1]}))
    assert french["sheet"]["tricks"] != few["sheet"]["tricks"]
    assert wrong_fields(preview("comon", sheet=7)).keys() == {"sheet"}
    assert wrong_fields(preview("comon")).keys() == {"sheet"}
    assert wrong_fields(preview("comon", sheet=TRICKS, options={"x": 1})).keys() == {"options"}
    assert wrong_fields(preview("comon", sheet=TRICKS, conditions=[])).keys() == {"conditions"}
    assert wrong_fields(preview("comon", sheet=TRICKS, names=["Anna"])).keys() == {"names"}


def test_where_the_marks_need_the_deal_they_follow() -> None:
    told = ask("tarot-triple-detente/").json()
    worth = preview("tarot-triple-detente", sheet=told["sheet"]["example"], options={"modifications": True})
    assert worth.status_code == 200, worth.content
    assert worth.json()["marks"] is None


def test_previews_have_a_limit_of_their_own(settings: Any) -> None:
    settings.RATES = settings.RATES | {"preview": "2/day"}
    answers = [preview("comon", sheet=TRICKS) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert ask("").status_code == 200
