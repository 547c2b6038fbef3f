"""The entry of a result, alone on a page: what robots play in every game can be tapped in, key by key."""

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from engines import registry
from engines.contract import Game
from tests.engines.test_conformance import GAMES, board
from tests.frontend.alone import Pointer, begun
from tests.frontend.browsers import in_a_browser
from tests.frontend.phones import KEYS
from tests.samples import here, many

pytestmark = in_a_browser


@pytest.mark.parametrize("game", here(GAMES, one_in=4), ids=lambda game: game.id)
def test_what_robots_play_is_tapped_in_and_gives_the_same_marks(entry: Page, game: Game[Any]) -> None:
    for number in range(1, 1 + many(1, 10)):
        with board(game, "phones", number) as played:
            played.play()
            conditions = played.file["conditions"]
            known = conditions | {
                name: value
                for name, value in game.known(played.deal, conditions).items()
                if name in {condition.name for condition in game.conditions}
            }
            form = game.show_form("fr", played.options, known)
            names = ["Anna Roux", "Bruno Roux", "Chloé Roux", "David Roux", "Ève Roux", "Félix Roux"]
            told = {"known": form["known"], "dealer": 1, "names": names[: len(form["seats"])]}
            given = {"game": game.id, "options": {}, "divisor": 1, "form": form, "number": number}
            entry.evaluate(
                "given => begin(given)", given | {"board": told | {"conditions": {}}, "address": "#"}
            )
            Pointer(entry).enter(game.summarise(played.state))
            sheet = entry.evaluate("document.querySelector('result-entry').sheet")
            scored = game.score(sheet, deal=played.deal, options=played.options, conditions=conditions)
            assert scored.scores == played.state.outcome().scores


@pytest.mark.parametrize("game", here(GAMES, one_in=4), ids=lambda game: game.id)
def test_large_keys_ask_for_the_same_by_tens_and_units(entry: Page, game: Game[Any]) -> None:
    """A setting of the phone: each key is large enough for any finger, and the sheet is the same. Without it
    no key is smaller than the phone's own letters."""
    form = game.show_form("fr", {}, {})
    names = ["Anna Roux", "Bruno Roux", "Chloé Roux", "David Roux", "Ève Roux", "Félix Roux"]
    told = {"known": form["known"], "dealer": 1, "names": names[: len(form["seats"])], "conditions": {}}
    given = {"game": game.id, "options": {}, "divisor": 1, "form": form, "number": 1, "address": "#"}
    taps, sheets = [], []
    entry.set_viewport_size({"width": 360, "height": 640})
    for keys in ("", "large"):
        entry.evaluate("keys => { document.documentElement.dataset.keys = keys }", keys)
        entry.evaluate("given => begin(given)", given | {"board": told})
        finger = Measured(entry, 44 if keys else 24)
        finger.enter(dict(game.form.example))
        sheets.append(entry.evaluate("document.querySelector('result-entry').sheet"))
        taps.append(finger.taps)
    assert sheets[0] == sheets[1]
    assert taps[0] <= taps[1] <= 2 * taps[0]


class Measured(Pointer):
    """It finds keys that are smaller than what a finger needs: `least` pixels."""

    def __init__(self, page: Page, least: int) -> None:
        super().__init__(page)
        self.least = least

    def tap(self, key: Locator) -> None:
        small = self.page.evaluate(SMALL, self.least)
        assert small == []
        super().tap(key)


SMALL = """(least) => [...document.querySelectorAll("result-entry .asked .keys button")].map((key) => {
  const { width, height } = key.getBoundingClientRect()
  return [key.getAttribute("aria-label") ?? key.textContent, Math.round(width), Math.round(height)]
}).filter(([_name, width, height]) => width && (width < least || height < least))"""


DETENTE = registry.game("tarot-double-detente")
ELSA, HELENE, FRANK = names = ("Elsa Morel", "Hélène Blanc", "Frank Noël")


