"""The commands that say who plays, also in a new game: a finished one keeps its players."""

from functools import partial

from agents.levels import LEVEL_NAMES, level_text
from game import FIRST, SECOND
from options import InputError
from simulator.play.controller import Controller
from simulator.play.game_in_progress import GameInProgress
from simulator.player.lookup import PERSON
from simulator.submission.named_agents import file_of

PEOPLE = ("me", "person", PERSON)  # what a person is called after `agent`
CHANGES = ("sides", "level", "agent")  # what can be typed after `new`


def change(name: str, controller: Controller, argument: str) -> None:
    """Let others play, as one of `CHANGES` says; `agent` alone says who plays."""
    if name == "agent" and not argument:
        controller.front_end.say(controller.played.who_plays())
    else:
        controller.let_play(players_after(controller.played, name, argument), f"{name} {argument}".strip())


def new(controller: Controller, argument: str) -> None:
    """Begin a new game with the same players, or with those that `sides`, `level` or `agent` after it names."""
    played, players = controller.played, list(controller.played.players)
    name, _, rest = argument.partition(" ")
    if name and name.lower() not in CHANGES:
        example = "new sides, new level 3 or new agent random_agent"
        raise InputError(f"type new alone, or with other players: {example}, not new {argument!s:.40}")
    if name:
        players = players_after(played, name.lower(), rest.strip(), "new ")
        controller.check_agents(players)
    controller.if_given_up(partial(controller.begin_with, partial(played.new_game, players=players)))


def players_after(played: GameInProgress, name: str, argument: str, before: str = "") -> list[str]:
    """Who plays after `sides`, `level N` or `agent [SIDE] NAME`; without a side, an agent plays against the person.

    `before` is what was typed before that, for messages. Raises InputError if `argument` does not fit `name`.
    """
    players = list(played.players)
    if name == "sides":
        if argument:
            raise InputError(f"type {before}sides alone, without {argument!r:.40}")
        return players[::-1]
    if not argument:
        levels = f"type {before}level and a number or a name, as in level 3. The levels are: {LEVEL_NAMES}"
        raise InputError(levels if name == "level" else f"type {before}agent and a name, as in agent random_agent")
    text = level_text(argument) if name == "level" else argument
    side, _, rest = text.partition(" ")
    if (rest := rest.strip()) and side.lower() in played.game.players:
        players[played.game.players.index(side.lower())] = PERSON if rest.lower() in PEOPLE else file_of(rest)
    elif rest and len(side) == 1:  # no agent's name is that short
        raise InputError(f"no player is called {side}: {' and '.join(played.game.players)} play here")
    elif text.lower() in PEOPLE:
        agents = [side for side in (FIRST, SECOND) if not played.is_person(side)]
        players[agents[0] if agents else FIRST] = PERSON
    else:
        mine = played.side or FIRST
        players[mine], players[1 - mine] = PERSON, file_of(text)
    return players
