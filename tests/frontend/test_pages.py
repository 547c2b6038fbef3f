"""Pages as the server sends them: complete without a script, in both languages, safe headers."""

import json
import re
from fractions import Fraction
from itertools import cycle, pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from engines import registry
from engines.public_values import PublicValue
from frontend import plots, presentation, previews, views
from frontend.presentation import window
from frontend.templatetags.cards import award, card, last_point, percent, points, rank
from scoring.totals import Sum, Total
from tests.samples import some
from tests.tournaments.worlds import (
    World,
    a_record,
    a_world,
    hand_in,
    played_through,
    plays_of,
    table_hands_in,
    work,
)
from tournaments.models import Contestant, Submission
from tournaments.services import board_sets, lists, live_lists, rankings, rulings, sessions
from tournaments.services.rankings import Standing

pytestmark = pytest.mark.django_db


def begins_with() -> World:
    """A published session."""
    return a_world(published=True)


SIDE = '<th scope="col" class="divide">'  # the head of a column of those who held the same cards


def finished() -> Any:
    world = a_world(published=True)
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    world.refresh()
    return world


def page(client: Any, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return str(response.content.decode())


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "fr",
            [
                "Rang",
                "Concurrent",
                "Parcours",
                "COM’ON\u202f!",
                "classement final",
                'lang="fr"',
                "English",
            ],
        ),
        ("en", ["Place", "Contestant", "Progress", "COM’ON!", "final ranking", 'lang="en"', "Français"]),
    ],
)
def test_the_ranking_is_complete_without_a_script(client: Any, language: str, words: list[str]) -> None:
    world = finished()
    text = page(client, f"/{language}/sessions/{world.session.pk}/")
    for word in words:
        assert word in text
    for contestant in world.session.contestants.all():
        assert contestant.name in text
    assert text.count("<polyline points=") == 10  # nine contestants and the template of a row
    percentages = re.findall(r'class="score">([\d.,]+)<', text)
    assert len(percentages) == 9
    assert all(number[-3] == ("," if language == "fr" else ".") for number in percentages)


def test_a_penalty_stands_under_the_name_of_whom_it_costs_until_it_is_reversed(client: Any) -> None:
    world = finished()
    session, fined = world.session, world.session.contestants.order_by("number")[0]
    how = {"contestant": fined.number, "kind": "penalty", "amount": "10", "unit": "percent"}
    made = rulings.rule(rulings.on_contestant(session=session, **how), actor=None, text="Slow play")
    work(session)
    text = page(client, f"/en/sessions/{session.pk}/")
    told = re.findall(
        r'scope="row" class="person">([^<]*)<span class="why state decided" data-state="ruled">', text
    )
    assert told == [fined.name]
    assert "Penalty: 10% of a board." in text
    assert "Slow play" not in text, "why is for those concerned"
    same = lists.set_up(session=session, actor=None, setup=lists.ListSetup("All of them", "overall"))
    others = [
        f"/en/sessions/{session.pk}/?list={same.number}",
        f"/en/sessions/{session.pk}/screen/",
        f"/en/embed/sessions/{session.pk}/ranking/",
    ]
    for address in others:
        assert page(client, address).count("Penalty: 10% of a board.") == 1, address
    rulings.reverse(ruling=made, actor=None, text="None")
    work(session)
    assert "Penalty: 10%" not in page(client, f"/en/sessions/{session.pk}/")


def test_before_the_first_result_the_page_says_so(world: World, client: Any) -> None:
    assert "No board counts here yet" in page(client, f"/en/sessions/{world.session.pk}/")


