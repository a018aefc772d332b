"""The loop of learning: play, train, compare with the champion's weights, again.

Generation 0 has no match. Its games are played with one ply of lookahead, or, if the game is searched on a tree, by the
search with playouts alone. If learning begins with a file of weights, the search plays them with these weights, which
are then the network of generation 0. Later games are played by the *champion*: the last network that did not clearly
lose its match against the champion before it. Everything that is done is in the folder, so learning goes on where it
was stopped. Begin reading at `Learning.run`.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from game import load_game
from learning.bootstrap import greedy_games
from learning.files import FileError
from learning.folder import Folder, Generation
from learning.gate import play_pairs
from learning.network import fresh, load_learned
from learning.positions import Positions, is_held_out, load_positions, newest_positions, save_positions
from learning.self_play import Conditions, play_games
from learning.training import Quality, measure, train
from learning.weights import load_weights, save_weights
from learning.workers import Task, Workers
from simulator.statistics.elo import elo, share_estimate

GREEDY_GAMES_A_TASK = 500
SEEDS_APART = 1_000_003  # of two greedy games in a row; no two seeds below this have a game in common
GAMES_A_TASK = 20  # they take some seconds; Ctrl-C loses this work
PAIRS_A_TASK = 5
GATE = 0.48  # a network with this share of the points becomes champion: one of equal strength may have bad luck
MOST_ELO = 800.0  # the largest Elo difference that a match counts for, even if one side won all of it
PLAY, MATCH = 1, 2  # parts of seeds: what the random numbers are for


class Learning:
    """Learning in a folder, with so many worker processes.

    `say` is called with short lines that tell the progress, `finished` with each finished generation.
    """

    def __init__(
        self,
        folder: Folder,
        workers: int,
        say: Callable[[str], None] = lambda text: None,
        finished: Callable[[Generation], None] = lambda generation: None,
    ) -> None:
        self.folder = folder
        self._settings = folder.settings
        self._game = load_learned(self._settings.game, self._settings.options)
        self._workers, self._say, self._finished = workers, say, finished

    def run(self, hours: float = math.inf, generations: int | None = None) -> None:
        """Learn until the hours are over or there are so many generations.

        The generation in which the hours end plays fewer games, but is finished. Raises FileError if another process
        learns there or files are broken; WorkerError; OSError.
        """
        end = time.monotonic() + 3600 * hours
        with self.folder.locked(), Workers(self._workers) as workers:
            while generations is None or len(self.folder.log) < generations:
                self._generation(workers, end)
                if time.monotonic() >= end:
                    break

    def _generation(self, workers: Workers, end: float) -> None:
        number, begun = len(self.folder.log), time.monotonic()
        seconds = {}
        games, size = self._play(workers, number, end)
        seconds["play"] = time.monotonic() - begun
        trained_on, quality = self._train(number, games)
        seconds["train"] = time.monotonic() - begun - seconds["play"]
        pairs = self._match(workers, number) if number else None
        seconds["match"] = time.monotonic() - begun - sum(seconds.values())
        log, share = self.folder.log, share_estimate(pairs) if pairs else None
        value, low, high = (max(-MOST_ELO, min(elo(s), MOST_ELO)) for s in share) if share else (0.0, 0.0, 0.0)
        is_champion = share is None or share.value >= GATE
        self.folder.add(
            Generation(
                number=number,
                champion=number if is_champion else self.folder.champion,
                hours=(log[-1].hours if log else 0.0) + sum(seconds.values()) / 3600,
                games=games,
                positions=size,
                trained_on=trained_on,
                **asdict(quality),
                pairs=pairs,
                elo=value,
                elo_low=low,
                elo_high=high,
                total_elo=(log[-1].total_elo if log else 0.0) + (value if is_champion else 0.0),
                seconds={name: round(value, 1) for name, value in seconds.items()},
            )
        )
        self._finished(log[-1])

    def _play(self, workers: Workers, number: int, end: float) -> tuple[int, int]:
        """Write the positions of a generation, if there is no such file; returns the numbers of games and positions.

        Games that are in no file yet are played if there is time.
        """
        path, settings = self.folder.positions(number), self._settings
        if path.exists():
            found = load_positions(path, self._game)
        else:
            if number == 0 and settings.origin and not settings.first_weights:
                files = Folder.read(Path(settings.origin)).training_positions()
                found, _ = newest_positions(files, self._game, settings.positions)
                if not found.size:
                    raise FileError(f"{settings.origin} has no positions of a finished generation yet to begin with")
            else:
                self._play_parts(workers, number, end)
                found = Positions.joined([load_positions(part, self._game) for part in self.folder.parts(number)])
            save_positions(path, found)
        for part in self.folder.parts(number):
            part.unlink()
        if number and settings.begins_greedily:
            self.folder.positions(0).unlink(missing_ok=True)
        return len(np.unique(found.games)), found.size

    def _play_parts(self, workers: Workers, number: int, end: float) -> None:
        """Play the games that are in no file yet, into files of parts; after `end` only if there is no part at all."""
        settings = self._settings
        start: Task = (settings.game, settings.options)
        weights = self.folder.weights(self.folder.champion) if number else settings.first_weights
        function: Callable[..., Positions]
        if weights or not settings.begins_greedily:
            start += (Conditions(weights, settings.simulations),)
            function, games, size = play_games, settings.games, GAMES_A_TASK
        else:
            function, games, size = greedy_positions, settings.greedy_games, GREEDY_GAMES_A_TASK

        def tasks() -> Iterator[Task]:
            """The arguments of `function` for the parts in no file; after `end` none, if any part is there."""
            for first in range(0, games, size):
                if time.monotonic() > end and self.folder.parts(number):
                    return
                if not self.folder.part(number, first // size).exists():
                    yield (*start, (settings.seed, PLAY, number), first, min(size, games - first))

        for (*_, first, count), positions in workers.results(function, tasks()):
            save_positions(self.folder.part(number, first // size), positions)
            self._say(f"generation {number}: games {first} to {first + count - 1}")

    def _train(self, number: int, games: int) -> tuple[int, Quality]:
        """Train the champion's network further and save it; returns the number of positions, and the quality.

        `games` is how many this generation has. Weights from a file of the user are only measured, not trained, and so
        are those that were trained before a stop.
        """
        positions, too_old = newest_positions(self.folder.training_positions(), self._game, self._settings.positions)
        if number == 0 and (path := self._settings.first_weights):
            network, meta = load_weights(path, self._game)
            save_weights(self.folder.weights(0), network, meta)
            return 0, measure(self._game, network, positions)
        held_out = positions.chosen(is_held_out(positions))
        if (path := self.folder.weights(number)).exists():
            return positions.size, measure(self._game, load_weights(path, self._game)[0], held_out)
        if number == 0:
            network = fresh(self._game, self._settings.width, self._settings.seed)
        else:
            network, _ = load_weights(self.folder.weights(self.folder.champion), self._game)
        champion, step = network.all.copy(), self._settings.step if number else 1.0
        quality = train(
            self._game,
            network,
            positions,
            epochs=self._settings.epochs,
            seed=self._settings.seed + number,
            starts_anew=number == 0,
            report=lambda epoch, q: self._say(f"generation {number}: epoch {epoch}, log loss {q.log_loss:.4f}"),
        )
        if step < 1:
            network.all[:] = champion + np.float32(step) * (network.all - champion)
            quality = measure(self._game, network, held_out)
        for file in too_old:
            file.unlink()
        meta = {
            "game": self._settings.game,
            "width": network.width,
            "generation": number,
            "games": games + sum(generation.games for generation in self.folder.log),
            "trained_on": positions.size,
            "epochs": self._settings.epochs,
            "simulations": self._settings.simulations,
            "seed": self._settings.seed,
            "log_loss": round(quality.log_loss, 5),
        }
        save_weights(path, network, meta)
        return positions.size, quality

    def _match(self, workers: Workers, number: int) -> list[int]:
        """How many pairs bring the new weights 0, 0.5, 1, 1.5 and 2 points against the champion's."""
        settings = self._settings
        new, old = (Conditions(self.folder.weights(n), settings.simulations) for n in (number, self.folder.champion))
        common = (settings.game, settings.options, new, old, (settings.seed, MATCH, number))
        tasks = [
            (*common, first, min(PAIRS_A_TASK, settings.pairs - first))
            for first in range(0, settings.pairs, PAIRS_A_TASK)
        ]
        counts = [0] * 5
        for _, found in workers.results(play_pairs, tasks):
            counts = [a + b for a, b in zip(counts, found, strict=True)]
            self._say(f"generation {number}: {sum(counts)} pairs, {_score(counts)}")
        return counts


