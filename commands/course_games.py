"""What `connect` and `course-server` do alike: the games that they play, kept and counted."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.parameters import option, options

if TYPE_CHECKING:
    from agents.limits import Limits
    from simulator.records.schema import AgentEntry
    from simulator.referee.game_record import GameRecord

KEEPING = options(
    option("--records", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Add games to records."),
    option(
        "--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Add games to a JSONL file."
    ),
    option("--display", is_flag=True, help="Show each move and the board after it."),
    option("--json", "as_json", is_flag=True, help="Last line of stdout: the games as JSON; all else goes to stderr."),
)


class Played:
    """The games of one run, each kept as soon as it is over.

    Attributes:
        records: the games that ended.
    """

    def __init__(self, say: Callable[[str], None], keepers: "Sequence[Callable[[GameRecord, int], None]]") -> None:
        self.records: list[GameRecord] = []
        self._say, self._keepers = say, keepers

    def keep(self, record: "GameRecord", number: int) -> None:
        """Say how a game ended, and keep it. Raises OSError."""
        self.records.append(record)
        self._say(f"game {number}: {record.verdict.text}")
        for line in record.verdict.stderr:
            self._say(f"    | {line}")
        for incident in record.incidents:
            self._say(f"    {incident}")
        for keep in self._keepers:
            keep(record, number)

    def to_json(self, *, interrupted: bool) -> dict[str, Any]:
        """All games, for programs."""
        return {"games": [_game_json(record) for record in self.records], "interrupted": interrupted}

    def score(self) -> str:
        """`3 games: alice 2, bob 1`; a draw counts half."""
        points: dict[str, float] = {}
        counted = [record for record in self.records if not record.is_void]
        for record in counted:
            for name in record.agents:
                points[name] = points.get(name, 0.0) + record.points(name)
        void = len(self.records) - len(counted)
        who = ", ".join(f"{name} {score:g}" for name, score in points.items())
        return f"{len(counted)} games" + (f": {who}" if who else "") + (f"; {void} void" if void else "")


def _game_json(record: "GameRecord") -> dict[str, Any]:
    verdict = record.verdict
    winner = None if verdict.winner is None else record.agents[verdict.winner]
    replaced = [sum(move.replaced for move in record.moves if move.player == player) for player in (0, 1)]
    return {
        "agents": record.agents,
        "result": record.result,
        "reason": verdict.reason,
        "winner": winner,
        "verdict": verdict.text,
        "moves": len(record.moves),
        "replaced": replaced,
    }


@contextmanager
def playing(
    say: Callable[[str], None],
    limits: "Limits",
    records: Path | None,
    save: Path | None,
    agents: "Sequence[AgentEntry]" = (),
) -> Iterator[Played]:
    """What keeps the games that are played in the `with`. Raises ClickException if a file cannot be used."""
    from simulator.records.database import StoreError, write_store
    from simulator.records.json_lines import GameFile
    from simulator.records.single_games import SingleGames
    from simulator.referee.conditions import Conditions
    from simulator.tournament.settings import TournamentSettings

    with ExitStack() as stack:
        keepers: list[Callable[[GameRecord, int], None]] = [stack.enter_context(GameFile(save)).write]
        try:
            if records is not None:
                settings = TournamentSettings(Conditions(limits=limits), opening_plies=0).to_json()
                store = SingleGames(stack.enter_context(write_store(records)), settings, agents)
                keepers.append(lambda record, number: store.add(record))
            yield Played(say, keepers)
        except StoreError as error:
            raise click.ClickException(str(error)) from error


@contextmanager
def summary(played: Played, say: Callable[[str], None], *, as_json: bool) -> Iterator[None]:
    """At the end the score, after Ctrl-C too; with `as_json` the games as JSON on the last line."""
    interrupted = True
    try:
        yield
        interrupted = False
    except KeyboardInterrupt:
        say("stopped")
        raise
    finally:
        say(played.score())
        if as_json:
            click.echo(json.dumps(played.to_json(interrupted=interrupted)))


def speaker(as_json: bool) -> Callable[[str], None]:
    """Prints a line of progress at once: to stderr where stdout is for programs."""

    def say(text: str) -> None:
        click.echo(text, err=as_json)

    return say


def watchers(display: bool, as_json: bool) -> Callable[[], Any]:
    """Makes what shows a game: its moves and boards, or nothing."""
    from simulator.referee.watcher import Watcher
    from simulator.terminal.course import MoveLines
    from simulator.terminal.lines import plain_console

    console = plain_console(stderr=as_json)
    return lambda: MoveLines(console, delay=0.0) if display else Watcher()


def refuse_other_games(name: str) -> None:
    """Raises UsageError for a game that is not played over this protocol."""
    from simulator.course import protocol

    try:
        protocol.refuse_other_games(name)
    except protocol.OtherGame as error:
        raise click.UsageError(str(error)) from error
