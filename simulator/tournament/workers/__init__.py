"""Who plays the pairs of a tournament: processes of this machine, or of several machines by Dask.

A pair is a pickled task that an executor runs in another process (`child.py`), which sends events back. Begin reading
at `protocol.py`; `local.py` is for one machine, `dask.py` and `dask_child.py` are the two ends of a cluster.
"""
