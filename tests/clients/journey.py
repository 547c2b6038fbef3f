"""The beginning of an evening by the generated Python client: `python journey.py ADDRESS TOKEN`.

It is written as a partner would write it: whatever it calls, reads or hands over has the type that the
description gives it, and a checker of types has seen all of it.
"""

import sys
import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from etui_client import AuthenticatedClient
from etui_client.api.games import list_games
from etui_client.api.jobs import get_job
from etui_client.api.rankings import get_ranking
from etui_client.api.results import get_submission, list_plays, submit_result
from etui_client.api.sessions import change_session, get_session
from etui_client.api.tables import create_table_tokens
from etui_client.api.tournaments import (
    create_session,
    create_tournament,
    get_tournament,
    list_movements,
)
from etui_client.models import (
    EntryRequest,
    EntryRequestSheet,
    GameEnum,
    JobState,
    PatchedSessionChangeRequest,
    Play,
    Problem,
    SetUpRequest,
    SubmissionState,
    TableTokenRequestRequest,
    TournamentRequest,
)
from etui_client.types import UNSET, Response

Answer = TypeVar("Answer")
PLAYERS = [f"Joueur {number}" for number in range(1, 10)]


def main(address: str, token: str) -> None:
    api = AuthenticatedClient(base_url=address, token=token)
    games = [game for page in pages_of_games(api) for game in page]
    assert len(games) == len(set(games)) > 20, games

    tournament = one_tournament(api)
    session = a_session(api, tournament)
    renamed(api, session)

    play = next(plays(api, session))
    tables = right(create_table_tokens.sync(session, client=api, body=TableTokenRequestRequest()))
    (own,) = [one for one in tables if (one.section, one.table) == (play.section, play.table)]
    hand_in(AuthenticatedClient(base_url=address, token=own.token), session, play)
    ranking = right(get_ranking.sync(session, client=api))
    assert {place.contestant for place in ranking.places} == set(PLAYERS)
    print("the Python client: all as described")


def right(answer: Answer | Problem | None) -> Answer:
    """The answer, where the service has not refused."""
    assert not isinstance(answer, Problem), (answer.code, answer.detail, answer.details)
    assert answer is not None, "an answer that is not described"
    return answer


def refused(answer: Response[Answer | Problem], status: HTTPStatus, code: str) -> Problem:
    """The problem by which the service has refused."""
    problem = answer.parsed
    assert isinstance(problem, Problem), problem
    assert (answer.status_code, problem.status, problem.code) == (status, status, code), problem
    assert problem.type_ == f"urn:problem-type:etui:{code}"
    assert problem.title
    assert problem.detail
    return problem


def pages_of_games(api: AuthenticatedClient) -> Iterator[list[str]]:
    """The ids of the games, eight to a page; a page names the next by its cursor."""
    cursor: str | None = ""
    while cursor is not None:
        page = right(list_games.sync(client=api, page_size=8, cursor=cursor or UNSET))
        assert 1 <= len(page.results) <= 8
        yield [game.id for game in page.results]
        cursor = parse_qs(urlsplit(page.next_).query)["cursor"][0] if page.next_ else None


def one_tournament(api: AuthenticatedClient) -> int:
    """A tournament, which is created once however often that is sent."""
    key, cup = str(uuid4()), TournamentRequest(name="Cup")
    made = right(create_tournament.sync(client=api, body=cup, idempotency_key=key))
    again = right(create_tournament.sync(client=api, body=cup, idempotency_key=key))
    assert (made.id, made.name) == (again.id, "Cup")
    other = create_tournament.sync_detailed(
        client=api, body=TournamentRequest(name="Other"), idempotency_key=key
    )
    refused(other, HTTPStatus.UNPROCESSABLE_ENTITY, "key-was-used")
    refused(get_tournament.sync_detailed(999_999, client=api), HTTPStatus.NOT_FOUND, "not-found")
    assert right(get_tournament.sync(made.id, client=api)).name == "Cup"
    return made.id


def a_session(api: AuthenticatedClient, tournament: int) -> int:
    """A session with the movement that the service finds best, once the job that sets it up is done."""
    movements = right(
        list_movements.sync(client=api, game=GameEnum.COMON, contestants=len(PLAYERS), boards=4)
    )
    best = movements[0]
    wish = SetUpRequest(
        name="Evening",
        game=GameEnum.COMON,
        movement=best.movement,
        boards_per_round=best.boards_per_round,
        contestants=[*PLAYERS],
        names_may_be_published=True,
    )
    job = right(create_session.sync(tournament, client=api, body=wish, idempotency_key=str(uuid4())))
    while job.state in {JobState.WAITING, JobState.RUNNING}:
        time.sleep(0.1)
        job = right(get_job.sync(job.id, client=api))
    assert job.state is JobState.DONE, job.error
    assert job.session is not None
    return job.session


def renamed(api: AuthenticatedClient, session: int) -> None:
    """The session has a new name, given by somebody who has seen what it was."""
    seen = get_session.sync_detailed(session, client=api).headers["ETag"]
    change = PatchedSessionChangeRequest(name="Thursday")
    stale = change_session.sync_detailed(session, client=api, body=change, if_match='"of-yesterday"')
    refused(stale, HTTPStatus.PRECONDITION_FAILED, "changed-meanwhile")
    changed = right(change_session.sync(session, client=api, body=change, if_match=seen))
    assert (changed.id, changed.name) == (session, "Thursday")


def plays(api: AuthenticatedClient, session: int) -> Iterator[Play]:
    """Who plays what where, five to a page."""
    cursor: str | None = ""
    while cursor is not None:
        page = right(list_plays.sync(session, client=api, page_size=5, cursor=cursor or UNSET))
        yield from page.results
        cursor = parse_qs(urlsplit(page.next_).query)["cursor"][0] if page.next_ else None


def hand_in(table: AuthenticatedClient, session: int, play: Play) -> None:
    """The table of a play hands in its sheet, which the service then accepts."""
    nowhere = EntryRequest(table=99, board=play.board, key=uuid4(), sheet=sheet_of(5, 3, 2))
    answer = submit_result.sync_detailed(session, client=table, body=nowhere)
    refused(answer, HTTPStatus.NOT_FOUND, "no-such-play")
    entry = EntryRequest(table=play.table, board=play.board, key=uuid4(), sheet=sheet_of(5, 3, 2))
    handed_in = right(submit_result.sync(session, client=table, body=entry))
    while handed_in.state is SubmissionState.PENDING:
        time.sleep(0.1)
        handed_in = right(get_submission.sync(handed_in.id, client=table))
    assert handed_in.state is SubmissionState.ACCEPTED, handed_in.refusal


def sheet_of(*tricks: int) -> EntryRequestSheet:
    return EntryRequestSheet.from_dict({"outcome": "normal", "tricks": [*tricks]})


if __name__ == "__main__":
    main(*sys.argv[1:])
