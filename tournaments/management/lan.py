"""Where the service is: on loopback, or in the club's own network for the phones at the tables, there with a
certificate of its own if somebody asks for one."""

import datetime
import os
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import segno
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.core.management import CommandError

LOOPBACK = "127.0.0.1"
DAYS = 397  # as long as browsers take a certificate
RENEWED = datetime.timedelta(days=30)  # before its end


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files of a certificate and of its key."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True)
class ServingPlace:
    """Where the service is: on loopback, or at an address of the club's own network. Without a certificate
    it speaks HTTP."""

    host: str
    port: int
    certificate: Certificate | None = None

    @property
    def address(self) -> str:
        return f"{'http' if self.certificate is None else 'https'}://{self.host}:{self.port}"


def address(asked: str) -> str:
    """The IPv4 address to listen on: the one that is asked for, else the one by which this machine reaches
    others. CommandError for a name, a public address, or where there is no network."""
    if not asked:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # a datagram's connection sends nothing
                asked = probe.getsockname()[0]
            except OSError:
                raise CommandError(
                    "This machine is in no network. Join one, or name the address: --lan 192.168.1.20"
                ) from None
    try:
        found = ip_address(asked)
    except ValueError:
        raise CommandError(f"{asked} is no address: name this machine’s, as in --lan 192.168.1.20.") from None
    if not isinstance(found, IPv4Address) or found.is_unspecified or not found.is_private:
        raise CommandError(
            f"{asked} is not an IPv4 address of a network of one’s own. To be reached from everywhere, put a "
            "web server with a certificate in front (docs/running.md)."
        )
    return str(found)


def certificate(folder: Path, host: str, now: datetime.datetime) -> Certificate:
    """A certificate that this machine gives itself for an address and for loopback, made once and again
    before it ends. The key can be read by its owner alone."""
    made = Certificate(folder / f"{host}.pem", folder / f"{host}.key")
    if made.key.exists() and made.certificate.exists():
        known = x509.load_pem_x509_certificate(made.certificate.read_bytes())
        if known.not_valid_after_utc - now > RENEWED:
            return made
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Étui {host}")])
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(host)), x509.DNSName("localhost")])
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))  # phones whose clocks are late
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    made.key.unlink(missing_ok=True)
    with os.fdopen(os.open(made.key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(private)
    made.certificate.write_bytes(built.public_bytes(pem))
    return made


def fingerprint(made: Certificate) -> str:
    """SHA-256 of a certificate, as browsers show it to whoever asks."""
    known = x509.load_pem_x509_certificate(made.certificate.read_bytes())
    return known.fingerprint(hashes.SHA256()).hex(":").upper()


def picture(url: str) -> str:
    """The QR code of an address in a terminal's blocks, two rows to a line."""
    rows = [[bool(cell) for cell in row] for row in segno.make(url, micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[pair] for pair in zip(*two, strict=True)) for two in pairs)
