"""What players are called, for people."""

from agents.agent import parse_agent
from agents.levels import level_of
from game import Game

SIDES = {"w": "White", "b": "Black"}


def side_name(game: Game, player: int) -> str:
    """What people call a player of a game, with GTP's letter.

    >>> from game import FIRST, load_game
    >>> side_name(load_game("go"), FIRST), side_name(load_game("kalah"), FIRST)
    ('Black (B)', 'South (B)')
    """
    letter, name = game.players[player], plain_side_name(game, player)
    return name if name == letter else f"{name} ({letter.upper()})"


def plain_side_name(game: Game, player: int) -> str:
    """What people call a player: White, South; if there is no such name, GTP's letter.

    >>> from game import FIRST, load_game
    >>> plain_side_name(load_game("pentago"), FIRST)
    'White'
    """
    letter = game.players[player]
    return game.player_names[player] if game.player_names else SIDES.get(letter, letter)


def capitalized(sentence: str) -> str:
    """The sentence with its first letter as a capital, unless it begins with a move.

    >>> capitalized("quadrant 4: they are 0 to 3"), capitalized("d4 is taken")
    ('Quadrant 4: they are 0 to 3', 'd4 is taken')
    """
    begins_with_move = any(character.isdigit() for character in sentence.partition(" ")[0])
    return sentence if begins_with_move else sentence[:1].upper() + sentence[1:]


def agent_name(text: str) -> str:
    """What people call an agent: its level, or its short name.

    >>> agent_name("level_agent:level=3"), agent_name("players/my_agent.py")
    ('level 3 (casual)', 'my_agent')
    """
    level = level_of(text)
    return parse_agent(text).name if level is None else f"level {level.number} ({level.name})"
