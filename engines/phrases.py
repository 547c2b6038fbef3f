"""Sentences and names that a reader may want in French: kept as facts, put into words when shown."""

from collections.abc import Sequence
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "fr")
QUOTED = 40
"""So many characters of what somebody has written a sentence quotes at most."""
_catalogues = [("engines", Path(__file__).parent / "locale")]


class Phrase:
    """An English sentence with named places, and the values that go there.

    The English text is the key of its translation. Pickles, compares and hashes by its facts.

    >>> str(Phrase("must be one of: {values}", values="fault, annulled"))
    'must be one of: fault, annulled'
    >>> Phrase("must be one of: {values}", values="fault, annulled").to("fr")
    'doit être l’un de\\u202f: fault, annulled'
    """

    __slots__ = ("text", "values")

    def __init__(self, text: str, /, **values: Any) -> None:
        self.text = text
        self.values = values

    def to(self, language: str) -> str:
        """The phrase in a language: "en" or "fr"; values that are phrases are translated too."""
        values = {
            name: value.to(language) if isinstance(value, Phrase) else value
            for name, value in self.values.items()
        }
        sentence = _catalogue(language).gettext(self.text)
        return sentence.format(**values) if values else sentence

    def __str__(self) -> str:
        return self.to("en")

    def __repr__(self) -> str:
        return f"Phrase({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Phrase):
            return NotImplemented
        return (self.text, self.values) == (other.text, other.values)

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return _phrase, (self.text, self.values)


def _phrase(text: str, values: dict[str, Any]) -> Phrase:
    return Phrase(text, **values)


@cache
def _catalogue(language: str) -> NullTranslations:
    if language == "en":
        return NullTranslations()
    catalogue = NullTranslations()
    for domain, folder in _catalogues:
        catalogue.add_fallback(translation(domain, folder, [language]))
    return catalogue


def look_up_in(domain: str, folder: Path) -> None:
    """Let another package's phrases be translated by its own catalogue."""
    if (domain, folder) not in _catalogues:
        _catalogues.append((domain, folder))
        _catalogue.cache_clear()


def brief(text: str) -> str:
    """What somebody has written, as a sentence quotes it: of a long text the beginning.

    >>> brief("fault"), brief("x" * 99) == "x" * 39 + "…"
    ('fault', True)
    """
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"


def enumeration(phrases: Sequence[Phrase]) -> Phrase:
    """Several phrases, at least one, with commas between them."""
    first, *others = phrases
    for other in others:
        first = Phrase("{first}, {second}", first=first, second=other)
    return first
