"""Démons: the result sheet (section 8)."""

from dataclasses import replace
from typing import Any

from ... import sheets
from ...contract import Field
from ...errors import BadSheet
from ...phrases import Phrase
from .bets import COMPLETE, FIRST, PARTIAL, RAISES
from .cards import FIGURES, SEATS, TRICKS, Best, Deal
from .marks import FAULTS, REVOKE, Ending, Stakes

MOST_POINTS = {False: 58, True: 64}  # of a player; of the Diable
TOPS = {2: "CQK", 3: "QK", 4: "K"}  # of a Suite, by its length
NULLABLE = ("partial", "complete")
NEEDED = ("tricks", "card_points", "best_suite", "best_pareil", "penalised_failures", *NULLABLE)


class SheetReader:
    """Reads a sheet; a known deal gives the seat of the Diable."""

    def __init__(self, fields: tuple[Field, ...], sheet: Any, deal: Deal | None) -> None:
        self.deal = deal
        if isinstance(sheet, dict):
            given = sheet.get("faults")
            kinds = [f.get("kind") for f in given if isinstance(f, dict)] if isinstance(given, list) else []
            if REVOKE in kinds:
                names = {field.name for field in fields} - {"faults"}
                sheet = {name: value for name, value in sheet.items() if name not in names}
        sheets.check(fields, sheet, seats=SEATS)
        self.sheet = sheet

    def read(self) -> Ending:
        faults = self.faults()
        result = Ending(faults=faults)
        if result.is_annulled:
            return result
        for name in NEEDED:
            if name not in self.sheet:
                raise BadSheet(name, Phrase("is missing"))
        tricks = tuple(self.sheet["tricks"])
        if sum(tricks) != TRICKS:
            total = sum(tricks)
            raise BadSheet("tricks", Phrase("add up to {total}; nine tricks are played", total=total))
        result = replace(
            result,
            tricks=tricks,
            card_points=self.card_points(tricks),
            best_suite=self.bests("best_suite"),
            best_pareil=self.bests("best_pareil"),
            failures=tuple(self.sheet["penalised_failures"]),
            partial=self.stakes(PARTIAL),
            complete=self.stakes(COMPLETE),
        )
        self.check_lengths(result)
        self.check_bets(result)
        return result

    def faults(self) -> tuple[tuple[int, str], ...]:
        faults = []
        for fault in self.sheet.get("faults", []):
            if not isinstance(fault, dict) or set(fault) != {"seat", "kind"}:
                raise BadSheet("faults", Phrase("each needs a seat and a kind"))
            if not sheets.is_whole(fault["seat"], 1, SEATS):
                raise BadSheet("faults", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
            if not isinstance(fault["kind"], str) or fault["kind"] not in FAULTS:
                raise BadSheet(
                    "faults", Phrase("its kind must be one of: {values}", values=", ".join(FAULTS))
                )
            faults.append((fault["seat"] - 1, fault["kind"]))
        if sum(kind == REVOKE for _, kind in faults) > 1:
            raise BadSheet("faults", Phrase("only one fault can annul a deal"))
        return tuple(faults)

    def card_points(self, tricks: tuple[int, ...]) -> tuple[int, ...]:
        points = tuple(self.sheet["card_points"])
        for seat, own in enumerate(points):
            devil = self.deal is None or self.deal.devil == seat
            most = MOST_POINTS[devil] if tricks[seat] else 0
            if own > most:
                raise BadSheet("card_points", Phrase("seat {seat}: {most} at most", seat=seat + 1, most=most))
        return points

    def bests(self, name: str) -> tuple[Best | None, ...]:
        """Each seat's longest combination, or none."""
        given = self.sheet[name]
        if len(given) != SEATS:
            raise BadSheet(name, Phrase("must be a list of {seats} values, one per seat", seats=SEATS))
        rank_key = "top" if name == "best_suite" else "rank"
        combinations: list[Best | None] = []
        for one in given:
            if one is None:
                combinations.append(None)
                continue
            if not isinstance(one, dict) or set(one) != {"length", rank_key}:
                raise BadSheet(name, Phrase("each needs a length and a {key}, or is null", key=rank_key))
            length, rank = one["length"], one[rank_key]
            most = 4 if name == "best_suite" or rank in ("J", "Q") else 8
            ranks = TOPS.get(length, "") if name == "best_suite" and isinstance(length, int) else FIGURES
            if not sheets.is_whole(length, 2, most) or not isinstance(rank, str) or len(rank) != 1:
                raise BadSheet(name, Phrase("there is no such combination"))
            if rank not in ranks:
                raise BadSheet(name, Phrase("there is no such combination"))
            combinations.append((length, rank))
        return tuple(combinations)

    def stakes(self, kind: str) -> Stakes | None:
        given = self.sheet[kind]
        if given is None:
            return None
        levels = [FIRST[kind] * 2**raises for raises in range(RAISES + 1)]
        if not isinstance(given, dict) or set(given) != {"stake", "risk"} or given["stake"] not in levels:
            raise BadSheet(kind, Phrase("needs a stake and what each seat risked"))
        stake, risk = given["stake"], given["risk"]
        if not isinstance(risk, list) or len(risk) != SEATS:
            raise BadSheet(kind, Phrase("must be a list of {seats} values, one per seat", seats=SEATS))
        if (
            not all(sheets.is_whole(one, 0, stake) and one in (0, *levels) for one in risk)
            or stake not in risk
        ):
            raise BadSheet(
                kind, Phrase("nobody can have risked more than the stake, and somebody must have risked it")
            )
        if stake > levels[0] and sum(one >= stake // 2 for one in risk) < 2:
            raise BadSheet(
                kind,
                Phrase("at least one seat must have risked a raised stake, and another at least half of it"),
            )
        return Stakes(stake, tuple(risk))

    def check_lengths(self, result: Ending) -> None:
        """No seat plays more than nine cards in combinations, failed ones and the free failure included."""
        for seat in range(SEATS):
            together = sum(best[0] for best in (result.best_suite[seat], result.best_pareil[seat]) if best)
            failed = result.failures[seat]
            if together + failed + (failed > 0) > TRICKS:
                raise BadSheet(
                    "penalised_failures", Phrase("seat {seat} plays only nine cards", seat=seat + 1)
                )

    def check_bets(self, result: Ending) -> None:
        if result.partial is None or result.complete is None:
            return
        for seat in range(SEATS):
            if result.complete.risk[seat] and result.partial.risk[seat] != result.partial.stake:
                raise BadSheet(COMPLETE, Phrase("seat {seat} had conceded the partial bet", seat=seat + 1))
