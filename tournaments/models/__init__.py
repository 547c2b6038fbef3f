"""What is kept, and who may see it: a queryset method of each model."""

from .boards import Board, BoardSet
from .history import Event, PaperFile
from .jobs import Job
from .people import Club, Person, Player, Role, Token
from .plays import Play, Result, Seating, Submission
from .rankings import Line, Ranking, Tally
from .service import Worker
from .tournaments import Contestant, Section, Session, Table, Tournament

__all__ = [
    "Board",
    "BoardSet",
    "Club",
    "Contestant",
    "Event",
    "Job",
    "Line",
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
    "Tally",
    "Token",
    "Tournament",
    "Worker",
]
