"""Seasons and their standings, field by field."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from scoring.combined import AVERAGE, SUM
from scoring.seasons import HALF_EVENINGS, SEASON_TIE_BREAKS, SeasonRules

from ...models import Category, Season
from ...services import season_standings, seasons
from ...services.season_standings import SeasonWish
from ...services.seasons import ShownRow
from ..strict import OnlyKnownFields
from .fields import HIGHEST, MEMBERS, FlagField, RoundedField, TextField
from .rulings import ExactField

MOST_MEMBERS = 5_000  # of a division


# ── A season ──────────────────────────────────────────────────────────────────────────────────────


class SeasonSerializer(serializers.ModelSerializer[Season]):
    """A season: many evenings, ranked together."""

    club = serializers.CharField(
        source="club.slug",
        default=None,
        allow_null=True,
        help_text="The short name of the club whose season it is; null for the federation’s.",
    )
    ranked = serializers.ListField(child=serializers.ChoiceField(choices=Season.Ranked.choices))
    follows = serializers.IntegerField(
        source="follows_id", allow_null=True, help_text="The season before, by its id."
    )

    class Meta:
        model = Season
        fields = ["id", "club", "name", "state", "measure", "ranked", "follows", "created_at"]


class SeasonRulesSerializer(OnlyKnownFields):
    """How the evenings become a total. What is not said is as it is by default."""

    combine = serializers.ChoiceField(
        choices=[SUM, AVERAGE], required=False, help_text="`sum` by default, or `average`."
    )
    best = serializers.IntegerField(
        min_value=1, max_value=seasons.EVENINGS_AT_MOST, allow_null=True, required=False,
        help_text="Only each one’s best so many count; null for all.",
    )  # fmt: skip
    drop = serializers.IntegerField(
        min_value=0, max_value=seasons.EVENINGS_AT_MOST, required=False,
        help_text="All but so many count; those that somebody has missed are the first to be left out.",
    )  # fmt: skip
    least = serializers.IntegerField(
        min_value=0, max_value=seasons.EVENINGS_AT_MOST, required=False, help_text="Evenings for a place."
    )
    absent = ExactField(allow_null=True, required=False, help_text="What a missed evening is worth.")
    half = serializers.ChoiceField(
        choices=HALF_EVENINGS, required=False, help_text="As what an evening counts with too few boards."
    )
    enough = ExactField(required=False, help_text="Which part of an evening’s boards is enough; 2/3.")
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=SEASON_TIE_BREAKS),
        max_length=len(SEASON_TIE_BREAKS),
        required=False,
        help_text="In the order in which they are asked; none: equal ones share their place.",
    )


def _members(**options: Any) -> serializers.ListField:
    """Who plays in a division: the ids of one player, or of a contestant's players."""
    return serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=1, max_value=HIGHEST), min_length=1, max_length=MEMBERS
        ),
        max_length=MOST_MEMBERS,
        **options,
    )


class SeasonDivisionSerializer(OnlyKnownFields):
    name = TextField(max_length=seasons.NAME_LETTERS)
    members = _members(
        default=list,
        help_text="Each the ids of one player, or of a contestant’s players. Whoever is in none plays in the"
        " last division. Told to those who run the season; the standing says who plays where.",
    )


class SeasonHandicapSerializer(OnlyKnownFields):
    player = serializers.IntegerField(min_value=1, max_value=HIGHEST, help_text="By its id.")
    value = ExactField(help_text="What they are given on every evening.")


class SeasonPrizeSerializer(OnlyKnownFields):
    """A prize, or several of one name: from one list, to whoever has none yet."""

    name = TextField(max_length=seasons.NAME_LETTERS)
    count = serializers.IntegerField(min_value=1, max_value=100, default=1)
    ranked = serializers.ChoiceField(choices=Season.Ranked.choices, required=False)
    category = serializers.ChoiceField(choices=["", *Category.values], default="")
    handicap = FlagField(default=False, help_text="By what they came to with their handicaps.")
    division = serializers.IntegerField(
        min_value=1, max_value=seasons.DIVISIONS_AT_MOST, allow_null=True, default=None
    )


