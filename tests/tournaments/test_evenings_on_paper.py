"""Club evenings from what was printed alone: the boards are dealt from the lists, who plays what where and
what is asked is read off the slips, and the results come back in the workbook of the service, by the page
where a slip of the pen is mended. The ranking is that of the same evening on phones, which the squares of the
printed table cards have let in."""

import html
import io
import json
import re
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pypdfium2 as pdfium
import pytest
import zxingcpp
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from engines import bots, by_hand, registry
from tournaments.models import Role, Session, Submission, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.printing.paper import shortened
from tournaments.services import (
    accounts,
    board_sets,
    custody,
    prints,
    result_files,
    roles,
    sessions,
    states,
    table_links,
    tokens,
)
from tournaments.services.roles import RolePlace

from .test_result_files import typed
from .worlds import a_club, plays_of, standings_of, work

pytestmark = pytest.mark.django_db

PEOPLE = ["Anne Roux", "Noé Quéméner", "Zoé Nguyễn", "Œdipe Le Goff", "Chloé Őry", "Yann Ó Súilleabháin"]
PEOPLE += [
    "Marie-Ange de Villeneuve",
    "Inès Škvorecký",
    "Ulysse Petit",
    "Maëlys Łukasz",
    "Jean Dufour",
    "Léa Bé",
]
PEOPLE += ["Gaspard Lemoine", "Hélène d’Artagnan", "Rémi Van", "Éléonore Durand"]

Ranking = list[tuple[str, str, Any]]


def an_evening(game: str, count: int, movement: str, rounds: int) -> Session:
    club = a_club("Cercle de l’Étui")
    organiser, _text = tokens.issue_for_role(person="Odile", club=club, kind=Role.Kind.ORGANISER)
    return sessions.set_up(
        tournament=Tournament.objects.create(club=club, name="Mardis"),
        actor=organiser,
        name="Mardi",
        game=game,
        options={},
        method="matchpoints",
        movement=movement,
        contestants=PEOPLE[:count],
        names_may_be_published=True,
        boards_per_round=2,
        rounds=rounds,
    )


def an_account(session: Session, kind: RoleKind) -> Any:
    account = accounts.create(name=f"{kind} Lola")
    roles.grant(account=account, kind=kind, place=RolePlace(session=session), actor=None)
    return account


def printed(session: Session, account: Any, kind: str) -> pdfium.PdfDocument:
    wish: dict[str, Any] = {"kinds": [kind], "language": "fr", "size": "A4", "base": "https://etui.example"}
    return pdfium.PdfDocument(prints.make(session=session, actor=account, **wish).content)


def pages_of(session: Session, account: Any, kind: str) -> list[str]:
    """The text of each page of a print."""
    return [page.get_textpage().get_text_range() for page in printed(session, account, kind)]


def played(session: Session) -> dict[int, dict[str, Any]]:
    """By play, what came of it: robots play it, at each table another way."""
    game, found = registry.game(session.game), {}
    seats = game.seat_count(session.conditions)
    for play in plays_of(session):
        random = bots.randomness(play.table.number, play.board.number)
        players = [bots.sensible if random.random() < 0.8 else bots.at_random for _seat in range(seats)]
        state = game.start(board_sets.deal_of(session, play.board.number), session.options)
        bots.play_on(game, state, players, random)
        found[play.pk] = dict(game.summarise(state))
    return found


def dealt(session: Session) -> dict[int, dict[str, list[str]]]:
    """By board, the cards of each place, as the lists say them to whoever has custody."""
    officer = an_account(session, RoleKind.DEAL_OFFICER)
    custody.take(session=session, account=officer, signed_in_again_at=timezone.now())
    found: dict[int, dict[str, list[str]]] = {}
    for page in pages_of(session, officer, "dealing-lists"):
        board = int(re.findall(r"Étui (\d+)", page)[0])
        _by_card, _words, by_place = page.partition("Place par place")
        places = found.setdefault(board, {})
        for line in by_place.splitlines():
            if match := re.match(r"Place (\d) (.*)", line):
                places[match[1]] = match[2].split()
    return found


