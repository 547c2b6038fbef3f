"""Times by the clock of a session's club, for templates."""

from django import template

from ..clocks import begins

register = template.Library()
register.filter("begins", begins)
