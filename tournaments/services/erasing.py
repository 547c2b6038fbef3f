"""Erasing: scores stay, and nothing tells any more whose they were. It cannot be undone.

What others rely on is kept under a number: results, rankings, which contestant was whose, the history. What
tells who the number is goes: names, addresses, ways to sign in, membership numbers, categories. What a club
writes as free text about somebody (the name of a team, of a tournament) is the club's to mend.
"""

from django.contrib.sessions.models import Session as SignIn
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Contestant, Invitation, Player, PlayerLink, Role, Token
from . import history, my_data, player_links, registrations, roles
from .errors import Conflict, Forbidden
from .roles import RolePlace


@transaction.atomic
def erase_player(*, player: Player, actor: Account | Token | None) -> None:
    """Nothing tells any more who an entry of a register was, nor those that were merged into it. By the
    player, by an administrator of the club, or (None) by an operator; otherwise Forbidden. A second time
    nothing happens."""
    if not may_erase(actor, player):
        raise Forbidden(
            "may-not-erase", _("Only the player, and administrators of the club, erase an entry.")
        )
    for line in my_data.lines_of(player):
        _erase_line(line, actor)


def may_erase(actor: Account | Token | None, player: Player) -> bool:
    if actor is None:
        return True
    if isinstance(actor, Token):
        return actor.player_id == player.pk
    return player.account_id == actor.pk or roles.is_administrator(actor, RolePlace(player.club))


def _erase_line(player: Player, actor: Account | Token | None) -> None:
    player = Player.objects.select_for_update(no_key=True, of=("self",)).get(pk=player.pk)
    if player.erased_at is not None:
        return
    registrations.leave_all(player=player)
    player_links.end(player)
    player.given_name = player.family_name = player.public_name = player.number = ""
    player.home_club, player.account, player.categories, player.consent = None, None, [], False
    player.erased_at = timezone.now()
    player.save()
    Player.objects.filter(pk=player.pk).update(folded="")
    Contestant.objects.filter(members__player=player, named_by_players=True).update(name="")
    history.forget(entries=my_data.entries_about(None, [player]), actor=actor)
    history.note(actor, "erased player", player, club=player.club)


@transaction.atomic
def erase_account(*, account: Account, actor: Account | None) -> None:
    """Nobody can sign in with an account any more, and nothing tells whose it was, nor whose its entries in
    registers were. Conflict, as long as somewhere nobody else is an administrator."""
    if actor is not None and actor.pk != account.pk:
        raise Forbidden("may-not-erase", _("Only the holder erases an account."))
    account = Account.objects.select_for_update(no_key=True).get(pk=account.pk)
    if account.erased_at is not None:
        return
    for role in roles.of(account):
        roles.revoke(role=role, actor=actor)
    for player in Player.objects.filter(account=account).select_related("club").order_by("pk"):
        erase_player(player=player, actor=account)
    _forget_ways_in(account)
    address = account.email
    account.name, account.email, account.language = "", None, ""
    account.is_active = account.is_staff = False
    account.erased_at, account.last_login = timezone.now(), None
    account.set_unusable_password()
    account.save()
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
