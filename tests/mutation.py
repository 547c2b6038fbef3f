"""How many small changes of the code the tests notice, by hand: mutmut on a copy of the project.

    python -m tests.mutation scoring --tests tests/scoring --sample 500

To be run by a Python that has mutmut besides the project's requirements (docs/testing.md). What survived is
shown as a diff, in the order of the files; `--folder` keeps the copy, and what is known about each mutant.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
MUTMUT = Path(sys.executable).with_name("mutmut")
DECORATORS = {"property", "transaction.atomic"}
SURVIVED = {0: "survived", 33: "not run by any test"}
"""mutmut's exit codes of mutants that are still there; any other code is a failed test or a time limit."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("sources", nargs="+", help="folders and files to change")
    parser.add_argument(
        "--tests", nargs="+", required=True, help="what pytest runs besides the examples of the sources"
    )
    parser.add_argument("--select", default="", help="a pytest expression, as its -k takes it")
    parser.add_argument("--sample", type=int, help="so many mutants, drawn by lot; by default all")
    parser.add_argument("--seed", type=int, default=13, help="for the lot")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--folder", type=Path, help="where the copy is made; by default for the time of the run"
    )
    chosen = parser.parse_args(arguments)
    if not MUTMUT.exists():
        sys.exit(f"There is no mutmut beside {sys.executable}: docs/testing.md says how to get it.")
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="etui-mutants-"))
    try:
        copy_to(folder, chosen.sources, chosen.tests, chosen.select)
        names = drawn(made(folder, chosen.workers), chosen.sample, chosen.seed)
        mutmut(folder, "run", "--max-children", str(chosen.workers), *names)
        report(folder, names, selection(chosen.sources, chosen.tests, chosen.select))
    finally:
        if chosen.folder is None:
            shutil.rmtree(folder)


def copy_to(folder: Path, sources: Sequence[str], tests: Sequence[str], select: str) -> None:
    """The files of the project as they are, what is to be changed with its decorators written out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    files = [name for name in listed if name and (ROOT / name).is_file()]
    for name in files:
        to = folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".py") and any(name == one or name.startswith(f"{one}/") for one in sources):
            to.write_text(undecorated((ROOT / name).read_text()))
        else:
            shutil.copy(ROOT / name, to)
    packages = sorted({source.split("/")[0] for source in sources})
    rest = sorted({name.split("/")[0] for name in files} - set(packages))
    settings: dict[str, object] = {
        "source_paths": packages,
        "only_mutate": [one if one.endswith(".py") else f"{one}/*" for one in sources],
        "also_copy": rest,
        "pytest_add_cli_args_test_selection": selection(sources, tests, select),
        "timeout_constant": 2.0,
        "track_dependencies": False,
        "use_git_change_detection": False,
    }
    with (folder / "pyproject.toml").open("a") as file:
        file.write("\n[tool.mutmut]\n")
        file.writelines(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())


def selection(sources: Sequence[str], tests: Sequence[str], select: str) -> list[str]:
    """The examples in docstrings are tests too, but not those that mutmut has copied into each mutant."""
    return [*tests, *sources, "-k", f"({select}) and not mutmut" if select else "not mutmut"]


def undecorated(source: str) -> str:
    """The same module with some decorators as assignments, since mutmut leaves decorated functions alone.

    >>> print(undecorated("@property\\ndef two(self):\\n    return 2\\n"), end="")
    def two(self):
        return 2
    two = property(two)
    """
    lines = source.splitlines()
    added: dict[int, list[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and len(node.decorator_list) == 1:
            decorator = node.decorator_list[0]
            name = ast.unparse(decorator)
            if name in DECORATORS:
                assert node.end_lineno is not None
                added.setdefault(decorator.lineno, [])  # the decorator's line goes
                assigned = f"{' ' * node.col_offset}{node.name} = {name}({node.name})"
                added[node.end_lineno] = [lines[node.end_lineno - 1], assigned]
    return "".join(f"{line}\n" for at, old in enumerate(lines, 1) for line in added.get(at, [old]))


def made(folder: Path, workers: int) -> list[str]:
    """The names of all mutants, in the order of the files. Their tests are timed on the way."""
    answer = mutmut(folder, "run", "--max-children", str(workers), "no mutant has this name")
    if not (folder / "mutants" / "mutmut-stats.json").exists():
        sys.exit(f"The tests did not pass before anything was changed:\n{answer}")
    return [name for codes in results(folder) for name in codes]


def drawn(names: Sequence[str], sample: int | None, seed: int) -> list[str]:
    if sample is None or sample >= len(names):
        return list(names)
    chosen = set(random.Random(seed).sample(names, sample))
    return [name for name in names if name in chosen]


def mutmut(folder: Path, *arguments: str) -> str:
    done = subprocess.run([MUTMUT, *arguments], cwd=folder, capture_output=True, check=False, text=True)
    return done.stdout + done.stderr


def results(folder: Path) -> Iterable[dict[str, int | None]]:
    """By file, mutmut's exit code of each mutant; None for one that was not drawn."""
    for path in sorted((folder / "mutants").rglob("*.meta")):
        yield json.loads(path.read_text())["exit_code_by_key"]


def report(folder: Path, names: Sequence[str], tests: Sequence[str]) -> None:
    codes = {name: code for of_file in results(folder) for name, code in of_file.items()}
    unknown = [name for name in names if codes[name] is None]
    if unknown:
        sys.exit(f"{len(unknown)} mutants were not tried, {unknown[0]} among them: see mutmut in {folder}.")
    early = while_loading(folder, tests)
    left = [
        name
        for name in names
        if codes[name] in SURVIVED
        and not (name.rpartition("__mutmut_")[0] in early and is_noticed_anew(folder, name, tests))
    ]
    for name in left:
        print(SURVIVED[codes[name] or 0], mutmut(folder, "show", name), sep="\n")
    for module, count in sorted(Counter(name.rpartition(".")[0] for name in names).items()):
        there = sum(name.rpartition(".")[0] == module for name in left)
        print(f"{module}: {count - there} of {count}")
    print(f"{len(names) - len(left)} of {len(names)} noticed, of {len(codes)} that there are")


def while_loading(folder: Path, tests: Sequence[str]) -> set[str]:
    """The functions that make tables while modules load, which is before mutmut can change them."""
    script = """if True:
        import json, sys, pytest
        from mutmut.state import state
        pytest.main(["--collect-only", "-qq", *sys.argv[1:]])
        print(json.dumps([*state()._stats]))
    """
    return set(json.loads(alone(folder, "stats", "-c", script, *tests).stdout.splitlines()[-1]))


def is_noticed_anew(folder: Path, name: str, tests: Sequence[str]) -> bool:
    """Whether a process of its own, which loads the changed code, fails a test."""
    return alone(folder, name, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests).returncode != 0


def alone(folder: Path, mutant: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder / "mutants", capture_output=True, check=False, text=True,
        env=os.environ | {"MUTANT_UNDER_TEST": mutant},
    )  # fmt: skip


if __name__ == "__main__":
    main()
