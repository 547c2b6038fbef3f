"""What `pip install` installs: the whole service and its command `etui`; with `ETUI_COMPILED=1` the engines
alone, compiled by mypyc where it pays.

The compiled form is made of the same sources. States and phases become classes of C; all other classes stay
as Python makes them, dataclasses above all, and only their functions are compiled. For that, a copy of each
source is prepared: mypyc knows neither several names assigned at once in the body of a class, nor constants
in that of a dataclass, nor generic classes that somebody subscribes at run time. Constants of modules become
final there, which C finds without a dictionary, and what the cards of a trick are together is reckoned in C:
Python's `sum` is a call, and a generator, which mypyc makes a loop of, is slower in plain Python.
"""

import ast
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from setuptools import Extension, setup

WANTED = bool(os.environ.get("ETUI_COMPILED"))
ROOT = Path(__file__).parent
PREPARED = Path("var", "compiled")
TOOLKIT = ("cards", "contract", "turns", "combinations", "phases", "tricks", "tarot", "choices", "poker")
BESIDES = {
    "__init__",
    "cards",
    "heritiers",
    "marks",
    "match",
    "robot",
    "sheet",
}  # of a game, which stay Python
NATIVE = {"State", "Phase", "Calls", "Pack"}  # and all that inherit from them

ANYBODY_INHERITS = "@mypyc_attr(allow_interpreted_subclasses=True)\n"
IMPORTS = "from typing import Final as _Final\nfrom mypy_extensions import mypyc_attr\n"
IMPORTS_OF_STATES = "from engines.contract import State as _State, copied as _copied\n"
CONSTANT = re.compile("[A-Z][A-Z0-9_]+")
CARDS_OF_A_TRICK = re.compile(r"\bsum\(self\.trick\)")
NOT_NATIVE = "@mypyc_attr(native_class=False)\n"
SUBSCRIBED = """\
    @classmethod
    def __class_getitem__(cls, item: object) -> object:
        return cls
"""


def compiled() -> list[Extension]:
    """The extensions; none where pip asks only what it needs for them."""
    if sys.argv[-1] == "egg_info":
        return []
    from mypyc.build import mypycify

    shutil.rmtree(PREPARED / "engines", ignore_errors=True)
    shutil.copytree(ROOT / "engines", PREPARED / "engines", ignore=shutil.ignore_patterns("__pycache__"))
    paths = [PREPARED / "engines" / f"{name}.py" for name in modules()]
    sources = {path: path.read_text("utf-8") for path in paths}
    native = native_classes(sources.values())
    for path, source in sources.items():
        path.write_text(prepared(source, native), "utf-8")
    settings = PREPARED / "mypy.ini"
    settings.write_text("[mypy]\n")
    options = [f"--config-file={settings}", f"--cache-dir={PREPARED / 'mypy'}"]
    extensions: list[Extension] = mypycify(
        [*options, *map(str, paths)],
        opt_level="1",  # 2 takes twice as long, and what it makes is no quicker
        debug_level="0",
        multi_file=True,
        target_dir=str(PREPARED / "c"),
        group_name="etui",
    )
    for extension in extensions:
        extension.depends = []  # files of mypyc's, which setuptools takes for ours
    return extensions


def modules() -> list[str]:
    """What is compiled."""
    games = sorted(path for path in (ROOT / "engines" / "games").rglob("*.py") if path.stem not in BESIDES)
    of_games = [path.relative_to(ROOT / "engines").with_suffix("").as_posix() for path in games]
    return [*TOOLKIT, *of_games]


def native_classes(sources: Iterable[str]) -> set[str]:
    """The names of those that become classes of C."""
    classes = [one for source in sources for one in ast.parse(source).body if isinstance(one, ast.ClassDef)]
    native, count = set(NATIVE), 0
    while count < len(native):
        count = len(native)
        native |= {one.name for one in classes if any(name_of(base) in native for base in one.bases)}
    return native


def prepared(source: str, native: set[str]) -> str:
    """A source as mypyc takes it."""
    tree = ast.parse(source)
    edits: list[tuple[int, int, str]] = []  # lines (from 1; the last is included) and what takes their place
    imports = IMPORTS
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            is_native = node.name in native and not is_dataclass(node)
            first = min(line.lineno for line in [node, *node.decorator_list])
            edits.append((first, first - 1, ANYBODY_INHERITS if is_native else NOT_NATIVE))
            edits += of_body(node)
            if is_native and (method := giving(node)):
                last = node.end_lineno or node.lineno
                edits.append((last + 1, last, method))
                imports = IMPORTS + IMPORTS_OF_STATES
        elif text := constants(node):
            edits.append((node.lineno, node.end_lineno or node.lineno, text))
    if edits:
        at = next(part.lineno for part in tree.body if isinstance(part, ast.Import | ast.ImportFrom))
        edits.append((at, at - 1, imports))
    lines = source.splitlines(keepends=True)
    for first, last, text in sorted(edits, reverse=True):
        lines[first - 1 : last] = [text]
    return CARDS_OF_A_TRICK.sub("sum(_card for _card in self.trick)", "".join(lines))