def written(token: str) -> str:
    """A card as the French write it."""
    if token.startswith("JK"):
        return "Joker"
    rank = {"T": "10", "K": "R", "Q": "D", "J": "V"}.get(token[:-1], token[:-1])
    return rank + dict(zip("SHDC", "♠♥♦♣", strict=True))[token[-1]]


@dataclass(frozen=True)
class ReadSlip:
    """What a slip says of a board: where it is played, by whom, and the words that it asks."""

    section: str
    round: int
    table: int
    board: int
    people: list[str]
    words: str


def slips_of(session: Session, scorer: Any) -> list[ReadSlip]:
    found = []
    for page in pages_of(session, scorer, "slips"):
        ((table, round_),) = re.findall(r"Table (\d+), tour (\d+)", page)
        for part in re.split(r"Étui (?=\d)", page)[1:]:
            board = int(re.findall(r"^\d+", part)[0])
            # A name may break after its hyphen: pdfium tells it then as U+FFFE, or with a space.
            text = " ".join(part.split()).replace("\ufffe", "-").replace("- ", "-")
            seen = {one: max(text.find(one), text.find(shortened(one))) for one in PEOPLE}
            people = sorted((one for one, at in seen.items() if at >= 0), key=seen.__getitem__)
            found.append(ReadSlip("A", int(round_), int(table), board, people, text.casefold()))
    return found


def by_phone(session: Session, scorer: Any, sheets: dict[int, dict[str, Any]]) -> None:
    """By the squares of the table cards, as phones read them off the paper: each opens the page of its table,
    which takes what the phone sends."""
    table_links.make(session=session, actor=scorer)
    phones = {}
    for page in printed(session, scorer, "table-cards"):
        for square in zxingcpp.read_barcodes(page.render(scale=3).to_pil()):
            client, path = Client(HTTP_HOST="localhost"), square.text.removeprefix("https://etui.example")
            opened = client.get(path, follow=True)
            assert opened.status_code == 200
            link = table_links.with_code(path.removeprefix("/t/"))
            assert link is not None
            phones[link.table_id] = client, opened.redirect_chain[-1][0]
    for play in plays_of(session):
        client, home = phones[play.table_id]
        said = {"board": play.board.number, "key": str(uuid4()), "sheet": sheets[play.pk], "seat": 1}
        answer = client.post(f"{home}results/", json.dumps(said), content_type="application/json")
        assert answer.status_code in (200, 201, 202), answer.content


def from_slips(session: Session, scorer: Any, sheets: dict[int, dict[str, Any]]) -> None:
    """What was written on the slips, typed into the workbook of the page, and brought there. The first cell
    is mistyped: the page says so, and it is mended in its field."""
    client, address = Client(HTTP_HOST="localhost"), f"/fr/desk/sessions/{session.pk}/results/"
    client.force_login(scorer)
    book = load_workbook(io.BytesIO(client.get(f"{address}xlsx/").content))
    grid = book.worksheets[0]
    right = _fill_in(session, scorer, grid, sheets)
    line, name = next(place for place in right if isinstance(right[place], int | str))
    at = [one.name for one in result_files.columns_of(session, "fr")].index(name) + 1
    grid.cell(row=line, column=at).value = "x"
    kept = io.BytesIO()
    book.save(kept)
    brought = SimpleUploadedFile("soiree.xlsx", kept.getvalue())
    page = client.post(address, {"file": brought}).content.decode()
    wrong = f"cell-{line}-{name}"
    assert re.findall(r'<(?:input|textarea [^>]*) id="(cell-[^"]+)"', page) == [wrong]
    assert "hand_in" not in page
    mended = {"text": _text_in(page), wrong: str(right[line, name])}
    page = client.post(address, mended).content.decode()
    assert "hand_in" in page
    assert not Submission.objects.filter(play__table__section__session=session).exists()
    assert client.post(address, {"text": _text_in(page), "hand_in": "1"}).status_code == 302


