"""What the referee and the worker process that serves an agent have agreed."""

import sys

WORKER = "simulator.player.worker"  # the module that `python -m` runs
# -P: a file game.py in the folder where the user happens to stand must not go before ours.
WORKER_COMMAND = (sys.executable, "-P", "-m", WORKER)

LOAD_FAILED = 3  # exit status: the agent could not be loaded or set up, the reason is on stderr
INTERRUPTED = 130  # exit status after Ctrl-C, as shells report it
