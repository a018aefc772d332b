"""`runner.py check-game`: what is wrong with a game's file."""

import json
import os
import sys
import time
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from commands.errors import FAILURE, INTERRUPTED, errors_for_people, replaces_lines, show_progress
from commands.parameters import COUNT, FIXED_SEED, POSITIVE, GameCommand, chosen_game, json_option, option, whole_name
from commands.wrong_rules import command_for, fault_lines
from options import counted

if TYPE_CHECKING:
    from game_files.check import Check


class _Command(GameCommand):
    """A command with the game as argument; code that is compiled for the game checks the bounds of arrays."""

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Turn on the checks of bounds; numba asks for them at its import, so later than that it has no effect."""
        if "numba" not in sys.modules:
            os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
        return super().make_context(*arguments, **more)

    @staticmethod
    def named_games(args: list[str]) -> list[str]:
        """The words that are existing files or folders."""
        return [word for word in args if os.path.exists(word)]


@click.command("check-game", cls=_Command)
@click.argument("game", metavar="FILE")
@option("--games", type=COUNT, metavar="N", default=1000, help="How many games of random moves to play.")
@option("--seconds", type=POSITIVE, metavar="S", default=60, help="Stop after S seconds, with the games so far.")
@FIXED_SEED
@json_option("Print the result as JSON.")
def check_game(
    *, game: str, game_options: dict[str, str], games: int, seconds: float, seed: int, as_json: bool
) -> None:
    """Play a game's FILE at random, and say what is wrong with it.

    Each mistake is shown once, as soon as it is seen, with the moves, the position and how to correct it: moves that
    cannot be played, positions that cannot be read back from their text, states changed in place, answers that differ
    when asked again, games without an end, and more. The exit status is 1 if there is a mistake. docs/games.md says
    what the file needs.

    \b
    Examples:
      python runner.py check-game connect_four.py
      python runner.py check-game connect_four.py --rows 9 --games 100
      python runner.py check-game othello/ --seconds 20 --json
    """
    from game_files.check import Check

    with errors_for_people():
        chosen = chosen_game(whole_name(game), game_options).game
        if not chosen.files:
            raise click.UsageError(f"{game} is not a game in a file: name a .py file with rules, or its folder")
        check = Check(chosen, command_for(chosen), seed)
        refusing = _refusing()
    interrupted, began, shown, stdout = False, time.monotonic(), 0, sys.stdout
    try:
        if (hidden := not replaces_lines()) and not as_json:
            click.echo(f"{chosen.title}: {counted(games, 'game')} of random moves, for {seconds:g} s at most", err=True)
        with redirect_stdout(sys.stderr), click.progressbar(length=games, label="games", hidden=hidden) as bar:
            for _ in check.run(games, seconds):  # rules may print, and stdout may be JSON
                if not as_json and shown < len(check.faults):
                    show_progress("")  # the bar is drawn again below
                    click.echo(_faults_from(check, shown), file=stdout, nl=False)
                    shown = len(check.faults)
                bar.update(1)
            check.require_an_end()
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        click.echo(json.dumps(_as_json(check, refusing, interrupted)))
    else:
        click.echo(_faults_from(check, shown) + _text(check, refusing, time.monotonic() - began))
    if interrupted:
        sys.exit(INTERRUPTED)
    if check.faults:
        sys.exit(FAILURE)


def _refusing() -> list[str]:
    """A remark for each command that cannot play the game, because it has an option of the same name."""
    context, found = click.get_current_context(), list[str]()
    group = context.find_root().command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        try:
            if command is not None and name != "learn":  # which takes no game in a file
                command.get_params(context)
        except click.UsageError as error:
            found.append(f"{name} does not take this game: {error.message}")
    return found


def _as_json(check: "Check", refusing: list[str], interrupted: bool) -> dict[str, object]:
    return {
        "game": check.game.name,
        "passed": not check.faults,
        "faults": [fault._asdict() for fault in check.faults.values()],
        "remarks": [*refusing, *check.remarks()],
        "figures": check.figures(),
        "interrupted": interrupted,
    }


def _text(check: "Check", refusing: list[str], seconds: float) -> str:
    found, game = check.figures(), check.game
    shares = [f"{game.players[n]} wins {found[f'won by {game.players[n]}']:.1%}" for n in (0, 1)]
    lines = [f"{game.title}: {counted(found['games'], 'game')} by random moves in {seconds:.1f} s"]
    if not found["ended"]:
        lines = [f"{game.title}: no game by random moves came to an end, in {seconds:.1f} s"]
    else:
        if found["ended"] < found["games"]:
            lines[0] += f"; {found['ended']:,.0f} of them came to an end"
        lines += [
            f"  {found['shortest']} to {found['longest']} moves, {found['mean length']:.1f} on average; at most "
            f"{found['most legal moves']} to choose from",
            f"  {', '.join(shares)}, draws {found['draws']:.1%}",
            f"  {found['games a second']:,.0f} games a second, {1000 * found['seconds a move']:.3f} ms a move",
        ]
    lines += [line for remark in (*refusing, *check.remarks()) for line in ("", f"note   {remark}")]
    count = len(check.faults)
    return "\n".join([*lines, "", f"{count or 'no'} mistake{'' if count == 1 else 's'} found"])


def _faults_from(check: "Check", first: int) -> str:
    """The faults from number `first` on, in the order found, with a blank line after each."""
    faults = [*check.faults.values()][first:]
    return "".join(f"{line}\n" for fault in faults for line in (*fault_lines(fault), ""))
