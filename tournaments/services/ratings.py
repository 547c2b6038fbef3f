"""The ratings of a club's players, game by game and over all games: brought up to date by a worker whenever a
ranking that everybody may see is published or amended.

What each evening led to is kept, so that a new evening costs one evening, and an amended one those from it
on: the first session of which something else would be read than what was, is where everything is made anew.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from operator import eq

from django.db import transaction
from django.db.models import F, QuerySet, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone

import scoring
from scoring.ratings import ELO, Forecasts, Rating, elos_after, forecasts, ratings_after

from ..models import Club, Member, Player, PlayerRating, RatedSession, RatingStep, RatingTally, Session
from ..models.ratings import ALL_GAMES
from ..models.tournaments import not_under_embargo
from ..movements.cooling import Progress
from . import bulk, history, rankings, versions
from .names import Reader

AT_ONCE = 100  # sessions whose players are read together
DRAWN = 60  # evenings of somebody's history, at most

Standings = dict[str, dict[int, "RatedPlayer"]]
"""By game, or `ALL_GAMES`, and by player (its id)."""


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """Where a player stands: `elo` is what Elo's rating would be, to compare with; `played_at`: when their
    last event was."""

    rating: Rating
    elo: float = ELO
    events: int = 0
    played_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CountedSession:
    """A session that counts, as far as the order needs it. `taken`: what would be read of it."""

    pk: int
    game: str
    taken: str
    played_at: datetime


@dataclass(frozen=True, slots=True)
class RatedAnew:
    """A session with what it led to: by game and player, of those who played."""

    session: CountedSession
    steps: Sequence[tuple[str, int, RatedPlayer]]
    forecasts: Forecasts


@dataclass(frozen=True, slots=True)
class ClubRatings:
    """The ratings of a club, brought up to date and not stored yet. `start`: the place of the first session
    that was made anew; `changes`, `stored`: what the club's tally said when this was begun."""

    club: int
    start: int
    anew: Sequence[RatedAnew]
    standings: Standings
    changes: int
    stored: int

    def to_json(self) -> dict[str, int]:
        games = {game: some for game, some in self.standings.items() if some and game != ALL_GAMES}
        return {
            "sessions": self.start + len(self.anew),
            "games": len(games),
            "players": sum(map(len, games.values())),
        }


# ── Which clubs ───────────────────────────────────────────────────────────────────────────────────


def is_rated(club: Club) -> bool:
    """Whether its ratings follow its evenings: from the first time on that somebody has them made."""
    return RatingTally.objects.filter(club=club).exists()


@transaction.atomic
def forget(*, club: Club, actor: history.Actor) -> None:
    """Nobody at a club is rated any more, and nothing of their ratings stays."""
    if RatingTally.objects.filter(club=club).delete()[0]:
        RatingStep.objects.filter(rated__club=club).delete()
        RatedSession.objects.filter(club=club).delete()
        PlayerRating.objects.filter(club=club).delete()
        history.note(actor, "forgot ratings", club, club=club)


def sessions_of(club: Club) -> QuerySet[Session]:
    """Those that count, in their order: listed, and at least provisional. Trials count for nothing."""
    own = Session.objects.filter(not_under_embargo(), tournament__club=club, listed=True, is_trial=False)
    return own.filter(state__in=Session.RANKED).order_by(Coalesce("starts_at", "created_at"), "pk")


# ── Making them ───────────────────────────────────────────────────────────────────────────────────


def rate(*, club_id: int) -> None:
    """Take in what has changed, if anything has. Twice, late or on two workers at once it does what once
    does; nothing is held meanwhile."""
    while (
        tally := RatingTally.objects.behind().filter(club=club_id).select_related("club").first()
    ) is not None:
        store(compute(club=tally.club))


def compute(*, club: Club, anew: bool = False, progress: Progress | None = None) -> ClubRatings:
    """The ratings of everybody who has played at a club, up to date; nothing is stored. `anew`: from its
    first evening on. Each line group of a session is an event of its own, as its contestants were never
    compared with the others. The time grows with the square of each event's field, and with the events that
    are made anew; the queries with the latter, but for a few."""
    tally = RatingTally.objects.filter(club=club).first() or RatingTally(club=club, changes=0)
    own = _counted(club)
    kept = [] if anew else list(RatedSession.objects.filter(club=club).order_by("place"))
    now = [(at, one.pk, one.taken) for at, one in enumerate(own)]
    then = [(one.place, one.session_id, one.taken) for one in kept]
    start = sum(1 for _same in takewhile(bool, map(eq, now, then)))
    standings = _standings_before(club, start) if start else {}
    made: list[RatedAnew] = []
    for first in range(start, len(own), AT_ONCE):
        some = own[first : first + AT_ONCE]
        players, erased = _players(some)
        newest = {one.session_id: one for one in rankings.newest_of([one.pk for one in some])}
        for at, session in enumerate(some, first + 1):
            order = versions.order_of(newest[session.pk]) if session.pk in newest else versions.Order({})
            made.append(_rated(session, order, players, standings, erased))
            if progress is not None:
                progress(at / len(own))
    return ClubRatings(club.pk, start, made, standings, tally.changes, tally.stored)


