"""Everything that a page shows of a tournament, as one JSON object.

    {"file", "game", "board", "progress", "settings", "sessions", "machines", "enforcement", "agents", "tables",
     "ratings", "shares", "cross", "columns", "faults", "games": [[...], ...], "violations": {"17": {...}, ...}}

Agents are given by their index in `agents`. A row of `games` has the values of `GAME_COLUMNS`; games of a void pair do
not count. `violations` has, by the number of a game, what went wrong in it (`violation_json`). All else that is known
of a game (`replay_json`) is handed out game by game. Begin reading at `report_json`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from agents.limits import Limits
from game import FIRST, SECOND
from simulator.records.schema import PLANNED, VOID, AgentEntry, Pair, StoredGame
from simulator.records.store import Store
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, Reason
from simulator.report.boards import board_json, positions_json
from simulator.report.tables import strength_json
from simulator.statistics.usage import Tally, usage_json
from simulator.tournament.settings import stored_conditions

GAME_COLUMNS = ("number", "round", "first", "second", "result", "reason", "winner", "moves", "late", "pair", "counts")
FAULTS = (*(reason for reason in Reason if reason.is_fault), Reason.VOID)  # of games listed with what went wrong
DIGEST_CHARACTERS = 12  # of a source's SHA-256: enough to compare by eye

Json = dict[str, Any]


def report_json(
    store: Store,
    keep: Callable[[int, Json], None] = lambda number, replay: None,
    progress: Callable[[int, int], None] = lambda done, games: None,
) -> Json:
    """The page's content.

    Args:
        keep: gets the number and the replay of each game.
        progress: is told how many games are done, of how many.

    Raises InputError for a game that is not known here.
    """
    games, agents = list(store.games()), store.agents()
    number = {agent.name: i for i, agent in enumerate(agents)}
    usage = {agent.name: Tally(agent.name) for agent in agents}
    conditions = stored_conditions(store.settings())
    limits = {agent.name: conditions.limits_for(agent.name) for agent in agents}  # a game's record may have others
    enforcement: Counter[tuple[tuple[str, str], ...]] = Counter()
    rows, violations, void = [], {}, store.void_pairs()
    for done, game in enumerate(games, 1):
        record = store.record(game.id)
        rows.append([*_row(game, record, number), game.pair not in void])
        keep(game.id, replay_json(record))
        if game.reason in FAULTS:
            violations[str(game.id)] = violation_json(record)
        if record.enforcement:  # there is none in a game that never began
            enforcement[tuple(sorted(record.enforcement.items()))] += 1
        for name in record.agents:
            usage[name].add(record, counts=game.pair not in void)
        limits.update(zip(record.agents, record.limits or (), strict=False))
        progress(done, len(games))
    return {
        **_about(store, conditions),
        "enforcement": [{"games": count, "held": dict(held)} for held, count in enforcement.most_common()],
        "agents": [agent_json(agent, usage[agent.name], limits[agent.name]) for agent in agents],
        **strength_json(store),
        "columns": GAME_COLUMNS,
        "faults": [reason.value for reason in FAULTS],
        "games": rows,
        "violations": violations,
    }


def _about(store: Store, conditions: Conditions) -> Json:
    settings, pairs, game = store.settings(), store.pairs(), conditions.load_game()
    playing = {agent.name for agent in store.agents() if agent.absence is None and not agent.replaced}
    planned = sum(pair.state == PLANNED and {pair.first, pair.second} <= playing for pair in pairs)
    decision = store.decision()
    if settings.get("openings"):
        settings["opening_plies"] = "those of the openings"
    return {
        "file": store.path.name,
        "game": {
            "name": game.title,
            "players": game.player_names or game.players,
            "options": conditions.game_options,
        },
        "board": board_json(game),
        "progress": {
            "planned": 0 if decision else planned,
            "void": sum(pair.state == VOID for pair in pairs),
            "accepted": decision.accepted if decision else None,
        },
        "settings": {name: _shown(value) for name, value in settings.items()},
        "sessions": [session._asdict() for session in store.sessions()],
        "machines": machines_json(pairs),
    }


def _shown(value: Any) -> str:
    """A setting for people: `2`, `size 9, komi 7`, `none`."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list):
        return "; ".join(" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in value) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    return "none" if value in (None, "") else str(value)


def machines_json(pairs: list[Pair]) -> list[Json]:
    """Which machine or worker has played which pairs: `{"machine": "host-2", "pairs": "1-3, 7"}`."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for pair in pairs:
        if pair.state != PLANNED:
            numbers[pair.machine].append(pair.id)
    return [{"machine": machine, "pairs": _ranges(of_machine)} for machine, of_machine in sorted(numbers.items())]


def _ranges(numbers: list[int]) -> str:
    """Rising numbers as text, with consecutive numbers as a range: `1-3, 7`."""
    runs = ([number for _, number in run] for _, run in groupby(enumerate(numbers), lambda at: at[1] - at[0]))
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def agent_json(agent: AgentEntry, usage: Tally, limits: Limits) -> Json:
    """An agent: what it is, what it may use, why it is absent if it is, and what it used."""
    sources = {path: digest[:DIGEST_CHARACTERS] for path, digest in agent.sources.items()}
    return {
        "name": agent.name,
        "text": agent.text,
        "authors": agent.authors,
        "sources": sources,
        "limits": limits.to_json(),
        "absence": agent.absence,
        "usage": usage_json(usage),
    }


def _row(game: StoredGame, record: GameRecord, number: Mapping[str, int]) -> list[Any]:
    late = sum(move.replaced for move in record.moves)
    winner = None if game.winner is None else number[game.winner]
    agents = [number[game.first], number[game.second]]
    return [game.id, game.round, *agents, game.result, game.reason.value, winner, game.moves, late, game.pair]


def violation_json(record: GameRecord) -> Json:
    """What went wrong in a game: the verdict, whose fault it was, and how many lines the log of that player has."""
    loser = record.verdict.loser
    log = "" if loser is None else record.log(loser)
    return {"text": record.verdict.text, "loser": loser, "lines": log.count("\n") + 1 if log else 0}


def replay_json(record: GameRecord) -> Json:
    """What the page's replay of a game shows.

    For the moves after the opening, in order: `seconds`, `memory` (MB), `values` (the agent's own, None where it gave
    none), and by a move's index `proven` and `late` (the answer that came too late). `logs`: what each player wrote;
    `transcripts`: the GTP to and from each player, if it was kept.
    """
    moves = record.moves
    values = [move.analysis.value for move in moves]
    return {
        **positions_json(record),
        "opening": len(record.opening),
        "seconds": [round(move.seconds, 3) for move in moves],
        "memory": [round(move.peak_memory_mb) for move in moves],
        "values": [None if value is None else round(float(value), 3) for value in values],
        "proven": {i: move.analysis.proven for i, move in enumerate(moves) if move.analysis.proven is not None},
        "late": {i: move.answer for i, move in enumerate(moves) if move.replaced},
        "verdict": record.verdict.text,
        "logs": [record.log(player) for player in (FIRST, SECOND)],
        "transcripts": record.transcripts,
        "date": record.date,
        "seed": str(record.seed),  # whole numbers in JavaScript have 53 bits
    }
