"""An entry as text, as it is stored and as archives say it: a score, or what a director has put in place of
one.

>>> [to_token(entry) for entry in (620, AVERAGE, AVERAGE_PLUS, Weighted.percent({620: 40, -100: 60}))]
['620', 'average', 'average 60 if better', '620*2/5 -100*3/5']
>>> of_token("average 60 if better") == AVERAGE_PLUS
True
"""

from fractions import Fraction
from functools import lru_cache

from .entries import AVERAGE, AVERAGE_PLUS, Artificial, Entry, NoScore, Own, Weighted

__all__ = ["AVERAGE_PLUS", "of_token", "to_token"]

NO_SCORES = {one.value: one for one in NoScore}


def to_token(entry: Entry) -> str:
    """An entry as text: short, exact, and for people who look into the database."""
    if isinstance(entry, NoScore):
        return entry.value
    if isinstance(entry, Weighted):
        return " ".join(f"{score}*{Fraction(weight)}" for score, weight in entry.parts)
    if isinstance(entry, Artificial):
        percent = "" if entry.percent == AVERAGE.percent else f" {Fraction(entry.percent)}"
        return f"average{percent}" + ("" if entry.own is Own.NEVER else f" {entry.own.value}")
    return str(entry)


@lru_cache(maxsize=10_000)
def of_token(token: str) -> Entry:
    """The entry that a text stands for."""
    if token in NO_SCORES:
        return NO_SCORES[token]
    if "*" in token:
        parts = (part.split("*") for part in token.split())
        return Weighted(tuple((int(score), Fraction(weight)) for score, weight in parts))
    if token.startswith("average"):
        rest = token.removeprefix("average").strip()
        own = next((one for one in Own if one is not Own.NEVER and rest.endswith(one.value)), Own.NEVER)
        percent = rest.removesuffix(own.value).strip()
        return Artificial(Fraction(percent) if percent else AVERAGE.percent, own)
    return int(token)
