"""What is kept, and who may see it: a queryset method of each model."""

from .accounts import Account, Invitation, Role
from .boards import Board, BoardSet
from .clubs import Club
from .history import Event, PaperFile
from .jobs import Job
from .people import Category, Player, Token
from .plays import Play, Result, Seating, Submission
from .rankings import Line, Ranking, Tally
from .service import Worker
from .tournaments import Contestant, Member, Section, Session, Substitution, Table, Tournament

__all__ = [
    "Account",
    "Board",
    "BoardSet",
    "Category",
    "Club",
    "Contestant",
    "Event",
    "Invitation",
    "Job",
    "Line",
    "Member",
    "PaperFile",
    "Play",
    "Player",
    "Ranking",
    "Result",
    "Role",
    "Seating",
    "Section",
    "Session",
    "Submission",
    "Substitution",
    "Table",
    "Tally",
    "Token",
    "Tournament",
    "Worker",
]
