"""`runner.py analyze --log`: each move of a game at the course's server, with our agent's view."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from commands.errors import ctrl_c_at_once


def compile_search(game: Any) -> None:
    """Compile what `uct_agent` needs for a game, unless that was done before, and say so."""
    from agents.agent import parse_agent
    from agents.limits import Limits
    from simulator.terminal.elapsed import compile_agent
    from simulator.terminal.screen import is_smart_terminal

    with ctrl_c_at_once():
        compile_agent(is_smart_terminal(), Limits(), game, parse_agent("uct_agent"))


def analyze_log(
    path: Path, *, move_time: float, simulations: int | None, seed: int, memory: int, as_json: bool
) -> None:
    """Print what our search and solver think of each move. Raises InputError, OSError."""
    from simulator.course.log_file import read_log
    from simulator.course.review import Reviewer
    from simulator.terminal.review import HEADER, review_line, review_summary

    record = read_log(path)
    game = record.load_game()
    if not as_json:
        click.echo(f"{record.agents[0]} against {record.agents[1]}; values are for who plays the move\n\n{HEADER}")
        compile_search(game)
    with ctrl_c_at_once():
        reviewer = Reviewer(
            game,
            record.positions,
            seconds=None if simulations else move_time,
            simulations=simulations,
            seed=seed,
            memory_mb=memory,
        )
        moves: list[Any] = []
        for move in reviewer.moves():
            moves.append(move)
            if not as_json:
                click.echo(review_line(game, record, move))
    if as_json:
        content = {"agents": record.agents, "result": record.result, "verdict": record.verdict.text}
        click.echo(json.dumps(content | {"moves": list(map(asdict, moves))}))
    else:
        click.echo(f"\n{review_summary(record, moves)}")
