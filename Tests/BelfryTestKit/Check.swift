import BelfryModel
import Foundation

/// The failure of a conformance case.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected and the actual value.
  public let message: String
  /// The file of the check, with its module.
  public let file: String
  /// The line of the check.
  public let line: UInt

  /// The place and the message.
  public var description: String { "\(file):\(line): \(message)" }
}

/// Assertions that throw, so that conformance cases need no testing library.
public enum Check {
  /// Fails unless the condition holds.
  ///
  /// - Throws: ``ConformanceFailure``.
  public static func that(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    if !condition { throw ConformanceFailure(message: message(), file: "\(file)", line: line) }
  }

  /// Fails unless both values are equal, or both are absent.
  ///
  /// - Throws: ``ConformanceFailure``.
  public static func equal<Value: Equatable>(
    _ actual: Value?, _ expected: Value?, _ what: @autoclosure () -> String = "the value",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    try that(
      actual == expected, "\(what()) is \(actual.map { "\($0)" } ?? "none"), not \(expected.map { "\($0)" } ?? "none")",
      file: file, line: line)
  }

  /// Fails unless both texts have the same UTF-8 bytes; `==` also equates canonically equivalent texts.
  ///
  /// - Throws: ``ConformanceFailure``.
  public static func sameBytes(
    _ actual: String?, _ expected: String?, _ what: @autoclosure () -> String = "the text",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    let isSame = actual.map { Data($0.utf8) } == expected.map { Data($0.utf8) }
    try that(
      isSame, "\(what()) is \(actual.map(scalars) ?? "none"), not \(expected.map(scalars) ?? "none")", file: file,
      line: line)
  }

  /// Fails where there is no value.
  ///
  /// - Throws: ``ConformanceFailure``.
  public static func present<Value>(
    _ value: Value?, _ what: @autoclosure () -> String = "the value", file: StaticString = #fileID, line: UInt = #line
  ) throws -> Value {
    guard let value else { throw ConformanceFailure(message: "\(what()) is not there", file: "\(file)", line: line) }
    return value
  }

  /// Fails unless the work throws a ``BelfryError`` of this kind.
  ///
  /// - Throws: ``ConformanceFailure``.
  public static func throwsError(
    _ kind: BelfryError.Kind, file: StaticString = #fileID, line: UInt = #line, _ work: () throws -> Void
  ) throws {
    do {
      try work()
    } catch let error as BelfryError {
      return try equal(error.kind, kind, "the kind of \"\(error)\"", file: file, line: line)
    } catch {
      throw ConformanceFailure(message: "\(error) is no BelfryError", file: "\(file)", line: line)
    }
    throw ConformanceFailure(message: "no error was thrown", file: "\(file)", line: line)
  }

  // Texts that look alike differ in their scalars; 40 of them suffice to see it.
  private static func scalars(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(40).map { String($0.value, radix: 16) }.joined(separator: " ")
    return "[\(start)\(text.unicodeScalars.count > 40 ? " …" : "")] (\(text.utf8.count) bytes)"
  }
}

/// A requirement on every store or every sink, as a test case.
public struct ConformanceCase<Fixture>: Sendable, CustomStringConvertible {
  /// The requirement, as a sentence.
  public let name: String
  /// Checks the requirement on an unused fixture, and throws if it is not met.
  public let run: @Sendable (Fixture) async throws -> Void

  /// A case with a name.
  public init(_ name: String, _ run: @escaping @Sendable (Fixture) async throws -> Void) {
    self.name = name
    self.run = run
  }

  /// The requirement's name, as the report of tests shows it.
  public var description: String { name }
}