class NewSeasonEveningSerializer(OnlyKnownFields):
    """A session of the club, or a leg of an event: one of them."""

    session = serializers.IntegerField(min_value=1, max_value=HIGHEST, required=False)
    leg = serializers.IntegerField(min_value=1, max_value=HIGHEST, required=False)
    weight = ExactField(default="1", help_text="`2`: it counts double.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("session" in attrs) == ("leg" in attrs):
            raise serializers.ValidationError(_("Give either a session or a leg."))
        return attrs


class SeasonEveningSerializer(serializers.Serializer[Any]):
    """An evening of a season: a session, or a leg of an event by its joint field."""

    id = serializers.IntegerField(source="evening.pk")
    name = serializers.CharField()
    session = serializers.IntegerField(source="evening.session_id", allow_null=True)
    leg = serializers.IntegerField(source="evening.leg_id", allow_null=True)
    weight = serializers.CharField(source="evening.weight", help_text="An exact number.")
    is_published = serializers.BooleanField(
        help_text="Whether everybody may see its ranking, and so it counts. Others are told to those alone"
        " who run the season."
    )


class WholeSeasonSerializer(SeasonSerializer):
    """A season with its rules, its evenings and its prizes."""

    rules = SeasonRulesSerializer(read_only=True, help_text="Each as it holds, said or by default.")
    divisions = SeasonDivisionSerializer(many=True, read_only=True, help_text="The highest first.")
    handicaps = SeasonHandicapSerializer(
        many=True, read_only=True, help_text="Told to those who run the season."
    )
    prizes = SeasonPrizeSerializer(
        many=True, read_only=True, help_text="In the order in which they are given."
    )
    evenings = SeasonEveningSerializer(many=True, read_only=True, help_text="By the calendar.")

    class Meta:
        model = Season
        fields = [
            *SeasonSerializer.Meta.fields,
            *["rules", "divisions", "up", "down", "handicaps", "prizes", "evenings"],
        ]

    def __init__(self, season: Any = None, *, is_run: bool = False, **options: Any) -> None:
        super().__init__(season, **options)
        self.is_run = is_run

    def to_representation(self, season: Season) -> dict[str, Any]:
        """Three queries. `is_run`: for whoever runs it."""
        own: dict[str, Any] = SeasonSerializer(season).data
        published = season_standings.published_in(season)
        evenings = [
            {"evening": one, "name": seasons.name_of(one), "is_published": one.pk in published}
            for one in season_standings.in_order(season)
            if self.is_run or one.pk in published
        ]
        handicaps = season.handicaps.items() if self.is_run else ()
        return {
            **own,
            "rules": _told(season_standings.rules_of(season.rules)),
            "divisions": [
                {"name": one["name"], "members": one["members"] if self.is_run else []}
                for one in season.divisions
            ],
            "up": season.up,
            "down": season.down,
            "handicaps": [{"player": int(player), "value": value} for player, value in handicaps],
            "prizes": SeasonPrizeSerializer(season.prizes, many=True).data,
            "evenings": SeasonEveningSerializer(evenings, many=True).data,
        }


def _told(rules: SeasonRules) -> dict[str, Any]:
    exact = {name: None if (one := getattr(rules, name)) is None else str(one) for name in EXACT_RULES}
    return {name: getattr(rules, name) for name in seasons.RULES if name not in EXACT_RULES} | exact


EXACT_RULES = ("absent", "enough")


class ChangedSeasonSerializer(OnlyKnownFields):
    """What can be changed of a season; what is sent stands in the place of what was there, whole."""

    name = TextField(max_length=seasons.NAME_LETTERS, required=False)
    measure = serializers.ChoiceField(
        choices=Season.Measure.choices, required=False, help_text="What counts of an evening."
    )
    ranked = serializers.ListField(
        child=serializers.ChoiceField(choices=Season.Ranked.choices),
        min_length=1,
        max_length=len(Season.Ranked),
        required=False,
        help_text="Who has a list; divisions are of the first.",
    )
    rules = SeasonRulesSerializer(required=False)
    divisions = serializers.ListField(
        child=SeasonDivisionSerializer(),
        max_length=seasons.DIVISIONS_AT_MOST,
        required=False,
        help_text="The highest first.",
    )
    up = serializers.IntegerField(min_value=0, max_value=100, required=False, help_text="How many go up.")
    down = serializers.IntegerField(
        min_value=0, max_value=100, required=False, help_text="How many come down."
    )
    handicaps = serializers.ListField(
        child=SeasonHandicapSerializer(), max_length=MOST_MEMBERS, required=False
    )
    prizes = serializers.ListField(
        child=SeasonPrizeSerializer(), max_length=seasons.PRIZES_AT_MOST, required=False
    )
    evenings = serializers.ListField(
        child=NewSeasonEveningSerializer(),
        max_length=seasons.EVENINGS_AT_MOST,
        required=False,
        help_text="All of them: each counts once its ranking is published.",
    )

    def validate_handicaps(self, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return _each_once(given, [one["player"] for one in given])

    def validate_evenings(self, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return _each_once(given, [(one.get("session"), one.get("leg")) for one in given])

    @property
    def wish(self) -> dict[str, Any]:
        """As the service takes it."""
        given = dict(self.validated_data)
        if "handicaps" in given:
            given["handicaps"] = {one["player"]: one["value"] for one in given["handicaps"]}
        if "evenings" in given:
            given["evenings"] = {
                (kind, one[kind]): one["weight"]
                for one in given["evenings"]
                for kind in ("session", "leg")
                if kind in one
            }
        return given


def _each_once(given: list[dict[str, Any]], keys: Sequence[object]) -> list[dict[str, Any]]:
    """What is said twice is refused, with its lines: one of them would be lost."""
    first: dict[object, int] = {}
    for line, key in enumerate(keys, 1):
        if (other := first.setdefault(key, line)) != line:
            raise serializers.ValidationError(
                _("Line %(line)d is about the same as line %(other)d: keep one of them.")
                % {"line": line, "other": other}
            )
    return given


class NewSeasonSerializer(OnlyKnownFields):
    """A season to be made, a draft: of your club, or of the federation."""

    name = TextField(max_length=seasons.NAME_LETTERS)
    follows = serializers.IntegerField(
        min_value=1,
        max_value=HIGHEST,
        required=False,
        help_text="The season before, by its id: its rules, its prizes, and the divisions that its standing"
        " leads to.",
    )


class SeasonStateSerializer(OnlyKnownFields):
    state = serializers.ChoiceField(
        choices=[Season.State.OPEN.value, Season.State.OVER.value],
        help_text="`open`: everybody may read it from now on.",
    )


# ── Its standing ──────────────────────────────────────────────────────────────────────────────────


class SeasonListSerializer(serializers.Serializer[Any]):
    """A list of a season, as the query asks for it."""

    ranked = serializers.ChoiceField(choices=Season.Ranked.choices)
    division = serializers.IntegerField(allow_null=True, help_text="From 1, the highest.")
    category = serializers.ChoiceField(choices=["", *Category.values])
    handicap = serializers.BooleanField()


class SeasonWishSerializer(OnlyKnownFields):
    """Which list of a season; by default the first."""

    ranked = serializers.ChoiceField(choices=Season.Ranked.choices, required=False)
    division = serializers.IntegerField(
        min_value=1, max_value=seasons.DIVISIONS_AT_MOST, required=False, help_text="From 1, the highest."
    )
    category = serializers.ChoiceField(choices=Category.choices, required=False)
    handicap = serializers.ChoiceField(
        choices=["true", "false"], required=False, help_text="With everybody’s handicap."
    )

    def chosen(self, lists: Sequence[SeasonWish]) -> SeasonWish | None:
        """The list of these that is asked for, None where it is none of them."""
        if not (given := self.validated_data):
            return lists[0]
        wish = SeasonWish(
            given.get("ranked", lists[0].ranked),
            given.get("division"),
            given.get("category", ""),
            given.get("handicap") == "true",
        )
        return wish if wish in lists else None


class SeasonPartSerializer(serializers.Serializer[Any]):
    """An evening in somebody’s line."""

    evening = serializers.IntegerField(help_text="Its id.")
    value = serializers.CharField(help_text="An exact fraction.")
    counts = serializers.CharField(help_text="How much of an evening it is: `1`, `1/2`, `0`.")
    is_absent = serializers.BooleanField(help_text="It was missed.")
    is_counted = serializers.BooleanField(help_text="Whether the total comes from it.")


class SeasonPlaceSerializer(serializers.Serializer[Any]):
    """A place in a season. Whoever has played too few evenings has an empty rank."""

    rank = serializers.CharField(help_text="“3”, or “3=” when shared.")
    name = serializers.CharField(help_text="As you may read it.")
    players = serializers.ListField(child=serializers.IntegerField(), help_text="By their ids.")
    division = serializers.IntegerField(allow_null=True, help_text="Where the season has several.")
    total = serializers.CharField(help_text="An exact fraction.")
    score = RoundedField(help_text="The same, rounded.")
    evenings = serializers.CharField(
        help_text="How many were played, a half one as `1/2`; an exact fraction."
    )
    counted = serializers.IntegerField(help_text="How many evenings the total comes from.")
    move = serializers.ChoiceField(
        choices=["", seasons.UP, seasons.DOWN, seasons.TIED],
        help_text="What would become of them if the season were over: into another division, or tied across"
        " its border.",
    )
    change = serializers.IntegerField(help_text="Places won on the last evening.")
    positions = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="Their place after each evening."
    )
    before_next = serializers.CharField(
        allow_null=True, help_text="What puts them before the next with the same total."
    )
    parts = SeasonPartSerializer(many=True, help_text="Evening by evening.")


class SeasonStandingSerializer(serializers.Serializer[Any]):
    """A page of a list of a season."""

    season = serializers.IntegerField()
    version = serializers.IntegerField(help_text="0 before an evening counts.")
    created_at = serializers.DateTimeField(allow_null=True)
    lists = SeasonListSerializer(many=True, help_text="Those that the season has.")
    count = serializers.IntegerField(help_text="All places, of all pages.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    places = SeasonPlaceSerializer(many=True)


def place_of(one: ShownRow) -> dict[str, Any]:
    """A line as it is told."""
    row = one.row
    parts = [(part, True) for part in row.parts] + [(part, False) for part in row.rest]
    return {
        "rank": row.rank,
        "name": one.name,
        "players": list(row.contestant),
        "division": one.division or None,
        "total": str(row.value),
        "score": row.value,
        "evenings": str(row.played),
        "counted": len(row.parts),
        "move": one.move,
        "change": one.change,
        "positions": list(one.positions),
        "before_next": row.before_next,
        "parts": [
            {"evening": int(part.evening), "value": str(part.value), "counts": str(part.counts),
             "is_absent": part.is_absent, "is_counted": is_counted}
            for part, is_counted in parts
        ],
    }  # fmt: skip


class GivenPrizeSerializer(serializers.Serializer[Any]):
    """A prize, and who share it."""

    name = serializers.CharField()
    number = serializers.IntegerField(help_text="Of the prizes of this name, from 1.")
    winners = serializers.ListField(child=serializers.CharField(), help_text="As you may read their names.")


class SeasonPrizesSerializer(serializers.Serializer[Any]):
    """The prizes as they would be given if the season ended now: nobody has two."""

    season = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Of the standing; 0 before an evening counts.")
    prizes = GivenPrizeSerializer(many=True)


class SeasonNewsSerializer(serializers.Serializer[Any]):
    evening = serializers.IntegerField(help_text="Its id.")
    what = serializers.ChoiceField(
        choices=[season_standings.IN, season_standings.OUT, season_standings.MENDED],
        help_text="`in`: it counts now; `out`: it counts no more; `mended`: its results are others.",
    )


class SeasonVersionSerializer(serializers.Serializer[Any]):
    """A version of the standing of a season."""

    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    news = SeasonNewsSerializer(
        many=True, help_text="What is other than in the version before; nothing where the rules are others."
    )
