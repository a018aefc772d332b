"""What results say: Elo with intervals, a sequential test, ratings and standings, what agents used.

Everything is computed from counts, which are updated with each pair of games: `pentanomial.PairCounts`,
`standings.League`, `usage.Tally`. Nothing here prints. Begin reading at `standings.League`; for the mathematics, at
`elo.likeliest`.
"""
