"""What is asked for on the way to a session: a form for each step. Each gives what it decides of a wish."""

from abc import ABCMeta, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django import forms
from django.forms.forms import DeclarativeFieldsMetaclass
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engines import public_values, registry
from engines.contract import Game, Option, Setting
from scoring.methods import METHODS
from tournaments.models import BoardSet, Draft, Session
from tournaments.services import drafts, movement_files, session_wishes, typed_contestants
from tournaments.services.errors import Invalid, Stale
from tournaments.services.movement_offers import Offer
from tournaments.services.session_wishes import SessionWish

from ..hours import HourField
from ..labels import LIVE_NOTE
from ..overtaken import Versions, overtake

NEW = "new"  # instead of a tournament's id
FAR = timedelta(days=731)
YES = {"on": True, "off": False, "True": True, "False": False}


class TournamentForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the tournament"),
        max_length=200,
        help_text=_("A season, a cup, or simply the year: sessions stand in it."),
    )


class AbstractForms(DeclarativeFieldsMetaclass, ABCMeta):
    """Of forms that leave a method to their subclasses."""


class StepForm(forms.Form, metaclass=AbstractForms):
    """`seen`: the version of the draft that somebody has before their eyes; `is_overtaken`: somebody has
    saved another since; `versions`: then both, field by field; `keys`: fields that hold no words for people,
    and stand in neither. `drawn_with`: what its making takes beside the draft."""

    is_overtaken = False
    keys: Sequence[str] = ()
    versions: Versions = ()
    drawn_with: Mapping[str, Any] = {}
    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, data: Any, *, draft: Draft, wish: SessionWish, initial: Mapping[str, Any], files: Any = None
    ) -> None:
        self.draft, self.wish = draft, wish
        super().__init__(data, files, initial={"seen": draft.version, **initial})

    def overtake(self, draft: Draft, reason: Stale) -> None:
        """Somebody else has saved this draft since."""
        stored = type(self)(None, draft=draft, wish=session_wishes.wish_of(draft), **self.drawn_with)
        self.is_overtaken = True
        overtake(self, stored, reason, self.keys)

    @abstractmethod
    def decided(self) -> SessionWish:
        """The wish with what this form decides. Invalid where a service refuses it; `field_of` says where."""

    @property
    def tournament(self) -> int | None:
        """The id of the tournament that was chosen here."""
        return None


# ── The game ──────────────────────────────────────────────────────────────────────────────────────


def setting_word(game: Game[Any], option: Option, value: Setting, language: str) -> str:
    """The value of an option in words, where there are some."""
    if str(value) in YES:
        return gettext("yes") if YES[str(value)] else gettext("no")
    if str(value) in game.names:
        return game.names[str(value)].to(language)
    return str(value).replace("_", " ")


