"""Lists by the end of their address: `…/boards.csv` is `…/boards/` with `Accept: text/csv`, and
`…/records.jsonl` likewise."""

import re
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ..services import play_records
from .tables import MEDIA_TYPES

BY_ENDING = {**MEDIA_TYPES, "jsonl": play_records.CONTENT_TYPE}
FILE = re.compile(rf"(/api/v1/.+)\.({'|'.join(BY_ENDING)})")


def as_files(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """For spreadsheets and browsers, which choose no `Accept`. What leaves as no table is refused there as
    with that `Accept`."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.method in {"GET", "HEAD"} and (match := FILE.fullmatch(request.path_info)):
            request.path_info = f"{match[1]}/"
            request.META["HTTP_ACCEPT"] = BY_ENDING[match[2]]
        return get_response(request)

    return answer
