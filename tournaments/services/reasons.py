"""What was said of results, and may tell them: kept from officials who play in the session, until the boards
that it is about are over.

What a table says when it calls the director is not among it: whoever goes there has to know.
"""

from collections.abc import Collection

from django.db.models import Q

from ..models import Account, Objection, ObjectionStep, Ruling, RulingPart, Session, Submission, Token
from . import custody


def hidden_from(
    session: Session, viewer: Token | Account | None, held: Collection[int] = ()
) -> frozenset[int]:
    """The remarks (by id) that the viewer may not read yet: why results were corrected and plays ruled on,
    and what contestants object. `held`: players whose links have been used in the browser that asks. For
    viewers who do not play there it takes that question alone, for those who do four more."""
    seen = custody.seen_boards(session, viewer, held=held)
    if seen is None:
        return frozenset()
    unseen = ~Q(play__board__in=seen)
    ruled = RulingPart.objects.filter(unseen, ruling__session=session).values("ruling")
    rulings = Ruling.objects.filter(pk__in=ruled).values_list("remark", "reversal_remark")
    objected = Objection.objects.filter(unseen, session=session)
    steps = ObjectionStep.objects.filter(objection__in=objected.values("pk"))
    corrected = Submission.objects.filter(unseen, play__table__section__session=session, remark__isnull=False)
    found = {remark for both in rulings for remark in both if remark is not None}
    for rows in (objected, steps, corrected):
        found.update(rows.values_list("remark", flat=True))
    return frozenset(found)
