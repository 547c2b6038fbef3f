"""A club's register of players: who is in it and who may change it, and whom a typed name means."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engines.phrases import brief

from ..models import Account, Category, Club, Player, Role, Token
from ..models.accounts import RoleKind
from ..models.people import fold, plain, split_name
from . import bulk, contestants, history, licences, roles
from .errors import Conflict, Forbidden, Invalid, Refused, Stale
from .licences import Licence

NAME_LETTERS, NUMBER_LETTERS = 200, 20
AT_ONCE = 500
"""Players that one request may add at most."""

NUMBERED = re.compile(r"(?P<name>.*\S)\s*\((?P<number>[^()]+)\)")
"""A name with the number of a membership: “Ana Durand (17)”."""

WITH_DIGIT = r"(?=\S{0,40}\d)\S{1,40}"  # not any length: the time would grow with the cube of a line's
BEHIND = re.compile(rf"(.*\D)(?:,\s?({WITH_DIGIT})|\s?\(({WITH_DIGIT})\))")
"""The same as lists have it, in a text with single blanks: also after a comma; with a digit, or “Durand, Ana”
would end with a number."""

Actor = Account | Token


# ── Who may ───────────────────────────────────────────────────────────────────────────────────────


def may_add(actor: Actor, club: Club) -> bool:
    """Whether somebody may read a club's register and add to it: its people."""
    return _has(actor, club, RoleKind.ADMINISTRATOR, RoleKind.ORGANISER, RoleKind.SCORER)


def may_change(actor: Actor, club: Club) -> bool:
    """Whether somebody may change, import and merge what is in it."""
    return _has(actor, club, RoleKind.ADMINISTRATOR, RoleKind.ORGANISER)


def _has(actor: Actor, club: Club, *kinds: RoleKind) -> bool:
    if isinstance(actor, Token):
        return actor.role is not None and actor.role.club_id == club.pk and actor.role.kind in kinds
    held = Role.objects.in_force().filter(account=actor, club=club, kind__in=kinds)
    return actor.is_active and held.exists()


def check_may_add(actor: Actor | None, club: Club) -> None:
    if actor is not None and not may_add(actor, club):
        raise Forbidden("may-not-add-players", _("You may not add players to this club’s register."))


def check_may_change(actor: Actor | None, club: Club) -> None:
    if actor is not None and not may_change(actor, club):
        message = _("You may not change this club’s register: ask its organisers.")
        raise Forbidden("may-not-change-players", message)


# ── What there is ─────────────────────────────────────────────────────────────────────────────────


def players_of(club: Club, *, search: str = "", category: str = "") -> QuerySet[Player]:
    """The players in a club's register, by family name; of these words (letters of the name, or the whole
    number) and in this category, where they are given."""
    found = Player.objects.in_register().filter(club=club).select_related("home_club", "club")
    for word in fold(search).split() if search.strip() else ():
        found = found.filter(folded__contains=word)
    if search.strip() and not found.exists():
        numbered = Player.objects.in_register().filter(club=club, number=search.strip())
        found = numbered.select_related("home_club", "club")
    if category:
        found = found.annotate(listed=Cast("categories", TextField())).filter(
            listed__contains=f'"{category}"'
        )
    return found.order_by("family_name", "given_name", "pk")


def in_order(players: QuerySet[Player]) -> list[int]:
    """The ids of players as people look names up: by family name, where accents and capitals do not count,
    and then by given name. The time grows with the players."""
    names = players.order_by("pk").values_list("family_name", "given_name", "pk")
    return [pk for _family, _given, pk in sorted((plain(f) or plain(g), plain(g), pk) for f, g, pk in names)]


