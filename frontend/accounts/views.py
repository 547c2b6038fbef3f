"""One's own account, who may do what, and invitations: each view asks a service, and shows the answer."""

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.here import is_at_the_machine
from tournaments.models import Account, Club, Invitation, Role, Session
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, invitations, roles, tokens
from tournaments.services.errors import Conflict, Refused
from tournaments.services.roles import FEDERATION, RolePlace

from .. import clocks
from .forms import ClubForm, InvitationForm, JoinForm, MyselfForm, TokenForm, language_now
from .keeping import signed_in
from .landing import page_of_role

SEEN = "invitations"  # in the session: the digests of the links that somebody has followed, by invitation
forms_and_pages = require_http_methods(["GET", "HEAD", "POST"])


def account_of(request: HttpRequest) -> Account:
    assert isinstance(request.user, Account)
    return request.user


# ── One's own account ─────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def my_account(request: HttpRequest) -> HttpResponse:
    account = account_of(request)
    form = MyselfForm(request.POST or None, initial={"name": account.name, "language": account.language})
    if request.method == "POST" and form.is_valid():
        accounts.change(account=account, **form.cleaned_data)
        messages.success(request, _("Your account has been changed."))
        return redirect("my-account")
    context = {
        "form": form,
        "roles": roles.of(account),
        "second_factor": has_second_factor(account),
        "ending": list(tokens.ending(account)),
    }
    return render(request, "account/mine.html", context)


def has_second_factor(account: Account) -> bool:
    """Whether signing in asks this account for more than its password."""
    from allauth.mfa.models import Authenticator  # not before somebody looks at their account

    factors = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
    return bool(Authenticator.objects.filter(user=account, type__in=factors).exists())


@forms_and_pages
@signed_in
def leave_role(request: HttpRequest, pk: int) -> HttpResponse:
    role = get_object_or_404(roles.of(account_of(request)), pk=pk)
    return _ask_and_revoke(request, role, back=reverse("my-account"))


# ── Tokens of programs ────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def my_tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of one's own roles, and a form for another."""
    account = account_of(request)
    own = list(roles.of(account))
    form = TokenForm(request.POST or None, roles=own)
    if request.method == "POST" and form.is_valid():
        wish = dict(form.cleaned_data)
        of = wish.pop("role")
        role = next(one for one in own if str(one.pk) == of)
        try:
            _token, text = tokens.make(role=role, actor=account, **wish)
        except Refused as error:
            form.add_error(
                "scopes" if "scope" in error.code or error.code == "beyond-role" else None, str(error)
            )
        else:
            return _tokens_page(request, TokenForm(roles=own), text)
    return _tokens_page(request, form)


def _tokens_page(request: HttpRequest, form: TokenForm, text: str | None = None) -> HttpResponse:
    """`text`: of a token that has just been made, which is shown this once."""
    account = account_of(request)
    context = {
        "form": form,
        "tokens": tokens.of(account),
        "ending": list(tokens.ending(account)),
        "text": text,
    }
    return render(request, "account/tokens.html", context)


@forms_and_pages
@signed_in
def rotate_token(request: HttpRequest, pk: int) -> HttpResponse:
    account = account_of(request)
    token = get_object_or_404(tokens.of(account), pk=pk)
    if request.method == "POST":
        try:
            _token, text = tokens.rotate(token=token, actor=account)
        except Conflict as error:
            messages.error(request, str(error))
            return redirect("my-tokens")
        return _tokens_page(request, TokenForm(roles=roles.of(account)), text)
    return render(request, "account/end_token.html", {"token": token, "rotate": True})


@forms_and_pages
@signed_in
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    account = account_of(request)
    token = get_object_or_404(tokens.of(account), pk=pk)
    if request.method == "POST":
        tokens.revoke(token=token, actor=account)
        messages.success(request, _("The token has been revoked: what used it gets in no more."))
        return redirect("my-tokens")
    return render(request, "account/end_token.html", {"token": token, "rotate": False})


@forms_and_pages
@signed_in
def clubs_page(request: HttpRequest) -> HttpResponse:
    account = account_of(request)
    if not roles.is_administrator(account):
        raise PermissionDenied
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        club = roles.found_club(name=form.cleaned_data["name"], actor=account)
        messages.success(request, _("%(club)s is there; you administer it.") % {"club": club.name})
        return redirect("desk")
    return render(request, "account/clubs.html", {"form": form, "clubs": Club.objects.order_by("name", "pk")})


