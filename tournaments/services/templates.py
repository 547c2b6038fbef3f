"""What a club usually plays: templates of its sessions, from which a new one begins with its game, hours,
boards and method already said."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import registry

from ..models import Club, SessionTemplate
from . import history
from .errors import Conflict, Invalid, Missing, Stale
from .history import Actor
from .session_wishes import SessionWish

MOST = 20  # of one club
KEPT = (
    *("game", "options", "begins", "ends", "minutes", "boards", "reserves", "custody", "method"),
    *("method_options", "substitutes_credited", "live", "pace"),
)
"""The fields of a wish that a template says."""

DONE = ("game", "boards", "comparison")
"""The steps of a draft that are taken with a template: who is there is left to say; the movement follows."""


def of(club: Club) -> QuerySet[SessionTemplate]:
    """The usual one first, then by name."""
    return of_clubs([club])


def of_clubs(clubs: Collection[Club]) -> QuerySet[SessionTemplate]:
    """The same of several clubs."""
    own = SessionTemplate.objects.filter(club__in=[club.pk for club in clubs], removed_at=None)
    return own.order_by(F("is_usual").desc(), "name", "pk")


def usual(club: Club) -> SessionTemplate | None:
    """What a new session of the club begins as, unless another is chosen."""
    return of(club).filter(is_usual=True).first()


def with_id(club: Club, pk: int) -> SessionTemplate:
    """Missing if the club has none with this id."""
    found = of(club).filter(pk=pk).first()
    if found is None:
        raise Missing("no-such-template", _("The club has no such template."))
    return found


def wish_of(template: SessionTemplate) -> SessionWish:
    return SessionWish.of(template.wish)


def applied(template: SessionTemplate, wish: SessionWish) -> SessionWish:
    """The wish of a session as the template has it; its day and its contestants stay to be said. What a game
    no longer knows is as usual."""
    own = wish_of(template)
    facts = {name: getattr(own, name) for name in KEPT}
    known = {option.name: option.values for option in registry.game(own.game).options}
    facts["options"] = {
        name: value for name, value in own.options.items() if name in known and value in known[name]
    }
    return replace(wish, **facts)


# ── Keeping them ──────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def add(*, club: Club, actor: Actor, name: str, wish: SessionWish) -> SessionTemplate:
    """A new one; the first is the usual one. Conflict: the name is taken, or there are too many."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    count = of(club).count()
    if count >= MOST:
        message = _("A club has %(most)d templates at most.") % {"most": MOST}
        raise Conflict("too-many-templates", message)
    made = SessionTemplate(club=club, is_usual=count == 0, **_checked(name, wish))
    _save(made, force_insert=True)
    history.note(actor, "added template", made, club=club)
    return made


@transaction.atomic
def change(
    *, template: SessionTemplate, actor: Actor, name: str, wish: SessionWish, seen: int
) -> SessionTemplate:
    """The same with other words in it. Stale: somebody has changed it since it was `seen`."""
    held = _held(template, seen)
    for column, value in _checked(name, wish).items():
        setattr(held, column, value)
    held.changes += 1
    _save(held)
    history.note(actor, "changed template", held, club=held.club)
    return held


@transaction.atomic
def make_usual(*, template: SessionTemplate, actor: Actor) -> None:
    """New sessions of the club begin as this one."""
    Club.objects.select_for_update(no_key=True).get(pk=template.club_id)
    others = SessionTemplate.objects.filter(club=template.club_id, is_usual=True).exclude(pk=template.pk)
    others.update(is_usual=False)
    if SessionTemplate.objects.filter(pk=template.pk, is_usual=False, removed_at=None).update(is_usual=True):
        history.note(actor, "changed template", template, club=template.club)


@transaction.atomic
def remove(*, template: SessionTemplate, actor: Actor) -> None:
    """No new session begins as it; those that did stay as they are."""
    own = SessionTemplate.objects.filter(pk=template.pk, removed_at=None)
    if own.update(removed_at=timezone.now(), is_usual=False):
        history.note(actor, "removed template", template, club=template.club)


def _held(template: SessionTemplate, seen: int) -> SessionTemplate:
    rows = SessionTemplate.objects.select_for_update(no_key=True, of=("self",)).select_related("club")
    held = rows.get(pk=template.pk)
    if held.removed_at is not None or held.changes != seen:
        message = _("Somebody else has changed this template meanwhile: look at what is there now.")
        raise Stale("changed-meanwhile", message)
    return held


def _checked(name: str, wish: SessionWish) -> Mapping[str, Any]:
    if not name.strip():
        raise Invalid("no-name", _("A template needs a name."), {"field": "name"})
    if wish.game not in registry.games():
        raise Invalid("no-game", _("A template says which game is played."), {"field": "game"})
    stored = wish.to_json()
    return {"name": name.strip(), "wish": {name: stored[name] for name in KEPT}}


def _save(template: SessionTemplate, **how: Any) -> None:
    try:
        with transaction.atomic():
            template.save(**how)
    except IntegrityError:
        message = _("The club has a template “%(name)s” already.") % {"name": template.name}
        raise Conflict("name-taken", message, {"field": "name"}) from None