def detente(entry: Page, **more: Any) -> None:
    """A board of Tarot double détente, of which nothing has been told yet, or `more`."""
    form = DETENTE.show_form("fr", {}, {})
    told = {"known": form["known"], "dealer": 1, "names": list(names), "conditions": {}}
    given = {"game": DETENTE.id, "options": {}, "divisor": 1, "form": form, "number": 1, "address": "#"}
    entry.set_viewport_size({"width": 360, "height": 740})
    entry.evaluate("given => begin(given)", given | {"board": told} | more)


def plainly(text: str) -> str:
    """With the spaces that one types."""
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def press(key: Locator) -> None:
    """Also one that only says why it is off."""
    key.evaluate("key => key.click()")


def heading(entry: Page) -> str:
    return plainly(entry.inner_text(".asked h2"))


def tells(entry: Page, place: int, contract: int, tricks: int | None = None) -> None:
    """A seat's numbers: what follows from the others' tricks is not asked."""
    answer = {"contracts": contract} | ({} if tricks is None else {"tricks": tricks})
    keys = entry.evaluate(KEYS)
    Pointer(entry).key(next(k["at"] for k in keys if k["answer"] == answer and k["place"] == place))


def tells_part(entry: Page, *numbers: tuple[int, int]) -> None:
    (one, two, three) = numbers
    tells(entry, 1, *one)
    tells(entry, 2, *two)
    tells(entry, 3, three[0])


def is_live(entry: Page) -> bool:
    return entry.locator(".send").get_attribute("aria-disabled") == "false"


def sheet_of(entry: Page) -> Any:
    told = entry.evaluate("document.querySelector('result-entry').sheet")
    return [{name: one[name] for name in ("contracts", "tricks", "petit")} for one in told["parts"]]


ONE, TWO = [(4, 5), (5, 4), (4, 4)], [(5, 5), (5, 4), (3, 4)]


def test_each_part_is_asked_in_one_order_and_the_petit_once_of_all(entry: Page) -> None:
    """Nothing else stands where the next question comes: the numbers of part 1, of part 2, then the Petit."""
    detente(entry)
    asked = [heading(entry)]
    for numbers in (ONE, TWO):
        assert entry.locator(".asked .rare").count() == 0
        tells_part(entry, *numbers)
        asked.append(heading(entry))
    assert asked == [
        "Partie 1 : contrats, plis",
        "Partie 2 : contrats, plis",
        "Qui a gagné le Petit, et dans quelle partie ?",
    ]
    assert not is_live(entry)
    press(entry.locator(".send"))
    assert asked[2] in plainly(entry.inner_text(".line"))
    press(entry.get_by_role("button", name="Partie 1, Elsa Morel"))
    assert is_live(entry)
    assert [one["petit"] for one in sheet_of(entry)] == [1, None]
    assert "Elsa Morel a gagné le Petit dans la partie 1" in entry.inner_text(".line")
    for name, (contract, tricks) in zip(names, ONE, strict=True):
        assert f"{name} {contract}–{tricks}" in entry.inner_text(".line")


def test_the_petit_told_with_part_1_is_not_asked_again(entry: Page) -> None:
    """Told early, or told elsewhere afterwards, it is in one part, and takes its last trick along."""
    detente(entry)
    tells_part(entry, *ONE)
    press(entry.locator(".answers .tab").first)
    assert [heading(entry), entry.locator(".asked .seat-tab").count()] == ["Partie 1", 3]
    press(entry.get_by_role("button", name="Partie 1, Elsa Morel"))
    press(entry.get_by_role("group").filter(has_text="oui").get_by_role("button", name="oui"))
    press(entry.locator(".undo"))
    assert heading(entry) == "Partie 2 : contrats, plis"
    tells_part(entry, *TWO)
    assert is_live(entry)
    press(entry.locator(".asked .part > .button"))
    press(entry.get_by_role("button", name="Partie 2, Frank Noël"))
    assert is_live(entry)
    assert [one["petit"] for one in sheet_of(entry)] == [None, 3]
    assert not entry.evaluate(
        "document.querySelector('result-entry').sheet.parts.some((one) => one.petit_last)"
    )