def test_long_rankings_and_travellers_come_in_pages(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presentation, "ON_A_PAGE", 4)
    world = finished()
    address = f"/en/sessions/{world.session.pk}/"
    texts = [page(client, f"{address}?page={number}") for number in (1, 2, 3)]
    shown = [set(re.findall(r'<tr data-number="(\d+)"', text)) for text in texts]
    assert [len(numbers) for numbers in shown] == [4, 4, 1]
    assert set.union(*shown) == {str(number) for number in range(1, 10)}
    assert [re.findall(r'rel="(?:prev|next)" href="([^"]*)"', text) for text in texts] == [
        ["?page=2"], ["?page=1", "?page=3"], ["?page=2"],
    ]  # fmt: skip
    for text, numbers in zip(texts, shown, strict=True):  # what a script asks for later is the same page
        source = re.findall(r'<live-ranking src="([^"]*)"', text)[0]
        places = client.get(source, {"page_size": 4} if "?" not in source else {}).json()["places"]
        assert {str(place["number"]) for place in places[:4]} == numbers
    for number in ("0", "4", "-1", "x", "9" * 5000, "²"):
        assert client.get(address, {"page": number}).status_code == 404
    traveller = f"{address}boards/1/"
    monkeypatch.setattr(presentation, "ON_A_PAGE", 2)
    rows = [page(client, f"{traveller}?page={number}").count('class="table-name"') for number in (1, 2)]
    assert rows == [2, 1]


def test_the_traveller_compares_each_line_and_links_to_the_replays(client: Any) -> None:
    world = finished()
    text = page(client, f"/fr/sessions/{world.session.pk}/boards/2/")
    assert text.count(SIDE) == 3
    assert text.count('class="hand"') == 3
    assert "Retournes" in text
    kicker = text.partition('class="kicker">')[2].partition("</p>")[0]
    assert all(one in kicker for one in (world.session.tournament.club.name, world.session.name, "COM’ON"))
    assert text.count(">Vies</th>") == 6, "over the traveller and the count of each side"
    assert text.count('data-label="PM"') == 9, "what the figures are, on a phone too"
    assert len(set(re.findall(rf'href="/fr/sessions/{world.session.pk}/boards/2/\d+/"', text))) == 3
    assert 'rel="prev"' in text
    assert 'rel="next"' in text


def test_a_result_is_counted_point_by_point_beside_the_field(client: Any) -> None:
    world = finished()
    first, second, *_rest = [play for play in plays_of(world.session) if play.board.number == 2]
    address = f"/en/sessions/{world.session.pk}/boards/2/"
    for chosen in (first, second):
        text = page(client, f"{address}?play={chosen.pk}")
        section = text.partition('id="count"')[2]
        assert f"The count of table {chosen.table.number}" in section
        assert section.count("<tfoot>") == 3
        assert section.count("<circle") == 9  # three results of each of three lines
        assert section.count('<circle class="own"') == 3
        assert f">{chosen.table.number}</text>" in section.partition('<text class="dot own"')[2]
        for table in section.split("<table")[1:]:
            body, _foot, total = table.partition("<tfoot>")
            figures = [figure_of(one) for one in re.findall(r'class="number">(.*?)</td>', body)]
            assert sum(figures) == figure_of(re.findall(r'class="number figure">(.*?)</td>', total)[0])
    assert "The count of table" in page(client, f"{address}?play=999999999")


def figure_of(text: str) -> Fraction:
    plain = re.sub("<.*?>", "", text).replace("−", "-").replace("½", ".5").replace("+", "")
    return Fraction(plain.replace("-.5", "-0.5"))


def test_many_results_are_a_histogram_with_the_own_one_before_it() -> None:
    few = plots.field([(n, str(n), n % 3) for n in range(6)], 4, 2)
    assert few is not None
    assert [dot.label for dot in few.dots if dot.is_own] == ["4"]
    assert len({(dot.x, dot.y) for dot in few.dots}) == 6
    many = plots.field([(n, str(n), n % 7) for n in range(100)], 8, 1)
    assert many is not None
    assert (len(many.dots), sum(bar.is_own for bar in many.bars)) == (0, 1)
    assert max(bar.height for bar in many.bars) <= many.height
    assert [tick.text for tick in many.ticks] == ["0", "+1", "+2", "+3", "+4", "+5", "+6"]
    alike = plots.field([(1, "1", 5), (2, "2", 5)], 1, 1)
    assert alike is not None
    assert len({dot.y for dot in alike.dots}) == 2
    assert plots.field([], None, 1) is None


