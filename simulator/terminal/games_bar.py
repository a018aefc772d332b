"""A bar that shows how far a match or tournament is."""

import math
from datetime import timedelta

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

BAR_WIDTH = 30  # characters


class GamesBar(Progress):
    """How many games are over, and how long the others may take at the speed of this session; rich can draw it."""

    def __init__(self, done: int, games: int) -> None:
        columns = (BarColumn(BAR_WIDTH), MofNCompleteColumn(), TimeRemainingColumn())
        super().__init__(*columns, speed_estimate_period=math.inf, auto_refresh=False)
        self.add_task("games", completed=done, total=games)

    def set(self, done: int | None = None, games: int | None = None) -> None:
        """Change the number of games that are over, or how many there will be."""
        self.update(self.task_ids[0], completed=done, total=games)

    def __str__(self) -> str:
        task = self.tasks[0]
        left = task.time_remaining if task.completed < (task.total or 0) else None
        to_go = "" if left is None else f", {timedelta(seconds=round(left))} to go"
        return f"{task.completed:.0f}/{task.total:.0f}{to_go}"
