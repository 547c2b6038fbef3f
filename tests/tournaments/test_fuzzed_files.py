"""Files as nobody writes them: whatever is brought, it is taken or refused with a reason, in a bounded time,
and nothing else happens. `make campaign-files` goes on with other files for as long as one likes."""

import copy
import csv
import io
import json
import os
import re
import time
from collections.abc import Callable
from typing import Any
from xml.sax import saxutils
from zipfile import ZipFile

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from engines import archives as containers
from tournaments.models import Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import (
    accounts,
    archive_imports,
    archive_reading,
    archives,
    brought_results,
    evenings,
    movement_files,
    names,
    paper_amendments,
    past_seasons,
    play_records,
    register_files,
    result_files,
    result_xml,
    roles,
    spreadsheets,
)
from tournaments.services.errors import Refused
from tournaments.services.roles import RolePlace

from .test_archives import a_full_evening, archive_of, full
from .worlds import World, a_world

pytestmark = pytest.mark.django_db

IS_CAMPAIGN = bool(os.environ.get("ETUI_FUZZ"))  # else the same few each time
SECONDS = float(os.environ.get("SECONDS", "300")) if IS_CAMPAIGN else 0.0  # for each kind of file
SEED = int(os.environ.get("SEED", "1")) if IS_CAMPAIGN else 0
FEW, AT_ONCE = 15, 200
SLOWEST = 2.0  # seconds of the processor, in the campaign

EVENING = """section,round,table,board,seat1,seat2,seat3,outcome,tricks1,tricks2,tricks3,ruling1,penalty1
A,1,1,1,Ana,Ben,Cléo,normal,5,3,2,,
A,1,1,2,Ana,Ben,Cléo,caveau,,,,,
A,1,2,1,Dan,Eve,Fay,normal,6,2,2,,
A,1,2,2,Dan,Eve,Fay,normal,4,4,2,,
"""
MOVEMENT = """round,table,seat,contestant,boards
1,1,1,1,1 2
1,1,2,2,
1,2,1,3,1 2
1,2,2,4,
2,1,1,1,3 4
2,1,2,3,
2,2,1,2,3 4
2,2,2,4,3 4
"""
PLAYERS = "number,given name,family name,consent\n1,Ana,Petit,oui\n2,Ben,Le Gall,non\n,Cléo,Durand,\n"
SEASON = "rank,number,name,total,evenings\n1,,Ana Petit,1284.5,20\n2=,2,Ben Le Gall,57 %,\n2=,,Cléo,1/3,1\n"

NASTY = st.sampled_from(
    [
        *[
            "",
            " ",
            "-",
            "–",
            "0",
            "-1",
            "1e400",
            "NaN",
            "Infinity",
            "99999999999999999999",
            "1.0",
            "3,0",
            "½",
        ],
        *[
            "=1+1",
            "=cmd|' /C calc'!A0",
            "'+1",
            "@x",
            "\u0000",
            "\ufeff",
            "\u202e",
            "٣",
            "VRAI",
            "TRUE",
            "#REF!",
        ],
        *[
            "A" * 300,
            "é" * 5_000,
            '"',
            '"";',
            "\n",
            "\t",
            "a\rb",
            "2026-11-23",
            "[1,2",
            "[[1]]",
            "{}",
            "null",
        ],
        *["normal", "annulled", "none", "1|2", "50 %", "1/0", "1/3", "average", "620*2/5 -100*3/5"],
    ]
)
NASTY_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.sampled_from(
            [0, 1, -1, 2**31, 2**63, 2**70, 10**400, 0.5, "", "A", "\u0000", "-1", "1/0", "é" * 300]
        ),
        NASTY,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NASTY, inner, max_size=3)),
    max_leaves=4,
)


def begins_with() -> World:
    world = a_world()
    world.rows = archive_of(a_full_evening(world))
    return world


def try_out(strategy: st.SearchStrategy[Any], bring: Callable[[Any], None]) -> None:
    """Bring many files: the same few in every run, or others and others for so many seconds."""
    slow: list[float] = []

    def once(drawn: Any) -> None:
        began = time.process_time()
        try:
            with transaction.atomic():
                bring(drawn)
                transaction.set_rollback(True)
        except Refused as refused:
            message = str(refused)
        else:
            message = "taken"
        assert message
        slow.append(time.process_time() - began)

    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
    own = settings(deadline=None, database=None, suppress_health_check=quiet)
    if not SECONDS:
        settings(own, max_examples=FEW, derandomize=True)(given(strategy)(once))()
        return
    end, number = time.monotonic() + SECONDS, SEED
    while time.monotonic() < end:
        seed(number)(settings(own, max_examples=AT_ONCE)(given(strategy)(once)))()
        number += 1
    print(f"\n{len(slow)} files, seeds {SEED} to {number - 1}; slowest {max(slow):.2f} s")
    assert max(slow) < SLOWEST


# ── Tables ────────────────────────────────────────────────────────────────────────────────────────