def greedy_positions(name: str, options: dict[str, Any], seed: tuple[int, ...], first: int, games: int) -> Positions:
    """The positions of games with one ply of lookahead, numbered from `first` on; a task for workers."""
    return greedy_games(load_game(name, **options), games, seed[0] + first * SEEDS_APART, first)


def _score(counts: list[int]) -> str:
    points = sum(outcome * count for outcome, count in enumerate(counts)) / 2
    return f"{points:g} of {2 * sum(counts)} points"


def export_weights(folder: Folder, path: Path, mean: bool = False) -> dict[str, Any]:
    """Write the champion's weights to a file, or the mean of all champions' weights; returns how they were made.

    In the mean, the noise of each champion's games cancels out. Raises FileError if there are no weights yet.
    """
    if folder.champion < 0:
        raise FileError(f"{folder.path} has no weights yet")
    game = load_learned(folder.settings.game, folder.settings.options)
    champions = [each.number for each in folder.log if each.champion == each.number] if mean else [folder.champion]
    found = [load_weights(folder.weights(number), game) for number in champions]
    network, meta = found[-1]
    network.all[:] = np.mean([each.all for each, _ in found], axis=0)
    meta |= {"champions": champions, "hours": round(folder.log[-1].hours, 3)}
    meta |= {"total_elo": round(folder.log[-1].total_elo, 1)}
    if mean:
        meta.pop("log_loss", None)  # which belongs to the last champion alone
    save_weights(path, network, meta)
    return meta