def _counted(club: Club) -> list[CountedSession]:
    rows = sessions_of(club).values_list(
        "pk", "game", "tally__version", "tally__layout", "starts_at", "created_at"
    )
    return [
        CountedSession(pk, game, f"{scoring.RULES}.{version}.{layout}", starts_at or created_at)
        for pk, game, version, layout, starts_at, created_at in rows
    ]


def _standings_before(club: Club, place: int) -> Standings:
    """Where everybody stood before the session of that place. One query; the time grows with all that went
    before."""
    newest = Window(RowNumber(), partition_by=["game", "player"], order_by=F("rated__place").desc())
    steps = RatingStep.objects.filter(rated__club=club, rated__place__lt=place).annotate(back=newest)
    found: Standings = defaultdict(dict)
    for one in steps.filter(back=1).select_related("rated__session"):
        session = one.rated.session
        rating = Rating(one.mean, one.spread, one.boards)
        played_at = session.starts_at or session.created_at
        found[one.game][one.player_id] = RatedPlayer(rating, one.elo, one.events, played_at)
    return found


def _players(some: Sequence[CountedSession]) -> tuple[dict[int, list[int]], set[int]]:
    """By contestant its players; and who of all has been erased."""
    players: dict[int, list[int]] = defaultdict(list)
    erased = set()
    members = Member.objects.filter(session__in=[one.pk for one in some]).order_by("player")
    for contestant, player, erased_at in members.values_list("contestant", "player", "player__erased_at"):
        players[contestant].append(player)
        if erased_at is not None:
            erased.add(player)
    return players, erased


def _rated(
    session: CountedSession,
    order: versions.Order,
    players: Mapping[int, Sequence[int]],
    standings: Standings,
    erased: Collection[int],
) -> RatedAnew:
    """Bring the standings up to date after a session. Whoever has been erased counts as somebody who has not
    played yet: nothing is carried on from one of their evenings to another."""
    told = Forecasts()
    met: dict[str, dict[int, None]] = {session.game: {}, ALL_GAMES: {}}
    for group in order.groups.values():
        places = [(str(position), players[k]) for k, position in group.positions() if players.get(k)]
        ranked = [k for k, _position in group.positions()]
        boards = {player: order.totals[k].boards for k in ranked for player in players.get(k, ())}
        if len(places) < 2:
            continue
        for game, here in met.items():
            own = standings.setdefault(game, {})
            before = {player: own[player] for player in boards if player in own}
            ratings = {player: one.rating for player, one in before.items()}
            elos = {player: one.elo for player, one in before.items()}
            after = ratings_after(ratings, places, boards=boards)
            if game != ALL_GAMES:
                told += forecasts(ratings, elos, places)
                elos = elos_after(elos, places)
            for player in boards:
                if player not in erased:
                    events = (before[player].events if player in before else 0) + 1
                    elo = elos.get(player, ELO)
                    own[player] = RatedPlayer(after[player], elo, events, session.played_at)
                    here[player] = None
    steps = [(game, player, standings[game][player]) for game, here in met.items() for player in here]
    return RatedAnew(session, steps, told)


@transaction.atomic
def store(made: ClubRatings, *, actor: history.Actor = None, is_asked: bool = False) -> bool:
    """The ratings of a club, in place of those that there were. Whoever has been erased meanwhile has none.
    False, and nothing is stored, if others have been stored since this was begun, unless somebody asked for
    these (`is_asked`), who finds a line in the history."""
    if is_asked:
        RatingTally.objects.get_or_create(club_id=made.club)
    tallies = RatingTally.objects.select_for_update(no_key=True).filter(club=made.club)
    tally = (tallies if is_asked else tallies.filter(stored=made.stored)).first()
    if tally is None:
        return False
    club = Club.objects.get(pk=made.club)
    old = RatedSession.objects.filter(club=club, place__gte=made.start)
    RatingStep.objects.filter(rated__in=old.values("pk")).delete()
    old.delete()
    rated = {player for some in made.standings.values() for player in some}
    there = set(Player.objects.filter(pk__in=rated, erased_at=None).values_list("pk", flat=True))
    meanwhile = made.changes and tally.changes != made.changes  # somebody may have been erased, or merged
    _store_steps(made, there, is_stale=bool(meanwhile))
    PlayerRating.objects.filter(club=club).delete()
    rows = [
        (game, player, one)
        for game, some in made.standings.items()
        for player, one in some.items()
        if player in there
    ]
    bulk.insert(
        PlayerRating,
        {
            "game": [game for game, _player, _one in rows],
            "player": [player for _game, player, _one in rows],
            "mean": [one.rating.mean for _game, _player, one in rows],
            "spread": [one.rating.spread for _game, _player, one in rows],
            "boards": [one.rating.boards for _game, _player, one in rows],
            "events": [one.events for _game, _player, one in rows],
            "played_at": [one.played_at for _game, _player, one in rows],
        },
        same={"club": club.pk, "made_at": timezone.now()},
    )
    tally.counted, tally.stored = made.changes, tally.stored + 1
    # `changes` is left alone: what has come meanwhile is still to be taken in
    tally.save(update_fields=["counted", "stored"])
    if is_asked:
        history.note(actor, "rated", club, club=club, sessions=made.start + len(made.anew))
    return True


