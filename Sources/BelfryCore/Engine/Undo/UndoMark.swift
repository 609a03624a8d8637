import Foundation
import RecurrenceRules

/// A short text that differs where what was added differs.
///
/// Each text goes behind its length and each number before a blank, so that no two sequences look alike.
struct UndoMark {
  private var content = ""

  /// The mark of everything that was added.
  var text: String { UUID(namespace: .belfry, name: content).text }

  mutating func add(_ text: String?) {
    add(text?.utf8.count)
    if let text { content += text }
  }

  mutating func add(_ numbers: Int?...) {
    for number in numbers {
      content += number?.description ?? "-"
      content += " "
    }
  }

  mutating func add(_ date: Date) { add(Int(date.timeIntervalSince1970)) }

  mutating func add(_ recurrence: Recurrence?) {
    add(recurrence?.rule.description)
    add(recurrence?.start.minutesSinceEpoch, recurrence?.origin == .done ? 1 : 0)
  }
}
