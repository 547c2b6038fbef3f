"""Caisse: the result sheet (section 8)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ... import sheets
from ...cards import CardSet
from ...contract import Field
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import (
    CARRE_POINTS,
    LAST_TRICK,
    PACK,
    SEATS,
    TRICKS,
    VALUE,
    Deal,
    carres_of,
    holds_belote,
    suites_of,
)
from .contres import MOST, Contres
from .defi import MOST as MOST_DEFI
from .marks import (
    ATOUT_1,
    ATOUT_2,
    BY_POINTS,
    CONTRACTS,
    GENERALE,
    MISERE,
    OF_TRUMPS,
    SANS_ATOUT,
    WITH_POINTS,
    Contracted,
    Ending,
)

ALL_POINTS = {True: 152, False: 120}  # of the cards: with trumps; without
SUITE_VALUES, CARRE_VALUES = (20, 40, 50, 60, 70, 100, 120, 150), (80, 160)
CONCEDED_AT = {"taker": (0, 2, 4), "opponents": (1, 3)}
BY_FEAT = tuple(contract for contract in CONTRACTS if contract not in BY_POINTS)
MISSING = Phrase("is missing")


def nothing(game: object) -> dict[str, Any]:
    """What the empty cells of a club's row mean in this game: nobody contred, contracted or conceded."""
    if game == GENERALE:
        return {}
    nobody: dict[str, Any] = {"game_contres": {"six": 0, "nine": 0}, "defi": 0, "conceded_by": "none"}
    if game == MISERE:
        return nobody
    return nobody | {"contracts": []} | ({"exchanged": False} if game == ATOUT_1 else {})


