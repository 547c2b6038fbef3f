"""A director's hand in a real browser: what it clicks is counted, and after each click that opens a page it
waits for something of the new page. What is entered is a slip, and nothing depends on what was dealt."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from tests.frontend.browsers import page_of
from tests.running import PATIENCE, Service, wait_until

expect.set_options(timeout=PATIENCE * 1000)

PASSWORD = "une bonne phrase de passe"
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
GIVEN = ("Ana", "Bea", "Cid", "Dan", "Eva", "Flo", "Gil", "Hal", "Ida", "Jon", "Kim", "Lea", "Max")
THIRTEEN = [f"{given} Quesnel" for given in GIVEN]
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
SLOWLY = """(() => {
  const own = window.setTimeout
  window.setTimeout = (act, after, ...rest) => own(act, after === 10000 ? 100000 : after, ...rest)
})()"""
"""A machine that is ten times as busy as a director's has ten times as long to undo something."""
CLUB = """
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, clubs, roles
from tournaments.services.roles import RolePlace
club = clubs.create({club!r})
for name in {people!r}:
    email = f"{{name.lower()}}.{{club.slug}}@example.org"
    account = accounts.create(name=name, email=email, password={password!r})
    roles.grant(account=account, kind=RoleKind.ORGANISER, place=RolePlace(club), actor=None)
print("slug:" + club.slug)
"""


@dataclass
class Hand:
    """Somebody at a browser of their own. `clicks`: choices and fields that have to be reached too, typing is
    not; `began`: when it began to count."""

    page: Page
    words: "Words"
    clicks: int = 0
    began: float = field(default_factory=monotonic)

    def count(self) -> None:
        """From here on."""
        self.clicks, self.began = 0, monotonic()

    def told(self, what: str, at_most: int) -> None:
        """Say what it took."""
        width = self.page.viewport_size["width"] if self.page.viewport_size else 0
        print(f"\n{what}, {width} px: {self.clicks} clicks, {monotonic() - self.began:.1f} s", flush=True)
        assert self.clicks <= at_most

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def press(self, words: str, *, then: "Locator | str") -> None:
        """Press a button or follow a link to another page, of which `then` is something: a locator, or the
        words of its heading."""
        self.click(self.button(words))
        self.sees(then)

    def button(self, words: str) -> Locator:
        named = {"name": re.compile("^" + re.escape(words))}
        shown = self.page.get_by_role("button", **named).or_(self.page.get_by_role("link", **named))  # type: ignore[arg-type]
        return shown.filter(visible=True).last

    def sees(self, what: "Locator | str") -> None:
        """And the page is no wider than the screen."""
        if isinstance(what, str):
            what = self.page.get_by_role("heading", name=re.compile("^" + re.escape(what))).first
        expect(what).to_be_visible()
        wait_until(lambda: self.page.evaluate(FITS), what=f"{self.page.url} to be as wide as its screen")

    def reads(self, text: str | re.Pattern[str]) -> None:
        self.sees(self.page.get_by_text(text).filter(visible=True).first)

    def says(self, text: str) -> Locator:
        """What a page says of an act just done; the button beside it, which undoes it, says so again."""
        return self.page.get_by_role("status").get_by_role("strong").filter(has_text=text)

    def fill(self, label: str, text: str) -> None:
        """Reach a field, and write something else there."""
        found = self.page.get_by_label(re.compile(re.escape(label))).first
        self.click(found)
        found.fill(text)

    def check(self, label: str | re.Pattern[str]) -> None:
        self.page.get_by_label(label).first.check()
        self.clicks += 1

    # ── Whole pieces of the way ──

    def sits_down(self, address: str) -> None:
        """At the desk of their club."""
        self.page.goto(f"{address}/{self.words.language}/desk/")
        self.sees(self.words.desk)

    def sets_up(self, game: str, contestants: Sequence[str], movement: str = "") -> str:
        """By the wizard, with what it proposes; the address of the desk from which round one can start.
        `movement`: a file, where it matters who sits where."""
        words = self.words
        self.press(words.new, then=words.which_game)
        self.check(re.compile(game))
        self.press(words.on, then=words.who_plays)
        self.fill(words.contestants, "\n".join(contestants))
        self.press(words.on, then=self.page.get_by_text(words.advised, exact=True))
        if movement:
            self.opens_more(words.own_movement)
            brought = FilePayload(name="own.csv", mimeType="text/csv", buffer=movement.encode())
            self.page.locator("input[type=file]").set_input_files(brought)
            self.press(words.look_at_it, then=self.page.get_by_text(words.from_file))
        self.press(words.on, then=words.which_boards)
        self.press(words.on, then=words.how_counted)
        self.press(words.on, then=words.everything)
        return self.ends_wizard()

    def ends_wizard(self) -> str:
        self.press(self.words.set_up, then=self.words.round_one)
        expect(self.button(self.words.start)).to_be_visible()
        return self.page.url

    def starts(self) -> None:
        by_tables = self.page.get_by_text(self.words.tables_shuffle)
        self.press(self.words.start, then=by_tables)
        self.click(by_tables)
        self.press(self.words.start, then=self.page.locator("evening-grid"))
        self.reads(self.words.runs)

    def enters(self, slip: str, *, at: str = "", desk: str, is_early: bool = False) -> str:
        """A slip, by keyboard: the first that is missing, or that of a table and board; says which. Then back
        to the desk, where it is confirmed. `is_early`: its table lacks boards of rounds before: one is
        asked once more."""
        self.press(self.words.slips, then=self.words.slips)
        missing = self.page.locator(".slipsleft a")
        place = at or str(missing.first.inner_text())
        line = self.page.get_by_label(self.words.line)
        entered = self.page.get_by_text(self.words.entered).first
        self.types(line, f"{place} {slip}", then=self.button(self.words.this_board) if is_early else entered)
        if is_early:
            self.press(self.words.this_board, then=entered)
        self.page.goto(desk)
        expect(self.page.locator(".mark [data-state=confirmed]")).not_to_have_count(0)
        return place

    def cell(self, table: int, board: int) -> Locator:
        """Of the grid."""
        row = self.page.locator(".grid tbody tr").nth(table - 1)
        return row.get_by_role("link", name=re.compile(rf"^({self.words.board} )?{board}\b"))

    def opens_more(self, words: str) -> None:
        """What is behind it."""
        self.click(self.page.locator("summary").get_by_text(words, exact=True))

    def undoes(self) -> None:
        """What the notice offers, and nothing else on the page does at the same time."""
        offer = self.page.locator("undo-offer").get_by_role("button")
        said = self.page.get_by_role("button", name=offer.inner_text().replace("\n", " "), exact=True)
        expect(said).to_have_count(1)
        expect(offer).to_have_accessible_name(re.compile(f"^{self.words.undo} – "))
        self.click(offer)
        self.reads(self.words.undone)

    def types(self, line: Locator, slip: str, *, then: Locator) -> None:
        """Into the quick line, which says that it is whole."""
        self.click(line)
        line.press_sequentially(slip)
        expect(self.page.locator("quick-line output.whole")).to_be_visible()
        line.press("Enter")
        self.sees(then)


