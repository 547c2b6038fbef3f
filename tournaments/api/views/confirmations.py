"""Other sides of a table, and officials, agree with what was handed in."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Confirmation, Section, Token
from ...services import confirmations
from ...services.rulings import PlayPlace
from ..serializers.confirmations import ConfirmationSerializer, NewConfirmationSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session


class Confirmations(OnlyKnownParameters, GenericAPIView[Confirmation]):
    """Another seat of the table agrees with the result that counts for a play, or an official does, who
    thereby settles what its sides disagree about. Said again, it is the same."""

    scopes = (Token.Scope.ENTER,)
    serializer_class = NewConfirmationSerializer
    queryset = Confirmation.objects.none()

    @extend_schema(
        request=NewConfirmationSerializer,
        responses={201: ConfirmationSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[
            OpenApiExample(
                "seat 2 agrees on its own phone",
                {"section": "A", "table": 3, "board": 7, "submission": 118, "seat": 2},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session = caller_of(request), seen_session(request, pk)
        if not Section.objects.entered_by(caller).filter(session=session).exists():
            raise PermissionDenied
        given = NewConfirmationSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        made = confirmations.confirm(
            session=session,
            actor=caller,
            place=PlayPlace(wish.pop("section"), wish.pop("table"), wish.pop("board")),
            **wish,
        )
        return Response(ConfirmationSerializer(made).data, status=status.HTTP_201_CREATED)
