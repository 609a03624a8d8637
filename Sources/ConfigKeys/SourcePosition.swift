/// A place in a text file.
public struct SourcePosition: Hashable, Comparable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, counted in Unicode scalars.
  public let column: Int

  /// The place with this line and column, both from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The start of the text.
  public static let start = SourcePosition(line: 1, column: 1)

  /// Earlier places first.
  public static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
    (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}

/// A value with the place where it stands.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// Where it stands.
  public let position: SourcePosition

  /// A value at a place.
  public init(_ value: Value, at position: SourcePosition) {
    self.value = value
    self.position = position
  }
}
