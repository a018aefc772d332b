"""`runner.py pack`: the zip file of a submission."""

import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from commands.check import CONDITIONS, check_submissions
from commands.errors import FAILURE, errors_for_people
from commands.parameters import FILE, GameCommand, conditions_for, option
from options import InputError, counted

if TYPE_CHECKING:
    from simulator.submission.files import Submission


@click.command(cls=GameCommand)
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@option("-o", "--output", type=FILE, help="The zip file; an older one is replaced.  [default: NAME.zip]")
@option("--author", "authors", multiple=True, metavar="NAME", help="An author of the agent; repeatable.")
@CONDITIONS
@option("--force", is_flag=True, help="Pack it even if the check finds faults.")
def pack(
    *,
    path: Path,
    output: Path | None,
    authors: tuple[str, ...],
    force: bool,
    game_options: dict[str, str],
    **flags: Any,
) -> None:
    """Check a submission, and pack it into a zip file to hand in.

    PATH is a folder with agent.py, or a Python file, which is packed with the modules that it imports from its folder.
    Caches, hidden files and virtual environments are left out. A submission in which `check` finds a fault is not
    packed. The zip file also has manifest.json with name, authors, game, hashes, versions, and the result of the
    check. Tables for grades and the web page of a tournament show the authors.

    \b
    Exit code 0 if it was packed, 1 if not.

    \b
    Examples:
      python runner.py pack ann
      python runner.py pack ann -o submission.zip --author "Ann Lee"
      python runner.py pack my_agent.py --game go --force
    """
    from simulator.submission.manifest import manifest_of
    from simulator.terminal.lines import plain_console, print_line

    console = plain_console()
    with errors_for_people():
        submission, contents, target = _what_is_packed(path, output)
        conditions = conditions_for(flags, game_options)
        report = check_submissions([path], conditions, console)[0]
        if not report.passed and not force:
            console.print("Not packed: correct the faults, or add --force.", style="bold red")
            sys.exit(FAILURE)
        names = _pack(contents, manifest_of(submission, authors, Path(conditions.game).name, contents, report), target)
    print_line(console, f"{target}: {counted(len(names), 'file')}, {target.stat().st_size / 1024:.0f} KB")
    for name in names:
        print_line(console, f"  {name}")


def _what_is_packed(path: Path, output: Path | None) -> "tuple[Submission, dict[PurePosixPath, bytes], Path]":
    """The submission, its files as they are now (a check takes a minute or two), and the zip file to write.

    Raises InputError, OSError.
    """
    from simulator.records.file_errors import check_can_write
    from simulator.submission.archive import contents_of
    from simulator.submission.files import SubmissionError, find_submission
    from simulator.submission.named_agents import ZIP

    if path.suffix == ZIP:
        raise InputError(f"{path} is packed already: `check` says whether it can be handed in as it is")
    try:
        submission = find_submission(path)
        contents = contents_of(submission)
    except SubmissionError as error:
        raise InputError(f"{error}; {error.advice}") from error
    target = output or Path(f"{submission.name}.zip")
    if target.suffix != ZIP or (target.exists() and not target.is_file()):
        raise InputError(f"{target} cannot be a submission: name a .zip file")
    if path.is_dir() and target.resolve().is_relative_to(submission.folder):
        raise InputError(f"{target} would lie in the folder that is packed: write it elsewhere, with -o")
    check_can_write(target)
    return submission, contents, target


def _pack(contents: dict[PurePosixPath, bytes], manifest: dict[str, Any], target: Path) -> list[PurePosixPath]:
    """Write the zip file and check that it can be unpacked. Returns its files, without the manifest."""
    from simulator.submission.archive import unpacked, write_zip
    from simulator.submission.files import SubmissionError

    write_zip(contents, manifest, target)
    try:
        with unpacked(target):
            return list(contents)
    except SubmissionError as error:
        raise click.ClickException(f"{target} was written, but cannot be handed in: {error}; {error.advice}") from error
