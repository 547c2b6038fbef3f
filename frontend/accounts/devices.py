"""What somebody signed in with, from what the browser says of itself: enough to know one's own again."""

from django.utils.translation import gettext as _

# In this order: Edge and Opera say that they are Chrome, and Chrome that it is Safari.
BROWSERS = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox")),
    *(("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari")),
)
SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows")),
    *(("CrOS", "ChromeOS"), ("Mac OS", "Mac"), ("Linux", "Linux")),
)


def device(agent: str) -> str:
    """The browser and what it runs on: “Firefox on Android”. What is unknown is left out.

    >>> device("Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0")
    'Firefox on Android'
    >>> device("curl/8.5.0")
    'another program'
    """
    browser = next((name for mark, name in BROWSERS if mark in agent), "")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("another program")