# ── Who may do what ───────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def people(request: HttpRequest, club: str | None = None, session: int | None = None) -> HttpResponse:
    """Who may do what at the federation, a club, a session, and whom else to invite."""
    account = account_of(request)
    place = _place(club, session)
    kinds = roles.grantable(account, place)
    if not kinds:
        raise PermissionDenied
    wanted = request.GET.get("role")
    form = InvitationForm(request.POST or None, kinds=kinds, kind=wanted if wanted in kinds else None)
    link = None
    if request.method == "POST" and form.is_valid():
        try:
            invitation, secret = invitations.invite(
                kind=RoleKind(form.cleaned_data["kind"]),
                place=place,
                actor=account,
                email=form.cleaned_data["email"],
            )
        except Refused as error:
            form.add_error(None, str(error))
        else:
            link = _link(request, secret)
            if invitation.email:
                send_invitation(invitation, link)
            form = InvitationForm(kinds=kinds)
    context = {
        "place": place,
        "people": roles.at(place),
        "invitations": invitations.open_at(place),
        "kinds": kinds,
        "form": form,
        "link": link,
        "link_email": invitation.email if link else None,
        "mail_goes_out": settings.EMAIL_BACKEND != settings.MAIL_FOLDER,
        "sessions": sessions_of(place),
    }
    with clocks.at(place):
        return render(request, "account/people.html", context)


def sessions_of(place: RolePlace) -> QuerySet[Session]:
    """The sessions of a club that still have something to do, the newest first."""
    if place.club is None:
        return Session.objects.none()
    own = Session.objects.filter(tournament__club=place.club, state__in=Session.COMING)
    return own.select_related("tournament").order_by("-pk")[:20]


def _place(club: str | None, session: int | None) -> RolePlace:
    if club is not None:
        return RolePlace(club=get_object_or_404(Club, slug=club))
    if session is not None:
        of = Session.objects.select_related("tournament__club")
        return RolePlace(session=get_object_or_404(of, pk=session))
    return FEDERATION


def address_of_invitation(session: Session, kind: RoleKind) -> str:
    """Where somebody is invited to be this at a session."""
    return f"{address_of_people(RolePlace(session=session))}?{urlencode({'role': kind.value})}"


def address_of_people(place: RolePlace) -> str:
    if place.session is not None:
        return reverse("session-people", kwargs={"session": place.session.pk})
    return reverse("club-people", kwargs={"club": place.club.slug}) if place.club else reverse("people")


