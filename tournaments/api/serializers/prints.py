"""What is printed, field by field."""

from rest_framework import serializers

from ...printing import FORMATS
from ...services.prints import KINDS
from ..strict import OnlyKnownFields
from .fields import FlagField


class NewPrintSerializer(OnlyKnownFields):
    """What to print of a session, in one file."""

    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=list(KINDS)), min_length=1, max_length=len(KINDS)
    )
    size = serializers.ChoiceField(choices=list(FORMATS), default=FORMATS[0])
    duplex = FlagField(default=False)
    language = serializers.ChoiceField(choices=["en", "fr"], default="en")
