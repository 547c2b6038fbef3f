"""What the tokens and stylesheets of the design system promise."""

import re
from pathlib import Path
from typing import Any

import pytest

from tournaments.models import Club

FRONTEND = Path(__file__).parents[2] / "frontend"
STATIC, TEMPLATES = FRONTEND / "static" / "frontend", FRONTEND / "templates" / "frontend"
TEXT, SHAPE = 4.5, 3.0  # WCAG AA: text; what is not text but has to be seen
GROUNDS, FELT = ("paper", "sheet", "sunk", "tint"), ("baize", "baize-lit", "baize-shade")
PAIRS = [
    *((text, ground, TEXT) for text in ("ink", "ink2", "ink3", "link") for ground in GROUNDS),
    *(("verm", ground, TEXT) for ground in ("paper", "sheet", "vtint")),
    *(("ink", "vtint", TEXT), ("ink2", "vtint", TEXT)),
    *((text, felt, TEXT) for text in ("onbaize", "onbaize2") for felt in FELT),
    *(("onsel", "sel", TEXT), ("onsel", "sel-hover", TEXT), ("paper", "verm", TEXT)),
    *(("card-ink", "card", TEXT), ("card-red", "card", TEXT), ("baize", "card", TEXT)),
    *((suit, "card", TEXT) for suit in ("card-diamond", "card-club")),
    *(("rule2", ground, SHAPE) for ground in ("paper", "sheet")),
]  # fmt: skip


def tokens() -> dict[str, tuple[str, str]]:
    """Every colour of the tokens: light, dark."""
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", (STATIC / "tokens.css").read_text())
    return {name: (light, dark) for name, light, dark in found}


def accents() -> dict[str, dict[str, tuple[str, str]]]:
    """What each colour that a club may choose puts in the place of tokens."""
    text = (STATIC / "accents.css").read_text()
    blocks = re.findall(r':root\[data-accent="(\w+)"\][^{]*\{([^}]*)\}', text)
    colour = r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)"
    return {
        name: {token: (light, dark) for token, light, dark in re.findall(colour, block)}
        for name, block in blocks
    }


def contrast(one: str, other: str) -> float:
    """Of two colours, by WCAG 2.

    >>> contrast("#000000", "#FFFFFF")
    21.0
    """
    shades = sorted((luminance(one), luminance(other)), reverse=True)
    return (shades[0] + 0.05) / (shades[1] + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("text", "ground", "least"), PAIRS)
def test_every_colour_can_be_read_where_it_stands(text: str, ground: str, least: float) -> None:
    for scheme in (0, 1):
        assert contrast(tokens()[text][scheme], tokens()[ground][scheme]) >= least, ("light", "dark")[scheme]


def test_a_club_can_choose_no_colour_in_which_anything_is_hard_to_read() -> None:
    chosen = accents()
    assert set(chosen) == {one for one in Club.Accent.values if one}
    replaced = {*FELT, "onbaize2", "link", "sel", "sel-hover", "onsel", "tint"}
    for name, own in chosen.items():
        assert set(own) == replaced, "all of the green's, or one of them would stand on another colour"
        for text, ground, least in PAIRS:
            both = tokens() | own
            for scheme in (0, 1):
                measured = contrast(both[text][scheme], both[ground][scheme])
                assert measured >= least, (name, text, ground, ("light", "dark")[scheme])


def test_components_use_tokens_and_no_colours_of_their_own() -> None:
    for path in [STATIC / "page.css", *(STATIC / "components").glob("*.css")]:
        plain = re.sub(r'url\("[^"]*"\)|/\*.*?\*/', "", path.read_text(), flags=re.DOTALL)
        assert re.findall(r"#[0-9a-fA-F]{3,8}\b", plain) == [], path.name


def test_the_fonts_together_are_small_and_bring_their_licences() -> None:
    fonts = STATIC / "fonts"
    assert 0 < sum(path.stat().st_size for path in fonts.glob("*.woff2")) <= 90_000
    assert all("SIL OPEN FONT LICENSE" in path.read_text() for path in fonts.glob("OFL-*.txt"))
    assert len(list(fonts.glob("OFL-*.txt"))) == 2


@pytest.mark.django_db
def test_the_page_of_the_parts_is_for_development_alone(client: Any, settings: Any) -> None:
    assert client.get("/en/design/").status_code == 404
    settings.DESIGN_PAGE = True
    assert client.get("/en/design/").status_code == 200
    settings.DESIGN_PAGE, settings.DEBUG = False, True
    assert client.get("/fr/design/").status_code == 200


PARTS_ELSEWHERE = {
    "again": "a script, and nothing to see",
    "copying": "a script, and nothing to see",
    "coming": "of evenings: on the first page",
    "evening": "of evenings: on the first page",
    "legs": "of events: on the first page",
    "results": "of evenings: on the first page",
    "standings": "a paragraph of a tournament’s page",
    "take": "links to the files of a session, by their routes",
    "fact": "words within a row of a count",
    "kicker": "over the title of a session’s page",
    "unit": "a word at the head of a column",
    "decided": "a line of a ranking, of a session’s rulings",
    "gifts": "a table of a player’s season",
    "foretold": "a table of the ratings’ page",
    "rating_plot": "of a player’s ratings",
    "trouble": "a whole page, with its own first heading",
}
ELEMENTS_ELSEWHERE = {
    "board-desk": "holds the page of a board with its ruling",
    "deals-proof": "checks a session’s file, on the page that verifies it",
    "evening-grid": "the evening’s page itself, which it keeps up to date",
    "hall-calls": "the title of the tab of those who are called",
    "hall-screen": "the projector’s page itself",
    "job-progress": "the page of a job itself; what it draws is `progress`, which is there",
    "keys-choice": "one box, on the page of the shortcuts",
    "live-ranking": "the tables inside it, of a session; `.live` is there",
    "names-field": "asks the register of a club whom it knows",
    "play-pad": "the table’s page, of a game’s cards",
    "play-replay": "the page of a record, of a game’s cards",
    "quick-line": "asks a session what each word means",
    "result-entry": "drawn of a game and a board, on the table’s page",
    "slip-photo": "a form with a camera, on the page of slips",
    "table-page": "the table’s page itself",
}


@pytest.mark.django_db
def test_each_part_stands_on_the_page_of_the_parts_or_says_why_not(client: Any, settings: Any) -> None:
    """A template in `parts`, a custom element in `components`: whoever adds one shows it, or says why not."""
    settings.DESIGN_PAGE = True
    answer = client.get("/en/design/", HTTP_ACCEPT_ENCODING="identity")
    parts = {path.stem for path in (TEMPLATES / "parts").glob("*.html")}
    shown = {Path(one.name).stem for one in answer.templates if "/parts/" in (one.name or "")}
    assert parts - shown == PARTS_ELSEWHERE.keys()
    elements = {path.stem for path in (STATIC / "components").glob("*.js")}
    there = set(re.findall(r"<([a-z]+-[a-z]+)", answer.content.decode()))
    assert elements - there == ELEMENTS_ELSEWHERE.keys()
