import FoundationEssentials

/// A value for a statement's placeholder, or several for as many.
protocol SQLBindable {
  func bind(with binder: inout SQLBinder) throws
}

/// Collects the values for a statement's placeholders in order, as texts that end with a zero byte.
struct SQLBinder {
  private var bytes: [CChar] = []
  /// The start of each value; `nil` for NULL.
  private var starts: [Int?] = []

  /// Adds a text.
  ///
  /// - Throws: ``UnstorableText`` for a text with a NUL, which the server cannot store.
  mutating func text(_ text: some StringProtocol) throws {
    guard !text.utf8.contains(0) else { throw UnstorableText(placeholder: starts.count) }
    starts.append(bytes.count)
    var text = String(text)
    text.withUTF8 { bytes.append(contentsOf: UnsafeRawBufferPointer($0).bindMemory(to: CChar.self)) }
    bytes.append(0)
  }

  /// Adds a value.
  mutating func add(_ value: some SQLBindable) throws { try value.bind(with: &self) }

  /// Adds NULL.
  mutating func skip() { starts.append(nil) }

  /// Passes the number of values and their addresses to `body`.
  func withValues<Result>(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { bytes in
      let values = starts.map { start in start.flatMap { bytes.baseAddress?.advanced(by: $0) } }
      return try values.withUnsafeBufferPointer { try body(Int32(starts.count), $0.baseAddress) }
    }
  }
}

/// The fault of a text that the server cannot store.
struct UnstorableText: Error {
  /// The index of its placeholder.
  let placeholder: Int
}

/// A variable number of values.
struct SQLArguments: SQLBindable, ExpressibleByArrayLiteral {
  private var values: [any SQLBindable]

  init(arrayLiteral elements: any SQLBindable...) { values = elements }

  static func + (lhs: SQLArguments, rhs: SQLArguments) -> SQLArguments {
    var sum = lhs
    sum += rhs
    return sum
  }

  static func += (lhs: inout SQLArguments, rhs: SQLArguments) { lhs.values += rhs.values }

  func bind(with binder: inout SQLBinder) throws {
    for value in values { try value.bind(with: &binder) }
  }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  func bind(with binder: inout SQLBinder) throws {
    if let self { try self.bind(with: &binder) } else { binder.skip() }
  }
}
