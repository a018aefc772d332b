"""The tiny games that the tests play stand beside the real ones in the registry."""

import game

game.register_game("tictactoe", "tests.tictactoe")
game.register_game("extra_turn_nim", "tests.extra_turn_nim")
