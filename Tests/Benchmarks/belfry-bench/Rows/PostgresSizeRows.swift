import Foundation

/// The rows of a store on a database server with very many items, each beside one with a tenth of them.
struct PostgresSizeRows {
  private static let connections = 16
  // Far enough apart for the reminders of a round.
  private static let minute = 60

  let shared: SharedStores
  private let start = SampleItems(count: 1).start

  init(shared: SharedStores) { self.shared = shared }

  func measure() throws -> [Row] {
    for size in sizes { try prepare(size) }
    return try due() + claims() + [adds(), show()]
  }

  private var bench: BenchRun { shared.bench }
  private var server: DatabaseServer { shared.server }
  private var sizes: [Int] { [bench.scale.shared.items / 10, bench.scale.shared.items] }

  private func database(_ size: Int) -> String { "sized_\(size)" }
  private func folder(_ size: Int) throws -> String { try bench.scratch.folder("shared-\(size)") }
  private func words(_ size: Int) -> String { "\(Figure.grouped(size)) items on PostgreSQL" }

  // Belfry makes the tables and the first item; the server makes all others like it.
  private func prepare(_ size: Int) throws {
    Progress.tell("PostgreSQL: preparing \(Figure.grouped(size)) items …")
    let (name, folder) = (database(size), try folder(size))
    try server.run("CREATE DATABASE \(name)")
    try shared.configure(folder, database: name, "sinks: { peer: { type: stdout, host: \"\(Self.host)\" } }\n")
    try bench.belfry.add(["Item 1"], due: start, in: folder)
    try server.run(
      """
      SET search_path TO belfry;
      INSERT INTO item (id, uuid, list_id, position, text, is_checked, due_local, due_at, should_remind, created_at,
        updated_at)
      SELECT number, gen_random_uuid(), list_id, number, 'Item ' || number, is_checked, due_local + number - 1,
        due_at + (number - 1) * \(Self.minute), should_remind, created_at, updated_at
      FROM item, generate_series(2, \(size)) AS number;
      INSERT INTO reminder (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial, uuid, fire_date,
        state, changed_at)
      SELECT false, id, due_local, 0, 0, 0, 0, gen_random_uuid(), due_at, 0, created_at FROM item WHERE id > 1;
      UPDATE store SET next_item_id = \(size + 1), changes = changes + 1;
      """, in: name)
    try server.run("VACUUM ANALYZE", in: name)
    try server.run("CHECKPOINT")
    let found = try server.number("SELECT count(*) FROM belfry.pending", in: name)
    guard found == Double(size) else { throw BenchmarkError("\(name) has \(found) reminders") }
  }

  private func due() throws -> [Row] {
    let times = "50"
    let measured = try bench.contest(
      "due query on PostgreSQL",
      sizes.flatMap { size in
        let url = server.url(database(size))
        return [
          Entrant(peer: Belfry.name, items: size) { _ in
            try LimitPrograms.number(bench.limits.probe(["due", url, "100", times]))
          },
          Entrant(peer: PostgresRows.libpq, items: size) { _ in
            try LimitPrograms.number(bench.limits.command(["share-due", url, "100", times]))
          },
        ]
      }, rounds: 10)
    return pair("postgres-due", "due query, 100", measured) { $0.hold(to: PostgresRows.libpq, atMost: 2) }
  }

  // Each round has the clock later, and claims what is due since.
  private func claims() throws -> [Row] {
    let count = bench.scale.shared.claimed
    let measured = try bench.contest(
      "claims on PostgreSQL",
      sizes.map { size in
        Entrant(peer: Belfry.name, items: size) { round in
          let before = try delivered(size)
          var command = bench.belfry.daemon(in: try folder(size), ["--once"])
          // The reminder of the last second of a round is due, and that of the next minute is not.
          let end = Double(start + (Int(before) + count) * Self.minute - Self.minute / 2)
          command.environment.merge(try ShiftedClock.variables(ahead: end - Clock.wall)) { $1 }
          let cost = try command.measured()
          let found = try delivered(size) - before
          guard found == Double(count) else {
            throw BenchmarkError("of \(count) reminders that were due, \(found) were delivered")
          }
          return cost.wall
        }
      }, rounds: 5)
    return pair(
      "postgres-claim", "a tick of \(Figure.grouped(count)) to stdout, daemon's start included (libfaketime)", measured)
  }

  private func delivered(_ size: Int) throws -> Double {
    try server.number("SELECT count(*) FROM belfry.delivery WHERE state = 1", in: database(size))
  }

  private func pair(
    _ key: String, _ what: String, _ measured: [Entrant], _ hold: (inout Row) -> Void = { _ in }
  ) -> [Row] {
    var rows = sizes.map { size in
      var row = Row("\(key)-\(size)", "\(what), of \(words(size))", measured.filter { $0.items == size })
      hold(&row)
      return row
    }
    rows[1].hold(within: 0.25, of: rows[0], words(sizes[0]))
    return rows
  }