def test_lists_stand_in_tabs_once_the_session_has_been_played(world: World, client: Any) -> None:
    setup = lists.ListSetup("Handicaps", "handicap", handicaps={"1": "100"}, tie_breaks=["wins"])
    lists.set_up(session=world.session, actor=world.organiser, setup=setup)
    played_through(world)
    address = f"/en/sessions/{world.session.pk}/"
    assert "Handicaps" not in page(client, address)  # it would tell of boards that are not over
    assert client.get(f"{address}?list=1").status_code == 404
    sessions.finish(session=world.session, actor=world.organiser)
    assert 'href="?list=1"' in page(client, address)
    shown = page(client, f"{address}?list=1")
    first = shown.partition("<tbody>")[2].partition("</tr>")[0]
    assert world.session.contestants.get(number=1).name in first
    assert "Without handicap" in shown
    assert "live-ranking.js" not in shown
    assert client.get(f"{address}?list=2").status_code == 404
    assert client.get(f"{address}?list=x").status_code == 404


def test_shared_places_are_explained(world: World, client: Any) -> None:
    for play in plays_of(world.session):
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}})
    work(world.session)
    sessions.finish(session=world.refresh(), actor=world.organiser)
    text = page(client, f"/en/sessions/{world.session.pk}/")
    told = text.partition("told-ties")[2].partition("</ul>")[0]
    assert told.count("points each, out of") >= 1
    assert "equal totals share the place" in text


def test_the_replay_shows_every_trick_and_every_point(client: Any) -> None:
    world = finished()
    play = plays_of(world.session)[0]
    text = page(client, f"/en/sessions/{world.session.pk}/boards/{play.board.number}/{play.pk}/")
    assert text.count("<tr data-trick=") == 10
    assert 'id="steps"' in text
    assert all(
        contestant.contestant.name in text for contestant in play.seatings.select_related("contestant")
    )
    assert any(words in text for words in ("most tricks", "second in tricks"))


def test_a_sheet_has_no_replay_and_a_board_of_another_session_is_none(world: World, client: Any) -> None:
    played = plays_of(world.session)
    hand_in(world, played[0])
    hand_in(world, played[1], a_record(played[1], world.session))
    work(world.session)
    sessions.finish(session=world.session, actor=world.organiser)
    base = f"/en/sessions/{world.session.pk}/boards"
    assert client.get(f"{base}/{played[0].board.number}/{played[0].pk}/").status_code == 404
    assert client.get(f"{base}/{played[1].board.number}/{played[1].pk}/").status_code == 200
    assert client.get(f"{base}/{played[1].board.number + 1}/{played[1].pk}/").status_code == 404
    assert client.get(f"{base}/999/").status_code == 404


@pytest.mark.parametrize("rest", ["", "boards/", "boards/1/", "boards/1/1/"])
def test_what_is_not_published_is_not_there(client: Any, rest: str) -> None:
    world = a_world()
    played_through(world)
    response = client.get(f"/fr/sessions/{world.session.pk}/{rest}")
    assert response.status_code == 404
    assert "Rien à voir ici" in response.content.decode()


def test_while_a_session_is_played_its_boards_stay_closed(world: World, client: Any) -> None:
    played_through(world)
    base = f"/en/sessions/{world.session.pk}/boards/"
    assert "once the session is finished" in page(client, base)
    assert client.get(f"{base}1/").status_code == 404


def test_the_first_page_lists_published_sessions_only(client: Any) -> None:
    hidden, shown = a_world(), a_world(published=True)
    text = page(client, "/en/")
    assert f"/en/sessions/{shown.session.pk}/" in text
    assert f"/en/sessions/{hidden.session.pk}/" not in text


def test_the_first_page_names_the_leaders(client: Any) -> None:
    """What is being played with its first three, what is over with its winner on top; nobody before the
    first board."""
    before, playing, over = a_world(published=True), a_world(published=True), finished()
    for play in plays_of(playing.session):
        table_hands_in(playing, play, a_record(play, playing.session))
    work(playing.session)
    text = page(client, "/fr/")
    for world, end in ((playing, "</article>"), (over, "</li>")):
        standings = rankings.standings(rankings.newest(world.session), range(3))
        won = [one for one in standings if one.rank in {"1", "1="}]
        named, figures = (standings, standings) if world is playing else (won, won[:1])
        part = text.partition(f"/fr/sessions/{world.session.pk}/")[2].partition(end)[0]
        assert re.findall(r'class="person">([^<]*)<', part) == [one.contestant.name for one in named]
        assert re.findall(r'class="figure">([^<]*)<', part) == [percent_fr(one) for one in figures]
        assert "9 concurrents" in part
    part = text.partition(f"/fr/sessions/{before.session.pk}/")[2].partition("</article>")[0]
    assert 'class="person"' not in part


