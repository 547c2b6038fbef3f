"""Small worlds for tests: a session with everyone who may come to it, and strangers."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone
from rest_framework.test import APIClient

from engines import bots, registry
from engines.public_values import PublicValue
from tournaments import vault
from tournaments.models import (
    Call,
    Club,
    ClubEntry,
    Event,
    LateEntry,
    Leg,
    MatchRules,
    Objection,
    Play,
    Player,
    Result,
    Role,
    Ruling,
    Season,
    Session,
    SlipPhoto,
    Submission,
    Table,
    TableLink,
    Team,
    Token,
    Tournament,
    Webhook,
    open_boards,
)
from tournaments.services import (
    awards,
    board_sets,
    calls,
    clubs,
    counting,
    differences,
    event_checks,
    events,
    field_lists,
    formulas,
    guides,
    jobs,
    judging,
    list_contents,
    lists,
    matches,
    objections,
    past_seasons,
    penalties,
    rankings,
    rulings,
    season_standings,
    seasons,
    sessions,
    storing,
    submissions,
    table_links,
    tokens,
    versions,
)

NAMES = [f"Joueur {n:02}" for n in range(1, 16)]
ROLES = (
    *["anyone", "organiser", "foreign organiser", "scorer", "foreign scorer"],
    *["table", "other table", "foreign table", "player", "foreign player"],
)


@dataclass
class World:
    """A session of nine players at three tables, four rounds; `tokens` by role, and their texts. `rows`: what
    tests have made there once, to ask about it often."""

    session: Session
    tokens: dict[str, Token | None] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)
    rows: Any = None

    @property
    def organiser(self) -> Token:
        return self.holder("organiser")

    @property
    def table(self) -> Token:
        return self.holder("table")

    def holder(self, role: str) -> Token:
        token = self.tokens[role]
        assert token is not None
        return token

    def client(self, role: str, language: str = "en") -> APIClient:
        client = APIClient(HTTP_ACCEPT_LANGUAGE=language, HTTP_IF_MATCH="*")  # whatever it is that changes
        if text := self.texts[role]:
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        return client

    def refresh(self) -> Session:
        self.session = Session.objects.select_related("board_set", "tournament").get(pk=self.session.pk)
        return self.session


def a_club(name: str = "Club A") -> Club:
    return Club.objects.filter(name=name).first() or clubs.create(name)


def a_session(
    *,
    players: int = 9,
    boards_per_round: int = 1,
    club: str = "Club A",
    published: bool = False,
    game: str = "comon",
    method: str = "matchpoints",
    method_options: dict[str, Any] | None = None,
    movement: str = "kirkman",
    public_value: PublicValue | None = None,
    reserves: int = 0,
    custody: str = "officer",
    trial: bool = False,
    sealed: bool = True,
    copied: bool = False,
    **options: Any,
) -> Session:
    organiser, _text = tokens.issue_for_role(
        person=f"Organiser of {club}", club=a_club(club), kind=Role.Kind.ORGANISER
    )
    tournament = Tournament.objects.create(club=a_club(club), name=f"Tournament of {club}")
    session = sessions.set_up(
        tournament=tournament,
        actor=organiser,
        name="Evening",
        game=game,
        options=options,
        method=method,
        method_options=method_options,
        movement=movement,
        contestants=NAMES[:players],
        names_may_be_published=True,
        boards_per_round=boards_per_round,
        public_value=public_value,
        reserves=reserves,
        custody=custody,
        trial=trial,
        sealed=sealed,
        copied=copied,
    )
    if published:
        sessions.publish(session=session, actor=organiser, listed=True)
        session.refresh_from_db()
    return session


def a_world(session: Session | None = None, foreign: Session | None = None, **setting: Any) -> World:
    """`session`, `foreign`: of the clubs A and B, if they are there already."""
    world = World(session or a_session(**setting))
    foreign = foreign or a_session(club="Club B")
    for role, club, kind in (
        ("organiser", "Club A", Role.Kind.ORGANISER),
        ("foreign organiser", "Club B", Role.Kind.ORGANISER),
        ("scorer", "Club A", Role.Kind.SCORER),
        ("foreign scorer", "Club B", Role.Kind.SCORER),
    ):
        world.tokens[role], world.texts[role] = tokens.issue_for_role(
            person=role, club=a_club(club), kind=kind
        )
    own_tables = tokens.issue_for_tables(session=world.session, actor=world.organiser)
    foreign_tables = tokens.issue_for_tables(session=foreign, actor=world.holder("foreign organiser"))
    tables = (own_tables[0], own_tables[1], foreign_tables[0])
    for role, (table, text) in zip(("table", "other table", "foreign table"), tables, strict=True):
        world.tokens[role], world.texts[role] = table.tokens.get(revoked_at=None), text
    first = Play.objects.filter(table=world.table.table, round=1).first()
    assert first is not None
    name = first.seatings.select_related("contestant").get(seat=1).contestant.name
    world.tokens["player"], world.texts["player"] = tokens.issue_for_player(name=name, club=a_club("Club A"))
    world.tokens["foreign player"], world.texts["foreign player"] = tokens.issue_for_player(
        name=_a_name_of(foreign, name), club=a_club("Club B")
    )
    world.tokens["anyone"] = world.texts["anyone"] = None
    return world


def a_table_alone() -> World:
    """Three players at one table, whose session everybody may see, and their organiser."""
    world = World(a_session(players=3, movement="annealed", published=True))
    world.tokens["organiser"], world.texts["organiser"] = tokens.issue_for_role(
        person="organiser", club=a_club("Club A"), kind=Role.Kind.ORGANISER
    )
    return world


def _a_name_of(session: Session, wanted: str) -> str:
    """This one, if it plays there."""
    there = session.contestants.order_by("number")
    contestant = there.filter(name=wanted).first() or there.first()
    assert contestant is not None
    return contestant.name


def an_entry(play: Play, content: dict[str, Any] | None = None, reason: str = "") -> submissions.ResultEntry:
    return submissions.ResultEntry(
        section=play.table.section.name,
        table=play.table.number,
        board=play.board.number,
        key=uuid4(),
        content=content or {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}},
        reason=reason,
    )


@dataclass(frozen=True)
class Ended:
    """What came of a job, in the form of an answer: the session it made or changed, or why it was refused."""

    status_code: int
    body: Any

    def json(self) -> Any:
        return self.body


def ended(client: APIClient, answer: Any) -> Any:
    """The answer once the job that it names has been done, here and now; any other answer as it is."""
    if answer.status_code != 202:
        return answer
    jobs.do(job_id=answer.json()["id"])
    job = client.get(f"/api/v1/jobs/{answer.json()['id']}/").json()
    if job["state"] != "done":
        return Ended(400, {"error": job["error"]})
    return client.get(f"/api/v1/sessions/{job['session']}/") if job["session"] else Ended(204, None)


def body_of(entry: submissions.ResultEntry) -> dict[str, Any]:
    """The body by which the API takes an entry."""
    place = {"section": entry.section, "table": entry.table, "board": entry.board, "key": str(entry.key)}
    return place | entry.content


def a_record(play: Play, session: Session) -> dict[str, Any]:
    """A full record of the play's board, by robots that play anything."""
    game = registry.game(session.game)
    state = game.start(board_sets.deal_of(session, play.board.number), session.options)
    seats = game.seat_count(session.conditions)
    bots.play_on(game, state, [bots.at_random] * seats, bots.randomness(play.pk))
    return {"actions": list(state.entries)}


