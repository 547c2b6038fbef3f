"""The lists of a joint field: the whole field, a region, a club; by the method of the event, and of a club by
its own method beside it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import NamedTuple

from django.db.models import QuerySet

from scoring.ranking import Place
from scoring.rounding import decimals

from ..models import Club, Contestant, FieldRanking, Leg, Session, Token
from . import names, rankings, versions
from .exports import Cell, ExportTable


class FieldPlace(NamedTuple):
    """Somebody in a list of the field. `rank`: in this list; `field_rank`, `region_rank`, `club_rank`: in all
    three, "" for those without a place ("" for the region, too, where the club has none). `own`: the place
    that the club's own ranking gives, None where it is not asked for or not to be seen."""

    line_group: int
    place: Place[int]
    club: Club
    field_rank: str
    region_rank: str
    club_rank: str
    own: Place[int] | None


@dataclass(frozen=True)
class FieldList:
    """A list of a version: of everybody, of a region, or of one club. Only the places that are asked for are
    made, and only the regions and clubs ranked that these are of."""

    version: FieldRanking
    whole: "WholeField"
    clubs: Mapping[int, Club]
    among: frozenset[int]
    own: Mapping[int, Place[int]]

    @cached_property
    def order(self) -> versions.Order:
        return self.whole.order if len(self.among) == len(self.clubs) else self.whole.of(self.among)

    @property
    def count(self) -> int:
        return self.order.count

    @property
    def regions(self) -> list[str]:
        """The regions of the clubs that count, by name."""
        return sorted({club.region for club in self.clubs.values() if club.region})

    def places(self, numbers: range) -> Iterator[FieldPlace]:
        """Those with these numbers, counted from 0."""
        shown = list(self.order.places(numbers))
        own_clubs = {
            place.contestant: self.clubs[self.whole.sessions[place.contestant]] for _, place in shown
        }
        ranks = {
            region: labels(self.whole.of(self._of_region(region)))
            for region in {club.region for club in own_clubs.values()} - {""}
        }
        in_club = {
            session: labels(self.whole.of({session}))
            for session in {self.whole.sessions[place.contestant] for _, place in shown}
        }
        for group, place in shown:
            k = place.contestant
            club = own_clubs[k]
            yield FieldPlace(
                group,
                place,
                club,
                self.whole.labels.get(k, ""),
                ranks.get(club.region, {}).get(k, ""),
                in_club[self.whole.sessions[k]].get(k, ""),
                self.own.get(k),
            )

    def _of_region(self, region: str) -> frozenset[int]:
        return frozenset(session for session, club in self.clubs.items() if club.region == region)


@dataclass(frozen=True)
class WholeField:
    """A version in order, with the session of everybody (its id)."""

    order: versions.Order
    groups: Mapping[int, int]
    sessions: Mapping[int, int]

    @cached_property
    def labels(self) -> Mapping[int, str]:
        return labels(self.order)

    def of(self, sessions: Collection[int]) -> versions.Order:
        """Those of some sessions, ranked among themselves by what they have won in the whole field."""
        some = [k for k in self.order.totals if self.sessions[k] in sessions]
        totals = self.order.totals.of(some)
        return versions.in_groups(totals, self.groups, self.order.disqualified.intersection(some))


def labels(order: versions.Order) -> dict[int, str]:
    """By contestant its rank: "3", or "3=" where it is shared; those without a place are left out."""
    found: dict[int, str] = {}
    for places in order.groups.values():
        positions = dict(places.positions())
        shared = Counter(positions.values())
        found |= {k: f"{at}{'=' if shared[at] > 1 else ''}" for k, at in positions.items()}
    return found


def newest(leg: Leg) -> FieldRanking | None:
    """The newest version of a leg's field; None under embargo, and before anybody has sent results."""
    return versions_of(leg).order_by("-version").first()


def versions_of(leg: Leg) -> QuerySet[FieldRanking]:
    """Every version, without what it says of all; none under embargo."""
    shown = FieldRanking.objects.filter(leg=leg, leg__lifted_at__isnull=False)
    return shown.defer("content")


def content(
    version: FieldRanking, *, club: str = "", region: str = "", viewer: Token | None = None
) -> FieldList:
    """A list of a version: of the club with this short name, of a region, or (without these) of everybody. A
    club's own ranking stands beside it for a viewer who may see that. A few queries; the time grows with the
    field where the version has not been read lately."""
    whole = _whole(version.pk, version.leg_id, version.created_at)
    rows = Session.objects.filter(pk__in=[int(pk) for pk in version.sessions])
    clubs = {session.pk: session.tournament.club for session in rows.select_related("tournament__club")}
    among = frozenset(
        pk for pk, one in clubs.items() if club in ("", one.slug) and region in ("", one.region)
    )
    return FieldList(version, whole, clubs, among, _own(among, viewer) if club else {})


COLUMNS = (
    *("line_group", "rank", "field_rank", "region_rank", "club_rank", "number", "contestant"),
    *("club", "club_name", "region", "points", "top", "score", "boards"),
)


def table(found: FieldList, reader: names.Reader) -> ExportTable:
    """A list to be taken away, each name as the reader may see it: in its order, whoever has no place with an
    empty rank. `points` are an exact fraction, `score` has two decimals."""
    shown = list(found.places(range(found.count)))
    named = names.of_contestants([one.place.contestant for one in shown], reader)
    rows: list[list[Cell]] = []
    for one in shown:
        total, who = one.place.total, named[one.place.contestant]
        score = None if total.value is None else float(decimals(total.value))
        rows.append(
            [
                *(one.line_group, one.place.rank, one.field_rank, one.region_rank, one.club_rank),
                *(who.number, who.name, one.club.slug, one.club.name, one.club.region),
                *(str(total.points), total.top, score, total.boards),
            ]
        )
    return ExportTable("field", COLUMNS, rows)


def _own(sessions: Collection[int], viewer: Token | None) -> dict[int, Place[int]]:
    """By contestant the place in the club's own ranking, where that is to be seen."""
    seen = Session.objects.ranking_visible_to(viewer).filter(pk__in=sessions, state__in=Session.RANKED)
    newest_ones = rankings.newest_of(list(seen.values_list("pk", flat=True)))
    orders = [versions.order_of(one) for one in newest_ones]
    return {place.contestant: place for one in orders for _group, place in one.places(range(one.count))}


@lru_cache(maxsize=8)
def _whole(version: int, leg: int, _made_at: datetime) -> WholeField:
    """A version (its id) in order; the few that were asked for last are remembered. Ids come again where a
    transaction failed; the moment at which it was made does not."""
    packed = bytes(FieldRanking.objects.values_list("content", flat=True).get(pk=version, leg=leg))
    totals, groups, disqualified = versions.totals_in([packed])
    sessions = dict(Contestant.objects.filter(session__leg=leg).values_list("pk", "session"))
    known = totals.of([k for k in totals if k in sessions])
    return WholeField(versions.in_groups(known, groups, disqualified), groups, sessions)


def forget() -> None:
    """Read every version from the database again."""
    _whole.cache_clear()
