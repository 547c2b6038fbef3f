"""Results that officials enter at the desk: as by a token of the role in which they do; nobody holds it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from engines import records, registry, sheets
from engines.contract import with_defaults
from engines.errors import EngineError

from ..models import Account, Play, Result, Role, Ruling, Section, Session, Submission, Token
from ..models.access import ENTER, RUN_A_CLUB, RUN_A_SESSION
from ..models.accounts import RoleKind, Scope
from . import confirmations, judging, roles, rulings, submissions, tokens
from .deliveries import ResultEntry, Stored
from .errors import Conflict, Forbidden, Invalid

NAME = "desk"  # of the tokens
DAYS = 2


def may_enter(account: Account, play: Play) -> bool:
    """Whether an account enters results of the section of a play."""
    return Section.objects.entered_by(account).filter(pk=play.table.section_id).exists()


def check(session: Session, play: Play, sheet: dict[str, Any]) -> None:
    """As `judging.check_unseen`, of the sheet of a play."""
    judging.check_unseen(session, play.board.number, sheet)


def scores_of(session: Session, play: Play, content: Mapping[str, Any]) -> Sequence[int] | None:
    """By seat, what a sheet that was handed in is worth whatever was dealt; None where it breaks the rules,
    or was told card by card."""
    game = registry.game(session.game)
    conditions = game.conditions_of(play.board.number, session.conditions)
    unseen = records.Record(game, session.options, conditions, None)
    try:
        return judging.judgement_of(unseen, {"sheet": content["sheet"]}).outcome.scores
    except (KeyError, EngineError):
        return None


def enter(
    *,
    session: Session,
    play: Play,
    account: Account,
    key: UUID,
    sheet: dict[str, Any] | None = None,
    actions: Sequence[str] | None = None,
    reason: str = "",
    check_letter: str = "",
    sees: bool = True,
) -> Stored:
    """Hand in a result, or a whole play (`actions`), as the account's role: judged a moment later, as any
    other. The same key again is the same submission. Forbidden for those who enter none here; refused as the
    pipeline refuses it, and without a `reason` where the page calls the result confirmed. `sees`: the account
    knows what counts now."""
    if not may_enter(account, play):
        raise Forbidden("may-not-enter", _("You enter no results of this table."))
    is_new = not play.submissions.filter(key=key).exists()
    content = {"sheet": sheet} if actions is None else {"actions": list(actions)}
    if is_new and not reason.strip() and wants_reason(session, play, account, content, sees=sees):
        message = _(
            "This result has been confirmed, an official has entered it, or its board is over: say why it is"
            " another one."
        )
        raise Invalid("no-reason", message)
    entry = ResultEntry(
        section=play.table.section.name,
        table=play.table.number,
        board=play.board.number,
        key=key,
        content=content,
        reason=reason,
        check=check_letter,
    )
    sender = token_of(account, session)
    return submissions.submit(session_id=session.pk, sender=sender, entries=[entry])[0]


def look(
    *,
    session: Session,
    play: Play,
    sheet: Mapping[str, Any],
    ruled: Collection[int],
    boards: frozenset[int] | None,
) -> rulings.RulingLook | None:
    """Whom another result of a play would move, before it is handed in: as many as the same scores by a
    ruling. None where `ruled`, the seats for which a ruling counts, are all of them, and nobody moves.
    `boards`: as for `rulings.look`."""
    count = registry.game(session.game).seat_count(session.conditions)
    seats = [seat for seat in range(1, count + 1) if seat not in ruled]
    if not seats:
        return None
    decision = {"kind": Ruling.Kind.ASSIGNED, "seats": seats, "outcomes": [{"sheet": dict(sheet)}]}
    plan = rulings.on_play(session=session, place=_place(play), decisions=[decision])
    return rulings.look(plan, boards)


def enter_again(
    *, session: Session, play: Play, account: Account, key: UUID, submission: Submission, reason: str
) -> Stored:
    """Hand in once more, as the account, what was handed in before: it counts from now on."""
    said = submission.content
    return enter(
        session=session,
        play=play,
        account=account,
        key=key,
        sheet=said.get("sheet"),
        actions=said.get("actions") if "sheet" not in said else None,
        reason=reason,
    )


def take_back(*, session: Session, play: Play, account: Account, made: int, before: int) -> None:
    """What counted before somebody corrected it (`before`, a submission) counts again. Conflict where
    something else has been handed in since the correction (`made`)."""
    newest = play.submissions.order_by("pk").last()
    if newest is None or newest.pk != made:
        raise Conflict("superseded", _("Something else has been entered meanwhile: look at it first."))
    enter_again(
        session=session,
        play=play,
        account=account,
        key=uuid4(),
        submission=play.submissions.get(pk=before),
        reason=_("Undone at once."),
    )


def _place(play: Play) -> rulings.PlayPlace:
    return rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)


def same_as_counts(session: Session, play: Play, sheet: Mapping[str, Any]) -> bool | None:
    """Whether a sheet says what counts for a play; None where nothing counts yet, or it was told card by
    card. Both are read as the game reads them."""
    result = Result.objects.select_related("submission").filter(play=play).first()
    known = None if result is None else result.submission.content.get("sheet")
    if known is None:
        return None
    game = registry.game(session.game)
    conditions = game.conditions_of(play.board.number, session.conditions)
    how: dict[str, Any] = {
        "seats": game.seat_count(session.conditions),
        "options": with_defaults(game.options, session.options),
        "known": game.known(None, conditions),
    }
    return sheets.check(game.form, sheet, **how) == sheets.check(game.form, known, **how)


def confirm(*, session: Session, play: Play, account: Account, submission: int) -> None:
    """What counts is right, says an official with a slip in hand: as `confirmations.confirm`."""
    confirmations.confirm(
        session=session, actor=token_of(account, session), place=_place(play), submission=submission
    )


def keep(*, session: Session, play: Play, account: Account, submission: int) -> None:
    """What the deal contradicts counts, says a director who has looked: as `confirm`, by a role that runs the
    session. Forbidden for those who do not."""
    token = token_of(account, session, enters=())
    confirmations.confirm(session=session, actor=token, place=_place(play), submission=submission)


def wants_reason(
    session: Session, play: Play, account: Account, content: dict[str, Any], *, sees: bool
) -> bool:
    """As of any sender (`storing`); and a result that another official has entered is confirmed, as the page
    says, without anybody’s confirmation. Whoever does not see what counts is asked whatever they enter:
    otherwise the question would tell them that their guess was wrong."""
    result = Result.objects.select_related("submission").filter(play=play.pk).first()
    if result is None:
        return False
    if not is_settled(session, play, account):
        return False
    return not sees or (result.sheet != content.get("sheet") and result.submission.content != content)


def is_settled(session: Session, play: Play, account: Account) -> bool:
    """Whether the account is asked for the reason of another result of a play, which has one: somebody has
    agreed with it, another official has entered it, or its board or the session is over. A slip of its own
    pen it mends without."""
    role = play.result.submission.role
    is_confirmed = play.confirmation_id is not None or (role is not None and role.account_id != account.pk)
    return is_confirmed or play.board.over_at is not None or session.is_over


@transaction.atomic
def token_of(account: Account, session: Session, *, enters: Sequence[RoleKind] = ENTER) -> Token:
    """A token of the nearest role in which the account enters results there; its text is thrown away.
    `enters`: the roles in which it does besides those that run the session or its club."""
    there = Q(session=session, kind__in=(*RUN_A_SESSION, *enters))
    there |= Q(club=session.tournament.club_id, kind__in=(*RUN_A_CLUB, *enters))
    own = Role.objects.in_force().filter(there, account=account)
    role = own.order_by("session", "pk").exclude(session=None).first() or own.order_by("pk").first()
    if role is None:
        raise Forbidden("may-not-enter", _("You enter no results of this table."))
    roles.lock(session.tournament.club)  # or two forms at once would make two
    held = Token.objects.valid().filter(role=role, name=NAME, scopes=Scope.ENTER.value)
    if (before := held.first()) is not None:
        return before
    return tokens.make(role=role, name=NAME, scopes=[Scope.ENTER], days=DAYS, actor=account)[0]
