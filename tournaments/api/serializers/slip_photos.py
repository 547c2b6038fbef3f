"""Photographs of paper slips, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import SlipPhoto
from ...services import slip_photos
from ...services.errors import Invalid
from ..strict import OnlyKnownFields
from . import plain_entries
from .fields import TextField


class NewSlipPhotoSerializer(OnlyKnownFields):
    """A photograph of the slip of a play. A table's own token needs not say which table it is."""

    photo = serializers.FileField(max_length=200, help_text="JPEG, PNG or WebP, 10 MB at most.")
    section = TextField(max_length=plain_entries.SECTION, default="A")
    table = serializers.IntegerField(
        min_value=1, max_value=plain_entries.HIGHEST_NUMBER, required=False, help_text="Of an official."
    )
    board = serializers.IntegerField(
        min_value=1, max_value=plain_entries.HIGHEST_NUMBER, help_text="Its number."
    )

    def validate_photo(self, file: Any) -> bytes:
        if file.size > slip_photos.BYTES_AT_MOST:
            raise Invalid("bad-photo", slip_photos.too_many_bytes(), {"field": "photo"})
        return bytes(file.read())


class SlipPhotoSerializer(serializers.ModelSerializer[SlipPhoto]):
    section = serializers.CharField(source="play.table.section.name")
    table = serializers.IntegerField(source="play.table.number")
    board = serializers.IntegerField(source="play.board.number")
    round = serializers.IntegerField(source="play.round")

    class Meta:
        model = SlipPhoto
        fields = ("id", "section", "table", "round", "board", "width", "height", "made_at")
