"""The pages of a club's register: who may open them, thirty players by one paste, stale forms, files, and
one person on two lines."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from frontend.register import urls
from tests.tournaments.worlds import a_club, a_session, a_world, hand_in, plays_of, work
from tournaments.models import Account, HistoryEntry, Player, Session, Substitution
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, player_links, register, register_files, roles
from tournaments.services.register import Details
from tournaments.services.roles import FEDERATION, RolePlace

pytestmark = pytest.mark.django_db

WHO = ("nobody", "stranger", "scorer", "organiser", "administrator", "foreign", "federation")
# In the order of WHO, of Club A's pages; "foreign" is Club B's administrator.
KEEPERS, ORGANISERS = (302, 403, 200, 200, 200, 403, 403), (302, 403, 403, 200, 200, 403, 403)
PAGES = {
    "club-register": KEEPERS,
    "register-add": KEEPERS,
    "register-paste": KEEPERS,
    "register-player": KEEPERS,
    "register-import": ORGANISERS,
    "register-export": ORGANISERS,
    "register-duplicates": ORGANISERS,
    "session-substitutes": ORGANISERS,
    "undo-substitution": (405,) * 7,
    "register-merge": (405,) * 7,
    "register-take-apart": (405,) * 7,
}
POSTS = {
    "club-register": (302, 403, 403, 400, 400, 403, 403),
    "register-add": KEEPERS,
    "register-paste": KEEPERS,
    "register-player": ORGANISERS,
    "register-import": ORGANISERS,
    "session-substitutes": (302, 403, 403, 400, 400, 403, 403),
    "undo-substitution": (302, 403, 403, 404, 404, 403, 403),
    "register-merge": (302, 403, 403, 302, 302, 403, 403),
    "register-take-apart": (302, 403, 403, 302, 302, 403, 403),
}


def a_person(name: str, *held: tuple[RoleKind, RolePlace]) -> Account:
    account = accounts.create(name=name, email=f"{name}@example.org", password=None)
    for kind, place in held:
        roles.grant(account=account, kind=kind, place=place, actor=None)
    return account


def signed_in(account: Account) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(account)
    return client


def an_organiser() -> Client:
    return signed_in(a_person("Olga", (RoleKind.ORGANISER, RolePlace(a_club()))))


def a_player(given: str = "Ana", family: str = "Durand", number: str = "") -> Player:
    return register.add(club=a_club(), actor=None, details=Details(given, family, number=number))


def address(name: str, **more: Any) -> str:
    return reverse(name, kwargs={"club": a_club().slug, **more})


def text_of(page: Any) -> str:
    return str(page.content.decode())


def hidden(page: Any) -> dict[str, str]:
    """What the form of one button sends."""
    form = re.search(r'<form method="post" class="actions">.*?</form>', text_of(page), re.DOTALL)
    assert form, text_of(page)
    from html import unescape

    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0])
    return {name: unescape(value) for name, value in fields}


def test_every_page_for_everybody() -> None:
    held: dict[str, tuple[RoleKind, RolePlace]] = {
        "scorer": (RoleKind.SCORER, RolePlace(a_club())),
        "organiser": (RoleKind.ORGANISER, RolePlace(a_club())),
        "administrator": (RoleKind.ADMINISTRATOR, RolePlace(a_club())),
        "foreign": (RoleKind.ADMINISTRATOR, RolePlace(a_club("Club B"))),
        "federation": (RoleKind.ADMINISTRATOR, FEDERATION),
    }
    clients = {who: signed_in(a_person(who, *[held[who]] if who in held else [])) for who in WHO[1:]}
    clients = {"nobody": Client(HTTP_HOST="localhost")} | clients
    one = a_player()
    arguments: dict[str, dict[str, Any]] = {
        "register-player": {"pk": one.pk},
        "register-merge": {"pk": one.pk},
        "register-take-apart": {"pk": one.pk},
        "register-export": {"form": "csv"},
    }
    arguments = {name: {"club": a_club().slug} | more for name, more in arguments.items()}
    session = a_session(players=9)
    arguments |= {
        "session-substitutes": {"session": session.pk},
        "undo-substitution": {"session": session.pk, "pk": 1},
    }
    for method, table in (("get", PAGES), ("post", POSTS)):
        got = {
            name: tuple(
                getattr(clients[who], method)(
                    reverse(name, kwargs=arguments.get(name, {"club": a_club().slug}))
                ).status_code
                for who in WHO
            )
            for name in table
        }
        assert got == table
    assert {route.name for route in urls.urlpatterns} == set(PAGES)
    stranger = Player.objects.create(club=a_club("Club B"), given_name="Zoé")
    assert clients["organiser"].get(address("register-player", pk=stranger.pk)).status_code == 404
    # Scorers read a player, and change nothing: the form is not there.
    page = text_of(clients["scorer"].get(address("register-player", pk=one.pk)))
    assert "Save the player" not in page
    assert "Merge it" not in page


def test_thirty_players_by_one_paste_and_one_button() -> None:
    client = signed_in(a_person("Sven", (RoleKind.SCORER, RolePlace(a_club()))))
    assert "Paste a list" in text_of(client.get(address("club-register")))
    a_player("Prénom 3", "Nom")
    pasted = "\r\n".join(f"Prénom {n} Nom; {100 + n}" for n in range(30))
    page = client.post(address("register-paste"), {"players": pasted, "consent": "on"})
    assert Player.objects.count() == 1  # nothing before it is confirmed
    assert "Add 29 players" in text_of(page)
    done = client.post(address("register-paste"), hidden(page), follow=True)
    assert "29 players added." in text_of(done)
    assert Player.objects.filter(consent=True).count() == 29
    page = client.post(address("register-paste"), {"players": pasted})
    assert "nothing to do" in text_of(page)


def test_who_has_agreed_is_recorded_of_many_at_once_in_one_act_and_undone_as_one() -> None:
    client, page = an_organiser(), address("club-register")
    ana, bob, cid, dan = [a_player(given, "Roux") for given in ("Ana", "Bob", "Cid", "Dan")]
    Player.objects.filter(pk=dan.pk).update(consent=True)
    elsewhere = Player.objects.create(club=a_club("Club B"), given_name="Zoé")
    chosen = {"players": [ana.pk, bob.pk, cid.pk, dan.pk, elsewhere.pk], "way": "agreed"}
    assert "Who said so, and when: This field is required." in text_of(client.post(page, chosen))
    nobody = client.post(page, {"told": "Olga", "way": "agreed"})
    assert "Choose the players whom it is about." in text_of(nobody)
    assert not HistoryEntry.objects.filter(verb="recorded consent").exists()
    told = "Each of them signed the list on 4 September"
    done = client.post(page, chosen | {"told": told}, follow=True)
    assert "they have agreed that their names are published" in text_of(done)
    assert agreed() == {ana.pk, bob.pk, cid.pk, dan.pk}, "nobody of another club"
    told_once = text_of(client.get(reverse("club-history", args=[a_club().slug])))
    assert told_once.count("recorded that 3 players have agreed to be named") == 1, "one act"
    assert told in told_once
    assert "agreed to be named" in text_of(client.get(address("register-player", pk=ana.pk)))
    player_links.decide_consent(player=bob, consent=False, actor=Account.objects.get(name="Olga"))
    player_links.decide_consent(player=bob, consent=True, actor=Account.objects.get(name="Olga"))
    token = re.findall(r'name="undo" value="([^"]*)"', text_of(done))[0]
    undone = client.post(reverse("undo"), {"undo": token, "next": page}, follow=True)
    assert "It has been undone:" in text_of(undone)
    assert agreed() == {bob.pk, dan.pk}, "but for whoever has decided since, and whoever had agreed before"
    again = client.post(reverse("undo"), {"undo": token}, follow=True)
    assert "Something else has been said" in text_of(again)
    shown = {"shown": [ana.pk, bob.pk], "all": "on", "told": told, "way": "refused"}
    assert "they have not agreed" in text_of(client.post(page, shown, follow=True))
    assert agreed() == {dan.pk}
    other = signed_in(a_person("foreign", (RoleKind.ADMINISTRATOR, RolePlace(a_club("Club B")))))
    other.post(reverse("undo"), {"undo": token})
    assert agreed() == {dan.pk}, "an offer is no right"


def agreed() -> set[int]:
    return set(Player.objects.filter(consent=True).values_list("pk", flat=True))


def test_what_is_wrong_in_a_paste_is_shown_with_all_that_was_pasted() -> None:
    client = an_organiser()
    a_player("Zoé", "Petit", number="5")
    page = client.post(address("register-paste"), {"players": "Ana Durand; 5\nLéo Roux"})
    assert "Number 5 is Zoé Petit’s." in text_of(page)
    assert "Ana Durand; 5\nLéo Roux" in text_of(page)
    assert "Add 1 player" not in text_of(page)
    page = client.post(address("register-paste"), {"players": "Léo Roux"})
    a_player("Léo", "Roux")
    late = client.post(address("register-paste"), hidden(page))
    assert "changed meanwhile" in text_of(late)
    assert Player.objects.count() == 2


def test_a_stale_form_is_refused_and_nothing_is_lost() -> None:
    client = an_organiser()
    one = a_player()
    where = address("register-player", pk=one.pk)
    seen = register.stamp(one)
    register.change(player=one, actor=None, details=Details("Anna", "Durand", number="17"), seen=seen)
    entered = {"given_name": "Ana", "family_name": "Dupont", "categories": ["junior"], "seen": seen}
    page = client.post(where, entered)
    assert page.status_code == 409
    assert all(part in text_of(page) for part in ('value="Dupont"', "<td>Anna</td>", "Somebody else"))
    one.refresh_from_db()
    assert one.name == "Anna Durand"
    now = re.search(r'name="seen" value="(\w+)"', text_of(page))
    assert now
    assert client.post(where, entered | {"seen": now[1]}).status_code == 302
    one.refresh_from_db()
    assert (one.name, one.categories, one.number) == ("Ana Dupont", ["junior"], "")
    page = client.get(where)
    changed = (
        f"changed player {one.pk} (Ana Dupont) in the register: given name, family name, number, categories"
    )
    assert changed in text_of(page)
    assert "Olga" in text_of(page)


def test_wrong_fields_are_named_and_stay_filled_in() -> None:
    client = an_organiser()
    a_player(number="17")
    page = client.post(address("register-add"), {"given_name": "Zoé", "number": "17"})
    assert "Number 17 is Ana Durand’s." in text_of(page)
    assert 'value="Zoé"' in text_of(page)
    assert "needs a name" in text_of(client.post(address("register-add"), {"number": "18"}))
    entered = {"given_name": "Zoé", "number": "18", "home_club": a_club("Club B").pk}
    assert client.post(address("register-add"), entered).status_code == 302
    assert Player.objects.get(number="18").home_club == a_club("Club B")


def test_a_file_out_changed_and_in_again() -> None:
    client = an_organiser()
    a_player(number="17")
    out = client.get(address("register-export", form="csv"))
    assert 'attachment; filename="club-a.csv"' in out["Content-Disposition"]
    changed = out.content.decode("utf-8-sig").replace("Durand", "Durant") + ",19,Zoé,Petit,,,,yes\r\n"
    file = SimpleUploadedFile("club.csv", changed.encode())
    page = client.post(address("register-import"), {"file": file})
    assert "<strong>1</strong> new, <strong>1</strong> changed" in text_of(page)
    assert Player.objects.get().name == "Ana Durand"
    done = client.post(address("register-import"), hidden(page), follow=True)
    assert "1 player added. 1 changed." in text_of(done)
    assert sorted(one.name for one in Player.objects.all()) == ["Ana Durant", "Zoé Petit"]
    assert client.get(address("register-export", form="xlsx")).content[:2] == b"PK"
    said = client.get(address("register-export", form="json")).json()
    assert len(said) == Player.objects.count()
    assert set(said[0]) == set(register_files.EXPORTED)
    assert client.get(address("register-export", form="pdf")).status_code == 404
    wrong = SimpleUploadedFile("club.csv", b"colour;size\nred;1\n")
    page = client.post(address("register-import"), {"file": wrong})
    assert "“colour” is not a column" in text_of(page)


def test_duplicates_are_found_merged_and_taken_apart() -> None:
    client = an_organiser()
    first, second = a_player("Éva", "Noël"), a_player("Noel", "Eva")
    assert "The same name" in text_of(client.get(address("register-duplicates")))
    page = client.post(address("register-merge", pk=first.pk), {"other": f"#{second.pk}"}, follow=True)
    assert "Noel Eva is Éva Noël now" in text_of(page)
    assert "No duplicates" in text_of(client.get(address("register-duplicates")))
    assert "merged with Éva Noël" in text_of(client.get(address("register-player", pk=second.pk)))
    page = client.post(address("register-take-apart", pk=second.pk), follow=True)
    assert "a player of their own again" in text_of(page)
    for nobody in ("Nobody", "", "#", "#0", "#" + "9" * 30, "a\0b"):
        page = client.post(address("register-merge", pk=first.pk), {"other": nobody}, follow=True)
        assert "No player of this register" in text_of(page), nobody
    assert client.get(address("club-register").replace("club-a", "%00")).status_code == 404


def test_a_substitute_by_the_desk() -> None:
    session = a_session(players=9)
    director = signed_in(a_person("Dora", (RoleKind.DIRECTOR, RolePlace(session=session))))
    ana = a_player(number="17")
    where = reverse("session-substitutes", kwargs={"session": session.pk})
    member = session.members.earliest("pk")
    assert director.get(where).context["form"].initial == {"first_round": 1, "last_round": 4}
    entered = {"member": member.pk, "player": "17", "first_round": 1, "last_round": 2, "way": "do"}
    page = director.post(where, entered, follow=True)
    assert "the contestant stays the same" in text_of(page)
    assert f"Ana Durand, {member.player.name}" in text_of(page)  # to the credit of both
    page = director.post(where, entered | {"player": "Joueur 02", "first_round": 3, "last_round": 3})
    assert "Joueur 02 is entered already in “Evening”" in text_of(page)
    assert 'value="Joueur 02"' in text_of(page)
    new = entered | {"player": "Paul Quentin", "first_round": 3, "last_round": 3}
    assert "Tick below if they are new here." in text_of(director.post(where, new))
    ticked = {"is_new": "on", "names_may_be_published": "on"}
    page = director.post(where, new | ticked | {"last_round": 1}, follow=True)
    assert not Player.objects.filter(family_name="Quentin").exists(), "with the substitution, or not at all"
    assert "the contestant stays the same" in text_of(director.post(where, new | ticked, follow=True))
    paul = Player.objects.get(family_name="Quentin")
    assert (paul.consent, paul.substitutions.count()) == (True, 1)
    paul.substitutions.all().delete()
    olga = an_organiser()
    assert f"for {member.player.name}, rounds 1 to 2" in text_of(
        olga.get(address("register-player", pk=ana.pk))
    )
    made = ana.substitutions.get()
    page = director.post(
        reverse("undo-substitution", kwargs={"session": session.pk, "pk": made.pk}), follow=True
    )
    assert "Everybody plays for themselves." in text_of(page)


@pytest.mark.parametrize(("rule", "whose"), [("both", 2), ("substitute", 1), ("member", 1)])
def test_the_desk_says_what_a_substitute_does_before_it_is_entered(rule: str, whose: int) -> None:
    world = a_world()
    session = world.session
    Session.objects.filter(pk=session.pk).update(substitutes_credited=rule)
    hand_in(world, plays_of(session)[0])
    work(session)
    director = signed_in(a_person("Dora", (RoleKind.DIRECTOR, RolePlace(session=session))))
    where = reverse("session-substitutes", kwargs={"session": session.pk})
    member = plays_of(session)[0].seatings.earliest("seat").contestant.members.get()
    new = {"member": member.pk, "player": "Paul Quentin", "first_round": 1, "last_round": 2, "is_new": "on"}
    page = director.post(where, new)
    assert page.status_code == 200
    price = page.context["price"]
    assert (price.boards, price.entered) == (2, 1)
    credited = [player.name for player in price.credited]
    assert credited == {"both": ["Paul Quentin", member.player.name]}.get(
        rule, ["Paul Quentin" if rule == "substitute" else member.player.name]
    )
    assert len(credited) == whose
    assert f"<dd>{', '.join(credited)}</dd>" in text_of(page)
    assert "1 board has been played" in text_of(page)
    assert (Substitution.objects.count(), Player.objects.filter(family_name="Quentin").count()) == (0, 0)
    assert not HistoryEntry.objects.filter(verb="substituted").exists()
    page = director.post(where, new | {"way": "do"}, follow=True)
    assert "<undo-offer>" in text_of(page)
    assert Substitution.objects.get().player.name == "Paul Quentin"


def test_a_long_register_in_pages_searched_and_in_french() -> None:
    a_session(players=15)
    for n in range(60):
        a_player("Zoé", f"Martin {n:02}")
    client = an_organiser()
    page = text_of(client.get(address("club-register"), {"search": "martin"}))
    assert (page.count('class="person"'), "60 players" in page) == (50, True)
    assert "?search=martin&amp;page=2" in page
    for given, family in (("Zoé", "Étienne"), ("Ana", "de Lys"), ("Martine", "Durand")):
        a_player(given, family)
    page = text_of(client.get(address("club-register")))
    order = ["de Lys, Ana", "Durand, Martine", "Étienne, Zoé", "Martin 00, Zoé", "Martin 31, Zoé"]
    assert sorted(order, key=page.index) == order
    page = text_of(client.get(address("club-register"), {"search": "martin", "page": "2"}))
    assert page.count('class="person"') == 11
    assert "Nobody found" in text_of(client.get(address("club-register"), {"search": "x"}))
    page = text_of(client.get(address("club-register").replace("/en/", "/fr/")))
    assert "78 joueurs" in page
    assert "Coller une liste" in page
