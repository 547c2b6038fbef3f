"""What everybody came to on an evening of a season: read once from the newest version of its ranking, and
kept with the evening until there is another."""

import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Any

import msgspec

import scoring
from scoring.methods import METHODS, method, top_of
from scoring.seasons import SeasonEvening, standardised

from ..models import CountedEvening, FieldRanking, Leg, Member, Season, Session
from . import comparisons, rankings, versions

Key = tuple[int, ...]
"""Who is ranked: the ids of a contestant's players in their order, or of one player."""

PLAYERS, CONTESTANTS = Season.Ranked.PLAYERS, Season.Ranked.CONTESTANTS
Measure = Season.Measure


@dataclass(frozen=True, slots=True)
class EveningResults:
    """By the players of each contestant its value, and how much of the evening's boards it has played where
    that is not all."""

    values: Mapping[Key, Fraction]
    shares: Mapping[Key, Fraction] = field(default_factory=dict)

    def of(self, ranked: str, name: str, weight: Fraction) -> SeasonEvening[Key]:
        """For a list of players, each with what the contestant came to; or for one of the contestants that
        have several."""
        if ranked == CONTESTANTS:
            several = {key: value for key, value in self.values.items() if len(key) > 1}
            return SeasonEvening(name, several, weight, self.shares)
        alone: dict[Key, Fraction] = {(one,): value for key, value in self.values.items() for one in key}
        return SeasonEvening(
            name, alone, weight, {(one,): part for key, part in self.shares.items() for one in key}
        )

    def to_json(self) -> list[list[Any]]:
        """A row for each: its players, its value, and the share where there is one."""
        return [
            [list(key), str(value), *([str(self.shares[key])] if key in self.shares else [])]
            for key, value in sorted(self.values.items())
        ]

    @classmethod
    def from_json(cls, rows: Sequence[Sequence[Any]]) -> "EveningResults":
        keys = [tuple(row[0]) for row in rows]
        values = {key: Fraction(row[1]) for key, row in zip(keys, rows, strict=True)}
        return cls(values, {key: Fraction(row[2]) for key, row in zip(keys, rows, strict=True) if row[2:]})


def packed(content: Any) -> bytes:
    return zlib.compress(msgspec.json.encode(content))


def unpacked(content: bytes) -> Any:
    return msgspec.json.decode(zlib.decompress(content))


def digest(content: Any) -> str:
    return sha256(json.dumps(content, separators=(",", ":"), sort_keys=True).encode()).hexdigest()


# ── Which evenings are to be read ─────────────────────────────────────────────────────────────────


def basis_of(evenings: Sequence[CountedEvening], measure: str) -> dict[int, str]:
    """By evening the digest of what its results are read from; those without a ranking are left out. Two
    queries, whatever the number of evenings; `session__tally` is there already."""
    legs = [one.leg_id for one in evenings if one.leg_id is not None]
    fields = dict(FieldRanking.objects.filter(leg__in=legs).order_by("version").values_list("leg", "version"))
    found = {}
    for one in evenings:
        if one.session is not None:
            tally = one.session.tally
            version: Any = tally.version and [tally.version, tally.layout]
        else:
            version = fields.get(one.leg_id or 0)
        if version:
            made_of = [scoring.RULES, measure, one.season.club_id, one.session_id, one.leg_id, version]
            found[one.pk] = digest(made_of)
    return found


def read(evening: CountedEvening, measure: str) -> EveningResults:
    """From the ranking itself. A few queries; the time grows with its contestants. Of an event, a club's
    season counts those who have played it there."""
    if evening.session is not None:
        newest = rankings.newest(evening.session)
        order = versions.Order({}) if newest is None else versions.order_of(newest)
        return _results(order, _players([evening.session.pk]), measure)
    field = FieldRanking.objects.filter(leg=evening.leg).order_by("-version").first()
    if field is None:
        return EveningResults({})
    order = versions.in_groups(*versions.totals_in([bytes(field.content)]))
    parts = Session.objects.filter(pk__in=[int(pk) for pk in field.sessions])
    if evening.season.club_id is not None:
        parts = parts.filter(tournament__club=evening.season.club_id)
    return _results(order, _players(list(parts.values_list("pk", flat=True))), measure)


def _players(sessions: Sequence[int]) -> dict[int, Key]:
    found: dict[int, list[int]] = defaultdict(list)
    rows = Member.objects.filter(session__in=sessions).order_by("player")
    for contestant, player in rows.values_list("contestant", "player"):
        found[contestant].append(player)
    return {contestant: tuple(own) for contestant, own in found.items()}


def _results(order: versions.Order, players: Mapping[int, Key], measure: str) -> EveningResults:
    """Those without a place (disqualified, or without a board) have come to nothing. Contestants without
    players cannot be known again."""
    alike = AS_MEASURED[measure]
    values: dict[Key, Fraction] = {}
    boards: dict[Key, int] = {}
    for places in order.groups.values():
        own = {
            k: value for k, _at in places.positions() if (value := order.totals[k].value) is not None
        }  # each line group is compared by itself
        for k, value in alike(own).items():
            if k in players:
                values[players[k]] = value
                boards[players[k]] = order.totals[k].boards
    most = max(boards.values(), default=0)
    return EveningResults(
        values, {key: Fraction(played, most) for key, played in boards.items() if played < most}
    )


def _unchanged(values: Mapping[int, Fraction]) -> Mapping[int, Fraction]:
    return values


AS_MEASURED: Mapping[str, Callable[[Mapping[int, Fraction]], Mapping[int, Fraction]]] = {
    Measure.PERCENT: _unchanged,
    Measure.SCORE: _unchanged,
    Measure.STANDARD: standardised,
}


def unit_of(evening: Session | Leg) -> str:
    """In which unit its ranking counts, "percent" where it has a top."""
    if isinstance(evening, Session):
        return "percent" if comparisons.top(evening) is not None else METHODS[evening.method].unit
    comparison = method(evening.method, **evening.method_options)
    return "percent" if top_of(comparison, 2) is not None else METHODS[evening.method].unit
