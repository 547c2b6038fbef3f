"""A few clubs in the middle of their season, for the pictures of the pages: what is being played, what has
been and what comes, by invented people. Robots play every board."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from engines import bots, registry
from tests.frontend.test_desk import at_desk
from tests.tournaments.worlds import an_entry, plays_of, work
from tournaments.models import Account, Club, Play, Player, Result, Session, TableLink, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    board_sets,
    clubs,
    desk_entries,
    drafts,
    lists,
    player_links,
    registrations,
    roles,
    rounds,
    session_wishes,
    sessions,
    submissions,
    table_links,
)
from tournaments.services.roles import FEDERATION, RolePlace

PEOPLE = (
    *("François-Xavier de La Rochebrochard", "Joséphine Le Guillou", "Célestine d’Aubigny"),
    *("Geneviève Duhamel-Lestienne", "Basile Ochoa", "Irénée Fontanel", "Léonard Brissac", "Ondine Castaing"),
    *("Zoé Malherbe", "Agathe Perrin", "Éloïse Quéméner", "Désiré Vauquelin", "Hippolyte Saint-Amand"),
    *("Noël Jacquemart", "Maëlle Kervadec", "Blandine Charpentier", "Raphaël Sitbon", "Inès Belkacem"),
    *("Aurélien Dufour", "Gaspard Lemoine", "Perrine Vasseur", "Théophile Roussel", "Octave Delorme"),
    *("Marie-Antoinette de Villeneuve-Bargemon", "Clémence Aubert", "Yvonne Kaczmarek", "Ambroise Nguyen"),
    *("Solange Etcheverry", "Apolline Martin", "Guénolé Riou", "Solène Roux", "Hadrien Petit"),
)
NANTES, BIEVRE, MALO, REZE = (
    "Club de l’Étui, Nantes",
    "Cercle de la Bièvre, Paris",
    "Amicale de Saint-Malo",
    "Les Joueurs de Rezé",
)
PAST = (  # club, tournament, session, game, movement, who, days ago
    (MALO, "Belote Noisette des quatre saisons", "Automne", "belote-noisette", "kirkman", (3, 12), 9),
    (REZE, "Jeudi de Rezé", "12 novembre", "comon", "kirkman", (9, 18), 11),
    (NANTES, "Onze-Novembre des tarots", "Grand prix", "tarot-double-detente", "kirkman", (0, 9), 12),
    (BIEVRE, "Mardi de L’Hombre", "13ᵉ soirée", "hombre", "kirkman", (15, 24), 14),
)
COMING = (  # club, tournament, session, game, days from now, hour
    (MALO, "Belote Noisette des quatre saisons", "Hiver", "belote-noisette", 3, 20),
    (REZE, "Coupe d’automne", "Finale", "comon", 5, 14),
    (BIEVRE, "Mardi de L’Hombre", "15ᵉ soirée", "hombre", 7, 20),
    (NANTES, "Simultané de COM’ON!", "11 clubs, mêmes étuis", "comon", 11, 15),
)


class Gallery:
    """`sessions` and `clubs` by a word, and in `words` what else stands in addresses."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.sessions: dict[str, int] = {}
        self.words: dict[str, Any] = {}
        self.odile = accounts.create(name="Odile Le Guillou", email="odile@example.org", password=None)
        roles.grant(account=self.odile, kind=RoleKind.ADMINISTRATOR, place=FEDERATION, actor=None)
        self.clubs: dict[str, Club] = {}
        for name in (NANTES, BIEVRE, MALO, REZE):
            club = self.clubs[name] = clubs.create(name)
            roles.grant(account=self.odile, kind=RoleKind.ORGANISER, place=RolePlace(club), actor=None)

    def at(self, days: int, hour: int, minute: int = 0) -> datetime:
        """By a club's clock, so many days from now."""
        there = self.now.astimezone(self.clubs[NANTES].zone) + timedelta(days=days)
        return there.replace(hour=hour, minute=minute, second=0, microsecond=0)

    def session(
        self, word: str, club: str, tournament: str, name: str, who: tuple[int, int], **wish: Any
    ) -> Session:
        home = self.clubs[club]
        kept = Tournament.objects.filter(club=home, name=tournament).first()
        setting: dict[str, Any] = {
            **{"game": "comon", "options": {}, "method": "matchpoints", "movement": "kirkman"},
            **{"boards_per_round": 1, "names_may_be_published": True},
        }
        made = sessions.set_up(
            tournament=kept or Tournament.objects.create(club=home, name=tournament),
            actor=self.odile,
            name=name,
            contestants=PEOPLE[slice(*who)],
            **setting | wish,
        )
        sessions.publish(session=made, actor=self.odile, listed=True)
        self.sessions[word] = made.pk
        return made

    def play(self, session: Session, plays: Collection[Play] | None = None) -> None:
        """The records of these plays are handed in by their tables, or of all."""
        session = Session.objects.select_related("board_set", "tournament__club").get(pk=session.pk)
        game = registry.game(session.game)
        senders = {link.table_id: link.token for link in self.links(session)}
        entries: dict[int, list[submissions.ResultEntry]] = {}
        for play in plays_of(session) if plays is None else plays:
            state = game.start(board_sets.deal_of(session, play.board.number), session.options)
            chance = bots.randomness(session.name, play.pk)
            robots = [
                chance.choice((bots.sensible, bots.at_random))
                for _ in range(game.seat_count(session.conditions))
            ]
            bots.play_on(game, state, robots, chance)
            handed_in = an_entry(play, {"actions": list(state.entries)})
            entries.setdefault(play.table_id, []).append(handed_in)
        for table, own in entries.items():
            submissions.submit(session_id=session.pk, sender=senders[table], entries=own)
        work(session)

    def agree(self, session: Session, plays: Collection[Play]) -> None:
        """The director has looked at these, and they are confirmed."""
        for result in Result.objects.filter(play__in=[play.pk for play in plays]).select_related("play"):
            desk_entries.confirm(
                session=session, play=result.play, account=self.odile, submission=result.submission_id
            )

    def links(self, session: Session) -> list[TableLink]:
        """The tables' own, made where there are none."""
        there = table_links.in_force(session, self.odile)
        return there or table_links.make(session=session, actor=self.odile)

    def finished(self, session: Session) -> Session:
        self.play(session)
        session.refresh_from_db()
        return sessions.finish(session=session, actor=self.odile)