@dataclass(frozen=True)
class Words:
    """What a page is called, and its buttons, in a language."""

    language: str
    desk: str
    new: str
    on: str
    which_game: str
    who_plays: str
    contestants: str
    advised: str
    which_boards: str
    how_counted: str
    everything: str
    set_up: str
    round_one: str
    start: str
    tables_shuffle: re.Pattern[str]
    runs: str
    slips: str
    line: str
    entered: re.Pattern[str]
    own_movement: str
    look_at_it: str
    from_file: str
    undo: str
    undone: str
    board: str
    otherwise: str
    who_is_here: str
    late: str
    from_round: str
    cost: str
    plan: str
    planned: str
    sits_out: str
    played_otherwise: str
    other_boards: str
    boards_played: str
    write_down: str
    written_down: str
    other_steps: str
    finish: str
    missing: str
    finish_anyway: str
    played: str
    tell: str
    what_to_tell: str
    quicker: str
    this_board: str
    stands: str
    keep: str
    kept: str
    mend: str
    save: str
    name: str
    back: str
    e_mail: str = "E-mail address"
    password: str = "Password"
    sign_in: str = "Sign in"


ENGLISH = Words(
    language="en",
    desk="My desk",
    new="New session",
    on="Continue",
    which_game="Which game?",
    who_plays="Who plays?",
    contestants="Contestants, one a line",
    advised="advised",
    which_boards="Which boards?",
    how_counted="How is it counted?",
    everything="Is everything right?",
    set_up="Set up the session",
    round_one="Round 1 of",
    start="Start",
    tables_shuffle=re.compile("The tables shuffle their own cards|copies it for all tables"),
    runs="The session is running.",
    slips="Enter slips",
    line="The slip, in a line",
    entered=re.compile("is entered."),
    own_movement="Or bring a movement of your own",
    look_at_it="Look at this movement",
    from_file="From your file",
    undo="Undo",
    undone="It has been undone:",
    board="board",
    otherwise="Not as planned",
    who_is_here="Who is here",
    late="Come late",
    from_round="From round",
    cost="Show what it costs",
    plan="Plan it so",
    planned="The rest is planned again.",
    sits_out="Sits out:",
    played_otherwise="They sat or played otherwise",
    other_boards="Other boards were played",
    boards_played="Boards that were played",
    write_down="Write it down so",
    written_down="It is written down as it was.",
    other_steps="Other steps",
    finish="Finish",
    missing="Results are missing:",
    finish_anyway="Finish without them",
    played="The session has been played.",
    tell="Tell all tables",
    what_to_tell="What all tables are to know",
    quicker="Somebody else was quicker",
    this_board="Enter it for this board",
    stands="something else stands there.",
    keep="What stands there counts",
    kept="what stood there is confirmed.",
    mend="Name and time",
    save="Save",
    name="Name of the session",
    back="Back",
)
FRENCH = Words(
    language="fr",
    desk="Mon bureau",
    new="Nouvelle séance",
    on="Continuer",
    which_game="Quel jeu ?",
    who_plays="Qui joue ?",
    contestants="Les concurrents, un par ligne",
    advised="conseillé",
    which_boards="Quels étuis ?",
    how_counted="Comment compte-t-on ?",
    everything="Tout est-il exact ?",
    set_up="Préparer la séance",
    round_one="Tour 1",
    start="Commencer",
    tables_shuffle=re.compile("Les tables mêlent leurs propres cartes|copie pour toutes les tables"),
    runs="La séance est en cours.",
    slips="Saisir les feuilles de marque",
    line="La feuille de marque, en une ligne",
    entered=re.compile("c’est saisi."),
    own_movement="Ou apportez votre propre mouvement",
    look_at_it="Voir ce mouvement",
    from_file="De votre fichier",
    undo="Défaire",
    undone="C’est défait :",
    board="étui",
    otherwise="Imprévus",
    who_is_here="Qui est là",
    late="Arrivés en retard",
    from_round="Du tour",
    cost="Voir ce que cela change",
    plan="Replanifier ainsi",
    planned="La suite est replanifiée.",
    sits_out="Au repos",
    played_otherwise="La table a joué autrement",
    other_boards="D’autres étuis ont été joués",
    boards_played="Étuis réellement joués",
    write_down="Le noter ainsi",
    written_down="C’est noté comme cela s’est passé.",
    other_steps="Autres actions",
    finish="Terminer",
    missing="Résultats manquants",
    finish_anyway="Terminer sans eux",
    played="La séance est jouée.",
    tell="Annoncer à toutes les tables",
    what_to_tell="Ce que toutes les tables doivent savoir",
    quicker="Quelqu’un d’autre a été plus rapide",
    this_board="Saisir pour cet étui",
    stands="autre chose est déjà saisi.",
    keep="Ce qui est saisi compte",
    kept="ce qui était saisi est confirmé.",
    mend="Nom et heure",
    save="Enregistrer",
    name="Nom de la séance",
    back="Retour",
    e_mail="Adresse e-mail",
    password="Mot de passe",
    sign_in="Se connecter",
)


