"""Styles and scripts have addresses that change with them."""

import pytest
from django.templatetags.static import static
from django.test import Client

from tournaments import versioned

pytestmark = pytest.mark.django_db  # the end of a request looks at its connection


@pytest.mark.parametrize("name", ["page.css", "lib/elements.js", "fonts/inter.woff2"])
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


def test_what_is_no_file_is_none_with_a_version_either() -> None:
    client = Client(HTTP_HOST="localhost")
    for name in ("frontend/no.css", "../settings.py", f"{versioned.version()}/frontend/page.css"):
        answer = client.get(f"/static/{versioned.version()}/{name}")
        assert (answer.status_code, "immutable" in answer.headers.get("Cache-Control", "")) == (404, False)
