import Foundation

/// The `sqlite3` shell on tables like Belfry's, to show what Belfry adds to the cost.
struct SQLiteShell: Peer {
  static let name = "sqlite3 shell"
  var name: String { Self.name }
  let settings = "an items and a reminders table, indexed by date; WAL, synchronous=FULL, no checkpoint at the end"
  let mostItems = 1_000_000
  private let program: String

  // Belfry's tables have further columns, but the same commands touch the same tables and indexes.
  private static let schema = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE item (
      id INTEGER PRIMARY KEY AUTOINCREMENT, list_id INTEGER NOT NULL REFERENCES list (id), position INTEGER NOT NULL,
      text TEXT NOT NULL, is_checked INTEGER NOT NULL, due_at INTEGER);
    CREATE INDEX item_place ON item (list_id, position);
    CREATE INDEX item_open ON item (due_at, list_id, position) WHERE is_checked = 0;
    CREATE TABLE reminder (item_id INTEGER PRIMARY KEY REFERENCES item (id), fire_date INTEGER NOT NULL);
    CREATE INDEX reminder_due ON reminder (fire_date);
    INSERT INTO list VALUES (1, 'Inbox');
    """

  init() throws { program = try Surroundings.program("sqlite3", package: "sqlite3") }

  var startUp: Command? { command(["--version"], in: "/nonexistent") }

  func version() throws -> String {
    try command(["--version"], in: "/nonexistent").output().prefix { !$0.isWhitespace }.description
  }

  func prepare(_ items: SampleItems, in folder: String) throws {
    let rows = """
      BEGIN;
      WITH RECURSIVE place (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM place WHERE n < \(items.count))
      INSERT INTO item SELECT n, 1, n, 'Item ' || n, 0, \(items.start) + (n - 1) * 60 FROM place;
      INSERT INTO reminder SELECT id, due_at FROM item;
      COMMIT;
      """
    _ = try command([Self.database(folder), Self.schema + rows], in: folder).output()
  }

  func addOne(in folder: String) -> Command? {
    let due = "CAST(strftime('%s', '\(SampleItems.addedDue)') AS INTEGER)"
    return statement(
      """
      PRAGMA synchronous = FULL;
      BEGIN IMMEDIATE;
      INSERT INTO item (list_id, position, text, is_checked, due_at)
        SELECT 1, max(position) + 1, '\(SampleItems.addedText)', 0, \(due) FROM item WHERE list_id = 1;
      INSERT INTO reminder VALUES (last_insert_rowid(), \(due));
      COMMIT;
      """, in: folder)
  }

  func showNext(in folder: String) -> Command? {
    statement(
      """
      SELECT item.id, datetime(due_at, 'unixepoch', 'localtime'), text, name FROM item JOIN list ON list.id = list_id
      WHERE is_checked = 0 AND due_at IS NOT NULL ORDER BY due_at, list_id, position LIMIT 20;
      """, in: folder)
  }

  func checkOne(_ number: Int, in folder: String) -> Command? {
    statement(
      """
      PRAGMA synchronous = FULL;
      BEGIN IMMEDIATE;
      UPDATE item SET is_checked = 1 WHERE id = \(number);
      DELETE FROM reminder WHERE item_id = \(number);
      COMMIT;
      """, in: folder)
  }

  /// The command that shows the 20 reminders that ring next.
  func showPending(in folder: String) -> Command {
    statement(
      """
      SELECT datetime(fire_date, 'unixepoch', 'localtime'), item.id, text, name
      FROM reminder JOIN item ON item.id = item_id JOIN list ON list.id = list_id ORDER BY fire_date LIMIT 20;
      """, in: folder)
  }

  func count(in folder: String) throws -> Int {
    let output = try command([Self.database(folder), "SELECT count(*) FROM item"], in: folder).output()
    return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
  }

  private static func database(_ folder: String) -> String { "\(folder)/items.sqlite" }

  // As Belfry does: otherwise the shell moves the whole log into the database whenever it ends.
  private func statement(_ sql: String, in folder: String) -> Command {
    command(["-cmd", ".dbconfig no_ckpt_on_close on", Self.database(folder), sql], in: folder)
  }

  private func command(_ arguments: [String], in folder: String) -> Command {
    Command(program: program, arguments: arguments, environment: Surroundings.variables(home: folder))
  }
}
