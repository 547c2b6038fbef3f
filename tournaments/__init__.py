"""The service: tournaments, their boards, results and rankings. A Django project.

models    what is kept, and who may see it
services  what may be done, each one transaction
tasks     what workers do
api       REST, and the live stream
movements who sits where, when (pure functions)
"""

from .celery import app as celery_app

__all__ = ["celery_app"]
