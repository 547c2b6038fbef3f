"""Results on their way into the database: whatever waits is stored in one transaction.

A group costs eight statements and two waits for the database, whatever its size, its sessions and its
senders. What is wrong with one delivery is its answer, and harms no other.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from engines import registry
from engines.contract import with_defaults

from ..models import Play, Result, Round, Session, Submission, Token, WaitingSubmission, access
from ..models.open_boards import over_in
from ..models.tournaments import not_under_embargo
from . import board_sets, bulk, custody, embargoes, history, own_plays, pipeline, queue, stored_places, tokens
from .deliveries import Answer, BadToken, Delivery, Handed, Key, Place, ResultEntry, Stored
from .errors import Conflict, Forbidden, Invalid, Missing, Refused
from .stored_places import Opened, Seat


def _tell_workers() -> None:
    queue.send("judge")


tell_workers: Callable[[], None] = _tell_workers
"""Called after new results have been stored: in this thread, or by one that does it for all (`writer`)."""

REFUSALS_AT_MOST = (
    10  # for one play, from tables; or for a board, from an official who plays: more are guesses
)


def store(deliveries: Sequence[Delivery], *, patient: bool = True) -> list[Answer]:
    """What each delivery gets: what was stored of it (or, for a key that came before, then), or an error.
    `patient`: wait for sessions that somebody is changing; otherwise `Busy` is the answer for them.

    OperationalError or InterfaceError: the database is away, and nothing was stored.
    """
    try:
        return _together(deliveries, patient)
    except (OperationalError, InterfaceError):
        raise
    except DatabaseError:  # one of them, or a key that came twice at the same time: the others go on
        return [_alone(delivery, patient) for delivery in deliveries]


def _alone(delivery: Delivery, patient: bool) -> Answer:
    try:
        try:
            return _together([delivery], patient)[0]
        except IntegrityError:  # by now the first one with the same key is stored
            return _together([delivery], patient)[0]
    except DatabaseError as error:
        return error


def _together(deliveries: Sequence[Delivery], patient: bool) -> list[Answer]:
    senders = tokens.holders(one.sender for one in deliveries)
    known = [
        Handed(one.session, sender, one.entries, one.language)
        for one, sender in zip(deliveries, senders, strict=True)
        if sender is not None
    ]
    answers = iter(_answers(known, patient) if known else [])
    return [next(answers) if sender is not None else BadToken() for sender in senders]


def _answers(deliveries: Sequence[Handed], patient: bool) -> list[Answer]:
    with pipeline.one_transaction() as parts:
        group = _group(deliveries, patient, parts)
        errors = [group.check(index, delivery) for index, delivery in enumerate(deliveries)]
        with parts.at_once(last=True):
            group.keep()
    if group.new:
        transaction.on_commit(tell_workers, robust=True)
    return [
        error or [group.earlier[key] for key in one.keys]
        for one, error in zip(deliveries, errors, strict=True)
    ]


def _group(deliveries: Sequence[Handed], patient: bool, parts: pipeline.InParts) -> "Group":
    """The questions that take locks come first."""
    with parts.at_once():
        opened = stored_places.ask_sessions(deliveries, patient)
        plays = stored_places.ask_plays(deliveries)
        earlier = stored_places.ask_earlier(deliveries)
        guesses = stored_places.ask_possible_guesses(deliveries)
        ids = bulk.ask_for_ids(Submission, sum(len(one.entries) for one in deliveries))
    return Group(
        stored_places.opened_by(deliveries, patient, opened()),
        stored_places.earlier_by_key(earlier()),
        {row[:4]: Seat(*row[4:]) for row in plays()},
        Counter(dict(guesses())),
        ids(),
    )


@lru_cache(maxsize=1024)
def _dealt(session_id: int, commitment: str) -> Session:
    """A session for the sake of its boards, which change with their commitment only."""
    return Session.objects.select_related("board_set").get(pk=session_id)


# ── What each delivery gets ───────────────────────────────────────────────────────────────────────


class New(NamedTuple):
    """A submission to be stored."""

    delivery: Handed
    entry: ResultEntry
    place: Place
    tournament: int
    play: int


@dataclass
class Group:
    """Deliveries that are stored together, and what the database knows of them."""

    sessions: dict[int, Opened | Exception]
    earlier: dict[Key, Stored]
    plays: dict[Place, Seat]
    guesses: Counter[int]
    ids: list[int]  # for as many submissions
    new: dict[Key, New] = field(default_factory=dict)
    begun: dict[int, frozenset[int]] = field(default_factory=dict)  # boards, by session, once it is too late
    official_plays: dict[tuple[int, int], bool] = field(default_factory=dict)  # by session and sender
    tried: Counter[tuple[int, ...]] = field(default_factory=Counter)  # by session, role and board

    def check(self, index: int, delivery: Handed) -> Exception | None:
        """What is wrong with a delivery, in its sender's language; if nothing is, its entries are to be
        stored."""
        with translation.override(delivery.language):
            try:
                own = self._new(delivery, self.sessions.get(index))
            except Exception as error:
                return error
        self.new |= own
        self.guesses.update(one.play for one in own.values())
        return None

    def _new(self, delivery: Handed, session: Opened | Exception | None) -> dict[Key, New]:
        if isinstance(session, Exception):
            raise session
        if session is None:
            raise Missing("not-found", _("This does not exist, or you may not see it."))
        if not session.token_is_valid:
            raise BadToken
        if not delivery.sender.allows(Token.Scope.ENTER):
            raise tokens.out_of_scope(Token.Scope.ENTER)
        may_enter = access.enters(delivery.sender, session=session.pk, club=session.club)
        own: dict[Key, New] = {}
        guesses: Counter[int] = Counter()
        refused: dict[int, Refused] = {}
        is_open = False
        rows = zip(delivery.entries, delivery.keys, delivery.places, strict=True)
        for position, row in enumerate(rows):
            entry, key, place = row
            if not is_open and self._before(key, own) is None:
                _check_open(session, delivery.sender)
                is_open = True
            try:
                if self._is_known(position, row, own):
                    continue
                play = self.plays.get(place)
                if play is None or not may_enter(play.table, play.section_club):
                    raise Missing("no-such-play", _no_such_play(entry), {"index": position})
                self._check_row(position, entry, play, session, delivery.sender)
                if delivery.sender.table_id:
                    _check_guesses(session, entry, self.guesses[play.pk] + guesses[play.pk])
                elif self._could_guess(session, entry, play, delivery.sender):
                    tried = self._tried(session, entry, play, delivery.sender)
                    _check_guesses(session, entry, self.tried[tried])
                    self.tried[tried] += 1
            except Refused as error:
                refused[position] = error
                continue
            guesses[play.pk] += bool(delivery.sender.table_id)
            own[key] = New(delivery, entry, place, session.tournament, play.pk)
        if refused:
            raise _with_rows(refused, len(delivery.entries))
        return own

    def _is_known(self, position: int, row: tuple[ResultEntry, Key, Place], own: dict[Key, New]) -> bool:
        """Whether a result came with its key before; Conflict if that was another one."""
        entry, key, place = row
        if (before := self._before(key, own)) is None:
            return False
        if before != (place, entry.content):
            message = _("This key was already used for another result: a new result needs a new key.")
            raise Conflict("key-reused", message, {"index": position, "key": str(entry.key)})
        return True

    def _check_row(
        self, position: int, entry: ResultEntry, play: Seat, session: Opened, sender: Token
    ) -> None:
        """Refused if this play takes no such result from the sender."""
        is_table = bool(sender.table_id)
        if session.is_paced:
            _check_round(play, is_table=is_table, position=position)
        if session.is_lifted and not play.is_said:
            if session.pk not in self.begun:
                self.begun[session.pk] = embargoes.begun_boards(session.pk)
            embargoes.check_begun(self.begun[session.pk], entry.board, index=position)
        if entry.seat is not None:
            _check_seat(session, entry.seat, is_table=is_table, position=position)
        if not is_table and play.is_said and self._plays_here(session, sender):
            _check_own(session, sender, play, position)
        is_official = play.is_known and play.sheet is not None  # or the table's own: `_may_be_known` asks
        if is_table and (play.is_decided or is_official) and _may_be_known(play):
            raise Conflict("play-decided", _decided(entry), {"index": position})
        if not entry.reason.strip() and self._wants_reason(session, play, entry, sender):
            raise Invalid("no-reason", _why(play, entry), {"index": position})
        if entry.check:
            board_sets.check_letter(
                _dealt(session.pk, session.commitment), entry.board, entry.check, index=position
            )

    def _before(self, key: Key, own: dict[Key, New]) -> tuple[Place, dict[str, Any]] | None:
        """The place and the content that a key came with before, long ago or in this group."""
        if (stored := self.earlier.get(key)) is not None:
            return (stored.session, stored.section, stored.table, stored.board), stored.content
        if (new := own.get(key) or self.new.get(key)) is not None:
            return new.place, new.entry.content
        return None

    def _wants_reason(self, session: Opened, play: Seat, entry: ResultEntry, sender: Token) -> bool:
        """Whether a result would change what somebody has agreed with, or what those who played the board
        may have seen. What says the same again changes nothing; but an official who plays in the session says
        why even then, as long as the board is not over: or the refusal would tell them which result they have
        not hit upon. Of a session that has been played there is a query for each."""
        sheet, content = play.sheet, play.content
        if play.was_confirmed or play.is_known:
            known = None if sheet is None else (_json(sheet), _json(content))
        elif session.state in Session.OVER:
            own = Result.objects.filter(play=play.pk)
            known = own.values_list("sheet", "submission__content").first()
        else:
            return False
        if known is None:
            return False
        if entry.content not in ({"sheet": known[0]}, known[1]):
            return True
        is_secret = sender.role_id is not None and not play.is_known and not _are_boards_over(session)
        return is_secret and self._plays_here(session, sender)

    def _could_guess(self, session: Opened, entry: ResultEntry, play: Seat, sender: Token) -> bool:
        """Whether the answer to an official could tell them a card of a board that they are still to play: a
        whole play is taken or refused by the deal, and a sheet never is."""
        is_secret = "actions" in entry.content and not play.is_known and not _are_boards_over(session)
        return is_secret and self._plays_here(session, sender)

    def _tried(self, session: Opened, entry: ResultEntry, play: Seat, sender: Token) -> tuple[int, ...]:
        """Under which `tried` says how often an official may have guessed at a board, at whatever table; a
        query for each."""
        key = (session.pk, sender.role_id or 0, entry.board)
        if key not in self.tried:
            board = Play.objects.filter(pk=play.pk).values("board")
            own = Submission.objects.filter(play__board__in=board, role=sender.role_id)
            states = (Submission.State.REFUSED, Submission.State.PENDING)
            self.tried[key] = own.filter(state__in=states).count()
        return key

    def _plays_here(self, session: Opened, sender: Token) -> bool:
        """Whether an official plays in the session themselves; asked once for all that they hand in."""
        if (at := (session.pk, sender.pk)) not in self.official_plays:
            self.official_plays[at] = custody.plays_here(sender, Session(pk=session.pk))
        return self.official_plays[at]

    def keep(self) -> None:
        """Store what is new, with its history."""
        rows = list(self.new.values())
        if not rows:
            return
        numbers = self.ids[: len(rows)]
        now = timezone.now()
        columns: dict[str, Sequence[Any]] = {
            "id": numbers,
            "play": [one.play for one in rows],
            "sender": [one.delivery.sender.pk for one in rows],
            "role": [role for role, _table, _key in self.new],
            "table": [table for _role, table, _key in self.new],
            "key": [one.entry.key for one in rows],
            "content": [one.entry.content for one in rows],
        }
        remarks = {
            number: history.remark_of(one.entry.reason) for number, one in zip(numbers, rows, strict=True)
        }
        if any(one.entry.seat is not None for one in rows):
            columns["seat"] = [one.entry.seat for one in rows]
        if any(remarks.values()):
            columns["remark"] = list(remarks.values())
        bulk.insert(
            Submission,
            columns,
            same={"created_at": now, "state": Submission.State.PENDING, "refusal": None, "judged_at": None},
        )
        bulk.insert(WaitingSubmission, {"submission": numbers})
        history.keep(self._notes(numbers, remarks))
        for number, (key, one) in zip(numbers, self.new.items(), strict=True):
            self.earlier[key] = Stored(
                *(number, one.entry.key, *one.place, "pending", None, one.entry.content, now, None),
                one.entry.seat,
            )

    def _notes(self, numbers: Sequence[int], remarks: Mapping[int, int | None]) -> Iterator[history.Note]:
        """An entry for each delivery, about all that is new in it; those with a reason have their own."""
        rows = zip(numbers, self.new.values(), strict=True)
        for (_delivery, remark), group in groupby(
            rows, key=lambda row: (id(row[1].delivery), remarks[row[0]])
        ):
            new = dict(group)
            plays = {number: {"play": one.play} for number, one in new.items()}
            first = next(iter(new.values()))
            sent, about = first.delivery, history.together(Submission, plays)
            yield history.Note(
                *(first.tournament, sent.session, "submitted", *about, sent.sender), remark=remark
            )


def _with_rows(refused: Mapping[int, Refused], count: int) -> Refused:
    """What so many results are refused with, of which some are wrong: the first of these errors, and of
    several results what is to be said of each."""
    first = next(iter(refused.values()))
    if count == 1:
        return first
    rows = [
        {"index": at, "state": "refused", **refused[at].to_json()}
        if at in refused
        else {"index": at, "state": "ready"}
        for at in range(count)
    ]
    return type(first)(first.code, first.message, {**(first.details or {}), "rows": rows})


def _are_boards_over(session: Opened) -> bool:
    """Whether the session has been played, and no other club plays its boards. A query once it has been
    played here."""
    is_over = session.state in Session.OVER
    return is_over and Session.objects.filter(not_under_embargo(), pk=session.pk).exists()


def _check_open(session: Opened, sender: Token) -> None:
    """Conflict if the session takes nothing new from the sender."""
    if session.state in Session.OVER and sender.role_id is None:
        raise Conflict(
            "session-finished",
            _("The session is finished: only its scorers and organisers can still correct results."),
        )
    if session.state == Session.State.CANCELLED:
        raise Conflict("session-cancelled", _("The session has been cancelled."))
    board_sets.check_dealt(_dealt(session.pk, session.commitment))
    if session.state == Session.State.DRAFT:
        raise Conflict("session-draft", _("The session is still a draft: its director has to make it ready."))


def _check_round(play: Seat, *, is_table: bool, position: int) -> None:
    """Conflict if a paced session takes no result of a play: of a round that waits from nobody, of one that
    is over from scorers and directors alone."""
    facts = {"index": position, "round": play.round}
    if play.round_state in {None, Round.State.WAITING}:
        message = _("Round %(round)d has not begun yet.") % {"round": play.round}
        raise Conflict("round-waits", message, facts)
    if is_table and play.round_state == Round.State.CLOSED and not play.has_time:
        message = _("Round %(round)d is closed: please tell the director the result.") % {"round": play.round}
        raise Conflict("round-closed", message, facts)


def _may_be_known(play: Seat) -> bool:
    """Whether a play is of a board that is over without what its table says, or was before a ruling was
    reversed: the table could know the cards. A few queries, asked of plays alone that have been ruled on, or
    of whose board that was over something counts."""
    own = Play.objects.select_related("board__board_set__session__tally").get(pk=play.pk)
    by_table = own.submissions.filter(table__isnull=False, state__in=Submission.TAKEN)
    if by_table.exists():
        return False
    return play.is_known or over_in(own.board.board_set.session, [own.board_id]).exists()


def _check_own(session: Opened, sender: Token, play: Seat, position: int) -> None:
    """Who sat at a table enters what nobody has said yet, and mends it; what others say of it, they neither
    replace nor settle."""
    if own_plays.replaces_others(sender, Session(pk=session.pk), play.pk):
        message = _("You sat at this table: somebody else corrects its results.")
        raise Forbidden("own-play", message, {"index": position})


def _check_guesses(session: Opened, entry: ResultEntry, guesses: int) -> None:
    """Conflict for a table, or an official who plays, that could be guessing at hands. Where a play may end
    after any card, or no pad says when it is whole, each of its beginnings that is handed in asks whether the
    next seat could go on: after one that was refused, a sheet is entered."""
    if guesses >= REFUSALS_AT_MOST:
        message = _("Too many results for this board have been refused: please ask the director.")
        raise Conflict("too-many-refused", message)
    if guesses and "actions" in entry.content and _ends_anywhere(_dealt(session.pk, session.commitment)):
        message = _(
            "Something has been handed in for this board already: please enter its result, not card by card."
        )
        raise Conflict("too-many-refused", message)


def _ends_anywhere(session: Session) -> bool:
    game = registry.game(session.game)
    pad = game.pad(with_defaults(game.options, session.options))
    return pad is None or pad.ends_anywhere


def _check_seat(session: Opened, seat: int, *, is_table: bool, position: int) -> None:
    """Invalid unless a table says which of its seats it is."""
    the_session = _dealt(session.pk, session.commitment)
    count = registry.game(the_session.game).seat_count(the_session.conditions)
    if not is_table:
        raise Invalid("bad-seat", _("Only a table says which seat enters."), {"index": position})
    if not 1 <= seat <= count:
        message = _("The seats of this game are numbered from 1 to %(count)d.") % {"count": count}
        raise Invalid("bad-seat", message, {"index": position})


def _json(value: Any) -> Any:
    """JSON as either database gives it."""
    return json.loads(value) if isinstance(value, str) else value


def _why(play: Seat, entry: ResultEntry) -> str:
    if play.was_confirmed:
        text = _("The result of board %(board)d has been confirmed: say why it is changed.")
    else:
        text = _("Board %(board)d is over, and its cards may be known: say why its result is changed.")
    return text % {"board": entry.board}


def _decided(entry: ResultEntry) -> str:
    text = _("The director has ruled that board %(board)d is not played here any more: please ask.")
    return text % {"board": entry.board}


def _no_such_play(entry: ResultEntry) -> str:
    text = _(
        "Board %(board)d is not played at table %(section)s%(table)d, or you may not enter results for that "
        "table."
    )
    return text % {"board": entry.board, "section": entry.section, "table": entry.table}
