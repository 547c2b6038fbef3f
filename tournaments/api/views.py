"""Resources. Who may see what is the querysets' `visible_to`; who may do what is said in each method."""

from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated, NotFound, PermissionDenied
from rest_framework.generics import GenericAPIView, ListAPIView, ListCreateAPIView, RetrieveAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines import registry

from ..models import Board, Event, Play, Ranking, Section, Session, Submission, Token, Tournament
from ..services import (
    board_sets,
    comparisons,
    evenings,
    guides,
    replanning,
    sessions,
    submissions,
    tokens,
)
from . import serializers as s
from .errors import ErrorSerializer

REFUSALS = {code: OpenApiResponse(ErrorSerializer) for code in (400, 401, 403, 404, 405, 406, 409, 415, 429)}


def viewer_of(request: Request) -> Token | None:
    return request.auth if isinstance(request.auth, Token) else None


def caller_of(request: Request) -> Token:
    """The caller's token; NotAuthenticated without one."""
    if viewer := viewer_of(request):
        return viewer
    raise NotAuthenticated


def refusals(*codes: int) -> dict[int, OpenApiResponse]:
    return {code: REFUSALS[code] for code in (*codes, 401, 406, 429)}


def seen_session(request: Request, pk: int) -> Session:
    """A session that the caller may see, or 404."""
    visible = Session.objects.visible_to(viewer_of(request)).select_related("board_set", "tournament")
    return get_object_or_404(visible, pk=pk)


def organised_session(request: Request, pk: int) -> Session:
    """A session that the caller organises: 401 without a token, 404 unseen, 403 seen but not theirs."""
    caller = caller_of(request)
    session = seen_session(request, pk)
    if not Session.objects.organised_by(caller).filter(pk=pk).exists():
        raise PermissionDenied
    return session


def plays_with_all() -> QuerySet[Play]:
    return Play.objects.select_related("table__section", "board", "result").prefetch_related(
        "seatings__contestant"
    )


@extend_schema_view(
    get=extend_schema(responses={200: s.TournamentSerializer(many=True), **refusals()}),
    post=extend_schema(responses={201: s.TournamentSerializer, **refusals(400, 403, 415)}),
)
class Tournaments(ListCreateAPIView[Tournament]):
    """Tournaments that you may see; an organiser creates one for the own club."""

    serializer_class = s.TournamentSerializer
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.visible_to(viewer_of(self.request)).select_related("club")

    def perform_create(self, serializer: Any) -> None:
        caller = caller_of(self.request)
        if not caller.organised_club or caller.role is None:
            raise PermissionDenied
        serializer.instance = sessions.create_tournament(
            actor=caller, club=caller.role.club, name=serializer.validated_data["name"]
        )


@extend_schema(responses={200: s.TournamentSerializer, **refusals(404)})
class OneTournament(RetrieveAPIView[Tournament]):
    serializer_class = s.TournamentSerializer
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.visible_to(viewer_of(self.request)).select_related("club")


