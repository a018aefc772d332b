"""Agents that break the rules, and a referee that holds them to these: by the kind of misdeed."""
