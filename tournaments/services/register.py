"""A club's register of players: who is in it, and whom a typed name means."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Club, Player
from ..models.people import fold, split_name
from . import bulk, roles
from .errors import Invalid

NUMBERED = re.compile(r"(?P<name>.*\S)\s*\((?P<number>[^()]+)\)")
"""A name with the number of a membership: “Ana Durand (17)”."""


# ── Whom a typed name means ───────────────────────────────────────────────────────────────────────


def players_named(club: Club, names: Sequence[str], *, consent: bool = False) -> dict[str, int]:
    """The ids of the club's players by these names, added to its register where nobody bears one. `consent`:
    of those who are added. A membership number in brackets tells namesakes apart; Invalid where a name
    without it means several. In a transaction; the time grows with the names."""
    there = _known(club, names)
    if any(name not in there for name in names):
        roles.lock(club)  # or two at once would add the same player twice
        there = _known(club, names)
        new = [name for name in names if name not in there]
        ids = bulk.new_ids(Player, len(new))
        parts = [split_name(name) for name in new]
        bulk.insert(
            Player,
            {
                "id": ids,
                "given_name": [given for given, _family in parts],
                "family_name": [family for _given, family in parts],
                "folded": [fold(name) for name in new],
            },
            same={
                "club": club.pk,
                "public_name": "",
                "number": "",
                "home_club": None,
                "categories": [],
                "consent": consent,
                "account": None,
                "merged_into": None,
                "erased_at": None,
                "registered_at": timezone.now(),
            },
        )
        there |= zip(new, ids, strict=True)
    return there


def player_named(club: Club, name: str) -> Player | None:
    """The club's player by this name, if there is one; Invalid if there are several."""
    found = _known(club, [name])
    return Player.objects.get(pk=found[name]) if found else None


def one_spaced(name: str) -> str:
    """A name as it is kept: without blanks around it, and one between its words."""
    return " ".join(name.split())


def _known(club: Club, names: Sequence[str]) -> dict[str, int]:
    """The player of each name that somebody bears. Invalid if several do."""
    typed = {name: one_spaced(name) for name in names}
    numbered = {name: form for name, whole in typed.items() if (form := NUMBERED.fullmatch(whole))}
    wholes = {*typed.values(), *(form["name"] for form in numbered.values())}
    bearers: dict[str, dict[int, str]] = defaultdict(dict)
    for pk, given, family, number in _rows(club, wholes):
        whole = f"{given} {family}".strip()
        if whole in wholes:
            bearers[whole][pk] = number
    found: dict[str, int] = {}
    for name, whole in typed.items():
        own = bearers.get(whole, {})
        if not own and name in numbered:
            number = numbered[name]["number"].strip()
            namesakes = bearers.get(numbered[name]["name"], {})
            own = {pk: n for pk, n in namesakes.items() if n == number}
            if namesakes and not own:
                raise _several(numbered[name]["name"], namesakes)
        if len(own) > 1:
            raise _several(whole, own)
        if own:
            (found[name],) = own
    return found


def _rows(club: Club, wholes: Iterable[str]) -> list[tuple[int, str, str, str]]:
    """The players in a register whose names may be these: their ids, names and numbers. One who was merged
    into another answers as that one."""
    folded = sorted({fold(whole) for whole in wholes})
    rows = bulk.select(
        """
        SELECT player.id, player.given_name, player.family_name, player.number, player.merged_into_id
        FROM {wanted} JOIN tournaments_player player
            ON player.club_id = wanted.club AND player.folded = wanted.folded
        WHERE player.erased_at IS NULL
        """,
        {"club": ("bigint", [club.pk] * len(folded)), "folded": ("text", folded)},
    )
    kept = kept_of({pk: into for pk, *_rest, into in rows if into})
    return [(kept.get(pk, pk), given, family, number) for pk, given, family, number, _into in rows]


def kept_of(merged: Mapping[int, int]) -> dict[int, int]:
    """The player that each of some merged ones is at last, given the player that it was merged into."""
    into = dict(merged)
    while further := dict(
        Player.objects.filter(pk__in=set(into.values()), merged_into__isnull=False).values_list(
            "pk", "merged_into"
        )
    ):
        into = {pk: further.get(kept) or kept for pk, kept in into.items()}
    return into


def _several(name: str, bearers: dict[int, str]) -> Invalid:
    """Why a name is not enough, or the number beside it is wrong."""
    numbers = ", ".join(sorted(number or _("without a number") for number in bearers.values()))
    message = _(
        "In the club’s register, %(name)s is %(numbers)s: "
        "say which in brackets after the name, as in “%(name)s (17)”."
    )
    facts = {"name": name, "numbers": numbers}
    return Invalid("several-of-one-name", message % facts, {"name": name, "players": sorted(bearers)})
