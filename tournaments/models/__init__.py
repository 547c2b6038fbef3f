"""What is kept, and who may see it: a queryset method of each model. Who may do what: `access`.

A foreign key has no index of its own (`db_index=False`) where a unique constraint begins with it, by
which its rows are found as well.
"""

from .accounts import Account, FormerName, Invitation, Role
from .archives import ArchiveFile, ImportedSession
from .boards import Board, BoardSet, Custody
from .calls import Announcement, Call
from .clubs import Club, ClubLogo
from .drafts import Draft, SessionTemplate
from .evening_links import EveningLink
from .events import CheckAnswer, ClubEntry, Event, Leg
from .feed import FeedCounter, FeedItem
from .fees import Fee, FeePayment
from .fields import FieldRanking, FieldTally
from .history import HistoryChain, HistoryEntry, HistorySeal, PaperFile, Remark
from .jobs import Job
from .lists import AwardFormula, CataloguePenalty, SessionList
from .matches import Match, MatchRules, Team
from .objections import Objection, ObjectionStep
from .partner_keys import PartnerKey
from .past_seasons import PastSeason
from .people import Category, Player, Token
from .plays import Confirmation, Play, Result, Seating, Submission, WaitingSubmission
from .points import PointsGiven, PointsTally
from .prints import PrintedFile
from .rankings import Line, Ranking, Tally
from .ratings import PlayerRating, RatedSession, RatingStep, RatingTally
from .registrations import ErasureWish, PlayerLink, Registrant, Registration, RegistrationList
from .rounds import Round, RoundExtension, TableAtPlay
from .rulings import RuledPlay, Ruling, RulingPart
from .seasons import CountedEvening, Season, SeasonStanding, SeasonTally
from .service import KeptAnswer, Worker
from .slip_photos import SlipPhoto
from .table_links import LateEntry, TableLink
from .tournaments import Contestant, Member, Section, Session, Substitution, Table, Tournament
from .webhooks import Webhook, WebhookDelivery

__all__ = [
    "Account",
    "Announcement",
    "ArchiveFile",
    "AwardFormula",
    "Board",
    "BoardSet",
    "Call",
    "CataloguePenalty",
    "Category",
    "CheckAnswer",
    "Club",
    "ClubEntry",
    "ClubLogo",
    "Confirmation",
    "Contestant",
    "CountedEvening",
    "Custody",
    "Draft",
    "ErasureWish",
    "EveningLink",
    "Event",
    "Fee",
    "FeePayment",
    "FeedCounter",
    "FeedItem",
    "FieldRanking",
    "FieldTally",
    "FormerName",
    "HistoryChain",
    "HistoryEntry",
    "HistorySeal",
    "ImportedSession",
    "Invitation",
    "Job",
    "KeptAnswer",
    "LateEntry",
    "Leg",
    "Line",
    "Match",
    "MatchRules",
    "Member",
    "Objection",
    "ObjectionStep",
    "PaperFile",
    "PartnerKey",
    "PastSeason",
    "Play",
    "Player",
    "PlayerLink",
    "PlayerRating",
    "PointsGiven",
    "PointsTally",
    "PrintedFile",
    "Ranking",
    "RatedSession",
    "RatingStep",
    "RatingTally",
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
    "Season",
    "SeasonStanding",
    "SeasonTally",
    "Seating",
    "Section",
    "Session",
    "SessionList",
    "SessionTemplate",
    "SlipPhoto",
    "Submission",
    "Substitution",
    "Table",
    "TableAtPlay",
    "TableLink",
    "Tally",
    "Team",
    "Token",
    "Tournament",
    "WaitingSubmission",
    "Webhook",
    "WebhookDelivery",
    "Worker",
]
