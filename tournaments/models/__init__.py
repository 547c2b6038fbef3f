"""What is kept, in the order in which it comes about; who may see it is a queryset method of each."""

from .boards import Board, BoardSet
from .history import Event, PaperFile
from .people import Club, Person, Player, Role, Token
from .plays import Play, Result, Seating, Submission
from .rankings import Ranking
from .tournaments import Contestant, Section, Session, Table, Tournament

__all__ = [
    "Board",
    "BoardSet",
    "Club",
    "Contestant",
    "Event",
    "PaperFile",
    "Person",
    "Play",
    "Player",
    "Ranking",
    "Result",
    "Role",
    "Seating",
    "Section",
    "Session",
    "Submission",
    "Table",
    "Token",
    "Tournament",
]
