"""Custody of board sets: who sees sealed boards, by name, from when to when. Nobody does by being an
organiser, and nobody who plays."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import (
    Account,
    BoardSet,
    Custody,
    HistoryEntry,
    Player,
    Role,
    Session,
    Submission,
    Token,
)
from ..models.accounts import RoleKind
from ..models.open_boards import over_in
from . import board_sets, deal_sheets, event_players, history, licences, material, shuffling, who_plays
from .errors import Conflict, Forbidden, Missing

SECOND_SIGN_IN = timedelta(minutes=5)
"""So long ago at most somebody who takes custody has signed in once more."""

VERBS = ("took custody", "laid down custody", deal_sheets.VERB)


# ── Predicates: account and session ───────────────────────────────────────────────────────────────


def is_official(account: Account, session: Session) -> bool:
    """Whether an account has a role at a session, at its club, or administers the federation: it may see how
    the boards are kept."""
    place = (
        Q(session=session)
        | Q(club=session.tournament.club_id)
        | Q(club=None, session=None, kind=RoleKind.ADMINISTRATOR)
    )
    return account.is_active and Role.objects.in_force().filter(place, account=account).exists()


def is_deal_officer(account: Account, session: Session) -> bool:
    own = Role.objects.in_force().filter(account=account, session=session, kind=RoleKind.DEAL_OFFICER)
    return account.is_active and own.exists()


def plays_here(viewer: Token | Account, session: Session, held: Collection[int] = ()) -> bool:
    """Whether an official who calls plays in the session themselves: until a board is over, they see of it
    what a player sees. `held`: players whose links have been used in the browser that asks."""
    if isinstance(viewer, Account):
        return bool(who_plays.seats_of(viewer, session, held))
    return viewer.role is not None and bool(who_plays.seats_of(viewer.role.account, session))


def seen_boards(
    session: Session,
    viewer: Token | Account | None,
    boards: Collection[int] | None = None,
    held: Collection[int] = (),
) -> frozenset[int] | None:
    """The boards (by id) of which an official may know results: None for all, and for everybody who is no
    official; for one who plays in the session, those that are over. `boards`: those that are asked about, if
    not any; `held`: as for `plays_here`. No query once the session has been played."""
    if session.are_boards_over or viewer is None or not plays_here(viewer, session, held):
        return None
    return frozenset(over_in(session, boards).values_list("pk", flat=True))


def is_recent(signed_in_again_at: datetime | None) -> bool:
    """Whether somebody has just signed in a second time."""
    return signed_in_again_at is not None and timezone.now() - signed_in_again_at <= SECOND_SIGN_IN


def in_force(session: Session) -> QuerySet[Custody]:
    """Who has custody of a session's boards now."""
    held = Custody.objects.in_force().filter(board_set=session.board_set)
    return held.select_related("account").order_by("pk")


def held_by(account: Account, session: Session) -> Custody | None:
    return in_force(session).filter(account=account).first()


def may_print(account: Account, session: Session) -> bool:
    """Whether an account may have the dealing lists of a session: whoever has custody, or organises where
    nobody has."""
    if session.board_set.custody == BoardSet.Keeping.NONE:
        organisers = (RoleKind.ORGANISER, RoleKind.ADMINISTRATOR)
        place = Q(session=session) | Q(club=session.tournament.club_id)
        own = Role.objects.in_force().filter(place, account=account, kind__in=organisers)
        return account.is_active and own.exists()
    return held_by(account, session) is not None


def is_undealt(session: Session) -> bool:
    """Whether boards were drawn here that nobody can deal: no deal officer has custody of them, or had. One
    query, or none."""
    board_set = session.board_set
    if board_set.manifest is None or board_set.custody == BoardSet.Keeping.NONE:
        return False
    return not Custody.objects.filter(board_set=board_set).exists()


@transaction.atomic
def leave_to_tables(*, session: Session, actor: history.Actor, copied: bool = False) -> None:
    """The tables shuffle their own cards: the deals that were drawn here are forgotten, so that nobody is
    shown hands that nobody held. `copied`: somebody who does not play shuffles each board once, and copies
    it for the tables that play it at once. It cannot be taken back; nothing happens where nothing is sealed.
    Conflict where several tables would shuffle one board, where somebody has had custody or printed a list,
    or something has been handed in, as cards may be known then."""
    locked = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    board_set = BoardSet.objects.select_for_update(no_key=True).get(session=locked)
    if board_set.manifest is None:
        return
    if session.leg_id is not None:
        raise Conflict("shared-boards", _("These boards are an event’s: every club plays the same."))
    if Custody.objects.filter(board_set=board_set).exists():
        raise Conflict("has-custody", _("Somebody has custody of these boards, or had: they can be dealt."))
    if deal_sheets.marks(locked):
        raise Conflict("lists-printed", _("Lists of these boards have been printed: they can be dealt."))
    if Submission.objects.filter(play__board__board_set=board_set).exists():
        raise Conflict("begun", _("Results have come in already."))
    if not copied:
        shuffling.check(locked)
    before = board_set.commitment
    board_set.manifest, board_set.sealed_seed, board_set.commitment = None, None, ""
    board_set.save(update_fields=["manifest", "sealed_seed", "commitment"])
    _touch(board_set)
    session.board_set = board_set
    history.note(actor, "left to tables", board_set, session=session, changes={"commitment": (before, "")})


# ── Taking it, laying it down ─────────────────────────────────────────────────────────────────────


