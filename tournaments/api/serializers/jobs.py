"""Long work, as whoever asked for it sees it."""

from typing import Any

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Job
from ..errors import ErrorDetailSerializer
from ..strict import OnlyKnownFields
from .fields import shown_object


class JobSerializer(serializers.ModelSerializer[Job]):
    progress = serializers.FloatField(read_only=True, help_text="From 0 to 1.")
    session = serializers.PrimaryKeyRelatedField[Any](
        read_only=True,
        allow_null=True,
        help_text="The one that the job changes or, once it is done, has made.",
    )
    outcome = shown_object(
        allow_null=True,
        help_text="Of a new plan, what it costs: its measures before and after. Of a rehearsal, its session. "
        "Of a second file of an evening on paper, what it changes.",
    )
    error = serializers.SerializerMethodField(help_text="Why a job has failed, in your language.")

    class Meta:
        model = Job
        fields = [
            *["id", "kind", "tournament", "session", "name", "state", "progress", "error", "outcome"],
            *["created_at", "started_at", "ended_at"],
        ]
        read_only_fields = fields

    @extend_schema_field(ErrorDetailSerializer(allow_null=True))
    def get_error(self, job: Job) -> Any:
        return job.error and job.error[(get_language() or "en")[:2]]


class JobStateSerializer(OnlyKnownFields):
    state = serializers.ChoiceField(choices=[Job.State.CANCELLED.value])