@forms_and_pages
@signed_in
def revoke_role(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask once, naming what will be lost; then revoke."""
    of = Role.objects.select_related("account", "club", "session__tournament__club")
    role = get_object_or_404(of, pk=pk)
    place = RolePlace.of(role)
    if not roles.may_grant(account_of(request), role.kind, place):
        raise Http404
    return _ask_and_revoke(request, role, back=address_of_people(place))


def _ask_and_revoke(request: HttpRequest, role: Role, back: str) -> HttpResponse:
    account = account_of(request)
    refusal = None
    if request.method == "POST":
        try:
            roles.revoke(role=role, actor=account)
        except Conflict as error:
            refusal = str(error)
        else:
            messages.success(request, _("The role has ended."))
            return redirect(back if role.account_id != account.pk else "my-account")
    context = {"role": role, "place": RolePlace.of(role), "own": role.account_id == account.pk, "back": back}
    status = 200 if refusal is None else 409
    return render(request, "account/revoke.html", context | {"refusal": refusal}, status=status)


@require_POST
@signed_in
def withdraw_invitation(request: HttpRequest, pk: int) -> HttpResponse:
    of = Invitation.objects.select_related("club", "session__tournament__club")
    the_invitation = get_object_or_404(of, pk=pk)
    place = RolePlace.of(the_invitation)
    try:
        invitations.withdraw(invitation=the_invitation, actor=account_of(request))
    except Refused:
        raise Http404 from None
    messages.success(request, _("The invitation has been withdrawn: its link no longer works."))
    return redirect(address_of_people(place))


# ── Invitations ───────────────────────────────────────────────────────────────────────────────────


def _link(request: HttpRequest, secret: str) -> str:
    return absolute(request, invitations.path_of(secret))


def absolute(request: HttpRequest, path: str) -> str:
    """An address as others follow it."""
    base = settings.PUBLIC_URL.rstrip("/")
    return f"{base}{path}" if base else request.build_absolute_uri(path)


def send_invitation(invitation: Invitation, link: str) -> None:
    assert invitation.email is not None
    context = {"invitation": invitation, "place": RolePlace.of(invitation), "link": link}
    subject = _("Étui: an invitation from %(name)s") % {"name": invitation.made_by or "Étui"}
    text = render_to_string("account/email/invitation.txt", context)
    EmailMessage(" ".join(subject.split()), text, to=[invitation.email]).send()


@require_safe
def follow_link(request: HttpRequest, secret: str) -> HttpResponse:
    """The address in a link. Its secret goes no further: the page that follows has an address of its own."""
    the_invitation = invitations.with_secret(secret)
    if the_invitation is None:
        return redirect("invitation", pk=0)
    seen = request.session.get(SEEN, {})
    request.session[SEEN] = seen | {str(the_invitation.pk): the_invitation.digest}
    return redirect("invitation", pk=the_invitation.pk)


@sensitive_post_parameters("password")
@forms_and_pages
def invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """What is offered, to whom, and how it stands; accepting it, with an account or a new one."""
    digest = request.session.get(SEEN, {}).get(str(pk))
    the_invitation = invitations.with_digest(pk, digest) if digest is not None else None
    if the_invitation is None:
        return render(request, "account/no_invitation.html", status=404)
    account = account_of(request) if request.user.is_authenticated else None
    form = JoinForm(request.POST or None, bound_to=the_invitation.email)
    state = invitations.state_of(the_invitation)
    if request.method == "POST" and state == Invitation.State.OPEN:
        if account is not None and invitations.is_for(the_invitation, account):
            return _accept(request, the_invitation, account)
        if account is None and "name" not in request.POST:  # accepted in a tab that was signed out elsewhere
            return redirect_to_login(request.get_full_path())
        if account is None and form.is_valid() and (answer := _join(request, the_invitation, form)):
            return answer
        state = invitations.state_of(the_invitation)
    mine = account is not None and the_invitation.role is not None and the_invitation.role.account == account
    context = {
        "invitation": the_invitation,
        "place": RolePlace.of(the_invitation),
        "state": state.value,
        "form": form,
        "foreign": account is not None and not invitations.is_for(the_invitation, account),
        "own": account is not None and the_invitation.made_by == account,
        "mine": mine,
    }
    open_or_mine = mine or state == Invitation.State.OPEN
    return render(request, "account/invitation.html", context, status=200 if open_or_mine else 410)


def _accept(request: HttpRequest, the_invitation: Invitation, account: Account) -> HttpResponse:
    try:
        role = invitations.accept(invitation=the_invitation, account=account)
    except Refused as error:  # somebody was quicker: the page says how it stands now
        messages.error(request, str(error))
        return redirect("invitation", pk=the_invitation.pk)
    welcome(request, role)
    return redirect(page_of_role(role))


def _join(request: HttpRequest, the_invitation: Invitation, form: JoinForm) -> HttpResponse | None:
    """The answer to somebody who has a new account, and is signed in with it; None if the form says why
    not."""
    from allauth.account.utils import perform_login  # not before somebody comes
    from allauth.core import ratelimit

    if (refusal := ratelimit.consume_or_429(request, action="signup")) is not None:
        return refusal  # type: ignore[no-any-return]  # theirs has no types
    try:
        account = invitations.join(invitation=the_invitation, language=language_now(), **form.cleaned_data)
    except Refused as error:
        form.add_error("email" if error.code == "address-taken" else None, str(error))
        return None
    role = Role.objects.in_force().get(account=account)
    welcome(request, role)
    return perform_login(  # type: ignore[no-any-return]
        request, account, email_verification="none", redirect_url=page_of_role(role)
    )


def welcome(request: HttpRequest, role: Role) -> None:
    kind, place = RoleKind(role.kind).label, RolePlace.of(role).name
    messages.success(request, _("You are %(role)s: %(place)s.") % {"role": kind, "place": place})


@require_POST
def set_up(request: HttpRequest) -> HttpResponse:
    """The way to the first administrator's account for whoever sits at the machine itself."""
    secret = invitations.set_up() if is_at_the_machine(request) else None
    if secret is None:
        raise PermissionDenied
    return redirect("invitation-link", secret=secret)
