"""The deals checked in a browser: what holds is said to hold, and a changed value is found, in every game."""

import json
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, Route

from engines import dealing, registry, sealing
from engines.layouts import layouts
from engines.public_values import PublicValue
from tests.frontend.browsers import chromium, in_a_browser, page_of
from tests.frontend.test_every_page import content_of, show
from tests.tournaments.worlds import a_world
from tournaments.services import sessions

pytestmark = [*in_a_browser, pytest.mark.django_db]
SEED = bytes(range(32))
NUMBERS = (1, 2, 3, 5, 9)

DEALT_AGAIN = """async cases => {
  const { canonical, commitment, before, dealtAgain, keyOf, seedHash } = await import("lib/dealing.js")
  return cases.map(({ manifest, layout, seed }) => {
    const { deals, root } = dealtAgain(manifest, layout, keyOf(seed, manifest.public_value?.value))
    return { root, deals: Object.fromEntries(deals), commitment: commitment(manifest), seed: seedHash(seed),
             before: commitment(before(manifest)), text: canonical(manifest) }
  })
}"""


def cases() -> list[dict[str, Any]]:
    """Every game with its defaults, and with each of its options that a board comes from in another way; some
    with a public value."""
    found = []
    for game in registry.games().values():
        bound = [one for one in game.options if one.name in layouts()[game.id]["bound"]]
        variants = [{}, *({one.name: value} for one in bound for value in one.values[1:])]
        conditions = [{"seats": seats} for seats in game.seats[1:]]
        for number, (options, around) in enumerate(
            [(o, {}) for o in variants] + [({}, c) for c in conditions]
        ):
            boards = sealing.Boards("Fête d’été 🂡", game.id, options, around, NUMBERS, (11,))
            value = PublicValue("lottery-5", "Loto", "03-07-12-28-41") if number % 2 else None
            manifest = sealing.manifest_of(boards, SEED, value)
            found.append({"manifest": manifest, "layout": layouts()[game.id], "seed": SEED.hex()})
    return found


def test_a_browser_deals_every_game_again_and_finds_what_was_changed() -> None:
    world = a_world(published=True)
    sessions.finish(session=world.session, actor=world.organiser)
    client, pk = Client(HTTP_HOST="localhost"), world.session.pk
    address = f"/en/sessions/{pk}/verify/"
    html = content_of(client.get(address, {"board": "2"}))
    file = client.get(f"/api/v1/sessions/{pk}/deals/").content.decode()
    game = client.get("/api/v1/games/comon/").content.decode()
    manifest = json.loads(file)["manifest"]
    noted = json.loads(file)["commitment"]
    other = {**manifest, "event": "Another evening"}
    changed = {
        "a digit of the seed": file.replace(json.loads(file)["seed"], "00" * 32),
        "the root": file.replace(manifest["root"], "0" * 64),
        "a board": file.replace('"boards":[1,', '"boards":['),
        "a blank": file.replace('"boards":[1,', '"boards":[1, '),
        "the event, with its commitment": sealing.to_bytes(
            {**sealing.sealed_file(other), "seed": json.loads(file)["seed"]}
        ).decode(),
    }
    assert all(text != file for text in changed.values())
    with chromium() as browser:
        page = page_of(browser)
        show(page, address, html)
        assert verdict(page, file, game, noted) == "right"
        assert page.locator(".checks li").count() == 6
        assert page.locator('.checks li[data-holds="no"]').count() == 0
        assert verdict(page, file, game, "") == "alone"
        assert verdict(page, file, game, "0" * 64) == "wrong"
        for what, text in changed.items():
            assert verdict(page, text, game, noted) == "wrong", what
            assert page.locator('.checks li[data-holds="no"]').count() >= 1, what
        show(page, address, html.replace('"AS"', '"7C"', 1) if '"AS"' in html else html)
        assert verdict(page, file, game, noted) == "wrong"  # the board was shown otherwise
        sealed = sealing.to_bytes(sealing.sealed_file(manifest)).decode()
        show(page, address, html)
        assert verdict(page, sealed, game, noted) == "sealed"
        asked = cases()
        for case, answer in zip(asked, page.evaluate(DEALT_AGAIN, asked), strict=True):
            sealed_as = case["manifest"]
            boards = sealing.boards_of(sealed_as)
            key = sealing.key_of(sealed_as, SEED)
            deals = {str(n): sealing.deal_of(boards, key, n) for n in boards.numbers}
            assert answer["deals"] == json.loads(json.dumps(deals)), sealed_as
            assert answer["root"] == sealed_as["root"], sealed_as
            assert answer["commitment"] == sealing.commitment(sealed_as)
            assert answer["before"] == sealing.commitment(sealing.without_value(sealed_as))
            assert answer["seed"] == sealed_as["seed_hash"]
            assert answer["text"].encode() == dealing.canonical(sealed_as)


def verdict(page: Page, file: str, game: str, noted: str) -> str:
    """What the page says once somebody has asked it to verify a file."""

    def answer(route: Route) -> None:
        text = file if "/deals/" in route.request.url else game
        route.fulfill(body=text, content_type="application/json")

    page.route("**/api/v1/**", answer)
    page.get_by_label("The commitment that you noted before play").fill(noted)
    page.get_by_role("button", name="Verify in this browser").click()
    page.wait_for_function(
        "!['working', undefined].includes(document.querySelector('.verdict').dataset.says)"
    )
    page.unroute("**/api/v1/**")
    return str(page.locator(".verdict").get_attribute("data-says"))
