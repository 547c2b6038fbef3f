"""What is printed: who may have what, and what stands on it, read back from the PDF and from its picture."""

import json
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pypdfium2 as pdfium
import pytest
import zxingcpp
from django.utils import timezone, translation
from PIL import Image

from engines import by_hand, quick_lines, registry
from scoring.totals import Sum, Total
from tests.samples import some
from tournaments import vault
from tournaments.models import (
    Account,
    HistoryEntry,
    Job,
    Player,
    PrintedFile,
    Result,
    Role,
    Session,
    Substitution,
)
from tournaments.models.accounts import RoleKind
from tournaments.printing import deals, guide_cards, rankings, seating, slips, table_cards, travelling
from tournaments.printing.paper import CardWords, Heading, Paper
from tournaments.services import (
    accounts,
    awards,
    board_sets,
    custody,
    deal_sheets,
    jobs,
    logos,
    names,
    print_contents,
    prints,
    retention,
    roles,
    rulings,
    states,
    table_links,
)
from tournaments.services import rankings as rankings_of
from tournaments.services.errors import Forbidden, Invalid, Missing
from tournaments.services.roles import RolePlace

from .worlds import World, a_session, a_table_alone, hand_in, played_through, plays_of, work

pytestmark = pytest.mark.django_db

HEADING = Heading("Cercle de l’Étui", "Mardi de L’Hombre", "17 novembre 2026")
LONG = "Marie-Antoinette-Joséphine de Villeneuve-Bargemon de La Rochebrochard"
TONIGHT = [name for name, kind in prints.KINDS.items() if kind.tonight]


def an_official(session: Session, kind: RoleKind, name: str) -> Account:
    account = accounts.create(name=name)
    roles.grant(account=account, kind=kind, place=RolePlace(session=session), actor=None)
    return account


def text_of(content: bytes) -> str:
    document = pdfium.PdfDocument(content)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def codes_on(content: bytes) -> set[str]:
    document = pdfium.PdfDocument(content)
    pictures = [page.render(scale=3).to_pil() for page in document]
    return {code.text for picture in pictures for code in zxingcpp.read_barcodes(picture)}


def printed(session: Session, account: Account, *kinds: str, language: str = "fr") -> str:
    return text_of(
        prints.make(session=session, actor=account, kinds=kinds, language=language, size="A4").content
    )


def new_paper(language: str = "fr") -> Paper:
    return Paper(size="A4", title="Essai", language=language, made_at=timezone.now())


# ── Who may have what ─────────────────────────────────────────────────────────────────────────────


def test_each_prints_what_they_may_see(world: World) -> None:
    session = world.session
    scorer = an_official(session, RoleKind.SCORER, "Sylvie")
    officer = an_official(session, RoleKind.DEAL_OFFICER, "Denis")
    nobody = accounts.create(name="Noé")
    before = {"table-cards", "guide-cards", "slips", "travelling-sheets", "labels", "names", "rounds"}
    results = {"travellers", "ranking"}
    assert set(prints.allowed(scorer, session)) == before | results | {"scorebook"}
    assert prints.allowed(officer, session) == prints.allowed(nobody, session) == []
    custody.take(session=session, account=officer, signed_in_again_at=timezone.now())
    assert prints.allowed(officer, session) == ["dealing-lists"]
    played_through(world)
    Session.objects.filter(pk=session.pk).update(state=Session.State.PLAYED)
    session.refresh_from_db()
    assert set(prints.allowed(scorer, session)) - before == results | {
        "scorebook",
        "certificates",
        "hand-records",
    }
    for kinds, refusal in (["dealing-lists"], Forbidden), ([], Invalid), (["seeds"], Invalid):
        with pytest.raises(refusal):
            prints.check(session=session, actor=scorer, request={"kinds": kinds, "language": "fr"})


def test_an_official_who_plays_prints_no_results_before_the_end(world: World) -> None:
    player = world.session.members.select_related("player").order_by("pk")[0].player
    account = an_official(world.session, RoleKind.DIRECTOR, player.name)
    assert "ranking" not in prints.allowed(account, world.session)
    assert "travellers" not in prints.allowed(account, world.session)
    assert "table-cards" in prints.allowed(account, world.session)


def test_whoever_plays_by_a_link_in_their_browser_prints_no_results_either(world: World) -> None:
    account = an_official(world.session, RoleKind.DIRECTOR, "Pseudonym")
    held = [world.session.members.order_by("pk")[0].player_id]
    assert "travellers" in prints.allowed(account, world.session)
    assert not {"travellers", "ranking"} & set(prints.allowed(account, world.session, held))
    wish = {"kinds": ["travellers"], "language": "fr", "held": held}
    with pytest.raises(Forbidden):
        jobs.ask_for_prints(session=world.session, sender=account, request=wish)
    asked = jobs.ask_for_prints(session=world.session, sender=account, request=wish | {"held": []})
    assert jobs.ask_for_prints(session=world.session, sender=account, request=wish | {"held": []}) == asked
    jobs.do(job_id=asked.pk)
    asked.refresh_from_db()
    assert prints.content(job=asked, actor=account)
    with pytest.raises(Forbidden):
        prints.content(job=asked, actor=account, held=held)


