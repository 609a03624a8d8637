/// A place in a text file.
public struct SourcePosition: Hashable, Comparable, Sendable {
  /// The line in the file; the first is 1.
  public let line: Int
  /// The column, from 1, counted in Unicode scalars.
  public let column: Int

  /// A position with line and column, both from 1.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The start of the text.
  package static let start = SourcePosition(line: 1, column: 1)

  /// Orders places as they follow each other in the file.
  public static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
    (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}

/// A value with its position.
public struct Located<Value: Sendable>: Sendable {
  /// The value that was read there.
  public let value: Value
  /// The start of the value.
  public let position: SourcePosition

  init(_ value: Value, at position: SourcePosition) {
    self.value = value
    self.position = position
  }
}
