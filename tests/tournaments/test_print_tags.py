"""What a screen reader is told of what is printed: no text is left out, tables have rows and cells, codes say
what they open."""

import ctypes
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest
from django.utils import timezone

from tournaments.models import Session
from tournaments.models.accounts import RoleKind
from tournaments.printing import deals, guide_cards, rankings, table_cards, travelling
from tournaments.printing.paper import CardWords, Heading, Paper
from tournaments.services import custody, prints

from .test_prints import an_official
from .worlds import World, played_through

pytestmark = pytest.mark.django_db

HEADING = Heading("Cercle de l’Étui", "Mardi de L’Hombre", "17 novembre 2026")
EVERYTHING = [name for name in prints.KINDS if name != "dealing-lists"]

Tag = tuple[str, str, list[Any]]
"""Its kind, what is said in place of a picture, and its parts."""


def words(read: Any, *place: Any) -> str:
    size = read(*place, None, 0)
    held = ctypes.create_string_buffer(size)
    read(*place, held, size)
    return held.raw.decode("utf-16-le").rstrip("\0")


def tags(page: pdfium.PdfPage) -> list[Tag]:
    """The tags of a page, as the program that shows it finds them."""
    tree = raw.FPDF_StructTree_GetForPage(page)

    def tag(element: Any) -> Tag:
        count = raw.FPDF_StructElement_CountChildren(element)
        parts = [raw.FPDF_StructElement_GetChildAtIndex(element, at) for at in range(count)]
        kind = words(raw.FPDF_StructElement_GetType, element)
        alt = words(raw.FPDF_StructElement_GetAltText, element)
        return kind, alt, [tag(part) for part in parts if part]

    _document, _alt, found = tag(raw.FPDF_StructTree_GetChildAtIndex(tree, 0))
    raw.FPDF_StructTree_Close(tree)
    return found


def untagged(page: pdfium.PdfPage) -> list[Any]:
    """Where there is text that no tag holds, and that is not said to be decoration."""
    texts = page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT])
    return [one.get_bounds() for one in texts if not raw.FPDFPageObj_CountMarks(one)]


def flat(found: list[Tag]) -> list[str]:
    return [name for kind, _alt, parts in found for name in (kind, *flat(parts))]


def test_a_ranking_is_a_title_and_a_table_of_rows_and_cells_on_each_page() -> None:
    paper = Paper(size="A4", title="Essai", language="fr", made_at=timezone.now())
    rows = [rankings.RankRow(str(place), f"Joueur {place}", "4", "50") for place in range(1, 61)]
    rankings.draw(paper, HEADING, [("", rows)], state="Final", unit="%")
    pages = [tags(page) for page in pdfium.PdfDocument(paper.bytes())]
    assert len(pages) > 1
    cells = 0
    for page in pages:
        assert [kind for kind, _alt, _parts in page].count("H1") == 1
        (table,) = [parts for kind, _alt, parts in page if kind == "Table"]
        heads, *lines = [
            [kind for kind, _alt, _parts in parts] for kind, _alt, parts in table if kind == "TR"
        ]
        assert set(heads) == {"TH"}
        assert {tuple(line) for line in lines} == {("TD",) * len(heads)}
        cells += len(lines)
    assert cells == len(rows)


