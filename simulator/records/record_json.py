"""Reading JSON and game records from files that anybody may have changed, and saying what is wrong with them."""

import json
from typing import Any

import msgspec

from simulator.referee.game_record import GameRecord


def json_in(text: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError, in words, for any other text."""
    try:
        return json.loads(text)
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text") from error
    except RecursionError as error:
        raise ValueError("its JSON is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(_wrong_with(error)) from error
    except ValueError as error:  # Python reads no number of more than 4300 digits
        raise ValueError("a number in it has too many digits") from error


def _wrong_with(error: json.JSONDecodeError) -> str:
    is_one_line = "\n" not in error.doc.strip()
    place = f"character {error.colno}" if is_one_line else f"line {error.lineno}, column {error.colno}"
    if not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated string"):
        return "its JSON breaks off at the end, as if the file had been cut off"
    if error.msg == "Extra data":
        return f"more follows after its JSON, from {place} on"
    return f"it is no valid JSON from {place} on"


def record_in(content: Any) -> GameRecord:
    """The game record in a JSON value. Raises ValueError, in words, for any other value."""
    if not isinstance(content, dict):
        raise ValueError("it is not a JSON object")
    try:
        record = GameRecord.from_json(content)
        msgspec.convert(msgspec.to_builtins(record), GameRecord)  # texts, numbers and two players where they should be
    except KeyError as error:
        raise ValueError(f"it has no {error}") from error
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise ValueError("its record is incomplete, or has values of the wrong type") from error
    players = {record.verdict.winner, record.verdict.loser, *(move.player for move in record.moves)}
    if record.result == "" or not players <= {None, 0, 1}:
        raise ValueError("its record has values of the wrong type")
    return record
