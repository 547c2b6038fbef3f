"""Backups in the form of age (age-encryption.org/v1), which the command of that name opens too: by a
passphrase (scrypt), or for a key whose other half lies elsewhere (X25519).

By a passphrase the whole backup is in memory, twice; for a key it passes through.
"""

from pathlib import Path

from django.conf import settings

from .errors import CannotBackUp

END = ".age"


def is_wanted() -> bool:
    """Whether new backups are encrypted. CannotBackUp: two ways are asked for."""
    if settings.BACKUP_PASSPHRASE and settings.BACKUP_RECIPIENT:
        raise CannotBackUp("Say BACKUP_PASSPHRASE or BACKUP_RECIPIENT, not both.")
    return bool(settings.BACKUP_PASSPHRASE or settings.BACKUP_RECIPIENT)


def encrypt(plain: Path, target: Path) -> None:
    """CannotBackUp: what is to be its recipient is none."""
    import pyrage  # not in the memory of a process that makes no backup

    if settings.BACKUP_PASSPHRASE:
        target.write_bytes(pyrage.passphrase.encrypt(plain.read_bytes(), settings.BACKUP_PASSPHRASE))
        return
    try:
        recipient = pyrage.x25519.Recipient.from_str(settings.BACKUP_RECIPIENT)
    except pyrage.RecipientError:
        raise CannotBackUp("BACKUP_RECIPIENT is not a recipient of age: one begins with age1.") from None
    with plain.open("rb") as read, target.open("wb") as write:
        pyrage.encrypt_io(read, write, [recipient])


def decrypt(sealed: Path, target: Path, *, identity: Path | None) -> None:
    """`identity`: the file with the key that opens it, as `age-keygen` makes it; without one, by the
    passphrase. CannotBackUp: neither opens it, or it has been changed or cut off."""
    import pyrage

    if identity is None and not settings.BACKUP_PASSPHRASE:
        raise CannotBackUp(
            f"{sealed} is encrypted: say its passphrase in BACKUP_PASSPHRASE, or the file of its key by "
            "--identity."
        )
    try:
        if identity is None:
            target.write_bytes(pyrage.passphrase.decrypt(sealed.read_bytes(), settings.BACKUP_PASSPHRASE))
            return
        keys = [
            pyrage.x25519.Identity.from_str(line.strip())
            for line in identity.read_text().splitlines()
            if line.strip() and not line.startswith("#")
        ]
        with sealed.open("rb") as read, target.open("wb") as write:
            pyrage.decrypt_io(read, write, keys)
    except pyrage.IdentityError:
        raise CannotBackUp(f"{identity} is not a file of keys of age.") from None
    except (pyrage.DecryptError, OSError, ValueError) as error:
        raise CannotBackUp(f"{sealed} cannot be opened: {error}.") from None
