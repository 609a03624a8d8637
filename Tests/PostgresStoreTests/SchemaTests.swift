import Foundation
import PostgresStore
import TestSupport
import Testing

/// The tables of each version, which other programs read and later versions build upon.
@Suite(.timeLimit(.minutes(5))) struct SchemaTests {
  private static let listing = """
    SELECT format('%s.%s %s%s%s', table_name, column_name, data_type, CASE is_nullable WHEN 'NO' THEN ' NOT NULL' END,
      ' DEFAULT ' || column_default)
    FROM information_schema.columns WHERE table_schema = 'belfry' ORDER BY table_name, ordinal_position;
    SELECT indexdef FROM pg_indexes WHERE schemaname = 'belfry' ORDER BY indexname COLLATE "C";
    SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'belfry'::regnamespace AND contype <> 'n' ORDER BY conname COLLATE "C";
    """

  @Test("the tables of version 5 never change")
  func version5() throws {
    let bench = try TestDatabase()
    try bench.store().addList("here")
    let listing = try bench.server.run(Self.listing)
    let golden = try String(
      contentsOf: Checkout.file("Tests/PostgresStoreTests/Fixtures/version5.txt"), encoding: .utf8)
    #expect(listing + "\n" == golden, "\(listing)")
  }
}
