"""How many clicks an evening takes until its round one can start, counted by a hand in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.frontend.browsers import in_a_browser
from tests.running import Service, campaign, serving

from .journeys import DESKTOP, ENGLISH, FRENCH, PHONE, THIRTEEN, a_house

pytestmark = [*in_a_browser, campaign]
sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
PAIRS = [f"{one} / {other}" for one, other in zip(THIRTEEN[:6], THIRTEEN[6:12], strict=True)]


@pytest.fixture(scope="module")
def halls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving("embedded", tmp_path_factory.mktemp("service") / "var") as service:
        yield service


@sizes
def test_thirteen_at_hombre_from_an_empty_desk_and_the_same_a_week_later(
    halls: Service, browser: Browser, size: dict[str, int]
) -> None:
    with a_house(halls, browser, f"Club at {size['width']}", "Ana") as house:
        ana = house.hand("Ana", size=size)
        desk = ana.sets_up("Hombre", THIRTEEN)
        ana.told("Thirteen at L’Hombre from an empty desk", at_most=12)
        expect(ana.page.get_by_text("Sits out:")).to_be_visible()
        ana.starts()
        ana.sits_down(house.address)
        ana.count()
        ana.press("Like “", then=ENGLISH.who_plays)
        ana.fill(ENGLISH.contestants, "\n".join([*THIRTEEN[1:], "Noé Nouveau"]))
        ana.press(ENGLISH.on, then=ana.page.get_by_text(ENGLISH.advised, exact=True))
        ana.press(ENGLISH.on, then=ENGLISH.everything)
        expect(ana.page.get_by_text("Noé Nouveau").first).to_be_visible()
        assert ana.ends_wizard() != desk
        ana.told("Thirteen at L’Hombre like last week’s, one of them new", at_most=5)


@pytest.mark.parametrize(
    ("size", "players"),
    [
        pytest.param(DESKTOP, 5, id="5-1280"),
        pytest.param(PHONE, 4, id="4-390"),
        pytest.param(DESKTOP, 4, id="4-1280", marks=pytest.mark.sampled),  # for `.ci/run --all`
        pytest.param(PHONE, 5, id="5-390", marks=pytest.mark.sampled),
    ],
)
def test_loba_at_one_table_that_seats_them_all(
    halls: Service, browser: Browser, size: dict[str, int], players: int
) -> None:
    with a_house(halls, browser, f"Loba {players} at {size['width']}", "Ana") as house:
        ana = house.hand("Ana", size=size)
        names = THIRTEEN[:players]
        desk = ana.sets_up("Loba", names)
        ana.told(f"Loba with {players}", at_most=12)
        expect(ana.page.locator(".sitting")).to_contain_text(names[-1])
        expect(ana.page.get_by_text("Sits out:")).to_have_count(0)
        ana.starts()
        left = [0, *range(31, 31 + 7 * (players - 1), 7)]
        ana.enters("1 " + "-".join(map(str, left)), at="1 1", desk=desk)
        ana.press("Rankings", then="Rankings")
        for name in names:
            ana.reads(name)


def test_cochonnet_by_pairs_in_french_on_a_phone(halls: Service, browser: Browser) -> None:
    with a_house(halls, browser, "Les Cochonnets", "Ana") as house:
        ana = house.hand("Ana", size=PHONE, words=FRENCH)
        desk = ana.sets_up("Cochonnet", PAIRS)
        ana.told("Six pairs at Cochonnet, in French", at_most=12)
        expect(ana.page.locator(".sitting")).to_contain_text("Ana Quesnel")
        ana.starts()
        ana.enters("41 30 / 45 33 / 38 29 / 35 40", desk=desk)
