"""Results of an evening that is set up, from a spreadsheet and back: every game, every mistake at once,
twice."""

import contextlib
import csv
import html
import io
import json
import re
from typing import Any
from zipfile import ZIP_LZMA, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from engines import bots, registry
from tests.samples import some
from tournaments.models import Account, Result, Session, Submission, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    board_sets,
    brought_results,
    desk_entries,
    evenings,
    result_files,
    result_xml,
    roles,
    spreadsheets,
    states,
)
from tournaments.services.errors import Conflict, Forbidden, Invalid
from tournaments.services.register_files import Effect
from tournaments.services.roles import RolePlace

from .worlds import World, a_club, a_session, played_through, plays_of, standings_of, work

pytestmark = pytest.mark.django_db


def a_scorer(session: Session, name: str = "Sylvie") -> Account:
    account = accounts.create(name=name)
    roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(session=session), actor=None)
    return account


def a_session_of(game: str, **options: Any) -> Session:
    one = registry.game(game)
    is_for_sides = any(len(side) > 1 for side in one.sides_of({}))
    if is_for_sides or one.seats[0] == 2:
        return a_session(game=game, players=4, movement="round-robin", **options)
    movement = "kirkman" if one.seats[0] == 3 else "annealed"
    return a_session(game=game, players=3 * one.seats[0], movement=movement, **options)


def sheets_of(session: Session) -> dict[int, dict[str, Any]]:
    """By play, the sheet of its board as robots play it."""
    game, found = registry.game(session.game), {}
    for play in plays_of(session):
        state = game.start(board_sets.deal_of(session, play.board.number), session.options)
        seats = game.seat_count(session.conditions)
        bots.play_on(game, state, [bots.sensible] * seats, bots.randomness(play.pk))
        found[play.pk] = dict(game.summarise(state))
    return found


def filled(
    session: Session, account: Account, language: str, sheets: dict[int, dict[str, Any]]
) -> list[list[Any]]:
    """The template with these sheets in it, as somebody types them: labels, yes and no, names of those who
    sit there."""
    rows, _choices = result_files.template(session=session, account=account, language=language)
    columns = result_files.columns_of(session, language)
    game = registry.game(session.game)
    at = {(row[0], row[2], row[3]): row for row in rows[1:]}
    for play in plays_of(session):
        row, sheet = at[play.table.section.name, play.table.number, play.board.number], sheets[play.pk]
        for place, column in enumerate(columns):
            field = column.field
            if field is None or field.name not in sheet:
                continue
            value = (
                sheet[field.name]
                if column.seat is None or sheet[field.name] is None
                else sheet[field.name][column.seat - 1]
            )
            row[place] = typed(game, field, value, row, language)
    return rows


def typed(game: Any, field: Any, value: Any, row: list[Any], language: str) -> Any:
    if value is None:
        return "none" if field.nobody else None
    if field.kind == "choice" and value in game.names:
        return game.names[value].to(language)
    if field.kind == "flag":
        return {True: "oui", False: "non"}[value] if language == "fr" else {True: "yes", False: "no"}[value]
    if field.kind == "seat":
        return row[3 + value]
    return value if isinstance(value, int | str) else json.dumps(value)


