"""The catalogue of diagnostics, split by topic: data only."""
