"""Where the lines of the games are: how many say something, of which part of the rules, and how many are
blank, import names, or explain. `python -m benchmarks.lines` prints it, and docs/testing.md sums it up.

A part is a file of a game (`cards.py`, `play.py`, …), or what stands under a heading where it is one file.
"""

import ast
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import engines.games

ROOT = Path(engines.games.__file__).parent
SAID = ("cards", "play", "marks", "sheet", "match", "robot", "game")
OTHER = ("blank", "imports", "explained")
HEADING = re.compile(r"# ── (?:The |A )?(.*?) ─+$")
HEADINGS = {"cards": "cards", "deal": "cards", "phases": "play", "marks": "marks", "score": "marks",
            "sheet": "sheet", "match": "match", "robot": "robot", "game": "game"}  # fmt: skip
FILES = {"__init__": "game", "melds": "cards"}  # the others are called like their parts


def main() -> None:
    rows = {game: counted(files) for game, files in sorted(games().items())}
    rows["all"] = sum(rows.values(), Counter[str]())
    columns = ("lines", *OTHER, *SAID)
    print(f"| game | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for game, row in rows.items():
        values = (row.total(), *(row[name] for name in (*OTHER, *SAID)))
        print(f"| {game} | {' | '.join(f'{value:,}' for value in values)} |")


def games() -> dict[str, list[Path]]:
    """The files of each game: one, or those of its package."""
    found: dict[str, list[Path]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        if path.parent != ROOT or path.stem != "__init__":
            found.setdefault(path.relative_to(ROOT).parts[0].removesuffix(".py"), []).append(path)
    return found


def counted(files: list[Path]) -> Counter[str]:
    """How many lines of a game there are of each kind."""
    return Counter(kind for path in files for kind in kinds(path))


def kinds(path: Path) -> Iterator[str]:
    """Of each line of a file: what it says something of, or which of OTHER it is."""
    with tokenize.open(path) as file:
        source = file.read()
    tree = ast.parse(source)
    imports = lines_of(node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    texts = lines_of(node for node in ast.walk(tree) if isinstance(node, ast.Expr) and is_text(node.value))
    is_whole = path.parent == ROOT
    part = "game" if is_whole else FILES.get(path.stem, path.stem)
    for number, line in enumerate(source.splitlines(), 1):
        if is_whole and (heading := HEADING.match(line)):
            part = next(HEADINGS[word] for word in re.findall(r"\w+", heading[1]) if word in HEADINGS)
        if not line.strip():
            yield "blank"
        elif number in imports:
            yield "imports"
        elif number in texts or line.strip().startswith("#"):
            yield "explained"
        else:
            yield part


def is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def lines_of(nodes: Iterator[ast.stmt]) -> set[int]:
    return {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


if __name__ == "__main__":
    main()
