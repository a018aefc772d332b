"""`runner.py play`: a game between people and agents."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import errors_for_people, opponents_fault
from commands.full_screen import LOOK, is_full_screen_possible
from commands.parameters import (
    AGENT,
    AGENT_HELP,
    ISOLATION,
    SEED,
    GameCommand,
    chosen_game,
    field_options,
    given,
    insist_on_isolation,
    option,
)

if TYPE_CHECKING:
    from simulator.play.settings import PlaySettings
    from simulator.records.saved_game import SavedGame

NOBODY = "none"  # as --side: agents play each other


@click.command(cls=GameCommand, epilog=AGENT_HELP)
@option("--agent", type=AGENT, help="Who plays against you; human_agent: a second person.  [default: uct_agent]")
@option("--level", metavar="N|NAME", help="Play against a level, from 1 to 9, instead of an --agent.")
@option(
    "--side",
    metavar="SIDE",
    help="Your side, w or b; none: agents play each other.  [default: the side that moves first]",
)
@option("--against", type=AGENT, help="With --side none: the agent that moves second, against --agent.")
@field_options("game")
@option("--position", metavar="TEXT", help="Start from this position.")
@option("--moves", metavar="TEXT", help="Start after these moves, separated by spaces.")
@option("--load", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Continue the game in FILE.")
@option("--resume", is_flag=True, help="Continue the last game.")
@field_options("move-time", "first-move-time", "cushion", "memory")
@option("--handicap", metavar="N", help="Divide the agent's time by N; or time=4,memory=2: its memory too.")
@ISOLATION
@SEED
@option("--analysis", "show_analysis", is_flag=True, help="Show what the agent thinks after each of its moves.")
@option("--coach", is_flag=True, help="Say after each of your moves whether it was a mistake.")
@option("--hints", type=AGENT, help="Who gives you hints and advice.  [default: uct_agent]")
@option("--plain", is_flag=True, help="In lines of text, without the full screen.")
@LOOK
def play(*, game_options: dict[str, str], resume: bool, plain: bool, **flags: Any) -> None:
    """Play against an agent, on a full screen or in lines of text.

    A terminal of 80x24 characters or more shows a board for keys and the mouse; ? lists the rules and all commands.
    Over a pipe, on a dumb terminal and with --plain, type moves or commands; the command help lists them. Among them
    are undo, redo, hint, analyze, coach, level, save and load. --theme, --ascii and --no-animation are for the full
    screen, and have no effect in lines of text.

    The agent has the same limits as in a match, but an answer that is a little late is played. It does not think on
    your time. If it cannot be loaded, the exit code in lines of text is 1; the full screen says so and lets you choose
    another agent. The running game is kept in your cache folder after each move: --resume goes on with it, under the
    same settings unless other options are given. A finished game can be resumed once, to look at it and save it.

    \b
    Examples:
      python runner.py play
      python runner.py play --level 3 --coach
      python runner.py play --side b --move-time 0.5 --handicap 4 --analysis
      python runner.py play --game go --size 9 --komi 7
      python runner.py play --agent my_agent.py --load game.json
      python runner.py play --side none --agent uct_agent --against greedy_agent
      printf 'c3/0r\\nquit\\n' | python runner.py play --agent random_agent
    """
    _refuse_contradictions(flags, game_options, resume)
    from simulator.play.autosave import newest
    from simulator.play.game_in_progress import GameInProgress
    from simulator.terminal.elapsed import preparing_rules
    from simulator.terminal.screen import is_smart_terminal

    with errors_for_people():
        with preparing_rules(is_smart_terminal()):
            found = newest() if resume else None
            saved = found.saved if found else _chosen(flags, game_options)
            played = GameInProgress.continued(_with_players(saved, flags))
        for reason in played.absent().values() if found or flags["load"] else ():
            advice = "Add --agent NAME or --level N to play the game with another one"
            raise click.UsageError(f"an agent of the saved game cannot play: {reason}. {advice}")
        if flags["hints"] and (reason := played.why_absent(flags["hints"])):
            raise click.UsageError(f"--hints: {reason}")
        settings = _settings(flags, found.settings if found else None)
        insist_on_isolation(settings.isolation, settings.limits)
        resumed = found.file if found else None
        if plain or not is_full_screen_possible("playing in lines"):
            from simulator.terminal.play import play as play_in_lines

            with opponents_fault():
                play_in_lines(played, settings, resumed)
        else:
            from simulator.fullscreen.board_app import Look
            from simulator.fullscreen.play import play as play_on_screen

            look = Look(flags["theme"], flags["is_ascii"], not flags["no_animation"])
            play_on_screen(played, settings, look, resumed)


def _refuse_contradictions(flags: dict[str, Any], game_options: dict[str, str], resume: bool) -> None:
    """Raises UsageError for options that contradict each other."""
    load, start = flags["load"], [name for name in ("position", "moves") if flags[name]]
    names = " and ".join(f"--{name}" for name in game_options)
    own_game = load or start or game_options or flags["game"]
    for is_said, wrong in (
        (load and start, "--load has its own position and moves: leave --position and --moves out"),
        (load and flags["game"], "--load has its own game: leave --game out"),
        (load and game_options, f"--load has its own board: leave {names} out"),
        (resume and own_game, "--resume has its own game: leave --load, --position, --moves and the game out"),
        (flags["agent"] and flags["level"], "--level and --agent both name the opponent: leave one of them out"),
        (flags["against"] and flags["side"] != NOBODY, "--against is the second of two agents: add --side none"),
    ):
        if is_said:
            raise click.UsageError(wrong)


def _chosen(flags: dict[str, Any], game_options: dict[str, str]) -> "SavedGame":
    """The game that the command line describes. Raises InputError, OSError."""
    from simulator.records.saved_game import SavedGame, load_game_file

    if flags["load"]:
        return load_game_file(flags["load"])
    name, position = flags["game"] or SavedGame.game, flags["position"] or ""
    options = chosen_game(name, game_options, position).options
    return SavedGame(name, position=position, moves=tuple((flags["moves"] or "").split()), options=options)


def _with_players(saved: "SavedGame", flags: dict[str, Any]) -> "SavedGame":
    """The game with the players that the flags name. Raises UsageError if it is over, since its players stay."""
    from agents.levels import level_text
    from game import game_class
    from simulator.play.game_in_progress import KEEPS_PLAYERS, GameInProgress
    from simulator.player.lookup import PERSON

    side, agent = flags["side"], level_text(flags["level"]) if flags["level"] else flags["agent"]
    if side is None and agent is None:
        return saved
    if side not in (None, NOBODY, *(sides := game_class(saved.game).players)):
        raise click.UsageError(f"{saved.game} has no side {side!r}: choose {', '.join(sides)} or {NOBODY}")
    if GameInProgress.continued(saved).is_over:
        raise click.UsageError(f"{KEEPS_PLAYERS}: leave --side, --agent and --level out")
    agent = agent or saved.agent
    if side == NOBODY or agent == PERSON:
        return replace(saved, players=(agent, flags["against"] or agent))
    return replace(saved, agent=agent, side=saved.side if side is None else side, players=())


def _settings(flags: dict[str, Any], before: "PlaySettings | None") -> "PlaySettings":
    """The settings of the command line; what it leaves out is as `before`, else the default. Raises InputError."""
    from simulator.play.settings import Handicap, PlaySettings
    from simulator.tournament.fields import limits_from

    limits = limits_from(given(flags))
    said = {name: flags[name] for name in ("seed", "show_analysis", "isolation", "coach")}
    said |= {"hints": flags["hints"] or PlaySettings.hints, "handicap": Handicap.read(flags["handicap"] or "")}
    if before is not None:
        source, default = click.get_current_context().get_parameter_source, click.core.ParameterSource.DEFAULT
        said = {name: value for name, value in said.items() if source(name) != default}
    settings = before or PlaySettings()
    return replace(settings, limits=replace(settings.limits, **limits), **said)
