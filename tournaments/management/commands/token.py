"""`manage.py token`: a token for somebody who organises, enters results or plays."""

from typing import Any

from django.core.management import CommandError

from ...models.accounts import RoleKind, Scope
from ...services import clubs, tokens
from ...services.errors import Refused
from ..operators import OperatorCommand

KINDS = [RoleKind.ORGANISER, RoleKind.SCORER, RoleKind.ADMINISTRATOR]


class Command(OperatorCommand):
    help = (
        "Make a token for an organiser, a scorer, an administrator or a player of a club. It is shown only "
        "once. People who can sign in make their own, on the page of their account."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("kind", choices=[*(kind.value for kind in KINDS), "player"])
        parser.add_argument("name", help="whose token it is")
        parser.add_argument("--club", help="for which club: its slug or its number (manage.py club)")
        parser.add_argument("--days", type=int, default=tokens.DAYS, help="until it ends; %(default)s")
        parser.add_argument(
            "--scope",
            action="append",
            choices=[scope.value for scope in Scope],
            help="what it is for, as often as needed; all that the role may do by default",
        )
        parser.add_argument("--called", default="", help="what its holder is to know it by")

    def handle(
        self,
        *,
        kind: str,
        name: str,
        club: str | None,
        days: int,
        scope: list[str] | None,
        called: str,
        **_: Any,
    ) -> None:
        if kind == "player" and (scope or called):
            raise CommandError("A player's token reads, and has no name: leave out --scope and --called.")
        try:
            the_club = clubs.at_or_only(club)
            if kind == "player":
                _token, text = tokens.issue_for_player(name=name, club=the_club, days=days)
            else:
                _token, text = tokens.issue_for_role(
                    person=name,
                    club=the_club,
                    kind=RoleKind(kind),
                    days=days,
                    scopes=scope or (),
                    name=called,
                )
        except Refused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(text)
