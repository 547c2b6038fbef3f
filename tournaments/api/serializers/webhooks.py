"""Webhooks and their deliveries, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import FeedItem, Webhook, WebhookDelivery
from ..strict import OnlyKnownFields
from .fields import TextField


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """An address that is told what happens. Its secret is shown once, when it is made."""

    club = serializers.SlugRelatedField[Any](
        slug_field="slug", read_only=True, help_text="Its short name; null for the federation’s."
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=FeedItem.Kind.choices), help_text="None for all."
    )
    state: Any = serializers.ChoiceField(choices=["on", "off"])
    previous_until = serializers.DateTimeField(
        allow_null=True, help_text="Until when messages are signed with the secret before, too."
    )

    class Meta:
        model = Webhook
        fields = ["id", "club", "name", "url", "kinds", "state", "made_at", "off_at", "previous_until"]


class WebhookWithSecretSerializer(WebhookSerializer):
    """The same, with the secret that it signs with from now on: it is shown nowhere else."""

    secret = serializers.CharField(read_only=True)

    class Meta:
        model = Webhook
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class NewWebhookSerializer(OnlyKnownFields):
    name = TextField(max_length=80, help_text="What it is for: “Our site”.")
    url = TextField(max_length=500, help_text="It begins with `https://`.")
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=FeedItem.Kind.choices),
        default=list,
        max_length=len(FeedItem.Kind),
        help_text="What it is told of; none for everything.",
    )


class WebhookStateSerializer(OnlyKnownFields):
    state: Any = serializers.ChoiceField(choices=["on", "off", "removed"])


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """A message, and what became of it."""

    message = serializers.CharField(source="key", help_text="Its `webhook-id`, the same at each try.")
    kind = serializers.CharField(help_text="Of the item of the feed; or `test`.")
    item = serializers.IntegerField(
        source="item.position", default=None, allow_null=True, help_text="Its `id` in the feed."
    )
    state = serializers.ChoiceField(choices=WebhookDelivery.State.choices)

    class Meta:
        model = WebhookDelivery
        fields = [
            *["id", "message", "kind", "item", "state", "made_at", "attempts", "next_at", "sent_at"],
            *["status", "error"],
        ]


class DeliveryStateSerializer(OnlyKnownFields):
    state: Any = serializers.ChoiceField(choices=["waiting"])
