"""Rehearsals, field by field."""

from rest_framework import serializers

from ...services.rehearsals import LONGEST_SECONDS
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from .fields import FlagField


class NewRehearsalSerializer(OnlyKnownFields):
    """Which session robots rehearse, and how. The job's `outcome` names the copy as soon as it is there."""

    session = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    seconds = serializers.IntegerField(
        min_value=0, max_value=LONGEST_SECONDS, default=60, help_text="How long it takes; 0: at once."
    )
    slips = FlagField(default=True, help_text="Sheets with a slip, which are refused.")
    late = FlagField(default=True, help_text="A late table in each round.")
    disputes = FlagField(default=True, help_text="Sides that disagree, until the director rules.")
    no_show = FlagField(default=True, help_text="A contestant who does not come.")
    keep = FlagField(default=False, help_text="Leave the copy there afterwards, as a trial.")
