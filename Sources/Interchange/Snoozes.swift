import BelfryCore

/// The snoozes that are scheduled, by what was put off.
struct Snoozes {
  private let byOwner: [ReminderOwner: Reminder]

  init(_ snoozes: [Reminder]) {
    byOwner = Dictionary(snoozes.map { ($0.occurrence.owner, $0) }) { _, last in last }
  }

  subscript(owner: ReminderOwner) -> Reminder? { byOwner[owner] }
}
