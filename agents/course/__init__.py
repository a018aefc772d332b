"""Unchanged agents for the Python frameworks of McGill's COMP 424: Colosseum (2022), Othello (2024), Ataxx (2025).

While such a file is imported, it finds `agent.py`, `store.py` and `helpers.py` of this folder in place of the
frameworks' modules of these names. `load.py` loads it, `player.py` calls its `step`; begin reading there. `styles.py`
says what differs from year to year.
"""
