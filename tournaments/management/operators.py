"""Commands that change something: what they do, the operator does, and so the history says."""

from typing import Any

from django.core.management import BaseCommand

from ..services import history


class OperatorCommand(BaseCommand):
    """A command whose changes without another actor are the operator's."""

    def execute(self, *arguments: Any, **options: Any) -> Any:
        with history.by_operator():
            return super().execute(*arguments, **options)
