"""Protocols between the rooms: Grader, Target, Executor, Store, Reporter, Catalogue."""
