"""An evening of matches: its rounds follow from the standings, teams come late, go home and forfeit."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .evening import METHODS, ApiEvening, EveningPlan, Row

TIE_BREAKS = ("margin", "direct-encounter", "opponents", "wins")


@dataclass(frozen=True)
class MatchPlan(EveningPlan):
    """`counting`: how its matches count, where not as most do."""

    counting: Row = field(default_factory=dict)


@dataclass
class MatchEvening(ApiEvening):
    """A Swiss, a knock-out or a round robin, of teams of two pairs or of each by themselves."""

    plan: MatchPlan
    rules: Row = field(default_factory=dict)

    @property
    def form(self) -> str:
        return str(self.rules["form"])

    @property
    def size(self) -> int:
        return int(self.rules["team_size"])

    def play(self) -> None:
        self.set_up()
        if self.plan.counting:
            self.put("match-rules/", self.plan.counting)
        self.rules = self.get("match-rules/")
        self.plan = replace(self.plan, rounds=self.rules["rounds"])
        self.put("clock/", {"duration": 45, "warning": 5, "pause_before": None})
        for number in range(1, self.plan.rounds + 1):
            self.open(number)
            self.play_round(number)
            self.close_round(number)
            if number == 1:
                self.reseat(number)
                self.forfeit(number)
            if self.rules["is_paired"] and number < self.plan.rounds:
                self.next_round(number)
        self.wait()
        self.name_a_team()

    def forfeit(self, number: int) -> None:
        """Of the last match of a round: one side has gone home in anger."""
        match = [one for one in self.all("matches/") if one["round"] == number and one["second"]][-1]
        body = {"match": {"round": number, "match": match["number"], "lost": [match["second"]["number"]]}}
        self.rule(body)
        (now,) = [
            one for one in self.all("matches/") if (one["round"], one["number"]) == (number, match["number"])
        ]
        assert (now["state"], now["lost"]) == ("forfeited", [match["second"]["number"]])
        self.happened["forfeit"] += 1

    def next_round(self, after: int) -> None:
        wish: Row = {}
        if self.form == "swiss" and after == 1:
            wish = {"arriving": [self.entrant() for _one in range(self.size)]}
            self.happened["late team"] += 1
        elif self.form == "swiss" and after == 2:
            home = max(team["number"] for team in self.all("teams/")) - 1
            wish = {"leaving": [home]}
            self.happened["leaver"] += 1
        elif self.form == "knock-out":
            wish = {"winners": self.winners(after)}
        planned = self.job("next-round/", wish)["outcome"]
        assert planned["round"] == after + 1
        self.happened["bye"] += len(planned["sit_outs"])
        self.tokens()

    def winners(self, number: int) -> Row:
        """Of matches that are tied, who goes on."""
        own = [one for one in self.all("matches/") if one["round"] == number and one["second"]]
        tied = [one for one in own if one["gained"][0] == one["gained"][1]]
        self.happened["tied"] += len(tied)
        return {str(one["number"]): one["first"]["number"] for one in tied}

    def name_a_team(self) -> None:
        self.put("teams/1/", {"name": "Les Cygnes"})
        assert self.get("teams/1/")["name"] == "Les Cygnes"

    def on_contestants(self) -> None:
        """In victory points too."""
        super().on_contestants()
        self.rule({"contestant": {"contestant": 1, "kind": "penalty", "amount": "3/2", "unit": "vps"}})
        self.rule({"contestant": {"contestant": 3, "kind": "bonus", "amount": "1/2", "unit": "vps"}})
        carried = {"kind": "carry-over", "won": "17", "fraction": "1/3", "clamp": "4", "unit": "vps"}
        self.rule({"contestant": {"contestant": 4, **carried}})
        self.happened["victory points"] += 3

    def setups(self) -> Sequence[Row]:
        ties = self.random.sample(TIE_BREAKS, len(TIE_BREAKS))
        method, options = self.random.choice(METHODS)
        return (
            {"kind": "matches", "award_factor": "3/2"},
            {"kind": "matches", "tie_breaks": ties, "min_boards": 3},
            *({"kind": "matches", "tie_breaks": [one]} for one in ties),
            {"kind": "teams", "award_factor": "1"},
            {"kind": "teams", "method": method, "method_options": options},
            {"kind": "overall", "tie_breaks": ["direct-encounter", "best-boards"]},
            {"kind": "section", "about": "A"},
        )
