"""What a club has of its own, at the desk: clock, town, colour and logo, templates, the catalogue."""

import re
from dataclasses import replace
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments.test_logos import a_picture
from tests.tournaments.worlds import a_club, a_session
from tournaments.models import (
    AwardFormula,
    CataloguePenalty,
    Club,
    Draft,
    HistoryEntry,
    Session,
    SessionTemplate,
)
from tournaments.models.accounts import RoleKind
from tournaments.services import drafts, rounds, session_wishes, templates, typed_contestants
from tournaments.services.errors import Conflict, Stale

from .test_desk import THIRTEEN, Visitor, an_account, at_desk

pytestmark = pytest.mark.django_db


def page_of(name: str, club: Club | None = None, query: str = "") -> str:
    return reverse(name, args=[(club or a_club()).slug]) + query


def sends(visitor: Visitor, content: bytes, name: str = "logo.png") -> Visitor:
    """Choose a file and press the button beside it."""
    sent = {"way": "logo", "logo": SimpleUploadedFile(name, content)}
    return visitor._at(visitor.client.post(page_of("club-settings"), sent, follow=True))


# ── Clock, town, colour, logo ─────────────────────────────────────────────────────────────────────


def test_a_club_says_its_clock_its_town_and_its_colour() -> None:
    visitor = at_desk().open(page_of("club-settings"))
    visitor.press("Save", time_zone="Nowhere/Else")
    assert visitor.answer.status_code == 400
    visitor.press("Save", time_zone="America/Montreal", accent="crimson")
    assert visitor.answer.status_code == 400
    visitor.press("Save", time_zone="America/Toronto", town="Saint-Rémy", accent="plum")
    club = Club.objects.get()
    assert (club.time_zone, club.town, club.accent) == ("America/Toronto", "Saint-Rémy", "plum")
    assert '<html lang="en" data-accent="plum">' in visitor.text
    assert "frontend/accents.css" in visitor.text
    entry = HistoryEntry.objects.get(verb="mended")
    assert entry.changes["accent"] == ["", "plum"]
    a_session(published=True)
    everybody = Client(HTTP_HOST="localhost")
    for address in (
        reverse("public-club", args=[club.slug]),
        reverse("ranking-page", args=[Session.objects.get().pk]),
    ):
        assert 'data-accent="plum"' in everybody.get(address).content.decode()
    assert "data-accent" not in everybody.get(reverse("home")).content.decode()
    assert "data-accent" not in visitor.open(reverse("desk")).text


def test_a_logo_is_shown_on_the_club_s_pages_and_a_bad_one_keeps_the_old() -> None:
    session = a_session(published=True)
    club = session.tournament.club
    visitor = sends(at_desk(), a_picture())
    assert "show this logo now" in visitor.text
    first = Club.objects.get().logo
    assert "Drawings such as SVG are not taken" in sends(visitor, b"<svg/>", "logo.svg").text
    assert visitor.answer.status_code == 400
    assert "2 MB at most" in sends(visitor, b"\0" * 2_100_000).text
    assert sends(visitor, b"").answer.status_code == 400
    assert Club.objects.get().logo == first
    address = reverse("club-logo", args=[club.slug])
    everybody = Client(HTTP_HOST="localhost")
    for page in ("public-club", "ranking-page", "screen-page"):
        where = reverse(page, args=[club.slug if page == "public-club" else session.pk])
        shown = re.search(
            r'<img class="clublogo" src="([^"]*)" width="320" height="160" alt="">',
            everybody.get(where).content.decode(),
        )
        assert shown, page
        assert shown[1].startswith(f"{address}?{first[:12]}")
    answer = everybody.get(address)
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert answer.content.startswith(b"RIFF")
    visitor.press("Remove the logo")
    assert everybody.get(address).status_code == 404
    assert "clublogo" not in everybody.get(reverse("public-club", args=[club.slug])).content.decode()


def test_the_logo_of_a_club_of_which_nothing_is_public_is_for_those_who_work_there() -> None:
    a_session()
    visitor = sends(at_desk(), a_picture())
    address = reverse("club-logo", args=[a_club().slug])
    assert Client(HTTP_HOST="localhost").get(address).status_code == 404
    stranger = an_account("Eve", "Club B")
    assert at_desk(stranger).client.get(address).status_code == 404
    answer = visitor.client.get(address)
    assert (answer.status_code, answer["Cache-Control"].partition(",")[0]) == (200, "private")


# ── Templates ─────────────────────────────────────────────────────────────────────────────────────


def a_template(name: str = "Tuesday", **wish: object) -> SessionTemplate:
    said = session_wishes.SessionWish(
        **{"game": "hombre", "begins": "20:00", "ends": "23:00", "reserves": 1, **wish}
    )
    return templates.add(club=a_club(), actor=None, name=name, wish=said)


