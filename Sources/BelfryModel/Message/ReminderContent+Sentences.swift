import CivilTime

extension ReminderContent {
  /// The course of its escalation so far: `Anna has not answered since 08:00 (step 2 of 3)`; `nil` at the first ringing,
  /// and in an update.
  public var escalationSentence: String? { update == nil ? escalation?.sentence(onDayOf: fireDate) : nil }

  /// The end of its reminder, in the words of a separate message: `Ben checked 'Medicine' at 08:12: nothing is left to
  /// do for you`; `nil` unless it is an update that says so.
  ///
  /// - Parameter text: the text of the reminder, which may be shortened.
  public func news(of text: String) -> String? {
    guard let update, update.state == .answered else { return nil }
    let day = update.at.day(unlessOf: fireDate).map { " on \($0)" } ?? ""
    let what = update.person.map { "\($0.capitalizedFirst) \(update.deed) '\(text)'" } ?? "'\(text)' was \(update.deed)"
    // An acknowledged item is open: `again_after` may ring it again.
    let limit =
      switch update.operation {
      case .snooze: " until it rings again"
      case .acknowledge: " unless it rings again"
      default: ""
      }
    return "\(what)\(day) at \(update.at.wallTime.time): nothing is left to do for you\(limit)"
  }
}

extension EscalationNote {
  fileprivate func sentence(onDayOf fireDate: OffsetInstant) -> String? {
    guard step > 1 || ring > 1 else { return nil }
    let day = since.day(unlessOf: fireDate).map { "\($0) " } ?? ""
    return "\(silence) since \(day)\(since.wallTime.time) (step \(step) of \(of))"
  }

  // It is unknown who reads the messages of a sink.
  private var silence: String {
    let names = people.map(\.capitalizedFirst)
    guard let last = names.last, people.count == asked.count else { return "Nobody has answered" }
    guard names.count > 1 else { return "\(last) has not answered" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last) have not answered"
  }
}

extension ReminderUpdate {
  /// The operation as a participle: `checked`.
  fileprivate var deed: String {
    switch operation {
    case .acknowledge: "acknowledged"
    case .check: "checked"
    case .snooze: "snoozed"
    case .delete, .clearList, .deleteList: "deleted"
    case .some(.none), .edit, nil: "answered"
    }
  }
}

extension OffsetInstant {
  /// The day, `Sat 21 Nov 2026`; `nil` if another instant is on the same day.
  fileprivate func day(unlessOf other: OffsetInstant) -> String? {
    let date = wallTime.date
    return date == other.wallTime.date ? nil : Moment.day(date)
  }
}