def _store_steps(made: ClubRatings, there: Collection[int], *, is_stale: bool) -> None:
    """`is_stale`: they are to be made anew."""
    ids = bulk.new_ids(RatedSession, len(made.anew))
    bulk.insert(
        RatedSession,
        {
            "id": ids,
            "session": [one.session.pk for one in made.anew],
            "place": list(range(made.start, made.start + len(made.anew))),
            "taken": ["" if is_stale else one.session.taken for one in made.anew],
            "forecasts": [one.forecasts.to_json() for one in made.anew],
        },
        same={"club": made.club},
    )
    rows = [
        (pk, game, player, standing)
        for pk, one in zip(ids, made.anew, strict=True)
        for game, player, standing in one.steps
        if player in there
    ]
    bulk.insert(
        RatingStep,
        {
            "rated": [pk for pk, _game, _player, _one in rows],
            "game": [game for _pk, game, _player, _one in rows],
            "player": [player for _pk, _game, player, _one in rows],
            "mean": [one.rating.mean for _pk, _game, _player, one in rows],
            "spread": [one.rating.spread for _pk, _game, _player, one in rows],
            "elo": [one.elo for _pk, _game, _player, one in rows],
            "boards": [one.rating.boards for _pk, _game, _player, one in rows],
            "events": [one.events for _pk, _game, _player, one in rows],
        },
    )


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def is_whole(club: Club) -> bool:
    """Whether everybody may see every session that its ratings rest on: not while one has been withdrawn, and
    a worker is still to make them without it."""
    rated = RatedSession.objects.filter(club=club)
    return not rated.exclude(session__in=sessions_of(club).order_by().values("pk")).exists()


def of(club: Club, game: str | None, reader: Reader) -> Sequence[tuple[int, PlayerRating]]:
    """The ratings at a game, or at each, as a reader may see them, each with its rank: of players who have
    agreed to their names on pages, and of all to whoever keeps the club's register; and everybody's own. The
    strongest first; those whose rating is provisional after them, then those who have not played for a year.
    None as long as they are not whole."""
    if not is_whole(club):
        return []
    own = PlayerRating.objects.filter(club=club).select_related("player")
    now = timezone.now()
    shown = [
        one
        for one in (own if game is None else own.filter(game=game))
        if one.player.consent or one.player_id in reader.players or club.pk in reader.clubs
    ]
    shown.sort(
        key=lambda one: (one.game, one.is_inactive(now), rating_of(one).is_provisional(), -one.mean, one.pk)
    )
    ranks: Counter[str] = Counter()
    found = []
    for one in shown:
        ranks[one.game] += 1
        found.append((ranks[one.game], one))
    return found


def public_of(player: Player) -> list[PlayerRating]:
    """A player's ratings at their club, over all games first; none as long as they are not whole. For those
    who see the player's name."""
    own = PlayerRating.objects.filter(player=player, club=player.club)
    found = sorted(own, key=lambda one: (one.game != ALL_GAMES, one.game))
    return found if found and is_whole(player.club) else []


def rating_of(row: PlayerRating) -> Rating:
    return Rating(row.mean, row.spread, row.boards)


def games_rated(club: Club) -> list[str]:
    """At which games somebody has a rating, by id."""
    own = PlayerRating.objects.filter(club=club).exclude(game=ALL_GAMES).order_by("game")
    return list(own.values_list("game", flat=True).distinct())


def histories(players: Collection[int], club: Club | None = None) -> dict[tuple[int, str], list[RatingStep]]:
    """By club (its id) and game, what the ratings of a player (given by its lines in the registers) were
    after each of the latest sessions that everybody may see, the earliest of them first. One query."""
    public = not_under_embargo("rated__session")
    steps = RatingStep.objects.filter(public, player__in=players, rated__session__listed=True)
    if club is not None:
        steps = steps.filter(rated__club=club)
    found: dict[tuple[int, str], list[RatingStep]] = defaultdict(list)
    for one in steps.select_related("rated__session__tournament__club").order_by("-rated__place", "pk"):
        line = found[one.rated.club_id, one.game]
        if len(line) < DRAWN:
            line.append(one)
    return {key: line[::-1] for key, line in found.items()}


def foretold(club: Club) -> Forecasts:
    """How well the ratings of a club have foretold its sessions. One query."""
    rows = RatedSession.objects.filter(club=club).values_list("forecasts", flat=True)
    return sum(map(Forecasts.from_json, rows), Forecasts())
