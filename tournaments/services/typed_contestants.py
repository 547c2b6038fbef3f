"""The contestants of a session that is to be set up, as an organiser types them: one a line, players of the
register by their names, others as they are written."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from engines import registry
from engines.contract import Game
from engines.phrases import brief

from ..models import Club, Draft, Member, Player, Session
from ..models.people import fold
from . import register, sessions
from .errors import Invalid, Refused
from .session_wishes import CONTESTANTS_AT_MOST, ChosenContestant, SessionWish, wish_of

MEMBERS_AT_MOST = 4
LOOKED_AT, PROPOSED = 60, 8  # players by the words of a name
BLANKS = re.compile(r"\s+")
BETWEEN = re.compile(r"\s?/\s?|\s(?:[–—&+-]|et|and)\s|\t")  # of a text with single blanks
NUMBERED = re.compile(r"\s*(?:\d{1,3}[.)]\s+|[-•*]\s+)")
BY_ID = re.compile(r".*#(?P<id>[0-9]{1,18})")


def players_each(game: Game[Any]) -> int:
    """How many players a contestant of a game has at least: those of a side."""
    return max((len(side) for side in game.sides), default=1)


def contestants_at_least(game: Game[Any]) -> int:
    """How many contestants a session of a game needs: those of its smallest table."""
    return min(len(game.sides_of(sessions.conditions_of(game, seats))) for seats in game.seats)


def read_contestants(club: Club, text: str, *, each: int = 1) -> tuple[ChosenContestant, ...]:
    """The contestants that somebody has typed, one a line: names as `register.typed_name` reads them, “#12”,
    pairs as “Ana Durand / Bob Petit”, teams as “The Swans: Ana Durand / Bob Petit”. Invalid says in which
    line something is wrong. Names that nobody bears stay names."""
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip(" \t,;")]
    if len(lines) > CONTESTANTS_AT_MOST:
        message = _("At most %(most)d contestants can be set up here.")
        raise Invalid("too-many", message % {"most": CONTESTANTS_AT_MOST})
    split = [(at, *_split(line)) for at, line in lines]
    for at, name, parts in split:
        if not each <= len(parts) <= MEMBERS_AT_MOST:
            message = _(
                "Line %(line)d: %(count)d players are needed, with “/” between them: Ana Durand / Bob Petit."
            )
            if each == 1:
                message = _("Line %(line)d: a contestant has at most four players.")
            raise Invalid("players-each", message % {"line": at, "count": each})
        if too_long := [one for one in (name, *parts) if len(one) > register.NAME_LETTERS]:
            message = _("Line %(line)d: “%(name)s” is too long for a name.")
            raise Invalid("name-too-long", message % {"line": at, "name": brief(too_long[0])})
        if not all(one.isprintable() for one in (name, *parts)):
            message = _("Line %(line)d: this has characters that cannot be stored.")
            raise Invalid("bad-name", message % {"line": at})
    chosen = []
    seen: dict[object, int] = {}
    for at, name, parts in split:
        members = tuple(_meant(club, part, at) for part in parts)
        keys = [one if isinstance(one, int) else register.typed_stranger(one).key for one in members]
        for key, part in zip(keys, parts, strict=True):
            if (first := seen.setdefault(key, at)) != at or keys.count(key) > 1:
                message = _("Line %(line)d: %(name)s stands in line %(first)d already.")
                raise Invalid("player-twice", message % {"line": at, "name": part, "first": first})
        chosen.append(ChosenContestant(members, name))
    return tuple(chosen)


def _split(line: str) -> tuple[str, list[str]]:
    """A team's name, if the line begins with one, and the names of its players."""
    single = BLANKS.sub(lambda blanks: "\t" if "\t" in blanks[0] else " ", line)  # keeps the time linear
    plain = NUMBERED.sub("", single, count=1) if NUMBERED.match(single) else single
    before, colon, after = plain.strip(" \t,;").partition(":")
    name, rest = (before, after) if colon and after.strip() else ("", plain)
    parts = [register.one_spaced(part.strip(" \t,;")) for part in BETWEEN.split(rest.strip(" \t,;"))]
    return register.one_spaced(name), [part for part in parts if part]


