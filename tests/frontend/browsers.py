"""Chromium for the tests of the pages, and what a machine can see of one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.running import PATIENCE
from tournaments import compressing

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LOOKS = Path(__file__).with_name("looks.js")
AXE = files("axe_playwright_python").joinpath("axe.min.js")
RULES = {"resultTypes": ["violations"], "preload": False, "rules": {"target-size": {"enabled": True}}}
SEEN = """seen => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !seen })
  document.dispatchEvent(new Event("visibilitychange"))
}"""
MOVED = """new Promise(done => {
  let moved = 0, what = new Set()
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) {
      moved += one.value
      for (const { node } of one.sources) if (node) what.add((node.outerHTML ?? node.data).slice(0, 100))
    }
  }).observe({ type: "layout-shift", buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => done([moved, [...what]])))
})"""
"""How much of the window has moved since the page was first drawn, as browsers count it, and what of it."""
in_a_browser = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium"),
]


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def page_of(browser: Browser, **options: Any) -> Page:
    opened = browser.new_page(**options)
    opened.add_init_script(path=LOOKS)
    opened.set_default_timeout(PATIENCE * 1000)
    return opened


def parts_together(name: str) -> bytes:
    """The styles, or the scripts, that one answer brings together; nothing where a name is a file's own."""
    return compressing.joined(compressing.TOGETHER.get(name, ()))


@contextmanager
def troubles_of(page: Page) -> Iterator[list[str]]:
    """What goes wrong on a page in the meantime: errors and warnings of its scripts, its policy and its
    addresses."""
    troubles: list[str] = []
    hears = {
        "console": lambda said: troubles.append(said.text) if said.type in {"error", "warning"} else None,
        "pageerror": lambda error: troubles.append(str(error)),
        "response": lambda got: troubles.append(got.url) if got.status >= 400 else None,
    }
    for event, hear in hears.items():
        page.on(event, hear)  # type: ignore[call-overload]
    try:
        yield troubles
    finally:
        for event, hear in hears.items():
            page.remove_listener(event, hear)


def barriers(page: Page, **only: Any) -> list[str]:
    """What axe-core finds on a page that keeps somebody out or is not good practice, by these rules."""
    if not page.evaluate("Boolean(globalThis.axe)"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("asked => axe.run(document, asked)", RULES | only)["violations"]
    return [f"{one['id']}: {node['html'][:150]}" for one in found for node in one["nodes"]]
