"""What somebody fills in while somebody else saves another version of the same: the form keeps what was
filled in, shows both versions, and counts when it is sent again. Its page includes `parts/versions.html`."""

from collections.abc import Collection, Sequence
from datetime import date, time

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext

Versions = Sequence[tuple[str, str, str]]
"""Of each field that differs: its label, what is stored now, and what has been filled in here."""


def overtake(form: forms.Form, stored: forms.Form, reason: object, keys: Collection[str] = ()) -> None:
    """`stored`: the same form, unbound, as it would be drawn now; `reason`: what a service says of it. What
    was filled in stays, `versions` says where the two differ, and `seen` is what is stored now, so that
    sending it again counts. `keys`: fields that hold no words for people, and stand in none of them."""
    form.versions = both(form, stored, keys)  # type: ignore[attr-defined]
    form.add_error(None, still_here(reason))
    data = form.data.copy()  # type: ignore[attr-defined]
    data[form.add_prefix("seen")] = str(stored["seen"].value())
    form.data = data


def both(form: forms.Form, stored: forms.Form, keys: Collection[str] = ()) -> Versions:
    return [
        (str(field.label), theirs, own)
        for field in form.visible_fields()
        if field.name in stored.fields
        and field.name not in keys
        and (theirs := in_words(stored[field.name])) != (own := in_words(field))
    ]


def still_here(reason: object) -> str:
    """Why a form does not count yet, and what becomes of what was filled in."""
    return f"{reason} {gettext('What you have filled in is still here; sent again, it counts.')}"


def in_words(field: BoundField) -> str:
    """What a field says, for people; "" where it says nothing."""
    value = field.value()
    if isinstance(field.field, forms.MultipleChoiceField):
        chosen = {str(one) for one in value or ()}
        return ", ".join(str(label) for key, label in field.field.choices if str(key) in chosen)  # type: ignore[misc, union-attr]
    if isinstance(field.field, forms.ChoiceField):
        words = {str(key): str(label) for key, label in field.field.choices}  # type: ignore[misc, union-attr]
        return words.get("" if value is None else str(value), "")
    if isinstance(field.field, forms.BooleanField):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, date | time):
        return value.isoformat() if isinstance(value, date) else f"{value:%H:%M}"
    lines = (line.strip() for line in ("" if value is None else str(value)).splitlines())
    return "\n".join(line for line in lines if line)
