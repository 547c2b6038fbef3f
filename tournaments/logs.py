"""What is written to the logs: lines for whoever sits at the machine, JSON for what collects them from many.
Both say by which ids a line is followed (`tournaments.tracing`), and no secret, though some are parts of
addresses.
"""

import logging
import re
from typing import Any

from . import tracing

ADDRESSES = re.compile(
    r"(/(?:invitations/link|players/(?:link|card)|account/(?:reset/key|email/confirm)|t)/)[^/\s?\"']+"
)
VALUES = re.compile(r"^(DETAIL|CONTEXT): .*$", re.MULTILINE)
"""What PostgreSQL says of the row that it has refused: it may be somebody's."""


def without_secrets(text: str) -> str:
    return VALUES.sub(r"\1: …", ADDRESSES.sub(r"\1…", text))


class WithoutSecrets(logging.Formatter):
    """A formatter that leaves out the secrets of links, and what a database says of a row.

    >>> line = logging.makeLogRecord({"msg": "Gone: /en/invitations/link/k3Y_x/"})
    >>> WithoutSecrets().format(line)
    'Gone: /en/invitations/link/…/'
    """

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class LogLine(WithoutSecrets):
    """A line, which ends with the ids."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the framework's name
        ids = tracing.ids()
        line = super().formatMessage(record)
        return f"{line} [{' '.join(f'{name}={number}' for name, number in ids.items())}]" if ids else line


def as_json() -> logging.Formatter:
    """A formatter that makes an object of JSON of each record."""
    from structlog import processors, stdlib  # five megabytes of a process that writes lines

    return stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            _say_ids,
            stdlib.add_log_level,
            stdlib.add_logger_name,
            processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            stdlib.ProcessorFormatter.remove_processors_meta,
            processors.format_exc_info,
            _leave_secrets_out,
            processors.JSONRenderer(ensure_ascii=False),
        ],
    )


def _say_ids(_logger: Any, _name: str, record: Any) -> Any:
    return {**record, **tracing.ids()}


def _leave_secrets_out(_logger: Any, _name: str, record: Any) -> Any:
    """The time comes first: by it lines are forgotten (`services.retention`)."""
    record = {"timestamp": record.pop("timestamp"), **record}
    return {name: without_secrets(said) if isinstance(said, str) else said for name, said in record.items()}
