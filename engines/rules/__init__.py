"""The rules as players read them, beside the games that follow them.

For each game: its page in English and in French (`<id>.md`, `<id>.fr.md`), a deal in pictures (`pictures/`),
and which clause of the page a refusal appeals to (`<id>.toml`). A clause is a section of the page (`4`), or
one of the paragraphs there that begin with their name in bold, counted (`4.2`): the same in both languages.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..errors import BadDeal, BadField, EngineError, IllegalAction
from ..phrases import Phrase

FOLDER = Path(__file__).parent
PICTURES = FOLDER / "pictures"
KINDS: dict[type[EngineError], str] = {IllegalAction: "play", BadField: "sheet", BadDeal: "deal"}


@dataclass(frozen=True, slots=True)
class Clause:
    """A place in the rules. `page`: the game whose page it stands on."""

    page: str
    number: str


@dataclass(frozen=True, slots=True)
class Clauses:
    """What refusals of a game appeal to. `usual`: by the kind of refusal, where no sentence is listed."""

    page: str
    usual: Mapping[str, str]
    of_sentence: Mapping[str, str]

    def of(self, kind: str, reason: Phrase) -> Clause:
        listed = (self.of_sentence[text] for text in _sentences(reason) if text in self.of_sentence)
        return Clause(self.page, next(listed, self.usual[kind]))

    @property
    def of_sheet(self) -> Clause:
        """What the page says of the result sheet."""
        return Clause(self.page, self.usual["sheet"])


@cache
def text(game: str, language: str) -> str:
    """The page of a game, in Markdown."""
    return path(game, language).read_text("utf-8")


def title(game: str, language: str) -> str:
    """What stands over the page of a game: its name, or those of the games whose rules it holds.

    >>> title("tarot-double-detente", "en")
    'Tarot double détente, and Triple-Détente'
    """
    return text(game, language).partition("\n")[0].removeprefix("# ")


@cache
def sentence(game: str, language: str) -> str:
    """What a game is: the first sentence of its page, without its marks.

    >>> sentence("belote-noisette", "en")
    'A belote for three with thirty nuts and a pot.'
    """
    paragraph = text(game, language).split("\n\n")[1].replace("\n", " ")
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", paragraph).replace("*", "")
    return plain.partition(". ")[0].removesuffix(".") + "."


def path(game: str, language: str) -> Path:
    return FOLDER / (f"{game}.md" if language == "en" else f"{game}.{language}.md")


@cache
def clauses(game: str) -> Clauses:
    table = tomllib.loads((FOLDER / f"{game}.toml").read_text("utf-8"))
    if "like" in table:  # one page holds the rules of both
        return clauses(table["like"])
    listed = {sentence: number for number, sentences in table["clauses"].items() for sentence in sentences}
    return Clauses(game, table["usual"], listed)


def clause_of(game: str, error: EngineError) -> Clause | None:
    """Where the rules of a game say what this refusal says; None for what is no rule of it."""
    for kind, name in KINDS.items():
        if isinstance(error, kind):
            return clauses(game).of(name, _reason(error))
    return None


def _reason(error: EngineError) -> Phrase:
    match error:
        case IllegalAction():
            return error.rule
        case BadField():
            return error.constraint
        case BadDeal():
            return error.reason
    raise TypeError(error)


def _sentences(phrase: Phrase) -> Iterator[str]:
    """The English of a phrase, and of those in it."""
    yield phrase.text
    for value in phrase.values.values():
        if isinstance(value, Phrase):
            yield from _sentences(value)
