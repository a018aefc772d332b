"""The figures of `bench`, and the signature of the search, a hash of the trees that some fixed searches leave.

The signature changes only when somebody means to change the search; the same commit then puts the new signature here
(`python runner.py bench --signature` prints it). A change that should only make the search faster or its code
clearer must keep the signature.
"""

import shutil

import pytest

from benchmarks import bench
from tests.command_line import typed

SIGNATURE = "a09b6e9d15397d25"


def test_the_search_has_not_changed_unawares():
    assert bench.signature() == SIGNATURE


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ to build the twin with")
def test_every_speed_is_printed(monkeypatch):
    for name in ("PLAYOUTS", "SIMULATIONS", "SIGNED_SIMULATIONS", "CAPACITY"):
        monkeypatch.setattr(bench, name, 8_000)
    found = {"ready_seconds": 1.5, "capacity": 2e6, "peak_million_bytes": 480.0}
    monkeypatch.setattr(bench, "run_probe", lambda cache=None: found)
    done = typed("bench --rounds 1")
    lines = done.output.splitlines()
    assert done.exit_code == 0
    assert lines[0].split()[-3:] == ["unforced", "C++", "ratio"]
    for line, count in zip(lines[1:], (3, 3, 3, 1, 1, 1), strict=False):
        assert all(float(rate.replace(",", "")) > 0 for rate in line.split()[-count:])
    assert "cold start: ready to move after 1.50 s; 2,000,000 nodes; 480.0 million bytes" in done.output
    assert lines[-1].startswith("signature of fixed searches: ")
