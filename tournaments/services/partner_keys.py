"""Keys of partners: made by those who run a club or administer the federation, shown once, and good for
reading what everybody may see, so often a minute as each says."""

import re
import secrets
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Club, PartnerKey
from . import history
from .errors import Conflict, Forbidden, Missing

FORM = re.compile(r"etuikey_([0-9a-z]{8})_([A-Za-z0-9_-]{43})")
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
LIMITS = (60, 600, 6000)  # calls a minute, of which a key has one
MOST_OF_ONE = 50  # keys in force of a club
USED_EVERY = timedelta(hours=1)  # that its last use is written


@transaction.atomic
def make(*, club: Club | None, actor: Account, name: str, per_minute: int) -> tuple[PartnerKey, str]:
    """A key of a club or of the federation, and its text, which is nowhere else. Conflict: there are too
    many."""
    if club is not None:  # one at a time
        list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk))
    if PartnerKey.objects.filter(club=club, revoked_at=None).count() >= MOST_OF_ONE:
        raise Conflict("too-many-keys", _("There are too many keys: revoke some first."))
    secret, prefix = secrets.token_urlsafe(32), "".join(secrets.choice(LETTERS) for _letter in range(8))
    made = PartnerKey.objects.create(
        club=club,
        made_by=actor,
        name=name.strip(),
        prefix=prefix,
        digest=_digest(secret),
        per_minute=per_minute,
    )
    history.note(actor, "made partner key", made, club=club, per_minute=per_minute)
    return made, f"etuikey_{prefix}_{secret}"


@transaction.atomic
def revoke(*, key: PartnerKey, actor: Account) -> None:
    """It ends at once, for ever. Missing: it has ended already."""
    if not PartnerKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now()):
        raise Missing("no-such-key", _("This key has been revoked already."))
    history.note(actor, "revoked partner key", key, club=key.club)


def is_one(text: str) -> bool:
    """Whether a text has the form of a key, whatever it is worth."""
    return FORM.fullmatch(text) is not None


def holder_of(text: str) -> PartnerKey | None:
    """The key in force that a text is; None for any other. A query, and once an hour another, which says that
    it was used."""
    form = FORM.fullmatch(text)
    if form is None:
        return None
    key = PartnerKey.objects.filter(prefix=form[1], revoked_at=None).first()
    if key is None or not compare_digest(key.digest, _digest(form[2])):
        return None
    now = timezone.now()
    if key.last_used_at is None or key.last_used_at < now - USED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
        PartnerKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
    return key


def beyond() -> Forbidden:
    """The refusal of what no key is for."""
    return Forbidden("key-reads", _("A partner’s key reads what everybody may see, and does nothing else."))


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
