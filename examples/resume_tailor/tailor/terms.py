"""Technical terms that the tailor knows, and how to find them in a text."""

from __future__ import annotations

import re

_TERMS: dict[str, tuple[str, ...]] = {
    "Airflow": (),
    "Ansible": (),
    "AWS": ("Amazon Web Services",),
    "Azure": (),
    "Bash": (),
    "C++": (),
    "C#": (),
    "CI/CD": ("continuous integration", "continuous delivery", "continuous deployment"),
    "Docker": (),
    "Elasticsearch": (),
    "FastAPI": (),
    "GCP": ("Google Cloud",),
    "GitLab": (),
    "Go": ("Golang",),
    "Grafana": (),
    "GraphQL": (),
    "Helm": (),
    "Hugging Face": (),
    "Java": (),
    "JavaScript": (),
    "Kafka": (),
    "Kotlin": (),
    "Kubernetes": ("k8s",),
    "Linux": (),
    "machine learning": (),
    "MLflow": (),
    "MongoDB": (),
    "Node.js": (),
    "NumPy": (),
    "on-call": (),
    "OpenTelemetry": (),
    "pandas": (),
    "PostgreSQL": ("Postgres",),
    "Prometheus": (),
    "Python": (),
    "PyTorch": (),
    "React": (),
    "Redis": (),
    "Ruby": (),
    "Rust": (),
    "Scala": (),
    "scikit-learn": ("sklearn",),
    "Snowflake": (),
    "Spark": ("PySpark",),
    "SQL": (),
    "TensorFlow": (),
    "Terraform": (),
    "TypeScript": (),
}
# Words that are also everyday ones count only where they are written as names.
_CASE_MATTERS = frozenset({"Go", "Rust", "React", "Spark", "Helm", "Ruby"})


def _pattern(names: tuple[str, ...], *, exact: bool) -> re.Pattern[str]:
    spelt = "|".join(re.escape(name) for name in names)
    # "go-to", "C++" and "Node.js" are why \b alone will not do.
    return re.compile(rf"(?<![\w+#.-])(?:{spelt})(?![\w+#]|-\w)", 0 if exact else re.IGNORECASE)


_PATTERNS = {
    term: _pattern((term, *also), exact=term in _CASE_MATTERS) for term, also in _TERMS.items()
}


def terms_in(text: str) -> tuple[str, ...]:
    """Return the known terms in a text by their first place in it, each once, in one spelling."""
    found = ((match.start(), term) for term, p in _PATTERNS.items() if (match := p.search(text)))
    return tuple(term for _, term in sorted(found))


def names_term(text: str, term: str) -> bool:
    """Whether a text names a term that `terms_in` gave, in whatever spelling."""
    return _PATTERNS[term].search(text) is not None
