"""What movements are called on pages."""

from django.utils.translation import gettext_lazy as _

from tournaments.services.movement_files import FILE

WORDS = {
    "kirkman": ("Kirkman", ""),
    "rainbow": (_("Rainbow"), _("everybody keeps their line")),
    "rotated-rainbow": (_("Rotated rainbow"), _("boards travel, lines change")),
    "mitchell": ("Mitchell", _("half of them stay where they are")),
    "switched-mitchell": (_("Switched Mitchell"), _("some rounds change lines")),
    "relay-mitchell": (_("Relay Mitchell"), _("two tables share boards")),
    "web-mitchell": (_("Web Mitchell"), _("few boards at many tables")),
    "howell": ("Howell", ""),
    "round-robin": (_("Round robin"), ""),
    "plane": (_("Plane"), ""),
    "annealed": (_("Made to measure"), ""),
    FILE: (_("From your file"), _("seats and boards stay as they are")),
    "swiss": (_("Swiss"), _("equals meet equals, nobody meets anybody twice")),
    "team-swiss": (_("Swiss of teams"), _("two pairs are a team: 1 and 2, 3 and 4…")),
    "team-round-robin": (_("Round robin of teams"), _("every team meets every other")),
    "knock-out": (_("Knock-out"), _("the winners go on")),
    "team-knock-out": (_("Knock-out of teams"), _("the winning teams go on")),
}
"""By family: its name, and what is said of it beside the others."""


def movement_name(family: str) -> str:
    """How pages call the movements of a family."""
    return str(WORDS[family][0]) if family in WORDS else family


def layout_words(layout: str) -> str:
    """What people call a layout, or several of them, by the name that the service keeps: its family and
    its sizes.

    >>> layout_words("rotated-rainbow-15x10"), layout_words("tuesdays.csv")
    ('Rotated rainbow 15 × 10', 'tuesdays.csv')
    """
    return " + ".join(map(_one_layout, layout.split(" + ")))


def _one_layout(layout: str) -> str:
    families = [one for one in WORDS if layout == one or layout.startswith(f"{one}-")]
    if not families:
        return layout
    family = max(families, key=len)
    sizes = layout[len(family) + 1 :].replace("-", ", ").replace("x", " × ")
    return f"{WORDS[family][0]} {sizes}".strip()
