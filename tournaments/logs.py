"""What is written to the logs: no secret, though some are parts of addresses."""

import logging
import re

ADDRESSES = re.compile(
    r"(/(?:invitations/link|players/(?:link|card)|account/(?:reset/key|email/confirm)|t)/)[^/\s?\"']+"
)


class WithoutSecrets(logging.Formatter):
    """A formatter that leaves out the secrets of links.

    >>> line = logging.makeLogRecord({"msg": "Gone: /en/invitations/link/k3Y_x/"})
    >>> WithoutSecrets().format(line)
    'Gone: /en/invitations/link/…/'
    """

    def format(self, record: logging.LogRecord) -> str:
        return ADDRESSES.sub(r"\1…", super().format(record))
