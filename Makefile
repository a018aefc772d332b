# Every target sets up what it needs, in .venv here. PYTHON names the interpreter to start from (3.11 or newer).
PYTHON ?= python3
# Two processes more than cores, see tests/conftest.py.
SIDE_BY_SIDE = -n auto --dist worksteal
# The slow set waits more, and is handed out test by test: its longest begin (tests/conftest.py).
LONGEST_FIRST = -n 6 --dist load --maxschedchunk 1

# Agents' processes read Python's cache of our modules and write none: without one, each start would take twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow lint play bench report clean

# The agent against the baselines, under the referee.
demo: .venv/run
	.venv/bin/python runner.py match uct_agent random_agent
	.venv/bin/python runner.py match uct_agent greedy_agent

play: .venv/run
	.venv/bin/python runner.py play

bench: .venv/run
	.venv/bin/python runner.py bench

# The figures of REPORT.md that are older than the code they measure, and those that are missing: up to a day, in steps.
report: .venv/dev
	.venv/bin/python experiments/report.py

test: .venv/dev
	.venv/bin/python -m pytest $(SIDE_BY_SIDE)

# What takes minutes: a referee killed a hundred times, a tournament of forty. `.ci/run all` runs it as well, and what
# `.ci/run` leaves out of its environments.
test-slow: .venv/dev
	.venv/bin/python -m pytest $(LONGEST_FIRST) -m slow

lint: .venv/dev
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

.venv/run: requirements.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/dev: requirements-dev.txt requirements.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

clean:
	rm -rf .venv .cache benchmarks/build
