"""Estimators, intervals, exact tests, tallies, the gate, and comparing runs. Pure functions."""