def hand_in(world: World, play: Play, content: dict[str, Any] | None = None) -> Any:
    session = world.refresh()
    entry = an_entry(play, content, "So it was" if session.is_over else "")
    stored = submissions.submit(session_id=session.pk, sender=world.organiser, entries=[entry])
    return Submission.objects.get(pk=stored[0].pk)


def table_hands_in(world: World, play: Play, content: dict[str, Any] | None = None) -> Submission:
    """What a table of the world hands in for itself."""
    sender = play.table.tokens.get(revoked_at=None)
    session = play.table.section.session_id
    (stored,) = submissions.submit(session_id=session, sender=sender, entries=[an_entry(play, content)])
    return Submission.objects.get(pk=stored.pk)


def forget() -> None:
    """What this process remembers by the ids and times of rows that a test had and another has again."""
    open_boards._courses.clear()
    judging._boards.clear()
    tokens._remembered.clear()
    counting.memory.forget()
    versions.forget()
    field_lists.forget()
    differences.forget()
    guides.rounds_in.cache_clear()
    storing._dealt.cache_clear()
    for answers in (matches.remembered, list_contents.remembered):
        answers.forget()


def work(session: Session) -> None:
    """What the workers do, here and now, until nothing is left."""
    while judging.judge(session_id=session.pk).is_full:
        pass
    while rankings.rank(session_id=session.pk) is not None:
        pass


