"""When an evening does not go as planned: somebody comes late, stays away or goes home."""

from collections.abc import Sequence
from time import monotonic

from django.db import transaction
from django.utils.translation import gettext as _

from engines import registry
from engines.errors import EngineError

from .. import movements
from ..models import Board, Contestant, Play, Seating, Section, Session, Token
from . import history, rankings
from .errors import Conflict, Invalid, refusal
from .layouts import enter, group, lay_out_section, movement_of

SECONDS = 1.0


@transaction.atomic
def replan(
    *,
    session: Session,
    actor: Token | None,
    after: int,
    leaving: Sequence[int] = (),
    arriving: Sequence[str] = (),
) -> Session:
    """Plan the rounds from `after` + 1 on again, without the contestants who leave (by number) and with those
    who arrive (by name; one who had left comes back). What was played stays, and counts.

    Invalid: nobody leaves or arrives, no such contestant, or no movement for those who are there; Conflict:
    the session is over, has several sections, or results of a round to be planned are here.
    """
    boards = Board.objects.filter(board_set__session=session).order_by("pk")
    list(boards.select_for_update(of=("self",), no_key=True))  # before the session, as those who score do
    session = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    if session.state != Session.State.OPEN:
        raise Conflict("session-finished", _("The session is finished."))
    sections = list(session.sections.select_related("club"))
    if len(sections) > 1:
        raise Conflict("several-sections", _("A session of several sections cannot be planned again."))
    (section,) = sections
    sides = registry.game(session.game).sides_of(session.conditions)
    before = movement_of(section, sides)
    rows = _here_now(section, after, leaving, arriving)
    here = [number for number, one in rows.items() if one.left_after is None]
    try:
        layout = movements.replanned(
            before,
            after=after,
            contestants=here,
            seats=[len(before.sittings[0].contestants)],
            fixed=session.partners_fixed,
            deadline=monotonic() + SECONDS,
        )
        movements.check(layout)
    except EngineError as error:
        raise refusal("bad-movement", error) from error
    later = [s for s in layout.sittings if s.round > after]
    seated = {number for s in later for number in s.contestants}
    names = [name.strip() for name in arriving]
    for number, one in rows.items():
        if one.name in names and number not in seated:
            message = _("There is no place for %(name)s: tell at the same time who leaves.")
            raise Invalid("no-place", message % {"name": one.name}, {"name": one.name})
    plays = Play.objects.filter(table__section=section, round__gt=after)
    dropped = list(plays.select_for_update(of=("self",)).order_by("pk"))
    begun = plays.filter(submissions__isnull=False).order_by("-round").first()
    if begun is not None:
        message = _("Results of round %(round)d are here already: plan again from a later one.")
        raise Conflict("round-begun", message % {"round": begun.round}, {"round": begun.round})
    Seating.objects.filter(play__in=dropped).delete()
    plays.delete()
    by_number = {board.number: board for board in boards}
    lay_out_section(section, later, by_number, rows, sides)
    _keep(session, layout, regrouped=group(rows, layout.sittings, sides))
    history.note(
        actor,
        "replanned",
        session,
        session=session,
        after=after,
        leaving=sorted(set(leaving)),
        arriving=names,
        digest=layout.digest,
    )
    return session


def _here_now(
    section: Section, after: int, leaving: Sequence[int], arriving: Sequence[str]
) -> dict[int, Contestant]:
    """All contestants by number, once those who leave have left and those who arrive are there."""
    session, names = section.session, [name.strip() for name in arriving]
    known = {c.number: c for c in session.contestants.order_by("number")}
    if not leaving and not names:
        raise Invalid("nothing-changes", _("Say who leaves or who arrives."))
    strangers = sorted(set(leaving) - {n for n, c in known.items() if c.left_after is None})
    if strangers:
        message = _("There is no contestant %(number)d who could leave.")
        raise Invalid("no-such-contestant", message % {"number": strangers[0]}, {"numbers": strangers})
    gone = {c.name: c for c in known.values() if c.left_after is not None}
    present = {c.name for c in known.values()} - gone.keys()
    if "" in names or len(set(names)) < len(names) or present & set(names):
        twice = sorted({name for name in names if name in present or names.count(name) > 1})
        raise Invalid("contestants", _("Every contestant needs a name of its own."), {"names": twice})
    session.contestants.filter(number__in=leaving).update(left_after=after)
    session.contestants.filter(name__in=[name for name in names if name in gone]).update(left_after=None)
    return enter(session, section.club, [name for name in names if name not in gone])


def _keep(session: Session, layout: movements.Movement, *, regrouped: bool) -> None:
    """The name of the movement; and how often its boards are played, on which all comparisons depend.
    `regrouped`: others are ranked together than before."""
    session.movement = layout.name[:80]
    changed, session.plays_per_board = session.plays_per_board != layout.plays, layout.plays
    session.save(update_fields=["movement", "plays_per_board"])
    if changed or regrouped:
        rankings.changed_layout(session)
