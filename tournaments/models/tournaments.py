"""Tournaments, their sessions and sections, the tables, and the contestants."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from . import access
from .access import Caller
from .clubs import Club
from .people import Player, Token


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def visible_to(self, viewer: Token | None) -> TournamentQuerySet:
        """Those with a session that the viewer may see; organisers see all of their own club's."""
        seen = Exists(Session.objects.visible_to(viewer).filter(tournament=OuterRef("pk")))
        if viewer is not None and viewer.organised_club:
            return self.filter(seen | Q(club=viewer.organised_club))
        return self.filter(seen)

    def managed_by(self, caller: Caller) -> TournamentQuerySet:
        """Those in which the caller sets up sessions."""
        return self.filter(access.managed(caller, club="club"))


class Tournament(models.Model):
    club = models.ForeignKey(Club, models.PROTECT, related_name="tournaments")
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TournamentQuerySet.as_manager()


def not_under_embargo(session: str = "") -> Q:
    """Rows of sessions whose boards are not kept closed for other clubs; `session`: the way to them."""
    leg = f"{session}__leg" if session else "leg"
    return Q(**{leg: None}) | Q(**{f"{leg}__lifted_at__isnull": False})


class SessionQuerySet(models.QuerySet["Session"]):
    def visible_to(self, viewer: Token | None) -> SessionQuerySet:
        """Listed sessions, and those in which the viewer has a part."""
        listed = Q(listed=True)
        if viewer is None:
            return self.filter(listed)
        if viewer.organised_club:
            return self.filter(listed | Q(tournament__club=viewer.organised_club))
        if (own := access.held(viewer, "session")) or not (
            viewer.scored_club or viewer.table_id or viewer.player_id
        ):
            return self.filter(listed | Q(pk__in=own))
        sections = Section.objects.filter(session=OuterRef("pk"))
        if viewer.scored_club:
            return self.filter(listed | Exists(sections.filter(club=viewer.scored_club)))
        if viewer.table_id:
            return self.filter(listed | Exists(sections.filter(tables=viewer.table_id)))
        contestants = Contestant.objects.filter(session=OuterRef("pk"), players=viewer.player_id)
        instead = Substitution.objects.filter(
            contestant__session=OuterRef("pk"), player=viewer.player_id, undone_at=None
        )
        return self.filter(listed | Exists(contestants) | Exists(instead))

    def directed_by(self, caller: Caller) -> SessionQuerySet:
        """Those that the caller runs."""
        return self.filter(access.directed(caller, session="pk", club="tournament__club"))

    def staffed_by(self, caller: Caller) -> SessionQuerySet:
        """Those that the caller runs or scores, or has another role at."""
        officiated = access.officiated(caller, session="pk", club="tournament__club")
        return self.filter(officiated | Q(pk__in=access.held(caller, "session")))

    def officiated_by(self, caller: Caller) -> SessionQuerySet:
        """Those of which the caller sees every result, unless they play in it: whoever runs the session or
        scores all of it."""
        return self.filter(access.officiated(caller, session="pk", club="tournament__club"))

    def ranking_visible_to(self, caller: Caller) -> SessionQuerySet:
        """Sessions whose ranking the caller may see: listed ones, and those of its officials. How much of it
        they see while it is played, `services.live_lists` says."""
        return self.filter(Q(listed=True) | access.officiated(caller, session="pk", club="tournament__club"))


