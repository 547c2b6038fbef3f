"""What collections are filtered by (django-filter): only what whoever may read a row may read of it, so that
no filter tells more than its rows do. A wrong value is refused by name."""

from typing import Any

from django import forms
from django.db.models import BigIntegerField, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_filters import CharFilter, ChoiceFilter, Filter, FilterSet, IsoDateTimeFilter, TypedChoiceFilter
from django_filters.fields import IsoDateTimeField
from rest_framework.exceptions import ValidationError

from ..models import (
    Board,
    Call,
    CataloguePenalty,
    ClubEntry,
    Event,
    FeedItem,
    Round,
    Season,
    Session,
    SessionList,
    Submission,
    WebhookDelivery,
)
from ..services import dates, event_checks, flags, objections

HIGHEST = 1_000_000
WORDS = [("true", "true"), ("false", "false")]


class WholeFilter(Filter):
    """A whole number that every database can compare."""

    field_class = forms.IntegerField

    def __init__(self, field_name: str, **more: Any) -> None:
        super().__init__(field_name, min_value=1, max_value=HIGHEST, **more)


class PositionFilter(Filter):
    """A number that another answer has told, from 0."""

    field_class = forms.IntegerField

    def __init__(self, field_name: str, lookup_expr: str, **more: Any) -> None:
        super().__init__(field_name, lookup_expr, min_value=0, max_value=BigIntegerField.MAX_BIGINT, **more)


class MomentFormField(IsoDateTimeField):
    """A moment of years that every club's clock can show, as `serializers.fields.MomentField`."""

    def clean(self, value: Any) -> Any:
        at = super().clean(value)
        if at is not None and not dates.is_near(at):
            raise forms.ValidationError(gettext_lazy("This day is too far away."))
        return at


class MomentFilter(IsoDateTimeFilter):
    field_class = MomentFormField


class FlagFilter(TypedChoiceFilter):
    """`true` or `false`, and no other word."""

    def __init__(self, field_name: str, lookup_expr: str = "exact", **more: Any) -> None:
        super().__init__(field_name, lookup_expr, choices=WORDS, coerce="true".__eq__, **more)


def name_filter(field_name: str, **more: Any) -> CharFilter:
    return CharFilter(field_name, max_length=100, strip=False, **more)


def filtered(rows: QuerySet[Any], filters: type[FilterSet], query: Any) -> QuerySet[Any]:
    """The rows that are asked for; ValidationError for a value that a filter cannot have."""
    found: QuerySet[Any] = _chosen(rows, filters, query).qs
    return found


def wanted(filters: type[FilterSet], query: Any) -> dict[str, Any]:
    """What is asked for of rows that are made and not stored, by the name of the filter; ValidationError for
    a value that a filter cannot have."""
    chosen = _chosen(Session.objects.none(), filters, query)
    return {name: value for name, value in chosen.form.cleaned_data.items() if value not in (None, "")}


def _chosen(rows: QuerySet[Any], filters: type[FilterSet], query: Any) -> FilterSet:
    """No text is contained in every name, but it is no moment, number or word: a form takes it for nothing
    asked, and a caller whose variable was empty would get every row."""
    chosen = filters(data=query, queryset=rows)
    wrong = {name: list(said) for name, said in chosen.errors.items()}
    for name, one in filters.base_filters.items():
        if "" in query.getlist(name) and not isinstance(one, CharFilter):
            wrong[name] = [_("Give a value, or leave the name out.")]
    if wrong:
        raise ValidationError(wrong)
    return chosen


class TournamentFilters(FilterSet):
    search = name_filter("name", lookup_expr="icontains", label="A part of the name.")
    club = name_filter("club__slug", label="The short name of its club.")


class EventFilters(FilterSet):
    search = name_filter("name", lookup_expr="icontains", label="A part of the name.")
    state = ChoiceFilter("state", choices=Event.State.choices)


class SeasonFilters(FilterSet):
    search = name_filter("name", lookup_expr="icontains", label="A part of the name.")
    club = name_filter("club__slug", label="The short name of the club whose it is.")
    state = ChoiceFilter("state", choices=Season.State.choices)


class FeedFilters(FilterSet):
    after = PositionFilter("position", "gt", label="The `id` of the last item that you have.")
    kind = ChoiceFilter("kind", choices=FeedItem.Kind.choices)
    club = name_filter("club__slug", label="The short name of the club whose it is.")
    event = WholeFilter("event", label="By its id.")
    session = WholeFilter("session", label="By its id.")


