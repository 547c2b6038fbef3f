"""The rules of the games as pages: a list of them, and each in the reader's language, from its Markdown."""

import re
import unicodedata
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from engines import registry, rules
from engines.contract import Game

from . import presentation
from .templatetags.cards import card

SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
RANKS = {"en": {"10": "T"}, "fr": {"10": "T", "R": "K", "D": "Q", "V": "J"}}
PRINTED = re.compile(r"(?<!\w)(10|[2-9AKQJCRDV])([♠♥♦♣])")
TOKENS = re.compile(r"(([0-9A-Z]{1,2}[SHDCT]|EX|JK[0-9]?)( |$))+")
FOR_PROGRAMS = ("For programs", "Pour les programmes")
PAGE = re.compile(r"([a-z0-9-]+?)(\.[a-z]{2})?\.md(#.*)?")


@dataclass(frozen=True, slots=True)
class RulesPage:
    """`contents`: the number and the title of each section."""

    html: SafeString
    contents: Sequence[tuple[str, str]]


@cache
def rendered(game: str, language: str) -> RulesPage:
    """The page of a game. Its clauses have their numbers as anchors, its cards are drawn as everywhere."""
    with translation.override(language):
        tokens = MARKDOWN.parse(rules.text(game, language))
        contents = _with_anchors(tokens)
        _fold_for_programs(tokens)
        html: str = MARKDOWN.renderer.render(tokens[3:], MARKDOWN.options, {"language": language})
    return RulesPage(mark_safe(html), contents)  # noqa: S308 (HTML in the Markdown is not let through)


def _with_anchors(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """Gives each section its number as an anchor, and each paragraph there that begins with its name in bold
    the section's number and its own. The sections."""
    contents, section, count = [], "", 0
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h2":
            section, _dot, title = inline.content.partition(". ")
            count = 0
            opening.attrs["id"] = section
            contents.append((section, title))
        elif opening.type == "paragraph_open" and opening.level == 0 and inline.content.startswith("**"):
            count += 1
            opening.attrs |= {"id": f"{section}.{count}", "class": "clause"}
    return contents


def _fold_for_programs(tokens: Sequence[Token]) -> None:
    """Marks the paragraphs that say what programs want to know, which players need not read."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "paragraph_open" and inline.content.startswith(FOR_PROGRAMS):
            opening.meta["is_folded"] = closing.meta["is_folded"] = True


def anchors(game: str, language: str) -> list[str]:
    """All clauses of a page, in their order."""
    tokens = MARKDOWN.parse(rules.text(game, language))
    _with_anchors(tokens)
    return [str(token.attrs["id"]) for token in tokens if "id" in token.attrs]


class Renderer(RendererHTML):
    """Markdown as the site writes it: its cards and tables, and its addresses in links and pictures."""

    def text(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        ranks, language = RANKS[env["language"]], env["language"]

        def drawn(found: re.Match[str]) -> str:
            rank = found[1]
            is_foreign = language != "fr" and rank in RANKS["fr"] and rank not in RANKS["en"]
            return found[0] if is_foreign else card(ranks.get(rank, rank) + SIGNS[found[2]])

        return PRINTED.sub(drawn, escape(tokens[idx].content))

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        if TOKENS.fullmatch(tokens[idx].content):
            return " ".join(card(token) for token in tokens[idx].content.split())
        return str(super().code_inline(tokens, idx, options, env))

    def paragraph_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, _env: Any) -> str:
        text = str(self.renderToken(tokens, idx, options, _env))
        if not tokens[idx].meta.get("is_folded"):
            return text
        words = gettext("For programs")
        return format_html('<details class="more"><summary>{}</summary>', words) + text

    def paragraph_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, _env: Any) -> str:
        text = str(self.renderToken(tokens, idx, options, _env))
        return text + "</details>" if tokens[idx].meta.get("is_folded") else text

    def table_open(self, *_where: Any) -> str:
        return format_html(
            '<div class="sideways" role="group" tabindex="0" aria-label="{}"><table class="table">',
            gettext("Table of the rules"),
        )

    def table_close(self, *_where: Any) -> str:
        return "</table></div>"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, _env: Any) -> str:
        """A corner in which nothing stands is the head of nothing."""
        if not tokens[idx + 1].content:
            tokens[idx].tag = tokens[idx + 2].tag = "td"
        return str(self.renderToken(tokens, idx, options, _env))

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        found = PAGE.fullmatch(str(tokens[idx].attrs.get("href", "")))
        if found is not None:
            tokens[idx].attrs["href"] = address(found[1]) + (found[3] or "")
        return str(self.renderToken(tokens, idx, options, env))

    def image(
        self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: MutableMapping[str, Any]
    ) -> str:
        name, words = str(tokens[idx].attrs["src"]).removeprefix("pictures/"), tokens[idx].content
        return format_html(
            '<img src="{}" alt="{}" width="{}" height="{}">', static(f"rules/{name}"), words, *_size(name)
        )


def _size(picture: str) -> tuple[str, str]:
    """The width and the height that a picture says it has."""
    found = re.search(r'viewBox="0 0 (\d+) (\d+)"', (rules.PICTURES / picture).read_text("utf-8"))
    assert found is not None
    return found[1], found[2]


MARKDOWN = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")


def address(game: str, clause: str = "") -> str:
    """Where the rules of a game stand, in the reader's language."""
    page = reverse("rules-page", args=[game])
    return f"{page}#{clause}" if clause else page


@gzip_page
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """Every game of the service, in the order of the names in the reader's language."""
    language = translation.get_language()[:2]
    shown = [_shown(game, language) for game in registry.games().values()]
    shown.sort(key=lambda one: _plain(one["name"]))
    return render(request, "frontend/games.html", {"games": shown})


def _plain(name: str) -> str:
    """A name as lists are sorted: without its article and its accents.

    >>> _plain("L’Hombre"), _plain("Bésigue chinois")
    ('hombre', 'besigue chinois')
    """
    letters = unicodedata.normalize("NFD", name.casefold().removeprefix("l’").removeprefix("l'"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _shown(game: Game[Any], language: str) -> dict[str, Any]:
    options = [option.meaning.to(language) for option in game.options]
    shown = presentation.in_short(game, language)
    return shown | {"options": options, "sentence": rules.sentence(game.id, language)}


@gzip_page
@require_safe
def page(request: HttpRequest, game: str) -> HttpResponse:
    if game not in registry.games():
        raise Http404
    language = translation.get_language()[:2]
    shown = rendered(game, language)
    context = {"one": _shown(registry.game(game), language), "page": shown}
    return render(request, "frontend/rules.html", context)
