"""What is kept, and who may see it: a queryset method of each model. Who may do what: `access`.

A foreign key has no index of its own (`db_index=False`) where a unique constraint begins with it, by
which its rows are found as well.
"""

from .accounts import Account, FormerName, Invitation, Role
from .boards import Board, BoardSet, Custody
from .clubs import Club
from .drafts import Draft
from .history import HistoryChain, HistoryEntry, HistorySeal, PaperFile, Remark
from .jobs import Job
from .lists import CataloguePenalty, SessionList
from .objections import Objection, ObjectionStep
from .people import Category, Player, Token
from .plays import Confirmation, Play, Result, Seating, Submission, WaitingSubmission
from .rankings import Line, Ranking, Tally
from .registrations import ErasureWish, PlayerLink, Registrant, Registration, RegistrationList
from .rounds import Round, RoundExtension, TableAtPlay
from .rulings import RuledPlay, Ruling, RulingPart
from .service import KeptAnswer, Worker
from .tournaments import Contestant, Member, Section, Session, Substitution, Table, Tournament

__all__ = [
    "Account",
    "Board",
    "BoardSet",
    "CataloguePenalty",
    "Category",
    "Club",
    "Confirmation",
    "Contestant",
    "Custody",
    "Draft",
    "ErasureWish",
    "FormerName",
    "HistoryChain",
    "HistoryEntry",
    "HistorySeal",
    "Invitation",
    "Job",
    "KeptAnswer",
    "Line",
    "Member",
    "Objection",
    "ObjectionStep",
    "PaperFile",
    "Play",
    "Player",
    "PlayerLink",
    "Ranking",
    "Registrant",
    "Registration",
    "RegistrationList",
    "Remark",
    "Result",
    "Role",
    "Round",
    "RoundExtension",
    "RuledPlay",
    "Ruling",
    "RulingPart",
    "Seating",
    "Section",
    "Session",
    "SessionList",
    "Submission",
    "Substitution",
    "Table",
    "TableAtPlay",
    "Tally",
    "Token",
    "Tournament",
    "WaitingSubmission",
    "Worker",
]
