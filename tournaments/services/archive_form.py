"""What the files of an archive say, line by line: docs/formats.md has the meaning of each.

Rows refer to each other by the numbers that people know (contestant 12, table A3, board 7), and to persons by
their numbers in `people.jsonl`; nothing here depends on the database that it came from, but the `id`s, which
say what the digests of rankings were made from.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from scoring.formulas import LONGEST_TABLE

Number = Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
Id = Annotated[int, msgspec.Meta(ge=1, lt=2**62)] | None
Seat = Annotated[int, msgspec.Meta(ge=1, le=99)]
Name = Annotated[str, msgspec.Meta(max_length=200)]
Word = Annotated[str, msgspec.Meta(max_length=80)]
SectionName = Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
Slug = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Facts = dict[str, Any]


class ArchiveRow(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A row has these fields, and no others."""


class ClubRow(ArchiveRow):
    slug: Slug
    name: Name


class TournamentFile(ArchiveRow):
    """`tournament.json`. `club`: whose it is; `clubs`: all that the sessions name."""

    name: Name
    club: Slug
    clubs: list[ClubRow]


class PersonRow(ArchiveRow):
    """`people.jsonl`: as lists show them. Without consent there are initials, or nothing. `categories`,
    `club`: where a list of the archive needs them."""

    number: Number
    given_name: Name
    family_name: Name
    consent: bool
    categories: list[Word]
    club: Slug | None


class Rules(ArchiveRow):
    """The versions of the rules by which the ranking was made, and the boards were dealt."""

    scoring: int | None
    deals: str | None


class SectionRow(ArchiveRow):
    name: SectionName
    club: Slug


class Counters(ArchiveRow):
    """How far results were counted, and by which numbers the session's rows follow each other."""

    position: Count
    layout: Count
    version: Count
    live_version: Count
    rulings: Count
    said: Count
    revealed: Count


class SessionFile(ArchiveRow):
    """`session.json`."""

    number: Number
    name: Name
    game: Word
    options: Facts
    conditions: Facts
    rules: Rules
    method: Word
    method_options: Facts
    movement: Word
    partners_fixed: bool
    plays_per_board: Number
    sides: list[list[Seat]]
    state: Word
    listed: bool
    live: Word
    is_paced: bool
    is_trial: bool
    substitutes_credited: Word
    custody: Word
    commitment: str
    starts_at: datetime | None
    corrections_until: datetime | None
    created_at: datetime
    sections: list[SectionRow]
    counters: Counters


class BoardRow(ArchiveRow):
    """`boards.jsonl`."""

    number: Number
    id: Id
    over_at: datetime | None


class RoundRow(ArchiveRow):
    """`rounds.jsonl`, of a session that was paced. `opened_after`: how many submissions came before."""

    number: Number
    state: Word
    duration: Count | None
    warning: Count | None
    grace: Count
    pause_before: Count | None
    is_barometer: bool
    opens_at: datetime | None
    opened_at: datetime | None
    opened_after: Count | None
    ends_at: datetime | None
    paused_at: datetime | None
    closed_at: datetime | None
    takes_until: datetime | None
    settles_at: datetime | None
    settled_at: datetime | None


class SubstituteRow(ArchiveRow):
    player: Number
    for_player: Number
    first_round: Number
    last_round: Number
    made_at: datetime
    undone_at: datetime | None


class ContestantRow(ArchiveRow):
    """`contestants.jsonl`. `name`: null where it is that of its `members`."""

    number: Number
    id: Id
    name: Name | None
    is_named_by_players: bool
    line_group: Number
    left_after: Count | None
    came_after: Count
    team: Number | None
    members: list[Number]
    substitutes: list[SubstituteRow]


class ResultRow(ArchiveRow):
    """What counts of a play: of which submission, and what each seat has marked."""

    submission: Number
    scores: list[int]
    averaged: list[Seat]
    facts: list[Facts]
    sheet: Facts
    position: Count
    updated_at: datetime