class Session(models.Model):
    """A sitting: one game, one set of boards, one ranking.

    `substitutes_credited`: who is credited with what a substitute has played, besides the contestant.
    `method`: how lines are compared, with its options. `partners_fixed`: the movement says who plays with
    whom (teams, partners), and a new plan must keep it. `plays_per_board`: at how many tables a board is to
    be played, at most. `listed`: anybody may see its pages and its list. `is_paced`: its rounds are opened
    and closed (`models.rounds`); otherwise all of them are open while it runs. `round_changes` is another
    number whenever its rounds have gone through something, `clock_changes` counts changes
    of their times alone. `is_trial`: it is played to try things out, and may be deleted with all that comes
    of it; it is from the beginning, or never. `leg`: of an event of many clubs, whose boards it plays; None
    for a session that has its own. `corrections_until`: when its provisional list becomes
    final, if the clock is to say so.
    """

    class State(models.TextChoices):
        """Every arrow from one to another is a function of `services.states`."""

        DRAFT = (
            "draft",
            pgettext_lazy("session", "draft"),
        )  # something is missing: nobody can hand in anything
        READY = "ready", pgettext_lazy("session", "ready")  # to be played
        RUNNING = (
            "running",
            pgettext_lazy("session", "running"),
        )  # a round has been opened, or something has been handed in
        PLAYED = "played", pgettext_lazy("session", "played")  # tables hand in no more
        PROVISIONAL = (
            "provisional",
            pgettext_lazy("session", "provisional"),
        )  # its list is what the evening has come to, unless somebody objects
        FINAL = "final", pgettext_lazy("session", "final")
        AMENDED = "amended", pgettext_lazy("session", "amended")  # it was final, and has been changed since
        CANCELLED = "cancelled", pgettext_lazy("session", "cancelled")

    COMING = (State.DRAFT, State.READY, State.RUNNING)
    OVER = (State.PLAYED, State.PROVISIONAL, State.FINAL, State.AMENDED)
    RANKED = (State.PROVISIONAL, State.FINAL, State.AMENDED)

    class Live(models.TextChoices):
        """What the lists that everybody sees count while it is played; never more than boards that are
        over."""

        BOARDS_OVER = "boards_over", pgettext_lazy("live", "each board once it is over")
        ROUNDS = "rounds", pgettext_lazy("live", "the boards that are over after each round")
        HIDDEN = "hidden", pgettext_lazy("live", "nothing until it has been played")

    class Credited(models.TextChoices):
        BOTH = "both", pgettext_lazy("credited", "the substitute and the member")
        SUBSTITUTE = "substitute", pgettext_lazy("credited", "the substitute")
        MEMBER = "member", pgettext_lazy("credited", "the member")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="sessions", db_index=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    conditions = models.JSONField(default=dict)
    live = models.CharField(max_length=20, choices=Live, default=Live.BOARDS_OVER, db_default="boards_over")
    method = models.CharField(max_length=40)
    method_options = models.JSONField(default=dict)
    movement = models.CharField(max_length=80)
    partners_fixed = models.BooleanField(default=False)
    plays_per_board = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State, default=State.READY)
    listed = models.BooleanField(default=False)
    starts_at = models.DateTimeField(null=True)
    corrections_until = models.DateTimeField(null=True)
    is_paced = models.BooleanField(db_default=False, default=False)
    round_changes = models.PositiveIntegerField(db_default=0, default=0)
    clock_changes = models.PositiveIntegerField(db_default=0, default=0)
    is_trial = models.BooleanField(db_default=False, default=False)
    leg = models.ForeignKey("Leg", models.PROTECT, null=True, related_name="sessions", db_index=False)
    substitutes_credited = models.CharField(max_length=20, choices=Credited, default=Credited.BOTH)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "number", name="session_number_unique"),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        *["draft", "ready", "running", "played", "provisional", "final", "amended"],
                        "cancelled",
                    ]
                ),
                name="session_state_known",
            ),
            models.CheckConstraint(
                condition=Q(live__in=["boards_over", "rounds", "hidden"]), name="session_live_known"
            ),
        ]
        indexes = [
            models.Index(  # what the sweep asks for
                "corrections_until", name="session_soon_final", condition=Q(state="provisional")
            ),
            models.Index("leg", name="session_of_leg", condition=Q(leg__isnull=False)),
        ]

    @property
    def is_over(self) -> bool:
        """Whether it has been played here; `are_boards_over` asks the other clubs too."""
        return self.state in self.OVER

    @property
    def is_under_embargo(self) -> bool:
        """Whether its boards are played at other clubs too, and closed to everybody until all have. It costs
        a session of its own boards nothing, others a query."""
        return self.leg_id is not None and self.leg is not None and self.leg.lifted_at is None

    @property
    def are_boards_over(self) -> bool:
        """Whether all of its boards have been played, at every club that plays them."""
        return self.is_over and not self.is_under_embargo

    @property
    def is_open_to_all(self) -> bool:
        """Whether anybody may see what was dealt, and who did what with it."""
        return self.listed and self.state in self.RANKED and not self.is_under_embargo

    @property
    def version(self) -> int:
        """The newest of its ranking; 0 before the first."""
        return self.tally.version

    @property
    def public_version(self) -> int:
        """The newest that everybody may see: of the live list while it is played."""
        return self.tally.version if self.are_boards_over else self.tally.live_version


