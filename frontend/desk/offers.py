"""Movements side by side, as the page of the wizard shows them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engines import registry
from tournaments.models import Draft
from tournaments.services import movement_offers, session_wishes
from tournaments.services.movement_offers import Offer
from tournaments.services.session_wishes import ChosenMovement, SessionWish

from .. import clocks
from ..movement_words import WORDS

STEP = 10  # from one dot of a triangle to the next


@dataclass(frozen=True, slots=True)
class MovementFact:
    """A fact of a movement. `is_warning`: it is worse than it could be."""

    label: str
    text: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class MeetingDots:
    """Who meets whom, as paths of dots: never, once, more often. `size`: of the picture."""

    size: int
    never: str
    once: str
    often: str

    @property
    def pixels(self) -> int:
        """As wide as it is drawn at most, so that a dot is as large in every picture as in its legend."""
        return self.size * 13 // STEP


def shown(wish: SessionWish, found: Sequence[Offer], count: int) -> list[dict[str, Any]]:
    """The movements in columns, the best first, one of them chosen: the one that was chosen before, or the
    best."""
    best = movement_offers.advised(wish, found)
    chosen = next((one for one in found if one.movement == wish.movement), best)
    columns = []
    found = [one for one in found if not movement_offers.is_by_matches(one)]
    alike = Counter(one.movement.family for one in found)
    for one in sorted(found, key=lambda one: one is not best):
        name, words = WORDS.get(one.movement.family, (one.movement.family, ""))
        if alike[one.movement.family] > 1:  # what tells it apart from the others of its kind
            name = f"{name}, {one.movement.rounds} × {one.movement.boards_per_round}"
        columns.append(
            {
                "key": one.movement.key,
                "name": name,
                "words": words or howell_words(one) or met_words(one.meetings),
                "is_closed": not one.takes_newcomers,
                "is_best": one is best,
                "is_chosen": one is chosen,
                "rows": rows(wish, one, count),
                "dots": dots(one.met),
            }
        )
    return columns


def reservations(wish: SessionWish, found: Sequence[Offer], language: str) -> list[str]:
    """What nobody can have here, whichever movement they choose."""
    compared = [one for one in found if not movement_offers.is_by_matches(one)]
    told = []
    if compared and all(one.method for one in compared):
        told.append(compared[0].reason.get(language, ""))
    if (
        wish.boards is not None
        and compared
        and all(one.boards_each != (wish.boards,) * 2 for one in compared)
    ):
        text = _("No movement gives each of so many exactly %(boards)d boards: these come nearest.")
        told.append(text % {"boards": wish.boards})
    best = movement_offers.advised(wish, found)
    if best is not None and (minutes := movement_offers.late(wish, best)):
        text = _(
            "None of these ends by %(hour)s: the one advised ends %(minutes)d min later. Ask for another end,"
            " or for fewer minutes a board."
        )
        if any(not movement_offers.late(wish, one) for one in compared):  # a file, or tables of another size
            text = _(
                "The one advised ends %(minutes)d min later than %(hour)s: of those that seat as many at a"
                " table, the program has none that ends in time."
            )
        told.append(text % {"hour": hour(wish.ends), "minutes": minutes})
    return [one[:1].upper() + one[1:].removesuffix(".") + "." for one in told if one]


def by_matches(wish: SessionWish, found: Sequence[Offer]) -> list[dict[str, Any]]:
    """Those for matches, which nobody has to compare: what each is called, how long it takes."""
    rows = []
    for one in filter(movement_offers.is_by_matches, found):
        name, words = WORDS[one.movement.family]
        rounds = one.movement.rounds
        text = ngettext("%(rounds)d round of %(boards)d", "%(rounds)d rounds of %(boards)d", rounds)
        layout = text % {"rounds": rounds, "boards": one.movement.boards_per_round}
        end = clocks.hour(movement_offers.end_of(wish, one))
        rows.append(
            {
                **{"key": one.movement.key, "name": name, "words": words, "layout": layout, "end": end},
                "is_chosen": one.movement == wish.movement,
            }
        )
    return rows


def howell_words(one: Offer) -> str:
    """How the boards of a Howell go about: for four and six pairs there is none with single copies."""
    if one.movement.family != "howell":
        return ""
    return _("boards travel") if one.copies == 1 else _("all tables play the same boards")


def met_words(meetings: tuple[int, int]) -> str:
    """Who meets whom, as it was counted."""
    least, most = meetings
    if most == 0:
        return ""
    if least == most:
        text = ngettext("everybody meets everybody once", "everybody meets everybody %(most)d times", most)
    elif least == 0:
        text = ngettext("some meet once, others never", "some meet %(most)d times, others never", most)
    else:
        text = _("everybody meets everybody %(least)d to %(most)d times")
    return text % {"least": least, "most": most}


def rows(wish: SessionWish, one: Offer, count: int) -> list[MovementFact]:
    end, most = clocks.hour(movement_offers.end_of(wish, one)), one.sit_outs[1]
    rounds, a_round = one.movement.rounds, one.movement.boards_per_round
    layout = ngettext("%(rounds)d round of %(boards)d", "%(rounds)d rounds of %(boards)d", rounds)
    copies = ngettext("%(copies)d copy of %(boards)d", "%(copies)d copies of %(boards)d", one.copies)
    late = movement_offers.late(wish, one)
    if late:
        end = _("%(end)s, %(minutes)d min later than asked") % {"end": end, "minutes": late}
    each, is_other = span(one.boards_each), wish.boards is not None and one.boards_each != (wish.boards,) * 2
    if is_other:
        each = _("%(each)s, asked for: %(asked)d") % {"each": each, "asked": wish.boards}
    tables = []
    if movement_offers.has_sizes(registry.game(wish.game)):
        tables = [MovementFact(_("At each table"), str(one.movement.seats))]
    return [
        *tables,
        MovementFact(_("Layout"), layout % {"rounds": rounds, "boards": a_round}),
        MovementFact(_("Boards each"), each, one.boards_each[0] != one.boards_each[1] or is_other),
        MovementFact(_("Ends at"), end, late > 0),
        MovementFact(
            _("Sit-outs each"),
            span(one.sit_outs) if most else pgettext("sit-outs", "none"),
            one.sit_outs[0] != one.sit_outs[1],
        ),
        MovementFact(_("Meetings"), span(one.meetings), one.meetings[0] == 0),
        MovementFact(_("Balance, of 100"), one.balance or "–"),
        MovementFact(
            _("Rankings"),
            _("one, of all %(count)d") % {"count": count} if one.one_ranking else _("one for each line"),
            not one.one_ranking,
        ),
        MovementFact(
            _("Whoever comes late"),
            _("plays from the next round on") if one.takes_newcomers else _("plays if somebody leaves"),
            not one.takes_newcomers,
        ),
        *no_show(one),
        MovementFact(_("Boards to deal"), copies % {"copies": one.copies, "boards": one.boards}),
    ]


def no_show(one: Offer) -> list[MovementFact]:
    """What it costs the others when one does not come; nothing where that was not measured."""
    left, label = one.without_one, _("If one does not come")
    if left is None:
        return []
    if left.boards_each is None or left.sit_outs is None:
        return [MovementFact(label, _("nobody can play"), is_warning=True)]
    each, out = span(left.boards_each), span(left.sit_outs)
    if left.balance is None:
        text = _("%(boards)s boards and %(out)s sit-outs each")
    else:
        text = _("%(boards)s boards and %(out)s sit-outs each, balance %(balance)s")
    return [MovementFact(label, text % {"boards": each, "out": out, "balance": left.balance})]


def span(both: tuple[int, int]) -> str:
    """The least and the most of something.

    >>> span((2, 2)), span((21, 24))
    ('2', '21–24')
    """
    return str(both[0]) if both[0] == both[1] else f"{both[0]}–{both[1]}"


def dots(met: Sequence[Sequence[int]]) -> MeetingDots | None:
    """The triangle; None where there are too many to draw.

    >>> dots([[1], [0, 2]])
    MeetingDots(size=20, never='M5 15h0', once='M5 5h0', often='M15 15h0')
    """
    if not met:
        return None
    paths = ["", "", ""]
    for y, row in enumerate(met):
        for x, times in enumerate(row):
            paths[min(times, 2)] += f"M{STEP * x + STEP // 2} {STEP * y + STEP // 2}h0"
    return MeetingDots(STEP * len(met), *paths)


def sentence(wish: SessionWish, count: int, movement: ChosenMovement | None = None) -> str:
    """How the contestants fill the tables: as the game seats them as a rule, or as a movement does."""
    if not wish.game or count < 2:
        return ""
    usual = movement_offers.at_a_table(registry.game(wish.game), count)
    seats = usual if movement is None else movement.seats
    tables, out = divmod(count, seats)
    text = ngettext(
        "%(count)d contestants: %(tables)d table", "%(count)d contestants: %(tables)d tables", tables
    )
    if out:
        left = ngettext(", and %(out)d sits out in each round.", ", and %(out)d sit out in each round.", out)
    else:
        left = _(", all full.") if tables > 1 else _(", full.")
    return (text + left) % {"count": count, "tables": tables, "out": out}


def hour(text: str) -> str:
    """An hour of a wish, as the reader's language writes it."""
    return clocks.hour(time.fromisoformat(text))


def summary(draft: Draft, wish: SessionWish, language: str) -> str:
    """What is known so far, in a line."""
    parts = []
    if wish.game:
        parts.append(registry.game(wish.game).name.to(language))
    if count := session_wishes.contestant_count(draft, wish):
        parts.append(ngettext("%(count)d contestant", "%(count)d contestants", count) % {"count": count})
    if "movement" in wish.done:
        found = movement_offers.offers_of(draft)
        chosen = next((one for one in found[0] if one.movement == wish.movement), None) if found else None
        ends = hour(wish.ends) if chosen is None else clocks.hour(movement_offers.end_of(wish, chosen))
        parts.append(_("%(begins)s to %(ends)s") % {"begins": hour(wish.begins), "ends": ends})
    return ", ".join(parts)


def chosen(draft: Draft, wish: SessionWish) -> Offer | None:
    """The movement that was chosen, if it is still one of those there are."""
    found = movement_offers.offers_of(draft)
    return next((one for one in found[0] if one.movement == wish.movement), None) if found else None


def only_method(draft: Draft, wish: SessionWish) -> Offer | None:
    """The chosen movement, if it leaves one method of comparison."""
    one = chosen(draft, wish)
    return one if one is not None and one.method is not None else None
