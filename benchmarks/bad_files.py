"""What files cost that nobody should bring: seconds of the processor until each is refused (or taken, where
all that is odd in it does no harm), and the megabytes that its process held on top. Each is read in a process
of its own, by what reads a club's evening or an archive; nothing is stored. It fails where one costs more
than it may.
"""

import argparse
import io
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import django
from openpyxl import Workbook

from .aside import peak

SECONDS, MEGABYTES = 2.0, 150.0  # at most
WHOLE = 100_000_000  # bytes of a cell that is far too large, and of what a bomb unpacks to a few times
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
KINDS = "[Content_Types].xml"
UNENDED = 18_000_000  # bytes, within what a workbook may unpack to
HEAD = "section,round,table,board,seat1,seat2,seat3,outcome,tricks1,tricks2,tricks3\n"
ROW = "A,1,1,1,Ana,Ben,Cléo,normal,5,3,2\n"
BEGIN = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
END = "</sheetData></worksheet>"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@dataclass(frozen=True, slots=True)
class BadFileCost:
    """`refusal`: its code, or the class of what was raised; empty for a file that was taken."""

    name: str
    refusal: str
    seconds: float
    megabytes: float


def main(arguments: Sequence[str] | None = None) -> str | None:
    """What to end with: nothing, or what costs too much."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bad_files", description=__doc__)
    parser.add_argument("--bytes", type=int, default=WHOLE, help="of a cell that is far too large")
    wanted = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    django.setup()
    costly = show(wanted.bytes)
    return f"too costly: {', '.join(costly)}" if costly else None


def show(size: int) -> list[str]:
    """Print what each costs; the names of those that cost too much."""
    costly = []
    print(f"{'file':<46}{'kB':>9}{'s':>8}{'MB more':>9}  refused with")
    for name, content, read in files(size):
        one = cost(name, content, read)
        line = f"{name:<46}{len(content) / 1_000:>9.0f}{one.seconds:>8.2f}{one.megabytes:>9.0f}"
        print(f"{line}  {one.refusal or '(taken)'}", flush=True)
        if one.seconds > SECONDS or one.megabytes > MEGABYTES:
            costly.append(name)
    return costly


# ── The files ─────────────────────────────────────────────────────────────────────────────────────


def files(size: int) -> Iterator[tuple[str, bytes, Callable[[bytes], Any]]]:
    """Each with its name, and what reads it."""
    text = (HEAD + ROW).encode()
    plain = workbook()
    yield "a good text", text, evening
    yield "a good workbook", plain, evening
    yield "text: one cell", b'"' + b"x" * size, evening
    yield "text: one cell just below the limit", b'"' + b"x" * min(size, 9_900_000), evening
    yield "text: a million columns", b"," * 1_000_000, evening
    yield "text: a million empty lines", b"\n" * 1_000_000, evening
    yield "text: UTF-16", (HEAD + ROW).encode("utf-16"), evening
    yield "text: Windows-1252", (HEAD + ROW).encode("cp1252"), evening
    yield "text: bytes of no encoding", bytes(range(256)) * 1_000, evening
    yield "text: half a row", text[: len(text) - 12], evening
    yield "workbook: half a file", plain[: len(plain) // 2], evening
    yield "workbook: a bomb", repacked(plain, {SHEET: b"0" * size}, times=3), evening
    yield "workbook: a tag without an end", repacked(plain, {SHEET: b"0" * min(size, UNENDED)}), evening
    texts = {STRINGS: b"0" * min(size, UNENDED), KINDS: with_texts(plain)}
    yield "workbook: such a tag in its texts", repacked(plain, texts), evening
    row = '<row r="1">' + '<c t="inlineStr"><is><t>'
    cell = (BEGIN + row).encode() + b"x" * size + f"</t></is></c></row>{END}".encode()
    yield "workbook: one cell", repacked(plain, {SHEET: cell}), evening
    wide = (BEGIN + '<row r="1">' + "<c><v>1</v></c>" * 1_000_000 + "</row>" + END).encode()
    yield "workbook: a million columns", repacked(plain, {SHEET: wide}), evening
    tall = (BEGIN + '<row r="1"/>' * 1_000_000 + END).encode()
    yield "workbook: a million empty rows", repacked(plain, {SHEET: tall}), evening
    far = (BEGIN + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' + END).encode()
    yield "workbook: its last cell alone", repacked(plain, {SHEET: far}), evening
    merged = (
        BEGIN + '</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>'
    )
    yield "workbook: all cells merged", repacked(plain, {SHEET: merged.encode()}), evening
    yield "workbook: with macros", repacked(plain, {"xl/vbaProject.bin": b"Sub Auto_Open()"}), evening
    laughs = f"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY l0 'lol'>{LAUGHS}]>"
    yield "workbook: entities of entities", repacked(plain, {SHEET: f"{laughs}<x>&l9;</x>".encode()}), evening
    yield "XML: entities of entities", f"{laughs}<ETUI_RESULTS>&l9;</ETUI_RESULTS>".encode(), evening
    yield "XML: a million levels", b"<a>" * 1_000_000, evening
    yield "archive: a bomb", repacked(empty(), {"manifest.json": b"0" * size}, times=3), archive
    yield (
        "archive: half a file",
        repacked(empty(), {"manifest.json": os.urandom(1_000_000)})[:500_000],
        archive,
    )
    many = {f"{number}.json": b"{}" for number in range(20_000)}
    yield "archive: twenty thousand files", repacked(empty(), many), archive
    yield "archive: a path upwards", repacked(empty(), {"../manifest.json": b"{}"}), archive
    yield "archive: JSON of a million levels", repacked(empty(), {"manifest.json": b"[" * 1_000_000}), archive


def workbook() -> bytes:
    book = Workbook()
    for line in (HEAD + ROW).splitlines():
        book.active.append(line.split(","))
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def with_texts(book: bytes) -> bytes:
    """The list of a workbook's parts, with the texts that cells share among them."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    with ZipFile(io.BytesIO(book)) as parts:
        listed = parts.read(KINDS).decode()
    return listed.replace(
        "</Types>", f'<Override PartName="/{STRINGS}" ContentType="{kind}"/></Types>'
    ).encode()


