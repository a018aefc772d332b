"""Which of the games in play somebody watches, and the keys that choose another."""

from collections.abc import Collection

NEXT_KEYS, BACK_KEYS = ("\t", "n", "\x1b[C", "\x1bOC"), ("b", "\x1b[D", "\x1bOD")  # Tab, right; left
STANDINGS_KEYS = ("s",)
HINT = "Tab, right, left: watch a game   s: standings"


class WatchedGame:
    """The choice between the standings, if there are any, and the games in play, which are named by their pairs."""

    def __init__(self, has_standings: bool) -> None:
        self._has_standings = has_standings
        self._chosen: int | None = None  # the pair that was chosen last, None for the standings

    def pair(self, in_play: Collection[int]) -> int | None:
        """The pair whose board is shown; None for the standings, or where no game is in play.

        If the games of the pair that was chosen are over, it is another one.
        """
        if not in_play or (self._chosen is None and self._has_standings):
            return None
        return self._chosen if self._chosen in in_play else min(in_play)

    def choices(self, in_play: Collection[int]) -> list[int | None]:
        """What can be shown, in order; nothing where there is no choice."""
        choices = [*([None] if self._has_standings else []), *sorted(in_play)]
        return choices if len(choices) > 1 else []

    def press(self, key: str, in_play: Collection[int]) -> None:
        """Choose the next one, the one before, or the standings; other keys mean nothing."""
        choices = self.choices(in_play)
        if key in STANDINGS_KEYS:
            self._chosen = None
        elif choices and key in (*NEXT_KEYS, *BACK_KEYS):
            step = 1 if key in NEXT_KEYS else -1
            self._chosen = choices[(choices.index(self.pair(in_play)) + step) % len(choices)]
