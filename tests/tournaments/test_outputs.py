"""Whatever a service writes while an evening goes on, and what is made of it for a bug report, tells neither
who plays nor what they hold. It runs as its users run it, at the level of the most words."""

import base64
import json
import os
import re
import socket
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from tests.running import Service, embedded_first, run, serving
from tournaments.management import robots

pytestmark = pytest.mark.processes

GIVEN = ("Ysaline", "Quintus", "Xerxès", "Wilfrida", "Zébulon", "Oktavia", "Ghislain", "Ulrika", "Jehanne")
PLAYERS = [f"{given} Quesnelot" for given in GIVEN]
MAIL, PASSWORD = "quesnel.ana@example.org", "une bonne phrase de passe"
ASKED = """
from tournaments.models import BoardSet, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, evening_links, invitations, roles, table_links
from tournaments.services.clubs import create
from tournaments.services.roles import RolePlace
import json
session = Session.objects.get()
ana = accounts.create(name="Quesnelana", email={mail!r}, password={password!r})
roles.grant(account=ana, kind=RoleKind.ORGANISER, place=RolePlace(session.tournament.club), actor=None)
_offer, invited = invitations.invite(
    kind=RoleKind.SCORER, place=RolePlace(session.tournament.club), actor=ana, email="q@example.org"
)
contestants = session.contestants.values_list("pk", flat=True)
cards = evening_links.make(session=session, contestants=contestants, actor=None)
seeds = [bytes(one.seed).hex() for one in BoardSet.objects.all() if one.seed]
print("told:" + json.dumps({{
    "invited": invitations.path_of(invited),
    "cards": [evening_links.path_of(card) for card in cards.values()],
    "seeds": seeds,
}}))
"""


@embedded_first
def test_no_output_of_an_evening_tells_on_anybody(kind: str, tmp_path: Path) -> None:
    with serving(
        kind, tmp_path / "var", LOG_LEVEL="DEBUG", LOG_FORMAT="json", METRICS_TOKEN="watch" * 8
    ) as service:
        organiser = service.manage("token", "organiser", "Quesnelmaster").strip()
        hall = robots.set_up(
            service.address,
            organiser,
            tournament="Coupe Quesnelot",
            session={
                "name": "Soir des Quesnelot",
                "game": "comon",
                "contestants": PLAYERS,
                "names_may_be_published": False,
                "boards_per_round": 1,
            },
        )
        told = _told(service)
        assert told["seeds"], "of the boards"
        _visit(service, [told["invited"], *told["cards"]])
        for _step in robots.evening(hall, seconds=1, random=Random(1)):
            pass
        robots.finish(hall)
        said = [service.manage("recompute"), service.manage("verify_history"), _metrics(service)]
        bundle = tmp_path / "report.zip"
        said.append(service.manage("bundle", str(bundle)))
        refused = run(service.environment, "bundle", str(bundle))
        assert (refused.returncode, "give a name that is not" in refused.stderr) == (1, True)
        again = run(service.environment, "retry", "999999")
        said += [again.stdout, again.stderr]
        var = service.var
    written = {**dict(_written(var)), "serve.log": service.log.read_text(), "said": "\n".join(said)}
    with zipfile.ZipFile(bundle) as held:
        inside = {f"bundle/{name}": held.read(name).decode() for name in held.namelist()}
    assert {"bundle/about.json", "bundle/parts.json", "bundle/figures.json", "bundle/rows.json"} <= set(
        inside
    )
    assert json.loads(inside["bundle/rows.json"])["tournaments_session"] == 1
    assert all(part["ready"] for part in json.loads(inside["bundle/parts.json"]).values())
    assert any(text.strip() for name, text in inside.items() if name.startswith("bundle/log/")), set(inside)
    assert sum(map(len, written.values())) > 5000, "much was written"
    secrets = [
        *GIVEN, "uesnel", "example.org", PASSWORD, organiser,
        *hall.tables.values(), told["invited"].strip("/").split("/")[-1],
        *(card.strip("/").split("/")[-1] for card in told["cards"]),
        *told["seeds"], *(base64.b64encode(bytes.fromhex(seed)).decode() for seed in told["seeds"]),
    ]  # fmt: skip
    if kind == "embedded":
        secrets += [(var / "secret_key").read_text(), (var / "seed_keys").read_text().strip()]
    for name, text in {**written, **inside}.items():
        found = [one for one in secrets if one and one in text]
        assert found == [], (name, found)
        assert not re.search(r'"(actions|sheet|deal|hands)"', text), name
    own = [socket.gethostname(), str(tmp_path), *([str(Path.home())] if str(Path.home()) != "/" else [])]
    for name, text in inside.items():
        assert [one for one in own if one in text] == [], name
    assert os.stat(bundle).st_mode & 0o777 == 0o600, "its owner alone reads it"


def _told(service: Service) -> dict[str, list[str]]:
    said = service.manage("shell", "-c", ASKED.format(mail=MAIL, password=PASSWORD))
    (line,) = [line for line in said.splitlines() if line.startswith("told:")]
    found: dict[str, list[str]] = json.loads(line.removeprefix("told:"))
    return found


def _visit(service: Service, links: list[str]) -> None:
    """As people do: sign in, wrongly and rightly, by links, with a wrong code, look for somebody."""
    browser = build_opener(HTTPCookieProcessor())
    sign_in = f"{service.address}/en/account/sign-in/"
    for password in ("Quesnelot", PASSWORD):
        page = browser.open(sign_in).read().decode()
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found
        form = {"csrfmiddlewaretoken": found[1], "login": MAIL, "password": password}
        browser.open(Request(sign_in, urlencode(form).encode(), {"Referer": sign_in})).read()
    desk = f"{service.address}/en/desk/"
    assert browser.open(desk).url == desk, "signed in, and not sent away"
    for path in (
        *links,
        "/t/QUESNELOT/",
        "/en/search/?q=Quesnelot",
        "/en/nothing/?name=Quesnelot",
        "/api/v1/nothing/",
    ):
        with suppress(HTTPError):  # where nothing is
            browser.open(service.address + path).read()


def _metrics(service: Service) -> str:
    asked = Request(f"{service.address}/metrics", headers={"Authorization": f"Bearer {'watch' * 8}"})
    return str(urlopen(asked).read().decode())


def _written(var: Path) -> Iterator[tuple[str, str]]:
    """The files of a service that are no data: logs, figures, what is left of messages."""
    for path in sorted(var.rglob("*")):
        if path.is_file() and path.relative_to(var).parts[0] in {"log", "counts", "broker"}:
            yield str(path.relative_to(var)), path.read_bytes().decode(errors="replace")
