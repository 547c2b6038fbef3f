"""Whether the archive of an evening holds, found out from it alone: its boards come from the seed that was
sealed, its scores from the sheets, and its ranking from the scores and what directors have ruled.

Nothing here knows the service that made it. docs/formats.md says what the files of an archive are.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Any

from engines import registry, sealing, verifying
from engines.archives import Archive, BadArchive
from engines.errors import EngineError, NeedsDeal
from engines.phrases import Phrase
from engines.records import Record, final_judgement, with_content

from . import RULES
from .decisions import Decision, decided
from .entries import AVERAGE, Entry, NoScore
from .lines import awards
from .methods import METHODS, method, top_of
from .ranking import Place, ranking
from .rulings import with_carry_over, with_penalties
from .tokens import of_token
from .totals import Total, sums, total_of

Place3 = tuple[str, int, int]
"""Section, table and board: where a play is."""

WRONG_SHAPE = (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError, RecursionError)


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """The places of a line group, the best first, by the numbers of contestants."""

    line_group: int
    places: Sequence[Place[int]]


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a look at one session. `findings`: what does not hold; `scores`: how many results were
    counted again from their sheets; `compared`: from when the commitment that was given is
    (`engines.verifying`); `has_deals`: the seed is there, and all boards come from it."""

    session: int
    groups: Sequence[RankedGroup]
    findings: Sequence[Phrase] = ()
    scores: int = 0
    has_deals: bool = False
    compared: str | None = None
    notes: Sequence[Phrase] = field(default_factory=tuple)


def verify(archive: Archive, number: int, *, commitment: str | None = None) -> Checked:
    """Look at a session of an archive. The time grows with its plays. BadArchive: it is not an archive as
    docs/formats.md says; whatever else is wrong is among the findings."""
    where = f"sessions/{number}/"
    try:
        return _checked(archive, number, where, commitment)
    except BadArchive:
        raise
    except EngineError as error:
        raise BadArchive(where, error.phrase()) from None
    except WRONG_SHAPE as error:
        reason = Phrase("is not as the form of archives says: {error}", error=f"{error!r}"[:200])
        raise BadArchive(where, reason) from None


def _checked(archive: Archive, number: int, where: str, commitment: str | None) -> Checked:
    session = archive.value(f"{where}session.json")
    plays = archive.rows(f"{where}plays.jsonl")
    rulings = archive.rows(f"{where}rulings.jsonl")
    findings: list[Phrase] = []
    seed, compared = _deals(archive, where, session, commitment, findings)
    scores = _scores(session, plays, archive.rows(f"{where}submissions.jsonl"), seed, findings)
    notes = []
    totals, disqualified = _totals(session, plays, rulings)
    contestants = {one["number"]: one["line_group"] for one in archive.rows(f"{where}contestants.jsonl")}
    stored = _newest(archive.rows(f"{where}rankings.jsonl"))
    if session["rules"]["scoring"] not in {None, RULES}:
        notes.append(
            Phrase(
                "The ranking was made by rules {theirs}, this library has {own}: they are not compared.",
                theirs=session["rules"]["scoring"],
                own=RULES,
            )
        )
    else:
        findings += _differences(contestants, totals, disqualified, stored)
    groups = [
        RankedGroup(
            group,
            list(
                ranking(
                    {k: totals.get(k, Total()) for k, own in sorted(contestants.items()) if own == group},
                    unranked=disqualified,
                )
            ),
        )
        for group in sorted(set(contestants.values()))
    ]
    return Checked(number, groups, findings, scores, seed is not None, compared, notes)


# ── Boards and scores ─────────────────────────────────────────────────────────────────────────────


