"""Dimensions of amounts: light values that formulas carry. Reading unit names is `evaluate/units.py`."""
