"""The command line of the studies: list them, run one or all."""

import sys

INTERRUPTED = 130  # the exit status after Ctrl-C, also while modules are imported
try:
    import importlib.util
    import json
    import math
    import re
    import shutil
    import textwrap
    from collections.abc import Iterator
    from contextlib import contextmanager
    from pathlib import Path

    import click

    from jit import PROJECT
    from options import Failure, InputError
    from simulator.records.file_errors import in_words
    from simulator.sandbox.visible_files import program_named
    from studies import STUDIES
    from studies.journal import Journal, unpack
    from studies.results import WIDTH, as_text, draw_picture, provenance, read_table, write_table
    from studies.running import finished_units, run_study
    from studies.study import Done, Extent, Row, Study, load_study
except KeyboardInterrupt:
    sys.exit(INTERRUPTED)

RESULTS = PROJECT / "studies" / "results"
README = PROJECT / "studies" / "README.md"
WORK = PROJECT / ".cache" / "studies"  # finished units while a study runs, and the results of quick runs
UNITS = ".jsonl.xz"  # the file of all finished units, beside the table
POSITIVE = click.FloatRange(min=0, min_open=True, max=1e6)
SCALE_HELP = "X times as many games or positions."
SEED_HELP = "Seed of all random numbers."
WORKERS_HELP = "How many units of work run at a time."
NO_PICTURE = "no picture: matplotlib is not installed (pip install -e '.[studies]')"
OUTPUT_HELP = "The folder for table and picture; by default studies/results, with --quick .cache/studies."


def verdict_of(name: str) -> str:
    """The result of a study in the first table of studies/README.md, without marks; "" if it is not there."""
    for line in README.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 2 and f"`{name}`" in cells[0]:
            return cells[1].replace("`", "")
    return ""


def said_of(table: Path) -> dict[str, str]:
    """What the comments above a table say, by their first words ("Done", "Command" ...); {} if there is no table."""
    lines = table.read_text("utf-8", errors="replace").splitlines() if table.exists() else []
    found = (line.removeprefix("# ").partition(": ") for line in lines if line.startswith("# "))
    return {what: text for what, _, text in found}


def status_of(name: str) -> str:
    """How much of a study's table is done, its cost and its version."""
    said = said_of(RESULTS / f"{name}.csv")
    found = [f"{what.lower()}: {said[what].rstrip('.')}" for what in ("Done", "Cost", "Version") if what in said]
    return "; ".join(found) or "not done"


class SmallerTable(InputError):
    """A table of more units of work would be replaced."""


def refuse_smaller(table: Path, units: int) -> None:
    """Raise SmallerTable if there is a table of more units of work than the one that is to replace it."""
    said = said_of(table)
    there = re.match(r"[\d,]+", said.get("Done", ""))
    if there and units < int(there[0].replace(",", "")):
        raise SmallerTable(
            f"{table} is of {there[0]} units of work ({said.get('Command')}), this one would be of {units:,}: "
            "give the same options, or --output for another folder"
        )


def list_studies() -> None:
    """Print every study: its question, its claim, its result, how much of it is done, and the cost."""
    width = min(WIDTH, shutil.get_terminal_size().columns)
    for name in STUDIES:
        study = load_study(name)
        click.echo(f"{name}: {study.title}")
        for line in (f"claim: {study.claim}", f"found: {verdict_of(name)}", status_of(name)):
            click.echo(
                textwrap.fill(line, width, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False)
            )


def missing_for(study: Study) -> list[str]:
    """The programs and modules that a study needs and that are not installed."""
    programs = [program for program in study.programs if program_named(program) is None]
    return programs + [module for module in study.modules if importlib.util.find_spec(module) is None]


def write_results(study: Study, extent: Extent, done: Done, table: Path, journal: Journal) -> list[Row]:
    """Write the table, the picture and the finished units of a study, and print the table; returns its rows."""
    rows = study.tabulate(done)
    write_table(table, rows, provenance(study, extent, journal))
    if not extent.quick:
        journal.compress(table.with_suffix(UNITS))
        if journal.path is not None and table.parent == RESULTS and len(done) == len(study.plan(extent)):
            journal.path.unlink(missing_ok=True)  # the next run begins with what is beside the table
    if importlib.util.find_spec("matplotlib") is None:
        click.echo(NO_PICTURE, err=True)
    else:
        draw_picture(table.with_suffix(".png"), study, rows, extent.quick)
    click.echo(f"{study.title}\n{as_text(rows)}\nwritten to {table}")
    return rows


def redraw_picture(study: Study, table: Path, quick: bool) -> list[Row]:
    """Draw the picture of a study from its table, of a quick run or not; returns the rows.

    Raises InputError if there is no table that can be read, or no matplotlib.
    """
    if not table.exists():
        raise InputError(f"{study.name}: there is no table {table}: run the study first, without --redraw")
    if importlib.util.find_spec("matplotlib") is None:
        raise InputError(NO_PICTURE)
    try:
        rows = read_table(table)
    except (ValueError, TypeError):
        rows = []
    if not rows:
        raise InputError(f"{study.name}: {table} is no table of a study: run the study first, without --redraw")
    picture = table.with_suffix(".png")
    draw_picture(picture, study, rows, quick)
    click.echo(f"{study.title}\nwritten to {picture}")
    return rows


