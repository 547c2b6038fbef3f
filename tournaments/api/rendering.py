"""Answers as JSON, written in a tenth of the framework's time."""

from typing import Any

import msgspec
from rest_framework import renderers
from rest_framework.utils.encoders import JSONEncoder

_other = JSONEncoder().default


class JSONRenderer(renderers.JSONRenderer):
    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        if data is None:
            return b""
        if self.get_indent(accepted_media_type or "", renderer_context or {}):
            written: bytes = super().render(data, accepted_media_type, renderer_context)
            return written
        return msgspec.json.encode(data, enc_hook=_plain)


def _plain(value: Any) -> Any:
    """What has no form of its own in JSON: a text with a code beside it, a translation, a query's rows."""
    return str(value) if isinstance(value, str) else _other(value)
