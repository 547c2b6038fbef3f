"""Erasing: scores stay, and nothing tells any more whose they were. It cannot be undone.

What others rely on is kept under a number: results, rankings, which contestant was whose, the history. What
tells who the number is goes: names, addresses, ways to sign in, membership numbers, categories. What a club
writes as free text about somebody (the name of a team, of a tournament) is the club's to mend.

A link of the club proves nothing for good: whoever made it could have used it. So with a link alone, or an
account that has lately claimed an entry by one, somebody makes a *wish*, and an administrator settles it.
"""

from collections.abc import Collection
from datetime import timedelta

from django.contrib.sessions.models import Session as SignIn
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import (
    Account,
    Club,
    Contestant,
    ErasureWish,
    Invitation,
    Player,
    PlayerLink,
    PlayerRating,
    RatingStep,
    Role,
    Token,
)
from . import (
    evening_links,
    history,
    letters,
    master_points,
    my_data,
    past_seasons,
    player_links,
    points_news,
    rating_news,
    registrations,
    roles,
    slip_photos,
)
from .errors import Conflict, Forbidden
from .roles import RolePlace

CLAIM_SETTLES = timedelta(days=14)
"""So long the club, and the player, have to notice that an entry was claimed by somebody else."""


# ── Who may ───────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def erase_player(*, player: Player, actor: Account | Token | None) -> None:
    """Nothing tells any more who an entry of a register was, nor those that were merged into it. By the
    player's account, by an administrator of the club, or (None) by an operator; otherwise Forbidden: who has
    a link alone makes a wish. A second time nothing happens."""
    if not may_erase(actor, player):
        raise Forbidden(
            "may-not-erase", _("Only the player, and administrators of the club, erase an entry.")
        )
    lines = my_data.lines_of(player)
    for line in lines:
        _erase_line(line, actor)
    ErasureWish.objects.filter(player__in=lines, settled_at=None).update(settled_at=timezone.now())


def may_erase(actor: Account | Token | None, player: Player) -> bool:
    if actor is None:
        return True
    if isinstance(actor, Token):
        return False
    is_own = player.account_id == actor.pk and has_settled(player)
    return is_own or may_settle(actor, player.club)


def has_settled(player: Player) -> bool:
    """Whether the account of an entry has had it for long enough to be taken for the player's, and was not
    given it by its own link."""
    claims = PlayerLink.objects.filter(player=player, account=player.account_id)
    lately = claims.filter(used_at__gt=timezone.now() - CLAIM_SETTLES)
    return not lately.exists() and not claims.filter(made_by=player.account_id).exists()


def may_settle(account: Account, club: Club) -> bool:
    return roles.is_administrator(account, RolePlace(club))


# ── Wishes ────────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def wish(*, player: Player, actor: Account | Token) -> ErasureWish:
    """The club is asked to erase an entry; the same wish where there is one. By whoever holds the entry, with
    an account or a link."""
    player = Player.objects.select_for_update(no_key=True, of=("self",)).get(pk=player.pk)
    _check_holder(actor, player)
    made, is_new = ErasureWish.objects.get_or_create(player=player, settled_at=None)
    if is_new:
        history.note(actor, "wished erasure", player, club=player.club)
        letters.erasure_wished(player.club)
    return made


@transaction.atomic
def take_back(*, player: Player, actor: Account | Token) -> None:
    """Whoever holds the entry wants it to stay after all."""
    _check_holder(actor, player)
    _settle(player, "took back erasure", actor)


@transaction.atomic
def decline(*, wish: ErasureWish, actor: Account) -> None:
    """An administrator of the club has found that the player did not ask for it. A settled wish stays as it
    is."""
    if not may_settle(actor, wish.player.club):
        raise Forbidden("may-not-erase", _("Only administrators of the club settle this."))
    _settle(wish.player, "declined erasure", actor)


def _settle(player: Player, verb: str, actor: Account | Token) -> None:
    if ErasureWish.objects.filter(player=player, settled_at=None).update(settled_at=timezone.now()):
        history.note(actor, verb, player, club=player.club)


def _check_holder(actor: Account | Token, player: Player) -> None:
    held = actor.player_id if isinstance(actor, Token) else None
    if player.pk != held and (not isinstance(actor, Account) or player.account_id != actor.pk):
        raise Forbidden("may-not-erase", _("Only the player asks for that."))


