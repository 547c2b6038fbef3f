"""A golden deal of each game in pictures, what was said and what came of it: the last section of its rules.

`make pictures-rules` writes the pictures (`engines/rules/pictures/*.svg`) and the text around them, in both
languages.
"""

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.utils import translation

from engines import records, registry, rules
from engines.contract import Game
from engines.phrases import LANGUAGES
from engines.records import Record
from frontend import presentation
from scoring.rounding import in_units
from tests.engines import goldens
from tests.locale import SIGNS

from .drawing import Row, drawing, printed

SPOKEN = 12  # of a long talk only the beginning is told
LAST = 8  # plays at the end of a deal without tricks
SHOWN = 14  # a pile beside the hands that is larger stays face down
WORDS = {
    "en": {
        "title": "A deal, played out",
        "seat": "Seat {}",
        "dealer": "dealer",
        "about": "An example deal, number {}, played by robots that know the rules and little more.",
        "deal": "The deal",
        "said": "What was said:",
        "more": "and so on",
        "led": "Trick {number}, from the lead: {cards}. Seat {taker} takes it",
        "ahead": " and is ahead in tricks for good.",
        "ended": ". It is the last one.",
        "plays": "The last cards, in the order played: {}.",
        "trick": "Trick {}",
        "last": "The last cards",
        "piles": "The last hand: what lies before each when the weaker one concedes.",
        "table": "What lay on the table in the end, and what was left in the hands.",
        "lies": "On the table",
        "cards": "{} cards face down",
        "count": "| seat | what it is for | points |",
        "score": "**together**",
    },
    "fr": {
        "title": "Une donne jouée",
        "seat": "Place {}",
        "dealer": "donneur",
        "about": "Un exemple : la donne {}, jouée par des robots qui connaissent la règle, et guère plus.",
        "deal": "La donne",
        "said": "Ce qui s’est dit :",
        "more": "et ainsi de suite",
        "led": "Pli {number}, à partir de l’entame : {cards}. La place {taker} le ramasse",
        "ahead": " et reste en tête aux plis jusqu’au bout.",
        "ended": ". C’est le dernier.",
        "plays": "Les dernières cartes, dans l’ordre où elles sont tombées : {}.",
        "trick": "Pli {}",
        "last": "Les dernières cartes",
        "piles": "La dernière main : ce que chacun a devant soi quand le plus faible concède.",
        "table": "Ce qui est étalé à la fin, et ce qui reste en main.",
        "lies": "Sur la table",
        "cards": "{} cartes cachées",
        "count": "| place | pour quoi | points |",
        "score": "**en tout**",
    },
}


@dataclass(frozen=True, slots=True)
class Story:
    """What is shown and told of a golden deal, in one language."""

    game: str
    deal: str  # the pictures, as SVG
    play: str
    text: str  # the section of the rules, in Markdown


def story(game: Game[Any], language: str) -> Story:
    """The deal of the game's sensible golden record: its hands, what was said, the trick or the cards that
    decided it, and what it brought whom."""

    golden = json.loads((goldens.FOLDER / game.id / "sensible.json").read_text("utf-8"))
    record = records.read(golden["record"])
    seats = range(1, game.seat_count(record.conditions) + 1)
    words = WORDS[language]
    steps = presentation.steps(game, record.deal, record.options, golden["record"]["actions"], len(seats))
    play, told = _decision(game, record, steps, len(seats), language)
    facts = presentation.facts(game, golden["outcome"]["facts"], language)
    number = golden["record"]["board"]["number"]
    parts = [
        words["about"].format(number),
        f"![{words['deal']}](pictures/{game.id}-deal.{language}.svg)",
        *_said(game, record, steps, language),
        told,
        f"![{play[0].name}](pictures/{game.id}-play.{language}.svg)",
        _count(facts, golden["outcome"]["scores"], game, words),
    ]
    dealt = _dealt(game, record, golden["deal"].get("dealer"), language)
    return Story(
        game.id,
        drawing(dealt, language),
        drawing(play, language),
        "\n\n".join(wrapped(part) for part in parts if part) + "\n",
    )


def _dealt(game: Game[Any], record: Record, dealer: int | None, language: str) -> list[Row]:

    words = WORDS[language]
    rows = []
    for hand in presentation.hands(game, record.deal):
        is_dealer = f" · {words['dealer']}" if hand["seat"] == dealer else ""
        rows.append(Row(words["seat"].format(hand["seat"]) + is_dealer, hand["cards"]))
    for name, cards in presentation.other_cards(game, record.deal, language):
        hidden = "" if len(cards) <= SHOWN else f" · {words['cards'].format(len(cards))}"
        rows.append(Row(name[:1].upper() + name[1:] + hidden, [] if hidden else cards))
    return rows


def _said(game: Game[Any], record: Record, steps: Sequence[Any], language: str) -> Iterator[str]:

    words = WORDS[language]
    said = [step for step in steps if not step["action"].startswith("play:")]
    speeches = [
        f"* {words['seat'].format(one['seat'])} – {one['words']}"
        + "".join(f" {printed(card, language)}" for card in one["cards"])
        for one in presentation.speeches(game, record.deal, said, language)
    ]
    if len(speeches) > SPOKEN:  # where much is said, nobody misses who said nothing
        passes = game.names["pass"].to(language) if "pass" in game.names else ""
        speeches = [line for before, line in pairwise(["", *speeches]) if line != before]
        speeches = [line for line in speeches if not line.endswith(f"– {passes}")]
    if speeches:
        yield words["said"]
        yield "\n".join(speeches[:SPOKEN] + ([f"* {words['more']}…"] if len(speeches) > SPOKEN else []))


