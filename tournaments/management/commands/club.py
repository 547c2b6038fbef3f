"""`manage.py club`: list the clubs, or make a new one."""

from typing import Any

from django.db import transaction

from ...models import Club
from ...services import clubs, history
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = "List the clubs with their slugs and numbers, or make a new one."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("name", nargs="?", help="of a new club; without it the clubs are listed")

    def handle(self, *, name: str | None, **_: Any) -> None:
        shown = Club.objects.order_by("slug") if name is None else [self.create(name)]
        for club in shown:
            self.stdout.write(f"{club.slug}\t{club.pk}\t{club.name}")

    @transaction.atomic
    def create(self, name: str) -> Club:
        club = clubs.create(name)
        history.note(None, "made club", club, club=club)
        return club
