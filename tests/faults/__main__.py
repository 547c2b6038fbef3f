"""A campaign of faults, drawn by a seed, against both forms of the service while clients hand in results.

Killed, frozen or ended: the web process and workers; killed or ended: the supervisor, which is then started
again. PostgreSQL crashes or is stopped, Redis is stopped, messages are lost, the disk is full, clients hang
up in the middle of a request or before its answer, or send one key from many connections.

At the end every result that was acknowledged is there exactly once, everything has been judged and ranked,
every list equals its recomputation, no answer was a 5xx but 503, and no process is left. If not, the exit
status is 1, with the seed that draws the same faults again.
"""

import argparse
import json
import secrets
import sys
from pathlib import Path
from typing import Any

from tests.servers import FORMS, Lodging, forms_here, place_for, run_beside

SECONDS, FAULTS = 600.0, 1_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=FAULTS, help="so many at most")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="no fault after so long")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS)
    parser.add_argument("--json", type=Path, help="write the report into this file")
    arguments = parser.parse_args()
    forms = forms_here(arguments.forms)
    print(f"seed {arguments.seed}", flush=True)
    reports = []
    for form in forms:
        reports.append(report_of(form, arguments, len(forms)))
        print(in_words(reports[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(reports, indent=1) + "\n")
    if any(report["findings"] for report in reports):
        sys.exit(f"Something is wrong; the same faults again: make campaign-faults SEED={arguments.seed}")


def report_of(form: str, arguments: argparse.Namespace, forms: int) -> Any:
    with place_for(form, disk=True, SWEEP_SECONDS="1", HUNG_SECONDS="4") as place:
        Path(place.environment["VAR_DIR"]).mkdir()
        out = Path(place.environment["VAR_DIR"]) / "report.json"
        command = [sys.executable, "-m", "tests.faults.form", "--form", form, "--json", str(out)]
        command += [
            "--faults",
            str(-(-arguments.faults // forms)),
            "--seconds",
            str(arguments.seconds / forms),
        ]
        command += ["--seed", arguments.seed, *servers_of(place), *(["--disk"] if place.has_disk else [])]
        run_beside(command, place.environment)
        return json.loads(out.read_text())


def servers_of(place: Lodging) -> list[str]:
    named = {"--postgresql": place.postgresql, "--redis": place.redis}
    return [word for name, one in named.items() if one for word in (name, f"{one.folder}:{one.port}")]


def in_words(report: dict[str, Any]) -> str:
    faults, answers = report["faults"], report["answers"]
    lines = [
        f"{report['form']}: {sum(faults.values()):,} faults in {report['seconds']} s",
        f"{report['requests']:>7,} requests, of which {answers.get('503', 0):,} were answered by 503 and "
        f"{answers.get('none', 0):,} not at all",
        f"{report['acknowledged']:>7,} results acknowledged",
        *(f"{count:>7,} {name}" for name, count in faults.items()),
        f"        disk full: {report['disk']}",
        *(f"FINDING {finding}" for finding in report["findings"]),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
