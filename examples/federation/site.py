"""A federation's own site in one page, made from the API of Étui alone: what is new, its events with their
joint rankings, its seasons, the latest rankings. Python 3.11, and nothing else.

    python examples/federation/site.py http://127.0.0.1:8000 >index.html

A key of a partner, if you have one, is read from the environment (ETUI_KEY). Run it as often as you like, by
cron for example: names are asked for anew each time, as players may change what is told of them.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from html import escape
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SHOWN = 10  # of each list
WHAT = {
    "session.listed": "is announced",
    "session.begun": "is being played",
    "session.cancelled": "is cancelled",
    "ranking.published": "has a ranking",
    "ranking.final": "has its final ranking",
    "ranking.amended": "has an amended ranking",
    "event.announced": "is announced",
    "event.ranked": "has a new joint ranking",
}

Ask = Callable[[str], Any]
"""What an address of the API answers; None for what is not there, or not for everybody."""


def asking(service: str, key: str = "") -> Ask:
    """Asks a service over HTTP, with a partner's key if there is one."""
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})

    def ask(address: str) -> Any:
        url = address if address.startswith(("http://", "https://")) else f"{service}/api/v1/{address}"
        try:
            with urlopen(Request(url, headers=headers), timeout=30) as answer:  # noqa: S310 - the caller's own
                return json.load(answer)
        except HTTPError as error:
            if error.code in (403, 404):
                return None
            raise

    return ask


def rows(ask: Ask, address: str) -> Iterator[dict[str, Any]]:
    """All rows of a list, page after page."""
    following: str | None = address
    while following is not None:
        page = ask(following) or {"results": [], "next": None}
        yield from page["results"]
        following = page["next"]


# ── The page ──────────────────────────────────────────────────────────────────────────────────────


def page(ask: Ask) -> str:
    """The whole page, as HTML."""
    parts = [*news(ask), *events(ask), *seasons(ask), *rankings(ask)]
    return PAGE.replace("CONTENT", "\n".join(parts) or "<p>Nothing has been played yet.</p>")


def news(ask: Ask) -> Iterator[str]:
    """What has happened, the newest first. What is `gone` may no longer be shown; we keep nothing, so there
    is nothing to delete."""
    found = ask(f"feed/?order=descending&page_size={5 * SHOWN}")["results"]
    told = [one for one in found if not one["gone"] and one["kind"] in WHAT][:SHOWN]
    if told:
        lines = [f"<li>{day(one['at'])} – {escape(one['name'])} {WHAT[one['kind']]}</li>" for one in told]
        yield f"<h2>News</h2><ul>{''.join(lines)}</ul>"


def events(ask: Ask) -> Iterator[str]:
    """Each event with the joint ranking of each of its legs, once there is one."""
    for event in rows(ask, "events/?state=announced"):
        yield f"<h2>{escape(event['name'])}</h2>"
        for leg in rows(ask, f"events/{event['id']}/legs/"):
            yield f"<h3>{escape(leg['game'])}, {day(leg['opens_at'])}</h3>"
            field = ask(f"legs/{leg['id']}/field/?page_size={SHOWN}")
            if field and field["places"]:
                yield table(
                    ["Place", "Name", "Club", "Score"],
                    [
                        [one["rank"], one["contestant"], one["club_name"], one["score"]]
                        for one in field["places"]
                    ],
                )
            else:
                yield "<p>The clubs are still playing: nothing is told before the last of them has.</p>"


def seasons(ask: Ask) -> Iterator[str]:
    """Each season, division by division, with what would become of whom."""
    for season in rows(ask, "seasons/"):
        first = ask(f"seasons/{season['id']}/standing/?page_size=1")
        divisions = [one["division"] for one in first["lists"] if one["division"] is not None] or [None]
        names = [one["name"] for one in ask(f"seasons/{season['id']}/")["divisions"]]
        yield f"<h2>{escape(season['name'])}</h2>"
        for number in divisions if first["lists"] else []:
            wish = f"&division={number}" if number else ""
            standing = ask(f"seasons/{season['id']}/standing/?page_size={SHOWN}{wish}")
            if number:
                yield f"<h3>{escape(names[number - 1])}</h3>"
            yield table(
                ["Place", "Name", "Evenings", "Total", ""],
                [
                    [
                        one["rank"] or "–",
                        one["name"],
                        one["evenings"],
                        one["score"],
                        MOVES.get(one["move"], ""),
                    ]
                    for one in standing["places"]
                ],
            )


MOVES = {"up": "goes up", "down": "comes down", "tied": "tied across the border"}


def rankings(ask: Ask) -> Iterator[str]:
    """The latest sessions with a ranking, as the feed names them."""
    seen: list[int] = []
    ranked = ("ranking.published", "ranking.final", "ranking.amended")
    for item in ask("feed/?order=descending&page_size=100")["results"]:
        if item["gone"] or item["kind"] not in ranked or item["session"] in seen or len(seen) == SHOWN:
            continue
        seen.append(item["session"])
        ranking = ask(f"sessions/{item['session']}/ranking/?page_size=3")
        if ranking and ranking["places"]:
            yield f"<h2>{escape(item['name'])}</h2>"
            yield table(
                ["Place", "Name", "Score"],
                [[one["rank"], one["contestant"], one["score"]] for one in ranking["places"]],
            )


def table(head: list[str], lines: list[list[Any]]) -> str:
    cells = "".join(f"<th>{escape(one)}</th>" for one in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(one))}</td>" for one in line) + "</tr>" for line in lines
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def day(moment: str) -> str:
    return datetime.fromisoformat(moment).strftime("%-d %B %Y")


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Our federation</title><style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: start; padding: .25rem .5rem .25rem 0 }
tbody tr { border-top: 1px solid #ccc }
</style></head><body><h1>Our federation</h1>
CONTENT
</body></html>
"""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(page(asking(sys.argv[1].rstrip("/"), os.environ.get("ETUI_KEY", ""))))
