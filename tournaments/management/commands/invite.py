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
        "or of the club or session that is named. It is good once. With --holders, a link for each role of "
        "those who have tokens and no way to sign in."
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("kind", nargs="?", choices=[str(kind.value) for kind in RoleKind])
        parser.add_argument("--holders", action="store_true", help="links for holders of earlier tokens")
        parser.add_argument("--club", help="its slug or its number (manage.py club)")
        parser.add_argument("--session", type=int, help="its number")
        parser.add_argument("--email", help="for the person with this address alone")
        parser.add_argument("--address", help="of the service, as https://example.org; PUBLIC_URL by default")

    def handle(
        self,
        *,
        kind: str | None,
        holders: bool,
        club: str | None,
        session: int | None,
        email: str | None,
        address: str | None,
        **_: Any,
    ) -> None:
        base = (address or settings.PUBLIC_URL or "http://127.0.0.1:8000").rstrip("/")
        if holders:
            self.invite_holders(base)
            return
        if kind is None:
            raise CommandError("Say to which role, or --holders.")
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
        self.stdout.write(base + invitations.path_of(secret))

    def invite_holders(self, base: str) -> None:
        """A line for each role: whose, which, where, and the link."""
        for role in invitations.roles_without_a_way_in():
            place = RolePlace.of(role)
            try:
                _invitation, secret = invitations.invite(kind=RoleKind(role.kind), place=place, actor=None)
            except Refused as error:
                raise CommandError(str(error)) from None
            link = base + invitations.path_of(secret)
            self.stdout.write(f"{role.account.name}\t{role.kind}\t{place.name}\t{link}")