def test_a_number_of_a_part_is_corrected_alone(entry: Page) -> None:
    """“Not so”: all numbers stand there, a tap on one asks for it again, and the others stay."""
    sheet = {"parts": [
        {"contracts": [4, 5, 4], "tricks": [5, 4, 4], "petit": 1},
        {"contracts": [5, 5, 3], "tricks": [5, 4, 4]},
    ]}  # fmt: skip
    detente(entry, sheet=sheet, entered=sheet)
    tabs = [tab.replace("\n", " ") for tab in entry.locator(".asked .seat-tab").all_inner_texts()]
    assert tabs == ["Elsa 4 · 5", "Hélène 5 · 4", "Frank 4 · 4", "Elsa 5 · 5", "Hélène 5 · 4", "Frank 3 · 4"]
    assert (is_live(entry), "déjà" in entry.inner_text(".line")) == (False, True)
    press(entry.locator(".asked .seat-tab").first)
    assert heading(entry) == "Partie 1 : contrats, plis"
    press(entry.locator(".undo"))
    assert sheet_of(entry) == [part | {"petit": part.get("petit")} for part in sheet["parts"]]
    press(entry.locator(".asked .seat-tab").first)
    tells(entry, 1, 5, 6)
    assert is_live(entry)
    (part, other) = sheet_of(entry)
    assert (part["contracts"], part["tricks"], part["petit"]) == ([5, 5, 4], [6, 4, 3], 1)
    assert other == {"contracts": [5, 5, 3], "tricks": [5, 4, 4], "petit": None}
    press(entry.locator(".asked .seat-tab").nth(4))
    tells(entry, 2, 4, 4)
    assert sheet_of(entry)[1]["contracts"] == [5, 4, 3]
    assert entry.locator(".note-line").count() == 0


def test_a_message_never_contradicts_the_button(entry: Page) -> None:
    """The Petit cannot have gone to somebody without a trick: the key says so."""
    detente(entry)
    tells_part(entry, (12, 13), (1, 0), (4, 0))
    tells_part(entry, *TWO)
    press(entry.get_by_role("button", name="Partie 1, Hélène Blanc"))
    assert "aucun pli" in entry.inner_text(".line")
    assert not is_live(entry)
    press(entry.get_by_role("button", name="Partie 1, Elsa Morel"))
    assert is_live(entry)
    press(entry.get_by_role("button", name="Autre cas…"))
    assert not is_live(entry)
    press(entry.locator(".entry-foot .button").first)
    assert is_live(entry)


def test_a_fault_ends_its_part(entry: Page) -> None:
    """Told on the part's own page, whatever of its numbers is there."""
    detente(entry)
    tells_part(entry, *ONE)
    press(entry.locator(".answers .tab").nth(1))
    section = entry.locator(".asked .rare").filter(has_text="Faute")
    press(section.get_by_role("button", name="Frank"))
    assert is_live(entry)
    assert entry.evaluate("document.querySelector('result-entry').sheet.parts[1].fault") == 3


def test_all_points_that_a_round_of_cochonnet_can_have_are_keys(entry: Page) -> None:
    """14 to 195 for a side: section 5 of its rules."""
    begun(entry, "cochonnet")
    Pointer(entry).enter({"rounds": [[195, 14]]})
    assert entry.evaluate("document.querySelector('result-entry').sheet") == {"rounds": [[195, 14]]}


def test_what_a_board_is_made_of_has_the_name_that_its_game_gives_it(entry: Page) -> None:
    """A window of numbers begins where the numbers do."""
    begun(entry, "cochonnet")
    assert [one.strip() for one in entry.locator(".answers .tab").all_inner_texts()] == ["Manche 1"]
    assert heading(entry).startswith("Manche 1 : ")
    assert entry.locator(".windows .button, .windows button").all_inner_texts() == ["14–149", "150–195"]


def test_larger_keys_are_chosen_above_small_ones_and_stay(entry: Page) -> None:
    begun(entry, "cochonnet")
    size = entry.locator("result-entry .size")
    assert len(entry.evaluate(SMALL, 30)) == 0 < len(entry.evaluate(SMALL, 44))
    press(size)
    assert entry.evaluate(SMALL, 44) == []
    assert entry.evaluate("localStorage.getItem('keys')") == "large"
    press(size)
    assert not entry.evaluate("localStorage.getItem('keys')")
    begun(entry, "comon")  # whose keys are large in any case
    assert not size.is_visible()


