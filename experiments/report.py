"""Measures the figures of REPORT.md and docs/clocks.md again, and writes them to docs/figures and to the documents.

    make report                                # all that are missing or older than the code that they measure
    python experiments/report.py bench cold    # these, even if they are current
    python experiments/report.py --list        # print the figures, and whether they are older than their code
    python experiments/report.py --insert      # only copy docs/figures into the documents

Start it with nothing else running: most figures are timed. After Ctrl-C the same command goes on: a match with its next
pair, everything else with the command that was stopped. All figures take about a day on two cores.
"""

import argparse
import ast
import functools
import hashlib
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from simulator.records.file_errors import replacing
from simulator.records.provenance import commit, describe_machine
from simulator.sandbox.visible_files import program_named
from simulator.statistics.elo import elo_text

REPORT, CLOCKS = "REPORT.md", "docs/clocks.md"
FIGURES = PROJECT / "docs" / "figures"
WORK = PROJECT / ".cache" / "report"  # what is finished of a figure
MEASURED = (".py", ".npz", ".cpp", ".hpp", ".toml", ".jsonl")  # files whose change makes a figure old
IDLE = 0.5  # processes ready to run, the mean of a minute
WEIGHTS = "!pentago/weights.npz"  # of what depends on their number, not on their values
GO_ITSELF = ("go", "!go/learning.py")  # which no agent imports
COMPILED = ("agents/uct", "agents/uct_agent.py", "jit", *GO_ITSELF, "mancala", "pentago", WEIGHTS)
# Without the code that compiles, keeps and loads code, since it runs before a game.
JIT = ("jit", *(f"!jit/{name}.py" for name in ("cache", "folder", "numba_import")))
SEARCH = (
    *("agents/uct", "agents/uct_agent.py", "agents/time_control.py", "agents/outcomes.py", "game", *JIT),
    *("!agents/uct/compiling.py", "!agents/uct/searchers.py"),
)
REFEREE = (
    *(f"simulator/{name}" for name in ("referee", "player", "sandbox", "gtp")),
    *("!simulator/player/lookup.py", "!simulator/referee/in_process.py"),  # before a game, and games without a referee
    *(f"benchmarks/{name}.py" for name in ("margin", "clocks", "referee")),
)
PENTAGO, KALAH = (*SEARCH, "pentago"), (*SEARCH, "mancala")
GO = (*SEARCH, "!agents/uct/graph*.py", *GO_ITSELF)  # Go is not searched on a graph
ALPHABETA = ("agents/alphabeta", "agents/alphabeta_agent.py", "agents/baseline.py", "agents/time_control.py")
NOT_IN_LADDER = tuple(
    f"!agents/{name}.py" for name in ("student_agent", "level*", "human_agent", "course/*", "loading")
)
TWINS = ("benchmarks/twin.cpp", "benchmarks/uct_twin.hpp", "benchmarks/pentago_twin.hpp")
MATCH, TOURNAMENT = "runner.py match", "runner.py tournament"
EVEN = "--opening-plies 4 --opening-balance 3000"
DUEL = "experiments/duel.py uct_agent:{} uct_agent --games {} --move-time 0.2"
GNU_GO = '"gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko --capture-all-dead --never-resign"'
PACHI = '"gtp:pachi -d 0 -r chinese -t 4.5 threads=1,pondering=0,max_tree_size=300,pass_all_alive@move_time=6"'
COLUMNS = (
    "first | against | s a move | games | won-drawn-lost, moving first; second | points | 95 % | Elo, 95 % | "
    "slowest later move | peak memory"
)
STANDINGS = "agent | points | games | won-drawn-lost | Elo | 95 %"


class Figure(NamedTuple):
    """A figure, and how it is measured.

    Attributes:
        sources: files and folders of the project; if they change, the figure is old. A pattern after ! names files
            among them that do not count.
        commands: without the name of the interpreter. `runner.py match` makes a row of a table of matches, and
            `runner.py tournament` a table of standings; the output of other commands is shown as it is.
        programs: other programs that the commands need.
        document: the document with the figure.
    """

    sources: tuple[str, ...]
    commands: tuple[str, ...]
    programs: tuple[str, ...] = ()
    document: str = REPORT


