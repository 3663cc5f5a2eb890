"""Broken agents: the real one with one part exchanged, a class each."""
