import CivilTime

/// The type of a config value: its shape, and how to read it as a `Value`.
///
/// Extensions define the types: `.line`, `.path`, `.boolean`, `.integer(1...64)`, `.choice`, `.list(of: .line)`,
/// `.section { … }` and so on. A plug-in may make its own from ``scalar(_:write:parse:)``.
public struct ConfigType<Value: Sendable>: Sendable {
  private let makeShape: @Sendable () -> ConfigShape
  /// Reads a value; `nil` only after an error was reported.
  package let decode: @Sendable (ConfigNode, inout ConfigReport) -> Value?
  /// A value in the syntax of the config; `nil` if it has no text.
  package let write: @Sendable (Value) -> String?

  /// A type with its own reader.
  ///
  /// - Parameters:
  ///   - shape: the shape of the value, made at each use, since reading a correct config needs none.
  ///   - decode: reads a value; returns `nil` only after reporting an error, or for content that is `.invalid`.
  public init(
    shape: @autoclosure @escaping @Sendable () -> ConfigShape,
    write: @escaping @Sendable (Value) -> String? = { _ in nil },
    decode: @escaping @Sendable (ConfigNode, inout ConfigReport) -> Value?
  ) {
    makeShape = shape
    self.decode = decode
    self.write = write
  }

  /// The shape of the value.
  public var shape: ConfigShape { makeShape() }

  /// A type whose values come with their positions.
  public static func located<Bare>(_ type: ConfigType<Bare>) -> ConfigType where Value == Located<Bare> {
    ConfigType(shape: type.shape, write: { type.write($0.value) }) { node, report in
      type.decode(node, &report).map { Located($0, at: node.position) }
    }
  }
}

/// The reason why a value is refused, if its shape does not say enough.
public struct ConfigProblem: Error {
  /// The message, in lower case and without a full stop.
  public let message: String

  /// A problem with this message.
  public init(_ message: String) { self.message = message }
}

extension ConfigType {
  /// A type of single words, numbers or texts.
  ///
  /// - Parameters:
  ///   - shape: the shape of the value, from which messages are made.
  ///   - write: a value in the syntax of the config.
  ///   - parse: reads a value; `nil` if it does not fit `shape`.
  public static func scalar(
    _ shape: ConfigShape, write: @escaping @Sendable (Value) -> String?,
    parse: @escaping @Sendable (ConfigScalar, ConfigContext) throws(ConfigProblem) -> Value?
  ) -> ConfigType {
    ConfigType(shape: shape, write: write) { node, report in
      guard case .scalar(let scalar) = node.content else {
        report.mismatch(node, shape)
        return nil
      }
      do throws(ConfigProblem) {
        if let value = try parse(scalar, report.context) { return value }
        report.mismatch(node, shape)
      } catch {
        report.error(error.message, at: node.position)
      }
      return nil
    }
  }

  /// A type of texts: scalars that the file's format reads as a number or boolean are refused.
  package static func textual(
    _ shape: ConfigShape, write: @escaping @Sendable (Value) -> String?,
    parse: @escaping @Sendable (String, ConfigContext) throws(ConfigProblem) -> Value?
  ) -> ConfigType {
    scalar(shape, write: write) { scalar, context throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      guard !scalar.text.unicodeScalars.contains("\0") else {
        throw ConfigProblem("a NUL character is not allowed here")
      }
      return try parse(scalar.text, context)
    }
  }
}

extension ConfigReport {
  /// Reports that a value does not fit its shape, unless an error was reported already.
  package mutating func mismatch(_ node: ConfigNode, _ shape: ConfigShape) {
    let found: String
    switch node.content {
    case .invalid: return
    case .null: found = "nothing"
    case .sequence: found = "a list"
    case .mapping: found = "a section"
    case .scalar(let scalar): found = description(of: scalar, where: shape)
    }
    error("expected \(shape.expectation), found \(found)", at: node.position)
  }

  private func description(of scalar: ConfigScalar, where shape: ConfigShape) -> String {
    let value = inQuotes(scalar.text)
    switch (scalar.kind, shape) {
    case (.number, .text), (.number, .line), (.number, .path): return "the number \(value); put it in quotes"
    case (.boolean, .text), (.boolean, .line), (.boolean, .path): return "the truth value \(value); put it in quotes"
    case (.text, .boolean) where ["true", "false"].contains(scalar.text):
      return "the text \(value); leave out the quotes"
    case (.text, .integer) where Int(scalar.text) != nil: return "the text \(value); leave out the quotes"
    case (_, .choice(let words)):
      guard let nearest = Suggestion.nearest(to: scalar.text, among: words) else { return value }
      return "\(value); did you mean \(inQuotes(nearest))?"
    default: return value
    }
  }
}
