"""Every page of the site, as each of its people sees it."""

import pytest

from tests.frontend.scene import ELSEWHERE, VIEWS, Scene
from tests.frontend.test_who_may import routes


def test_each_page_is_among_those_that_are_looked_at() -> None:
    """`make campaign-pages` photographs VIEWS: whoever adds a page adds it there, or says why not."""
    pages = {route.name for route in routes() if "GET" in route.methods and not route.is_api}
    assert pages - {one.route for one in VIEWS} - ELSEWHERE.keys() == set()
    assert ({one.route for one in VIEWS} | ELSEWHERE.keys()) - pages == set()
    names = [one.name for one in VIEWS]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.django_db
def test_try() -> None:
    scene = Scene.set()
    wrong = []
    for view in VIEWS:
        try:
            view.answer(scene, "fr")
        except AssertionError as e:
            wrong.append(str(e).split("\n")[0])
        except Exception as e:
            wrong.append((view.name, repr(e)[:300]))
    for one in wrong:
        print(one)
    assert not wrong
