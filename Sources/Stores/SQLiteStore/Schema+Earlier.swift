/// The first versions of the tables, newest first.
extension Schema {
  // The inboxes of sinks, through which answers arrive.
  static let version7 = """
    CREATE TABLE sink_inbox (
      sink TEXT PRIMARY KEY,
      position TEXT,
      problem TEXT,
      changed_at INTEGER NOT NULL,
      unknown TEXT
    ) WITHOUT ROWID;

    CREATE VIEW sink_inboxes AS
      SELECT sink, position, problem, strftime('%Y-%m-%dT%H:%M:%SZ', changed_at, 'unixepoch') AS changed_at
      FROM sink_inbox ORDER BY sink;
    """

  // The key's number and the expiry of a message's tokens, NULL for none; and whether its copies can be updated after
  // answers.
  static let version6 = """
    ALTER TABLE message ADD COLUMN answer_key INTEGER;
    ALTER TABLE message ADD COLUMN answer_expiry INTEGER;
    ALTER TABLE message ADD COLUMN withdrawable INTEGER NOT NULL DEFAULT 0;
    """

  // Answers, with an index of those of an item or list, and one of a channel's ids to detect duplicates.
  static let version5 = """
    CREATE TABLE answer (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      reminder_uuid BLOB NOT NULL,
      ring_uuid BLOB NOT NULL,
      owner_is_list INTEGER NOT NULL,
      owner_id INTEGER NOT NULL,
      wall_time INTEGER NOT NULL,
      lead_days INTEGER NOT NULL,
      lead_minutes INTEGER NOT NULL,
      list TEXT NOT NULL,
      text TEXT NOT NULL,
      action TEXT NOT NULL,
      operation TEXT NOT NULL,
      person INTEGER NOT NULL,
      channel TEXT NOT NULL,
      external_id TEXT,
      given_at INTEGER NOT NULL,
      effect INTEGER NOT NULL,
      reply TEXT NOT NULL,
      snooze_uuid BLOB,
      taken_back_at INTEGER,
      image TEXT,
      unknown TEXT
    );
    CREATE INDEX answer_owner ON answer (owner_is_list, owner_id);
    CREATE INDEX answer_external ON answer (channel, external_id) WHERE external_id IS NOT NULL;
    CREATE INDEX answer_given ON answer (given_at);

    CREATE VIEW answers AS
      SELECT id, strftime('%Y-%m-%dT%H:%M:%SZ', given_at, 'unixepoch') AS at,
        CASE owner_is_list WHEN 0 THEN owner_id END AS item_id, list, text, action, operation AS "do", channel,
        CASE effect WHEN 0 THEN 'done' WHEN 1 THEN 'already' WHEN 2 THEN 'gone' ELSE 'refused' END AS effect,
        strftime('%Y-%m-%dT%H:%M:%SZ', taken_back_at, 'unixepoch') AS taken_back_at
      FROM answer ORDER BY id DESC;
    """

  // The fields of files that Belfry does not know: a JSON object, NULL for none. Those of the file itself are in `meta`.
  static let version4 = """
    ALTER TABLE list ADD COLUMN unknown TEXT;
    ALTER TABLE list ADD COLUMN remind_unknown TEXT;
    ALTER TABLE item ADD COLUMN unknown TEXT;
    ALTER TABLE reminder ADD COLUMN unknown TEXT;
    ALTER TABLE message ADD COLUMN unknown TEXT;
    ALTER TABLE delivery ADD COLUMN unknown TEXT;
    """

  // Every attempt; the sinks that are failing; the domain of message IDs; and an index of the reminders that are not
  // scheduled by their identifiers. An index of the scheduled ones would make each new reminder write to a random page.
  static let version3 = """
    CREATE TABLE attempt (
      delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
      serial INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      outcome INTEGER NOT NULL,
      words TEXT,
      PRIMARY KEY (delivery_id, serial)
    ) WITHOUT ROWID;

    CREATE TABLE sink_problem (
      sink TEXT PRIMARY KEY,
      kind INTEGER NOT NULL,
      since INTEGER NOT NULL,
      reason TEXT NOT NULL
    ) WITHOUT ROWID;

    ALTER TABLE message ADD COLUMN domain TEXT;

    CREATE INDEX reminder_rung ON reminder (uuid) WHERE state <> 0;

    CREATE VIEW attempts AS
      SELECT delivery.id AS delivery_id, delivery.sink, delivery.recipient,
        strftime('%Y-%m-%dT%H:%M:%SZ', attempt.started_at, 'unixepoch') AS started_at,
        CASE attempt.outcome WHEN 0 THEN 'delivered' WHEN 1 THEN 'later' WHEN 2 THEN 'refused' ELSE 'unknown' END
          AS outcome,
        attempt.words
      FROM attempt JOIN delivery ON delivery.id = attempt.delivery_id
      ORDER BY attempt.delivery_id, attempt.serial;

    CREATE VIEW sink_problems AS
      SELECT sink, CASE kind WHEN 0 THEN 'paused' ELSE 'needs_attention' END AS kind,
        strftime('%Y-%m-%dT%H:%M:%SZ', since, 'unixepoch') AS since, reason
      FROM sink_problem ORDER BY sink;
    """

