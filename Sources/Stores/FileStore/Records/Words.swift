import BelfryCore

extension Reminder.State {
  /// The states with the words that files use.
  static let words: [(String, Reminder.State)] = allCases.map { ($0.word, $0) }

  var word: String {
    switch self {
    case .scheduled: "scheduled"
    case .fired: "fired"
    case .cancelled: "cancelled"
    case .missed: "missed"
    }
  }
}

extension Delivery.State {
  /// The states with the words that files use.
  static let words: [(String, Delivery.State)] = allCases.map { ($0.name, $0) }
}

extension Recurrence.Origin {
  /// The origins with the words that files use.
  static let words: [(String, Recurrence.Origin)] = allCases.map { ($0.rawValue, $0) }
}

extension ReminderOwner {
  /// The owner, where exactly one is named.
  init?(itemID: Int64?, listID: Int64?) {
    switch (itemID, listID) {
    case (let id?, nil): self = .item(id)
    case (nil, let id?): self = .list(id)
    default: return nil
    }
  }

  var itemID: Int64? {
    if case .item(let id) = self { id } else { nil }
  }

  var listID: Int64? {
    if case .list(let id) = self { id } else { nil }
  }
}

extension Occurrence.Kind {
  /// The largest serial number that a file may hold.
  static let largestSerial: Int64 = 1 << 40
  /// The kinds by number, with the words that files use.
  static let words: [(String, Int)] = [("planned", 0), ("snooze", 1), ("nag", 2)]

  /// The kind as a number, and what tells one from the next.
  var parts: (kind: Int, serial: Int64?) {
    switch self {
    case .planned: (0, nil)
    case .snooze(let minute): (1, min(max(0, Int64(minute)), Self.largestSerial))
    case .nag(let count): (2, min(max(0, Int64(count)), Self.largestSerial))
    }
  }
}
