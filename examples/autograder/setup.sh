#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image: Python, and what the project needs.
set -euo pipefail
root=${AUTOGRADER:-/autograder}
export DEBIAN_FRONTEND=noninteractive

apt-get update
apt-get install -y python3
# Ubuntu 22.04 has Python 3.11, which the project needs, beside an older one; later systems have a newer one.
python=$(python3 -c 'import sys; print("python3" if sys.version_info >= (3, 11) else "python3.11")')
apt-get install -y "$python-venv"
"$python" -m venv "$root/venv"
"$root/venv/bin/pip" install --quiet -r "$root/source/requirements.txt"
# A game of the agents that submissions are measured against: what they compile stays in the image.
"$root/venv/bin/python" "$root/source/runner.py" match greedy_agent random_agent --games 2
