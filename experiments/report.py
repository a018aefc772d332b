"""Measures the figures of REPORT.md and docs/clocks.md again, and writes them to docs/figures and to the documents.

    make report                                # all that are missing or older than the code that they measure
    python experiments/report.py bench cold    # these, even if they are current
    python experiments/report.py --list        # print the figures, and whether they are older than their code
    python experiments/report.py --insert      # only copy docs/figures into the documents

Start it with nothing else running: most figures are timed. After Ctrl-C the same command goes on: a match with its next
pair, everything else with the command that was stopped. All figures take about a day on two cores.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:  # half a second, in which Ctrl-C may come
    from experiments.figures import (
        FIGURES_OF_REPORT,
        MATCH,
        PROJECT,
        TOURNAMENT,
        Figure,
        file_of,
        fingerprint,
        insert,
        note_of,
        state_of,
    )
    from simulator.records.file_errors import replacing
    from simulator.records.provenance import commit, describe_machine
    from simulator.sandbox.visible_files import program_named
    from simulator.statistics.elo import elo_text
except KeyboardInterrupt:
    sys.exit(130)

WORK = PROJECT / ".cache" / "report"  # what is finished of a figure
IDLE = 0.5  # processes ready to run, the mean of a minute
COLUMNS = (
    "first | against | s a move | games | won-drawn-lost, moving first; second | points | 95 % | Elo, 95 % | "
    "slowest later move | peak memory"
)
STANDINGS = "agent | points | games | won-drawn-lost | Elo | 95 %"


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
    """The stdout of a command; its stderr is shown, and both if it fails. Raises CalledProcessError."""
    arguments = [sys.executable, *shlex.split(command)]
    done = subprocess.run(arguments, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    done.check_returncode()
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
    file_of(name).parent.mkdir(parents=True, exist_ok=True)
    file_of(name).write_text("\n\n".join([*paragraphs, note]) + "\n")
    for kept in WORK.glob(f"{name}-[0-9]*"):
        kept.unlink()


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
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{shlex.join(error.cmd)} failed: exit status {error.returncode}")
