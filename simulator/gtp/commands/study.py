"""What an agent thinks of every move of a position, for any game and any agent that analyses."""

import json

from simulator.gtp import syntax
from simulator.gtp.engine import CommandSet, Engine

LONGEST_STUDY = 60.0  # seconds of one request; whoever wants more asks again, and the search goes on


def _study(engine: Engine, arguments: list[str]) -> str:
    """What the agent thinks of every move after so many seconds more: one line of JSON, a list, see `player.study`."""
    seconds = min(syntax.duration(syntax.one(arguments)), LONGEST_STUDY)
    if engine.position.result is not None:
        return "[]"
    reports = engine.host.study(engine.position, seconds)
    engine.host.timer.start_request()  # no part of a game's thinking time
    text = engine.game.format_move
    return json.dumps(
        [
            {
                "move": text(report.move),
                "visits": int(report.visits),
                "value": round(float(report.value), 6),
                "proven": report.proven,
                "pv": [text(move) for move in report.pv],
            }
            for report in reports
        ]
    )


STUDY_COMMANDS: CommandSet = {"unforced-study": _study}
