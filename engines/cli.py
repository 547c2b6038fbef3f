"""The library's own face on the command line, for people and for other programs."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from . import archives, bots, by_hand, describing, public_values, records, registry, sealing, verifying
from .contract import Setting, setting_text
from .dealing import read_seed
from .errors import BadRecord, EngineError
from .phrases import LANGUAGES, Phrase

DONE, BAD_INPUT = 0, 2
Answer = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when done, 2 on bad input."""
    args = parser().parse_args(arguments)
    show: Callable[[Answer], str] = json_line if args.json else args.text
    status = DONE
    for answer in answers(args):
        if "error" in answer:
            status = BAD_INPUT
        if "error" in answer and not args.json:
            print(answer["error"]["message"], file=sys.stderr)
        else:
            print(show(answer), flush=True)
    return status


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m engines", description="Rules of the games: deals, records, sheets."
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, does: str, run: Callable[..., Iterable[Answer]], text: Callable[[Answer], str]
    ) -> Any:
        sub = commands.add_parser(name, help=does, description=does)
        sub.set_defaults(run=run, text=text)
        sub.add_argument("--json", action="store_true", help="answer in JSON, a line for each")
        sub.add_argument("--lang", choices=LANGUAGES, default="en", help="the language of messages")
        return sub

    def on_board(sub: Any) -> None:
        sub.add_argument("game", metavar="GAME")
        sub.add_argument("--seed", required=True, metavar="HEX", help="64 hexadecimal digits")
        sub.add_argument("--public-value", metavar="TEXT", help="what was mixed into the seed, if anything")
        sub.add_argument("--board", required=True, type=int, metavar="N", help="the board's number, from 1")
        sub.add_argument("--option", action="append", default=[], metavar="K=V", help="a variant, by name")
        sub.add_argument(
            "--condition",
            action="append",
            default=[],
            metavar="K=V",
            help="what the organiser presets",
        )

    command(
        "games",
        "the games, their seats, options and units; in JSON their sheets and forms too",
        games,
        text_of_game,
    )
    on_board(command("deal", "the deal of a board", deal, text_of_deal))
    for name, does, run, text in (
        ("replay", "the outcome, or the error, of a record", replay, text_of_outcome),
        ("legal", "phase, actor and legal actions at the end of a record", legal, text_of_legal),
        ("sheet", "the outcome of a result sheet", sheet, text_of_outcome),
        ("summarise", "the result sheet of a finished record", summarise, json_line),
        ("ledger", "the running account of a match", ledger, text_of_ledger),
    ):
        sub = command(name, does, over_file(run), text)
        sub.add_argument(
            "file", metavar="FILE", help="JSON, or JSON Lines for many at once; - is standard input"
        )
    by_hand_lists = command("lists", "a board for people who deal it by hand", lists_by_hand, text_of_lists)
    on_board(by_hand_lists)
    proof = command("verify", "check a published file of deals", verify, text_of_proof)
    proof.add_argument(
        "file", metavar="FILE", help="a sealed or revealed file, as it was published; or an archive"
    )
    proof.add_argument("--commitment", metavar="HEX", help="what was published before play")
    robots = command("playout", "a full record, played by robots", playout, text_of_record)
    on_board(robots)
    robots.add_argument("--bot", default="sensible", metavar="NAME", help=", ".join(bots.BOTS))
    return top


def answers(args: argparse.Namespace) -> Iterator[Answer]:
    try:
        yield from args.run(args)
    except EngineError as error:
        yield {"error": error.to_json(args.lang)}


# ── The commands: each yields its answers ──────────────────────────────────────────────────────────


def games(args: argparse.Namespace) -> Iterator[Answer]:
    def say(phrase: Phrase) -> str:
        return phrase.to(args.lang)

    for game in registry.games().values():
        sheet = describing.sheet(game, (args.lang,), {}, {})
        yield {
            **describing.identity(game, say),
            **describing.settings(game, say),
            "schema": sheet["schema"][args.lang],
            "form": sheet["form"][args.lang],
            "example": sheet["example"],
        }


def deal(args: argparse.Namespace) -> Iterator[Answer]:
    record = records.read(board_of(args) | {"actions": []})
    yield record.game.show_deal(record.deal)