def _text_in(page: str) -> str:
    """The file that a page has shown, as its form brings it again."""
    return html.unescape(re.findall(r'name="text" value="([^"]*)"', page)[0])


def _fill_in(
    session: Session, scorer: Any, grid: Any, sheets: dict[int, dict[str, Any]]
) -> dict[tuple[int, str], Any]:
    """Type what stands on the slips into the rows of a workbook; what was typed, by line and column."""
    game, columns = registry.game(session.game), result_files.columns_of(session, "fr")
    lines = {tuple(row[:4]): line for line, row in enumerate(grid.values, 1)}
    results = {
        (play.table.section.name, play.table.number, play.board.number): sheets[play.pk]
        for play in plays_of(session)
    }
    own, found = [column for column in columns if column.field is not None], {}
    for slip in slips_of(session, scorer):
        sheet = results.pop((slip.section, slip.table, slip.board))
        line = lines[slip.section, slip.round, slip.table, slip.board]
        row = [cell.value for cell in grid[line]]
        assert set(slip.people) == {row[4 + seat] for seat in range(game.seat_count(session.conditions))}
        for column in own:
            assert column.field is not None
            value = sheet.get(column.field.name)
            if column.seat is not None and value is not None:
                value = value[column.seat - 1]
            if value is not None:
                assert column.field.label.to("fr").casefold() in slip.words, "nobody could write it down"
            if column.field.name in sheet:
                found[line, column.name] = typed(game, column.field, value, row, "fr")
                grid.cell(row=line, column=columns.index(column) + 1).value = found[line, column.name]
    assert not results  # every play has its slip
    return found


def ranked(session: Session) -> Ranking:
    work(session)
    states.finish(session=session, actor=None)
    session = Session.objects.select_related("tournament__club", "board_set").get(pk=session.pk)
    assert (
        not Submission.objects.filter(play__table__section__session=session)
        .exclude(state="accepted")
        .exists()
    )
    return [(one.contestant.name, one.rank, one.total.value) for one in standings_of(session)]


@pytest.mark.parametrize(
    ("game", "count", "movement", "rounds"),
    [
        *[("hombre", 13, "annealed", 6), ("cochonnet", 16, "whist", 15), ("loba", 10, "annealed", 6)],
        ("cochonnet", 8, "howell", 7),  # as pairs, who stand once at their side
    ],
)
def test_an_evening_from_printed_pages_is_ranked_as_on_phones(
    game: str, count: int, movement: str, rounds: int
) -> None:
    session = an_evening(game, count, movement, rounds)
    scorer, sheets = an_account(session, RoleKind.SCORER), played(session)
    for board, places in dealt(session).items():
        true = by_hand.by_seat(registry.game(game), board_sets.deal_of(session, board))
        for seat, cards in true.items():
            if seat.isdigit():
                assert sorted(places[seat]) == sorted(map(written, cards))
    with transaction.atomic():
        by_phone(session, scorer, sheets)
        on_phones = ranked(session)
        transaction.set_rollback(True)
    session = Session.objects.select_related("tournament__club", "board_set").get(pk=session.pk)
    from_slips(session, scorer, sheets)
    on_paper = ranked(session)
    assert len(on_paper) == count
    assert len({value for _name, _rank, value in on_paper}) > count / 2, "what came of it tells them apart"
    assert on_paper == on_phones
    session = Session.objects.select_related("tournament__club", "board_set").get(pk=session.pk)
    hung_up = " ".join(" ".join(pages_of(session, scorer, "ranking")).split())
    places = [hung_up.index(f"{rank} {name}") for name, rank, _value in on_paper]
    assert places == sorted(places)
