"""A post that brings every message twice."""

from pathlib import Path

import pytest

from tests.running import both_kinds, campaign, serving

from .test_disturbed import check, evening

pytestmark = [pytest.mark.processes, campaign]


@both_kinds
def test_every_message_comes_twice(kind: str, tmp_path: Path) -> None:
    with serving(kind, tmp_path, workers=2, DJANGO_SETTINGS_MODULE="tests.settings_twice") as service:
        hall, events = evening(service, lambda *_: None)
        check(service, hall, events)
