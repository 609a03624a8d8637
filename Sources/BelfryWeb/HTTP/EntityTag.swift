import Digests
import OrderedJSON

/// The strong tag of a representation: a digest of its bytes (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  let description: String

  /// The tag of a representation with this text.
  init(_ text: String) { description = "\"\(Base64URL.encode(SHA256.digest(Array(text.utf8)).prefix(16)))\"" }

  /// The tag of a value as the API sends it.
  init(of value: JSONValue) { self.init(value.sent) }

  /// The tags of a field such as If-Match.
  struct Expected: Sendable {
    private let isAny: Bool
    private let tags: Set<String>

    /// The tags of a field. A weak tag counts as a strong one if `isWeak`, and otherwise matches none.
    init(_ field: String, isWeak: Bool = false) {
      let words = field.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
      isAny = words == ["*"]
      tags = Set(words.map { isWeak && $0.hasPrefix("W/") ? String($0.dropFirst(2)) : String($0) })
    }

    /// True if it lists this tag; `*` does not count.
    func names(_ tag: String) -> Bool { tags.contains(tag) }

    /// True if it lists this tag, or is `*`.
    func includes(_ tag: EntityTag) -> Bool { isAny || tags.contains(tag.description) }

    /// - Throws: ``Problem`` 412 if it does not include the tag of a value.
    func require(_ value: JSONValue) throws(Problem) {
      guard includes(EntityTag(of: value)) else {
        throw Problem(
          .preconditionFailed, "this was changed after it was read", hint: "read it again, then repeat the request")
      }
    }
  }
}

extension JSONValue {
  /// The value as the API sends it: on one line, with its end.
  var sent: String { serialized() + "\n" }
}