# ── Changes ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Details:
    """What a register says of a player. `home_club`: its id; `categories`: in the order of the choice."""

    given_name: str = ""
    family_name: str = ""
    public_name: str = ""
    number: str = ""
    home_club: int | None = None
    categories: tuple[str, ...] = field(default=())
    consent: bool = False

    @classmethod
    def of(cls, player: Player) -> "Details":
        return cls(
            given_name=player.given_name,
            family_name=player.family_name,
            public_name=player.public_name,
            number=player.number,
            home_club=player.home_club_id,
            categories=tuple(player.categories),
            consent=player.consent,
        )

    @property
    def name(self) -> str:
        return f"{self.given_name} {self.family_name}".strip()

    @property
    def columns(self) -> dict[str, Any]:
        """As the fields of a row."""
        return {**asdict(self), "categories": list(self.categories)}

    def differences(self, other: "Details") -> list[str]:
        """The names of the fields that another says otherwise."""
        return [one.name for one in fields(self) if getattr(self, one.name) != getattr(other, one.name)]


def tidied(details: Details, *, clubs_known: bool = False) -> Details:
    """The details as they are stored. Invalid names every field that is wrong. `clubs_known`: the home club
    has been looked up."""
    texts = ("given_name", "family_name", "public_name", "number")
    tidy = {name: one_spaced(getattr(details, name)) for name in texts}
    wrong: dict[str, list[str]] = {}
    for name, text in tidy.items():
        most = NUMBER_LETTERS if name == "number" else NAME_LETTERS
        if len(text) > most or not text.isprintable():
            message = _("At most %(most)d characters, all of them printable.")
            wrong[name] = [message % {"most": most}]
    whole = f"{tidy['given_name']} {tidy['family_name']}".strip()
    if not whole:
        wrong["family_name"] = [_("A player needs a name.")]
    elif len(whole) > NAME_LETTERS and not wrong:
        wrong["family_name"] = [_("The whole name has at most %(most)d characters.") % {"most": NAME_LETTERS}]
    if set(tidy["number"]) & set("()"):
        wrong["number"] = [_("A number has no brackets.")]
    known = [str(category) for category in Category]
    if strangers := [one for one in details.categories if one not in known]:
        message = _("“%(category)s” is not a category; the categories are: %(known)s.")
        wrong["categories"] = [message % {"category": brief(strangers[0]), "known": ", ".join(known)}]
    if (
        details.home_club is not None
        and not clubs_known
        and not Club.objects.filter(pk=details.home_club).exists()
    ):
        wrong["home_club"] = [_("There is no such club.")]
    if wrong:
        raise Invalid("bad-player", _("Some fields are wrong."), wrong)
    categories = tuple(category for category in known if category in details.categories)
    return Details(**tidy, home_club=details.home_club, categories=categories, consent=bool(details.consent))


@transaction.atomic
def add(*, club: Club, actor: Actor | None, details: Details) -> Player:
    """A new player in a club's register. Conflict: the number is another's."""
    check_may_add(actor, club)
    details = tidied(details)
    roles.lock(club)
    check_number(club, details.number)
    player = Player.objects.create(club=club, **_row(details))
    history.note(actor, "added to register", player, club=club)
    return player


@transaction.atomic
def add_all(*, club: Club, actor: Actor | None, rows: Sequence[Details | Refused]) -> list[Player]:
    """New players in a club's register, in this order: all of them, or none. `rows`: the details of each, its
    home club looked up, or what is wrong with it already. Invalid says of every row, by its index, whether it
    could be stored. A few queries, however many there are."""
    check_may_add(actor, club)
    tidy = [_tidied_or_refused(row) for row in rows]
    roles.lock(club)
    tidy = _with_free_numbers(club, tidy)
    new = [row for row in tidy if isinstance(row, Details)]
    if len(new) < len(tidy):
        raise slips(len(tidy) - len(new), [_said_of_row(index, row) for index, row in enumerate(tidy)])
    return insert(club, new, actor)


def _tidied_or_refused(row: Details | Refused) -> Details | Refused:
    if isinstance(row, Refused):
        return row
    try:
        return tidied(row, clubs_known=True)
    except Invalid as refused:
        return refused


def _with_free_numbers(club: Club, rows: Sequence[Details | Refused]) -> list[Details | Refused]:
    """The same, but for those whose number is another player's, or an earlier row's."""
    numbers = {row.number for row in rows if isinstance(row, Details) and row.number}
    there = Player.objects.filter(club=club, number__in=numbers, merged_into=None) if numbers else ()
    taken = {player.number: _number_taken(player) for player in there}
    found: list[Details | Refused] = []
    for row in rows:
        if isinstance(row, Details) and row.number in taken:
            found.append(taken[row.number])
            continue
        found.append(row)
        if isinstance(row, Details) and row.number:
            taken[row.number] = _number_twice(row.number)
    return found


