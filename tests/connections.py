"""A keep-alive connection that costs its client almost nothing, so that what is measured is the service, and
that can be left in the middle of a request."""

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

SECONDS = 60.0


class NoAnswer(Exception):
    """The service closed the connection, or never opened it, or stayed silent."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def to_json(content: Any) -> bytes:
    return json.dumps(content).encode()


class Connection:
    """One client's connection to a port on loopback, opened when it is first needed and again when the other
    side has closed it."""

    def __init__(self, port: int, token: str = "", *, seconds: float = SECONDS) -> None:
        self.port = port
        self.seconds = seconds
        self.head = f"Host: 127.0.0.1:{port}\r\n"
        if token:
            self.head += f"Authorization: Bearer {token}\r\n"
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> bytes:
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        if body is not None:
            lines += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{method} {path} HTTP/1.1\r\n{self.head}{lines}\r\n".encode() + (body or b"")

    async def get(self, path: str, **headers: str) -> HttpAnswer:
        return await self.answer(self.request("GET", path, None, **headers))

    async def post(self, path: str, content: Any) -> HttpAnswer:
        return await self.answer(self.request("POST", path, to_json(content)))

    async def answer(self, request: bytes) -> HttpAnswer:
        """NoAnswer if there is none: whether the request was heard is then unknown."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self.seconds):
                await self.send(request)
                status, headers = await self.headers()
                body = await self.body(headers)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.close()
            raise NoAnswer(f"{type(error).__name__} {error}") from error
        if headers.get("connection") == "close":
            self.close()
        return HttpAnswer(status, headers, body, time.perf_counter() - began)

    async def send(self, data: bytes) -> None:
        """Send a request, or a part of one."""
        if self.reader is None or self.reader.at_eof():
            self.close()
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.writer is not None
        self.writer.write(data)
        await self.writer.drain()

    async def headers(self) -> tuple[int, dict[str, str]]:
        assert self.reader is not None
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        named = (line.partition(":") for line in lines if line)
        return int(first.split(" ", 2)[1]), {name.lower(): value.strip() for name, _colon, value in named}

    async def body(self, headers: dict[str, str]) -> bytes:
        assert self.reader is not None
        if headers.get("transfer-encoding") != "chunked":
            return await self.reader.readexactly(int(headers.get("content-length", "0")))
        parts = []
        while length := int(await self.reader.readline(), 16):
            parts.append((await self.reader.readexactly(length + 2))[:-2])
        await self.reader.readexactly(2)
        return b"".join(parts)

    def close(self) -> None:
        if self.writer is not None:
            with suppress(RuntimeError):  # its loop has ended
                self.writer.close()
        self.reader = self.writer = None
