"""Where a partner's address leads to: the internet, or into the network that the service stands in.

A name is resolved once, every address that it has is looked at, and the connection goes to one of these: who
answers for the name cannot send the service elsewhere between the look and the call.
"""

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from django.conf import settings

Address = IPv4Address | IPv6Address

NAT64 = ip_network("64:ff9b::/96")  # RFC 6052: the last four bytes are an IPv4 address
NAT64_LOCAL = ip_network("64:ff9b:1::/48")  # RFC 8215
IPV4_COMPATIBLE = ip_network("::/96")  # RFC 4291, long given up


class NotPublic(Exception):
    """An address that the service does not call. `code`: why, for the log of deliveries."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def is_public(address: Address) -> bool:
    """Whether an address is of the internet: not private, of this machine or link, multicast or reserved, nor
    an IPv6 address that stands for such a one.

    >>> [is_public(ip_address(text)) for text in ("9.9.9.9", "10.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False, False]
    """
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address.sixtofour is not None:
            return is_public(address.sixtofour)
        if address.teredo is not None or address.is_site_local:
            return False
        if address in NAT64_LOCAL or address in IPV4_COMPATIBLE:
            return False
    return address.is_global and not (
        address.is_multicast
        or address.is_reserved
        or address.is_loopback
        or address.is_link_local
        or address.is_unspecified
    )


def parts_of(url: str) -> tuple[str, str, int]:
    """The scheme, the host and the port of an address that may be called. NotPublic: it is not `https`, names
    a user, or its host is an address that is not public."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise NotPublic("bad-address") from None
    is_plain = parts.scheme == "http" and settings.WEBHOOKS_TO_LOOPBACK
    if not host or "@" in parts.netloc or not (url.isascii() and url.isprintable()) or " " in url:
        raise NotPublic("bad-address")
    if parts.scheme != "https" and not is_plain:
        raise NotPublic("not-https")
    try:
        literal = ip_address(host)
    except ValueError:
        literal = None
    if literal is not None:
        check([literal])
    return parts.scheme, host, port or (443 if parts.scheme == "https" else 80)


def check(addresses: Iterable[Address]) -> None:
    """NotPublic unless all of them are public."""
    for address in addresses:
        if not is_public(address) and not (settings.WEBHOOKS_TO_LOOPBACK and address.is_loopback):
            raise NotPublic("not-public")


async def resolved(host: str, port: int) -> list[Address]:
    """The addresses of a host, all of them public. NotPublic: one is not, or there is none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotPublic("no-such-host") from None
    addresses = [ip_address(str(one[4][0]).partition("%")[0]) for one in found]
    if not addresses:
        raise NotPublic("no-such-host")
    check(addresses)
    return list(dict.fromkeys(addresses))
