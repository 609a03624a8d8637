extension Schema {
  // The live daemons, by leases of this server's clock; the leader, and the holder of each sink, under terms that grow
  // with each new holder. A holder whose row in `member` is gone holds nothing any more. The names of sinks are
  // separated by U+001F. Rounds of deliveries are counted apart from changes, so that no delivery waits for a user's
  // change.
  static let version9 = """
    CREATE TABLE member (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      host text NOT NULL,
      process bigint NOT NULL,
      machine text NOT NULL,
      version text NOT NULL,
      is_alone boolean NOT NULL,
      since timestamptz NOT NULL DEFAULT clock_timestamp(),
      until timestamptz NOT NULL,
      sinks text NOT NULL DEFAULT '',
      signed text NOT NULL DEFAULT '',
      config text NOT NULL DEFAULT '',
      keys text NOT NULL DEFAULT ''
    ) WITH (fillfactor = 10);

    CREATE TABLE leader (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      term bigint NOT NULL,
      member bigint,
      config text NOT NULL DEFAULT ''
    ) WITH (fillfactor = 10);
    INSERT INTO leader (term) VALUES (0);

    CREATE TABLE sink_lease (
      sink text COLLATE "C" PRIMARY KEY,
      member bigint,
      term bigint NOT NULL,
      free_since timestamptz
    ) WITH (fillfactor = 10);

    CREATE TABLE round (
      number bigint PRIMARY KEY,
      changes bigint NOT NULL
    ) WITH (fillfactor = 10);
    INSERT INTO round SELECT number, 0 FROM generate_series(0, 15) AS number;

    ALTER TABLE delivery ADD COLUMN begun_term bigint;
    """
}
