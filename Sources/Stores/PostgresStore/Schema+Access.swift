/// The access tables of the web face.
extension Schema {
  // The columns are those of the access file that other stores use. `spent` holds used one-time values; `failure`
  // counts the wrong secrets of a minute by kind and address, and keeps only digests of them.
  static let access = """
    CREATE TABLE access (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest text COLLATE "C" NOT NULL UNIQUE,
      kind text COLLATE "C" NOT NULL,
      name text COLLATE "C",
      person text,
      scope text NOT NULL,
      lists text NOT NULL,
      made_at bigint NOT NULL,
      last_used_at bigint,
      expires_at bigint,
      maker bigint
    );
    CREATE UNIQUE INDEX access_name ON access (name) WHERE kind = 'token';

    CREATE TABLE destination (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest text COLLATE "C" NOT NULL UNIQUE,
      reminder text NOT NULL,
      action bigint,
      person text,
      expires_at bigint NOT NULL
    );

    CREATE TABLE failure (
      digest text COLLATE "C" PRIMARY KEY,
      minute bigint NOT NULL,
      count bigint NOT NULL
    );

    CREATE TABLE kept_reply (
      digest text COLLATE "C" PRIMARY KEY,
      request text NOT NULL,
      began_at bigint NOT NULL,
      status bigint,
      fields text,
      body text
    );
    CREATE INDEX kept_reply_began ON kept_reply (began_at);

    CREATE TABLE passkey (
      id bigint PRIMARY KEY,
      credential text NOT NULL,
      key text NOT NULL,
      counter bigint NOT NULL
    );

    CREATE TABLE paused_link (
      digest text COLLATE "C" PRIMARY KEY,
      ends_at bigint NOT NULL
    );

    CREATE TABLE secret (
      name text COLLATE "C" PRIMARY KEY,
      value text NOT NULL
    );

    CREATE TABLE spent (
      digest text COLLATE "C" PRIMARY KEY,
      ends_at bigint NOT NULL
    );
    """
}
