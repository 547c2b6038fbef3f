"""What contestants say against results and rulings, and what is answered."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, OuterRef, Q

from .accounts import Role
from .history import Remark
from .people import Token
from .plays import Play
from .rulings import Ruling
from .tournaments import Contestant, Session, Substitution


class ObjectionQuerySet(models.QuerySet["Objection"]):
    def visible_to(self, viewer: Token | None) -> ObjectionQuerySet:
        """Those of sessions that the viewer runs, and a player's own."""
        if viewer is None:
            return self.none()
        if viewer.player_id:
            substituted = Substitution.objects.filter(
                contestant=OuterRef("contestant"), player=viewer.player_id, undone_at=None
            )
            return self.filter(Q(contestant__members__player=viewer.player_id) | Exists(substituted))
        directed = Session.objects.directed_by(viewer).filter(pk=OuterRef("session"))
        return self.filter(Exists(directed))


class Objection(models.Model):
    """What a contestant says against a result or a ruling, on the play that it is about. It is never edited:
    what follows are steps of their own. `role`: of the official who wrote it down for the contestant; None
    where a player of it did."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="objections")
    play = models.ForeignKey(Play, models.PROTECT, related_name="objections", db_index=False)
    contestant = models.ForeignKey(Contestant, models.PROTECT, related_name="objections", db_index=False)
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    remark = models.OneToOneField(Remark, models.PROTECT, related_name="objection")
    made_at = models.DateTimeField(auto_now_add=True)

    objects = ObjectionQuerySet.as_manager()


class ObjectionStep(models.Model):
    """What followed: a director's answer, the contestant's appeal, the committee's decision; or that the
    contestant has withdrawn it. Each comes once. `ruling`: by which it was followed; `committee`: the ids of
    the players who decided."""

    class Kind(models.TextChoices):
        ANSWER = "answer"
        APPEAL = "appeal"
        DECISION = "decision"
        WITHDRAWAL = "withdrawal"

    class Outcome(models.TextChoices):
        UPHELD = "upheld"
        PARTLY = "partly upheld"
        REJECTED = "rejected"

    objection = models.ForeignKey(Objection, models.PROTECT, related_name="steps", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind)
    outcome = models.CharField(max_length=20, choices=Outcome, blank=True, default="")
    role = models.ForeignKey(Role, models.PROTECT, null=True, related_name="+", db_index=False)
    remark = models.ForeignKey(Remark, models.PROTECT, related_name="+", db_index=False)
    ruling = models.ForeignKey(Ruling, models.PROTECT, null=True, related_name="steps")
    committee = models.JSONField(default=list)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("objection", "kind", name="objection_step_once"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["answer", "decision"], outcome__in=["upheld", "partly upheld", "rejected"]
                )
                | Q(kind__in=["appeal", "withdrawal"], outcome=""),
                name="objection_step_has_outcome",
            ),
        ]
