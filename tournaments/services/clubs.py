"""Clubs: each has an address of its own, made from its name once and never shared."""

import json
import zoneinfo
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _

from ..models import Club, Player, Token, Tournament, access
from . import history, public_calendar
from .errors import Invalid, Missing, Stale

SLUG_LETTERS = Club._meta.get_field("slug").max_length or 0


def is_known(club: Club, viewer: Token | None) -> bool:
    """Whether somebody may know that there is this club: anybody, as soon as something of it is public;
    whoever has a role at it, stands in its register or has a part in one of its sessions; and the
    federation."""
    return (
        (viewer is not None and _belongs(viewer, club))
        or public_calendar.clubs().filter(pk=club.pk).exists()
        or Tournament.objects.visible_to(viewer).filter(club=club).exists()
    )


def known_to(caller: access.Caller) -> QuerySet[Club]:
    """The clubs that somebody may invite: all of them for the federation, for others those of which something
    is public, and their own."""
    if access.administers_federation(caller) or access.organises_federation(caller):
        return Club.objects.all()
    public = Q(pk__in=public_calendar.clubs().values("pk"))
    return Club.objects.filter(public | access.managed(caller, club="pk"))


def _belongs(viewer: Token, club: Club) -> bool:
    role = viewer.role
    if role is not None:
        return role.club_id == club.pk or (role.club_id is None and role.session_id is None)
    return viewer.player_id is not None and Player.objects.filter(pk=viewer.player_id, club=club).exists()


def create(name: str) -> Club:
    """A new club, though others may have the same name: clubs differ by slug and id."""
    while True:
        try:
            with transaction.atomic():
                return Club.objects.create(name=name, slug=free_slug(name))
        except IntegrityError:  # somebody took the slug meanwhile: it is not free any more
            continue


@transaction.atomic
def mend(
    *, club: Club, actor: history.Actor, seen: str | None = None, time_zone: str | None = None, **new: str
) -> Club:
    """Another `time_zone`, `town`, `region`, `currency` or `accent`; what is not said stays. From now on the
    club's times are shown by the clock of that place: what has been agreed on stays the same moment. Invalid
    where nobody knows the place, or where there is no such colour; Stale: it is not as it was `seen`."""
    if time_zone is not None:
        if time_zone not in zoneinfo.available_timezones():
            raise Invalid("no-such-time-zone", _("There is no time zone “%(name)s”.") % {"name": time_zone})
        new["time_zone"] = time_zone
    if new.get("accent", "") not in Club.Accent.values:
        raise Invalid("no-such-colour", _("There is no such colour."), {"field": "accent"})
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if seen is not None and stamp(club) != seen:
        raise Stale("changed-meanwhile", _("Somebody else has changed the club meanwhile: look again."))
    changes = {
        name: (getattr(club, name), value) for name, value in new.items() if getattr(club, name) != value
    }
    if changes:
        for name, value in new.items():
            setattr(club, name, value)
        club.save(update_fields=list(changes))
        history.note(actor, "mended", club, club=club, changes=changes)
    return club


def stamp(club: Club) -> str:
    """What changes whenever one of the things does that `mend` changes."""
    said = [club.time_zone, club.town, club.region, club.currency, club.accent]
    return sha256(json.dumps(said).encode()).hexdigest()[:32]


def free_slug(name: str) -> str:
    """A slug that no club has: the name's letters and digits of any script, numbered where they are taken."""
    stem = slugify(name, allow_unicode=True)[: SLUG_LETTERS - 8].strip("-_") or "club"
    if stem.isdecimal():  # it would read like an id
        stem = f"club-{stem}"
    slugs = set(Club.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number, slug = 1, stem
    while slug in slugs:
        number += 1
        slug = f"{stem}-{number}"
    return slug


def at_or_only(address: str | None) -> Club:
    """The club at an address. Without one: the only club there is, made where there is none; Missing asks
    which where there are several."""
    if address is not None:
        return club_at(address)
    clubs = list(Club.objects.order_by("slug")[:20])
    if len(clubs) > 1:
        known = ", ".join(club.slug for club in clubs)
        raise Missing("which-club", _("Say for which club: %(known)s.") % {"known": known})
    return clubs[0] if clubs else create(_("Club"))


def club_at(address: str) -> Club:
    """The club with this exact slug or id. Missing names the clubs there are."""
    by = {"pk": int(address)} if address.isascii() and address.isdecimal() else {"slug": address}
    club = Club.objects.filter(**by).first()
    if club is not None:
        return club
    known = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "–"
    message = _("No club has the slug or the number “%(address)s”. Clubs: %(known)s.")
    raise Missing("no-such-club", message % {"address": address, "known": known})
