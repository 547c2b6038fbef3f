"""The ratings of a club's players: made anew, evening by evening, from rankings that everybody may see."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.ratings import Rating, ratings_after

from ..models import Club, Member, Player, PlayerRating, Session
from ..models.tournaments import not_under_embargo
from ..movements.cooling import Progress
from . import bulk, history, rankings, versions
from .names import Reader

AT_ONCE = 100  # sessions whose players are read together


@dataclass(frozen=True, slots=True)
class ClubRatings:
    """The ratings of a club that were made anew: by game and player (its id), with the number of events."""

    club: int
    ratings: Mapping[str, Mapping[int, Rating]]
    events: Mapping[tuple[str, int], int]
    sessions: int

    def to_json(self) -> dict[str, int]:
        return {
            "sessions": self.sessions,
            "games": len(self.ratings),
            "players": sum(map(len, self.ratings.values())),
        }


def sessions_of(club: Club) -> QuerySet[Session]:
    """Those that count, in their order: listed, and at least provisional. Trials count for nothing."""
    own = Session.objects.filter(not_under_embargo(), tournament__club=club, listed=True, is_trial=False)
    return own.filter(state__in=Session.RANKED).order_by(Coalesce("starts_at", "created_at"), "pk")


def compute(*, club: Club, progress: Progress | None = None) -> ClubRatings:
    """The ratings of everybody who has played at a club, from its first evening on; nothing is stored. Each
    line group of a session is an event of its own, as its contestants were never compared with the others.
    Its time grows with the square of each event's field, and with the events."""
    found: dict[str, dict[int, Rating]] = defaultdict(dict)
    events: Counter[tuple[str, int]] = Counter()
    own = list(sessions_of(club).values_list("pk", "game"))
    for start in range(0, len(own), AT_ONCE):
        some = own[start : start + AT_ONCE]
        players: dict[int, list[int]] = defaultdict(list)
        members = Member.objects.filter(session__in=[pk for pk, _game in some])
        for contestant, player in members.order_by("player").values_list("contestant", "player"):
            players[contestant].append(player)
        newest = {one.session_id: one for one in rankings.newest_of([pk for pk, _game in some])}
        for at, (pk, game) in enumerate(some, start + 1):
            order = versions.order_of(newest[pk]) if pk in newest else versions.Order({})
            for group in order.groups.values():
                places = [(str(position), players[k]) for k, position in group.positions() if players.get(k)]
                boards = {player: order.totals[k].boards for k, _position in group.positions()
                          for player in players.get(k, ())}  # fmt: skip
                found[game] = ratings_after(found[game], places, boards=boards)
                if len(places) > 1:
                    events.update((game, player) for player in boards)
            if progress is not None:
                progress(at / len(own))
    return ClubRatings(club.pk, found, events, len(own))


@transaction.atomic
def store(made: ClubRatings, *, actor: history.Actor) -> None:
    """The ratings of a club, in place of those that there were. Whoever has been erased has none."""
    club = Club.objects.select_for_update(no_key=True).get(pk=made.club)
    PlayerRating.objects.filter(club=club).delete()
    rated = {player for some in made.ratings.values() for player in some}
    there = set(Player.objects.filter(pk__in=rated, erased_at=None).values_list("pk", flat=True))
    rows = [
        (game, player, one)
        for game, some in made.ratings.items()
        for player, one in some.items()
        if player in there
    ]
    bulk.insert(
        PlayerRating,
        {
            "game": [game for game, _player, _one in rows],
            "player": [player for _game, player, _one in rows],
            "mean": [one.mean for _game, _player, one in rows],
            "spread": [one.spread for _game, _player, one in rows],
            "boards": [one.boards for _game, _player, one in rows],
            "events": [made.events[game, player] for game, player, _one in rows],
        },
        same={"club": club.pk, "made_at": timezone.now()},
    )
    history.note(actor, "rated", club, club=club, sessions=made.sessions)


def of(club: Club, game: str | None, reader: Reader) -> Sequence[tuple[int, PlayerRating]]:
    """The ratings at a game, or at each, as a reader may see them, the strongest first, each with its rank:
    of players who have agreed to their names on pages, and of all to whoever keeps the club's register; and
    everybody's own."""
    own = PlayerRating.objects.filter(club=club).select_related("player").order_by("game", "-mean", "pk")
    found = []
    ranks: Counter[str] = Counter()
    for one in own if game is None else own.filter(game=game):
        if one.player.consent or one.player_id in reader.players or club.pk in reader.clubs:
            ranks[one.game] += 1
            found.append((ranks[one.game], one))
    return found


def rating_of(row: PlayerRating) -> Rating:
    return Rating(row.mean, row.spread, row.boards)
