import BelfryCore
import Foundation
import RecurrenceRules

/// Turns the values of records into what they mean.
///
/// Numbers, dates and identities look the same in all formats, so that they are read here; a text that many records share
/// is made once. A class, since copies of its tables would cost more than what it does.
final class RecordDecoder {
  private struct Known {
    var range = 0..<0
    var text = ""
    var alerts: [CalendarDuration] = []
  }

  let bytes: UnsafeRawBufferPointer
  private let scanner: any RecordScanner
  private var known: [Known] = []
  private var rules: [String: RecurrenceRule] = [:]
  private var durations: [String: CalendarDuration] = [:]

  /// A decoder of a file.
  init(_ scanner: any RecordScanner) {
    self.scanner = scanner
    bytes = scanner.bytes
    forgetSymbols()
  }

  /// Says that records of another kind follow.
  func forgetSymbols() { known = [Known](repeating: Known(), count: ItemField.allCases.count) }

  // MARK: Texts

  func optionalText(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> String? {
    let value = record.values[field.rawValue]
    return isPresent(value) ? try text(value) : nil
  }

  func text(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> String {
    try text(required(record, field))
  }

  /// A text that many records share under this field.
  func optionalSymbol(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> String? {
    let value = record.values[field.rawValue]
    guard isPresent(value) else { return nil }
    guard value.kind == .text else { return try text(value) }
    let index = field.rawValue
    if isSame(known[index].range, value.range) { return known[index].text }
    let text = try text(value)
    known[index] = Known(range: value.range, text: text)
    return text
  }

  func symbol(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> String {
    try present(optionalSymbol(record, field), record, field)
  }

  func text(_ value: RawValue) throws(StoreFault) -> String {
    switch value.kind {
    case .text: return String(decoding: bytes[value.range], as: UTF8.self)
    case .escapedText: return try scanner.text(of: value)
    default: throw .damaged(offset: scanner.start(of: value), message: "expected a text, found \(value.kind.words)")
    }
  }

  // MARK: Numbers and truth

  func optionalInteger(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> Int64? {
    let value = record.values[field.rawValue]
    guard isPresent(value) else { return nil }
    guard value.kind == .number else {
      throw fault(record, field, "expected a whole number, found \(value.kind.words)")
    }
    guard let number = NumberText.integer(slice(value.range)) else {
      let text = String(decoding: bytes[value.range], as: UTF8.self)
      let isTooLarge = !text.hasPrefix("0") && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      throw fault(
        record, field,
        isTooLarge
          ? "\(shown(text)) is too large: a whole number goes up to \(Int64.max)"
          : "expected a whole number, in digits alone such as 5, found \(shown(text))")
    }
    return number
  }

  func integer(
    _ record: RawRecord, _ field: some RecordField, in range: ClosedRange<Int64> = 0...Int64.max
  ) throws(StoreFault) -> Int64 {
    let number = try present(optionalInteger(record, field), record, field)
    guard range.contains(number) else {
      throw fault(record, field, "this number must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The number of an item, list or delivery: one more must still be a number.
  func number(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> Int64 {
    try integer(record, field, in: 0...(Int64.max - 1))
  }

  func bool(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> Bool {
    let value = try required(record, field)
    switch value.kind {
    case .yes: return true
    case .no: return false
    default: throw fault(record, field, "expected true or false, found \(value.kind.words)")
    }
  }

  /// What a person may leave out of a record that is written by hand.
  func isSaid(_ record: RawRecord, _ field: some RecordField) -> Bool { isPresent(record.values[field.rawValue]) }

  /// One of several words.
  func word<Value>(
    _ record: RawRecord, _ field: some RecordField, of words: [(String, Value)]
  ) throws(StoreFault) -> Value {
    let word = try symbol(record, field)
    for (text, value) in words where text == word { return value }
    let expected = words.map { "\"\($0.0)\"" }.joined(separator: ", ")
    throw fault(record, field, "expected \(expected), found \(shown(word))")
  }

  // MARK: Values of several values

  func rule(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> RecurrenceRule? {
    guard let text = try optionalSymbol(record, field) else { return nil }
    if let rule = rules[text] { return rule }
    do {
      let rule = try RecurrenceRule(text)
      rules[text] = rule
      return rule
    } catch {
      throw fault(record, field, "\(shown(text)) is no recurrence rule: \(error.message)")
    }
  }

  func optionalDuration(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> CalendarDuration? {
    guard let text = try optionalSymbol(record, field) else { return nil }
    return try duration(text) { scanner.start(of: record.values[field.rawValue]) }
  }

  /// A duration that is some time.
  func optionalSpan(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> CalendarDuration? {
    let duration = try optionalDuration(record, field)
    guard duration != .zero else { throw fault(record, field, "this duration must be at least a minute") }
    return duration
  }

  func alerts(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> [CalendarDuration] {
    let value = try required(record, field)
    let index = field.rawValue
    if isSame(known[index].range, value.range) { return known[index].alerts }
    guard value.kind == .compound else {
      throw fault(record, field, "expected a list of texts, found \(value.kind.words)")
    }
    var alerts: [CalendarDuration] = []
    for (element, text) in try scanner.texts(of: value).enumerated() {
      alerts.append(try duration(text) { scanner.start(ofElement: element, in: value) })
    }
    known[index] = Known(range: value.range, alerts: alerts)
    return alerts
  }

  func texts(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> [String] {
    let value = record.values[field.rawValue]
    guard isPresent(value) else { return [] }
    guard value.kind == .compound else {
      throw fault(record, field, "expected a list of texts, found \(value.kind.words)")
    }
    return try scanner.texts(of: value)
  }

  func duration(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> CalendarDuration {
    try present(optionalDuration(record, field), record, field)
  }

  /// How something repeats; what starts somewhere must repeat, and the other way round.
  func recurrence<Field: RecordField>(
    _ record: RawRecord, _ rule: Field, start: Field, from origin: Field
  ) throws(StoreFault) -> Recurrence? {
    let parsed = try self.rule(record, rule)
    let anchor = try optionalWallTime(record, start)
    guard let (rule, start) = try bothOrNone(record, (rule, parsed), (start, anchor)) else { return nil }
    return Recurrence(
      rule: rule, start: start,
      origin: isSaid(record, origin) ? try word(record, origin, of: Recurrence.Origin.words) : .due)
  }

  /// Two values that make sense only together.
  func bothOrNone<One, Other>(
    _ record: RawRecord, _ one: (field: some RecordField, value: One?),
    _ other: (field: some RecordField, value: Other?)
  ) throws(StoreFault) -> (One, Other)? {
    if let first = one.value, let second = other.value { return (first, second) }
    if one.value == nil, other.value == nil { return nil }
    let names = (name(one.field, record), name(other.field, record))
    let (present, missing) = one.value == nil ? (names.1, names.0) : names
    throw .damaged(
      offset: record.range.lowerBound, message: "this \(record.kind.noun) has a \"\(present)\" and no \"\(missing)\"")
  }

  func contents(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> [ReminderContent] {
    try scanner.contents(of: required(record, field))
  }

  /// The values of a record inside another one; false where there is none.
  func record(in outer: RawRecord, _ field: some RecordField, _ inner: inout RawRecord) throws(StoreFault) -> Bool {
    let value = outer.values[field.rawValue]
    guard isPresent(value) else { return false }
    guard value.kind == .compound else {
      throw fault(outer, field, "expected a \(inner.kind.noun), found \(value.kind.words)")
    }
    try scanner.record(in: value, &inner)
    return true
  }

  private func duration(_ text: String, at place: () -> Int) throws(StoreFault) -> CalendarDuration {
    if let duration = durations[text] { return duration }
    guard let duration = CalendarDuration(iso8601: text) else {
      throw .damaged(offset: place(), message: "\(shown(text)) is no duration such as PT10M or P1D")
    }
    durations[text] = duration
    return duration
  }

  // MARK: What they share

  /// The fault of a record's field.
  func fault(_ record: RawRecord, _ field: some RecordField, _ message: String) -> StoreFault {
    .damaged(offset: start(record, field), message: message)
  }

  /// Where a record's field starts.
  func start(_ record: RawRecord, _ field: some RecordField) -> Int {
    scanner.start(of: record.values[field.rawValue])
  }

  /// What the file calls a record's field.
  func name(_ field: some RecordField, _ record: RawRecord) -> String {
    scanner.name(of: field.rawValue, in: record.kind)
  }

  func require(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) { _ = try required(record, field) }

  func required(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> RawValue {
    let value = record.values[field.rawValue]
    return try present(isPresent(value) ? value : nil, record, field)
  }

  func present<Value>(
    _ value: Value?, _ record: RawRecord, _ field: some RecordField
  ) throws(StoreFault) -> Value {
    if let value { return value }
    let name = name(field, record)
    if record.values[field.rawValue].kind == .null { throw fault(record, field, "\"\(name)\" must have a value") }
    throw .damaged(offset: record.range.lowerBound, message: "this \(record.kind.noun) has no \"\(name)\"")
  }

  func isPresent(_ value: RawValue) -> Bool { value.kind != .missing && value.kind != .null }

  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  private func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == other.count, !one.isEmpty, let base = bytes.baseAddress else { return false }
    return memcmp(base + one.lowerBound, base + other.lowerBound, one.count) == 0
  }
}

extension RawValue.Kind {
  /// The kind as messages name it.
  fileprivate var words: String {
    switch self {
    case .missing, .null: "nothing"
    case .text, .escapedText: "a text"
    case .number: "a number"
    case .yes, .no: "a truth value"
    case .compound: "a list or an object"
    }
  }
}