def test_the_first_page_does_not_count_who_never_came(client: Any) -> None:
    world = a_world(published=True)
    play = plays_of(world.session)[0]
    table_hands_in(world, play, a_record(play, world.session))
    sessions.finish(session=world.refresh(), actor=world.organiser)
    work(world.session)
    part = page(client, "/fr/").partition(f"/fr/sessions/{world.session.pk}/")[2].partition("</li>")[0]
    assert f"{play.seatings.count()} concurrents" in part


def percent_fr(standing: Standing) -> str:
    with translation.override("fr"):
        return percent(standing.total.value)


def test_the_first_page_costs_what_it_shows(client: Any, django_assert_max_num_queries: Any) -> None:
    for _ in range(3):
        finished()
    page(client, "/en/")  # their orders are remembered from now on
    with django_assert_max_num_queries(11):  # among them an administrator, the clubs' towns, three of events
        page(client, "/en/")


@pytest.mark.parametrize(("accepted", "language"), [("fr-FR,fr;q=0.9", "fr"), ("en", "en"), ("de", "en")])
def test_the_bare_address_leads_to_the_readers_language(client: Any, accepted: str, language: str) -> None:
    response = client.get("/", headers={"accept-language": accepted})
    assert response.status_code == 302
    assert response["Location"] == f"/{language}/"


def test_pages_carry_their_protection(world: World, client: Any) -> None:
    response = client.get(f"/fr/sessions/{world.session.pk}/")
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "nonce-" in policy
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert not response.cookies


def test_names_are_text_and_never_markup(world: World, client: Any) -> None:
    world.session.contestants.filter(number=1).update(
        name="<script>alert(1)</script>", named_by_players=False
    )
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    text = page(client, f"/en/sessions/{world.session.pk}/")
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_an_error_of_ours_tells_nothing_and_keeps_the_shape(client: Any, monkeypatch: Any) -> None:
    from tournaments.services import tokens

    def broken(_: str) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(tokens, "holder_of", broken)
    client.raise_request_exception = False
    response = client.get("/api/v1/tournaments/", headers={"authorization": "Bearer x"})
    assert (response.status_code, response.json()["error"]["code"]) == (500, "broken")
    assert "secret" not in response.content.decode()


def test_an_error_of_ours_on_a_page_is_a_page(client: Any, monkeypatch: Any) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(live_lists, "public_rankings", broken)
    client.raise_request_exception = False
    response = client.get("/fr/")
    text = response.content.decode()
    assert response.status_code == 500
    assert "Un problème est survenu de notre côté" in text
    assert 'href="/fr/"' in text
    assert "secret" not in text


def test_an_error_of_the_pages_themselves_is_told_in_plain_words(client: Any, monkeypatch: Any) -> None:
    def broken(*_: Any, **_more: Any) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(views, "render", broken)
    client.raise_request_exception = False
    response = client.get("/en/")
    assert (response.status_code, response["Content-Type"]) == (500, "text/plain; charset=utf-8")
    assert response.content.decode() == "Internal error; it has been logged."


def test_an_evening_of_unknown_deals_has_travellers_without_cards(client: Any) -> None:
    from django.core.management import call_command

    from tests.tournaments.test_evenings import EXAMPLES
    from tournaments.models import Session

    call_command("import_evening", str(EXAMPLES / "comon-15.csv"), "--game", "comon", "--publish", "--json")
    pk = Session.objects.get().pk
    assert "21</a>" in page(client, f"/en/sessions/{pk}/boards/")
    text = page(client, f"/fr/sessions/{pk}/boards/11/")
    assert "ne sont pas connues ici" in text
    assert text.count(SIDE) == 3


