import Foundation
import RecurrenceRules

/// A short text that differs where what was added differs.
///
/// FNV-1a of 64 bits over texts behind their lengths and numbers of eight bytes each, so that no two sequences
/// look alike. It tells an accident, not an attack: whoever can write into the store needs no undo.
struct UndoMark {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The mark of everything that was added.
  var text: String { String(hash, radix: 16) }

  mutating func add(_ numbers: Int?...) {
    for number in numbers {
      mix(number == nil ? 0 : 1)
      withUnsafeBytes(of: (number ?? 0).littleEndian) { mix($0) }
    }
  }

  mutating func add(_ text: String?) {
    add(text?.utf8.count)
    for byte in text?.utf8 ?? "".utf8 { mix(byte) }
  }

  mutating func add(_ identity: UUID) {
    withUnsafeBytes(of: identity.uuid) { mix($0) }
  }

  mutating func add(_ date: Date?) { add(date.map { Int($0.timeIntervalSince1970) }) }

  mutating func add(_ recurrence: Recurrence?) {
    add(recurrence?.rule.description)
    add(recurrence?.start.minutesSinceEpoch, recurrence?.origin == .done ? 1 : 0)
  }

  private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { mix(byte) }
  }

  private mutating func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
}
