import BelfryEngine
import BelfryModel
import Foundation
import TestSupport
import Testing

@testable import PostgresStore

/// The tables of each version, which other programs read and later versions build upon.
@Suite struct SchemaTests {
  private static let listing = """
    SELECT format('%s.%s %s%s%s', table_name, column_name, data_type, CASE is_nullable WHEN 'NO' THEN ' NOT NULL' END,
      ' DEFAULT ' || column_default)
    FROM information_schema.columns WHERE table_schema = 'belfry' ORDER BY table_name, ordinal_position;
    SELECT indexdef FROM pg_indexes WHERE schemaname = 'belfry' ORDER BY indexname COLLATE "C";
    SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'belfry'::regnamespace AND contype <> 'n' ORDER BY conname COLLATE "C";
    """

  private func expectTables(ofVersion version: Int, in database: TestDatabase) throws {
    let listing = try database.server.run(Self.listing)
    let golden = try String(
      contentsOf: Checkout.file("Tests/PostgresStoreTests/Fixtures/version\(version).txt"), encoding: .utf8)
    #expect(listing + "\n" == golden, "\(listing)")
  }

  @Test("the tables of version 10 never change")
  func version10() throws {
    let database = try TestDatabase()
    try database.store().addList("here")
    try expectTables(ofVersion: 10, in: database)
  }

  @Test("the tables of version 2 never change; the first use, be it to read, makes those of today of them")
  func version2() throws {
    for isRead in [true, false] {
      let database = try TestDatabase()
      let tables = Schema.migrations.prefix(2).joined(separator: ";\n")
      try database.server.run(
        """
        CREATE SCHEMA belfry;
        SET search_path TO belfry;
        \(tables);
        INSERT INTO store (version, identity, next_list_id) VALUES (2, gen_random_uuid(), 2);
        INSERT INTO list (id, uuid, name, name_key, created_at, updated_at)
          VALUES (1, gen_random_uuid(), 'kept', 'kept', 0, 0);
        INSERT INTO item (id, uuid, list_id, position, text, is_checked, should_remind, properties, created_at, updated_at)
          VALUES (1, gen_random_uuid(), 1, 1, 'old', false, false, '["CATEGORIES:at home,pay","PRIORITY:2","X-A:1"]', 0, 0);
        """)
      try expectTables(ofVersion: 2, in: database)
      let store = database.store()
      if !isRead { try store.addList("new") }
      #expect(try store.listNames == (isRead ? ["kept"] : ["kept", "new"]))
      let item = try #require(try store.read { try $0.items() }.first)
      #expect(item.tags == (try ItemTags(["pay"])) && item.priority == ItemPriority(number: 2))
      #expect(item.properties == ["CATEGORIES:at home", "X-A:1"])
      try expectTables(ofVersion: 10, in: database)
      #expect(try database.server.run("SELECT version FROM belfry.store") == "10")
    }
  }
}
