import FoundationEssentials

/// Reads and writes one type of value in files.
protocol FieldCodec<Value>: Sendable {
  associatedtype Value

  /// The shape of its values.
  var shape: FieldShape { get }
  /// Reads the value of a field, which is present and not `null`.
  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Value
  /// Writes a value under a field.
  func write(_ value: Value, _ key: FieldKey, _ output: any RecordOutput) throws
}

// MARK: Texts

/// Codes a text. `isShared` if many records have the same text, which is then in memory once.
struct TextCodec: FieldCodec {
  let isShared: Bool

  var shape: FieldShape { .text }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> String {
    try isShared ? reader.sharedText(value, field) : reader.text(value, field)
  }

  func write(_ value: String, _ key: FieldKey, _ output: any RecordOutput) throws { try output.write(key, value) }
}

extension FieldCodec where Self == TextCodec {
  static var text: TextCodec { TextCodec(isShared: false) }
  static var sharedText: TextCodec { TextCodec(isShared: true) }
}

/// Codes a sequence of texts.
struct TextsCodec: FieldCodec {
  var shape: FieldShape { .texts }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> [String] {
    try reader.texts(value, field)
  }

  func write(_ value: [String], _ key: FieldKey, _ output: any RecordOutput) throws { try output.write(key, value) }
}

extension FieldCodec where Self == TextsCodec {
  static var texts: TextsCodec { TextsCodec() }
}

/// Codes a value by its text.
struct ParsedTextCodec<Value: Sendable>: FieldCodec {
  let parse: @Sendable (String) throws(BelfryError) -> Value
  let text: @Sendable (Value) -> String

  var shape: FieldShape { .text }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Value {
    let text = try reader.sharedText(value, field)
    do {
      return try parse(text)
    } catch {
      throw reader.fault(field, value, .sentence(error.message))
    }
  }

  func write(_ value: Value, _ key: FieldKey, _ output: any RecordOutput) throws { try output.write(key, text(value)) }
}

/// Codes one of several words.
struct WordCodec<Value: Sendable & Equatable>: FieldCodec {
  let words: [(word: String, value: Value)]

  var shape: FieldShape { .word(words.map(\.word)) }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Value {
    let text = try reader.sharedText(value, field)
    for (word, value) in words where word == text { return value }
    throw reader.fault(field, value, .word(text, of: words.map(\.word)))
  }

  func write(_ value: Value, _ key: FieldKey, _ output: any RecordOutput) throws {
    for each in words where each.value == value { return try output.write(key, each.word) }
  }
}

extension WordCodec where Value: CaseIterable {
  /// Words for all cases of a type.
  init(_: Value.Type, _ word: (Value) -> String) { words = Value.allCases.map { (word($0), $0) } }
}

// MARK: Numbers and booleans

/// Codes a whole number within bounds.
struct NumberCodec<Value: FixedWidthInteger & Sendable>: FieldCodec {
  let range: ClosedRange<Int64>

  var shape: FieldShape { .number(range) }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Value {
    guard value.kind == .number else { throw reader.mismatch(field, value, "a whole number") }
    guard let number = NumberText.integer(reader.slice(value)) else {
      let text = String(decoding: reader.slice(value), as: UTF8.self)
      let isTooLarge = !text.hasPrefix("0") && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      throw reader.fault(
        field, value,
        .sentence(
          isTooLarge
            ? "\(shown(text)) is too large: a whole number goes up to \(Int64.max)"
            : "expected a whole number, in digits alone such as 5, found \(shown(text))"))
    }
    guard range.contains(number), let number = Value(exactly: number) else {
      throw reader.fault(
        field, value, .sentence("this number must be from \(range.lowerBound) to \(range.upperBound)"))
    }
    return number
  }

  func write(_ value: Value, _ key: FieldKey, _ output: any RecordOutput) { output.write(key, Int64(value)) }
}

extension FieldCodec where Self == NumberCodec<Int64> {
  /// The id of an item, list or delivery. `Int64.max` is excluded, since no counter could follow it.
  static var number: NumberCodec<Int64> { NumberCodec(range: 0...(Int64.max - 1)) }
  static var integer: NumberCodec<Int64> { NumberCodec(range: Int64.min...Int64.max) }
}

extension FieldCodec where Self == NumberCodec<Int> {
  static var count: NumberCodec<Int> { NumberCodec(range: 0...Int64(Int32.max)) }
}

struct FlagCodec: FieldCodec {
  var shape: FieldShape { .flag }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Bool {
    switch value.kind {
    case .yes: true
    case .no: false
    default: throw reader.mismatch(field, value, "true or false")
    }
  }

  func write(_ value: Bool, _ key: FieldKey, _ output: any RecordOutput) { output.write(key, value) }
}

extension FieldCodec where Self == FlagCodec {
  static var flag: FlagCodec { FlagCodec() }
}

struct IdentityCodec: FieldCodec {
  var shape: FieldShape { .identity }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> UUID {
    if value.kind == .text, let identity = IdentityText.uuid(reader.slice(value)) { return identity }
    let text = try reader.text(value, field)
    throw reader.fault(field, value, .invalid(text, article: "a", noun: "UUID", example: nil))
  }

  func write(_ value: UUID, _ key: FieldKey, _ output: any RecordOutput) { output.write(key, value) }
}

extension FieldCodec where Self == IdentityCodec {
  static var identity: IdentityCodec { IdentityCodec() }
}

// MARK: Composite values

/// Codes a record inside another one.
struct RecordCodec<Inner: Record>: FieldCodec {
  var shape: FieldShape { .record }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> Inner {
    let form = Inner.form
    guard value.kind == .object else { throw reader.mismatch(field, value, "a \(form.kind.noun)") }
    var raw = RawRecord(form.kind)
    try reader.scanner.record(in: value, &raw)
    return try reader.inside { reader throws(FormFault) in try form.read(raw, reader) }
  }

  func write(_ value: Inner, _ key: FieldKey, _ output: any RecordOutput) throws {
    try Inner.form.write(value, to: output, under: key)
  }
}

/// Codes several records inside another one.
struct RecordsCodec<Inner: Record & Sendable>: FieldCodec {
  var shape: FieldShape { .record }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> [Inner] {
    try reader.records(of: Inner.form.kind, in: value) { raw throws(FormFault) in try Inner.form.read(raw, reader) }
  }

  func write(_ value: [Inner], _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, records: value.count) { try Inner.form.write(value[$0], to: output) }
  }
}

extension RecordReader {
  /// Reads a sequence of records inside the current one.
  func records<Inner>(
    of kind: RecordKind, in value: RawValue, _ read: (RawRecord) throws(FormFault) -> Inner
  ) throws(FormFault) -> [Inner] {
    try inside { reader throws(FormFault) in
      var scanner = reader.scanner
      scanner.index = value.range.lowerBound
      var records: [Inner] = []
      try scanner.visitRecords(of: kind) { raw throws(FormFault) in records.append(try read(raw)) }
      return records
    }
  }
}
