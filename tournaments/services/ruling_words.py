"""Rulings in words, for travellers, results and lists of decisions: in the reader's language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engines import registry
from engines.contract import Game
from scoring.entries import Artificial, Entry, NoScore, Own, Weighted
from scoring.rounding import decimals, in_units

from ..models import Ruling, RulingPart, Session
from . import ruled_entries, ruled_totals
from .percentages import in_percent


def of_play(game: Game[Any], ruling: Ruling, part: RulingPart, named: Mapping[int, str] | None = None) -> str:
    """What a ruling says of one play: seats for which it says the same are named together, by those who sit
    there (`named`) where they are known."""
    return _told(game, ruling, part.entries, part.deal, named)


@dataclass(frozen=True, slots=True)
class ToldRuling:
    """What a ruling says of a play, in words, and why; `is_replaced`: a later one says something else of the
    same seats."""

    words: str
    reason: str
    is_replaced: bool


def at_play(
    game: Game[Any], parts: Sequence[RulingPart], named: Mapping[int, str] | None = None
) -> list[ToldRuling]:
    """The rulings on one play that nobody has reversed (`parts`, the oldest first, with their rulings), in
    that order. Of each seat the newest counts (`ruled_totals.together`): what it replaces is told apart from
    what still counts of an earlier one."""
    told: list[ToldRuling] = []
    later: set[int] = set()
    later_deal = False
    for part in reversed(parts):
        seats = {seat for seat, token in enumerate(part.entries) if token is not None}
        own: list[ToldRuling] = []
        for is_replaced, some in (True, seats & later), (False, seats - later):
            entries = [token if seat in some else None for seat, token in enumerate(part.entries)]
            deal = part.deal if is_replaced == later_deal else ""
            if words := _told(game, part.ruling, entries, deal, named):
                own.append(ToldRuling(words, part.ruling.remark.text, is_replaced))
        told[:0] = own
        later |= seats
        later_deal = later_deal or bool(part.deal)
    return told


def _told(
    game: Game[Any],
    ruling: Ruling,
    entries: Sequence[str | None],
    deal: str,
    named: Mapping[int, str] | None,
) -> str:
    by_entry: dict[str, list[int]] = {}
    for seat, token in enumerate(entries, start=1):
        if token is not None:
            by_entry.setdefault(token, []).append(seat)
    told = [
        _of_seats(seats, len(entries), named or {})
        % {"what": _of_entry(game, ruling, ruled_entries.of_token(token))}
        for token, seats in by_entry.items()
    ]
    if deal:
        told.append(_("Fouled board: compared with the other tables of group %(group)s.") % {"group": deal})
    return " ".join(told)


def _of_seats(seats: Sequence[int], count: int, named: Mapping[int, str]) -> str:
    if len(seats) == count:
        return _("All seats: %(what)s.")
    if all(seat in named for seat in seats):
        who = ", ".join(dict.fromkeys(named[seat] for seat in seats))
        return _("%(who)s: %(what)s.").replace("%(who)s", who.replace("%", "%%"))
    listed = ", ".join(map(str, seats))
    text = ngettext("Seat %(seats)s: %(what)s.", "Seats %(seats)s: %(what)s.", len(seats))
    return text.replace("%(seats)s", listed)


def _of_entry(game: Game[Any], ruling: Ruling, entry: Entry) -> str:
    if isinstance(entry, NoScore):
        if ruling.kind == Ruling.Kind.NOT_PLAYED:
            return _("not played, counts for nobody")
        return _("annulled, counts for nobody")
    if isinstance(entry, Artificial):
        percent = in_percent(_number(Fraction(entry.percent)))
        text = {
            Own.NEVER: _("%(percent)s of what can be won"),
            Own.IF_BETTER: _("%(percent)s, or the share won on the other boards if that is better"),
            Own.IF_WORSE: _("%(percent)s, or the share won on the other boards if that is worse"),
        }[entry.own]
        return text % {"percent": percent}
    if isinstance(entry, Weighted):
        parts = (
            _("%(percent)s of %(score)s")
            % {
                "percent": in_percent(_number(100 * Fraction(weight))),
                "score": in_units(score, game.unit.divisor),
            }
            for score, weight in entry.parts
        )
        return _("weighted score, %(parts)s") % {"parts": ", ".join(parts)}
    return _("assigned score %(score)s") % {"score": in_units(entry, game.unit.divisor)}


def in_short(game: Game[Any], token: str) -> str:
    """What stands for a seat, as `RulingPart` keeps it, in a cell: a score, a share, or a dash.

    Of a weighted score the mean."""
    entry = ruled_entries.of_token(token)
    if isinstance(entry, NoScore):
        return "–"
    if isinstance(entry, Artificial):
        return f"{bound(token)}{in_percent(_number(Fraction(entry.percent)))}"
    if isinstance(entry, Weighted):
        return _score(game, entry.mean)
    return in_units(entry, game.unit.divisor)


def bound(token: str | None) -> str:
    """What stands before a share that the other boards may raise, or lower."""
    entry = None if token is None else ruled_entries.of_token(token)
    own = entry.own if isinstance(entry, Artificial) else Own.NEVER
    return {Own.NEVER: "", Own.IF_BETTER: "≥ ", Own.IF_WORSE: "≤ "}[own]


def _score(game: Game[Any], score: int | Fraction) -> str:
    exact = _number(Fraction(score) / game.unit.divisor).replace("-", "−")
    return f"+{exact}" if score > 0 else exact


def _number(value: Fraction) -> str:
    """Rounded to two decimals, of which it shows no more than it needs."""
    text = decimals(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def of_contestant(ruling: Ruling) -> str:
    """What a ruling says of its contestant."""
    content: Mapping[str, Any] = ruling.content
    if ruling.kind == Ruling.Kind.DISQUALIFICATION:
        return _("Disqualified: ranked without a place.")
    if ruling.kind == Ruling.Kind.CARRY_OVER:
        facts = {"won": _number(Fraction(content["won"])), "fraction": content["fraction"]}
        if content.get("unit") == "vps":
            return _("Carried over: %(fraction)s of %(won)s victory points won before.") % facts
        return _("Carried over: %(fraction)s of %(won)s points won before.") % facts
    facts = {"amount": _amount(_number(Fraction(content["amount"])), content["unit"])}
    if name := content.get("name", ""):
        named = facts | {"name": name}
        if ruling.kind == Ruling.Kind.PENALTY:
            return _("Penalty for %(name)s: %(amount)s.") % named
        return _("Bonus for %(name)s: %(amount)s.") % named
    if ruling.kind == Ruling.Kind.PENALTY:
        return _("Penalty: %(amount)s.") % facts
    return _("Bonus: %(amount)s.") % facts


def of_contestants(session: Session, contestants: Iterable[int]) -> dict[int, list[str]]:
    """By contestant (its id), the penalties, bonuses and the like in force, the oldest first; those without
    any are left out. One query."""
    kinds = Ruling.ABOUT_CONTESTANTS
    made = Ruling.objects.in_force().filter(session=session, kind__in=kinds, contestant__in=list(contestants))
    told: dict[int, list[str]] = {}
    for ruling in made.order_by("pk"):
        if ruling.contestant_id is not None:
            told.setdefault(ruling.contestant_id, []).append(of_contestant(ruling))
    return told


def of_teams(session: Session, teams: Iterable[int], *, of_matches: bool) -> dict[int, list[str]]:
    """The same of those who play for each team (its id), as far as it counts for the team: what is counted
    in victory points in lists of matches, everything else in lists of what the team has won. One query."""
    kinds = Ruling.ABOUT_CONTESTANTS
    of_own = Ruling.objects.in_force().filter(
        session=session, kind__in=kinds, contestant__team__in=list(teams)
    )
    told: dict[int, list[str]] = {}
    for ruling in of_own.select_related("contestant").order_by("pk"):
        assert ruling.contestant is not None
        assert ruling.contestant.team_id is not None
        counts = (ruling.content.get("unit") == ruled_totals.VPS) == of_matches
        if counts or ruling.kind == Ruling.Kind.DISQUALIFICATION:
            told.setdefault(ruling.contestant.team_id, []).append(of_contestant(ruling))
    return told


def _amount(number: str, unit: str) -> str:
    if unit == "percent":
        return _("%(percent)s of a board") % {"percent": in_percent(number)}
    words = {
        "matchpoints": _("matchpoints"),
        "imps": _("IMPs"),
        "vps": _("VPs"),
    }.get(unit, _("points"))
    return f"{number} {words}"


def of_ruling(session: Session, ruling: Ruling, named: Mapping[int, str] | None = None) -> str:
    """A ruling in words. `ruling`: with its parts prefetched; `named`: by seat, who sits at its play."""
    if ruling.contestant_id is not None:
        return of_contestant(ruling)
    if ruling.kind == Ruling.Kind.FORFEIT:
        content = ruling.content
        facts = {"match": content["match"], "round": content["round"]}
        facts["teams"] = ", ".join(map(str, content["lost"]))
        text = ngettext(
            "Match %(match)d of round %(round)d: team %(teams)s forfeits it.",
            "Match %(match)d of round %(round)d: teams %(teams)s forfeit it.",
            len(content["lost"]),
        )
        return text % facts
    if ruling.kind == Ruling.Kind.FOULED:
        groups = (_of_group(group) for group in ruling.content["groups"])
        board = {"board": ruling.content["board"], "groups": _("; ").join(groups)}
        return _("Board %(board)d was fouled: %(groups)s.") % board
    game = registry.game(session.game)
    return " ".join(of_play(game, ruling, part, named) for part in ruling.parts.all())


def _of_group(group: Mapping[str, Any]) -> str:
    tables = ", ".join(f"{section}{table}" for section, table in group["tables"])
    return _("group %(name)s at tables %(tables)s") % {"name": group["name"], "tables": tables}


def of_plays(
    session: Session, plays: Iterable[int], named: Mapping[int, Mapping[int, str]] | None = None
) -> dict[int, list[ToldRuling]]:
    """By play, the rulings that nobody has reversed, the oldest first (`at_play`); plays without one are left
    out. `named`: by play and seat, who sits there. One query."""
    parts = RulingPart.objects.filter(play__in=list(plays), ruling__reversed_at=None)
    game, by_play = registry.game(session.game), dict[int, list[RulingPart]]()
    for part in parts.select_related("ruling__remark").order_by("ruling"):
        by_play.setdefault(part.play_id, []).append(part)
    return {play: at_play(game, own, (named or {}).get(play)) for play, own in by_play.items()}
