"""Leagues that tests read: games of random moves, in records as the referee would have written them.

The times, memory and values of the moves are made up, but repeatable: all of them follow from the seed.
"""

import json
import random

from agents.limits import Limits
from game import load_game, play_moves
from simulator.gtp.analysis import Analysis
from simulator.records.database import write_store
from simulator.records.schema import AgentEntry, Pair, Session
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict

ENFORCEMENT = {"memory": "polling", "network": "not enforced"}
LIMITS = {"first_move_seconds": 30, "move_seconds": 2, "cushion_seconds": 1, "memory_mb": 500, "processors": 1}
FAULTS = {
    Reason.TIMEOUT: "lost on time: no answer within 3 s",
    Reason.ILLEGAL: "made an illegal move: 'z9' (there is no such cell)",
    Reason.CRASH: "crashed: its process was killed by SIGSEGV",
    Reason.MEMORY: "used too much memory: 512.0 MB, the limit is 500 MB",
}


def record_of(
    agents=("alpha", "beta"), winner=0, reason=Reason.NORMAL, seconds=(3.0, 4.0, 1.0, 0.5), replaced=(), **verdict
):
    """A record in which only what statistics add up is real.

    Args:
        seconds: the time of each move; `replaced` holds the numbers of the moves that came late, from 0.
        verdict: further fields of the verdict.
    """
    moves = tuple(MoveRecord(i, i % 2, f"m{i}", each, 100.0, replaced=i in replaced) for i, each in enumerate(seconds))
    loser = None if reason is Reason.NORMAL or winner is None else 1 - winner
    verdict = Verdict(winner, reason, "why", len(moves), loser, **verdict)
    held, peaks, started = {"memory": "polling"}, (100.0, 200.0), (0.5, 0.5)
    return GameRecord("pentago", agents, 3, (), moves, "W+", "", verdict, peaks, held, startup_seconds=started)


def random_game(names, *, game="pentago", options=None, seed=0, opening=(), plies=200, fault=None, stderr=()):
    """The record of a game of at most `plies` random moves; with a fault, the player to move at its end loses by it.

    The player whose name sorts first reports higher values for its positions; every tenth move is late.
    """
    chance = random.Random(f"{seed} {names}")
    loaded = load_game(game, **(options or {}))
    position, moves = play_moves(loaded, opening)[-1], []
    while position.result is None and len(moves) < plies:
        player, move = position.to_move, chance.choice(position.legal_moves())
        value = min(1.0, max(0.0, chance.gauss(0.6 if names[player] == min(names) else 0.4, 0.1)))
        moves.append(
            MoveRecord(
                len(opening) + len(moves),
                player,
                loaded.format_move(move),
                chance.uniform(0.01, 2) if len(moves) > 1 else chance.uniform(1, 4),
                chance.uniform(150, 480),
                replaced=len(moves) % 10 == 9,
                answer="late move" if len(moves) % 10 == 9 else loaded.format_move(move),
                analysis=Analysis(value=value if player == 0 else None),
            )
        )
        position = position.play(move)
    verdict, result = _verdict(loaded, names, position, len(opening) + len(moves), fault, stderr)
    return GameRecord(
        game=game,
        agents=tuple(names),
        seed=seed,
        opening=tuple(opening),
        moves=tuple(moves),
        result=result,
        final_position=loaded.format_position(position),
        verdict=verdict,
        peak_memory_mb=(480.0, 240.0),
        enforcement=ENFORCEMENT,
        options=loaded.settled_options,
        date="2030-01-01T12:00:00+00:00",
        limits=(Limits(), Limits()),
    )


def _verdict(game, names, position, ply, fault, stderr):
    if fault is Reason.VOID:
        return Verdict(None, fault, "the referee's machine failed: no memory", ply), "none"
    loser = position.to_move
    if fault is not None:
        text = f"{names[loser]} ({game.players[loser]}) " + FAULTS[fault].replace(":", f" at move {ply + 1}:", 1)
        verdict = Verdict(1 - loser, fault, text, ply, loser, 3.0, 2.0, tuple(stderr))
        return verdict, f"{game.players[1 - loser].upper()}+"
    winner = position.result.winner if position.result else None
    if winner is None:
        return Verdict(None, Reason.NORMAL, f"drawn on the board after {ply} moves", ply), "0"
    margin = position.result.margin
    points = "" if margin is None else f"{margin:g}"
    text = f"{names[winner]} wins on the board after {ply} moves"
    return Verdict(winner, Reason.NORMAL, text, ply), f"{game.players[winner].upper()}+{points}"


def repeatable(records):
    """What must be the same in every run of the same games; if a game differs, its verdict says what happened."""
    return [(r.agents, r.seed, r.opening, r.result, r.verdict.text, [move.move for move in r.moves]) for r in records]


def write_games(path, *records):
    """Write a file of games as `match --save` does; return its path."""
    path.write_text("".join(json.dumps(record.to_json()) + "\n" for record in records))
    return path


def write_league(
    path, names, *, game="pentago", options=None, faults=None, stderr=(), absent=None, authors=None, pairs=1, plies=200
):
    """Write the records of a round robin; return their path.

    Args:
        faults: by the number of a pair, from 1: the fault that ends its first game.
        stderr: the last lines of the agent at fault.
        absent: by the name of an agent: why it takes no part.
        authors: by the name of an agent: who wrote it.
    """
    faults, absent, authors = faults or {}, absent or {}, authors or {}
    playing = [name for name in names if name not in absent]
    settings = {"game": game, "game_options": options or {}, "rules": "course", **LIMITS, "format": "round-robin"}
    with write_store(path) as store:
        entries = [AgentEntry(name, name, {f"{name}.py": "1f" * 32}, authors=authors.get(name, ())) for name in names]
        store.extend(settings | {"rounds": 1, "pairs": pairs, "seed": 1, "champion": "", "opening_plies": 2}, entries)
        store.begin_session(
            Session("2030-01-01T12:00:00+00:00", {"processor": "abacus", "cores": "2", "memory": "4.0 GB"})
        )
        for name in names:
            store.check(name, absent.get(name))
        meetings = [(a, b) for i, a in enumerate(playing) for b in playing[i + 1 :]]
        planned = [(n, a, b) for n in range(1, pairs + 1) for a, b in meetings]
        store.plan([Pair(0, 1, n, a, b, (), seed) for seed, (n, a, b) in enumerate(planned)])
        for pair, (_, a, b) in enumerate(planned, 1):
            more = {"game": game, "options": options, "seed": pair}
            fault = faults.get(pair)
            first = random_game((a, b), fault=fault, stderr=stderr, plies=5 if fault else plies, **more)
            store.save_pair(pair, [first, random_game((b, a), plies=plies, **more)])
    return path
