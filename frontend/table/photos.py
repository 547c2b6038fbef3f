"""Photographs of paper slips: where a table sends them, and where officials look at them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.models import Session, SlipPhoto, TableLink
from tournaments.services import own_table, slip_photos, table_links
from tournaments.services.errors import Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..players import mine
from ..players.views import number
from . import showing
from .forms import PhotoForm
from .views import by_code


@forms_and_pages
@by_code
def page(request: HttpRequest, link: TableLink) -> HttpResponse:
    """Send a photograph of a board's slip: a plain form, which its script makes small before it is sent."""
    if not table_links.is_in_force(link):
        raise Http404
    code, boards = table_links.code_of(link), showing.begun(own_table.of(link.table))
    wanted = number(request.GET.get("board", "")) or 0
    chosen = wanted if wanted in boards else boards[0] if len(boards) == 1 else None
    form, status = PhotoForm(request.POST or None, request.FILES or None, boards=boards, board=chosen), 200
    if request.method == "POST" and boards:
        status = 400
        if form.is_valid():
            board = form.cleaned_data["board"]
            try:
                play = table_links.play_of(link, board)
                slip_photos.send(play=play, actor=link.token, content=form.cleaned_data["photo"])
                return redirect(f"{reverse('table-photos', kwargs={'code': code})}?board={board}")
            except Refused as error:
                form.add_error("photo", str(error))
    context = {
        **{"form": form, "code": code, "name": showing.table_name(link.table), "boards": boards},
        "board": chosen,
        "sent": slip_photos.count_of(table_links.play_of(link, chosen)) if chosen else 0,
    }
    return render(request, "table/photos.html", context, status=status)


@require_safe
@signed_in
def picture(request: HttpRequest, session: int, pk: int) -> HttpResponse:
    """A photograph itself, for the officials in whose charge the table is."""
    account = account_of(request)
    one = get_object_or_404(Session.objects.staffed_by(account).select_related("tournament"), pk=session)
    held = [player.pk for player in mine.myself(request).players]
    photo: SlipPhoto = get_object_or_404(slip_photos.seen_by(one, account, held).defer(None), pk=pk)
    answer = HttpResponse(bytes(photo.content), content_type="image/webp")
    answer["Cache-Control"] = "private, no-store"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
