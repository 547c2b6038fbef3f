"""Webhooks of a club or of the federation: who is told, and what became of it."""

from typing import ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Club, Token, Webhook, WebhookDelivery, access
from ...services import webhooks
from ..filters import DeliveryFilters
from ..serializers.webhooks import (
    DeliverySerializer,
    DeliveryStateSerializer,
    NewWebhookSerializer,
    WebhookSerializer,
    WebhookStateSerializer,
    WebhookWithSecretSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals
from .events import run_club
from .ratings import NothingSerializer


class Webhooks(OnlyKnownParameters, GenericAPIView[Webhook]):
    """The addresses that are told what happens: those of your club, or of the federation. Whoever runs one of
    these makes one; its secret is in this answer alone."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = WebhookSerializer
    queryset = Webhook.objects.none()
    is_paged = True
    row: ClassVar = WebhookSerializer

    @extend_schema(responses={200: WebhookSerializer(many=True), **refusals(400)})
    def get(self, request: Request) -> Response:
        shown = self.paginate_queryset(own_webhooks(request))
        return self.get_paginated_response(WebhookSerializer(shown, many=True).data)

    @extend_schema(
        request=NewWebhookSerializer,
        responses={201: WebhookWithSecretSerializer, **refusals(400, 403, 409, 415)},
        examples=[
            OpenApiExample(
                "our site",
                {"name": "Our site", "url": "https://example.org/etui", "kinds": ["ranking.published"]},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        caller = caller_of(request)
        club = place_of(caller)
        given = NewWebhookSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made, secret = webhooks.add(club=club, actor=caller, **given.validated_data)
        return with_secret(made, secret)


class OneWebhook(OnlyKnownParameters, GenericAPIView[Webhook]):
    """A webhook of yours."""

    serializer_class = WebhookSerializer
    queryset = Webhook.objects.none()

    @extend_schema(responses={200: WebhookSerializer, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        return Response(WebhookSerializer(own_webhook(request, pk)).data)


class WebhookState(OnlyKnownParameters, GenericAPIView[Webhook]):
    """A webhook is switched off, and nothing is sent; or on again, from what happens then; or removed for
    good."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = WebhookStateSerializer
    queryset = Webhook.objects.none()

    @extend_schema(
        request=WebhookStateSerializer, responses={200: WebhookSerializer, **refusals(400, 403, 404, 415)}
    )
    def put(self, request: Request, pk: int) -> Response:
        webhook = own_webhook(request, pk)
        given = WebhookStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        to = given.validated_data["state"]
        return Response(
            WebhookSerializer(webhooks.change_state(webhook=webhook, actor=caller_of(request), to=to)).data
        )


class WebhookSecrets(OnlyKnownParameters, GenericAPIView[Webhook]):
    """A new secret, which is in this answer alone. For a day messages are signed with the one before, too."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = NothingSerializer
    queryset = Webhook.objects.none()

    @extend_schema(
        request=NothingSerializer,
        responses={201: WebhookWithSecretSerializer, **refusals(400, 403, 404, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        webhook = own_webhook(request, pk)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        return with_secret(*webhooks.rotate(webhook=webhook, actor=caller_of(request)))


class WebhookDeliveries(OnlyKnownParameters, GenericAPIView[WebhookDelivery]):
    """What was sent to a webhook in the last 30 days, and what was answered; `order=descending` begins with
    the newest. Whoever runs it sends a test, which says nothing."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = DeliverySerializer
    queryset = WebhookDelivery.objects.none()
    is_paged = True
    row: ClassVar = DeliverySerializer
    filters = DeliveryFilters

    @extend_schema(responses={200: DeliverySerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        own = WebhookDelivery.objects.filter(webhook=own_webhook(request, pk)).select_related("item")
        shown = self.paginate_queryset(own)
        return self.get_paginated_response(DeliverySerializer(shown, many=True).data)

    @extend_schema(
        request=NothingSerializer, responses={201: DeliverySerializer, **refusals(400, 403, 404, 409, 415)}
    )
    def post(self, request: Request, pk: int) -> Response:
        webhook = own_webhook(request, pk)
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        made = webhooks.test(webhook=webhook, actor=caller_of(request))
        return Response(DeliverySerializer(made).data, status=status.HTTP_201_CREATED)


class DeliveryState(OnlyKnownParameters, GenericAPIView[WebhookDelivery]):
    """A message waits to be sent again, by the id that it had, whatever became of it."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = DeliveryStateSerializer
    queryset = WebhookDelivery.objects.none()
    lookup_url_kwarg = "delivery"

    @extend_schema(
        request=DeliveryStateSerializer,
        responses={200: DeliverySerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def put(self, request: Request, pk: int, delivery: int) -> Response:
        own = WebhookDelivery.objects.filter(webhook=own_webhook(request, pk)).select_related("webhook")
        one = get_object_or_404(own, pk=delivery)
        given = DeliveryStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(DeliverySerializer(webhooks.replay(delivery=one, actor=caller_of(request))).data)


def own_webhooks(request: Request) -> QuerySet[Webhook]:
    """Those that the caller runs; 401 without a token."""
    return Webhook.objects.managed_by(caller_of(request)).select_related("club")


def own_webhook(request: Request, pk: int) -> Webhook:
    """One of these; 404 for another as for none."""
    return get_object_or_404(own_webhooks(request), pk=pk)


def place_of(caller: Token) -> Club | None:
    """The club that the caller runs, or None for an administrator of the federation; 403 for others."""
    club = run_club(caller)
    if club is None and not access.administers_federation(caller):
        raise PermissionDenied
    return club


def with_secret(webhook: Webhook, secret: str) -> Response:
    shown = {**WebhookSerializer(webhook).data, "secret": secret}
    return Response(shown, status=status.HTTP_201_CREATED)
