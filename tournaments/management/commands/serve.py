"""`manage.py serve`: pages, API and workers on this machine, until Ctrl-C."""

from typing import Any

from django.core.management import BaseCommand

from .. import lan, running
from ..supervisor import Supervisor


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
        running.do_aside(running.prepare_database)

        def say_where(_: Supervisor) -> None:
            self.stdout.write(f"Étui: {place.address}/  (Ctrl-C stops it)")
            self.say_how(place)
            running.offer_set_up(self.stdout.write, place.address)

        running.run(place=place, workers=workers, say=self.stdout.write, until_ready=say_where)

    def say_how(self, place: lan.ServingPlace) -> None:
        """What phones in the hall have to know."""
        if place.host == lan.LOOPBACK:
            return
        self.stdout.write(lan.picture(f"{place.address}/"))
        if place.certificate is None:
            self.stdout.write(
                "Without HTTPS everybody in this network could read what is sent, passwords too, and the "
                "phones keep results that could not be sent only while their page is open. --certificate "
                "serves over HTTPS."
            )
        else:
            from .. import certificates  # not before there is one

            self.stdout.write(
                "Each phone warns once of a certificate that it does not know. This machine's own has the "
                f"SHA-256 fingerprint {certificates.fingerprint(place.certificate)}"
            )
