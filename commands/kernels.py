"""`runner.py kernels`: where compiled code is kept, and compiled code for other machines."""

import json
import tempfile
from pathlib import Path, PurePosixPath

import click

from commands.errors import errors_for_people
from commands.parameters import FILE, option, refuse_idle_options
from options import InputError, did_you_mean

MB = 1 << 20
UNCOMPILED = ("human_agent", "student_agent")


@click.command()
@option("--export", "exported", type=FILE, help="Compile for other machines, and write the code to FILE.")
@option("--import", "imported", type=FILE, help="Install a FILE of --export, if it fits this machine.")
@option("--compile", "is_compiled", is_flag=True, help="Compile for this machine's own processor now.")
@option("--game", "games", multiple=True, metavar="GAME", help="A game to compile for, repeatable.  [default: all]")
@option("--agent", "agents", multiple=True, metavar="AGENT", help="An agent to compile, repeatable.  [default: all]")
@option("--processor", default="x86-64-v3", metavar="NAME", help="With --export: x86-64-v2, x86-64-v3 or x86-64-v4.")
def kernels(
    *,
    exported: Path | None,
    imported: Path | None,
    is_compiled: bool,
    games: tuple[str, ...],
    agents: tuple[str, ...],
    processor: str,
) -> None:
    """Show where compiled code is kept, or carry it to other machines.

    Compiling takes up to a minute before an agent first plays. A file made by --export spares that on a machine with
    the same version of this program, of Python and of numba, and a processor with the same features: most processors
    since 2013 have those of x86-64-v3. Such code is a few per cent slower than code that is compiled on the machine
    itself, as --compile does.

    \b
    Compiled code is executed as it is found, with all your rights:
    import only files of people whom you trust with them.

    \b
    Examples:
      python runner.py kernels
      python runner.py kernels --export kernels.zip --agent uct_agent
      python runner.py kernels --import kernels.zip
    """
    if sum((exported is not None, imported is not None, is_compiled)) > 1:
        raise click.UsageError("--export, --import and --compile exclude each other: give one of them")
    from agents.agent import agent_names
    from game import game_names

    with errors_for_people():
        wanted = (
            _chosen(games, game_names(), "game"),
            _chosen(agents, [name for name in agent_names() if name not in UNCOMPILED], "agent"),
        )
        if exported is None:
            refuse_idle_options("without --export", "processor")
        if exported is None and not is_compiled:
            refuse_idle_options("without --export or --compile", "games", "agents")
        if exported is not None:
            _export(exported, processor, *wanted)
        elif imported is not None:
            _import(imported)
        elif is_compiled:
            _compile(*wanted)
        else:
            _show()


def _chosen(names: tuple[str, ...], known: list[str], kind: str) -> list[str]:
    """The named games or agents, or all if none is named. Raises InputError."""
    if unknown := [name for name in names if name not in known]:
        raise InputError(f"there is no {kind} {unknown[0]!r} to compile for; {did_you_mean(unknown[0], known)}")
    return list(names) or known


def _parent() -> Path:
    """The folder that holds the folders of compiled code. Raises InputError."""
    from jit import CACHE_FOLDER, CACHE_IS_READ_ONLY

    if CACHE_FOLDER is None or CACHE_IS_READ_ONLY:
        raise InputError(
            "no compiled code can be kept here: no folder for it can be written (UNFORCED_CACHE can name one)"
        )
    return CACHE_FOLDER.parent


def _export(target: Path, processor: str, games: list[str], agents: list[str]) -> None:
    from jit.processors import PORTABLE, own_processor
    from simulator.player.kernels import compile_for_processor, files_of, manifest_of
    from simulator.records.file_errors import check_can_write
    from simulator.submission.archive import write_zip

    check_can_write(target)
    if processor not in PORTABLE:
        raise InputError(f"there is no portable processor {processor}; {did_you_mean(processor, PORTABLE)}")
    if lacking := own_processor().lacks(PORTABLE[processor]):
        raise InputError(f"this machine cannot run code for {processor}: it lacks {', '.join(lacking)}")
    with tempfile.TemporaryDirectory(prefix="unforced-kernels-") as place:
        files = files_of(compile_for_processor(PORTABLE[processor], Path(place), games, agents))
    write_zip({PurePosixPath(name): data for name, data in files.items()}, manifest_of(files, processor), target)
    click.echo(f"{target}: {len(files)} files for {processor}, {target.stat().st_size / MB:.1f} MB")


def _import(source: Path) -> None:
    from jit.folder import MANIFEST, better_portable, folder_names, put
    from jit.processors import PORTABLE
    from simulator.player.kernels import objections, read_kernels
    from simulator.records.file_errors import check_is_file

    check_is_file(source)
    manifest, files = read_kernels(source)
    if found := objections(manifest):
        raise InputError("\n  ".join([f"{source} does not fit this machine:", *found]))
    processor = PORTABLE[manifest["processor"]]
    folder = _parent() / folder_names(processor)[0]
    put(folder, {**files, MANIFEST: json.dumps(manifest).encode()}.items())
    click.echo(f"{len(files)} files for {processor.name} are now in {folder}")
    if better_portable() != processor:
        click.echo("They are not used: the code that this machine has compiled, or imported before, is faster.")


def _compile(games: list[str], agents: list[str]) -> None:
    from jit.folder import better_portable
    from jit.processors import own_processor
    from simulator.player.kernels import compile_for_processor

    compile_for_processor(own_processor(), _parent(), games, agents)
    if better_portable() is not None:
        click.echo("Code that was compiled elsewhere stays in use, because it has more games or agents.")


def _show() -> None:
    from jit import CACHE_FOLDER
    from jit.folder import MARK, PACKAGED, folder_names, ready_in
    from jit.processors import PORTABLE, own_processor

    own = own_processor()
    if CACHE_FOLDER is None:
        click.echo("No compiled code is kept: no folder for it can be written (UNFORCED_CACHE can name one).")
        return
    processors = [own, *(processor for processor in PORTABLE.values() if processor != own)]
    names = dict(zip(folder_names(*processors), processors, strict=True))
    click.echo(f"Compiled code is kept in {CACHE_FOLDER.parent} (UNFORCED_CACHE can name another folder).")
    for name, processor in names.items():
        if (folder := CACHE_FOLDER.parent / name).is_dir():
            kind = "this machine's own processor" if processor == own else "portable"
            origin = ", compiled elsewhere" if ready_in(folder) else ""
            used = ", in use" if folder == CACHE_FOLDER else ""
            click.echo(f"  {name}  {processor.name} ({kind}{origin}{used}): {_size(folder) / MB:.1f} MB")
            click.echo("".join(f"    {mark.stem}\n" for mark in sorted(folder.glob(f"*{MARK}"))), nl=False)
    others = [folder for folder in CACHE_FOLDER.parent.iterdir() if folder.is_dir() and folder.name not in names]
    click.echo(f"  of other versions, or agents' own: {len(others)}, with {sum(map(_size, others)) / MB:.1f} MB")
    if PACKAGED.is_dir() and not any((PACKAGED / name).is_dir() for name in names):
        click.echo(f"The code that came with this package, in {PACKAGED}, is for another Python, numba or sources.")


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