  // An item's properties from other programs, as a JSON array of texts.
  static let version2 = "ALTER TABLE item ADD COLUMN properties TEXT;"

  // Instants are seconds since 1970, wall-clock times minutes since 1970-01-01T00:00 on their zone's clock. Identifiers
  // are 16-byte blobs. Zero takes no space in a row, so common values are 0 or NULL. A reminder's key is its
  // occurrence, so the table is one clustered tree filled in order, not at random. The index `reminder_due`
  // has the order of the due query, which reads each row too, for `state` and `unknown`.
  static let version1 = """
    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value NOT NULL
    ) WITHOUT ROWID;
    INSERT INTO meta VALUES ('next_item_id', 0), ('next_list_id', 1);

    CREATE TABLE list (
      id INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL UNIQUE,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      remind_local INTEGER,
      remind_at INTEGER,
      remind_zone TEXT,
      remind_repeat TEXT,
      remind_repeat_start INTEGER,
      remind_message TEXT,
      remind_category TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    );

    CREATE TABLE item (
      id INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL,
      list_id INTEGER NOT NULL REFERENCES list (id),
      position INTEGER NOT NULL,
      text TEXT NOT NULL,
      notes TEXT,
      is_checked INTEGER NOT NULL,
      due_local INTEGER,
      due_at INTEGER,
      time_zone TEXT,
      should_remind INTEGER NOT NULL,
      alerts TEXT,
      repeat TEXT,
      repeat_start INTEGER,
      repeat_from_done INTEGER,
      last_checked_due INTEGER,
      last_checked_start INTEGER,
      nag TEXT,
      category TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      checked_at INTEGER
    );
    CREATE UNIQUE INDEX item_uuid ON item (uuid);
    CREATE INDEX item_place ON item (list_id, is_checked, position);
    CREATE INDEX item_repeating ON item (id) WHERE repeat IS NOT NULL;
    CREATE INDEX item_open ON item (due_at, list_id, position) WHERE is_checked = 0;

    CREATE TABLE reminder (
      owner_is_list INTEGER NOT NULL,
      owner_id INTEGER NOT NULL,
      wall_time INTEGER NOT NULL,
      lead_days INTEGER NOT NULL,
      lead_minutes INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      serial INTEGER NOT NULL,
      uuid BLOB NOT NULL,
      fire_date INTEGER NOT NULL,
      state INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial)
    ) WITHOUT ROWID;
    CREATE INDEX reminder_due ON reminder (
      fire_date, owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial, uuid, changed_at
    ) WHERE state = 0;
    CREATE INDEX reminder_ended ON reminder (changed_at) WHERE state <> 0;

    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL UNIQUE,
      sink TEXT NOT NULL,
      contents TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE TABLE message_owner (
      owner_is_list INTEGER NOT NULL,
      owner_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
      PRIMARY KEY (owner_is_list, owner_id, message_id)
    ) WITHOUT ROWID;
    CREATE INDEX message_owner_message ON message_owner (message_id);

    CREATE TABLE delivery (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
      sink TEXT NOT NULL,
      recipient TEXT,
      fire_date INTEGER NOT NULL,
      state INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      permitted_from INTEGER NOT NULL,
      next_attempt_at REAL,
      last_attempt_at INTEGER,
      closed_at INTEGER,
      last_error TEXT
    );
    CREATE INDEX delivery_message ON delivery (message_id);
    CREATE INDEX delivery_next ON delivery (sink, next_attempt_at, id) WHERE state = 0;
    CREATE INDEX delivery_closed ON delivery (closed_at) WHERE state <> 0;

    CREATE VIEW items AS
      SELECT item.id, list.name AS list, item.text, item.notes, item.is_checked,
        strftime('%Y-%m-%dT%H:%M', item.due_local * 60, 'unixepoch') AS due_local,
        strftime('%Y-%m-%dT%H:%M:%SZ', item.due_at, 'unixepoch') AS due_date,
        coalesce(item.time_zone, 'floating') AS time_zone, item.should_remind, item.category
      FROM item JOIN list ON list.id = item.list_id;

    CREATE VIEW overdue AS
      SELECT items.* FROM items JOIN item USING (id)
      WHERE item.is_checked = 0 AND item.due_at < CAST(strftime('%s', 'now') AS INTEGER);

    CREATE VIEW pending AS
      SELECT strftime('%Y-%m-%dT%H:%M:%SZ', reminder.fire_date, 'unixepoch') AS fire_date,
        CASE owner_is_list WHEN 0 THEN owner_id END AS item_id,
        coalesce(item_list.name, own_list.name) AS list,
        coalesce(item.text, own_list.remind_message, own_list.name) AS text
      FROM reminder
        LEFT JOIN item ON owner_is_list = 0 AND item.id = owner_id
        LEFT JOIN list AS item_list ON item_list.id = item.list_id
        LEFT JOIN list AS own_list ON owner_is_list = 1 AND own_list.id = owner_id
      WHERE reminder.state = 0 ORDER BY reminder.fire_date;
    """
}