def _deals(
    archive: Archive, where: str, session: Mapping[str, Any], commitment: str | None, findings: list[Phrase]
) -> tuple[bytes | None, str | None]:
    """What the boards are dealt from, if the archive may say it, and from when the commitment is."""
    if f"{where}deals.json" not in archive.files:
        return None, None
    file = archive.files[f"{where}deals.json"]
    try:
        proof = verifying.verify(file, expected=commitment)
    except EngineError as error:
        findings.append(error.phrase())
        return None, None
    if proof.commitment != session["commitment"]:
        findings.append(Phrase("the boards are not those of the session’s commitment"))
        return None, proof.compared
    manifest = verifying.read(file)
    known = proof.boards
    if (known.game, dict(known.options)) != (session["game"], session["options"]):
        findings.append(Phrase("the boards were sealed for another game, or other options"))
    if "seed" not in manifest:
        return None, proof.compared
    return sealing.key_of(manifest["manifest"], bytes.fromhex(manifest["seed"])), proof.compared


def _scores(
    session: Mapping[str, Any],
    plays: Sequence[Mapping[str, Any]],
    submissions: Sequence[Mapping[str, Any]],
    seed: bytes | None,
    findings: list[Phrase],
) -> int:
    """How many results were counted again from their sheets; those that come out otherwise are found."""
    game = registry.game(session["game"])
    handed_in = {one["number"]: one for one in submissions}
    counted = 0
    for play in plays:
        result = play["result"]
        if result is None:
            continue
        words = {"place": f"{play['section']}{play['table']}", "board": play["board"]}
        sent = handed_in.get(result["submission"])
        if sent is None or (sent["section"], sent["table"], sent["board"]) != _place(play):
            findings.append(Phrase("table {place}, board {board}: nobody handed this result in", **words))
            continue
        said = sent["content"].get("sheet")
        if said is not None and said != result["sheet"]:
            findings.append(Phrase("table {place}, board {board}: another sheet was handed in", **words))
        conditions = {**session["conditions"], "dealer": game.dealer_of(play["board"], session["conditions"])}
        board = Record(game, session["options"], conditions, None)
        content = {"sheet": result["sheet"]}
        try:
            judged = final_judgement(with_content(board, content)).outcome
        except NeedsDeal:
            if seed is None:
                continue
            deal = registry.deal_board(game, seed, play["board"], session["options"], session["conditions"])
            dealt = Record(game, session["options"], session["conditions"], deal)
            judged = final_judgement(with_content(dealt, content)).outcome
        except EngineError as error:
            findings.append(Phrase("table {place}, board {board}: {reason}", reason=error.phrase(), **words))
            continue
        counted += 1
        if (list(judged.scores), list(judged.averaged)) != (result["scores"], result["averaged"]):
            findings.append(Phrase("table {place}, board {board}: its sheet gives other scores", **words))
    return counted


# ── The ranking ───────────────────────────────────────────────────────────────────────────────────


def _totals(
    session: Mapping[str, Any], plays: Sequence[Mapping[str, Any]], rulings: Sequence[Mapping[str, Any]]
) -> tuple[dict[int, Total], frozenset[int]]:
    """What every contestant has won, and who is disqualified: line by line."""
    comparison = method(session["method"], **session["method_options"])
    compared = session["plays_per_board"]
    by_place = _entries(session, plays, rulings)
    boards: dict[int, list[Place3]] = defaultdict(list)
    for place in by_place:
        boards[place[2]].append(place)
    seated = {_place(play): play["seats"] for play in plays}
    won: list[tuple[int, Total]] = []
    for places in boards.values():
        deals: list[Hashable] | None = [by_place[place][1] or None for place in places]
        if not any(deals or ()):
            deals = None
        for seats in session["sides"]:
            line = [by_place[place][0][seats[0]] for place in places]
            worth = awards(line, comparison, plays=compared, deals=deals)
            for at, place in enumerate(places):
                entries, credited = by_place[place][0], set[int]()  # a pair counts once
                for seat in seats:
                    contestant, award = seated[place][seat - 1], worth[at]
                    if entries[seat] != line[at]:
                        parted = [*line[:at], entries[seat], *line[at + 1 :]]
                        award = awards(parted, comparison, plays=compared, deals=deals)[at]
                    if contestant not in credited and award is not None:
                        won.append((contestant, total_of(award)))
                    credited.add(contestant)
    return _with_decisions(session, rulings, sums(won), top_of(comparison, compared))


