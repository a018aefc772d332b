"""The commands of a game in lines of text that say who plays, also in a new game: a finished one keeps its players."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.agent import AgentError
from agents.levels.table import LEVEL_NAMES, level_text
from game import FIRST, SECOND
from options import InputError
from simulator.play.game_in_progress import GameInProgress, GameIsOver
from simulator.play.names import agent_name, capitalized
from simulator.play.thinker import AgentFailed, CalledOff
from simulator.player.lookup import PERSON
from simulator.terminal.game_commands import begun, gives_up

if TYPE_CHECKING:
    from simulator.terminal.play import Session

PEOPLE = ("me", "person", PERSON)  # what a person is called behind `agent`
CHANGES = ("sides", "level", "agent")  # what can be typed behind `new`


def sides(session: "Session", _argument: str = "") -> None:
    """Change sides."""
    _change(session, "sides", "")


def level(session: "Session", argument: str = "") -> None:
    """Play against a level."""
    _change(session, "level", argument)


def agent(session: "Session", argument: str = "") -> None:
    """Say who plays, or give a side to another agent, or to a person."""
    if argument:
        _change(session, "agent", argument)
    else:
        session.screen.say_wrapped(session.who_plays())


def new(session: "Session", argument: str = "") -> None:
    """Begin a new game with the same players, or with those of `sides`, `level` or `agent` behind it."""
    played, players = session.played, None
    name, _, rest = argument.partition(" ")
    if name and name.lower() not in CHANGES:
        example = "new sides, new level 3 or new agent random_agent"
        session.screen.say_wrapped(f"Type new alone, or with other players: {example}, not new {argument!s:.40}.")
        return
    if name and (players := _players(session, name.lower(), rest.strip(), "new ")) is None:
        return
    if gives_up(session):
        session.call_off()
        played.new_game()
        if players is not None:
            _seat(session, players)
        begun(session)


def _change(session: "Session", name: str, argument: str) -> None:
    """Let others play on, if the game is not over."""
    players = _players(session, name, argument)
    if players is None:
        return
    try:
        session.played.check_players_may_change()
    except GameIsOver as error:
        begins = f"new {name} {argument}".rstrip()
        session.screen.say_wrapped(f"Not done: {error}. To begin another one with these: {begins}")
        return
    if _seat(session, players):
        session.changed()


def _players(session: "Session", name: str, argument: str, before: str = "") -> list[str] | None:
    """Who plays after a command, None after saying what is wrong with it; `before` is what was typed before it."""
    try:
        players = _players_after(session.played, name, argument, before)
    except InputError as error:
        session.screen.say_wrapped(f"{capitalized(str(error))}.")
        return None
    try:
        for text in set(players) - {PERSON, *session.played.players}:
            session.agents.spec(text)
    except AgentError as error:
        session.screen.say_wrapped(f"Not done: {error}.")
        return None
    return players


def _players_after(played: GameInProgress, name: str, argument: str, before: str) -> list[str]:
    """Who plays after `sides`, `level N` or `agent [SIDE] NAME`. Raises InputError if that is not what was typed."""
    players = list(played.players)
    if name == "sides" and argument:
        raise InputError(f"type {before}sides alone, without {argument!r:.40}")
    if name == "sides":
        return players[::-1]
    if not argument:
        levels = f"type {before}level and a number or a name, as in level 3. The levels are: {LEVEL_NAMES}"
        raise InputError(levels if name == "level" else f"type {before}agent and a name, as in agent random_agent")
    text = level_text(argument) if name == "level" else argument
    words = text.split(maxsplit=1)
    agents_sides = [side for side in (FIRST, SECOND) if not played.is_person(side)]
    if len(words) > 1 and words[0].lower() in played.game.players:
        side, text = played.game.players.index(words[0].lower()), words[1]
    elif len(agents_sides) == 1:
        side = agents_sides[0]
    else:
        choices = (f"{before}agent {letter} {text}" for letter in played.game.players)
        raise InputError(f"which side? Type {' or '.join(choices)}")
    players[side] = PERSON if text.lower() in PEOPLE else text
    return players


def _seat(session: "Session", players: Sequence[str]) -> bool:
    """Let these play on, once it is known that they can, and say who plays; or say why not, and return False."""
    played, before = session.played, list(session.played.players)
    new_sides = [side for side in (FIRST, SECOND) if players[side] != before[side]]
    agents_sides = [side for side in new_sides if players[side] != PERSON]
    try:
        for side in agents_sides:
            session.compile(players[side])
        session.call_off()
        played.let_play(players)
        for side in agents_sides:
            task = session.agents.player(side).start()
            session.waited(task, f"starting {agent_name(players[side])} ...")
    except (AgentError, AgentFailed, CalledOff) as error:
        played.let_play(before)
        session.screen.say_wrapped(f"Not done: {error}.")
        return False
    for side in new_sides:
        session.answers.pop(side, None)
    session.screen.say_wrapped(session.who_plays())
    return True