def as_text(rows: list[list[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("game", some(sorted(registry.games()), one_in=4))
def test_an_evening_of_every_game_comes_back_as_it_was_filled_in(game: str) -> None:
    """By a workbook in French and a text in English; the results are those of the sheets."""
    session = a_session_of(game)
    account, sheets = a_scorer(session), sheets_of(session)
    for language in ("fr", "en"):
        header = [column.title for column in result_files.columns_of(session, language)]
        assert [one.name for one in result_files._header(session, header)] == [
            column.name for column in result_files.columns_of(session, language)
        ]
    rows = filled(session, account, "fr", sheets)
    book = spreadsheets.as_workbook(rows, "Résultats", {0: ["A"], 3: ["1", "2"]})
    text = result_files.text_of(book)
    shown = result_files.preview(session=session, account=account, text=text)
    assert [line.mistakes for line in shown.lines if line.mistakes] == []
    assert len(shown.of_kind(Effect.NEW)) == len(plays_of(session))
    done = result_files.hand_in(session=session, account=account, text=text)
    assert done[Effect.NEW] == len(plays_of(session))
    work(session)
    assert (
        not Submission.objects.filter(play__table__section__session=session)
        .exclude(state="accepted")
        .exists()
    )
    for play in plays_of(session):
        told = {name: value for name, value in sheets[play.pk].items() if value is not None}
        kept = {
            name: value
            for name, value in play.result.submission.content["sheet"].items()
            if value is not None
        }
        assert kept == told
    english = as_text(filled(session, account, "en", sheets))
    with pytest.raises(Conflict):
        result_files.hand_in(session=session, account=account, text=english)
    states.finish(session=session, actor=None)
    xml = result_xml.document(session=Session.objects.get(pk=session.pk), viewer=account)
    again = result_files.preview(session=session, account=account, text=result_files.text_of(xml))
    assert [line.kind for line in again.lines] == [Effect.SAME] * len(plays_of(session))


@pytest.mark.parametrize("option", ["modifications", "all_or_nothing"])
def test_what_only_the_deal_says_of_a_sheet_is_left_to_the_judge(option: str) -> None:
    """A turned card, and who begins with 100 points: the file is read without them, and counted with them."""
    session = a_session_of("tarot-double-detente", **{option: True})
    account, sheets = a_scorer(session), sheets_of(session)
    even, odd = (next(one for one in plays_of(session) if one.board.number % 2 == rest) for rest in (0, 1))
    if option == "all_or_nothing":
        for play in (even, odd):
            sheets[play.pk]["parts"][1]["all_or_nothing"] = [2, None, None]
    rows = filled(session, account, "en", sheets)
    result_files.hand_in(session=session, account=account, text=as_text(rows))
    work(session)
    refused = Submission.objects.filter(state="refused").values_list("play", flat=True)
    assert list(refused) == ([odd.pk] if option == "all_or_nothing" else [])
    board = even.board.number
    desk_entries.check(session, even, sheets[even.pk])
    line = {"section": "A", "table": even.table.number, "board": board, "record": {"sheet": sheets[even.pk]}}
    told = brought_results.preview(session=session, account=account, text=json.dumps(line))
    assert told.lines[0].kind == Effect.SAME


def test_an_evening_that_left_as_xml_comes_in_elsewhere_with_the_same_ranking(world: World) -> None:
    played_through(world)
    states.finish(session=world.session, actor=None)
    session = world.refresh()
    xml = result_xml.document(session=session, viewer=a_scorer(session))
    brought = evenings.import_evening(
        text=evenings.text_of(xml),
        tournament=Tournament.objects.create(club=a_club("Club B"), name="Elsewhere"),
        actor=None,
        name="Paper",
        game=session.game,
        options=session.options,
        method=session.method,
    )
    here, there = (
        sorted((one.contestant.name, one.rank, one.total.value) for one in standings_of(one_session))
        for one_session in (session, brought)
    )
    assert here == there


def test_a_file_of_very_many_columns_is_refused_in_a_sentence(world: World) -> None:
    text = "section,round,table,board,outcome" + ",x" * 100_000 + "\nA,1,1,1,normal"
    for read in (
        lambda: result_files.preview(session=world.session, account=a_scorer(world.session), text=text),
        lambda: evenings.read(text=text, game="comon", options={}, method="matchpoints"),
    ):
        with pytest.raises(Invalid) as refused:
            read()
        assert "100" in f"{refused.value} {refused.value.details}"
        assert len(str(refused.value.details)) < 1_000


@pytest.mark.parametrize("text", ["x" * 200_000, "table,board\n1," + "x" * 200_000])
def test_a_cell_that_is_far_too_long_is_a_slip_wherever_it_stands(world: World, text: str) -> None:
    scorer = a_scorer(world.session)
    for language, says in (("en", "131072 characters"), ("fr", "131072 caractères")):
        with translation.override(language):
            with pytest.raises(Invalid) as refused:
                evenings.read(text=text, game="comon", options={}, method="matchpoints")
            assert says in str(refused.value.details) or "\n" in text  # of which columns are missing
            with pytest.raises(Invalid) as refused:
                result_files.preview(session=world.session, account=scorer, text=text)
            assert says in str(refused.value)


HEAD_OF_XML = "<ETUI_RESULTS VERSION='1'><EVENT><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>"
LINE_OF_XML = "<TRAVELLER_LINE SECTION='A' ROUND='1' TABLE='1'>{}</TRAVELLER_LINE>"


@pytest.mark.parametrize(
    "content",
    [
        b"<html><body>No</body></html>",
        b'<!DOCTYPE E [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ETUI_RESULTS>&b;</ETUI_RESULTS>',
        b'<!DOCTYPE E SYSTEM "file:///etc/passwd"><ETUI_RESULTS/>',
        (HEAD_OF_XML + LINE_OF_XML.format("<FIELD NAME='outcome'>normal")).encode(),
        (HEAD_OF_XML + "<A>" * 100_000).encode(),
        (HEAD_OF_XML + LINE_OF_XML.format("<FIELD>normal</FIELD>")).encode()
        + b"</BOARD></EVENT></ETUI_RESULTS>",
        (HEAD_OF_XML + LINE_OF_XML.format("<FIELD NAME='a'>1</FIELD>" * 2)).encode(),
        (
            HEAD_OF_XML
            + LINE_OF_XML.format("<SEAT NUMBER='999999999'><CONTESTANT_NUMBER>1</CONTESTANT_NUMBER>")
        ).encode(),
        (HEAD_OF_XML + LINE_OF_XML.format("") * (result_files.ROWS_AT_MOST + 1)).encode(),
        (
            HEAD_OF_XML + LINE_OF_XML.format("".join(f"<FIELD NAME='{n}'>1</FIELD>" for n in range(200)))
        ).encode(),
        b"<ETUI_RESULTS>" + b"x" * 4_000_000 + b"</ETUI_RESULTS>",
        b"<?xml version='1.0' encoding='no-such-thing'?><ETUI_RESULTS/>",
        (  # each name once in the file, and in every row of what is made of it
            "<ETUI_RESULTS><CONTESTANT><CONTESTANT_NUMBER>1</CONTESTANT_NUMBER>"
            f"<CONTESTANT_NAME>{'x' * 20_000}</CONTESTANT_NAME></CONTESTANT></ETUI_RESULTS>"
        ).encode(),
        (
            HEAD_OF_XML.replace(">1<", f">{'1' * 20_000}<")
            + LINE_OF_XML.format("")
            + "</BOARD></EVENT></ETUI_RESULTS>"
        ).encode(),
    ],
)
def test_xml_that_is_no_evening_is_refused(content: bytes) -> None:
    with pytest.raises(Invalid) as refused:
        result_files.text_of(content)
    assert refused.value.code in ("bad-file", "too-long")


def test_xml_whose_rows_would_fill_the_memory_is_refused() -> None:
    """A megabyte of it, whose contestant sits in each of twelve seats of a thousand rows."""
    named = f"<CONTESTANT_NUMBER>1</CONTESTANT_NUMBER><CONTESTANT_NAME>{'x' * 1_000}</CONTESTANT_NAME>"
    seats = "".join(
        f"<SEAT NUMBER='{n}'><CONTESTANT_NUMBER>1</CONTESTANT_NUMBER></SEAT>" for n in range(1, 13)
    )
    head = HEAD_OF_XML.replace("<EVENT>", f"<EVENT><CONTESTANT>{named}</CONTESTANT>")

    def text_of(rows: int) -> str:
        whole = head + LINE_OF_XML.format(seats) * rows + "</BOARD></EVENT></ETUI_RESULTS>"
        return result_files.text_of(whole.encode())

    assert len(text_of(1)) > 12_000
    with pytest.raises(Invalid) as refused:
        text_of(2_000)
    assert refused.value.code == "too-long"


def test_every_mistake_is_told_at_once_and_nothing_is_stored(world: World) -> None:
    session = world.session
    account = a_scorer(session)
    header, first, second, third, *_rest = filled(session, account, "fr", sheets_of(session))
    at = header.index("plis 1")
    first[at], second[3], third[4], third[at + 1] = "cinq", 99, "Somebody Else", "deux"
    text = as_text([header, first, second, third, [*first[:at], 5, 3, 2], [*first[:at], 5, 3, 2]])
    shown = result_files.preview(session=session, account=account, text=text)
    found = {(line.line, mistake.column) for line in shown.lines for mistake in line.mistakes}
    assert found >= {(2, "tricks1"), (3, "board"), (4, "seat1"), (4, "tricks2"), (6, "board")}
    with pytest.raises(Invalid, match=r"Mend|Corrigez"):
        result_files.hand_in(session=session, account=account, text=text)
    assert not Submission.objects.exists()
    better = result_files.mended(
        text, {(2, "tricks1"): "5", (2, "tricks2"): "3", (2, "tricks3"): "2"}, session
    )
    again = result_files.preview(session=session, account=account, text=better)
    assert 2 not in {line.line for line in again.of_kind(Effect.WRONG)}
    for wrong in ("", "plis\n5", "table,board,table\n1,1,1", "table,board,étoiles noires\n1,1,1"):
        with pytest.raises(Invalid):
            result_files.preview(session=session, account=account, text=wrong)
    damaged = io.BytesIO()
    with ZipFile(damaged, "w", ZIP_LZMA) as parts:
        parts.writestr("[Content_Types].xml", "x" * 99)
    packed = bytearray(damaged.getvalue())
    packed[60:70] = bytes(10)
    for content in (
        *(b"PK\x03\x04 no workbook", b"\xff\xfe\x00", b"a" * (result_files.BYTES_AT_MOST + 1)),
        bytes(packed),
    ):
        with pytest.raises(Invalid):
            result_files.text_of(content)


def test_of_a_long_cell_a_refusal_quotes_the_beginning(world: World) -> None:
    session, long = world.session, "9" * 5_000
    account = a_scorer(session)
    rows = filled(session, account, "en", sheets_of(session))
    for row, column in enumerate(("table", "seat 1", "tricks 1", "end of the deal", "offender"), 1):
        rows[row][rows[0].index(column)] = long + "x"
    shown = result_files.preview(session=session, account=account, text=as_text(rows))
    told = [mistake.reason for line in shown.of_kind(Effect.WRONG) for mistake in line.mistakes]
    assert len(told) >= 5
    rows[0][0] = long
    with pytest.raises(Invalid) as refused:
        result_files.preview(session=session, account=account, text=as_text(rows))
    told += [text for one in refused.value.details for text in one.values() if isinstance(text, str)]
    for header, cells in ((long, "1"), ("tricks1", long + "x")):
        evening = f"round,section,table,board,seat1,seat2,seat3,{header}\n1,A,1,1,a,b,c,{cells}"
        with pytest.raises(Invalid) as of_evening:
            evenings.read(text=evening, game="comon", options={}, method="matchpoints")
        told += [str(slip) for slip in of_evening.value.details]
    assert max(map(len, told)) < 1_000
    assert not any("9" * 41 in text for text in told)


def test_a_second_file_changes_the_first_with_a_reason_and_keys_follow_from_what_is_said(
    world: World,
) -> None:
    session = world.session
    account, sheets = a_scorer(session), sheets_of(session)
    rows = filled(session, account, "fr", sheets)
    result_files.hand_in(session=session, account=account, text=as_text(rows))
    work(session)
    at = rows[0].index("plis 1")
    play = next(
        one for one in plays_of(session) if (one.table.number, one.board.number) == (rows[1][2], rows[1][3])
    )
    before = rows[1][at : at + 3]
    rows[1][at : at + 3] = (
        [before[1], before[0], before[2]] if before[0] != before[1] else [before[2], before[1], before[0]]
    )
    with pytest.raises(Invalid):
        result_files.hand_in(session=session, account=account, text=as_text(rows))
    for _twice in range(2):
        with contextlib.suppress(Conflict):
            result_files.hand_in(session=session, account=account, text=as_text(rows), reason="mal lu")
        work(session)
    assert play.submissions.count() == 2
    assert Result.objects.get(play=play).submission.content["sheet"]["tricks"] == rows[1][at : at + 3]


def test_whoever_may_know_it_reads_what_a_cell_held_before(world: World, client: Client) -> None:
    session = world.session
    account, sheets = a_scorer(session), sheets_of(session)
    rows = filled(session, account, "en", sheets)
    first = next(one for one in plays_of(session) if one.board.number == rows[1][3])
    player = session.members.filter(contestant__seatings__play=first).order_by("pk")[0].player
    result_files.hand_in(session=session, account=account, text=as_text(rows))
    work(session)
    at = rows[0].index("tricks 1")
    before = rows[1][at : at + 3]
    rows[1][at : at + 3] = [10, 0, 0] if before != [10, 0, 0] else [0, 10, 0]
    columns = {f"tricks{seat}": str(tricks) for seat, tricks in enumerate(before, 1)}
    own = a_scorer(session, player.name)
    player.account = own
    player.save(update_fields=["account"])
    for who, expected in ((account, columns), (own, {})):
        shown = result_files.preview(session=session, account=who, text=as_text(rows))
        line = next(line for line in shown.of_kind(Effect.CHANGED) if line.line == 2)
        changed = {name: text for name, text in columns.items() if str(line.cells[name]) != text}
        assert line.before == (changed if expected else {})
        client.force_login(who)
        page = client.post(f"/en/desk/sessions/{session.pk}/results/", {"pasted": as_text(rows)})
        told = re.findall(r'<span class="was">was (\S+)</span>', page.content.decode())
        assert told == list(line.before.values())


def test_a_workbook_without_a_cell_says_what_is_missing(world: World, client: Client) -> None:
    client.force_login(a_scorer(world.session))
    empty = SimpleUploadedFile("empty.xlsx", spreadsheets.as_workbook([[]], "Empty"))
    page = client.post(f"/en/desk/sessions/{world.session.pk}/results/", {"file": empty}).content.decode()
    assert "This column is missing" in page


def test_a_row_whose_cells_do_not_fit_together_is_mended_on_the_page_and_the_same_file_says_so(
    world: World, client: Client
) -> None:
    session = world.session
    account = a_scorer(session)
    client.force_login(account)
    rows = filled(session, account, "en", sheets_of(session))
    at = rows[0].index("tricks 1")
    right, rows[1][at : at + 3] = rows[1][at : at + 3], [9, 9, 9]
    address = f"/en/desk/sessions/{session.pk}/results/"
    page = client.post(address, {"pasted": as_text(rows)}).content.decode()
    names = re.findall(r'<input id="(cell-2-tricks[123])" name="\1" value="9"', page)
    assert names == [f"cell-2-tricks{seat}" for seat in (1, 2, 3)], "whichever of them is wrong"
    text = html.unescape(re.findall(r'name="text" value="([^"]*)"', page)[0])
    given = {"text": text, **dict(zip(names, right, strict=True))}
    assert "Keep these results" in client.post(address, given).content.decode()
    assert client.post(address, given | {"hand_in": "1"}).status_code == 302
    work(session)
    rows[1][at : at + 3] = right
    page = client.post(address, {"pasted": as_text(rows)}).content.decode()
    assert ("are here already" in page, "Look again" in page, "Mend the" in page) == (True, False, False)
    rows[1][at : at + 3] = [10, 0, 0] if right != [10, 0, 0] else [0, 10, 0]
    page = client.post(address, {"pasted": as_text(rows)}).content.decode()
    assert "Why are these other results?</label>" in page, "no “(optional)”"
    text = html.unescape(re.findall(r'name="text" value="([^"]*)"', page)[0])
    page = client.post(address, {"text": text, "reason": " ", "hand_in": "1"}).content.decode()
    assert "The file changes results that are there: say why." in page.partition('name="reason"')[2], "there"
    assert client.post(address, {"text": text, "reason": "x", "hand_in": "1"}).status_code == 302


def test_what_is_wrong_is_told_in_the_words_of_the_file_and_its_row_leads_there(
    world: World, client: Client
) -> None:
    session = world.session
    account = a_scorer(session)
    client.force_login(account)
    rows = filled(session, account, "en", sheets_of(session))
    rows[1][rows[0].index("end of the deal")] = "as ever"
    rows[2][rows[0].index("offender")] = "Zoé"
    rows[3][rows[0].index("table")] = "77"
    address = f"/en/desk/sessions/{session.pk}/results/"
    page = html.unescape(client.post(address, {"pasted": as_text(rows)}).content.decode())
    assert "“as ever” is none of these: played out, fault, annulled by the four Aces" in page
    assert "“Zoé” does not sit here: write a name of this table, or a seat from 1 to 3." in page
    assert "There is no table 77 in your charge." in page, "as the room calls it"
    rows[2][rows[0].index("end of the deal")] = "as never"
    page = html.unescape(client.post(address, {"pasted": as_text(rows)}).content.decode())
    for reason in ("“as never” is none of these", "“Zoé” does not sit here"):
        assert reason in page, "both at once"
    for cell, title in (("cell-2-outcome", "end of the deal"), ("cell-3-offender", "offender")):
        assert re.search(rf'<a href="#{cell}">{title}<', page), "it may be out of sight"
        assert f'<input id="{cell}"' in page
    rows = filled(session, account, "fr", sheets_of(session))
    at = rows[0].index("plis 1")
    rows[1][at : at + 3] = [9, 9, 9]
    with translation.override("fr"):
        (line,) = result_files.preview(session=session, account=account, text=as_text(rows)).of_kind(
            Effect.WRONG
        )
    assert line.mistakes[0].reason.startswith("plis"), "as the column is called"


@pytest.mark.parametrize(("contract", "trump", "said"), [
    ("prend", "coeur", ("prendre", "H")),
    ("p", "pique", ("prendre", "S")),
    ("prendre", "C", ("prendre", "C")),  # a program’s own word
    ("prendre", "c", "« c » peut être l’un de ces mots : cœur, carreau"),
    ("sans", "trefle", ("sans-prendre", "C")),
])  # fmt: skip
def test_a_cell_takes_the_words_that_a_line_takes(contract: str, trump: str, said: Any) -> None:
    session = a_session_of("hombre")
    account = a_scorer(session)
    rows, _choices = result_files.template(session=session, account=account, language="fr")
    given = {"contrat": contract, "l’hombre": "1", "plis 1": "5", "plis 2": "2", "plis 3": "2"}
    for title, cell in (given | {"matadors": "1", "couleur d’atout": trump}).items():
        rows[1][rows[0].index(title)] = cell
    with translation.override("fr"):
        (line,) = result_files.preview(session=session, account=account, text=as_text(rows[:2])).lines
    if isinstance(said, str):
        assert [
            (one.column, one.reason.replace("\u202f", " ").replace("\xa0", " ")) for one in line.mistakes
        ] == [("trump", said)]
    else:
        assert not line.mistakes
        assert (line.sheet["contract"], line.sheet["trump"]) == said


def test_what_its_board_tells_may_be_left_out_and_what_is_wrong_at_a_seat_is_told_in_its_cell() -> None:
    session = a_session_of("loba")
    account = a_scorer(session)
    rows = filled(session, account, "fr", sheets_of(session))
    result_files.hand_in(session=session, account=account, text=as_text(rows))
    work(session)
    mene, first = rows[0].index("mène"), rows[0].index("points restants 1")
    assert all(row[mene] for row in rows[1:]), "a line of a slip stores it"
    for row in rows[1:]:
        row[mene] = None
    shown = result_files.preview(session=session, account=account, text=as_text(rows))
    assert {line.kind for line in shown.lines} == {Effect.SAME}
    seat = next(seat for seat in (1, 2, 3) if rows[1][first + seat - 1])
    rows[1][first + seat - 1] = 700
    shown = result_files.preview(session=session, account=account, text=as_text(rows))
    (line,) = shown.of_kind(Effect.WRONG)
    assert [one.column for one in line.mistakes] == [f"points{seat}"]


def test_the_board_is_mended_on_the_page_where_it_is_one_of_another_round(
    world: World, client: Client
) -> None:
    session = world.session
    account = a_scorer(session)
    client.force_login(account)
    rows = filled(session, account, "en", sheets_of(session))
    right = rows[1][3]
    rows[1][3] = next(row[3] for row in rows[2:] if row[2] == rows[1][2])
    address = f"/en/desk/sessions/{session.pk}/results/"
    page = client.post(address, {"pasted": as_text(rows)}).content.decode()
    assert "This table plays this board in round" in page
    text = html.unescape(re.findall(r'name="text" value="([^"]*)"', page)[0])
    (cell,) = re.findall(r'<input id="cell-2-board" name="(cell-2-board)"', page)
    assert "Keep these results" in client.post(address, {"text": text, cell: right}).content.decode()


def test_a_file_is_for_those_who_enter_results_and_tells_nothing_of_the_deal(world: World) -> None:
    session = world.session
    with pytest.raises(Forbidden):
        result_files.preview(session=session, account=accounts.create(name="Noé"), text="table,board\n1,1")
    account = a_scorer(session)
    rows = filled(session, account, "fr", sheets_of(session))
    at = rows[0].index("plis 1")
    rows[1][at : at + 3] = [10, 0, 0]  # whatever the deal says
    shown = result_files.preview(session=session, account=account, text=as_text(rows))
    assert shown.is_ready
    player = session.members.select_related("player").order_by("pk")[0].player
    own = a_scorer(session, player.name)
    result_files.hand_in(session=session, account=account, text=as_text(rows))
    work(session)
    guess = result_files.preview(session=session, account=own, text=as_text(rows))
    assert not guess.of_kind(Effect.SAME), "who plays learns nothing of what has been entered"


def test_a_workbook_offers_what_may_be_chosen(world: World) -> None:
    from openpyxl import load_workbook

    rows, choices = result_files.template(
        session=world.session, account=a_scorer(world.session), language="fr"
    )
    content = spreadsheets.as_workbook([*rows, ["=1+1"]], "Résultats", choices)
    sheet = load_workbook(io.BytesIO(content)).worksheets[0]
    assert [one.formula1 for one in sheet.data_validations.dataValidation]
    assert sheet.cell(row=sheet.max_row, column=1).data_type == "s"
