"""`manage.py serve`: pages, API and workers on this machine, until Ctrl-C."""

from typing import Any

from django.core.management import BaseCommand

from .. import running
from ..supervisor import Supervisor


class Command(BaseCommand):
    help = "Serve pages and API, with workers, until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        running.add_arguments(parser)

    def handle(self, *, port: int, workers: int, **_: Any) -> None:
        running.check_place(port)
        running.do_aside(running.prepare_database)

        def say_where(_: Supervisor) -> None:
            address = f"http://127.0.0.1:{port}"
            self.stdout.write(f"Étui: {address}/  (Ctrl-C stops it)")
            running.offer_set_up(self.stdout.write, address)

        running.run(port=port, workers=workers, say=self.stdout.write, until_ready=say_where)
