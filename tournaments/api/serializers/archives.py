"""Archives, field by field."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers

from ..strict import OnlyKnownFields


class NewArchiveSerializer(OnlyKnownFields):
    """An archive is whole: there is nothing to choose."""


class ArchiveUploadSerializer(OnlyKnownFields):
    """An archive that Étui has made, here or elsewhere."""

    file = serializers.FileField(max_length=200)

    def validate_file(self, file: Any) -> bytes:
        if file.size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise serializers.ValidationError(_("The file is too large."))
        return bytes(file.read())
