"""The master points of players: given by a worker for each list that gives some, once its ranking is final
and everybody may see it; taken back and given again when that is amended, withdrawn or set up in another way.

Each gift is a row that stays, also when it has been taken back: a total is the sum of those that stand.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from ..models import Member, PointsGiven, PointsTally, Session, SessionList
from ..models.points import FINAL_STATES
from . import list_contents, lists

SHOWN = 100  # gifts of a player, at most

Gifts = dict[tuple[int, int], int]
"""By list and player (their ids), in hundredths."""


@dataclass(frozen=True, slots=True)
class SessionPoints:
    """What the lists of a session give, not stored yet. `version`: of the ranking by which they do, None
    where it gives none; `changes`, `counted`: what the tally said when this was begun."""

    session: int
    version: int | None
    gifts: Gifts
    changes: int
    counted: int


# ── Giving ────────────────────────────────────────────────────────────────────────────────────────


def give(*, session_id: int) -> None:
    """Give and take back what has changed, if anything has. Twice, late or on two workers at once it does
    what once does; nothing is held meanwhile."""
    tallies = PointsTally.objects.behind().filter(session=session_id)
    while (tally := tallies.select_related("session__board_set", "session__tally").first()) is not None:
        store(compute(tally))


def compute(tally: PointsTally) -> SessionPoints:
    """What the lists of a session give now. The time grows with its contestants, once for each list."""
    session = tally.session
    gifts: Gifts = {}
    version = session.version if does_give(session) else None
    for one in lists.of(session).exclude(award_factor="") if version is not None else ():
        one.session = session
        content = list_contents.content(one, list_contents.members_of(one))
        version = content.version
        players = _players(one)
        for k, points in (content.awards or {}).items():
            for player in players.get(k, ()):
                gifts[one.pk, player] = gifts.get((one.pk, player), 0) + int(points * 100)
    return SessionPoints(session.pk, version, gifts, tally.changes, tally.counted)


def does_give(session: Session) -> bool:
    """Whether its ranking is final, and everybody may see it; trials give nothing."""
    is_shown = session.listed and not session.is_trial and not session.is_under_embargo
    return is_shown and session.state in FINAL_STATES


def _players(the_list: SessionList) -> dict[int, list[int]]:
    """By contestant, or by team: its players, without those who have been erased."""
    of = "contestant__team" if the_list.kind in SessionList.OF_TEAMS else "contestant"
    found: dict[int, list[int]] = {}
    rows = Member.objects.filter(session=the_list.session_id, player__erased_at=None).order_by("player")
    for k, player in rows.values_list(of, "player"):
        found.setdefault(k, []).append(player)
    return found


@transaction.atomic
def store(made: SessionPoints) -> bool:
    """Take back what the lists do not give any more, and give what they give now. False, and nothing is
    stored, if others have done so since this was begun."""
    own = PointsTally.objects.select_for_update(no_key=True).filter(session=made.session)
    tally = own.filter(counted=made.counted).first()
    if tally is None:
        return False
    now = timezone.now()
    standing = PointsGiven.objects.filter(session=made.session, reversed_at=None)
    held = {(one.the_list_id, one.player_id): one for one in standing}
    gone = {one.pk for key, one in held.items() if made.gifts.get(key) != one.hundredths}
    standing.filter(pk__in=gone).update(reversed_at=now, reversed_version=made.version)
    kept = {key for key, one in held.items() if one.pk not in gone}
    PointsGiven.objects.bulk_create(
        PointsGiven(
            session_id=made.session,
            the_list_id=the_list,
            player_id=player,
            hundredths=hundredths,
            version=made.version or 0,
            given_at=now,
        )
        for (the_list, player), hundredths in made.gifts.items()
        if (the_list, player) not in kept
    )
    tally.counted = made.changes
    tally.save(update_fields=["counted"])  # `changes` is left alone: what has come meanwhile waits
    return True


def forget_of(player: int) -> None:
    """Nothing of the points of a player stays."""
    PointsGiven.objects.filter(player=player).delete()


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def totals_of(players: Collection[int]) -> Mapping[int, Fraction]:
    """By player (its id): what they have been given, as far as it stands. One query."""
    own = PointsGiven.objects.standing().filter(player__in=players).order_by()
    sums = own.values_list("player").annotate(sum=Sum("hundredths"))
    return {player: Fraction(hundredths, 100) for player, hundredths in sums}


def of_contestants(session: Session) -> Mapping[int, Fraction]:
    """By contestant (its id): what its players have been given in a session, each of them, as far as it
    stands. Two queries."""
    own = PointsGiven.objects.standing().filter(session=session).order_by()
    sums = dict(own.values_list("player").annotate(sum=Sum("hundredths")))
    members = Member.objects.filter(session=session, player__in=sums).values_list("contestant", "player")
    return {contestant: Fraction(sums[player], 100) for contestant, player in members}


def history_of(players: Collection[int]) -> Sequence[PointsGiven]:
    """What a player (given by its lines in the registers) has been given and what was taken back, the newest
    first. One query."""
    return list(_with_names(PointsGiven.objects.filter(player__in=players))[:SHOWN])


def of_club(club_id: int) -> QuerySet[PointsGiven]:
    """What the players of a club's register have been given and what was taken back, in that order."""
    return _with_names(PointsGiven.objects.filter(player__club=club_id)).order_by("pk")


def _with_names(rows: QuerySet[PointsGiven]) -> QuerySet[PointsGiven]:
    return rows.select_related("the_list", "player", "session__tournament__club").order_by("-pk")
