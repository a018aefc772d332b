"""The full screens of `play`, `replay`, `match` and `tournament`: Textual applications around a game's board view.

Each is a `board_app.BoardApp`: `app.PlayApp`, `replay.ReplayApp`, and that of `live.LiveObserver`. `board.Board` draws
the picture of a `board_view.BoardView`, and makes a move of clicks and keys; colours and places are in `theme.py` and
`screen.tcss`. No game or agent imports this package. Begin reading at `app.PlayApp`.
"""