def test_the_boards_page_tells_what_proves_them(client: Any) -> None:
    world = a_world(published=True, public_value=PublicValue("lottery-5", "Loto du 28 <b> novembre"))
    first_commitment = world.refresh().board_set.commitment
    before = page(client, f"/fr/sessions/{world.session.pk}/boards/")
    assert first_commitment in before
    assert "à venir (Loto du 28 &lt;b&gt; novembre)" in before
    assert "Comparez" not in before
    board_sets.mix_in(session=world.session, actor=world.organiser, value="03-07-12-28-41")
    sessions.finish(session=world.session, actor=world.organiser)
    board_set = world.refresh().board_set
    text = page(client, f"/fr/sessions/{world.session.pk}/boards/")
    value = "03-07-12-28-41 (Loto du 28 &lt;b&gt; novembre)"
    for shown in (first_commitment, board_set.commitment, value, "Comparez-la", "--commitment"):
        assert shown in text
    other = page(client, f"/fr/sessions/{finished().session.pk}/boards/")
    assert "engines verify" in other
    assert "valeur publique" not in other


def test_cards_are_shown_in_the_readers_language() -> None:

    with translation.override("fr"):
        assert [rank(token) for token in ("KS", "QS", "JS", "TS", "AS", "7S")] == [
            "R",
            "D",
            "V",
            "10",
            "A",
            "7",
        ]
        words = {
            "QH": "dame de cœur",
            "JS": "valet de pique",
            "CD": "cavalier de carreau",
            "AC": "as de trèfle",
            "TS": "10 de pique",
            "21T": "21 d’atout",
            "EX": "Excuse",
        }
        assert [token for token, said in words.items() if f'aria-label="{said}"' not in card(token)] == []
    with translation.override("en"):
        words = {
            "QH": "queen of hearts",
            "CD": "knight of diamonds",
            "1C": "ace of clubs",
            "7S": "7 of spades",
        }
        words |= {"1T": "1 of trumps", "TS": "10 of spades"}
        assert [token for token, said in words.items() if f'aria-label="{said}"' not in card(token)] == []


def test_progress_lines_stay_in_their_box() -> None:
    low, middle, high = Fraction(0), Fraction(50), Fraction(100)
    assert points([middle], (30, 70)) == "0.0,12.0 100.0,12.0"
    assert points([low, high, middle], (30, 70)) == "0.0,24.0 50.0,0.0 100.0,12.0"
    assert points([Fraction(-8), Fraction(4)], (-8, 8)) == "0.0,24.0 100.0,6.0"
    assert last_point("0.0,24.0 100.0,6.0") == "M100.0,6.0h0"
    assert last_point("") == ""


def test_points_are_plotted_around_nothing() -> None:
    def standing(top: int, *progress: int) -> Standing:
        return Standing(1, "", Contestant(), Total(Sum(top=top)), 0, tuple(map(Fraction, progress)))

    assert window([standing(0, -8, 4), standing(0)]) == (-8.0, 8.0)
    assert window([standing(0)]) == (-1.0, 1.0)
    assert window([standing(12, 90)]) == (30.0, 70.0)


@pytest.mark.parametrize(
    ("exact", "french"), [("13/3", "4,33"), ("-7/4", "−1,75"), ("7", "7"), ("-12", "−12"), ("0", "0")]
)
def test_awards_are_written_as_the_reader_writes(exact: str, french: str) -> None:
    with translation.override("fr"):
        assert award(exact) == french


@pytest.mark.parametrize("game", some([g.id for g in registry.games().values() if g.seats[0] == 3], one_in=4))
def test_every_game_of_three_seats_has_its_travellers_and_replays(client: Any, game: str) -> None:
    world = a_world(published=True, game=game)
    played_through(world)
    assert set(Submission.objects.values_list("state", flat=True)) == {"accepted"}
    sessions.finish(session=world.session, actor=world.organiser)
    bases = [f"/{language}/sessions/{world.session.pk}" for language in ("fr", "en")]
    for base in bases:
        assert page(client, f"{base}/").count("<tr data-number=") == 10
    for number, base in zip(range(1, 5), cycle(bases), strict=False):
        assert page(client, f"{base}/boards/{number}/").count(SIDE) == 3
    of_each_board = {play.board.number: play for play in plays_of(world.session)}.values()
    for play, base in zip(of_each_board, cycle(bases), strict=False):
        assert 'id="steps"' in page(client, f"{base}/boards/{play.board.number}/{play.pk}/")


