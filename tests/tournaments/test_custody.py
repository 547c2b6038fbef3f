"""Custody of the boards, and what refusals do not tell: nobody sees a hidden deal by organising, scoring or
guessing."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tournaments.models import (
    Account,
    BoardSet,
    Custody,
    HistoryEntry,
    Play,
    Player,
    Result,
    Role,
    Session,
    Submission,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    board_sets,
    custody,
    deal_sheets,
    player_links,
    replanning,
    roles,
    sessions,
    shuffling,
    submissions,
)
from tournaments.services.errors import Conflict, Forbidden, Invalid, Missing, Refused

from .test_secrets import CARD, addresses, body_of, is_a_document
from .worlds import World, a_record, a_session, a_world, an_entry, hand_in, plays_of, table_hands_in, work

pytestmark = pytest.mark.django_db

CLAIM = {"outcome": "annulled", "granted": True}  # somebody had the four aces, if nobody knows better


def officer(world: World, name: str = "Olga") -> Account:
    account = accounts.create(name=name)
    place = roles.RolePlace(session=world.refresh())
    roles.grant(account=account, kind=RoleKind.DEAL_OFFICER, place=place, actor=None)
    return account


def take(world: World, account: Account) -> Custody:
    return custody.take(session=world.session, account=account, signed_in_again_at=timezone.now())


def refused(code: str, work: Any) -> None:
    with pytest.raises(Refused) as caught:
        work()
    assert caught.value.code == code


# ── Taking it, laying it down ─────────────────────────────────────────────────────────────────────


def test_custody_is_taken_by_a_deal_officer_who_has_just_signed_in_again_and_does_not_play(
    world: World,
) -> None:
    session, olga = world.session, officer(world)
    director = accounts.create(name="Dora")
    roles.grant(account=director, kind=RoleKind.DIRECTOR, place=roles.RolePlace(session=session), actor=None)
    refused("not-deal-officer", lambda: take(world, director))
    refused("not-deal-officer", lambda: take(world, world.organiser.role.account))  # type: ignore[union-attr]
    late = timezone.now() - timedelta(minutes=5, seconds=1)
    for when in (None, late):
        refused(
            "sign-in-again",
            lambda when=when: custody.take(session=session, account=olga, signed_in_again_at=when),
        )
    refused("plays-here", lambda: take(world, officer(world, session.contestants.get(number=4).name)))
    assert not Custody.objects.exists()
    first = take(world, olga)
    assert take(world, olga) == first
    custody.lay_down(session=session, account=olga)
    custody.lay_down(session=session, account=olga)
    second = take(world, olga)
    assert [one.pk for one in custody.in_force(session)] == [second.pk]
    history = HistoryEntry.objects.filter(session=session, account=olga)
    verbs = list(history.exclude(verb__contains="role").order_by("pk").values_list("verb", flat=True))
    assert verbs == ["took custody", "laid down custody", "took custody"]
    roles.revoke(role=Role.objects.get(account=olga), actor=None)
    assert not custody.in_force(session).exists()


def test_nobody_who_has_had_custody_is_seated_afterwards(world: World) -> None:
    take(world, officer(world, "Zoé"))
    custody.lay_down(session=world.session, account=Account.objects.get(name="Zoé"))
    with pytest.raises(Conflict, match="Zoé has had custody of these boards"):
        replanning.replan(
            session=world.session, actor=world.organiser, after=2, leaving=[9], arriving=["ZOÉ"]
        )
    replanning.replan(session=world.session, actor=world.organiser, after=2, leaving=[9], arriving=["Zora"])


def test_a_player_is_known_by_their_account_and_by_their_name_while_they_have_none(world: World) -> None:
    seated = Player.objects.filter(memberships__session=world.session).order_by("pk")
    olga, namesake = officer(world), officer(world, seated[1].name)
    seated.filter(pk=seated[0].pk).update(account=olga)
    refused("plays-here", lambda: take(world, olga))
    refused("plays-here", lambda: take(world, namesake))
    seated.filter(pk=seated[1].pk).update(account=accounts.create(name=namesake.name))
    take(world, namesake)  # another person of the same name


def test_a_new_name_hides_nobody(world: World) -> None:
    seated = Player.objects.filter(memberships__session=world.session).order_by("pk")[0]
    account = officer(world, seated.name)
    accounts.change(account=account, name="Somebody Else", language="")
    accounts.change(account=account, name="Quite Another", language="")
    refused("plays-here", lambda: take(world, account))


def test_whose_browser_opens_a_players_pages_has_no_custody_of_what_that_player_plays(world: World) -> None:
    olga, player = officer(world), world.session.members.order_by("pk")[0].player
    when = timezone.now()
    refused(
        "plays-here",
        lambda: custody.take(session=world.session, account=olga, signed_in_again_at=when, held=[player.pk]),
    )
    take(world, olga)
    link = player_links.offer(player=player, actor=None)[0]
    refused("has-custody", lambda: player_links.use(link=link, account=olga))
    player_links.use(link=link)  # another browser, where nobody is signed in


def test_nobody_who_has_had_custody_claims_a_player_of_the_session(world: World) -> None:
    olga = officer(world)
    take(world, olga)
    custody.lay_down(session=world.session, account=olga)
    plays = world.session.members.select_related("player__club").first()
    assert plays is not None
    link = player_links.offer(player=plays.player, actor=None)[0]
    with pytest.raises(Conflict, match="You have had custody"):
        player_links.attach(link=link, account=olga)
    sessions.finish(session=world.session, actor=world.organiser)
    assert player_links.attach(link=link, account=olga).account == olga


def test_nobody_has_custody_of_boards_that_the_organisers_see_anyway() -> None:
    world = a_world(custody="none")
    refused("no-custody", lambda: take(world, officer(world)))
    organiser = world.organiser.role.account  # type: ignore[union-attr]
    assert custody.may_print(organiser, world.session)
    assert not custody.may_print(accounts.create(name="Nobody"), world.session)


# ── What it shows ─────────────────────────────────────────────────────────────────────────────────


def test_hands_proofs_and_lists_are_for_custody_and_not_for_organisers() -> None:
    world = a_world(reserves=1)
    client = world.client("organiser")
    base = f"/api/v1/sessions/{world.session.pk}/boards/"

    def seen() -> list[int]:
        deals = [board["deal"] for board in client.get(base).json()["results"]]
        return [
            sum(deal is not None for deal in deals),
            *(client.get(f"{base}{path}").status_code for path in ("1/proof/", "1/traveller/", "1/lists/")),
            client.get(f"{base}5/lists/").status_code,  # the reserve
        ]

    nothing = [0, 404, 404, 403, 403]
    assert seen() == nothing
    account = world.organiser.role.account  # type: ignore[union-attr]
    roles.grant(
        account=account, kind=RoleKind.DEAL_OFFICER, place=roles.RolePlace(session=world.session), actor=None
    )
    assert seen() == nothing
    before = client.get(base)
    take(world, account)
    assert seen() == [4, 200, 200, 200, 200]
    assert client.get(base, headers={"if-none-match": before["ETag"]}).status_code == 200
    printed = HistoryEntry.objects.filter(verb="printed lists").order_by("pk")
    assert [event.detail["boards"] for event in printed] == [[1], [5]]
    lists = client.get(f"{base}3/lists/").json()
    assert lists["printed_by"] == account.name
    assert lists["mark"] == printed.get(detail__boards=[3]).detail["mark"]
    assert client.get(f"{base}6/lists/").status_code == 404
    custody.lay_down(session=world.session, account=account)
    assert seen() == nothing
    assert printed.all().count() == 3


def test_lists_are_printed_of_sealed_boards_by_those_who_may() -> None:
    world = a_world(reserves=1)
    olga = officer(world)
    session = world.session
    with pytest.raises(Forbidden):
        custody.print_lists(session=session, actor=olga, boards=[1])
    take(world, olga)
    assert [
        one["board"] for one in custody.print_lists(session=session, actor=olga, boards=[5, 1]).lists
    ] == [
        1,
        5,
    ]
    with pytest.raises(Missing):
        custody.print_lists(session=session, actor=olga, boards=[1, 6])


def test_sheets_of_one_deal_are_known_by_a_code_that_tells_nothing_of_it() -> None:
    world = a_world(custody="none")
    session, actor = world.session, world.organiser
    (first,) = custody.print_lists(session=session, actor=actor, boards=[1]).lists
    mark = HistoryEntry.objects.filter(verb="printed lists").latest("pk").detail["mark"]
    again = {
        one["board"]: one for one in custody.print_lists(session=session, actor=actor, boards=[1, 2]).lists
    }
    assert (first["before"], again[1]["before"], again[2]["before"]) == ([], [mark], [])
    codes = deal_sheets.codes(session)
    assert first["code"] == again[1]["code"] == codes[1]
    assert len(set(codes.values())) == len(codes)
    same = a_world(custody="none").session  # the same boards of the same game, from another seed
    assert not set(codes.values()) & set(deal_sheets.codes(same).values())


def test_a_sheets_code_tells_its_board_and_which_lists_of_it_there_are() -> None:
    world = a_world(custody="none")
    session, client = world.session, world.client("organiser")
    path = f"/api/v1/sessions/{session.pk}/boards/"
    before = client.get(path)
    assert {row["code"]: row["printed"] for row in before.json()["results"]} == {
        code: [] for number, code in deal_sheets.codes(session).items() if number <= 4
    }
    lists = [client.get(f"{path}2/lists/").json() for _time in range(2)]
    code = deal_sheets.codes(session)[2]
    assert [(one["code"], one["before"]) for one in lists] == [(code, []), (code, [lists[0]["mark"]])]
    assert client.get(path, headers={"if-none-match": before["ETag"]}).status_code == 200  # printed since
    typed = {"code": f" {code.lower().replace('-', ' ').replace('o', '0').replace('i', '1')}"}
    (found,) = client.get(path, typed).json()["results"]
    assert (found["number"], found["printed"]) == (2, [one["mark"] for one in lists])
    assert client.get(path, {"code": "AAAA-AAAA"}).json()["results"] == []
    for role in ("table", "player"):
        others = world.client(role)
        assert {(row["code"], row["printed"]) for row in others.get(path).json()["results"]} == {(None, None)}
        assert others.get(path, typed).json()["results"] == []


# ── Refusals are not an oracle ────────────────────────────────────────────────────────────────────


def listed(world: World, role: str) -> list[dict[str, Any]]:
    answer = world.client(role).get(f"/api/v1/sessions/{world.session.pk}/submissions/?page_size=500")
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


def send(world: World, role: str, play: Play, *contents: dict[str, Any]) -> list[dict[str, Any]]:
    """What a role is told of results that it hands in one after the other, each judged before the next."""
    for content in contents:
        submissions.submit(
            session_id=world.session.pk, sender=world.holder(role), entries=[an_entry(play, content)]
        )
        work(world.session)
    shown = listed(world, role)[-len(contents) :]
    return [{name: one[name] for name in ("state", "refusal")} for one in shown]


def test_a_scorer_who_tries_every_card_learns_none(world: World) -> None:
    """What is told of a card that is held, and of one that is not, is the same."""
    play = plays_of(world.session)[0]
    cards = [rank + suit for suit in "SHDC" for rank in "789TJQKA"]
    entries = [an_entry(play, {"actions": [f"play:{card}"]}) for card in cards]
    for role in ("scorer", "organiser"):
        submissions.submit(session_id=world.session.pk, sender=world.holder(role), entries=entries)
        work(world.session)
        told = {json.dumps([one["state"], one["refusal"]]) for one in listed(world, role)}
        assert len(told) == 1, told
        assert "cannot be the whole play of board 1" in told.pop()


def test_a_claim_that_the_deal_contradicts_looks_to_a_scorer_like_one_that_it_does_not() -> None:
    world = a_world(four_aces="allow")
    plays = plays_of(world.session)
    told = [
        answer
        for play in plays
        for answer in send(world, "scorer", play, *({"sheet": CLAIM | {"claimer": n}} for n in (1, 2, 3)))
    ]
    assert told == [{"state": "accepted", "refusal": None}] * (3 * len(plays))
    results = world.client("scorer").get(f"/api/v1/sessions/{world.session.pk}/plays/").json()["results"]
    assert all(one["result"]["scores"] for one in results), "those would stand out that had none"
    assert Submission.objects.filter(state="disputed").count() >= 2 * len(plays)
    states = {one["state"] for one in listed(world, "organiser")}
    assert "disputed" in states, "the director sees every try"


def test_a_ruling_by_a_sheet_that_the_deal_contradicts_is_answered_like_one_that_it_does_not() -> None:
    world = a_world(four_aces="allow")
    table_hands_in(world, own := plays_of(world.session)[0])
    work(world.session)
    place = {"section": "A", "table": own.table.number, "board": own.board.number}
    told = set()
    for claimer in (1, 2, 3):
        sheet = {"sheet": CLAIM | {"claimer": claimer}}
        body = {"play": place | {"decisions": [{"kind": "assigned", "outcomes": [sheet]}]}}
        address = f"/api/v1/sessions/{world.session.pk}/rulings/preview/"
        told.add(world.client("organiser").post(address, body, format="json").status_code)
    assert told == {200}, "two of them at least hold no four aces"


def test_what_is_disputed_is_marked_with_its_play_board_and_traveller_for_those_who_may_know() -> None:
    world = a_world(four_aces="allow")
    for claimer in (1, 2, 3):
        for play in plays_of(world.session)[:3]:
            send(world, "scorer", play, {"sheet": CLAIM | {"claimer": claimer}})
    disputed = list(Result.objects.filter(submission__state="disputed").values_list("play", flat=True))
    assert disputed

    def marked(role: str) -> tuple[list[int], list[int | None]]:
        base, client = f"/api/v1/sessions/{world.session.pk}/", world.client(role)
        plays = client.get(f"{base}plays/").json()["results"]
        boards = client.get(f"{base}boards/").json()["results"]
        states = {one["id"]: one["result"]["state"] for one in plays if one["result"]}
        return sorted(pk for pk, state in states.items() if state == "disputed"), [
            one["disputed"] for one in boards
        ]

    assert marked("scorer") == marked("table") == ([], [None] * 4)
    assert marked("organiser") == (sorted(disputed), [len(disputed), 0, 0, 0])
    sessions.finish(session=world.session, actor=world.organiser)
    assert marked("scorer")[0] == sorted(disputed), "the boards are over"
    sessions.publish(session=world.refresh(), actor=world.organiser, listed=True)
    client = world.client("anyone")
    traveller = client.get(f"/api/v1/sessions/{world.session.pk}/boards/1/traveller/").json()["plays"]
    states = [one["result"]["state"] for one in traveller if one["result"]]
    assert states.count("disputed") == len(disputed)
    page = client.get(reverse("traveller-page", args=[world.session.pk, 1])).content.decode()
    assert page.count('data-state="disputed"') == len(disputed)


def test_a_table_is_told_once_a_play_and_in_its_round_that_the_deal_contradicts_its_sheet(
    world: World,
) -> None:
    own = [play for play in plays_of(world.session) if play.table_id == world.table.table_id]
    claims = [{"sheet": CLAIM | {"claimer": n}} for n in (1, 2, 3, 1)]
    message = "This cannot have happened on board {}; is the number right?"
    accepted = {"state": "accepted", "refusal": None}
    first = {"type": "Contradiction", "message": message.format(own[0].board.number)}
    assert send(world, "table", own[0], *claims) == [{"state": "refused", "refusal": first}, *[accepted] * 3]
    assert send(world, "table", own[3], *claims) == [accepted] * 4, "that round has not begun"
    wrong = {"sheet": {"outcome": "normal", "tricks": [9, 9, 9]}}
    (told,) = send(world, "table", own[3], wrong)
    assert told["state"] == "refused"
    assert "add up to 27" in told["refusal"]["message"], "whatever was dealt"


def test_the_answer_to_a_key_that_comes_again_tells_no_more(world: World) -> None:
    play = plays_of(world.session)[0]
    entries = [an_entry(play, {"sheet": CLAIM | {"claimer": 1}}), an_entry(play, {"actions": ["play:AS"]})]
    for _ in range(2):
        stored = submissions.submit(
            session_id=world.session.pk, sender=world.holder("scorer"), entries=entries
        )
        work(world.session)
    assert [one.state for one in stored] == ["accepted", "refused"]
    assert stored[1].refusal["fr"]["type"] == "Contradiction"


def test_whoever_may_see_the_deal_is_told_why_and_sees_the_records() -> None:
    world = a_world(custody="none")
    play = plays_of(world.session)[0]
    send(world, "table", play, {"sheet": CLAIM | {"claimer": 2}}, {"actions": ["play:ZZ"]})
    record = a_record(play, world.session)
    table_hands_in(world, play, record)
    work(world.session)
    claim, probe, good = listed(world, "organiser")
    assert "four Aces" in claim["refusal"]["message"]
    assert probe["refusal"]["position"] == 0
    assert good["content"] == listed(world, "table")[2]["content"] == record
    assert listed(world, "scorer")[2]["content"] == {"actions": None}
    assert not CARD.search(json.dumps(listed(world, "scorer")))


# ── All routes ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.campaign  # what `make test` asks of all routes is in test_secrets.py
def test_no_route_shows_a_card_to_an_organiser_who_has_read_everything_but_taken_no_custody() -> None:
    world = a_world(published=True)
    for play in plays_of(world.session):
        table_hands_in(world, play, a_record(play, world.session))
        break
    work(world.session)
    world.refresh()
    shown = [one for one in addresses(world) if not is_a_document(one)]
    for role in ("organiser", "scorer"):
        client = world.client(role)
        for address in shown:
            if not address.endswith("/live/"):
                assert CARD.findall(body_of(client.get(address))) == [], (role, address)
    sessions.finish(session=world.session, actor=world.organiser)
    assert any(CARD.search(body_of(client.get(one))) for one in shown if "boards" in one)


def test_deals_that_nobody_will_hold_are_forgotten_before_a_card_may_be_known_and_not_after() -> None:
    session = a_session()
    custody.leave_to_tables(session=session, actor=None, copied=True)
    kept = BoardSet.objects.get(session=session)
    assert (kept.manifest, kept.sealed_seed, kept.commitment) == (None, None, "")
    assert board_sets.deal_of(Session.objects.select_related("board_set").get(pk=session.pk), 1) is None
    custody.leave_to_tables(session=session, actor=None)
    assert HistoryEntry.objects.filter(session=session, verb="left to tables").count() == 1
    world = a_world()
    hand_in(world, plays_of(world.session)[0])
    with pytest.raises(Conflict, match="Results have come in already"):
        custody.leave_to_tables(session=world.session, actor=None)
    seen = a_session(club="Club B")
    officer = accounts.create(name="Olga", email="olga-b@example.org", password="x")
    Custody.objects.create(board_set=seen.board_set, account=officer, laid_down_at=timezone.now())
    with pytest.raises(Conflict, match="Somebody has custody"):
        custody.leave_to_tables(session=seen, actor=None)
    assert BoardSet.objects.get(session=seen).manifest is not None


def test_tables_do_not_shuffle_what_several_of_them_play_at_once() -> None:
    session = a_session()
    with pytest.raises(Conflict, match="3 tables play the same board at once") as refused:
        custody.leave_to_tables(session=session, actor=None)
    assert (refused.value.code, refused.value.details) == ("needs-copies", {"tables": 3})
    assert BoardSet.objects.get(session=session).manifest is not None, "nothing has been forgotten"
    assert shuffling.of_session(session) == shuffling.Copies(3, 3, ())
    travelling = a_session(club="Club B", players=12, movement="rotated-rainbow", boards_per_round=2)
    tables = shuffling.of_session(travelling).tables
    assert [(one.table, one.boards) for one in tables] == [(n, (2 * n - 1, 2 * n)) for n in range(1, 5)]
    custody.leave_to_tables(session=travelling, actor=None)
    assert BoardSet.objects.get(session=travelling).manifest is None
    with pytest.raises(Invalid, match="3 tables play the same board at once"):
        a_session(club="Club C", sealed=False)


def test_programs_say_that_the_tables_shuffle_while_nothing_has_been_given_out() -> None:
    world = a_world(custody="none")
    other = Session.objects.get(tournament__club__name="Club B")
    address = f"/api/v1/sessions/{world.session.pk}/"

    def patched(role: str, sealed: Any, at: str = address, **more: Any) -> Any:
        return world.client(role).patch(at, {"sealed": sealed, **more}, headers={"if-match": "*"})

    assert patched("organiser", True).status_code == 400
    assert {patched(role, False).status_code for role in ("table", "player", "scorer")} <= {403, 404}
    assert world.client("organiser").get(f"{address}boards/2/lists/").status_code == 200
    refusal = patched("organiser", False)
    assert (refusal.status_code, refusal.json()["error"]["code"]) == (409, "lists-printed")
    assert BoardSet.objects.get(session=world.session).manifest is not None
    own = f"/api/v1/sessions/{other.pk}/"
    refusal = patched("foreign organiser", False, own)
    assert (refusal.status_code, refusal.json()["error"]["code"]) == (409, "needs-copies")
    only = world.client("foreign organiser").patch(own, {"copied": True}, headers={"if-match": "*"})
    assert (only.status_code, list(only.json()["error"]["details"])) == (400, ["copied"])
    assert patched("foreign organiser", False, own, copied=True).json()["commitment"] == ""
    assert BoardSet.objects.get(session=other).manifest is None
