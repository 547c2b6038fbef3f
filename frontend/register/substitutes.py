"""Who plays for whom in a session: the desk's page of substitutes."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tournaments.models import Member, Session, Substitution
from tournaments.services import register, substitutes
from tournaments.services.errors import Conflict, Refused
from tournaments.services.substitutes import SubstitutePrice

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..desk import undoing
from ..desk.changes import begun_rounds


class SubstituteForm(forms.Form):
    member = forms.TypedChoiceField(label=gettext_lazy("In the place of"), coerce=int)
    player = forms.CharField(
        label=gettext_lazy("Substitute"),
        max_length=register.NAME_LETTERS,
        help_text=gettext_lazy("A name or a number of the club’s register."),
    )
    is_new = forms.BooleanField(
        label=gettext_lazy("New here: enter the name in the club’s register"), required=False
    )
    names_may_be_published = forms.BooleanField(
        label=gettext_lazy("Whoever is new here has agreed that the name is published"),
        required=False,
        help_text=gettext_lazy(
            "Otherwise everybody outside the hall reads their initials, until they agree."
        ),
    )
    first_round = forms.IntegerField(label=gettext_lazy("From round"), min_value=1)
    last_round = forms.IntegerField(label=gettext_lazy("To round"), min_value=1)

    def __init__(self, data: object, *, members: list[Member], rounds: tuple[int, int]) -> None:
        """`rounds`: how many have begun, and the last one: from the next to the end, unless somebody says."""
        begun, last = rounds
        first = {"first_round": min(begun + 1, last), "last_round": last} if last else {}
        super().__init__(data, initial=first)  # type: ignore[arg-type]  # what a request sends
        self.members = {one.pk: one for one in members}
        member = self.fields["member"]
        assert isinstance(member, forms.TypedChoiceField)
        member.choices = [(pk, self.label(one)) for pk, one in self.members.items()]

    @staticmethod
    def label(member: Member) -> str:
        number, team, name = member.contestant.number, member.contestant.name, member.player.name
        return f"{number} – {name}" if team == name else f"{number} – {name} ({team})"


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    the_session = _session(request, session)
    members = list(substitutes.members_of(the_session))
    form = SubstituteForm(request.POST or None, members=members, rounds=begun_rounds(the_session))
    made, price, status = None, None, 200
    if request.method == "POST" and not form.is_valid():
        status = 400
    elif request.method == "POST":
        try:
            if request.POST.get("way") == "do":
                made = _substitute(request, the_session, form)
                said = _("The substitute is entered; the contestant stays the same.")
                undoing.said(request, said, the_session, "substitution", substitution=made.pk)
                return redirect("session-substitutes", session=session)
            made, price = _looked(request, the_session, form)
        except Refused as error:
            words = str(error)
            if error.code == "no-such-player":
                words = f"{words} {_('Tick below if they are new here.')}"
            form.add_error("player" if error.code in OF_THE_PLAYER else None, words)
            status = 409 if isinstance(error, Conflict) else 400
    context = {
        "session": the_session,
        **{"form": form, "made": made, "price": price},
        "substitutions": [(one, substitutes.credited(one)) for one in substitutes.of(the_session)],
    }
    return render(request, "register/substitutes.html", context, status=status)


OF_THE_PLAYER = {"entered-already", "several-of-one-name", "no-such-player"}


@transaction.atomic
def _substitute(request: HttpRequest, session: Session, form: SubstituteForm) -> Substitution:
    """Whoever is new is in the register only with the substitution."""
    entered, club = form.cleaned_data, session.tournament.club
    if entered["is_new"]:
        consent = entered["names_may_be_published"]
        player = register.players_named(club, [entered["player"]], consent=consent)[entered["player"]]
    else:
        player = register.player_called(club, entered["player"]).pk
    member = form.members[entered["member"]]
    return substitutes.substitute(
        session=session,
        actor=account_of(request),
        contestant=member.contestant.number,
        player=player,
        for_player=member.player_id,
        first_round=entered["first_round"],
        last_round=entered["last_round"],
    )


@transaction.atomic
def _looked(
    request: HttpRequest, session: Session, form: SubstituteForm
) -> tuple[Substitution, SubstitutePrice]:
    """What would be entered, and what it does: done, looked at, and taken back at once."""
    made = _substitute(request, session, form)
    price = substitutes.price_of(made)
    transaction.set_rollback(True)
    return made, price


@require_POST
@signed_in
def undo(request: HttpRequest, session: int, pk: int) -> HttpResponse:
    the_session = _session(request, session)
    one = get_object_or_404(substitutes.of(the_session), pk=pk)
    substitutes.undo(substitution=one, actor=account_of(request))
    messages.success(request, _("The substitution is undone."))
    return redirect("session-substitutes", session=session)


def _session(request: HttpRequest, pk: int) -> Session:
    """The session, for those who say who plays in it."""
    session = get_object_or_404(Session.objects.select_related("tournament__club", "board_set"), pk=pk)
    if not substitutes.may_enter(account_of(request), session):
        raise PermissionDenied
    return session
