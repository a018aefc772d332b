"""A game between people and agents, without a screen: lines of text and the full screen are two front ends.

- `game_in_progress.GameInProgress`: positions and moves, with undo, redo and looking back, who plays each side, how it
  ended, `save`; `GameInProgress.continued(saved)` makes one from a `records.saved_game.SavedGame`.
- `controller.Controller`: whose turn it is, who is asked, and what the answer does; shown by a `front_end.FrontEnd`,
  which asks, shows and waits. `advice.Advice`: hints and the coach.
- `commands.COMMANDS`: a person's commands, each with its word, help, argument and effect; `obey(controller, line)`.
- `thinker.Thinker`: an agent in its own process that thinks in a thread; what it was asked is a `request.Request`.
- `agents.Agents`: a `Thinker` for each agent of a game, and for the adviser.
- `settings.PlaySettings`: limits, handicap, seed, isolation, adviser, coach.
- `autosave.Autosave`: keeps the running game in the user's cache folder; `autosave.newest()` is what `--resume` takes.
- `agents.human_agent.read_move(game, position, text)`: the legal move that a person means, in any usual spelling. It
  asks `Game.read_typed_move`, and raises NotationError or IllegalMove, which say what is wrong.
- `coach.Coach`: what was wrong with a move (`Judgement`), and the turning points of a game.
- `replay.Replay`: steps through a finished game; lines, the full screen and the report's page show it.
- `chances`: what agents say of their moves, as people are told it.
- `names`: what players and results are called.

Levels are agents, see `agents.levels`: `level_text("5")` and `level_text("club")` are texts of agents.
Begin reading at `Controller`, then `GameInProgress` and `Thinker`.
"""
