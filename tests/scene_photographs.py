"""Pictures for docs/pictures of the pages for which the gallery has nothing: of the club of
`tests.frontend.scene`, as `make campaign-pages` looks at it. `make pictures` asks for them, after those of
`tests.photographs`; names of pictures after the folder make those alone."""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from tests.frontend.views import View

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "screen": (1280, 900)}
COLOURS = 64
ASKS = "asks for one thing, as the pictures of signing in do"
WITHOUT: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("account_change_password", "account_confirm_email", "account_confirm_login_code"),
            *("account_email", "account_email_verification_sent", "account_inactive", "account_logout"),
            *("account_reauthenticate", "account_request_login_code", "account_reset_password"),
            *("account_reset_password_done", "account_reset_password_from_key"),
            *("account_reset_password_from_key_done", "account_set_password", "account_signup"),
            *("mfa_activate_totp", "mfa_add_webauthn", "mfa_authenticate", "mfa_deactivate_totp"),
            *("mfa_edit_webauthn", "mfa_generate_recovery_codes", "mfa_list_webauthn"),
            *("mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_remove_webauthn"),
            "mfa_view_recovery_codes",
        ),
        ASKS,
    ),
    **dict.fromkeys(
        ("delete-draft", "erase-me", "leave-role", "revoke-role", "revoke-token", "rotate-token"),
        "one question and its button",
    ),
    "design": "for those who build pages; the tests photograph it",
    "job-page": "a bar, for as long as work takes",
    "kept-form": "what somebody had filled in when they were signed out, and a button",
    "admin": "one sentence: there is none",
    "evening-card": "leads to the player’s page; by itself it says that there is no such card",
    "matches-act": "leads back to the matches; by itself it says what is wrong with a form",
    "table-seated": "leads back to the table; by itself it says that there is no such round",
}
"""Routes of pages, each with the reason why there is no picture of it."""


def views() -> dict[str, "View"]:
    """What is photographed here, by the name of its picture: of each route without another picture the first
    view that is neither empty nor refused."""
    from tests.frontend.views import VIEWS
    from tests.photographs import PAGES, routes_of_the_gallery

    others = routes_of_the_gallery() | WITHOUT.keys()
    found: dict[str, View] = {}
    good = [one for one in VIEWS if one.status == 200 and one.route not in others and one.note != "empty"]
    for view in sorted(good, key=lambda one: one.sent is not None):  # those first that are simply opened
        name = view.route.replace("_", "-")
        found.setdefault(f"{name}-page" if name in PAGES else name, view)
    return found


def main(folder: Path, wanted: Sequence[str]) -> None:
    import django

    with tempfile.TemporaryDirectory() as place:
        os.environ |= {"VAR_DIR": place, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
        django.setup()
        from django.core.management import call_command
        from django.test.utils import setup_test_environment

        setup_test_environment()
        call_command("migrate", verbosity=0)
        _photograph(folder, wanted)


def _photograph(folder: Path, wanted: Sequence[str]) -> None:
    from tests.frontend.browsers import chromium
    from tests.frontend.scene import Scene
    from tests.frontend.test_every_page import content_of, show

    scene = Scene.set()
    chosen = {name: view for name, view in views().items() if not wanted or name in wanted}
    pages = {name: content_of(view.answer(scene, "en")) for name, view in chosen.items()}
    with chromium() as browser:
        page = browser.new_page(reduced_motion="reduce")
        for name, html in pages.items():
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                show(page, f"/en/{name}/", html)
                drawn = Image.open(BytesIO(page.screenshot())).convert("RGB")
                drawn = drawn.quantize(
                    COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
                )
                path = folder / f"{name}-{size}.png"
                drawn.save(path, "PNG", optimize=True)
                print(f"{path.name}: {path.stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
