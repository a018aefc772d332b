"""What happens in a tournament as JSON for programs, one object a line; `docs/tournaments.md` lists the events."""

import json
from collections.abc import Sequence
from typing import Any, TextIO

from simulator.records.schema import AgentEntry, Pair, game_number
from simulator.referee.game_record import GameRecord
from simulator.statistics.standings import Standing, Standings, format_tables, league_of
from simulator.tournament.observer import Observer, TournamentInfo


class JsonObserver(Observer):
    """Writes an object for each event; its `event` says which."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._info: TournamentInfo

    def started(self, info: TournamentInfo) -> None:
        """`started`: records, agents, games, played."""
        self._info = info
        records, agents = str(info.store.path), list(info.names)
        self._write("started", records=records, agents=agents, games=info.games, played=info.played)

    def agent_tried(self, agent: AgentEntry) -> None:
        """`agent`: name, absence (null if it plays)."""
        self._write("agent", name=agent.name, absence=agent.absence)

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """`planned`: how many pairs wait now, and how many games there will be."""
        self._write("planned", pairs=len(pairs), games=games)

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """`game`: game, pair, number, agents, result, reason, winner, verdict."""
        verdict = record.verdict
        winner = None if verdict.winner is None else record.agents[verdict.winner]
        place = {"game": game_number(pair, number), "pair": pair, "number": number}
        ending = {"result": record.result, "reason": verdict.reason, "winner": winner, "verdict": verdict.text}
        self._write("game", **place, agents=record.agents, **ending)

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """`saved`: the pair is in the records."""
        self._write("saved", pair=pair.id, round=pair.round)

    def pair_again(self, pair: int, why: str) -> None:
        """`again`: the pair is played again, why."""
        self._write("again", pair=pair, why=why)

    def stopping(self, at_once: bool) -> None:
        """`stopping`: at_once."""
        self._write("stopping", at_once=at_once)

    def ended(self, complete: bool) -> None:
        """`ended`: complete, absent agents, the standings, and the tables of the format."""
        store = self._info.store
        self._write(
            "ended",
            complete=complete,
            absent=[agent.name for agent in store.agents() if agent.absence is not None and not agent.replaced],
            standings=standings_json(league_of(store).standings()),
            tables=[
                {"title": title, "rows": [_format_row(row) for row in rows]} for title, rows in format_tables(store)
            ],
        )

    def _write(self, event: str, **values: Any) -> None:
        self._stream.write(json.dumps({"event": event, **values}) + "\n")
        self._stream.flush()


def _format_row(row: Standing) -> dict[str, Any]:
    values = row._asdict()
    return {"agent": values.pop("name"), **values}


def standings_json(standings: Standings) -> list[dict[str, Any]]:
    """The table for programs; `rating` is null where there is none."""
    return [
        {
            "agent": row.name,
            "points": row.results.points,
            "games": row.results.games,
            "wins": row.results.wins,
            "draws": row.results.draws,
            "losses": row.results.losses,
            "rating": None if row.rating is None else [round(number, 1) for number in row.rating],
            "violations": row.violations,
        }
        for row in standings.rows
    ]
