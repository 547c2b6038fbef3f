"""Mails that tell somebody what has happened to them while they were not looking. Whoever has no account, or
no address, looks at the page."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Account, Club, ClubEntry, Contestant, Player, RegistrationList, Role, Webhook
from ..models.accounts import RoleKind
from . import dates

log = logging.getLogger(__name__)


def moved_up(the_list: RegistrationList, players: Iterable[Player]) -> None:
    """Players of a list need no longer wait: somebody has left, or there is more room."""
    facts = {"list": the_list.name, "club": the_list.tournament.club.name}
    for player in players:
        if player.account is not None:
            _write(
                player.account,
                gettext_lazy("Étui: you have a place in “%(list)s”"),
                gettext_lazy(
                    "%(name)s no longer waits: you have a place in “%(list)s” (%(club)s). "
                    "If you cannot come, leave the list, so that somebody else can."
                ),
                facts | {"name": player.name},
                f"/registration/{the_list.pk}/",
            )


def erasure_wished(club: Club) -> None:
    """A club's administrators have an erasure to settle. The mail does not say whose."""
    roles = Role.objects.in_force().filter(club=club, kind=RoleKind.ADMINISTRATOR).select_related("account")
    for role in roles:
        _write(
            role.account,
            gettext_lazy("Étui: somebody asks to be erased at %(club)s"),
            gettext_lazy(
                "A player asks %(club)s to erase their entry in its register. The page of the players’ links "
                "says who; an answer is due within a month."
            ),
            {"club": club.name},
            f"/desk/clubs/{club.slug}/links/",
        )


def invited_to_event(entries: Sequence[ClubEntry]) -> None:
    """Those who run these clubs read that they are invited to an event, and when it is played by their
    clock. One query."""
    subject = gettext_lazy("Étui: %(club)s is invited to “%(leg)s”")
    text = gettext_lazy(
        "%(club)s is invited to play “%(leg)s”: the same boards in many clubs. Say on the page of the "
        "club’s events whether it plays, and with about how many tables."
    )
    when = gettext_lazy("It is played from %(opens)s to %(closes)s.")
    for entry, account in _who_run(entries):
        moments = {"opens": entry.leg.opens_at, "closes": entry.leg.closes_at}
        _to_club(entry, account, subject, text, when, moments)


WAITED_FOR = {
    "answer": gettext_lazy("Say whether the club plays, and with about how many tables."),
    "session": gettext_lazy("Say who plays: the session is still to be set up."),
    "material": gettext_lazy("The material can be taken now, by a deal officer who does not play."),
    "results": gettext_lazy(
        "The results are waited for until %(until)s: finish the session, and make its list provisional."
    ),
}


def reminded_of_event(entries: Sequence[tuple[ClubEntry, str]]) -> None:
    """Those who run these clubs are asked for what is waited for (`event_entries.WAITS`). One query."""
    text = gettext_lazy("Those who run “%(leg)s” wait for %(club)s.")
    subject = gettext_lazy("Étui: “%(leg)s” waits for %(club)s")
    waits = {entry.pk: what for entry, what in entries}
    for entry, account in _who_run([entry for entry, _what in entries]):
        moments = {"until": entry.leg.waits_until}
        _to_club(entry, account, subject, text, WAITED_FOR[waits[entry.pk]], moments)


ASKED_ABOUT = {
    "licence": gettext_lazy("The licence of somebody who plays has run out, or they are suspended."),
    "named-twice": gettext_lazy("Somebody of the same name plays at another club: is it one person?"),
    "seen": gettext_lazy("Somebody has played these boards before, in another session of the event."),
    "after-lift": gettext_lazy("Boards were begun after the embargo on them had been lifted."),
    "unit": gettext_lazy("The scores seem to be in another unit than at the other clubs."),
    "one-off": gettext_lazy("The results seem to have been entered one board off."),
    "turned": gettext_lazy("The seats seem to have been turned."),
    "dealt-otherwise": gettext_lazy("The cards seem to have been others than at the other clubs."),
    "impossible": gettext_lazy("The cards contradict a result: it was mistyped, or is another board’s."),
    "doubtful": gettext_lazy("A score is far from those of all other clubs: is it right?"),
}


