"""The pictures that messengers and networks show beside an address: of a ranking, of a place in it, of what
came of a board at a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import category, normalize

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import tournaments.printing
from engines import registry
from scoring.rounding import in_units
from tournaments.models import Play, Session
from tournaments.models.open_boards import open_in
from tournaments.services import live_lists, names, rankings, versions

from . import presentation
from .clocks import by_clock
from .places import table_name
from .templatetags.cards import percent, score
from .views import language

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

SIZE = 1200, 630
PLACES = 5
FONTS = Path(tournaments.printing.__file__).parent / "fonts"
FELT, PAPER, INK, INK2, RULE, ONFELT = "#0E4B39", "#FFFDF8", "#1A1F1B", "#4B534C", "#DDD5C3", "#F7F2E4"
TINT = "#E3ECE2"
LEFT, RIGHT, TOP, ROW = 88, 1112, 258, 62
KEPT = 64  # pictures that a process remembers, of some 40 kB


@dataclass(frozen=True, slots=True)
class RankingPicture:
    """What the picture says; equal ones are drawn once."""

    title: str
    about: str
    status: str
    places: tuple[tuple[str, str, str], ...]  # rank or seats, name, score
    own: int = -1  # which of them it is about


@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Of a listed session, as anybody may see its ranking; whoever has the picture already is told so."""
    return _picture(request, told_of(listed(pk)))


