import BelfryModel
import CivilTime

/// The `t:` of a task, the day before which other programs hide it, as a property of its item.
enum TodoTxtThreshold: Hashable {
  /// A day; the task has no due date.
  case day(CivilDate)
  /// The number of days after the due date, mostly negative, so that it moves with the due date.
  case daysAfterDue(Int)
  /// The due date itself: the task has no `due:`, and its repeat counts from `t:`.
  case due

  private static let name = "X-TODOTXT-T"
  private static let distance = "\(name);VALUE=DURATION"

  /// The threshold on a day of a task with this due date.
  init(_ day: CivilDate, due: WallTime?) {
    self = due.map { .daysAfterDue(day.daysSinceEpoch - $0.date.daysSinceEpoch) } ?? .day(day)
  }

  /// The threshold of a line that is exactly its property; `nil` for any other line.
  init?(line: String) {
    if let text = ContentLine.text(of: line, named: Self.name) {
      guard let threshold = text == "DUE" ? .due : CivilDate(parsing: text).map(Self.day) else { return nil }
      self = threshold
    } else if let text = ContentLine.text(of: line, named: Self.distance),
      let days = Int(text.filter { $0 != "P" && $0 != "D" })
    {
      self = .daysAfterDue(days)
    } else {
      return nil
    }
    guard self.line == line else { return nil }
  }

  var line: String {
    switch self {
    case .day(let day): "\(Self.name):\(day.extendedText)"
    case .daysAfterDue(let days): "\(Self.distance):\(days < 0 ? "-" : "")P\(days.magnitude)D"
    case .due: "\(Self.name):DUE"
    }
  }

  /// The day for a task with this due date; `nil` if there is none, or its year does not have four digits.
  func day(due: WallTime?) -> CivilDate? {
    switch self {
    case .day(let day): return day
    case .due: return due?.date
    case .daysAfterDue(let days):
      guard let day = due?.date.adding(days: days), 0...9_999 ~= day.year else { return nil }
      return day
    }
  }
}
