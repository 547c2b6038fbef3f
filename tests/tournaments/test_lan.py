"""The service in a club's own network; tried at another address of loopback, which nobody outside reaches."""

import ssl
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import URLError

import pytest
import zxingcpp
from django.core.management import CommandError
from PIL import Image

from tests.running import campaign, environment_of, free_port, run, start, wait_until
from tournaments.management import certificates, lan
from tournaments.management.places import Certificate

HOST = "127.0.0.2"
NOW = datetime(2026, 11, 24, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize("asked", ["8.8.8.8", "0.0.0.0", "::1", "hall", "192.168.1"])
def test_only_an_address_of_ones_own_network_is_listened_to(asked: str) -> None:
    with pytest.raises(CommandError, match=asked):
        lan.address(asked)
    assert lan.address("192.168.1.20") == "192.168.1.20"


def test_a_certificate_is_made_once_and_again_before_it_ends(tmp_path: Path) -> None:
    made = certificates.certificate(tmp_path / "lan", HOST, NOW)
    first = certificates.fingerprint(made)
    assert made.key.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "lan").stat().st_mode & 0o777 == 0o700
    assert (
        certificates.fingerprint(certificates.certificate(tmp_path / "lan", HOST, NOW + timedelta(days=300)))
        == first
    )
    assert (
        certificates.fingerprint(certificates.certificate(tmp_path / "lan", HOST, NOW + timedelta(days=380)))
        != first
    )
    assert made.key.stat().st_mode & 0o777 == 0o600


def test_the_terminal_shows_a_code_that_a_camera_reads() -> None:
    rows = lan.picture("https://192.168.1.20:8000/").splitlines()
    light = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
    seen = Image.new("L", (len(rows[0]), 2 * len(rows)), 255)
    for y, row in enumerate(rows):
        for x, block in enumerate(row):
            for half, value in enumerate(light[block]):
                seen.putpixel((x, 2 * y + half), value)
    large = seen.resize((seen.width * 6, seen.height * 6), Image.Resampling.NEAREST)
    assert [code.text for code in zxingcpp.read_barcodes(large)] == ["https://192.168.1.20:8000/"]


@campaign
def test_it_listens_at_that_address_alone_and_by_its_own_certificate(tmp_path: Path) -> None:
    port = free_port()
    with environment_of("embedded", tmp_path, migrate=True) as environment:
        service = start(environment, port, 1, f"LAN={HOST}", "CERTIFICATE=1")
        certificate = tmp_path / "lan" / f"{HOST}.pem"

        def answers() -> bool:
            assert service.process.poll() is None, service.log.read_text()
            if not certificate.exists():
                return False
            try:
                trusting = ssl.create_default_context(cafile=str(certificate))
                with urllib.request.urlopen(f"https://{HOST}:{port}/livez", context=trusting) as answer:
                    return bool(answer.status == 200)
            except OSError:
                return False

        try:
            wait_until(answers, what="the service to answer over HTTPS")
            with pytest.raises(URLError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/livez")
            wait_until(lambda: "Administrator:" in service.log.read_text(), what="the link")
        finally:
            assert service.stop() == 0
    told = service.log.read_text()
    assert f"Étui: https://{HOST}:{port}/" in told
    assert f"https://{HOST}:{port}/invitations/" in told
    assert certificates.fingerprint(Certificate(certificate, certificate)) in told


@pytest.mark.parametrize(
    ("arguments", "more", "told"),
    [
        (["--certificate"], {}, "--certificate goes with --lan"),
        (["--lan", HOST], {"PUBLIC_URL": "https://etui.example"}, "leave PUBLIC_URL away"),
    ],
)
def test_what_does_not_go_together_is_told_in_one_line(
    arguments: list[str], more: dict[str, str], told: str, tmp_path: Path
) -> None:
    with environment_of("embedded", tmp_path, **more) as environment:
        done = run(environment, "serve", "--port", str(free_port()), *arguments)
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