def asked_about(
    entry: ClubEntry,
    kind: str,
    *,
    board: int | None,
    tables: Sequence[tuple[str, int]],
    who: Contestant | None,
) -> None:
    """Those who run a club are asked about what a check of an event has found there
    (`event_checks.KINDS`): on a board at some tables, or about who plays for the club."""
    text = gettext_lazy("Those who run “%(leg)s” have a question to %(club)s.")
    if board is not None:
        text = gettext_lazy(
            "Those who run “%(leg)s” have a question to %(club)s about board %(board)d (tables %(tables)s)."
        )
    elif who is not None:
        text = gettext_lazy(
            "Those who run “%(leg)s” have a question to %(club)s about contestant %(number)d (%(name)s)."
        )
    facts: dict[str, Any] = {"number": who.number, "name": who.name} if who is not None else {}
    facts |= {"board": board, "tables": ", ".join(f"{section}{table}" for section, table in tables)}
    subject = gettext_lazy("Étui: a question about “%(leg)s”")
    for _entry, account in _who_run([entry]):
        _to_club(entry, account, subject, text, ASKED_ABOUT[kind], **facts)


def webhook_off(webhook: Webhook) -> None:
    """Those who run the club of a webhook, or administer the federation, read that nothing is sent to it
    any more. One query."""
    kinds = (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER) if webhook.club else (RoleKind.ADMINISTRATOR,)
    roles = Role.objects.in_force().filter(club=webhook.club, session=None, kind__in=kinds)
    told = {role.account_id: role.account for role in roles.select_related("account").order_by("pk")}
    for account in told.values():
        _write(
            account,
            gettext_lazy("Étui: the webhook “%(name)s” is off"),
            gettext_lazy(
                "The program behind the webhook “%(name)s” has taken nothing for a day, or wants no more. "
                "Once it runs again, switch the webhook on, and ask the feed for what it has missed."
            ),
            {"name": webhook.name},
            "/api/docs/",
        )


def _who_run(entries: Sequence[ClubEntry]) -> list[tuple[ClubEntry, Account]]:
    """Everybody who runs the clubs of some entries, once for each. One query."""
    kinds = (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER)
    roles = Role.objects.in_force().filter(club__in=[one.club_id for one in entries], kind__in=kinds)
    there: dict[int | None, dict[int, Account]] = defaultdict(dict)
    for role in roles.select_related("account").order_by("pk"):
        there[role.club_id][role.account_id] = role.account
    return [(entry, account) for entry in entries for account in there[entry.club_id].values()]


def _to_club(
    entry: ClubEntry,
    account: Account,
    subject: Any,
    text: Any,
    more: Any = "",
    moments: Mapping[str, datetime] = MappingProxyType({}),
    **facts: Any,
) -> None:
    """To somebody who runs the club of an entry. `moments`: facts that are told by the club's clock."""
    facts |= {"club": entry.club.name, "leg": str(entry.leg)}
    with translation.override(account.language or settings.LANGUAGE_CODE):
        facts |= {name: dates.by_clock(moment, entry.club.zone) for name, moment in moments.items()}
    _write(account, subject, text, facts, f"/desk/clubs/{entry.club.slug}/events/", more)


def _write(
    account: Account, subject: Any, text: Any, facts: dict[str, Any], path: str, more: Any = ""
) -> None:
    """In the language of whoever gets it, and once what it tells has been committed."""
    if account.email is None or not account.is_active:
        return
    with translation.override(account.language or settings.LANGUAGE_CODE):
        body = " ".join(part % facts for part in (str(text), str(more)) if part)
        if base := settings.PUBLIC_URL.rstrip("/"):
            body += "\n\n" + _("The page:") + f"\n\n{base}{path}"
        message = EmailMessage(" ".join((str(subject) % facts).split()), f"{body}\n", to=[account.email])
    transaction.on_commit(partial(_send, message))


def _send(message: EmailMessage) -> None:
    """A folder that is full, or a mail server that is away, undoes nothing."""
    try:
        message.send()
    except OSError as error:
        log.warning("a mail could not be sent (%s)", type(error).__name__)
