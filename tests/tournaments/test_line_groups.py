"""What was never compared is never ranked together."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tournaments.movements import Movement, Plan, Sitting, family_movement, line_groups, with_new_rest
from tournaments.services import sessions

from .worlds import a_world, hand_in, plays_of, work


@pytest.mark.parametrize(("family", "plan", "groups"), [
    ("mitchell", Plan(10, 2, 1), [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]),
    ("mitchell", Plan(9, 2, 1), [[1, 2, 3, 4, 5], [6, 7, 8, 9]]),
    ("switched-mitchell", Plan(10, 2, 1), [[*range(1, 11)]]),
    ("web-mitchell", Plan(8, 2, 1), [[1, 2, 3, 4], [5, 6, 7, 8]]),
    ("howell", Plan(8, 2, 1), [[*range(1, 9)]]),
    ("rainbow", Plan(12, 3, 1), [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]),
    ("rotated-rainbow", Plan(12, 3, 1), [[*range(1, 13)]]),
    ("kirkman", Plan(9, 3, 3), [[*range(1, 10)]]),
    ("team-round-robin", Plan(8, 2, 1), [[1, 3, 5, 7], [2, 4, 6, 8]]),
    ("annealed", Plan(5, 3, 1, 4), [[1, 2, 3, 4, 5]]),  # one table: nobody is compared
])  # fmt: skip
def test_those_who_can_be_compared_are_one_group(family: str, plan: Plan, groups: list[list[int]]) -> None:
    numbers = line_groups(family_movement(family, plan).sittings)
    assert [[c for c in numbers if numbers[c] == n] for n in range(1, len(groups) + 1)] == groups
    assert len(numbers) == plan.contestants


def test_partners_are_ranked_together_and_with_those_of_their_side_at_other_tables() -> None:
    once = [Sitting(1, 1, 1, (1, 2, 3, 4)), Sitting(1, 2, 1, (5, 6, 7, 8))]
    sides = [(1, 3), (2, 4)]
    assert line_groups(once, sides) == {1: 1, 2: 2, 3: 1, 4: 2, 5: 1, 6: 2, 7: 1, 8: 2}
    assert line_groups(once) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 1, 6: 2, 7: 3, 8: 4}
    assert set(line_groups(family_movement("whist", Plan(8, 4, 1)).sittings, sides).values()) == {1}


def test_two_groups_become_one_when_somebody_is_compared_with_both() -> None:
    movement = family_movement("rainbow", Plan(12, 3, 1))
    more = (Sitting(5, 1, 99, (1, 5, 9)), Sitting(5, 2, 99, (6, 2, 10)))
    groups = line_groups(Movement("x", (*movement.sittings, *more)).sittings)
    assert groups == {c: 1 if c < 9 else 2 for c in range(1, 13)}
    fewer = with_new_rest(movement, after=2, contestants=range(1, 12), seats=3)
    assert line_groups(fewer.sittings) == line_groups(movement.sittings)


@pytest.mark.django_db
def test_each_line_is_ranked_by_itself_one_table_after_the_other(client: Any) -> None:
    world = a_world(movement="rainbow", players=12, published=True)
    address = f"/api/v1/sessions/{world.session.pk}/ranking/"
    page = client.get(f"/en/sessions/{world.session.pk}/").content.decode()
    assert page.count(" data-group=") == 1  # nobody has a place yet
    for play in plays_of(world.session):
        tricks = [[8, 1, 1], [1, 8, 1], [5, 3, 2], [3, 5, 2]][play.table.number - 1]
        hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": tricks}})
    work(world.session)
    sessions.finish(session=world.refresh(), actor=world.organiser)
    places = client.get(address).json()["places"]
    assert [place["line_group"] for place in places] == [1] * 4 + [2] * 4 + [3] * 4
    for first in (0, 4, 8):
        line = places[first : first + 4]
        assert line[0]["rank"] in {"1", "1="}
        assert sum(Fraction(place["points"]) for place in line) == 4 * 4 * 3  # half of the points of 16 plays
    numbers = [{place["number"] for place in places if place["line_group"] == n} for n in (1, 2, 3)]
    assert numbers == [{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}]
    page = client.get(f"/en/sessions/{world.session.pk}/").content.decode()
    assert re.findall(r"<caption[^>]*>([^<]+)", page) == ["Line 1", "Line 2", "Line 3"]
    assert page.count("<tr data-number") == 12 + 1  # and the template of a row


@pytest.mark.django_db
def test_one_ranking_has_no_heading_of_lines(client: Any) -> None:
    world = a_world(published=True)
    for play in plays_of(world.session)[:3]:
        hand_in(world, play)
    work(world.session)
    page = client.get(f"/en/sessions/{world.session.pk}/").content.decode()
    assert re.findall(r"<caption([^>]*)>([^<]+)", page)[0][1] == "Ranking"
    assert page.count(" data-group=") == 1


@pytest.mark.django_db
def test_the_lines_of_a_paper_evening_are_found_from_its_rows(capsys: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines.csv"
    rows = [
        f"A,1,{table},{board},{names},normal,{tricks}"
        for board in (1, 2)
        for table, names, tricks in ((1, "Ada,Bea,Cid", "6,3,1"), (2, "Dan,Eve,Fay", "3,6,1"))
    ]
    columns = "section,round,table,board,seat1,seat2,seat3,outcome,tricks1,tricks2,tricks3"
    file.write_text("\n".join([columns, *rows]))
    call_command("import_evening", str(file), "--game", "comon")
    lines = [line.split()[:2] for line in str(capsys.readouterr().out).splitlines()]
    assert lines == [
        *[["Line", "1"], ["1", "Ada"], ["2", "Dan"]],
        *[["Line", "2"], ["1", "Eve"], ["2", "Bea"]],
        *[["Line", "3"], ["1=", "Cid"], ["1=", "Fay"]],
    ]
    call_command("import_evening", str(file), "--game", "comon", "--json", "--again")
    assert [one["line_group"] for one in json.loads(capsys.readouterr().out)] == [1, 1, 2, 2, 3, 3]