class SheetReader:
    """Reads a sheet; what is known of the board's deal is checked too."""

    def __init__(self, fields: tuple[Field, ...], sheet: Any, deal: Deal | None) -> None:
        if isinstance(sheet, dict):
            sheet = {name: value for name, value in sheet.items() if value is not None}
        sheets.check(fields, sheet, seats=SEATS)
        self.sheet, self.deal, self.game = sheet, deal, str(sheet["game"])
        self.conceded = sheet.get("conceded_by", "none") != "none"

    def field_names(self) -> tuple[set[str], set[str]]:
        """The fields that are required beside the game, and those that are allowed."""
        game = self.game
        if game == GENERALE:
            return {"tricks"}, set()
        needed = {"taker", "game_contres", "defi", "conceded_by"}
        if game == MISERE:
            return needed | (set() if self.conceded else {"misere_made"}), set()
        needed |= {"contracts"}
        needed |= {"trump"} if game == ATOUT_2 else set()
        needed |= {"exchanged"} if game == ATOUT_1 else set()
        if self.conceded:
            return needed, set()
        return needed | {"trick_points"}, {"suite", "carre"} | ({"belote"} if game != SANS_ATOUT else set())

    def read(self) -> Ending:
        sheet = self.sheet
        needed, allowed = self.field_names()
        for name in sheet:
            if name not in needed | allowed | {"game"}:
                raise BadSheet(name, Phrase("does not belong to this deal"))
        for name in sorted(needed):
            if name not in sheet:
                raise BadSheet(name, MISSING)
        if self.game == GENERALE:
            tricks = tuple(sheet["tricks"])
            if sum(tricks) != TRICKS:
                total = sum(tricks)
                raise BadSheet("tricks", Phrase("add up to {total}; nine tricks are played", total=total))
            return Ending(GENERALE, tricks=tricks)
        if self.game == ATOUT_2 and self.deal is not None and sheet["trump"] == self.deal.trump:
            raise BadSheet("trump", Phrase("must be a suit other than the proposed one"))
        contres = self.contres("game_contres", sheet["game_contres"])
        if self.game == MISERE and contres.six:
            raise BadSheet("game_contres", Phrase("a Misère can be contred only with nine cards"))
        result = Ending(self.game, sheet["taker"] - 1, contres, defi=sheet["defi"])
        result = replace(result, conceded_by=sheet["conceded_by"])
        contracts = self.contracts() if self.game in WITH_POINTS else ()
        self.check_defi(contracts)
        if self.game == MISERE:
            return replace(result, misere_made=sheet.get("misere_made"))
        if self.conceded:
            return replace(result, contracts=contracts)
        result = replace(
            result,
            trick_points=tuple(sheet["trick_points"]),
            suite=self.marks_of("suite", SUITE_VALUES),
            carre=self.marks_of("carre", CARRE_VALUES),
            belote=sheet["belote"] - 1 if "belote" in sheet else None,
        )
        self.check_points(result)
        result = replace(result, contracts=tuple(self.with_result(one, result) for one in contracts))
        self.check_feats(result)
        return result

    def contres(self, name: str, given: Any) -> Contres:
        if not isinstance(given, dict) or set(given) != {"six", "nine"}:
            raise BadSheet(name, Phrase("needs the levels said with six cards, and with nine"))
        if (
            not all(sheets.is_whole(levels, 0, MOST) for levels in given.values())
            or sum(given.values()) > MOST
        ):
            raise BadSheet(name, Phrase("can have four levels at most"))
        return Contres(given["six"], given["nine"])

    def contracts(self) -> tuple[Contracted, ...]:
        contracts: list[Contracted] = []
        for one in self.sheet["contracts"]:
            keys = {"seat", "id", "at", "six", "nine"}
            if not isinstance(one, dict) or not keys <= set(one) <= keys | {"made"}:
                raise BadSheet(
                    "contracts",
                    Phrase("each needs seat, id, at, six, nine and, unless the deal is conceded, made"),
                )
            if not sheets.is_whole(one["seat"], 1, SEATS):
                raise BadSheet("contracts", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
            if not isinstance(one["id"], str) or one["id"] not in CONTRACTS:
                raise BadSheet(
                    "contracts", Phrase("its id must be one of: {values}", values=", ".join(CONTRACTS))
                )
            if not sheets.is_whole(one["at"], 6, 9) or one["at"] not in (6, 9):
                raise BadSheet("contracts", Phrase("must be declared at 6 or at 9"))
            made = one.get("made")
            if made is not None and (not isinstance(made, bool) or self.conceded):
                raise BadSheet(
                    "contracts", Phrase("made must be true or false, and is left out of a conceded deal")
                )
            contres = self.contres("contracts", {"six": one["six"], "nine": one["nine"]})
            if one["at"] == 9 and contres.six:
                raise BadSheet(
                    "contracts", Phrase("a contract that was declared at 9 cannot be contred at 6")
                )
            if one["id"] in OF_TRUMPS and self.game == SANS_ATOUT:
                raise BadSheet("contracts", Phrase("{id} needs trumps", id=one["id"]))
            if one["id"] == "capot" and one["at"] == 6:
                raise BadSheet("contracts", Phrase("a Capot cannot be declared at 6"))
            contracts.append(Contracted(one["seat"] - 1, one["id"], one["at"], contres, made))
        self.check_pairs(contracts)
        return tuple(sorted(contracts, key=lambda one: (one.seat, list(CONTRACTS).index(one.id))))

    def check_pairs(self, contracts: Sequence[Contracted]) -> None:
        pairs = {(one.seat, one.id): one.at for one in contracts}
        if len(pairs) < len(contracts):
            raise BadSheet("contracts", Phrase("names the same thing twice"))
        for seat in range(SEATS):
            clarte, cent = pairs.get((seat, "clarte")), pairs.get((seat, "cent"))
            if clarte == 9 and cent is not None:
                raise BadSheet("contracts", Phrase("a Clarté cannot follow a Cent or come with it"))
        if sum(one.id == "caisse" for one in contracts) > 1:
            raise BadSheet("contracts", Phrase("only one seat can hold the king and queen of trumps"))

    def check_defi(self, contracts: Sequence[Contracted]) -> None:
        by, power = self.sheet["conceded_by"], self.sheet["defi"]
        if (power or self.conceded) and any(one.id != "caisse" for one in contracts):
            raise BadSheet("defi", Phrase("there is none where a contract other than a Caisse was declared"))
        if self.conceded and power not in CONCEDED_AT[by]:
            raise BadSheet("defi", Phrase("the taker concedes at 0, 2 or 4, the opponents at 1 or 3"))
        if power > MOST_DEFI:
            raise BadSheet("defi", Phrase("can be five at most"))

    def marks_of(self, name: str, values: Sequence[int]) -> tuple[int, int] | None:
        given = self.sheet.get(name)
        if given is None:
            return None
        if set(given) != {"seat", "points"} or not sheets.is_whole(given["seat"], 1, SEATS):
            raise BadSheet(name, Phrase("needs a seat and points"))
        if not sheets.is_whole(given["points"], 0, None) or given["points"] not in values:
            listing = ", ".join(map(str, values))
            raise BadSheet(name, Phrase("must be one of: {values}", values=listing))
        return given["seat"] - 1, given["points"]

    def check_points(self, result: Ending) -> None:
        with_trumps = self.game != SANS_ATOUT
        most = ALL_POINTS[with_trumps] + LAST_TRICK
        total = sum(result.trick_points)
        if total > most:
            raise BadSheet(
                "trick_points", Phrase("add up to {total}; the pack has {all}", total=total, all=most)
            )
        if self.deal is None or self.sheet.get("exchanged"):
            return
        deal = self.deal
        trump = deal.trump if self.game == ATOUT_1 else self.sheet.get("trump")
        left = sum(VALUE[trump][card] for card in cards_in(deal.out_of_play()))
        if total != most - left:
            raise BadSheet("trick_points", Phrase("add up to {all} on this board", all=most - left))
        hands = [hand | more for hand, more in zip(deal.hands, deal.reserves, strict=True)]
        holders = [seat for seat, hand in enumerate(hands) if trump and holds_belote(hand, trump)]
        if with_trumps and result.belote != (holders[0] if holders else None):
            raise BadSheet("belote", Phrase("is not the seat that was dealt the king and queen of trumps"))
        for name, marked in (("suite", result.suite), ("carre", result.carre)):
            if marked is not None:
                seat, points = marked
                held = worth_of(name, hands[seat])
                if points != held:
                    raise BadSheet(name, Phrase("seat {seat} was dealt {points}", seat=seat + 1, points=held))

    def with_result(self, contract: Contracted, result: Ending) -> Contracted:
        if contract.id not in BY_POINTS:
            if contract.made is None:
                raise BadSheet("contracts", Phrase("{id}: made is missing", id=contract.id))
            return contract
        made = result.by_points(contract.seat, contract.id)
        if contract.made not in (None, made):
            raise BadSheet("contracts", Phrase("{id}: made does not agree with the points", id=contract.id))
        return replace(contract, made=made)

    def check_feats(self, result: Ending) -> None:
        for feat in BY_FEAT:
            makers = [one.seat for one in result.contracts if one.id == feat and one.made]
            if len(makers) > 1:
                raise BadSheet("contracts", Phrase("{id}: only one seat can make it", id=feat))
            others = [points for seat, points in enumerate(result.trick_points) if seat not in makers]
            if feat == "capot" and makers and any(others):
                raise BadSheet("trick_points", Phrase("after a Capot the other seats have none"))
        caisse = [one.seat for one in result.contracts if one.id == "caisse"]
        if caisse and result.belote != caisse[0]:
            raise BadSheet("belote", Phrase("must be the seat whose Caisse was declared"))


def cards_in(cards: CardSet) -> list[CardSet]:
    return [PACK.card(token) for token in PACK.tokens(cards)]


def worth_of(kind: str, hand: CardSet) -> int:
    """What all the suites, or all the carrés, of a hand are worth."""
    if kind == "suite":
        return sum(suite.points for suite in suites_of(hand))
    return CARRE_POINTS * len(carres_of(hand))
