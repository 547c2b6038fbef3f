"""How allauth does things here: who may sign up, where callers come from, how mails are written, how the
secret of a second factor is kept."""

from base64 import urlsafe_b64encode
from contextlib import suppress
from hashlib import sha256
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation

from tournaments import vault
from tournaments.limits import address_of
from tournaments.models import Account

from .landing import page_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # theirs has no types for us
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGN_UP_OPEN)

    def get_client_ip(self, request: HttpRequest) -> str:
        return address_of(request.META)

    def save_user(self, request: HttpRequest, user: Account, form: Any, commit: bool = True) -> Account:
        user.name = form.cleaned_data["name"].strip()
        user.language = translation.get_language() or ""
        return super().save_user(request, user, form, commit)  # type: ignore[no-any-return]

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Where their work is. The language stays the page's: the account's is for mails."""
        return page_of(request.user) if isinstance(request.user, Account) else reverse("my-account")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In the language of whoever gets it, where that is known."""
        known = Account.objects.filter(email=email).exclude(language="").values_list("language", flat=True)
        with translation.override(known.first() or translation.get_language()):
            super().send_mail(template_prefix, email, context)


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def _get_site_name(self) -> str:
        return "Étui"

    def build_totp_svg(self, url: str) -> str:
        import segno  # only when somebody sets up a second factor

        return str(segno.make(url, micro=False).svg_inline(scale=4, border=4, light="white"))

    def encrypt(self, text: str) -> str:
        return str(vault.seal(text.encode()), "ascii")

    def decrypt(self, encrypted_text: str) -> str:
        from cryptography.fernet import InvalidToken

        sealed = encrypted_text.encode()
        with suppress(vault.CannotOpen):
            return str(vault.open_sealed(sealed), "utf-8")
        try:
            return str(_earlier_box().decrypt(sealed), "utf-8")
        except InvalidToken:  # stored under a key that is gone: no code fits
            return ""


def _earlier_box() -> Any:
    """What locked these secrets before the vault did, with SECRET_KEY."""
    from cryptography.fernet import Fernet, MultiFernet  # ten megabytes: only where it is needed

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet(
        [Fernet(urlsafe_b64encode(sha256(b"second factor:" + str(key).encode()).digest())) for key in keys]
    )