FIGURES_OF_REPORT = {
    "bench": Figure((*PENTAGO, "benchmarks/bench.py", *TWINS), ("runner.py bench",), ("g++",)),
    "cold": Figure((*COMPILED, "benchmarks/cold.py"), ("benchmarks/cold.py --rounds 1",), ("g++",)),
    "foresight": Figure((*PENTAGO, "benchmarks/foresight.py"), ("benchmarks/foresight.py",)),
    "evaluation": Figure(
        ("pentago", WEIGHTS, *JIT, "benchmarks/evaluation.py", "benchmarks/evaluation_twin.cpp"),
        ("benchmarks/evaluation.py --width 256",),
        ("g++",),
    ),
    "tactics": Figure((*PENTAGO, "benchmarks/tactics.py"), ("benchmarks/tactics.py --move-time 1",)),
    "pentago_matches": Figure(
        (*PENTAGO, *ALPHABETA),
        (
            f"runner.py match uct_agent alphabeta_agent:evaluation=lines --games 20 --seed 1 {EVEN}",
            f"runner.py match uct_agent uct_agent:preset=playouts --games 12 --move-time 0.5 --seed 1 {EVEN}",
            f"runner.py match uct_agent alphabeta_agent:evaluation=learned --games 200 --move-time 1 --seed 1 {EVEN}",
        ),
    ),
    "pentago_parts": Figure(
        (*PENTAGO, "experiments/duel.py", "studies/matches.py"),
        tuple(
            DUEL.format(part, games)
            for games, parts in (
                (100, "minimax=0 temperature=1 solve=0 foresight=no transpositions=no reuse=no"),
                (40, "evaluation=lines preset=playouts"),
            )
            for part in parts.split()
        ),
    ),
    "ladder": Figure(
        ("agents", *NOT_IN_LADDER, *SEARCH, "pentago", "experiments/ladder.toml"),
        ("runner.py tournament experiments/ladder.toml",),
    ),
    "clocks": Figure(
        (*PENTAGO, WEIGHTS, *ALPHABETA, *REFEREE),
        (
            "benchmarks/margin.py --moves 60 --beside 2",
            "benchmarks/margin.py --moves 60 --beside 1",
            "benchmarks/clocks.py --moves 2000 --busy 6",
            "benchmarks/referee.py --games 10",
            "benchmarks/referee.py --games 10 --isolation none",
        ),
        document=CLOCKS,
    ),
    "go_speed": Figure(
        (*GO_ITSELF, *JIT, "benchmarks/go_playouts.py", "benchmarks/go_twin.cpp"),
        ("benchmarks/go_playouts.py --speed",),
        ("g++",),
    ),
    "go_reference": Figure((*GO_ITSELF, *JIT, "benchmarks/go_playouts.py"), ("benchmarks/go_playouts.py",)),
    "go_tactics": Figure(
        (*GO, "benchmarks/tactics.py", "tests/data/go_tactics.jsonl"),
        (
            "benchmarks/tactics.py --game go --move-time 60 --agent uct_agent:simulations=300",
            "benchmarks/tactics.py --game go --move-time 60 --agent uct_agent:simulations=2000",
            "benchmarks/tactics.py --game go --move-time 60 --agent uct_agent:simulations=10000",
        ),
    ),
    "go_matches": Figure(
        GO, (f"runner.py match uct_agent {GNU_GO} --game go --size 9 --komi 7 --games 60 --seed 0",), ("gnugo",)
    ),
    "go_pachi": Figure(
        GO, (f"runner.py match uct_agent {PACHI} --game go --size 9 --komi 7 --games 60 --seed 1",), ("pachi",)
    ),
    "go_parts": Figure((*GO, "experiments/ablation.py"), ("experiments/ablation.py --games 400 --simulations 300",)),
    "go_parts_by_time": Figure(
        (*GO, "experiments/ablation.py", "experiments/equal_time.py"),
        ("experiments/equal_time.py --games 400 --simulations 300 --workers 2",),
    ),
    "kalah": Figure(
        (*KALAH, "agents/openspiel_agent.py", "benchmarks/kalah.py", "benchmarks/kalah_twin.cpp", *TWINS),
        ("benchmarks/kalah.py", "benchmarks/kalah.py --games 100 --move-time 0.03"),
        ("g++",),
    ),
}