def build(now: datetime | None = None) -> Gallery:
    settings.BALANCING_SECONDS = 0.0
    gallery = Gallery(now or timezone.now())
    for number, (club, tournament, name, game, movement, who, days) in enumerate(PAST):
        made = gallery.session(
            *(f"past{number}", club, tournament, name, who),
            **{"game": game, "movement": movement, "starts_at": gallery.at(-days, 20)},
        )
        gallery.finished(made)
    wish: dict[str, Any] = {"starts_at": gallery.at(-6, 20, 15), "boards_per_round": 2}
    comon = gallery.session("comon", NANTES, "Mardi de COM’ON!", "15ᵉ soirée", (0, 15), **wish)
    veterans = ("Joséphine", "Basile", "Noël", "Zoé", "Agathe")
    Player.objects.filter(given_name__in=veterans).update(categories=["veteran"])
    for setup in (
        lists.ListSetup("Vétérans", "category", "veteran", tie_breaks=["direct-encounter"]),
        lists.ListSetup("Handicap", "handicap", handicaps={"3": "2", "9": "4", "15": "5/2"}),
    ):
        lists.set_up(session=comon, actor=gallery.odile, setup=setup)
    gallery.finished(comon)
    _tonight(gallery)
    for number, (club, tournament, name, game, days, hour) in enumerate(COMING):
        starts_at = gallery.at(days, hour)
        gallery.session(f"next{number}", club, tournament, name, (0, 9), game=game, starts_at=starts_at)
    tournament = Tournament.objects.get(club=gallery.clubs[NANTES], name="Mardi de COM’ON!")
    coming = registrations.open_list(tournament=tournament, actor=gallery.odile, name="17ᵉ soirée", limit=24)
    gallery.words |= {"list": coming.pk, "tournament": tournament.pk}
    _at_work(gallery, comon)
    return gallery


def _at_work(gallery: Gallery, past: Session) -> None:
    """What those see who work: a session half set up, slips to enter, a table's phone; and a player's own."""
    today = session_wishes.today_at(gallery.clubs[BIEVRE])
    draft = drafts.begin(club=gallery.clubs[BIEVRE], actor=gallery.odile, today=today)
    visitor = at_desk(gallery.odile, "fr").open(f"/fr/desk/drafts/{draft.pk}/game/")
    visitor.press("Continuer", game="hombre").press("Continuer", contestants="\n".join(PEOPLE[15:28]))
    live = Session.objects.get(pk=gallery.sessions["live"])
    now = [play for play in plays_of(live) if play.round == 4]
    entered = next(play for play in now if hasattr(play, "result"))
    expected = next(play for play in now if not hasattr(play, "result"))
    links = table_links.codes(gallery.links(live))
    member = past.members.select_related("player").order_by("pk")[1]
    gallery.player = accounts.create(name=member.player.name, email="josephine@example.org", password=None)
    link, _secret = player_links.offer(player=member.player, actor=None)
    player_links.attach(link=link, account=gallery.player)
    own = Play.objects.filter(board__board_set__session=past, seatings__contestant=member.contestant_id)
    gallery.words |= {
        **{"draft": draft.pk, "entered": entered.pk, "expected": expected.pk},
        **{"code": next(code for link, code in links if link.table_id == expected.table_id)},
        **{
            "table_board": expected.board.number,
            "own_board": own[0].board.number,
            "member": member.player_id,
        },
    }


def _tonight(gallery: Gallery) -> None:
    """One evening is in its fourth round, another in its third, a third begins soon."""
    hombre = {"game": "hombre", "starts_at": gallery.at(0, 19, 30)}
    live = gallery.session("live", BIEVRE, "Mardi de L’Hombre", "14ᵉ soirée", (15, 30), **hombre)
    rounds.pace(session=live, actor=gallery.odile, pace=rounds.Pace(duration=1500, warning=300))
    for number in range(1, 5):
        rounds.open_round(session=live, actor=gallery.odile, number=number)
        own = [play for play in plays_of(live) if play.round == number]
        gallery.play(live, own if number < 4 else own[:2])
        if number < 4:
            gallery.agree(live, own)
            rounds.close_round(session=live, actor=gallery.odile, number=number)
    begun = gallery.at(0, 20, 15)
    other = gallery.session("other", NANTES, "Mardi de COM’ON!", "16ᵉ soirée", (0, 9), starts_at=begun)
    gallery.play(other, [play for play in plays_of(other) if play.round < 3])
    soon = {"game": "belote-noisette", "starts_at": gallery.now + timedelta(minutes=35)}
    gallery.session("soon", MALO, "Vendredi à la cale", "Soirée d’essai", (2, 11), **soon)


def signed_in(account: Account) -> str:
    """The cookie of a browser in which an account is signed in."""
    from django.test import Client

    client = Client()
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    return str(client.cookies["sessionid"].value)
