"""An archive from elsewhere becomes sessions here: the same rows under other ids, and so the same rankings to
the last digit.

What is brought is looked at before anything is stored (`archive_reading`); then each session is written
(`archive_rows`), all or none.
"""

from django.db import DataError, IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import vault
from ..models import (
    Account,
    ArchiveFile,
    Club,
    Job,
    Player,
    Session,
    Token,
    Tournament,
)
from ..models.people import fold
from . import bulk
from .archive_reading import ArchiveIn, wrong
from .archive_rows import SessionRows
from .errors import Conflict, Invalid


def store(
    found: ArchiveIn,
    *,
    tournament: Tournament,
    actor: Account | Token | None,
    makes_clubs: bool = False,
) -> list[Session]:
    """The sessions of an archive, in a tournament, with the next numbers there; all or none. Their players
    are new in the club’s register, with the names that the archive may say. `makes_clubs`: clubs that its
    lists are of, and which are not here, are made. Conflict: the club has imported one before. Invalid: a
    club is not here, or the rows contradict each other."""
    try:
        with transaction.atomic():
            locked = Tournament.objects.select_for_update(no_key=True).select_related("club")
            into = locked.get(pk=tournament.pk)
            players = _store_people(found, into.club, makes_clubs=makes_clubs)
            return [SessionRows(one, found, into, players, actor).session for one in found.sessions]
    except (IntegrityError, DataError) as error:
        raise wrong("archive", _("The rows contradict each other.")) from error


def _store_people(found: ArchiveIn, club: Club, *, makes_clubs: bool) -> dict[int, int]:
    """New players, by their numbers in the archive."""
    homes = {one.club for one in found.people if one.club is not None}
    clubs = {one.slug: one for one in Club.objects.filter(slug__in=homes)}
    known = {one.slug: one.name for one in found.tournament.clubs}
    for slug in sorted(homes - clubs.keys()):
        if not makes_clubs:
            message = _(
                "A list of the archive is of the club “%(club)s”, which is not here: have it made first."
            )
            raise Invalid("club-not-here", message % {"club": slug}, {"club": slug})
        clubs[slug] = Club.objects.create(slug=slug, name=known.get(slug, slug))
    ids = bulk.new_ids(Player, len(found.people))
    names = [f"{one.given_name} {one.family_name}".strip() for one in found.people]
    now = timezone.now()
    bulk.insert(
        Player,
        {
            "id": ids,
            "given_name": [one.given_name for one in found.people],
            "family_name": [one.family_name for one in found.people],
            "folded": [fold(name) for name in names],
            "home_club": [None if one.club is None else clubs[one.club].pk for one in found.people],
            "categories": [one.categories for one in found.people],
            "consent": [one.consent and bool(name) for one, name in zip(found.people, names, strict=True)],
            "erased_at": [None if name else now for name in names],
        },
        same={
            **{"club": club.pk, "public_name": "", "number": "", "account": None, "merged_into": None},
            "registered_at": now,
        },
    )
    return {one.number: pk for one, pk in zip(found.people, ids, strict=True)}


# ── What waits to be read ─────────────────────────────────────────────────────────────────────────────


def bring(*, job: Job, content: bytes) -> None:
    """Keep an archive for the job that reads it."""
    ArchiveFile.objects.create(job=job, content=vault.seal(content))


def let_go(*, job: Job) -> None:
    """What was brought has been read."""
    ArchiveFile.objects.filter(job=job).delete()


def brought(*, job: Job) -> bytes:
    """The archive that a job is to read. Conflict: it is there no longer."""
    kept = ArchiveFile.objects.filter(job=job).first()
    if kept is None:
        raise Conflict("archive-gone", _("The archive is there no longer: bring it again."))
    return vault.open_file(bytes(kept.content))
