"""Links by which players come to what is theirs: their entry in a club's register, their results, their data.

A link is good once, for some days. Its bearer attaches the entry to their account, or uses it in their
browser alone, which then holds a player's token. Of its secret only the SHA-256 is kept.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Club, Member, Player, PlayerLink, Session, Token
from ..models.people import fold
from . import custody, history, register, tokens
from .errors import Conflict, Forbidden

State = PlayerLink.State
TOKENS = "player-tokens"  # in the session of a browser: the ids of the tokens that links have given it


def held_by(account: Account | None, tokens: Sequence[int]) -> tuple[list[Player], dict[int, Token]]:
    """The entries in registers of somebody who has signed in, or whose browser holds these tokens; and by
    entry, the tokens that still open them."""
    there = Player.objects.in_register().select_related("club").order_by("club__name", "pk")
    own = [] if account is None else list(there.filter(account=account))
    held = Token.objects.valid().filter(pk__in=tokens, player__in=there)
    by_link = {
        token.player_id: token for token in held.select_related("player__club") if token.player_id is not None
    }
    attached = {player.pk for player in own}
    others = [token.player for pk, token in by_link.items() if pk not in attached and token.player]
    return own + others, by_link


def digest_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def path_of(secret: str) -> str:
    """The address that a link has, in the language of whoever follows it."""
    return f"/players/link/{secret}/"


@transaction.atomic
def offer(*, player: Player, actor: Account | None) -> tuple[PlayerLink, str]:
    """A link for a player, and its secret, which is nowhere else; an earlier one that nobody has used stops
    working. Forbidden but for those who run the player's club. Conflict where there is nobody to link."""
    _check_actor(actor, player.club)
    player = _lock(player)
    if player.merged_into_id is not None or player.erased_at is not None:
        raise Conflict("no-such-entry", _("This entry is no longer in the register."))
    _open_links(player).update(withdrawn_at=timezone.now())
    secret, now = secrets.token_urlsafe(32), timezone.now()
    link = PlayerLink.objects.create(
        digest=digest_of(secret),
        player=player,
        made_at=now,
        made_by=actor,
        ends_at=now + timedelta(days=settings.INVITATION_DAYS),
    )
    history.note(actor, "linked player", player, club=player.club, link=link.pk)
    return link, secret


AT_ONCE = 120  # links on one page


def without(club: Club, session: Session | None = None) -> QuerySet[Player]:
    """The players of a club's register, or those of a session of it, who have neither an account nor a
    browser that holds them: whom a link would help. In the order of names."""
    held = Token.objects.valid().filter(link__isnull=False).values("player")
    found = Player.objects.in_register().filter(club=club, account=None, erased_at=None).exclude(pk__in=held)
    if session is not None:
        found = found.filter(memberships__session=session)
    return found.order_by("family_name", "given_name", "pk")


@transaction.atomic
def offer_all(*, players: Sequence[Player], actor: Account | None) -> list[tuple[Player, str]]:
    """A link for each of these players, with its secret, as `offer` makes one. Conflict: there are more of
    them than go on a page."""
    if len(players) > AT_ONCE:
        message = _("Links are made for %(most)d players at a time: choose a session.")
        raise Conflict("too-many-links", message % {"most": AT_ONCE})
    return [(player, offer(player=player, actor=actor)[1]) for player in players]


def _check_actor(actor: Account | None, club: Club) -> None:
    """The same people who change the register: whoever gives a link may open the player's pages by it."""
    if actor is not None and not register.may_change(actor, club):
        raise Forbidden(
            "may-not-link", _("Only those who run the club give and withdraw its players’ links.")
        )


def _lock(player: Player) -> Player:
    """The player as it is, while nobody else changes it."""
    return (
        Player.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=player.pk)
    )


def _open_links(player: Player) -> QuerySet[PlayerLink]:
    return PlayerLink.objects.filter(player=player, used_at=None, withdrawn_at=None)


def with_secret(secret: str) -> PlayerLink | None:
    return _whole().filter(digest=digest_of(secret)).first()


def with_digest(pk: int, digest: str) -> PlayerLink | None:
    return _whole().filter(pk=pk, digest=digest).first()


def _whole() -> QuerySet[PlayerLink]:
    return PlayerLink.objects.select_related("player__club", "account", "token")


def state_of(link: PlayerLink) -> PlayerLink.State:
    """How it stands with a link. It counts as withdrawn once its entry has left the register."""
    player = link.player
    if link.state() == State.OPEN and (player.merged_into_id is not None or player.erased_at is not None):
        return State.WITHDRAWN
    return link.state()


def entries(club: Club, search: str) -> QuerySet[Player]:
    """The players in a club's register whose names have all words of a search, in the order of names."""
    found = Player.objects.in_register().filter(club=club)
    for word in fold(search).split():
        found = found.filter(folded__contains=word)
    return found.order_by("family_name", "given_name", "pk")