def _entries(
    session: Mapping[str, Any], plays: Sequence[Mapping[str, Any]], rulings: Sequence[Mapping[str, Any]]
) -> dict[Place3, tuple[dict[int, Entry], str]]:
    """By play: the entry of each seat, and the name of the cards that were really dealt there; of those that
    have a result, or on which somebody has ruled."""
    found: dict[Place3, tuple[dict[int, Entry], str]] = {}
    for play in plays:
        if (result := play["result"]) is not None:
            entries: dict[int, Entry] = {}
            for seats in session["sides"]:
                own: Entry = AVERAGE if seats[0] in result["averaged"] else result["scores"][seats[0] - 1]
                entries |= dict.fromkeys(seats, own)
            found[_place(play)] = entries, ""
    for part in (part for one in _in_force(rulings) for part in one["parts"]):
        entries, deal = found.get(_place(part), ({}, ""))
        for seat, token in enumerate(part["entries"], start=1):
            if token is not None:
                entries[seat] = of_token(token)
            else:
                entries.setdefault(seat, NoScore.LATE)
        found[_place(part)] = entries, part["deal"] or deal
    return found


def _in_force(rulings: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (one for one in rulings if one["reversed_at"] is None)


def _with_decisions(
    session: Mapping[str, Any],
    rulings: Sequence[Mapping[str, Any]],
    totals: dict[int, Total],
    top: int | None,
) -> tuple[dict[int, Total], frozenset[int]]:
    """The totals with what was decided about whole contestants."""
    about = [
        Decision(one["contestant"], one["kind"], one["content"])
        for one in _in_force(rulings)
        if one["contestant"] is not None
    ]
    changes = decided(about, top=top)
    concerned = [*changes.gains, *(penalty.contestant for penalty in changes.penalties)]
    everyone = {k: Total() for k in concerned} | totals
    gained = with_carry_over(everyone, changes.gains, fraction=1)
    unit = METHODS[session["method"]].unit
    return dict(with_penalties(gained, changes.penalties, unit=unit, top=top)), changes.disqualified


def _newest(versions: Sequence[Mapping[str, Any]]) -> dict[int, tuple[Fraction, int, int, int, bool]]:
    """By contestant, what the newest version of the ranking says: points, top, boards, line group, and
    whether it is disqualified."""
    found: dict[int, tuple[Fraction, int, int, int, bool]] = {}
    rows = [one for one in versions if not one["is_live"]]
    for one in sorted(rows, key=itemgetter("version")):
        if one["is_snapshot"]:
            found = {}
        for contestant, points, top, boards, group, is_out in one["places"]:
            found[contestant] = Fraction(points, one["scale"]), top, boards, group, bool(is_out)
    return found


def _differences(
    contestants: Mapping[int, int],
    totals: Mapping[int, Total],
    disqualified: frozenset[int],
    stored: Mapping[int, tuple[Fraction, int, int, int, bool]],
) -> Iterator[Phrase]:
    """Where the newest version says something else than what follows from the plays."""
    for k in sorted(contestants.keys() | stored.keys() | totals.keys()):
        total = totals.get(k, Total())
        right = (total.points, total.top, total.boards, contestants.get(k), k in disqualified)
        said = stored.get(k)
        if said is None and not total.boards and not total.points and k not in disqualified:
            continue
        if said != right:
            shown = "–" if said is None else f"{said[0]}/{said[1]}"
            yield Phrase(
                "contestant {contestant}: the ranking says {said}, the results give {right}",
                contestant=k,
                said=shown,
                right=f"{right[0]}/{right[1]}",
            )


def _place(row: Mapping[str, Any]) -> Place3:
    return row["section"], row["table"], row["board"]
