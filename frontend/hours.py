"""An hour as people write it, of twenty-four. A browser's own field for it would follow the language of the
browser, and ask a club in Lyon for AM or PM because its computer was bought with English on it."""

import re
from datetime import time
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

WRITTEN = re.compile(
    r"(\d{1,2})(?:\s*[:.hH]\s*(\d{2})?|\s?(\d{2}))?\s*(?:([ap])\.?\s?m\.?)?", re.ASCII | re.IGNORECASE
)


def hour_of(text: str) -> time | None:
    """The hour that somebody has written; None if it is none.

    >>> [str(hour_of(one))[:5] for one in ("19:30", "1930", "19h30", "19 h", "9", "7.30 pm", "12 a.m.")]
    ['19:30', '19:30', '19:30', '19:00', '09:00', '19:30', '00:00']
    >>> hour_of("24:30"), hour_of("7:3"), hour_of("13 pm"), hour_of("soon")
    (None, None, None, None)
    """
    found = WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2] or found[3] or 0), (found[4] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half == "p")
    return time(hour, minute) if hour < 24 and minute < 60 else None


class HourInput(forms.TimeInput):
    """A field of five letters; a phone shows its digits."""

    def __init__(self) -> None:
        hints = {"inputmode": "numeric", "autocomplete": "off", "maxlength": "12", "class": "hour"}
        super().__init__(format="%H:%M", attrs=hints)


class HourField(forms.TimeField):
    widget = HourInput
    default_error_messages = {"invalid": _("Write the hour as 19:30 or 1930.")}

    def to_python(self, value: Any) -> time | None:
        if value in self.empty_values or isinstance(value, time):
            return super().to_python(value)
        if (found := hour_of(str(value))) is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return found