class TournamentSessions(GenericAPIView[Session]):
    """The sessions of a tournament; its organiser sets one up: boards sealed, movement laid out."""

    serializer_class = s.SetUpSerializer
    queryset = Session.objects.none()
    pagination_class = None

    @extend_schema(responses={200: s.SessionSerializer(many=True), **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_object_or_404(Tournament.objects.visible_to(viewer_of(request)), pk=pk)
        seen = Session.objects.visible_to(viewer_of(request)).filter(tournament=tournament)
        seen = seen.select_related("board_set").prefetch_related("sections__club").order_by("number")
        return Response(s.SessionSerializer(seen, many=True).data)

    @extend_schema(
        request=s.SetUpSerializer, responses={201: s.SessionSerializer, **refusals(400, 403, 404, 415)}
    )
    def post(self, request: Request, pk: int) -> Response:
        caller = caller_of(request)
        tournament = get_object_or_404(Tournament.objects.visible_to(caller), pk=pk)
        if not Tournament.objects.organised_by(caller).filter(pk=pk).exists():
            raise PermissionDenied
        given = s.SetUpSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        session = sessions.set_up(tournament=tournament, actor=caller, **given.validated_data)
        return Response(s.SessionSerializer(session).data, status=status.HTTP_201_CREATED)


class Movements(APIView):
    """The movements that would do for an evening, measured, the best first. For organisers."""

    @extend_schema(
        parameters=[s.WishSerializer], responses={200: s.CandidateSerializer(many=True), **refusals(400, 403)}
    )
    def get(self, request: Request) -> Response:
        if caller_of(request).organised_club is None:
            raise PermissionDenied
        wish = s.WishSerializer(data=request.query_params)
        wish.is_valid(raise_exception=True)
        return Response(s.CandidateSerializer(sessions.movements_for(**wish.validated_data), many=True).data)


class TournamentEvenings(GenericAPIView[Session]):
    """The organiser hands in a paper evening as a file. All slips are reported at once, in `details`,
    and then nothing is stored; a dry run without slips answers 204."""

    serializer_class = s.EveningSerializer
    queryset = Session.objects.none()
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": s.EveningSerializer},
        responses={201: s.SessionSerializer, 204: None, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller = caller_of(request)
        tournament = get_object_or_404(Tournament.objects.visible_to(caller), pk=pk)
        if not Tournament.objects.organised_by(caller).filter(pk=pk).exists():
            raise PermissionDenied
        given = s.EveningSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        evening = dict(given.validated_data)
        text, dry_run = evening.pop("file"), evening.pop("dry_run")
        if dry_run:
            evenings.checked(text=text, game=evening["game"], options=evening["options"])
            return Response(status=status.HTTP_204_NO_CONTENT)
        session = evenings.import_evening(tournament=tournament, actor=caller, text=text, **evening)
        return Response(s.SessionSerializer(session).data, status=status.HTTP_201_CREATED)


@extend_schema(responses={200: s.SessionSerializer, **refusals(404)})
class OneSession(RetrieveAPIView[Session]):
    serializer_class = s.SessionSerializer
    queryset = Session.objects.none()

    def get_queryset(self) -> QuerySet[Session]:
        visible = Session.objects.visible_to(viewer_of(self.request))
        return visible.select_related("board_set").prefetch_related("sections__club")


class SessionState(GenericAPIView[Session]):
    """The organiser ends the play."""

    serializer_class = s.StateSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={200: s.SessionSerializer, **refusals(400, 403, 404, 415)})
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = s.StateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        session = sessions.finish(session=session, actor=caller_of(request))
        return Response(s.SessionSerializer(session).data)


class SessionPublication(GenericAPIView[Session]):
    """The organiser shows the ranking to everyone, or takes it back."""

    serializer_class = s.PublicationSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={200: s.SessionSerializer, **refusals(400, 403, 404, 415)})
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = s.PublicationSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        session = sessions.publish(session=session, actor=caller_of(request), **given.validated_data)
        return Response(s.SessionSerializer(session).data)


class PublicValue(GenericAPIView[Session]):
    """The organiser tells the public value that was announced when the boards were sealed: they are dealt
    from the seed and this value together."""

    serializer_class = s.MixInSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={200: s.SessionSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = s.MixInSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        board_sets.mix_in(session=session, actor=caller_of(request), **given.validated_data)
        return Response(s.SessionSerializer(organised_session(request, pk)).data)


class Reserves(GenericAPIView[Session]):
    """The organiser has a reserve board played in place of one that was fouled or annulled."""

    serializer_class = s.ReserveSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={201: s.BoardSerializer, **refusals(400, 403, 404, 409, 415)})
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = s.ReserveSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        caller = caller_of(request)
        reserve = board_sets.use_reserve(session=session, actor=caller, **given.validated_data)
        boards, context = boards_of(session, caller)
        answer = s.BoardSerializer(boards.get(pk=reserve.pk), context=context)
        return Response(answer.data, status=status.HTTP_201_CREATED)


class Replans(GenericAPIView[Session]):
    """The organiser plans the rest of an evening again: somebody leaves, stays away, or comes late."""

    serializer_class = s.ReplanSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={201: s.SessionSerializer, **refusals(400, 403, 404, 409, 415)})
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = s.ReplanSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        session = replanning.replan(session=session, actor=caller_of(request), **given.validated_data)
        return Response(s.SessionSerializer(session).data, status=status.HTTP_201_CREATED)