@functools.cache
def code_of(text: str) -> bytes:
    """Python text without docstrings, comments and blank lines, as bytes: these do not make a figure old."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for row in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[row - 1] = ""
    return "\n".join(filter(None, lines)).encode()


def fingerprint(sources: tuple[str, ...], project: Path = PROJECT) -> str:
    """A hash of the code that a figure measures."""
    found = hashlib.sha256()
    left_out = {file for source in sources if source[0] == "!" for file in project.glob(source[1:])}
    for source in (source for source in sources if source[0] != "!"):
        path = project / source
        files = [path] if path.is_file() else sorted(x for x in path.rglob("*") if x.suffix in MEASURED)
        if not files:
            raise FileNotFoundError(f"{path} has no file that is measured")
        for file in (file for file in files if file not in left_out):
            measured = code_of(file.read_text()) if file.suffix == ".py" else file.read_bytes()
            found.update(f"{file.relative_to(project)}\0".encode() + measured)
    return found.hexdigest()[:12]


def state_of(name: str) -> str:
    """Whether a figure is current, older than its code, of other commands, or not measured, as text."""
    path = FIGURES / f"{name}.md"
    if not path.exists():
        return "not measured"
    figure, text = FIGURES_OF_REPORT[name], path.read_text()
    if not all(re.search(rf"`python {re.escape(command)}( --workers 2)?`", text) for command in figure.commands):
        return "of other commands"
    return "current" if note_of(fingerprint(figure.sources)) in text else "older than its code"


def note_of(mark: str) -> str:
    """The comment in a figure's file that holds the hash of its sources."""
    return f"<!-- sources {mark} -->"


def table_of(columns: str, rows: Iterable[str]) -> str:
    """A Markdown table with these names of columns and rows."""
    return "\n".join((f"| {columns} |", "|---" * (columns.count("|") + 1) + "|", *rows))


def row_of(command: str, match: dict[str, Any]) -> str:
    """The table row of a match, from the output of `match --json`."""
    first, against = shlex.split(command)[2:4]
    found, limits = match["agents"][first], match["settings"]["limits"]
    low, high = (f"{100 * share:.1f}" for share in found["pairs"]["score_interval"])
    elo = [*map(elo_text, (found["pairs"]["elo"], *found["pairs"]["elo_interval"]))]
    cells = (
        f"`{first}`",
        f"`{against}`",
        f"{limits['move_seconds']:g}",
        f"{found['games']}",
        "; ".join("{wins}-{draws}-{losses}".format(**found[side]) for side in ("as_first", "as_second")),
        f"{100 * found['score']:.1f} %",
        f"{low} .. {high}",
        f"{elo[0]}, {elo[1]} .. {elo[2]}",
        f"{found['max_move_seconds']:.2f} s",
        f"{found['peak_memory_mb']:.0f} MB",
    )
    return f"| {' | '.join(cells)} |"


def standings_of(ended: dict[str, Any]) -> str:
    """The table of a tournament, from the last event of `tournament --json`."""
    rows = []
    for found in ended["standings"]:
        elo, low, high = map(elo_text, found["rating"])
        score = "{wins}-{draws}-{losses}".format(**found)
        name = f"`{found['agent']}`"
        rows.append(f"| {name} | {found['points']:g} | {found['games']} | {score} | {elo} | {low} .. {high} |")
    return table_of(STANDINGS, rows)


def output_of(command: str) -> str:
    """The stdout of a command; its stderr is shown. Raises CalledProcessError."""
    arguments = [sys.executable, *shlex.split(command)]
    done = subprocess.run(arguments, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True)
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n")


def output_kept(command: str, file: Path) -> str:
    """The stdout of a command, from a file in which it is kept until the figure is finished."""
    if not file.exists():
        output = output_of(command)
        with replacing(file) as stream:
            stream.write(output)
    return file.read_text()


