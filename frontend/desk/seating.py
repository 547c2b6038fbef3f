"""Who is called to a table: the contestants by name, with whoever plays for one of them in that round."""

from collections import defaultdict
from collections.abc import Collection

from django.utils.translation import gettext as _

from tournaments.models import Account, Session
from tournaments.services import names, substitutes


def called(session: Session, account: Account, contestants: Collection[int], number: int) -> dict[int, str]:
    """By contestant (its id), the words by which it is called in a round. The queries do not grow with the
    contestants."""
    reader = names.reader_for(account)
    named = names.of_contestants(contestants, reader)
    then = substitutes.of(session).filter(
        contestant__in=list(contestants), first_round__lte=number, last_round__gte=number
    )
    standing_in = list(then)
    people = {pk for one in standing_in for pk in (one.player_id, one.for_player_id)}
    players = names.of_players(people, reader, session=session.pk) if people else {}
    own: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for one in standing_in:
        own[one.contestant_id].append((players[one.player_id], players[one.for_player_id]))
    found = {}
    for pk, contestant in named.items():
        words = contestant.name
        for substitute, member in own[pk]:
            facts = {"substitute": substitute, "member": member, "name": words}
            if member == words:
                words = _("%(substitute)s (for %(member)s)") % facts
            else:
                words = _("%(name)s (%(substitute)s for %(member)s)") % facts
        found[pk] = words
    return found
