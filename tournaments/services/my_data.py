"""What is kept about a person, as they can take it along. Each part says in a word what it is; no secret is
among it: of tokens and passwords only that they are there."""

from collections.abc import Sequence
from typing import Any

from django.contrib.sessions.models import Session as SignIn
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import (
    Account,
    Draft,
    ErasureWish,
    EveningLink,
    FeePayment,
    HistoryEntry,
    Invitation,
    Job,
    Member,
    Objection,
    ObjectionStep,
    Play,
    Player,
    PlayerLink,
    PlayerRating,
    PointsGiven,
    RatingStep,
    Registrant,
    Role,
    Ruling,
    RulingPart,
    Submission,
    Substitution,
    Token,
)
from . import own_results, past_seasons, seasons, slip_photos
from .history import subject_of

Rows = list[dict[str, Any]]
Part = dict[str, Any]


def about(account: Account | None, players: Sequence[Player]) -> dict[str, Any]:
    """Everything about a person: their account, if they have one, and their entries in registers. The time
    grows with what there is."""
    lines = [line for player in players for line in lines_of(player)]
    tokens = Token.objects.filter(player__in=lines)
    if account is not None:
        tokens |= Token.objects.filter(role__account=account)
    parts: dict[str, Part] = {}
    if account is not None:
        parts |= _of_account(account)
    return {
        "made_at": timezone.now().isoformat(),
        **parts,
        "register": _part(
            _("What clubs have in their registers about you."),
            [_register_line(player) for player in lines],
        ),
        "links": _part(
            _("Links that clubs have made for you. Their secrets are not kept."),
            _rows(
                PlayerLink.objects.filter(player__in=lines), "made_at", "ends_at", "used_at", "withdrawn_at"
            ),
        ),
        "erasure_wishes": _part(
            _("When you have asked a club to erase your entry, and when that was settled."),
            _rows(ErasureWish.objects.filter(player__in=lines), "made_at", "settled_at"),
        ),
        "registrations": _part(
            _("Lists in which you have entered, and left."),
            _rows(
                Registrant.objects.filter(player__in=lines),
                *("list__tournament__name", "list__name", "entered_at", "left_at"),
            ),
        ),
        "contestants": _part(
            _("Sessions in which you have been entered, and as whom."),
            _rows(
                Member.objects.filter(player__in=lines),
                *("session", "session__tournament__name", "session__name"),
                *("contestant__number", "contestant__left_after"),
            ),
        ),
        "evening_links": _part(
            _("Links on guide cards, each to one of your evenings. Their secrets are not kept."),
            _rows(
                EveningLink.objects.filter(contestant__members__player__in=lines).distinct(),
                *("contestant__session", "made_at", "ends_at"),
            ),
        ),
        "fees": _part(
            _("Entry fees that you have paid, in hundredths."),
            _rows(
                FeePayment.objects.filter(member__player__in=lines),
                *("member__session", "amount", "member__session__tournament__club__currency"),
                *("made_at", "undone_at"),
            ),
        ),
        "substitutions": _part(
            _("Rounds that you have played in the place of somebody else, or somebody else in yours."),
            _rows(
                Substitution.objects.filter(player__in=lines)
                | Substitution.objects.filter(for_player__in=lines),
                *("contestant__session", "first_round", "last_round", "made_at", "undone_at"),
            ),
        ),
        "ratings": _part(
            _("Your strength at a game, as a club’s evenings tell: an estimate, and how uncertain it is."),
            _rows(
                PlayerRating.objects.filter(player__in=lines),
                *("club__name", "game", "mean", "spread", "boards", "events", "made_at", "played_at"),
            ),
        ),
        "rating_history": _part(
            _("What that strength was held to be after each session, and what Elo’s would be."),
            _rows(
                RatingStep.objects.filter(player__in=lines),
                *("rated__session", "game", "mean", "spread", "elo", "boards", "events"),
            ),
        ),
        "master_points": _part(
            _("Master points that lists have given you, in hundredths, and those that were taken back."),
            _rows(
                PointsGiven.objects.filter(player__in=lines),
                *("session", "the_list__name", "hundredths", "version", "given_at", "reversed_at"),
                "reversed_version",
            ),
        ),
        "past_seasons": _part(
            _("Where you stood in seasons of the years before, as your clubs have brought them."),
            past_seasons.about(lines),
        ),
        "seasons": _part(
            _("Where you stand in seasons, list by list, and what they give you as a handicap."),
            seasons.about(lines),
        ),
        "results": _part(_("What you have played, board by board."), _results(lines)),
        "slip_photos": _part(
            _("Photos of paper slips of your tables. Directors look at them, and nobody else gets one."),
            _rows(
                slip_photos.of_players(lines),
                *("play__table__section__session", "play__board__number", "made_at"),
            ),
        ),
        **_directed(lines),
        "tokens": _part(
            _("Keys by which programs or browsers act for you. Their secrets are not kept."),
            _rows(tokens, "prefix", "created_at", "expires_at", "revoked_at"),
        ),
        "history": _part(
            _("What the history says that you have done, or that was done to what is yours."),
            _history(account, lines, tokens),
        ),
    }


