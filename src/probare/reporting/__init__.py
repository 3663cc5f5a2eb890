"""What people and CI read: the terminal, report.md, junit.xml, summary.json."""

from probare.ports.reporter import Reporter
from probare.reporting.junit import JunitReporter
from probare.reporting.markdown import MarkdownReporter
from probare.reporting.summaryfile import SummaryReporter

REPORTERS: tuple[Reporter, ...] = (MarkdownReporter(), JunitReporter(), SummaryReporter())

__all__ = ["REPORTERS"]
