"""An executor that plays in this process, for tests that are not about worker processes: starting those takes 1 s."""

from collections.abc import Iterator, Sequence
from typing import Any, Self

from simulator.sandbox.cores import choose_cores
from simulator.tournament.workers.protocol import Event, TaskDone


class Here:
    """Runs tasks one after the other in this process, as `LocalExecutor` does in others; tells of a task at its end."""

    def __init__(self, workers: int = 1, processors: int = 1, *, share_cores: bool = True) -> None:
        self._cores, self._is_stopped = choose_cores(processors), False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, tasks: Sequence[Any]) -> Iterator[Event]:
        """Run tasks until somebody stops the executor."""
        for task in tasks:
            if self._is_stopped:
                return
            told: list[Any] = []
            result = task.run(told.append, self._cores)
            yield from ((task, what) for what in told)
            yield task, TaskDone(result)

    def stop(self, at_once: bool = False) -> None:
        """Begin no other task."""
        self._is_stopped = True
