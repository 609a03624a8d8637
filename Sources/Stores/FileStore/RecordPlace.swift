import BelfryModel
import FoundationEssentials

/// The sort key of a record within its section of the file.
struct RecordPlace: Comparable, Sendable {
  private let a: Int64
  private let b: Int64
  private let c: Int64
  private let d: Int64
  private let e: Int64
  private let f: Int64

  init(_ a: Int64, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0, _ e: Int64 = 0, _ f: Int64 = 0) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  /// Lists in order of creation.
  init(_ list: Checklist) { self.init(list.id) }

  /// Items by list, then by position.
  init(_ item: Item) { self.init(item.listID, item.position, item.id) }

  /// Reminders by owner and occurrence, which never change: those of items first, then those of lists.
  init(_ reminder: Reminder) {
    let occurrence = reminder.occurrence
    let (isList, number): (Int64, Int64) =
      switch occurrence.owner {
      case .item(let id): (0, id)
      case .list(let id): (1, id)
      }
    let (kind, serial): (Int64, Int) =
      switch occurrence.kind {
      case .planned: (0, 0)
      case .snooze(let minute): (1, minute)
      case .nag(let count): (2, count)
      case .escalation(let place): (3, place.number)
      }
    self.init(
      isList, number, Int64(occurrence.wallTime.minutesSinceEpoch), Int64(occurrence.lead.days),
      Int64(occurrence.lead.minutes), kind << 48 | min(max(0, Int64(serial)), 1 << 40))
  }

  /// Messages by time of creation.
  init(_ message: Message) {
    let seconds = message.createdAt.timeIntervalSince1970
    let (high, low) = withUnsafeBytes(of: message.id.uuid) { bytes in
      (
        bytes.loadUnaligned(as: UInt64.self).bigEndian,
        bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
      )
    }
    self.init(
      Int64(exactly: seconds.rounded(.down)) ?? .max, Int64(high >> 1), Int64(high & 1), Int64(low >> 1), Int64(low & 1)
    )
  }

  /// Orders deliveries by their number.
  init(_ delivery: Delivery) { self.init(delivery.id) }

  /// Orders answers by their number.
  package init(_ answer: Answer) { self.init(answer.id) }

  /// Compares the numbers lexicographically.
  static func < (one: RecordPlace, other: RecordPlace) -> Bool {
    (one.a, one.b, one.c, one.d, one.e, one.f) < (other.a, other.b, other.c, other.d, other.e, other.f)
  }
}
