/// A text that nobody is to see: a password, a token, the URL of a webhook.
///
/// It prints as `<redacted>` however it is printed; only ``revealed`` gives it away.
public struct Secret: Hashable, Sendable {
  /// What is shown in a secret's place.
  public static let placeholder = "<redacted>"

  /// The secret itself.
  public let revealed: String

  /// A secret.
  public init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the secret.
  public var description: String { Secret.placeholder }
  /// Never the secret.
  public var debugDescription: String { Secret.placeholder }
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Secret {
  /// A secret as a file or variable holds it: one line of text, its line end left out.
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
