"""Scores with honest statistics, the comparison of runs, the gate. Pure functions, no I/O.

The way through: `tally.Tally(cases, planned, case_wide)` counts records as they stream by;
`summarise.summarise(tally, Context(...))` gives the whole summary with its decision;
`baselines.baseline_of(summary, plan, created=...)` keeps what later runs are held against;
`diff.compare(side_of_summary(a), side_of_summary(b))` compares two runs.

Under them: `standing` (one case, concluded), `rates`, `aggregate`, `compliance`, `gate`,
`minimums`, `baselines`, `comparing`. The statistics: `estimators`, `distributions`,
`intervals`, `exact_tests`, `paired`, `multiplicity`, `posterior`, `calibration`.
"""
