/// The first versions of the tables, newest first.
extension Schema {
  // The requests of the last day that take effect once: each is on disk together with its effect.
  static let version2 = """
    CREATE TABLE request (
      id text COLLATE "C" PRIMARY KEY,
      done_at bigint NOT NULL
    );
    CREATE INDEX request_done ON request (done_at);
    """

  // Instants are seconds since 1970, wall-clock times minutes since 1970-01-01T00:00 on their zone's clock, so that no
  // setting of a session changes how they read. Texts that are searched or sorted have the collation "C", whatever the
  // database's own is. Texts of any length have hash indexes: a B-tree takes at most a third of a page. The row of
  // `store` is changed with each transaction.
  static let version1 = """
    CREATE TABLE store (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      version integer NOT NULL,
      identity uuid NOT NULL,
      changes bigint NOT NULL DEFAULT 0,
      changed_at bigint,
      next_item_id bigint NOT NULL DEFAULT 0,
      next_list_id bigint NOT NULL DEFAULT 1,
      next_message_id bigint NOT NULL DEFAULT 1,
      next_delivery_id bigint NOT NULL DEFAULT 1,
      next_answer_id bigint NOT NULL DEFAULT 1,
      next_person_number bigint NOT NULL DEFAULT 1,
      zone text,
      unknown text,
      undo_at bigint,
      undo text
    ) WITH (fillfactor = 10);

    CREATE TABLE daemon (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      term bigint NOT NULL,
      host text NOT NULL,
      process bigint NOT NULL,
      is_running boolean NOT NULL
    );

    CREATE TABLE list (
      id bigint PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      remind_local bigint,
      remind_at bigint,
      remind_zone text,
      remind_repeat text,
      remind_repeat_start bigint,
      remind_message text,
      remind_category text,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      unknown text,
      remind_unknown text,
      CONSTRAINT list_name EXCLUDE USING hash (name_key WITH =)
    );

    CREATE TABLE item (
      id bigint PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      list_id bigint NOT NULL REFERENCES list (id),
      position bigint NOT NULL,
      text text NOT NULL,
      notes text,
      is_checked boolean NOT NULL,
      due_local bigint,
      due_at bigint,
      time_zone text,
      should_remind boolean NOT NULL,
      alerts text,
      repeat text,
      repeat_start bigint,
      repeat_from_done boolean,
      last_checked_due bigint,
      last_checked_start bigint,
      nag text,
      category text,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      checked_at bigint,
      properties text,
      unknown text,
      key text COLLATE "C",
      CONSTRAINT item_key EXCLUDE USING hash (key WITH =)
    );
    CREATE INDEX item_place ON item (list_id, is_checked, position, id);
    CREATE INDEX item_repeating ON item (id) WHERE repeat IS NOT NULL;
    CREATE INDEX item_open ON item (due_at, list_id, position) WHERE NOT is_checked;

    CREATE TABLE reminder (
      owner_is_list boolean NOT NULL,
      owner_id bigint NOT NULL,
      wall_time bigint NOT NULL,
      lead_days bigint NOT NULL,
      lead_minutes bigint NOT NULL,
      kind bigint NOT NULL,
      serial bigint NOT NULL,
      uuid uuid NOT NULL,
      fire_date bigint NOT NULL,
      state bigint NOT NULL,
      changed_at bigint NOT NULL,
      unknown text,
      PRIMARY KEY (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial)
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
    CREATE INDEX reminder_due ON reminder (fire_date, owner_is_list, owner_id, wall_time) WHERE state = 0;
    CREATE INDEX reminder_ended ON reminder (changed_at) WHERE state <> 0;
    CREATE INDEX reminder_uuid ON reminder (uuid);

    CREATE TABLE message (
      id bigint PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      sink text NOT NULL,
      contents text NOT NULL,
      created_at bigint NOT NULL,
      domain text,
      answer_key bigint,
      answer_expiry bigint,
      withdrawable boolean NOT NULL DEFAULT false,
      person bigint NOT NULL DEFAULT 0,
      unknown text
    );
    CREATE INDEX message_tokens ON message (id) WHERE answer_key IS NOT NULL;
    CREATE TABLE message_owner (
      owner_is_list boolean NOT NULL,
      owner_id bigint NOT NULL,
      message_id bigint NOT NULL REFERENCES message (id) ON DELETE CASCADE,
      PRIMARY KEY (owner_is_list, owner_id, message_id)
    );
    CREATE INDEX message_owner_message ON message_owner (message_id);

    CREATE TABLE delivery (
      id bigint PRIMARY KEY,
      message_id bigint NOT NULL REFERENCES message (id) ON DELETE CASCADE,
      sink text COLLATE "C" NOT NULL,
      recipient text,
      fire_date bigint NOT NULL,
      state bigint NOT NULL,
      attempts bigint NOT NULL,
      permitted_from bigint NOT NULL,
      next_attempt_at double precision,
      last_attempt_at bigint,
      closed_at bigint,
      last_error text,
      unknown text
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
    CREATE INDEX delivery_message ON delivery (message_id);
    CREATE INDEX delivery_next ON delivery (sink, next_attempt_at, id) WHERE state = 0;
    CREATE INDEX delivery_closed ON delivery (closed_at) WHERE state <> 0;

    CREATE TABLE attempt (
      delivery_id bigint NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
      serial bigint NOT NULL,
      started_at bigint NOT NULL,
      outcome bigint NOT NULL,
      words text,
      PRIMARY KEY (delivery_id, serial)
    );

    CREATE TABLE answer (
      id bigint PRIMARY KEY,
      reminder_uuid uuid NOT NULL,
      ring_uuid uuid NOT NULL,
      owner_is_list boolean NOT NULL,
      owner_id bigint NOT NULL,
      wall_time bigint NOT NULL,
      lead_days bigint NOT NULL,
      lead_minutes bigint NOT NULL,
      list text NOT NULL,
      text text NOT NULL,
      action text NOT NULL,
      operation text NOT NULL,
      person bigint NOT NULL,
      channel text NOT NULL,
      external_id text COLLATE "C",
      given_at bigint NOT NULL,
      effect bigint NOT NULL,
      reply text NOT NULL,
      snooze_uuid uuid,
      taken_back_at bigint,
      image text,
      unknown text
    );
    CREATE INDEX answer_owner ON answer (owner_is_list, owner_id);
    CREATE INDEX answer_external ON answer USING hash (external_id);
    CREATE INDEX answer_given ON answer (given_at);

    CREATE TABLE sink_problem (
      sink text COLLATE "C" PRIMARY KEY,
      kind bigint NOT NULL,
      since bigint NOT NULL,
      reason text NOT NULL
    );

    CREATE TABLE sink_inbox (
      sink text COLLATE "C" PRIMARY KEY,
      position text,
      problem text,
      changed_at bigint NOT NULL,
      unknown text,
      needs_attention boolean NOT NULL
    );

    CREATE TABLE person (
      number bigint PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      unknown text,
      CONSTRAINT person_name EXCLUDE USING hash (name WITH =)
    );

    CREATE VIEW items AS
      SELECT item.id, list.name AS list, item.text, item.notes, item.is_checked,
        timestamp '1970-01-01' + item.due_local * interval '1 minute' AS due_local,
        to_timestamp(item.due_at) AS due_date, coalesce(item.time_zone, 'floating') AS time_zone, item.should_remind,
        item.category
      FROM item JOIN list ON list.id = item.list_id;

    CREATE VIEW overdue AS SELECT * FROM items WHERE NOT is_checked AND due_date < now();

    CREATE VIEW pending AS
      SELECT to_timestamp(reminder.fire_date) AS fire_date, CASE WHEN NOT owner_is_list THEN owner_id END AS item_id,
        coalesce(item_list.name, own_list.name) AS list,
        coalesce(item.text, own_list.remind_message, own_list.name) AS text
      FROM reminder
        LEFT JOIN item ON NOT owner_is_list AND item.id = owner_id
        LEFT JOIN list AS item_list ON item_list.id = item.list_id
        LEFT JOIN list AS own_list ON owner_is_list AND own_list.id = owner_id
      WHERE reminder.state = 0 ORDER BY reminder.fire_date;
    """
}
