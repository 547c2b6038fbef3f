"""Chains of hashes over the history: what is missing, changed or added shows, whoever did it and how."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from tests.running import DATABASE_URL
from tournaments import guards, tasks
from tournaments.models import HistoryEntry, HistorySeal, Remark, Session
from tournaments.services import chains, history, queue, sweep
from tournaments.services.chains import NONE, ChainScope

from .worlds import a_club, a_session

needs_postgresql = pytest.mark.skipif(not DATABASE_URL, reason="on SQLite one transaction writes at a time")


@pytest.fixture
def session(db: None) -> Session:
    """Three seals: of the set-up, of entries 2 to 4, and of entries 5 and 6."""
    session = a_session()
    chains.seal_new()
    for count in (3, 2):
        for number in range(count):
            history.note(None, "did", session, session=session, reason=f"because {number}")
        history.note(None, "did", a_club(), club=a_club())
        chains.seal_new()
    return session


def scope_of(session: Session) -> ChainScope:
    return ChainScope(session=session.pk)


def entries(session: Session) -> list[int]:
    return list(HistoryEntry.objects.of(session=session).order_by("pk").values_list("pk", flat=True))


def found(session: Session) -> list[str]:
    return chains.verify(scope_of(session)).findings


def test_what_nobody_touched_agrees_in_every_chain(session: Session, capsys: Any) -> None:
    call_command("verify_history")
    said = capsys.readouterr().out.splitlines()
    names = ["Federation", f"Club {a_club().pk}", f"Session {session.pk}"]
    assert [line.partition(":")[0] for line in said] == names
    assert re.search(r": 6 entries under 3 seals agree; the newest is \w{64}\.$", said[-1])
    history.note(None, "did", session, session=session)
    call_command("verify_history", session=session.pk)
    assert "1 entries are not sealed yet, the oldest of 20" in capsys.readouterr().out
    newest = HistorySeal.objects.filter(chain__session=session).latest("number")
    call_command("verify_history", "--session", str(session.pk), "--digest", newest.digest.upper())
    call_command("verify_history", "--club", a_club().slug)
    with pytest.raises(CommandError):
        call_command("verify_history", session=session.pk, digest="0" * 64)
    with pytest.raises(CommandError, match="no session"):
        call_command("verify_history", session=0)


def test_seals_follow_each_other_and_hold_each_entry_once(session: Session) -> None:
    seals = list(HistorySeal.objects.filter(chain__session=session).order_by("number"))
    assert [(one.number, one.count) for one in seals] == [(1, 1), (2, 3), (3, 2)]
    assert [one.previous for one in seals] == [NONE, seals[0].digest, seals[1].digest]
    assert [pk for one in seals for pk in chains.leaves_of(one)] == entries(session)
    assert chains.seal_new() == 0, "nothing is sealed twice"
    assert not chains.is_due()


def a_deletion(session: Session) -> None:
    HistoryEntry.objects.filter(pk=entries(session)[2])._raw_delete("default")


def a_change(session: Session) -> None:
    HistoryEntry.objects.filter(pk=entries(session)[2]).update(account=None, detail={"tables": 4})


def an_insertion(session: Session) -> None:
    """An entry between others: of an id that had been drawn, and not been used."""
    foreign = HistoryEntry.objects.filter(session=None, verb="did").earliest("pk")
    HistoryEntry.objects.filter(pk=foreign.pk).update(session=session)


def no_last_seal(session: Session) -> None:
    HistorySeal.objects.filter(chain__session=session, number=3)._raw_delete("default")


def no_first_seal(session: Session) -> None:
    HistorySeal.objects.filter(chain__session=session, number=1)._raw_delete("default")


def a_resealed_seal(session: Session) -> None:
    """Changed with its digest, as somebody would who knows the form."""
    seal = HistorySeal.objects.get(chain__session=session, number=2)
    HistoryEntry.objects.filter(pk=seal.last).update(verb="did not")
    row = HistoryEntry.objects.filter(pk=seal.last).values(*chains.COLUMNS).get()
    leaves = chains.leaves_of(seal) | {seal.last: chains.leaf(row)}
    seal.leaves = b"".join(chains.LEAF.pack(*one) for one in leaves.items())
    HistorySeal.objects.filter(pk=seal.pk).update(
        leaves=seal.leaves, digest=chains.seal_digest(f"session {session.pk}", seal)
    )


def a_later_seal(session: Session) -> None:
    HistorySeal.objects.filter(chain__session=session, number=3).update(made_at=timezone.now())


def a_rewritten_remark(session: Session) -> None:
    Remark.objects.filter(entries=entries(session)[1]).update(text="because I say so")


@pytest.mark.parametrize(("deed", "expected"), [
    (a_deletion, ["entry {2} is missing"]),
    (a_change, ["entry {2} has been changed"]),
    (an_insertion, ["entry {new} has been added"]),
    (no_last_seal, [
        "the last seals are missing: there were 3, and there are 2",
        "entry {4} was sealed, or added later: its seal is missing",
        "entry {5} was sealed, or added later: its seal is missing",
    ]),
    (no_first_seal, ["seal 1 is missing", "entry {0} was sealed, or added later: its seal is missing"]),
    (a_resealed_seal, ["seal 3 does not follow the seal before it"]),
    (a_later_seal, ["seal 3 has been changed"]),
    (a_rewritten_remark, ["the remark of entry {1} has been changed"]),
])  # fmt: skip
def test_whatever_is_done_to_it_shows(session: Session, deed: Any, expected: list[str], capsys: Any) -> None:
    before = entries(session)
    with guards.away():
        deed(session)
    new = next(iter(set(entries(session)) - set(before)), 0)
    words = [one.replace("{new}", str(new)) for one in expected]
    assert found(session) == [one.format(*before) for one in words]
    chains.seal_new()
    assert found(session), "and nothing that is sealed later mends it"
    with pytest.raises(CommandError):
        call_command("verify_history", session=session.pk)
    assert words[0].format(*before) in capsys.readouterr().out


def test_an_emptied_remark_breaks_nothing(session: Session) -> None:
    assert history.forget(entries=HistoryEntry.objects.of(session=session), actor=None) == 5
    assert found(session) == []
    chains.seal_new()
    assert found(session) == []


def test_the_database_refuses_a_second_seal_of_a_number(session: Session) -> None:
    seal = HistorySeal.objects.filter(chain__session=session).latest("number")
    seal.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        seal.save(force_insert=True)


def test_the_sweep_has_what_has_waited_sealed(session: Session, monkeypatch: Any, settings: Any) -> None:
    sent: list[str] = []
    monkeypatch.setattr(queue, "send", lambda task, *_ids, **_options: sent.append(task))
    history.note(None, "did", session, session=session)
    sweep.sweep()
    assert "seal" not in sent
    settings.SEAL_SECONDS = 0
    sweep.sweep()
    assert "seal" in sent
    tasks.seal()
    assert not chains.is_due()
    assert found(session) == []


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_an_entry_that_is_committed_after_later_ones_is_sealed_with_them(monkeypatch: Any) -> None:
    """The first has drawn its id, and is not there yet when the second is: neither is sealed before both can
    be."""
    monkeypatch.setattr(chains, "WAIT_SECONDS", 0.2)
    session = a_session()
    assert chains.seal_new() > 0
    drawn, may_commit = Event(), Event()

    def first() -> None:
        try:
            with transaction.atomic():
                history.note(None, "came late", session, session=session)
                drawn.set()
                may_commit.wait(30)
        finally:
            connection.close()

    thread = Thread(target=first)
    thread.start()
    try:
        assert drawn.wait(30)
        history.note(None, "overtook it", session, session=session)
        assert chains.seal_new() == 0
    finally:
        may_commit.set()
        thread.join()
    assert chains.seal_new() == 1
    verbs = HistoryEntry.objects.of(session=session).order_by("pk").values_list("verb", flat=True)
    assert list(verbs)[-2:] == ["came late", "overtook it"]
    seal = HistorySeal.objects.filter(chain__session=session).latest("number")
    assert seal.count == 2
    assert found(session) == []


def test_the_page_says_what_is_hashed() -> None:
    """Its examples have the digests that it gives, and are what the service hashes."""
    page = Path("docs/history.md").read_text("utf-8")
    entry, digest, text, *_ = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    row = json.loads(entry) | {"at": datetime.fromisoformat(json.loads(entry)["at"])}
    row["remark__digest"] = row.pop("remark")
    assert row.keys() == set(chains.COLUMNS)
    assert chains.canonical(row) == entry.strip()
    assert chains.leaf(row).hex() == digest.strip()
    seal = HistorySeal(number=1, previous=NONE, leaves=chains.LEAF.pack(41, chains.leaf(row)))
    seal.made_at = datetime(2026, 11, 22, 19, 26, 40, 250_000, UTC)
    assert chains.seal_text("session 7", seal) == text
    assert f"has the digest `{chains.seal_digest('session 7', seal)}`" in page
    salt, words = "00112233445566778899aabbccddeeff", "Étui tombé"
    assert f"`{salt}` and `{words}` give\n`{history.digest_of(salt, words)}`" in page
    assert f'"form": "{chains.FORM}"' in page
