"""`runner.py learn`: an evaluation learned from nothing by self-play."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import errors_for_people, goes_on_from, show_progress
from commands.parameters import (
    COUNT,
    FILE,
    FOLDER,
    GAME,
    POSITIVE,
    FiniteRange,
    GameCommand,
    WholeNumber,
    chosen_game,
    option,
    refuse_idle_options,
)

if TYPE_CHECKING:
    from learning.folder import Folder, Generation


@click.command(cls=GameCommand)
@GAME
@option("--hours", type=POSITIVE, default=1.0, metavar="H", help="How long to learn, from now on.")
@option("--folder", type=FOLDER, help="Where everything is kept.  [default: learned/GAME]")
@option("--width", type=COUNT, metavar="N", help="Hidden units: Pentago 32, 64 ..., Go 16, 32 ...  [default: 64]")
@option("--simulations", type=COUNT, metavar="N", help="Simulations a move, on average.  [default: 450]")
@option("--games", type=WholeNumber(min=20), metavar="N", help="Games a generation, at least 20.  [default: 2000]")
@option(
    "--positions",
    type=COUNT,
    metavar="N",
    help="Train on the newest N positions, 28 bytes each, in Go 176.  [default: 6000000]",
)
@click.option(
    "--from",
    "origin",
    metavar="FOLDER|FILE",
    help="Start with the games of another folder, to learn a wider network, for instance; or with the weights in a "
    "file that ends with .npz, which keep their width.",
)
@option(
    "--step",
    type=FiniteRange(0, 1, min_open=True),
    metavar="X",
    help="How far new weights go from the champion's towards those that training has found: with 0.33, for instance, "
    "they are an average over generations.  [default: 1]",
)
@option("--seed", type=WholeNumber(min=0), metavar="N", help="Seed of all random numbers.  [default: 1]")
@option("--workers", type=COUNT, default=2, metavar="N", help="Processes that play.")
@option("--report", is_flag=True, help="Only show what was learned so far, as a table and a curve.")
@option("--export", type=FILE, help="Only write the best weights so far.")
@option("--mean", is_flag=True, help="With --export: the mean of all champions' weights.")
def learn(
    *,
    game: str,
    game_options: dict[str, str],
    hours: float,
    folder: Path | None,
    workers: int,
    report: bool,
    export: Path | None,
    mean: bool,
    **settings: Any,
) -> None:
    """Learn an evaluation for a game from nothing, by self-play.

    In the games of generation 0 each side looks one move ahead; in Go it searches with playouts alone. In each later
    generation the search plays games against itself, a network is trained on the newest games, and it plays a match
    against the weights before it, in pairs of games from even openings. If the network does not lose, the next games
    are played with it.

    Everything is kept in FOLDER, in which one process learns at a time: the same command goes on where it was stopped,
    by Ctrl-C, by `kill` (in the background, where Ctrl-C does not reach it) or otherwise. Where stderr is a file, a
    line a minute tells the progress. docs/learning.md describes the files in FOLDER and how long learning takes.

    \b
    Examples:
      python runner.py learn --hours 0.5
      python runner.py learn --hours 8 --width 128 --folder learned/wide \\
          --from learned/pentago
      python runner.py learn --folder learned/wide --report \\
          --export pentago/mine.npz
      python runner.py learn --hours 8 --folder learned/longer \\
          --from pentago/weights.npz --step 0.33
    """
    from game import game_title
    from learning.folder import Folder
    from learning.generations import export_weights

    if not export:
        refuse_idle_options("without --export", "mean")
    with errors_for_people():
        path = folder or Path("learned") / game_title(game)
        if report or export:
            refuse_idle_options("beside --report and --export", "hours", "workers", *settings, "game_options")
            found = Folder.read(path)
        else:
            found = opened(path, game, game_options, settings)
            run(found, hours, workers)
        if report:
            show(found)
        if export:
            click.echo(f"{export}: {weights_of(export_weights(found, export, mean)['champions'], mean)}")


def weights_of(generations: list[int], mean: bool) -> str:
    """For example `the weights of generation 3` or `the mean of the weights of generations 0, 3, 4`."""
    listed = f"generation{'s' * (len(generations) > 1)} {', '.join(map(str, generations))}"
    return f"{'the mean of ' if mean else ''}the weights of {listed}"


def opened(path: Path, game: str, game_options: dict[str, str], settings: dict[str, Any]) -> "Folder":
    """The folder in which to learn, new or existing. Raises UsageError, FileError."""
    from learning.folder import Folder
    from learning.network import load_learned
    from learning.weights import load_weights, require_width

    chosen, origin = chosen_game(game, game_options, needs_kernel=True), str(settings["origin"] or "")
    learned = load_learned(game, chosen.options)  # game, width and origin are checked now, not after games were played
    if settings["width"]:
        require_width(learned, settings["width"])
    needs_origin = not (path / "log.jsonl").exists()  # until generation 0 is finished
    if origin.endswith(".npz"):
        if settings["width"]:
            raise click.UsageError(f"the weights in {origin} keep their width: leave --width out")
        if needs_origin:
            require_width(learned, load_weights(Path(origin), learned)[0].width)
    elif origin and needs_origin and (other := Folder.read(Path(origin)).settings.game) != game:
        raise click.UsageError(f"the games in {origin} are of {other}, not of {game}")
    return Folder.opened(path, game=game, options=chosen.options, **settings)


def run(folder: "Folder", hours: float, workers: int) -> None:
    """Learn, and print a line for each generation; after Ctrl-C or SIGTERM, say how to go on."""
    from learning.generations import Learning

    def finished(generation: "Generation") -> None:
        show_progress("")
        click.echo(one_line(generation))

    with goes_on_from(folder.path) as show:
        Learning(folder, workers, show, finished).run(hours)


def one_line(generation: "Generation") -> str:
    """The results of a generation, in one line."""
    from simulator.statistics.elo import elo_text

    elo, low, high = map(elo_text, (generation.elo, generation.elo_low, generation.elo_high))
    match = f", {elo} Elo ({low} to {high})"
    return (
        f"generation {generation.number}: {generation.games:,} games, {generation.positions:,} positions, "
        f"log loss {generation.log_loss:.4f}{match if generation.pairs else ''}, {generation.hours:.2f} hours"
    )


def show(folder: "Folder") -> None:
    """Print the table and the curve; also draw the curve as a picture if matplotlib is installed."""
    from learning.report import draw, render
    from simulator.records.file_errors import in_words

    click.echo(render(folder.log))
    picture = folder.path / "curve.png"
    try:
        draw(folder.log, picture)
    except ImportError:
        return
    except OSError as error:
        click.echo(f"no picture of the curve: {in_words(error)}", err=True)
        return
    click.echo(f"The curve as a picture: {picture}")
