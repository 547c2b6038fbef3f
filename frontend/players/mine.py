"""Who looks at their own page: somebody who has signed in, or whose browser has used a player's link."""

from dataclasses import dataclass, field

from django.http import HttpRequest

from tournaments.models import Account, Player, Token

from ..accounts.context import TOKENS, is_player, is_signed_in


@dataclass(frozen=True, slots=True)
class Myself:
    """`players`: the entries in registers that are this person; `tokens`: by player, of those that only this
    browser holds."""

    account: Account | None
    players: list[Player]
    tokens: dict[int, Token] = field(default_factory=dict)

    def actor_for(self, player: Player) -> Account | Token:
        """By what the person acts for one of their entries."""
        if self.account is not None and player.account_id == self.account.pk:
            return self.account
        return self.tokens[player.pk]


def myself(request: HttpRequest) -> Myself:
    account = request.user if isinstance(request.user, Account) else None
    there = Player.objects.in_register().select_related("club").order_by("club__name", "pk")
    own = [] if account is None else list(there.filter(account=account))
    held = Token.objects.valid().filter(pk__in=request.session.get(TOKENS, []), player__in=there)
    by_link = {
        token.player_id: token for token in held.select_related("player__club") if token.player_id is not None
    }
    attached = {player.pk for player in own}
    others = [token.player for pk, token in by_link.items() if pk not in attached and token.player]
    return Myself(account, own + others, by_link)


def own_players(request: HttpRequest) -> list[int]:
    """The ids of one's own entries; nothing is asked of the database for those without a cookie."""
    if not (is_signed_in(request)() or is_player(request)()):
        return []
    return [player.pk for player in myself(request).players]


def hold(request: HttpRequest, token: Token) -> None:
    """The browser holds a token from now on, as long as the token lasts."""
    request.session[TOKENS] = [*request.session.get(TOKENS, []), token.pk]
    if not request.user.is_authenticated:
        assert token.expires_at is not None
        request.session.set_expiry(token.expires_at)


def let_go(request: HttpRequest) -> None:
    request.session.pop(TOKENS, None)
