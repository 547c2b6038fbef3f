"""Les Héritiers: the rules of Démons, told with other names."""

from typing import Any

from ..contract import Game
from ..phrases import Phrase
from .demons import Demons


class Heritiers(Demons):
    id = "heritiers"
    name = Phrase("Les Héritiers")


GAMES: tuple[Game[Any], ...] = (Heritiers(),)
