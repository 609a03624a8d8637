import FoundationEssentials
import SQLRecords

extension AccessStore {
  /// Disables the buttons of a link until an instant.
  ///
  /// - Parameter link: its identity, of which a digest is kept.
  package func pause(link: String, until end: Date, at now: Date) throws {
    try write { database in
      try database.statement("DELETE FROM paused_link WHERE ends_at <= ?").execute(now.stored)
      let sql = "INSERT INTO paused_link VALUES (?, ?) ON CONFLICT (digest) DO UPDATE SET ends_at = excluded.ends_at"
      try database.statement(sql).execute(AccessSecret.digest(link), end.stored)
    }
  }

  /// The instant until which the buttons of a link are disabled; `nil` if they are enabled.
  package func pauseEnd(ofLink link: String, at now: Date) throws -> Date? {
    try pauseEnds(ofLinks: [link], at: now)[link]
  }

  /// The instants until which the buttons of links are disabled, by the links' identities; other links are left out.
  package func pauseEnds(ofLinks links: Set<String>, at now: Date) throws -> [String: Date] {
    let sql = "SELECT ends_at FROM paused_link WHERE digest = ? AND ends_at > ?"
    let ends: [String: Date]? = try read { database in
      var ends: [String: Date] = [:]
      for link in links {
        let end: Int64? = try database.statement(sql).first(AccessSecret.digest(link), now.stored) { try $0.at(0) }
        ends[link] = end.map { Date(stored: $0) }
      }
      return ends
    }
    return ends ?? [:]
  }
}

/// The page to which a browser is redirected after sign-in. It is kept here, since others could make up a URL.
package struct Destination: Hashable, Sendable {
  package let reminder: UUID
  /// The number of the action that is shown first; `nil` for none.
  package let action: Int?
  /// The person who is expected to sign in; `nil` for no one in particular.
  package let person: String?

  package init(reminder: UUID, action: Int?, person: String? = nil) {
    self.reminder = reminder
    self.action = action
    self.person = person
  }
}

extension AccessStore {
  private static let mostDestinations = 1_000

  /// Keeps a destination for a browser.
  ///
  /// - Returns: the secret by which the browser gets it back.
  package func keep(_ destination: Destination, until end: Date, at now: Date) throws -> String {
    let secret = AccessSecret.make()
    try write { database in
      try database.statement("DELETE FROM destination WHERE expires_at <= ?").execute(now.stored)
      let sql = "INSERT INTO destination (digest, reminder, action, person, expires_at) VALUES (?, ?, ?, ?, ?)"
      try database.statement(sql).execute(
        AccessSecret.digest(secret), destination.reminder.uuidString, destination.action.map(Int64.init),
        destination.person, end.stored
      )
      // The holder of a link can ask for any number of destinations, so only the last are kept.
      let trim = "DELETE FROM destination WHERE id <= (SELECT max(id) FROM destination) - ?"
      try database.statement(trim).execute(Int64(Self.mostDestinations))
    }
    return secret
  }

  /// The destination that was kept under a secret; `nil` for every other text.
  package func destination(_ secret: String, at now: Date) throws -> Destination? {
    let sql = "SELECT reminder, action, person, expires_at FROM destination WHERE digest = ?"
    let found: (String, Int64?, String?, Int64)?? = try read { database in
      try database.statement(sql).first(AccessSecret.digest(secret)) { try ($0.at(0), $0.at(1), $0.at(2), $0.at(3)) }
    }
    guard case .some(.some((let reminder, let action, let person, let end))) = found, now < Date(stored: end)
    else { return nil }
    return UUID(uuidString: reminder).map { Destination(reminder: $0, action: action.map { Int($0) }, person: person) }
  }
}
