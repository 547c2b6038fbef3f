"""`manage.py staff`: names the operators, who may look at `/admin/`."""

from typing import Any

from django.core.management import CommandError

from ...services import accounts
from ...services.errors import Refused
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = (
        "Let somebody who has an account look at /admin/, once they have a second factor. Without a "
        "name, say who may."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("who", nargs="?", help="e-mail address, number, or a name that nobody else has")
        parser.add_argument("--remove", action="store_true", help="no longer")

    def handle(self, *, who: str | None, remove: bool, **_: Any) -> None:
        if who is not None:
            try:
                accounts.set_staff(account=accounts.existing(who), is_staff=not remove)
            except Refused as error:
                raise CommandError(str(error)) from None
        for account in accounts.staff():
            self.stdout.write(f"{account.pk}  {account.name}  {account.email or '–'}")
