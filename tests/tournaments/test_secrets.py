"""Hands and seeds of boards in play appear nowhere for those who may not see them. `make test` walks all
routes of a published session as each of its roles; `make campaign-roles` as strangers too, in French, and of
one that is not."""

import json
import logging
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import URLPattern, URLResolver, get_resolver

from frontend.templatetags.cards import card
from frontend.views import HAND
from tests.running import EVERYBODY
from tournaments.models import (
    ClubEntry,
    Draft,
    HistoryEntry,
    Job,
    Play,
    Player,
    Ranking,
    Registrant,
    Registration,
    RegistrationList,
    Result,
    Session,
    Submission,
    Table,
    Token,
)
from tournaments.services import queue, submissions, versions
from tournaments.services.errors import Conflict

from .worlds import (
    ROLES,
    World,
    a_call,
    a_club_entry,
    a_code,
    a_delivery,
    a_formula,
    a_list,
    a_past_season,
    a_penalty,
    a_ruling,
    a_running_season,
    a_slip_photo,
    a_team,
    a_world,
    an_announcement,
    an_entry,
    an_objection,
    hand_in,
    plays_of,
    work,
)

WALKERS = ROLES if EVERYBODY else ("anyone", "organiser", "scorer", "table", "player")
CARD = re.compile(r"(?<![\w#])[789TJQKA][SHDC](?!\w)")
pytestmark = pytest.mark.django_db


def addresses(world: World) -> Iterator[str]:
    """Every address of the service, its places filled from the world."""
    play = plays_of(world.session)[0]
    submission = Submission.objects.filter(play=play).first()
    job, _is_new = Job.objects.get_or_create(
        tournament=world.session.tournament, session=world.session, name="Plan"
    )
    the_list, _is_new = RegistrationList.objects.get_or_create(
        tournament=world.session.tournament, name="Entered"
    )
    registration, is_new = Registration.objects.get_or_create(list=the_list)
    if is_new:
        for player in Player.objects.filter(memberships__session=world.session):
            Registrant.objects.create(list=the_list, registration=registration, player=player)
    role = world.organiser.role
    assert role is not None
    draft, _is_new = Draft.objects.get_or_create(
        club=world.session.tournament.club, tournament=world.session.tournament, made_by=role.account
    )
    its_own = ClubEntry.objects.filter(session=world.session).first()
    entered = its_own or a_club_entry(world.session.tournament.club)
    webhook, delivery = a_delivery(world.session.tournament.club)
    filled = {
        "webhooks/<int:pk>": webhook,
        "<int:webhook>": webhook,
        "<int:delivery>": delivery,
        "<int:leg>": 1,
        "<int:event>": entered.leg.event_id,
        "<uuid:pk>": job.pk,
        "<uuid:job>": job.pk,
        "drafts/<int:pk>": draft.pk,
        "tournaments/<int:pk>": world.session.tournament_id,
        "submissions/<int:pk>": submission.pk if submission else 1,
        "registration-lists/<int:pk>": the_list.pk,
        "registrations/<int:pk>": registration.pk,
        "registration/<int:pk>": the_list.pk,
        "slip-photos/<int:pk>": a_slip_photo(play),
        "events/<int:pk>": entered.leg.event_id,
        "legs/<int:pk>": entered.leg_id,
        "entries/<int:pk>": entered.pk,
        "past-seasons/<int:pk>": a_past_season(world.session.tournament.club),
        "seasons/<int:pk>": a_running_season(world.session),
        "<int:season>": a_running_season(world.session),
        "<int:photo>": a_slip_photo(play),
        "<int:pk>": world.session.pk,
        "<int:number>": play.board.number,
        "<int:play>": play.pk,
        "<int:substitution>": 1,
        "<int:objection>": an_objection(world.session, play, world.organiser),
        "<int:call>": a_call(play.table, world.organiser),
        "<int:announcement>": an_announcement(world.session, world.organiser),
        "<int:listing>": a_list(world.session),
        "<int:penalty>": a_penalty(world.session),
        "<int:formula>": a_formula(world.session),
        "<int:ruling>": a_ruling(world.session, play),
        "<int:team>": a_team(world.session),
        "<int:board>": play.board.number,
        "<str:form>": "csv",
        "<str:step>": "review",
        "<str:what>": "ranking",
        "<str:game>": "comon",
        "<str:act>": "cancel",
        "<int:session>": world.session.pk,
        "<str:club>": world.session.tournament.club.slug,
        "<str:secret>": "no-such-link",
        "<str:code>": a_code_of(play.table, world.organiser),
        "<path:rest>": "tournaments/account/",
        r"^account/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "account/reset/key/1-no-such-key/",
        r"^account/email/confirm/(?P<key>[-:\w]+)/$": "account/email/confirm/no-such-key/",
    }
    for route in routes(get_resolver().url_patterns):
        for name, value in filled.items():
            route = "api/v1/nothing/" if route == "api/v1/" else route
            kept = f"{name.partition('/')[0]}/" if "/<" in name else ""
            route = route.replace(name, f"{kept}{value}")
        assert "<" not in route, route
        yield f"/{route}"