@transaction.atomic
def take(
    *, session: Session, account: Account, signed_in_again_at: datetime | None, held: Collection[int] = ()
) -> Custody:
    """Custody of a session's boards, from now on; the same where the account has it already. `held`: players
    whose links have been used in the browser that asks.

    Forbidden but for deal officers of the session, and without a second sign-in just before. Conflict: the
    account plays in the session, nothing is sealed, or the club's organisers see the boards anyway.
    """
    board_set = BoardSet.objects.select_for_update(no_key=True).get(session=session)
    if not is_deal_officer(account, session):
        raise Forbidden("not-deal-officer", _("Only the session's deal officers may take custody."))
    if not is_recent(signed_in_again_at):
        raise Forbidden("sign-in-again", _("Sign in once more before you take custody."))
    if board_set.manifest is None or board_set.custody == BoardSet.Keeping.NONE:
        raise Conflict("no-custody", _("Nobody has custody of these boards."))
    material.check_released(session)
    if seats := who_plays.seats_of(account, session, held):
        message = _("You play in this session (%(name)s): you cannot have custody of its boards.")
        raise Conflict("plays-here", message % {"name": seats[0]})
    own = Custody.objects.filter(board_set=board_set, account=account, laid_down_at=None)
    if (before := own.first()) is not None:
        return before
    custody = Custody.objects.create(board_set=board_set, account=account)
    _touch(board_set)
    history.note(account, "took custody", custody, session=session)
    return custody


@transaction.atomic
def lay_down(*, session: Session, account: Account) -> None:
    """The account sees no more than others from now on; without custody nothing happens."""
    board_set = BoardSet.objects.select_for_update(no_key=True).get(session=session)
    own = Custody.objects.filter(board_set=board_set, account=account, laid_down_at=None)
    for custody in own:
        custody.laid_down_at = timezone.now()
        custody.save(update_fields=["laid_down_at"])
        _touch(board_set)
        history.note(account, "laid down custody", custody, session=session)


def end_of(role: Role) -> None:
    """A deal officer's role has been revoked: its custody ends with it, and another one is taken anew."""
    own = Custody.objects.filter(
        account=role.account_id, board_set__session=role.session_id, laid_down_at=None
    )
    for one in own.select_related("board_set"):
        Custody.objects.filter(pk=one.pk).update(laid_down_at=timezone.now())
        _touch(one.board_set)


def _touch(board_set: BoardSet) -> None:
    """Whoever has an answer about the boards asks anew: somebody may see more or less of them."""
    BoardSet.objects.filter(pk=board_set.pk).update(custody_changes=F("custody_changes") + 1)


def check_players(session: Session) -> None:
    """Conflict if somebody plays the boards who has, or had, custody of them, and may have seen them, who
    plays them at another club too, or who may not play by the terms of the event. Whoever seats somebody asks
    this afterwards, in the same transaction."""
    shared = who_plays.sessions_with_boards_of(session)
    list(
        BoardSet.objects.select_for_update(no_key=True).filter(session__in=shared).order_by("pk")
    )  # `take` waits, or has
    event_players.check_once(session)
    licences.check_entered(session)
    seen = Account.objects.filter(custodies__board_set__session__in=shared).distinct().order_by("pk")
    if seated := [account.name for account in seen if who_plays.seats_of(account, session)]:
        message = _("%(name)s has had custody of these boards, and cannot play them.")
        raise Conflict("has-custody", message % {"name": seated[0]}, {"names": seated})


def check_claim(account: Account, player: Player) -> None:
    """Conflict if an account that has, or had, custody of boards claims a player who is to play them."""
    seated = Q(members__player=player) | Q(
        contestants__substitutions__player=player, contestants__substitutions__undone_at=None
    )
    kept = Q(board_set__custodies__account=account)
    legs = Session.objects.filter(kept, leg__isnull=False).values("leg")
    seen = Session.objects.filter(seated, kept | Q(leg__in=legs), state__in=Session.COMING).first()
    if seen is not None:
        message = _("You have had custody of the boards of “%(session)s”, where this player plays them.")
        raise Conflict("has-custody", message % {"session": seen.name}, {"session": seen.pk})


# ── Lists to print ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Printed:
    """Lists for people who deal by hand, with what their footer says: `mark` is in the history too."""

    lists: Sequence[dict[str, Any]]
    by: str
    at: datetime
    mark: str


@transaction.atomic
def print_lists(*, session: Session, actor: Account | Token, boards: Collection[int]) -> Printed:
    """The lists of some boards, and a line of the history that says who has them: somebody who is signed in,
    or calls with a token of a role of theirs.

    Forbidden without custody (`may_print`). Missing: a board that was not sealed. Conflict while they wait
    for a public value.
    """
    account = actor if isinstance(actor, Account) else actor.role.account if actor.role else None
    if account is None or not may_print(account, session):
        raise Forbidden("no-custody", _("Only whoever has custody of the boards has their lists."))
    board_sets.check_dealt(session)
    wanted = sorted(set(boards))
    if not wanted or not set(wanted) <= set(board_sets.numbers(session)):
        raise Missing("no-such-board", _("There is no such board in this session."))
    mark, now = secrets.token_hex(3).upper(), timezone.now()
    material.check_released(session)
    codes, before = deal_sheets.codes(session), deal_sheets.marks(session)
    lists = [
        board_sets.lists(session, one, board_sets.deal_of(session, one))
        | {"code": codes[one], "before": before.get(one, [])}
        for one in wanted
    ]
    _touch(session.board_set)
    material.note_taken(session)
    history.note(actor, deal_sheets.VERB, session.board_set, session=session, boards=wanted, mark=mark)
    return Printed(lists, account.name, now, mark)


def log_of(session: Session) -> QuerySet[HistoryEntry]:
    """What the history says of the boards' custody, the newest first."""
    return (
        HistoryEntry.objects.filter(session=session, verb__in=VERBS).select_related("account").order_by("-pk")
    )
