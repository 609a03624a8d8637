import BelfryModel

/// An enabled sink with its name and policies from the config.
public struct ActiveSink: Sendable {
  /// The name in the config.
  public let name: String
  /// The sink that delivers; the other properties say when it may.
  public let sink: any ReminderSink
  /// The delays between attempts, and the age at which a delivery is given up.
  public let retry: RetryPolicy
  /// The hours in which nothing is sent; `nil` for none.
  public let quietHours: QuietHours?
  /// The limit on attempts per interval; `nil` for none.
  public let rateLimit: RateLimit?
  /// The name of the sink that gets notices about failed deliveries of this one.
  public let onFailure: String?
  /// True if this machine's daemon may send through it.
  let isHere: Bool
  /// The addresses of people whom it reaches, besides its own recipients.
  let addresses: Set<String>
  /// Makes the links and buttons of its messages; `nil` for messages without them.
  let links: (any AnswerLinks)?

  /// A sink with its name and policies.
  package init(
    name: String, sink: any ReminderSink, retry: RetryPolicy = RetryPolicy(), quietHours: QuietHours? = nil,
    rateLimit: RateLimit? = nil, onFailure: String? = nil, isHere: Bool = true, addresses: Set<String> = [],
    links: (any AnswerLinks)? = nil
  ) {
    self.name = name
    self.sink = sink
    self.retry = retry
    self.quietHours = quietHours
    self.rateLimit = rateLimit
    self.onFailure = onFailure
    self.isHere = isHere
    self.addresses = addresses
    self.links = links
  }

  /// True if a message changes a copy. Quiet hours do not hold it, since it makes no sound.
  func isSilent(_ message: Message) -> Bool { message.update != nil && sink.canWithdraw }
}

extension Person {
  /// The sinks that can bring the person a sign-in link, in the config's order; none for a person without an address,
  /// since a sink's own recipients may be other people.
  package func signInSinks(among sinks: [ActiveSink]) -> [(name: String, sink: any SignInSink)] {
    guard address != nil else { return [] }
    return self.sinks.compactMap { name in
      sinks.first { $0.name == name }.flatMap { $0.sink as? any SignInSink }.map { (name, $0) }
    }
  }
}
