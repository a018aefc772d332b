"""Finished units of work in a file of JSON lines, so that a stopped study can go on."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from simulator.records.json_lines import remove_half_a_line
from simulator.records.provenance import commit
from studies.study import Result, Unit


def key_of(unit: Unit) -> str:
    """A text that is the same for equal units, and only for these."""
    return json.dumps(unit, sort_keys=True)


class Journal:
    """Finished units, in memory and in a file.

    Attributes:
        path: the file; None keeps everything in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._commit = commit()
        self._entries: dict[str, dict[str, Any]] = {}
        self._has_added = False
        lines = path.read_bytes().split(b"\n") if path is not None and path.exists() else []
        for number, line in enumerate(lines[:-1], 1):  # the last one may be half written, perhaps by a running study
            try:
                if line.strip():
                    self._note(json.loads(line))
            except (ValueError, TypeError, KeyError):
                print(f"{path}, line {number}, is not a finished unit and is left out", file=sys.stderr)

    def _note(self, entry: dict[str, Any]) -> None:
        self._entries[key_of(entry["unit"])] = entry

    def result_of(self, unit: Unit) -> Result | None:
        """The result of a unit; None if it was not done."""
        entry = self._entries.get(key_of(unit))
        return None if entry is None else entry["result"]

    def entries(self, units: Iterable[Unit]) -> list[dict[str, Any]]:
        """What was kept of those of these units that were done: "unit", "result", "commit", and of most "seconds"."""
        return [entry for unit in units if (entry := self._entries.get(key_of(unit))) is not None]

    def hours(self, units: Iterable[Unit]) -> float | None:
        """The processor hours of these units that were done; None if those of any are unknown."""
        entries = self.entries(units)
        if not entries or any("seconds" not in entry for entry in entries):
            return None
        return float(sum(entry["seconds"] for entry in entries)) / 3600

    def add(self, unit: Unit, result: Result, seconds: float) -> None:
        """Keep a result and its processor seconds."""
        entry = json.loads(json.dumps({"unit": unit, "result": result, "commit": self._commit, "seconds": seconds}))
        self._note(entry)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._has_added and self.path.exists():
                remove_half_a_line(self.path)
            self._has_added = True
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")
