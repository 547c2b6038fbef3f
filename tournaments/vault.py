"""Secrets that are kept in the database and may not be read there: sealed with keys that lie elsewhere.

The keys come from SEED_KEYS, or from a file that only its owner can read (SEED_KEYS_FILE), one to a line. The
first one seals; any of them opens. A process reads the file again when it has changed, so that keys can be
rotated while the service runs (`manage.py rotate_keys`). A backup of the database tells no secret; whoever
restores one needs the keys too.
"""

import os
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

OWNER_ONLY = 0o600


class Stamp(NamedTuple):
    """What tells one content of the file from another."""

    inode: int
    changed_at: int
    size: int


class CannotOpen(Exception):
    """A secret was sealed with a key that is not here any more."""

    def __init__(self) -> None:
        super().__init__(
            "A seed was sealed with a key that this process does not have: put the missing key back, after "
            f"the first one, into SEED_KEYS or {settings.SEED_KEYS_FILE}."
        )


# cryptography takes 8 MB, which a process that neither seals nor opens does without.


def seal(secret: bytes) -> bytes:
    """The secret as it may be stored."""
    return _box().encrypt(secret)


def open_sealed(sealed: bytes) -> bytes:
    """The secret again, which stays in the memory of this process. CannotOpen: its key is missing."""
    return _plaintext(sealed)


def sealed_again(sealed: bytes) -> bytes:
    """The same secret, sealed with the first of the keys. CannotOpen."""
    from cryptography.fernet import InvalidToken

    try:
        return _box().rotate(sealed)
    except InvalidToken:
        raise CannotOpen from None


def is_sealed_by_first(sealed: bytes) -> bool:
    """Whether the first of the keys opens it, so that no other is needed for it."""
    from cryptography.fernet import Fernet, InvalidToken

    try:
        Fernet(keys()[0]).decrypt(sealed)
    except InvalidToken:
        return False
    return True


def keys() -> list[bytes]:
    """The keys in force, the one that seals first. ImproperlyConfigured: there is none, one is not a key, or
    the file can be read by others."""
    if settings.SEED_KEYS:
        return [key.encode() for key in settings.SEED_KEYS]
    return list(_keys_in(settings.SEED_KEYS_FILE, _stamp_of(settings.SEED_KEYS_FILE)))


def are_in_file() -> bool:
    """Whether the keys are in a file, which `add_key` and `drop_old_keys` change; those of the environment
    are changed by whoever made it."""
    return not settings.SEED_KEYS


def add_key() -> None:
    """Put a new key before the others, in the file."""
    assert are_in_file()
    _write(settings.SEED_KEYS_FILE, [_new_key(), *keys()])


def drop_old_keys() -> int:
    """Leave nothing but the first key in the file; how many were taken away."""
    assert are_in_file()
    every = keys()
    _write(settings.SEED_KEYS_FILE, every[:1])
    return len(every) - 1


def seconds_since_change() -> float:
    """How long ago the file of keys was changed."""
    return time.time() - settings.SEED_KEYS_FILE.stat().st_mtime


def open_file(sealed: bytes) -> bytes:
    """A sealed file again, of which this process keeps nothing. CannotOpen: its key is missing."""
    from cryptography.fernet import InvalidToken

    try:
        return _box().decrypt(sealed)
    except InvalidToken:
        raise CannotOpen from None


_plaintext = lru_cache(maxsize=4096)(open_file)


def _box() -> "MultiFernet":
    return _box_of(tuple(keys()))


@lru_cache(maxsize=8)
def _box_of(some: tuple[bytes, ...]) -> "MultiFernet":
    from cryptography.fernet import Fernet, MultiFernet

    try:
        return MultiFernet([Fernet(key) for key in some])
    except ValueError:
        raise ImproperlyConfigured(
            "SEED_KEYS, or a line of the file of keys, is not a key: 32 random bytes in URL-safe base64."
        ) from None


def _stamp_of(path: Path) -> Stamp:
    """Of the file of keys, which is made where a service of one machine has none yet."""
    try:
        status = path.stat()
    except FileNotFoundError:
        if settings.PRODUCTION:
            raise ImproperlyConfigured(
                f"There are no keys for the seeds of boards. Make one ({NEW_KEY}) and give it to every "
                "process, in SEED_KEYS or in a file of mode 0600 that SEED_KEYS_FILE names."
            ) from None
        _make(path)
        status = path.stat()
    if status.st_mode & 0o077:
        raise ImproperlyConfigured(f"{path} holds keys and can be read by others: chmod 600 {path}")
    return Stamp(status.st_ino, status.st_mtime_ns, status.st_size)


NEW_KEY = "python -c 'from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())'"


@lru_cache(maxsize=8)
def _keys_in(path: Path, _stamp: Stamp) -> tuple[bytes, ...]:
    found = tuple(line for line in path.read_bytes().split() if line)
    if not found:
        raise ImproperlyConfigured(f"{path} holds no key.")
    return found


def _new_key() -> bytes:
    from cryptography.fernet import Fernet

    return Fernet.generate_key()


def _make(path: Path) -> None:
    """The first key. Of two processes that make it at once, one does, and the other reads what it made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own = path.with_name(f".{path.name}.{os.getpid()}")
    _write(own, [_new_key()])
    try:
        os.link(own, path)
    except FileExistsError:
        pass
    finally:
        own.unlink()


def _write(path: Path, some: list[bytes]) -> None:
    """Whole or not at all, and on the disk: what is sealed with a key that is lost is lost."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        file.write(b"".join(key + b"\n" for key in some))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
