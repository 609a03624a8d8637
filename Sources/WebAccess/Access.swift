import Digests
import FoundationEssentials

/// The right to use the web face, by a token, a session, a passkey or a proxy.
package struct Access: Hashable, Sendable {
  /// The person, scope and lists that it was made for.
  package struct Grant: Hashable, Sendable {
    /// The person, by the name in the config; `nil` for an access without a person.
    package var person: String?
    package var scope: AccessScope
    /// The lists that it is limited to, by their identities; empty if it is for all.
    package var lists: [UUID]

    package init(person: String? = nil, scope: AccessScope, lists: [UUID] = []) {
      self.person = person
      self.scope = scope
      self.lists = lists
    }

    /// The access of an authenticated person of the config.
    package static func person(_ name: String) -> Grant { Grant(person: name, scope: .edit) }

    /// True if it is for all lists, future ones included.
    package var isForAllLists: Bool { lists.isEmpty }

    /// True if it permits access to a list.
    package func includes(list: UUID) -> Bool { isForAllLists || lists.contains(list) }
  }

  /// The way in which a client presents it.
  package enum Kind: String, Sendable {
    /// By programs, in a header.
    case token
    /// By a browser, in a cookie.
    case session
    /// By an authenticator, to sign in.
    case passkey
    /// By a proxy, which names the person.
    case proxy
  }

  /// The name under which it is listed and revoked.
  package let name: String
  /// The name that its person gave a passkey; `nil` for anything else.
  package let label: String?
  /// The way in which a client presents it.
  package let kind: Kind
  /// The person, scope and lists that it was made for.
  package let grant: Grant
  /// The time at which it was made; for a session, that at which its person signed in.
  package let madeAt: Date
  /// The hour in which it was last used.
  package let lastUsedAt: Date?
  /// The time at which it ends; `nil` for a token.
  package let expiresAt: Date?
}

extension Access {
  /// True if another access may end it. Every access may end itself. An access for all lists with the scope `admin` may
  /// end every other. With a lower scope, it may end those of the same person that permit no more than itself, except
  /// tokens.
  package func isOpen(to other: Access) -> Bool {
    if other.kind == kind, other.name == name { return true }
    guard other.grant.isForAllLists else { return false }
    if other.grant.scope.includes(.admin) { return true }
    guard let person = grant.person, person == other.grant.person else { return false }
    return kind != .token && other.grant.scope.includes(grant.scope)
  }

  /// A value that differs between sessions, since the copies in a browser belong to one session.
  package var mark: String {
    let text = "\(kind.rawValue) \(madeAt.timeIntervalSince1970) \(name) \(grant.person ?? "")"
    return Base64URL.encode(SHA256.digest(Array(text.utf8)).prefix(9))
  }

  /// True if it has not ended.
  func isInForce(at now: Date) -> Bool { expiresAt.map { now < $0 } ?? true }

  /// The access of a person whom a proxy signed in at an unknown time.
  package static func proxied(_ person: String) -> Access {
    Access(
      name: person, label: nil, kind: .proxy, grant: .person(person), madeAt: .distantPast, lastUsedAt: nil,
      expiresAt: nil)
  }
}

/// The scope of a token or session; each includes those before it, except the last.
package enum AccessScope: String, CaseIterable, Sendable {
  /// To see everything.
  case read
  /// To answer reminders.
  case answer
  /// To change lists and items.
  case edit
  /// To change access, and to retry and discard deliveries.
  case admin
  /// To subscribe to the calendar, and nothing else.
  case feed

  /// True if it permits actions that need a scope.
  package func includes(_ needed: AccessScope) -> Bool {
    if self == .feed || needed == .feed { return self == needed }
    return Self.order.firstIndex(of: needed).map { index in Self.order[index...].contains(self) } ?? false
  }

  private static let order: [AccessScope] = [.read, .answer, .edit, .admin]
}

/// The path of the calendar to subscribe to. It contains the token, since calendar programs send no other credential.
package enum FeedPath {
  /// The part before the token.
  package static let prefix = "/agenda/"
  /// The part after the token.
  package static let suffix = ".ics"

  package static func path(_ token: String) -> String { prefix + token + suffix }
}
