"""Whom the history is about: it keeps numbers, and its pages say whose they are."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.models import Contestant, HistoryEntry
from tournaments.services import names

CONTESTANTS = ("contestant",)
SEVERAL_CONTESTANTS = ("leaving", "arriving", "numbers")
PLAYERS = ("into", "player")
"""What an entry's details call contestants, by their numbers in the session, and players, by their ids."""


@dataclass(frozen=True, slots=True)
class HistoryPeople:
    """Names of those whom some entries are about: contestants by session and number, players by id."""

    contestants: Mapping[tuple[int, int], str] = field(default_factory=dict)
    players: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Collection[HistoryEntry], reader: names.Reader) -> "HistoryPeople":
        """As a reader sees their names: three queries at most, whatever the number of entries."""
        wanted = {pair for entry in entries for pair in _contestants(entry)}
        contestants = {}
        if wanted:
            sessions, numbers = ({pair[place] for pair in wanted} for place in (0, 1))
            rows = Contestant.objects.filter(session__in=sessions, number__in=numbers)
            found = {pk: pair for pk, *pair in rows.values_list("pk", "session_id", "number")}
            named = names.of_contestants(found, reader)
            contestants = {(pair[0], pair[1]): named[pk].name for pk, pair in found.items()}
        players = {pk for entry in entries for pk in _players(entry)}
        return cls(contestants, names.of_players(players, reader) if players else {})

    def contestant(self, session: int | None, number: int) -> str:
        """A contestant's number, with their name where one is left."""
        return _with(number, self.contestants.get((session, number)) if session is not None else None)

    def player(self, pk: int) -> str:
        return _with(pk, self.players.get(pk))

    def told(self, entry: HistoryEntry) -> dict[str, Any]:
        """What an entry's details call people, in words: parts of the sentence that tells it."""
        detail = entry.detail
        words: dict[str, Any] = {}
        for name in CONTESTANTS:
            if isinstance(detail.get(name), int):
                words[name] = self.contestant(entry.session_id, detail[name])
        for name in SEVERAL_CONTESTANTS:
            if isinstance(detail.get(name), list):
                words[name] = ", ".join(self.contestant(entry.session_id, one) for one in detail[name])
        for name in PLAYERS:
            if isinstance(detail.get(name), int):
                words[name] = self.player(detail[name])
        if (pk := _subject(entry)) is not None:
            words["id"] = self.player(pk)
        return words


def _with(number: int, name: str | None) -> str:
    is_known = name and name != names.player_by_number(str(number))
    return f"{number} ({name})" if is_known else str(number)


def _contestants(entry: HistoryEntry) -> Iterable[tuple[int, int]]:
    if entry.session_id is None:
        return
    for name in CONTESTANTS:
        if isinstance(entry.detail.get(name), int):
            yield entry.session_id, entry.detail[name]
    for name in SEVERAL_CONTESTANTS:
        for number in entry.detail.get(name) or ():
            yield entry.session_id, number


def _players(entry: HistoryEntry) -> Iterable[int]:
    if (pk := _subject(entry)) is not None:
        yield pk
    if entry.token is not None and entry.token.player_id is not None:
        yield entry.token.player_id
    yield from (entry.detail[name] for name in PLAYERS if isinstance(entry.detail.get(name), int))


def _subject(entry: HistoryEntry) -> int | None:
    """The player whom an entry is about."""
    model, _space, number = entry.subject.partition(" ")
    return int(number) if model == "player" and number.isdecimal() else None
