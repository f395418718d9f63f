"""Titles of matches, where an entry was seen, and what a household has told about its decks."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns and the table; matches there are get an empty title."""
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("title", sa.String(200), nullable=False, server_default=""))
    with op.batch_alter_table("entries") as entries:
        entries.add_column(sa.Column("provenance", sa.Text))
    op.create_table(
        "settings",
        sa.Column("deck", sa.String(80), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("deck", "key", name="pk_settings"),
    )
