"""A game between people and agents, without a screen: lines of text and the full screen are two front ends.

A `controller.Controller` has the game (`game_in_progress.py`), asks the agents, each in a thread (`thinker.py`), and is
shown by a `front_end.FrontEnd`; a person's commands are `commands.COMMANDS`. A finished game is a `replay.Replay`.
Begin reading at `Controller`, then `GameInProgress` and `Thinker`.
"""
