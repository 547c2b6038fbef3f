"""`manage.py verify_history [--session N]`: whether the history is still the one that was sealed."""

from typing import Any

from django.core.management import BaseCommand, CommandError

from ...models import Club, Session
from ...services import chains, clubs
from ...services.chains import ChainScope, Verification
from ...services.errors import Refused


class Command(BaseCommand):
    help = (
        "Compute the chains of hashes over the history again, and say which entries or seals are missing, "
        "changed or added: of all sessions, clubs and the federation, or of one of them."
    )

    def add_arguments(self, parser: Any) -> None:
        one = parser.add_mutually_exclusive_group()
        one.add_argument("--session", type=int, help="of this session alone: the number in its address")
        one.add_argument("--club", help="of this club alone, without its sessions: its slug or its number")
        parser.add_argument("--digest", help="of a seal that you have noted: it must be one of them")

    def handle(self, *, session: int | None, club: str | None, digest: str | None, **_: Any) -> None:
        all_found = [self.said(chains.verify(scope)) for scope in self.scopes(session, club)]
        known = digest is None or any(digest.lower() in one.digests for one in all_found)
        if not known:
            self.stdout.write(f"No seal has the digest {digest}: seals have been taken away or made anew.")
        if not known or any(one.findings for one in all_found):
            raise CommandError("The history is not the one that was sealed.")

    def scopes(self, session: int | None, club: str | None) -> list[ChainScope]:
        if session is not None:
            if not Session.objects.filter(pk=session).exists():
                raise CommandError(f"There is no session {session}.")
            return [ChainScope(session=session)]
        if club is None:
            return list(chains.scopes())
        try:
            the_club: Club = clubs.club_at(club)
        except Refused as error:
            raise CommandError(str(error)) from None
        return [ChainScope(club=the_club.pk)]

    def said(self, found: Verification) -> Verification:
        """What was found, printed if there is anything to say."""
        name = found.scope[0].upper() + found.scope[1:]
        for finding in found.findings:
            self.stdout.write(f"{name}: {finding}.")
        if found.seals and not found.findings:
            counts = f"{found.entries} entries under {found.seals} seals"
            self.stdout.write(f"{name}: {counts} agree; the newest is {found.digest}.")
        if found.waiting_since is not None:
            since = chains.moment(found.waiting_since)
            self.stdout.write(f"{name}: {found.waiting} entries are not sealed yet, the oldest of {since}.")
        return found
