import BelfryEngine
import BelfryModel
import FoundationEssentials

extension SQLTransaction {
  package func begin(_ deliveries: [Int64], at now: Date) throws -> DeliveryBegins {
    guard let sql = dialect.beginning else {
      let begun = try deliveries.filter { try isAttemptable($0, at: now) }
      return Dictionary(begun.map { ($0, 0) }) { first, _ in first }
    }
    let ids = deliveries.map(String.init).joined(separator: ",")
    let begun = try rows(sql, ids, now.stored, now.timeIntervalSince1970) { row in
      try (row.at(0) as Int64, row.at(1) as Int64)
    }
    return Dictionary(begun) { first, _ in first }
  }

  package func holding(_ begins: DeliveryBegins) throws -> Set<Int64> {
    guard let sql = dialect.holding, !begins.isEmpty else { return Set(begins.keys) }
    return try holding(begins, by: sql)
  }

  /// As ``holding(_:)``, by a query that binds the same values as ``SQLDialect/holding``.
  package func holding(_ begins: DeliveryBegins, by sql: String) throws -> Set<Int64> {
    let (ids, terms) = (begins.keys.map { "\($0)" }, begins.values.map { "\($0)" })
    return Set(
      try rows(sql, ids.joined(separator: ","), terms.joined(separator: ",")) { try $0.at(0) as Int64 })
  }

  package func lead() throws {
    guard let sql = dialect.leading, try firstRow(sql, make: { _ in true }) == nil else { return }
    throw NoLongerLeads()
  }

  package func attemptable(_ ids: [Int64], at now: Date) throws -> Set<Int64> {
    guard let sql = dialect.attemptable else { return Set(try ids.filter { try isAttemptable($0, at: now) }) }
    let list = ids.map(String.init).joined(separator: ",")
    return Set(try rows(sql, list, now.timeIntervalSince1970) { try $0.at(0) as Int64 })
  }

  package func begunDeliveries() throws -> Set<Int64>? {
    try dialect.begun.map { Set(try rows($0) { try $0.at(0) as Int64 }) }
  }
}
