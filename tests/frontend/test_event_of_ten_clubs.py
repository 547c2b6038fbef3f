"""An event of ten clubs from its beginning to its end, once by the pages alone and once by the API alone: ten
movements, somebody entered at two clubs, a board that one club dealt from other cards, a club that is late;
under embargo nobody sees anything, and in the end every list is that of a plain script."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.running import campaign
from tests.tournaments.fields import TRICKS, an_administrator
from tests.tournaments.test_embargo import leaks, swapped
from tests.tournaments.test_events import of_club, of_federation
from tests.tournaments.test_fields import members, plain, ranked
from tests.tournaments.worlds import World, a_club, a_world, body_of, ended, forget, plays_of, work
from tests.tournaments.worlds import an_entry as entry_of
from tournaments.models import Club, ClubEntry, Leg, Player, RuledPlay, Session
from tournaments.services import event_checks, events, field_lists, fields
from tournaments.services.submissions import ResultEntry

from .test_desk import Visitor, an_account, at_desk

pytestmark = [pytest.mark.django_db, campaign]

SIZES = {
    **{"Club A": 9, "Club B": 10, "Club C": 12, "Club D": 15, "Club E": 11},
    **{"Club F": 13, "Club G": 16, "Club H": 18, "Club I": 14, "Club J": 21},
}
"""How many play where: each number has a movement of its own."""

TWICE, FOULED, LATE = "Club C", "Club D", "Club J"
FOULED_BOARD = 3
BOARDS = 24
REGIONS = {name: ("Nord", "Sud", "Ouest")[at % 3] for at, name in enumerate(SIZES)}
ANA = ("Ana", "Quesnel", "0417")


def names_at(club: str, *, with_ana: bool) -> list[str]:
    names = [f"{club[-1]}{n:02} {club}" for n in range(1, SIZES[club] + 1)]
    return [*names[:-1], f"{ANA[0]} {ANA[1]} ({ANA[2]})"] if with_ana else names


def entries_of(session: Session, club: str) -> Iterator[ResultEntry]:
    """What the tables of a club hand in. Where one has dealt a board from other cards, somebody held four
    Aces at each of its tables, which the cards of the event contradict."""
    for at, play in enumerate(plays_of(session)):
        tricks = TRICKS[(at * 5 + at // 7 + ord(club[-1])) % len(TRICKS)]
        sheet: dict[str, Any] = {"outcome": "normal", "tricks": tricks}
        if club == FOULED and play.board.number == FOULED_BOARD:
            sheet = {"outcome": "annulled", "claimer": 1 + at % 3, "granted": True}
        yield entry_of(play, {"sheet": sheet})


# ── By pages, and by the API ──────────────────────────────────────────────────────────────────────


class ByPages:
    """The federation and the clubs, each at its desk."""

    def __init__(self) -> None:
        self.federation = at_desk(an_administrator())
        self.clubs: dict[str, Visitor] = {}

    def make(self) -> Leg:
        self.federation.open(reverse("desk-events")).press("Make the event", name="Simultané des dix")
        today = timezone.localdate()
        window = {
            "opens": today - timedelta(days=1),
            "opens_hour": "14h",
            "closes": today + timedelta(days=3),
        }
        late = {"late": str(today + timedelta(days=4)), "late_hour": "12"}
        self.federation.press("Deal and seal", game="comon", boards=str(BOARDS), **window, **late)
        self.federation.press("Invite them", clubs=[str(a_club(name).pk) for name in SIZES])
        self.federation.press("Announce the event")
        self.page = self.federation.path
        return Leg.objects.get()

    def enter(self, club: str) -> None:
        self.clubs[club] = at_desk(an_account(f"Orga{club[-1]}", club))
        self._events_of(club).press("Enter the club", tables=str(SIZES[club] // 3))

    def _events_of(self, club: str) -> Visitor:
        return self.clubs[club].open(reverse("club-events", args=[a_club(club).slug]))

    def set_up(self, club: str, contestants: list[str]) -> str:
        """What stands against it, or nothing."""
        visitor = self._events_of(club).press("Set its session up")
        visitor.press("Continue", contestants="\n".join(contestants)).press("Continue")
        visitor.press("Set up the session")
        return "" if Session.objects.filter(tournament__club=a_club(club)).exists() else visitor.text

    def hand_in(self, club: str, session: Session, entries: list[ResultEntry]) -> None:
        lines = [
            json.dumps(
                {"section": one.section, "table": one.table, "board": one.board, "record": one.content}
            )
            for one in entries
        ]
        visitor = self.clubs[club].open(reverse("session-results-file", args=[session.pk]))
        visitor.press("Show what would happen", pasted="\n".join(lines))
        visitor.press("Keep these results")
        assert visitor.path == reverse("session-desk", args=[session.pk]), visitor.text

    def send(self, club: str, session: Session) -> None:
        visitor = self.clubs[club].open(reverse("run-session", args=[session.pk, "finish"]))
        visitor.press("Finish")
        visitor.open(reverse("run-session", args=[session.pk, "provisional"]))
        visitor.press("Make the list provisional")
        assert leg_entry(session).stage == ClubEntry.Stage.SENT, visitor.text

    def to_be_checked(self) -> int:
        found = re.search(r"(\d+) are to be checked", self.federation.open(self.page).text)
        return 0 if found is None else int(found[1])

    def compare_apart(self, leg: Leg) -> None:
        self.federation.open(reverse("desk-event-checks", args=[leg.event_id]))
        self.federation.press("Compare this club by itself")


class ByApi:
    """The federation and the clubs, each with a token."""

    def __init__(self) -> None:
        self.federation = of_federation()
        self.clubs: dict[str, Any] = {}

    def make(self) -> Leg:
        event = self.federation.post("/api/v1/events/", {"name": "Simultané des dix"}, "json")["Location"]
        now = timezone.now()
        wish = {
            **{"game": "comon", "boards": BOARDS, "opens_at": now - timedelta(days=1)},
            **{"closes_at": now + timedelta(days=3), "late_until": now + timedelta(days=4)},
        }
        leg = self.federation.post(f"{event}legs/", wish, "json").json()["id"]
        self.entries = f"/api/v1/legs/{leg}/entries/"
        slugs = [a_club(name).slug for name in SIZES]
        assert self.federation.post(self.entries, {"clubs": slugs}, "json").status_code == 201
        assert self.federation.put(f"{event}state/", {"state": "announced"}, "json").status_code == 200
        return Leg.objects.get(pk=leg)

    def enter(self, club: str) -> None:
        self.clubs[club] = of_club(club)
        answer = self.clubs[club].post(self.entries, {"tables": SIZES[club] // 3}, "json")
        assert answer.status_code == 201, answer.content

    def set_up(self, club: str, contestants: list[str]) -> str:
        client, leg = self.clubs[club], Leg.objects.get()
        made = client.post("/api/v1/tournaments/", {"name": "Simultanés"}, "json")
        known: list[Any] = []
        for name in contestants:
            if name.endswith(f"({ANA[2]})"):
                person = dict(zip(("given_name", "family_name", "number"), ANA, strict=True))
                client.post(f"/api/v1/clubs/{a_club(club).slug}/players/", person, "json")
                known.append({"players": [Player.objects.get(club=a_club(club), number=ANA[2]).pk]})
            else:
                known.append(name)
        offered = client.get(
            "/api/v1/movements/", {"game": "comon", "contestants": len(known), "boards": BOARDS // 2}
        ).json()
        best = next(one for one in offered if one["boards"] <= BOARDS)
        wish = {
            **{"name": club, "game": "comon", "contestants": known, "leg": leg.pk},
            **{name: best[name] for name in ("movement", "rounds", "boards_per_round")},
        }
        address = f"/api/v1/tournaments/{made.json()['id']}/sessions/"
        answer = ended(client, client.post(address, wish, "json"))
        return "" if answer.status_code in (200, 201) else json.dumps(answer.json())

    def hand_in(self, club: str, session: Session, entries: list[ResultEntry]) -> None:
        address = f"/api/v1/sessions/{session.pk}/submissions/bulk/"
        sent = {"submissions": [body_of(one) for one in entries]}
        answer = self.clubs[club].post(address, sent, "json")
        assert answer.status_code < 300, answer.content

    def send(self, club: str, session: Session) -> None:
        address = f"/api/v1/sessions/{session.pk}/state/"
        for state in ("played", "provisional"):
            wish = {"state": state, "confirm": True}
            answer = self.clubs[club].put(address, wish, "json", HTTP_IF_MATCH="*")
            assert answer.status_code == 200, answer.content

    def to_be_checked(self) -> int:
        rows = self.federation.get(self.entries, {"page_size": 100}).json()["results"]
        return sum(one["stage"] == "sent" for one in rows)

    def compare_apart(self, leg: Leg) -> None:
        address = f"/api/v1/legs/{leg.pk}/checks/"
        (found,) = self.federation.get(address, {"kind": "dealt-otherwise"}).json()["results"]
        answer = self.federation.post(address, {"key": found["key"], "answer": "apart"}, "json")
        assert answer.status_code == 201, answer.content


def leg_entry(session: Session) -> ClubEntry:
    return ClubEntry.objects.select_related("session").get(session=session)


# ── The event ─────────────────────────────────────────────────────────────────────────────────────


# By the API for `.ci/run --all`.
@pytest.mark.parametrize("way", [ByPages, pytest.param(ByApi, marks=pytest.mark.sampled)])
def test_an_event_of_ten_clubs_from_its_invitations_to_its_last_list(way: type[ByPages | ByApi]) -> None:
    forget()
    for name in SIZES:
        Club.objects.filter(pk=a_club(name).pk).update(region=REGIONS[name])
    event = way()
    leg = event.make()
    for name in SIZES:
        event.enter(name)

    # Everybody plans for its own number; whoever is entered elsewhere is refused, and both clubs are named
    parts: dict[str, Session] = {}
    for name in SIZES:
        refusal = event.set_up(name, names_at(name, with_ana=name in ("Club A", TWICE)))
        if name == TWICE:
            assert "Ana Quesnel is entered at Club A" in refusal
            assert "cannot play at Club C" in refusal
            refusal = event.set_up(name, names_at(name, with_ana=False))
        assert refusal == "", name
        parts[name] = Session.objects.get(tournament__club__name=name)
    layouts = {one.movement for one in parts.values()}
    assert len(layouts) > 1
    assert len({one.contestants.count() for one in parts.values()}) == len(SIZES)
    assert {one.board_set.commitment for one in parts.values()} == {leg.commitment}

    # Nine play and send; the tenth has one result of each board when the window ends
    for name, session in parts.items():
        entries = list(entries_of(session, name))
        if name == LATE:
            firsts = {one.board: at for at, one in reversed(list(enumerate(entries)))}.values()
            event.hand_in(name, session, [entries[at] for at in sorted(firsts)])
            work(session)
            continue
        event.hand_in(name, session, entries)
        work(session)
        event.send(name, session)
        work(session)
    assert event.to_be_checked() == 9
    assert {one.stage for one in leg.entries.filter(session=parts[LATE])} == {ClubEntry.Stage.PLAYING}
    assert events.lift_all(now=leg.closes_at) == 0  # a club still plays

    own = a_world(parts["Club A"], parts["Club B"])
    other = World(parts["Club B"], swapped(own.tokens), swapped(own.texts))
    assert nobody_sees_anything((own, other)) == []
    assert fields.rank(leg_id=leg.pk) is None
    assert closed_to_everybody(own, leg)

    # The time for late results is over: the others are compared without it
    assert events.lift_all(now=leg.waits_until) == 1
    for session in parts.values():
        work(session)
    assert fields.rank(leg_id=leg.pk) == 1
    leg.refresh_from_db()
    nine = {name: one for name, one in parts.items() if name != LATE}
    the_lists_are_those_of_a_plain_script(leg, nine, set())

    # What was dealt otherwise is found, and compared by itself after a yes
    found = [one for one in event_checks.of_leg(leg) if one.kind == event_checks.APART]
    assert [(one.entry.club.name, one.board) for one in found] == [(FOULED, FOULED_BOARD)]
    event.compare_apart(leg)
    work(parts[FOULED])
    assert fields.rank(leg_id=leg.pk) == 2
    fouled = {(parts[FOULED].pk, FOULED_BOARD)}
    the_lists_are_those_of_a_plain_script(leg, nine, fouled)

    # The late club sends its results after all
    rest = [one for at, one in enumerate(entries_of(parts[LATE], LATE)) if at not in firsts]
    event.hand_in(LATE, parts[LATE], rest)
    work(parts[LATE])
    event.send(LATE, parts[LATE])
    work(parts[LATE])
    assert fields.rank(leg_id=leg.pk) == 3
    the_lists_are_those_of_a_plain_script(leg, parts, fouled)
    newest = field_lists.newest(leg)
    assert newest is not None
    assert [what for _club, what, _why in newest.news] == ["in"]


def nobody_sees_anything(worlds: tuple[World, World]) -> list[tuple[str, str]]:
    """Who sees a card or the seed, but for what a table has handed in itself."""
    own = {"table", "other table"}
    return [one for one in leaks(worlds[:1]) if one[0] not in own or "/submissions/" not in one[1]]


def closed_to_everybody(world: World, leg: Leg) -> bool:
    """No role reads a joint list, by the API or on its page."""
    page = reverse("public-field", args=[leg.event_id, leg.number])
    read = [world.client(role).get(f"/api/v1/legs/{leg.pk}/field/").json() for role in world.tokens]
    shown = [at_desk(an_administrator()).open(page).text, world.client("anyone").get(page).content.decode()]
    return all(one["count"] == 0 and not one["places"] for one in read) and not any(
        "<table" in text for text in shown
    )


def the_lists_are_those_of_a_plain_script(
    leg: Leg, parts: dict[str, Session], fouled: set[tuple[int, int]]
) -> None:
    """Of the field, each region and each club, by the API as anybody reads it; and the page has as many."""
    anyone = Client(HTTP_HOST="localhost")
    ruled = RuledPlay.objects.filter(session__in=parts.values(), deal="")
    annulled = set(ruled.values_list("play", flat=True))  # one, by whoever looked everywhere under embargo
    won = plain(parts.values(), fouled, annulled)
    name_of = {
        pk: (club, number)
        for name, one in parts.items()
        for club in [one.tournament.club.slug]
        for pk, number in one.contestants.values_list("pk", "number")
    }
    lists: dict[str, dict[str, str]] = {"": {}}
    lists |= {f"region {one}": {"region": one} for one in set(REGIONS.values())}
    lists |= {f"club {name}": {"club": one.tournament.club.slug} for name, one in parts.items()}
    for title, which in lists.items():
        _kind, _space, about = title.partition(" ")
        some = [one for name, one in parts.items() if about in ("", name, REGIONS[name])]
        expected = {name_of[k]: rank for k, rank in ranked(won, members(*some)).items()}
        read: dict[tuple[str, int], str] = {}
        address: str | None = f"/api/v1/legs/{leg.pk}/field/"
        while address is not None:
            answer = anyone.get(address, which if not read else {}).json()
            read |= {(one["club"], one["number"]): one["rank"] for one in answer["places"]}
            address = answer["next"]
        assert read == expected, title
        page = anyone.get(reverse("public-field", args=[leg.event_id, leg.number]), which).content.decode()
        assert page.count('scope="row"') == min(len(expected), 100), title
