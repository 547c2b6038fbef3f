"""Nothing is left in English: every text has its French, and the compiled files are up to date."""

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
    write_mo(expected, locale.compiled(package, locale.translated(package)))
    compiled, edited = read_mo(io.BytesIO(path.read_bytes())), read_mo(io.BytesIO(expected.getvalue()))
    assert texts(compiled) == texts(edited)


@pytest.mark.parametrize("package", locale.PAGES)
def test_no_line_of_a_french_page_begins_with_a_sign(package: str) -> None:
    path = locale.po_path(package).with_suffix(".mo")
    read = texts(read_mo(io.BytesIO(path.read_bytes())))
    assert [french for text, _context, french in read if text and re.search(" [:;?!»]|« ", french)] == []


def texts(catalogue: Catalog) -> set[tuple[str, str | None, str]]:
    """Each text with its translation; singular and plural of one that counts are on lines of their own."""

    def lines(text: str | Sequence[str]) -> str:
        return text if isinstance(text, str) else "\n".join(text)

    return {(lines(m.id), m.context, lines(m.string or "")) for m in catalogue}