def of_club(club: Club) -> QuerySet[PlayerLink]:
    """The links of a club's players that are still to be used, the newest first."""
    there = _whole().filter(player__club=club, used_at=None, withdrawn_at=None, ends_at__gt=timezone.now())
    return there.filter(player__merged_into=None, player__erased_at=None).order_by("-pk")


@transaction.atomic
def withdraw(*, link: PlayerLink, actor: Account) -> None:
    """Nobody can use it any more; of a used or withdrawn one nothing changes. Forbidden but for those who run
    the club."""
    _check_actor(actor, link.player.club)
    if _open_links(link.player).filter(pk=link.pk).update(withdrawn_at=timezone.now()):
        history.note(actor, "withdrew player link", link.player, club=link.player.club, link=link.pk)


@transaction.atomic
def attach(*, link: PlayerLink, account: Account) -> Player:
    """The player, who is this account's now; browsers that held it by a link do so no more. Again by the same
    account, the same player. Conflict: the link can no longer be used, the entry is another account's, or the
    account has had custody of boards that the player is to play, or plays beside them."""
    player = _lock(link.player)
    link = _whole().select_for_update(of=("self",)).get(pk=link.pk)
    if link.account_id == account.pk and player.account_id == account.pk:
        return player
    _check_open(link)
    if player.account_id not in {None, account.pk}:
        message = _("This entry belongs to another account already: ask the club if that is not you.")
        raise Conflict("entry-taken", message)
    _check_once(account, player)
    custody.check_claim(account, player)
    player.account = account
    player.save(update_fields=["account"])
    link.used_at, link.account = timezone.now(), account
    link.save(update_fields=["used_at", "account"])
    Token.objects.filter(player=player, link__isnull=False, revoked_at=None).update(revoked_at=timezone.now())
    history.note(account, "attached player", player, club=player.club, link=link.pk)
    return player


@transaction.atomic
def use(*, link: PlayerLink, account: Account | None = None) -> Token:
    """A token of the player's, for the browser that brings the link. `account`: who is signed in there.
    Conflict: the link can no longer be used, or that account has had custody of boards that the player is to
    play."""
    player = _lock(link.player)
    link = _whole().select_for_update(of=("self",)).get(pk=link.pk)
    _check_open(link)
    if account is not None:
        custody.check_claim(account, player)
    token = tokens.issue_for_browser(player=link.player)
    link.used_at, link.token = timezone.now(), token
    link.save(update_fields=["used_at", "token"])
    history.note(token, "used player link", link.player, club=link.player.club, link=link.pk)
    return token


def _check_once(account: Account, player: Player) -> None:
    """Conflict if the account plays, as another player, in a session of this one: one person is entered
    once."""
    theirs = Member.objects.filter(player=player).values("session")
    other = Member.objects.filter(player__account=account, session__in=theirs).exclude(player=player)
    if (entered := other.select_related("player", "session").first()) is not None:
        message = _(
            "Your account plays in “%(session)s” as %(name)s already: ask the club which of both is you."
        )
        facts = {"session": entered.session.name, "name": entered.player.name}
        raise Conflict("plays-already", message % facts, {"session": entered.session_id})


def _check_open(link: PlayerLink) -> None:
    state = state_of(link)
    if state != State.OPEN:
        raise Conflict(
            f"link-{state.value}", _("This link can no longer be used: ask the club for a new one.")
        )


@transaction.atomic
def detach(*, player: Player, actor: Account) -> None:
    """The entry is nobody's account any more, and no browser's. Forbidden but for its account and those who
    run the club."""
    player = _lock(player)
    if player.account_id != actor.pk:
        _check_actor(actor, player.club)
    ended = end(player)
    if player.account_id is not None or ended:
        Player.objects.filter(pk=player.pk).update(account=None)
        history.note(actor, "detached player", player, club=player.club)


def end(player: Player) -> int:
    """Withdraw what opens a player's pages besides an account: the number of links and tokens."""
    now = timezone.now()
    tokens_ended = Token.objects.filter(player=player, revoked_at=None).update(revoked_at=now)
    return _open_links(player).update(withdrawn_at=now) + tokens_ended


def end_token(token: Token) -> None:
    """The browser that holds it opens the player's pages no more."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def decide_consent(*, player: Player, consent: bool, actor: Account | Token) -> None:
    """Whether a player's name may be published, as the player says; it counts at once and everywhere."""
    player = _lock(player)
    if player.consent != consent:
        player.consent = consent
        player.save(update_fields=["consent"])
        history.note(actor, "gave consent" if consent else "withdrew consent", player, club=player.club)