class DeliveryFilters(FilterSet):
    state = ChoiceFilter("state", choices=WebhookDelivery.State.choices)


class LegFilters(FilterSet):
    game = name_filter("game", label="By its id.")


class ClubEntryFilters(FilterSet):
    club = name_filter("club__slug", label="The short name of the club.")
    state = ChoiceFilter("state", choices=ClubEntry.State.choices)


class SessionFilters(FilterSet):
    state = ChoiceFilter("state", choices=Session.State.choices)
    game = name_filter("game", label="By its id.")
    since = MomentFilter("starts_at", "gte", label="Starts at this moment or later.")
    until = MomentFilter("starts_at", "lt", label="Starts before this moment.")


class TableFilters(FilterSet):
    section = name_filter("table__section__name")
    table = WholeFilter("table__number")


class PlayFilters(TableFilters):
    round = WholeFilter("round")
    board = WholeFilter("board__number")


class BoardFilters(FilterSet):
    code = CharFilter(
        method="as_found",
        max_length=100,
        label="Of a sheet of its deal, as on its wallet, however it is typed.",
    )

    def as_found(self, boards: QuerySet[Board], _name: str, _code: str) -> QuerySet[Board]:
        """No table holds codes: the view has found the board."""
        return boards


class FlagFilters(FilterSet):
    """Of flags, which no table holds: `wanted`."""

    kind = ChoiceFilter("kind", choices=[(kind, kind) for kind in flags.KINDS])
    section = name_filter("section")
    table = WholeFilter("table")


class CheckFilters(FilterSet):
    """Of findings, which no table holds: `wanted`."""

    kind = ChoiceFilter("kind", choices=[(kind, kind) for kind in event_checks.KINDS])
    club = name_filter("club", label="The short name of the club.")


class TableGuideFilters(FilterSet):
    section = name_filter("section__name")
    table = WholeFilter("number")


class ContestantGuideFilters(FilterSet):
    number = WholeFilter("number", label="Of the contestant.")


class SubstitutionFilters(FilterSet):
    contestant = WholeFilter("contestant__number", label="By its number.")


class SubmissionFilters(FilterSet):
    """Of submissions with the state that the caller is shown (`disputes.with_state_shown`)."""

    state = ChoiceFilter("shown", choices=Submission.State.choices)
    section = name_filter("play__table__section__name")
    table = WholeFilter("play__table__number")
    board = WholeFilter("play__board__number")
    since = MomentFilter("created_at", "gte", label="Handed in at this moment or later.")


class SlipPhotoFilters(FilterSet):
    section = name_filter("play__table__section__name")
    table = WholeFilter("play__table__number")
    board = WholeFilter("play__board__number")


class CallFilters(TableFilters):
    state = ChoiceFilter("state", choices=Call.State.choices)
    reason = ChoiceFilter("reason", choices=Call.Reason.choices)


class RoundFilters(FilterSet):
    state = ChoiceFilter("state", choices=Round.State.choices)


class RulingFilters(FilterSet):
    reversed = FlagFilter("reversed_at", "isnull", exclude=True, label="Whether it has been reversed.")


class ObjectionFilters(FilterSet):
    state = ChoiceFilter("stands", choices=[(state, state) for state in objections.STATES.values()])
    section = name_filter("play__table__section__name")
    table = WholeFilter("play__table__number")
    board = WholeFilter("play__board__number")


class ContestantFilters(FilterSet):
    line_group = WholeFilter("line_group")
    team = WholeFilter("team__number")


class PenaltyFilters(FilterSet):
    kind = ChoiceFilter("kind", choices=CataloguePenalty.Kind.choices)


class PointsFilters(FilterSet):
    player = WholeFilter("player")
    session = WholeFilter("session")


class PastSeasonFilters(FilterSet):
    year = WholeFilter("year")


class ListFilters(FilterSet):
    kind = ChoiceFilter("kind", choices=SessionList.Kind.choices)


class RegistrationListFilters(FilterSet):
    open = FlagFilter("closed_at", "isnull", label="Whether one can still enter.")
    search = name_filter("name", lookup_expr="icontains", label="A part of the name.")
