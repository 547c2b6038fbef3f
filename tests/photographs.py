"""The pictures of docs/pictures, made anew: `make pictures`.

A few invented clubs (`tests.gallery`) are served from a folder of their own, and each page is photographed
at three sizes; the projector at its own. Pictures are drawn with few colours, so that all of them together
stay small.
"""

import os
import subprocess
import sys
import tempfile
import time
from io import BytesIO
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "screen": (1280, 900)}
WALL = {"screen": (1920, 1080)}
COLOURS = 96
BYTES_AT_MOST = 3_000_000
PAGES = {  # name: address, with the gallery's sessions by their words
    "home": "/fr/",
    "club": "/fr/clubs/club-de-létui-nantes/",
    "ranking": "/fr/sessions/{comon}/",
    "live": "/en/sessions/{live}/",
    "board": "/fr/sessions/{past3}/boards/3/",
    "verify": "/en/sessions/{comon}/verify/?board=3",
    "search": "/fr/search/?q=mar",
    "projector": "/fr/sessions/{live}/screen/",
}


def main() -> int:
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
        words = gallery()
        port = 8190
        command = [sys.executable, "-m", "uvicorn", "--port", str(port), "--log-level", "error"]
        server = subprocess.Popen([*command, "--lifespan", "off", "tournaments.asgi:application"], cwd=ROOT)
        try:
            wait_for(f"http://127.0.0.1:{port}/livez")
            with sync_playwright() as playwright:
                from tests.frontend.browsers import CHROMIUM

                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                for name, address in PAGES.items():
                    photograph(browser, name, f"http://127.0.0.1:{port}{address.format(**words)}")
                browser.close()
        finally:
            server.terminate()
            server.wait()
    weight = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    print(f"{len(list(FOLDER.glob('*.png')))} pictures, {weight / 1e6:.2f} MB")
    return int(weight > BYTES_AT_MOST)


def gallery() -> dict[str, int]:
    """The clubs in a new database; their sessions by word."""
    import django
    from django.core.management import call_command
    from django.utils import translation

    django.setup()
    call_command("migrate", verbosity=0)
    from tests.gallery import build

    with translation.override("fr"):
        return build().sessions


def wait_for(address: str) -> None:
    for _ in range(300):
        try:
            urlopen(address).close()
            return
        except URLError:
            time.sleep(0.1)
    raise SystemExit(f"{address} does not answer")


def photograph(browser: Browser, name: str, address: str) -> None:
    for size, (width, height) in (WALL if name == "projector" else SIZES).items():
        page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page.goto(address)
        if name == "verify":
            page.get_by_role("button", name="Verify in this browser").click()
            page.locator('.verdict[data-says="alone"]').wait_for()
        page.evaluate("document.fonts.ready.then(() => true)")
        page.wait_for_timeout(300)
        drawn = Image.open(BytesIO(page.screenshot())).convert("RGB")
        path = FOLDER / f"{name}-{size}.png"
        drawn.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
            path, "PNG", optimize=True
        )
        print(f"{path.name}: {path.stat().st_size // 1000} kB")
        page.close()


if __name__ == "__main__":
    sys.exit(main())
