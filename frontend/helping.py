"""Help beside forms, and on a page of its own: the sections of docs/help.md, in the reader's language."""

from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from .views import language

TOPICS = (
    *("players", "game", "contestants", "movement", "boards", "comparison", "roles"),
    *("templates", "slips", "rulings", "changes", "lists"),
    *("evening", "substitutes", "fees", "objections", "catalogue", "formulas", "seasons", "events"),
    *("registration", "prints", "resultfile", "rehearsal", "deals", "club", "tables", "links"),
)
"""The sections of the pages, in their order."""

HERE = Path(__file__).parent
FOLDER = next(
    place for place in (HERE / "docs", HERE.parent / "docs") if place.is_dir()
)  # as pip installs it first
MARKDOWN = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True, slots=True)
class HelpSection:
    """`words`: its text alone, as it is searched."""

    topic: str
    title: str
    html: SafeString
    words: str

    @property
    def address(self) -> str:
        return f"{reverse('help')}#{self.topic}"


@cache
def sections(of: str) -> dict[str, HelpSection]:
    """All sections in a language, by topic."""
    name = "help.fr.md" if of == "fr" else "help.md"
    parts = (FOLDER / name).read_text("utf-8").split("\n## ")[1:]
    found = {}
    for topic, part in zip(TOPICS, parts, strict=True):
        title, _end, text = part.partition("\n")
        html = mark_safe(MARKDOWN.render(text))  # noqa: S308 (HTML in the Markdown is not let through)
        found[topic] = HelpSection(topic, title, html, unescape(strip_tags(html)))
    return found


@gzip_page
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """All of it."""
    return render(request, "frontend/help.html", {"sections": sections(language()).values()})