def a_ruling(session: Session, play: Play) -> int:
    """The id of a ruling that is in force on a play of a session."""
    found = Ruling.objects.in_force().filter(session=session).first()
    if found is None:
        place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
        plan = rulings.on_play(session=session, place=place, decisions=[{"kind": "annulled"}])
        found = rulings.rule(plan, actor=None, text="A card fell")
    return int(found.pk)


def a_list(session: Session) -> int:
    """The number of a list of a session: of everybody."""
    found = lists.of(session).first()
    if found is None:
        setup = lists.ListSetup("Everybody", "overall")
        found = lists.set_up(session=session, actor=None, setup=setup)
    return int(found.number)


def a_team(session: Session) -> int:
    """The number of a team of a session that has matches."""
    MatchRules.objects.get_or_create(
        session=session,
        defaults={
            "form": "round-robin",
            "rounds": 4,
            "worth": "wins",
            "bye": "1",
            "forfeit_won": "1",
            "forfeit_lost": "0",
        },
    )
    team, _made = Team.objects.get_or_create(session=session, number=1)
    return int(team.number)


def a_past_season(club: Club) -> int:
    """The id of a season of the years before of a club: one of its players, and one of nobody there."""
    found = past_seasons.of(club).first()
    if found is None:
        player = Player.objects.in_register().filter(club=club).order_by("pk").first()
        named = player.name if player is not None else "Ana Durand"
        rows = [(2, {"rank": "1", "name": named, "total": "57,25", "evenings": "12"})]
        rows.append((3, {"rank": "2", "name": "Gaspard de Nulle-Part", "total": "1/3"}))
        found = past_seasons.store(club=club, actor=None, rows=rows, title="Winter", year=2019)
    return int(found.pk)


def a_running_season(session: Session) -> int:
    """The id of a season of a session's club that counts this session once its ranking is published."""
    club = session.tournament.club
    found = Season.objects.filter(club=club).order_by("pk").first()
    if found is None:
        found = seasons.create(actor=None, club=club, name="Winter")
        evenings = {} if session.leg_id or session.is_trial else {("session", session.pk): "1"}
        seasons.change(season=found, actor=None, evenings=evenings, state="open")
    season_standings.rank(season_id=found.pk)
    return int(found.pk)


def a_draft_season(club: Club) -> int:
    """The id of a season of a club that nobody else may read yet."""
    found = Season.objects.filter(club=club, state=Season.State.DRAFT).order_by("pk").first()
    if found is None:
        found = seasons.create(actor=None, club=club, name="Spring")
    return int(found.pk)


def a_club_entry(club: Club) -> ClubEntry:
    """A club, invited to the first leg of an event of its own, which has not been announced yet."""
    found = ClubEntry.objects.filter(leg__event__club=club).order_by("pk").first()
    if found is None:
        organiser, _text = tokens.issue_for_role(
            person=f"Organiser of {club.name}", club=club, kind=Role.Kind.ORGANISER
        )
        event = events.create(actor=organiser, club=club, name="Rencontre")
        day = timezone.now() + timedelta(days=7)
        leg = events.add_leg(
            event=event,
            actor=organiser,
            game="comon",
            board_count=4,
            opens_at=day,
            closes_at=day + timedelta(days=1),
        )
        (found,) = events.invite(leg=leg, clubs=[club], actor=organiser)
    return found


def a_delivery(club: Club) -> tuple[int, int]:
    """The ids of a webhook of a club that is on, and of a message to it."""
    found = Webhook.objects.filter(club=club, removed_at=None, off_at=None).first()
    if found is None:
        found = Webhook.objects.create(
            club=club, name="Site", url="https://example.org/etui", sealed_secret=vault.seal(b"whsec_AAAA")
        )
    sent = found.deliveries.first() or found.deliveries.create(state="delivered", next_at=None)
    return found.pk, sent.pk


