"""What operators of the service look at: Django's admin, imported when one of them comes to it. Everything
can be read but secrets and hands, and hardly anything changed: services keep the rules and the history.
"""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.admin import AdminSite, ModelAdmin
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext_lazy as _

from tournaments import guards
from tournaments.models import Account, Club
from tournaments.services import accounts

from . import urls
from .accounts.views import account_of, has_second_factor

SECRETS = {
    "digest",
    "password",
    "sealed_seed",
    "sealed_secret",
    "sealed_previous",
    "data",
    "key",
    "session_key",
}
HANDS = {"content", "refusal", "facts", "sheet", "request", "progress"}
"""What was handed in tells hands of boards that may be in play, which nobody sees by being an operator."""

EDITABLE: dict[type[Model], tuple[str, ...]] = {Account: ("is_active",)}
"""What an operator changes here: somebody is shut out, or let in again."""
SEARCHED: dict[type[Model], tuple[str, ...]] = {
    Account: ("name", "email"),
    Club: ("name", "slug"),
    EmailAddress: ("email",),
}
COLUMNS = 6  # of a list, at most


class Operators(AdminSite):
    site_header = site_title = "Étui"
    index_title = _("What the service keeps")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return account_of(request).is_staff and has_second_factor(account_of(request))

    def logout(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        return redirect("account_change_password")


class ReadOnly(ModelAdmin):  # type: ignore[type-arg]  # theirs is generic for the checker alone
    """A model as it may be looked at."""

    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)

    @property
    def shown(self) -> list[Any]:
        every = self.model._meta.concrete_fields
        return [one for one in every if not one.primary_key and one.name not in SECRETS | HANDS]

    def get_fields(self, request: HttpRequest | None = None, obj: Model | None = None) -> list[Any]:
        return [one.name for one in self.shown]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """One's own account too: nobody shuts themselves out."""
        editable = () if obj == account_of(request) else EDITABLE.get(self.model, ())
        return [one.name for one in self.shown if one.name not in editable]

    def get_list_display(self, request: HttpRequest | None = None) -> list[Any]:
        """What needs no look at another table."""
        return ["pk", *[one.name for one in self.shown if not one.is_relation][:COLUMNS]]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Nothing is looked for by a query of one's own: it would tell what is not shown."""
        return False

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return SEARCHED.get(self.model, ())

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.model in EDITABLE and self.model._meta.db_table not in guards.GUARDS

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm[Any], change: bool) -> None:
        """By the services, as everywhere."""
        assert isinstance(obj, Account)
        accounts.set_active(account=obj, is_active=obj.is_active, actor=account_of(request))


site = Operators(name="admin")
for model in [*apps.get_app_config("tournaments").get_models(), Authenticator, EmailAddress]:
    site.register(model, ReadOnly)

# While somebody is here, addresses are found among these: `accounts.views.operators`.
urlpatterns = [path("admin/", site.urls), *urls.urlpatterns]
