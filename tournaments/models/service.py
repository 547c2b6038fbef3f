"""What the service notes about itself."""

from __future__ import annotations

from django.db import models


class Worker(models.Model):
    """A worker that is, or was, at work. `seen_at`: its last sign of life."""

    name = models.CharField(max_length=200)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("name", name="worker_name_unique")]