def _decision(
    game: Game[Any], record: Record, steps: Sequence[Any], seats: int, language: str
) -> tuple[list[Row], str]:
    """What decided the deal, as a picture and in words: the trick after which the seat with most tricks was
    ahead for good; without tricks, what lies on the table in the end, or the last cards."""

    words = WORDS[language]
    tricks = presentation.tricks(steps)
    if not any(place.isdigit() for place in game.places(record.deal)):  # hands grow, and the last one is told
        rows = [Row(words["seat"].format(seat), hand) for seat, hand in enumerate(steps[-2]["hands"], 1)]
        return rows, words["piles"]
    if tricks:
        trick, is_lasting = _deciding(tricks, seats)
        cards = [one["card"] for one in trick["cards"]]
        notes = [words["seat"].format(one["seat"]) for one in trick["cards"]]
        takers = [at for at, one in enumerate(trick["cards"]) if one["seat"] == trick["taker"]]
        name = words["trick"].format(trick["number"])
        told = words["led"].format(
            number=trick["number"],
            cards=", ".join(printed(card, language) for card in cards),
            taker=trick["taker"],
        )
        told += words["ahead"] if is_lasting else words["ended"]
        return [Row(name, cards, notes, takers[-1:], apart=True)], told
    if steps[-1]["table"]:
        hands = [
            Row(words["seat"].format(seat), hand) for seat, hand in enumerate(steps[-1]["hands"], 1) if hand
        ]
        return [Row(words["lies"], steps[-1]["table"]), *hands], words["table"]
    played = [step for step in steps if step["action"].startswith("play:")][-LAST:]
    cards = [re.split("[:!=]", step["action"])[1] for step in played]
    notes = [words["seat"].format(step["seat"]) for step in played]
    told = words["plays"].format(", ".join(printed(card, language) for card in cards))
    return [Row(words["last"], cards, notes, apart=True)], told


def _deciding(tricks: Sequence[Any], seats: int) -> tuple[Any, bool]:
    """The trick that puts the seat with most tricks ahead for good, if it is not the last; else the last."""
    taken = [0] * (seats + 1)
    ahead = []
    for trick in tricks:
        taken[trick["taker"]] += 1
        best = max(taken)
        ahead.append(taken.index(best) if taken.count(best) == 1 else 0)
    at = len(tricks) - 1
    while at and ahead[at - 1] == ahead[-1]:
        at -= 1
    return (tricks[at], True) if ahead[-1] and at < len(tricks) - 1 else (tricks[-1], False)


def _count(facts: Sequence[Any], scores: Sequence[int], game: Game[Any], words: dict[str, str]) -> str:

    rows = [words["count"], "|---|---|---|"]
    for seat, score in enumerate(scores, 1):
        own = [fact for fact in facts if fact["seat"] == seat]
        for fact in own:
            value = "" if fact["value"] is None else f" ({fact['value']})"
            points = "" if fact["points"] == "0" else fact["points"]
            rows.append(f"| {seat} | {fact['name']}{value} | {points} |")
        if len(own) != 1:
            rows.append(f"| {seat} | {words['score']} | **{in_units(score, game.unit.divisor)}** |")
    return "\n".join(rows)


def wrapped(part: str) -> str:
    """A paragraph in lines of 110 characters; tables, lists and pictures stay as they are."""
    if part.startswith(("|", "*", "!")):
        return part
    return "\n".join(textwrap.wrap(part, 110, break_long_words=False, break_on_hyphens=False))


# ── The rules' last section ───────────────────────────────────────────────────────────────────────


def page_with(text: str, told: Story, language: str) -> str:
    """The page of a game with its last section as the golden deal tells it now."""
    title = WORDS[language]["title"]
    body = re.split(rf"\n## (?:\d+\. )?{title}\n", text)[0].rstrip("\n")
    sections = re.findall(r"^## (\d+)\. ", body, re.MULTILINE)
    number = f"{int(sections[-1]) + 1}. " if sections else "1. "
    return f"{body}\n\n## {number}{title}\n\n{told.text}"


def files() -> Iterator[tuple[Path, str]]:
    """Every file that the command writes, and what belongs in it."""

    for game in registry.games().values():
        for language in LANGUAGES:
            with translation.override(language):
                told = story(game, language)
            page = rules.path(game.id, language)
            text = page_with(page.read_text("utf-8"), told, language)
            yield page, text if language == "en" else in_french(text)
            yield rules.PICTURES / f"{game.id}-deal.{language}.svg", told.deal
            yield rules.PICTURES / f"{game.id}-play.{language}.svg", told.play


def in_french(text: str) -> str:
    """Narrow spaces before the signs that French sets off, but not in what is typed as it stands."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [SIGNS.sub("\N{NARROW NO-BREAK SPACE}", part) for part in parts[::2]]
    return "".join(parts)
