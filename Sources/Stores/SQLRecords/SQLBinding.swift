/// A value for a statement's placeholder, or several for as many.
package protocol SQLBindable {
  func bind(with binder: inout SQLBinder)
}

/// Binds values to a statement's placeholders in order.
package struct SQLBinder {
  private let statement: any PreparedStatement
  private var index = 0

  init(_ statement: any PreparedStatement) { self.statement = statement }

  /// Binds a value to the next placeholder.
  mutating func add(_ value: SQLValue) {
    statement.bind(value, at: index)
    index += 1
  }

  /// Binds a whole number to the next placeholder.
  mutating func add(number: Int64) {
    statement.bind(number, at: index)
    index += 1
  }

  /// Binds a value to the next placeholder, or several to as many.
  mutating func add(_ value: some SQLBindable) { value.bind(with: &self) }

  /// Leaves the next placeholder NULL, as it is initially.
  mutating func skip() { index += 1 }
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

  package func bind(with binder: inout SQLBinder) {
    for value in values { value.bind(with: &binder) }
  }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  package func bind(with binder: inout SQLBinder) {
    if let self { self.bind(with: &binder) } else { binder.skip() }
  }
}
