"""Games, field by field. Texts stand in both languages, as they are kept and shown to many."""

from typing import Any

from rest_framework import serializers

from ..strict import OnlyKnownFields
from .fields import PlainObjectField, TextField

SEATS = 7  # at most
NAME = 60


class TextsSerializer(serializers.Serializer[Any]):
    """A text in every language."""

    en = serializers.CharField()
    fr = serializers.CharField()


class UnitSerializer(TextsSerializer):
    """The smallest unit of a score; `divisor` of them make what players call one."""

    divisor = serializers.IntegerField(min_value=1)


class GameSerializer(serializers.Serializer[Any]):
    """A game in short."""

    id = serializers.CharField(help_text="As sessions name it.")
    name = TextsSerializer()
    seats = serializers.ListField(
        child=serializers.IntegerField(), help_text="The numbers of seats that it can be played with."
    )
    sides = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Seats that score together; none: each alone.",
    )
    pack = TextsSerializer()
    board = TextsSerializer()
    line_score = TextsSerializer()
    unit = UnitSerializer()


class SettingSerializer(serializers.Serializer[Any]):
    """An option, or a condition that an organiser may preset."""

    name = serializers.CharField()
    values = serializers.ListField(
        child=serializers.JSONField(), help_text="The default first. Empty where they cannot be listed."
    )
    reads = serializers.ListField(
        child=serializers.CharField(),
        help_text="What it changes: generator, engine, sheet, ledger, comparison.",
    )
    meaning = TextsSerializer()
    which = TextsSerializer(required=False, help_text="What else it may be, where the values are not all.")


class ChosenSerializer(serializers.Serializer[Any]):
    """What the form is for."""

    options = serializers.DictField(child=serializers.JSONField(), help_text="All of them.")
    conditions = serializers.DictField(child=serializers.JSONField(), help_text="Those that are given.")


class ByLanguageSerializer(serializers.Serializer[Any]):
    en = serializers.DictField(child=serializers.JSONField())
    fr = serializers.DictField(child=serializers.JSONField())


class SheetDescriptionSerializer(serializers.Serializer[Any]):
    """The result sheet."""

    schema = ByLanguageSerializer(help_text="JSON Schema 2020-12, with labels.")
    form = ByLanguageSerializer(help_text="What a phone asks, and how: docs/forms.md.")
    columns = serializers.ListField(
        child=serializers.CharField(), help_text="The columns that it has in a club’s file."
    )
    example = serializers.DictField(child=serializers.JSONField(), help_text="Of a usual result.")


class DealLayoutSerializer(serializers.Serializer[Any]):
    """How a board is laid out, in the signs of docs/deals.md: for programs that deal it again."""

    seats = serializers.IntegerField()
    pack = serializers.CharField(help_text="In order, before it is shuffled.")
    bound = serializers.DictField(
        child=serializers.JSONField(),
        help_text="Options and conditions that are part of what a board comes from, with their defaults.",
    )
    dealt = serializers.CharField(help_text="Where the cards go, one after the other.")
    order = serializers.DictField(child=serializers.CharField(), help_text="What is sorted, “up” or “down”.")
    more = serializers.ListField(child=serializers.CharField(), help_text="What else a deal has.")


class WholeGameSerializer(GameSerializer):
    """A game, with the form of its result sheet."""

    options = SettingSerializer(many=True)
    conditions = SettingSerializer(many=True)
    chosen = ChosenSerializer()
    names = serializers.DictField(
        child=TextsSerializer(), help_text="What its phases, actions, choices and facts are called."
    )
    sheet = SheetDescriptionSerializer()
    deal = DealLayoutSerializer(allow_null=True, help_text="Null where docs/deals.md does not tell it.")


class PreviewWishSerializer(OnlyKnownFields):
    """A result sheet, and what is known of its board to everybody."""

    options = PlainObjectField(default=dict, help_text="By name; the defaults where they are left out.")
    conditions = PlainObjectField(default=dict, help_text="By name.")
    sheet = PlainObjectField()
    names = serializers.ListField(
        child=TextField(max_length=NAME), max_length=SEATS, default=list, help_text="Who sits where."
    )


class ShownFactSerializer(serializers.Serializer[Any]):
    """A line of the traveller, in the caller’s language."""

    fact = serializers.CharField(help_text="For programs; never translated.")
    words = serializers.CharField()
    points = serializers.IntegerField()
    value = serializers.CharField(allow_null=True)


class SeatMarksSerializer(serializers.Serializer[Any]):
    """What the sheet is worth to a seat. The points of its facts add up to its score."""

    seat = serializers.IntegerField()
    score = serializers.IntegerField(help_text="In the smallest unit.")
    averaged = serializers.BooleanField(
        help_text="Whether the score says nothing about its play: it gets an average."
    )
    facts = ShownFactSerializer(many=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """What a sheet says and would be worth."""

    unit = UnitSerializer()
    sentence = serializers.CharField(allow_null=True, help_text="What happened, in the caller’s language.")
    marks = SeatMarksSerializer(
        many=True, allow_null=True, help_text="By seat; null where they need the deal of the board."
    )
    facts = ShownFactSerializer(many=True, help_text="Of the table.")
