"""Several into one: members into teams, sessions into a tournament, events into a season."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from engines.phrases import Phrase

from .amounts import comparable
from .errors import BadScoring, one_of
from .lines import Number
from .ranking import ranks
from .totals import Total, sums

K = TypeVar("K", bound=Hashable)
T = TypeVar("T", bound=Hashable)

SUM, AVERAGE, WEIGHTED, BEST = "sum", "average", "weighted", "best"
RULES = (SUM, AVERAGE, WEIGHTED, BEST)


def teams(totals: Mapping[K, Total], members: Mapping[T, Sequence[K]]) -> dict[T, Total]:
    """The total of each team: the sum of its members' totals; a member without one adds nothing.

    BadScoring for somebody in two teams, or twice in one.
    """
    seen: set[K] = set()
    for names in members.values():
        for name in names:
            if name in seen:
                raise BadScoring(
                    "members", Phrase("{contestant} is a member more than once", contestant=name)
                )
            seen.add(name)
    parts = [
        (team, totals[name].final()) for team, names in members.items() for name in names if name in totals
    ]
    return dict.fromkeys(members, Total()) | sums(parts)


@dataclass(frozen=True, slots=True)
class CombinedPlace(Generic[K]):
    """A place of a combined ranking. `value`: what it is ranked by. `parts`: the sessions that this comes
    from, each with its result and its weight; `rest`: sessions that were played and do not count."""

    rank: str
    contestant: K
    value: Fraction
    parts: tuple[tuple[str, Fraction, Fraction], ...]
    rest: tuple[tuple[str, Fraction], ...] = ()


def combined_ranking(
    sessions: Mapping[str, Mapping[K, Number]],
    *,
    rule: str = SUM,
    best: int | None = None,
    weights: Mapping[str, Number] | None = None,
    least: int = 1,
) -> tuple[CombinedPlace[K], ...]:
    """The ranking over several sessions (or events), from each contestant's result in each: percentages,
    victory points, master points.

    `rule`: the "sum"; the "average" of those played; the "weighted" average of those played, by `weights`,
    which sum to 1 over all sessions; or the sum of the `best` so many. Contestants who have played fewer than
    `least` come last, unranked. BadScoring says which argument is wrong.
    """
    _check(sessions, one_of("rule", rule, RULES), best, weights)
    results: dict[K, list[tuple[str, Fraction]]] = {}
    for name, values_by_contestant in sessions.items():
        for contestant, value in values_by_contestant.items():
            results.setdefault(contestant, []).append((name, Fraction(value)))
    lines = [(k, *_parts_and_rest(own, rule, best, weights)) for k, own in results.items()]
    ranked = [line for line in lines if len(line[1]) + len(line[2]) >= least]
    values = [_value(parts) for _, parts, _ in ranked]
    keys = comparable([value.as_integer_ratio() for value in values])
    order = sorted(range(len(ranked)), key=lambda i: -keys[i])
    labels = ranks([keys[i] for i in order])
    places = [
        CombinedPlace(label, ranked[i][0], values[i], ranked[i][1], ranked[i][2])
        for label, i in zip(labels, order, strict=True)
    ]
    unranked = [line for line in lines if len(line[1]) + len(line[2]) < least]
    return (*places, *(CombinedPlace("", k, _value(parts), parts, rest) for k, parts, rest in unranked))


def _check(
    sessions: Mapping[str, object], rule: str, best: int | None, weights: Mapping[str, Number] | None
) -> None:
    if (rule == BEST) != (best is not None):
        raise BadScoring(
            "best", Phrase("belongs to the rule best, and only there: it says how many sessions count")
        )
    if best is not None and (type(best) is not int or best < 1):
        raise BadScoring("best", Phrase("must be a whole number above 0, not {value}", value=repr(best)))
    if (rule == WEIGHTED) != (weights is not None):
        raise BadScoring("weights", Phrase("belong to the rule weighted, and only there"))
    if weights is None:
        return
    if set(weights) != set(sessions):
        constraint = Phrase("must name each session once: {names}", names=", ".join(sessions))
        raise BadScoring("weights", constraint)
    if any(not isinstance(w, (int, Fraction)) or w <= 0 for w in weights.values()):
        raise BadScoring("weights", Phrase("each weight must be an exact number above 0"))
    if sum(weights.values()) != 1:
        raise BadScoring("weights", Phrase("must sum to 1, not to {total}", total=sum(weights.values())))


def _parts_and_rest(
    results: list[tuple[str, Fraction]], rule: str, best: int | None, weights: Mapping[str, Number] | None
) -> tuple[tuple[tuple[str, Fraction, Fraction], ...], tuple[tuple[str, Fraction], ...]]:
    """The sessions that count, each with its weight, and those that do not."""
    if rule == BEST:
        best_ones = sorted(range(len(results)), key=lambda i: -results[i][1])[:best]
        parts = tuple((*results[i], Fraction(1)) for i in sorted(best_ones))
        return parts, tuple(one for i, one in enumerate(results) if i not in best_ones)
    share = Fraction(1, len(results)) if rule == AVERAGE else Fraction(1)
    if weights is None:
        return tuple((*one, share) for one in results), ()
    whole = sum((Fraction(weights[name]) for name, _ in results), Fraction(0))
    return tuple((name, value, weights[name] / whole) for name, value in results), ()


def _value(parts: Sequence[tuple[str, Fraction, Fraction]]) -> Fraction:
    return sum((value * weight for _, value, weight in parts), Fraction(0))
