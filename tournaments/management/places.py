"""Where the service is reachable: known to whoever keeps it running, who imports nothing else of it."""

from dataclasses import dataclass
from pathlib import Path

LOOPBACK = "127.0.0.1"


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
