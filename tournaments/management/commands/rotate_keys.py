"""`manage.py rotate_keys [--drop-old]`: seal the seeds of all boards with a new key."""

from typing import Any

from django.core.management import CommandError

from ... import vault
from ...services import seeds
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = (
        "Seal the seeds of all boards with a new key (in SEED_KEYS_FILE), or with the first one in "
        "SEED_KEYS. The older keys stay until --drop-old takes them away: others may still use them."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--drop-old", action="store_true", help="take away every key but the newest")

    def handle(self, *, drop_old: bool, **_: Any) -> None:
        try:
            if drop_old:
                self.drop()
            else:
                count = seeds.rotate()
                self.stdout.write(f"Seeds sealed with the new key: {count}. {self.next_step()}")
        except (seeds.TooSoon, vault.CannotOpen) as error:
            raise CommandError(str(error)) from None

    def drop(self) -> None:
        again, dropped = seeds.drop_old_keys()
        if again:
            self.stdout.write(f"Seeds that had still to be sealed with the newest key: {again}.")
        if vault.are_in_file():
            self.stdout.write(f"Older keys dropped: {dropped}. Backups made before need a copy of them.")
        else:
            self.stdout.write(
                "Every seed needs the first key in SEED_KEYS only: you may take the others out."
            )

    def next_step(self) -> str:
        if vault.are_in_file():
            minutes = int(seeds.SETTLED_SECONDS // 60)
            return f"In {minutes} minutes, `manage.py rotate_keys --drop-old` takes the older keys away."
        return (
            "Once all processes have it, `manage.py rotate_keys --drop-old` says whether others are needed."
        )
