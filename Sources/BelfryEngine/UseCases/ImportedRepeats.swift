import BelfryModel
import CivilTime
import FoundationEssentials
import RecurrenceRules

extension Change {
  // The rule counts from its anchor; the current due date may be a later occurrence or was moved by hand.
  func recurrence(_ imported: ImportedItem, due: DueDate?) throws -> Recurrence? {
    guard let rule = imported.rule else { return nil }
    guard let due else { throw BelfryError(.badInput, "it repeats (\(rule)) and has no due date to count from") }
    return try recurrence(rule, from: due, start: imported.repeatStart, origin: imported.repeatOrigin)
  }

  func recurrence(
    _ rule: RecurrenceRule, from due: DueDate, start: WallTime?, origin: Recurrence.Origin
  ) throws -> Recurrence {
    guard let start, start != due.local else { return try Recurrence(rule, from: due, origin: origin) }
    return Recurrence(rule: rule, start: start, origin: origin)
  }

  func reminder(_ imported: ImportedListReminder) throws -> ListReminder {
    let draft = imported.draft
    let due = try planner.resolve(draft.at, in: planner.zone(draft.zone))
    return ListReminder(
      due: due, zone: draft.zone,
      recurrence: try draft.rule.map { try recurrence($0, from: due, start: imported.repeatStart, origin: .due) },
      message: try draft.message.map(TextRules.message), category: draft.category)
  }
}

extension ImportInProgress {
  /// A date of an entry, in whole seconds.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for one that no item or list can have.
  func stamp(_ date: Date?, of what: String) throws -> Date? {
    guard let date else { return nil }
    guard (0..<253_402_300_800).contains(date.timeIntervalSince1970) else {
      throw BelfryError(.badInput, "the date of \(what) is before 1970 or after 9999")
    }
    return date.wholeSeconds
  }
}
