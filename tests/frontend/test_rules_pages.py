"""The rules of the games: the same in both languages, a deal in pictures, and a place for each refusal."""

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.templatetags.static import static
from django.test import Client
from django.urls import reverse
from django.utils import translation
from markdown_it.token import Token

from engines import registry
from engines import rules as pages
from engines.phrases import LANGUAGES
from frontend import rules
from tests.pictures import story
from tests.tournaments.test_table_links import first_board, linked
from tests.tournaments.worlds import World, hand_in, plays_of, work
from tournaments.models.accounts import RoleKind
from tournaments.services import clauses, table_links

from .test_running import a_director

GAMES = list(registry.games())


def shape(game: str, language: str) -> list[Any]:
    """A page without its words: headings, clauses, lists, the cells of its tables, its figures and cards."""
    tokens: list[Token] = rules.MARKDOWN.parse(pages.text(game, language))
    rules._with_anchors(tokens)
    body = pages.text(game, language)
    kinds = [(token.type, token.tag, token.attrs.get("id")) for token in tokens if token.nesting == 1]
    words = re.sub(r"\[[^]]*]\([^)]*\)|«|»", "", body)
    code = Counter(re.findall(r"`([^`]+)`", words))
    return [kinds, Counter(name for name in code if re.fullmatch(r"[a-z_]+", name))]


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_say_the_same_in_the_same_places(game: str) -> None:
    english, french = shape(game, "en"), shape(game, "fr")
    assert english[0] == french[0]
    assert set(english[1]) <= set(french[1]), "a field or an option is not named in French"


def test_a_games_name_is_written_as_it_is_read() -> None:
    """With an apostrophe of print; in French, with the narrow space that does not break."""
    for game in GAMES:
        for language in LANGUAGES:
            title = pages.text(game, language).splitlines()[0]
            for name in (registry.game(game).name.to(language), title):
                assert not re.search(r"'|[ \N{NO-BREAK SPACE}][!?;:]", name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_first_sentence_of_a_page_says_what_the_game_is(game: str, language: str) -> None:
    said = pages.sentence(game, language)
    assert 30 < len(said) < 230
    assert not re.search(r"This page|That page|Cette page|Leur page|Étui|[`*]|\]\(", said)
    assert said.endswith(".")
    assert said.removesuffix(".").strip() == said.removesuffix(".")


@pytest.mark.parametrize("game", GAMES)
def test_figures_of_tables_and_examples_are_the_same_in_both_languages(game: str) -> None:
    def figures(language: str) -> list[list[str]]:
        tokens = rules.MARKDOWN.parse(pages.text(game, language))
        cells = [one.content for before, one in pairwise(tokens) if before.type == "td_open"]
        return [re.findall(r"[+−]?\d+", cell) for cell in cells]

    differ = [(a, b) for a, b in zip(figures("en"), figures("fr"), strict=True) if Counter(a) != Counter(b)]
    assert differ == []


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_stands_on_the_page_in_both_languages(game: str) -> None:
    listed = pages.clauses(game)
    numbers = {*listed.of_sentence.values(), *listed.usual.values()}
    for language in LANGUAGES:
        anchors = rules.anchors(listed.page, language)
        assert numbers <= set(anchors)
        assert len(anchors) == len(set(anchors))


def test_pages_and_pictures_are_current() -> None:
    """`make pictures-rules` writes them again."""
    stale = [str(path) for path, text in story.files() if path.read_text("utf-8") != text]
    assert stale == []
    assert len(list(pages.PICTURES.iterdir())) == 4 * len(GAMES)


def test_the_address_of_a_clause_is_that_of_its_page() -> None:
    for language in LANGUAGES:
        with translation.override(language):
            assert clauses.address(pages.Clause("sept", "4.2"), language) == rules.address("sept", "4.2")


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_a_page_has_its_clauses_its_cards_and_its_pictures(client: Client) -> None:
    text = client.get("/fr/games/comon/").content.decode()
    tags = Tags(text).found
    ids = {attrs.get("id") for _tag, attrs in tags}
    assert {"1", "4", "4.2", "13"} <= ids
    assert {"#4", "#13"} <= {attrs.get("href") for _tag, attrs in tags}
    cards = [attrs for _tag, attrs in tags if attrs.get("class") == "card"]
    assert {"QS", "JH"} <= {card["data-card"] for card in cards}, "D♠ and V♥, as a French player says them"
    for _tag, attrs in tags:
        if _tag == "img":
            answer = client.get(attrs["src"])
            assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert [attrs["src"] for tag, attrs in tags if tag == "img"] == [
        static("rules/comon-deal.fr.svg"),
        static("rules/comon-play.fr.svg"),
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_players_read_nothing_that_programs_alone_want_to_know(game: str, language: str) -> None:
    html = rules.rendered(game, language).html
    shown = re.sub("(?s)<details.*?</details>", "", html)
    assert (shown == html) == (" JSON" not in html), "it is told, folded away"
    for word in ("JSON", "python -m", "engines/", ".py"):
        assert word not in shown, word


def test_pages_lead_to_each_other(client: Client) -> None:
    listed = Tags(client.get("/en/games/").content.decode()).found
    assert {f"/en/games/{game}/" for game in GAMES} <= {attrs.get("href") for _tag, attrs in listed}
    other = Tags(client.get("/fr/games/heritiers/").content.decode()).found
    assert "/fr/games/demons/" in {attrs.get("href") for _tag, attrs in other}
    assert client.get("/fr/games/nothing/").status_code == 404


def test_html_in_the_rules_is_shown_and_not_obeyed() -> None:
    assert "<script" not in rules.MARKDOWN.renderer.render(
        rules.MARKDOWN.parse("<script>alert(1)</script>"), rules.MARKDOWN.options, {"language": "en"}
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "address"),
    [
        ({"sheet": {"outcome": "normal", "tricks": [5, 3, 3]}}, "/en/games/comon/#8"),
        ({"sheet": {"outcome": "fault"}}, "/en/games/comon/#8"),
    ],
)
def test_a_refused_result_leads_to_the_clause(world: World, content: dict[str, Any], address: str) -> None:
    play = plays_of(world.session)[0]
    hand_in(world, play, content)
    work(world.session)
    refused = play.submissions.get()
    assert refused.refusal["en"]["clause"] == address
    assert refused.refusal["fr"]["clause"] == address.replace("/en/", "/fr/")
    director = a_director(world.session, kind=RoleKind.SCORER)
    director.open(reverse("desk-play", args=[world.session.pk, play.pk]))
    assert f'href="{address}"' in director.text


@pytest.mark.django_db
def test_a_table_is_led_from_its_refused_result_to_the_clause(world: World, client: Client) -> None:
    link, code = linked(world)
    wrong = {"outcome": "normal", "tricks": [5, 3, 3]}
    table_links.hand_in(link=link, board=first_board(link), key=uuid4(), sheet=wrong)
    work(world.session)
    text = client.get(reverse("table-page", args=[code])).content.decode()
    assert "/en/games/comon/#8" in text