def test_a_print_is_for_whoever_asked_for_it_while_they_may_have_it(world: World) -> None:
    session = world.session
    scorer = an_official(session, RoleKind.SCORER, "Sylvie")
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    wish = {"kinds": ["slips"], "language": "fr"}
    job = jobs.ask_for_prints(session=session, sender=scorer, request=wish)
    jobs.do(job_id=job.pk)
    job.refresh_from_db()
    assert job.outcome == {"kinds": ["slips"], "pages": job.printed.pages, "bytes": job.outcome["bytes"]}
    stored = bytes(PrintedFile.objects.get(job=job).content)
    assert not stored.startswith(b"%PDF")
    assert vault.open_file(stored).startswith(b"%PDF")
    assert prints.content(job=job, actor=scorer).startswith(b"%PDF")
    with pytest.raises(Missing):
        prints.content(job=job, actor=director)
    Role.objects.filter(account=scorer).update(revoked_at=timezone.now())
    with pytest.raises(Forbidden):
        prints.content(job=job, actor=scorer)
    PrintedFile.objects.update(made_at=timezone.now() - timedelta(days=2))
    assert retention.forget_old()["prints"] == 1
    assert not PrintedFile.objects.exists()
    assert Job.objects.filter(pk=job.pk).exists()


# ── What stands on it ─────────────────────────────────────────────────────────────────────────────


def test_an_evening_is_printed_whole(world: World) -> None:
    """Everybody is on a guide card and at the door, every play has a slip, every board a label."""
    session = world.session
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    everything = printed(session, director, *TONIGHT, "rounds", "travelling-sheets", "scorebook")
    for contestant in session.contestants.all():
        assert contestant.name in everything
    boards = session.board_set.boards.count()
    assert printed(session, director, "labels").count("donneur") == boards
    assert printed(session, director, "slips").count("lettre de l’étui") == len(plays_of(session))
    slip = printed(session, director, "slips", language="en")
    assert "Result slip" in slip
    assert "= 10" in slip
    assert "Tricks" in slip


def test_what_tells_of_the_deals_stands_on_lists_and_records_alone(world: World) -> None:
    session = world.session
    officer = an_official(session, RoleKind.DEAL_OFFICER, "Denis Étienne")
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    hidden = printed(session, director, *TONIGHT, "rounds", "travelling-sheets", "travellers", "ranking")
    assert not any(suit in hidden for suit in "♠♥♦♣")
    custody.take(session=session, account=officer, signed_in_again_at=timezone.now())
    lists = printed(session, officer, "dealing-lists")
    assert "Il y a déjà des feuilles" not in lists
    again = " ".join(printed(session, officer, "dealing-lists").split())
    assert again.count("Il y a déjà des feuilles de cette donne") == len(board_sets.numbers(session))
    wallets = printed(session, director, "labels")
    for code in deal_sheets.codes(session).values():
        assert code in lists
        assert code in again
        assert code in wallets
    assert lists.count("Imprimé pour Denis Étienne") >= len(board_sets.numbers(session))
    for number in board_sets.numbers(session):
        assert f"Étui {number}" in lists
    assert "V♥" in lists
    assert "10♠" in lists
    played_through(world)
    work(session)
    Session.objects.filter(pk=session.pk).update(state=Session.State.PLAYED)
    session.refresh_from_db()
    records = printed(session, director, "hand-records", "ranking", "certificates")
    assert "♠" in records
    assert "Diplôme" in records
    assert "Classement" in records
    assert re.search(r"\d\d\.\d\d%", printed(session, director, "ranking", language="en")), "as on the screen"


