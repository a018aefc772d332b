"""What happens in a tournament as JSON for programs, one object a line; `docs/tournaments.md` lists the events."""

import json
from typing import Any, TextIO

from simulator.records.schema import AgentEntry, Pair
from simulator.records.store import Store
from simulator.referee.game_record import GameRecord
from simulator.statistics.pentanomial import is_void
from simulator.statistics.standings import Standings, format_tables, league_of
from simulator.tournament.events import Ended, Event, PairAgain, PairSaved, Planned, Started, Stopping


class JsonObserver:
    """Writes an object for each event except moves and clocks; its `event` is the kind of event."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._store: Store

    def __call__(self, event: Event, pair: Pair | None = None) -> None:
        """Write what a program may want to know of an event; `pair` is the pair of a game that is over."""
        match event:
            case Started(store=store, names=names, games=games, played=played):
                self._store = store
                self._write("started", records=str(store.path), agents=names, games=games, played=played)
            case AgentEntry(name=name, absence=absence):
                self._write("agent", name=name, absence=absence)
            case Planned():
                self._write("planned", **event._asdict())
            case GameRecord() if pair is not None:
                self._write("game", **_game(pair, event))
            case PairSaved(saved, records):
                self._write("saved", pair=saved.id, round=saved.round, void=is_void(records))
            case PairAgain():
                self._write("again", **event._asdict())
            case Stopping():
                self._write("stopping", **event._asdict())
            case Ended():
                tables = format_tables(self._store)
                self._write(
                    "ended",
                    complete=event.complete,
                    absent=[agent.name for agent in event.absent],
                    void=event.void,
                    standings=standings_json(league_of(self._store).standings()),
                    tables=[{"title": title, "rows": [row._asdict() for row in rows]} for title, rows in tables],
                )

    def _write(self, event: str, **values: Any) -> None:
        self._stream.write(json.dumps({"event": event, **values}) + "\n")
        self._stream.flush()


def _game(pair: Pair, record: GameRecord) -> dict[str, Any]:
    number = pair.game_number(record.agents)
    return {"game": number, "pair": pair.id, "number": 2 - number % 2, **outcome_json(record)}


def outcome_json(record: GameRecord) -> dict[str, Any]:
    """Who played a game, and how it ended."""
    return {
        "agents": record.agents,
        "result": record.result,
        "reason": record.verdict.reason,
        "winner": record.winner,
        "verdict": record.verdict.text,
    }


def standings_json(standings: Standings) -> list[dict[str, Any]]:
    """The table for programs; `rating` is null where there is none."""
    return [
        {
            "agent": row.name,
            **row.results.to_json(),
            "rating": None if row.rating is None else row.rating.rounded(1),
            "violations": row.violations,
        }
        for row in standings.rows
    ]
