"""The command line: one small module per verb, each importing late what it needs."""
