"""Files of results that are brought, field by field."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers

from ...services import brought_results
from ..strict import OnlyKnownFields
from .fields import is_plain_text, reason_field


class ResultFileSerializer(OnlyKnownFields):
    """A file of results of a session: CSV, XLSX, XML or JSON Lines, as docs/formats.md has them."""

    file = serializers.FileField(max_length=200)
    reason = reason_field()
    dry_run = serializers.BooleanField(default=False, help_text="Only say what the file would do.")

    def validate_file(self, file: Any) -> str:
        if file.size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise serializers.ValidationError(_("The file is too large."))
        text = brought_results.text_of(file.read())
        if not is_plain_text(text):
            raise serializers.ValidationError(_("This has characters that cannot be stored."))
        return text


class FileEffectsSerializer(serializers.Serializer[Any]):
    """How many results of a file do what."""

    new = serializers.IntegerField(help_text="There was none of this play.")
    changed = serializers.IntegerField(help_text="There was another one.")
    same = serializers.IntegerField(help_text="There already, and not handed in again.")