def test_how_many_boards_are_played_is_of_the_game_for_which_it_was_said() -> None:
    a_template(boards=3)
    visitor = at_desk().press("New session").press("Continue", game="loba")
    wish = session_wishes.wish_of(Draft.objects.get())
    assert (wish.game, wish.boards) == ("loba", None), "the hours say how many there is time for"
    visitor.open(reverse("draft-step", args=[Draft.objects.get().pk, "game"])).press("Continue", game="loba")
    assert session_wishes.wish_of(Draft.objects.get()).begins == "20:00"


@pytest.mark.parametrize("between", [" / ", "/", " - ", " – ", " & "])
def test_partners_are_two_however_they_are_set_apart(between: str) -> None:
    typed = f"Marie-Claire Durand{between}Jean-Luc Petit"
    (pair,) = typed_contestants.read_contestants(a_club(), typed, each=2)
    assert pair.members == ("Marie-Claire Durand", "Jean-Luc Petit")


def test_a_template_is_kept_changed_made_the_usual_one_and_removed() -> None:
    visitor = at_desk().open(page_of("club-templates"))
    visitor.press("Keep this template", name="Tuesday", game="hombre", begins="20:00", ends="20:00")
    assert "It has to end later than it begins." in visitor.text
    visitor.press("Keep this template", ends="23:00", minutes="8")
    one = SessionTemplate.objects.get()
    assert (one.is_usual, templates.wish_of(one).minutes) == (True, 8)
    visitor.press("Keep this template", name="Tuesday", game="loba")
    assert visitor.answer.status_code == 409
    assert "has a template “Tuesday” already" in visitor.text
    visitor.press("Keep this template", name="Sunday")
    other = SessionTemplate.objects.get(name="Sunday")
    visitor.press("Make it the usual one")
    assert [found.pk for found in templates.of(a_club())] == [other.pk, one.pk]
    first = visitor.open(reverse("club-template", args=[a_club().slug, one.pk]))
    second = at_desk(an_account("Bea")).open(first.path)
    first.press("Save", name="Tuesday evening", boards="24")
    one.refresh_from_db()
    assert (one.name, templates.wish_of(one).boards) == ("Tuesday evening", 24)
    second.press("Save", name="Wednesday")
    assert second.answer.status_code in {400, 409}
    assert "Somebody else has changed this template meanwhile" in second.text
    visitor.open(page_of("club-templates")).press("Remove")
    assert [found.pk for found in templates.of(a_club())] == [one.pk]
    assert visitor.client.get(reverse("club-template", args=[a_club().slug, other.pk])).status_code == 404


def test_what_somebody_else_has_changed_is_not_overwritten_and_a_club_has_so_many() -> None:
    one = a_template()
    wish = templates.wish_of(one)
    templates.change(template=one, actor=None, name="Tuesdays", wish=wish, seen=0)
    with pytest.raises(Stale):
        templates.change(template=one, actor=None, name="Wednesdays", wish=wish, seen=0)
    for number in range(1, templates.MOST):
        a_template(f"Evening {number}")
    with pytest.raises(Conflict, match="20 templates at most"):
        a_template("One more")


def test_a_session_begins_as_a_template_with_who_is_there_left_to_say() -> None:
    """Five clicks from the desk to a session that can start; docs/testing.md says so."""
    a_session()  # the club has a tournament
    a_template(method="total-points", custody="none")
    visitor = at_desk()
    visitor.press("Tuesday")
    assert visitor.path.endswith("/contestants/"), "the game, the boards and the comparison are said"
    visitor.press("Continue", **visitor.fill(contestants="\n".join(THIRTEEN)))
    visitor.press("Continue").press("Set up the session")
    session = Session.objects.latest("pk")
    assert (session.game, session.method, session.board_set.custody) == ("hombre", "total-points", "none")
    assert len((session.board_set.manifest or {})["reserves"]) == 1
    assert session.starts_at is not None
    assert session.starts_at.astimezone(session.tournament.club.zone).strftime("%H:%M") == "20:00"
    assert visitor.clicks == 5


def test_a_new_session_begins_with_the_usual_template_and_every_step_to_be_looked_at() -> None:
    a_template(boards=20)
    draft = drafts.begin(club=a_club(), actor=an_account(), today=date(2026, 11, 24))
    wish = session_wishes.wish_of(draft)
    assert (wish.game, wish.boards, wish.begins, wish.done) == ("hombre", 20, "20:00", ())
    assert (
        "template"
        not in at_desk(an_account("Bea", "Club B")).open(page_of("new-session", a_club("Club B"))).text
    )


