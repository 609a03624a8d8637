import BelfryCore

/// The scheduled snoozes, by the item or list that was snoozed.
struct Snoozes {
  private let byOwner: [ReminderOwner: Reminder]

  init(_ snoozes: [Reminder]) {
    byOwner = Dictionary(snoozes.map { ($0.occurrence.owner, $0) }) { _, last in last }
  }

  subscript(owner: ReminderOwner) -> Reminder? { byOwner[owner] }
}
