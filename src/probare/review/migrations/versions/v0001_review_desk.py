"""The tables of the review desk, and what keeps its log append-only."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_REFUSED = "the review log is append-only"


def upgrade() -> None:
    """Make all tables."""
    _queue()
    _log()
    _accounts()
    if op.get_context().dialect.name == "postgresql":
        _protect_postgresql()
    else:
        _protect_sqlite()


def _queue() -> None:
    op.create_table(
        "runs",
        sa.Column("run", sa.Text, primary_key=True),
        sa.Column("records", sa.Integer, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
    )
    op.create_table(
        "rubrics",
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("run", sa.Text, sa.ForeignKey("runs.run"), nullable=False),
        sa.Column("case_id", sa.Text, nullable=False),
        sa.Column("trial", sa.Integer, nullable=False),
        sa.Column("transcript", sa.Text, nullable=False),
        sa.Column("rubric", sa.Text, sa.ForeignKey("rubrics.digest"), nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("due", sa.Text),
        sa.Column("overlap", sa.Integer, nullable=False),
        sa.Column("distance", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("reviews_in", sa.Integer, nullable=False),
        sa.UniqueConstraint("run", "case_id", "trial"),
    )
    op.create_index("items_in_order", "items", ["run", "state", "priority"])
    op.create_table(
        "assignments",
        sa.Column("item", sa.Text, sa.ForeignKey("items.id"), primary_key=True),
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("purpose", sa.Text, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("given_by", sa.Text, nullable=False),
        sa.Column("given", sa.Text, nullable=False),
        sa.Column("submitted", sa.Integer, nullable=False),
        sa.UniqueConstraint("item", "purpose", "place"),
    )
    op.create_index("assignments_of_person", "assignments", ["person", "submitted"])
    op.create_table(
        "drafts",
        sa.Column("item", sa.Text, sa.ForeignKey("items.id"), primary_key=True),
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )


def _log() -> None:
    op.create_table(
        "log",
        sa.Column("run", sa.Text, sa.ForeignKey("runs.run"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("item", sa.Text),
        sa.Column("person", sa.Text),
        sa.Column("about", sa.Text),
        sa.Column("once", sa.Text, unique=True),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False, unique=True),
    )
    op.create_index("log_of_item", "log", ["item", "kind"])
    op.create_index("log_about", "log", ["about"])


def _accounts() -> None:
    op.create_table(
        "users",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("folded", sa.Text, nullable=False, unique=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("disabled", sa.Integer, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, sa.ForeignKey("users.name"), nullable=False),
        sa.Column("csrf", sa.Text, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_table(
        "attempts",
        sa.Column("origin", sa.Text, primary_key=True),
        sa.Column("failed", sa.Integer, nullable=False),
        sa.Column("last", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )


def _protect_sqlite() -> None:
    for event in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER log_refuses_{event.lower()} BEFORE {event} ON log "
            f"BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END"
        )
    # without it, INSERT OR REPLACE deletes the old row and no DELETE trigger is asked
    op.execute(
        "CREATE TRIGGER log_refuses_replace BEFORE INSERT ON log WHEN EXISTS "  # noqa: S608 - constants alone
        "(SELECT 1 FROM log WHERE (run = NEW.run AND seq = NEW.seq) OR hash = NEW.hash "
        "OR once = NEW.once) "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END"
    )


def _protect_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN RAISE EXCEPTION '{_REFUSED}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER log_refuses_change BEFORE UPDATE OR DELETE ON log "
        "FOR EACH ROW EXECUTE FUNCTION refuse_log_change()"
    )
    op.execute(
        "CREATE TRIGGER log_refuses_truncate BEFORE TRUNCATE ON log "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change()"
    )
