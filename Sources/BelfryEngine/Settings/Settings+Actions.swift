import BelfryModel
import FoundationEssentials

extension Settings {
  /// The actions of an item's reminder if neither its category nor the config names any: done, and later.
  public static let usualActions = [
    CategoryAction(identifier: "done", title: "Done", operation: .check), later,
  ]

  /// The actions of a list's own reminder whose category names none: acknowledge, and later.
  public static let usualListActions = [
    CategoryAction(identifier: "ack", title: "OK", operation: .acknowledge), later,
  ]

  private static let later = CategoryAction(
    identifier: "later", title: "Later", operation: .snooze(ActionOperation.usualSnooze))

  /// The actions that a reminder of an item or list in a category offers.
  public func actions(for owner: ReminderOwner, category identifier: String?) -> [CategoryAction] {
    if let named = identifier.flatMap(category)?.actions, !named.isEmpty { return named }
    return if case .item = owner { actions } else { Self.usualListActions }
  }

  /// The identifiers of the actions to show where space is short; empty if they are the first ones anyway.
  func minimalActions(ofCategory identifier: String?) -> [String] {
    guard let category = identifier.flatMap(category) else { return [] }
    return category.actions.map(\.identifier).starts(with: category.minimal) ? [] : category.minimal
  }

  /// The seconds after its claim for which the actions of a message can be used; they include a day after its last
  /// attempt.
  ///
  /// - Parameter maxAge: the sink's `retry.max_age`, in seconds.
  public func answerSpan(retryingFor maxAge: Double) -> Double {
    max(Double(answers.validFor), maxAge + 86_400)
  }

  /// The seconds for which records are kept: closed deliveries, past reminders, answers, and inboxes of sinks that no
  /// longer receive answers. It covers `history`, and the time until the actions of every message have expired, which
  /// they do at a full hour.
  func keepingSpan(for sinks: [ActiveSink]) -> Double {
    let longestRetry = sinks.map(\.retry.maxAge).max() ?? 0
    return max(history.seconds, answerSpan(retryingFor: longestRetry) + 3_600)
  }
}
