"""The history in the words of those who read it: not what the code calls it."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count
from django.utils import formats, timezone
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engines import registry
from tournaments.models import Account, HistoryEntry, Section, Session, Submission
from tournaments.models.accounts import RoleKind, Scope
from tournaments.services import names, prints

from .history_people import HistoryPeople
from .movement_words import layout_words
from .places import table_name
from .sheet_words import SheetWords

Agent = HistoryEntry.Agent
LETTERS = 200  # of a result

KINDS = {
    "results": (
        _("results"),
        ["submitted", "accepted", "refused", "disputed", "failed", "imported", "amended from a file",
         "asked to judge again", "asked to work again",
         "agreed", "opposed", "confirmed",
         "handed in late", "took late entry", "left late entry", "sent slip photo"],
    ),
    "boards": (
        _("boards"),
        ["replaced", "took back reserve", "mixed in", "took custody", "laid down custody", "printed lists",
         "left to tables", "joined event", "lifted embargo"],
    ),
    "session": (
        _("session and rounds"),
        [
            *["created", "mended", "set up", "made ready", "made draft", "started", "took back start"],
            *["replanned", "finished", "reopened", "cancelled", "reinstated", "issued table tokens"],
            *["mended contestants", "made table links", "made evening links"],
            *["added template", "changed template", "removed template"],
            *["paced", "stopped pacing", "opened round", "reopened round", "closed round"],
            *["took back round", "paused round", "resumed round", "extended round"],
            *["seated", "took back seated", "deleted session", "began rehearsal"],
            *["planned round", "took back planned round", "set match rules", "named team"],
            *["reseated", "took back plan", "took back closing", "took back extension"],
            *["called", "goes to table", "answered call", "withdrew call", "took back answer"],
            *["announced", "withdrew announcement", "archived", "imported from an archive"],
            *["set fees", "took fee", "gave fee back"],
        ],
    ),
    "events": (
        _("events of many clubs"),
        [
            *["made event", "changed event", "announced event", "added leg"],
            *["invited club", "reminded club", "entered club", "changed club entry"],
            *["checked results", "took back check", "answered check"],
        ],
    ),
    "publication": (
        _("publication"),
        [
            *["published", "withdrew", "made provisional", "took back list", "made final", "amended"],
            *["took back final", "took back amendment", "set up list", "changed list", "removed list"],
        ],
    ),
    "rulings": (
        _("rulings"),
        [
            *["ruled", "ruled on contestant", "ruled on match", "reversed ruling"],
            *["added to catalogue", "retired from catalogue", "added formula", "retired formula"],
        ],
    ),
    "objections": (
        _("objections"),
        ["objected", "answered objection", "appealed", "decided appeal", "withdrew objection"],
    ),
    "players": (
        _("players and substitutes"),
        [
            *["added to register", "changed in register", "merged", "merged with", "taken apart"],
            *["changed licence", "recorded consent", "recorded refusal"],
            *["rated", "forgot ratings", "brought past season", "deleted past season"],
            *["made season", "changed season", "deleted season"],
            *["substituted", "undid substitution"],
        ],
    ),
    "registration": (
        _("registration"),
        [
            *["opened registration", "changed registration", "registered", "joined"],
            *["left registration"],
        ],
    ),
    "people": (
        _("people and roles"),
        [
            *["made club", "granted role", "revoked role", "left role", "emptied remarks"],
            *["invited", "withdrew invitation", "accepted invitation", "made account", "changed account"],
            *["added webhook", "rotated secret of webhook", "tested webhook", "replayed delivery"],
            *["made partner key", "revoked partner key"],
            *["switched webhook on", "switched webhook off", "removed webhook"],
            *["made token", "rotated token", "revoked token", "opened account", "closed account"],
            *["made operator", "unmade operator"],
            *["linked player", "withdrew player link", "used player link", "attached player"],
            *["detached player", "gave consent", "withdrew consent", "erased player", "erased account"],
            *["wished erasure", "took back erasure", "declined erasure"],
        ],
    ),
}  # fmt: skip
"""What one filters by: its name, and what was done of that kind."""

# What somebody did, after their name. An entry's details are filled in; where several results came or were
# judged together, `SEVERAL` has the words.
DONE: Mapping[str, Any] = {
    "submitted": _("entered %(place)s%(to)s"),
    "corrected": _("corrected %(place)s%(change)s"),
    "accepted": _("accepted the result of %(place)s"),
    "refused": _("refused the result of %(place)s"),
    "disputed": _("kept the result of %(place)s for the director: its deal contradicts it"),
    "agreed": _("found that two sides agree on %(place)s"),
    "opposed": _("found that two sides disagree on %(place)s"),
    "confirmed": _("confirmed the result of table %(section)s%(table)s, board %(board)s"),
    "seated": _("said that table %(section)s%(table)s sits in round %(round)s"),
    "took back seated": _("said that table %(section)s%(table)s does not sit in round %(round)s after all"),
    "failed": _("could not judge the result of %(place)s: an internal error"),
    "asked to judge again": _("had results judged again"),
    "asked to work again": _("had long work done again that an error of the program had ended"),
    "imported": _("imported a file of %(rows)s results"),
    "amended from a file": _("amended the results by a second file (%(rows)s changes)"),
    "replaced": _("put reserve board %(by)s in place of board %(board)s (%(tables)s)"),
    "mixed in": _("mixed the public value into the deals"),
    "left to tables": _("left the deals to the tables: those that were drawn are forgotten"),
    "joined event": _("set the session up for an event of many clubs (number %(leg)s)"),
    "lifted embargo": _("lifted the embargo on the boards of an event (number %(number)s)"),
    "made event": _("made the event “%(name)s”"),
    "changed event": _("changed the terms of an event"),
    "announced event": _("announced an event"),
    "added leg": _("dealt and sealed the boards of an event (number %(number)s)"),
    "reminded club": _("asked the club by mail for what an event waits for (number %(leg)s)"),
    "invited club": _("invited the club to an event (number %(leg)s)"),
    "entered club": _("entered the club for an event (number %(leg)s, %(tables)s tables)"),
    "changed club entry": _("changed what the club does in an event"),
    "checked results": _("checked the club’s results of an event"),
    "answered check": _("answered what a check of an event had found (%(kind)s: %(answer)s)"),
    "took back check": _("wants to check the club’s results of an event again"),
    "took custody": _("took custody of the boards"),
    "laid down custody": _("laid down custody of the boards"),
    "printed": _("printed %(what)s"),
    "archived": _("took the archive (%(digest)s…)"),
    "imported from an archive": _("took the session in from an archive (%(digest)s…)"),
    "made evening links": _(
        "gave %(count)s guide cards a link to their evening; %(ended)s of earlier cards ended"
    ),
    "printed lists": _("had the lists of boards %(boards)s (mark %(mark)s)"),
    "created": _("made the tournament “%(name)s”"),
    "set up": _("set up the session (%(movement)s)"),
    "deleted session": _("deleted a session that nobody has played, or a trial (%(id)s)"),
    "began rehearsal": _("began a rehearsal of session %(of)s"),
    "rated": _("had the ratings made anew, from %(sessions)s sessions"),
    "forgot ratings": _("had the players’ ratings forgotten"),
    "planned round": _("planned round %(round)s from the standings (%(tables)s tables)"),
    "took back planned round": _("took round %(round)s back, which had been planned"),
    "set match rules": _("said how the matches count"),
    "named team": _("named team %(number)s"),
    "mended contestants": _("mended who contestants are (%(numbers)s)"),
    "took back plan": _("took the new plan after round %(after)s back"),
    "reseated": _("changed who sat or what was played at table %(section)s%(table)s in round %(round)s"),
    "replanned": _("planned the rounds after round %(after)s again%(leaving)s%(arriving)s"),
    "called": _("called the director to table %(section)s%(table)s"),
    "goes to table": _("said that they come to table %(section)s%(table)s"),
    "answered call": _("answered the call of table %(section)s%(table)s"),
    "withdrew call": _("withdrew the call of table %(section)s%(table)s"),
    "took back answer": _("let the call of table %(section)s%(table)s wait again"),
    "announced": _("said something to all tables"),
    "withdrew announcement": _("withdrew what the tables were told"),
    "finished": _("finished the session"),
    "mended": _("mended what it is called, or when it begins"),
    "made ready": _("made the session ready"),
    "made draft": _("made the session a draft again"),
    "started": _("started the session"),
    "took back start": _("took the start of the session back"),
    "reopened": _("opened the session again"),
    "cancelled": _("cancelled the session"),
    "reinstated": _("took the cancellation back"),
    "made provisional": _("made the ranking provisional"),
    "took back list": _("took the provisional ranking back"),
    "made final": _("made the ranking final"),
    "amended": _("amended the final ranking"),
    "took back final": _("undid at once that the ranking was final"),
    "took back amendment": _("undid at once that the final ranking was amended"),
    "paced": _("gave the rounds a pace"),
    "stopped pacing": _("opened all rounds, without a pace"),
    "opened round": _("opened round %(round)s"),
    "reopened round": _("opened round %(round)s again"),
    "closed round": _("closed round %(round)s"),
    "took back round": _("took the opening of round %(round)s back"),
    "took back closing": _("took the closing of round %(round)s back"),
    "took back extension": _("took %(minutes)s minutes more in round %(round)s back"),
    "took back reserve": _("took reserve board %(by)s back: board %(board)s is played"),
    "paused round": _("stopped the clock of round %(round)s"),
    "resumed round": _("let the clock of round %(round)s go on"),
    "extended round": _("gave %(table)s %(minutes)s more minutes in round %(round)s"),
    "made table links": _("made links for the phones of tables (%(tables)s)"),
    "sent slip photo": _("sent a photo of the paper slip of board %(board)s"),
    "handed in late": _("handed in a result of board %(board)s too late to be entered"),
    "took late entry": _("took the result of board %(board)s that had come too late"),
    "left late entry": _("left the result of board %(board)s that had come too late"),
    "issued table tokens": _("made new links for the tables: %(tables)s"),
    "ruled": _("ruled on board %(board)s (ruling %(id)s)"),
    "ruled on contestant": _("ruled on contestant %(contestant)s (ruling %(id)s)"),
    "ruled on match": _("ruled on match %(match)s of round %(round)s (ruling %(id)s)"),
    "reversed ruling": _("took ruling %(id)s back"),
    "set fees": _("said what the evening costs"),
    "took fee": _("took an entry fee (payment %(id)s)"),
    "gave fee back": _("took back that a fee was paid (payment %(id)s)"),
    "added template": _("made template %(id)s of sessions"),
    "changed template": _("changed template %(id)s of sessions"),
    "removed template": _("removed template %(id)s of sessions"),
    "added to catalogue": _("added penalty %(id)s to the club’s catalogue"),
    "retired from catalogue": _("retired penalty %(id)s of the club’s catalogue"),
    "added formula": _("added formula %(id)s for master points"),
    "retired formula": _("retired formula %(id)s for master points"),
    "brought past season": _("brought season %(id)s of the years before"),
    "deleted past season": _("deleted season %(id)s of the years before"),
    "made season": _("made the season “%(name)s”"),
    "changed season": _("changed season %(id)s"),
    "deleted season": _("deleted the season “%(name)s”, a draft"),
    "set up list": _("set up list %(id)s"),
    "changed list": _("set up list %(id)s in another way"),
    "removed list": _("removed list %(id)s"),
    "objected": _("objected for contestant %(contestant)s to board %(board)s (objection %(id)s)"),
    "answered objection": _("answered objection %(id)s"),
    "appealed": _("appealed on objection %(id)s"),
    "decided appeal": _("recorded the decision on objection %(id)s"),
    "withdrew objection": _("withdrew objection %(id)s"),
    "published": _("published the ranking"),
    "withdrew": _("withdrew the ranking"),
    "added to register": _("added player %(id)s to the register"),
    "changed licence": _("changed the licence of player %(id)s in the register"),
    "changed in register": _("changed player %(id)s in the register"),
    "recorded consent": _("recorded that player %(id)s has agreed to be named"),
    "recorded refusal": _("recorded that player %(id)s has not agreed to be named"),
    "merged": _("merged player %(id)s into player %(into)s"),
    "merged with": _("merged player %(player)s into player %(id)s"),
    "taken apart": _("took player %(id)s apart from another again"),
    "substituted": _("entered a substitute for contestant %(contestant)s, rounds %(span)s"),
    "undid substitution": _("undid a substitution"),
    "made club": _("made the club"),
    "granted role": _("gave %(person)s a role: %(role)s"),
    "revoked role": _("took a role from %(person)s: %(role)s"),
    "left role": _("gave up a role: %(role)s"),
    "invited": _("invited somebody to a role: %(role)s"),
    "withdrew invitation": _("withdrew an invitation: %(role)s"),
    "accepted invitation": _("accepted an invitation: %(role)s"),
    "made account": _("made an account"),
    "changed account": _("changed their own account"),
    "made token": _("made a token for programs (%(scopes)s)"),
    "rotated token": _("rotated a token for programs (%(scopes)s)"),
    "revoked token": _("revoked a token for programs (%(scopes)s)"),
    "made partner key": _("made a key for a partner (key %(id)s)"),
    "revoked partner key": _("revoked the key of a partner (key %(id)s)"),
    "added webhook": _("had what happens told to a program at %(host)s (webhook %(id)s)"),
    "rotated secret of webhook": _("gave webhook %(id)s another secret"),
    "tested webhook": _("sent a test to webhook %(id)s"),
    "replayed delivery": _("sent once more to webhook %(id)s what it had missed"),
    "switched webhook on": _("switched webhook %(id)s on again"),
    "switched webhook off": _("switched webhook %(id)s off"),
    "removed webhook": _("removed webhook %(id)s"),
    "opened account": _("let %(person)s sign in again"),
    "closed account": _("shut %(person)s out"),
    "made operator": _("made %(person)s an operator"),
    "unmade operator": _("took the right of an operator from %(person)s"),
    "added way to sign in": _("added a way to sign in"),
    "changed way to sign in": _("changed a way to sign in"),
    "reset way to sign in": _("reset a way to sign in"),
    "removed way to sign in": _("removed a way to sign in"),
    "linked player": _("made a link for a player of the register"),
    "withdrew player link": _("withdrew a player’s link"),
    "used player link": _("opened their page by a link"),
    "attached player": _("attached a line of the register to their account"),
    "detached player": _("detached a line of the register from its account"),
    "gave consent": _("allowed their name to be published"),
    "withdrew consent": _("no longer allows their name to be published"),
    "wished erasure": _("asked the club to erase a line of the register"),
    "took back erasure": _("no longer wants a line of the register erased"),
    "declined erasure": _("kept a line of the register that was to be erased"),
    "erased player": _("erased a line of the register"),
    "erased account": _("erased their account"),
    "opened registration": _("opened a registration list"),
    "changed registration": _("changed the room or the state of a registration list"),
    "registered": _("entered a registration list"),
    "joined": _("joined others in a registration list"),
    "left registration": _("left a registration list"),
    "emptied remarks": _("erased the reasons given in this history (%(count)s)"),
}
EVIDENT = {
    *["made ready", "made draft", "started", "took back start", "finished", "reopened", "cancelled"],
    *["reinstated", "published", "withdrew", "made provisional", "took back list", "made final", "amended"],
    *["took back final", "took back amendment"],
}  # the words say what was changed
SEVERAL: Mapping[str, Callable[[int], str]] = {
    "submitted": lambda count: ngettext("entered %(count)d result", "entered %(count)d results", count),
    "accepted": lambda count: ngettext("accepted %(count)d result", "accepted %(count)d results", count),
    "refused": lambda count: ngettext("refused %(count)d result", "refused %(count)d results", count),
    "disputed": lambda count: ngettext(
        "kept %(count)d result for the director: its deal contradicts it",
        "kept %(count)d results for the director: their deals contradict them",
        count,
    ),
    "agreed": lambda count: ngettext(
        "found that two sides agree on %(count)d result",
        "found that two sides agree on %(count)d results",
        count,
    ),
    "opposed": lambda count: ngettext(
        "found that two sides disagree on %(count)d result",
        "found that two sides disagree on %(count)d results",
        count,
    ),
    "failed": lambda count: ngettext(
        "could not judge %(count)d result: an internal error",
        "could not judge %(count)d results: an internal error",
        count,
    ),
}
RECORDED: Mapping[str, Callable[[int], str]] = {
    "recorded consent": lambda count: ngettext(
        "recorded that %(count)d player has agreed to be named",
        "recorded that %(count)d players have agreed to be named",
        count,
    ),
    "recorded refusal": lambda count: ngettext(
        "recorded that %(count)d player has not agreed to be named",
        "recorded that %(count)d players have not agreed to be named",
        count,
    ),
}  # an entry for each player, told together
AGENTS = {
    Agent.OPERATOR: pgettext_lazy("actor", "The operator"),
    Agent.WORKER: pgettext_lazy("actor", "The service"),
}
FIELDS = {
    "commitment": _("commitment"),
    "language": _("language"),
    "name": _("name"),
    "starts_at": _("beginning"),
    "corrections_until": _("end of corrections"),
    "time_zone": _("time zone"),
    "town": _("town"),
    "region": _("region"),
    "currency": _("currency"),
    "accent": _("colour"),
    "logo": _("logo"),
}
WHEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*\+\d\d:\d\d")
VALUES = {"True": _("yes"), "False": _("no"), "": _("none"), "None": _("none")}
"""What is changed, and from what to what, where it is not a number."""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """An entry as a page shows it. `changes`: what they are called, from what to what."""

    entry: HistoryEntry
    who: str
    role: str
    what: str
    changes: Sequence[tuple[str, str, str]]
    reason: str
    is_erased: bool
    is_kept: bool


def lines(
    entries: Sequence[HistoryEntry],
    language: str,
    reader: names.Reader,
    boards: Collection[int] | None = None,
    hidden: Collection[int] = (),
) -> list[HistoryLine]:
    """The entries in words, those of one act told once: seven queries more, whatever their number. `boards`:
    those of which the reader may see results, by id; without it all. `hidden`: the remarks (by id) that they
    may not read yet."""
    entries = list({one.detail.get("act", one.pk): one for one in reversed(entries)}.values())[::-1]
    roomy = _roomy({one.session_id for one in entries if one.session_id is not None})
    results = _results(entries, language, boards, roomy)
    accounts = Account.objects.in_bulk(
        {pk for one in entries if (pk := one.detail.get("account")) is not None}
    )
    told = _Spoken(results, accounts, HistoryPeople.of(entries, reader))
    return [
        _line(entry, told, entry.remark_id in hidden, several=entry.session_id in roomy) for entry in entries
    ]


@dataclass(frozen=True, slots=True)
class _Spoken:
    """What the entries speak of: results by submission, accounts by id, players and contestants."""

    results: Mapping[int, "Told"]
    accounts: Mapping[int, Account]
    people: HistoryPeople


def _roomy(sessions: Collection[int]) -> set[int]:
    """Those of some sessions that have several sections: their tables are told with them."""
    counted = Section.objects.filter(session__in=sessions).values("session").annotate(count=Count("pk"))
    return set(counted.filter(count__gt=1).values_list("session", flat=True))


def _line(
    entry: HistoryEntry,
    known: _Spoken,
    is_kept: bool,
    *,
    several: bool,
) -> HistoryLine:
    remark = None if is_kept else entry.remark
    return HistoryLine(
        entry,
        who(entry, known.people, several=several),
        "" if entry.role is None else str(RoleKind(entry.role.kind).label),
        _what(entry, known, several=several),
        [
            (str(FIELDS.get(name, name)), _value(both[0]), _value(both[1]))
            for name, both in (entry.changes or {}).items()
            if entry.verb not in EVIDENT
        ],
        "" if remark is None else remark.text,
        remark is not None and remark.emptied_at is not None,
        is_kept,
    )


def who(entry: HistoryEntry, people: HistoryPeople, *, several: bool = False) -> str:
    """`several`: its session has several sections."""
    if entry.account is not None:
        return str(entry.account)
    if entry.token is None:
        return str(AGENTS[Agent(entry.agent)])
    table = entry.token.table
    if entry.token.player_id is not None:
        return gettext("Player %(id)s") % {"id": people.player(entry.token.player_id)}
    if table is None:
        return str(entry.token)
    return gettext("Table %(table)s") % {
        "table": table_name(table.section.name, table.number, several=several)
    }


def _what(entry: HistoryEntry, known: _Spoken, *, several: bool) -> str:
    """What was done, in words; the verb itself, where there are none yet. `several`: as for `who`."""
    detail, verb = entry.detail, entry.verb
    if verb in RECORDED and "count" in detail:
        return RECORDED[verb](detail["count"]) % {"count": detail["count"]}
    if "ids" in detail:
        count = sum(last - first + 1 for first, last in detail["ids"])
        if (worded := SEVERAL.get(verb)) is not None:
            return worded(count) % {"count": count}
        return str(DONE.get(verb, verb) % {"count": count}) if verb in DONE else verb
    told = known.results.get(number_of(entry.subject))
    if verb == "submitted" and told is not None and told.is_correction:
        verb = "corrected"
    if verb not in DONE or (told is None and verb in SEVERAL):
        return verb
    filled: dict[str, Any] = defaultdict(lambda: "–", detail)
    filled |= {"count": 1, "id": entry.subject.partition(" ")[2]}
    filled |= {} if several else {"section": ""}
    filled |= known.people.told(entry)
    filled["span"] = "–".join(map(str, dict.fromkeys(detail.get("rounds") or [])))
    if told is not None:
        filled |= {"place": told.place, "to": told.to, "change": told.change}
    if "kind" in detail:
        filled["role"] = (
            RoleKind(detail["kind"]).label if detail["kind"] in RoleKind.values else detail["kind"]
        )
    if "scopes" in detail:
        filled["scopes"] = ", ".join(str(Scope(one).label) for one in detail["scopes"].split())
    if "account" in detail:
        filled["person"] = str(known.accounts.get(detail["account"], "–"))
    if verb == "extended round":
        filled["table"] = detail.get("table") or gettext("all tables")
    if verb == "printed":
        filled["what"] = ", ".join(
            str(prints.KINDS[one].label) for one in detail.get("kinds", ()) if one in prints.KINDS
        )
    if "movement" in detail:
        filled["movement"] = layout_words(str(detail["movement"]))
    for name in ("tables", "boards"):
        if isinstance(detail.get(name), list):
            filled[name] = ", ".join(map(str, detail[name]))
    for name, words in (("leaving", gettext("leaving: %(who)s")), ("arriving", gettext("arriving: %(who)s"))):
        filled[name] = "; " + words % {"who": filled[name]} if detail.get(name) else ""
    return str(DONE[verb] % filled)


def _value(value: Any) -> str:
    text = str(VALUES.get(str(value), value))
    if WHEN.fullmatch(text):
        return formats.date_format(timezone.localtime(datetime.fromisoformat(text)), "SHORT_DATETIME_FORMAT")
    return text if len(text) <= 20 else f"{text[:12]}…"


def number_of(subject: str) -> int:
    """The submission that an entry is about; 0 for anything else."""
    model, _space, number = subject.partition(" ")
    return int(number) if model == "submission" and number.isdecimal() else 0


# ── Results ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Told:
    """A result that was handed in: where, what it says, and whether it followed another."""

    place: str
    is_correction: bool
    to: str
    change: str


def _results(
    entries: Iterable[HistoryEntry], language: str, boards: Collection[int] | None, roomy: Collection[int]
) -> dict[int, Told]:
    """By submission. A result that was recorded card by card is not spelt out."""
    wanted = {number_of(entry.subject) for entry in entries} - {0}
    if not wanted:
        return {}
    of = Submission.objects.select_related("play__table__section__session", "play__board")
    shown = of.in_bulk(wanted)
    earlier: dict[int, list[Submission]] = defaultdict(list)
    before = Submission.objects.filter(play__in={one.play_id for one in shown.values()}, pk__lt=max(wanted))
    for one in before.exclude(state=Submission.State.REFUSED).order_by("-pk").only("play", "content"):
        earlier[one.play_id].append(one)
    told = {}
    for pk, one in shown.items():
        section = one.play.table.section
        place = gettext("table %(table)s, board %(board)s") % {
            "table": table_name(section.name, one.play.table.number, several=section.session_id in roomy),
            "board": one.play.board.number,
        }  # fmt: skip
        last = next((other for other in earlier[one.play_id] if other.pk < pk), None)
        is_shown = boards is None or one.play.board_id in boards
        old, new = (_sheet(last) if last is not None and is_shown else {}), _sheet(one) if is_shown else {}
        same = [name for name in new if name in old and old[name] == new[name]]
        fields = [name for name in [*new, *(name for name in old if name not in new)] if name not in same]
        told[pk] = Told(
            place,
            last is not None,
            _listed(section.session, new, list(new), language),
            _changed(section.session, old, new, fields, language) if old and new else "",
        )
    return told


def _sheet(submission: Submission) -> dict[str, Any]:
    sheet = submission.content.get("sheet")
    return sheet if isinstance(sheet, dict) else {}


def _listed(session: Session, sheet: Mapping[str, Any], names: Sequence[str], language: str) -> str:
    words = SheetWords(registry.game(session.game), language)
    return _after([f"{words.label(name)} {words.cell(name, sheet[name])}" for name in words.in_order(names)])


def sheet_words(session: Session, sheet: Mapping[str, Any], language: str) -> list[tuple[str, str]]:
    """The fields of a result sheet as the game calls them, with their values; without what is usual."""
    return SheetWords(registry.game(session.game), language).told(sheet)


def _changed(
    session: Session, old: Mapping[str, Any], new: Mapping[str, Any], names: Sequence[str], language: str
) -> str:
    words = SheetWords(registry.game(session.game), language)
    was = {name: words.cell(name, old.get(name)) for name in words.in_order(names)}
    changed = [
        f"{words.label(name)} {before} → {words.cell(name, new.get(name))}" for name, before in was.items()
    ]
    return _after(changed or [gettext("the same again")])


def _after(parts: Sequence[str]) -> str:
    """What stands after a place: some of it, where it is long."""
    text = ", ".join(parts)
    text = text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"
    return gettext(": %(words)s") % {"words": text} if text else ""
