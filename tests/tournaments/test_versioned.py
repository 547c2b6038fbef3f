"""Styles and scripts have addresses that change with them."""

import gzip
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.templatetags.static import static
from django.test import Client

from engines import rules
from tournaments import compressing, versioned

pytestmark = pytest.mark.django_db  # the end of a request looks at its connection


@pytest.mark.parametrize("name", ["page.css", "at-table.css", "lib/elements.js", "fonts/inter.woff2"])
def test_a_part_is_kept_for_ever_under_its_version_and_under_no_other(name: str) -> None:
    client = Client(HTTP_HOST="localhost", HTTP_ACCEPT_ENCODING="gzip")
    address = static(f"frontend/{name}")
    assert versioned.version() in address
    now, old = client.get(address), client.get(address.replace(versioned.version(), "0" * versioned.LETTERS))
    plain = client.get(f"/static/frontend/{name}")
    assert now.headers["Cache-Control"] == versioned.FOR_EVER
    assert {old.status_code, plain.status_code} == {200}, "a page of before an update has what it asks for"
    assert {old.headers["Cache-Control"], plain.headers["Cache-Control"]} == {"max-age=60, public"}
    assert len({one.getvalue() for one in (now, old, plain)}) == 1
    assert ("ETag" in now.headers, "ETag" in old.headers) == (
        name.startswith("fonts"),
        name != "at-table.css",  # they change one by one
    ), "nobody asks"


def test_the_version_is_another_one_as_soon_as_any_part_is(tmp_path: Path, monkeypatch: Any) -> None:
    """Pictures of the rules are kept for ever, too; what Django brings is not: its changes are not seen."""
    assert rules.PICTURES in versioned.PARTS
    copies = [shutil.copytree(folder, tmp_path / str(at)) for at, folder in enumerate(versioned.PARTS)]
    monkeypatch.setattr(versioned, "PARTS", tuple(copies))
    seen = [versioned.version.__wrapped__()]
    assert seen == [versioned.version()]
    for copy in copies:
        next(path for path in copy.rglob("*.*") if path.is_file()).write_bytes(b"other")
        seen.append(versioned.version.__wrapped__())
    assert len(set(seen)) == len(copies) + 1
    client = Client(HTTP_HOST="localhost")
    picture = next(path.name for path in rules.PICTURES.iterdir())
    for name, is_kept in ((f"rules/{picture}", True), ("admin/css/base.css", False)):
        answer = client.get(static(name))
        assert (answer.status_code, "immutable" in answer.headers["Cache-Control"]) == (200, is_kept)


def test_what_is_no_file_is_none_with_a_version_either() -> None:
    client = Client(HTTP_HOST="localhost")
    for name in ("frontend/no.css", "../settings.py", f"{versioned.version()}/frontend/page.css"):
        answer = client.get(f"/static/{versioned.version()}/{name}")
        assert (answer.status_code, "immutable" in answer.headers.get("Cache-Control", "")) == (404, False)


def test_styles_and_scripts_of_the_table_come_together_in_one_answer() -> None:
    """To a browser that reads what is compressed, and to one that does not; the name is no file's."""
    for encoding, way in (("gzip", compressing.plain), ("", lambda _path, text: text)):
        client = Client(HTTP_HOST="localhost", HTTP_ACCEPT_ENCODING=encoding)
        for address in compressing.TOGETHER:
            answer = client.get(static(address))
            kind = "text/javascript" if address.endswith(".js") else "text/css"
            assert answer.headers["Content-Type"] == f'{kind}; charset="utf-8"'
            sent = answer.getvalue()
            assert int(answer.headers["Content-Length"]) == len(sent)
            assert (gzip.decompress(sent) if encoding else sent) == way(
                address,
                compressing.joined(compressing.TOGETHER[address]),
            )
            assert not (compressing.STYLES / address).exists()


def test_scripts_that_come_together_ask_for_none_of_themselves() -> None:
    """A script that stood twice on a page would be two, each with a memory of its own."""
    names = compressing.TOGETHER["frontend/at-entry.js"]
    assert b"import {" not in compressing.joined(names), "all that they need is among them"
    assert b'from "lib/elements.js"' in compressing.joined([one for one in names if "elements" not in one])
