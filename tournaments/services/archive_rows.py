"""A session of an archive on its way into the database: the same rows under other ids."""

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _

import scoring

from .. import vault
from ..models import (
    Account,
    Board,
    BoardSet,
    Confirmation,
    Contestant,
    ImportedSession,
    Match,
    MatchRules,
    Member,
    PaperFile,
    Play,
    Ranking,
    Remark,
    Result,
    Round,
    RuledPlay,
    Ruling,
    RulingPart,
    Seating,
    Section,
    Session,
    SessionList,
    Submission,
    Substitution,
    Table,
    Tally,
    Team,
    Token,
    Tournament,
)
from . import archive_form as form
from . import archives, bulk, counting, history, progress, proofs, versions
from .archive_reading import ArchiveIn, Place, SessionIn, place_of
from .archives import place_key
from .errors import Conflict, Invalid


class SessionRows:
    """One session on its way into the database: what it has been given so far, by the numbers of the
    archive."""

    def __init__(
        self,
        found: SessionIn,
        archive: ArchiveIn,
        tournament: Tournament,
        players: Mapping[int, int],
        actor: Account | Token | None,
    ) -> None:
        self.found, self.players = found, players
        self.names = {one.number: f"{one.given_name} {one.family_name}".strip() for one in archive.people}
        self.session = self._session(tournament)
        self._matches()
        self.contestants = self._contestants()
        self.board_set, self.boards = self._boards()
        self.plays = self._plays()
        self.tables: dict[int, int] = dict(
            Play.objects.filter(table__section__session=self.session).values_list("pk", "table")
        )
        self.submissions = self._submissions()
        self._confirmations()
        self._results()
        self._rulings()
        self._lists_and_rounds()
        local = self._rankings()
        self._origin(archive, local)
        self._keep_file(tournament)
        history.note(actor, archives.IMPORTED_VERB, self.session, session=self.session, digest=archive.digest)

    def _session(self, tournament: Tournament) -> Session:
        one = self.found.session
        highest = tournament.sessions.order_by("-number").values_list("number", flat=True).first()
        same = {
            name: getattr(one, name)
            for name in (
                *("name", "game", "options", "conditions", "method", "method_options", "movement"),
                *("partners_fixed", "plays_per_board", "state", "listed", "live", "is_paced", "is_trial"),
                *("substitutes_credited", "starts_at", "corrections_until"),
            )
        }
        return Session.objects.create(tournament=tournament, number=(highest or 0) + 1, **same)

    def _matches(self) -> None:
        self.teams: dict[int, int] = {}
        self.matches: dict[tuple[int, int], int] = {}
        found = self.found.matches
        if found is None:
            return
        if found.rules is not None:
            MatchRules.objects.create(session=self.session, **msgspec.structs.asdict(found.rules))
        for team in found.teams:
            self.teams[team.number] = Team.objects.create(
                session=self.session, number=team.number, name=team.name
            ).pk
        for one in found.matches:
            self.matches[one.round, one.number] = Match.objects.create(
                session=self.session,
                round=one.round,
                number=one.number,
                first_id=self.teams[one.first],
                second_id=None if one.second is None else self.teams[one.second],
            ).pk

    def _contestants(self) -> dict[int, int]:
        rows = sorted(self.found.contestants, key=lambda one: one.number)  # ids ascend as numbers do
        ids = bulk.new_ids(Contestant, len(rows))
        bulk.insert(
            Contestant,
            {
                "id": ids,
                "number": [one.number for one in rows],
                "name": [self._name(one) for one in rows],
                "named_by_players": [one.is_named_by_players for one in rows],
                "line_group": [one.line_group for one in rows],
                "left_after": [one.left_after for one in rows],
                "came_after": [one.came_after for one in rows],
                "team": [None if one.team is None else self.teams[one.team] for one in rows],
            },
            same={"session": self.session.pk},
        )
        numbered = {one.number: pk for one, pk in zip(rows, ids, strict=True)}
        members = [(numbered[one.number], self.players[player]) for one in rows for player in one.members]
        bulk.insert(
            Member,
            {"contestant": [one for one, _player in members], "player": [player for _one, player in members]},
            same={"session": self.session.pk, "entered_as": None},
        )
        put_in = [(numbered[one.number], some) for one in rows for some in one.substitutes]
        bulk.insert(
            Substitution,
            {
                "contestant": [pk for pk, _some in put_in],
                "player": [self.players[some.player] for _pk, some in put_in],
                "for_player": [self.players[some.for_player] for _pk, some in put_in],
                "first_round": [some.first_round for _pk, some in put_in],
                "last_round": [some.last_round for _pk, some in put_in],
                "made_at": [some.made_at for _pk, some in put_in],
                "undone_at": [some.undone_at for _pk, some in put_in],
            },
            same={"entered_as": None},
        )
        return numbered

    def _name(self, one: form.ContestantRow) -> str:
        if one.name is not None:
            return one.name
        return " – ".join(self.names[player] or "–" for player in one.members)[:200]

    def _boards(self) -> tuple[BoardSet, dict[int, int]]:
        deals, one = self.found.deals, self.found.session
        seed = None if deals is None else deals.get("seed")
        board_set = BoardSet.objects.create(
            session=self.session,
            sealed_seed=None if seed is None else vault.seal(bytes.fromhex(seed)),
            manifest=None if deals is None else deals["manifest"],
            commitment=one.commitment,
            custody=one.custody,
        )
        rows = self.found.boards
        ids = bulk.new_ids(Board, len(rows))
        bulk.insert(
            Board,
            {"id": ids, "number": [one.number for one in rows], "over_at": [one.over_at for one in rows]},
            same={"board_set": board_set.pk},
        )
        return board_set, {one.number: pk for one, pk in zip(rows, ids, strict=True)}

    def _plays(self) -> dict[Place, int]:
        rows, club = self.found.plays, self.session.tournament.club
        tables: dict[tuple[str, int], int] = {}
        for one in self.found.session.sections:
            section = Section.objects.create(session=self.session, club=club, name=one.name)
            numbers = sorted({play.table for play in rows if play.section == one.name})
            ids = bulk.new_ids(Table, len(numbers))
            bulk.insert(Table, {"id": ids, "number": numbers}, same={"section": section.pk})
            tables |= {(one.name, number): pk for number, pk in zip(numbers, ids, strict=True)}
        ids = bulk.new_ids(Play, len(rows))
        bulk.insert(
            Play,
            {
                "id": ids,
                "table": [tables[one.section, one.table] for one in rows],
                "board": [self.boards[one.board] for one in rows],
                "round": [one.round for one in rows],
            },
            same={"confirmation": None, "disagreement": None},
        )
        seated = [
            (pk, seat, self.contestants[number])
            for one, pk in zip(rows, ids, strict=True)
            for seat, number in enumerate(one.seats, 1)
        ]
        columns = dict(zip(("play", "seat", "contestant"), zip(*seated, strict=True), strict=True))
        bulk.insert(Seating, columns)
        return {place_of(one): pk for one, pk in zip(rows, ids, strict=True)}

    def _remarks(self, digests: Sequence[str | None]) -> list[int | None]:
        """Reasons of which the digest is known alone, as after an erasure."""
        told = [one for one in digests if one is not None]
        ids = iter(bulk.new_ids(Remark, len(told)))
        found = [None if one is None else next(ids) for one in digests]
        bulk.insert(
            Remark,
            {"id": [pk for pk in found if pk is not None], "digest": told},
            same={"salt": "", "text": "", "emptied_at": timezone.now()},
        )
        return found

    def _submissions(self) -> dict[int, int]:
        rows = self.found.submissions
        plays = [self.plays[place_of(one)] for one in rows]
        ids = bulk.new_ids(Submission, len(rows))
        bulk.insert(
            Submission,
            {
                "id": ids,
                "play": plays,
                "table": [
                    self.tables[play] if one.by == archives.TABLE else None
                    for one, play in zip(rows, plays, strict=True)
                ],
                "remark": self._remarks([one.reason for one in rows]),
                **{
                    name: [getattr(one, name) for one in rows]
                    for name in (
                        *("key", "content", "created_at", "state", "refusal", "judged_at"),
                        *("contradicted", "seat"),
                    )
                },
            },
            same={"sender": None, "role": None},
        )
        return {one.number: pk for one, pk in zip(rows, ids, strict=True)}

    def _confirmations(self) -> None:
        rows = self.found.confirmations
        where = {one.number: self.plays[place_of(one)] for one in self.found.submissions}
        ids = bulk.new_ids(Confirmation, len(rows))
        bulk.insert(
            Confirmation,
            {
                "id": ids,
                "submission": [self.submissions[one.submission] for one in rows],
                "table": [
                    self.tables[where[one.submission]] if one.by == archives.SEAT else None for one in rows
                ],
                "seat": [one.seat for one in rows],
                "sheet": [None if one.sheet is None else self.submissions[one.sheet] for one in rows],
                "is_shared": [one.is_shared for one in rows],
                "made_at": [one.made_at for one in rows],
            },
            same={"role": None},
        )
        agreed = {one.number: pk for one, pk in zip(rows, ids, strict=True)}
        said = [one for one in self.found.plays if one.confirmation or one.disagreement]
        bulk.update(
            Play,
            {
                "id": [self.plays[place_of(one)] for one in said],
                "confirmation": [one.confirmation and agreed[one.confirmation] for one in said],
                "disagreement": [one.disagreement and self.submissions[one.disagreement] for one in said],
            },
        )

    def _results(self) -> None:
        rows = [(self.plays[place_of(one)], one.result) for one in self.found.plays if one.result is not None]
        names = ("scores", "averaged", "facts", "sheet", "position", "updated_at")
        bulk.insert(
            Result,
            {
                "play": [play for play, _result in rows],
                "submission": [self.submissions[result.submission] for _play, result in rows],
                **{name: [getattr(result, name) for _play, result in rows] for name in names},
            },
            same={"session": self.session.pk},
        )

    def _rulings(self) -> None:
        rows = self.found.rulings
        ids = bulk.new_ids(Ruling, len(rows))
        names = ("kind", "content", "made_at", "position", "reversed_at", "reversed_position")
        bulk.insert(
            Ruling,
            {
                "id": ids,
                "contestant": [one.contestant and self.contestants[one.contestant] for one in rows],
                "match": [None if one.match is None else self.matches[one.match] for one in rows],
                "remark": self._remarks([one.reason for one in rows]),
                "reversal_remark": self._remarks([one.reversal_reason for one in rows]),
                **{name: [getattr(one, name) for one in rows] for name in names},
            },
            same={"session": self.session.pk, "role": None, "reversed_by": None},
        )
        parts = [(pk, part) for one, pk in zip(rows, ids, strict=True) for part in one.parts]
        bulk.insert(
            RulingPart,
            {
                "ruling": [pk for pk, _part in parts],
                "play": [self.plays[place_of(part)] for _pk, part in parts],
                "entries": [part.entries for _pk, part in parts],
                "deal": [part.deal for _pk, part in parts],
            },
        )
        ruled = [(self.plays[place_of(one)], one.ruled) for one in self.found.plays if one.ruled is not None]
        bulk.insert(
            RuledPlay,
            {
                "play": [play for play, _ruled in ruled],
                **{
                    name: [getattr(one, name) for _play, one in ruled]
                    for name in ("entries", "deal", "position", "is_whole")
                },
            },
            same={"session": self.session.pk},
        )

    def _lists_and_rounds(self) -> None:
        for one in self.found.lists:
            SessionList.objects.create(session=self.session, **msgspec.structs.asdict(one))
        ordered = [self.submissions[number] for number in sorted(self.submissions)]
        for turn in self.found.rounds:
            own = msgspec.structs.asdict(turn)
            if turn.opened_after is not None:
                before = min(turn.opened_after, len(ordered))
                own["opened_after"] = ordered[before - 1] if before else 0
            Round.objects.create(session=self.session, **own)

    # ── The ranking ───────────────────────────────────────────────────────────────────────────────

    def _rankings(self) -> dict[str, str]:
        """The versions as they were, after what follows from the rows has been counted: the newest says the
        same. By version, the digest that it had there, where it has another one here."""
        counters = self.found.session.counters
        tally = Tally.objects.create(
            session=self.session,
            **msgspec.structs.asdict(counters),
            ranked_position=counters.position,
            counted_layout=counters.layout,
            counted_revealed=counters.revealed,
            ranked_at=timezone.now(),
            live_drawn=counters.live_version,
        )
        tally.session = self.session
        held, lines = counting.up_to_date(tally)
        counting.keep_lines(held, lines)
        packed = [versions.packed(self._columns(one)) for one in self.found.rankings]
        self._check_newest(held, packed)
        digests = [one.digest for one in self.found.rankings]
        there: dict[str, str] = {}
        for at, one in enumerate(self.found.rankings):
            is_newest = not one.is_live and one.version == counters.version
            if is_newest and (one.position, one.layout) == (counters.position, counters.layout):
                there[str(one.version)] = one.digest
                digests[at] = proofs.digest(self.session, held)
        names = ("version", "is_live", "is_snapshot", "boards", "position", "layout", "rules")
        bulk.insert(
            Ranking,
            {
                "content": packed,
                "digest": digests,
                **{
                    name: [getattr(one, name) for one in self.found.rankings]
                    for name in (*names, "invariants", "created_at")
                },
            },
            same={"session": self.session.pk},
        )
        if progress.follow(tally, held):
            tally.save(update_fields=["progress", "progress_position", "live_progress"])
        return there

    def _columns(self, one: form.RankingRow) -> dict[str, Any]:
        places = sorted(one.places)
        columns = {
            "scale": one.scale,
            "contestants": [self.contestants[place[0]] for place in places],
            "points": [place[1] for place in places],
            "top": [place[2] for place in places],
            "boards": [place[3] for place in places],
            "line_group": [place[4] for place in places],
        }
        if out := [self.contestants[place[0]] for place in places if place[5]]:
            columns["disqualified"] = out
        return columns

    def _check_newest(self, held: counting.SessionStandings, packed: Sequence[bytes]) -> None:
        """Whether what is counted here is what the newest version says."""
        rows = [
            (one, content)
            for one, content in zip(self.found.rankings, packed, strict=True)
            if not one.is_live
        ]
        if not rows or rows[-1][0].rules not in {None, scoring.RULES}:
            return
        start = max(at for at, (one, _content) in enumerate(rows) if one.is_snapshot)
        said = versions.totals_in([content for _one, content in rows[start:]])
        differing = list(held.totals.of(held.groups).differing_from(said.totals))
        if differing or said.disqualified != held.changes.disqualified or said.groups != held.groups:
            raise Invalid(
                "archive-does-not-hold",
                _("The ranking of the archive does not follow from its results."),
                {"session": self.found.session.number},
            )

    # ── Where it came from ────────────────────────────────────────────────────────────────────────

    def _origin(self, archive: ArchiveIn, digests: Mapping[str, str]) -> None:
        one = self.found.session
        known = {club.slug: club.name for club in archive.tournament.clubs}
        own = archive.tournament.club
        ids = {
            "contestants": {str(row.number): row.id for row in self.found.contestants},
            "boards": {str(row.number): row.id for row in self.found.boards},
            "plays": {place_key(*place_of(row)): row.id for row in self.found.plays},
        }
        ImportedSession.objects.create(
            session=self.session,
            facts={
                "number": one.number,
                "created_at": one.created_at.isoformat(),
                "tournament": archive.tournament.name,
                "club": {"slug": own, "name": known.get(own, own)},
                "clubs": {row.club: known.get(row.club, row.club) for row in one.sections},
                "sections": {row.name: row.club for row in one.sections},
                "ids": ids,
                "digests": digests,
            },
            history=zlib.compress(json.dumps(list(self.found.histories)).encode()),
            digest=archive.digest,
        )

    def _keep_file(self, tournament: Tournament) -> None:
        """Remember that the club has this; of two imports at once, the database lets one in."""
        file, is_new = PaperFile.objects.get_or_create(
            club=tournament.club, digest=self.found.digest, defaults={"session": self.session}
        )
        if not is_new:
            message = _("This session has already been imported: it is session %(session)s.")
            names = {"session": file.session_id}
            raise Conflict("imported-before", message % names, names)
