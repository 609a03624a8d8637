import BelfryModel
import Digests
import FoundationEssentials
import SQLRecords
import WebPush

/// A browser that subscribed to the reminders of a person.
package struct PushSubscription: Hashable, Sendable {
  /// The address that a browser sends when it subscribes (the Push API's `PushSubscription`).
  package struct Address: Hashable, Sendable {
    /// The URL at its push service, to which anyone who knows it may post.
    package let endpoint: String
    /// The keys with which messages to it are encrypted.
    package let recipient: PushRecipient

    package init(endpoint: String, recipient: PushRecipient) {
      (self.endpoint, self.recipient) = (endpoint, recipient)
    }
  }

  /// The unique name.
  package let name: String
  /// The person, by the name in the config; `nil` if it belongs to no one in particular.
  package let person: String?
  package let address: Address
  /// The time at which it subscribed.
  package let madeAt: Date
  /// The time of the last message that its push service accepted, exact to the hour; `nil` for none.
  package let reachedAt: Date?
}

extension PushSubscription {
  /// The mark by which a page recognises the browser's own subscription, without showing the endpoint.
  package var mark: String { AccessSecret.digest(address.endpoint) }

  init(_ row: SQLRow) throws {
    let (name, person, endpoint): (String, String?, String) = try (row.at(0), row.at(1), row.at(2))
    let (publicKey, secret): (String, String) = try (row.at(3), row.at(4))
    let (madeAt, reachedAt): (Int64, Int64?) = try (row.at(5), row.at(6))
    guard
      let recipient = PushRecipient(
        publicKey: Base64URL.decode(publicKey, count: 65) ?? [], secret: Base64URL.decode(secret, count: 16) ?? [])
    else { throw StoredValueFault("the subscription '\(name)' has no keys") }
    self.init(
      name: name, person: person, address: Address(endpoint: endpoint, recipient: recipient),
      madeAt: Date(stored: madeAt), reachedAt: reachedAt.map { Date(stored: $0) })
  }
}
