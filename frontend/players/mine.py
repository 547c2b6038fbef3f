"""Who looks at their own page: somebody who has signed in, or whose browser has used a player's link."""

from dataclasses import dataclass, field

from django.http import HttpRequest

from tournaments.models import Account, Player, Token
from tournaments.services import player_links

from ..accounts.context import is_player, is_signed_in


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
    return Myself(account, *player_links.held_by(account, request.session.get(player_links.TOKENS, [])))


def own_players(request: HttpRequest) -> list[int]:
    """The ids of one's own entries; nothing is asked of the database for those without a cookie."""
    if not (is_signed_in(request)() or is_player(request)()):
        return []
    return [player.pk for player in myself(request).players]


def hold(request: HttpRequest, token: Token) -> None:
    """The browser holds a token from now on, as long as the token lasts."""
    request.session[player_links.TOKENS] = [*request.session.get(player_links.TOKENS, []), token.pk]
    if not request.user.is_authenticated:
        assert token.expires_at is not None
        request.session.set_expiry(token.expires_at)


def let_go(request: HttpRequest) -> None:
    request.session.pop(player_links.TOKENS, None)
