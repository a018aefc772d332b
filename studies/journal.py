"""Finished units of work in a file of JSON lines, so that a study that was stopped goes on where it was."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from simulator.records.json_lines import remove_half_a_line
from simulator.records.provenance import commit
from studies.study import Result, Unit


def key_of(unit: Unit) -> str:
    """A text that two units have in common exactly if they are equal."""
    return json.dumps(unit, sort_keys=True)


class Journal:
    """What was done, in memory and in a file.

    Attributes:
        path: the file; None keeps everything in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._commit = commit()
        self._entries: dict[str, dict[str, Any]] = {}
        self._has_added = False
        lines = path.read_bytes().split(b"\n") if path is not None and path.exists() else []
        for number, line in enumerate(lines[:-1], 1):  # what has no end may be half written: by who writes now, say
            try:
                if line.strip():
                    self._note(json.loads(line))
            except (ValueError, TypeError, KeyError):
                print(f"{path}, line {number}, is no finished unit: it is left out", file=sys.stderr)

    def _note(self, entry: dict[str, Any]) -> None:
        self._entries[key_of(entry["unit"])] = entry

    def result_of(self, unit: Unit) -> Result | None:
        """The result of a unit, None if it was not done."""
        entry = self._entries.get(key_of(unit))
        return None if entry is None else entry["result"]

    def _of(self, units: Iterable[Unit]) -> list[dict[str, Any]]:
        """The entries of these units, as far as they were done."""
        return [entry for unit in units if (entry := self._entries.get(key_of(unit))) is not None]

    def commits(self, units: Iterable[Unit]) -> set[str]:
        """The versions of this project that did these units, as far as they were done."""
        return {entry["commit"] for entry in self._of(units)}

    def hours(self, units: Iterable[Unit]) -> float | None:
        """The processor hours that these units took; None if it is not known of each that was done."""
        entries = self._of(units)
        if not entries or any("seconds" not in entry for entry in entries):
            return None
        return float(sum(entry["seconds"] for entry in entries)) / 3600

    def add(self, unit: Unit, result: Result, seconds: float) -> None:
        """Keep a result, and how many processor seconds it took."""
        entry = json.loads(json.dumps({"unit": unit, "result": result, "commit": self._commit, "seconds": seconds}))
        self._note(entry)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._has_added and self.path.exists():
                remove_half_a_line(self.path)
            self._has_added = True
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")
