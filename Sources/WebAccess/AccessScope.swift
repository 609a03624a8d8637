/// The scope of a token or session; each includes those before it, except the last.
package enum AccessScope: String, CaseIterable, Sendable {
  /// To see everything.
  case read
  /// To answer reminders.
  case answer
  /// To change lists and items.
  case edit
  /// Change who may do what, retry and discard deliveries.
  case admin
  /// Subscribe to the calendar, and nothing else.
  case feed

  /// True if it includes what something needs.
  package func includes(_ needed: AccessScope) -> Bool {
    if self == .feed || needed == .feed { return self == needed }
    return Self.order.firstIndex(of: needed).map { index in Self.order[index...].contains(self) } ?? false
  }

  private static let order: [AccessScope] = [.read, .answer, .edit, .admin]
}
