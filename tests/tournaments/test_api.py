"""The manners of the API: errors of one shape, keys, bulk, ETags, languages, its own description."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from engines import verifying
from tournaments.models import Session, Submission
from tournaments.services import sessions, states

from .test_evenings import EXAMPLES
from .worlds import World, a_world, an_entry, body_of, ended, played_through, plays_of, work

pytestmark = pytest.mark.django_db


def body(world: World, number: int = 0, **change: Any) -> dict[str, Any]:
    entry = an_entry(plays_of(world.session)[number])
    return body_of(entry) | change


def path(world: World, rest: str) -> str:
    return f"/api/v1/sessions/{world.session.pk}/{rest}"


def test_a_session_is_set_up_played_and_published_through_the_api(world: World) -> None:
    organiser = world.client("organiser")
    tournament = organiser.post("/api/v1/tournaments/", {"name": "Open"}).json()
    setting = {
        "name": "Final",
        "game": "comon",
        "contestants": [f"P{n}" for n in range(15)],
        "boards_per_round": 3,
        "custody": "none",
        "starts_at": "2026-11-27T19:30:00+01:00",
    }
    answer = organiser.post(f"/api/v1/tournaments/{tournament['id']}/sessions/", setting)
    session = ended(organiser, answer).json()
    assert (session["boards"], session["contestants"], session["movement"]) == (21, 15, "kirkman-15x7")
    assert len(session["commitment"]) == 64
    assert (session["seed"], session["custody"]) == (None, "none")
    assert (session["starts_at"], session["time_zone"]) == ("2026-11-27T18:30:00Z", "Europe/Paris")
    assert session["sections"] == [{"name": "A", "club": "Club A", "tables": 5}]
    boards = organiser.get(f"/api/v1/sessions/{session['id']}/boards/").json()["results"]
    assert [board["dealer"] for board in boards[:4]] == [1, 2, 3, 1]
    assert all(len(board["deal"]["hands"]) == 3 and board["plays"] == 5 for board in boards)
    sealed_file = organiser.get(f"/api/v1/sessions/{session['id']}/deals/").content
    assert verifying.verify(sealed_file, expected=session["commitment"]).dealt_again == ()
    assert "seed" not in json.loads(sealed_file)
    organiser.put(f"/api/v1/sessions/{session['id']}/state/", {"state": "played", "confirm": True})
    organiser.put(f"/api/v1/sessions/{session['id']}/publication/", {"listed": True})
    published = world.client("anyone").get(f"/api/v1/sessions/{session['id']}/").json()
    file = world.client("anyone").get(f"/api/v1/sessions/{session['id']}/deals/").content
    proof = verifying.verify(file, expected=session["commitment"])
    assert proof.dealt_again == tuple(range(1, 22))
    assert json.loads(file)["seed"] == published["seed"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contestants": [f"P{n}" for n in range(10)]}, "multiples of 3 from 9 to 120, except 12"),
        ({"contestants": ["same"] * 9}, "a different name"),
        ({"options": {"four_aces": "never"}}, "redraw, allow"),
        ({"options": {"nothing": 1}}, "four_aces"),
        ({"options": "x"}, "object"),
        (
            {"method": "cross-imps", "method_options": {"divisor": "pairs"}},
            "divisor: must be one of: comparisons",
        ),
        ({"movement": "howell"}, "is for tables of 2, not of 3"),
        ({"movement": "annealed", "rounds": 400}, "there can be 500 boards at most, not 1200"),
        (
            {"movement": "round-robin", "game": "cochonnet", "contestants": [f"P{n}" for n in range(400)]},
            "there can be 500 boards at most, not 1197",
        ),
        (
            {
                "movement": "mitchell",
                "game": "cochonnet",
                "contestants": [f"P{n}" for n in range(400)],
                "rounds": 3,
            },
            "there can be 500 boards at most, not 600",
        ),
        ({"rounds": 5}, "1 to 4 rounds, not 5"),
        ({"seats": 4}, "is played at tables of 3, not of 4"),
        ({"game": "le-99", "seats": 2}, "is played at tables of 3, 4, 5, 6, 7, not of 2"),
        ({"method": "cross-imps", "method_options": {"unit": 2.5}}, 'as 3, "5/2" or "0.4", not 2.5'),
        ({"method_options": {"trim": "one"}}, "option: must be one of: unequal, small_groups, not trim"),
        ({"method_options": ["x"]}, "names with their values"),
    ],
)
def test_a_session_that_cannot_be_is_refused_with_what_could(
    world: World, change: dict[str, Any], message: str
) -> None:
    setting = {"name": "x", "game": "comon", "contestants": [f"P{n}" for n in range(9)]} | change
    address = f"/api/v1/tournaments/{world.session.tournament_id}/sessions/"
    client = world.client("organiser")
    response = ended(client, client.post(address, setting))
    assert response.status_code == 400
    problem = response.json()["error"]
    assert message in f"{problem['message']} {problem.get('details')}"


def test_a_result_is_taken_at_once_and_judged_later(world: World) -> None:
    client = world.client("table")
    entry = body(world)
    response = client.post(path(world, "submissions/"), entry)
    assert (response.status_code, response.json()["state"]) == (202, "pending")
    again = client.post(path(world, "submissions/"), entry)
    assert again.json()["id"] == response.json()["id"]
    work(world.session)
    submission = client.get(f"/api/v1/submissions/{response.json()['id']}/").json()
    assert (submission["state"], submission["refusal"], submission["key"]) == ("accepted", None, entry["key"])
    play = client.get(path(world, "plays/")).json()["results"][0]
    assert play["result"]["scores"] == [1, -2, 0]


@pytest.mark.parametrize(("language", "message"), [("en", "must add up to 10"), ("fr", "il faut ici 10")])
def test_a_refusal_speaks_the_senders_language(world: World, language: str, message: str) -> None:
    client = world.client("table", language)
    wrong = body(world, sheet={"outcome": "normal", "tricks": [5, 3, 3]})
    submission = client.post(path(world, "submissions/"), wrong).json()
    work(world.session)
    refusal = client.get(f"/api/v1/submissions/{submission['id']}/").json()["refusal"]
    assert message in refusal["message"]
    assert refusal["field"] == "tricks"


def test_an_evening_of_results_is_one_request() -> None:
    world = a_world(boards_per_round=3)
    entries = [body(world, number) for number in range(36)]
    for _ in range(2):
        response = world.client("scorer").post(path(world, "submissions/bulk/"), {"submissions": entries})
        assert response.status_code == 202
        assert len(response.json()["submissions"]) == 36
    assert Submission.objects.count() == 36


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"key": "not a key"}, 400),
        ({"table": "x"}, 400),
        ({"table": 0}, 400),
        ({"board": 10**30}, 400),
        ({"section": "A\0"}, 400),
        ({"sheet": {"outcome": "a\0b"}}, 400),
        ({"sheet": {"a\0": 1}}, 400),
        ({"sheet": {"outcome": "\ud800"}}, 400),
        ({"sheet": {"tricks": [10**40]}}, 400),
        ({"sheet": [[[[[[[[[[]]]]]]]]]]}, 400),
        ({"sheet": {"outcome": "x" * 1000}}, 400),
        ({"actions": ["play:AH"]}, 400),  # and a sheet
        ({"sheet": None, "actions": None}, 400),
        ({"table": 99}, 404),
        ({"section": "Z"}, 404),
        ({"board": 4711}, 404),
    ],
)
def test_a_wrong_entry_is_refused_in_the_one_shape_and_stores_nothing(
    world: World, change: dict[str, Any], status: int
) -> None:
    for address, content in (
        ("submissions/", body(world, **change)),
        ("submissions/bulk/", {"submissions": [body(world, 1), body(world, **change)]}),
    ):
        client = world.client("organiser")
        response = client.generic("POST", path(world, address), json.dumps(content), "application/json")
        assert response.status_code == status
        assert set(response.json()["error"]) >= {"code", "message"}
    assert not Submission.objects.exists()


def test_of_many_rows_those_are_named_that_cannot_be_stored(world: World) -> None:
    rows = [body(world), body(world, 1, sheet={"outcome": "a\0b"}), body(world, 2) | {"key\0": "x"}]
    client = world.client("organiser")
    refused = client.post(path(world, "submissions/bulk/"), {"submissions": rows}, format="json").json()
    wrong = refused["details"]["submissions"]
    assert refused["code"] == "invalid"
    assert (list(wrong), list(wrong["1"])) == (["1", "2"], ["sheet"])
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code"),
    [
        (b"{not json", "application/json", 400, "parse-error"),
        (b"\xff\xfe", "application/json", 400, "parse-error"),
        (b"[]", "application/json", 400, "invalid"),
        (b'{"table": NaN}', "application/json", 400, "parse-error"),
        (b"[" * 100_000, "application/json", 400, "parse-error"),
        (b'{"table": ' + b"9" * 5000 + b"}", "application/json", 400, "parse-error"),
        (b"x=1", "text/plain", 415, "unsupported-media-type"),
    ],
)
def test_what_is_not_json_gets_the_same_shape_of_error(
    world: World, content: bytes, content_type: str, status: int, code: str
) -> None:
    client = world.client("organiser")
    response = client.generic("POST", path(world, "submissions/"), content, content_type)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


def test_methods_and_addresses_that_do_not_exist_get_it_too() -> None:
    world = a_world(published=True)
    client = world.client("organiser")
    assert client.post(path(world, "")).json()["error"]["code"] == "method-not-allowed"
    assert client.get("/api/v1/sessions/999999/").json()["error"]["code"] == "not-found"
    assert client.get("/api/v1/nothing/").json()["error"]["code"] == "not-found"
    assert client.get(f"/api/v1/sessions/{10**40}/").json()["error"]["code"] == "not-found"
    assert client.get(f"/api/v1/submissions/{10**40}/").json()["error"]["code"] == "not-found"
    assert client.get("/api/v1/tournaments/?cursor=x").json()["error"]["code"] == "invalid"
    assert (
        client.get(path(world, ""), headers={"accept": "text/html"}).json()["error"]["code"]
        == "not-acceptable"
    )


def test_a_ranking_that_has_not_changed_is_not_sent_again() -> None:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    client = world.client("anyone")
    first = client.get(path(world, "ranking/"))
    assert first.json()["places"][0]["rank"] in {"1", "1="}
    again = client.get(path(world, "ranking/"), headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    weak = client.get(path(world, "ranking/"), headers={"if-none-match": f'"x", W/{first["ETag"]}'})
    assert weak.status_code == 304
    states.change(session=world.refresh(), actor=world.organiser, to="final")
    assert client.get(path(world, "ranking/"), headers={"if-none-match": first["ETag"]}).status_code == 200


def test_a_session_without_results_has_an_empty_ranking() -> None:
    world = a_world(published=True)
    ranking = world.client("anyone").get(path(world, "ranking/")).json()
    assert (ranking["version"], ranking["places"]) == (0, [])


def test_a_traveller_shows_all_results_of_a_board_side_by_side() -> None:
    world = a_world(custody="none")
    played_through(world)
    traveller = world.client("organiser").get(path(world, "boards/1/traveller/")).json()
    assert len(traveller["plays"]) == 3
    assert traveller["top"] == 4
    awards = [play["result"]["awards"] for play in traveller["plays"]]
    assert [sum(int(award[seat]) for award in awards) for seat in range(3)] == [6, 6, 6]


def test_a_paper_evening_by_upload(world: World) -> None:
    client, address = (
        world.client("organiser"),
        f"/api/v1/tournaments/{world.session.tournament_id}/evenings/",
    )

    def upload(name: str, **more: str) -> Any:
        file = SimpleUploadedFile(name, (EXAMPLES / name).read_bytes())
        body = {"file": file, "name": "Paper", "game": "comon"} | more
        return ended(client, client.post(address, body, format="multipart"))

    refusal = upload("comon-15-mistakes.csv")
    assert refusal.status_code == 400
    assert [slip["line"] for slip in refusal.json()["error"]["details"]] == [9, 22, 35, 52, 73]
    assert upload("comon-15.csv", dry_run="true").status_code == 204
    answer = upload("comon-15.csv")
    assert answer.status_code == 200
    work(Session.objects.get(pk=answer.json()["id"]))
    ranking = client.get(f"/api/v1/sessions/{answer.json()['id']}/ranking/").json()
    assert [(p["rank"], p["contestant"]) for p in ranking["places"]][:2] == [
        ("1", "Joueur 05"),
        ("2", "Joueur 15"),
    ]
    assert upload("comon-15.csv").status_code == 409


def test_the_history_tells_who_did_what(world: World) -> None:
    client = world.client("table")
    client.post(path(world, "submissions/"), body(world))
    work(world.session)
    history = world.client("organiser").get(path(world, "history/")).json()["results"]
    verbs = [event["verb"] for event in history]
    assert verbs == ["set up", "issued table tokens", "submitted", "accepted", "started"]
    assert [event["actor"] for event in history][2:] == ["table A1", "worker", "worker"]


def test_the_description_is_complete_and_without_a_warning(tmp_path: Any) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))
    schema = (tmp_path / "schema.yml").read_text()
    assert "/api/v1/sessions/{id}/submissions/bulk/" in schema


def test_the_page_of_the_api_and_all_that_it_needs_come_from_here(world: World) -> None:
    page = world.client("anyone").get("/api/docs/").content.decode()
    assert "swagger-ui" in page
    assert "https://" not in page.replace("https://www.w3.org", "")


def test_keys_are_the_senders_own(world: World) -> None:
    key = str(uuid4())
    for role in ("table", "scorer"):
        assert world.client(role).post(path(world, "submissions/"), body(world, key=key)).status_code == 202
    assert Submission.objects.count() == 2


def test_a_retry_with_the_tables_next_token_gets_the_first_answer(world: World) -> None:
    sent = body(world, key=str(uuid4()))
    first = world.client("table").post(path(world, "submissions/"), sent)
    fresh = world.client("organiser").post(path(world, "table-tokens/"), {"table": sent["table"]}).json()
    assert world.client("table").post(path(world, "submissions/"), sent).status_code == 401
    world.client("organiser").put(path(world, "state/"), {"state": "finished"})
    world.texts["table"] = fresh[0]["token"]
    for address, again in (("submissions/", sent), ("submissions/bulk/", {"submissions": [sent]})):
        answer = world.client("table").post(path(world, address), again)
        assert answer.status_code == 202
        assert first.json() in (answer.json(), *answer.json().get("submissions", []))
    assert Submission.objects.count() == 1
