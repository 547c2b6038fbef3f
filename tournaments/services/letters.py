"""Mails that tell somebody what has happened to them while they were not looking. Whoever has no account, or
no address, looks at the page."""

import logging
from collections.abc import Iterable
from functools import partial
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Account, Club, Player, RegistrationList, Role
from ..models.accounts import RoleKind

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


def _write(account: Account, subject: Any, text: Any, facts: dict[str, Any], path: str) -> None:
    """In the language of whoever gets it, and once what it tells has been committed."""
    if account.email is None or not account.is_active:
        return
    with translation.override(account.language or settings.LANGUAGE_CODE):
        body = str(text) % facts
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
