"""What results say: Elo with intervals, a sequential test, ratings and standings, the time and memory of agents.

Everything is computed from counts that are updated with each pair of games: `pentanomial.PairCounts`,
`standings.League`, `usage.Tally`. Nothing here prints. Begin reading at `standings.League`; for the mathematics, at
`elo.likeliest`.
"""