def open_wishes(players: Collection[Player]) -> QuerySet[ErasureWish]:
    """Those about some entries that nobody has settled yet."""
    return ErasureWish.objects.filter(player__in=players, settled_at=None)


def wishes_of(club: Club) -> QuerySet[ErasureWish]:
    """What a club's players wish that nobody has settled yet, the oldest first."""
    there = ErasureWish.objects.filter(player__club=club, settled_at=None, player__erased_at=None)
    return there.select_related("player").order_by("pk")


# ── What goes ─────────────────────────────────────────────────────────────────────────────────────


def _erase_line(player: Player, actor: Account | Token | None) -> None:
    player = Player.objects.select_for_update(no_key=True, of=("self",)).get(pk=player.pk)
    if player.erased_at is not None:
        return
    registrations.leave_all(player=player)
    player_links.end(player)
    evening_links.end(player)
    past_seasons.forget(player)
    player.given_name = player.family_name = player.public_name = player.number = ""
    player.home_club, player.account, player.categories, player.consent = None, None, [], False
    player.licence_until = player.suspended_from = player.suspended_until = None
    player.erased_at = timezone.now()
    player.save()
    Player.objects.filter(pk=player.pk).update(folded="")
    PlayerRating.objects.filter(player=player).delete()
    RatingStep.objects.filter(player=player).delete()
    master_points.forget_of(player.pk)
    rating_news.changed_players([player.pk])
    points_news.changed_players([player.pk])
    slip_photos.forget_of(player)
    Contestant.objects.filter(members__player=player, named_by_players=True).update(name="")
    history.forget(entries=my_data.entries_about(None, [player]), actor=actor)
    history.note(actor, "erased player", player, club=player.club)


@transaction.atomic
def erase_account(*, account: Account, actor: Account | None) -> None:
    """Nobody can sign in with an account any more, and nothing tells whose it was, nor whose its entries in
    registers were; the clubs are asked to erase those that it has claimed lately. Conflict, as long as
    somewhere nobody else is an administrator."""
    if actor is not None and actor.pk != account.pk:
        raise Forbidden("may-not-erase", _("Only the holder erases an account."))
    account = Account.objects.select_for_update(no_key=True).get(pk=account.pk)
    if account.erased_at is not None:
        return
    for player in Player.objects.filter(account=account).select_related("club").order_by("pk"):
        if actor is None or may_erase(account, player):
            erase_player(player=player, actor=actor)
        else:
            wish(player=player, actor=account)
            player_links.detach(player=player, actor=account)
    for role in roles.of(account):
        roles.revoke(role=role, actor=actor)
    _forget_ways_in(account)
    address = account.email
    account.name, account.email, account.language = "", None, ""
    account.is_active = account.is_staff = False
    account.erased_at, account.last_login = timezone.now(), None
    account.set_unusable_password()
    account.save()
    account.former_names.all().delete()
    forget_addresses_of_invitations(address)
    history.forget(entries=my_data.entries_about(account, []), actor=actor)
    history.note(actor, "erased account", account)


def _forget_ways_in(account: Account) -> None:
    from allauth.account.models import EmailAddress
    from allauth.mfa.models import Authenticator
    from allauth.usersessions.models import UserSession

    SignIn.objects.filter(session_key__in=my_data.sign_ins_of(account)).delete()
    for rows in (UserSession.objects, EmailAddress.objects, Authenticator.objects):
        rows.filter(user=account).delete()
    PlayerLink.objects.filter(made_by=account, used_at=None, withdrawn_at=None).update(
        withdrawn_at=timezone.now()
    )


def forget_addresses_of_invitations(address: str | None) -> int:
    """The invitations to an address are withdrawn, if nobody has accepted them, and do not tell it any
    more."""
    if not address:
        return 0
    sent = Invitation.objects.filter(email=address)
    sent.filter(accepted_at=None, withdrawn_at=None).update(withdrawn_at=timezone.now())
    return sent.update(email=None)


def obstacles(account: Account) -> list[Role]:
    """The roles of an account that somebody else has to take on first: those of a last administrator."""
    own = roles.of(account)
    return [role for role in own if role.kind == Role.Kind.ADMINISTRATOR and roles.is_last(role)]


def check_possible(account: Account) -> None:
    """Conflict names the places that would be left without an administrator."""
    if stuck := obstacles(account):
        listed = ", ".join(RolePlace.of(role).name for role in stuck)
        message = _("You are the last administrator here: make somebody else one first. (%(places)s)")
        raise Conflict("last-administrator", message % {"places": listed})
