"""`manage.py serve`: pages, API and workers on this machine, until Ctrl-C."""

from typing import Any

from django.core.management import BaseCommand

from .. import certificates, lan, running
from ..places import LOOPBACK, ServingPlace


class Command(BaseCommand):
    help = "Serve pages and API, with workers, until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        running.add_arguments(parser)
        parser.add_argument(
            "--certificate",
            action="store_true",
            help="with --lan: serve over HTTPS, by a certificate of this machine's own",
        )

    def handle(self, *, port: int, workers: int, certificate: bool, **options: Any) -> None:
        place = running.place(port, options["lan"], certificate)
        running.prepare_database()
        said = [
            f"Étui: {place.address}/  (Ctrl-C stops it)",
            *how_to_reach(place),
            running.offer_set_up(place.address),
        ]
        running.run("serve", place, workers, welcome="\n".join(filter(None, said)))


def how_to_reach(place: ServingPlace) -> list[str]:
    """What phones in the hall have to know."""
    if place.host == LOOPBACK:
        return []
    if place.certificate is None:
        warning = (
            "Without HTTPS everybody in this network could read what is sent, passwords too, and the "
            "phones keep results that could not be sent only while their page is open. --certificate "
            "serves over HTTPS."
        )
    else:
        warning = (
            "Each phone warns once of a certificate that it does not know. This machine's own has the "
            f"SHA-256 fingerprint {certificates.fingerprint(place.certificate)}"
        )
    return [lan.picture(f"{place.address}/"), warning]
