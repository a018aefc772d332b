#!/usr/bin/env python3
"""Unforced from the command line: matches between agents, games against an agent, and the tools around them.

A command is a module of `commands/`, imported when the command is called; `simulator/` and `agents/` do the work.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from commands.errors import program

# An installed `unforced` finds what was there at installation, but neither games added since nor `benchmarks`.
sys.path.append(str(Path(__file__).resolve().parent))

# Each is a click command of this name in a module of this name in `commands/`, with _ for -.
COMMANDS = [
    "agents", "analyze", "bench", "book", "check", "check-game", "connect", "course-server", "debug", "doctor",
    "export", "games", "gtp", "kernels", "learn", "match", "new", "pack", "play", "replay", "report", "tournament",
    "tune",
]  # fmt: skip


class Commands(click.Group):
    """The commands of the list; Ctrl-C ends them at once and silently, also while they start: exit code 130."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, as the help lists them."""
        return COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command. Raises UsageError for an unknown name; unknown options are left to click's own message."""
        if cmd_name not in COMMANDS:
            if not cmd_name.startswith("-"):
                from options import did_you_mean  # noqa: PLC0415  (found by the path that is set above)

                ctx.fail(f"there is no command {cmd_name!r}; {did_you_mean(cmd_name, COMMANDS)}")
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"commands.{name}"), name)
        _name_installed(command)
        return command

    def get_help(self, ctx: click.Context) -> str:
        """The help of all commands."""
        _name_installed(self)
        return super().get_help(ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Raises ClickException on other systems than Linux."""
        if sys.platform != "linux":
            raise click.ClickException(
                "this needs Linux: take WSL 2 on Windows, a container elsewhere, see docs/docker.md"
            )
        with program():
            return super().invoke(ctx)


def _name_installed(command: click.Command) -> None:
    """Let the examples in a command's help begin with `unforced`, if this program was called by that name."""
    from simulator import INSTALLED, command_line  # noqa: PLC0415  (found by the path that is set above)

    if (called := command_line()) == INSTALLED:
        command.help = (command.help or "").replace("python runner.py", called)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
def main() -> None:
    """Unforced: a game-playing agent, and the referee it plays under.

    \b
    Watch two agents play   python runner.py match uct_agent random_agent
    Play against one        python runner.py play
    Play Go against one     python runner.py play --game go --size 9
    Analyze a position      python runner.py analyze --moves "c3/0r"
    Write an agent          python runner.py new ann
    Before you hand it in   python runner.py check ann

    Each command has its own --help, with examples.
    """


if __name__ == "__main__":
    main()
