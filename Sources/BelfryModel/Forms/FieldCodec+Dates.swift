import CivilTime
import FoundationEssentials
import RecurrenceRules

extension Date {
  /// The time without fractions of a second, which records do not keep.
  public var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}

struct InstantCodec: FieldCodec {
  var shape: FieldShape { .instant }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Date {
    try reader.instant(value, field)
  }

  func write(_ value: Date, _ key: FieldKey, _ output: any RecordOutput) throws { try output.write(key, value) }
}

extension FieldCodec where Self == InstantCodec {
  static var instant: InstantCodec { InstantCodec() }
}

/// Codes an instant with its offset.
struct OffsetInstantCodec: FieldCodec {
  var shape: FieldShape { .instant }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> OffsetInstant {
    try reader.offsetInstant(value, field)
  }

  func write(_ value: OffsetInstant, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.description)
  }
}

extension FieldCodec where Self == OffsetInstantCodec {
  static var offsetInstant: OffsetInstantCodec { OffsetInstantCodec() }
}

struct FireDateCodec: FieldCodec {
  var shape: FieldShape { .instant }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> FireDate {
    let instant = try InstantCodec().read(value, field, reader)
    let date: FireDate
    do { date = try FireDate(instant) } catch { throw reader.fault(field, value, .sentence("\(error)")) }
    guard date.date == instant else {
      throw reader.fault(field, value, .sentence("this instant must be a full minute"))
    }
    return date
  }

  func write(_ value: FireDate, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.date)
  }
}

extension FieldCodec where Self == FireDateCodec {
  static var fireDate: FireDateCodec { FireDateCodec() }
}

struct WallTimeCodec: FieldCodec {
  var shape: FieldShape { .wallTime }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> WallTime {
    if value.kind == .text, let time = DateText.wallTime(reader.slice(value)) { return time }
    let text = try reader.text(value, field)
    throw reader.fault(
      field, value, .invalid(text, article: "a", noun: "wall-clock time", example: "2026-11-21T09:00"))
  }

  func write(_ value: WallTime, _ key: FieldKey, _ output: any RecordOutput) { output.write(key, value) }
}

extension FieldCodec where Self == WallTimeCodec {
  static var wallTime: WallTimeCodec { WallTimeCodec() }
}

struct ZoneCodec: FieldCodec {
  var shape: FieldShape { .zone }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> ItemZone {
    ItemZone(try reader.sharedText(value, field))
  }

  func write(_ value: ItemZone, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.description)
  }
}

extension FieldCodec where Self == ZoneCodec {
  static var zone: ZoneCodec { ZoneCodec() }
}

/// Codes a duration in ISO 8601.
struct DurationCodec: FieldCodec {
  let allowsZero: Bool

  var shape: FieldShape { .duration }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> CalendarDuration {
    let duration = try reader.duration(value, field)
    guard allowsZero || duration != .zero else {
      throw reader.fault(field, value, .sentence("this duration must be at least a minute"))
    }
    return duration
  }

  func write(_ value: CalendarDuration, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.iso8601)
  }
}

extension FieldCodec where Self == DurationCodec {
  static var duration: DurationCodec { DurationCodec(allowsZero: true) }
  /// A duration of at least a minute.
  static var span: DurationCodec { DurationCodec(allowsZero: false) }
}

/// Codes durations in ISO 8601.
struct DurationsCodec: FieldCodec {
  var shape: FieldShape { .durations }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> [CalendarDuration] {
    try reader.durations(value, field)
  }

  func write(_ value: [CalendarDuration], _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.map(\.iso8601))
  }
}

extension FieldCodec where Self == DurationsCodec {
  static var durations: DurationsCodec { DurationsCodec() }
}

/// Codes a recurrence rule (RFC 5545 section 3.3.10).
struct RuleCodec: FieldCodec {
  var shape: FieldShape { .rule }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> RecurrenceRule {
    try reader.rule(value, field)
  }

  func write(_ value: RecurrenceRule, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.description)
  }
}

extension FieldCodec where Self == RuleCodec {
  static var rule: RuleCodec { RuleCodec() }
}
