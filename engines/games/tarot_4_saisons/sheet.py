"""Tarot 4 saisons: the result sheet (section 8)."""

from dataclasses import replace
from typing import Any

from ... import sheets
from ...contract import Field
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import (
    ALL_POINTS,
    BIDS,
    CONTRACTS,
    FIGURES,
    PACK,
    RANKED,
    SEATS,
    SUITS,
    TRICKS,
    TRUMPS,
    Deal,
    card_points,
)
from .marks import FAULTS, Contracted, Ending
from .play import NOT_YOURS, TWICE

PASSED_OUT = "passed"
OF_A_STAKE = ("bid", "taker", "lowered", "game_contred", "faults")
OF_A_PASS = ("bid", "misere", "faults", "passed_before")
NOTHING: dict[str, Any] = {  # what the empty cells of a club's row mean
    **{"lowered": False, "game_contred": False, "contracts": [], "misere": [], "suites": [0] * SEATS},
    **dict.fromkeys(("petit_au_bout", "deux_avant_dernier", "trois_bouts", "quatre_as", "excuse_late")),
}
MISSING = Phrase("is missing")


class SheetReader:
    """Reads a sheet; what is known of the board, its deal or at least its dealer, is checked too."""

    def __init__(self, fields: tuple[Field, ...], sheet: Any, deal: Deal | None, dealer: int | None) -> None:
        self.deal = deal
        self.dealer = deal.dealer if deal is not None else dealer
        if isinstance(sheet, dict) and self.annuls(sheet.get("faults")):
            kept = OF_A_STAKE if sheet.get("bid") in RANKED else ("bid", "faults")
            unknown = set(sheet) - {field.name for field in fields}
            sheet = {name: value for name, value in sheet.items() if name in kept or name in unknown}
        sheets.check(fields, sheet, seats=SEATS)
        self.sheet = sheet

    def annuls(self, faults: Any) -> bool:
        """Whether a fault annuls the deal; the list has not been checked yet."""
        given = faults if isinstance(faults, list) else []
        kinds = [fault.get("kind") for fault in given if isinstance(fault, dict)]
        return any(isinstance(kind, str) and FAULTS.get(kind) for kind in kinds)

    def read(self) -> Ending:
        sheet = self.sheet
        faults = self.faults()
        if self.annuls(sheet.get("faults")):
            if sheet.get("bid", PASSED_OUT) == PASSED_OUT:
                return Ending(faults=faults)
            self.need("taker")
            taker, lowered = sheet["taker"] - 1, sheet.get("lowered", False)
            self.check_lowered(lowered)
            contred = sheet.get("game_contred", False)
            return Ending(sheet["bid"], taker, lowered, contred, faults=faults)
        self.need("bid")
        passed_before = sheet.get("passed_before", 0)
        if self.deal is not None and passed_before:
            raise BadSheet("passed_before", Phrase("must be 0 on a board: nothing is carried over"))
        self.need("misere")
        misere = self.misere()
        if sheet["bid"] == PASSED_OUT:
            for name in sheet:
                if name not in OF_A_PASS:
                    raise BadSheet(name, Phrase("must be left out: the deal was passed"))
            return Ending(misere=misere, passed_before=passed_before, faults=faults)
        self.need("taker", "lowered", "game_contred", "tricks", "points", "dog", "contracts", "petit_au_bout",
                  "deux_avant_dernier", "trois_bouts", "quatre_as", "suites", "excuse_late")  # fmt: skip
        self.check_lowered(sheet["lowered"])
        result = Ending(
            sheet["bid"], sheet["taker"] - 1, sheet["lowered"], sheet["game_contred"], tuple(sheet["tricks"]),
            tuple(sheet["points"]), sheet["dog"], (), self.seat("petit_au_bout"),
            self.seat("deux_avant_dernier"), self.seat("trois_bouts"), self.seat("quatre_as"), misere,
            tuple(sheet["suites"]), self.seat("excuse_late"), passed_before, faults,
        )  # fmt: skip
        self.check_counts(result)
        self.check_feats(result)
        return replace(result, contracts=self.contracts(result))

    def need(self, *names: str) -> None:
        for name in names:
            if name not in self.sheet:
                raise BadSheet(name, MISSING)

    def seat(self, name: str) -> int | None:
        value = self.sheet[name]
        return None if value is None else int(value) - 1

    def check_lowered(self, lowered: bool) -> None:
        if lowered and not BIDS[self.sheet["bid"]].option:
            raise BadSheet("lowered", Phrase("only 2 + 2 and 1 + 1 can be lowered"))

    def misere(self) -> tuple[int, ...]:
        seats = tuple(sorted(seat - 1 for seat in self.sheet["misere"]))
        if self.deal is not None:
            for seat in seats:
                if self.deal.hands[seat] & FIGURES:
                    raise BadSheet("misere", Phrase("seat {seat} was dealt a figure", seat=seat + 1))
        return seats

    def faults(self) -> tuple[tuple[int, str], ...]:
        faults = []
        taker = self.sheet.get("taker")
        for fault in self.sheet.get("faults", []):
            if not isinstance(fault, dict) or set(fault) != {"seat", "kind"}:
                raise BadSheet("faults", Phrase("each needs a seat and a kind"))
            seat, kind = fault["seat"], fault["kind"]
            if not sheets.is_whole(seat, 1, SEATS):
                raise BadSheet("faults", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
            if not isinstance(kind, str) or kind not in FAULTS:
                raise BadSheet(
                    "faults", Phrase("its kind must be one of: {values}", values=", ".join(FAULTS))
                )
            if kind.startswith("dog-fault") and seat != taker:
                raise BadSheet("faults", Phrase("only the taker can commit a fault with the dog"))
            if kind.startswith("misdeal") and self.dealer is not None and seat != self.dealer:
                raise BadSheet(
                    "faults", Phrase("only the dealer, seat {seat}, can misdeal", seat=self.dealer)
                )
            if kind == "no-trump" and self.deal is not None and self.deal.hands[seat - 1] & TRUMPS:
                raise BadSheet("faults", Phrase("seat {seat} was dealt a trump", seat=seat))
            faults.append((seat - 1, kind))
        if sum(FAULTS[kind] for _, kind in faults) > 1:
            raise BadSheet("faults", Phrase("only one fault can annul a deal"))
        return tuple(faults)

    def check_counts(self, result: Ending) -> None:
        if sum(result.tricks) != TRICKS:
            total = sum(result.tricks)
            raise BadSheet("tricks", Phrase("add up to {total}; fifteen tricks are played", total=total))
        for seat in range(SEATS):
            if result.points[seat] and not result.tricks[seat]:
                raise BadSheet("points", Phrase("seat {seat} has points without a trick", seat=seat + 1))
        total = sum(result.points) + result.dog
        if total != ALL_POINTS:
            raise BadSheet(
                "points",
                Phrase(
                    "add up to {total} with those of the dog; the pack has {all}", total=total, all=ALL_POINTS
                ),
            )
        unseen = result.bid is not None and not BIDS[result.bid].turned
        if unseen and self.deal is not None and result.dog != card_points(PACK.cards(self.deal.dog)):
            raise BadSheet(
                "dog",
                Phrase(
                    "nobody exchanged with it: it has {points}", points=card_points(PACK.cards(self.deal.dog))
                ),
            )
        if sum(result.suites) > len(SUITS):
            raise BadSheet("suites", Phrase("there are only four suits"))

    def check_feats(self, result: Ending) -> None:
        """A seat named for a feat must have the tricks or the points that the feat takes."""
        both = result.petit is not None and result.petit == result.deux
        for name, seat in (("petit_au_bout", result.petit), ("deux_avant_dernier", result.deux)):
            if seat is not None and result.tricks[seat] < (2 if both else 1):
                raise BadSheet(name, Phrase("this seat has won too few tricks"))
        assert result.bid is not None
        own_dog = result.dog if BIDS[result.bid].dog_to == "taker" else 0
        for name, seat, least in (("trois_bouts", result.bouts, 30), ("quatre_as", result.aces, 16)):
            if seat is not None and result.points[seat] + own_dog * (seat == result.taker) < least:
                raise BadSheet(name, Phrase("these cards alone are worth {points}", points=least))
        if result.excuse_late is not None and result.tricks[result.excuse_late] == TRICKS:
            raise BadSheet("excuse_late", Phrase("the player of the Excuse does not win that trick"))

    def contracts(self, result: Ending) -> tuple[Contracted, ...]:
        contracts: list[Contracted] = []
        for one in self.sheet["contracts"]:
            if not isinstance(one, dict) or set(one) != {"seat", "id", "contred", "made"}:
                raise BadSheet("contracts", Phrase("each needs a seat, an id, contred and made"))
            if not sheets.is_whole(one["seat"], 1, SEATS):
                raise BadSheet("contracts", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
            if not isinstance(one["id"], str) or one["id"] not in CONTRACTS:
                raise BadSheet(
                    "contracts", Phrase("its id must be one of: {values}", values=", ".join(CONTRACTS))
                )
            if not isinstance(one["contred"], bool) or not isinstance(one["made"], bool):
                raise BadSheet("contracts", Phrase("contred and made must be true or false"))
            contract = Contracted(one["seat"] - 1, one["id"], one["contred"], one["made"])
            self.check_contract(contract, result)
            contracts.append(contract)
        if len({(contract.seat, contract.id) for contract in contracts}) < len(contracts):
            raise BadSheet("contracts", TWICE)
        if sum(contract.made for contract in contracts if contract.id == "quatre-rois") > 1:
            raise BadSheet("contracts", Phrase("only one seat can own the four kings"))
        return tuple(sorted(contracts, key=lambda contract: (contract.seat, CONTRACTS.index(contract.id))))

    def check_contract(self, contract: Contracted, result: Ending) -> None:
        own = contract.seat == result.taker
        if (contract.id == "capot" and not own) or (contract.id == "resistance" and own):
            raise BadSheet("contracts", NOT_YOURS)
        if contract.id == "capot" and contract.contred:
            raise BadSheet("contracts", Phrase("a capot cannot be contred"))
        kings = contract.seat if contract.made else None
        if contract.made != result.has_made(contract.seat, contract.id, kings):
            raise BadSheet(
                "contracts",
                Phrase("{id} of seat {seat}: made does not agree with the rest of the sheet",
                       id=contract.id, seat=contract.seat + 1),
            )  # fmt: skip
