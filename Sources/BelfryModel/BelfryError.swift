/// An error with its place, and advice on what to do about it.
public struct BelfryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, which says who must act; raw values are exit statuses (sysexits.h).
  public enum Kind: Int32, Hashable, Sendable, CaseIterable {
    /// The command line is wrong.
    case usage = 64
    case badInput = 65
    /// There is no such list, item, file or sink.
    case notFound = 66
    /// A sink refused a message.
    case refused = 69
    case internalError = 70
    /// A file cannot be created.
    case cannotCreate = 73
    /// A store is damaged, unreadable or of a newer version; the disk is full or failed.
    case storeFailed = 74
    /// Try again: locked, running already, or postponed.
    case tryAgain = 75
    case noPermission = 77
    case badConfig = 78
  }

  /// The kind, which decides the exit status.
  public let kind: Kind
  /// The problem and its place, in one line.
  public let message: String
  /// The next step for the user, in one line.
  public let hint: String?
  /// The field of an item that is wrong; `nil` for none or several.
  package private(set) var field: ItemField?

  /// An error about no field.
  public init(_ kind: Kind, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.message = message
    self.hint = hint
  }

  /// The error, with the field of an item that is at fault.
  package func about(_ field: ItemField) -> BelfryError {
    var error = self
    error.field = field
    return error
  }

  /// The result of a step whose errors are about a field of an item.
  package static func about<Result>(_ field: ItemField, _ step: () throws -> Result) throws -> Result {
    do { return try step() } catch let error as BelfryError { throw error.about(field) }
  }

  /// The message and the hint in one line.
  public var line: String { hint.map { "\(message); \($0)" } ?? message }

  /// The message, and the hint on a line of its own.
  public var description: String { hint.map { "\(message)\n\($0)" } ?? message }
}

/// An error about a single record with values that Belfry never writes. The rest of the store is readable.
public protocol RecordFault: Error {
  /// The table, row and column, and the problem.
  var message: String { get }
}
