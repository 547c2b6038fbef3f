"""The certificate that this machine gives itself, for phones in the club's own network."""

import datetime
import os
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from .places import Certificate

DAYS = 397  # as long as browsers take a certificate
RENEWED = datetime.timedelta(days=30)  # before its end


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
