import CivilTime

/// The parts of a rule that a parser has read so far.
package struct RuleParts {
  package var frequency: RecurrenceRule.Frequency?
  package var interval = 1
  package var end = RecurrenceRule.End.never
  package var months: [Int] = []
  package var weekNumbers: [Int] = []
  package var yearDays: [Int] = []
  package var monthDays: [Int] = []
  package var weekdays: [RecurrenceRule.OrdinalWeekday] = []
  package var hours: [Int] = []
  package var minutes: [Int] = []
  package var seconds: [Int] = []
  package var setPositions: [Int] = []
  package var weekStart = Weekday.monday

  package init() {}

  /// True if there is a BY part other than BYSETPOS.
  var hasByPart: Bool {
    !(months.isEmpty && weekNumbers.isEmpty && yearDays.isEmpty && monthDays.isEmpty && weekdays.isEmpty
      && hours.isEmpty && minutes.isEmpty && seconds.isEmpty)
  }

  /// The fault of a combination of parts, with the name of the part at fault.
  package func fault(with frequency: RecurrenceRule.Frequency) -> (part: String, message: String)? {
    if weekdays.contains(where: { $0.ordinal != nil }) {
      guard frequency == .monthly || frequency == .yearly else {
        return ("BYDAY", "a numbered day of the week, like 1MO, needs a month or a year, not \(frequency.rawValue)")
      }
      guard weekNumbers.isEmpty else {
        return ("BYDAY", "a numbered day of the week, like 1MO, cannot be joined with weeks by number (BYWEEKNO)")
      }
    }
    guard setPositions.isEmpty || hasByPart else {
      return ("BYSETPOS", "BYSETPOS needs another BY part to choose from")
    }
    return nil
  }
}
