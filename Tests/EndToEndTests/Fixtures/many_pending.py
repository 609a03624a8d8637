"""Copies the one pending delivery of an SQLite store, so that there are many, all of them due.

usage: many_pending.py STORE COUNT
Each is of a message of its own, with an identity of its own.
"""

import contextlib
import sqlite3
import sys

path, count = sys.argv[1], int(sys.argv[2])
with contextlib.closing(sqlite3.connect(path)) as database, database:

    def others(table, *besides):
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        return ", ".join(column for column in columns if column not in besides)

    (message,), = database.execute("SELECT message_id FROM delivery WHERE state = 0").fetchall()
    database.execute("UPDATE delivery SET next_attempt_at = fire_date")
    kept = others("message", "id", "uuid")
    database.execute(
        f"WITH RECURSIVE copy (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM copy WHERE number < {count})"
        f" INSERT INTO message (uuid, {kept}) SELECT randomblob(16), {kept} FROM message, copy WHERE id = {message}")
    for table in ("message_owner", "delivery"):
        kept = others(table, "id", "message_id")
        database.execute(
            f"INSERT INTO {table} (message_id, {kept}) SELECT message.id, {', '.join(f'old.{c}' for c in kept.split(', '))}"
            f" FROM message, {table} AS old WHERE message.id <> {message} AND old.message_id = {message}")
