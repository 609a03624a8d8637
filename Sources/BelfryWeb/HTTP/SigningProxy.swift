import BelfryEngine
import BelfryModel
import HTTPTypes
import WebAccess

/// A proxy that signs people in, and names them in a header.
struct SigningProxy: Sendable {
  /// The header in which it shows its secret.
  static let secretField = "X-Belfry-Proxy-Secret"
  /// The bytes of the longest name.
  private static let longest = 200

  private let field: HTTPField.Name
  private let secret: String?
  private let people: Set<String>

  /// The proxy of a config; `nil` if there is none.
  ///
  /// - Parameter people: the names of the people whom it may name.
  /// - Throws: as the source of its secret.
  init?(_ settings: WebSettings, people: some Sequence<String>) throws(BelfryError) {
    guard let field = settings.userHeader.flatMap({ HTTPField.Name($0) }) else { return nil }
    self.field = field
    self.people = Set(people)
    secret = try settings.proxySecret?.read().revealed
  }

  /// True if a request names a person, validly or not.
  func names(_ head: HTTPRequest) -> Bool { head.headerFields.contains(field) }

  /// - Throws: ``Problem`` 400 if a request names two people, or has an invalid name.
  func check(_ head: HTTPRequest) throws(Problem) {
    let values = head.headerFields[values: field]
    guard values.count < 2 else { throw Problem(.badRequest, "the request names two people in \(field)") }
    guard let name = values.first, !name.isEmpty else { return }
    guard name.utf8.count <= Self.longest, (try? TextRules.line(name, what: "\(field)")) == name else {
      throw Problem(.badRequest, "\(field) is not a name of at most \(Self.longest) bytes in one line")
    }
  }

  /// The person whom a request names.
  func person(_ head: HTTPRequest) -> Person {
    guard let name = head.headerFields[field], !name.isEmpty else { return .nobody }
    if let secret, !AccessSecret.areEqual(head.headerFields[named: Self.secretField] ?? "", secret) { return .forged }
    return people.contains(name) ? .known(name) : .stranger(name)
  }

  /// The person whom a request names, if any.
  enum Person {
    /// The proxy signed nobody in, or the request did not pass through it.
    case nobody
    case known(String)
    /// A person whose name is not in the config.
    case stranger(String)
    /// A name that does not come from the proxy.
    case forged
  }
}