def _part(words: str, rows: Any) -> Part:
    return {"what": words, "data": rows}


def _rows(rows: QuerySet[Any], *columns: str) -> Rows:
    return [dict(row) for row in rows.order_by("pk").values(*columns)]


def lines_of(player: Player) -> list[Player]:
    """An entry of a register, and those that have been merged into it, at whatever distance."""
    there = {player.pk: player}
    further = list(there)
    while further:
        merged = Player.objects.filter(merged_into__in=further).exclude(pk__in=there).order_by("pk")
        further = [player.pk for player in merged]
        there |= {player.pk: player for player in merged}
    return list(there.values())


def _register_line(player: Player) -> dict[str, Any]:
    home = None if player.home_club is None else player.home_club.name
    return {
        "id": player.pk,
        "club": player.club.name,
        "given_name": player.given_name,
        "family_name": player.family_name,
        "public_name": player.public_name,
        "number": player.number,
        "home_club": home,
        "categories": player.categories,
        "consent": player.consent,
        "licence_until": player.licence_until,
        "suspended_from": player.suspended_from,
        "suspended_until": player.suspended_until,
        "registered_at": player.registered_at,
        "merged_into": player.merged_into_id,
    }


def _of_account(account: Account) -> dict[str, Part]:
    from allauth.account.models import EmailAddress
    from allauth.mfa.models import Authenticator
    from allauth.usersessions.models import UserSession

    named = ("kind", "club__name", "session__name", "granted_at", "revoked_at")
    return {
        "account": _part(
            _("Your account. Of the password only its hash is kept."),
            {
                "id": account.pk,
                "name": account.name,
                "former_names": list(account.former_names.order_by("pk").values_list("folded", flat=True)),
                "email": account.email,
                "language": account.language,
                "created_at": account.created_at,
                "last_login": account.last_login,
                "has_password": account.has_usable_password(),
                "is_operator": account.is_staff,
            },
        ),
        "addresses": _part(
            _("E-mail addresses, and whether you have confirmed them."),
            _rows(EmailAddress.objects.filter(user=account), "email", "verified", "primary"),
        ),
        "factors": _part(
            _("Passkeys and second factors. Their secrets are kept, and not shown."),
            _rows(Authenticator.objects.filter(user=account), "type", "created_at", "last_used_at"),
        ),
        "sign_ins": _part(
            _("Where you are signed in."),
            _rows(
                UserSession.objects.filter(user=account),
                *("created_at", "last_seen_at", "ip", "user_agent"),
            ),
        ),
        "roles": _part(
            _("What you may do, and might do earlier."), _rows(Role.objects.filter(account=account), *named)
        ),
        "invitations": _part(
            _("Invitations to your address, and those that you have made."),
            _rows(
                Invitation.objects.filter(made_by=account)
                | Invitation.objects.filter(email__isnull=False, email=account.email),
                *("kind", "club__name", "session__name", "email", "made_at", "accepted_at", "withdrawn_at"),
            ),
        ),
        "jobs": _part(
            _("Long work that you have asked for."),
            _rows(
                Job.objects.filter(Q(sender__role__account=account) | Q(account=account)),
                *("kind", "name", "created_at", "ended_at"),
            ),
        ),
        "drafts": _part(
            _("Sessions that you have begun to set up."),
            _rows(Draft.objects.filter(made_by=account), "club__name", "made_at", "saved_at"),
        ),
    }


