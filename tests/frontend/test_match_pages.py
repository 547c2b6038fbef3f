"""The page of a session's matches."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.worlds import World, a_world, hand_in, work
from tournaments.models import Job, Match, Play, Player, Ruling, Team
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, jobs, lists, roles, rulings, sessions
from tournaments.services.roles import RolePlace

pytestmark = pytest.mark.django_db


def director_of(world: World) -> Client:
    account = accounts.create(name="Hadrien", email="hadrien@example.org", password="x")
    roles.grant(account=account, kind=RoleKind.DIRECTOR, place=RolePlace(session=world.session), actor=None)
    client = Client(HTTP_HOST="localhost")
    client.force_login(account, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def test_the_page_of_matches_and_the_next_round() -> None:
    world = a_world(
        **{"players": 8, "game": "cochonnet", "movement": "team-swiss", "method": "butler"},
        **{"boards_per_round": 2, "published": True},
    )
    director, anyone = director_of(world), Client(HTTP_HOST="localhost")
    role = world.organiser.role
    assert role is not None
    seated = Player.objects.filter(memberships__session=world.session).earliest("pk")
    Player.objects.filter(pk=seated.pk).update(
        account=role.account_id
    )  # whoever plays opens nothing by typing
    page = reverse("matches-page", args=[world.session.pk])
    act = reverse("matches-act", args=[world.session.pk])
    assert anyone.post(act, {"way": "plan"}).status_code == 302, "to sign in"
    refused = director.post(act, {"way": "plan"})
    assert refused.status_code == 409
    assert "Plan it without these results" in refused.content.decode()
    for play in Play.objects.filter(board__board_set__session=world.session).select_related(
        "table__section", "board"
    ):
        points = 30 + play.table.number
        hand_in(world, play, {"sheet": {"rounds": [[points, 40]] * 4}})
    work(world.session)
    gained = re.compile(r'<td class="figure"[^>]*>\d+\.\d\d : \d+\.\d\d')
    assert len(gained.findall(director.get(page).content.decode())) == 2
    assert not gained.search(anyone.get(page).content.decode()), "boards that are not over tell nothing"
    form = {"way": "forfeit", "lost": "1-2-3", "reason": ""}
    assert director.post(act, form).status_code == 400
    assert director.post(act, form | {"reason": "Not there"}).status_code == 302
    assert Ruling.objects.get().content == {"match": 2, "round": 1, "lost": [3]}
    assert "forfeit" in anyone.get(page).content.decode()
    asked = director.post(act, {"way": "plan"})
    job = Job.objects.get(kind="next-round")
    assert asked.url == reverse("job-page", args=[job.pk]) + "?then=matches"
    jobs.do(job_id=job.pk)
    assert director.get(asked.url).url == page
    assert Match.objects.filter(session=world.session, round=2).count() == 2
    assert "Round 2" in anyone.get(page).content.decode()
    assert director.post(act, {"way": "back"}).status_code == 302
    odd = director.post(act, {"way": "plan", "arriving": "Zoé Un / Ève Un"})
    assert (odd.status_code, "Zoé Un / Ève Un" in odd.content.decode()) == (400, True), "a team is two pairs"
    late = director.post(act, {"way": "plan", "arriving": "Zoé Un / Ève Un\nZoé Deux / Ève Deux"})
    assert late.status_code == 302
    jobs.do(job_id=Job.objects.latest("created_at").pk)
    assert Team.objects.filter(session=world.session).count() == 5
    assert director.post(act, {"way": "back"}).status_code == 302
    assert not Match.objects.filter(session=world.session, round=2).exists()
    sessions.finish(session=world.session, actor=None)
    assert gained.search(anyone.get(page).content.decode())
    assert "<form" not in anyone.get(page).content.decode().split("<main")[1].split("</main")[0]
    setups = (lists.ListSetup("By matches", "matches"), lists.ListSetup("By points", "teams"))
    of_matches, of_points = (lists.set_up(session=world.session, actor=None, setup=one) for one in setups)
    for amount, unit in (("3/2", "vps"), ("7", "imps")):
        fine = rulings.on_contestant(
            session=world.session, contestant=3, kind="penalty", amount=amount, unit=unit
        )
        rulings.rule(fine, actor=None, text="So")
    work(world.session)
    ranked = reverse("ranking-page", args=[world.session.pk])
    for address, mine, other in (
        (page, "Penalty: 1.5 VPs.", "7 IMPs"),
        (f"{ranked}?list={of_matches.number}", "Penalty: 1.5 VPs.", "7 IMPs"),
        (f"{ranked}?list={of_points.number}", "Penalty: 7 IMPs.", "VPs."),
    ):
        shown = anyone.get(address).content.decode()
        assert shown.count(mine) == 1, "beneath the team for which it counts"
        assert other not in shown
    other = a_world(published=True)
    assert anyone.get(reverse("matches-page", args=[other.session.pk])).status_code == 404
