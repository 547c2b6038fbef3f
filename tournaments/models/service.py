"""What the service notes about itself."""

from __future__ import annotations

from django.db import models


class Worker(models.Model):
    """A worker that is, or was, at work. `seen_at`: its last sign of life; `swept_at`, `found`: when it last
    looked for work that was left undone, and how much of each task it found."""

    name = models.CharField(max_length=200)
    seen_at = models.DateTimeField()
    swept_at = models.DateTimeField(null=True)
    found = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint("name", name="worker_name_unique")]


class KeptAnswer(models.Model):
    """What a caller of the API was answered whose request had a key of its own, for a day: the same request
    again gets the same answer, and does nothing. `caller`: whoever holds the token; `key`, `request`: the
    SHA-256 of the key, and of what was asked for; `content`: the answer, sealed. It is stored in the
    transaction that did what was asked: as long as there is none (`status` is null), nothing has been done.
    """

    caller = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    request = models.CharField(max_length=64)
    begun_at = models.DateTimeField(db_index=True)
    status = models.PositiveSmallIntegerField(null=True)
    content = models.BinaryField(null=True)
    headers = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint("caller", "key", name="kept_answer_key_unique"),
            models.CheckConstraint(
                condition=models.Q(status=None, content=None)
                | models.Q(status__isnull=False, content__isnull=False),
                name="kept_answer_is_whole",
            ),
        ]
