"""What other sites need to show a ranking: the frame to put there, and where oEmbed tells of it."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from tournaments.models import Session

from .accounts.views import absolute

WIDTH, HEIGHT = 600, 480


def title(session: Session) -> str:
    return f"{session.tournament.name}, {session.name}"


def snippet(request: HttpRequest, session: Session, width: int = WIDTH, height: int = HEIGHT) -> str:
    """The frame that a site puts where the ranking is to stand, in the language in use."""
    address = absolute(request, reverse("ranking-embed", args=[session.pk]))
    frame = '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy"></iframe>'
    return format_html(frame, address, title(session), width, height)


def discovery(request: HttpRequest, session: Session) -> str:
    """Where oEmbed tells of the ranking that is being shown."""
    shown = absolute(request, reverse("ranking-page", args=[session.pk]))
    return f"{absolute(request, reverse('oembed'))}?{urlencode({'url': shown, 'format': 'json'})}"
