"""Who stands in a ranking with few boards: a word about it before others read the list."""

from dataclasses import dataclass

from django.utils.translation import gettext

from tournaments.models import Account, Session
from tournaments.services import names, rankings

FEW_SHOWN = 12


@dataclass(frozen=True, slots=True)
class FewBoardsShown:
    """Who stands in the ranking with few boards: names and boards, in words; `enough`: boards that a list may
    take for a place."""

    words: str
    enough: int


def few_boards(session: Session, account: Account) -> FewBoardsShown | None:
    """A word about a place that hardly anything was played for, before others read it. A few queries."""
    newest = rankings.newest(session)
    found = None if newest is None else rankings.few_boards(newest)
    if found is None:
        return None
    named = names.of_contestants([one for one, _boards in found.contestants], names.reader_for(account))
    told = [f"{named[one].name} ({boards})" for one, boards in found.contestants[:FEW_SHOWN]]
    more = len(found.contestants) - len(told)
    text = gettext("Fewer boards than others, who played up to %(most)d: %(names)s.")
    facts = {"most": found.most, "names": ", ".join([*told, *([f"+ {more}"] if more > 0 else [])])}
    return FewBoardsShown(text % facts, found.enough)
