"""`manage.py import_archive FILE`: the sessions of an archive, here with the same rankings."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.db import transaction
from django.utils import translation

from ...models import Club, Session, Tournament
from ...services import archive_imports, archive_reading, clubs
from ...services.archive_reading import ArchiveIn
from ...services.errors import Refused
from .. import running
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = "Take in an archive. Nothing is stored unless all of it holds."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("file", help="an archive, as the service or manage.py archive has made it")
        parser.add_argument("--club", help="whose it becomes: its slug or its number; by default as it was")
        parser.add_argument("--tournament", help="its name here; by default as it was")
        parser.add_argument("--check", action="store_true", help="look at it only; nothing is stored")
        parser.add_argument("--lang", choices=[code for code, _name in settings.LANGUAGES], default="en")

    def handle(self, *, file: str, lang: str, check: bool, **options: Any) -> None:
        with translation.override(lang):
            try:
                found = archive_reading.read(self.content_of(file))
                if check:
                    self.stdout.write(f"{len(found.sessions)} sessions hold; nothing has been stored.")
                    return
                running.prepare_database()
                for one in self.store(found, **options):
                    self.stdout.write(f"Session {one.pk}: {one.name}")
            except Refused as refused:
                raise CommandError(str(refused)) from None

    @staticmethod
    def content_of(file: str) -> bytes:
        try:
            if Path(file).stat().st_size > archive_reading.PACKED_AT_MOST:
                raise CommandError(f"{file} is too large.")
            return Path(file).read_bytes()
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None

    @transaction.atomic
    def store(self, found: ArchiveIn, *, club: str | None, tournament: str | None, **_: Any) -> list[Session]:
        own = found.tournament
        if club is not None:
            the_club = clubs.club_at(club)
        else:
            names = {one.slug: one.name for one in own.clubs}
            the_club, _made = Club.objects.get_or_create(
                slug=own.club, defaults={"name": names.get(own.club, own.club)}
            )
        name = tournament or own.name
        into = Tournament.objects.filter(club=the_club, name=name).order_by("pk").last()
        into = into or Tournament.objects.create(club=the_club, name=name)
        return archive_imports.store(found, tournament=into, actor=None, makes_clubs=True)
