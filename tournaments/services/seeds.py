"""The seeds of boards, and the keys that they are sealed with, as the secrets of second factors are: a key
that is old, or that somebody may have seen, goes."""

from contextlib import suppress
from typing import TypeVar

from django.apps import apps
from django.conf import settings
from django.db import transaction

from .. import vault
from ..models import BoardSet, Leg, Webhook

Sealed = TypeVar("Sealed", BoardSet, Leg, Webhook)
AT_ONCE = 500  # rows that are locked together
SETTLED_SECONDS = 4 * settings.TASK_SECONDS
"""After this, whoever sealed a seed with an older key has stored it: no task takes as long."""


class TooSoon(Exception):
    """The keys were changed a moment ago, and a process may still be storing what an older one sealed."""

    def __init__(self, seconds: float) -> None:
        minutes = int(seconds // 60) + 1
        super().__init__(
            f"The keys were changed a moment ago: older ones may be dropped in {minutes} minutes."
        )


def rotate() -> int:
    """Seal every seed with a new key, and keep the older ones; how many seeds were sealed again. Processes
    that run meanwhile take the new key the next time they seal. Where the keys are in the environment, the
    first of them is the new one already."""
    if vault.are_in_file():
        vault.add_key()
    return seal_again()


def drop_old_keys() -> tuple[int, int]:
    """Take away every key but the first, which seals all; how many seeds had to be sealed again before, and
    how many keys went (0 where they are in the environment: whoever put them there may take them away).
    TooSoon."""
    if vault.are_in_file() and (left := SETTLED_SECONDS - vault.seconds_since_change()) > 0:
        raise TooSoon(left)
    again = seal_again()
    return again, vault.drop_old_keys() if vault.are_in_file() else 0


def seal_again() -> int:
    """Seal with the first key what another one sealed; how many seeds that were. The time grows with all
    board sets and legs of events; a few hundred of them are locked at once."""
    _factors_again()
    for column in ("sealed_secret", "sealed_previous"):
        _all_again(Webhook, column)
    return _all_again(BoardSet) + _all_again(Leg)


def _all_again(model: type[Sealed], column: str = "sealed_seed") -> int:
    there = model.objects.exclude(**{column: None}).exclude(**{column: b""})
    ids = list(there.order_by("pk").values_list("pk", flat=True))
    return sum(_again(model, column, ids[start : start + AT_ONCE]) for start in range(0, len(ids), AT_ONCE))


@transaction.atomic
def _again(model: type[Sealed], column: str, ids: list[int]) -> int:
    rows = model.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    older = [one for one in rows if not vault.is_sealed_by_first(bytes(getattr(one, column) or b""))]
    for one in older:
        setattr(one, column, vault.sealed_again(bytes(getattr(one, column) or b"")))
    model.objects.bulk_update(older, [column])
    return len(older)


FACTORS = {"totp": "secret", "recovery_codes": "seed"}
"""What is sealed of somebody's second factor, by its type."""


@transaction.atomic
def _factors_again() -> None:
    """The same for the secrets of second factors. One that the vault cannot open stays as it is: an earlier
    release locked it with SECRET_KEY."""
    factors = apps.get_model("mfa", "Authenticator").objects.select_for_update(no_key=True)
    older = []
    for one in factors.filter(type__in=FACTORS).order_by("pk"):
        sealed = str(one.data.get(FACTORS[one.type], "")).encode()
        with suppress(vault.CannotOpen):
            if not vault.is_sealed_by_first(sealed):
                one.data[FACTORS[one.type]] = vault.sealed_again(sealed).decode()
                older.append(one)
    factors.bulk_update(older, ["data"])
