import BelfryModel

/// The tables, by the version that added them.
enum Schema {
  /// The version that this program writes, in the table `store`.
  static var version: Int { migrations.count }

  /// The migrations: each version's additions to the one before. They only add, so that two versions of Belfry may run
  /// side by side; a later version removes what is no longer used.
  static let migrations: [String] = [
    version1, version2, version3, version4, version5, version6, version7, version8, version9, access,
  ]

  /// The tables and views of the present version, in alphabetical order.
  static let relations = [
    "access", "answer", "attempt", "daemon", "delivery", "destination", "failure", "item", "items",
    "kept_reply", "leader", "list", "member", "message", "message_owner", "overdue", "passkey", "paused_link",
    "pending", "person", "reminder", "request", "round", "secret", "sink_inbox", "sink_lease", "sink_problem",
    "spent", "store", "undo",
  ]

  // True for a delivery whose attempt has ended, until its follow-up is done.
  private static let version8 = """
    ALTER TABLE delivery ADD COLUMN awaits_follow_up boolean NOT NULL DEFAULT false;
    CREATE INDEX delivery_follow_up ON delivery (id) WHERE awaits_follow_up = TRUE;
    """

  // The mark of events, which are counted apart from to-dos.
  private static let version7 = """
    ALTER TABLE item ADD COLUMN is_event boolean
      GENERATED ALWAYS AS (coalesce(strpos(properties, '"\(ItemContent.eventProperty)"'), 0) > 0) STORED;
    CREATE INDEX item_event ON item (list_id, is_checked, due_at) WHERE is_event;

    CREATE OR REPLACE VIEW items AS
      SELECT item.id, list.name AS list, item.text, item.notes, item.is_checked,
        timestamp '1970-01-01' + item.due_local * interval '1 minute' AS due_local,
        to_timestamp(item.due_at) AS due_date, coalesce(item.time_zone, 'floating') AS time_zone, item.should_remind,
        item.category, item.tags, item.priority
      FROM item JOIN list ON list.id = item.list_id WHERE NOT item.is_event;
    """

  // The records with which the last changes can be undone, or redone, by age; and the colour, icon and position of a
  // list; without a position, a list is sorted by its id.
  private static let version6 = """
    CREATE TABLE undo (
      id bigint PRIMARY KEY,
      is_redo boolean NOT NULL,
      made_at bigint NOT NULL,
      content text NOT NULL
    );
    INSERT INTO undo SELECT 1, false, undo_at, undo FROM store WHERE undo_at IS NOT NULL AND undo IS NOT NULL;

    ALTER TABLE list ADD COLUMN color text;
    ALTER TABLE list ADD COLUMN icon text;
    ALTER TABLE list ADD COLUMN position bigint;
    """

  // The time at which a delivery was last started: a daemon attempts only deliveries that it has started and that are
  // still pending. The tags and the priority in the views, which take new columns only at their end.
  private static let version5 = """
    ALTER TABLE delivery ADD COLUMN begun_at bigint;

    CREATE OR REPLACE VIEW items AS
      SELECT item.id, list.name AS list, item.text, item.notes, item.is_checked,
        timestamp '1970-01-01' + item.due_local * interval '1 minute' AS due_local,
        to_timestamp(item.due_at) AS due_date, coalesce(item.time_zone, 'floating') AS time_zone, item.should_remind,
        item.category, item.tags, item.priority
      FROM item JOIN list ON list.id = item.list_id;

    CREATE OR REPLACE VIEW overdue AS SELECT * FROM items WHERE NOT is_checked AND due_date < now();
    """

  // An item's priority, a number from 1 to 9.
  private static let version4 = "ALTER TABLE item ADD COLUMN priority bigint;"

  // An item's tags, separated by spaces.
  private static let version3 = "ALTER TABLE item ADD COLUMN tags text;"
}
