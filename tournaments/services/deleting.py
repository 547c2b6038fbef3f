"""A session is deleted with all that hangs on it, if nobody has played it, ruled on it or had custody of its
boards, or it was a trial. What the club keeps is a line in its history. Everything else stays for ever: the
database itself refuses (`guards`)."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction
from django.db.models import ForeignObjectRel, Model
from django.utils import timezone
from django.utils.translation import gettext as _

from ..guards import GUARDS, SPARED
from ..models import FeePayment, HistoryEntry, Remark, Session, Submission
from . import history, states
from .errors import Conflict

Doomed = dict[type[Model], set[Any]]

LET_GO = {
    *(("Draft", "copied_from"), ("RegistrationList", "session")),
    *(("Play", "confirmation"), ("Play", "disagreement"), ("ClubEntry", "session")),
}
"""What is not deleted with what it refers to: it refers to nothing then."""
KEPT = {("FeedItem", "session")}
"""What stays as it is: it says that what it was about is gone."""


@transaction.atomic
def delete(*, session: Session, actor: history.Actor, seen: str | None = None) -> None:
    """Delete a session. Conflict: something has been handed in, ruled, ranked or looked at, and it is no
    trial; or something that stays hangs on it. Stale: it is not as it was `seen`. The time grows with all
    that there is of it."""
    session = states.locked(session)
    states.check_seen(session, seen)
    tournament, pk = session.tournament, session.pk
    own = Submission.objects.filter(play__board__board_set__session=session)
    if not session.is_trial and (session.state not in NEVER_PLAYED or own.exists()):
        message = _("The session has been played: it can be cancelled, and stays.")
        raise Conflict("begun", message)
    if not _is_spared(session):
        message = _(
            "There are rulings, lists or custody of boards of this session: it can be cancelled, and stays."
        )
        raise Conflict("relied-on", message)
    if FeePayment.objects.filter(member__session=session, undone_at=None).exists():
        message = _("Entry fees have been taken: give them back first, or cancel the session.")
        raise Conflict("fees-taken", message)
    doomed = _all_of(session)
    entries = doomed.get(HistoryEntry, set())
    if HistoryEntry.objects.filter(pk__in=entries).exclude(session=session).exists():
        raise Conflict("in-use", _("Something else in the club’s history rests on this session."))
    _empty_remarks(entries)
    _let_go(doomed)
    for model in sorted(doomed, key=_turn):
        for some in _portions(doomed[model]):
            model._base_manager.filter(pk__in=some)._raw_delete(using="default")
    history.note(actor, "deleted session", tournament, tournament=tournament, id=pk)


NEVER_PLAYED = (Session.State.DRAFT, Session.State.READY, Session.State.CANCELLED)
PORTION = 5_000


def _is_spared(session: Session) -> bool:
    """Whether the database would let it go."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {SPARED.format(session='%s')}", [session.pk])
        return bool(cursor.fetchone()[0])


def _all_of(session: Session) -> Doomed:
    """A session and, by model, the keys of everything that refers to it, or to what does."""
    doomed: Doomed = defaultdict(set)
    found: list[tuple[type[Model], set[Any]]] = [(Session, {session.pk})]
    while found:
        model, keys = found.pop()
        new = keys - doomed[model]
        doomed[model] |= new
        for relation in model._meta.related_objects if new else ():
            related, field = relation.related_model, relation.field
            assert isinstance(related, type)
            if relation.many_to_many or (related.__name__, field.name) in LET_GO | KEPT:
                continue
            rows = {
                key
                for some in _portions(new)
                for key in related._base_manager.filter(**{f"{field.name}__in": some}).values_list(
                    "pk", flat=True
                )
            }
            if rows:
                found.append((related, rows))
    return {model: keys for model, keys in doomed.items() if keys}


def _let_go(doomed: Doomed) -> None:
    """Those that nothing leads back to (`related_name="+"`) too."""
    for model in list(doomed):
        for relation in model._meta.get_fields(include_hidden=True):
            if not isinstance(relation, ForeignObjectRel):
                continue
            related, field = relation.related_model, relation.field
            assert isinstance(related, type)
            if (related.__name__, field.name) in LET_GO:
                for some in _portions(doomed[model]):
                    related._base_manager.filter(**{f"{field.name}__in": some}).update(**{field.name: None})


def _empty_remarks(entries: Iterable[Any]) -> None:
    """What was said of persons goes too."""
    for some in _portions(set(entries)):
        said = HistoryEntry.objects.filter(pk__in=some, remark__emptied_at=None).values("remark")
        Remark.objects.filter(pk__in=said).update(salt="", text="", emptied_at=timezone.now())


def _turn(model: type[Model]) -> tuple[int, int]:
    """What is guarded goes before what says of which session it is; the database looks at references once all
    is done."""
    guarded = GUARDS.keys() - {Session._meta.db_table}
    table = model._meta.db_table
    return (1, 0) if table not in guarded else (0, PARTS_FIRST.get(table, len(PARTS_FIRST)))


PARTS_FIRST = {
    f"tournaments_{name}": place
    for place, name in enumerate(
        ["historyseal", "rulingpart", "objectionstep", "confirmation", "result", "submission"]
    )
}


def _portions(keys: set[Any]) -> Iterable[list[Any]]:
    listed = list(keys)
    return (listed[first : first + PORTION] for first in range(0, len(listed), PORTION))
