"""The texts to translate, collected from the code and compiled, with Babel alone.

`make locale` runs `collect`: new texts appear in the .po files, those that are gone disappear, and
the .mo files are written. test_locale.py checks that nothing is missing and nothing is stale.
"""

import io
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
KEYWORDS = {
    "Phrase": None,
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}
FIRST_COLLECTED = datetime(2026, 11, 22, tzinfo=UTC)
DOMAINS = {"engines": "engines", "scoring": "scoring", "tournaments": "django", "frontend": "django"}


def po_path(package: str) -> Path:
    return ROOT / package / "locale" / "fr" / "LC_MESSAGES" / f"{DOMAINS[package]}.po"


def template(package: str) -> Catalog:
    """All texts of a package: its modules, and its templates as Django itself reads them."""
    found = Catalog(project="Étui", charset="utf-8")
    for path in sorted((ROOT / package).rglob("*")):
        if path.suffix == ".py" and "migrations" not in path.parts:
            source = path.read_bytes()
        elif path.suffix == ".html" or (path.suffix == ".txt" and "templates" in path.parts):  # pages, mails
            source = templatized(path)
        else:
            continue
        place = str(path.relative_to(ROOT))
        for _line, text, _comments, context in extract("python", io.BytesIO(source), KEYWORDS):
            found.add(text, locations=[(place, None)], context=context)
    return found


def templatized(path: Path) -> bytes:
    from django.utils.translation.template import templatize

    return templatize(path.read_text("utf-8"), origin=str(path)).encode()


def translated(package: str) -> Catalog:
    path = po_path(package)
    if not path.exists():
        return Catalog(locale="fr", charset="utf-8", project="Étui")
    with path.open("rb") as file:
        return read_po(file, locale="fr")


def collect(package: str) -> Catalog:
    """The translations brought up to date with the code."""
    catalogue = translated(package)
    catalogue.update(template(package), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.fuzzy = False
    catalogue.creation_date = FIRST_COLLECTED  # or every collection would differ
    catalogue.header_comment = "# Étui in French."
    return catalogue


def is_translated(message: Message) -> bool:
    """Whether a text has its French; one that counts something has it in the singular and in the plural."""
    return bool(message.string) and all(message.string)


SIGNS = re.compile(r"[ \N{NO-BREAK SPACE}](?=[:;?!»]|%%|%(?![(sd]))|(?<=«)[ \N{NO-BREAK SPACE}]")


def compiled(catalogue: Catalog) -> Catalog:
    """The translations as they are read: a narrow space that does not break stands before the signs that
    French sets off, and behind «."""
    for message in catalogue:
        if message.id and message.string:
            message.string = _fixed(message.string)
    return catalogue


def _fixed(text: Any) -> Any:
    return SIGNS.sub("\N{NARROW NO-BREAK SPACE}", text) if isinstance(text, str) else tuple(map(_fixed, text))


def write(package: str, catalogue: Catalog) -> None:
    path = po_path(package)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=110, omit_header=False, sort_output=True, include_lineno=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, compiled(catalogue))


def main() -> None:
    import django
    from django.conf import settings

    if not settings.configured:
        settings.configure(USE_I18N=True)
        django.setup()
    for package in DOMAINS:
        catalogue = collect(package)
        write(package, catalogue)
        missing = [message.id for message in catalogue if message.id and not is_translated(message)]
        print(f"{package}: {len(catalogue)} texts, {len(missing)} without a translation")
        for text in missing:
            print(f"    {text!r}")


if __name__ == "__main__":
    sys.exit(main())
