import BelfryCore

/// The snoozes that are scheduled, by the number of the item.
struct ItemSnoozes {
  private let byItem: [Int64: Reminder]

  init(_ snoozes: [Reminder]) {
    byItem = snoozes.reduce(into: [:]) { byItem, snooze in
      if case .item(let id) = snooze.occurrence.owner { byItem[id] = snooze }
    }
  }

  subscript(item: Int64) -> Reminder? { byItem[item] }
}
