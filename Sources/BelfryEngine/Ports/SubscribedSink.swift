/// A sink whose recipients are browsers: each subscribes for its person, and is a separate recipient.
package protocol SubscribedSink: ReminderSink {
  /// The path of the file that keeps the subscriptions.
  var subscriptionFile: String { get }

  /// The recipients of a message to a person: the person's browsers, and those that belong to no one in particular.
  ///
  /// - Parameter person: the person's name in the config; `nil` for no one in particular: all browsers get it.
  func recipients(of person: String?) -> [String?]

  /// The reason why no browser gets anything; `nil` if some do.
  var silence: String? { get }

  /// The same sink, whose messages name the web face's origin if its section of the config names no contact.
  func naming(webFace origin: String) -> any SubscribedSink

  /// The reason why it would send nothing to a URL that a browser names; `nil` if it would send.
  func refusal(ofEndpoint url: String) -> String?
}

extension SubscribedSink {
  /// See ``ReminderSink/isSubscribed``.
  package var isSubscribed: Bool { true }
}

extension ReminderSink {
  /// The recipients of a message for a person, or for no one in particular.
  package func receivers(for person: String?) -> [String?] {
    (self as? any SubscribedSink)?.recipients(of: person) ?? recipients
  }

  /// True if it delivers to a person's address instead of its own recipients.
  package var takesAddresses: Bool { !isSubscribed && !recipients.contains(nil) }
}
