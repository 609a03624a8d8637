import CivilTime
import FoundationEssentials
import Glibc
import RecurrenceRules

/// Decodes the values of records that a scanner has found.
///
/// Numbers, dates and UUIDs are the same in all formats; texts that many records share are created once. A class, since
/// copying its caches would cost more than they save.
package final class RecordReader {
  private struct Known {
    var range = 0..<0
    var text = ""
    var durations: [CalendarDuration] = []
  }

  // Accesses to its variables never overlap, so the check for that at each access is turned off.
  let scanner: any RecordScanner
  let bytes: UnsafeRawBufferPointer
  /// True if records must be complete, as in a store's file. An import fills in missing fields instead.
  let isStrict: Bool
  /// True if all records read since the last reset had every field that Belfry writes.
  @exclusivity(unchecked) package var isWhole = true
  /// The instants of a record in a message with their offsets; `nil` while records of files are read.
  @exclusivity(unchecked) var shownInstants: [OffsetInstant]?
  @exclusivity(unchecked) private var kind: RecordKind
  // The last value of each shared field, by the number of the kind and the field.
  @exclusivity(unchecked) private var known: [[Known]] = []
  private var rules: [String: RecurrenceRule] = [:]
  private var durations: [String: CalendarDuration] = [:]

  private static let noKind = RecordKind(0, "record", [])

  /// A reader for the values of a scanner.
  package init(_ scanner: any RecordScanner, isStrict: Bool = true) {
    self.scanner = scanner
    self.isStrict = isStrict
    bytes = scanner.bytes
    kind = Self.noKind
  }

  /// Sets the kind of the next record.
  func begin(_ kind: RecordKind) { self.kind = kind }

  /// Reads a record inside the current one.
  func inside<Inner>(
    _ body: (RecordReader) throws(FormFault) -> Inner
  ) throws(FormFault) -> Inner {
    let outer = kind
    defer { begin(outer) }
    return try body(self)
  }

  // MARK: Faults

  func fault(_ field: Int, _ value: RawValue, _ reason: FormFault.Reason) -> FormFault {
    FormFault(
      offset: scanner.start(of: value), reason, field: scanner.name(of: field, in: kind), noun: kind.noun)
  }

  /// A fault of a value of the wrong type.
  func mismatch(_ field: Int, _ value: RawValue, _ wanted: String) -> FormFault {
    fault(field, value, .mismatch(found: value.kind, wanted: wanted))
  }

  /// A fault of a record without a required field.
  func missing(_ field: Int, _ raw: RawRecord) -> FormFault {
    let isNull = raw.values[field].kind == .null
    return FormFault(
      offset: isNull ? scanner.start(of: raw.values[field]) : raw.range.lowerBound, isNull ? .null : .missing,
      field: scanner.name(of: field, in: raw.kind), noun: raw.kind.noun)
  }

  /// A fault of a record without a required field, by the field's name in JSON.
  package func missing(_ field: StaticString, _ raw: RawRecord) -> FormFault {
    raw.kind.index(of: "\(field)").map { missing($0, raw) } ?? fault(raw, "has no \"\(field)\"")
  }

  package func fault(_ raw: RawRecord, _ message: String) -> FormFault {
    FormFault(offset: raw.range.lowerBound, message: message)
  }

  /// A fault of a field, by its name in JSON.
  package func fault(_ field: StaticString, _ raw: RawRecord, _ message: String) -> FormFault {
    let index = raw.kind.index(of: "\(field)")
    return FormFault(offset: index.map { start(of: $0, raw) } ?? raw.range.lowerBound, message: message)
  }

  /// The field's name in the file.
  func name(_ field: StaticString, _ raw: RawRecord) -> String {
    raw.kind.index(of: "\(field)").map { scanner.name(of: $0, in: raw.kind) } ?? "\(field)"
  }

  private func start(of field: Int, _ raw: RawRecord) -> Int { scanner.start(of: raw.values[field]) }

  /// Refuses a record with only one of two fields that belong together.
  func requireBothOrNone(
    _ one: (name: StaticString, isThere: Bool), _ other: (name: StaticString, isThere: Bool), _ raw: RawRecord
  ) throws(FormFault) {
    guard one.isThere != other.isThere else { return }
    let (there, missing) = one.isThere ? (one.name, other.name) : (other.name, one.name)
    throw fault(raw, "this \(raw.kind.noun) has a \"\(name(there, raw))\" and no \"\(name(missing, raw))\"")
  }

  // MARK: Texts

  func text(_ value: RawValue, _ field: Int) throws(FormFault) -> String {
    switch value.kind {
    case .text: return String(decoding: bytes[value.range], as: UTF8.self)
    case .escapedText: return try scanner.text(of: value)
    default: throw mismatch(field, value, "a text")
    }
  }

  /// The text of a field that many records share.
  func sharedText(_ value: RawValue, _ field: Int) throws(FormFault) -> String {
    guard value.kind == .text else { return try text(value, field) }
    if let known = known(value, field) { return known.text }
    let text = try text(value, field)
    remember(Known(range: value.range, text: text), field)
    return text
  }

  func texts(_ value: RawValue, _ field: Int) throws(FormFault) -> [String] {
    guard value.kind == .array else { throw mismatch(field, value, "a list of texts") }
    return try scanner.texts(of: value)
  }

  func slice(_ value: RawValue) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[value.range]) }

  // MARK: Text formats

  func instant(_ value: RawValue, _ field: Int) throws(FormFault) -> Date {
    guard shownInstants == nil else {
      let instant = try offsetInstant(value, field)
      shownInstants?.append(instant)
      return instant.date
    }
    if value.kind == .text, let instant = DateText.utcInstant(slice(value)) { return instant }
    let text = try text(value, field)
    guard let instant = DateText.instant(text) else { throw noInstant(text, value, field) }
    return instant
  }

  func offsetInstant(_ value: RawValue, _ field: Int) throws(FormFault) -> OffsetInstant {
    if value.kind == .text, let instant = DateText.offsetInstant(slice(value)) { return instant }
    let text = try text(value, field)
    guard let instant = OffsetInstant(text) else { throw noInstant(text, value, field) }
    return instant
  }

  private func noInstant(_ text: String, _ value: RawValue, _ field: Int) -> FormFault {
    fault(field, value, .invalid(text, article: "an", noun: "instant", example: "2026-11-21T08:00:00Z"))
  }

  func rule(_ value: RawValue, _ field: Int) throws(FormFault) -> RecurrenceRule {
    let text = try sharedText(value, field)
    if let rule = rules[text] { return rule }
    do {
      let rule = try RecurrenceRule(text)
      rules[text] = rule
      return rule
    } catch {
      throw fault(field, value, .rule(text, error))
    }
  }

  func duration(_ value: RawValue, _ field: Int) throws(FormFault) -> CalendarDuration {
    let text = try sharedText(value, field)
    if let duration = duration(text) { return duration }
    throw fault(field, value, Self.noDuration(text))
  }

  func durations(_ value: RawValue, _ field: Int) throws(FormFault) -> [CalendarDuration] {
    if let known = known(value, field) { return known.durations }
    var durations: [CalendarDuration] = []
    for (element, text) in try texts(value, field).enumerated() {
      guard let duration = duration(text) else {
        throw FormFault(
          offset: scanner.start(ofElement: element, in: value), Self.noDuration(text),
          field: scanner.name(of: field, in: kind), noun: kind.noun)
      }
      durations.append(duration)
    }
    remember(Known(range: value.range, durations: durations), field)
    return durations
  }

  private static func noDuration(_ text: String) -> FormFault.Reason {
    .invalid(text, article: "a", noun: "duration", example: "PT10M or P1D")
  }

  private func duration(_ text: String) -> CalendarDuration? {
    if let duration = durations[text] { return duration }
    guard let duration = CalendarDuration(iso8601: text) else { return nil }
    durations[text] = duration
    return duration
  }

  /// The value of the field in the previous record, if its text is the same.
  private func known(_ value: RawValue, _ field: Int) -> Known? {
    guard kind.number < known.count, field < known[kind.number].count, let base = bytes.baseAddress,
      case let range = known[kind.number][field].range, range.count == value.range.count, !range.isEmpty,
      memcmp(base + range.lowerBound, base + value.range.lowerBound, range.count) == 0
    else { return nil }
    return known[kind.number][field]
  }

  private func remember(_ value: Known, _ field: Int) {
    while known.count <= kind.number { known.append([]) }
    if known[kind.number].isEmpty { known[kind.number] = [Known](repeating: Known(), count: kind.names.count) }
    known[kind.number][field] = value
  }
}
