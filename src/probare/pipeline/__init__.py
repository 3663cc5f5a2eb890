"""Joins the stages: load, run, grade, score, gate, report; finds plug-ins."""
