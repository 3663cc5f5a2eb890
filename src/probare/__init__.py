"""Probare tests AI agents, grades what they did, and proves what it found."""