def empty() -> bytes:
    kept = io.BytesIO()
    ZipFile(kept, "w").close()
    return kept.getvalue()


def repacked(content: bytes, parts: dict[str, bytes], *, times: int = 1) -> bytes:
    """A zipped file with other parts in it, each so many times its content."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, part in parts.items():
            with new.open(name, "w", force_zip64=True) as place:
                for _time in range(times):
                    place.write(part)
    return out.getvalue()


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def evening(content: bytes) -> None:
    from tournaments.services import evenings  # what asks the settings comes after them

    text = evenings.text_of(content)
    evenings.read(text=text, game="comon", options={}, method="matchpoints")


def archive(content: bytes) -> None:
    from tournaments.services import archive_reading

    archive_reading.read(content)


def cost(name: str, content: bytes, read: Callable[[bytes], Any]) -> BadFileCost:
    """What one file costs, in a process that ends with it."""
    context = multiprocessing.get_context("spawn" if sys.platform == "darwin" else "fork")
    there, here = context.Pipe()
    process = context.Process(target=_cost, args=(there, name, content, read))
    process.start()
    there.close()  # so that the other end is heard to end
    found: BadFileCost = here.recv()
    process.join()
    return found


def _cost(there: Any, name: str, content: bytes, read: Callable[[bytes], Any]) -> None:
    read_small(read)  # what is loaded once is not the file’s
    before, began, refusal = _peak_from_now(), time.process_time(), ""
    try:
        read(content)
    except Exception as error:  # whatever it is, it is said
        refusal = getattr(error, "code", type(error).__name__)
    there.send(BadFileCost(name, refusal, time.process_time() - began, max(peak() - before, 0.0)))


def read_small(read: Callable[[bytes], Any]) -> None:
    for content in (workbook(), empty()):
        with suppress(Exception):
            read(content)


def _peak_from_now() -> float:
    """What the process holds at most until now; on Linux it is counted anew from here."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak()


if __name__ == "__main__":
    sys.exit(main())
