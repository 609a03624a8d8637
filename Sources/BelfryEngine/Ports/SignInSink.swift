import BelfryModel
import ConfigKeys
import FoundationEssentials

/// A sink that can bring a person the link by which they sign in, to their own address.
///
/// Such a link is not a message: it is in no outbox, and its delivery is never retried.
package protocol SignInSink: ReminderSink {
  /// Attempts once to deliver a link, and returns the outcome.
  func deliver(_ letter: SignInLetter) async -> DeliveryOutcome
}

/// A sign-in link on its way to a person.
package struct SignInLetter: Sendable {
  /// The identity that the receiver sees.
  package let id: UUID
  /// The name of the person who signs in with it.
  package let person: String
  package let address: String
  /// The URL, valid once and for five minutes.
  package let link: Secret
  /// The time at which the link was made.
  package let madeAt: Date

  /// A letter with all its fields.
  package init(id: UUID = UUID(), person: String, address: String, link: Secret, madeAt: Date) {
    (self.id, self.person, self.address) = (id, person, address)
    (self.link, self.madeAt) = (link, madeAt)
  }
}
