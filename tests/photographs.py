"""The pictures of docs/pictures, made anew: `make pictures`.

A few invented clubs (`tests.gallery`) are served from a folder of their own, and each page is photographed
at three sizes; the projector at its own. Pictures are drawn with few colours, so that all of them together
stay small.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "screen": (1280, 900)}
WALL = {"screen": (1920, 1080)}
COLOURS = 128
BYTES_AT_MOST = 12_000_000
NANTES, BIEVRE = "club-de-létui-nantes", "cercle-de-la-bièvre-paris"
PUBLIC, DESK, PLAYER = "anyone", "odile", "player"
# For each picture, by its name: who sees the page, and its address; {comon} and the like stand for ids of the
# gallery. The guides in docs/ show pages in English.
PAGES = {
    "home": (PUBLIC, "/fr/"),
    "clubs": (PUBLIC, "/en/clubs/"),
    "club": (PUBLIC, f"/fr/clubs/{NANTES}/"),
    "tournament": (PUBLIC, "/en/tournaments/{tournament}/"),
    "ranking": (PUBLIC, "/fr/sessions/{comon}/"),
    "live": (PUBLIC, "/en/sessions/{live}/"),
    "boards": (PUBLIC, "/fr/sessions/{comon}/boards/"),
    "board": (PUBLIC, "/fr/sessions/{past3}/boards/3/"),
    "verify": (PUBLIC, "/en/sessions/{comon}/verify/?board=3"),
    "search": (PUBLIC, "/fr/search/?q=mar"),
    "keys": (PUBLIC, "/en/keys/"),
    "help": (PUBLIC, "/fr/help/"),
    "games": (PUBLIC, "/en/games/"),
    "rules": (PUBLIC, "/fr/games/hombre/"),
    "registration": (PUBLIC, "/en/registration/{list}/"),
    "sign-in": (PUBLIC, "/en/account/sign-in/"),
    "projector": (PUBLIC, "/fr/sessions/{live}/screen/"),
    "table": (PUBLIC, "/en/t/{code}/"),
    "table-result": (PUBLIC, "/en/t/{code}/"),  # its first board, tapped on
    "player": (PLAYER, "/en/me/"),
    "player-evening": (PLAYER, "/en/me/sessions/{comon}/"),
    "player-board": (PLAYER, "/en/me/sessions/{comon}/boards/{own_board}/"),
    "player-season": (PLAYER, "/fr/me/season/"),
    "desk": (DESK, "/en/desk/"),
    "desk-tournament": (DESK, f"/en/desk/clubs/{NANTES}/tournaments/{{tournament}}/"),
    "club-settings": (DESK, f"/en/desk/clubs/{BIEVRE}/settings/"),
    "templates": (DESK, f"/en/desk/clubs/{BIEVRE}/templates/"),
    "register": (DESK, f"/en/desk/clubs/{NANTES}/players/"),
    "people": (DESK, f"/en/desk/clubs/{BIEVRE}/people/"),
    "new-session": (DESK, f"/fr/desk/clubs/{BIEVRE}/sessions/new/"),
    "wizard-game": (DESK, "/en/desk/drafts/{draft}/game/"),
    "wizard-contestants": (DESK, "/en/desk/drafts/{draft}/contestants/"),
    "wizard-movement": (DESK, "/en/desk/drafts/{draft}/movement/"),
    "wizard-boards": (DESK, "/en/desk/drafts/{draft}/boards/"),
    "wizard-comparison": (DESK, "/fr/desk/drafts/{draft}/comparison/"),
    "wizard-review": (DESK, "/en/desk/drafts/{draft}/review/"),
    "session": (DESK, "/en/desk/sessions/{live}/"),
    "session-ready": (DESK, "/en/desk/sessions/{soon}/"),
    "session-over": (DESK, "/en/desk/sessions/{comon}/"),
    "slip": (DESK, "/en/desk/sessions/{live}/slips/"),
    "result": (DESK, "/en/desk/sessions/{live}/plays/{expected}/"),
    "rulings": (DESK, "/fr/desk/sessions/{live}/plays/{entered}/"),
    "changes": (DESK, "/en/desk/sessions/{live}/changes/"),
    "lists": (DESK, "/en/desk/sessions/{live}/rankings/"),
    "fees": (DESK, "/en/desk/sessions/{live}/fees/"),
    "objections": (DESK, "/fr/desk/sessions/{live}/objections/"),
    "tables": (DESK, "/en/desk/sessions/{live}/tables/"),
    "print": (DESK, "/en/desk/sessions/{live}/print/"),
    "deals": (DESK, "/en/desk/sessions/{live}/deals/"),
    "rehearsal": (DESK, "/fr/desk/sessions/{soon}/rehearsal/"),
    "history": (DESK, "/en/desk/sessions/{live}/history/"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the pictures go")
    parser.add_argument(
        "--pages", nargs="*", choices=PAGES, metavar="PAGE", help="of the gallery, those alone"
    )
    parser.add_argument("--language", choices=("fr", "en"), help="of all pages; each has its own otherwise")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--whole", action="store_true", help="to the end of the page, and in all colours")
    wanted = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
        words, cookies = gallery()
        port = 8190
        command = [sys.executable, "-m", "uvicorn", "--port", str(port), "--log-level", "error"]
        server = subprocess.Popen([*command, "--lifespan", "off", "tournaments.asgi:application"], cwd=ROOT)
        try:
            wait_for(f"http://127.0.0.1:{port}/livez")
            with sync_playwright() as playwright:
                from tests.frontend.browsers import CHROMIUM

                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                for name in wanted.pages or PAGES:
                    who, address = PAGES[name]
                    if wanted.language:
                        address = f"/{wanted.language}{address[3:]}"
                    place = f"http://127.0.0.1:{port}{address.format(**words)}"
                    photograph(browser, name, place, cookies.get(who), wanted)
                browser.close()
        finally:
            server.terminate()
            server.wait()
    if wanted.pages is None:
        command = [sys.executable, "-m", "tests.scene_photographs", str(wanted.folder.resolve())]
        subprocess.run(command, cwd=ROOT, check=True, env=os.environ | {"VAR_DIR": "", "DESIGN_PAGE": ""})
    weight = sum(path.stat().st_size for path in wanted.folder.glob("*.png"))
    print(f"{len(list(wanted.folder.glob('*.png')))} pictures, {weight / 1e6:.2f} MB")
    return int(weight > BYTES_AT_MOST and wanted.folder == FOLDER)


def routes_of_the_gallery() -> set[str]:
    """The pages of which there are pictures, as the addresses are called."""
    from django.urls import resolve
    from django.utils import translation

    found = set()
    for _who, address in PAGES.values():
        place = re.sub(r"\{code\}", "ABCDEFGH", address.partition("?")[0])
        with translation.override(address[1:3]):
            found.add(str(resolve(re.sub(r"\{\w+\}", "7", place)).url_name))
    return found


def gallery() -> tuple[dict[str, Any], dict[str, str]]:
    """The clubs in a new database: what stands in addresses, by its word, and the cookies of its people."""
    import django
    from django.core.management import call_command
    from django.utils import translation

    django.setup()
    call_command("migrate", verbosity=0)
    from tests.gallery import build, signed_in

    with translation.override("fr"):
        made = build()
    return made.sessions | made.words, {DESK: signed_in(made.odile), PLAYER: signed_in(made.player)}


def wait_for(address: str) -> None:
    for _ in range(300):
        try:
            urlopen(address).close()
            return
        except URLError:
            time.sleep(0.1)
    raise SystemExit(f"{address} does not answer")


def photograph(browser: Browser, name: str, address: str, cookie: str | None, wanted: Any) -> None:
    scheme: Any = "dark" if wanted.dark else "light"
    for size, (width, height) in (WALL if name == "projector" else SIZES).items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme=scheme
        )
        if cookie:
            context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
        page = context.new_page()
        answer = page.goto(address)
        assert answer is not None
        if answer.status != 200:
            raise SystemExit(f"{address}: {answer.status}")
        if name == "verify":
            page.get_by_role("button", name=re.compile("browser|navigateur")).click()
            page.locator('.verdict[data-says="alone"]').wait_for()
        if name == "table-result":
            page.get_by_role("button", name=re.compile("^(Enter|Saisir)")).or_(
                page.get_by_role("link", name=re.compile("^(Enter|Saisir)"))
            ).first.click()
            page.locator("result-entry button").first.wait_for()
        page.evaluate("document.fonts.ready.then(() => true)")
        page.wait_for_timeout(300)
        drawn = Image.open(BytesIO(page.screenshot(full_page=wanted.whole))).convert("RGB")
        if not wanted.whole:
            drawn = drawn.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
        path = wanted.folder / f"{name}-{size}.png"
        drawn.save(path, "PNG", optimize=True)
        print(f"{path.name}: {path.stat().st_size // 1000} kB")
        context.close()


if __name__ == "__main__":
    sys.exit(main())
