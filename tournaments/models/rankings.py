"""How far a session's results are counted, what its lines hold, and every version of its ranking."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from .boards import Board
from .tournaments import Session


class TallyQuerySet(models.QuerySet["Tally"]):
    def behind(self) -> TallyQuerySet:
        """Those whose lists have something to take in."""
        return self.filter(BEHIND)


BEHIND = (
    Q(position__gt=F("ranked_position"))
    | Q(layout__gt=F("counted_layout"))
    | Q(revealed__gt=F("counted_revealed"))
)


class Tally(models.Model):
    """How far a session's results are counted: a row of its own, so that nobody who reads or changes the
    session waits for those who store or count its results.

    `position`: of the newest results (`Result.position`); `ranked_position`: up to which the lists have taken
    them in. `layout` counts the changes of what the counting stands on (who plays what, how often boards are
    played), `counted_layout` is the one counted. `version`: the newest of the ranking; `ranked_at`: when the
    newest was begun. `progress`: by contestant, what it was ranked by after each round, for the plot:
    compressed JSON, of `progress_position`. `checked_at`: when the lists were last compared with a
    recomputation, and how many `disagreements` are left. `names` counts the changes of names that the
    session's answers show: the database itself does (`tournaments.following`). `rulings` counts what
    directors have decided and reversed; while it is 0, nothing looks for any. `said` counts what tables and
    officials have said of plays that changes no result: who sits, agrees or disagrees.

    `revealed` counts what may make other boards over though no result comes: rounds, sheets that agree, the
    setting `Session.live`; `counted_revealed` is the one that the live list has taken in. `live_version`: the
    newest of the live list; `live_progress`: its drawing, of the version `live_drawn`.
    """

    session = models.OneToOneField(Session, models.PROTECT, related_name="tally")
    position = models.PositiveBigIntegerField(default=0)
    ranked_position = models.PositiveBigIntegerField(default=0)
    layout = models.PositiveBigIntegerField(default=1)
    counted_layout = models.PositiveBigIntegerField(default=1)
    version = models.PositiveBigIntegerField(default=0)
    ranked_at = models.DateTimeField(null=True)
    progress = models.BinaryField(default=bytes)
    progress_position = models.PositiveBigIntegerField(default=0)
    checked_at = models.DateTimeField(null=True)
    disagreements = models.PositiveIntegerField(default=0)
    names = models.PositiveBigIntegerField(default=0, db_default=0)
    rulings = models.PositiveBigIntegerField(default=0, db_default=0)
    said = models.PositiveBigIntegerField(default=0, db_default=0)
    revealed = models.PositiveBigIntegerField(default=0, db_default=0)
    counted_revealed = models.PositiveBigIntegerField(default=0, db_default=0)
    live_version = models.PositiveBigIntegerField(default=0, db_default=0)
    live_progress = models.BinaryField(default=bytes)
    live_drawn = models.PositiveBigIntegerField(default=0, db_default=0)

    objects = TallyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(counted_layout__lte=F("layout")), name="tally_not_ahead"),
            models.CheckConstraint(
                condition=Q(ranked_position__lte=F("position")), name="tally_ranks_what_there_is"
            ),
        ]
        indexes = [models.Index("session", name="tally_behind", condition=BEHIND)]


class Line(models.Model):
    """The histogram of one side of a board, as far as it is counted: how many plays have each score. Awards
    follow from it. `side`: from 0. `counts`: by score; "average" for plays that get an average."""

    board = models.ForeignKey(Board, models.PROTECT, related_name="lines", db_index=False)
    side = models.PositiveSmallIntegerField()
    counts = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint("board", "side", name="line_once_a_side")]


class Ranking(models.Model):
    """A version of a session's ranking; it is never changed.

    `content`: what each contestant had won, exactly, packed (`services.versions`): in a snapshot of all
    contestants, else of those for whom something has changed since the version before. Ranks follow from it.
    `is_live`: it is of the list that everybody may see while the session is played, which has versions of
    its own, and counts these `boards` (their numbers) and no other.
    `position`, `layout`: of the tally that it was made from; `digest`: of all that it was made from, and
    `rules`: the version of the rules that were applied to it (`services.proofs`); `invariants`: what its sums
    and counts were when it was made. Null or empty in those of older releases.
    """

    session = models.ForeignKey(Session, models.PROTECT, related_name="rankings", db_index=False)
    version = models.PositiveBigIntegerField()
    content = models.BinaryField()
    is_snapshot = models.BooleanField()
    is_live = models.BooleanField(default=False, db_default=False)
    boards = models.JSONField(null=True)
    position = models.PositiveBigIntegerField(null=True)
    layout = models.PositiveBigIntegerField(null=True)
    digest = models.CharField(max_length=64, blank=True, db_default="", default="")
    rules = models.PositiveIntegerField(null=True)
    invariants = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("session", "is_live", "version", name="ranking_version_unique")
        ]
