import Foundation
import RecurrenceRules

/// A short text that differs where what was added differs.
struct UndoMark {
  // Texts behind their lengths and numbers of eight bytes each, so that no two sequences look alike.
  private var content: [UInt8] = []

  init() { content.reserveCapacity(256) }

  /// The mark of everything that was added.
  var text: String { UUID(namespace: .belfry, utf8: content).text }

  mutating func add(_ numbers: Int?...) {
    for number in numbers {
      content.append(number == nil ? 0 : 1)
      withUnsafeBytes(of: (number ?? 0).littleEndian) { content.append(contentsOf: $0) }
    }
  }

  mutating func add(_ text: String?) {
    add(text?.utf8.count)
    if let text { content.append(contentsOf: text.utf8) }
  }

  mutating func add(_ identity: UUID) {
    withUnsafeBytes(of: identity.uuid) { content.append(contentsOf: $0) }
  }

  mutating func add(_ date: Date?) { add(date.map { Int($0.timeIntervalSince1970) }) }

  mutating func add(_ recurrence: Recurrence?) {
    add(recurrence?.rule.description)
    add(recurrence?.start.minutesSinceEpoch, recurrence?.origin == .done ? 1 : 0)
  }
}
