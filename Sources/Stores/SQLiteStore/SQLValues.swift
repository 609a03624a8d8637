import CSQLite
import CivilTime
import FoundationEssentials

// SQLITE_TRANSIENT, which Swift cannot import: SQLite copies texts and blobs.
private nonisolated(unsafe) let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.next { sqlite3_bind_int64($0, $1, self) } }

  package init(value: OpaquePointer, column: Int32) throws {
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw StoredValueFault("not a whole number", column) }
    self = sqlite3_value_int64(value)
  }
}

extension Int: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { Int64(self).bind(with: &binder) }

  package init(value: OpaquePointer, column: Int32) throws { self = Int(try Int64(value: value, column: column)) }
}

extension Bool: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.next { sqlite3_bind_int($0, $1, self ? 1 : 0) } }

  package init(value: OpaquePointer, column: Int32) throws { self = try Int64(value: value, column: column) != 0 }
}

extension Double: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) { binder.next { sqlite3_bind_double($0, $1, self) } }

  package init(value: OpaquePointer, column: Int32) throws {
    let type = sqlite3_value_type(value)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw StoredValueFault("not a number", column) }
    self = sqlite3_value_double(value)
  }
}

extension String: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) {
    var copy = self
    binder.next { statement, index in
      copy.withUTF8 { bytes in
        // An empty text may have no address, and a null address would mean NULL.
        guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
        }
      }
    }
  }

  package init(value: OpaquePointer, column: Int32) throws {
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
      throw StoredValueFault("not a text", column)
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    self = String(decoding: bytes, as: UTF8.self)
  }
}

extension UUID: SQLBindable, SQLColumn {
  package func bind(with binder: inout SQLBinder) {
    binder.next { statement, index in
      withUnsafeBytes(of: uuid) { sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), copied) }
    }
  }

  package init(value: OpaquePointer, column: Int32) throws {
    guard sqlite3_value_type(value) == SQLITE_BLOB, sqlite3_value_bytes(value) == 16,
      let start = sqlite3_value_blob(value)
    else { throw StoredValueFault("not an identity of 16 bytes", column) }
    self.init(uuid: start.loadUnaligned(as: uuid_t.self))
  }
}

extension Array: SQLBindable, SQLColumn where Element == UInt8 {
  package func bind(with binder: inout SQLBinder) {
    binder.next { statement, index in
      // No bytes may have no address, and a null address would mean NULL.
      guard !isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copied) }
    }
  }

  package init(value: OpaquePointer, column: Int32) throws {
    guard sqlite3_value_type(value) == SQLITE_BLOB else { throw StoredValueFault("not bytes", column) }
    let start = sqlite3_value_blob(value)
    self = Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }
}

extension Optional: SQLColumn where Wrapped: SQLColumn {
  package init(value: OpaquePointer, column: Int32) throws {
    self = sqlite3_value_type(value) == SQLITE_NULL ? nil : try Wrapped(value: value, column: column)
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
      throw StoredValueFault("a fire date that is none: \(error)")
    }
  }
}