  private func adds() throws -> Row {
    let (count, original) = (bench.scale.shared.adds, "empty")
    let folder = try bench.scratch.folder("shared-\(original)")
    try server.run("CREATE DATABASE \(original)")
    try shared.configure(folder, database: original, "")
    try bench.belfry.add(["Item 1"], due: start, in: folder)
    let script = "\(folder)/add.sql"
    try Self.script.write(toFile: script, atomically: false, encoding: .utf8)
    let connections = "\(Self.connections)"
    func expect(_ name: String) throws {
      let found = try server.number(
        "SELECT count(*) FROM belfry.item JOIN belfry.reminder ON owner_id = id AND state = 0", in: name)
      guard found == Double(count + 1) else { throw BenchmarkError("of \(count) items \(found - 1) were added") }
    }
    let entrants = [
      Entrant(peer: Belfry.name) { _ in
        try server.copy(original, as: "added")
        let seconds = try LimitPrograms.number(
          bench.limits.probe(["insert", server.url("added"), "\(count)", connections]))
        try expect("added")
        return Double(count) / seconds
      },
      Entrant(peer: "pgbench") { _ in
        try server.copy(original, as: "added")
        let command = Command(
          program: try DatabaseServer.program("pgbench"),
          arguments: ["-n", "-M", "prepared", "-c", connections, "-j", "2", "-f", script]
            + ["-t", "\(count / Self.connections)", server.url("added")],
          environment: Surroundings.variables(
            home: folder, ["PGOPTIONS": "-c search_path=belfry -c synchronous_commit=on"]))
        let output = try command.output()
        try expect("added")
        guard let start = output.range(of: "tps = ")?.upperBound,
          let rate = Double(output[start...].prefix { $0.isNumber || $0 == "." })
        else { throw BenchmarkError("pgbench told no rate: \(output)") }
        return rate
      },
    ]
    var row = Row(
      "postgres-add", "confirmed adds on PostgreSQL over \(connections) open connections", in: .perSecond,
      try bench.contest("adds on PostgreSQL", entrants, rounds: 5))
    row.hold(to: "pgbench", atLeast: 0.6)
    return row
  }

  private func show() throws -> Row {
    let size = sizes[1]
    let (folder, name) = (try folder(size), database(size))
    let sql = "SELECT id, due_date, text, list FROM belfry.items WHERE NOT is_checked ORDER BY due_date, id LIMIT 20"
    let measured = try bench.contest(
      "show on PostgreSQL",
      [
        Entrant(peer: Belfry.name) { [command = bench.belfry.showNext(in: folder)] _ in
          command ?? server.query(sql, in: name)
        },
        Entrant(peer: "psql") { [command = server.query(sql, in: name)] _ in command },
      ])
    var row = Row("postgres-show", "`show -n 20`, \(words(size))", measured)
    row.hold(to: "psql", atMost: 2)
    return row
  }

  static let host = ProcessInfo.processInfo.hostName

  // What `belfry add` runs. A colon before a word would be a variable of pgbench.
  private static let script = """
    BEGIN ISOLATION LEVEL READ COMMITTED;
    SELECT next_item_id AS id FROM store FOR UPDATE \\gset
    SELECT zone FROM store;
    SELECT id AS list, uuid, name, remind_local, remind_at, remind_zone, created_at, updated_at FROM list
      WHERE name_key = 'inbox' \\gset list_
    SELECT coalesce(max(position), 0) + 1 AS place FROM (
      SELECT max(position) AS position FROM item WHERE list_id = :list_list AND is_checked = FALSE
      UNION ALL SELECT max(position) FROM item WHERE list_id = :list_list AND is_checked = TRUE) AS ends \\gset
    INSERT INTO item (id, uuid, list_id, position, text, is_checked, due_local, due_at, should_remind, created_at,
      updated_at)
      VALUES (:id, gen_random_uuid(), :list_list, :place, 'Item', 'f', 35765280 + :id, 2145916800 + 60 * :id, 't', 0, 0);
    INSERT INTO reminder (
      owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial, uuid, fire_date, state, changed_at)
      VALUES ('f', :id, 35765280 + :id, 0, 0, 0, 0, gen_random_uuid(), 2145916800 + 60 * :id, 0, 0)
      ON CONFLICT (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial) DO UPDATE
      SET fire_date = excluded.fire_date, state = excluded.state, changed_at = excluded.changed_at;
    SELECT made_at, content FROM undo WHERE is_redo = TRUE ORDER BY id DESC;
    INSERT INTO undo (id, is_redo, made_at, content) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM undo), 'f', 0,
      '{"version": 2,"command": "add","is_complete": true,"items": [{"id": 1,"before": null,"extra_ringing": [],"after": "0123456789abcdef0123456789abcdef"}],"lists": [],"discarded": []}');
    DELETE FROM undo WHERE id <= (SELECT id FROM undo ORDER BY id DESC LIMIT 1 OFFSET 20);
    UPDATE store SET next_item_id = :id + 1, changes = changes + 1,
      changed_at = extract(epoch FROM clock_timestamp())::bigint;
    COMMIT;
    NOTIFY "belfry";

    """
}