def test_a_session_is_kept_as_a_template_with_its_options_until_another_game_is_chosen() -> None:
    session = a_session(reserves=2, method="butler")
    visitor = at_desk().open(page_of("club-templates", query=f"?like={session.pk}"))
    visitor.press("Keep this template", name="Like it")
    wish = templates.wish_of(SessionTemplate.objects.get())
    assert (wish.game, wish.method, wish.reserves) == ("comon", "butler", 2)
    assert (wish.options, wish.method_options) == (session.options, session.method_options)
    visitor.open(reverse("club-template", args=[a_club().slug, SessionTemplate.objects.get().pk]))
    visitor.press("Save", game="hombre", method="matchpoints")
    wish = templates.wish_of(SessionTemplate.objects.get())
    assert (wish.options, wish.method_options) == ({}, {})
    foreign = a_session(club="Club B")
    assert visitor.client.get(page_of("club-templates", query=f"?like={foreign.pk}")).status_code == 404
    template = templates.add(club=a_club("Club B"), actor=None, name="Theirs", wish=wish)
    for address in (page_of("club-templates"), page_of("new-session")):
        for way in ("usual", "remove"):
            sent = {"way": way, "template": template.pk}
            assert visitor.client.post(address, sent).status_code == 404
    assert Draft.objects.count() == 0


# ── The catalogue ─────────────────────────────────────────────────────────────────────────────────


def test_penalties_are_added_and_retired_on_a_page() -> None:
    visitor = at_desk().open(page_of("club-catalogue"))
    for amount in ("0", "-1", "x", "1/0", "9" * 30):
        visitor.press("Add it", name="Slow play", amount=amount)
        assert visitor.answer.status_code == 400, amount
    visitor.press("Add it", name="Slow play", amount="2,5", unit="percent", kind="penalty")
    entry = CataloguePenalty.objects.get()
    assert (entry.amount, entry.unit, entry.kind) == ("5/2", "percent", "penalty")
    visitor.press("Add it", name="Slow play", amount="3")
    assert visitor.answer.status_code == 409
    assert "retire it first" in visitor.text
    visitor.press("Retire")
    entry.refresh_from_db()
    assert entry.retired_at is not None
    assert "Nothing is in it yet." in visitor.text
    scorer = at_desk(an_account("Sam", kind=RoleKind.SCORER))
    assert scorer.client.get(page_of("club-catalogue")).status_code == 404


# ── Formulas for master points ────────────────────────────────────────────────────────────────────


def test_formulas_are_added_and_retired_on_a_page() -> None:
    visitor = at_desk().open(page_of("desk-formulas"))
    visitor.press("Add it", name="Ours", text="1 / beaten")
    assert visitor.answer.status_code == 400
    assert "Column 3: what is divided by here may be 0 or less" in visitor.text
    visitor.press("Add it", name="Ours", text="4: 1 0.5\r\n8: 1.5 1 0.5")
    assert AwardFormula.objects.get().text == "4: 1 0.5\n8: 1.5 1 0.5"
    assert ">0.50</td>" in visitor.text, "what it gives is shown"
    visitor.press("Add it", name="Ours", text="place")
    assert visitor.answer.status_code == 409
    visitor.press("Retire")
    assert "The club has none yet." in visitor.text
    scorer = at_desk(an_account("Sam", kind=RoleKind.SCORER))
    assert scorer.client.get(page_of("desk-formulas")).status_code == 404


# ── The clock of a session that is set up again ───────────────────────────────────────────────────


def test_a_session_like_another_has_its_clock() -> None:
    session = a_session()
    pace = rounds.Pace(duration=1500, warning=300, grace=120, pause_before=180)
    rounds.pace(session=session, actor=None, pace=pace)
    visitor = at_desk().press("Like “Evening”")
    visitor.press("Continue").press("Continue").press("Set up the session")
    copied = Session.objects.latest("pk")
    assert copied.pk != session.pk
    assert copied.is_paced
    assert {
        rounds.Pace(*(getattr(one, name) for name in rounds.Pace._fields)) for one in copied.rounds.all()
    } == {pace}
    rounds.stop_pacing(session=session, actor=None)
    assert (
        drafts.like(Session.objects.select_related("tournament__club", "board_set").get(pk=session.pk)).pace
        is None
    )


def test_a_second_session_of_a_day_keeps_its_number_until_it_is_another_day() -> None:
    session, today, later = a_session(), date(2026, 11, 24), date(2026, 12, 1)
    club = session.tournament.club
    Session.objects.filter(pk=session.pk).update(name=session_wishes.name_for(today))
    draft = drafts.begin(club=club, actor=an_account(), today=today)
    wish = session_wishes.wish_of(draft)
    assert wish.name == f"{session_wishes.name_for(today)} (2)"
    named = [session_wishes.renamed(wish, club, day) for day in (today, later)]
    assert named == [wish.name, session_wishes.name_for(later)]
    own = replace(wish, name="Coupe d’hiver")
    assert session_wishes.renamed(own, club, later) == "Coupe d’hiver"
