"""The standing of a season, evening by evening: made by a worker whenever a ranking that counts is published
or amended, and read from the newest version.

Only rankings count that everybody may see. What they say is kept with each evening, so that another version
reads the one ranking that is other, and the rest in one query. What is shown is refused while an evening that
it counts has been withdrawn, until a worker has made the next version.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from scoring.seasons import (
    SeasonEvening,
    SeasonRow,
    SeasonRules,
    positions_after_each,
    season_ranking,
)

from ..models import CountedEvening, Player, Season, SeasonStanding, SeasonTally
from . import season_results
from .season_results import EveningResults, Key

IN, OUT, MENDED = "in", "out", "mended"
"""What is other of an evening than in the version before."""


# ── Counting ──────────────────────────────────────────────────────────────────────────────────────


def rank(*, season_id: int) -> int | None:
    """Take in what has changed, and make a new version if anything that counts has; its number, or that of
    the newest, None where nothing waited.

    Twice, late or on two workers at once it does what once does; nothing is held meanwhile. The queries grow
    with the evenings whose rankings are other than when they were last read, and with no others.
    """
    tallies = SeasonTally.objects.behind().filter(season=season_id).select_related("season")
    while (tally := tallies.first()) is not None:
        read, version = _next_version(tally)
        if _keep(tally, read, version):
            return tally.version
    return None


def in_order(season: Season) -> list[CountedEvening]:
    """The evenings of a season, by the calendar."""
    when = Coalesce("session__starts_at", "session__created_at", "leg__opens_at")
    own = CountedEvening.objects.filter(season=season).order_by(when, "pk")
    return list(own.select_related("season", "session__tally", "session__tournament", "leg__event"))


def published_in(season: Season) -> set[int]:
    """The ids of those whose rankings everybody may see."""
    return set(CountedEvening.objects.filter(season=season).published().values_list("pk", flat=True))


def _next_version(tally: SeasonTally) -> tuple[list[CountedEvening], SeasonStanding | None]:
    """The evenings that were read anew, and the version that all of them lead to, neither of them stored yet;
    None where the newest was made of the same."""
    season = tally.season
    published = published_in(season)
    evenings = [one for one in in_order(season) if one.pk in published]
    made_of = season_results.basis_of(evenings, season.measure)
    counted = [one for one in evenings if one.pk in made_of]
    read = [one for one in counted if one.taken != made_of[one.pk]]
    for one in read:
        one.results = season_results.packed(season_results.read(one, season.measure).to_json())
        one.taken = made_of[one.pk]
    said = _said(season)
    content_of = [[one.pk, one.weight, season_results.digest(_rows(one))] for one in counted]
    basis = season_results.digest([said, content_of])
    if basis == tally.basis:
        return read, None
    tally.basis = basis
    content = said | {
        "evenings": [
            {"evening": one.pk, "session": one.session_id, "leg": one.leg_id, "weight": one.weight,
             "results": _rows(one)}
            for one in counted
        ]
    }  # fmt: skip
    held = HeldStanding(content)
    content["positions"] = {
        ranked: [[[list(key), at] for key, at in sorted(some.items())] for some in held.moved(ranked)]
        for ranked in season.ranked
    }
    now = {str(one.pk): digest for one, (*_how, digest) in zip(counted, content_of, strict=True)}
    last = SeasonStanding.objects.filter(season=season, version=tally.version).defer("content").first()
    before = {} if last is None else last.evenings
    return read, SeasonStanding(
        season=season,
        version=tally.version + 1,
        content=season_results.packed(content),
        evenings=now,
        news=[
            [int(pk), IN if pk not in before else OUT if pk not in now else MENDED]
            for pk in sorted({**before, **now}, key=int)
            if before.get(pk) != now.get(pk)
        ],
    )


def _rows(evening: CountedEvening) -> Any:
    return season_results.unpacked(bytes(evening.results))


def _said(season: Season) -> dict[str, Any]:
    """What the season says of how it is counted, as a version keeps it."""
    return {
        "rules": season.rules,
        "measure": season.measure,
        "ranked": season.ranked,
        "divisions": season.divisions,
        "up": season.up,
        "down": season.down,
        "handicaps": season.handicaps,
    }


@transaction.atomic
def _keep(tally: SeasonTally, read: Sequence[CountedEvening], version: SeasonStanding | None) -> bool:
    """Write the version; False if somebody else has written one since the tally was read."""
    known = {"version": tally.version, "counted": tally.counted}
    mine = SeasonTally.objects.select_for_update(no_key=True).filter(pk=tally.pk, **known)
    if not list(mine.values_list("pk")):
        return False
    CountedEvening.objects.bulk_update(read, ["results", "taken"])
    tally.counted = tally.changes
    if version is not None:
        version.save(force_insert=True)
        tally.version = version.version
    # `changes` is left alone: what has come meanwhile is still to be taken in
    tally.save(update_fields=["version", "counted", "basis"])
    return True


# ── A version ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SeasonDivision:
    """`number`: from 1, the highest. `members`: those that were put into it; everybody else plays in the
    last."""

    number: int
    name: str
    members: frozenset[Key]


@dataclass(frozen=True, slots=True)
class SeasonWish:
    """Which list of a season: of `players` or `contestants`; of one division (its number); of a category; by
    what they came to with their handicaps."""

    ranked: str
    division: int | None = None
    category: str = ""
    handicap: bool = False


class HeldStanding:
    """What a version says, from which its lists follow."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.rules = rules_of(content["rules"])
        self.measure: str = content["measure"]
        self.ranked: tuple[str, ...] = tuple(content["ranked"])
        self.up: int = content["up"]
        self.down: int = content["down"]
        self.divisions = tuple(
            SeasonDivision(number, one["name"], frozenset(map(tuple, one["members"])))
            for number, one in enumerate(content["divisions"], 1)
        )
        self.handicaps = {int(player): Fraction(one) for player, one in content["handicaps"].items()}
        self.evenings: tuple[int, ...] = tuple(one["evening"] for one in content["evenings"])
        self._results = [
            (str(one["evening"]), Fraction(one["weight"]), EveningResults.from_json(one["results"]))
            for one in content["evenings"]
        ]
        self.positions = {
            ranked: [{tuple(key): at for key, at in some} for some in after]
            for ranked, after in content.get("positions", {}).items()
        }

    def evenings_of(self, ranked: str) -> list[SeasonEvening[Key]]:
        return [results.of(ranked, name, weight) for name, weight, results in self._results]

    def has_divisions(self, ranked: str) -> bool:
        return len(self.divisions) > 1 and ranked == self.ranked[0]

    def division_of(self, key: Key) -> int:
        """The number of the division in which somebody plays."""
        own = (one.number for one in self.divisions if key in one.members)
        return next(own, len(self.divisions))

    def rows(self, wish: SeasonWish, among: Collection[Key] | None = None) -> tuple[SeasonRow[Key], ...]:
        """A list. `among`: of these alone, which is how a category is asked for. The time grows with the
        contestants and the evenings."""
        evenings = self.evenings_of(wish.ranked)
        some = among
        if wish.division is not None:
            everybody = {key for one in evenings for key in one.values} if among is None else among
            some = {key for key in everybody if self.division_of(key) == wish.division}
        handicaps = self.handicaps_of(evenings) if wish.handicap else None
        return season_ranking(evenings, self.rules, handicaps=handicaps, among=some)

    def handicaps_of(self, evenings: Sequence[SeasonEvening[Key]]) -> dict[Key, Fraction]:
        """Of a pair or a team, the mean of its players'."""
        keys = {key for one in evenings for key in one.values}
        return {
            key: sum((self.handicaps.get(one, Fraction(0)) for one in key), Fraction(0)) / len(key)
            for key in keys
        }

    def moved(self, ranked: str) -> list[dict[Key, int]]:
        """After each evening everybody's place, in their division where there are several."""
        evenings = self.evenings_of(ranked)
        if not self.has_divisions(ranked):
            return positions_after_each(evenings, self.rules)
        found: list[dict[Key, int]] = [{} for _one in evenings]
        everybody = {key for one in evenings for key in one.values}
        for division in self.divisions:
            own = {key for key in everybody if self.division_of(key) == division.number}
            for at, some in enumerate(positions_after_each(evenings, self.rules, among=own)):
                found[at] |= some
        return found