class SectionQuerySet(models.QuerySet["Section"]):
    def scored_by(self, caller: Caller) -> SectionQuerySet:
        """The sections in the caller's charge: all tables of them."""
        return self.filter(access.scored(caller))

    def entered_by(self, caller: Caller) -> SectionQuerySet:
        """The sections where the caller may enter results, of all tables or (a table) of its own plays."""
        return self.filter(access.entered(caller))


class Section(models.Model):
    """A room or a club of a session, with its own tables."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="sections", db_index=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="sections")
    name = models.CharField(max_length=20)

    objects = SectionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint("session", "name", name="section_name_unique")]


class Table(models.Model):
    section = models.ForeignKey(Section, models.PROTECT, related_name="tables", db_index=False)
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint("section", "number", name="table_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="table_number_from_1"),
        ]


class Contestant(models.Model):
    """Who is ranked in a session: a player, a pair or a team, numbered from 1. `named_by_players`: its name
    is theirs, and follows them. `left_after`: the last round that they played before they went home;
    `came_after`: the round after which they came to a Swiss, 0 for those who were there from the beginning.
    `line_group`: those of one group are ranked together; contestants of different groups are never
    compared. `team`: whom they win and lose matches with, where there are any."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="contestants", db_index=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    named_by_players = models.BooleanField(default=True)
    players = models.ManyToManyField(
        Player, through="Member", through_fields=("contestant", "player"), related_name="contestants"
    )
    left_after = models.PositiveIntegerField(null=True)
    came_after = models.PositiveIntegerField(default=0, db_default=0)
    line_group = models.PositiveIntegerField(default=1)
    team = models.ForeignKey("Team", models.PROTECT, null=True, related_name="contestants")

    class Meta:
        constraints = [
            models.UniqueConstraint("session", "number", name="contestant_number_unique"),
            models.CheckConstraint(condition=Q(line_group__gte=1), name="contestant_line_group_from_1"),
        ]


class Member(models.Model):
    """A player of a contestant, once in a session. `entered_as`: another line of the register that has been
    merged into the player's since, and under which they were entered."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="members", db_index=False)
    contestant = models.ForeignKey(Contestant, models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, models.PROTECT, related_name="memberships")
    entered_as = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = [models.UniqueConstraint("session", "player", name="player_once_in_session")]


class Substitution(models.Model):
    """A player who plays some rounds in the place of a contestant's member. `undone_at`: it does not
    count."""

    contestant = models.ForeignKey(Contestant, models.CASCADE, related_name="substitutions")
    player = models.ForeignKey(Player, models.PROTECT, related_name="substitutions")
    for_player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    first_round = models.PositiveIntegerField()
    last_round = models.PositiveIntegerField()
    entered_as = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first_round__gte=1, last_round__gte=F("first_round")),
                name="substitution_rounds_in_order",
            ),
            models.CheckConstraint(
                condition=~Q(player=F("for_player")), name="substitution_by_another_player"
            ),
        ]
