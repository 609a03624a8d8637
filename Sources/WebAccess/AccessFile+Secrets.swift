import Digests
import SQLRecords
import SQLiteStore

extension AccessFile {
  /// The key by which a server knows again what it handed out, such as the places of pages; made at its first use.
  ///
  /// - Returns: 32 random bytes, the same until the file is made anew.
  package func sealingKey() throws -> [UInt8] {
    let secret = try write { database in
      let insert = "INSERT INTO secret VALUES ('seal', ?) ON CONFLICT DO NOTHING"
      try database.statement(insert).run(AccessSecret.make()) { _ in }
      return try database.statement("SELECT value FROM secret WHERE name = 'seal'").first { row -> String in
        try row.at(0)
      }
    }
    return HKDFSHA256.key(from: Array((secret ?? "").utf8), info: "belfry seal")
  }
}
