import BelfryEngine
import FoundationEssentials

extension Session {
  /// The names of the people and sinks that a reminder of this list and category goes to at first: those of the first
  /// step of its ladder, or else of its routes.
  func firstNames(list: String, category: String?) -> [String] {
    settings.ladder(forList: list, category: category)?.escalation.steps.first?.to
      ?? settings.routes.names(forList: list, category: category) ?? assembly.sinks.map(\.name)
  }

  /// The sinks that a reminder of this list and category goes to at first, if it rings at an instant, each once.
  func sinks(list: String, category: String?, at instant: Date, _ viewpoint: some Viewpoint) -> [String] {
    let names = firstNames(list: list, category: category)
    var sinks: [String] = []
    for recipient in recipients.recipients(of: names, at: instant, in: viewpoint.planner.floatingZone)
    where !sinks.contains(recipient.sink) {
      sinks.append(recipient.sink)
    }
    return sinks
  }

  /// The sinks that a reminder goes to at first, each once.
  func sinks(of reminder: some ReminderRow, _ viewpoint: some Viewpoint) -> [String] {
    sinks(
      list: reminder.listName, category: reminder.category, at: max(reminder.fireDate.date, viewpoint.now), viewpoint)
  }
}

extension NamedRecipient {
  /// The sink, with the person's address in parentheses.
  var place: String { address.map { "\(sink) (\($0))" } ?? sink }
}