def _said_of_row(index: int, row: Details | Refused) -> dict[str, Any]:
    if isinstance(row, Details):
        return {"index": index, "state": "ready"}
    return {"index": index, "state": "refused", **row.to_json()}


def slips(count: int, details: Sequence[Mapping[str, Any]]) -> Invalid:
    """What so many lines that are wrong are refused with."""
    message = ngettext(
        "%(count)d line has to be mended; nothing has been stored.",
        "%(count)d lines have to be mended; nothing has been stored.",
        count,
    )
    return Invalid("slips", message % {"count": count}, list(details))


def insert(club: Club, new: Sequence[Details], actor: Actor | None) -> list[Player]:
    """Write new players, whose details are tidy and whose numbers are free, and tell the history. Whoever
    calls holds the club's lock."""
    ids = bulk.new_ids(Player, len(new))
    same = {
        "club": club.pk,
        "account": None,
        "merged_into": None,
        "erased_at": None,
        "registered_at": timezone.now(),
    }
    bulk.insert(Player, {"id": ids} | columns_of(new), same=same)
    there = Player.objects.select_related("club", "home_club").in_bulk(ids)
    players = [there[pk] for pk in ids]
    history.note_all(actor, "added to register", [(player, {}) for player in players], club=club)
    return players


def columns_of(rows: Sequence[Details]) -> dict[str, list[Any]]:
    """The details as columns of the table."""
    columns = {one.name: [getattr(row, one.name) for row in rows] for one in fields(Details)}
    columns["categories"] = [list(row.categories) for row in rows]
    return columns | {"folded": [fold(row.name) for row in rows]}


@transaction.atomic
def change(*, player: Player, actor: Actor | None, details: Details, seen: str | None) -> Player:
    """The player with other details. `seen`: the stamp of what they are to replace, None for whatever it
    is; Stale if somebody has changed them since. Conflict: the number is another's."""
    check_may_change(actor, player.club)
    details = tidied(details)
    roles.lock(player.club)
    player = Player.objects.select_related("club", "home_club").get(pk=player.pk)
    check_in_register(player)
    if seen is not None and stamp(player) != seen:
        message = _("Somebody else has changed this player meanwhile: look at what is there now.")
        raise Stale("changed-meanwhile", message)
    check_number(player.club, details.number, but=player)
    return write(player, details, actor)


def write(player: Player, details: Details, actor: Actor | None) -> Player:
    """Write details that are tidy, and tell the history. Whoever calls holds the club's lock, and knows that
    the number is free."""
    before = Details.of(player)
    if before == details:
        return player
    for name, value in _row(details).items():
        setattr(player, name, value)
    player.save(update_fields=[one.name for one in fields(details)])
    history.note(actor, "changed in register", player, club=player.club, **said_of(before, details))
    if before.name != details.name:
        contestants.follow([player.pk])
    return player


