import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import PostgresStore
import TestSupport
import Testing

/// Changes of the content by the server, the database or somebody with psql.
@Suite struct PostgresContentTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase() }

  @Test("a NUL is refused with the name of what it stands in")
  func nul() throws {
    let store = database.store()
    try store.addList("here")
    let inText = try #require(throws: BelfryError.self) {
      try store.write { _ = try $0.addSampleItem("a\u{0}b", to: 1) }
    }
    #expect(inText.kind == .badInput)
    #expect(inText.message.contains("item, 'text'"), "\(inText)")
    let inNotes = try #require(throws: BelfryError.self) {
      try store.write { transaction in
        var item = try transaction.addSampleItem("fine", to: 1)
        item.notes = "\u{0}"
        try transaction.update(item)
      }
    }
    #expect(inNotes.message.contains("item, 'notes'"), "\(inNotes)")
    #expect(try store.read { try $0.items() } == [])
  }

  @Test("settings of the role and the database change nothing that is read", arguments: [false, true])
  func settings(behindPooler: Bool) throws {
    try database.server.run(
      """
      CREATE DATABASE strange LOCALE_PROVIDER icu ICU_LOCALE 'de-u-ks-level1' LOCALE 'C.UTF-8' ENCODING 'UTF8'
        TEMPLATE template0;
      ALTER ROLE belfry SET TimeZone = 'Asia/Kathmandu';
      ALTER ROLE belfry SET DateStyle = 'SQL, DMY';
      ALTER ROLE belfry SET IntervalStyle = 'sql_standard';
      ALTER ROLE belfry SET extra_float_digits = -10;
      ALTER ROLE belfry SET standard_conforming_strings = off;
      ALTER ROLE belfry SET client_encoding = 'LATIN1';
      ALTER ROLE belfry SET search_path = 'pg_catalog';
      ALTER ROLE belfry SET default_transaction_isolation = 'serializable';
      ALTER ROLE belfry SET synchronous_commit = off;
      ALTER ROLE belfry SET bytea_output = 'escape';
      ALTER ROLE belfry SET row_security = off;
      ALTER ROLE belfry SET statement_timeout = '1s';
      ALTER ROLE belfry SET lock_timeout = '1ms';
      ALTER ROLE belfry SET idle_in_transaction_session_timeout = '1s';
      ALTER ROLE belfry SET transform_null_equals = on;
      ALTER ROLE belfry SET array_nulls = off;
      ALTER ROLE belfry SET quote_all_identifiers = on;
      ALTER ROLE belfry SET plan_cache_mode = force_generic_plan;
      """)
    let pooler = try behindPooler ? PgBouncer(to: database.server, .transaction) : nil
    let url = database.server.url(database: "strange", through: pooler)
    let store = database.store(url, pollsOnly: behindPooler)
    let everything = try Sample.everythingWithUnknownFields()
    try store.write { transaction in
      for record in everything { try transaction.restore(record) }
    }
    #expect(try RecordSet(database.store(url, pollsOnly: behindPooler).records()) == RecordSet(everything))
    // A change that takes longer than the role allows statements, locks and idle transactions.
    try database.server.run(
      """
      SET statement_timeout = 0;
      SET lock_timeout = 0;
      CREATE FUNCTION belfry.dawdle() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(1.2); RETURN NEW; END';
      CREATE TRIGGER dawdle BEFORE INSERT ON belfry.list FOR EACH ROW EXECUTE FUNCTION belfry.dawdle();
      """, database: "strange")
    try store.write { transaction in
      try transaction.addSampleList("slow")
      poll(nil, 0, 1_100)
      try transaction.addSampleList("slower")
    }
    #expect(try store.listNames.suffix(2) == ["slow", "slower"])
  }

  @Test("a row that was damaged by hand is told with its place, and the others are read")
  func damagedRow() throws {
    let store = database.store()
    try store.write { transaction in
      try transaction.addSampleList()
      for text in ["good", "bad", "good too"] { try transaction.addSampleItem(text, to: 1) }
    }
    try database.server.run("UPDATE belfry.item SET repeat = 'FREQ=NEVER' WHERE text = 'bad'")
    let found = try #require(throws: BelfryError.self) { _ = try store.read { try $0.items() } }
    #expect(found.kind == .storeFailed)
    #expect(found.message.contains("table item, row 2: an invalid rule: 'FREQ=NEVER'"), "\(found)")
    var leftOut: [String] = []
    let texts = try store.read { view in
      try view.readingPastFaults({ leftOut.append($0.message) }) { try view.items().map(\.text) }
    }
    #expect(texts == ["good", "good too"])
    #expect(leftOut.count == 1)
  }

  @Test("a missing table and a row without its parent are found")
  func damage() throws {
    let store = database.store()
    try store.write { transaction in
      try transaction.addSampleList()
      try transaction.addSampleItem(to: 1)
    }
    #expect(try store.damage() == [])
    try database.server.run("SET session_replication_role = replica; DELETE FROM belfry.list")
    #expect(try store.damage() == ["a row of the table item refers to row 1, which is not in list"])
    try database.server.run("DROP TABLE belfry.attempt")
    #expect(try store.damage() == ["there is no table or view attempt"])
  }

  @Test("the version, the size and the last write are known")
  func info() throws {
    let store = database.store()
    #expect(try store.info() == StoreInfo())
    try store.addList("here")
    let info = try store.info()
    #expect(info.version == 10)
    #expect(info.sizeBytes > 100_000)
    #expect(info.lastWrite != nil)
  }
}
