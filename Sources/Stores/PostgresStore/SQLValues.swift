import BelfryModel
import CivilTime
import FoundationEssentials

/// A type that can be read from a column.
protocol SQLColumn {
  /// Reads a value from its text; `nil` for NULL.
  ///
  /// - Throws: ``StoredValueFault`` for a value of another type.
  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws
}

extension Int64: SQLBindable, SQLColumn {
  func bind(with binder: inout SQLBinder) throws { try binder.text(description) }

  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws {
    guard let text, let value = Int64(String(decoding: text, as: UTF8.self)) else {
      throw StoredValueFault("not a whole number", column)
    }
    self = value
  }
}

extension Int: SQLBindable, SQLColumn {
  func bind(with binder: inout SQLBinder) throws { try binder.text(description) }

  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws { self = Int(try Int64(text: text, column: column)) }
}

extension Bool: SQLBindable, SQLColumn {
  func bind(with binder: inout SQLBinder) throws { try binder.text(self ? "t" : "f") }

  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws {
    guard let text, text.count == 1, let letter = text.first else {
      throw StoredValueFault("not true or false", column)
    }
    self = letter == UInt8(ascii: "t")
  }
}

extension Double: SQLBindable, SQLColumn {
  func bind(with binder: inout SQLBinder) throws { try binder.text(description) }

  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws {
    guard let text, let value = Double(String(decoding: text, as: UTF8.self)) else {
      throw StoredValueFault("not a number", column)
    }
    self = value
  }
}

extension String: SQLBindable, SQLColumn {
  func bind(with binder: inout SQLBinder) throws { try binder.text(self) }

  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws {
    guard let text else { throw StoredValueFault("not a text", column) }
    self = String(decoding: text, as: UTF8.self)
  }
}

extension UUID: SQLBindable, SQLColumn {
  func bind(with binder: inout SQLBinder) throws { try binder.text(uuidString) }

  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws {
    guard let text, let value = UUID(uuidString: String(decoding: text, as: UTF8.self)) else {
      throw StoredValueFault("not an identity of 16 bytes", column)
    }
    self = value
  }
}

extension Optional: SQLColumn where Wrapped: SQLColumn {
  init(text: UnsafeBufferPointer<UInt8>?, column: Int) throws {
    self = text == nil ? nil : try Wrapped(text: text, column: column)
  }
}

extension Date {
  /// Whole seconds since 1970, the stored form of instants.
  var stored: Int64 { Int64(timeIntervalSince1970.rounded(.down)) }

  /// The first whole second at or after this instant, as a bound: stored seconds compare with it as with the instant.
  var storedBound: Int64 { Int64(timeIntervalSince1970.rounded(.up)) }

  init(stored: Int64) { self.init(timeIntervalSince1970: Double(stored)) }
}

extension FireDate {
  /// A fire date from its column.
  init(stored: Int64) throws {
    do {
      self = try FireDate(Date(stored: stored))
    } catch {
      throw StoredValueFault("a fire date that is none: \(error)")
    }
  }
}