@st.composite
def tables(draw: Any, text: str) -> list[list[str]]:
    """The rows of a file with some cells, rows and columns other than they were."""
    rows = list(csv.reader(io.StringIO(text)))
    for _change in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(rows) - 1))
        match draw(st.integers(0, 5)):
            case 0 | 1 | 2 if rows[at]:
                rows[at][draw(st.integers(0, len(rows[at]) - 1))] = draw(NASTY)
            case 3:
                rows.insert(at, list(rows[draw(st.integers(0, len(rows) - 1))]))
            case 4 if len(rows) > 1:
                del rows[at]
            case _:
                rows[at] = rows[at] + [draw(NASTY)] * draw(st.integers(1, 3))
    return rows


@st.composite
def texts(draw: Any, text: str) -> bytes:
    """The same as a file, in some encoding, perhaps damaged."""
    out = io.StringIO()
    csv.writer(out, delimiter=draw(st.sampled_from(",;\t|"))).writerows(draw(tables(text)))
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"]))
    return draw(damaged(out.getvalue().encode(encoding, "replace")))


@st.composite
def workbooks(draw: Any, text: str) -> bytes:
    """The same as a workbook: values of every kind, merged cells, parts that are not what they say."""
    book = Workbook()
    sheet = book.active
    for row in draw(tables(text)):
        sheet.append(
            [draw(st.sampled_from([cell, cell, cell, 3.0, True, None, 10**300])) for cell in map(clean, row)]
        )
    if draw(st.booleans()):
        sheet.merge_cells("A1:B3")
    content = io.BytesIO()
    book.save(content)
    data = content.getvalue()
    if draw(st.integers(0, 3)) == 0:
        data = draw(repacked(data))
    return draw(damaged(data))


def clean(cell: str) -> str:
    return "".join(letter for letter in cell if letter.isprintable())


