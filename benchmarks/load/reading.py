"""What it costs to read: plays, travellers, guides, rankings, and old versions of a ranking."""

import time
from random import Random

from django.db.models import Avg, F
from django.db.models.functions import Length
from django.test import Client
from django.urls import reverse

from tests.connections import Connection
from tournaments.models import Ranking, Tally
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, roles, versions
from tournaments.services.roles import RolePlace

from .fields import FieldOfTables
from .figures import FigureUnit, Run
from .results import checked, until

OLD_VERSIONS = 20


async def gets(run: Run, port: int, field: FieldOfTables, names: dict[str, str], repetitions: int) -> None:
    """As the organiser, by name and the rest of the address."""
    await until(lambda: is_drawn(field), "the plot of the ranking")  # which changes what is read
    connection = Connection(port, field.organiser)
    for name, rest in names.items():
        first = checked(await connection.get(f"{field.path}/{rest}"))
        times = [checked(await connection.get(f"{field.path}/{rest}")).seconds for _ in range(repetitions)]
        run.add(f"GET {name}", 1000 * sorted(times)[len(times) // 2], FigureUnit.MS, field.tables)
        run.add(f"GET {name}, size", len(first.body) / 1000, FigureUnit.KB, field.tables)
        if "etag" in first.headers:
            tag = {"If_None_Match": first.headers["etag"]}
            again = [await connection.get(f"{field.path}/{rest}", **tag) for _ in range(repetitions)]
            assert {answer.status for answer in again} == {304}, again[0].status
            unchanged = sorted(answer.seconds for answer in again)[len(again) // 2]
            run.add(f"GET {name}, unchanged", 1000 * unchanged, FigureUnit.MS, field.tables)


async def grid(run: Run, port: int, field: FieldOfTables, repetitions: int) -> None:
    """The director's page in the middle of the evening, as a browser asks for it that has signed in."""
    account = accounts.create(name="Ada", email=f"ada{field.tables}@example.org", password=None)
    club = RolePlace(field.session.tournament.club)
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=club, actor=None)
    client = Client()
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    cookies = "; ".join(f"{name}={one.value}" for name, one in client.cookies.items())
    asks = {"Cookie": cookies, "Accept_Encoding": "gzip"}
    connection, path = Connection(port), reverse("session-desk", args=[field.session.pk])
    first = checked(await connection.get(path, **asks))
    times = [checked(await connection.get(path, **asks)).seconds for _ in range(repetitions)]
    run.add("the desk's grid", 1000 * sorted(times)[len(times) // 2], FigureUnit.MS, field.tables)
    run.add("the desk's grid, size", len(first.body) / 1000, FigureUnit.KB, field.tables)


def is_drawn(field: FieldOfTables) -> bool:
    tallies = Tally.objects.filter(session=field.session)
    return not tallies.filter(progress_position__lt=F("ranked_position")).exists()


async def old_versions(run: Run, port: int, field: FieldOfTables) -> None:
    """What a version weighs, and what it takes to read the slowest of some old ones: what everybody had won,
    and the first page of the ranking."""
    connection = Connection(port, field.organiser)
    kept = Ranking.objects.filter(session=field.session)
    newest = kept.order_by("-version").values_list("version", flat=True)[0]
    mean = kept.filter(version__gt=1).aggregate(mean=Avg(Length("content")))["mean"]
    whole = len(versions.to_bytes(*versions.totals_of(field.session.pk, newest)))
    run.add("a version", mean / 1000, FigureUnit.KB, field.tables)
    run.add("a version / a whole ranking", 100 * mean / whole, FigureUnit.SHARE, field.tables)
    times, pages = [], []
    for version in Random(1).choices(range(1, newest + 1), k=OLD_VERSIONS):
        versions.forget()
        began = time.perf_counter()
        assert versions.content_of(field.session.pk, version)
        times.append(time.perf_counter() - began)
        answer = await connection.get(f"{field.path}/ranking/?version={version}")
        pages.append(checked(answer).seconds)
    run.add("an old version read, slowest", 1000 * max(times), FigureUnit.MS, field.tables)
    run.add("GET an old ranking, slowest", 1000 * max(pages), FigureUnit.MS, field.tables)
