"""Matches of a session, field by field."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from scoring.matches import AWARDS, MEASURES

from ...models import MatchRules, Team
from ...services import matches
from ...services.matches import MatchState
from ...services.names import Named
from ..strict import OnlyKnownFields
from .fields import EntrantField, FlagField, TextField, publishable_names
from .rulings import ExactField

MOST_STEPS, MOST_TEAMS = 100, 1_000


def team_number(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=1_000_000, **options)


class VictoryStepSerializer(OnlyKnownFields):
    """From which margin on the winner gets how much."""

    margin = ExactField(help_text="The least; the first is 0.")
    gained = ExactField(help_text="Of the winner; the loser gets the rest of the whole.")


class MatchRulesSetupSerializer(OnlyKnownFields):
    """How matches are to count; what is left out is as most have it."""

    worth = serializers.ChoiceField(
        choices=AWARDS,
        required=False,
        help_text="The continuous scale of victory points, a table of your own, or wins alone.",
    )
    measure = serializers.ChoiceField(
        choices=MEASURES,
        required=False,
        help_text="What the two tables of a match of teams are compared in. At one table, what the session's"
        " method gives counts.",
    )
    steps = serializers.ListField(
        child=VictoryStepSerializer(),
        max_length=MOST_STEPS,
        default=list,
        help_text="Of a table of your own.",
    )
    whole = ExactField(default="20", help_text="What both share in a table of your own.")
    bye = ExactField(required=False, help_text="What a bye gives.")
    forfeit_won = ExactField(required=False, help_text="To whom the other forfeits.")
    forfeit_lost = ExactField(default="0", help_text="To whoever forfeits.")
    team_size = serializers.ChoiceField(
        choices=[1, 2],
        required=False,
        help_text="How many contestants are a team, for a session that has no matches yet: the first two, and"
        " so on; or each of them.",
    )

    @property
    def setup(self) -> matches.RulesSetup:
        given = dict(self.validated_data)
        given["steps"] = [(one["margin"], one["gained"]) for one in given["steps"]]
        return matches.RulesSetup(**given)


class MatchRulesSerializer(serializers.ModelSerializer[MatchRules]):
    """How the matches of a session count."""

    steps = serializers.SerializerMethodField()
    is_paired = serializers.BooleanField(
        help_text="Whether each round is planned when the one before is over."
    )

    class Meta:
        model = MatchRules
        fields = [
            *["session", "form", "is_paired", "team_size", "rounds", "measure", "unit", "worth", "steps"],
            *["whole", "bye", "forfeit_won", "forfeit_lost"],
        ]

    def get_steps(self, rules: MatchRules) -> list[dict[str, str]]:
        return [{"margin": margin, "gained": gained} for margin, gained in rules.steps]


class TeamSerializer(serializers.Serializer[Any]):
    """A team, and which contestants it is made of."""

    number = serializers.IntegerField()
    name = serializers.CharField(help_text="As its organiser has it, or its contestants'.")
    contestants = serializers.ListField(child=serializers.IntegerField(), help_text="Their numbers.")


class TeamNameSerializer(OnlyKnownFields):
    name = TextField(max_length=80, allow_blank=True, help_text="Empty: that of its contestants.")


class MatchTableSerializer(serializers.Serializer[Any]):
    section = serializers.CharField()
    table = serializers.IntegerField()


class MatchTeamSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()


class MatchSerializer(serializers.Serializer[Any]):
    """A match, and what has come of it as far as you may know."""

    round = serializers.IntegerField()
    number = serializers.IntegerField(help_text="In its round.")
    first = MatchTeamSerializer()
    second = MatchTeamSerializer(allow_null=True, help_text="Null for a bye.")
    tables = MatchTableSerializer(many=True)
    boards = serializers.IntegerField()
    counted = serializers.IntegerField(help_text="Boards on which there is something to compare.")
    state = serializers.ChoiceField(choices=["open", "complete", "bye", "forfeited"])
    lost = serializers.ListField(
        child=serializers.IntegerField(), help_text="The numbers of the teams that have forfeited it."
    )
    margin = serializers.CharField(
        allow_null=True, help_text="Of the first, an exact fraction; null where it is not for you yet."
    )
    gained = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="What it gives to the first and to the second, as it stands: exact fractions.",
    )


class MatchesWishSerializer(OnlyKnownFields):
    """Which matches."""

    round = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)


class NextRoundSerializer(OnlyKnownFields):
    """What there is to say before the next round is planned."""

    leaving = serializers.ListField(
        child=team_number(), default=list, max_length=MOST_TEAMS, help_text="Teams of a Swiss that go home."
    )
    arriving = serializers.ListField(
        child=EntrantField(),
        default=list,
        max_length=MOST_TEAMS,
        help_text="Contestants who come late to a Swiss, or come back: as many as a team has, one after the"
        " other, for each.",
    )
    names_may_be_published = publishable_names()
    apart = serializers.ListField(
        child=serializers.ListField(child=team_number(), max_length=MOST_TEAMS),
        default=list,
        max_length=MOST_TEAMS,
        help_text="Groups of teams of a Swiss that are not to meet in this round.",
    )
    winners = serializers.DictField(
        child=team_number(),
        default=dict,
        help_text="Of a knock-out, by the number of a match without a winner: the team that goes on.",
    )
    confirm = FlagField(default=False, help_text="Plan it although results are missing.")


def match_data(state: MatchState, named: Mapping[int, Named]) -> dict[str, Any]:
    match = state.match
    second = None if match.second_id is None else named[match.second_id]
    is_known = state.gained is not None
    return {
        **{"round": match.round, "number": match.number},
        "first": _team_data(named[match.first_id]),
        "second": None if second is None else _team_data(second),
        "tables": [{"section": section, "table": table} for section, table in state.tables],
        **{"boards": len(state.boards), "counted": state.counted, "state": state_of(state)},
        "lost": sorted(named[team].number for team in state.lost),
        "margin": None if state.margin is None else str(state.margin),
        "gained": [str(one) for one in state.gained] if is_known and state.gained else None,
    }


def state_of(state: MatchState) -> str:
    if state.match.second_id is None:
        return "bye"
    if state.lost:
        return "forfeited"
    return "complete" if state.is_complete else "open"


def _team_data(named: Named) -> dict[str, Any]:
    return {"number": named.number, "name": named.name}


def teams_data(teams: list[Team], named: Mapping[int, Named]) -> list[dict[str, Any]]:
    return [
        {
            **{"number": one.number, "name": named[one.pk].name},
            "contestants": sorted(member.number for member in one.contestants.all()),
        }
        for one in teams
    ]