class GameForm(StepForm):
    name = forms.CharField(label=_("Name of the session"), max_length=200)
    tournament_choice = forms.ChoiceField(label=_("Tournament"), required=False)
    tournament_name = forms.CharField(
        label=_("Name of the new tournament"),
        max_length=200,
        required=False,
        help_text=_("A season, a cup, or simply the year: sessions stand in it."),
    )
    game = forms.ChoiceField(
        label=_("Game"), widget=forms.RadioSelect, error_messages={"required": _("Choose a game.")}
    )

    def __init__(self, data: Any, *, draft: Draft, wish: SessionWish, language: str) -> None:
        chosen = draft.tournament_id or NEW
        initial = {
            **{"name": wish.name, "game": wish.game, "tournament_choice": str(chosen)},
            "tournament_name": wish.tournament_name,
        }
        super().__init__(data, draft=draft, wish=wish, initial=initial)
        self.drawn_with = {"language": language}
        own = list(draft.club.tournaments.order_by("-pk").values_list("pk", "name")[:100])
        self.has_tournaments = bool(own)
        choices = [*((str(pk), name) for pk, name in own), (NEW, gettext("a new one"))]
        self._choices("tournament_choice", choices)
        games = [one for one in registry.games().values() if wish.leg is None or one.id == wish.game]
        self._choices("game", [(one.id, one.name.to(language)) for one in games])
        self.options: dict[str, Option] = {}
        if wish.game and wish.leg is None:
            self._add_options(registry.game(wish.game), language)

    def _choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _add_options(self, game: Game[Any], language: str) -> None:
        for option in game.options:
            meaning = option.meaning.to(language)
            field = forms.ChoiceField(
                label=meaning[:1].upper() + meaning[1:],
                required=False,
                choices=[
                    (str(n), setting_word(game, option, value, language))
                    for n, value in enumerate(option.values)
                ],
            )
            chosen = self.wish.options.get(option.name, option.default)
            listed = [n for n, value in enumerate(option.values) if value == chosen]
            self.initial[f"option_{option.name}"] = str(listed[0] if listed else 0)
            self.fields[f"option_{option.name}"] = field
            self.options[option.name] = option

    @property
    def option_fields(self) -> list[Any]:
        return [self[f"option_{name}"] for name in self.options]

    @property
    def changed_options(self) -> int:
        """How many options are not as usual."""
        return sum(
            self.wish.options.get(name, option.default) != option.default
            for name, option in self.options.items()
        )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        is_new = given.get("tournament_choice", NEW) in {NEW, ""}
        if is_new and not given.get("tournament_name") and "tournament_name" not in self.errors:
            self.add_error("tournament_name", _("A new tournament needs a name."))
        return given

    @property
    def tournament(self) -> int | None:
        choice = self.cleaned_data["tournament_choice"]
        return None if choice in {NEW, ""} else int(choice)

    def decided(self) -> SessionWish:
        given = self.cleaned_data
        wish = replace(
            self.wish,
            name=given["name"],
            tournament_name=given["tournament_name"] if self.tournament is None else "",
        )
        if given["game"] != wish.game:
            minutes = session_wishes.minutes_of(registry.game(given["game"]))
            of_this_game: dict[str, Any] = {
                "options": {},
                "method_options": {},
                "minutes": minutes,
                "boards": None,
            }
            return replace(wish, game=given["game"], **of_this_game)
        if wish.leg is not None:  # the game is the event's, with its variants
            return wish
        chosen = {
            name: option.values[int(given[f"option_{name}"] or 0)] for name, option in self.options.items()
        }
        drafts.check_options(wish.game, chosen)
        return replace(wish, options=chosen)


# ── Who plays ─────────────────────────────────────────────────────────────────────────────────────


