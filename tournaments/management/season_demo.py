"""The season of `manage.py demo --season`: evenings of three games that robots have played, one a week, in
two divisions, and the season that follows it, with whoever went up and came down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from random import Random
from typing import Any
from uuid import uuid4

from django.db.models import Prefetch
from django.utils import timezone

from engines import bots, registry

from ..models import Club, Play, Player, Season, Seating, Session, Token, Tournament
from ..services import (
    board_sets,
    judging,
    rankings,
    ratings,
    register,
    season_standings,
    seasons,
    sessions,
    submissions,
)
from ..services.register import Details

EVENINGS = 30
PLAYERS = (
    *["Agathe Morvan", "Basile Guéguen", "Célestine Riou", "Désiré Le Bris", "Éloïse Tanguy"],
    *["François Kerbrat", "Geneviève Le Floch", "Hippolyte Jézéquel", "Irénée Cloarec", "Joséphine Salaün"],
    *["Léonard Quéméner", "Maëlle Pennec", "Noël Abgrall", "Ondine Le Gall", "Paulin Cadiou"],
    *["Quitterie Hascoët", "Rémi Bothorel", "Solange Mével", "Théophile Nicol", "Ursule Le Guen"],
    *["Victor Postic", "Wanda Férec", "Yves Kermarrec", "Zoé Larnicol"],
)
"""From the strongest to the weakest."""
FIRST = 10  # players of the first division
CATEGORIES = ((), ("junior",), ("senior",), ())


@dataclass(frozen=True, slots=True)
class DemoGame:
    """An evening of a game: how many contestants of how many players come to it."""

    game: str
    movement: str
    contestants: int
    players: int = 1


GAMES = (
    DemoGame("comon", "kirkman", 15),
    DemoGame("cochonnet", "round-robin", 8, players=2),
    DemoGame("hombre", "kirkman", 15),
)


def play_season(
    *,
    club: Club,
    organiser: Token,
    evenings: int = EVENINGS,
    random: Random,
    tell: Callable[[], object] = lambda: None,
) -> tuple[Season, Season]:
    """The season, which is over, and the one that follows it, open and without an evening; all who played are
    rated. `tell` is called after each evening. The time grows with the evenings."""
    players = [_player(club, at, name) for at, name in enumerate(PLAYERS)]
    tournament = sessions.create_tournament(actor=organiser, club=club, name="Les jeudis")
    season = _season(club, organiser, players, evenings)
    begins = timezone.now().replace(hour=19, minute=0, second=0, microsecond=0) - timedelta(weeks=evenings)
    chosen: dict[tuple[str, int], str] = {}
    for number in range(evenings):
        session = _evening(
            tournament, organiser, GAMES[number % len(GAMES)], _who_comes(players, random),
            name=f"Jeudi {number + 1}", starts_at=begins + timedelta(weeks=number), random=random,
        )  # fmt: skip
        # the last evening of a season counts double, as many clubs have it
        chosen["session", session.pk] = "2" if number + 1 == evenings else "1"
        seasons.change(season=season, actor=organiser, evenings=chosen)
        season_standings.rank(season_id=season.pk)
        tell()
    season = seasons.change(season=season, actor=organiser, state=Season.State.OVER)
    season_standings.rank(season_id=season.pk)
    following = seasons.follow(season=season, actor=organiser, name="Saison suivante")
    following = seasons.change(season=following, actor=organiser, state=Season.State.OPEN)
    season_standings.rank(season_id=following.pk)
    ratings.store(ratings.compute(club=club), actor=organiser, is_asked=True)
    return season, following


def _player(club: Club, at: int, name: str) -> Player:
    given, _space, family = name.partition(" ")
    details = Details(given, family, consent=True, categories=CATEGORIES[at % len(CATEGORIES)])
    return register.add(club=club, actor=None, details=details)


def _season(club: Club, organiser: Token, players: Sequence[Player], evenings: int) -> Season:
    """Two divisions as the season before left them: not quite in the order of strength."""
    above = [one.pk for at, one in enumerate(players) if at < FIRST + 3 and at not in (3, 6, 8)]
    return seasons.create(
        actor=organiser,
        club=club,
        name="Saison des jeudis",
        state=Season.State.OPEN,
        measure=Season.Measure.STANDARD,
        ranked=[Season.Ranked.PLAYERS, Season.Ranked.CONTESTANTS],
        rules={
            **{"best": max(evenings * 2 // 3, 1), "least": max(evenings // 3, 1)},
            "tie_breaks": ["encounters", "best-evenings"],
        },
        divisions=[
            {"name": "Première division", "members": [[pk] for pk in above]},
            {
                "name": "Deuxième division",
                "members": [[one.pk] for one in players if one.pk not in above],
            },
        ],
        up=3,
        down=3,
        handicaps={one.pk: str((at - FIRST) // 3) for at, one in enumerate(players) if at > FIRST},
        prizes=[
            {"name": "Champion du club", "division": 1},
            {"name": "Coupe de la deuxième division", "division": 2},
            {"name": "Meilleur jeune", "category": "junior"},
            {"name": "Prix du handicap", "handicap": True, "count": 2},
        ],
    )


def _who_comes(players: Sequence[Player], random: Random) -> list[Player]:
    """Everybody in some order: those at its end stay at home."""
    return random.sample(list(players), len(players))


def _evening(
    tournament: Tournament,
    organiser: Token,
    what: DemoGame,
    players: Sequence[Player],
    *,
    random: Random,
    **how: Any,
) -> Session:
    """An evening from its plan to its published list."""
    size = what.players
    entered = [
        {"players": [one.pk for one in players[at * size : (at + 1) * size]]}
        for at in range(what.contestants)
    ]
    session = sessions.set_up(
        tournament=tournament,
        actor=organiser,
        game=what.game,
        options={},
        method="matchpoints",
        movement=what.movement,
        contestants=entered,
        boards_per_round=2,
        rounds=3,
        custody="none",
        **how,
    )
    play(session, organiser, random)
    sessions.finish(session=session, actor=organiser)
    sessions.publish(session=session, actor=organiser, listed=True)
    return session


def play(session: Session, organiser: Token, random: Random) -> None:
    """Robots play a whole session, and a worker's work is done at once. Of its players, those who came to the
    register first are the strongest: they play sensibly more often."""
    members = session.members.order_by("player").values_list("player", flat=True)
    ordered = list(dict.fromkeys(members))
    strength = {pk: Fraction(len(ordered) - at, len(ordered)) for at, pk in enumerate(ordered)}
    seated = Seating.objects.select_related("contestant").prefetch_related("contestant__members")
    own = Play.objects.filter(board__board_set__session=session).order_by("pk")
    plays = own.select_related("table__section", "board").prefetch_related(
        Prefetch("seatings", queryset=seated.order_by("seat"))
    )
    entries = [
        submissions.ResultEntry(
            section=play.table.section.name,
            table=play.table.number,
            board=play.board.number,
            key=uuid4(),
            content={"actions": _actions(session, play, strength, random)},
        )
        for play in plays
    ]
    submissions.submit(session_id=session.pk, sender=organiser, entries=entries)
    while judging.judge(session_id=session.pk).is_full:
        pass
    while rankings.rank(session_id=session.pk) is not None:
        pass


def _actions(session: Session, play: Play, strength: dict[int, Fraction], random: Random) -> list[object]:
    """What the robots of a table do: each is sensible as often as its player is strong."""
    game = registry.game(session.game)
    state = game.start(board_sets.deal_of(session, play.board.number), session.options)
    robots = []
    for seating in play.seatings.all():
        own = [strength[member.player_id] for member in seating.contestant.members.all()]
        is_sensible = random.random() < sum(own) / len(own)
        robots.append(bots.sensible if is_sensible else bots.at_random)
    bots.play_on(game, state, robots, bots.randomness("season", play.pk, random.random()))
    return list(state.entries)
