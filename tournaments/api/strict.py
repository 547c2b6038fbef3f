"""Nothing that a caller sends is ignored: a field or query parameter that is not known is refused by name."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar, cast

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from .idempotency import KEPT, key_of, once
from .pagination import PAGE_PARAMETERS


def strangers(given: Iterable[str], known: Collection[str]) -> dict[str, list[str]]:
    """The names that are not known, each with what there is in their place."""
    message = _("This name is not known here. Known names: %(known)s.") % {"known": ", ".join(known) or "–"}
    return {name: [message] for name in given if name not in known}


class OnlyKnownFields(serializers.Serializer[Any]):
    """A serializer of requests: it takes the fields that it can write and no others."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return super().to_internal_value(data)
        unknown = strangers(data, [name for name, field in self.fields.items() if not field.read_only])
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**cast(dict[str, Any], error.detail), **unknown}) from None
        if unknown:
            raise serializers.ValidationError(unknown)
        return value


class OnlyKnownParameters(APIView):
    """A view that takes the query parameters in `parameters`, and no others; those of pages if it `is_paged`.
    What it answers depends on who asks. `idempotency`: what it does with the keys of requests."""

    parameters: ClassVar[Collection[str]] = ()
    is_paged: ClassVar[bool] = False
    idempotency: ClassVar[str] = KEPT

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {**super().default_response_headers, "Vary": "Authorization"}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = [*self.known_parameters(request)]
        if self.is_paged and request.method in {"GET", "HEAD"}:
            known += [one.name for one in PAGE_PARAMETERS]
        if unknown := strangers(request.query_params, known):
            raise serializers.ValidationError(unknown)
        if request.method == "POST" and self.idempotency == KEPT and (key := key_of(request)) is not None:
            setattr(self, "post", once(request, key, getattr(self, "post")))  # noqa: B009, B010 - some have none

    def known_parameters(self, request: Request) -> Collection[str]:
        """The query parameters of this request, but for those of pages."""
        return self.parameters


class OnlyKnownFieldsInSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # theirs is untyped
    """The description says so too."""

    target_class = OnlyKnownFields
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False} if direction == "request" else schema
