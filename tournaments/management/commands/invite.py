"""`manage.py invite`: the operator's way to make somebody an administrator, or anything else."""

from typing import Any

from django.conf import settings
from django.core.management import CommandError

from ...models import Session
from ...models.accounts import RoleKind
from ...services import clubs, invitations
from ...services.errors import Refused
from ...services.roles import RolePlace
from ..operators import OperatorCommand


class Command(OperatorCommand):
    help = (
        "Print a link by which somebody gets a role, and an account if they have none: of the federation, "
        "or of the club or session that is named. It is good once."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("kind", choices=[str(kind.value) for kind in RoleKind])
        parser.add_argument("--club", help="its slug or its number (manage.py club)")
        parser.add_argument("--session", type=int, help="its number")
        parser.add_argument("--email", help="for the person with this address alone")
        parser.add_argument("--address", help="of the service, as https://example.org; PUBLIC_URL by default")

    def handle(
        self,
        *,
        kind: str,
        club: str | None,
        session: int | None,
        email: str | None,
        address: str | None,
        **_: Any,
    ) -> None:
        if club and session:
            raise CommandError("Name a club or a session, not both.")
        try:
            of = Session.objects.select_related("tournament__club").filter(pk=session or 0).first()
            if session and of is None:
                raise CommandError(f"There is no session {session}.")
            place = RolePlace(clubs.club_at(club) if club else None, of)
            _invitation, secret = invitations.invite(
                kind=RoleKind(kind), place=place, actor=None, email=email
            )
        except Refused as error:
            raise CommandError(str(error)) from None
        base = address or settings.PUBLIC_URL or "http://127.0.0.1:8000"
        self.stdout.write(base.rstrip("/") + invitations.path_of(secret))
