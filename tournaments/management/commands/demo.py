"""`manage.py demo`: an evening of COM'ON! played by robot tables, to be watched live."""

import os
import sys
from collections.abc import Iterator
from random import SystemRandom
from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

from ...models import Club, Role, Token
from ...services import accounts, clubs, roles, tokens
from ...services.roles import RolePlace
from .. import running
from ..playing import DemoEvening

EVENING_SECONDS = 60.0
CLUB = "Club de l’Étui"
NEIGHBOUR = "Club du Port"
DIRECTOR = "Odile Le Guillou"
NAMES = (
    *["Agathe", "Basile", "Célestine", "Désiré", "Éloïse", "François", "Geneviève", "Hippolyte"],
    *["Irénée", "Joséphine", "Léonard", "Maëlle", "Noël", "Ondine", "Zoé"],
)
SESSION = {
    "name": "Mardi soir",
    "game": "comon",
    "contestants": NAMES,
    "names_may_be_published": True,
    "movement": "kirkman",
    "boards_per_round": 3,
}


class Command(BaseCommand):
    help = "Empty the demo's database, serve, and let robot tables play an evening through the API."
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        running.add_arguments(parser)
        parser.add_argument(
            "--season",
            action="store_true",
            help="play a season of 30 evenings of three games first, with promotion: half a minute or so",
        )
        parser.add_argument("--speed", type=float, default=1.0, help="2 is twice as fast; 0 plays it at once")

    def handle(
        self, *, port: int, workers: int, speed: float, lan: str | None, season: bool, **_: Any
    ) -> None:
        if speed < 0:
            raise CommandError("--speed must be 0 (at once) or more; 1 makes the evening last a minute.")
        place = running.place(port, lan)
        begin_anew()
        os.environ["DEMO_SECRET"] = secret = token_urlsafe(32)  # for the web process
        evening = prepared(
            place.address, secret, EVENING_SECONDS / speed if speed else 0.0, with_season=season
        )
        running.run("demo", place, workers, demo=evening)


def prepared(address: str, secret: str, seconds: float, *, with_season: bool = False) -> DemoEvening:
    """The demo's club with its people, perhaps with a season that robots have played, and the evening that
    the robots will play there."""
    club = clubs.create(CLUB)
    token, organiser = tokens.issue_for_role(person="Étui", club=club, kind=Role.Kind.ORGANISER)
    director = accounts.create(name=DIRECTOR, email=settings.DEMO_DIRECTOR)
    roles.grant(account=director, kind=Role.Kind.ORGANISER, place=RolePlace(club), actor=None)
    said = [
        f"The director's desk, with a short tour:  {address}/demo/{secret}/",
        f"The live ranking:  {address}/fr/sessions/{{session}}/   (English: /en/…)",
        f"The API's page:    {address}/api/docs/",
        f"Organiser's token: {organiser}",
        *(seasons_of(club, token, address) if with_season else ()),
        running.offer_set_up(address),
    ]
    return DemoEvening(
        address=address,
        organiser=organiser,
        tournament="Tournoi de démonstration",
        session=SESSION,
        plays=len(NAMES) // 3 * 7 * 3,
        seconds=seconds,
        welcome="\n".join(filter(None, said)),
    )


def seasons_of(club: Club, organiser: Token, address: str) -> Iterator[str]:
    """Play a season and an event of two clubs here, before anything is served, and say where they are."""
    from tqdm import tqdm

    from ..event_demo import play_event  # not where nobody asks for it
    from ..season_demo import EVENINGS, play_season

    settings.BALANCING_SECONDS = 0  # in this process alone: seats are as good as arranged, thirty times
    random = SystemRandom()
    with tqdm(total=EVENINGS, unit="evening", desc="Season", file=sys.stdout, mininterval=0.5) as bar:
        season, following = play_season(club=club, organiser=organiser, random=random, tell=bar.update)
    event = play_event(club=club, organiser=organiser, neighbour=NEIGHBOUR, random=random)
    running.clear_messages()  # their work is done
    yield f"The season:        {address}/fr/seasons/{season.pk}/"
    yield f"The ratings:       {address}/fr/clubs/{club.slug}/ratings/"
    yield f"An event of clubs: {address}/fr/events/{event.pk}/"
    yield f"The next one:      {address}/fr/seasons/{following.pk}/   (who went up, who came down)"


def begin_anew() -> None:
    """An empty database, and no message about what was in it."""
    running.prepare_database()
    check_nothing_is_lost()
    call_command("flush", interactive=False, verbosity=0)
    running.clear_messages()


def check_nothing_is_lost() -> None:
    """The demo starts with an empty database. CommandError if that would erase somebody's tournaments."""
    others = Club.objects.exclude(name__in=[CLUB, NEIGHBOUR]).values_list("name", flat=True)[:3]
    if others:
        raise CommandError(
            f"This database holds the tournaments of {', '.join(others)}; the demo would erase them. "
            "Give it a place of its own: make demo VAR_DIR=/tmp/etui-demo (or another DATABASE_URL)."
        )
