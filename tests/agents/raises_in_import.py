"""Cannot even be imported."""

raise ImportError("no module named genius")
