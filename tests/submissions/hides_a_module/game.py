"""Called like the tournament's own."""
