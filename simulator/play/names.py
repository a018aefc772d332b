"""What players are called, for people."""

from game import Game

SIDES = {"w": "White", "b": "Black"}


def side_name(game: Game, player: int) -> str:
    """What people call a player of a game, and what the wire does.

    >>> from game import FIRST, load_game
    >>> side_name(load_game("go"), FIRST), side_name(load_game("kalah"), FIRST)
    ('Black (B)', 'South (B)')
    """
    letter, name = game.players[player], plain_side_name(game, player)
    return name if name == letter else f"{name} ({letter.upper()})"


def plain_side_name(game: Game, player: int) -> str:
    """What people call a player: White, South, or what the wire does where nobody says.

    >>> from game import FIRST, load_game
    >>> plain_side_name(load_game("pentago"), FIRST)
    'White'
    """
    letter = game.players[player]
    return game.player_names[player] if game.player_names else SIDES.get(letter, letter)


def capitalized(sentence: str) -> str:
    """The sentence with its first letter as a capital, the others as they are."""
    return sentence[:1].upper() + sentence[1:]