def results_of(name: str, figure: Figure, mark: str) -> Iterator[str]:
    """Measure a figure; yields its paragraphs, each with its command."""
    rows = []
    for number, command in enumerate(figure.commands):
        print(f"{name}: python {command}", file=sys.stderr, flush=True)
        begun = WORK / f"{name}-{number}-{mark}-{crc32(command.encode()):08x}"
        if not command.startswith((MATCH, TOURNAMENT)):
            yield f"`python {command}`\n\n```\n{output_kept(command, begun.with_suffix('.txt'))}\n```"
            continue
        begun.parent.mkdir(parents=True, exist_ok=True)
        kept = f"{command} --workers 2 --records {shlex.quote(f'{begun}.db')} --json"
        if command.startswith(TOURNAMENT):
            yield f"`python {command}`\n\n{standings_of(json.loads(output_of(kept).splitlines()[-1]))}"
        else:
            rows.append(row_of(command, json.loads(output_of(f"{kept} --no-sgf").splitlines()[-1])))
    if rows:
        matches = [command for command in figure.commands if command.startswith(MATCH)]
        yield "\n".join(f"`python {command} --workers 2`  " for command in matches).rstrip()
        yield table_of(COLUMNS, rows)


def measure(name: str) -> None:
    """Measure a figure and write its file; then delete what was kept of it, so that the next time begins anew."""
    figure, load = FIGURES_OF_REPORT[name], os.getloadavg()[0]
    if load > IDLE:
        print(f"{name}: the machine is busy (load {load:.1f}), which the figure will say", file=sys.stderr)
    mark, machine = fingerprint(figure.sources), describe_machine()
    where = f"{machine['processor']}, {machine['cores']} cores, load {load:.1f} at the start"
    paragraphs = list(results_of(name, figure, mark))
    note = f"Version {commit()}, {time.strftime('%Y-%m-%d')}, {where}. {note_of(mark)}"
    FIGURES.mkdir(parents=True, exist_ok=True)
    (FIGURES / f"{name}.md").write_text("\n\n".join([*paragraphs, note]) + "\n")
    for kept in WORK.glob(f"{name}-[0-9]*"):
        kept.unlink()


def with_figures(report: str, document: str = REPORT) -> str:
    """The text of a document with its figures as docs/figures has them.

    Each is between two comments, `figure NAME` and `end of NAME`. Raises ValueError if a figure has no such place.
    """
    for name, figure in FIGURES_OF_REPORT.items():
        path = FIGURES / f"{name}.md"
        if figure.document != document or not path.exists():
            continue
        begin, end = f"<!-- figure {name} -->\n", f"<!-- end of {name} -->"
        if report.count(begin) != 1 or report.count(end) != 1:
            raise ValueError(f"{document} has no place for {name}: write {begin.strip()} and {end}")
        before, _, rest = report.partition(begin)
        after = rest.partition(end)[2]
        report = f"{before}{begin}\n{path.read_text()}\n{end}{after}"
    return report


def insert() -> None:
    """Write all figures into their documents."""
    for document in dict.fromkeys(figure.document for figure in FIGURES_OF_REPORT.values()):
        path = PROJECT / document
        path.write_text(with_figures(path.read_text(), document))


def main() -> None:
    """Parse, measure, insert."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FIGURES_OF_REPORT))
    parser.add_argument("--list", action="store_true", help="measure nothing, say what there is")
    parser.add_argument("--insert", action="store_true", help="measure nothing, write the documents")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in FIGURES_OF_REPORT]:
        parser.error(f"no figure is called {' or '.join(unknown)}; there are: {', '.join(FIGURES_OF_REPORT)}")
    if arguments.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as `| head` expects
        for name in arguments.names or FIGURES_OF_REPORT:
            print(f"{name:20} {state_of(name)}")
        return
    wanted = arguments.names or [name for name in FIGURES_OF_REPORT if state_of(name) != "current"]
    for name in [] if arguments.insert else wanted:
        if lacking := [x for x in FIGURES_OF_REPORT[name].programs if program_named(x) is None]:
            print(f"{name}: left out, since {' and '.join(lacking)} is not installed", file=sys.stderr)
            continue
        measure(name)
        insert()
    insert()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{shlex.join(error.cmd)} failed: exit status {error.returncode}")
