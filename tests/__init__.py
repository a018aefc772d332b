"""Tests, the tiny games that they play, and slow twins of fast rules."""
