import BelfryModel

/// The tables, by the version that added them.
enum Schema {
  /// "Blfy" in ASCII, which identifies a Belfry store among SQLite files.
  static let applicationID: Int32 = 0x426c_6679

  /// The version that this program writes, in `PRAGMA user_version`.
  static var version: Int { migrations.count }

  /// The migrations: each version's additions to the one before.
  static let migrations: [String] = [
    version1, version2, version3, version4, version5, version6, version7, version8, version9, version10, version11,
    version12, version13, version14,
  ]

  // 1 for a delivery whose attempt has ended, until its follow-up is done.
  private static let version14 = """
    ALTER TABLE delivery ADD COLUMN awaits_follow_up INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX delivery_follow_up ON delivery (id) WHERE awaits_follow_up = TRUE;
    """

  // The mark of events, which are counted apart from to-dos. The view `overdue` has the columns of `items`.
  private static let version13 = """
    ALTER TABLE item ADD COLUMN is_event INTEGER
      GENERATED ALWAYS AS (coalesce(instr(properties, '"\(ItemContent.eventProperty)"'), 0) > 0) VIRTUAL;
    CREATE INDEX item_event ON item (list_id, is_checked, due_at) WHERE is_event;

    DROP VIEW items;
    CREATE VIEW items AS
      SELECT item.id, list.name AS list, item.text, item.notes, item.is_checked,
        strftime('%Y-%m-%dT%H:%M', item.due_local * 60, 'unixepoch') AS due_local,
        strftime('%Y-%m-%dT%H:%M:%SZ', item.due_at, 'unixepoch') AS due_date,
        coalesce(item.time_zone, 'floating') AS time_zone, item.should_remind, item.category, item.tags, item.priority
      FROM item JOIN list ON list.id = item.list_id WHERE NOT item.is_event;
    """

  // The records with which the last changes can be undone, or redone, by age; and the colour, icon and position of a
  // list; without a position, a list is sorted by its id.
  private static let version12 = """
    CREATE TABLE undo (
      id INTEGER PRIMARY KEY,
      is_redo INTEGER NOT NULL,
      made_at INTEGER NOT NULL,
      content TEXT NOT NULL
    );
    INSERT INTO undo SELECT 1, 0, made.value, change.value FROM meta AS made JOIN meta AS change
      WHERE made.key = 'undo_at' AND change.key = 'undo';
    DELETE FROM meta WHERE key IN ('undo_at', 'undo');

    ALTER TABLE list ADD COLUMN color TEXT;
    ALTER TABLE list ADD COLUMN icon TEXT;
    ALTER TABLE list ADD COLUMN position INTEGER;
    """

  // An item's priority, a number from 1 to 9. The view `overdue` has the columns of `items`.
  private static let version11 = """
    ALTER TABLE item ADD COLUMN priority INTEGER;

    DROP VIEW items;
    CREATE VIEW items AS
      SELECT item.id, list.name AS list, item.text, item.notes, item.is_checked,
        strftime('%Y-%m-%dT%H:%M', item.due_local * 60, 'unixepoch') AS due_local,
        strftime('%Y-%m-%dT%H:%M:%SZ', item.due_at, 'unixepoch') AS due_date,
        coalesce(item.time_zone, 'floating') AS time_zone, item.should_remind, item.category, item.tags, item.priority
      FROM item JOIN list ON list.id = item.list_id;
    """

  // An item's tags, separated by spaces.
  private static let version10 = "ALTER TABLE item ADD COLUMN tags TEXT;"

  // The requests of the last day that take effect once: each is on disk together with its effect.
  private static let version9 = """
    CREATE TABLE request (
      id TEXT PRIMARY KEY,
      done_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX request_done ON request (done_at);
    """

  // The people with their numbers, which messages name from here on; the identity that a program gave an item; and
  // whether only the user can solve the problem of an inbox.
  private static let version8 = """
    CREATE TABLE person (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      unknown TEXT
    );
    CREATE VIEW people AS SELECT number, name FROM person ORDER BY number;

    ALTER TABLE message ADD COLUMN person INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE item ADD COLUMN key TEXT;
    CREATE UNIQUE INDEX item_key ON item (key) WHERE key IS NOT NULL;

    ALTER TABLE sink_inbox ADD COLUMN needs_attention INTEGER NOT NULL DEFAULT 0;

    DROP VIEW sink_inboxes;
    CREATE VIEW sink_inboxes AS
      SELECT sink, position, problem, needs_attention,
        strftime('%Y-%m-%dT%H:%M:%SZ', changed_at, 'unixepoch') AS changed_at
      FROM sink_inbox ORDER BY sink;
    """
}
