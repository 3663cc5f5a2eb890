"""`report.html`: one file that needs nothing else, for people to read, send and print."""

from probare.reporting.html.reporter import HtmlReporter

__all__ = ["HtmlReporter"]