@require_safe
def place(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Of the place that a contestant has there, with those around it."""
    session = listed(pk)
    contestant = get_object_or_404(session.contestants, number=number)
    wanted = told_of_place(session, contestant.pk)
    if wanted is None:
        raise Http404
    return _picture(request, wanted)


@require_safe
def board(request: HttpRequest, pk: int, number: int, play: int) -> HttpResponse:
    """Of what came of a board at one table, once anybody may see its traveller."""
    session = listed(pk)
    boards = open_in(session, None)
    plays = Play.objects.filter(board__in=boards, board__number=number).exclude(result=None)
    shown = plays.select_related("table__section", "board", "result").prefetch_related("seatings")
    return _picture(request, told_of_board(session, get_object_or_404(shown, pk=play)))


def listed(pk: int) -> Session:
    sessions = Session.objects.ranking_visible_to(None).select_related("tournament__club", "board_set")
    return get_object_or_404(sessions, pk=pk)


def _picture(request: HttpRequest, wanted: RankingPicture) -> HttpResponse:
    etag = f'"{sha256(repr(wanted).encode()).hexdigest()[:32]}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = HttpResponse(drawn(wanted), content_type="image/png", headers={"ETag": etag})
    answer["Cache-Control"] = "public, max-age=300"
    return answer


def told_of(session: Session) -> RankingPicture:
    newest = live_lists.public_ranking(session)
    standings = rankings.standings(newest, range(PLACES)) if newest is not None else []
    return RankingPicture(session.tournament.name, _about(session), _status(session), _places(standings))


def told_of_place(session: Session, contestant: int) -> RankingPicture | None:
    """None for a contestant who has no place in the list that everybody sees."""
    newest = live_lists.public_ranking(session)
    if newest is None:
        return None
    order = versions.order_of(newest)
    first = 0
    for places in order.groups.values():
        at = next((n for n, one in enumerate(places) if one.contestant == contestant and one.rank), None)
        if at is not None:
            start = max(min(at - PLACES // 2, len(places) - PLACES), 0)
            stop = min(start + PLACES, len(places))
            standings = rankings.standings(newest, range(first + start, first + stop))
            mine = next(n for n, one in enumerate(standings) if one.contestant.pk == contestant)
            about = f"{session.tournament.name} · {_about(session)}"
            name = standings[mine].contestant.name
            return RankingPicture(name, about, _status(session), _places(standings), mine)
        first += len(places)
    return None


def told_of_board(session: Session, play: Play) -> RankingPicture:
    """Each side with what it won."""
    game = registry.game(session.game)
    seated = {one.seat: one.contestant_id for one in play.seatings.all()}
    contestants = names.of_contestants(list(seated.values()), names.ANYONE)
    sides = tuple(
        (
            "–".join(map(str, seats)),
            " – ".join(dict.fromkeys(contestants[seated[seat]].name for seat in seats)),
            in_units(play.result.scores[seats[0] - 1], game.unit.divisor),
        )
        for seats in game.sides_of(session.conditions)
    )
    title = _("Board %(number)s at table %(table)s") % {
        "number": play.board.number,
        "table": table_name(play.table.section.name, play.table.number, several=session.sections.count() > 1),
    }
    about = f"{session.tournament.name} · {_about(session)}"
    return RankingPicture(title, about, _status(session), sides[:PLACES])


def _about(session: Session) -> str:
    parts = (
        session.tournament.club.name,
        session.name,
        presentation.game_name(session, language()),
        by_clock(session, "j F Y"),
    )
    return " · ".join(filter(None, parts))


def _status(session: Session) -> str:
    status = presentation.WORDS.get(session.state)
    return str(status) if status else _("live")


def _places(standings: Sequence[rankings.Standing]) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (one.rank, one.contestant.name, percent(one.total.value) if one.total.top else score(one.total.value))
        for one in standings
        if one.rank and one.total.value is not None
    )


# ── Drawing ───────────────────────────────────────────────────────────────────────────────────────


@lru_cache(KEPT)
def drawn(wanted: RankingPicture) -> bytes:
    from PIL import Image, ImageDraw  # not before somebody asks for a picture

    picture = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((40, 40, 1160, 590), 6, fill=PAPER)
    _write(draw, (LEFT, 66), wanted.title, "garamond", 60, INK, RIGHT - LEFT)
    _write(draw, (LEFT, 148), wanted.about, "inter", 24, INK2, RIGHT - LEFT)
    _write(draw, (LEFT, 186), f"Étui · {wanted.status}", "inter-bold", 24, FELT, RIGHT - LEFT)
    draw.line((LEFT, 238, RIGHT, 238), INK, 3)
    for number, (rank, name, figure) in enumerate(wanted.places):
        top = TOP + ROW * number
        width = draw.textlength(figure, _font("inter-bold", 34))
        if number == wanted.own:
            draw.rectangle((LEFT - 16, top - 5, RIGHT + 16, top + ROW - 7), TINT)
            draw.rectangle((LEFT - 16, top - 5, LEFT - 10, top + ROW - 7), FELT)
        _write(draw, (LEFT, top), rank, "garamond", 42, INK, 90)
        _write(draw, (LEFT + 100, top), name, "garamond", 42, INK, int(RIGHT - LEFT - 140 - width))
        _write(draw, (int(RIGHT - width), top + 6), figure, "inter-bold", 34, INK, int(width) + 1)
        draw.line((LEFT, top + ROW - 6, RIGHT, top + ROW - 6), RULE, 1)
    file = BytesIO()
    picture.quantize(64, Image.Quantize.MAXCOVERAGE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _write(
    draw: "ImageDraw", at: tuple[int, int], text: str, font: str, size: int, colour: str, width: int
) -> None:
    """A line of text, smaller where it would be wider."""
    parts = list(_parts(text, font))
    while size > 12 and sum(draw.textlength(part, _font(one, size)) for one, part in parts) > width:
        size -= 2
    x, y = float(at[0]), at[1]
    for one, part in parts:
        draw.text((x, y), part, fill=colour, font=_font(one, size))
        x += draw.textlength(part, _font(one, size))


def _parts(text: str, font: str) -> Iterator[tuple[str, str]]:
    """A text in parts of one font: letters that few names have are in a file of their own, and those that are
    raised, as in 14ᵉ, in none."""
    own = ""
    of = font
    plain = "".join(normalize("NFKC", one) if category(one) == "Lm" else one for one in text)
    for letter in plain.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"):
        needed = _font_of(letter, font)
        if needed != of and own:
            yield of, own
            own = ""
        own, of = own + letter, needed
    if own:
        yield of, own


def _font_of(letter: str, font: str) -> str:
    is_rare = "\u0100" <= letter <= "\u017f" or "\u0218" <= letter <= "\u021b" or letter == "\u1e9e"
    return f"{font.removesuffix('-bold')}-ext" if is_rare else font


@lru_cache(128)
def _font(name: str, size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.truetype(FONTS / f"{name}.ttf", size)
