"""The parts of the design system as templates ask for them: docs/design-system.md."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.forms import BoundField
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from tournaments.compressing import STYLES, plain
from tournaments.models import Club, Session, Tournament
from tournaments.services.register_files import COLUMNS

from ..accounts.devices import device

register = template.Library()

# The widgets of Django, told apart by how they are drawn: everything else is a box to type or choose in.
TICKS = {"checkbox"}
LISTS = {"radioselect", "checkboxselectmultiple"}


@register.filter
def where(section: str, several: bool) -> str:
    """The name of a section, before a table’s number, where a session has several; else nothing."""
    return section if several else ""


@register.simple_tag
def styles(*components: str) -> SafeString:
    """The stylesheets of these components, one each; the page has those of the bar, buttons and notices."""
    return format_html_join(
        "\n",
        '<link rel="stylesheet" href="{}">',
        ((static(f"frontend/components/{c}.css"),) for c in components),
    )


@register.simple_tag
@cache
def script(name: str) -> SafeString:
    """The text of one of our scripts, to stand in the page itself: what comes before the first paint would be
    waited for."""
    return mark_safe(plain(name, (STYLES / name).read_bytes()).decode().strip())  # noqa: S308, ours


@register.simple_tag(takes_context=True)
def accent(context: template.Context) -> SafeString:
    """The attribute of the page that says its club's colour; nothing for the green, or without a club."""
    colour = _accent(context)
    return format_html(' data-accent="{}"', colour) if colour else SafeString("")


@register.simple_tag(takes_context=True)
def accent_styles(context: template.Context) -> SafeString:
    """The stylesheet of that colour, where it is needed."""
    if not _accent(context):
        return SafeString("")
    return format_html('<link rel="stylesheet" href="{}">', static("frontend/accents.css"))


def _accent(context: template.Context) -> str:
    club = shown_club(context)
    return "" if club is None else club.accent


def shown_club(context: Mapping[str, Any] | template.Context) -> Club | None:
    """The club that a page is about, by what it shows: one that would have to be asked for is none."""
    club, session = context.get("club"), context.get("session")
    if isinstance(club, Club):
        return club
    if isinstance(session, Session) and Session._meta.get_field("tournament").is_cached(session):
        tournament = session.tournament
        if Tournament._meta.get_field("club").is_cached(tournament):
            return tournament.club
    return None


@register.simple_tag
def club_logo(club: Club) -> SafeString:
    """The logo of a club, whose name stands beside it; nothing where it has none. Styles: "club"."""
    if not club.logo:
        return SafeString("")
    address = f"{reverse('club-logo', args=[club.slug])}?{club.logo[:12]}"
    return format_html(
        '<img class="clublogo" src="{}" width="{}" height="{}" alt="">',
        *(address, club.logo_width, club.logo_height),
    )


@register.filter
def without_placeholder(field: BoundField) -> BoundField:
    """The field with nothing in it that its label says already: allauth's forms say it twice."""
    field.field.widget.attrs.pop("placeholder", None)
    return field


@register.filter
def shape(field: BoundField) -> str:
    """How a field is drawn: "tick" (a box with its words beside it), "list" (several of these), or "box"."""
    kind = field.widget_type
    return "tick" if kind in TICKS else "list" if kind in LISTS else "box"


@register.filter
def device_name(agent: str) -> str:
    """“Firefox on Android”, of what a browser says of itself."""
    return device(agent)


@register.filter
def columns(names: list[str]) -> str:
    """Columns of a register as people know them: “given name, number”."""
    return ", ".join(str(COLUMNS[name].title) for name in names if name in COLUMNS)


@register.filter
def figures(rank: str | None) -> str:
    """A place without the sign of a tie; "" for none."""
    return (rank or "").removesuffix("=")


@register.filter
def of(by_key: Mapping[Any, Any], key: Any) -> Any:
    """What a mapping has for a key; None where it has nothing."""
    return by_key.get(key)


@register.filter
def is_shared(rank: str | None) -> bool:
    return (rank or "").endswith("=")


@register.filter
def aligned(number: str) -> SafeString:
    """A number whose part after the decimal keeps a place of its own, so that wholes stand under wholes.

    >>> aligned("61,81"), aligned("+5½"), aligned("7")
    ('61<span class="dec two">,81</span>', '+5<span class="dec half">½</span>', '7<span class="dec"></span>')
    """
    found = re.fullmatch(r"(.*?)([.,]\d+|[¼½¾])?", number, re.DOTALL)
    whole, rest = (found[1], found[2] or "") if found else (number, "")
    kind = "" if not rest else " half" if rest in "¼½¾" else " two"
    return format_html('{}<span class="dec{}">{}</span>', whole, kind, rest)
