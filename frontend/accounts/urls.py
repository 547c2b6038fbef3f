"""Addresses of people's pages. allauth's views keep the names that it asks for; they are imported when
somebody comes to one, so that a service on which nobody signs in does not hold them in memory."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, re_path
from django.utils.module_loading import import_string

from . import keeping, views


def later(name: str) -> Callable[..., HttpResponse]:
    """A view that is imported when it is called."""

    def view(request: HttpRequest, **named: Any) -> HttpResponse:
        answer: HttpResponse = import_string(name)(request, **named)
        return answer

    return view


def account(name: str) -> Callable[..., HttpResponse]:
    return later(f"allauth.account.views.{name}")


def second_factor(name: str) -> Callable[..., HttpResponse]:
    return later(f"allauth.mfa.{name}")


urlpatterns = [
    # Signing in
    path("account/sign-in/", account("login"), name="account_login"),
    path("account/sign-in/code/", account("request_login_code"), name="account_request_login_code"),
    path("account/sign-in/code/confirm/", account("confirm_login_code"), name="account_confirm_login_code"),
    path("account/sign-in/factor/", second_factor("base.views.authenticate"), name="mfa_authenticate"),
    path(
        "account/sign-in/passkey/", second_factor("webauthn.views.login_webauthn"), name="mfa_login_webauthn"
    ),
    path("account/sign-out/", account("logout"), name="account_logout"),
    path("account/sign-up/", account("signup"), name="account_signup"),
    path("account/closed/", account("account_inactive"), name="account_inactive"),
    path("account/again/", account("reauthenticate"), name="account_reauthenticate"),
    path("account/again/factor/", second_factor("base.views.reauthenticate"), name="mfa_reauthenticate"),
    path(
        "account/again/passkey/",
        second_factor("webauthn.views.reauthenticate_webauthn"),
        name="mfa_reauthenticate_webauthn",
    ),
    # Passwords and addresses
    path("account/password/", account("password_change"), name="account_change_password"),
    path("account/password/set/", account("password_set"), name="account_set_password"),
    path("account/reset/", account("password_reset"), name="account_reset_password"),
    path("account/reset/sent/", account("password_reset_done"), name="account_reset_password_done"),
    path(
        "account/reset/done/",
        account("password_reset_from_key_done"),
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^account/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account("password_reset_from_key"),
        name="account_reset_password_from_key",
    ),
    path("account/email/", account("email"), name="account_email"),
    path("account/email/sent/", account("email_verification_sent"), name="account_email_verification_sent"),
    re_path(
        r"^account/email/confirm/(?P<key>[-:\w]+)/$", account("confirm_email"), name="account_confirm_email"
    ),
    # Passkeys and the second factor
    path("account/factors/", second_factor("base.views.index"), name="mfa_index"),
    path("account/factors/app/", second_factor("totp.views.activate_totp"), name="mfa_activate_totp"),
    path(
        "account/factors/app/remove/", second_factor("totp.views.deactivate_totp"), name="mfa_deactivate_totp"
    ),
    path(
        "account/factors/codes/",
        second_factor("recovery_codes.views.view_recovery_codes"),
        name="mfa_view_recovery_codes",
    ),
    path(
        "account/factors/codes/new/",
        second_factor("recovery_codes.views.generate_recovery_codes"),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "account/factors/codes/file/",
        second_factor("recovery_codes.views.download_recovery_codes"),
        name="mfa_download_recovery_codes",
    ),
    path("account/passkeys/", second_factor("webauthn.views.list_webauthn"), name="mfa_list_webauthn"),
    path("account/passkeys/new/", second_factor("webauthn.views.add_webauthn"), name="mfa_add_webauthn"),
    path(
        "account/passkeys/<int:pk>/remove/",
        second_factor("webauthn.views.remove_webauthn"),
        name="mfa_remove_webauthn",
    ),
    path(
        "account/passkeys/<int:pk>/",
        second_factor("webauthn.views.edit_webauthn"),
        name="mfa_edit_webauthn",
    ),
    path("account/devices/", later("allauth.usersessions.views.list_usersessions"), name="usersessions_list"),
    # One's own account
    path("account/", views.my_account, name="my-account"),
    path("account/roles/<int:pk>/leave/", views.leave_role, name="leave-role"),
    path("account/tokens/", views.my_tokens, name="my-tokens"),
    path("account/tokens/<int:pk>/rotate/", views.rotate_token, name="rotate-token"),
    path("account/tokens/<int:pk>/revoke/", views.revoke_token, name="revoke-token"),
    path("account/kept/", keeping.kept, name="kept-form"),
    # Who may do what
    path("desk/clubs/", views.clubs_page, name="clubs"),
    path("desk/people/", views.people, name="people"),
    path("desk/clubs/<str:club>/people/", views.people, name="club-people"),
    path("desk/sessions/<int:session>/people/", views.people, name="session-people"),
    path("desk/roles/<int:pk>/revoke/", views.revoke_role, name="revoke-role"),
    path("desk/invitations/<int:pk>/withdraw/", views.withdraw_invitation, name="withdraw-invitation"),
    # Invitations, and the first start
    path("invitations/<int:pk>/", views.invitation, name="invitation"),
    path("set-up/", views.set_up, name="set-up"),
]