def lists_by_hand(args: argparse.Namespace) -> Iterator[Answer]:
    file = board_of(args)
    record = records.read(file | {"actions": []})
    yield {
        "board": args.board,
        "letter": by_hand.check_letter(read_seed(file["board"]["seed"]), args.board),
        "by_card": [list(one) for one in by_hand.by_card(record.game, record.deal)],
        "by_seat": by_hand.by_seat(record.game, record.deal),
    }


def verify(args: argparse.Namespace) -> Iterator[Answer]:
    try:
        file = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    except OSError as error:
        raise BadRecord(args.file, Phrase("cannot be read: {error}", error=error.strerror)) from None
    for one in sealed_files(file):
        yield proof_of(verifying.verify(one, expected=args.commitment), args.lang)


def sealed_files(file: bytes) -> list[bytes]:
    """The file itself; of an archive, those of its sessions whose boards were sealed."""
    if not file.startswith(archives.SIGN):
        return [file]
    archive = archives.read(file)
    names = [f"sessions/{number}/deals.json" for number in archive.sessions]
    if not (found := [archive.files[name] for name in names if name in archive.files]):
        raise archives.BadArchive("archive", Phrase("holds no sealed boards"))
    return found


def proof_of(proof: verifying.Verified, language: str) -> Answer:
    boards = proof.boards
    return {
        "event": boards.event,
        "game": boards.game,
        "options": dict(boards.options),
        "conditions": dict(boards.conditions),
        "boards": list(boards.boards),
        "reserves": list(boards.reserves),
        "public_value": proof.public_value.to_json() if proof.public_value else None,
        "commitment": proof.commitment,
        "compared": proof.compared,
        "dealt_again": list(proof.dealt_again),
        "revealed": list(proof.revealed),
        "checked": [sentence.to(language) for sentence in proof.checked()],
        "not_checked": [sentence.to(language) for sentence in proof.unchecked()],
    }


def playout(args: argparse.Namespace) -> Iterator[Answer]:
    bot = bots.bot(args.bot)
    file = board_of(args)
    record = records.read(file | {"actions": []})
    state = record.game.start(record.deal, record.options)
    seats = record.game.seat_count(record.conditions)
    dice = bots.randomness(args.seed, args.board, args.bot)
    bots.play_on(record.game, state, [bot] * seats, dice)
    yield file | {"actions": state.entries}


def board_of(args: argparse.Namespace) -> Answer:
    if args.public_value is not None and not public_values.is_in_form(args.public_value):
        raise BadRecord(
            "--public-value", Phrase("must have the form of a kind of public value (docs/deals.md)")
        )
    try:
        key = sealing.key(read_seed(args.seed), args.public_value)
    except ValueError:
        raise BadRecord("--seed", Phrase("must be 64 hexadecimal digits")) from None
    file: Answer = {
        "format": records.FORMAT,
        "game": args.game,
        "options": dict(setting(text, "--option") for text in args.option),
        "board": {"seed": key.hex(), "number": args.board},
    }
    if args.condition:
        file["conditions"] = dict(setting(text, "--condition") for text in args.condition)
    return file


def setting(text: str, flag: str) -> tuple[str, Setting]:
    """A name and its value: a whole number, true, false or a word."""
    name, equals, word = text.partition("=")
    if not equals:
        raise BadRecord(flag, Phrase("“{text}” must have the form name=value", text=text))
    if word in {"true", "false"}:
        return name, word == "true"
    return name, int(word) if re.fullmatch("-?[0-9]{1,999}", word) else word


def over_file(run: Callable[[object], Answer]) -> Callable[[argparse.Namespace], Iterator[Answer]]:
    """One answer for each record of the file; a refused one does not stop the others."""

    def every(args: argparse.Namespace) -> Iterator[Answer]:
        for data in values_of(args.file):
            try:
                if isinstance(data, EngineError):
                    raise data
                yield run(data)
            except EngineError as error:
                yield {"error": error.to_json(args.lang)}

    return every


