"""What may change the joint field of a leg: whoever brings it about says so here, and a worker looks."""

from django.db.models import F

from ..models import FieldTally, Leg
from . import queue


def begin(leg: Leg) -> None:
    """Its embargo has been lifted: from now on the leg has a joint field."""
    FieldTally.objects.get_or_create(leg=leg)
    queue.after_commit("rank_field", leg.pk)


def changed(leg_id: int | None) -> None:
    """Who plays a leg, or what came of it there. Nothing for a session without one, and under embargo; for
    others a query."""
    if leg_id is not None and FieldTally.objects.filter(leg=leg_id).update(changes=F("changes") + 1):
        queue.after_commit("rank_field", leg_id)