def _meant(club: Club, text: str, line: int) -> int | str:
    """The player whom a text means; where nobody bears this name, the name as we write it."""
    try:
        if (by_id := BY_ID.fullmatch(text)) is not None:
            return int(register.player_called(club, f"#{by_id['id']}").pk)
        if (player := register.known(club, [text]).get(text)) is not None:
            return player
        stranger = register.typed_stranger(text)
        register.check_number(club, stranger.number)
        return stranger.text
    except Refused as error:
        message = _("Line %(line)d: %(why)s")
        raise Invalid(error.code, message % {"line": line, "why": error}, error.details) from error


def text_of(club: Club, contestants: Sequence[ChosenContestant]) -> str:
    """Contestants as somebody would type them."""
    named = names_in(club, contestants)
    return "\n".join(
        (f"{one.name}: " if one.name else "") + " / ".join(named[member] for member in one.members)
        for one in contestants
    )


def names_in(club: Club, contestants: Sequence[ChosenContestant]) -> dict[int | str, str]:
    """The text that means each member: the name, with the number where there is one, and with the id where
    nothing else tells namesakes apart. Two queries."""
    members = [member for one in contestants for member in one.members]
    ids = [member for member in members if isinstance(member, int)]
    players = Player.objects.in_register().filter(club=club).in_bulk(ids)
    folded = [player.folded for player in players.values()]
    alike = Player.objects.in_register().filter(club=club, folded__in=folded)
    names = alike.values_list("given_name", "family_name")
    bearers = Counter(f"{given} {family}".strip() for given, family in names)
    return {
        member: member if isinstance(member, str) else _typed(players.get(member), member, bearers)
        for member in members
    }


def _typed(player: Player | None, pk: int, bearers: Mapping[str, int]) -> str:
    if player is None:
        return f"#{pk}"  # not in the register any more: saving says so
    if bearers.get(player.name, 0) < 2:
        return player.name
    return f"{player.name} ({player.number})" if player.number else f"{player.name} #{pk}"


def proposed(club: Club, text: str) -> list[str]:
    """The players of a club's register whose names have the words of a text, as somebody would type them:
    those of whom a word begins so first. Nothing for less than two letters. Four queries."""
    words = fold(text).split()
    if len("".join(words)) < 2:
        return []
    found = list(register.players_of(club, search=text)[:LOOKED_AT])
    begins = {
        one.pk: all(any(part.startswith(word) for part in one.folded.split()) for word in words)
        for one in found
    }
    first = sorted(found, key=lambda one: not begins[one.pk])[:PROPOSED]
    named = names_in(club, [ChosenContestant((one.pk,)) for one in first])
    return [named[one.pk] for one in first]


def strangers(wish: SessionWish) -> list[str]:
    """The names that are nobody's in the register yet: setting up adds them."""
    return [member for one in wish.contestants for member in one.members if isinstance(member, str)]


def contestants_of(session: Session) -> tuple[ChosenContestant, ...]:
    """Who was entered in a session, in the order of their numbers; who is not in the register any more is
    left out."""
    members = Member.objects.filter(session=session).select_related("contestant", "player")
    found: dict[int, tuple[list[int | str], str]] = {}
    for one in members.order_by("contestant__number", "pk"):
        name = "" if one.contestant.named_by_players else one.contestant.name
        if one.player.erased_at is None:
            found.setdefault(one.contestant_id, ([], name))[0].append(
                one.player.merged_into_id or one.player_id
            )
    return tuple(ChosenContestant(tuple(players), name) for players, name in found.values())


def lines_like(session: Session) -> list[str]:
    """The contestants of a session, as somebody would type them."""
    return text_of(session.tournament.club, contestants_of(session)).splitlines()


def lines_of_players(draft: Draft, players: Sequence[int]) -> list[str]:
    """Players of the register as somebody would type them: as many on a line as make a contestant."""
    wish = wish_of(draft)
    each = players_each(registry.game(wish.game)) if wish.game else 1
    there = Player.objects.in_register().filter(club=draft.club).in_bulk(players)
    known = [player for player in players if player in there]
    together = [tuple(known[at : at + each]) for at in range(0, len(known), each)]
    return text_of(draft.club, [ChosenContestant(some) for some in together]).splitlines()
