"""The service under load, beside an empty Django view in the same run.

Both forms are measured, each in a temporary place of its own: the embedded one on SQLite and files with
one worker, and the distributed one with two workers on a PostgreSQL (`fsync` on) and a Redis that are started
for it; it is left out where these are not installed. The load comes from a process beside the service, over
connections that stay open, by a client that costs little (`tests/connections.py`): on a machine of few cores
it takes its part of them, from the empty view as from everything else.

The empty view runs under uvicorn and a2wsgi, beside which the goals were set, and under the server that the
service uses now. Fields have four rounds of two boards, and the first three are played. A result is accepted
when its sender reads so, and in the lists when the transaction of its version is over. --tables are the
fields in which one result alone is measured; what is read is read at 100 and 1,000 tables, or at the largest
of these fields where that is smaller.
"""

import argparse
import json
import sys
from pathlib import Path

from tests.servers import FORMS, forms_here, place_for, run_beside

from .figures import Run, table

SECONDS = 5.0
TABLES = (10, 1_000, 5_000)
WATCHERS = (500, 2_000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="for each thing that is done under load"
    )
    parser.add_argument("--tables", type=int, nargs="+", default=TABLES, help="fields, for one result alone")
    parser.add_argument("--watchers", type=int, nargs="+", default=WATCHERS)
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS)
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    parser.add_argument("--plot", type=Path, help="draw them into this SVG file")
    arguments = parser.parse_args()
    runs = [run_of(form, arguments) for form in forms_here(arguments.forms)]
    print(table(runs))
    if arguments.json:
        arguments.json.write_text(json.dumps([run.to_json() for run in runs], indent=1) + "\n")
    if arguments.plot:
        from .plot import plot  # comes with requirements/bench.txt, which tests do without

        plot(runs, arguments.plot)


def run_of(form: str, arguments: argparse.Namespace) -> Run:
    with place_for(form) as place:
        Path(place.environment["VAR_DIR"]).mkdir()
        out = Path(place.environment["VAR_DIR"]) / "figures.json"
        command = [sys.executable, "-m", "benchmarks.load.form", "--form", form, "--json", str(out)]
        command += ["--seconds", str(arguments.seconds)]
        command += ["--tables", *map(str, arguments.tables), "--watchers", *map(str, arguments.watchers)]
        run_beside(command, place.environment)
        return Run.of_json(json.loads(out.read_text()))


if __name__ == "__main__":
    main()
