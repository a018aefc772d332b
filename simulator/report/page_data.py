"""Everything that a page says of a tournament, as one JSON object.

    {"file", "game", "board", "progress", "settings", "limits", "sessions", "enforcement", "agents", "tables",
     "ratings", "shares", "cross", "columns", "faults", "games": [[...], ...], "replays": {"17": {...}, ...}}

Agents are named by their number in `agents`. A row of `games` has the values of `GAME_COLUMNS`; a replay, by the number
of its game, all else that is known of it: see `replay_json`. Begin reading at `report_json`.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from agents.agent import Limits
from game import FIRST, SECOND, load_game
from simulator.records.database import Store
from simulator.records.reader import GamesError
from simulator.records.schema import PLANNED, VOID, AgentEntry, StoredGame
from simulator.referee.game_record import GameRecord, MoveRecord, Reason
from simulator.report.boards import board_json, positions_json
from simulator.report.tables import strength_json
from simulator.statistics.usage import Tally, usage_json

GAME_COLUMNS = ("number", "round", "first", "second", "result", "reason", "winner", "moves", "late")
FAULTS = (*(reason for reason in Reason if reason.is_fault), Reason.VOID)  # games that are listed with what went wrong
DIGEST_CHARACTERS = 12  # of a source's SHA-256: enough to compare by eye

Json = dict[str, Any]


def report_json(store: Store, progress: Callable[[int, int], None] = lambda done, games: None) -> Json:
    """The page's content; `progress` is told how many games are done, of how many.

    Raises GamesError for records in which no tournament has begun, InputError for a game that is not known here.
    """
    if not store.settings():
        raise GamesError(f"{store.path} holds no tournament yet")
    games = list(store.games())
    number = {agent.name: i for i, agent in enumerate(store.agents())}
    usage = {name: Tally(name) for name in number}
    enforcement: Counter[tuple[tuple[str, str], ...]] = Counter()
    rows, replays = [], {}
    for done, game in enumerate(games, 1):
        record = store.record(game.id)
        rows.append(_row(game, record, number))
        replays[str(game.id)] = replay_json(record)
        if record.enforcement:  # there is none in a game that never began
            enforcement[tuple(sorted(record.enforcement.items()))] += 1
        for name in record.agents:
            usage[name].add(record)
        progress(done, len(games))
    return {
        **_about(store),
        "enforcement": [{"games": count, "held": dict(held)} for held, count in enforcement.most_common()],
        "agents": [agent_json(agent, usage[agent.name]) for agent in store.agents()],
        **strength_json(store),
        "columns": GAME_COLUMNS,
        "faults": [reason.value for reason in FAULTS],
        "games": rows,
        "replays": replays,
    }


# --- The tournament -------------------------------------------------------------------------------------------------


def _about(store: Store) -> Json:
    """What was played, how far it is, on what."""
    settings = store.settings()
    game = load_game(settings.get("game", "pentago"), **settings.get("game_options", {}))
    pairs = [pair.state for pair in store.pairs()]
    states = {"planned": pairs.count(PLANNED), "void": pairs.count(VOID), "pairs": len(pairs)}
    return {
        "file": store.path.name,
        "game": {"name": game.name, "players": game.players, "options": settings.get("game_options", {})},
        "board": board_json(game),
        "progress": states,
        "settings": {name: _shown(value) for name, value in settings.items()},
        "limits": Limits.from_json(settings).to_json(),
        "sessions": [session._asdict() for session in store.sessions()],
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


def agent_json(agent: AgentEntry, usage: Tally) -> Json:
    """An agent: what it is, why it is absent if it is, and what it took."""
    sources = {path: digest[:DIGEST_CHARACTERS] for path, digest in agent.sources.items()}
    return {
        "name": agent.name,
        "text": agent.text,
        "sources": sources,
        "absence": agent.absence,
        "usage": usage_json(usage),
    }


# --- Games ----------------------------------------------------------------------------------------------------------


def _row(game: StoredGame, record: GameRecord, number: Mapping[str, int]) -> list[Any]:
    late = sum(move.replaced for move in record.moves)
    winner = None if game.winner is None else number[game.winner]
    first, second = number[game.first], number[game.second]
    return [game.id, game.round, first, second, game.result, game.reason.value, winner, game.moves, late]


def replay_json(record: GameRecord) -> Json:
    """All of a game that a replay shows.

    Of the moves after the opening's, in order: `seconds`, `memory` (MB), `values` (the agent's own, None where it gave
    none), and by their index `proven` and `late` (what was answered instead). `logs`: the lines that each player wrote.
    """
    verdict = record.verdict
    return {
        **positions_json(record),
        "opening": len(record.opening),
        "seconds": [round(move.seconds, 3) for move in record.moves],
        "memory": [round(move.peak_memory_mb) for move in record.moves],
        "values": [_value(move) for move in record.moves],
        "proven": {i: move.analysis.proven for i, move in enumerate(record.moves) if move.analysis.proven},
        "late": {i: move.answer for i, move in enumerate(record.moves) if move.replaced},
        "verdict": {"text": verdict.text, "loser": verdict.loser},
        "logs": [record.log(player).split("\n") if record.log(player) else [] for player in (FIRST, SECOND)],
        "date": record.date,
        "seed": record.seed,
    }


def _value(move: MoveRecord) -> float | None:
    """What the agent thought of its chances, 0 to 1; None if it did not say."""
    value = move.analysis.value
    return None if value is None else round(float(value), 3)
