"""What the tokens and stylesheets of the design system promise."""

import re
from pathlib import Path
from typing import Any

import pytest

from tournaments.models import Club

STATIC = Path(__file__).parents[2] / "frontend" / "static" / "frontend"
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
