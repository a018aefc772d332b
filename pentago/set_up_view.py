"""Setting up a position of Pentago by clicks on cells."""

from board_view import SetUpView
from pentago.board_view import PentagoView


class PentagoSetUpView(SetUpView, PentagoView):
    """See `board_view.SetUpView`; a target is a `Cell`."""

    symbols = ".wb"
