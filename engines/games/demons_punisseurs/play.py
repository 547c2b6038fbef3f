"""Démons punisseurs: the phases (section 4), and what may be seen (section 10)."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from ...contract import Outcome, Settings, View, seat_and_token
from ...phrases import Phrase
from ...turns import (
    FOLLOW,
    IS_OVER,
    MUST_FOLLOW_TRUMP,
    NO_SUCH_ACTION,
    NOT_HELD,
    NOT_YOUR_TURN,
    OVER,
    LoggedState,
)
from .cards import (
    BEST,
    GAME,
    LEFT_OF,
    PACK,
    PAREIL,
    PLACE,
    RANKS,
    SEATS,
    SUITE,
    TRICKS,
    Best,
    Deal,
    example,
    has_specimen,
    strength,
)
from .marks import ENOUGH, Ending, Share, outcome_of
from .objectives import Objective

ROB, PLAY, EXPOSITION, TALK = "rob", "play", "exposition", "talk"
DONE = "done"
OBJECTIVES = (PAREIL, SUITE, GAME)
COMBINED = (PAREIL, SUITE)
CARD_FORM = re.compile(r"([0-9A-Z]{2})(?:=([0-9A-Z]{2}))?")

NO_ROB = Phrase("give an ordinary club or trump for a Démon of its suit that lies face up, one of each")
ONLY_DEMONS = Phrase("only a Démon can pose as another card")
NO_PROPOSAL = Phrase("this seat cannot bet on this objective now")
NO_CONCESSION = Phrase("this seat has no part in this objective, or it is decided")
NOT_THIS_ONE = Phrase("dispute the first objective that you still have to speak for, Pareil before Suite")
TOO_WEAK = Phrase("what you show must match the best that the others show, or concede, or bet")
MUST_BEAT = Phrase("what you show must beat the best that the others show, or concede, or bet")


class Laid(NamedTuple):
    """A card before its owner, and the face that it shows."""

    card: str
    face: str

    @property
    def token(self) -> str:
        return self.card if self.card == self.face else f"{self.card}={self.face}"


class PunisseursState(LoggedState):
    """A deal in progress. Seats are indices from 0 inside; lists are by seat."""

    __slots__ = (
        "after_talk", "deal", "disputed", "hands", "laid", "leader", "objectives", "options", "robbed",
        "taker", "todo", "trick", "trump", "turned", "winners", "won",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.trump = deal.trump
        self.log = []
        self.hands = [sorted(hand, key=PLACE.__getitem__) for hand in deal.hands]
        self.turned = list(deal.turned)
        self.robbed: list[str] = []  # the suits in which the dealer has exchanged
        self.objectives = [Objective() for _ in OBJECTIVES]
        self.after_talk: list[Any] = []  # the phase that a talk interrupts, and whose turn it was
        self.laid: list[list[Laid]] = [[], [], []]
        self.trick: list[Laid] = []
        self.won = [0] * SEATS
        self.winners: list[int] = []  # of the tricks
        self.taker: int | None = None  # the seat that the jeu went to
        self.todo: list[str] = []  # what the seat whose turn it is has still to act on, in the exposition
        self.disputed: list[list[int]] = [
            [],
            [],
        ]  # the seats that have disputed in succession without a reveal
        self.leader = LEFT_OF[deal.dealer - 1]
        self.stage = ROB
        self.actor = deal.dealer - 1

    @property
    def turn(self) -> int:
        return self.actor + 1

    # Who may act, and what is legal

    def actors(self) -> tuple[int, ...]:
        if self.stage not in {PLAY, EXPOSITION}:
            return super().actors()
        may = {self.actor, *(seat for seat in range(SEATS) if any(self.calls(seat)))}
        return tuple(seat + 1 for seat in sorted(may))

    def legal(self, seat: int) -> Iterator[str]:
        if self.stage in {PLAY, EXPOSITION} and 1 <= seat <= SEATS:
            yield from self.calls(seat - 1)
        yield from super().legal(seat)

    def calls(self, seat: int) -> Iterator[str]:
        """Bets and concessions that a seat may make now, at its turn or not."""
        for name, objective in zip(OBJECTIVES, self.objectives, strict=True):
            if objective.may_bet(seat):
                yield f"bet:{name}"
            if objective.may_push(seat):
                yield f"push:{name}"
            if objective.may_concede(seat):
                yield f"concede:{name}"

    def choices(self) -> Iterator[str]:
        if self.stage == ROB:
            yield DONE
            hand = self.hands[self.actor]
            pairs = ((give, take) for give in hand for take in self.turned)
            yield from (f"rob:{give}>{take}" for give, take in pairs if self.may_rob(give, take))
        elif self.stage == TALK:
            yield from self.talk().choices()
        elif self.stage == EXPOSITION:
            name = self.todo[0]
            if self.suffices(name, self.best(name, self.actor)):
                yield f"dispute:{name}"
            strongest = example(name, self.faces(self.actor), self.hands[self.actor], self.trump)
            if strongest is not None and self.suffices(name, strongest[0]):
                yield f"dispute:{name}:{strongest[1]}"
        else:
            bound = self.bound()
            for card in self.hands[self.actor]:
                if bound is None or card[1] in bound:
                    yield f"play:{card}"
                if self.is_demon(card):
                    others = (face for face in PACK if face != card)
                    yield from (f"play:{card}={face}" for face in others if bound is None or face[1] in bound)

    def any_legal(self, seat: int, random: Random) -> str:
        """Bets often, and concedes seldom enough for deals to be played out."""
        calls = list(self.calls(seat - 1)) if self.stage in {PLAY, EXPOSITION} else []
        bets = [token for token in calls if not token.startswith("concede")]
        others = list(self.choices()) if seat == self.turn else []
        if self.stage == EXPOSITION and seat == self.turn and random.random() < 0.3:
            others = [
                reveal for reveal in [self.any_reveal(random)] if self.broken_rule(reveal) is None
            ] or others
        if calls and (not others or random.random() < 0.1):
            return random.choice(bets if bets and random.random() < 0.75 else calls)
        if self.stage == PLAY and random.random() < 0.5:  # a Démon has a hundred faces, another card one
            others = [token for token in others if "=" not in token] or others
        return random.choice(others)

    def any_reveal(self, random: Random) -> str:
        """A dispute with any cards of the hand, Démons as anything; hardly ever one that is listed."""
        hand = self.hands[self.actor]
        cards = random.sample(hand, random.randint(0, len(hand)))
        faces = [random.choice(PACK) if self.is_demon(card) else card for card in cards]
        text = ",".join(sorted(Laid(card, face).token for card, face in zip(cards, faces, strict=True)))
        return f"dispute:{self.todo[0]}:{text}" if text else f"dispute:{self.todo[0]}"

    def rule_against(self, seat: int | None, token: str) -> Phrase | None:
        if self.stage == OVER:
            return IS_OVER
        who = self.actor if seat is None else seat - 1
        verb, _colon, name = token.partition(":")
        if verb in {"bet", "push", "concede"} and name and self.stage in {PLAY, EXPOSITION}:
            if name not in OBJECTIVES or not 0 <= who < SEATS:
                return NO_SUCH_ACTION
            if token in self.calls(who):
                return None
            return NO_CONCESSION if verb == "concede" else NO_PROPOSAL
        return NOT_YOUR_TURN if who != self.actor else self.broken_rule(token)

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == ROB:
            return self.broken_rob(token)
        if self.stage == TALK:
            return None if token in self.talk().choices() else NO_SUCH_ACTION
        return self.broken_dispute(token) if self.stage == EXPOSITION else self.broken_play(token)

    def apply(self, entry: str) -> None:
        several = len(self.actors()) > 1
        token = self.checked(entry)
        seat = seat_and_token(entry)[0]
        who = self.actor if seat is None else seat - 1
        verb, _colon, rest = token.partition(":")
        if verb == "dispute":
            token = self.dispute(token)
        self.log.append(f"{who + 1} {token}" if several else token)
        if self.stage == ROB:
            self.rob(token)
        elif self.stage == TALK:
            self.answer(token)
        elif verb in {"bet", "push"}:
            self.propose(rest, who)
        elif verb == "concede":
            self.concede(rest, who)
        elif self.stage == EXPOSITION:
            self.finish_dispute(self.todo[0])
        else:
            self.play(rest)

    # The dealer's exchange

    def is_demon(self, card: str) -> bool:
        return strength(card, self.trump) > 0

    def may_rob(self, give: str, take: str) -> bool:
        suits = give[1] == take[1] and give[1] in {"C", self.trump}
        again = self.options["rob_limit"] == "one-each" and give[1] in self.robbed
        return suits and not again and self.is_demon(take) and not self.is_demon(give)

    def broken_rob(self, token: str) -> Phrase | None:
        if token == DONE:
            return None
        give, arrow, take = token.removeprefix("rob:").partition(">")
        if not token.startswith("rob:") or not arrow or give not in PLACE or take not in PLACE:
            return NO_SUCH_ACTION
        if give not in self.hands[self.actor]:
            return NOT_HELD
        return None if take in self.turned and self.may_rob(give, take) else NO_ROB

    def rob(self, token: str) -> None:
        if token == DONE:
            self.stage = PLAY
            self.actor = self.leader
            return
        give, _arrow, take = token.removeprefix("rob:").partition(">")
        hand = self.hands[self.actor]
        hand[hand.index(give)] = take
        hand.sort(key=PLACE.__getitem__)
        self.turned[self.turned.index(take)] = give
        self.robbed.append(give[1])

    # Bets and concessions

    def place(self, name: str) -> int:
        return OBJECTIVES.index(name)

    def talk(self) -> Objective:
        return self.objectives[self.place(self.after_talk[0])]

    def propose(self, name: str, who: int) -> None:
        self.restart(name)
        self.cross_off(name, who)
        self.after_talk = [name, self.stage, self.actor]
        self.objectives[self.place(name)] = self.talk().propose(who)
        self.stage = TALK
        self.wait()

    def wait(self) -> None:
        """For the next answer; or back to the turn that the talk interrupted."""
        talk = self.talk()
        if talk.proposal is not None:
            self.actor = talk.proposal.waiting[0]
            return
        name, self.stage, self.actor = self.after_talk
        self.after_talk = []
        self.settle(name)

    def answer(self, token: str) -> None:
        at = self.place(self.after_talk[0])
        self.objectives[at] = self.objectives[at].after(token)
        self.wait()

    def concede(self, name: str, who: int) -> None:
        self.restart(name)
        self.cross_off(name, who)
        at = self.place(name)
        self.objectives[at] = self.objectives[at].concede(who)
        self.settle(name)

    def settle(self, name: str) -> None:
        """What follows a talk or a concession."""
        at = self.place(name)
        left = self.objectives[at].conceded_to
        if left is not None:
            holds = name == GAME or has_specimen(name, self.faces(left), self.hands[left], self.trump)
            self.objectives[at] = self.objectives[at].with_winner(left if holds else None)
            if name == GAME:
                self.stop(left)
                return
        if self.stage == EXPOSITION:
            self.next_turn()

    # The play

    def bound(self) -> set[str] | None:
        """The suits that a card must show now; None: any."""
        if not self.trick:
            return None
        led = self.trick[0].face[1]
        printed = self.options["demon_possession"] == "printed"
        hand = self.hands[self.actor]
        if any(card[1] == led and (printed or not self.is_demon(card)) for card in hand):
            return {led, self.trump}
        return None

    def broken_play(self, token: str) -> Phrase | None:
        match = CARD_FORM.fullmatch(token.removeprefix("play:")) if token.startswith("play:") else None
        if match is None or any(card and card not in PLACE for card in match.groups()):
            return NO_SUCH_ACTION
        card, face = match.groups()
        if card not in self.hands[self.actor]:
            return NOT_HELD
        if face is not None and (not self.is_demon(card) or face == card):
            return ONLY_DEMONS
        bound = self.bound()
        if bound is None or (face or card)[1] in bound:
            return None
        return MUST_FOLLOW_TRUMP if len(bound) == 1 else FOLLOW

    def play(self, text: str) -> None:
        card, _equals, face = text.partition("=")
        actor = self.actor
        self.hands[actor].remove(card)
        laid = Laid(card, face or card)
        self.laid[actor].append(laid)
        self.trick.append(laid)
        if len(self.trick) == SEATS:
            self.gather()
        else:
            self.actor = LEFT_OF[actor]

    def gather(self) -> None:
        """The highest trump, else the highest of the suit led; of equal faces the stronger Démon."""
        led = self.trick[0].face[1]

        def power(place: int) -> tuple[int, int, int]:
            card, face = self.trick[place]
            suit = 2 if face[1] == self.trump else int(face[1] == led)
            return suit, RANKS.index(face[0]), strength(card, self.trump)

        winner = (self.leader + max(range(SEATS), key=power)) % SEATS
        self.trick = []
        self.won[winner] += 1
        self.winners.append(winner)
        self.actor = self.leader = winner
        at = self.place(GAME)
        if self.won[winner] == ENOUGH:
            mine = winner in self.objectives[at].contenders
            self.objectives[at] = self.objectives[at].with_winner(winner if mine else None)
            self.stop(winner)
        elif len(self.winners) == TRICKS:
            self.objectives[at] = self.objectives[at].with_winner(None)
            self.stop(winner)

    def stop(self, first: int) -> None:
        """The jeu is decided: the play ends, and the exposition begins, if hands remain to be exposed."""
        self.taker = first
        if not any(self.hands):
            for name in self.open_names():
                self.compare(name)
        self.stage = EXPOSITION
        self.actor = first
        self.todo = self.tasks(first)
        self.next_turn()

    # The exposition

    def faces(self, seat: int) -> list[str]:
        return [laid.face for laid in self.laid[seat]]

    def best(self, name: str, seat: int) -> Best | None:
        return BEST[name](self.faces(seat))

    def open_names(self) -> list[str]:
        return [name for name in COMBINED if not self.objectives[self.place(name)].resolved]

    def tasks(self, seat: int) -> list[str]:
        """The objectives that a seat has to act on."""
        return [name for name in self.open_names() if seat in self.objectives[self.place(name)].contenders]

    def compare(self, name: str) -> None:
        """The best combination wins, if no other equals it."""
        at = self.place(name)
        shown = [(self.best(name, seat), seat) for seat in self.objectives[at].contenders]
        combinations = [(best, seat) for best, seat in shown if best is not None]
        top, winner = max(combinations, default=(None, None))
        alone = [best for best, _ in combinations].count(top) == 1 if top is not None else False
        self.objectives[at] = self.objectives[at].with_winner(winner if alone else None)

    def suffices(self, name: str, best: Best | None) -> bool:
        """Whether a combination of the seat whose turn it is will do against what the others show."""
        if best is None:
            return False
        rivals = [seat for seat in self.objectives[self.place(name)].contenders if seat != self.actor]
        equal = self.options["dispute_equal"] == "allowed"
        shown = (self.best(name, seat) for seat in rivals)
        return all(other is None or best > other or (equal and best == other) for other in shown)

    def read_dispute(self, token: str) -> tuple[str, list[Laid]] | None:
        """The objective and what is revealed, in ASCII order; None for a token that is not a dispute."""
        verb, _colon, rest = token.partition(":")
        name, colon, text = rest.partition(":")
        if verb != "dispute" or name not in COMBINED:
            return None
        matches = [CARD_FORM.fullmatch(card) for card in sorted(text.split(","))] if colon else []
        cards = [(match[1], match[2] or match[1]) if match else ("", "") for match in matches]
        if any(card not in PLACE or face not in PLACE for card, face in cards):
            return None
        if any(match and match[1] == match[2] for match in matches):  # a card does not pose as itself
            return None
        return name, [Laid(card, face) for card, face in cards]

    def broken_dispute(self, token: str) -> Phrase | None:
        read = self.read_dispute(token)
        if read is None:
            return NO_SUCH_ACTION
        name, reveal = read
        if name != self.todo[0]:
            return NOT_THIS_ONE
        cards = [laid.card for laid in reveal]
        if any(card not in self.hands[self.actor] for card in cards) or len(set(cards)) < len(cards):
            return NOT_HELD
        if any(laid.card != laid.face and not self.is_demon(laid.card) for laid in reveal):
            return ONLY_DEMONS
        shown = BEST[name]([*self.faces(self.actor), *(laid.face for laid in reveal)])
        if self.suffices(name, shown):
            return None
        return TOO_WEAK if self.options["dispute_equal"] == "allowed" else MUST_BEAT

    def dispute(self, token: str) -> str:
        """Carries a dispute out; its token in canonical form."""
        read = self.read_dispute(token)
        assert read is not None
        name, reveal = read
        if not reveal:
            self.disputed[self.place(name)].append(self.actor)
            return f"dispute:{name}"
        for laid in reveal:
            self.hands[self.actor].remove(laid.card)
            self.laid[self.actor].append(laid)
        self.disputed = [[], []]
        return f"dispute:{name}:{','.join(laid.token for laid in reveal)}"

    def restart(self, name: str) -> None:
        """After a bet or a concession disputes are counted anew."""
        if name in COMBINED:
            self.disputed[self.place(name)] = []

    def cross_off(self, name: str, who: int) -> None:
        """The seat whose turn it is has acted on the objective, by a bet, a concession or a dispute."""
        if who == self.actor:
            self.todo = [other for other in self.todo if other != name]

    def finish_dispute(self, name: str) -> None:
        self.cross_off(name, self.actor)
        at = self.place(name)
        if set(self.disputed[at]) >= set(self.objectives[at].contenders):
            self.objectives[at] = self.objectives[at].with_winner(None)
        self.next_turn()

    def next_turn(self) -> None:
        """The turn passes to the next seat with something to act on; the deal ends if there is none."""
        left = self.tasks(self.actor)
        self.todo = [name for name in self.todo if name in left]
        if not self.open_names():
            self.stage = OVER
            return
        while not self.todo:
            self.actor = LEFT_OF[self.actor]
            self.todo = self.tasks(self.actor)

    # The end

    def result(self) -> Ending:
        self.check_over()
        shares = [Share(one.winner, one.points, one.losses) for one in self.objectives]
        return Ending(shares[0], shares[1], shares[2], tuple(self.won))

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    # What may be seen (section 10)

    def view(self, seat: int | None) -> View:
        """The player's own hand; the cards face up, all cards laid with the faces they show, all that was
        said."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "trump": self.trump,
            "turned": list(self.turned),
            "actors": list(self.actors()),
            "turn": None if self.over else self.turn,
            "shown": [[{"card": laid.card, "face": laid.face} for laid in own] for own in self.laid],
            "trick": [
                {"seat": (self.leader + step) % SEATS + 1, "card": laid.face, "demon": laid.card}
                for step, laid in enumerate(self.trick)
            ],
            "winners": [winner + 1 for winner in self.winners],
            "tricks": list(self.won),
            "objectives": {
                name: shown_objective(one) for name, one in zip(OBJECTIVES, self.objectives, strict=True)
            },
            "talk": self.after_talk[0] if self.after_talk else None,
            "todo": list(self.todo),
            "disputed": {name: [s + 1 for s in self.disputed[self.place(name)]] for name in COMBINED},
        }
        if seat is not None:
            shown["seat"] = seat
            shown["hand"] = list(self.hands[seat - 1])
        return shown


def shown_objective(one: Objective) -> dict[str, Any]:
    last = one.last_bidder if one.proposal is None else one.proposal.bidder
    return {
        "stake": one.stake,
        "level": one.stake if one.proposal is None else one.proposal.level,
        "status": list(one.status),
        "engaged": list(one.engaged),
        "last_bidder": None if last is None else last + 1,
        "resolved": one.resolved,
        "winner": None if one.winner is None else one.winner + 1,
    }
