"""One agent as a process."""
