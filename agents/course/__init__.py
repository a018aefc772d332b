"""Agents for the Python frameworks of McGill's COMP 424, as they are: Colosseum (2022), Othello (2024), Ataxx (2025).

While such a file is imported, it finds in `agent.py`, `store.py` and `helpers.py` of this folder what the frameworks'
modules of these names offer; `player.py` asks its `step`, and begin reading there. `styles.py` says what differs from
year to year.
"""