@transaction.atomic
def change_licence(
    *, player: Player, actor: Actor | None, licence: Licence, seen: str | None = None
) -> Player:
    """What the register says of a player's licence from now on. Forbidden but for those who may change the
    register. Invalid: the days are not in order; Stale: it is not as it was `seen`."""
    check_may_change(actor, player.club)
    first, last = licence.suspended_from, licence.suspended_until
    if last is not None and (first is None or last < first):
        message = _("A suspension has a first day, and does not end before it.")
        raise Invalid("days-not-in-order", message)
    roles.lock(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    check_in_register(player)
    if seen is not None and licences.stamp(player) != seen:
        message = _("Somebody else has changed this player meanwhile: look at what is there now.")
        raise Stale("changed-meanwhile", message)
    if licences.of(player) != licence:
        for name, day in asdict(licence).items():
            setattr(player, name, day)
        player.save(update_fields=list(licences.NAMES))
        history.note(actor, "changed licence", player, club=player.club)  # not how: it is about a person
    return player


def said_of(before: Details, after: Details) -> dict[str, Any]:
    """What the history says of a change: which fields; of what could tell who it is, it keeps neither the old
    nor the new."""
    changed = before.differences(after)
    shown = {name: [getattr(before, name), getattr(after, name)] for name in ("consent", "categories")}
    return {"changed": changed, **{name: both for name, both in shown.items() if name in changed}}


def _row(details: Details) -> dict[str, Any]:
    columns = details.columns
    columns["home_club_id"] = columns.pop("home_club")
    return columns


def check_in_register(player: Player) -> None:
    if player.merged_into_id is not None or player.erased_at is not None:
        raise Conflict("not-in-register", _("This player is not in the register any more."))


def check_number(club: Club, number: str, but: Player | None = None) -> None:
    """Conflict if another player of the register has this number."""
    if not number:
        return
    others = Player.objects.filter(club=club, number=number, merged_into=None)
    if but is not None:
        others = others.exclude(pk=but.pk)
    if (other := others.first()) is not None:
        raise _number_taken(other)


def _number_taken(other: Player) -> Conflict:
    message = _("Number %(number)s is %(name)s’s.") % {"number": other.number, "name": other.name}
    return Conflict("number-taken", message, {"number": other.number, "player": other.pk})


def _number_twice(number: str) -> Conflict:
    message = _("Number %(number)s is given to two players.") % {"number": number}
    return Conflict("number-taken", message, {"number": number})


def stamp(player: Player) -> str:
    """What changes whenever the details of a player do."""
    content = json.dumps(Details.of(player).columns, sort_keys=True)
    return sha256(content.encode()).hexdigest()[:32]


# ── Whom a typed name means ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TypedName:
    """A player as somebody has typed one. `given_name`, `family_name`: where a comma tells them apart."""

    name: str
    number: str = ""
    given_name: str = ""
    family_name: str = ""

    @property
    def text(self) -> str:
        """As we write it ourselves."""
        return f"{self.name} ({self.number})" if self.number else self.name

    @property
    def key(self) -> tuple[str, str]:
        """The same for two who are one person, as far as the texts tell."""
        return fold(self.name), self.number


def typed_name(text: str) -> TypedName:
    """What a typed or pasted text says of a player.

    >>> typed_name("Durand, Ana ;4").text, typed_name("4 Ana Durand").text, typed_name("Ana Durand, 4").text
    ('Ana Durand (4)', 'Ana Durand (4)', 'Ana Durand (4)')
    """
    name, number = (one_spaced(part).strip(", ") for part in text.partition(";")[::2])
    if number and name.isdecimal() and not number.isdecimal():
        name, number = number, name
    if not number:
        first, _space, others = name.partition(" ")
        if first.isdecimal() and others:
            name, number = others, first
        elif (numbered := BEHIND.fullmatch(name)) is not None:
            name, number = numbered[1].strip(" ,"), numbered[2] or numbered[3]
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma and family and given and "," not in given:
        return TypedName(f"{given} {family}", number, given, family)
    return TypedName(name, number)


def typed_stranger(text: str) -> TypedName:
    """The same of somebody who is not in the register: what cannot be a number is part of the name."""
    one = typed_name(text)
    fits = len(one.number) <= NUMBER_LETTERS and not set(one.number) & set("();")
    return one if one.name and fits else TypedName(one_spaced(text))


def players_named(club: Club, names: Sequence[str], *, consent: bool = False) -> dict[str, int]:
    """The ids of the club's players by these names, added to its register where nobody bears one. `consent`:
    of those who are added. A membership number in brackets tells namesakes apart; Invalid where a name
    without it means several. In a transaction; the time grows with the names."""
    there = known(club, names)
    if any(name not in there for name in names):
        roles.lock(club)  # or two at once would add the same player twice
        there = known(club, names)
        strangers = {name: typed_stranger(name) for name in names if name not in there}
        new = list(dict.fromkeys(strangers.values()))
        _check_free(club, [one.number for one in new if one.number])
        ids = bulk.new_ids(Player, len(new))
        parts = [
            (one.given_name, one.family_name) if one.family_name else split_name(one.name) for one in new
        ]
        bulk.insert(
            Player,
            {
                "id": ids,
                "given_name": [given for given, _family in parts],
                "family_name": [family for _given, family in parts],
                "folded": [fold(one.name) for one in new],
                "number": [one.number for one in new],
            },
            same={
                "club": club.pk,
                "public_name": "",
                "home_club": None,
                "categories": [],
                "consent": consent,
                "account": None,
                "merged_into": None,
                "erased_at": None,
                "registered_at": timezone.now(),
            },
        )
        added = dict(zip(new, ids, strict=True))
        there |= {name: added[one] for name, one in strangers.items()}
    return there


def _check_free(club: Club, numbers: Sequence[str]) -> None:
    """Conflict if one of these numbers is somebody's, or stands there twice."""
    taken = Player.objects.filter(club=club, number__in=numbers, merged_into=None) if numbers else ()
    for player in taken:
        check_number(club, player.number)
    if twice := [one for one in numbers if numbers.count(one) > 1]:
        raise _number_twice(twice[0])


def player_named(club: Club, name: str) -> Player | None:
    """The club's player by this name, if there is one; Invalid if there are several."""
    found = known(club, [name])
    return Player.objects.get(pk=found[name]) if found else None


def player_called(club: Club, text: str) -> Player:
    """The player of the register by an id (“#12”), a number or a name. Invalid if there is none, or several
    bear the name."""
    own = Player.objects.in_register().filter(club=club).select_related("club")
    text = one_spaced(text)
    found: Player | None = None
    if text.startswith("#"):
        if text[1:].isascii() and text[1:].isdecimal() and len(text) < 19:
            found = own.filter(pk=int(text[1:])).first()
    elif text.isprintable() and text:
        found = own.filter(number=text).first() or player_named(club, text)
    if found is None:
        message = _("No player of this register has the name or the number “%(text)s”.")
        raise Invalid("no-such-player", message % {"text": brief(text)})
    return found


def one_spaced(name: str) -> str:
    """A name as it is kept: without blanks around it, and one between its words."""
    return " ".join(name.split())


def known(club: Club, names: Sequence[str]) -> dict[str, int]:
    """The player of each name that somebody in a club's register bears: as it is written; failing that, in
    whatever capitals, accents and order of its words (`typed_name`). Invalid if several do."""
    typed = {name: one_spaced(name) for name in names}
    read = {name: _numbered(whole) for name, whole in typed.items()}
    wanted = {fold(whole) for whole in typed.values()} | {fold(one.name) for one in read.values()}
    exact: dict[str, dict[int, str]] = defaultdict(dict)
    alike: dict[str, dict[int, str]] = defaultdict(dict)
    for pk, given, family, number in _rows(club, wanted):
        whole = f"{given} {family}".strip()
        exact[whole][pk] = alike[fold(whole)][pk] = number
    found: dict[str, int] = {}
    for name, whole in typed.items():
        own, one = exact.get(whole, {}), read[name]
        if not own:
            own = namesakes = exact.get(one.name) or alike.get(fold(one.name), {})
            if one.number:
                own = {pk: number for pk, number in namesakes.items() if number == one.number}
            if namesakes and not own:
                raise _several(one.name, namesakes)
        if len(own) > 1:
            raise _several(one.name, own)
        if own:
            (found[name],) = own
    return found


def _numbered(whole: str) -> TypedName:
    """The name that a text means, with whatever stands in brackets behind it as the number."""
    if (form := NUMBERED.fullmatch(whole)) is not None:
        return replace(typed_name(form["name"]), number=form["number"].strip())
    return typed_name(whole)


def _rows(club: Club, folded: Iterable[str]) -> list[tuple[int, str, str, str]]:
    """The players in a register with these folded names: their ids, names and numbers. One who was merged
    into another answers as that one."""
    folded = sorted(folded)
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
    while further := {
        player.pk: player.merged_into_id
        for player in Player.objects.filter(pk__in=set(into.values())).only("merged_into")
        if player.merged_into_id
    }:
        into = {pk: further.get(kept, kept) for pk, kept in into.items()}
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
