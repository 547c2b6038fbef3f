"""Ask every operation of a running service, as each role, whatever its description allows and much that it
forbids: sessions are there in all their states. No answer may be a 5xx, and each must be as described: its
status, its content type, its headers, its schema. What is forbidden must be refused.

The exit status is 1 if anything is wrong, with the seed that asks the same again.
"""

import argparse
import json
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.running import ROOT, Service, started
from tests.servers import FORMS, forms_here, place_for

from .scene import OperationScene, scene_of

CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_schema_conformance", "response_headers_conformance", "negative_data_rejection"),
)
SHARES = {"anyone": 1, "player": 1, "table": 2, "scorer": 2, "organiser": 4}  # of the time
LEAST_SECONDS = 10  # of a role, to read the description and to ask anything at all
EXAMPLES = 40  # of each operation, before its time is over


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.operations", description=__doc__)
    parser.add_argument("--seconds", type=int, default=240, help="for all roles and both forms together")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS)
    arguments = parser.parse_args()
    forms = forms_here(arguments.forms)
    print(f"seed {arguments.seed}", flush=True)
    wrong = [
        f"{form}: {role}"
        for form in forms
        for role in findings(form, arguments.seconds // len(forms), arguments.seed)
    ]
    if wrong:
        sys.exit(f"Wrong answers ({', '.join(wrong)}); again: make campaign-api SEED={arguments.seed}")


def findings(form: str, seconds: int, seed: int) -> list[str]:
    """The roles that got a wrong answer from a form of the service."""
    with place_for(form, SWEEP_SECONDS="1") as place, started(place.environment) as service:
        scene = scene_of(service)
        whole = sum(SHARES.values())
        print(f"The {form} form:", flush=True)
        folder = Path(place.environment["VAR_DIR"])
        description = folder / "description.json"
        description.write_text(json.dumps(scene.described()))
        return [
            role
            for role in scene.tokens
            if not is_right(service, scene, role, description, seconds * SHARES[role] // whole, seed)
        ]


def is_right(
    service: Service, scene: OperationScene, role: str, description: Path, seconds: int, seed: int
) -> bool:
    """Whether a role got the answers that the API describes."""
    program = Path(sys.executable).with_name("schemathesis")
    command: list[Any] = [program, "run", description, "--no-color"]
    command += [
        "--url",
        service.address,
        "--phases",
        "examples,coverage,fuzzing",
        "--checks",
        ",".join(CHECKS),
    ]
    command += [
        "--max-examples",
        EXAMPLES,
        "--max-time",
        max(seconds, LEAST_SECONDS),
        "--seed",
        seed,
        "--no-shrink",
    ]
    command += ["--generation-database", "none", "--generation-with-security-parameters", "false"]
    command += ["--request-timeout", 30, "--suppress-health-check", "all", "--continue-on-failure"]
    if token := scene.tokens[role]:
        command += ["--header", f"Authorization: Bearer {token}"]
    done = subprocess.run(
        [str(part) for part in command],
        cwd=description.parent,
        env=os.environ | {"SCHEMATHESIS_HOOKS": f"{__package__}.hooks", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    cases = re.findall(r"(\d+ generated.*)", done.stdout)
    print(f"{role}: {cases[-1] if cases else 'nothing was asked'}", flush=True)
    if done.returncode:
        print(only_failures(done.stdout) or done.stdout, done.stderr, flush=True)
    return done.returncode == 0 and bool(cases)


def only_failures(report: str) -> str:
    r"""Of a report, what failed and how it is asked again: warnings take pages, and logs are cut.

    >>> only_failures("== FAILURES ==\nthis\n== WARNINGS ==\nmany\n== SUMMARY ==\nfew\n")
    '== FAILURES ==\nthis\n'
    """
    parts = re.split(r"(?m)^(?==+ [A-Z]+ =+$)", report)
    return "".join(part for part in parts if re.match("=+ (FAILURES|ERRORS) ", part))


if __name__ == "__main__":
    main()
