"""Results: what was handed in, the ranking, the history."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, cast

from django.db.models import F, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import (
    NotAuthenticated,
    NotFound,
    ParseError,
    PermissionDenied,
    ValidationError,
)
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ...models import HistoryEntry, HistorySeal, Play, Ranking, Session, Submission, Token
from ...services import disputes, rankings, reasons, submissions
from ...services.errors import Refused
from ...services.names import reader_of
from ...services.tokens import Claim
from ..authentication import TokenAuthentication, confirmed_token, refusal
from ..conditional import answer
from ..door import ANSWER
from ..filters import PlayFilters, SubmissionFilters
from ..idempotency import IN_THE_BODY, with_key
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..serializers.boards import PlaySerializer, plays_data
from ..serializers.results import (
    EntriesSerializer,
    EntrySerializer,
    HistoryEntrySerializer,
    HistorySealSerializer,
    HistoryWishSerializer,
    PlaceSerializer,
    RankingSerializer,
    RankingWishSerializer,
    StoredSubmissionsSerializer,
    SubmissionSerializer,
    language,
    many_entries,
    one_entry,
    submission_data,
    wanted_version,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, ranked_session, refusals, seen_session, viewer_of
from .seen import OWN, Sight, sight_of


@extend_schema(responses={200: PlaySerializer(many=True), 304: None, **refusals(400, 404)})
class SessionPlays(OnlyKnownParameters, ListAPIView[Play]):
    """Who sits where, and the results, table by table: your own plays, or all of them once the session is
    over. An official who plays in the session is told the state of each play, and no result or ruling until
    its board is over."""

    serializer_class = PlaySerializer
    queryset = Play.objects.none()
    is_paged = True
    row: ClassVar = PlaySerializer
    filters = PlayFilters
    page_order: ClassVar[Order] = {"section": int, "number": int, "board_id": int}

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        session = seen_session(request, kwargs["pk"])
        return answer(request, session, lambda: self.page(session))

    def page(self, session: Session) -> Any:
        viewer = viewer_of(self.request)
        visible = Play.objects.seen_in(session, viewer)
        order = {"section": F("table__section_id"), "number": F("table__number")}
        shown = self.paginate_queryset(visible.values("id", "board_id", **order)) or []
        return self.get_paginated_response(plays_data(session, viewer, [row["id"] for row in shown])).data


class SessionSubmissions(OnlyKnownParameters, ListAPIView[Submission]):
    """What was handed in for the tables in your charge, the newest last; and where to hand in one result. For
    an official who plays in the session, without what others say of boards that are not over."""

    scopes = (Token.Scope.ENTER,)
    idempotency = IN_THE_BODY
    serializer_class = SubmissionSerializer
    queryset = Submission.objects.none()
    is_paged = True
    row: ClassVar = SubmissionSerializer
    filters = SubmissionFilters

    def get_queryset(self) -> QuerySet[Submission]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        session = self.session
        visible = Submission.objects.visible_to(caller_of(self.request))
        visible = visible.filter(play__table__section__session=session)
        shown = disputes.with_state_shown(visible, self.sight.told_disputes())
        return shown.select_related("play__table__section", "play__board")

    def get_serializer_context(self) -> dict[str, Any]:
        context: dict[str, Any] = dict(super().get_serializer_context())
        if not getattr(self, "swagger_fake_view", False):
            context["sight"] = self.sight
        return context

    @cached_property
    def sight(self) -> Sight:
        return sight_of(self.session, caller_of(self.request))

    @cached_property
    def session(self) -> Session:
        return seen_session(self.request, self.kwargs["pk"])

    def get_authenticators(self) -> list[BaseAuthentication]:
        handed_in = self.request is not None and self.request.method == "POST"  # None: for the description
        return [TokenAuthentication(claims=handed_in)]

    @extend_schema(responses={200: SubmissionSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=EntrySerializer,
        responses={202: SubmissionSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        return Response(
            hand_in(request, pk, lambda sent: one_entry(with_key(sent)))[0], status=status.HTTP_202_ACCEPTED
        )


class SessionSubmissionsInBulk(OnlyKnownParameters, GenericAPIView[Submission]):
    """Hand in many results at once: either all of them are accepted, or none. A refusal is that of the first
    row that is wrong; in its details, `rows` says of every row, by its `index`, whether it is `ready` or
    `refused`, and with which `code`; the first row is 0."""

    scopes = (Token.Scope.ENTER,)
    idempotency = IN_THE_BODY

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [TokenAuthentication(claims=True)]

    serializer_class = EntriesSerializer
    queryset = Submission.objects.none()

    @extend_schema(
        request=EntriesSerializer,
        responses={202: StoredSubmissionsSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        return Response(
            {"submissions": hand_in(request, pk, lambda sent: many_entries(sent.data))},
            status=status.HTTP_202_ACCEPTED,
        )


def hand_in(
    request: Request, pk: int, read: Callable[[Request], list[submissions.ResultEntry]]
) -> list[dict[str, Any]]:
    """Store what the body of a request says, unless `api.quick` has done so, and say what was stored.

    Whoever may enter no result of the session at all is told this and no more, whatever else was wrong: asked
    only after a refusal, because a key's first answer is given whatever has happened since.
    """
    if request.auth is None:
        raise NotAuthenticated
    claim = cast(Claim, request.auth)
    try:
        if (given := request.META.get(ANSWER)) is None:
            stored = submissions.submit(session_id=pk, sender=claim, entries=read(request))
        else:
            stored = submissions.what_was_stored(given)
    except submissions.BadToken:
        raise refusal(request) from None
    except (Refused, ValidationError, ParseError):
        sender = request.auth = confirmed_token(request)
        session = seen_session(request, pk)
        if not Play.objects.entered_by(sender).filter(table__section__session=session).exists():
            raise PermissionDenied from None
        raise
    return [submission_data(one, language()) for one in stored]


@extend_schema(responses={200: SubmissionSerializer, **refusals(404)})
class OneSubmission(OnlyKnownParameters, RetrieveAPIView[Submission]):
    serializer_class = SubmissionSerializer
    queryset = Submission.objects.none()

    def get_queryset(self) -> QuerySet[Submission]:
        visible = Submission.objects.visible_to(viewer_of(self.request))
        return visible.select_related(
            "play__table__section__session__tournament",
            "play__table__section__session__board_set",
            "play__table__section__session__tally",
            "play__board",
        ).defer(*(f"play__table__section__session__tally__{one}progress" for one in ("", "live_")))

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        submission, caller = self.get_object(), caller_of(request)
        if submission.state == Submission.State.PENDING and caller.role_id is None:
            sight = OWN  # nothing has been said of it yet that the deal could have a part in
        else:
            session = submission.play.table.section.session
            sight = sight_of(session, caller, [submission.play.board_id])
        return Response(SubmissionSerializer(submission, context={"sight": sight}).data)


class SessionRanking(OnlyKnownParameters, GenericAPIView[Ranking]):
    """A version of the ranking, the newest unless you ask for another; the best first. The pages that follow
    are of the same version. While the session is played, its officials see every result at once; everybody
    else, and officials who play in it, the live list (`live`), which counts only boards that are over and has
    versions of its own."""

    serializer_class = RankingSerializer
    queryset = Ranking.objects.none()
    parameters = ("version",)
    is_paged, may_descend = True, False
    row: ClassVar = PlaceSerializer
    rows_in = "places"
    order: ClassVar[Order] = {"place": int}

    @extend_schema(
        parameters=[RankingWishSerializer, *PAGE_PARAMETERS],
        responses={200: RankingSerializer, 304: None, **refusals(400, 403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        session, is_live = ranked_session(request, pk)
        newest = session.tally.live_version if is_live else session.version
        wanted = wanted_version(request)
        version = newest if wanted is None else wanted
        return answer(request, session, lambda: self.page(session, version, is_live), is_live=is_live)

    def page(self, session: Session, version: int, is_live: bool) -> Any:
        ranking = Ranking(session=session, version=0, is_live=is_live)
        if version:
            ranking = get_object_or_404(rankings.versions_of(session, is_live=is_live), version=version)
        cursor, size = cursor_of(self.request, self.order), size_of(self.request)
        numbers, page = slice_of(rankings.count(ranking), cursor, size)
        shown = {
            **{"session": session.pk, "version": version, "state": session.state, "live": is_live},
            **{"created_at": ranking.created_at, **links(self.request, page, version=version)},
            "places": rankings.standings(ranking, numbers, reader_of(viewer_of(self.request))),
        }
        return RankingSerializer(shown).data


@extend_schema(
    parameters=[HistoryWishSerializer],
    responses={200: HistoryEntrySerializer(many=True), **refusals(400, 403, 404)},
)
class SessionHistory(OnlyKnownParameters, ListAPIView[HistoryEntry]):
    """Who changed what, when and why, the oldest first. For the organiser; whoever plays in the session
    themselves is told why a result was changed or ruled on once its board is over."""

    serializer_class = HistoryEntrySerializer
    queryset = HistoryEntry.objects.none()
    parameters = ("account", "agent", "verb", "subject", "since", "until")
    is_paged = True
    row: ClassVar = HistoryEntrySerializer

    def get_queryset(self) -> QuerySet[HistoryEntry]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        session = self.session
        given = {name: text for name, text in self.request.query_params.items() if name in self.parameters}
        wish = HistoryWishSerializer(data=given)
        wish.is_valid(raise_exception=True)
        return HistoryEntry.objects.of(session=session).filter(**wish.validated_data).with_names()

    def get_serializer_context(self) -> dict[str, Any]:
        context: dict[str, Any] = dict(super().get_serializer_context())
        if not getattr(self, "swagger_fake_view", False):
            context["hidden"] = reasons.hidden_from(self.session, caller_of(self.request))
        return context

    @cached_property
    def session(self) -> Session:
        return organised_session(self.request, self.kwargs["pk"])


@extend_schema(responses={200: HistorySealSerializer(many=True), **refusals(400, 404)})
class SessionSeals(OnlyKnownParameters, ListAPIView[HistorySeal]):
    """The seals on the history of a session, the oldest first, for everybody who may see its ranking: whoever
    notes the newest digest can show later whether anything before it was changed."""

    serializer_class = HistorySealSerializer
    queryset = HistorySeal.objects.none()
    page_order: ClassVar[Order] = {"number": int}
    is_paged = True
    row: ClassVar = HistorySealSerializer

    def get_queryset(self) -> QuerySet[HistorySeal]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        visible = Session.objects.ranking_visible_to(viewer_of(self.request))
        session = get_object_or_404(visible, pk=self.kwargs["pk"])
        return HistorySeal.objects.filter(chain__session=session).defer("leaves")


@extend_schema(exclude=True)
class Nothing(APIView):
    """Every other address: it answers with the same shape of error."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound
