"""Compiling ahead, so that no agent has to compile on its clock in the first game after a change of the code.

Compiling takes some of the first move's 30 seconds, more on a slow machine, and leaves less memory for the tree; and
what is compiled inside a sandbox cannot be kept. So each agent of this project is set up once, in a process of its own
without a clock, before it plays for the first time.
"""

import hashlib
import math
import re
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from agents.agent import AgentSpec, agent_names, parse_agent
from agents.limits import Limits
from game import Game
from jit import CACHE_FOLDER, CACHE_IS_READ_ONLY, PROJECT, project_environment
from jit.cache import remove_damaged
from jit.folder import MARK
from simulator.player.contract import Order
from simulator.player.prepare import LOOK_SECONDS, alone, prepare

LONGEST_MARK = 150  # characters of a file's name, which may have 255


def _mark(kind: str, agent: str) -> str:
    """The name of the file beside the compiled code that says for which agent and kind of game there is code."""
    name = re.sub(r"[^\w=,.-]", "_", f"{kind}-{agent}")
    if len(name) > LONGEST_MARK:
        name = f"{name[:LONGEST_MARK]}-{hashlib.sha256(agent.encode()).hexdigest()[:16]}"
    return f"{name}{MARK}"


def compile_ahead(
    game: Game,
    specs: Iterable[AgentSpec],
    say: Callable[[str], None] = lambda text: None,
    limits: Limits | None = None,
    cores: tuple[int, ...] = (),
    on_look: Callable[[], None] = lambda: None,
    hidden: tuple[Path, ...] = (),
) -> None:
    """Set up each agent of this project once in a process of its own, unless that was done before.

    The code is for the class of kernel that the game has with its options: other boards may need other code. `say` is
    told before an agent is compiled. An agent that fails is left for the referee to judge. Files of other people run
    under limits only, see `prepare`; `limits`, `cores` and `hidden` are those of their games. `on_look` is called some
    times per second while an agent is compiled; an exception that it raises ends the compiling.
    """
    specs = tuple(specs)
    for spec in {spec.text: spec for spec in specs if spec.is_file and not _is_ours(spec)}.values():
        prepare(spec, game, say, limits, cores, hidden, on_look)
    if game.kernel is None or CACHE_IS_READ_ONLY:  # nothing is compiled, or nothing can be kept
        return
    if CACHE_FOLDER is None:
        say("no folder for compiled code can be written: each agent compiles on its clock (`doctor` names the folder)")
        return
    remove_damaged(CACHE_FOLDER)
    kind = Path(game.name).name  # for a game in a file, the name has the file's hash
    if game.settled_options:
        kind += f"-{type(game.kernel).__name__}"
    for name in sorted({spec.text for spec in specs if _is_ours(spec)}):
        mark = CACHE_FOLDER / _mark(kind, name)
        if mark.exists():
            continue
        # Other processes may compile other agents meanwhile.
        with alone(mark.parent.parent / f"{mark.stem}.lock", on_look):
            if not mark.exists():
                say(f"preparing {name} (compiling what it needs, once; up to a minute)")
                _set_up(game, name, mark, on_look)


def _is_ours(spec: AgentSpec) -> bool:
    """Whether an agent belongs to this project: it has a registered name, or is a file in `studies/`."""
    is_of_studies = spec.is_file and Path(spec.source).resolve().parent == PROJECT / "studies"
    return is_of_studies or spec.source in agent_names()


def _set_up(game: Game, agent: str, mark: Path, on_look: Callable[[], None]) -> None:
    spec, limits = parse_agent(agent), Limits(first_move_seconds=math.inf)
    command = Order(game.name, spec.source, spec.options, game.settled_options, limits).command()
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, env=project_environment()) as process:
        try:
            while process.poll() is None:
                on_look()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK_SECONDS)
        except BaseException:
            process.kill()
            raise
    if process.returncode == 0:
        mark.touch()
