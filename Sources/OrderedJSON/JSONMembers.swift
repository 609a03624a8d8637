/// What members are added to, one behind the other: a `JSONObject`, or the ``JSONText`` of one.
///
/// Each key must be new in its object: no search is made.
public protocol JSONMembers {
  /// Adds a string, or `null`.
  mutating func add(_ key: StaticString, _ text: String?)
  /// Adds a string of ASCII that holds nothing to be escaped, written where it stays, in at most so many bytes.
  mutating func add(_ key: StaticString, capacity: Int, plain write: (inout OutputSpan<UInt8>) -> Void)
  /// Adds a whole number.
  mutating func add(_ key: StaticString, _ number: Int64)
  /// Adds a truth value.
  mutating func add(_ key: StaticString, _ isTrue: Bool)
  /// Adds an array of strings.
  mutating func add(_ key: StaticString, _ texts: [String])
  /// Adds an object.
  mutating func add(_ key: StaticString, object write: (inout Self) -> Void)
  /// Adds an array of so many objects.
  mutating func add(_ key: StaticString, objects count: Int, each write: (_ index: Int, inout Self) -> Void)
}

extension JSONMembers {
  /// Adds `null`.
  public mutating func addNull(_ key: StaticString) { add(key, String?.none) }
}

extension JSONObject: JSONMembers {
  /// Adds a string, or `null`.
  public mutating func add(_ key: StaticString, _ text: String?) {
    append(key.description, text.map { .string($0) } ?? .null)
  }

  /// Adds a string of ASCII; see ``JSONMembers``.
  public mutating func add(_ key: StaticString, capacity: Int, plain write: (inout OutputSpan<UInt8>) -> Void) {
    append(
      key.description, .string(String(decoding: [UInt8](capacity: capacity, initializingWith: write), as: UTF8.self)))
  }

  /// Adds a whole number.
  public mutating func add(_ key: StaticString, _ number: Int64) { append(key.description, .integer(number)) }

  /// Adds a truth value.
  public mutating func add(_ key: StaticString, _ isTrue: Bool) { append(key.description, .bool(isTrue)) }

  /// Adds an array of strings.
  public mutating func add(_ key: StaticString, _ texts: [String]) {
    append(key.description, .array(texts.map { .string($0) }))
  }

  /// Adds an object.
  public mutating func add(_ key: StaticString, object write: (inout JSONObject) -> Void) {
    var object = JSONObject()
    write(&object)
    append(key.description, .object(object))
  }

  /// Adds an array of so many objects.
  public mutating func add(_ key: StaticString, objects count: Int, each write: (Int, inout JSONObject) -> Void) {
    let objects = (0..<count).map { index in
      var object = JSONObject()
      write(index, &object)
      return JSONValue.object(object)
    }
    append(key.description, .array(objects))
  }
}

/// The text of an object, written member by member without a value for each: the same bytes as `JSONObject` has.
public struct JSONText: JSONMembers, Hashable, Sendable {
  private var written: [UInt8]

  /// An object without members.
  public init() { written = [UInt8(ascii: "{")] }

  /// The object in UTF-8.
  public var bytes: [UInt8] {
    var bytes = written
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// How many bytes there are before the next member.
  public var count: Int { written.count }

  /// Makes room for so many bytes, so that none is moved as more come.
  public mutating func reserveCapacity(_ capacity: Int) { written.reserveCapacity(capacity) }

  /// Adds a string, or `null`.
  public mutating func add(_ key: StaticString, _ text: String?) {
    guard let text else { return add(key, 4) { $0.write("null" as StaticString) } }
    add(key, JSONLayout.room(for: text)) { $0.write(quoted: text) }
  }

  /// Adds a string of ASCII; see ``JSONMembers``.
  public mutating func add(_ key: StaticString, capacity: Int, plain write: (inout OutputSpan<UInt8>) -> Void) {
    add(key, capacity + 2) { output in
      output.append(UInt8(ascii: "\""))
      write(&output)
      output.append(UInt8(ascii: "\""))
    }
  }

  /// Adds a whole number.
  public mutating func add(_ key: StaticString, _ number: Int64) {
    add(key, JSONLayout.roomForNumber) { $0.write(number) }
  }

  /// Adds a truth value.
  public mutating func add(_ key: StaticString, _ isTrue: Bool) {
    add(key, 5) { $0.write(isTrue ? "true" : "false" as StaticString) }
  }

  /// Adds an array of strings.
  public mutating func add(_ key: StaticString, _ texts: [String]) {
    add(key, texts.reduce(2) { $0 + JSONLayout.room(for: $1) + 1 }) { output in
      output.append(UInt8(ascii: "["))
      for (index, text) in texts.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output.write(quoted: text)
      }
      output.append(UInt8(ascii: "]"))
    }
  }

  /// Adds an object.
  public mutating func add(_ key: StaticString, object write: (inout JSONText) -> Void) {
    add(key, 1) { $0.append(UInt8(ascii: "{")) }
    write(&self)
    written.append(UInt8(ascii: "}"))
  }

  /// Adds an array of so many objects.
  public mutating func add(_ key: StaticString, objects count: Int, each write: (Int, inout JSONText) -> Void) {
    add(key, 1) { $0.append(UInt8(ascii: "[")) }
    for index in 0..<count {
      if index > 0 { written.append(UInt8(ascii: ",")) }
      written.append(UInt8(ascii: "{"))
      write(index, &self)
      written.append(UInt8(ascii: "}"))
    }
    written.append(UInt8(ascii: "]"))
  }

  // The keys are Belfry's own and hold nothing to be escaped.
  @inline(__always)
  private mutating func add(_ key: StaticString, _ room: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    let isFirst = written.last == UInt8(ascii: "{")
    written.append(addingCapacity: key.utf8CodeUnitCount + 4 + room) { output in
      if !isFirst { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      output.write(key)
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
      write(&output)
    }
  }
}
