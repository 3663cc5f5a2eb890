"""The résumé tailor: reads a master résumé and a job posting, and writes one for the other.

It knows nothing of tests. Each step is a module that can be used alone: `parser`, `fetcher`,
`description`, `writer` (or `model_writer`), `critic`; `pipeline` joins them.
"""
