"""A submission: the files that a student hands in, checked as a tournament will treat them, packed and unpacked.

- `files.py`: which files belong to a submission, and which of them is the agent's
- `check.py`: the steps of a check, in order. Begin reading here; a step is a function of `steps.py` or `conduct.py`
- `trials.py`: the games and starts that a check looks at; `reports.py` reads what an agent's process reports of itself
- `findings.py`: what a step finds; `advice.py`: how to correct a fault; `environment.py`: what can be imported
- `archive.py`: packing a submission's zip file, and unpacking it without trusting it; `manifest.py`: its manifest
"""
