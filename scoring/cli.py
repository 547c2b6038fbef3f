"""The library's own face on the command line: what an archive proves, from it alone."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engines import archives as containers
from engines.archives import Archive, BadArchive
from engines.errors import EngineError
from engines.phrases import LANGUAGES, Phrase

from .archives import Checked, verify
from .errors import BadScoring
from .rounding import decimals

HOLDS, DOES_NOT, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when all holds, 1 when something does not, 2 on bad input."""
    args = parser().parse_args(arguments)
    try:
        archive = containers.read(_content(args.file))
        numbers = [args.session] if args.session else archive.sessions
        if not numbers:
            raise BadArchive(args.file, Phrase("holds no session"))
        checked = [verify(archive, number, commitment=args.commitment) for number in numbers]
    except EngineError as error:
        print(error.phrase().to(args.lang), file=sys.stderr)
        return BAD_INPUT
    for one in checked:
        print(text_of(archive, one, args.lang))
    return DOES_NOT if any(one.findings for one in checked) else HOLDS


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m scoring", description="Lists, from results alone.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    does = "whether an archive holds: its boards, its scores and its rankings"
    sub = commands.add_parser("verify", help=does, description=does)
    sub.add_argument("file", metavar="FILE", help="an archive, as the service gives it")
    sub.add_argument("--session", type=int, metavar="N", help="the number of one of its sessions")
    sub.add_argument("--commitment", metavar="HEX", help="what was published before play")
    sub.add_argument("--lang", choices=LANGUAGES, default="en", help="the language of messages")
    return top


def _content(name: str) -> bytes:
    try:
        if Path(name).stat().st_size > containers.PACKED_AT_MOST:
            raise BadArchive(name, Phrase("is larger than {bytes} bytes", bytes=containers.PACKED_AT_MOST))
        return Path(name).read_bytes()
    except OSError as error:
        raise BadScoring(name, Phrase("cannot be read: {error}", error=error.strerror)) from None


def text_of(archive: Archive, checked: Checked, language: str) -> str:
    """What was checked, and the ranking that follows from the results."""
    session = archive.value(f"sessions/{checked.session}/session.json")
    lines = [f"{session['name']} ({session['game']}, {session['method']})"]
    checks = [Phrase("{count} results counted again from their sheets.", count=checked.scores)]
    if checked.has_deals:
        checks.append(Phrase("All boards are dealt again from the seed that was sealed."))
    if not checked.findings and not checked.notes:
        checks.append(Phrase("The ranking follows from the results, to the last digit."))
    lines += [f"✓ {one.to(language)}" for one in checks]
    lines += [f"? {one.to(language)}" for one in checked.notes]
    lines += [f"✗ {one.to(language)}" for one in checked.findings]
    for group in checked.groups:
        if len(checked.groups) > 1:
            lines.append(Phrase("Line {number}", number=group.line_group).to(language))
        for place in group.places:
            value = place.total.value
            shown = "–" if value is None else decimals(value)
            lines.append(f"{place.rank or '–':>4}  {place.contestant:>4}  {shown:>8}  {place.total.points}")
    return "\n".join(lines)
