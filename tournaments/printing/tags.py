"""What a screen reader is told of a file: its titles, paragraphs, pictures, and tables with their rows and
cells, in the order in which they are drawn.

fpdf2 writes tags, but only side by side, and of pictures alone; here they lie in each other. What grows with
them is the file, so that each says only what nothing else does: some 100 bytes with what refers to it.
"""

from collections.abc import Iterator
from typing import Any

from fpdf.structure_tree import StructElem, StructureTreeBuilder
from fpdf.syntax import PDFObject

HEAD_OF_COLUMN = "/A<</O/Table/Scope/Column>>"


class Tag(StructElem):
    """A thing on a page. `k`: its parts, each a tag or the number of what is drawn."""

    __slots__ = ()

    def serialize(self, *_args: object, **_more: object) -> str:
        """As PDF has it, in one line. Its kind is not repeated, as there is one, nor the page where only its
        parts are on it."""
        parts = [str(part) if isinstance(part, int) else part.ref for part in self.k]
        on: Any = self.pg  # fpdf2 puts a page where it says None
        page = f"/Pg {on.ref}" if any(isinstance(part, int) for part in self.k) else ""
        alt = f"/Alt{self.alt.serialize()}" if self.alt is not None else ""
        head = HEAD_OF_COLUMN if self.s == "/TH" else ""
        own = f"/S{self.s}/P {self.p.ref}{page}{head}{alt}/K[{' '.join(parts)}]"
        return f"{self.id} 0 obj\n<<{own}>>\nendobj"


class InnerTag(Tag):
    """A tag within another: it is on the same page."""

    __slots__ = ()

    def __init__(self, kind: str, parent: StructElem) -> None:
        super().__init__(kind, parent, [])

    @property
    def pg(self) -> Any:
        assert isinstance(self.p, StructElem)
        return self.p.pg

    @pg.setter
    def pg(self, _page: object) -> None: ...


class TagTree(StructureTreeBuilder):
    """The tags of a file. `parents`: those that are open, from outside in."""

    def __init__(self) -> None:
        super().__init__()
        self.parents: list[StructElem] = []
        self._inner: list[InnerTag] = []

    def add(self, kind: str, page: int, alt: str | None = None) -> StructElem:
        """A tag in the innermost one that is open; on the page, where none is."""
        if self.parents:
            inner = InnerTag(f"/{kind}", self.parents[-1])
            self.parents[-1].k.append(inner)
            self._inner.append(inner)
            return inner
        tag = Tag(f"/{kind}", self.doc_struct_elem, [], page_number=page, alt=alt)
        self.doc_struct_elem.k.append(tag)
        return tag

    def mark(self, tag: StructElem, page: int) -> tuple[int, int]:
        """What is drawn next on a page is this tag’s: its number there, and that of the page."""
        place = self.spid_per_page_number.setdefault(page, len(self.spid_per_page_number))
        own = self.struct_tree_root.parent_tree.nums[place]
        own.append(tag)
        tag.k.append(len(own) - 1)
        return len(own) - 1, place

    def __iter__(self) -> Iterator[PDFObject]:
        yield from super().__iter__()
        yield from self._inner
