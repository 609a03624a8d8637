import BelfryCore
import Foundation
import GRDB

/// The store as one transaction sees it.
struct SQLiteTransaction: StoreTransaction {
  let database: Database

  func execute(_ sql: String, _ arguments: SQLArguments = []) throws {
    try forEachRow(sql, arguments) { _ in }
  }

  func forEachRow(_ sql: String, _ arguments: SQLArguments = [], _ body: (SQLRow) throws -> Void) throws {
    try SQLStatement(sql, arguments, in: database).run(body)
  }

  func rows<Element>(
    _ sql: String, _ arguments: SQLArguments = [], _ make: (SQLRow) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEachRow(sql, arguments) { elements.append(try make($0)) }
    return elements
  }

  func firstRow<Element>(
    _ sql: String, _ arguments: SQLArguments = [], _ make: (SQLRow) throws -> Element
  ) throws -> Element? {
    try SQLStatement(sql, arguments, in: database).first(make)
  }

  func integer(_ sql: String, _ arguments: SQLArguments = []) throws -> Int64 {
    try firstRow(sql, arguments) { try $0.at(0) as Int64 } ?? 0
  }

  // MARK: Zone

  func plannedZone() throws -> String? {
    try firstRow("SELECT value FROM meta WHERE key = 'zone'") { try $0.at(0) }
  }

  func setPlannedZone(_ identifier: String) throws {
    try execute(
      "INSERT INTO meta VALUES ('zone', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [identifier])
  }

  // MARK: Numbers

  /// The next number of a counter, which it never gives again.
  func nextNumber(_ counter: String) throws -> Int64 {
    let number = max(1, try integer("SELECT value FROM meta WHERE key = ?", [counter]))
    try execute("UPDATE meta SET value = ? WHERE key = ?", [number + 1, counter])
    return number
  }

  /// Keeps a counter ahead of a number that came from elsewhere.
  func reserve(_ number: Int64, _ counter: String) throws {
    try execute("UPDATE meta SET value = max(value, ?) WHERE key = ?", [number + 1, counter])
  }
}

extension ReminderOwner {
  var isList: Bool {
    if case .list = self { true } else { false }
  }

  var number: Int64 {
    switch self {
    case .item(let id), .list(let id): id
    }
  }

  init(isList: Bool, number: Int64) { self = isList ? .list(number) : .item(number) }
}