def a_finding(club: Club) -> str:
    """The key of what a check of a club's event has found: somebody plays whose licence has run out."""
    entry = a_club_entry(club)
    if entry.session is None:
        part = a_session(club=club.name)
        Session.objects.filter(pk=part.pk).update(leg=entry.leg)
        ClubEntry.objects.filter(pk=entry.pk).update(session=part, state=ClubEntry.State.ENTERED, tables=3)
        Event.objects.filter(pk=entry.leg.event_id).update(licences=Event.Licences.FLAGGED)
        player = Player.objects.filter(memberships__session=part).order_by("pk")[0]
        Player.objects.filter(pk=player.pk).update(licence_until=date(2020, 8, 31))
    (found,) = event_checks.of_leg(Leg.objects.select_related("event").get(pk=entry.leg_id))
    return found.key


def a_penalty(session: Session) -> int:
    """The id of an entry in the catalogue of a session's club."""
    club = session.tournament.club
    found = penalties.of(club).first()
    if found is None:
        found = penalties.add(
            club=club, actor=None, name="slow play", kind="penalty", amount="10", unit="percent"
        )
    return int(found.pk)


def a_formula(session: Session) -> int:
    """The id of a formula for master points of a session's club."""
    club = session.tournament.club
    made = formulas.of(club).first()
    if made is None:
        made = formulas.add(club=club, actor=None, name="Even", text="factor")
    return int(made.pk)


def a_call(table: Table, official: Token) -> int:
    """The id of a call of a table, which waits."""
    found = Call.objects.filter(table=table).order_by("pk").last()
    session = table.section.session
    if found is None and session.state == Session.State.RUNNING:
        found = calls.call(table=table, actor=official)
    elif found is None:  # of an evening that is over
        found = Call.objects.create(session=session, table=table)
    return int(found.pk)


def an_announcement(session: Session, director: Token) -> int:
    """The id of what all tables are told."""
    found = calls.announced(session) or calls.announce(session=session, actor=director, text="Pause at nine")
    return int(found.pk)


def an_objection(session: Session, play: Play, director: Token) -> int:
    """The id of an objection on a play, for whoever has its first seat."""
    found = Objection.objects.filter(session=session, steps=None).first()
    if found is None:
        if not hasattr(play, "result"):
            a_ruling(session, play)  # nobody objects to what nothing has been decided about
        place = rulings.PlayPlace(play.table.section.name, play.table.number, play.board.number)
        contestant = play.seatings.get(seat=1).contestant.number
        found = objections.object_to(
            session=session, actor=director, place=place, text="Nine tricks", contestant=contestant
        )
    return int(found.pk)


def awards_of(result: Result) -> list[str] | None:
    """By seat, as the histograms give them."""
    return awards.AwardBook(result.session, [result.play.board_id]).of(result)


def standings_of(session: Session) -> list[rankings.Standing]:
    """The newest ranking of a session that has one."""
    newest = rankings.newest(session)
    assert newest is not None
    return rankings.standings(newest)


def first_play_of(session: Session) -> Play:
    """A play of the first round at the first table."""
    return plays_of(session)[0]


def plays_of(session: Session) -> list[Play]:
    plays = Play.objects.filter(table__section__session=session).select_related("table__section", "board")
    return list(plays.order_by("round", "board__number", "table__number"))


def played_through(world: World) -> None:
    """Every play handed in as a full record, judged, compared and ranked."""
    session = world.refresh()
    entries = [an_entry(play, a_record(play, session)) for play in plays_of(session)]
    submissions.submit(session_id=session.pk, sender=world.organiser, entries=entries)
    work(session)
    world.refresh()


def tables_of(session: Session) -> list[Table]:
    return list(Table.objects.filter(section__session=session).order_by("number"))


def a_code(table: Table, actor: Token) -> str:
    """The code of a new link of a table."""
    (link,) = table_links.make(session=table.section.session, actor=actor, tables=[table.pk])
    return table_links.code_of(link) or ""


def a_slip_photo(play: Play) -> int:
    """The id of a photograph of the slip of a play."""
    made, _is_new = SlipPhoto.objects.get_or_create(
        play=play, digest="0" * 64, defaults={"content": b"RIFF", "width": 900, "height": 1200}
    )
    return int(made.pk)


def a_late_entry(table: Table) -> int:
    """What came from a table too late; its id."""
    link = TableLink.objects.filter(table=table).latest("pk")
    play = Play.objects.filter(table=table).order_by("round", "pk")[0]
    content = {"sheet": {"outcome": "normal", "tricks": [4, 4, 2]}}
    return LateEntry.objects.create(link=link, play=play, key=uuid4(), content=content, why="round-closed").pk
