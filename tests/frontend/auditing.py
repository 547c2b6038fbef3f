"""An auditor's check of an exported history, after docs/history.md and nothing else: it imports nothing of
the project.

    python tests/frontend/auditing.py history-session-7.jsonl [digest that was noted]
"""

import csv
import hashlib
import json
import sys
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Report:
    findings: list[str] = field(default_factory=list)
    sealed: int = 0
    unsealed: int = 0
    newest: str = "0" * 64
    digests: set[str] = field(default_factory=set)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def check(path: str, noted: str | None = None) -> Report:
    report = Report()
    waiting: dict[int, str] = {}  # by id, the digests of entries that no seal has taken yet
    number = 0
    for line in (read_csv if path.endswith(".csv") else read_json)(path):
        if "entry" in line:
            entry = json.loads(line["entry"])
            waiting[entry["id"]] = sha256(line["entry"])
            if line["reason"] is not None and sha256(line["salt"] + line["reason"]) != entry["remark"]:
                report.findings.append(f"the remark of entry {entry['id']} was changed")
            continue
        number += 1
        text, rows = line["seal"], line["seal"].split("\n")
        if sha256(text) != line["digest"] or rows[2] != f"number {number}":
            report.findings.append(f"seal {number} was changed")
        if rows[4] != f"previous {report.newest}":
            report.findings.append(f"seal {number} does not follow the seal before it")
        for row in rows[5:-1]:
            pk, digest = row.split(" ")
            there = waiting.pop(int(pk), None)
            if there is None:
                report.findings.append(f"entry {pk} is missing")
            elif there != digest:
                report.findings.append(f"entry {pk} was changed")
            else:
                report.sealed += 1
        report.findings += [f"entry {pk} was added" for pk in waiting]
        waiting.clear()
        report.newest = line["digest"]
        report.digests.add(report.newest)
    report.unsealed = len(waiting)
    if noted is not None and noted not in report.digests:
        report.findings.append("no seal has the digest that was noted")
    return report


def read_json(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        head, *lines = [json.loads(line) for line in file]
    found: list[dict[str, Any]] = []
    for line in lines:
        if "entry" in line:
            remark = line.get("remark", {})
            text = json.dumps(line["entry"], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
            found.append({"entry": text, "salt": remark.get("salt"), "reason": remark.get("text")})
        else:
            seal = line["seal"]
            rows = [head["form"], f"scope {head['scope']}", f"number {seal['number']}"]
            rows += [f"made {seal['made']}", f"previous {seal['previous']}"]
            rows += [f"{pk} {digest}" for pk, digest in seal["entries"]]
            found.append({"seal": "".join(f"{row}\n" for row in rows), "digest": seal["digest"]})
    return found


def read_csv(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    found: list[dict[str, Any]] = []
    for line in lines:
        if line["kind"] == "entry":
            reason = line["reason"]
            if reason[:1] == "'" and reason[1:2] in tuple("=+-@\t\r"):
                reason = reason[1:]
            told = reason if line["salt"] else None
            found.append({"entry": line["text"], "salt": line["salt"], "reason": told})
        else:
            found.append({"seal": line["text"], "digest": line["salt"]})
    return found


if __name__ == "__main__":
    answer = check(sys.argv[1], *sys.argv[2:3])
    print(*answer.findings, sep="\n")
    print(f"{answer.sealed} entries are sealed, {answer.unsealed} not yet; newest seal: {answer.newest}")
    sys.exit(1 if answer.findings else 0)
