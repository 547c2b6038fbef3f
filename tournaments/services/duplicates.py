"""The same person twice in a register: found by name and number, merged, and taken apart again."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Account, Club, Member, Player, Session, Substitution, Token
from . import contestants, custody, history, points_news, rating_news, register, roles, season_news
from .errors import Conflict, Invalid
from .register import Actor

SHORTEST = 7  # letters of a name whose spelling is compared
SHOWN_AT_MOST = 200


# ── Finding ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines of a register that may be one person, the older first, and why."""

    first: Player
    second: Player
    reason: str


REASONS = {
    "name": gettext_lazy("the same name"),
    "number": gettext_lazy("the same number, written otherwise"),
    "spelling": gettext_lazy("names that differ by one letter"),
}


def pairs(club: Club) -> list[Pair]:
    """Those who may be one person, the surest first. Two with different numbers are two people. The time
    grows with the players and the letters of their names, not with their pairs."""
    players = list(Player.objects.in_register().filter(club=club).order_by("pk"))
    found: dict[tuple[int, int], Pair] = {}
    for why, keys in (("name", _by_name), ("number", _by_number), ("spelling", _by_spelling)):
        alike: dict[str, list[Player]] = defaultdict(list)
        for player in players:
            for key in set(keys(player)):
                alike[key].append(player)
        for group in alike.values():
            for first, second in combinations(group[:SHOWN_AT_MOST], 2):
                if why == "number" or not _are_told_apart(first, second):
                    found.setdefault((first.pk, second.pk), Pair(first, second, str(REASONS[why])))
    return list(found.values())[:SHOWN_AT_MOST]


def _are_told_apart(first: Player, second: Player) -> bool:
    numbers = {_plain_number(first), _plain_number(second)}
    return "" not in numbers and len(numbers) == 2


def _plain_number(player: Player) -> str:
    """A number without its signs and leading zeros."""
    return "".join(filter(str.isalnum, player.number.casefold())).lstrip("0")


def _by_name(player: Player) -> Iterator[str]:
    yield player.folded


def _by_number(player: Player) -> Iterator[str]:
    if number := _plain_number(player):
        yield number


def _by_spelling(player: Player) -> Iterator[str]:
    """The name, and each that is left when a letter is taken away: two names that share one of these differ
    by a letter that is other, missing or in another place. Figures are never taken away."""
    name = player.folded.replace(" ", "")
    if len(name) >= SHORTEST:
        yield name
        for at, letter in enumerate(name):
            if letter.isalpha():
                yield name[:at] + name[at + 1 :]


# ── Merging ───────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def merge(*, kept: Player, merged: Player, actor: Actor | None) -> Player:
    """One player of two: what was entered under `merged` is `kept`'s, until `take_apart`. Tokens of the
    merged line end. Conflict: both were entered in one session, or each has an account."""
    register.check_may_change(actor, kept.club)
    if kept.pk == merged.pk or kept.club_id != merged.club_id:
        raise Invalid("not-two", _("Choose another player of the same register."))
    roles.lock(kept.club)
    locked = Player.objects.select_for_update(no_key=True).select_related(None).order_by("pk")
    both = {player.pk: player for player in locked.filter(pk__in=(kept.pk, merged.pk))}
    kept, merged = both[kept.pk], both[merged.pk]
    for player in (kept, merged):
        register.check_in_register(player)
    if kept.account_id and merged.account_id and kept.account_id != merged.account_id:
        message = _("%(first)s and %(second)s each have an account of their own: they are two people.")
        raise Conflict("two-accounts", message % {"first": kept.name, "second": merged.name})
    _check_never_together(kept, merged)
    for rows in (Member.objects, Substitution.objects):
        rows.filter(player=merged).update(player=kept, entered_as=Coalesce("entered_as", F("player")))
    Substitution.objects.filter(for_player=merged).update(for_player=kept)
    Token.objects.filter(player=merged, revoked_at=None).update(revoked_at=timezone.now())
    merged.merged_into = kept
    merged.save(update_fields=["merged_into"])
    if merged.account_id and not kept.account_id:
        kept.account_id = merged.account_id
        kept.save(update_fields=["account"])
    history.note(actor, "merged", merged, club=kept.club, into=kept.pk)
    history.note(actor, "merged with", kept, club=kept.club, player=merged.pk)
    contestants.follow([kept.pk])
    season_news.changed_players([kept.pk])
    rating_news.changed_players([kept.pk])
    points_news.changed_players([kept.pk])
    _check_custody(kept)
    return kept


def _check_custody(player: Player) -> None:
    """Conflict if the player's account has had custody of boards that the player is to play."""
    if player.account_id is not None:
        custody.check_claim(Account.objects.get(pk=player.account_id), player)


def _check_never_together(kept: Player, merged: Player) -> None:
    """Conflict if both have played in one session: they are two people then."""
    both = Session.objects.filter(_with(kept), pk__in=Session.objects.filter(_with(merged)).values("pk"))
    if (session := both.select_related("tournament").order_by("pk").first()) is not None:
        message = _("%(first)s and %(second)s were both entered in “%(session)s”: they are two people.")
        facts = {"first": kept.name, "second": merged.name, "session": session.name}
        raise Conflict("both-entered", message % facts, {"session": session.pk})


def _with(player: Player) -> Q:
    """The sessions in which somebody was entered, or played for another."""
    played = Substitution.objects.filter(player=player, undone_at=None)
    return Q(pk__in=player.memberships.values("session")) | Q(pk__in=played.values("contestant__session"))


@transaction.atomic
def take_apart(*, player: Player, actor: Actor | None) -> Player:
    """Undo a merge: a player who was merged into another is somebody else again, with what had been entered
    under them. Conflict: the number has been given to another meanwhile."""
    register.check_may_change(actor, player.club)
    roles.lock(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.merged_into_id is None:
        raise Conflict("not-merged", _("This player is not merged with another."))
    kept = Player.objects.get(pk=register.kept_of({player.pk: player.merged_into_id})[player.pk])
    register.check_number(player.club, player.number, but=player)
    own = _merged_into(player)
    members = Member.objects.filter(player=kept, entered_as__in=own)
    own_contestants = list(members.values_list("contestant", flat=True))
    replaced = Substitution.objects.filter(for_player=kept, contestant__in=own_contestants)
    replaced.update(for_player=player)
    members.update(player=player)
    Substitution.objects.filter(player=kept, entered_as__in=own).update(player=player)
    for rows in (Member.objects, Substitution.objects):
        rows.filter(player=player, entered_as=player).update(entered_as=None)
    player.merged_into = None
    player.save(update_fields=["merged_into"])
    if player.account_id and kept.account_id == player.account_id:
        kept.account_id = None
        kept.save(update_fields=["account"])
    history.note(actor, "taken apart", player, club=player.club, kept=kept.pk)
    history.note(actor, "taken apart", kept, club=player.club, player=player.pk)
    contestants.follow([kept.pk, player.pk])
    season_news.changed_players([kept.pk, player.pk])
    rating_news.changed_players([kept.pk, player.pk])
    points_news.changed_players([kept.pk, player.pk])
    return player


def _merged_into(player: Player) -> set[int]:
    """A player, and everybody who was merged into them."""
    found, new = {player.pk}, {player.pk}
    while new:
        new = set(Player.objects.filter(merged_into__in=new).values_list("pk", flat=True)) - found
        found |= new
    return found
