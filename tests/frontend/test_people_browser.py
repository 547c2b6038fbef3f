"""A newcomer’s way, in a real browser at the width of a phone: the first link, an account, a club, those who
help, and a passkey. The service is theirs alone: to others a second club would be one to choose from."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontend.browsers import in_a_browser, page_of, troubles_of
from tests.running import PATIENCE, Service, campaign, serving, wait_until

pytestmark = in_a_browser

PASSWORD = "une bonne phrase de passe"
expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving("embedded", tmp_path_factory.mktemp("service") / "var") as fresh:
        yield fresh


@pytest.fixture
def a_phone(browser: Browser, fresh: Service) -> Iterator[Callable[[], Page]]:
    """Another phone each time, of somebody whom the service does not know."""
    phones: list[Page] = []

    def new() -> Page:
        phones.append(page_of(browser, viewport={"width": 390, "height": 800}, locale="en-GB"))
        phones[-1].goto(f"http://localhost:{fresh.port}/")
        return phones[-1]

    yield new
    for phone in phones:
        phone.close()


def fits(page: Page) -> bool:
    """Whether nothing leaves the window; of a page that something on it has shown to be there."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("E-mail address").fill(f"{name.lower()}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    assert fits(page)
    page.get_by_role("button", name="Make the account").click()


def invite(page: Page, role: str) -> str:
    """The link that the page shows once."""
    page.get_by_label("As", exact=True).select_option(label=role)
    page.get_by_role("button", name="Make the invitation").click()
    link = page.get_by_label("Link of the invitation").input_value()
    assert fits(page)
    return link


def thirty_players(page: Page) -> None:
    """From a list of members into the club's register."""
    page.get_by_role("link", name="Players").click()
    page.get_by_role("link", name="Paste a list").first.click()
    page.get_by_label("Players, one a line").fill("\n".join(f"Nadia Noël {n}; {n}" for n in range(30)))
    page.get_by_role("button", name="Show what would happen").click()
    expect(page.get_by_role("button", name="Add 30 players")).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Add 30 players").click()
    expect(page.get_by_text("30 players added.")).to_be_visible()
    assert fits(page)


def a_session(page: Page) -> None:
    """Of thirteen of the thirty, from the desk to the page that says who sits where."""
    page.goto(re.sub(r"/desk/.*", "/desk/", page.url))
    page.get_by_role("button", name="New session").click()
    page.get_by_label(re.compile("Hombre")).check()
    assert fits(page)
    page.get_by_role("button", name="Continue").last.click()
    page.get_by_label("Contestants, one a line").fill("\n".join(f"Nadia Noël {n}" for n in range(13)))
    page.get_by_role("button", name="Continue").last.click()
    expect(page.get_by_text("advised", exact=True)).to_be_visible()  # the page comes again by itself
    assert fits(page)
    for question in ("Which boards?", "How is it counted?", "Is everything right?"):
        page.get_by_role("button", name="Continue").last.click()
        expect(page.get_by_role("heading", name=question)).to_be_visible()
        assert fits(page)
    page.get_by_role("button", name="Set up the session").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()  # from the page of the job
    assert fits(page)


@campaign
def test_from_the_first_link_to_a_club_with_a_director_and_a_scorer(
    fresh: Service, a_phone: Callable[[], Page]
) -> None:
    said = wait_until(
        lambda: re.search(r"http://\S+/invitations/link/\S+", fresh.log.read_text()), what="the link"
    )
    ana = a_phone()
    with troubles_of(ana) as troubles:
        assert ana.get_by_role("button", name="Set up Étui").is_visible()
        join(ana, said[0].replace("127.0.0.1", "localhost"), "Ana")
        expect(ana.get_by_text("administrator").first).to_be_visible()
        ana.get_by_role("link", name="Make a club").click()
        ana.get_by_label("Name of the club").fill("Club de Nantes")
        ana.get_by_role("button", name="Make the club").click()
        expect(ana.get_by_role("button", name="New session")).to_be_visible()
        ana.get_by_role("link", name="Who may do what").click()
        link = invite(ana, "scorer")
        thirty_players(ana)

        a_session(ana)
        bea = a_phone()
        join(bea, link, "Bea")
        expect(bea.get_by_text("scorer").first).to_be_visible()
        ana.get_by_role("link", name="Invite somebody").click()
        director = a_phone()
        join(director, invite(ana, "director"), "Cid")
        expect(director.get_by_text("You are director")).to_be_visible()
        expect(director.get_by_role("heading", name="Round 1")).to_be_visible()
        expect(director.get_by_text("Nadia Noël 7", exact=False).first).to_be_visible()

        ana.goto(f"http://localhost:{fresh.port}/en/desk/clubs/club-de-nantes/people/")
        ana.get_by_role("link", name="Revoke – Bea, scorer").click()
        ana.get_by_role("button", name="Revoke the role").click()
        expect(ana.get_by_text("The role has ended.")).to_be_visible()
        bea.reload()
        expect(bea.get_by_text("You have no role yet")).to_be_visible()
        ana.get_by_role("link", name="Revoke – Ana, administrator").click()
        ana.get_by_role("button", name="Leave this role").click()
        expect(ana.get_by_text("last administrator")).to_be_visible()

        # the federation's own pages, and a name that is longer than any screen is wide
        ana.goto(f"http://localhost:{fresh.port}/en/desk/clubs/")
        ana.get_by_label("Name of the club").fill("W" * 180)
        ana.get_by_role("button", name="Make the club").click()
        expect(ana.get_by_role("heading", name="W" * 180)).to_be_visible()
        assert fits(ana)
        ana.goto(f"http://localhost:{fresh.port}/en/desk/clubs/")
        expect(ana.get_by_role("link", name="W" * 180)).to_be_visible()
        assert fits(ana)
        ana.goto(f"http://localhost:{fresh.port}/en/desk/people/")
        expect(ana.get_by_text("The federation", exact=True)).to_be_visible()
        invite(ana, "organiser")
    assert [one for one in troubles if "409" not in one and "/revoke/" not in one] == []


@campaign
def test_a_passkey_is_added_and_signs_in(fresh: Service, a_phone: Callable[[], Page]) -> None:
    link = fresh.manage("invite", "organiser", "--address", f"http://localhost:{fresh.port}").strip()
    page = a_phone()
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    join(page, link, "Dan")
    page.get_by_role("link", name="My account").first.click()
    page.get_by_role("link", name="Passkeys and second factor").click()
    expect(page.get_by_role("link", name="Add a passkey")).to_be_visible()
    assert fits(page)
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(PASSWORD)  # is it you?
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add the passkey").click()
    page.wait_for_url(lambda address: "/passkeys/new/" not in address)
    page.goto(f"http://localhost:{fresh.port}/en/account/factors/")
    expect(page.get_by_text("You have 1 passkey.")).to_be_visible()
    page.goto(f"http://localhost:{fresh.port}/en/account/")
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"http://localhost:{fresh.port}/en/account/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="My desk")).to_be_visible()
