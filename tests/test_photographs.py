"""The pictures of docs/pictures: each page has one, or a reason why not."""

from tests import photographs, scene_photographs
from tests.frontend.views import VIEWS


def test_each_page_has_a_picture_or_a_reason_why_not() -> None:
    """Whoever adds a page to VIEWS: the gallery's PAGES, if the gallery has it; else it comes from the scene,
    unless WITHOUT says why there is none."""
    gallery = photographs.routes_of_the_gallery()
    scene = {view.route for view in scene_photographs.views().values()}
    assert {view.route for view in VIEWS} - gallery - scene == scene_photographs.WITHOUT.keys()
    assert not gallery & scene_photographs.WITHOUT.keys()
    assert not photographs.PAGES.keys() & scene_photographs.views().keys(), "two pictures of one name"