def test_what_a_row_says_stays_in_it(entry: Page) -> None:
    """“Atout d’une autre couleur, carreau” beside a row of keys of Caisse."""
    begun(entry, "caisse")
    tall = "(row) => row.getBoundingClientRect()"
    rows = [entry.evaluate(tall, row) for row in entry.query_selector_all("result-entry .row")]
    assert len(rows) > 4
    assert all(above["bottom"] <= below["top"] for above, below in pairwise(rows))


MILLE, HOMBRE = dict(registry.game("mille").form.example), dict(registry.game("hombre").form.example)
CAISSE, PARTS = dict(registry.game("caisse").form.example), dict(DETENTE.form.example)


@pytest.mark.parametrize(
    ("game", "sheet", "refused", "title"),
    [
        ("comon", {"tricks": [5, 3, 2]}, "tricks", "Plis"),
        ("hombre", HOMBRE, "contract", "Contrat, l’hombre"),
        ("hombre", HOMBRE, "matadors", "Matadors de la place qui ramasse la mise"),
        ("caisse", CAISSE, "trick_points", "Points des plis"),
        ("caisse", CAISSE, "carre", "Carrés marqués"),
        ("caisse", CAISSE, "conceded_by", "Autre cas…"),
        ("mille", MILLE, "points", "Points des cartes"),
        ("mille", MILLE, "fault", "Autre cas…"),
        ("tarot-double-detente", PARTS, "parts[1].tricks", "Partie 2 : contrats, plis"),
        ("tarot-double-detente", PARTS, "parts[0].petit_last", "Partie 1"),
        ("hombre", HOMBRE, "trump", "Couleur d’atout"),
    ],
)
def test_a_refusal_opens_what_it_is_about_and_says_why_there(
    entry: Page, game: str, sheet: Any, refused: str, title: str
) -> None:
    """Seats, numbers, grids, parts, what is rare, what lies behind *Something else…*, details: the focus is
    there, with the reason, and one step back the sheet is as it was."""
    told = "document.querySelector('result-entry').sheet"
    begun(entry, game, sheet=sheet)
    before = entry.evaluate(told)
    begun(entry, game, sheet=sheet, note="Parce que.", refused=refused)
    assert heading(entry) == title
    assert entry.evaluate("document.activeElement === document.querySelector('.asked h2')")
    assert entry.evaluate("document.activeElement.ariaDescribedByElements[0].textContent").startswith("Parce")
    press(entry.locator(".undo"))
    assert entry.evaluate(told) == before
    assert is_live(entry)


@pytest.mark.parametrize(
    ("refused", "focused"), [("no-reason", "[name=reason]"), ("wrong-board", ".letter [aria-pressed=true]")]
)
def test_a_refusal_of_what_stands_beside_the_sheet_has_the_focus_there(
    entry: Page, refused: str, focused: str
) -> None:
    more = {"asks": True, "letters": "ABC", "check": "B"}
    begun(entry, "comon", sheet={"tricks": [5, 3, 2]}, note="Parce que.", refused=refused, **more)
    assert entry.evaluate("selector => document.activeElement.matches(selector)", focused)
    assert "Parce que." in entry.inner_text(".line")


def test_send_opens_what_is_missing_or_cannot_be(entry: Page) -> None:
    """A sheet that was kept while other rules held, and one of which something is still to be told."""
    begun(entry, "caisse", sheet=CAISSE | {"trick_points": [60, 70, 60]})
    press(entry.locator(".send"))
    assert heading(entry) == "Points des plis"
    assert "60–70–60" in entry.inner_text(".note-line")
    begun(entry, "hombre", sheet={"contract": HOMBRE["contract"], "hombre": 1})
    entry.evaluate("document.activeElement.blur()")
    press(entry.locator(".send"))
    assert entry.evaluate("document.activeElement === document.querySelector('.asked h2')")
    assert "Il manque encore : plis" in plainly(entry.inner_text(".note-line"))