def rules_of(said: Mapping[str, Any]) -> SeasonRules:
    """The rules of a season, whose exact numbers are kept as text."""
    exact = {name: Fraction(said[name]) for name in ("absent", "enough") if said.get(name) is not None}
    others = {name: value for name, value in said.items() if name not in ("absent", "enough")}
    return SeasonRules(**others | exact | {"tie_breaks": tuple(said.get("tie_breaks", ()))})


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def newest(season: Season) -> SeasonStanding | None:
    """The newest version; None before the first, and while an evening that it counts has been withdrawn and
    the next version is still to be made. Two queries."""
    last: SeasonStanding | None = versions_of(season).first()
    if last is None or not {int(pk) for pk in last.evenings} <= published_in(season):
        return None
    return last


def versions_of(season: Season) -> Any:
    """Every version, the newest first, without what it says of all."""
    return SeasonStanding.objects.filter(season=season).order_by("-version").defer("content")


def held(version: SeasonStanding) -> HeldStanding:
    return _held(version.pk, version.created_at)


@lru_cache(maxsize=8)
def _held(pk: int, _made_at: datetime) -> HeldStanding:
    """The few that were asked for last are remembered. Ids come again where a transaction failed; the moment
    at which it was made does not."""
    content = SeasonStanding.objects.values_list("content", flat=True).get(pk=pk)
    return HeldStanding(season_results.unpacked(bytes(content)))


def forget() -> None:
    """Read every version from the database again."""
    _held.cache_clear()
    _list.cache_clear()


def of_list(version: SeasonStanding, wish: SeasonWish) -> tuple[SeasonRow[Key], ...]:
    """A list of a version. A query where it is of a category, whose players the register tells: of a pair or
    a team, all of them."""
    among = None
    if wish.category:
        own = set(_of_category(held(version), wish))
        among = frozenset(own)
    return _list(version.pk, version.created_at, wish, among)


@lru_cache(maxsize=32)
def _list(
    pk: int, made_at: datetime, wish: SeasonWish, among: frozenset[Key] | None
) -> tuple[SeasonRow[Key], ...]:
    return _held(pk, made_at).rows(wish, among)


def _of_category(standing: HeldStanding, wish: SeasonWish) -> list[Key]:
    keys = {key for one in standing.evenings_of(wish.ranked) for key in one.values}
    players = {player for key in keys for player in key}
    own = dict(Player.objects.filter(pk__in=players).values_list("pk", "categories"))
    return [key for key in keys if all(wish.category in own.get(player, ()) for player in key)]


def behind(season: Season) -> bool:
    """Whether something is still to be taken in."""
    return SeasonTally.objects.filter(season=season, changes__gt=F("counted")).exists()
