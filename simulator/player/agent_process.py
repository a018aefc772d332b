"""The other end of a player: a process that loads one agent and serves it as a GTP engine.

    python -m simulator.player.agent_process '{"game": "pentago", "agent": "random_agent"}'

The agent's code, which somebody else wrote, runs in the same process. The wire is therefore a private copy of stdin and
stdout: whatever the agent, or C code that it calls, prints to stdout lands on stderr, and its stdin is empty.

Beside this project's modules, only numpy, numba, psutil and the standard library may be imported here.
"""

import faulthandler
import json
import linecache
import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

STARTED = time.monotonic()

from simulator import command_line  # noqa: E402  (the time at which the imports begin is taken first)
from simulator.sandbox import confine  # noqa: E402

if __name__ == "__main__":  # before `jit` is imported, because `jit` tests whether it can write compiled code
    TOLD = json.loads(sys.argv[1])
    confine.confine(confine.Confinement(**TOLD.get("confinement", {})))

from agents.agent import AgentError, AgentSpec  # noqa: E402
from agents.loading import load_agent  # noqa: E402
from game import load_game  # noqa: E402
from simulator.gtp.agent_host import AgentHost, AgentMaker, guarded  # noqa: E402
from simulator.gtp.commands import command_sets  # noqa: E402
from simulator.gtp.commands.go import SgfReader  # noqa: E402
from simulator.gtp.engine import Engine  # noqa: E402
from simulator.gtp.syntax import GtpError, one_line  # noqa: E402
from simulator.player.contract import INTERRUPTED, LOAD_FAILED, RAISED_BETWEEN_MOVES, SEED_VARIABLE, Order  # noqa: E402
from simulator.player.faults import AGENT_FAILED  # noqa: E402
from simulator.player.refusals import explain  # noqa: E402
from simulator.player.self_report import SelfReport  # noqa: E402


def _private_wire() -> tuple[BinaryIO, BinaryIO]:
    """Copies of stdin and stdout for the wire alone; the originals become /dev/null and stderr.

    Programs that the agent starts do not inherit the copies.
    """
    sys.stdout.flush()
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)  # so that lines printed before a crash arrive
    return reader, writer


def serve(order: Order, *, seed: int = 0, read_sgf: SgfReader | None = None) -> int:
    """Serve an agent as a GTP engine on stdin and stdout until `quit` or the end of input; returns the exit status.

    `read_sgf` reads the files of `loadsgf`, with a library that may not be imported here. If the agent cannot be loaded
    or set up, the status is LOAD_FAILED, the reason is on stderr, and no command is read. A KeyboardInterrupt that the
    agent raises counts as a failure of the agent. The process loses its stdin and stdout for good; calls that the
    confinement forbids, like `os.fork`, raise an error that explains itself from then on.
    """
    spec, started = order.spec, order.started or STARTED
    report = SelfReport(Path(spec.source).parent if spec.is_file else None, started) if order.reports else None
    reader, writer = _private_wire()
    try:
        load_game(order.game, **order.game_options)  # before a folder of the agent can hide one of ours
        if report is not None:
            report.begin()  # before `explain`, so that it hears of refused calls, too
        if spec.is_file:
            explain(order.confinement)
        make = _load(spec, order.name, report)
        told = {} if report is None else {"on_move": report.moved}
        host = AgentHost(make, order.limits, seed=seed, name=order.name or order.agent, started=started, **told)
        signal.signal(confine.HURRY_SIGNAL, lambda number, frame: host.hurry())
        engine = Engine(order.game, host, command_sets(order.game, read_sgf), order.game_options)
        guarded(host.prepare)
        host.timer.end_request()  # the time for loading and set-up is part of the first move's time
    except (AgentError, GtpError, LookupError, TypeError, ValueError) as error:
        print(error, file=sys.stderr)
        return LOAD_FAILED
    try:
        engine.serve(reader, writer)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.errno is None:  # the system did not raise it, but the agent, for instance TimeoutError("time is over")
            return _raised_between_moves(error)
        with suppress(OSError):  # the controller is gone, or the agent has closed the wire, and perhaps stderr
            print(f"the wire broke: {error}", file=sys.stderr)
        return 1
    except Exception as error:  # the agent raised it between two moves; errors in a move are answered
        return _raised_between_moves(error)
    return 0


def _raised_between_moves(error: Exception) -> int:
    """Print the exception that a signal handler of the agent has raised between moves; returns the exit status."""
    reason = "".join(traceback.format_exception_only(error))
    with suppress(Exception):  # the agent may have closed stderr
        traceback.print_exception(error)
        print(one_line(f"{AGENT_FAILED}{reason}"), file=sys.stderr, flush=True)
    return RAISED_BETWEEN_MOVES


def _load(spec: AgentSpec, name: str, report: SelfReport | None) -> AgentMaker:
    """Load an agent's class (which executes its file), report that, and return a function that makes an agent.

    Raises AgentError, whatever the file itself raises.
    """
    try:
        agent_class = load_agent(spec)
    except AgentError:
        raise
    except BaseException as error:  # a file that raises SystemExit, for instance
        raise AgentError(f"{spec.source} fails when it is imported: {error!r}") from error
    if report is not None:
        report.loaded(agent_class.registered_name)
    _remember_sources(spec)
    return lambda game, limits, seed: agent_class.for_game(game)(game, limits, seed, spec.options, name)


def _remember_sources(spec: AgentSpec) -> None:
    """Keep the text of the agent's own files, so that a traceback shows their lines when they can no longer be read."""
    folder = str(Path(spec.source).parent) if spec.is_file else ""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    for file in (file for file in files if folder and isinstance(file, str) and file.startswith(folder)):
        if lines := linecache.getlines(file):
            # If an entry has no time of its last change, `linecache` never reads the file again.
            linecache.cache[file] = (sum(map(len, lines)), None, lines, file)


def _no_debugger(*arguments: Any, **options: Any) -> None:
    """Raise an error that explains itself, in place of `breakpoint()`: pdb would only end with a BdbQuit."""
    raise RuntimeError(
        "breakpoint() cannot stop a game, where nobody sits at a keyboard: take it out, or use "
        f"`{command_line('debug')}`"
    )


def main(order: Order) -> int:
    """Serve the agent of an order."""
    # The referee asks a hung agent for its stacks by a signal, which works in compiled code, too.
    faulthandler.register(confine.STACKS_SIGNAL, all_threads=True)
    sys.breakpointhook = _no_debugger
    if order.cache:  # the agent's own numba code was compiled before; most agents have none
        from simulator.player import agent_cache  # noqa: PLC0415

        agent_cache.use(Path(order.cache), Path(order.agent).parent, fills=order.fills_cache)
    return serve(order, seed=int(os.environ.get(SEED_VARIABLE, "0")))


if __name__ == "__main__":
    status = main(Order.from_json(TOLD))
    # Not sys.exit, which threads and exit handlers of the agent could hold up.
    with suppress(OSError):  # the agent may have closed both
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)
