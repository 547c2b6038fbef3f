"""What contestants are called: by the names of their players, unless a team has a name of its own."""

from collections.abc import Collection

from django.db.models import F

from ..models import Contestant, Tally
from . import bulk

NAME_LETTERS = 200


def follow(players: Collection[int]) -> None:
    """Give contestants that are called by the names of these players the names that they have now, and tell
    those who have read the old ones that there is something new."""
    concerned = Contestant.objects.filter(members__player__in=players, named_by_players=True)
    contestants = Contestant.objects.filter(pk__in=concerned.values("pk")).prefetch_related("members__player")
    new = {one.pk: (one, name_of(one)) for one in contestants.order_by("pk")}
    renamed = {pk: name for pk, (one, name) in new.items() if one.name != name}
    bulk.update(Contestant, {"id": list(renamed), "name": list(renamed.values())})
    sessions = {new[pk][0].session_id for pk in renamed}
    seen_anew = {"layout": F("layout") + 1, "counted_layout": F("counted_layout") + 1}
    Tally.objects.filter(session__in=sessions).update(**seen_anew)


def name_of(contestant: Contestant) -> str:
    """The names of a contestant's players, in the order in which they were entered."""
    members = sorted(contestant.members.all(), key=lambda member: member.pk)
    return " – ".join(member.player.name for member in members)[:NAME_LETTERS]