def _results(players: Sequence[Player]) -> Rows:
    members = Member.objects.filter(player__in=players).select_related("session__tally", "player")
    return [
        {
            "session": member.session_id,
            "board": play.board,
            "round": play.round,
            "table": f"{play.section}{play.table}",
            "score": play.score,
            "award": play.award,
        }
        for member in members.order_by("session", "pk")
        for play in own_results.own_plays(member.session, member.player)
    ]


def _directed(players: Sequence[Player]) -> dict[str, Part]:
    objections = _objections_of(players)
    place = ("play__round", "play__table__section__name", "play__table__number", "play__board__number")
    return {
        "objections": _part(
            _("What you, or somebody for your contestant, has objected to."),
            _rows(objections, "id", "session", *place, "made_at", "remark__text"),
        ),
        "objection_steps": _part(
            _("What followed these objections: answers, appeals, decisions, withdrawals."),
            _rows(
                ObjectionStep.objects.filter(objection__in=objections),
                *("objection", "kind", "outcome", "made_at", "remark__text"),
            ),
        ),
        "rulings": _part(
            _("What directors have decided about your contestant, or about what you have played."),
            _rows(
                _rulings_of(players),
                *("session", "kind", "content", "made_at", "remark__text"),
                *("reversed_at", "reversal_remark__text"),
            ),
        ),
    }


def _objections_of(players: Sequence[Player]) -> QuerySet[Objection]:
    """Those of their contestants, and of those that they were substitutes for then."""
    substituted = Substitution.objects.filter(
        player__in=players,
        contestant=OuterRef("contestant"),
        first_round__lte=OuterRef("play__round"),
        last_round__gte=OuterRef("play__round"),
    )
    own = Member.objects.filter(player__in=players, contestant=OuterRef("contestant"))
    return Objection.objects.filter(Exists(own) | Exists(substituted))


def _rulings_of(players: Sequence[Player]) -> QuerySet[Ruling]:
    """Those about their contestants, and about single plays at which they sat: a fouled board is about its
    cards."""
    own = Member.objects.filter(player__in=players)
    substituted = Substitution.objects.filter(
        player__in=players,
        contestant__seatings__play=OuterRef("pk"),
        first_round__lte=OuterRef("round"),
        last_round__gte=OuterRef("round"),
    )
    sat = Exists(own.filter(contestant__seatings__play=OuterRef("pk"))) | Exists(substituted)
    ruled = RulingPart.objects.filter(play__in=Play.objects.filter(sat)).values("ruling")
    return Ruling.objects.filter(
        Q(contestant__in=own.values("contestant")) | (Q(pk__in=ruled) & ~Q(kind=Ruling.Kind.FOULED))
    )


def _history(account: Account | None, players: Sequence[Player], tokens: QuerySet[Token]) -> Rows:
    done = entries_about(account, players) | HistoryEntry.objects.filter(token__in=tokens)
    if account is not None:
        done |= HistoryEntry.objects.filter(account=account)
    return _rows(done, "at", "verb", "subject", "session", "club")


def entries_about(account: Account | None, players: Sequence[Player]) -> QuerySet[HistoryEntry]:
    """What the history says that was done to an account, its roles, and lines of registers; and what was said
    in objections of theirs, rulings about them, and where results of theirs were changed."""
    subjects = [_subject(Player, player) for player in players]
    if players:
        subjects += [_subject(Objection, one) for one in _objections_of(players)]
        subjects += [_subject(Ruling, one) for one in _rulings_of(players)]
        played = Submission.objects.filter(
            play__seatings__contestant__members__player__in=players, remark__isnull=False
        )
        subjects += [_subject(Submission, one) for one in played.distinct()]
    if account is not None:
        subjects += [_subject(Account, account), *(_subject(Role, role) for role in account.roles.all())]
    return HistoryEntry.objects.filter(subject__in=subjects)


def _subject(model: type[Model], row: Model) -> str:
    return subject_of(model, row.pk)


def sign_ins_of(account: Account) -> list[str]:
    """The keys of the browsers' sessions in which an account is signed in."""
    from allauth.usersessions.models import UserSession

    known = set(UserSession.objects.filter(user=account).values_list("session_key", flat=True))
    for one in SignIn.objects.filter(expire_date__gt=timezone.now()).iterator(chunk_size=1000):
        if one.get_decoded().get("_auth_user_id") == str(account.pk):
            known.add(one.session_key)
    return sorted(known)
