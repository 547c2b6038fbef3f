"""A call to a partner's program: over HTTPS, to an address that was looked at first, for a few seconds, and
nothing of the answer is kept but its status."""

from __future__ import annotations  # httpx is imported where it is used

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import public_addresses
from .public_addresses import Address, NotPublic

if TYPE_CHECKING:
    import httpx

SECONDS = 10  # in all: resolving, connecting, sending, and the head of the answer


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of an answer; or None and why there was none: not-https, not-public, no-such-host,
    bad-address, too-slow, no-connection."""

    status: int | None = None
    error: str = ""

    @property
    def is_taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def post(url: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Send a body to an address. Redirects are not followed, and proxies of the environment not asked."""
    return asyncio.run(_post(url, headers, body))


async def _post(url: str, headers: Mapping[str, str], body: bytes) -> Answer:
    import httpx

    try:
        async with asyncio.timeout(SECONDS):
            _scheme, host, port = public_addresses.parts_of(url)
            addresses = await public_addresses.resolved(host, port)
            async with httpx.AsyncClient(
                trust_env=False, follow_redirects=False, timeout=SECONDS, http2=False
            ) as client:
                for address in addresses:
                    try:
                        return await _post_to(client, address, httpx.URL(url), headers, body)
                    except httpx.ConnectError:
                        continue
            return Answer(error="no-connection")
    except TimeoutError:
        return Answer(error="too-slow")
    except NotPublic as error:
        return Answer(error=error.code)
    except httpx.TimeoutException:
        return Answer(error="too-slow")
    except (httpx.HTTPError, httpx.InvalidURL):
        return Answer(error="no-connection")


async def _post_to(
    client: httpx.AsyncClient, address: Address, url: httpx.URL, headers: Mapping[str, str], body: bytes
) -> Answer:
    """To this address and no other: its certificate has to be the host's, which is asked for by name."""
    named = {**headers, "host": url.netloc.decode("ascii")}
    pinned = url.copy_with(host=str(address))
    extensions = {"sni_hostname": url.host}
    async with client.stream("POST", pinned, headers=named, content=body, extensions=extensions) as response:
        return Answer(response.status_code)  # what else it says is not read
