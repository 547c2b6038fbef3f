"""The table of people: each role, each resource, the own and the foreign one.

`make test` asks each resource as those at its boundary, and of later states what is told otherwise in them;
`make campaign-roles` asks all of it.
"""

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from engines import archives as containers
from tests.running import EVERYBODY, campaign
from tournaments import problems
from tournaments.models import (
    Club,
    ClubEntry,
    Event,
    Job,
    Leg,
    Member,
    Play,
    Player,
    Registration,
    RegistrationList,
    Result,
    Submission,
    Substitution,
)
from tournaments.services import sessions

from .test_logos import a_picture
from .worlds import (
    ROLES,
    World,
    a_call,
    a_club_entry,
    a_delivery,
    a_draft_season,
    a_finding,
    a_formula,
    a_list,
    a_past_season,
    a_penalty,
    a_ruling,
    a_slip_photo,
    a_team,
    a_world,
    an_announcement,
    an_objection,
    hand_in,
    played_through,
    plays_of,
    table_hands_in,
    work,
)

pytestmark = pytest.mark.django_db

GUIDES = ("GET contestant-guides", "GET table-guides", "GET board-guides")
RANKED = ("session-ranking", "ranking-versions", "ranking-difference", "list-places")
OBJECTED = ("GET session-objections", "GET session-objection")
CALLED = ("GET session-calls", "GET session-announcements")
PHOTOS = ("GET session-slip-photos", "GET session-slip-photo")
RULED = ("GET session-rulings", "GET session-ruling", "GET ruling-reversal")
REGISTER = ("GET club-players", "GET club-player", "GET club-master-points")
SEASON = ("season", "season-standing", "season-prizes", "season-versions")
OF_ITS_EVENT = ("PATCH event", "PUT club-entry-state")
# By role, in the order of ROLES: anyone | organiser own, foreign | scorer own, foreign | table own,
# another of the session, foreign | player own, foreign.
UNPUBLISHED: dict[str, tuple[int, ...]] = {
    "GET tournament": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "GET tournament-sessions": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "GET session": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "GET session-boards": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "GET session-deals": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "GET board-proof": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET board-lists": (401, 403, 404, 403, 404, 403, 403, 404, 403, 404),
    **dict.fromkeys(("GET games", "GET game", "POST game-preview"), (200,) * 10),
    "GET movements": (401, 200, 200, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(GUIDES, (401, 200, 404, 200, 404, 403, 403, 404, 403, 404)),
    "POST session-replans": (401, 409, 404, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(REGISTER, (401, 200, 404, 200, 404, 403, 403, 404, 403, 404)),
    "POST club-players": (401, 201, 404, 201, 404, 403, 403, 404, 403, 404),
    "POST club-players-bulk": (401, 201, 404, 201, 404, 403, 403, 404, 403, 404),
    "PATCH club-player": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET club-player-licence": (401, 200, 404, 403, 404, 403, 403, 404, 403, 404),
    "PUT club-player-licence": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET session-contestants": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "PATCH session-contestants": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET session-substitutions": (401, 200, 404, 403, 404, 403, 403, 404, 403, 404),
    "POST session-substitutions": (401, 409, 404, 403, 403, 403, 403, 403, 403, 403),
    "PUT substitution-state": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(RULED, (401, 200, 404, 403, 404, 403, 403, 404, 403, 404)),
    **dict.fromkeys(OBJECTED, (401, 200, 404, 403, 404, 403, 403, 404, 200, 404)),
    "POST session-objections": (401, 201, 404, 403, 404, 403, 403, 404, 201, 404),
    "POST objection-steps": (401, 201, 404, 403, 404, 403, 403, 404, 403, 404),
    **dict.fromkeys(CALLED, (401, 200, 404, 200, 404, 200, 200, 404, 403, 404)),
    "POST session-calls": (401, 201, 404, 201, 404, 201, 404, 404, 403, 404),
    "PUT call-state": (401, 200, 404, 200, 404, 200, 404, 404, 403, 404),
    **dict.fromkeys(PHOTOS, (401, 200, 404, 200, 404, 403, 403, 404, 403, 404)),
    "POST session-slip-photos": (401, 201, 404, 201, 404, 201, 404, 404, 403, 404),
    "POST session-result-files": (401, 202, 404, 202, 404, 403, 403, 404, 403, 404),
    "POST session-announcements": (401, 201, 404, 403, 403, 403, 403, 403, 403, 403),
    "DELETE session-announcement": (401, 204, 404, 403, 403, 403, 403, 403, 403, 403),
    "POST ruling-preview": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "POST session-rulings": (401, 201, 404, 403, 403, 403, 403, 403, 403, 403),
    "PUT ruling-state": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET job": (401, 200, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET session-export": (404,) * 10,
    "POST session-prints": (401, 202, 404, 202, 404, 403, 403, 404, 403, 404),
    "POST session-archives": (401, 409, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET archive": (401, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET print": (401, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET registration-lists": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "POST registration-lists": (401, 201, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET registration-list": (404, 200, 404, 200, 404, 404, 404, 404, 200, 404),
    "PUT registration-list": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET list-registrations": (404, 200, 404, 200, 404, 404, 404, 404, 200, 404),
    "POST list-registrations": (401, 400, 404, 403, 404, 404, 404, 404, 403, 404),
    "PUT registration-players": (401, 400, 404, 403, 404, 404, 404, 404, 403, 404),
    "PUT job-state": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET session-plays": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "GET traveller": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET session-ranking": (404, 200, 404, 200, 404, 404, 404, 404, 404, 404),
    "GET ranking-difference": (404, 200, 404, 200, 404, 404, 404, 404, 404, 404),
    "GET ranking-versions": (404, 200, 404, 200, 404, 404, 404, 404, 404, 404),
    "GET list-places": (404, 200, 404, 200, 404, 404, 404, 404, 404, 404),
    "GET session-submissions": (404, 200, 404, 200, 404, 200, 200, 404, 200, 404),
    "GET submission": (404, 200, 404, 200, 404, 200, 404, 404, 404, 404),
    "GET session-history": (401, 200, 404, 403, 404, 403, 403, 404, 403, 404),
    "GET session-seals": (404, 200, 404, 200, 404, 404, 404, 404, 404, 404),
    "POST session-submissions": (401, 202, 404, 202, 404, 202, 404, 404, 403, 404),
    "POST session-submissions-bulk": (401, 202, 404, 202, 404, 202, 404, 404, 403, 404),
    "POST session-table-links": (401, 201, 404, 201, 404, 403, 403, 404, 403, 404),
    "POST session-table-tokens": (401, 201, 404, 201, 404, 403, 403, 404, 403, 404),
    "PUT session-publication": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "PUT session-state": (401, 200, 404, 403, 403, 403, 403, 403, 403, 403),
    "PUT session-public-value": (401, 409, 404, 403, 403, 403, 403, 403, 403, 403),
    "POST session-reserves": (401, 409, 404, 403, 403, 403, 403, 403, 403, 403),
    "GET events": (200,) * 10,
    "GET feed": (200,) * 10,
    "GET seasons": (200,) * 10,
    "POST seasons": (401, 201, 201, *[403] * 7),
    **dict.fromkeys([f"GET {name}" for name in SEASON], (404, 200, *[404] * 8)),
    **dict.fromkeys(("PATCH season", "PUT season-state"), (401, 200, 404, *[403] * 7)),
    "DELETE season": (401, 204, 404, *[403] * 7),
    "GET webhooks": (401, *[200] * 9),
    "POST webhooks": (401, 201, 201, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(("GET webhook", "GET webhook-deliveries"), (401, 200, *[404] * 8)),
    **dict.fromkeys(("POST webhook-secrets", "POST webhook-deliveries"), (401, 201, 404, *[403] * 7)),
    **dict.fromkeys(("PUT webhook-state", "PUT webhook-delivery-state"), (401, 200, 404, *[403] * 7)),
    **dict.fromkeys(("GET event", "GET event-legs"), (404, 200, *[404] * 8)),
    "GET leg-entries": (401, 200, *[404] * 8),
    "GET leg-checks": (401, 200, *[404] * 8),
    "POST leg-checks": (401, 201, 404, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(("GET leg-field", "GET leg-field-versions"), (404, 200, *[404] * 8)),
    "POST event-legs": (401, 201, 404, 403, 403, 403, 403, 403, 403, 403),
    "POST leg-entries": (401, 201, 404, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(OF_ITS_EVENT, (401, 200, 404, 403, 403, 403, 403, 403, 403, 403)),
    "POST leg-reminders": (401, 409, 404, 403, 403, 403, 403, 403, 403, 403),
    "PUT event-state": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),  # its organiser announces it first
    "POST events": (401, 201, 201, 403, 403, 403, 403, 403, 403, 403),
    "POST tournaments": (401, 201, 201, 403, 403, 403, 403, 403, 403, 403),
    "POST tournament-sessions": (401, 202, 404, 403, 403, 403, 403, 403, 403, 403),
    "POST tournament-evenings": (401, 202, 404, 403, 403, 403, 403, 403, 403, 403),
    "POST tournament-archives": (401, 409, 404, 403, 403, 403, 403, 403, 403, 403),
    "POST archived-sessions": (401, 202, 404, 403, 403, 403, 403, 403, 403, 403),
}
# Published and still being played: the ranking is there for all, hands and results are not.
PUBLISHED = UNPUBLISHED | {
    **{
        f"GET {name}": (200,) * 10
        for name in (
            "tournament",
            "tournament-sessions",
            "registration-lists",
            "session",
            "session-boards",
            "session-deals",
        )
    },
    **{f"GET {name}": (200,) * 10 for name in ("session-plays", "session-seals", *RANKED)},
    **dict.fromkeys(REGISTER, (401, 200, 403, 200, 403, 403, 403, 403, 403, 403)),
    "POST club-players": (401, 201, 403, 201, 403, 403, 403, 403, 403, 403),
    "POST club-players-bulk": (401, 201, 403, 201, 403, 403, 403, 403, 403, 403),
    "PATCH club-player": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "GET club-player-licence": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "PUT club-player-licence": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "GET session-submissions": (401, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "GET session-history": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST session-submissions": (401, 202, 403, 202, 403, 202, 404, 403, 403, 403),
    "POST session-submissions-bulk": (401, 202, 403, 202, 403, 202, 404, 403, 403, 403),
    "POST session-table-links": (401, 201, 404, 201, 404, 403, 403, 403, 403, 403),
    "POST session-table-tokens": (401, 201, 404, 201, 404, 403, 403, 403, 403, 403),
    "PUT session-publication": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "PUT session-state": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(GUIDES, (401, 200, 403, 200, 403, 403, 403, 403, 403, 403)),
    "POST session-replans": (401, 409, 403, 403, 403, 403, 403, 403, 403, 403),
    "GET session-contestants": (200,) * 10,
    "PATCH session-contestants": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "GET session-substitutions": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST session-substitutions": (401, 409, 403, 403, 403, 403, 403, 403, 403, 403),
    "PUT substitution-state": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(RULED, (401, 200, 403, 403, 403, 403, 403, 403, 403, 403)),
    **dict.fromkeys(OBJECTED, (401, 200, 403, 403, 403, 403, 403, 403, 200, 403)),
    "POST session-objections": (401, 201, 403, 403, 403, 403, 403, 403, 201, 403),
    "POST objection-steps": (401, 201, 403, 403, 403, 403, 403, 403, 403, 403),
    **dict.fromkeys(CALLED, (401, 200, 403, 200, 403, 200, 200, 403, 403, 403)),
    "POST session-calls": (401, 201, 403, 201, 403, 201, 404, 403, 403, 403),
    "PUT call-state": (401, 200, 403, 200, 403, 200, 404, 403, 403, 403),
    **dict.fromkeys(PHOTOS, (401, 200, 403, 200, 403, 403, 403, 403, 403, 403)),
    "POST session-slip-photos": (401, 201, 403, 201, 403, 201, 404, 403, 403, 403),
    "POST session-result-files": (401, 202, 403, 202, 403, 403, 403, 403, 403, 403),
    "POST session-announcements": (401, 201, 403, 403, 403, 403, 403, 403, 403, 403),
    "DELETE session-announcement": (401, 204, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST ruling-preview": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST session-rulings": (401, 201, 403, 403, 403, 403, 403, 403, 403, 403),
    "PUT ruling-state": (401, 200, 403, 403, 403, 403, 403, 403, 403, 403),
    "GET board-lists": (401, 403, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST session-prints": (401, 202, 403, 202, 403, 403, 403, 403, 403, 403),
    "POST session-archives": (401, 409, 403, 403, 403, 403, 403, 403, 403, 403),
    "PUT session-public-value": (401, 409, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST session-reserves": (401, 409, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST tournament-sessions": (401, 202, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST tournament-evenings": (401, 202, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST tournament-archives": (401, 409, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST archived-sessions": (401, 202, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST registration-lists": (401, 201, 403, 403, 403, 403, 403, 403, 403, 403),
}
# Finished: travellers for all; tables are done, scorers and organisers still correct.
FINISHED = PUBLISHED | {
    "GET traveller": (200,) * 10,
    "GET board-proof": (200,) * 10,
    "GET session-export": (200,) * 10,
    "PATCH session-contestants": (401, 409, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST session-archives": (401, 202, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST tournament-archives": (401, 202, 403, 403, 403, 403, 403, 403, 403, 403),
    "POST session-submissions": (401, 202, 403, 202, 403, 409, 409, 403, 403, 403),
    "POST session-submissions-bulk": (401, 202, 403, 202, 403, 409, 409, 403, 403, 403),
    "POST session-calls": (401, 409, 403, 409, 403, 409, 404, 403, 403, 403),
    "POST session-slip-photos": (401, 409, 403, 409, 403, 409, 404, 403, 403, 403),
    "POST session-table-links": (401, 409, 409, 409, 409, 403, 403, 403, 403, 403),
    "POST session-table-tokens": (401, 409, 409, 409, 409, 403, 403, 403, 403, 403),
}

EVENING = """section,round,table,board,seat1,seat2,seat3,outcome,tricks1,tricks2,tricks3
A,1,1,1,a,b,c,normal,5,3,2
"""


def ask(
    world: World,
    role: str,
    request: str,
    *,
    change: dict[str, Any] | None = None,
    query: dict[str, str] | None = None,
) -> Any:
    """The response to a request of the table, with a body that would be right but for a change."""
    method, _space, name = request.partition(" ")
    client = world.client(role)
    address, body = right_request(world, name)
    if method == "GET":
        wish = body if name == "movements" and body else {}
        return client.get(f"/api/v1/{address}", {**wish, **(query or {})})
    body = {**(body or {}), **(change or {})}
    form = "multipart" if name in FILES else "json"
    how: dict[str, Any] = {"format": form, "query_params": query}
    if method == "PATCH" or request in ("PUT registration-list", "DELETE season"):
        how["headers"] = {"if-match": "*"}
    return getattr(client, method.lower())(f"/api/v1/{address}", body, **how)


@dataclass(frozen=True)
class Rows:
    """What requests are about, made when the first is put together: a world is asked a thousand times."""

    play: Play
    tournament: int
    club: Club
    job: Job
    the_list: RegistrationList
    registration: Registration
    member: Member
    other: Member
    somebody: Player
    substitution: Substitution
    mended: dict[str, Any]


def rows_of(world: World) -> Rows:
    if world.rows is None:
        tournament = world.session.tournament
        the_list = RegistrationList.objects.create(tournament=tournament, name="Entered", is_public=False)
        member, other = Member.objects.filter(session=world.session).order_by("pk")[:2]
        idle = Member.objects.filter(session=world.session).exclude(
            contestant__seatings__play__submissions__isnull=False
        )
        idle = idle.exclude(contestant__seatings__play=first_play(world))
        later = idle.order_by("pk").last() or other  # where all have played, it is refused anyway
        somebody = Player.objects.create(club=tournament.club, given_name="Ana", family_name="Petit")
        world.rows = Rows(
            play=first_play(world),
            tournament=tournament.pk,
            club=tournament.club,
            job=Job.objects.create(kind="set-up", tournament=tournament, name="Asked for"),
            the_list=the_list,
            registration=Registration.objects.create(list=the_list),
            member=member,
            other=other,
            somebody=somebody,
            substitution=Substitution.objects.create(
                contestant=member.contestant,
                player=somebody,
                for_player=member.player,
                first_round=1,
                last_round=1,
                undone_at=world.session.created_at,
            ),
            mended={"number": later.contestant.number, "players": [later.player_id]},
        )
    rows: Rows = world.rows
    return rows


FILES = ("tournament-evenings", "archived-sessions", "session-slip-photos", "session-result-files")
"""What takes a file, and so no JSON."""

REHEARSED = ("slips", "late", "disputes", "no_show")


def right_request(world: World, name: str) -> tuple[str, dict[str, Any] | None]:
    """The address of a resource, and what may be sent there."""
    rows = rows_of(world)
    pk, play, tournament, club, job = world.session.pk, rows.play, rows.tournament, rows.club, rows.job
    the_list, registration, substitution = rows.the_list, rows.registration, rows.substitution
    member, other, somebody = rows.member, rows.other, rows.somebody
    entry = {"section": "A", "table": play.table.number, "board": play.board.number}
    entry |= {"key": str(uuid4()), "sheet": {"outcome": "normal", "tricks": [5, 3, 2]}, "reason": "So"}
    submission = Submission.objects.filter(play=play).first() if name == "submission" else None
    nobody = 999_999  # in no register
    file = SimpleUploadedFile("evening.csv", EVENING.encode())
    place = {name: entry[name] for name in ("section", "table", "board")}
    ruled = {"play": {**place, "decisions": [{"kind": "artificial", "percent": "60"}]}}
    objection = an_objection(world.session, play, world.organiser) if "objection" in name else 0
    ruling = a_ruling(world.session, play) if "ruling" in name else 0
    call = a_call(play.table, world.organiser) if name == "call-state" else 0
    told = an_announcement(world.session, world.organiser) if name == "session-announcement" else 0
    photo = a_slip_photo(play) if "slip-photo" in name else 0
    listing = a_list(world.session) if "list" in name else 0
    penalty = a_penalty(world.session) if "penalt" in name else 0
    formula = a_formula(world.session) if "formula" in name else 0
    season = a_past_season(club) if name == "club-past-season" else 0
    draft = a_draft_season(club) if name in (*SEASON, "season-state") else 0
    team = a_team(world.session) if "team" in name or "match-rules" in name else 0
    hook, sent = a_delivery(club) if name.startswith("webhook-") or name == "webhook" else (0, 0)
    finding = a_finding(club) if name == "leg-checks" else ""
    is_of_event = name in (
        "event",
        "event-state",
        "event-legs",
        "leg-checks",
        "leg-entries",
        "leg-reminders",
        "leg-field",
        "leg-field-versions",
        "club-entry-state",
    )
    entered = a_club_entry(club) if is_of_event else ClubEntry(leg=Leg(event=Event()))
    event, leg = entered.leg.event_id, entered.leg_id
    requests: dict[str, tuple[str, dict[str, Any] | None]] = {
        "schema": ("schema/", None),
        "tournaments": ("tournaments/", {"name": "New"}),
        "games": ("games/", None),
        "game": ("games/comon/", None),
        "game-preview": ("games/comon/preview/", {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}),
        "movements": ("movements/", {"game": "comon", "contestants": 6, "boards": 2}),
        "feed": ("feed/", None),
        "seasons": ("seasons/", {"name": "Winter"}),
        "season": (f"seasons/{draft}/", {"rules": {"best": 20, "least": 10}}),
        "season-state": (f"seasons/{draft}/state/", {"state": "open"}),
        "season-standing": (f"seasons/{draft}/standing/", None),
        "season-prizes": (f"seasons/{draft}/prizes/", None),
        "season-versions": (f"seasons/{draft}/versions/", None),
        "webhooks": ("webhooks/", {"name": "Our site", "url": "https://example.org/etui"}),
        "webhook": (f"webhooks/{hook}/", None),
        "webhook-state": (f"webhooks/{hook}/state/", {"state": "off"}),
        "webhook-secrets": (f"webhooks/{hook}/secrets/", {}),
        "webhook-deliveries": (f"webhooks/{hook}/deliveries/", {}),
        "webhook-delivery-state": (f"webhooks/{hook}/deliveries/{sent}/state/", {"state": "waiting"}),
        "events": ("events/", {"name": "Simultané de mars", "least_tables": 2}),
        "event": (f"events/{event}/", {"fee": "3 € la table"}),
        "event-state": (f"events/{event}/state/", {"state": "announced"}),
        "event-legs": (
            f"events/{event}/legs/",
            {
                **{"game": "comon", "boards": 12, "material_at": "2027-03-07T18:00:00+01:00"},
                **{"opens_at": "2027-03-08T18:00:00+01:00", "closes_at": "2027-03-14T23:00:00+01:00"},
            },
        ),
        "leg-checks": (f"legs/{leg}/checks/", {"key": finding, "answer": "right"}),
        "leg-entries": (f"legs/{leg}/entries/", {"clubs": [club.slug]}),
        "leg-field": (f"legs/{leg}/field/", None),
        "leg-field-versions": (f"legs/{leg}/field/versions/", None),
        "leg-reminders": (f"legs/{leg}/reminders/", {}),
        "club-entry-state": (f"entries/{entered.pk}/state/", {"state": "left-out", "reason": "No room"}),
        "tournament": (f"tournaments/{tournament}/", {"name": "Renamed"}),
        "tournament-sessions": (
            f"tournaments/{tournament}/sessions/",
            {"name": "Next", "game": "comon", "contestants": [f"p{n}" for n in range(9)]},
        ),
        "tournament-evenings": (
            f"tournaments/{tournament}/evenings/",
            {"file": file, "name": "Paper", "game": "comon", "dry_run": "true"},
        ),
        "tournament-archives": (f"tournaments/{tournament}/archives/", {}),
        "archived-sessions": (
            f"tournaments/{tournament}/archived-sessions/",
            {"file": SimpleUploadedFile("evening.zip", containers.write({}))},
        ),
        "session-archives": (f"sessions/{pk}/archives/", {}),
        "archive": (f"archives/{job.pk}/", None),
        "registration-lists": (f"tournaments/{tournament}/registration-lists/", {"name": "Next"}),
        "registration-list": (
            f"registration-lists/{the_list.pk}/",
            {"limit": None, "open": True, "public": False},
        ),
        "list-registrations": (f"registration-lists/{the_list.pk}/registrations/", {"players": [nobody]}),
        "registration-players": (f"registrations/{registration.pk}/players/", {"players": [nobody]}),
        "job": (f"jobs/{job.pk}/", None),
        "job-state": (f"jobs/{job.pk}/state/", {"state": "cancelled"}),
        "session-export": (f"sessions/{pk}/exports/ranking/", None),
        "session-prints": (f"sessions/{pk}/prints/", {"kinds": ["slips"], "size": "A4", "language": "fr"}),
        "print": (f"prints/{job.pk}/", None),
        "session": (f"sessions/{pk}/", None),
        "session-deals": (f"sessions/{pk}/deals/", None),
        "session-boards": (f"sessions/{pk}/boards/", None),
        "traveller": (f"sessions/{pk}/boards/{play.board.number}/traveller/", None),
        "board-proof": (f"sessions/{pk}/boards/{play.board.number}/proof/", None),
        "board-lists": (f"sessions/{pk}/boards/{play.board.number}/lists/", None),
        "contestant-guides": (f"sessions/{pk}/guides/contestants/", None),
        "table-guides": (f"sessions/{pk}/guides/tables/", None),
        "board-guides": (f"sessions/{pk}/guides/boards/", None),
        "session-replans": (f"sessions/{pk}/replans/", {"after": 0, "leaving": [1]}),
        "session-public-value": (f"sessions/{pk}/public-value/", {"value": "3 7 12"}),
        "club-master-points": (f"clubs/{club.slug}/master-points/", None),
        "club-players": (f"clubs/{club.slug}/players/", {"given_name": "Zoé", "consent": True}),
        "club-players-bulk": (
            f"clubs/{club.slug}/players/bulk/",
            {"players": [{"given_name": "Zoé", "family_name": "Petit", "categories": ["junior"]}]},
        ),
        "club-player": (f"clubs/{club.slug}/players/{somebody.pk}/", {"consent": True}),
        "club-player-licence": (
            f"clubs/{club.slug}/players/{somebody.pk}/licence/",
            {"licence_until": "2027-08-31", "suspended_from": None, "suspended_until": None},
        ),
        "session-substitutions": (
            f"sessions/{pk}/substitutions/",
            {
                "contestant": 1,
                "player": other.player_id,
                "for_player": member.player_id,
                "first_round": 1,
                "last_round": 2,
            },
        ),
        "substitution-state": (f"sessions/{pk}/substitutions/{substitution.pk}/state/", {"state": "undone"}),
        "session-clock": (f"sessions/{pk}/clock/", {"duration": 20, "warning": 2, "grace": 3}),
        "session-rounds": (f"sessions/{pk}/rounds/", None),
        "session-flags": (f"sessions/{pk}/flags/", None),
        "round-state": (f"sessions/{pk}/rounds/1/state/", {"state": "open", "reason": ""}),
        "round-pause": (f"sessions/{pk}/rounds/1/pause/", {"paused": True}),
        "round-extensions": (f"sessions/{pk}/rounds/1/extensions/", {"minutes": 5}),
        "rehearsals": (
            "rehearsals/",
            {"session": pk, "seconds": 0, "keep": False} | dict.fromkeys(REHEARSED, True),
        ),
        "session-reseatings": (
            f"sessions/{pk}/reseatings/",
            {
                "kind": "seats",
                "table": play.table.number,
                "round": play.round,
                "order": [2, 1, 3],
                "reason": "So",
            },
        ),
        "round-seated": (f"sessions/{pk}/rounds/1/seated/", {"seated": True, "section": "A", "table": 1}),
        "session-confirmations": (
            f"sessions/{pk}/confirmations/",
            {**place, "submission": 1, "seat": None, "shared": False},
        ),
        "session-calls": (f"sessions/{pk}/calls/", {"reason": "ruling", "section": "A", "table": 1}),
        "call-state": (f"sessions/{pk}/calls/{call}/state/", {"state": "withdrawn"}),
        "session-slip-photos": (
            f"sessions/{pk}/slip-photos/",
            {**place, "photo": SimpleUploadedFile("slip.png", a_picture())},
        ),
        "session-slip-photo": (f"sessions/{pk}/slip-photos/{photo}/", None),
        "session-result-files": (
            f"sessions/{pk}/result-files/",
            {"file": SimpleUploadedFile("plays.jsonl", a_file_of(play)), "reason": "So"},
        ),
        "session-announcements": (f"sessions/{pk}/announcements/", {"text": "Pause at nine"}),
        "session-announcement": (f"sessions/{pk}/announcements/{told}/", None),
        "session-objections": (
            f"sessions/{pk}/objections/",
            {**place, "contestant": play.seatings.get(seat=1).contestant.number, "text": "Nine tricks"},
        ),
        "session-objection": (f"sessions/{pk}/objections/{objection}/", None),
        "objection-steps": (
            f"sessions/{pk}/objections/{objection}/steps/",
            {"kind": "answer", "outcome": "rejected", "text": "Eight"},
        ),
        "ranking-difference": (f"sessions/{pk}/ranking/difference/", None),
        "tournament-standings": (f"tournaments/{tournament}/standings/", None),
        "ranking-versions": (f"sessions/{pk}/ranking/versions/", None),
        "session-lists": (f"sessions/{pk}/lists/", {"name": "All", "kind": "overall"}),
        "session-list": (f"sessions/{pk}/lists/{listing}/", {"name": "All", "kind": "overall"}),
        "list-places": (f"sessions/{pk}/lists/{listing}/places/", None),
        "club-ratings": (f"clubs/{club.slug}/ratings/", {}),
        "tournament-divisions": (f"tournaments/{tournament}/divisions/", None),
        "session-matches": (f"sessions/{pk}/matches/", None),
        "session-match-rules": (f"sessions/{pk}/match-rules/", {"worth": "wins", "bye": "1", "whole": "20"}),
        "session-next-round": (
            f"sessions/{pk}/next-round/",
            {"leaving": [], "apart": [], "winners": {}, "confirm": False},
        ),
        "session-teams": (f"sessions/{pk}/teams/", None),
        "session-contestants": (f"sessions/{pk}/contestants/", {"contestants": [rows.mended]}),
        "session-team": (f"sessions/{pk}/teams/{team}/", {"name": "Reds"}),
        "club-past-seasons": (
            f"clubs/{club.slug}/past-seasons/",
            {
                "title": "Winter",
                "year": 2018,
                "places": [{"rank": 1, "name": "Ana Durand", "total": "57.25"}],
            },
        ),
        "club-past-season": (f"clubs/{club.slug}/past-seasons/{season}/", None),
        "club-penalties": (f"clubs/{club.slug}/penalties/", {"name": "slow", "amount": "5"}),
        "club-formulas": (f"clubs/{club.slug}/formulas/", {"name": "Federation 2026", "text": "factor"}),
        "club-formula-state": (f"clubs/{club.slug}/formulas/{formula}/state/", {"state": "retired"}),
        "club-penalty-state": (f"clubs/{club.slug}/penalties/{penalty}/state/", {"state": "retired"}),
        "session-rulings": (f"sessions/{pk}/rulings/", {**ruled, "reason": "A card fell"}),
        "ruling-preview": (f"sessions/{pk}/rulings/preview/", ruled),
        "session-ruling": (f"sessions/{pk}/rulings/{ruling}/", None),
        "ruling-reversal": (f"sessions/{pk}/rulings/{ruling}/reversal/", None),
        "ruling-state": (f"sessions/{pk}/rulings/{ruling}/state/", {"state": "reversed", "reason": "So"}),
        "session-plays": (f"sessions/{pk}/plays/", None),
        "session-ranking": (f"sessions/{pk}/ranking/", None),
        "session-submissions": (f"sessions/{pk}/submissions/", entry),
        "session-submissions-bulk": (f"sessions/{pk}/submissions/bulk/", {"submissions": [entry]}),
        "submission": (f"submissions/{submission.pk if submission else 0}/", None),
        "session-reserves": (f"sessions/{pk}/reserves/", {"board": play.board.number, "reason": "fouled"}),
        "session-history": (f"sessions/{pk}/history/", None),
        "session-seals": (f"sessions/{pk}/history/seals/", None),
        "session-table-links": (f"sessions/{pk}/table-links/", {}),
        "session-table-tokens": (f"sessions/{pk}/table-tokens/", {}),
        "session-publication": (f"sessions/{pk}/publication/", {"listed": world.session.listed}),
        "session-state": (f"sessions/{pk}/state/", {"state": "played", "confirm": True}),
    }
    return requests[name]


def a_file_of(play: Play) -> bytes:
    """Another result of a play than it has."""
    tricks = [6, 3, 1]
    if Result.objects.filter(play=play, sheet__tricks=tricks).exists():
        tricks = [5, 4, 1]
    where = {"table": play.table.number, "board": play.board.number}
    return json.dumps({**where, "record": {"sheet": {"outcome": "normal", "tricks": tricks}}}).encode()


def first_play(world: World) -> Play:
    found = Play.objects.filter(table=world.table.table, round=1).select_related("table", "board").first()
    assert found is not None
    return found


OWN = ("organiser", "scorer", "table", "player")  # from the one who may most
MAY_NOT = {401, 403, 404}


def at_the_boundary(expected: tuple[int, ...]) -> set[str]:
    """Anyone, whoever may most here and elsewhere, those next to each other of whom one may and one may not,
    and the last who may, here and elsewhere."""
    if EVERYBODY:
        return set(ROLES)
    may = {role: status not in MAY_NOT for role, status in zip(ROLES, expected, strict=True)}
    borders = {role for pair in pairwise(OWN) if may[pair[0]] != may[pair[1]] for role in pair}
    least = [role for role in OWN if may[role]][-1:]
    return {
        "anyone",
        "organiser",
        "foreign organiser",
        *borders,
        *least,
        *(f"foreign {one}" for one in least),
    }


def test_the_boundary_is_where_the_answers_change() -> None:
    expected = (401, 200, 404, 200, 404, 403, 403, 404, 403, 404)
    everybody = (
        {*ROLES}
        if EVERYBODY
        else {"anyone", "organiser", "foreign organiser", "scorer", "foreign scorer", "table"}
    )
    assert at_the_boundary(expected) == everybody


def compare(world: World, table: dict[str, tuple[int, ...]], before: dict[str, tuple[int, ...]]) -> None:
    """`before`: what was asked of an earlier state; of what has the same answers, reading is asked again."""
    for request, expected in table.items():
        if not EVERYBODY and before.get(request) == expected and not request.startswith("GET"):
            continue
        some = at_the_boundary(expected)
        for role, status in zip(ROLES, expected, strict=True):
            if role not in some:
                continue
            response = ask(world, role, request)
            assert response.status_code == status, (request, role, response.content)
            if status >= 400:
                assert response["Content-Type"] == problems.MEDIA_TYPE
                told = response.json()
                assert told == problems.problem(status, told["code"], told["detail"], told.get("details")), (
                    request
                )
            if request in {"PUT session-state", "POST session-table-tokens"} and status < 300:
                restore(world)


def restore(world: World) -> None:
    """Undo what a request of the organiser did to the world."""
    type(world.session).objects.filter(pk=world.session.pk).update(state=world.session.state)
    for role in ("table", "other table"):
        type(world.table).objects.filter(pk=world.holder(role).pk).update(revoked_at=None)


@campaign  # who may at all, test_who_may.py asks of such a session
def test_while_nothing_is_published() -> None:
    world = a_world()
    hand_in(world, first_play(world))
    compare(world, UNPUBLISHED, {})


def test_while_a_published_session_is_played() -> None:
    world = a_world(published=True)
    hand_in(world, first_play(world))
    compare(world, PUBLISHED, {})


def test_after_a_published_session() -> None:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    world.refresh()
    compare(world, FINISHED, PUBLISHED)


def test_a_session_that_is_finished_but_not_published_stays_its_organisers() -> None:
    world = a_world()
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    world.refresh()
    for role in ROLES:
        sees = role in {"organiser", "scorer"}
        assert ask(world, role, "GET session-ranking").status_code == (200 if sees else 404)
    assert ask(world, "foreign player", "GET traveller").status_code == 404


def test_a_board_that_every_table_has_played_is_open_to_those_who_played_it() -> None:
    world = a_world()
    first = first_play(world)
    for play in plays_of(world.session):
        if play.board.number == first.board.number:
            assert ask(world, "player", "GET traveller").status_code == 404
            table_hands_in(world, play)
            work(world.session)
    may = {role: ask(world, role, "GET traveller").status_code == 200 for role in ROLES}
    own = ["organiser", "scorer", "table", "other table", "player"]
    assert [role for role, yes in may.items() if yes] == own


def test_each_sees_the_plays_and_submissions_that_concern_them() -> None:
    world = a_world()
    hand_in(world, first_play(world))
    counts = {
        role: (
            len(ask(world, role, "GET session-plays").json()["results"]),
            len(ask(world, role, "GET session-submissions").json()["results"]),
        )
        for role in ("organiser", "scorer", "table", "other table", "player")
    }
    assert counts == {
        "organiser": (12, 1),
        "scorer": (12, 1),
        "table": (4, 1),
        "other table": (4, 0),
        "player": (4, 0),
    }
    play = next(p for p in ask(world, "player", "GET session-plays").json()["results"])
    assert any(seating["contestant"] == world.holder("player").player.name for seating in play["seatings"])  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "etui_x", "etui_12345678_" + "a" * 43, "Bearer", "é" * 20])
def test_a_wrong_token_is_refused_and_not_taken_for_nobody(text: str) -> None:
    world = a_world(published=True)
    client = world.client("anyone")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    response = client.get(f"/api/v1/sessions/{world.session.pk}/ranking/")
    assert response.status_code == 401
    assert response.json()["error"]["code"] == "bad-token"
    assert response["WWW-Authenticate"] == "Bearer"


def test_revoked_and_expired_tokens_end() -> None:
    from django.utils import timezone

    world = a_world()
    fresh = world.client("organiser").post(f"/api/v1/sessions/{world.session.pk}/table-tokens/", {}).json()
    assert len(fresh) == 3
    assert ask(world, "table", "GET session").status_code == 401  # the old one has ended
    type(world.table).objects.filter(pk=world.holder("scorer").pk).update(expires_at=timezone.now())
    assert ask(world, "scorer", "GET session").status_code == 401


def test_secrets_are_kept_as_digests_only() -> None:
    world = a_world()
    for role, token in world.tokens.items():
        text = world.texts[role]
        if token is not None and text is not None:
            assert text.split("_", 2)[2] not in str(vars(token))
            assert len(token.digest) == 64
