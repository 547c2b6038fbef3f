"""`manage.py club`: list the clubs, or make a new one."""

from typing import Any

from django.core.management import BaseCommand

from ...models import Club
from ...services import clubs


class Command(BaseCommand):
    help = "List the clubs with their slugs and numbers, or make a new one."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("name", nargs="?", help="of a new club; without it the clubs are listed")

    def handle(self, *, name: str | None, **_: Any) -> None:
        shown = Club.objects.order_by("slug") if name is None else [clubs.create(name)]
        for club in shown:
            self.stdout.write(f"{club.slug}\t{club.pk}\t{club.name}")
