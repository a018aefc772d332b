"""What is said of a mistake in a game's file: where it was seen, and how to correct it."""

from typing import Any, NamedTuple

from game import RulesError

ADVICE = {  # by the kind of a mistake, or its last word
    "changes": "copy what is changed first, as in board = board.copy(), or build a new state",
    **dict.fromkeys(
        ("twice", "start", "random", "illegal"),
        "the answer may depend on the state only: no random numbers, no global variables that are changed;"
        " a state of a class of yours needs __eq__ and __hash__",
    ),
    "text": "write to_text and from_text so that from_text(to_text(state)) is the same state; a state of arrays,"
    " tuples, lists, dictionaries, numbers and texts needs neither",
    "names": "move_text has to give every legal move of a position a text of its own; capital and small letters count"
    " as the same",
    "end": 'let result return "draw" after a number of moves, or when a position comes again (the state has to know the'
    " earlier ones), or set longest_game",
    "first": "the players are 0 and 1, and 0 begins",
    "hash": "build states of arrays, tuples, numbers, texts",
    "slow": "let legal_moves list fewer, or make draw and the texts faster",
    "twin": "the state has to hold all that the rules look at",
}


class Finding(NamedTuple):
    """A mistake, where it was first seen.

    Attributes:
        text: what is wrong, with the file's own traceback if it fails.
        position: as text.
        moves: that lead there.
        advice: how to correct it; empty where the text says it.
    """

    text: str
    position: str
    moves: tuple[str, ...]
    advice: str = ""


def said(answer: Any) -> str:
    """What a function of a file has answered, as text: of long ones the beginning."""
    if answer is None or isinstance(answer, int):
        return str(answer)
    return repr(answer) if len(repr(answer)) <= 60 else repr(answer)[:57] + "..."


def text_of(position: Any) -> str:
    """The text of a position; if the file's functions fail at that, its state."""
    try:
        return str(position)
    except (RulesError, TimeoutError):
        return said(position.words)
