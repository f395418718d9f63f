"""Stores of the first schema, with data, as an older companion left them."""

from sqlalchemy import text

from companion.storage.engine import engine_of, url_of
from companion.storage.migrate import upgrade

FIRST = "0001"
_DATA = (
    """INSERT INTO matches (id, game, deck, head, options, rules_version, stage, created, updated)
       VALUES (7, 'up-the-creek', NULL, '{"tracking": "light"}', '{}', '0.0.1', 'running',
               '2025-01-01T20:00:00.000+00:00', '2025-01-01T20:00:00.000+00:00')""",
    "INSERT INTO players (id, name, normal) VALUES (1, 'Ana', 'ana'), (2, 'Ben', 'ben')",
    "INSERT INTO seats (match_id, seat, player_id, name) VALUES (7, 0, 1, 'Ana'), (7, 1, 2, 'Ben')",
    """INSERT INTO entries (match_id, seq, kind, payload, verdict, created) VALUES
       (7, 1, 'played', '{"player":"Ana","words":["place","bow","1","1"],"recorded":false}', NULL,
        '2025-01-01T20:01:00.000+00:00'),
       (7, 2, 'played', '{"player":"Ana","words":["place","bow","3","9"],"recorded":true}',
        '{"verdict": "illegal"}', '2025-01-01T20:02:00.000+00:00'),
       (7, 3, 'undone', '{"seq":2}', NULL, '2025-01-01T20:03:00.000+00:00')""",
)


def make_old(url: str, entries: int = 0) -> None:
    """A store of the first schema; `entries`: so many more in a second match."""
    engine = engine_of(url_of(url))
    with engine.execution_options(writes=True).begin() as connection:
        upgrade(connection, FIRST)
        for statement in _DATA:
            connection.execute(text(statement.replace(":", r"\:")))
        if entries:
            connection.execute(
                text(
                    "INSERT INTO matches (game, head, options, rules_version, stage, created, updated)"
                    " VALUES ('up-the-creek', '{}', '{}', '0', 'running', 'x', 'x')"
                )
            )
            row = text(
                "INSERT INTO entries (match_id, seq, kind, payload, created)"
                " VALUES (8, :seq, 'played', :payload, 'x')"
            )
            payload = '{"player":"Ana","words":["pass"],"recorded":false}'
            connection.execute(row, [{"seq": n, "payload": payload} for n in range(1, entries + 1)])
    engine.dispose()