@dataclass
class House:
    """A club on a running service, and the browsers of those who run it."""

    service: Service
    browser: Browser
    slug: str
    pages: list[Page] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Nothing may break on it, and its way back stays."""
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(SLOWLY)
        page.on("pageerror", lambda error: self.broken.append(str(error)))
        page.on("response", lambda got: self.broken.append(got.url) if got.status >= 500 else None)
        self.pages.append(page)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.service.port}"

    def hand(self, name: str, *, size: dict[str, int] = DESKTOP, words: Words = ENGLISH) -> Hand:
        """Somebody who signs in, on a machine of their own, and sits down at the desk."""
        page = page_of(self.browser, viewport=size, locale="fr-FR" if words is FRENCH else "en-GB")
        self.watch(page)
        page.goto(f"{self.address}/{words.language}/account/sign-in/")
        page.get_by_label(words.e_mail).fill(f"{name.lower()}.{self.slug}@example.org")
        page.get_by_label(words.password).fill(PASSWORD)
        page.get_by_role("button", name=words.sign_in, exact=True).click()
        hand = Hand(page, words)
        hand.sees(words.desk)
        hand.count()
        return hand


@contextmanager
def a_house(service: Service, browser: Browser, club: str, *people: str) -> Iterator[House]:
    """A new club, whose organisers have accounts."""
    said = service.manage("shell", "-c", CLUB.format(club=club, people=people, password=PASSWORD))
    house = House(service, browser, said.rpartition("slug:")[2].strip())
    try:
        yield house
        assert house.broken == []
    finally:
        for context in {page.context for page in house.pages}:
            context.close()
