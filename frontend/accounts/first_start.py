"""The first start: who may make themselves the first administrator."""

from django.http import HttpRequest

from tournaments.here import is_at_the_machine
from tournaments.services import roles


def step(request: HttpRequest) -> str:
    """What the first page says of it: nothing once there is an administrator, else "here" or "terminal" for
    everybody else, who is told to look there."""
    if roles.has_administrator():
        return ""
    return "here" if is_at_the_machine(request) else "terminal"