class Guides(APIView):
    """Where everybody goes, for those who print it: the organiser's sections, a scorer's own."""

    @extend_schema(responses={200: s.GuideSerializer(many=True), **refusals(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        caller = caller_of(request)
        session = seen_session(request, pk)
        sections = Section.objects.entered_by(caller).filter(session=session).order_by("name")
        if caller.role is None or not sections:
            raise PermissionDenied
        return Response(s.GuideSerializer(guides.guides(session, sections), many=True).data)


class TableTokens(GenericAPIView[Session]):
    """Fresh tokens for the tables that you answer for: the organiser's all, a scorer's own section's.
    The tokens that the tables had before end."""

    serializer_class = s.TableTokenRequestSerializer
    queryset = Session.objects.none()
    pagination_class = None

    @extend_schema(
        request=s.TableTokenRequestSerializer,
        responses={201: s.TableTokenSerializer(many=True), **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller = caller_of(request)
        session = seen_session(request, pk)
        if caller.role is None:
            raise PermissionDenied
        given = s.TableTokenRequestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        issued = tokens.issue_for_tables(
            session=session, actor=caller, section=given.validated_data.get("section")
        )
        answer = [{"table": table, "token": text} for table, text in issued]
        return Response(s.TableTokenSerializer(answer, many=True).data, status=status.HTTP_201_CREATED)


def boards_of(session: Session, viewer: Token | None) -> tuple[QuerySet[Board], dict[str, Any]]:
    """The boards of a session, counted, and the context that their serializer needs."""
    boards = Board.objects.filter(board_set__session=session).order_by("number")
    counted = boards.annotate(play_count=Count("plays"), result_count=Count("plays__result"))
    open_boards = set(boards.open_to(viewer).values_list("pk", flat=True))
    prints = viewer is not None and Section.objects.entered_by(viewer).filter(session=session).exists()
    return counted, {
        "session": session,
        "game": registry.game(session.game),
        "open_boards": open_boards,
        "prints": prints and viewer is not None and viewer.role_id is not None,
    }


def open_board(session: Session, viewer: Token | None, number: int) -> Board:
    """A board whose hands the viewer may see, or 404."""
    return get_object_or_404(Board.objects.open_to(viewer).filter(board_set__session=session), number=number)


class SessionBoards(GenericAPIView[Board]):
    """The boards of a session; the hands of those that you may see by now."""

    serializer_class = s.BoardSerializer
    queryset = Board.objects.none()
    pagination_class = None

    @extend_schema(responses={200: s.BoardSerializer(many=True), **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        session = seen_session(request, pk)
        boards, context = boards_of(session, viewer_of(request))
        return Response(s.BoardSerializer(boards, many=True, context=context).data)


class SessionDeals(APIView):
    """The file that proves the deals, exactly as it is published: sealed before and during play, with the
    seed once the session is over. `python -m engines verify` checks it."""

    @extend_schema(responses={(200, "application/json"): {"type": "object"}, **refusals(404)})
    def get(self, request: Request, pk: int) -> HttpResponse:
        file = board_sets.file_of(seen_session(request, pk))
        return HttpResponse(file, content_type="application/json")


class Proof(APIView):
    """The file that proves one board without telling the others, once you may see its hands."""

    @extend_schema(responses={(200, "application/json"): {"type": "object"}, **refusals(404, 409)})
    def get(self, request: Request, pk: int, number: int) -> HttpResponse:
        session = seen_session(request, pk)
        board = open_board(session, viewer_of(request), number)
        return HttpResponse(board_sets.file_of(session, [board.number]), content_type="application/json")


class Lists(GenericAPIView[Board]):
    """A board for people who deal it by hand: by card and by seat. For its organisers."""

    serializer_class = s.ListsSerializer
    queryset = Board.objects.none()

    @extend_schema(responses={200: s.ListsSerializer, **refusals(403, 404)})
    def get(self, request: Request, pk: int, number: int) -> Response:
        session = organised_session(request, pk)
        board = open_board(session, caller_of(request), number)
        deal = submissions.deal_of(session, board.number)
        if deal is None:
            raise NotFound(_("There are no deals to be laid out here."))
        return Response(s.ListsSerializer(board_sets.lists(session, board.number, deal)).data)


class Traveller(GenericAPIView[Board]):
    """All results of one board, side by side, once you may see its hands."""

    serializer_class = s.TravellerSerializer
    queryset = Board.objects.none()

    @extend_schema(responses={200: s.TravellerSerializer, **refusals(404)})
    def get(self, request: Request, pk: int, number: int) -> Response:
        session = seen_session(request, pk)
        boards, context = boards_of(session, viewer_of(request))
        board = get_object_or_404(boards, number=number, pk__in=context["open_boards"])
        plays = plays_with_all().filter(board=board).order_by("table__section__name", "table__number")
        shown = {"board": board, "top": comparisons.top(session), "plays": plays}
        return Response(s.TravellerSerializer(shown, context=context).data)


@extend_schema(responses={200: s.PlaySerializer(many=True), **refusals(404)})
class SessionPlays(ListAPIView[Play]):
    """Who sits where and what came of it: your own, or all once the session is over."""

    serializer_class = s.PlaySerializer
    queryset = Play.objects.none()

    def get_queryset(self) -> QuerySet[Play]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        session = seen_session(self.request, self.kwargs["pk"])
        visible = Play.objects.visible_to(viewer_of(self.request)).filter(table__section__session=session)
        return plays_with_all().filter(pk__in=visible)


class SessionSubmissions(ListAPIView[Submission]):
    """What was handed in for the tables that you may enter, the newest last; hand in one result."""

    serializer_class = s.SubmissionSerializer
    queryset = Submission.objects.none()

    def get_queryset(self) -> QuerySet[Submission]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        session = seen_session(self.request, self.kwargs["pk"])
        visible = Submission.objects.visible_to(caller_of(self.request))
        visible = visible.filter(play__table__section__session=session)
        return visible.select_related("play__table__section", "play__board")

    @extend_schema(responses={200: s.SubmissionSerializer(many=True), **refusals(404)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=s.EntrySerializer,
        responses={202: s.SubmissionSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        session = entered_session(request, pk)
        given = s.EntrySerializer(data=request.data)
        given.is_valid(raise_exception=True)
        stored = submissions.submit(
            session=session, sender=caller_of(request), entries=[given.validated_data]
        )
        return Response(s.SubmissionSerializer(stored[0]).data, status=status.HTTP_202_ACCEPTED)


class SessionSubmissionsInBulk(GenericAPIView[Submission]):
    """Hand in many results at once: all are taken, or none."""

    serializer_class = s.EntriesSerializer
    queryset = Submission.objects.none()

    @extend_schema(
        request=s.EntriesSerializer,
        responses={202: s.SubmissionsSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        session = entered_session(request, pk)
        given = s.EntriesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        stored = submissions.submit(
            session=session, sender=caller_of(request), entries=given.validated_data["submissions"]
        )
        return Response(
            s.SubmissionsSerializer({"submissions": stored}).data, status=status.HTTP_202_ACCEPTED
        )


def entered_session(request: Request, pk: int) -> Session:
    """A session that the caller may enter some results of; players and strangers may not."""
    caller = caller_of(request)
    session = seen_session(request, pk)
    if not Play.objects.entered_by(caller).filter(table__section__session=session).exists():
        raise PermissionDenied
    return session


@extend_schema(responses={200: s.SubmissionSerializer, **refusals(404)})
class OneSubmission(RetrieveAPIView[Submission]):
    serializer_class = s.SubmissionSerializer
    queryset = Submission.objects.none()

    def get_queryset(self) -> QuerySet[Submission]:
        visible = Submission.objects.visible_to(viewer_of(self.request))
        return visible.select_related("play__table__section", "play__board")


class SessionRanking(GenericAPIView[Ranking]):
    """The newest version of the ranking. Send its ETag back as If-None-Match to learn only of changes."""

    serializer_class = s.RankingSerializer
    queryset = Ranking.objects.none()

    @extend_schema(responses={200: s.RankingSerializer, 304: None, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        visible = Session.objects.ranking_visible_to(viewer_of(request))
        session = get_object_or_404(visible, pk=pk)
        etag = f'"{session.pk}-{session.version}-{session.state}"'
        headers = {"ETag": etag, "Cache-Control": "no-cache"}
        if etag in [
            tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")
        ]:
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        ranking = Ranking.objects.filter(session=session, version=session.version).first()
        shown = ranking or Ranking(session=session, version=0, places=[])
        return Response(s.RankingSerializer(shown).data, headers=headers)


@extend_schema(responses={200: s.EventSerializer(many=True), **refusals(403, 404)})
class SessionHistory(ListAPIView[Event]):
    """Who did what and when: for the organiser."""

    serializer_class = s.EventSerializer
    queryset = Event.objects.none()

    def get_queryset(self) -> QuerySet[Event]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return Event.objects.filter(session=organised_session(self.request, self.kwargs["pk"]))


@extend_schema(exclude=True)
class Nothing(APIView):
    """Every other address: the one shape of error here too."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound
