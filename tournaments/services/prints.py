"""What is printed for an evening: who may have what, and the file that a job makes of it.

A PDF is made by a worker, sealed, kept for a day, and fetched by whoever asked for it. What it may show is
asked when it is asked for, when it is made, and when it is fetched.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from .. import vault
from ..models import Account, Job, PrintedFile, Section, Session, Token
from ..models.open_boards import over_in
from ..printing import FORMATS, Format
from . import board_sets, custody, history, names, who_plays
from .errors import Forbidden, Invalid, Missing

HISTORY_VERB = "printed"
Tell = Callable[[float], None]
Held = Collection[int]
"""Players whose links have been used in the browser that asks."""


@dataclass(frozen=True, slots=True)
class PrintKind:
    """Something to print. `may`: who, of an account and a session, in whose sections it enters results;
    `tonight`: a part of what a club prints for an evening. What stands on it: `print_contents.DRAWN`."""

    label: Any
    may: Callable[[Account, Session, Held], bool]
    tonight: bool = False


def _scores(account: Account, session: Session, _held: Held = ()) -> bool:
    return Section.objects.scored_by(account).filter(session=session).exists()


def _sees_results(account: Account, session: Session, held: Held) -> bool:
    return _scores(account, session) and (
        session.are_boards_over or not custody.plays_here(account, session, held)
    )


def _knows_hands(account: Account, session: Session, _held: Held) -> bool:
    """Officials see the hands of what has been played."""
    return _scores(account, session) and session.board_set.manifest is not None and over_in(session).exists()


def _may_deal(account: Account, session: Session, held: Held) -> bool:
    if who_plays.seats_of(account, session, held):
        return False
    return custody.may_print(account, session) and bool(board_sets.numbers(session))


KINDS: Mapping[str, PrintKind] = {
    "table-cards": PrintKind(pgettext_lazy("print", "table cards"), _scores, tonight=True),
    "guide-cards": PrintKind(pgettext_lazy("print", "guide cards"), _scores, tonight=True),
    "slips": PrintKind(pgettext_lazy("print", "result slips"), _scores, tonight=True),
    "travelling-sheets": PrintKind(pgettext_lazy("print", "travelling sheets"), _scores),
    "travellers": PrintKind(pgettext_lazy("print", "travellers with results"), _sees_results),
    "labels": PrintKind(pgettext_lazy("print", "wallet labels"), _scores, tonight=True),
    "dealing-lists": PrintKind(pgettext_lazy("print", "dealing lists"), _may_deal),
    "names": PrintKind(pgettext_lazy("print", "names for the door"), _scores, tonight=True),
    "rounds": PrintKind(pgettext_lazy("print", "who sits where, round by round"), _scores),
    "ranking": PrintKind(pgettext_lazy("print", "ranking"), _sees_results),
    "certificates": PrintKind(
        pgettext_lazy("print", "certificates for the first three"),
        lambda account, session, held: session.is_over and _sees_results(account, session, held),
    ),
    "hand-records": PrintKind(pgettext_lazy("print", "hands and results"), _knows_hands),
    "scorebook": PrintKind(pgettext_lazy("print", "blank score book"), _scores),
}
"""By name, in the order in which they are offered and printed."""


# ── Who may, and asking ───────────────────────────────────────────────────────────────────────────


def account_of(actor: Account | Token) -> Account | None:
    """The person who prints: one who has signed in, or in whose role a program calls."""
    if isinstance(actor, Account):
        return actor
    return actor.role.account if actor.role else None


def allowed(account: Account, session: Session, held: Held = ()) -> list[str]:
    """What an account may print of a session. A few queries, whatever there is to print."""
    return [name for name, kind in KINDS.items() if kind.may(account, session, held)]


def check(*, session: Session, actor: Account | Token, request: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for, complete: `kinds` in their order, each once; `size`, `duplex`, `language`; `base`,
    what addresses begin with. Invalid: it is not there. Forbidden: the account may not have it."""
    wanted, shape = list(request.get("kinds") or ()), request.get("size", FORMATS[0])
    unknown = sorted(set(wanted) - set(KINDS))
    if not wanted or unknown:
        message = _("Say what to print: %(kinds)s.") % {"kinds": ", ".join(KINDS)}
        raise Invalid("nothing-to-print", message, {"unknown": unknown})
    if shape not in FORMATS:
        raise Invalid("no-such-format", _("Paper is A4 or Letter."), {"size": shape})
    held = list(request.get("held", ()))
    check_rights(session=session, actor=actor, kinds=wanted, held=held)
    return {
        "kinds": [name for name in KINDS if name in wanted],
        "size": shape,
        "duplex": bool(request.get("duplex")),
        "base": request.get("base", ""),
        "held": held,
        "language": request["language"],
    }


def check_rights(
    *, session: Session, actor: Account | Token | None, kinds: Collection[str], held: Held = ()
) -> None:
    """Forbidden where the person may not, or no longer, have one of these."""
    account = account_of(actor) if actor is not None else None
    refused = [
        str(KINDS[one].label)
        for one in kinds
        if account is None or not KINDS[one].may(account, session, held)
    ]
    if refused:
        message = _("You may not print this: %(what)s.") % {"what": ", ".join(refused)}
        raise Forbidden("may-not-print", message)


# ── Making ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PrintOut:
    """A file: its bytes, and how many pages it has."""

    content: bytes
    pages: int


def make(
    *,
    session: Session,
    actor: Account | Token,
    kinds: Sequence[str],
    size: Format,
    language: str,
    duplex: bool = False,
    base: str = "",
    held: Held = (),
    tell: Tell = lambda _done: None,
    now: datetime | None = None,
) -> PrintOut:
    """One file of all that was asked for. Outside any transaction; the time grows with its pages, some
    hundred a second. Forbidden, as for `check`; Missing: there is nothing to print."""
    from ..printing.paper import Paper  # with its libraries it weighs 30 MB: processes that print bear them
    from . import print_contents

    check_rights(session=session, actor=actor, kinds=kinds, held=held)
    account = account_of(actor)
    assert account is not None
    at = now or timezone.now()
    with translation.override(language), timezone.override(session.tournament.club.zone):
        paper = Paper(size=size, title=session.name, language=language, made_at=at, duplex=duplex)
        reader = names.reader_for(account)
        evening = print_contents.PrintedEvening(session, actor, account, reader, language, at, base, held)
        for number, name in enumerate(kinds):

            def told(done: float, number: int = number) -> None:
                tell((number + done) / len(kinds))

            print_contents.DRAWN[name](paper, evening, told)
        if not paper.pages_count:
            raise Missing("nothing-to-print", _("There is nothing to print here yet."))
        return PrintOut(paper.bytes(), paper.pages_count)


def keep(*, job: Job, printed: PrintOut) -> None:
    """Store what a job has made, with its end."""
    assert job.session is not None
    PrintedFile.objects.update_or_create(
        job=job, defaults={"content": vault.seal(printed.content), "pages": printed.pages}
    )
    history.note(
        job.actor, HISTORY_VERB, job.session, session=job.session, kinds=(job.outcome or {})["kinds"]
    )


def content(*, job: Job, actor: Account | Token, held: Held = ()) -> bytes:
    """The file of a job of the caller’s own. Missing: there is none, or no longer. Forbidden: the caller
    may no longer have what is in it."""
    printed = PrintedFile.objects.filter(job=job).first()
    if printed is None or job.session is None or job.actor != actor:
        raise Missing("no-print", _("There is no such print, or no longer: print it again."))
    check_rights(session=job.session, actor=actor, kinds=(job.outcome or {}).get("kinds", ()), held=held)
    return vault.open_file(bytes(printed.content))


def forget(before: datetime) -> int:
    return PrintedFile.objects.filter(made_at__lt=before).delete()[0]