def values_of(name: str) -> Iterator[object]:
    """The JSON values of a file: one, or one a line. A line that is not JSON yields its BadRecord."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except OSError as error:
        raise BadRecord(name, Phrase("cannot be read: {reason}", reason=error.strerror)) from None
    except UnicodeDecodeError:
        raise BadRecord(name, Phrase("is not UTF-8 text")) from None
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines:
            raise BadRecord(name, Phrase("is empty")) from None
        for number, line in lines:
            yield read_line(number, line)


def read_line(number: int, line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return BadRecord(f"line {number}", Phrase("is not JSON: {reason}", reason=str(error)))


def replay(data: object) -> Answer:
    return outcome(records.read(data, content="actions"))


def legal(data: object) -> Answer:
    return records.show_legal(records.replay(records.read(data, content="actions")))


def sheet(data: object) -> Answer:
    return outcome(records.read(data, content="sheet"))


def outcome(record: records.Record) -> Answer:
    judgement = records.judgement(record)
    return records.show_outcome(record, judgement.outcome if judgement else None)


def summarise(data: object) -> Answer:
    return dict(records.final_judgement(records.read(data, content="actions")).sheet)


def ledger(data: object) -> Answer:
    record = records.read(data, content="deals")
    return record.game.ledger(record.deals or (), options=record.options, conditions=record.conditions)


# ── The answers as text ────────────────────────────────────────────────────────────────────────────


def json_line(answer: Answer) -> str:
    return json.dumps(answer, ensure_ascii=False)


def text_of_game(answer: Answer) -> str:
    seats = "–".join(str(s) for s in dict.fromkeys((answer["seats"][0], answer["seats"][-1])))
    unit = f"1/{answer['unit']['divisor']}" if answer["unit"]["divisor"] > 1 else "1"
    lines = [
        f"{answer['id']}  {answer['name']}: {seats} seats, {answer['pack']}; {answer['unit']['en']} ({unit})"
    ]
    lines += [
        f"    {o['name']} = {' | '.join(map(setting_text, o['values']))}: {o['meaning']}"
        for o in answer["options"]
    ]
    return "\n".join(lines)


def text_of_deal(answer: Answer) -> str:
    return "\n".join(lines_of("", answer))


def text_of_lists(answer: Answer) -> str:
    cards = "\n".join(f"{card:>4}  {place}" for card, place in answer["by_card"])
    seats = "\n".join(f"{place}: {' '.join(cards)}" for place, cards in answer["by_seat"].items())
    return f"board {answer['board']} {answer['letter']}\n\n{cards}\n\n{seats}"


def text_of_proof(answer: Answer) -> str:
    settings = [
        f"{name}={setting_text(value)}" for name, value in (answer["options"] | answer["conditions"]).items()
    ]
    boards = verifying.spans(answer["boards"])
    reserves = f"; in reserve: {verifying.spans(answer['reserves'])}" if answer["reserves"] else ""
    lines = [
        f"event: {answer['event']}",
        f"game: {' '.join([answer['game'], *settings])}",
        f"boards: {boards}{reserves}",
    ]
    if value := answer["public_value"]:
        lines += [
            f"public value ({value['kind']}): {value['value'] or '…'}",
            f"    source: {value['source']}",
        ]
    return "\n".join(
        [*lines, *(f"✓ {one}" for one in answer["checked"]), *(f"? {one}" for one in answer["not_checked"])]
    )


def lines_of(name: str, value: Any) -> Iterator[str]:
    """A deal line by line: hands by seat, cards in a row."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from lines_of(key, inner)
    elif isinstance(value, list) and value and isinstance(value[0], list):
        for seat, inner in enumerate(value, 1):
            yield from lines_of(f"{name} {seat}", inner)
    else:
        yield f"{name}: {' '.join(map(str, value)) if isinstance(value, list) else value}"


def text_of_outcome(answer: Answer) -> str:
    if not answer["over"]:
        return "not over"
    unit = answer["unit"]["en"]
    lines = [f"scores ({unit}): {'  '.join(f'{score:+d}' for score in answer['scores'])}"]
    for fact in answer["facts"]:
        value = f" ({fact['value']})" if "value" in fact else ""
        lines.append(f"    seat {fact['seat'] or '–'}: {fact['fact']}{value} {fact['points']:+d}")
    return "\n".join(lines)


def text_of_legal(answer: Answer) -> str:
    if answer["over"]:
        return "over"
    return "\n".join(
        f"{answer['phase']}, seat {one['seat']}: {' '.join(one['actions'])}" for one in answer["actions"]
    )


def text_of_ledger(answer: Answer) -> str:
    lines = [json_line(row) for row in answer["rows"]]
    rest = {key: value for key, value in answer.items() if key != "rows"}
    return "\n".join([*lines, json_line(rest)])


def text_of_record(answer: Answer) -> str:
    return json.dumps(answer, ensure_ascii=False)
