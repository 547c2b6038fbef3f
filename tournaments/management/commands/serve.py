"""`manage.py serve`: pages, API and workers on this machine, until Ctrl-C."""

from typing import Any

from django.core.management import BaseCommand

from .. import running


class Command(BaseCommand):
    help = "Serve pages and API, with workers, until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        running.add_arguments(parser)

    def handle(self, *, port: int, workers: int, **_: Any) -> None:
        running.check_place(port)
        running.prepare_database_aside()
        running.run(
            port=port,
            workers=workers,
            say=self.stdout.write,
            until_ready=lambda _: self.stdout.write(f"Étui: http://127.0.0.1:{port}/  (Ctrl-C stops it)"),
        )
