"""What the referee and an agent's process have agreed on: which modules are run by name, and how they end."""

import sys

# -P: a file game.py in the folder where the user happens to stand must not go before ours.
AGENT_COMMAND = (sys.executable, "-P", "-m", "simulator.player.agent_process")

SEED_VARIABLE = "UNFORCED_SEED"  # in the environment of an agent's process, which its opponent cannot read

LOAD_FAILED = 3  # exit status: the agent could not be loaded or set up, the reason is on stderr
INTERRUPTED = 130  # exit status after Ctrl-C, as shells report it
