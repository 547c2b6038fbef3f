"""Addresses of styles, scripts and fonts that change with them: a phone asks for none of them twice."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage

from engines import rules

LETTERS = 12
VERSIONED = re.compile(rf"(?P<version>[0-9a-f]{{{LETTERS}}})/(?P<name>.+)")
OURS = ("frontend/", "rules/")  # what others bring changes with their versions, and is not kept
FOR_EVER = "max-age=31536000, public, immutable"
PARTS = (Path(__file__).parent.parent / "frontend" / "static", rules.PICTURES)


@cache
def version() -> str:
    """Of all parts of our pages together, pictures of the rules among them: the same on every machine that
    serves them, another one as soon as any of them changes. A process reads them once."""
    digest = sha256()
    for folder in PARTS:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:LETTERS]


class VersionedFiles(StaticFilesStorage):
    """Static files, each under the version of all: what a style or a script asks for beside itself has it
    too."""

    def url(self, name: str | None) -> str:
        return super().url(f"{version()}/{name}")


def plain_path(path: str) -> tuple[str, bool]:
    """The path of a static file without a version, and whether it is one of ours and had the one that there
    is: one of before an update is another file, which nobody is to keep."""
    found = VERSIONED.fullmatch(path.removeprefix(settings.STATIC_URL))
    if not path.startswith(settings.STATIC_URL) or found is None:
        return path, False
    is_current = found["version"] == version() and found["name"].startswith(OURS)
    return settings.STATIC_URL + found["name"], is_current
