"""Libraries import other libraries for features that nobody here uses, where they find them. They cost memory
in each process.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

UNUSED = (
    "django.contrib.postgres.fields",  # of REST framework; it brings the driver, which SQLite does without
    "requests",  # likewise, for a client
    "pygments",  # likewise, for a page; and of httpx
    "rich",  # of httpx, for its command line
    "jinja2",  # of Django's tests, which the description of the API brings
    "greenlet",  # of Celery, for another kind of worker
)


@contextmanager
def imports() -> Iterator[None]:
    """What is imported inside does without these. It says so where it cannot."""
    absent = [name for name in UNUSED if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]  # so Python marks what cannot be imported
    try:
        yield
    finally:
        for name in absent:
            sys.modules.pop(name, None)