def test_cards_that_were_said_stand_as_cards(client: Any) -> None:
    world = a_world(published=True, game="bernicle")
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    played = next(p for p in plays_of(world.session) if "passed-out" not in str(p.result.facts))
    address = f"/fr/sessions/{world.session.pk}/boards/{played.board.number}/{played.pk}/"
    said = page(client, address).partition('class="speeches"')[2].partition("</ul>")[0]
    discards = [item for item in said.split("<li>") if "écarte" in item]
    assert [item.count('class="card"') for item in discards] == [5, 2, 2]


def test_a_replay_tells_every_hand_after_every_action(client: Any) -> None:
    """The tarots deal a second time from the stock: those hands are shown as well."""
    world = a_world(published=True, game="tarot-double-detente")
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    play = plays_of(world.session)[0]
    text = page(client, f"/fr/sessions/{world.session.pk}/boards/{play.board.number}/{play.pk}/")
    script = text.partition('<script id="steps" type="application/json">')[2].partition("</script>")[0]
    sizes = [[len(hand) for hand in step["hands"]] for step in json.loads(script)]
    assert sizes[0] == sizes[2] == sizes[41] == [13, 13, 13]  # bids, and the second deal
    assert sizes[-1] == [0, 0, 0]
    assert all(sum(before) - sum(after) in {0, 1, -38} for before, after in pairwise(sizes))


def test_what_a_deal_lacks_is_no_empty_box(client: Any) -> None:
    """Mille's board 1 offers no bombs: its list is empty, and the dog is there."""
    world = a_world(published=True, game="mille")
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    text = page(client, f"/en/sessions/{world.session.pk}/boards/1/")
    assert text.count('class="others"') == 1
    assert "Dog" in text


def test_a_shared_place_names_points_only_where_they_are_the_same() -> None:
    def line(name: str, points: int, top: int) -> Any:
        total = SimpleNamespace(points=points, top=top)
        return SimpleNamespace(contestant=SimpleNamespace(name=name), total=total, rank="2=", line_group=1)

    assert [one.points for one in presentation.ties([line("Ana", 10, 18), line("Bea", 10, 18)])] == [10]
    assert presentation.ties([line("Ana", 10, 18), line("Bea", 20, 36)]) == [], "a half each, of other boards"


def test_who_has_played_less_than_three_quarters_of_the_boards_of_others_is_named() -> None:
    def line(name: str, boards: int) -> Any:
        return SimpleNamespace(contestant=SimpleNamespace(name=name), total=SimpleNamespace(boards=boards))

    played = [line("Mona", 2), line("Ana", 8), line("Olga", 6), line("Zoé", 0), line("Ida", 5)]
    assert presentation.fewer(played) == [("Mona", 2), ("Ida", 5)]
    assert presentation.fewer([]) == []


def test_letters_that_are_raised_are_drawn_plain_on_a_picture() -> None:
    """The pictures' fonts have none: "14ᵉ" had a hole."""
    assert "".join(part for _font, part in previews._parts("14ᵉ soirée", "sans")) == "14e soirée"


def test_what_brought_no_points_is_told_of_the_whole_table() -> None:
    lost = [
        ("lost", 3, 0, "sans-prendre"),
        *(("tricks", seat, 0, won) for seat, won in enumerate((4, 5, 0), 1)),
    ]
    paid = [
        (name, seat, points, None)
        for name in ("stake", "tariff")
        for seat, points in ((1, 8), (2, 8), (3, -16))
    ]
    facts = [dict(zip(("fact", "seat", "points", "value"), one, strict=True)) for one in lost + paid]
    told = presentation.in_common(registry.game("hombre"), facts, "en")
    assert [(one["name"], one["value"], one["seat"]) for one in told] == [
        ("contract lost", "sans prendre, without exchange", 3),
        ("tricks", "4–5–0", None),
    ]


def test_a_fact_that_accounts_for_a_score_alone_stays_with_its_seat() -> None:
    facts = [
        {"fact": name, "seat": seat, "points": points, "value": value}
        for seat, (name, points, value) in enumerate(
            (("second", -2, 4), ("spared", 0, 0), ("first", 1, 6)), 1
        )
    ]
    assert presentation.in_common(registry.game("comon"), facts, "en") == []
