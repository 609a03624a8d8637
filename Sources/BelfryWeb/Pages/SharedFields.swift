import CivilTime
import Digests

/// The fields of a form that several people may change at once, so that changing one does not revert the others.
protocol SharedFields {
  /// The fields by the names of their errors.
  static var fields: [(name: String, path: WritableKeyPath<Self, String>)] { get }
  /// The errors, by the name of the field.
  var errors: [String: String] { get set }
}

extension SharedFields {
  /// A value that changes with any field: a digest of each, in their order.
  var version: String { Self.fields.map { Self.digest(self[keyPath: $0.path]) }.joined(separator: ".") }

  /// Replaces the present fields with those that a visitor typed, except those that they left unchanged.
  ///
  /// A typed field gets an error if somebody else has since changed it to another value.
  ///
  /// - Parameter shown: the version that the visitor saw; `nil` from a program, which sets every field.
  mutating func take(_ typed: Self, from shown: String?) {
    let present = self
    self = typed
    let digests = shown?.split(separator: ".") ?? []
    guard digests.count == Self.fields.count else { return }
    for ((name, path), shown) in zip(Self.fields, digests) {
      let (now, new) = (Self.digest(present[keyPath: path]), Self.digest(typed[keyPath: path]))
      if new == shown {
        self[keyPath: path] = present[keyPath: path]
      } else if now != shown, now != new {
        let value = present[keyPath: path].trimmingWhitespace()
        errors[name] =
          "This was changed meanwhile: it is now \(value.isEmpty ? "empty" : inQuotes(value)). Save again to replace it."
      }
    }
  }

  private static func digest(_ value: String) -> String {
    Base64URL.encode(SHA256.digest(Array(value.utf8)).prefix(6))
  }
}
