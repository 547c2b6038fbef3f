"""What a director decides of a board at a table, as a form: another score, one of several, averages, none, or
for each side something else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engines import registry
from scoring.rounding import in_units
from tournaments.models import Session
from tournaments.services import past_seasons

SCORE = re.compile(r"([+−-]?)\s*(\d{1,9}(?:[.,]\d{1,3})?|\d{1,8}\s?[½¼¾]|[½¼¾])")
PARTS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
ARTIFICIAL = {
    "plus": {"kind": "artificial", "percent": "60", "own": "if better"},
    "average": {"kind": "artificial", "percent": "50"},
    "minus": {"kind": "artificial", "percent": "40", "own": "if worse"},
}
AVERAGES = (
    ("plus", _("average plus (60%, or more if that is better)")),
    ("average", _("average (50%)")),
    ("minus", _("average minus (40%, or less if that is worse)")),
)
NOTHING = (("annulled", _("annulled: counts for nobody")), ("not-played", _("not played")))
WAYS = (
    ("assigned", _("Assigned")),
    ("weighted", _("Weighted")),
    ("average", _("Average")),
    ("nothing", _("No score")),
    ("split", _("Split")),
)


def score_of(text: str, unit: int) -> int | None:
    """A score as players write it, in the game's smallest unit; None where it is none.

    >>> score_of("−1½", 2), score_of("+14", 1), score_of("0,5", 2), score_of("½", 1), score_of("x", 1)
    (-3, 14, 1, None, None)
    """
    found = SCORE.fullmatch(text.strip())
    if found is None:
        return None
    sign, figures = found.groups()
    whole = figures.rstrip("½¼¾ ").replace(",", ".")
    value = Fraction(whole or 0) + PARTS.get(figures[-1], Fraction(0))
    units = value * unit
    if units.denominator > 1:
        return None
    return int(units) if sign in {"", "+"} else -int(units)


class RuledSide(NamedTuple):
    """A side of a table: who sits there, in which seats; `played`: its score, `counts`: what counts for it
    now, None where that is no score."""

    name: str
    seats: Sequence[int]
    played: int | None
    counts: int | None


class ReversalForm(forms.Form):
    ruling = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    reason = forms.CharField(label=_("Why?"), max_length=2000)


@dataclass(frozen=True, slots=True)
class SideRow:
    """The fields of a side: its other score, two of them for a weighted one, its average (None where none is
    offered), and for a split ruling what it gets and which score."""

    side: RuledSide
    played: str
    score: Any
    first: Any
    second: Any
    average: Any
    kind: Any
    split: Any


class ReasonedForm(forms.Form):
    """A decision that wants a reason before it is made; whoever only `looks` at what it would change need not
    know why yet."""

    looks: bool

    def full_clean(self) -> None:
        self.fields["reason"].required = not self.looks
        super().full_clean()
        self.fields["reason"].required = True


class RulingForm(ReasonedForm):
    """What counts for each side in place of its score, with the reason; an average for all is that of whoever
    has no other. `compares`: other tables play the
    board, so that there is an average; `looks`: nothing is published yet."""

    way_of = forms.ChoiceField(label=_("Kind of ruling"), choices=WAYS, widget=forms.RadioSelect)
    percent_first = forms.CharField(
        label=_("Share of the first score, per cent"), required=False, max_length=9
    )
    percent_second = forms.CharField(
        label=_("Share of the second score, per cent"), required=False, max_length=9
    )
    nothing = forms.ChoiceField(
        label=_("Nothing counts"),
        choices=NOTHING,
        initial="annulled",
        widget=forms.RadioSelect,
        required=False,
    )
    reason = forms.CharField(
        label=_("Why?"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For those concerned: they read it beside the result."),
    )

    def __init__(
        self,
        data: Any,
        *,
        session: Session,
        sides: Sequence[RuledSide],
        compares: bool = True,
        looks: bool = True,
    ) -> None:
        first = {"way_of": "assigned", "percent_first": "50", "percent_second": "50"}
        super().__init__(data, initial=first, auto_id="ruling_%s")
        for name in ("percent_first", "percent_second"):
            self.fields[name].widget.attrs["aria-label"] = self.fields[name].label
        self.session, self.sides, self.compares, self.looks = session, sides, compares, looks
        self.unit = registry.game(session.game).unit.divisor
        averages = list(AVERAGES) if compares else []
        kinds = [("", gettext("as it counts now")), *averages, ("assigned", gettext("this score")), *NOTHING]
        self.fields["way_of"].choices = [  # type: ignore[attr-defined]
            one for one in WAYS if compares or one[0] != "average"
        ]
        if compares:
            self.fields["average_all"] = forms.ChoiceField(
                label=gettext("The same for all"),
                choices=[("", gettext("each as below")), *averages],
                required=False,
            )
        for number, side in enumerate(sides):
            held = "" if side.counts is None else in_units(side.counts, self.unit)
            words = {"name": side.name}
            for name, label, start in (
                ("score", gettext("Score of %(name)s") % words, held),
                ("first", gettext("First score of %(name)s") % words, held),
                ("second", gettext("Second score of %(name)s") % words, ""),
                ("split", gettext("Score of %(name)s, split") % words, ""),
            ):
                self.fields[f"{name}_{number}"] = forms.CharField(
                    label=label,
                    required=False,
                    max_length=20,
                    initial=start,
                    widget=forms.TextInput(attrs={"aria-label": label, "autocomplete": "off"}),
                )
            offered = [("average", kinds[: 1 + len(averages)])] if compares else []
            for name, choices in (*offered, ("kind", kinds)):
                label = gettext("What counts for %(name)s") % words
                self.fields[f"{name}_{number}"] = forms.ChoiceField(
                    label=label,
                    choices=choices,
                    required=False,
                    widget=forms.Select(attrs={"aria-label": label}),
                )

    @property
    def rows(self) -> list[SideRow]:
        return [
            SideRow(
                side,
                "–" if side.played is None else in_units(side.played, self.unit),
                *(
                    self[field] if (field := f"{name}_{number}") in self.fields else None
                    for name in ("score", "first", "second", "average", "kind", "split")
                ),
            )
            for number, side in enumerate(self.sides)
        ]

    @property
    def shares(self) -> list[Any]:
        return [self["percent_first"], self["percent_second"]]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        self.decisions: list[dict[str, Any]] = []
        self.count = registry.game(self.session.game).seat_count(self.session.conditions)
        way = given.get("way_of", "")
        decide = {
            "assigned": self._assigned,
            "weighted": self._weighted,
            "average": self._average,
            "nothing": self._nothing,
            "split": self._split,
        }.get(way)
        if decide is not None:
            decide(given)
        if not self.decisions and not set(self.errors) - {"reason"}:
            self.add_error(None, gettext("Say for whom something else is to count."))
        return given

    def _score(self, given: dict[str, Any], name: str) -> int | None:
        """A score that was asked for, or an error beside its field."""
        score = score_of(given.get(name, ""), self.unit)
        if score is None:
            self.add_error(name, gettext("This is not a score of the game."))
        return score

    def _assigned(self, given: dict[str, Any]) -> None:
        """A score that has been left as it is decides nothing."""
        decided: dict[int, int] = {}
        for number, side in enumerate(self.sides):
            if given.get(f"score_{number}", "").strip():
                score = self._score(given, f"score_{number}")
                if score is not None and score != side.counts:
                    decided |= dict.fromkeys(side.seats, score)
        if decided:
            outcome = {"scores": self._by_seat(decided)}
            self.decisions.append({"kind": "assigned", "outcomes": [outcome], "seats": sorted(decided)})

    def _weighted(self, given: dict[str, Any]) -> None:
        shares = [self._share(given, name) for name in ("percent_first", "percent_second")]
        if None not in shares and sum(share or 0 for share in shares) != 1:
            self.add_error("percent_second", gettext("Both shares together are 100%."))
        outcomes = []
        for which, share in zip(("first", "second"), shares, strict=True):
            decided: dict[int, int] = {}
            for number, side in enumerate(self.sides):
                decided |= dict.fromkeys(side.seats, self._score(given, f"{which}_{number}") or 0)
            outcomes.append({"scores": self._by_seat(decided), "weight": str(share)})
        if not set(self.errors) - {"reason"}:
            seats = [seat for side in self.sides for seat in side.seats]
            self.decisions.append({"kind": "assigned", "outcomes": outcomes, "seats": sorted(seats)})

    def _by_seat(self, decided: dict[int, int]) -> list[int]:
        return [decided.get(seat, 0) for seat in range(1, self.count + 1)]

    def _share(self, given: dict[str, Any], name: str) -> Fraction | None:
        share = (past_seasons.exact(given.get(name, "").strip()) or Fraction(0)) / 100
        if 0 < share < 1:
            return share
        self.add_error(name, gettext("Write a number between 0 and 100."))
        return None

    def _average(self, given: dict[str, Any]) -> None:
        for number, side in enumerate(self.sides):
            if kind := given.get(f"average_{number}") or given.get("average_all"):
                self._decide(side, ARTIFICIAL[kind])

    def _nothing(self, given: dict[str, Any]) -> None:
        kind = given.get("nothing") or "annulled"
        for side in self.sides:
            self._decide(side, {"kind": kind})

    def _split(self, given: dict[str, Any]) -> None:
        for number, side in enumerate(self.sides):
            kind = given.get(f"kind_{number}", "")
            if kind == "assigned":
                score = self._score(given, f"split_{number}")
                if score is not None:
                    self._decide(side, {"kind": kind, "outcomes": [{"scores": [score] * self.count}]})
            elif kind:
                self._decide(side, ARTIFICIAL.get(kind, {"kind": kind}))

    def _decide(self, side: RuledSide, decision: dict[str, Any]) -> None:
        """Sides of which the same is decided come together: a ruling that says one thing is no split one."""
        for before in self.decisions:
            if {**before, "seats": None} == {**decision, "seats": None}:
                before["seats"] += side.seats
                return
        self.decisions.append({**decision, "seats": list(side.seats)})
