"""The full screens of `play`, `replay`, `match` and `tournament`: Textual applications around a game's board view.

- `app.PlayApp` is the application: keys (`keys`), clicks and typed lines become commands of a
  `play.controller.Controller`, whose `front_end.ScreenFrontEnd` shows the game; `asking` has the dialogs that ask for
  the argument of a command, which is typed after it in lines of text.
- `lines`: what is written below the board.
- `board.Board` draws the picture of a `board_view.BoardView` and turns clicks and keys into moves.
- `panels`, `dialogs`: what stands beside the board and over it. `theme`, `screen.tcss`: colours and layout.
- `set_up.SetUp` is the screen on which a position is set up by clicks.
- `replay.ReplayApp` steps through finished games, with `timeline` and `game_list`.
- `live.LiveObserver` shows a match or tournament while it is played.
- `board_app.BoardApp` is what all these screens share.
- `play.play` puts everything together, with the agents that `simulator.play.agents.Agents` starts and ends.

No game or agent imports this package. Begin reading at `app.PlayApp`.
"""
