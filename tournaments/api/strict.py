"""Nothing that a caller sends is ignored: a field or query parameter that is not known is refused by name."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, cast

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django_filters import FilterSet
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers, status
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from .conditional import by_content
from .idempotency import KEPT, NO_KEYS, key_of, once
from .operations import MADE
from .pagination import ORDER, PAGE_PARAMETERS
from .tables import LIST_FORMS, is_for_table, whole

MAKING = (status.HTTP_201_CREATED, status.HTTP_202_ACCEPTED)


def is_to_be_kept(answer: HttpResponseBase) -> bool:
    """Whether a caller may keep it, and it says nothing yet of when it is another."""
    if answer.status_code != status.HTTP_200_OK or answer.streaming or "ETag" in answer.headers:
        return False
    return "no-store" not in answer.headers.get("Cache-Control", "")


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
    """A view that takes the query parameters in `parameters`, and no others; those of pages and of its
    `filters` if it `is_paged`. `may_descend`: pages that are also read from the last row to the first.
    What it answers depends on who asks. `idempotency`: what it does with the keys of requests. A list that
    says what a `row` of it is also leaves whole, as a table; `rows_in`: where a page has its rows."""

    parameters: ClassVar[Collection[str]] = ()
    is_paged: ClassVar[bool] = False
    may_descend: ClassVar[bool] = True
    filters: ClassVar[type[FilterSet] | None] = None
    idempotency: ClassVar[str] = KEPT
    row: ClassVar[type[serializers.BaseSerializer[Any]] | None] = None
    rows_in: ClassVar[str] = "results"

    @property
    def default_response_headers(self) -> dict[str, str]:
        varies = "Authorization" if self.row is None else "Accept, Authorization"
        return {**super().default_response_headers, "Vary": varies}

    def get_renderers(self) -> list[BaseRenderer]:
        if self.row is None:
            return super().get_renderers()
        return [form() for form in LIST_FORMS]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = [*self.known_parameters(request)]
        if self.is_paged and request.method in {"GET", "HEAD"}:
            known += [one.name for one in PAGE_PARAMETERS] + [ORDER.name] * self.may_descend
            known += self.filters.base_filters if self.filters else ()
        if unknown := strangers(request.query_params, known):
            raise serializers.ValidationError(unknown)
        if self.row is not None and request.method == "GET" and is_for_table(request):
            name = request.resolver_match.url_name if request.resolver_match else None
            take = whole(getattr(self, "get"), name=name or "list", key=self.rows_in, row=self.row)  # noqa: B009
            setattr(self, "get", take)  # noqa: B010 - some have none
        if request.method != "POST" or self.idempotency == NO_KEYS:
            return
        if (key := key_of(request)) is not None and self.idempotency == KEPT:
            setattr(self, "post", once(request, key, getattr(self, "post")))  # noqa: B009, B010 - some have none

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if request.method == "GET" and is_to_be_kept(answer):
            if not isinstance(answer, Response):  # a file
                return by_content(request, answer) or answer
            answer.add_post_render_callback(partial(by_content, request))
        if isinstance(response, Response) and isinstance(response.data, Mapping):
            if links := links_of(response.data):
                answer.headers["Link"] = links
            if response.status_code in MAKING and (place := self.place_of(response.data)):
                answer.headers["Location"] = place
        return answer

    def place_of(self, made: Mapping[str, Any]) -> str | None:
        """The address of what was made, if it has one."""
        match = self.request.resolver_match
        place = MADE.get(match.url_name or "") if match else None
        if place is None:
            return None
        return reverse(place.route, kwargs={**self.kwargs, place.argument: made[place.field]})

    def known_parameters(self, request: Request) -> Collection[str]:
        """The query parameters of this request, but for those of pages."""
        return self.parameters


def links_of(page: Mapping[str, Any]) -> str:
    """The neighbours of a page as the header `Link` says them (RFC 8288)."""
    relations = {"next": page.get("next"), "prev": page.get("previous")}
    return ", ".join(f'<{address}>; rel="{relation}"' for relation, address in relations.items() if address)


class OnlyKnownFieldsInSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # theirs is untyped
    """The description says so too; and that an answer made of a row has all its fields."""

    target_class = serializers.BaseSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        if direction == "request" and isinstance(self.target, OnlyKnownFields):
            return {**schema, "additionalProperties": False}
        if direction == "response" and isinstance(self.target, serializers.ModelSerializer):
            return {**schema, "required": sorted(schema["properties"])}
        return schema
