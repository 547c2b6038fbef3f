"""A percentage as a language writes it, for everything that shows one: pages, prints and what the API says in
words."""

from django.utils.translation import pgettext


def in_percent(number: object) -> str:
    """A number as it is shown, with the sign: “60%” in English, “60 %” in French, with a narrow space that no
    line breaks."""
    return pgettext("percentage", "%(number)s%%") % {"number": number}
