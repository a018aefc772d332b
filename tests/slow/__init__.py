"""Slow, obvious twins of fast code, to compare it with."""
