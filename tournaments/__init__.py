"""The service: tournaments, their boards, results and rankings. A Django project.

models    what is kept, and who may see it
services  what may be done, each one transaction
tasks     what workers do
api       REST, and the live stream
movements who sits where, when (pure functions)
"""

from pathlib import Path

from engines.phrases import look_up_in

__version__ = "0.1.0"

look_up_in("django", Path(__file__).parent / "locale")
