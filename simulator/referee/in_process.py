"""A game within this process, without a referee: no clock, no sandbox; exceptions of an agent reach the caller."""

from collections.abc import Callable, Sequence
from typing import Any

from agents.agent import RESIGN, Agent, parse_agent
from agents.limits import Clock, Limits
from agents.loading import load_agent
from agents.process_memory import held_bytes
from game import Game
from options import Failure, InputError
from simulator.gtp.agent_host import answer_text
from simulator.gtp.syntax import one_line
from simulator.player.move_time import position_after
from simulator.referee.game_record import GameRecord
from simulator.referee.scoresheet import Scoresheet

MB = 1 << 20  # bytes


def agent_here(agent: str | type[Agent], game: Game, limits: Limits | None = None, seed: int = 0) -> Agent:
    """Make an agent from a class, a file or a registered name. Raises AgentError, InputError.

    Without `limits`, memory that this process holds already does not count as the agent's.
    """
    if limits is None:
        limits = Limits(memory_mb=Limits().memory_mb + held_bytes() // MB)
    if not isinstance(agent, str):
        if not (isinstance(agent, type) and issubclass(agent, Agent)):
            advice = "give its name, or a class that inherits from Agent, not an instance"
            raise InputError(f"{agent!r} is not an agent: {advice}")
        return agent.for_game(game)(game, limits, seed, name=agent.registered_name or agent.__name__)
    spec = parse_agent(agent)
    if spec.is_gtp:
        raise InputError(f"{agent} is a program of its own: it cannot run in this process")
    return load_agent(spec).for_game(game)(game, limits, seed, spec.options)


def answer_of(
    agent: Agent, position: Any, call: Callable[..., Any] = lambda step, *arguments: step(*arguments)
) -> tuple[Any, float]:
    """Ask an agent for its move: `step` may return a move, a move's text, or RESIGN, as in a game.

    `call` is called with `step` and its arguments. Returns the position after the move (None if the agent resigned) and
    the seconds that it took. Raises Failure for any other answer or a SystemExit, and whatever else the agent raises.
    """
    clock = Clock(agent.limits.move_seconds)
    try:
        text = answer_text(agent.game, call(agent.step, position, clock))
    except SystemExit as error:
        raise Failure(f"{agent.name} calls sys.exit() or exit(), which ends a game: take it out") from error
    seconds = clock.elapsed
    if text.lower() == RESIGN:
        return None, seconds
    after, why = position_after(text, agent.game, position, is_python=False)
    if after is None:
        shown, why = one_line(text, 80), one_line(why, 200)
        raise Failure(f"{agent.name} returned {shown}, and not one of position.legal_moves(): {why}")
    return after, seconds


def play_in_process(
    agents: tuple[Agent, Agent], names: tuple[str, str], *, seed: int = 0, opening: Sequence[str] = ()
) -> GameRecord:
    """Play a game between new agents, and close them. Raises ValueError for an illegal opening, and as `answer_of`."""
    game = agents[0].game
    sheet = Scoresheet(game, names, seed=seed)
    sheet.begin(opening)
    try:
        for agent in agents:
            agent.setup()
        while not sheet.is_over():
            side = sheet.position.to_move
            position, seconds = answer_of(agents[side], sheet.position)
            if position is None:
                sheet.resigned(side)
            else:
                sheet.write(position, seconds)
        return sheet.record()
    finally:
        for agent in agents:
            agent.close()
