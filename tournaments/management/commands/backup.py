"""`manage.py backup FOLDER [--keep N]`: the database as it is at this moment."""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from ...services import backups, figures


class Command(BaseCommand):
    help = (
        "Copy the database into a new file of a folder, while the service runs; encrypted, if "
        "BACKUP_PASSPHRASE or BACKUP_RECIPIENT says how. No key is in it: keep copies of SEED_KEYS_FILE "
        "elsewhere."
    )
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("folder", type=Path, help="where backups are, on another disk if you can")
        parser.add_argument("--keep", type=int, metavar="N", help="delete older ones, so that there are N")

    def handle(self, *, folder: Path, keep: int | None, **_: Any) -> None:
        if keep is not None and keep < 1:
            raise CommandError("--keep is the number of backups that stay: at least 1, the new one.")
        try:
            path = backups.back_up(folder, at=timezone.now(), keep=keep)
        except (backups.CannotBackUp, OSError) as error:
            raise CommandError(str(error)) from None
        figures.note_backup(at=path.stat().st_mtime, size=path.stat().st_size)
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes, whole.")