def is_a_document(address: str) -> bool:
    """The description of the API and the rules of the games are the same for everyone, and public."""
    return "schema" in address or address.startswith(("/api/docs/", "/fr/games/comon/", "/en/games/comon/"))


def a_code_of(table: Table, organiser: Token) -> str:
    """The code of a table; no code once the evening is over."""
    session = Session.objects.get(pk=table.section.session_id)
    return a_code(table, organiser) if session.state in Session.COMING else "ABCDEFGH23"


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            for language in ("fr/", "en/") if "LocalePrefix" in type(pattern.pattern).__name__ else ("",):
                yield from routes(pattern.url_patterns, before + (language or str(pattern.pattern)))
        elif isinstance(pattern, URLPattern):
            yield before + str(pattern.pattern)


def body_of(response: Any) -> str:
    if response.streaming or response.get("Content-Type", "").startswith("image/"):
        return ""  # the bytes of a picture look like anything
    text = response.content.decode() + json.dumps(dict(response.headers))
    text = text.replace("".join(card(token) for token in HAND), "")  # the first page's ornament
    return re.sub(r"""nonce[-=]["']?[\w+/=-]+""", "", text)  # random letters, which may look like a card


def _contents() -> Iterator[Any]:
    """What the versions of rankings hold."""
    for ranking in Ranking.objects.all():
        yield versions.content(*versions.totals_in([bytes(ranking.content)])[:2])


def played_a_little(*, published: bool, custody: str = "officer") -> World:
    """A session in play: some sheets, one refused record, a ranking, and no board that is over."""
    world = a_world(published=published, custody=custody)
    for play in plays_of(world.session)[:2]:
        hand_in(world, play)
    hand_in(world, plays_of(world.session)[0], {"actions": ["play:ZZ"]})
    work(world.session)
    world.refresh()
    return world


@pytest.mark.parametrize("published", [True, False] if EVERYBODY else [True])
def test_no_route_shows_a_card_or_the_seed(published: bool) -> None:
    world = played_a_little(published=published)
    seed = bytes(world.session.board_set.seed or b"").hex()
    answered = Counter[str]()
    shown = [one for one in addresses(world) if not is_a_document(one)]
    # Tokens are for the API; pages do not know its callers, two of whom ask for them, each in a language.
    pages = {"anyone": "/en/", "foreign table": "/fr/"}
    for role, address in product(WALKERS, shown):
        if address[:4] in pages.values() and address[:4] != pages.get(role):
            continue
        client = world.client(role)
        streams = address.endswith("/live/")  # test_live.py reads it
        read = client.head if streams else client.get
        asks_for_options = published and role in {"anyone", "organiser"}  # a view says the same to all
        for method in (read, client.options) if asks_for_options else (read,):
            response = method(address)
            text = body_of(response)
            assert CARD.findall(text) == [], (role, address)
            assert seed not in text, (role, address)
            answered[role] += response.status_code == 200
    assert len(answered) == len(WALKERS)
    assert min(answered.values()) > 3


def test_the_search_itself_finds_what_the_organiser_may_see() -> None:
    world = played_a_little(published=False, custody="none")
    client = world.client("organiser")
    found = [address for address in addresses(world) if CARD.search(body_of(client.get(address)))]
    assert any("boards" in address for address in found)
    assert any("traveller" in address for address in found)


def test_a_refused_record_does_not_tell_the_hand_that_it_was_checked_against() -> None:
    world = a_world()
    play = (
        Play.objects.filter(table=world.table.table, round=4)
        .select_related("table__section", "board")
        .first()
    )
    assert play is not None
    probes = [["play:ZZ"], ["play:AH"], ["1 play:7S"], []]
    for actions in probes:
        submissions.submit(
            session_id=world.refresh().pk, sender=world.table, entries=[an_entry(play, {"actions": actions})]
        )
    work(world.session)
    listed = world.client("table").get(f"/api/v1/sessions/{world.session.pk}/submissions/").json()["results"]
    assert [one["state"] for one in listed] == ["refused"] * 4
    board = play.board.number
    message = f"This cannot be the whole play of board {board}; is the number right?"
    assert [one["refusal"] for one in listed] == [{"type": "Contradiction", "message": message}] * 4


def test_a_table_that_guesses_at_a_hand_is_soon_sent_to_the_director() -> None:
    world = a_world()
    play = Play.objects.filter(table=world.table.table).select_related("table__section", "board").first()
    assert play is not None
    for _ in range(submissions.REFUSALS_AT_MOST):
        submissions.submit(
            session_id=world.refresh().pk,
            sender=world.table,
            entries=[an_entry(play, {"actions": ["play:AS"]})],
        )
    work(world.session)
    with pytest.raises(Conflict, match="director"):
        submissions.submit(session_id=world.session.pk, sender=world.table, entries=[an_entry(play)])
    hand_in(world, play)  # the organiser still may