def constants(node: ast.stmt) -> str:
    """A statement that assigns constants of a module, or imports those of a game that stay Python, with all
    of them final; nothing for any other."""
    if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module in BESIDES:
        imported = [one for one in node.names if CONSTANT.fullmatch(one.name) and not one.asname]
        for one in imported:
            one.asname = f"_{one.name}"
        return ast.unparse(node) + "\n" + final((one.name, f"_{one.name}") for one in imported)
    if not isinstance(node, ast.Assign) or len(node.targets) > 1:
        return ""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and not isinstance(value, ast.Tuple):
        return ""
    pairs = list(assigned(target, value))
    return final(pairs) if all(CONSTANT.fullmatch(name) for name, _ in pairs) else ""


def final(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and their values, as constants that C finds without a dictionary."""
    return "".join(f"{name}: _Final = {value}\n" for name, value in pairs)


def giving(node: ast.ClassDef) -> str:
    """The method by which a state of C gives a copy what its class adds; Python's asks for each by name."""
    parts = (one for one in node.body if isinstance(one, ast.Assign))
    slots = next((one.value for one in parts if ast.unparse(one.targets[0]) == "__slots__"), None)
    names = () if slots is None else ast.literal_eval(slots)
    if not names:
        return ""
    base = name_of(node.bases[0])
    lines = [] if base == "State" else [f"{base}.give_to(self, other)"]
    lines += [
        f"assert isinstance(other, {node.name})",
        *(f"other.{name} = _copied(self.{name})" for name in names),
    ]
    return "    def give_to(self, other: _State) -> None:\n" + "".join(f"        {line}\n" for line in lines)


def is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(one) for one in node.decorator_list)


def of_body(node: ast.ClassDef) -> Iterator[tuple[int, int, str]]:
    """The edits in the body of a class, and right after it."""
    bases = " ".join(ast.unparse(base) for base in node.bases)
    after = SUBSCRIBED if re.search(r"[\[ ][A-Z]\b", bases) else ""  # with a type variable
    for part in node.body:
        if isinstance(part, ast.Assign):
            pairs = [pair for target in part.targets for pair in assigned(target, part.value)]
            if is_dataclass(node):
                after += "".join(f"{node.name}.{name} = {value}\n" for name, value in pairs)
                yield part.lineno, part.end_lineno or part.lineno, ""
            elif len(pairs) > 1:
                text = "".join(f"    {name} = {value}\n" for name, value in pairs)
                yield part.lineno, part.end_lineno or part.lineno, text
    last = node.end_lineno or node.lineno
    yield last + 1, last, after


def assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    """Each name of an assignment, and its value."""
    if isinstance(target, ast.Tuple):
        assert isinstance(value, ast.Tuple), ast.unparse(value)
        for name, one in zip(target.elts, value.elts, strict=True):
            yield ast.unparse(name), ast.unparse(one)
    else:
        yield ast.unparse(target), ast.unparse(value)


def name_of(base: ast.expr) -> str:
    """The name of a base, without what it is subscribed with."""
    return ast.unparse(base.value if isinstance(base, ast.Subscript) else base)


def packages(*roots: str) -> list[str]:
    """All packages under these, by their dotted names."""
    found = (path.parent for root in roots for path in (ROOT / root).rglob("__init__.py"))
    return sorted(".".join(path.relative_to(ROOT).parts) for path in found)


def required(of: str = "run") -> list[str]:
    """What the service needs, as `requirements/run.in` says it, or another of its neighbours, without the
    reasons and without what points to other files."""
    lines = (ROOT / "requirements" / f"{of}.in").read_text("utf-8").splitlines()
    return [line for line in (line.partition("#")[0].strip() for line in lines) if line and line[0] != "-"]


ENGINES = {"engines": ["*.json", "rules/*.*", "rules/pictures/*", "locale/**/*"]}
SERVICE = {
    **ENGINES,
    "scoring": ["*.json", "locale/**/*"],
    "tournaments": ["**/*.json", "locale/**/*", "printing/fonts/*"],
    "frontend": ["templates/**/*", "static/**/*", "locale/**/*"],
    "frontend.docs": ["help*.md"],  # what `frontend.helping` shows
}

if __name__ == "__main__" and WANTED:
    setup(
        packages=packages("engines"),
        package_data=ENGINES,
        setup_requires=["mypy[mypyc]"],
        install_requires=["mypy_extensions"],
        ext_modules=compiled(),
    )
elif __name__ == "__main__":
    setup(
        py_modules=["etui"],
        packages=[*packages("engines", "scoring", "tournaments", "frontend"), "frontend.docs"],
        package_dir={"frontend.docs": "docs"},
        package_data=SERVICE,
        install_requires=required(),
        extras_require={"watch": required("watch")},
        entry_points={"console_scripts": ["etui = etui:main", "etui-admin = etui:admin"]},
    )
