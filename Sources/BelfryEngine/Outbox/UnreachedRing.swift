import BelfryModel

/// A reminder that fired and reached no recipient.
struct UnreachedRing: Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    /// The routes name no sink for it.
    case silentRoute
    /// None of its sinks is enabled.
    case noSink
    /// These people are away. With `others`, more recipients are named, but none of their sinks is enabled.
    case away([String], others: Bool)
  }

  /// The step of an escalation that reached nobody.
  struct Step: Hashable, Sendable {
    let escalation: String
    let number: Int
    let isLast: Bool
  }

  private static let limit = 5

  let owner: ReminderOwner
  let text: String
  /// The step; `nil` without an escalation.
  let step: Step?
  let reason: Reason

  /// The events to log for the unreached reminders of one claim.
  static func events(of rings: [UnreachedRing]) -> [Event] {
    var events = rings.prefix(limit).map(\.event)
    if rings.count > limit {
      let words = "\(counted(rings.count - limit, "more reminder")) reached nobody: 'belfry explain ID' tells why"
      events.append(Event(.error, words))
    }
    return events
  }

  private var event: Event {
    let subject = owner.words(text)
    guard let step else {
      return Event(reason == .silentRoute ? .info : .error, "\(subject) rang and reached nobody: \(reason.words)")
    }
    let words = "\(subject): step \(step.number) of '\(step.escalation)' reached nobody: \(reason.words)"
    return step.isLast ? Event(.error, words) : Event(.warning, "\(words); step \(step.number + 1) follows at once")
  }
}

extension UnreachedRing.Reason {
  fileprivate var words: String {
    switch self {
    case .silentRoute: return "its route names no sink"
    case .noSink: return "no sink is enabled"
    case .away(let people, let others):
      let verb = people.count == 1 ? "is" : "are"
      return "\(people.inSentence) \(verb) away\(others ? ", and no other sink is enabled" : "")"
    }
  }
}

extension ReminderOwner {
  /// The item, or the list whose own reminder rang, with the text of the reminder: `item 2, 'Insulin'`.
  func words(_ text: String) -> String {
    switch self {
    case .item(let id): "item \(id), '\(text)'"
    case .list(let id): "the reminder of list \(id), '\(text)'"
    }
  }
}