def test_results_on_paper_say_what_happened_and_once_the_board_is_over_what_it_was_worth(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = an_official(world.session, RoleKind.DIRECTOR, "Lola")
    sheets: dict[int, travelling.TravelSheet] = {}
    records: list[deals.HandRecord] = []
    monkeypatch.setattr(
        travelling,
        "draw",
        lambda paper, heading, own, *heads: sheets.update({one.number: one for one in own}),
    )
    monkeypatch.setattr(deals, "draw_records", lambda paper, heading, own, *heads: records.extend(own))
    first, *others = plays_of(world.session)

    def made(draw: Callable[..., None]) -> None:
        evening = print_contents.PrintedEvening(
            *(world.refresh(), account, account, names.reader_for(account), "en", timezone.now())
        )
        with translation.override("en"):
            draw(new_paper(), evening, lambda done: None)

    hand_in(world, first)
    work(world.session)
    made(print_contents.travellers)
    (row,) = [one for one in sheets[first.board.number].rows if one.scores]
    assert row.awards == ("–", "–", "–")  # others still play the board
    for play in others:
        hand_in(world, play)
    work(world.session)
    states.finish(session=world.refresh(), actor=None)
    made(print_contents.travellers)
    made(print_contents.hand_records)
    result = Result.objects.select_related("play").get(play=first)
    won = awards.AwardBook(world.refresh(), [first.board_id]).of(result)
    assert won is not None
    table = str(first.table.number)
    (row,) = [one for one in sheets[first.board.number].rows if one.table == table]
    (told,) = [one for one in records if one.number == first.board.number]
    (same,) = [one for one in told.results if one[0] == table]
    shown = tuple(f"{float(Fraction(one)):g}" for one in won)
    assert tuple(f"{float(one):g}" for one in row.awards) == shown
    assert same[2:] == (row.result, row.scores, row.awards)
    assert "spared" in row.result or not row.result
    held = by_hand.by_seat(registry.game("comon"), board_sets.deal_of(world.session, told.number))
    for (_where, cards), (place, own) in zip(told.places, held.items(), strict=True):
        assert sorted(cards) == sorted(own)
        suits = [card[-1] for card in cards]
        assert not place.isdigit() or len(set(suits)) == 1 + sum(a != b for a, b in pairwise(suits))


def test_travellers_are_printed_while_tables_still_play_and_tell_what_was_ruled(world: World) -> None:
    account = an_official(world.session, RoleKind.DIRECTOR, "Lola")
    first, *_others = plays_of(world.session)
    hand_in(world, first)
    for play in plays_of(world.session):
        if play.board_id == first.board_id and play != first:
            place = rulings.PlayPlace("A", play.table.number, play.board.number)
            decided = [{"kind": "artificial", "percent": "60"}]
            plan = rulings.on_play(session=world.refresh(), place=place, decisions=decided)
            rulings.rule(plan, actor=world.organiser, text="Cards were shown")
    work(world.session)
    pages = printed(world.session, account, "travellers", language="en")
    assert "60% of what can be won" in " ".join(pages.split())
    assert "Cards were shown" not in pages


def test_one_table_alone_is_compared_with_nobody_on_paper() -> None:
    alone = a_table_alone()
    account = an_official(alone.session, RoleKind.DIRECTOR, "Lola")
    for play in plays_of(alone.session):
        hand_in(alone, play)
    work(alone.session)
    pages = printed(alone.session, account, "travellers", language="en")
    assert "Marks" in pages
    assert "won" not in pages


@pytest.mark.parametrize("game", some(sorted(registry.games()), one_in=4))
def test_a_slip_asks_all_that_the_result_sheet_of_a_game_needs(game: str) -> None:
    one = registry.game(game)
    options = {option.name: option.values[0] for option in one.options}
    asked = slips.questions(one, options, {}, "en")
    found = json.dumps([asked.rows, asked.seat, asked.beside, asked.blocks, asked.later], ensure_ascii=False)
    instead = {field.needed for field in one.form.fields} | {"left == None"}  # of Loba: the points say it
    for field in one.form.fields:
        label = field.label.to("en")
        is_there = label[:1].upper() + label[1:] in found
        is_another_way = f"{field.name} == None" in instead
        assert is_there or field.when or is_another_way, f"{game}: {field.name} is not asked"
    paper, seats = new_paper("en"), one.seat_count({})
    boards = [slips.SlipBoard(number, "", "G") for number in (1, 2, 3)]
    players = tuple([LONG, "Zoé", "Anne Roux", "Ő", "Yann", "Léa", "Noé"][:seats])
    with translation.override("en"):
        slips.draw(
            paper, HEADING, [slips.TableSlip("Table A1", boards, [players] * 3)], asked, one.sides_of({})
        )
    text = text_of(paper.bytes())
    assert all(f"Board {number}" in text for number in (1, 2, 3))
    assert "Rochebrochard" in text


def test_the_rows_of_two_sides_on_a_slip_say_which_side_they_are() -> None:
    """The head asks for the points of NS and of EW, and names alone do not tell them."""
    game, paper = registry.game("cochonnet"), new_paper("en")
    asked = slips.questions(game, {option.name: option.values[0] for option in game.options}, {}, "en")
    slip = slips.TableSlip("Table 1", [slips.SlipBoard(1, "", "G")], [("Anne", "Zoé", "Anne", "Zoé")])
    with translation.override("en"):
        slips.draw(paper, HEADING, [slip], asked, game.sides_of({}))
    text = text_of(paper.bytes())
    assert "NS Anne" in text
    assert "EW Zoé" in text
    assert "One box in a row" not in text, "there is none to tick"


@pytest.mark.parametrize(("game", "order"), [
    ("hombre", "contract tricks made matadors trump"),
    ("bernicle", "contract trump combos tricks points niche fault"),
    ("loba", "points laid"),
])  # fmt: skip
def test_a_slip_asks_in_the_order_in_which_a_line_is_typed(game: str, order: str) -> None:
    """Over the players, beside them, under them; who took is ticked beside the names."""
    one = registry.game(game)
    options = {option.name: option.values[0] for option in one.options}
    asked = slips.questions(one, options, {}, "en", known={"mene"})
    labels = {field.label.to("en").capitalize(): field.name for field in one.form.fields}
    heads = [*asked.rows, *asked.beside, *asked.later]
    assert [labels[head[0].removesuffix(" (optional)")] for head in heads] == order.split()
    plain = [field.name for field in quick_lines.order_of(one) if field.name in order.split()]
    assert [name for name in order.split() if name in plain] == plain


def test_who_has_laid_down_is_ticked_on_a_slip_and_need_not_be_said() -> None:
    game = registry.game("loba")
    asked = slips.questions(game, {option.name: option.values[0] for option in game.options}, {}, "en")
    assert asked.beside == [("Points left", "", False), ("Has laid down (optional)", "", True)]


def test_the_type_of_a_slip_is_as_large_as_its_boards_leave_room_for() -> None:
    game = registry.game("hombre")
    asked = slips.questions(game, {option.name: option.values[0] for option in game.options}, {}, "en")
    heights = []
    for count in (1, 3, 7):
        paper, boards = new_paper("en"), [slips.SlipBoard(number, "", "G") for number in range(1, count + 1)]
        slip = slips.TableSlip("Table A1", boards, [("Anne", "Zoé", "Ő")] * count)
        slips.draw(paper, HEADING, [slip], asked, game.sides_of({}))
        page = pdfium.PdfDocument(paper.bytes())[0].get_textpage()
        found = page.search("Board 1").get_next()
        assert found is not None
        _left, low, _right, high = page.get_charbox(found[0])
        heights.append(high - low)
        assert page.get_text_range().count("♠") == min(count, 3)  # the suits of trumps, by their signs
    one, three, seven = heights
    assert one > three * 1.2
    assert three == pytest.approx(seven, rel=0.1)


def test_a_slip_leaves_room_to_sign_and_smaller_words_stand_on_their_line() -> None:
    game = registry.game("belote-noisette")
    asked = slips.questions(game, {option.name: option.values[0] for option in game.options}, {}, "en")
    paper, boards = new_paper("en"), [slips.SlipBoard(number, "", "G") for number in (1, 2)]
    slip = slips.TableSlip("Table A1", boards, [("Anne", "Zoé", "Ő")] * 2)
    with translation.override("en"):
        slips.draw(paper, HEADING, [slip], asked, game.sides_of({}))
    page = pdfium.PdfDocument(paper.bytes())[0].get_textpage()
    whole = page.get_text_range()
    last = page.get_charbox(whole.rindex("Faults"))[1]
    signed = page.get_charbox(whole.index("Signed"))[3]
    assert last - signed > 8 / 25.4 * 72  # 8 mm
    paper = new_paper("en")
    paper.add_page()
    paper.sans(12)
    paper.write_at(20, 20, "nn")
    paper.write_at(60, 20, "nnnnnnnn", width=10)
    page = pdfium.PdfDocument(paper.bytes())[0].get_textpage()
    boxes = [page.get_charbox(at) for at, letter in enumerate(page.get_text_range()) if letter == "n"]
    assert boxes[0][3] - boxes[0][1] > 1.2 * (boxes[-1][3] - boxes[-1][1])
    assert boxes[0][1] == pytest.approx(boxes[-1][1], abs=0.5)


def test_codes_are_read_back_and_long_names_stay_on_the_card() -> None:
    paper = new_paper()
    rows = [guide_cards.GuideRow(n, "A4", "2", "1–3", f"3 {LONG}, 5 {LONG}") for n in range(1, 12)]
    addresses = [f"https://etui.example/me/{n}" for n in range(6)]
    notes = [f"Tour 1 : {LONG} pour {LONG}"] * 6
    cards = [
        guide_cards.GuideCard(n, "x" * 180, rows, address, notes[:n]) for n, address in enumerate(addresses)
    ]
    guide_cards.draw(paper, HEADING, cards)
    lines = [table_cards.TableRow(n, "1–3", (LONG, "Zoé", "Ő")) for n in range(1, 30)]
    card = table_cards.TableCard("A4", lines, "https://etui.example/t/K7RM4QXD", "etui.example/t/K7RM-4QXD")
    table_cards.draw(paper, HEADING, card, 3, ["1", "2", "3"])
    content = paper.bytes()
    assert codes_on(content) == {*addresses, "https://etui.example/t/K7RM4QXD"}
    for page in pdfium.PdfDocument(content):
        width, height = page.get_size()
        text = page.get_textpage()
        for index in range(text.count_rects()):
            left, low, right, high = text.get_rect(index)
            assert left >= 0
            assert low >= 0
            assert right <= width
            assert high <= height


@pytest.mark.parametrize("name", ["W" * 180, "Anne " + "W" * 90, LONG * 3, "3 Anne Roux, 12 " + "Y" * 80])
@pytest.mark.parametrize("height", [4.4, 8.0, 12.0])
def test_no_name_runs_over_what_stands_beside_or_under_it(name: str, height: float) -> None:
    paper = new_paper()
    paper.add_page()
    paper.serif(12)
    paper.name_at(80, 100, name, width=30, height=height)
    page = pdfium.PdfDocument(paper.bytes())[0]
    text, unit = page.get_textpage(), 72 / 25.4
    middle = page.get_size()[1] - (100 + paper.line_height / 2) * unit
    for index in range(text.count_rects()):
        left, low, right, high = (edge / unit for edge in text.get_rect(index))
        assert 79 <= left < right <= 111
        assert abs((low + high) / 2 - middle / unit) <= height / 2


def test_letters_of_farther_places_are_printed_and_rows_that_fill_a_page_stay_on_it() -> None:
    paper = new_paper()
    people = ("Nguyễn Thị Hương", "Ελένη Παπαδοπούλου", "Шевченко Юлія")
    rows = [table_cards.TableRow(n, str(n), people) for n in range(1, 15)]
    card = table_cards.TableCard("A4", rows, "https://etui.example/t/K7RM4QXD", "etui.example/t/K7RM-4QXD")
    table_cards.draw(paper, HEADING, card, 3, ["1", "2", "3"])
    content = paper.bytes()
    assert len(pdfium.PdfDocument(content)) == 1
    words = " ".join(text_of(content).split())
    for name in people:
        assert words.count(name) == len(rows)
    for family in ("serif", "sans"):
        drawn = paper.fonts[f"{family}-vietnamese"], paper.fonts[f"{family}-greek"]
        assert all("e" not in map(chr, font.cmap) for font in drawn)  # they hold their own letters alone


def test_a_raised_letter_is_written_as_the_letter_that_it_is() -> None:
    paper = new_paper()
    paper.opened(Heading("Cercle", "14ᵉ soirée", "17 novembre 2026"), "La 2ᵈᵉ table")
    text = text_of(paper.bytes())
    assert "14e soirée" in text
    assert "La 2de table" in text


def test_a_name_of_other_letters_leaves_those_after_it_as_they_are() -> None:
    paper = new_paper()
    people = ("Шевченко Юлія", "Jean Dupont", "Marie-Ange Őry")
    card = table_cards.TableCard("A4", [table_cards.TableRow(n, "1–3", people) for n in range(1, 4)])
    table_cards.draw(paper, HEADING, card, 3, ["1", "2", "3"])
    words = " ".join(text_of(paper.bytes()).split())
    assert [words.count(name) for name in people] == [3, 3, 3]


def test_all_who_share_a_place_get_a_certificate_and_nobody_without_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks = ["1", "2", "3=", "3=", "5", "–"]
    rows = [rankings.RankRow(rank, f"Joueur {place}", "4", "50 %") for place, rank in enumerate(ranks)]
    drawn: list[Any] = []
    monkeypatch.setattr(print_contents, "_groups", lambda evening: {1: rows, 2: [rows[0], rows[5]]})
    monkeypatch.setattr(
        print_contents.ranking_pages, "draw_certificates", lambda *args: drawn.append(list(args[2]))
    )
    account = an_official(world.session, RoleKind.DIRECTOR, "Lola")
    evening = print_contents.PrintedEvening(
        *(world.session, account, account, names.reader_for(account), "en", timezone.now())
    )
    print_contents.certificates(new_paper(), evening, lambda done: None)
    assert drawn == [rows[:4], rows[:1]]


def test_a_table_card_opens_the_page_of_its_table_and_of_no_other(world: World) -> None:
    session = world.session
    scorer = an_official(session, RoleKind.SCORER, "Sylvie")
    wish: dict[str, Any] = {"kinds": ["table-cards"], "language": "fr", "base": "https://etui.example"}
    assert codes_on(prints.make(session=session, actor=scorer, size="A4", **wish).content) == set()
    made = table_links.codes(table_links.make(session=session, actor=scorer))
    content = prints.make(session=session, actor=scorer, size="A4", **wish).content
    assert codes_on(content) == {f"https://etui.example/t/{code}" for _link, code in made}
    for page in pdfium.PdfDocument(content):
        text = " ".join(page.get_textpage().get_text_range().split())
        own = [link.table for link, code in made if table_links.shown(code) in text]
        assert [f"Table {one.number}" in text for one in own] == [True]
    on_slips = prints.make(session=session, actor=scorer, size="Letter", **wish | {"kinds": ["slips"]})
    assert codes_on(on_slips.content) == codes_on(content)


def test_a_guide_card_says_who_plays_for_whom_and_when(world: World) -> None:
    session = world.session
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    absent, other = session.members.select_related("player").order_by("pk")[:2]
    called = {"given_name": "Zénobie", "family_name": "Quast", "club": session.tournament.club}
    substitute = Player.objects.create(**called)
    put_in = {"contestant": absent.contestant, "player": substitute, "for_player": absent.player}
    Substitution.objects.create(**put_in, first_round=2, last_round=3)
    one = Substitution.objects.create(**put_in, first_round=1, last_round=1)
    text = printed(session, director, "guide-cards", language="en")
    assert f"Rounds 2–3: Zénobie Quast for {absent.player.name}" in text
    assert f"Round 1: Zénobie Quast for {absent.player.name}" in text
    assert text.count("Zénobie Quast") == 2
    assert f"for {other.player.name}" not in text
    one.undone_at = timezone.now()
    one.save()
    assert "Round 1: " not in printed(session, director, "guide-cards", language="en")


# ── By the API ────────────────────────────────────────────────────────────────────────────────────


def test_on_both_sides_nothing_that_is_handed_out_has_something_else_on_its_back(world: World) -> None:
    account = an_official(world.session, RoleKind.DIRECTOR, "Lola")
    kinds = [
        "table-cards",
        "guide-cards",
        "slips",
        "travelling-sheets",
        "labels",
        "names",
        "rounds",
        "scorebook",
    ]
    wish: dict[str, Any] = {"kinds": kinds, "language": "en", "size": "A4"}
    content = prints.make(session=world.session, actor=account, duplex=True, **wish).content
    document = pdfium.PdfDocument(content)
    backs = [page.get_textpage().get_text_range().strip() for page in document][1::2]
    assert [back for back in backs if back and "Score book" not in back] == []
    assert sum("Score book" in back for back in backs) == 1
    assert b"/Duplex /DuplexFlipLongEdge" in content
    one_sided = prints.make(session=world.session, actor=account, **wish).content
    assert b"/Duplex /Simplex" in one_sided
    assert len(pdfium.PdfDocument(one_sided)) == len(document) - len(backs)


def test_a_program_prints_and_fetches(world: World) -> None:
    client, session = world.client("organiser"), world.session
    wish: dict[str, Any] = {"kinds": ["guide-cards", "table-cards"], "language": "fr"}
    answer = client.post(f"/api/v1/sessions/{session.pk}/prints/", wish, format="json")
    assert answer.status_code == 202, answer.json()
    jobs.do(job_id=answer.json()["id"])
    file = client.get(f"/api/v1/prints/{answer.json()['id']}/")
    assert file.status_code == 200
    assert file["Content-Type"] == "application/pdf"
    assert "Tour" in text_of(file.content)
    assert world.client("scorer").get(f"/api/v1/prints/{answer.json()['id']}/").status_code == 404
    wrong = client.post(f"/api/v1/sessions/{session.pk}/prints/", {"kinds": ["seeds"]}, format="json")
    assert wrong.status_code == 400


def test_a_pair_stands_once_at_its_side_of_a_table() -> None:
    session = a_session(game="cochonnet", players=8, movement="howell")
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    pages = printed(session, director, "table-cards").split("Tour Étuis")[1:]
    assert pages
    for page in pages:
        assert page.strip().startswith("Places 1 + 3 Places 2 + 4")


def test_what_a_table_shuffles_itself_stands_on_its_card_its_slips_and_the_wallets() -> None:
    wish: dict[str, Any] = {"game": "cochonnet", "players": 8, "movement": "mitchell", "boards_per_round": 2}
    session = a_session(sealed=False, **wish)
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    kinds = ("table-cards", "slips", "labels")
    text = " ".join(printed(session, director, *kinds, language="en").split())
    for table in range(1, 5):
        own = f"{2 * table - 1}, {2 * table}"
        assert f"This table shuffles and deals boards {own}, each before it plays it" in text
        assert text.count(f"table {table} shuffles it") == 2
    assert text.count("shuffle it first") == 8
    assert text.count("do not shuffle it") == len(plays_of(session)) - 8
    dealt = a_session(**wish)
    director = an_official(dealt, RoleKind.DIRECTOR, "Odile")
    assert "shuffle" not in printed(dealt, director, *kinds, language="en")


def test_which_copy_of_its_boards_a_table_has_stands_on_its_card_and_among_the_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = a_session(boards_per_round=2)  # all tables play the same boards
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    cards: dict[str, Sequence[table_cards.TableRow]] = {}
    walls: list[seating.RoundTables] = []
    draw, hang = table_cards.draw, seating.draw_rounds

    def card_drawn(paper: Paper, heading: Heading, card: table_cards.TableCard, *around: Any) -> None:
        cards[card.name] = card.rows
        draw(paper, heading, card, *around)

    def rounds_drawn(paper: Paper, heading: Heading, rounds: Any, places: Sequence[str]) -> None:
        walls.extend(rounds)
        hang(paper, heading, rounds, places)

    monkeypatch.setattr(table_cards, "draw", card_drawn)
    monkeypatch.setattr(seating, "draw_rounds", rounds_drawn)
    text = printed(session, director, "table-cards", "rounds", language="en")
    assert {name: {row.copy for row in rows} for name, rows in cards.items()} == {n: {n} for n in "123"}
    assert {(name, copy) for one in walls for name, *_told, copy in one.tables} == {(n, n) for n in "123"}
    assert "Copy" in text
    alone = a_session(game="cochonnet", players=8, movement="howell", club="Club B")
    director = an_official(alone, RoleKind.DIRECTOR, "Olga")
    assert "Copy" not in printed(alone, director, "table-cards", "rounds", language="en"), "one is enough"


def test_copies_are_told_board_by_board_where_they_differ() -> None:
    at = cast(Any, SimpleNamespace(copies={(1, "A1"): {1: 1, 2: 1, 3: 2}}))
    rows = [print_contents.PlayRow(n, 1, "A1", n, n, ()) for n in (1, 2, 3, 4)]
    with translation.override("en"):
        assert print_contents._copy(at, rows) == "1, 2: 1, 3: 2"
        assert print_contents._copy(at, rows[:2]) == "1"
        assert print_contents._copy(at, rows[2:]) == "3: 2"
        assert print_contents._copy(at, rows[3:]) == ""


def test_a_column_of_whole_points_has_no_decimals() -> None:
    whole, half = Total(won=Sum(Fraction(7), boards=2)), Total(won=Sum(Fraction(7, 2), boards=2))
    assert [rankings_of.places_of(some) for some in ([whole, Total()], [whole, half])] == [0, 2]
    assert rankings_of.places_of([Total(won=Sum(Fraction(7), top=14, boards=2))]) == 2  # a percentage


def test_cards_say_where_everybody_sits_board_by_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats turn from board to board within a round."""
    session = a_session(game="hombre", boards_per_round=3)
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    tables: dict[str, table_cards.TableCard] = {}
    guides: dict[int, guide_cards.GuideCard] = {}
    monkeypatch.setattr(
        table_cards, "draw", lambda _paper, _heading, card, *_: tables.update({card.name: card})
    )
    monkeypatch.setattr(
        guide_cards,
        "draw",
        lambda _paper, _heading, cards: guides.update({card.number: card for card in cards}),
    )
    with pytest.raises(Missing):  # no page is drawn here
        printed(session, director, "table-cards", "guide-cards")
    rows = {(row.round, tuple(row.players)) for card in tables.values() for row in card.rows}
    assert len(rows) > len({(play.round, play.table_id) for play in plays_of(session)}), "somebody turns"
    for play in plays_of(session):
        seated = {one.seat: one.contestant for one in play.seatings.select_related("contestant")}
        names = tuple(seated[seat].name for seat in sorted(seated))
        card = tables[str(play.table.number)]
        own = [row for row in card.rows if (row.round, tuple(row.players)) == (play.round, names)]
        assert [str(play.board.number) in boards_in(row.boards) for row in own] == [True]
        for seat, one in seated.items():
            held = guides[one.number].rows[play.round - 1].seat
            assert held == "variable" or str(seat) in held.split(", ")


def boards_in(text: str) -> set[str]:
    """The numbers of "1–3, 7"."""
    parts = [part.split("–") for part in text.split(", ")]
    return {str(number) for part in parts for number in range(int(part[0]), int(part[-1]) + 1)}


BLUE = (1, 2, 200)


def put_logo(world: World) -> None:
    kept = BytesIO()
    Image.new("RGB", (320, 320), BLUE).save(kept, "PNG")
    logos.put(club=world.session.tournament.club, actor=None, content=kept.getvalue())


def is_blue(colour: object) -> bool:
    red, green, blue = cast("tuple[int, int, int]", colour)
    return abs(red - 1) < 9 and abs(green - 2) < 9 and blue > 190


def test_the_logo_of_a_club_stands_at_the_head_of_what_is_printed(world: World) -> None:
    account = an_official(world.session, RoleKind.DIRECTOR, "Lola")

    def corner() -> set[object]:
        """The colours where it stands: 13 mm in the corner, beside the margin of 16."""
        session = Session.objects.select_related("tournament__club", "board_set").get(pk=world.session.pk)
        made = prints.make(session=session, actor=account, kinds=["names"], language="fr", size="A4")
        page = pdfium.PdfDocument(made.content)[0].render(scale=3).to_pil()
        side = page.width / 210
        found = page.convert("RGB").crop((int(182 * side), int(17 * side), int(193 * side), int(21 * side)))
        return {colour for _count, colour in found.getcolors(10**6) or ()}

    assert not any(map(is_blue, corner()))
    put_logo(world)
    assert any(map(is_blue, corner()))


def test_a_certificate_has_the_name_and_the_logo_of_its_club(world: World) -> None:
    played_through(world)
    states.finish(session=world.session, actor=None)
    account = an_official(world.session, RoleKind.DIRECTOR, "Lola")

    def middle() -> tuple[set[object], str]:
        """The colours above the word, where the service has its own sign without a logo; and the text."""
        session = Session.objects.select_related("tournament__club", "board_set").get(pk=world.session.pk)
        made = prints.make(session=session, actor=account, kinds=["certificates"], language="en", size="A4")
        document = pdfium.PdfDocument(made.content)
        assert len(document) >= 3  # all who share the third place
        page = document[0].render(scale=3).to_pil()
        side = page.width / 210
        box = [int(place * side) for place in (95, 42, 115, 60)]
        found = page.convert("RGB").crop((box[0], box[1], box[2], box[3]))
        text = document[0].get_textpage().get_text_range()
        return {colour for _count, colour in found.getcolors(10**6) or ()}, text

    colours, text = middle()
    assert not any(map(is_blue, colours))
    assert world.session.tournament.club.name in text
    put_logo(world)
    assert any(map(is_blue, middle()[0]))


def test_the_history_says_that_cards_were_given_links(world: World) -> None:
    account = an_official(world.session, RoleKind.DIRECTOR, "Lola")
    session = Session.objects.select_related("tournament__club", "board_set").get(pk=world.session.pk)
    wish: dict[str, Any] = {"kinds": ["guide-cards"], "language": "en", "size": "A4"}
    prints.make(session=session, actor=account, base="https://example.org", **wish)
    prints.make(session=session, actor=account, base="https://example.org", **wish)
    told = HistoryEntry.objects.filter(session=session, verb="made evening links").order_by("pk")
    count = session.contestants.count()
    assert [(one.detail["count"], one.detail["ended"]) for one in told] == [(count, 0), (count, count)]
    assert {one.account for one in told} == {account}


def test_a_number_that_was_counted_is_itself_whatever_word_of_the_game_is_called_so() -> None:
    """Of three tricks is told where “3” is also a choice of the auction."""
    asked = 0
    for game in registry.games().values():
        words = next(iter(game.names))
        evening: Any = SimpleNamespace(game=game, language="fr")
        for digit in filter(str.isdigit, game.names):
            asked += 1
            told = [{"fact": words, "value": int(digit)}], [{"fact": words, "value": digit}]
            number, word = (print_contents.facts_in_words(evening, facts) for facts in told)
            assert number == f"{game.names[words].to('fr')} {digit}"
            assert word.endswith(game.names[digit].to("fr"))
    assert asked


def test_a_dealing_list_keeps_trumps_from_their_places_and_the_stock_from_the_foot() -> None:
    cards = CardWords("fr", "Excuse", "atout")
    for rows in (21, 109, 117, 125):
        paper = new_paper()
        by_card = [("12T", "3")] * rows
        one = deals.DealList(1, None, by_card, [("1", ["7S"] * 13), ("talon", ["10S"] * 75)], "")
        deals.draw_lists(paper, HEADING, [one], cards, "Ada")
        assert paper.get_y() <= paper.bottom + 2, rows
        page = pdfium.PdfDocument(paper.bytes())[0].get_textpage()
        at = page.get_text_range().index("atout 12")
        (_left, _low, ends, _high), (begins, *_rest) = page.get_charbox(at + 7), page.get_charbox(at + 9)
        assert page.get_text_range(at + 9, 1) == "3"
        assert begins > ends + 2, rows
