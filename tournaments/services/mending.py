"""Who the contestants of a session are, mended before they play: many at once, all or none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext as _

from ..models import (
    Contestant,
    EveningLink,
    FeePayment,
    Member,
    Player,
    RulingPart,
    Seating,
    Session,
    Submission,
    Substitution,
    Tally,
)
from . import (
    bulk,
    contestants,
    custody,
    entries,
    history,
    points_news,
    rating_news,
    register,
    season_news,
    states,
)
from .errors import Conflict, Invalid, Missing, Refused

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class NewMembers:
    """Whom a contestant, by its number, is to consist of: players of the register, by their ids. `name`: of
    its own, if it has one."""

    number: int
    players: tuple[int, ...]
    name: str = ""


def of(session: Session) -> QuerySet[Contestant]:
    """The contestants of a session with their players."""
    return session.contestants.select_related("team").prefetch_related("members")


@transaction.atomic
def mend_all(
    *, session: Session, actor: history.Actor, rows: Sequence[NewMembers | Refused], seen: str | None = None
) -> list[Contestant]:
    """Contestants who have not played yet are these players from now on, in the order of the rows; their
    numbers and seats stay. `rows`: also what is wrong with one already. All of them, or none: Invalid says
    of every row, by its index, whether it could be stored. Conflict: the session is over. Stale: it is not as
    it was `seen`. A few queries, however many there are."""
    session = states.locked(session)
    states.check_seen(session, seen)
    if session.state not in Session.COMING:
        raise Conflict("session-finished", _("The session is finished."))
    own = {one.number: one for one in of(session)}
    known = _Known.of(session, rows)
    found: list[NewMembers | Refused] = [
        row if isinstance(row, Refused) else known.take(row, own.get(row.number)) for row in rows
    ]
    new = [row for row in found if isinstance(row, NewMembers)]
    if len(new) == len(found):
        try:
            with transaction.atomic():
                _store(session, new, own, known.players)
        except Conflict as refused:  # somebody is entered elsewhere, in the session or beside it
            found = [refused if _is_about(row, refused) else row for row in new]
            if not any(isinstance(row, Refused) for row in found):
                raise
    if wrong := sum(isinstance(row, Refused) for row in found):
        raise register.slips(wrong, [_said_of(index, row) for index, row in enumerate(found)])
    history.note(
        actor, "mended contestants", session, session=session, numbers=sorted(row.number for row in new)
    )
    after = of(session).in_bulk([own[row.number].pk for row in new])
    return [after[own[row.number].pk] for row in new]


@dataclass
class _Known:
    """What rows are checked against. `players`: those of the register that are named; `begun`, `substituted`,
    `paid`: contestants (ids) who have played, for whom somebody else plays, who have paid a fee; `taken`: the
    players of the rows before."""

    players: Mapping[int, Player]
    begun: Collection[int]
    substituted: Collection[int]
    paid: Collection[int]
    taken: set[int]
    numbers: set[int]

    @classmethod
    def of(cls, session: Session, rows: Sequence[NewMembers | Refused]) -> "_Known":
        named = {player for row in rows if isinstance(row, NewMembers) for player in row.players}
        there = Player.objects.in_register().filter(club=session.tournament.club_id)
        of_play = {"play": OuterRef("play")}
        happened = Exists(Submission.objects.filter(**of_play)) | Exists(RulingPart.objects.filter(**of_play))
        seated = Seating.objects.filter(happened, play__table__section__session=session)
        played = Substitution.objects.filter(contestant__session=session, undone_at=None)
        fees = FeePayment.objects.filter(member__session=session)
        return cls(
            there.in_bulk(named),
            set(seated.values_list("contestant", flat=True)),
            set(played.values_list("contestant", flat=True)),
            set(fees.values_list("member__contestant", flat=True)),
            set(),
            set(),
        )

    def take(self, row: NewMembers, contestant: Contestant | None) -> NewMembers | Refused:
        """The row, or why it cannot be."""
        facts = {"number": row.number}
        if contestant is None:
            return Missing(
                "no-such-contestant", _("The session has no contestant %(number)d.") % facts, facts
            )
        if row.number in self.numbers:
            message = _("Contestant %(number)d is in another row already.")
            return Invalid("contestants", message % facts, facts)
        self.numbers.add(row.number)
        if contestant.pk in self.begun:
            return Conflict("begun", _("Contestant %(number)d has played already.") % facts, facts)
        if contestant.pk in self.substituted:
            message = _("Somebody plays in the place of contestant %(number)d.")
            return Conflict("substituted-already", message % facts, facts)
        if contestant.pk in self.paid:
            message = _(
                "Contestant %(number)d has paid an entry fee: what was taken stays with who has paid."
            )
            return Conflict("fees-taken", message % facts, facts)
        for player in row.players:
            if player not in self.players:
                message = _("The club’s register has no player with the id %(player)d.")
                return Invalid("no-such-player", message % {"player": player}, {"player": player})
            if player in self.taken:
                message = _("%(name)s is entered twice: a player is in one contestant only.")
                said = message % {"name": self.players[player].name}
                return Invalid("player-twice", said, {"player": player})
            self.taken.add(player)
        return row


def _store(
    session: Session, rows: Sequence[NewMembers], own: Mapping[int, Contestant], players: Mapping[int, Player]
) -> None:
    ids = [own[row.number].pk for row in rows]
    Member.objects.filter(contestant__in=ids).delete()
    EveningLink.objects.filter(contestant__in=ids).delete()  # cards that were printed for others
    entered = [player for row in rows for player in row.players]
    entries.check_free(session, entered, session.board_set.commitment)
    both = [(pk, player) for pk, row in zip(ids, rows, strict=True) for player in row.players]
    bulk.insert(
        Member,
        {"contestant": [pk for pk, _player in both], "player": [player for _pk, player in both]},
        same={"session": session.pk, "entered_as": None},
    )
    names = [row.name or _joined(row, players) for row in rows]
    bulk.update(Contestant, {"id": ids, "name": names, "named_by_players": [not row.name for row in rows]})
    custody.check_players(session)
    Tally.objects.filter(session=session).update(
        layout=F("layout") + 1, counted_layout=F("counted_layout") + 1
    )
    season_news.changed_session(session)
    rating_news.changed_session(session)
    points_news.changed_session(session)


def _joined(row: NewMembers, players: Mapping[int, Player]) -> str:
    return " – ".join(players[player].name for player in row.players)[: contestants.NAME_LETTERS]


def _is_about(row: NewMembers, refused: Refused) -> bool:
    details = refused.details
    return isinstance(details, dict) and details.get("player") in row.players


def _said_of(index: int, row: NewMembers | Refused) -> dict[str, Any]:
    if isinstance(row, NewMembers):
        return {"index": index, "state": "ready"}
    return {"index": index, "state": "refused", **row.to_json()}