@st.composite
def repacked(draw: Any, data: bytes) -> bytes:
    """A zipped file with one of its parts changed in its text."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as parts, ZipFile(out, "w") as others:
        names = parts.namelist()
        changed = draw(st.sampled_from(names))
        for name in names:
            part = parts.read(name)
            others.writestr(name, draw(damaged(part)) if name == changed else part)
    return out.getvalue()


@st.composite
def damaged(draw: Any, data: bytes) -> bytes:
    """The length of what is packed is another one from run to run: a place in it is drawn as a part of it."""
    kind, part = draw(st.integers(0, 5)), draw(st.integers(0, 9_999))
    at = len(data) * part // 10_000
    match kind:
        case 0:
            return data[:at]
        case 1:
            return data[:at] + draw(st.binary(min_size=1, max_size=4)) + data[at + 1 :]
        case _:
            return data


def read_evening(content: bytes) -> None:
    text = spreadsheets.text_of(content, bytes_at_most=2_000_000, rows_at_most=10_000)
    evenings.read(text=text, game="comon", options={}, method="matchpoints")


@pytest.mark.parametrize("kind", [texts, workbooks])
def test_evenings_on_paper(kind: Any) -> None:
    try_out(kind(EVENING), read_evening)


@pytest.mark.parametrize("kind", [texts, workbooks])
def test_second_files_of_an_evening(world: World, kind: Any) -> None:
    home, first = world.session.tournament, EVENING.replace("caveau,,,,,", "normal,4,3,3,,")
    session = evenings.import_evening(
        text=first,
        tournament=home,
        actor=None,
        name="Paper",
        game="comon",
        options={},
        method="matchpoints",
    )

    def bring(content: bytes) -> None:
        text = evenings.text_of(content)
        paper_amendments.check(session=session, text=text, reason="", is_dry=True)
        read = paper_amendments.read(session=session, text=text)
        paper_amendments.store(read, actor=None, reason="So it was")

    try_out(kind(first), bring)


@pytest.mark.parametrize("kind", [texts, workbooks])
def test_movements(kind: Any) -> None:
    def bring(content: bytes) -> None:
        movement_files.read(movement_files.text_of(content), sizes=(2,), contestants=4)

    try_out(kind(MOVEMENT), bring)


@pytest.mark.parametrize("kind", [texts, workbooks])
def test_lists_of_players(world: World, kind: Any) -> None:
    club = world.session.tournament.club

    def bring(content: bytes) -> None:
        lines, text = register_files.lines_of_file(content)
        register_files.preview(club=club, lines=lines, text=text)

    try_out(kind(PLAYERS), bring)


@pytest.mark.parametrize("kind", [texts, workbooks])
def test_seasons_of_the_years_before(world: World, kind: Any) -> None:
    club = world.session.tournament.club

    def bring(content: bytes) -> None:
        rows = past_seasons.rows_of(past_seasons.text_of(content))
        made = past_seasons.store(club=club, actor=None, rows=rows, title="Winter", year=2019)
        assert past_seasons.shown(made, names.ANYONE)

    try_out(kind(SEASON), bring)


@pytest.mark.parametrize("kind", [texts, workbooks])
def test_results_of_an_evening(world: World, kind: Any) -> None:
    account = accounts.create(name="Sylvie")
    session = full(world.session.pk)
    roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(session=session), actor=None)
    rows, _choices = result_files.template(session=session, account=account, language="fr")
    out = io.StringIO()
    csv.writer(out).writerows([["" if cell is None else cell for cell in row] for row in rows[:8]])

    def bring(content: bytes) -> None:
        text = result_files.text_of(content)
        shown = result_files.preview(session=session, account=account, text=text)
        if shown.is_ready:
            result_files.hand_in(session=session, account=account, text=text, reason="So it was")

    try_out(kind(out.getvalue()), bring)


@st.composite
def changed_xml(draw: Any, good: bytes) -> bytes:
    """Results as XML with some of their values, names and elements other than they were."""
    parts = re.split(rb"(>[^<]*<|'[^']*'|\"[^\"]*\")", good)
    for _change in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(parts) - 1))
        begin, end = parts[at][:1], parts[at][-1:]
        new = saxutils.escape(draw(NASTY)).encode("utf-8", "replace")
        parts[at] = draw(st.sampled_from([begin + new + end, parts[at] * 2, b"", new]))
    return draw(damaged(b"".join(parts)))


def test_results_as_xml(world: World) -> None:
    account = accounts.create(name="Sylvie")
    session = full(world.session.pk)
    roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(session=session), actor=None)

    def bring(content: bytes) -> None:
        text = result_files.text_of(content)
        shown = result_files.preview(session=session, account=account, text=text)
        if shown.is_ready:
            result_files.hand_in(session=session, account=account, text=text, reason="So it was")

    try_out(changed_xml(result_xml.document(session=session, viewer=account)), bring)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | NASTY,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(NASTY, part, max_size=3),
    max_leaves=6,
)


@st.composite
def changed_lines(draw: Any, good: list[dict[str, Any]]) -> bytes:
    """Plays as JSON Lines with some of their values other than they were, or gone."""
    lines = copy.deepcopy(good)
    for _change in range(draw(st.integers(0, 4))):
        part: Any = lines
        keys: list[Any] = list(range(len(lines)))
        while True:
            key = draw(st.sampled_from(keys))
            inner = part[key]
            keys = (
                list(inner)
                if isinstance(inner, dict)
                else list(range(len(inner)))
                if isinstance(inner, list)
                else []
            )
            if not keys or draw(st.booleans()):
                break
            part = inner
        part[key] = draw(JSON)
    return draw(damaged("\n".join(map(json.dumps, lines)).encode()))


def test_plays_as_json_lines(world: World) -> None:
    account = accounts.create(name="Sylvie")
    session = full(world.session.pk)
    roles.grant(account=account, kind=RoleKind.SCORER, place=RolePlace(session=session), actor=None)
    out = play_records.document(session=session, viewer=account).decode().splitlines()

    def bring(content: bytes) -> None:
        text = brought_results.text_of(content)
        shown = brought_results.preview(session=session, account=account, text=text)
        if shown.is_ready:
            brought_results.hand_in(session=session, account=account, text=text, reason="So it was")

    try_out(changed_lines([json.loads(line) for line in out[:4]]), bring)


# ── Archives ──────────────────────────────────────────────────────────────────────────────────────


@st.composite
def forged(draw: Any, good: bytes) -> bytes:
    """An archive in which some values are others, and whose hashes are right all the same."""
    files = dict(containers.read(good).files)
    for _change in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(files)))
        if draw(st.integers(0, 9)) == 0:
            files[name] = draw(damaged(files[name]))
            continue
        if not name.endswith(("json", "jsonl")):
            continue
        try:
            rows = [json.loads(line) for line in files[name].splitlines()] if name.endswith("l") else None
            rows = [json.loads(files[name])] if rows is None else rows
        except ValueError:
            continue
        if rows:
            changed = draw(st.integers(0, len(rows) - 1))
            rows[changed] = draw(other_value(rows[changed]))
        files[name] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    return draw(damaged(containers.write(files))) if draw(st.integers(0, 9)) == 0 else containers.write(files)


@st.composite
def other_value(draw: Any, value: Any) -> Any:
    """The value with one place in it, however deep, changed."""
    if isinstance(value, dict) and value and draw(st.integers(0, 9)):
        key = draw(st.sampled_from(sorted(value)))
        if draw(st.integers(0, 19)) == 0:
            return {one: inner for one, inner in value.items() if one != key}
        return value | {key: draw(other_value(value[key]))}
    if isinstance(value, list) and value and draw(st.integers(0, 9)):
        at = draw(st.integers(0, len(value) - 1))
        if draw(st.integers(0, 9)) == 0:
            return value[:at] + value[at + 1 :]
        return [*value[:at], draw(other_value(value[at])), *value[at + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and draw(st.booleans()):
        return value + draw(st.sampled_from([-1, 1, 2]))
    return draw(NASTY_JSON)


def test_archives(world: World) -> None:
    into = Tournament.objects.create(club=world.session.tournament.club, name="Brought")

    def bring(content: bytes) -> None:
        for one in archive_imports.store(archive_reading.read(content), tournament=into, actor=None):
            archives.of_sessions([full(one.pk)])

    try_out(forged(world.rows), bring)