def test_guesses_in_one_bulk_or_before_they_are_judged_are_counted_too() -> None:
    world = a_world()
    play = Play.objects.filter(table=world.table.table).select_related("table__section", "board").first()
    assert play is not None
    guesses = [an_entry(play, {"actions": ["play:AS"]}) for _ in range(submissions.REFUSALS_AT_MOST + 1)]
    with pytest.raises(Conflict, match="director"):
        submissions.submit(session_id=world.refresh().pk, sender=world.table, entries=guesses)
    assert not Submission.objects.exists()
    submissions.submit(session_id=world.session.pk, sender=world.table, entries=guesses[:-1])
    with pytest.raises(Conflict, match="director"):
        submissions.submit(session_id=world.session.pk, sender=world.table, entries=guesses[-1:])
    again = submissions.submit(session_id=world.session.pk, sender=world.table, entries=guesses[:1])
    assert again[0].key == guesses[0].key  # what was handed in before may be sent again


def test_where_a_play_may_end_after_any_card_its_table_hands_one_in_once() -> None:
    """At Le 99 a king that is taken as the last card tells that the next player holds none of those that
    save: of each king that is led, a third is."""
    world = a_world(game="le-99")
    play, other = [one for one in plays_of(world.session) if one.table == world.table.table][:2]

    def send(play: Play, content: dict[str, Any]) -> None:
        submissions.submit(
            session_id=world.refresh().pk, sender=world.table, entries=[an_entry(play, content)]
        )

    never = ["play:KS", "play:2S"]  # nobody plays on at 99 with a two
    send(play, {"actions": never})
    for _ in range(2):
        with pytest.raises(Conflict, match="enter its result"):
            send(play, {"actions": never[:1]})
        work(world.session)
    send(other, {"actions": never})
    send(play, {"sheet": {"loser": 1}})
    work(world.session)
    assert Result.objects.get().play == play


def test_where_no_pad_says_when_a_play_is_whole_its_table_hands_one_in_once() -> None:
    """In Duel à Las Vegas each beginning would tell of the stock."""
    world = a_world(game="duel-las-vegas", movement="round-robin")
    play = next(one for one in plays_of(world.session) if one.table == world.table.table)

    def send(content: dict[str, Any]) -> None:
        submissions.submit(session_id=world.session.pk, sender=world.table, entries=[an_entry(play, content)])

    send({"actions": ["draw"]})
    for count in (1, 2):
        work(world.session)
        with pytest.raises(Conflict, match="enter its result"):
            send({"actions": ["draw"] * count})


def test_an_official_who_plays_guesses_at_a_board_as_seldom_as_a_table_and_others_as_they_like() -> None:
    """Whatever tables they say that it was played at."""
    world = a_world()
    board = [one for one in plays_of(world.session) if one.board.number == 1]
    scorer = world.holder("scorer")

    def send(play: Play, count: int = 1) -> None:
        entries = [an_entry(play, {"actions": ["play:AS"]}) for _ in range(count)]
        submissions.submit(session_id=world.refresh().pk, sender=scorer, entries=entries)
        work(world.session)

    for play in board:
        send(play, 5)
    seated = Player.objects.filter(contestants__seatings__play=board[0]).order_by("pk")[0]
    assert scorer.role is not None
    Player.objects.filter(pk=seated.pk).update(account=scorer.role.account)
    with pytest.raises(Conflict, match="director"):
        send(board[1])
    another = next(one for one in plays_of(world.session) if one.board.number == 2)
    with pytest.raises(Conflict, match="director"):
        send(another, submissions.REFUSALS_AT_MOST + 1)
    send(another, submissions.REFUSALS_AT_MOST)
    with pytest.raises(Conflict, match="director"):
        send(another)
    submissions.submit(session_id=world.session.pk, sender=scorer, entries=[an_entry(board[1])])  # a sheet


def test_logs_history_rankings_and_messages_tell_neither(caplog: Any, settings: Any) -> None:
    caplog.set_level(logging.DEBUG)
    world = played_a_little(published=True)
    for task in ("judge", "score", "rank"):
        queue.send(task, world.session.pk)
    messages = "".join(path.read_text() for path in Path(settings.BROKER_DIR, "queue").glob("*.msg"))
    if not settings.REDIS_URL:
        assert "tournaments.tasks.judge" in messages
    stored = json.dumps(
        [*HistoryEntry.objects.values(), *_contents(), *Submission.objects.values("refusal")],
        cls=DjangoJSONEncoder,
    )
    seed = bytes(world.session.board_set.seed or b"").hex()
    for text in (caplog.text, messages, stored):
        assert CARD.findall(text) == []
        assert seed not in text
        for token in world.texts.values():
            assert not token or token not in text


def test_no_secret_is_written_into_the_repository() -> None:
    import subprocess

    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=settings.BASE_DIR, capture_output=True, check=False, text=True
    ).stdout.split("\0")
    assert not [
        name for name in tracked if name.startswith("var/") or name.endswith((".sqlite3", "secret_key"))
    ]
