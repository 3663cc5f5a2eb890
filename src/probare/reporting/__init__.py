"""What people and CI read: the terminal, reports in many formats, summary.json."""

from probare.ports.reporter import Reporter
from probare.reporting.csvtable import CsvReporter
from probare.reporting.github import GithubReporter
from probare.reporting.html import HtmlReporter
from probare.reporting.junit import JunitReporter
from probare.reporting.markdown import MarkdownReporter
from probare.reporting.summaryfile import SummaryReporter

# written into each run's directory
REPORTERS: tuple[Reporter, ...] = (
    MarkdownReporter(),
    HtmlReporter(),
    JunitReporter(),
    SummaryReporter(),
)

# all that `probare report` knows
FORMATS: dict[str, Reporter] = {
    reporter.name: reporter for reporter in (*REPORTERS, CsvReporter(), GithubReporter())
}

__all__ = ["FORMATS", "REPORTERS"]
