"""Sessions of any number of tables in the middle of an evening: all rounds but the last have been played."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any
from uuid import uuid4

from django.db import transaction

from engines import bots, dealing, records, registry, sealing
from tests.tournaments.worlds import a_club, work
from tournaments.models import BoardSet, Play, Result, Role, Session, Token, Tournament
from tournaments.movements import Movement, Sitting
from tournaments.services import board_sets, sessions, submissions, tokens
from tournaments.services.layouts import groups_of, lay_out
from tournaments.services.submissions import ResultEntry

ROUNDS, BOARDS_A_ROUND, SEATS = 4, 2, 3
SHEETS = 12  # of each board that are different; plays draw theirs from these
PHONES = 64  # tables that have a token: no play gets so many results that more would be guesses at hands
AT_ONCE = 2_000  # results that are stored together
GAME = "comon"
DEALT_FROM = bytes(range(dealing.SEED_BYTES))  # the same boards in every run


@dataclass
class FieldOfTables:
    """A session, those who hand in results for it, and sheets that are right, by board."""

    session: Session
    organiser: str
    phones: dict[int, str]  # tokens by table
    sheets: dict[int, list[records.Judgement]]
    random: Random = field(default_factory=lambda: Random(1))

    @property
    def path(self) -> str:
        return f"/api/v1/sessions/{self.session.pk}"

    @cached_property
    def tables(self) -> int:
        return Play.objects.filter(table__section__session=self.session).values("table").distinct().count()

    @property
    def last_boards(self) -> range:
        """Those of the last round, of which nothing has been handed in."""
        return range((ROUNDS - 1) * BOARDS_A_ROUND + 1, ROUNDS * BOARDS_A_ROUND + 1)

    def body(self, table: int, board: int) -> dict[str, Any]:
        """A right result that nobody has handed in yet."""
        sheet = self.random.choice(self.sheets[board]).sheet
        return {"section": "A", "table": table, "board": board, "key": str(uuid4()), "sheet": sheet}

    def other_body(self, table: int, board: int) -> dict[str, Any]:
        """A result that changes the ranking: its scores are not those of the play so far."""
        plays = {"play__table__number": table, "play__board__number": board}
        known = Result.objects.filter(session=self.session, **plays).values_list("scores", flat=True).first()
        sheet = next(one.sheet for one in self.sheets[board] if list(one.outcome.scores) != known)
        return self.body(table, board) | {"sheet": sheet}

    def bodies(self) -> Iterator[dict[str, Any]]:
        """A result of each play of the last round."""
        return (self.body(table, board) for board in self.last_boards for table in range(1, self.tables + 1))


def a_field(tables: int) -> FieldOfTables:
    """The time grows with the tables."""
    club = a_club(f"Club of {tables} tables")  # of its own: nobody plays two sessions at once
    organiser, text = tokens.issue_for_role(person="Organiser", club=club, kind=Role.Kind.ORGANISER)
    tournament = sessions.create_tournament(actor=organiser, club=club, name=f"{tables} tables")
    session = a_session_of(tournament, tables)
    sheets = {n: judgements(session, n) for n in range(1, ROUNDS * BOARDS_A_ROUND + 1)}
    field = FieldOfTables(session, text, {}, sheets)
    _play(field, organiser)
    sessions.publish(session=session, actor=organiser, listed=True)
    field.phones = {
        table.number: token
        for number in range(1, min(PHONES, tables - 1) + 1)  # or boards are over, and corrections say why
        for table, token in tokens.issue_for_tables(session=session, actor=organiser, table=number)
    }
    return field


@transaction.atomic
def a_session_of(tournament: Tournament, tables: int) -> Session:
    game, seed = registry.game(GAME), DEALT_FROM
    options = registry.options_of(game, {})
    boards = range(1, ROUNDS * BOARDS_A_ROUND + 1)
    sealed = sealing.Boards("Load", GAME, options, {}, boards, range(0))
    layout = movement(tables)
    session, _plays = lay_out(
        tournament=tournament,
        name="Load",
        game=GAME,
        options=options,
        method="matchpoints",
        movements={"A": layout},
        groups=groups_of(GAME, {}, [layout]),
        contestants=[f"Contestant {n:05}" for n in range(1, SEATS * tables + 1)],
        club=tournament.club,
        seed=seed,
        manifest=sealing.manifest_of(sealed, seed, None),
        custody=BoardSet.Keeping.NONE,  # the measured organiser reads travellers while others play
    )
    return Session.objects.select_related("board_set", "tournament").get(pk=session.pk)


def movement(tables: int, rounds: int = ROUNDS, boards_a_round: int = BOARDS_A_ROUND) -> Movement:
    """Three groups of contestants move past each other, and sit in other seats at each table and in each
    round: all of them can be compared."""
    sittings = []
    for number in range(1, rounds + 1):
        for table in range(tables):
            seated = [group * tables + (table + group * number) % tables + 1 for group in range(SEATS)]
            by = (number + table) % SEATS
            turned = seated[by:] + seated[:by]
            first = (number - 1) * boards_a_round + 1
            sittings += [
                Sitting(number, table + 1, board, tuple(turned))
                for board in range(first, first + boards_a_round)
            ]
    return Movement("load", tuple(sittings))


def judgements(session: Session, board: int) -> list[records.Judgement]:
    """Some sheets of a board, with what they are worth."""
    game, deal = registry.game(GAME), board_sets.deal_of(session, board)
    judgements = []
    for number in range(SHEETS):
        state = game.start(deal, session.options)
        bots.play_on(game, state, [bots.at_random] * SEATS, Random(number))
        record = records.Record(game, session.options, {}, deal)
        judgements.append(
            records.final_judgement(records.with_content(record, {"sheet": game.summarise(state)}))
        )
    return judgements


def _play(field: FieldOfTables, sender: Token) -> None:
    """Results of all rounds but the last."""
    first = field.last_boards[0]
    played = [(table, board) for board in range(1, first) for table in range(1, field.tables + 1)]
    for start in range(0, len(played), AT_ONCE):
        entries = [
            ResultEntry("A", table, board, uuid4(), {"sheet": field.random.choice(field.sheets[board]).sheet})
            for table, board in played[start : start + AT_ONCE]
        ]
        submissions.submit(session_id=field.session.pk, sender=sender, entries=entries)
    work(field.session)
