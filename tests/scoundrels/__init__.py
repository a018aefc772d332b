"""Agents that break the rules, and a referee that enforces the rules, ordered by the kind of misdeed."""
