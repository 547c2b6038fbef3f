"""Nothing is left in English: every text has its French, and the compiled files are up to date."""

import ast
import io
import re
from collections.abc import Sequence

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo

from . import locale

every_package = pytest.mark.parametrize("package", locale.DOMAINS)


@every_package
def test_every_text_is_in_the_catalogue_and_translated(package: str) -> None:
    wanted = {(message.id, message.context) for message in locale.template(package) if message.id}
    catalogue = locale.translated(package)
    held = {(message.id, message.context) for message in catalogue if message.id}
    assert held == wanted, "run make locale"
    assert [message.id for message in catalogue if message.id and not locale.is_translated(message)] == []


@every_package
def test_a_text_stands_where_it_is_collected(package: str) -> None:
    """A sentence that reaches the call by a name is in no catalogue, and stays English."""
    hidden = []
    for path in sorted((locale.ROOT / package).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
        sentences = {
            target.id
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name) and isinstance(node.value.value, str) and " " in node.value.value
        }
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[0]
                if node.func.id in locale.KEYWORDS and isinstance(first, ast.Name) and first.id in sentences:
                    hidden.append((path.name, node.lineno))
    assert hidden == []


@every_package
def test_translations_keep_the_places_of_values(package: str) -> None:
    def places(text: str) -> list[str]:
        return sorted(re.findall(r"\{\w+\}|%\(\w+\)[sd]", text))

    for message in locale.translated(package):
        if isinstance(message.id, str) and message.id:
            assert places(str(message.string)) == places(message.id), message.id


@every_package
def test_the_compiled_catalogue_is_the_one_that_people_edit(package: str) -> None:
    path = locale.po_path(package).with_suffix(".mo")
    expected = io.BytesIO()
    write_mo(expected, locale.compiled(locale.translated(package)))
    compiled, edited = read_mo(io.BytesIO(path.read_bytes())), read_mo(io.BytesIO(expected.getvalue()))
    assert texts(compiled) == texts(edited)


@every_package
def test_signs_of_a_french_text_stand_off_by_a_narrow_space(package: str) -> None:
    path = locale.po_path(package).with_suffix(".mo")
    read = texts(read_mo(io.BytesIO(path.read_bytes())))
    assert [
        french
        for text, _context, french in read
        if text and re.search("[ \N{NO-BREAK SPACE}]([:;?!»]|%%|%(?![(sd]))|«[ \N{NO-BREAK SPACE}]", french)
    ] == []


# ── One word for one thing: docs/words.md ─────────────────────────────────────────────────────────

PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]*>|`[^`]*`")
NAMES = r"(?:name|person|player|account|member|club|admin)"
CUT_SHORT = re.compile(rf"\b(?:de|que|ne|se|jusque|lorsque) (?:%\({NAMES}\)|\{{{NAMES}\}})", re.IGNORECASE)


def refused_words() -> tuple[list[str], list[str]]:
    """The words that are not ours, in English and in French."""
    lines = re.findall(r"^\|(.+)\|$", (locale.ROOT / "docs" / "words.md").read_text("utf-8"), re.M)
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    refused = [line[2:] for line in cells if len(line) == 4 and line[0] not in {"English", "---"}]
    english, french = (
        [word.strip() for cell in cells for word in cell.split(",") if word.strip()]
        for cells in zip(*refused, strict=True)
    )
    return english, french


@every_package
def test_texts_use_our_words(package: str) -> None:
    wrong: list[str] = []
    for message in locale.translated(package):
        for text, refused in zip((message.id, message.string), refused_words(), strict=True):
            plain = PLACES.sub("…", text if isinstance(text, str) else "\n".join(text))
            found = re.search(rf"(?<![\w-])(?:{'|'.join(refused)})s?(?![\w-])", plain, re.IGNORECASE)
            wrong += [f"{found[0]}: {text}"] if found else []
    assert wrong == [], "docs/words.md has another word"


@every_package
def test_no_vowel_is_left_before_a_name_that_may_begin_with_one(package: str) -> None:
    """« Le compte de Odile »."""
    french = [locale_text for message in locale.translated(package) if (locale_text := str(message.string))]
    assert [text for text in french if CUT_SHORT.search(text)] == []


def test_the_words_that_are_not_ours_are_found() -> None:
    english, french = refused_words()
    assert {"referee", "email"} <= set(english)
    assert {"arbitre", "courriel"} <= set(french)
    assert CUT_SHORT.search("Le compte de %(name)s est effacé")


def texts(catalogue: Catalog) -> set[tuple[str, str | None, str]]:
    """Each text with its translation; singular and plural of one that counts are on lines of their own."""

    def lines(text: str | Sequence[str]) -> str:
        return text if isinstance(text, str) else "\n".join(text)

    return {(lines(m.id), m.context, lines(m.string or "")) for m in catalogue}
