"""Accounts: how one is found, made, and what of it is written to the history."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, FormerName, Token
from ..models.people import fold
from . import history
from .errors import Conflict, Invalid, Missing


@transaction.atomic
def create(
    *, name: str, email: str | None = None, password: str | None = None, language: str = ""
) -> Account:
    """A new account. Conflict if its e-mail address is somebody's already, in whatever case."""
    name = name.strip()
    if not name:
        raise Invalid("no-name", _("An account needs a name."))
    account = Account(name=name, email=email or None, language=language)
    if password is not None:
        account.set_password(password)
    try:
        with transaction.atomic():
            account.save()
    except IntegrityError:
        message = _("There is already an account with this e-mail address: sign in with it.")
        raise Conflict("address-taken", message) from None
    history.note(account, "made account", account)
    return account


def of_name(text: str) -> Account:
    """The account that somebody means who types an e-mail address, a number or a name; a new one for a name
    that nobody has. Conflict lists the accounts where several have the name. The caller keeps others from
    making one for the same name meanwhile."""
    if (found := _only(text)) is not None:
        return found
    if is_address(text):
        return create(name=text.partition("@")[0], email=text)
    return create(name=text)


def existing(text: str) -> Account:
    """The same, but Missing where there is none yet."""
    if (found := _only(text)) is None:
        raise Missing("no-such-account", _("Nobody has the account “%(name)s”.") % {"name": text.strip()})
    return found


def staff() -> QuerySet[Account]:
    """The operators of the service."""
    return Account.objects.filter(is_staff=True).order_by("pk")


def _only(text: str) -> Account | None:
    found = list(_meant(text.strip()).order_by("pk")[:20])
    if len(found) > 1:
        listed = ", ".join(f"{one.pk} ({one.email or '–'})" for one in found)
        message = _(
            "Several accounts have the name “%(name)s”: say which, by number or e-mail: %(accounts)s."
        )
        raise Conflict("which-account", message % {"name": text.strip(), "accounts": listed})
    return found[0] if found else None


def _meant(text: str) -> QuerySet[Account]:
    if text.isascii() and text.isdecimal() and Account.objects.filter(pk=text).exists():
        return Account.objects.filter(pk=text)
    return Account.objects.filter(email=text) if is_address(text) else Account.objects.filter(name=text)


def is_address(text: str) -> bool:
    """Whether a text has the form of an e-mail address."""
    try:
        validate_email(text.strip())
    except ValidationError:
        return False
    return True


@transaction.atomic
def change(*, account: Account, name: str, language: str) -> None:
    """What somebody says of themselves. Others read the new name at once, wherever the account is named; the
    old one is kept for those rules that go by names (`who_plays.seats_of`)."""
    is_renamed, before = account.name != name.strip(), account.language
    if fold(account.name) != fold(name):
        FormerName.objects.create(account=account, folded=fold(account.name))
    account.name, account.language = name.strip(), language
    account.save(update_fields=["name", "language"])
    changes = {"language": (before, language)} if before != language else None
    history.note(account, "changed account", account, changes=changes, renamed=is_renamed)


@transaction.atomic
def set_active(*, account: Account, is_active: bool, actor: Account) -> None:
    """Shut somebody out, with all of their tokens, or let them sign in again. Conflict: nobody shuts
    themselves out."""
    if not is_active and account.pk == actor.pk:
        raise Conflict("own-account", _("You cannot shut yourself out: somebody else has to."))
    Account.objects.filter(pk=account.pk).update(is_active=is_active)
    if not is_active:
        own = Token.objects.filter(role__account=account, revoked_at=None)
        own.update(revoked_at=timezone.now())
    verb = "opened account" if is_active else "closed account"
    history.note(actor, verb, account, account=account.pk)


def set_staff(*, account: Account, is_staff: bool) -> None:
    """Make somebody an operator of the service, or no longer one: by an operator, on its machine."""
    account.is_staff = is_staff
    account.save(update_fields=["is_staff"])
    history.note(None, "made operator" if is_staff else "unmade operator", account, account=account.pk)


def note_sign_in_method(*, account: Account, change: str, method: str) -> None:
    """A way to sign in that was added, changed or removed, for the history."""
    history.note(account, change, account, method=method)
