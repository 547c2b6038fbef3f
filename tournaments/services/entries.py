"""Who is entered in a session: players of the register, by their ids or by typed names, and nobody twice.

Nobody is entered twice in one session, nor in two sessions that play the same boards: who has held a hand
knows it. Somebody is the same person in two registers where one account has claimed both lines.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Q
from django.utils.translation import gettext as _

from ..models import BoardSet, Club, Member, Player, Session, Substitution
from . import bulk, event_players, register
from .errors import Conflict, Invalid, Refused

NAME_LETTERS = 200


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant who is to be entered. `players`: their ids, if the register's players are named by these;
    `typed`: the names of more of them; `name`: of the one player, as it was typed, or (with any of these) a
    team's own."""

    name: str = ""
    players: tuple[int, ...] = ()
    typed: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: "Given") -> "Entrant":
        if isinstance(given, Entrant):
            return given
        if isinstance(given, str):
            return cls(register.one_spaced(given))
        return cls(
            register.one_spaced(given.get("name") or ""),
            tuple(given.get("players") or ()),
            tuple(register.one_spaced(name) for name in given.get("typed") or ()),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which players are meant."""
        return self.typed or (() if self.players else (self.name,))


Given = str | Mapping[str, Any] | Entrant
"""What a request says of a contestant: a name, or `{"players": [12, 13], "typed": ["…"], "name": "…"}`."""


@dataclass(frozen=True, slots=True)
class ContestantEntry:
    """A contestant with the players that they are. `named_by_players`: without a name of their own."""

    name: str
    players: tuple[int, ...]
    named_by_players: bool


def entrants_of(given: Iterable[Given]) -> list[Entrant]:
    """Those who are to be entered. Invalid if one has neither name nor players, or two have the same name."""
    entrants = [Entrant.of(one) for one in given]
    names = Counter(name for one in entrants for name in (one.name, *one.typed) if name)
    twice = sorted(name for name, count in names.items() if count > 1)
    if twice or not all(one.players or all(one.names) for one in entrants):
        raise _same_name(twice)
    return entrants


def _same_name(names: Sequence[str]) -> Invalid:
    return Invalid("contestants", _("Each contestant needs a different name."), {"names": list(names)})


def _name_of(player: int) -> str:
    found = Player.objects.filter(pk=player).first()
    return f"#{player}" if found is None else found.name


def _twice(name: str, player: int) -> Invalid:
    message = _("%(name)s is entered twice: a player is in one contestant only.")
    return Invalid("player-twice", message % {"name": name}, {"player": player})


def check(club: Club, given: Iterable[Given]) -> None:
    """Refuse what shows before anything is planned: a player who is not in the register, or named twice, and
    a name that several bear. Nothing is added. The refusal is the first one's; of several contestants, its
    `rows` say of each that is wrong why, by its index."""
    entrants = [Entrant.of(one) for one in given]
    try:
        _check_all(club, entrants)
    except Invalid as refused:
        if isinstance(refused.details, Mapping) and len(entrants) > 1:
            raise with_rows(refused, [row(at, why) for at, why in refusals(club, entrants)]) from None
        raise


def row(at: int, why: Refused, **place: str) -> dict[str, Any]:
    """What is said of one of many rows."""
    return {"index": at, "state": "refused", **place, **why.to_json()}


R = TypeVar("R", bound=Refused)


def with_rows(first: R, rows: Sequence[Mapping[str, Any]]) -> R:
    """A refusal that says of every row that is wrong why."""
    details = first.details if isinstance(first.details, Mapping) else {}
    return type(first)(first.code, first.message, {**details, "rows": list(rows)})


def _check_all(club: Club, entrants: Sequence[Entrant]) -> None:
    entrants_of(entrants)
    typed = [name for one in entrants for name in one.names]
    ids = [player for one in entrants for player in one.players]
    _in_register(club, ids)  # or a refusal would name the players of others
    _check_once([*register.known(club, typed).values(), *ids])


def refusals(club: Club, entrants: Sequence[Entrant]) -> Iterator[tuple[int, Invalid]]:
    """Which of them are wrong, each with its first reason: by itself, or beside those before it."""
    there = Player.objects.in_register().filter(club=club)
    known = set(
        there.filter(pk__in={k for one in entrants for k in one.players}).values_list("pk", flat=True)
    )
    names: set[str] = set()
    players: set[int] = set()
    for at, one in enumerate(entrants):
        own_names = [name for name in (one.name, *one.typed) if name]
        try:
            entrants_of([one])
            if again := sorted(names.intersection(own_names)):
                raise _same_name(again)
            _in_register(club, [player for player in one.players if player not in known])
            own = [*one.players, *register.known(club, one.names).values()]
            _check_once(own)
            if doubled := [player for player in own if player in players]:
                raise _twice(_name_of(doubled[0]), doubled[0])
            players.update(own)
        except Invalid as refused:
            yield at, refused
        names.update(own_names)


def names_of(club: Club, entrants: Sequence[Entrant]) -> list[str]:
    """What contestants will be called."""
    players = _in_register(club, [player for one in entrants for player in one.players])
    return [one.name or _joined(one, players) for one in entrants]


def resolve(club: Club, entrants: Sequence[Entrant], *, consent: bool) -> list[ContestantEntry]:
    """The players of each, who are added to the register where a typed name is nobody's. In a transaction."""
    named = dict.fromkeys(name for one in entrants for name in one.names)
    typed = register.players_named(club, list(named), consent=consent)
    players = _in_register(club, [player for one in entrants for player in one.players])
    found = [
        ContestantEntry(
            name=one.name or _joined(one, players),
            players=(*one.players, *(typed[name] for name in one.names)),
            named_by_players=not (one.name and (one.players or one.typed)),
        )
        for one in entrants
    ]
    _check_once([player for entry in found for player in entry.players])
    return found


def _joined(entrant: Entrant, players: Mapping[int, Player]) -> str:
    names = [*(players[player].name for player in entrant.players), *entrant.names]
    return " – ".join(names)[:NAME_LETTERS]


def _in_register(club: Club, ids: Sequence[int]) -> dict[int, Player]:
    """The players of a club's register with these ids; Invalid names those who are not in it."""
    if not ids:
        return {}
    players = Player.objects.in_register().filter(club=club).in_bulk(ids)
    if missing := [player for player in ids if player not in players]:
        message = _("The club’s register has no player with the id %(player)d.")
        raise Invalid("no-such-player", message % {"player": missing[0]}, {"players": missing})
    return players


def _check_once(ids: Sequence[int]) -> None:
    if repeated := [player for player, count in Counter(ids).items() if count > 1]:
        raise _twice(_name_of(repeated[0]), repeated[0])


# ── Nobody twice ──────────────────────────────────────────────────────────────────────────────────


def check_free(session: Session, players: Sequence[int], commitment: str, but: Collection[int] = ()) -> None:
    """Conflict if one of these players is in the session already, or in another that plays the boards of this
    commitment; it names the player and where they are entered. Holds the players until the end of the
    transaction, so that of two who enter one person at once, the second finds what the first has done. `but`:
    substitutions that do not stand in the way. The time grows with the players."""
    own = lock(players)
    accounts = {account: player for player, account in own.items() if account}
    if len(accounts) < sum(account is not None for account in own.values()):
        doubled = next(p for p, account in own.items() if account and accounts[account] != p)
        raise _twice(_name_of(doubled), doubled)
    sessions = [session.pk]
    if commitment:
        shared = BoardSet.objects.filter(commitment=commitment).values_list("session", flat=True)
        sessions += [other for other in shared if other != session.pk]
    played = Substitution.objects.filter(contestant__session__in=sessions, undone_at=None).exclude(pk__in=but)
    there = [
        *_entered(Member.objects.filter(session__in=sessions), own, accounts),
        *_entered(played, own, accounts),
    ]
    if there:
        raise _entered_already(there[0], session, own)


def lock(players: Sequence[int]) -> dict[int, int | None]:
    """Wait for whoever else enters or merges one of these players; the account of each. One account's lines
    in several registers are held together. Conflict: one has left the register meanwhile."""
    wanted = sorted(set(players))
    lines = """
        SELECT player.id, player.account_id, player.merged_into_id IS NOT NULL OR player.erased_at IS NOT NULL
        FROM {wanted} JOIN tournaments_player player ON player.id = wanted.id
        """
    accounts = {account for _id, account, _gone in bulk.select(lines, {"id": ("bigint", wanted)}) if account}
    elsewhere = Player.objects.filter(account__in=accounts) if accounts else Player.objects.none()
    everyone = sorted({*wanted, *elsewhere.values_list("pk", flat=True)})
    rows = bulk.select(
        f"{lines} ORDER BY player.id",
        {"id": ("bigint", everyone)},
        lock="FOR NO KEY UPDATE OF player",
    )
    asked = set(wanted)
    own = {player: (account, gone) for player, account, gone in rows if player in asked}
    if any(gone for _account, gone in own.values()):
        message = _("A player has left the register meanwhile: look at who is entered.")
        raise Conflict("not-in-register", message)
    return {player: account for player, (account, _gone) in own.items()}


def _entered(rows: Any, own: Mapping[int, int | None], accounts: Mapping[int, int]) -> list[Any]:
    """The rows of these people, one at most."""
    if not rows.exists():
        return []
    found = rows.filter(Q(player__in=list(own)) | Q(player__account__in=list(accounts)))
    return list(found.select_related("player", "contestant__session__tournament__club").order_by("pk")[:1])


def _entered_already(row: Member | Substitution, session: Session, own: Mapping[int, int | None]) -> Conflict:
    """Of another club's session it says that there is one (which club's, in an event of many), and not who
    plays there with whom. `own`: the players who are to be entered, with their accounts."""
    there = row.contestant.session
    if there.tournament.club_id != session.tournament.club_id:
        same = (pk for pk, account in own.items() if account and account == row.player.account_id)
        player = row.player_id if row.player_id in own else next(same)
        names = {"name": _name_of(player)}
        message = _("%(name)s is entered already at another club, in a session that plays the same boards.")
        if there.leg_id is not None:  # which clubs play an event is no secret
            clubs = {"club": there.tournament.club.name, "here": session.tournament.club.name}
            names |= clubs
            message = event_players.twice()
        return Conflict("entered-already", message % names, {"player": player})
    contestant = row.contestant
    facts = {
        "name": row.player.name,
        "session": there.name,
        "number": contestant.number,
        "contestant": contestant.name,
    }
    message = _("%(name)s is entered already in “%(session)s”, as contestant %(number)d (%(contestant)s).")
    details = {"player": row.player_id, "session": there.pk, "number": contestant.number}
    return Conflict("entered-already", message % facts, details)
