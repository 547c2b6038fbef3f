"""Where the service is: on loopback, or in the club's own network for the phones at the tables."""

import socket
from ipaddress import IPv4Address, ip_address

import segno
from django.core.management import CommandError


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


def picture(url: str) -> str:
    """The QR code of an address in a terminal's blocks, two rows to a line."""
    rows = [[bool(cell) for cell in row] for row in segno.make(url, micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[pair] for pair in zip(*two, strict=True)) for two in pairs)
