"""Shared by `connect` and `course-server`: games are shown, kept and counted."""

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import click

from commands.parameters import COUNT, FILE, field_options, json_option, option, options
from options import counted

if TYPE_CHECKING:
    from simulator.records.schema import AgentEntry
    from simulator.referee.conditions import Conditions
    from simulator.referee.events import Observer
    from simulator.referee.game_record import GameRecord

HOW_MANY = option("--games", type=COUNT, default=1, metavar="N", help="How many games to play, one after the other.")
GAMES = options(
    field_options("game"),  # so that any other game than Pentago is refused with a message
    option("--records", type=FILE, help="Add each game to a file of records."),
    option("--save", type=FILE, help="Add each game to a JSONL file."),
    option("--display", is_flag=True, help="Show each move and the board after it."),
    json_option("Print the games as JSON, the last line of stdout; all else goes to stderr."),
)


class ServerGames:
    """The games of one run, each kept as soon as it is over."""

    def __init__(self, flags: dict[str, Any]) -> None:
        """Take the options of `GAMES` out of a command's flags. Raises InputError."""
        from simulator.course.protocol import refuse_other_games

        refuse_other_games(flags.pop("game") or "pentago")
        self.played: list[GameRecord] = []
        self._as_json, self._display = flags.pop("as_json"), flags.pop("display")
        self._records, self._save = flags.pop("records"), flags.pop("save")
        self._savers: list[Callable[[GameRecord, int], None]] = []

    def say(self, text: str) -> None:
        """Print a line of progress at once; to stderr if stdout is for programs."""
        click.echo(text, err=self._as_json)

    def observer(self) -> "Observer":
        """An observer that shows the moves and boards of games, or does nothing."""
        from simulator.course.protocol import pentago
        from simulator.referee.events import ignore
        from simulator.terminal.course_simulator import MoveLines
        from simulator.terminal.lines import plain_console

        return MoveLines(plain_console(stderr=self._as_json), pentago(), delay=0.0) if self._display else ignore

    @contextmanager
    def kept(self, conditions: "Conditions", agents: "Sequence[AgentEntry]" = ()) -> Iterator[None]:
        """Keep the games that are played inside; at the end, also after Ctrl-C or SIGTERM, print the score, or JSON.

        Raises StoreError, OSError if a file cannot be used.
        """
        from simulator.records.database import write_store
        from simulator.records.json_lines import game_file
        from simulator.records.single_games import single_games
        from simulator.tournament.settings import TournamentSettings

        signal.signal(signal.SIGTERM, signal.default_int_handler)  # in the background of a shell there is no Ctrl-C
        interrupted = False
        with ExitStack() as stack:
            if self._save is not None:
                write = stack.enter_context(game_file(self._save, self._records))
                self._savers.append(lambda record, number: write(record, number, not record.is_void))
            if self._records is not None:
                settings = TournamentSettings(conditions, opening_plies=0).to_json()
                self._savers.append(single_games(stack.enter_context(write_store(self._records)), settings, agents))
            try:
                yield
            except KeyboardInterrupt:
                interrupted = True
                self.say("stopped")
                raise
            finally:
                self.say(self._score())
                if self._as_json:
                    games = [_game_json(record) for record in self.played]
                    click.echo(json.dumps({"games": games, "interrupted": interrupted}))

    def keep(self, record: "GameRecord", number: int) -> None:
        """Say how a game ended, and write it to the files. Raises OSError."""
        self.played.append(record)
        self.say(f"game {number}: {record.verdict.text}")
        for line in record.verdict.stderr:
            self.say(f"    | {line}")
        for incident in record.incidents:
            self.say(f"    {incident}")
        for save in self._savers:
            save(record, number)

    def _score(self) -> str:
        """For example `3 games: alice 2, bob 1`; a draw counts half, void games do not count."""
        points: dict[str, float] = {}
        counting = [record for record in self.played if not record.is_void]
        for record in counting:
            for name in record.agents:
                points[name] = points.get(name, 0.0) + record.points(name)
        void = len(self.played) - len(counting)
        who = ", ".join(f"{name} {score:g}" for name, score in points.items())
        return counted(len(counting), "game") + (f": {who}" if who else "") + (f"; {void} void" if void else "")


def _game_json(record: "GameRecord") -> dict[str, Any]:
    from simulator.terminal.events import outcome_json

    replaced = [sum(move.replaced for move in record.moves if move.player == player) for player in (0, 1)]
    return {**outcome_json(record), "moves": len(record.moves), "replaced": replaced}
