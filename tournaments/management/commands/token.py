"""`manage.py token`: a token for somebody who organises, enters results or plays."""

from typing import Any

from django.core.management import CommandError

from ...models import Role
from ...services import clubs, tokens
from ...services.errors import Refused
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = "Make a token for an organiser, a scorer or a player of a club. It is shown only once."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("kind", choices=["organiser", "scorer", "player"])
        parser.add_argument("name", help="whose token it is")
        parser.add_argument("--club", help="for which club: its slug or its number (manage.py club)")

    def handle(self, *, kind: str, name: str, club: str | None, **_: Any) -> None:
        try:
            the_club = clubs.at_or_only(club)
            if kind == "player":
                _token, text = tokens.issue_for_player(name=name, club=the_club)
            else:
                _token, text = tokens.issue_for_role(person=name, club=the_club, kind=Role.Kind(kind))
        except Refused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(text)
