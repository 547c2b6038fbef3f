"""What callers send that nobody expects is refused in the one shape of errors: it never ends in a 500."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory

from tests.samples import some
from tournaments.wsgi import application

from .test_roles import FILES, ask, right_request
from .test_strict import operations
from .worlds import World, a_world, plays_of

pytestmark = pytest.mark.django_db

MANY_DIGITS = "9" * 5000
HALF, NUL = '"\\ud800"', '"\\u0000"'


def begins_with() -> World:
    return a_world()


def written() -> list[str]:
    """The operations that take JSON."""
    return [
        one
        for one in operations()
        if not one.startswith(("GET", "DELETE")) and one.removeprefix("POST ") not in FILES
    ]


def send(world: World, operation: str, body: str, content_type: str = "application/json") -> Any:
    method, _space, name = operation.partition(" ")
    address, _body = right_request(world, name)
    client = world.client("organiser")
    return client.generic(method, f"/api/v1/{address}", body.encode(), content_type)


def refusal(response: Any, *statuses: int) -> dict[str, Any]:
    """The error of a refusal, in the one shape."""
    assert response.status_code in (statuses or (400,)), response.content
    error: dict[str, Any] = response.json()["error"]
    assert {"code", "message"} <= error.keys() <= {"code", "message", "details"}
    return error


# ── Pages ─────────────────────────────────────────────────────────────────────────────────────────


def cursor(content: str) -> str:
    return urlsafe_b64encode(content.encode()).decode()


NO_CURSORS = [
    "",
    "cD1hYmM=",  # p=abc, as the framework's own cursors were written
    "%%%",
    "é",
    "\0",
    cursor("[false]"),
    cursor('[false,"abc"]'),
    cursor("[1,2]"),
    cursor("[false,1,2,3,4]"),
    cursor("[false,true]"),
    cursor("[false,1.5]"),
    cursor(f"[false,{2**63}]"),
    cursor(f"[false,{MANY_DIGITS}]"),
    cursor("[" * 5000),
    cursor('[false,"\\ud800"]'),
]


def test_a_cursor_that_is_none_is_refused_by_name(world: World) -> None:
    for text in some(NO_CURSORS, one_in=3):
        for name in ("tournaments", "session-plays", "session-history", "session-ranking", "table-guides"):
            response = ask(world, "organiser", f"GET {name}", query={"cursor": text})
            assert refusal(response)["details"].keys() == {"cursor"}, text


def test_a_page_has_from_1_to_500_rows(world: World) -> None:
    for size in ("", "0", "-1", "501", "1.5", "many", "\0", "٣", MANY_DIGITS):
        response = ask(world, "organiser", "GET session-plays", query={"page_size": size})
        assert refusal(response)["details"].keys() == {"page_size"}, size


def test_pages_follow_each_other_and_lead_back(world: World) -> None:
    client = world.client("organiser")
    seen, back, address = [], [], f"/api/v1/sessions/{world.session.pk}/plays/?page_size=5"
    while address:
        page = client.get(address).json()
        seen.append([play["id"] for play in page["results"]])
        address, last = page["next"], address
    assert [len(ids) for ids in seen] == [5, 5, 2]
    plays = sorted(plays_of(world.session), key=lambda play: (play.table.number, play.board.number))
    assert [pk for ids in seen for pk in ids] == [play.pk for play in plays]
    while last:
        page = client.get(last).json()
        back.append([play["id"] for play in page["results"]])
        last = page["previous"]
    assert back == seen[::-1]


# ── Texts and numbers ─────────────────────────────────────────────────────────────────────────────


# ── Texts and numbers ─────────────────────────────────────────────────────────────────────────────


def each_field(world: World, value: str) -> Iterator[tuple[str, str, Any]]:
    """Every field of every operation, with the answer to a body that has this value there."""
    for operation in written():
        _address, body = right_request(world, operation.partition(" ")[2])
        for name in body or {}:
            others = {other: right for other, right in (body or {}).items() if other != name}
            sent = json.dumps(others)[:-1] + (", " if others else "") + f'"{name}": {value}}}'
            yield operation, name, send(world, operation, sent)


@pytest.mark.parametrize("text", some([f'[{{"a": {NUL}}}]', HALF, f"{{{HALF}: 1}}"], one_in=3))
def test_no_field_takes_what_is_not_text_and_each_is_named(world: World, text: str) -> None:
    for operation, name, response in each_field(world, text):
        details = refusal(response)["details"]
        if isinstance(details, list):  # many rows in one request: each is reported
            assert [(row["index"], row["state"]) for row in details] == [(0, "refused")], operation
        else:
            assert details.keys() == {name}, operation


def test_no_body_has_other_names_than_text_and_all_are_json(world: World) -> None:
    for body in some(
        [f"{{{HALF}: 1}}", f"{{{NUL}: 1}}", HALF, f"[{HALF}]", "[" * 5000, "NaN", "{"], one_in=3
    ):
        for operation in written():
            refusal(send(world, operation, body))


def test_an_astral_letter_may_be_written_as_two_halves(world: World) -> None:
    assert (
        send(world, "POST tournaments", '{"name": "\\ud83c\\udca1 \\\\ud800"}').json()["name"] == "🂡 \\ud800"
    )


@pytest.mark.parametrize("number", some([MANY_DIGITS, "9" * 4000, "1e400"], one_in=3))
def test_no_field_minds_a_number_of_thousands_of_digits(world: World, number: str) -> None:
    for value in some([number, f'{{"outcome": "normal", "tricks": [{number}, 3, 2]}}'], one_in=2):
        for operation, name, response in each_field(world, value):
            assert response.status_code < 500, (operation, name)


@pytest.mark.parametrize("number", [MANY_DIGITS, str(2**63), "\0"])
def test_an_address_with_an_impossible_number_leads_nowhere(world: World, number: str) -> None:
    client = world.client("organiser")
    session = f"sessions/{world.session.pk}"
    for path in (
        f"sessions/{number}/",
        f"tournaments/{number}/",
        f"submissions/{number}/",
        f"{session}/boards/{number}/traveller/",
    ):
        refusal(client.get(f"/api/v1/{path}"), 404)
    for page in (f"/en/sessions/{number}/", f"/en/sessions/{number}/boards/{number}/{number}/"):
        assert client.get(page).status_code == 404


@pytest.mark.parametrize("value", some([MANY_DIGITS, "-1", "1e400", "\0", "é"], one_in=3))
def test_no_query_parameter_takes_what_is_not_its_value(world: World, value: str) -> None:
    for name in ("contestants", "boards", "seats", "copies", "one_ranking", "sit_outs", "game"):
        wish = {"game": "comon", "contestants": "6", "boards": "2", name: value}
        response = world.client("organiser").get("/api/v1/movements/", wish)
        if response.status_code != 200:
            refusal(response)
    assert world.client("organiser").get("/api/v1/schema/", {"lang": value}).status_code < 500


def test_a_file_with_what_is_not_text_is_refused(world: World) -> None:
    """A picture, say: its NUL cannot be stored."""
    for content in (b"\x89PNG\0\0", b"\0", b"section\0,round\n"):
        change = {"file": SimpleUploadedFile("evening.csv", content), "dry_run": "false"}
        response = ask(world, "organiser", "POST tournament-evenings", change=change)
        assert refusal(response)["code"] == "bad-file", content


# ── Requests ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "method", some(["OPTIONS", "HEAD", "PATCH", "DELETE", "TRACE", "SURPRISE"], one_in=3)
)
def test_no_address_minds_a_method(world: World, method: str) -> None:
    for operation in operations():
        address, _body = right_request(world, operation.partition(" ")[2])
        client = world.client("organiser")
        answer = client.generic(method, f"/api/v1/{address}", HTTP_IF_MATCH='"of nothing"')  # none is deleted
        assert answer.status_code < 500, operation


def test_the_page_about_the_api_has_no_options() -> None:
    assert Client().options("/api/docs/").status_code == 405
    assert Client().get("/api/docs/").status_code == 200


@pytest.mark.parametrize("charset", ["hex", "zip", "unknown", "\0", "x; Charset=hex", "utf-8; x*=hex''%ff"])
def test_a_charset_that_is_none_is_not_minded(charset: str) -> None:
    environ = RequestFactory().get("/api/v1/tournaments/?surprise=%ff").environ
    environ["CONTENT_TYPE"] = f"text/plain; charset={charset}"
    statuses: list[str] = []
    body = b"".join(application(environ, lambda status, _headers: statuses.append(status)))
    assert statuses == ["400 Bad Request"]
    assert json.loads(body)["error"]["details"].keys() == {"surprise"}


def test_a_thousand_query_parameters_are_refused_in_the_same_shape(world: World) -> None:
    many = "&".join(f"a{number}=1" for number in range(1200))
    refusal(world.client("organiser").get(f"/api/v1/tournaments/?{many}"))


# ── Few players ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("game", "contestants"), [("comon", 2), ("comon", 3), ("comon", 4), ("sept", 2)])
def test_movements_for_few_players_are_offered_or_refused(world: World, game: str, contestants: int) -> None:
    wish = {"game": game, "contestants": str(contestants), "boards": "7"}
    response = world.client("organiser").get("/api/v1/movements/", wish)
    if response.status_code == 200:
        assert contestants > 3 or all(one["without_one"] is None for one in response.json())
    else:
        assert refusal(response)["code"] == "bad-movement"