def work_off(
    study: Study, extent: Extent, table: Path, workers: int, so_far: bool, fresh: bool
) -> tuple[Done, Journal]:
    """Do the units of a study that are missing, with `so_far` none; returns the finished units and their journal.

    Raises SmallerTable, before any work; but with `fresh` the table may become smaller.
    """
    path = None if extent.quick else WORK / f"{study.name}.jsonl"
    kept = RESULTS / f"{study.name}{UNITS}"
    if fresh and path is not None:
        path.unlink(missing_ok=True)
    elif path is not None and kept.exists() and not path.exists():
        unpack(kept, path)
    journal, plan = Journal(path), study.plan(extent)
    done = finished_units(plan, journal)
    if not fresh and (units := len(done if so_far else plan)):
        refuse_smaller(table, units)
    if so_far:
        return done, journal
    if len(done) == len(plan):
        click.echo(f"{study.name}: all {len(plan):,} units were finished before; --fresh does them again", err=True)
    return run_study(study.name, extent, journal, workers), journal


@contextmanager
def errors_for_people(goes_on: str) -> Iterator[None]:
    """Errors become messages; Ctrl-C ends the program, with how to go on, if that is not empty."""
    try:
        yield
    except (InputError, Failure) as error:
        raise click.ClickException(str(error)) from error
    except BrokenPipeError:  # nobody reads what is printed: click ends the program silently
        raise
    except OSError as error:
        raise click.ClickException(in_words(error)) from error
    except KeyboardInterrupt:
        if goes_on:
            click.echo(f"\nstopped; {goes_on}", err=True)
        sys.exit(INTERRUPTED)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1, metavar="[NAME]... | all")
@click.option("--quick", is_flag=True, help="Do only enough to see that it works: some seconds.")
@click.option("--scale", type=POSITIVE, default=1.0, show_default=True, metavar="X", help=SCALE_HELP)
@click.option("--seed", type=click.IntRange(0), metavar="N", default=1, show_default=True, help=SEED_HELP)
@click.option("--workers", type=click.IntRange(1), metavar="N", default=1, show_default=True, help=WORKERS_HELP)
@click.option("--so-far", is_flag=True, help="Table and picture of the finished units, without more work.")
@click.option("--redraw", is_flag=True, help="Draw the picture again, from the table that is there.")
@click.option("--fresh", is_flag=True, help="Do all units again.")
@click.option("--output", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help=OUTPUT_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print the rows of each study as JSON on the last line.")
def main(
    names: tuple[str, ...],
    quick: bool,
    scale: float,
    seed: int,
    workers: int,
    so_far: bool,
    redraw: bool,
    fresh: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """What the literature claims of tree search, measured here.

    Without a NAME, lists the studies: their results, how much is done, and the cost. Each study writes a table (CSV)
    and a picture (PNG).

    \b
    Examples:
      python -m studies
      python -m studies random_play --quick
      python -m studies exploration --scale 2 --workers 2

    Finished units of work are kept beside the tables, and in .cache/studies while a study runs: Ctrl-C stops it, and
    the same command continues it; a larger --scale adds to what was done, and a table is not replaced by one of fewer
    units. --fresh begins anew: to check a table, or if the program of a study has changed.
    """
    if not names and (quick or so_far or redraw or fresh or output or as_json or (scale, seed, workers) != (1, 1, 1)):
        raise click.UsageError("name a study, or all")
    if math.isnan(scale):
        raise click.UsageError("--scale has to be a number, not nan")
    if quick and (so_far or scale != 1):
        raise click.UsageError("a --quick run keeps no units and has one size: leave --so-far and --scale out")
    if redraw and (scale, seed, workers) != (1, 1, 1):
        raise click.UsageError("--redraw plays nothing: leave --scale, --seed and --workers out")
    if fresh and (so_far or redraw):
        raise click.UsageError("--fresh forgets what --so-far and --redraw show: give one of them")
    extent, found, refused = Extent(quick, scale, seed), {}, list[str]()
    folder = output or (WORK if quick else RESULTS)
    chosen = STUDIES if names == ("all",) else names
    goes_on = f"the same command{' without --fresh' if fresh else ''} continues"
    with errors_for_people("nothing of a quick run is kept" if quick else goes_on if names else ""):
        if not names:
            list_studies()
        for study in [load_study(name) for name in chosen]:  # all, so that a wrong name is refused before any work
            name, table = study.name, folder / f"{study.name}.csv"
            if redraw:
                found[name] = redraw_picture(study, table, quick)
                continue
            if lacking := missing_for(study):
                click.echo(f"{name}: left out, since {' and '.join(lacking)} is not installed", err=True)
                continue
            folder.mkdir(parents=True, exist_ok=True)  # before the work, since it may fail
            try:
                done, journal = work_off(study, extent, table, workers, so_far, fresh)
            except SmallerTable as error:  # the other studies of `all` are done nevertheless
                refused.append(f"{name}: left out, since {error}")
                continue
            if not done:
                click.echo(f"{name}: left out, since nothing of it is finished so far", err=True)
                continue
            found[name] = write_results(study, extent, done, table, journal)
    if so_far and not found and not refused:
        raise click.ClickException("nothing can be shown: run a study first, without --so-far")
    if as_json:
        click.echo(json.dumps(found))
    if refused:
        raise click.ClickException("\n".join(refused))


if __name__ == "__main__":
    main()