class ContestantsForm(StepForm):
    contestants = forms.CharField(
        label=_("Contestants, one a line"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
    )
    names_may_be_published = forms.BooleanField(
        label=_("Whoever is new here has agreed that the name is published"),
        required=False,
        help_text=_("Otherwise everybody outside the hall reads their initials, until they agree."),
    )
    registration = forms.ChoiceField(label=_("Instead, everybody from a registration list"), required=False)
    search = forms.CharField(
        label=_("Find in the club’s register"), max_length=200, required=False, widget=forms.SearchInput
    )

    def __init__(self, data: Any, *, draft: Draft, wish: SessionWish) -> None:
        initial = {
            "contestants": typed_contestants.text_of(draft.club, wish.contestants),
            "names_may_be_published": wish.names_may_be_published,
            "registration": str(wish.registration or ""),
        }
        super().__init__(data, draft=draft, wish=wish, initial=initial)
        lists = drafts.lists_for(draft)
        self.fields["registration"].choices = [("", "–"), *((str(pk), name) for pk, name in lists)]  # type: ignore[attr-defined]
        if not lists:
            del self.fields["registration"]
        game = registry.game(wish.game) if wish.game else None
        self.each = typed_contestants.players_each(game) if game is not None else 1
        self.least = typed_contestants.contestants_at_least(game) if game is not None else 2

    def decided(self) -> SessionWish:
        given = self.cleaned_data
        chosen = given.get("registration")
        consent = given["names_may_be_published"]
        if chosen:
            return replace(self.wish, registration=int(chosen), names_may_be_published=consent)
        try:
            found = typed_contestants.read_contestants(self.draft.club, given["contestants"], each=self.each)
            if len(found) < self.least:
                message = gettext("A session of this game needs %(least)d contestants at least.")
                raise Invalid("too-few", message % {"least": self.least})
        except Invalid as error:
            self.add_error("contestants", str(error))
            raise
        return replace(self.wish, registration=None, contestants=found, names_may_be_published=consent)


# ── When, and by which movement ───────────────────────────────────────────────────────────────────


class MovementForm(StepForm):
    keys = ("movement",)
    date = forms.DateField(label=_("Day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    begins = HourField(label=pgettext_lazy("time", "From"))
    ends = HourField(label=pgettext_lazy("time", "To"))
    minutes = forms.IntegerField(label=_("Minutes a board"), min_value=1, max_value=240)
    boards = forms.IntegerField(
        label=_("Or a number of boards each"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_("Then no end is wanted."),
    )
    movement = forms.CharField(label=_("Movement"), required=False)  # drawn by the page
    file = forms.FileField(
        label=_("A movement of your own"),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt"}),
        required=False,
        help_text=_("CSV or XLSX, a row for each seat: round, table, seat, contestant, boards (as 1 2 3)."),
    )

    def __init__(self, data: Any, *, draft: Draft, wish: SessionWish, files: Any = None) -> None:
        initial = {name: getattr(wish, name) for name in ("begins", "ends", "minutes", "boards")}
        initial["date"] = wish.date or session_wishes.today_at(draft.club).isoformat()
        super().__init__(data, draft=draft, wish=wish, initial=initial, files=files)

    def clean_file(self) -> str:
        """The text of the file; "" where there is none."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > movement_files.BYTES_AT_MOST:
            raise forms.ValidationError(gettext("The file is too large."))
        try:
            return movement_files.text_of(bytes(file.read()))
        except Invalid as refused:
            raise forms.ValidationError(str(refused)) from None

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("begins") and given.get("begins") == given.get("ends"):
            self.add_error("ends", _("It has to end later than it begins."))
        if (day := given.get("date")) and abs(day - session_wishes.today_at(self.draft.club)) > FAR:
            self.add_error("date", _("This day is more than two years away."))
        return given

    def timed(self) -> SessionWish:
        """The wish with the hours, and no movement yet."""
        given = self.cleaned_data
        return replace(
            self.wish,
            name=session_wishes.renamed(self.wish, self.draft.club, given["date"]),
            date=given["date"].isoformat(),
            begins=given["begins"].strftime("%H:%M"),
            ends=given["ends"].strftime("%H:%M"),
            minutes=given["minutes"],
            boards=given["boards"],
        )

    def chosen(self, offers: list[Offer]) -> Offer | None:
        key = self.cleaned_data.get("movement")
        return next((one for one in offers if one.movement.key == key), None)

    def decided(self) -> SessionWish:
        return self.timed()


# ── Boards and comparison ─────────────────────────────────────────────────────────────────────────


class BoardsForm(StepForm):
    reserves = forms.IntegerField(
        label=_("Boards in reserve"),
        min_value=0,
        max_value=20,
        help_text=_(
            "Sealed with the others, for a board that cannot be played. Where the tables shuffle their own"
            " cards there are none."
        ),
    )
    custody = forms.ChoiceField(
        label=_("Who deals, and who sees the boards before they have been played"), widget=forms.RadioSelect
    )
    public_kind = forms.ChoiceField(label=_("A public value mixed into the deals"), required=False)
    public_source = forms.CharField(
        label=_("Where anybody will find it"),
        max_length=200,
        required=False,
        help_text=_("In words that leave no choice: the draw and its date. There are no boards before."),
    )

    def __init__(
        self, data: Any, *, draft: Draft, wish: SessionWish, language: str, advised: str | None = None
    ) -> None:
        """`advised`: the custody that is preselected until somebody has chosen one."""
        names = ("reserves", "custody", "public_kind", "public_source")
        initial = {name: getattr(wish, name) for name in names}
        if advised is not None and "boards" not in wish.done:
            initial["custody"] = advised
        super().__init__(data, draft=draft, wish=wish, initial=initial)
        self.drawn_with = {"language": language, "advised": advised}
        self.fields["custody"].choices = [  # type: ignore[attr-defined]
            (
                BoardSet.Keeping.OFFICER.value,
                _(
                    "A deal officer, who does not play: nobody else sees the boards, which are dealt by hand"
                    " from lists. Everybody may read who it is"
                ),
            ),
            (
                BoardSet.Keeping.NONE.value,
                _("The club’s organisers, at any time; the session’s pages say so"),
            ),
            (
                session_wishes.BY_TABLES,
                _(
                    "The tables shuffle their own cards: each board once, where it is played first. It goes"
                    " on as it is, so that all are compared on the same cards. Nothing is sealed, and no"
                    " hands are shown afterwards"
                ),
            ),
            (
                session_wishes.COPIED,
                _(
                    "Somebody who does not play shuffles each board once, and copies it for all tables that"
                    " play it at once. Nothing is sealed, and no hands are shown afterwards"
                ),
            ),
        ]
        kinds = [
            (kind.name, f"{kind.form.to(language)} ({kind.example})") for kind in public_values.KINDS.values()
        ]
        self.fields["public_kind"].choices = [("", gettext("none")), *kinds]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("public_kind") and not given.get("public_source"):
            self.add_error("public_source", _("Say where the value will be found."))
        return given

    def decided(self) -> SessionWish:
        given = self.cleaned_data
        kind = "" if given["custody"] in session_wishes.UNSEALED else given["public_kind"]
        return replace(
            self.wish,
            reserves=given["reserves"],
            custody=given["custody"],
            public_kind=kind,
            public_source=given["public_source"] if kind else "",
        )


METHOD_WORDS = {
    "matchpoints": _("Two points for each result beaten, one for each equalled. The usual one."),
    "board-a-match": _("Each board is won, halved or lost against the others."),
    "cross-imps": _("Differences to every other result, large ones damped."),
    "butler": _("The difference to the mean of the others, large ones damped."),
    "total-points": _("The points of all boards, added up. Luck stays in."),
    "zero-sum": _("The difference to the mean, undamped."),
    "standardised": _("The difference to the mean, in standard deviations."),
}


class ComparisonForm(StepForm):
    method = forms.ChoiceField(label=_("How results become a ranking"), widget=forms.RadioSelect)
    substitutes_credited = forms.ChoiceField(
        label=_("What a substitute plays is credited to"), choices=Session.Credited.choices
    )
    live = forms.ChoiceField(
        label=_("What everybody sees of the list while it is played"),
        choices=Session.Live.choices,
        help_text=LIVE_NOTE,
    )

    def __init__(
        self, data: Any, *, draft: Draft, wish: SessionWish, language: str, only: str | None
    ) -> None:
        initial = {"method": only or wish.method, "live": wish.live}
        initial["substitutes_credited"] = wish.substitutes_credited
        super().__init__(data, draft=draft, wish=wish, initial=initial)
        self.drawn_with = {"language": language, "only": only}
        self.fields["method"].choices = [  # type: ignore[attr-defined]
            (name, method.name.to(language))
            for name, method in METHODS.items()
            if only is None or name == only
        ]

    def decided(self) -> SessionWish:
        given = self.cleaned_data
        options = self.wish.method_options if given["method"] == self.wish.method else {}
        return replace(
            self.wish,
            method=given["method"],
            method_options=options,
            substitutes_credited=given["substitutes_credited"],
            live=given["live"],
        )


class SeenForm(forms.Form):
    """The version of a draft that is to be set up."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
