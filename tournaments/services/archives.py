"""The archive of what has been played: a session whole, or a tournament's, in one zipped folder that another
database takes in (`archive_imports`), and that anybody can check alone (`python -m scoring verify`).

Names are those that everybody may read. What was dealt is in it once it has been published.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from engines import archives as containers
from engines import registry, sealing

from .. import vault
from ..models import (
    Account,
    ArchiveFile,
    Club,
    Confirmation,
    Contestant,
    HistoryEntry,
    HistorySeal,
    ImportedSession,
    Job,
    Member,
    Play,
    Player,
    Ranking,
    Result,
    Role,
    Ruling,
    RulingPart,
    Session,
    SessionList,
    Submission,
    Substitution,
    Tally,
    Token,
    Tournament,
)
from ..models.rankings import BEHIND
from ..models.tournaments import not_under_embargo
from . import archive_form as form
from . import chains, exports, history, names, spreadsheets, versions
from .errors import Conflict, Forbidden, Missing

VERB = "archived"
IMPORTED_VERB = "imported from an archive"
OF_ARCHIVES = (VERB, IMPORTED_VERB)
"""What the history of an imported session says before anything has been done with it here."""

OFFICIAL, TABLE, SEAT = "official", "table", "seat"


Tell = Callable[[float], None]


# ── Who may ───────────────────────────────────────────────────────────────────────────────────────


def may(session: Session, actor: Account | Token | None) -> bool:
    """Whether somebody takes the archive of a session: those who run it, once it has been played, at every
    club that plays its boards: records tell hands."""
    return session.are_boards_over and Session.objects.directed_by(actor).filter(pk=session.pk).exists()


def check(*, tournament: Tournament, session: Session | None, actor: Account | Token | None) -> list[Session]:
    """The sessions of which an archive is made: one, or all of a tournament that have been played. Forbidden
    for those who do not run them; Conflict: nothing of it has been played."""
    of_actor = Session.objects.directed_by(actor).filter(tournament=tournament)
    own = of_actor if session is None else of_actor.filter(pk=session.pk)
    if not own.exists():
        raise Forbidden("may-not-archive", _("Those who run a session take its archive."))
    played = own.filter(not_under_embargo(), state__in=Session.OVER).select_related(
        "tournament__club", "board_set", "tally"
    )
    found = list(played.order_by("number") if session else played.filter(is_trial=False).order_by("number"))
    if not found:
        raise Conflict("not-played", _("An archive is made of what has been played: end the session first."))
    return found


# ── Making ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ArchiveOut:
    """An archive as bytes; its sessions; and the digest that tells it from others."""

    content: bytes
    sessions: Sequence[Session]
    digest: str


def make(
    *,
    tournament: Tournament,
    session: Session | None,
    actor: Account | Token | None,
    tell: Tell = lambda _done: None,
) -> ArchiveOut:
    """The archive of a session, or of all of a tournament's that have been played. A few queries for
    each session; the time grows with its plays. Forbidden, Conflict: as `check` says; Conflict too while
    results wait."""
    return of_sessions(check(tournament=tournament, session=session, actor=actor), tell=tell)


def of_sessions(sessions: Sequence[Session], tell: Tell = lambda _done: None) -> ArchiveOut:
    """The same of sessions that have been played, of one tournament."""
    people = _People(sessions)
    files: dict[str, bytes] = {}
    clubs: dict[str, str] = {}
    for number, session in enumerate(sessions):
        one = _OneSession(session, people)
        folder = f"sessions/{one.facts.get('number', session.number)}/"
        files |= {f"{folder}{name}": content for name, content in one.files().items()}
        clubs |= one.clubs()
        tell((number + 1) / len(sessions))
    files["people.jsonl"] = form.lines_of(people.rows())
    origin = _facts(sessions[0])
    tournament = sessions[0].tournament
    own = origin.get("club") or {"slug": tournament.club.slug, "name": tournament.club.name}
    clubs |= {own["slug"]: own["name"]} | people.clubs()
    files["tournament.json"] = form.file_of(
        form.TournamentFile(
            name=origin.get("tournament", tournament.name),
            club=own["slug"],
            clubs=[form.ClubRow(slug=slug, name=clubs[slug]) for slug in sorted(clubs)],
        )
    )
    return ArchiveOut(containers.write(files), sessions, containers.digest(files))


def _facts(session: Session) -> Mapping[str, Any]:
    """What is known of an imported session beyond its rows: where it came from."""
    found = ImportedSession.objects.filter(session=session).values_list("facts", flat=True).first()
    return {} if found is None else found


class _People:
    """The players of some sessions, numbered in the order in which contestants have them, and shown as lists
    show them to everybody."""

    def __init__(self, sessions: Sequence[Session]) -> None:
        rows = Member.objects.filter(session__in=sessions).order_by(
            "session__number", "contestant__number", "pk"
        )
        ids = list(rows.values_list("player", flat=True))
        put_in = Substitution.objects.filter(contestant__session__in=sessions).order_by(
            "contestant__session__number", "contestant__number", "pk"
        )
        for pair in put_in.values_list("for_player", "player"):
            ids += pair
        self.numbers = {pk: number for number, pk in enumerate(dict.fromkeys(ids), 1)}
        known = Player.objects.filter(pk__in=self.numbers).select_related("club", "home_club")
        self.players = sorted(known, key=lambda one: self.numbers[one.pk])
        kinds = SessionList.objects.filter(session__in=sessions)
        self.categories = set(kinds.filter(kind=SessionList.Kind.CATEGORY).values_list("about", flat=True))
        self.has_clubs = kinds.filter(kind=SessionList.Kind.CLUB).exists()

    def rows(self) -> list[form.PersonRow]:
        return [self._row(player) for player in self.players]

    def _row(self, player: Player) -> form.PersonRow:
        given, family = "", ""
        if player.erased_at is None and player.consent:
            given, family = player.given_name, player.family_name
            if player.public_name:
                given, family = "", player.public_name
        elif player.erased_at is None and (letters := names.initials(player.name)):
            given, _blank, family = letters.partition(" ")
        return form.PersonRow(
            number=self.numbers[player.pk],
            given_name=given,
            family_name=family,
            consent=player.consent and player.erased_at is None,
            categories=sorted(self.categories.intersection(player.categories)),
            club=self._club_of(player).slug if self.has_clubs else None,
        )

    @staticmethod
    def _club_of(player: Player) -> Club:
        return player.home_club or player.club

    def clubs(self) -> dict[str, str]:
        if not self.has_clubs:
            return {}
        return {(club := self._club_of(player)).slug: club.name for player in self.players}


class _OneSession:
    """The files of one session."""

    def __init__(self, session: Session, people: _People) -> None:
        self.session, self.people = session, people
        self.facts = _facts(session)
        tally = Tally.objects.filter(session=session).exclude(BEHIND).first()
        waiting = Submission.objects.filter(
            play__table__section__session=session, state=Submission.State.PENDING
        )
        if tally is None or waiting.exists():
            message = _("Results are still being counted: please try again in a moment.")
            raise Conflict("being-counted", message)
        self.tally = tally
        self.ids: Mapping[str, Any] = self.facts.get("ids", {})
        own = session.contestants.order_by("number").values_list("pk", "number")
        self.contestants: dict[int, int] = dict(own)
        self.submissions = {
            pk: number
            for number, pk in enumerate(
                Submission.objects.filter(play__table__section__session=session)
                .order_by("pk")
                .values_list("pk", flat=True),
                1,
            )
        }
        self.confirmations = {
            pk: number
            for number, pk in enumerate(
                Confirmation.objects.filter(submission__play__table__section__session=session)
                .order_by("pk")
                .values_list("pk", flat=True),
                1,
            )
        }

    def clubs(self) -> dict[str, str]:
        if "clubs" in self.facts:
            return dict(self.facts["clubs"])
        return {one.club.slug: one.club.name for one in self.session.sections.select_related("club")}

    def files(self) -> dict[str, bytes]:
        versions_of = self._rankings()
        newest = max(
            (one for one in versions_of if not one.is_live), key=lambda one: one.version, default=None
        )
        files = {
            "session.json": form.file_of(self._session(None if newest is None else newest.rules)),
            "boards.jsonl": form.lines_of(self._boards()),
            "contestants.jsonl": form.lines_of(list(self._contestants())),
            "plays.jsonl": form.lines_of(list(self._plays())),
            "submissions.jsonl": form.lines_of(list(self._submissions())),
            "confirmations.jsonl": form.lines_of(list(self._confirmations())),
            "rulings.jsonl": form.lines_of(list(self._rulings())),
            "lists.jsonl": form.lines_of(self._lists()),
            "rankings.jsonl": form.lines_of(versions_of),
            **self._history(),
        }
        if self.session.is_paced:
            files["rounds.jsonl"] = form.lines_of(self._rounds())
        if (matches := self._matches()) is not None:
            files["matches.json"] = form.file_of(matches)
        if (deals := self._deals()) is not None:
            files["deals.json"] = deals
        return files | self._tables()

    # ── What was planned ──────────────────────────────────────────────────────────────────────────

    def _session(self, rules: int | None) -> form.SessionFile:
        session, tally, manifest = self.session, self.tally, self.session.board_set.manifest
        game = registry.game(session.game)
        homes: Mapping[str, str] = self.facts.get("sections", {})
        sections = session.sections.select_related("club").order_by("name")
        made = self.facts.get("created_at")
        return form.SessionFile(
            number=self.facts.get("number", session.number),
            name=session.name,
            game=session.game,
            options=session.options,
            conditions=session.conditions,
            rules=form.Rules(scoring=rules, deals=manifest["version"] if manifest else None),
            method=session.method,
            method_options=session.method_options,
            movement=session.movement,
            partners_fixed=session.partners_fixed,
            plays_per_board=session.plays_per_board,
            sides=[list(side) for side in game.sides_of(session.conditions)],
            state=session.state,
            listed=session.listed,
            live=session.live,
            is_paced=session.is_paced,
            is_trial=session.is_trial,
            substitutes_credited=session.substitutes_credited,
            custody=session.board_set.custody,
            commitment=session.board_set.commitment,
            starts_at=session.starts_at,
            corrections_until=session.corrections_until,
            created_at=session.created_at if made is None else datetime.fromisoformat(made),
            sections=[
                form.SectionRow(name=one.name, club=homes.get(one.name, one.club.slug)) for one in sections
            ],
            counters=form.Counters(
                position=tally.position,
                layout=tally.layout,
                version=tally.version,
                live_version=tally.live_version,
                rulings=tally.rulings,
                said=tally.said,
                revealed=tally.revealed,
            ),
        )

    def _boards(self) -> list[form.BoardRow]:
        known = self.ids.get("boards")
        rows = self.session.board_set.boards.order_by("number").values_list("pk", "number", "over_at")
        return [
            form.BoardRow(number=n, id=pk if known is None else known.get(str(n)), over_at=at)
            for pk, n, at in rows
        ]

    def _rounds(self) -> list[form.RoundRow]:
        handed_in = sorted(self.submissions)
        rows = []
        for one in self.session.rounds.order_by("number"):
            own = {name: getattr(one, name) for name in form.RoundRow.__struct_fields__}
            if one.opened_after is not None:
                own["opened_after"] = sum(pk <= one.opened_after for pk in handed_in)
            rows.append(form.RoundRow(**own))
        return rows

    def _contestants(self) -> Iterator[form.ContestantRow]:
        known = self.ids.get("contestants")
        numbers = self.people.numbers
        rows: QuerySet[Contestant] = self.session.contestants.order_by("number").select_related("team")
        members = Prefetch("members", Member.objects.order_by("pk"))
        put_in = Prefetch("substitutions", Substitution.objects.order_by("pk"))
        for one in rows.prefetch_related(members, put_in):
            own = [numbers[member.player_id] for member in one.members.all()]
            yield form.ContestantRow(
                number=one.number,
                id=one.pk if known is None else known.get(str(one.number)),
                name=None if one.named_by_players and own else one.name,
                is_named_by_players=one.named_by_players,
                line_group=one.line_group,
                left_after=one.left_after,
                came_after=one.came_after,
                team=None if one.team is None else one.team.number,
                members=own,
                substitutes=[
                    form.SubstituteRow(
                        player=numbers[some.player_id],
                        for_player=numbers[some.for_player_id],
                        first_round=some.first_round,
                        last_round=some.last_round,
                        made_at=some.made_at,
                        undone_at=some.undone_at,
                    )
                    for some in one.substitutions.all()
                ],
            )

    def _matches(self) -> form.MatchesFile | None:
        session = self.session
        rules = getattr(session, "match_rules", None)
        teams = list(session.teams.order_by("number"))
        if rules is None and not teams:
            return None
        fields = form.MatchRulesRow.__struct_fields__
        return form.MatchesFile(
            rules=rules and form.MatchRulesRow(**{name: getattr(rules, name) for name in fields}),
            teams=[form.TeamRow(number=one.number, name=one.name) for one in teams],
            matches=[
                form.ArchivedMatch(
                    round=one.round,
                    number=one.number,
                    first=one.first.number,
                    second=None if one.second is None else one.second.number,
                )
                for one in session.matches.select_related("first", "second").order_by("round", "number")
            ],
        )

    def _deals(self) -> bytes | None:
        """What was sealed; with the seed once everybody may see what was dealt."""
        board_set = self.session.board_set
        if board_set.manifest is None:
            return None
        seed = board_set.public_seed
        if seed is None:
            return sealing.to_bytes(sealing.sealed_file(board_set.manifest))
        return sealing.to_bytes(sealing.seed_file(board_set.manifest, seed))

    # ── What was played ───────────────────────────────────────────────────────────────────────────

    def _plays(self) -> Iterator[form.ArchivedPlay]:
        known = self.ids.get("plays")
        rows = (
            Play.objects.filter(table__section__session=self.session)
            .select_related("table__section", "board", "result", "ruled")
            .prefetch_related("seatings")
            .order_by("table__section__name", "table__number", "board__number")
        )
        for one in rows:
            place = (one.table.section.name, one.table.number, one.board.number)
            seats = sorted(one.seatings.all(), key=lambda seating: seating.seat)
            result, ruled = getattr(one, "result", None), getattr(one, "ruled", None)
            yield form.ArchivedPlay(
                id=one.pk if known is None else known.get(place_key(*place)),
                section=place[0],
                table=place[1],
                board=place[2],
                round=one.round,
                seats=[self.contestants[seating.contestant_id] for seating in seats],
                result=None if result is None else self._result(result),
                ruled=ruled
                and form.RuledRow(
                    entries=ruled.entries, deal=ruled.deal, position=ruled.position, is_whole=ruled.is_whole
                ),
                disagreement=one.disagreement_id and self.submissions[one.disagreement_id],
                confirmation=one.confirmation_id and self.confirmations[one.confirmation_id],
            )

    def _result(self, result: Result) -> form.ResultRow:
        return form.ResultRow(
            submission=self.submissions[result.submission_id],
            scores=result.scores,
            averaged=result.averaged,
            facts=result.facts,
            sheet=result.sheet,
            position=result.position,
            updated_at=result.updated_at,
        )

    def _submissions(self) -> Iterator[form.SubmissionRow]:
        rows = (
            Submission.objects.filter(play__table__section__session=self.session)
            .select_related("play__table__section", "play__board", "remark")
            .order_by("pk")
        )
        for one in rows.iterator(chunk_size=1000):
            yield form.SubmissionRow(
                number=self.submissions[one.pk],
                section=one.play.table.section.name,
                table=one.play.table.number,
                board=one.play.board.number,
                by=OFFICIAL if one.table_id is None else TABLE,
                seat=one.seat,
                key=one.key,
                content=one.content,
                created_at=one.created_at,
                state=one.state,
                refusal=one.refusal,
                judged_at=one.judged_at,
                contradicted=one.contradicted,
                reason=None if one.remark is None else one.remark.digest,
            )

    def _confirmations(self) -> Iterator[form.ConfirmationRow]:
        rows = Confirmation.objects.filter(submission__play__table__section__session=self.session)
        for one in rows.order_by("pk").iterator(chunk_size=1000):
            yield form.ConfirmationRow(
                number=self.confirmations[one.pk],
                submission=self.submissions[one.submission_id],
                by=OFFICIAL if one.seat is None else SEAT,
                seat=one.seat,
                sheet=one.sheet_id and self.submissions[one.sheet_id],
                is_shared=one.is_shared,
                made_at=one.made_at,
            )

    def _rulings(self) -> Iterator[form.RulingRow]:
        parts = Prefetch(
            "parts",
            RulingPart.objects.select_related("play__table__section", "play__board").order_by(
                "play__table__section__name", "play__table__number", "play__board__number"
            ),
        )
        rows = Ruling.objects.filter(session=self.session).order_by("pk").prefetch_related(parts)
        for number, one in enumerate(rows.select_related("remark", "reversal_remark", "match"), 1):
            yield form.RulingRow(
                number=number,
                kind=one.kind,
                content=one.content,
                contestant=one.contestant_id and self.contestants[one.contestant_id],
                match=None if one.match is None else (one.match.round, one.match.number),
                reason=one.remark.digest,
                made_at=one.made_at,
                position=one.position,
                reversed_at=one.reversed_at,
                reversed_position=one.reversed_position,
                reversal_reason=one.reversal_remark.digest if one.reversal_remark else None,
                parts=[
                    form.PartRow(
                        section=part.play.table.section.name,
                        table=part.play.table.number,
                        board=part.play.board.number,
                        entries=part.entries,
                        deal=part.deal,
                    )
                    for part in one.parts.all()
                ],
            )

    # ── What came of it ───────────────────────────────────────────────────────────────────────────

    def _lists(self) -> list[form.ListRow]:
        fields = form.ListRow.__struct_fields__
        rows = self.session.lists.order_by("number")
        return [form.ListRow(**{name: getattr(one, name) for name in fields}) for one in rows]

    def _rankings(self) -> list[form.RankingRow]:
        """The versions as they are kept: a snapshot now and then, and the changes between."""
        digests: Mapping[str, str] = self.facts.get("digests", {})
        return [
            form.RankingRow(
                version=one.version,
                is_live=one.is_live,
                is_snapshot=one.is_snapshot,
                boards=one.boards,
                position=one.position,
                layout=one.layout,
                digest=one.digest if one.is_live else digests.get(str(one.version), one.digest),
                rules=one.rules,
                invariants=one.invariants,
                created_at=one.created_at,
                **self._places(one),
            )
            for one in Ranking.objects.filter(session=self.session).order_by("is_live", "version")
        ]

    def _places(self, one: Ranking) -> dict[str, Any]:
        columns = versions.columns_of(bytes(one.content))
        out = set(columns.get("disqualified", ()))
        names_of = ("contestants", "points", "top", "boards", "line_group")
        rows = zip(*(columns[name] for name in names_of), strict=True)
        places = [(self.contestants[pk], *rest, int(pk in out)) for pk, *rest in rows]
        return {"scale": columns["scale"], "places": sorted(places)}

    def _tables(self) -> dict[str, bytes]:
        """The ranking and the lists as everybody reads them, for people with a spreadsheet."""
        with translation.override("en"):
            tables = exports.public_tables(self.session)
        return {f"tables/{one.name}.csv": spreadsheets.as_csv([one.header, *one.rows], ",") for one in tables}

    # ── History ───────────────────────────────────────────────────────────────────────────────────

    def _history(self) -> dict[str, bytes]:
        """Who did what when, by ids and roles; first as it came with an imported session, then what has been
        done with it here."""
        found = ImportedSession.objects.filter(session=self.session).first()
        files: list[bytes] = []
        if found is not None:
            files = [part.encode() for part in json.loads(zlib.decompress(bytes(found.history)))]
        own = HistoryEntry.objects.filter(session=self.session)
        if found is None or own.exclude(verb__in=OF_ARCHIVES).exists():
            files.append(b"".join(self._history_lines()))
        return {f"history-{number}.jsonl": content for number, content in enumerate(files, 1)}

    def _history_lines(self) -> Iterator[bytes]:
        scope = chains.ChainScope(session=self.session.pk)
        kinds: dict[int, str] = {}
        yield form.lines_of([{"form": chains.FORM, "scope": str(scope)}])
        for one in chains.export(scope):
            if one.seal is not None:
                yield form.lines_of([{"seal": _head_of(one.seal)}])
                continue
            assert one.entry is not None
            role = one.entry["role"]
            if role is not None and role not in kinds:
                kinds[role] = Role.objects.values_list("kind", flat=True).get(pk=role)
            kind = None if role is None else kinds[role]
            yield form.lines_of([{"entry": json.loads(one.text), "role": kind}])


def _head_of(seal: HistorySeal) -> dict[str, Any]:
    made = chains.moment(seal.made_at)
    entries = [[pk, digest.hex()] for pk, digest in chains.leaves_of(seal).items()]
    head = {"number": seal.number, "made": made, "previous": seal.previous, "digest": seal.digest}
    return head | {"entries": entries}


def place_key(section: str, table: int, board: int) -> str:
    """A play, as the facts of an imported session name it."""
    return f"{section} {table} {board}"


# ── Keeping ───────────────────────────────────────────────────────────────────────────────────────


def keep(*, job: Job, made: ArchiveOut) -> None:
    """Store the archive that a job has made, with its end; the history of each session says so."""
    ArchiveFile.objects.update_or_create(job=job, defaults={"content": vault.seal(made.content)})
    for session in made.sessions:
        history.note(job.actor, VERB, session, session=session, digest=made.digest)


def content(*, job: Job, actor: Account | Token) -> bytes:
    """The archive of a job of the caller’s own. Missing: there is none, or no longer, or no longer for
    them."""
    gone = Missing("no-archive", _("There is no such archive, or no longer: make it again."))
    kept = ArchiveFile.objects.filter(job=job).first()
    if kept is None or job.actor != actor or job.kind != Job.Kind.ARCHIVE:
        raise gone
    try:
        check(tournament=job.tournament, session=job.session, actor=actor)
    except (Forbidden, Conflict):
        raise gone from None
    return vault.open_file(bytes(kept.content))


def forget(before: datetime) -> int:
    return ArchiveFile.objects.filter(made_at__lt=before).delete()[0]
