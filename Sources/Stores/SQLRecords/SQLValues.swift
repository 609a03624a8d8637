import CivilTime
import FoundationEssentials

extension Int64: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.add(number: self) }

  package init(_ cell: SQLCell, column: Int) throws {
    guard case .integer(let value) = cell else { throw StoredValueFault("not a whole number", column) }
    self = value
  }
}

extension Int: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.add(number: Int64(self)) }

  package init(_ cell: SQLCell, column: Int) throws { self = Int(try Int64(cell, column: column)) }
}

extension Bool: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.add(number: self ? 1 : 0) }

  package init(_ cell: SQLCell, column: Int) throws { self = try Int64(cell, column: column) != 0 }
}

extension Double: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.add(.real(self)) }

  package init(_ cell: SQLCell, column: Int) throws {
    switch cell {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: throw StoredValueFault("not a number", column)
    }
  }
}

extension String: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.add(.text(self)) }

  package init(_ cell: SQLCell, column: Int) throws {
    guard case .text(let bytes) = cell else { throw StoredValueFault("not a text", column) }
    self = String(decoding: bytes, as: UTF8.self)
  }
}

extension UUID: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.add(.identity(self)) }

  package init(_ cell: SQLCell, column: Int) throws {
    switch cell {
    case .identity(let value): self = value
    case .bytes(let bytes) where bytes.count == 16: self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    default: throw StoredValueFault("not an identity of 16 bytes", column)
    }
  }
}

extension Array: SQLBindable, SQLColumn where Element == UInt8 {
  package func bind(with binder: inout SQLBinder) { binder.add(.bytes(self)) }

  package init(_ cell: SQLCell, column: Int) throws {
    guard case .bytes(let bytes) = cell else { throw StoredValueFault("not bytes", column) }
    self = Array(bytes)
  }
}

extension Optional: SQLColumn where Wrapped: SQLColumn {
  package init(_ cell: SQLCell, column: Int) throws {
    if case .null = cell { self = nil } else { self = try Wrapped(cell, column: column) }
  }
}

extension Date {
  /// Whole seconds since 1970, the stored form of instants.
  package var stored: Int64 { Int64(timeIntervalSince1970.rounded(.down)) }

  /// The first whole second at or after this instant, as a bound: stored seconds compare with it as with the instant.
  var storedBound: Int64 { Int64(timeIntervalSince1970.rounded(.up)) }

  package init(stored: Int64) { self.init(timeIntervalSince1970: Double(stored)) }
}

extension FireDate {
  /// A fire date from its column.
  init(stored: Int64) throws {
    do {
      self = try FireDate(Date(stored: stored))
    } catch {
      throw StoredValueFault("an invalid fire date: \(error)")
    }
  }
}