class RuledRow(ArchiveRow):
    """What stands for a play by all rulings in force, by seat."""

    entries: list[str | None]
    deal: Annotated[str, msgspec.Meta(max_length=20)]
    position: Count
    is_whole: bool


class ArchivedPlay(ArchiveRow):
    """`plays.jsonl`: the movement, and what came of each of its plays. `seats`: the contestants."""

    id: Id
    section: SectionName
    table: Number
    board: Number
    round: Number
    seats: list[Number]
    result: ResultRow | None
    ruled: RuledRow | None
    disagreement: Number | None
    confirmation: Number | None


class SubmissionRow(ArchiveRow):
    """`submissions.jsonl`, in the order in which they came. `by`: "table", or "official" for it.
    `reason`: the digest of why it followed another; the text stays where it was written."""

    number: Number
    section: SectionName
    table: Number
    board: Number
    by: Word
    seat: Seat | None
    key: UUID
    content: Facts
    created_at: datetime
    state: Word
    refusal: Any
    judged_at: datetime | None
    contradicted: bool
    reason: Hash | None


class ConfirmationRow(ArchiveRow):
    """`confirmations.jsonl`. `by`: "seat", or "official". `sheet`: the submission of the seat itself."""

    number: Number
    submission: Number
    by: Word
    seat: Seat | None
    sheet: Number | None
    is_shared: bool
    made_at: datetime


class PartRow(ArchiveRow):
    section: SectionName
    table: Number
    board: Number
    entries: list[str | None]
    deal: Annotated[str, msgspec.Meta(max_length=20)]


class RulingRow(ArchiveRow):
    """`rulings.jsonl`, in their order. `match`: its round and its number there. Reasons by their digests."""

    number: Number
    kind: Word
    content: Facts
    contestant: Number | None
    match: tuple[Number, Number] | None
    reason: Hash
    made_at: datetime
    position: Count
    reversed_at: datetime | None
    reversed_position: Count | None
    reversal_reason: Hash | None
    parts: list[PartRow]


class MatchRulesRow(ArchiveRow):
    form: Word
    team_size: Number
    rounds: Count
    measure: Word
    unit: Word
    worth: Word
    steps: list[Any]
    whole: Word
    bye: Word
    forfeit_won: Word
    forfeit_lost: Word
    changes: Count


class TeamRow(ArchiveRow):
    number: Number
    name: Word


class ArchivedMatch(ArchiveRow):
    round: Number
    number: Number
    first: Number
    second: Number | None


class MatchesFile(ArchiveRow):
    """`matches.json`, of a session that has matches."""

    rules: MatchRulesRow | None
    teams: list[TeamRow]
    matches: list[ArchivedMatch]


class ListRow(ArchiveRow):
    """`lists.jsonl`: the lists beside the ranking, as they were set up."""

    number: Number
    name: Word
    kind: Word
    about: Word
    method: Word
    method_options: Facts
    tie_breaks: list[Any]
    min_boards: Number
    award_factor: Word
    handicaps: dict[str, str]
    changes: Count
    removed_at: datetime | None
    formula: Word = ""
    formula_text: Annotated[str, msgspec.Meta(max_length=LONGEST_TABLE)] = ""


class RankingRow(ArchiveRow):
    """`rankings.jsonl`: the versions. `places`: contestant, points over `scale`, top, boards, line group, and
    1 for those who are disqualified."""

    version: Number
    is_live: bool
    is_snapshot: bool
    boards: list[Number] | None
    position: Count | None
    layout: Count | None
    digest: str
    rules: int | None
    invariants: Any
    created_at: datetime
    scale: Annotated[int, msgspec.Meta(ge=1)]
    places: list[tuple[Number, int, Count, Count, Number, int]]


def file_of(value: ArchiveRow) -> bytes:
    """A row as a file of its own."""
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1) + b"\n"


def lines_of(rows: Sequence[ArchiveRow] | Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as JSON lines: the same rows are the same bytes, whichever database they come from."""
    return b"".join(msgspec.json.encode(row, order="deterministic") + b"\n" for row in rows)
