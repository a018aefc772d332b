"""A submission: the files that a student hands in, checked as a tournament will treat them, packed and unpacked.

Begin reading at `check.py`: the steps of a check, in order; a step is a function of `steps.py` or `conduct.py`.
"""
