import FoundationEssentials

/// A message to one sink, frozen when its reminder was claimed.
public struct Message: Hashable, Sendable {
  /// The identity on every attempt: `webhook-id`, `Message-ID`.
  public internal(set) var id: UUID
  /// The sink that it goes to, by its name in the config.
  public internal(set) var sink: String
  /// The contents, one for each reminder in it.
  public internal(set) var contents: [ReminderContent]
  /// When it was claimed, in whole seconds.
  public internal(set) var createdAt: Date
  /// The domain of its `Message-ID`, as the sink had it when it was claimed: a changed config changes no identity.
  public internal(set) var domain: String?
  /// The fields of its file that Belfry does not know.
  package var unknown: UnknownFields?

  /// A message with all its fields.
  public init(id: UUID, sink: String, contents: [ReminderContent], createdAt: Date, domain: String? = nil) {
    self.id = id
    self.sink = sink
    self.contents = contents
    self.createdAt = createdAt
    self.domain = domain
  }

  /// The identity of what `sink` sends for these reminders: claiming again after a crash gives the same.
  public static func id(sink: String, reminders: [UUID]) -> UUID {
    UUID(namespace: .belfry, name: "message \(sink) " + reminders.map(\.text).joined(separator: " "))
  }
}

extension Message {
  /// The event that a message reports.
  public enum Kind: String, Hashable, Sendable {
    /// A reminder, or several, that fired.
    case fired = "reminder.fired"
    /// A delivery that failed.
    case failed = "reminder.failed"
    /// Nothing: somebody wants to know whether the sink works.
    case test = "reminder.test"
  }

  /// The title, on one line: the text of the first reminder and how many more there are.
  public var title: String {
    let text = contents.first?.text ?? ""
    let texts = contents.count > 1 ? "\(text) and \(contents.count - 1) more" : text
    return contents.first?.failure.map { "\($0.heading): \(texts)" } ?? texts
  }

  /// The event that the message reports.
  public var kind: Kind {
    guard let content = contents.first else { return .fired }
    if content.isTest { return .test }
    return content.failure == nil ? .fired : .failed
  }
}
