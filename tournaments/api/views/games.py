"""The games: what they are, how their results are asked for, and what a result sheet would be worth."""

import json
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from engines.contract import Option

from ...services import games
from ..conditional import same_for_all
from ..idempotency import NO_KEYS
from ..pagination import Order, cursor_of, links, size_of, slice_of
from ..serializers.fields import PlainJSONField
from ..serializers.games import (
    GameSerializer,
    PreviewSerializer,
    PreviewWishSerializer,
    WholeGameSerializer,
)
from ..strict import OnlyKnownParameters
from ..throttles import PerCaller, Previews
from .callers import refusals

SETTINGS = [
    OpenApiParameter(
        name,
        {"type": "object", "additionalProperties": {}},
        style="deepObject",
        explode=True,
        description=f"{what}: `{name}[{example}`. A value is JSON, or a bare word.",
    )
    for name, what, example in (
        ("options", "Variants by name", "four_aces]=allow"),
        ("conditions", "What is known of the board, by name", "dealer]=2"),
    )
]
SHEET = {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}, "names": ["Anna", "Bruno", "Chloé"]}
WORTH = {
    "unit": {"fr": "demi-vie", "en": "half life", "divisor": 2},
    "sentence": "Tricks: Anna 5, Bruno 3, Chloé 2.",
    "marks": [
        {
            **{"seat": seat, "score": score, "averaged": False},
            "facts": [{"fact": fact, "words": label, "points": score, "value": str(tricks)}],
        }
        for seat, score, tricks, fact, label in (
            (1, 1, 5, "first", "most tricks"),
            (2, -2, 3, "second", "second in tricks"),
            (3, 0, 2, "spared", "fewest tricks, spared"),
        )
    ],
    "facts": [],
}


class Games(OnlyKnownParameters, GenericAPIView[Any]):
    """Every game that can be played here, by its id. The same for everybody."""

    serializer_class = GameSerializer
    is_paged, may_descend = True, False
    row: ClassVar = GameSerializer
    order: ClassVar[Order] = {"place": int}

    @extend_schema(responses={200: GameSerializer(many=True), 304: None, **refusals(400)})
    def get(self, request: Request) -> Response:
        there = games.all_games()
        cursor, size = cursor_of(request, self.order), size_of(request)
        numbers, page = slice_of(len(there.content), cursor, size)
        shown = {**links(request, page), "results": [there.content[number] for number in numbers]}
        return same_for_all(request, there.digest, shown)


class OneGame(OnlyKnownParameters, GenericAPIView[Any]):
    """A game whole: its options and conditions, and its result sheet as JSON Schema, as columns, and as the
    form by which a program can ask for it that has never heard of the game. The form is for the options and
    conditions that you name, otherwise for the defaults. The same for everybody: keep it with its ETag."""

    serializer_class = WholeGameSerializer

    def known_parameters(self, request: Request) -> Collection[str]:
        game = games.with_id(self.kwargs["game"])
        return [*_named("options", game.options), *_named("conditions", game.conditions)]

    @extend_schema(parameters=SETTINGS, responses={200: WholeGameSerializer, 304: None, **refusals(400, 404)})
    def get(self, request: Request, game: str) -> Response:
        the_game = games.with_id(game)
        options = _given("options", the_game.options, request.query_params)
        conditions = _given("conditions", the_game.conditions, request.query_params)
        described = games.description(the_game, options, conditions)
        return same_for_all(request, described.digest, described.content)


class GamePreview(OnlyKnownParameters, GenericAPIView[Any]):
    """What a result sheet says and would be worth, by its options and by what everybody knows of the board:
    no deal is asked, nothing is stored. What only the cards rule out shows after the result is handed in."""

    serializer_class = PreviewWishSerializer
    throttle_classes = (PerCaller, Previews)
    idempotency = NO_KEYS

    @extend_schema(
        request=PreviewWishSerializer,
        responses={200: PreviewSerializer, **refusals(400, 404, 415)},
        examples=[
            OpenApiExample("three players of COM’ON!", SHEET, request_only=True),
            OpenApiExample("what they mark", WORTH, response_only=True, status_codes=["200"]),
        ],
    )
    def post(self, request: Request, game: str) -> Response:
        the_game = games.with_id(game)
        given = PreviewWishSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(PreviewSerializer(games.preview(the_game, **given.validated_data)).data)


def _named(group: str, options: Collection[Option]) -> list[str]:
    return [f"{group}[{option.name}]" for option in options]


def _given(group: str, options: Collection[Option], query: Mapping[str, str]) -> dict[str, Any]:
    """The options that a query names, with their values."""
    named = zip(options, _named(group, options), strict=True)
    return {option.name: _value(option, name, query[name]) for option, name in named if name in query}


def _value(option: Option, name: str, text: str) -> Any:
    """A value as JSON, or a bare word, as the option wants it."""
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        value = text
    try:
        value = PlainJSONField().run_validation(value)
    except ValidationError as error:
        raise ValidationError({name: error.detail}) from None
    if not option.accepts(value):
        raise ValidationError({name: [option.requirement().to(games.language())]})
    return value


def _no_number(name: str) -> None:
    raise ValueError(name)
