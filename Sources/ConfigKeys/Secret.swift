/// A secret text: a password, a token, the URL of a webhook.
///
/// Always prints as `<redacted>`; only ``revealed`` gives the text.
public struct Secret: Hashable, Sendable {
  /// The text that is shown in place of a secret.
  public static let placeholder = "<redacted>"

  /// The text itself; callers must keep it out of messages and logs.
  public let revealed: String

  /// Hides a text from every message, log and dump.
  public init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<redacted>`, whatever the text is.
  public var description: String { Secret.placeholder }
  /// `<redacted>`, whatever the text is.
  public var debugDescription: String { Secret.placeholder }
  /// A mirror without children, so that a dump shows nothing.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Secret {
  /// A secret from a file or variable: one line of text, without its line end.
  ///
  /// - Throws: ``ConfigProblem``, which never quotes the secret.
  init(checking text: String) throws(ConfigProblem) {
    let end = text.utf8.last == UInt8(ascii: "\n") ? text.unicodeScalars.dropLast() : text.unicodeScalars[...]
    let line = end.last == "\r" ? end.dropLast() : end
    guard !line.isEmpty else { throw ConfigProblem("it is empty") }
    guard !line.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
      throw ConfigProblem("it holds a line break or another control character")
    }
    self.init(String(line))
  }
}