def test_codes_and_logos_say_what_they_are_and_what_hangs_behind_is_not_read() -> None:
    paper = Paper(size="A4", title="Essai", language="fr", made_at=timezone.now())
    rows = [guide_cards.GuideRow(1, "A4", "2", "1–3", "3 Béa, 5 Zoé")]
    address = "https://etui.example/evenings/x"
    guide_cards.draw(paper, HEADING, [guide_cards.GuideCard(1, "Ana", rows, address)])
    seats = [table_cards.TableRow(1, "1–3", ("Ana", "Béa", "Zoé"))]
    table_cards.draw(
        paper, HEADING, table_cards.TableCard("A4", seats, "https://a.example", "a"), 3, ["1", "2", "3"]
    )
    pages = [tags(page) for page in pdfium.PdfDocument(paper.bytes())]
    assert [[alt for _kind, alt, _parts in page if alt] for page in pages] == [
        [address],
        ["https://a.example"],
    ]
    assert all(kind == "Figure" for page in pages for kind, alt, _parts in page if alt)
    one = deals.DealList(1, "K", [("AS", "1"), ("KH", "2")], [("1", ["AS"])], "Feuille")
    held = Paper(size="A4", title="Essai", language="fr", made_at=timezone.now())
    deals.draw_lists(held, HEADING, [one], CardWords("fr", "Excuse", "atout"), "Imprimé pour Denis.")
    document = pdfium.PdfDocument(held.bytes())
    assert document[0].get_textpage().get_text_range().count("Imprimé pour Denis") == 2  # across, and beneath
    assert untagged(document[0]) == []


def test_cards_are_read_aloud_by_the_names_of_their_suits() -> None:
    words = CardWords("fr", "Excuse", "atout")
    paper = Paper(size="A4", title="Essai", language="fr", made_at=timezone.now())
    row = ("A4", ("Ana", "Béa"), "", ("5", "-5"), ("50", "50"))
    board = deals.HandRecord(1, "Donneur 1", [("Sud", ["AS", "TS", "KH"])], [row])
    deals.draw_records(paper, HEADING, [board], words, ["1", "2"], ["1", "2"], ["%", "%"])
    one = deals.DealList(1, "K", [("AS", "1"), ("KH", "2")], [("1", ["AS"])], "Feuille")
    deals.draw_lists(paper, HEADING, [one], words, "Imprimé pour Denis.")
    record, dealing = ([one for one in tags(page) if one[1]] for page in pdfium.PdfDocument(paper.bytes()))
    assert record == [("P", "Sud – pique A 10, cœur R", [])]
    assert [alt for _kind, alt, _parts in dealing] == ["pique A – 1", "cœur R – 2", "1 – pique A"]


def test_what_is_measured_leaves_no_tag() -> None:
    """A result is measured on as many lines as it might take: that is read by nobody, and written nowhere."""
    paper = Paper(size="A4", title="Essai", language="fr", made_at=timezone.now())
    told = "joué jusqu’au bout, cinq plis à Ana, trois à Béa, deux à Zoé"
    row = travelling.TravelRow(1, "A4", ("Ana", "Béa", "Zoé"), told, ("5", "3", "2"))
    travelling.draw(
        paper, HEADING, [travelling.TravelSheet(1, "Donneur 1", None, [row])], ["1", "2", "3"], ["%"] * 3
    )
    (page,) = pdfium.PdfDocument(paper.bytes())
    kinds = [kind for kind, _alt, _parts in tags(page)]
    assert kinds == ["P", "P", "P", "P", "H1", "P", "Table"], "club, evening, day, kind of sheet, conditions"


@pytest.mark.parametrize("size", prints.FORMATS)
def test_no_text_of_anything_that_is_printed_is_left_out(world: World, size: Any) -> None:
    session = world.session
    director = an_official(session, RoleKind.DIRECTOR, "Odile")
    officer = an_official(session, RoleKind.DEAL_OFFICER, "Denis")
    custody.take(session=session, account=officer, signed_in_again_at=timezone.now())
    wish: dict[str, Any] = {"language": "fr", "size": size, "base": "https://etui.example"}
    lists = prints.make(session=session, actor=officer, kinds=["dealing-lists"], **wish)
    played_through(world)
    Session.objects.filter(pk=session.pk).update(state=Session.State.PLAYED)
    session.refresh_from_db()
    for made in (lists, prints.make(session=session, actor=director, kinds=EVERYTHING, **wish)):
        document = pdfium.PdfDocument(made.content)
        assert raw.FPDFCatalog_IsTagged(document)
        for page in document:
            assert untagged(page) == []
            assert {"H1", "H2", "P"} & set(flat(tags(page)))
