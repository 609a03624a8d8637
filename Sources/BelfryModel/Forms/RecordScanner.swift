/// Finds the records and values in a file of one format. It does not know what the fields mean.
///
/// A whole record is found in one call: a file has tens of thousands, and calls across modules are slow. A copy of a
/// scanner continues from its own place.
package protocol RecordScanner {
  /// The bytes of the file.
  var bytes: UnsafeRawBufferPointer { get }
  /// The current offset in the file.
  var index: Int { get set }

  /// Enters the outermost record of the file.
  mutating func enterStore() throws(FormFault)
  /// Moves to the next field of that record and returns its index in the kind; `nil` after the last one. Fields that
  /// the kind does not have are kept aside.
  mutating func nextField(of kind: RecordKind) throws(FormFault) -> Int?
  /// The value of that field, if it is not a section.
  mutating func value() throws(FormFault) -> RawValue
  /// Enters the section of that field.
  mutating func enterSection() throws(FormFault)
  /// Finds the next record of the section; returns `false` after the last one.
  mutating func nextRecord(_ record: inout RawRecord) throws(FormFault) -> Bool
  /// Checks that nothing follows the outermost record. Returns its unknown fields.
  mutating func leaveStore() throws(FormFault) -> UnknownFields?

  /// The field's name in the format.
  func name(of field: Int, in kind: RecordKind) -> String
  /// The start of a value including its delimiters, for messages.
  func start(of value: RawValue) -> Int
  /// The start of an element of a sequence.
  func start(ofElement index: Int, in value: RawValue) -> Int

  /// Finds the values of a record inside another one.
  func record(in value: RawValue, _ record: inout RawRecord) throws(FormFault)
  /// The text of a value with escapes.
  func text(of value: RawValue) throws(FormFault) -> String
  /// The texts of a sequence.
  func texts(of value: RawValue) throws(FormFault) -> [String]
  /// Finds records that every format keeps as JSON; the closure reads each.
  func visitJSON(
    in value: RawValue, of kind: RecordKind, _ reader: RecordReader,
    _ body: (RawRecord, RecordReader) throws(FormFault) -> Void
  ) throws(FormFault)
}

extension RecordScanner {
  /// Finds the records of the next section.
  mutating func visitRecords(
    of kind: RecordKind, _ body: (RawRecord) throws(FormFault) -> Void
  ) throws(FormFault) {
    try enterSection()
    var raw = RawRecord(kind)
    while try nextRecord(&raw) { try body(raw) }
  }

  /// A fault of a record that has a field twice.
  package func repeated(_ field: Int, _ value: RawValue, in kind: RecordKind) -> FormFault {
    FormFault(
      offset: start(of: value), message: "this \(kind.noun) has its \"\(name(of: field, in: kind))\" twice")
  }

  /// A fault of an unknown key that appears twice.
  package func repeated(_ key: String, at offset: Int) -> FormFault {
    FormFault(offset: offset, message: "duplicate key \(shown(key))")
  }
}
