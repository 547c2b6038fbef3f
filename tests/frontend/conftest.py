"""One browser for all tests that look at pages, and one page of it for most of them: pages of their own cost
three times as much."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page

from tests.frontend.alone import alone
from tests.frontend.browsers import chromium, page_of, troubles_of

own = ExitStack()  # ends with the last test in a row that uses a browser: beside it there is no database
browsers: list[Browser] = []
tabs: list[Page] = []


@pytest.fixture(scope="module")
def browser() -> Browser:
    if not browsers:
        browsers.append(own.enter_context(chromium()))
        own.callback(browsers.clear)
        own.callback(tabs.clear)
    return browsers[0]


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """The page that all share, as it is at first: empty, on a screen, with nothing chosen."""
    if not tabs:
        tabs.append(page_of(browser))
    (page,) = tabs
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="screen", color_scheme="light", reduced_motion="no-preference")
    yield page
    page.goto("about:blank")


@pytest.fixture
def page(tab: Page) -> Iterator[Page]:
    """The page that all share, on which nothing may go wrong."""
    with troubles_of(tab) as troubles:
        yield tab
    assert troubles == []


@pytest.fixture
def entry(tab: Page) -> Iterator[Page]:
    """A page with nothing but the entry of a result."""
    with alone(tab) as page:
        yield page


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    if "browser" not in getattr(nextitem, "fixturenames", ()):  # others ask the database first
        own.close()
