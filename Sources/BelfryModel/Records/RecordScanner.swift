/// Finds the records of a file and the values in them: it knows the format, and nothing of what the fields mean.
///
/// A whole record is found in one call, since a file has tens of thousands of them and calls from one module to another
/// add up. A copy of a scanner goes on from where the copy was made.
package protocol RecordScanner {
  /// The file.
  var bytes: UnsafeRawBufferPointer { get }
  /// Where the scanner is.
  var index: Int { get set }

  /// Enters the record that the file is.
  mutating func enterStore() throws(FormFault)
  /// Goes to the next field of that record, by its place in the kind's order; nil behind the last one. Fields that the
  /// kind does not know are kept aside.
  mutating func nextField(of kind: RecordKind) throws(FormFault) -> Int?
  /// The value of that field, where it is not a section.
  mutating func value() throws(FormFault) -> RawValue
  /// Enters that field's section.
  mutating func enterSection() throws(FormFault)
  /// Finds the next record of the section; false behind the last one.
  mutating func nextRecord(_ record: inout RawRecord) throws(FormFault) -> Bool
  /// Sees to it that nothing follows the record that the file is. Returns what that held beside the fields of its kind.
  mutating func leaveStore() throws(FormFault) -> UnknownFields?

  /// The field as the format names it.
  func name(of field: Int, in kind: RecordKind) -> String
  /// Where a value starts, with what encloses it, as messages point to it.
  func start(of value: RawValue) -> Int
  /// Where an element of a sequence starts.
  func start(ofElement index: Int, in value: RawValue) -> Int

  /// Finds the values of a record inside another one.
  func record(in value: RawValue, _ record: inout RawRecord) throws(FormFault)
  /// A text that is written in another way.
  func text(of value: RawValue) throws(FormFault) -> String
  /// The texts of a sequence.
  func texts(of value: RawValue) throws(FormFault) -> [String]
  /// The contents of a message.
  func contents(of value: RawValue, _ reader: RecordReader) throws(FormFault) -> [ReminderContent]
}

extension RecordScanner {
  /// Finds the records of the section that is next.
  mutating func visitRecords(
    of kind: RecordKind, _ body: (RawRecord) throws(FormFault) -> Void
  ) throws(FormFault) {
    try enterSection()
    var raw = RawRecord(kind)
    while try nextRecord(&raw) { try body(raw) }
  }

  /// The fault of a record that has a field twice.
  package func repeated(_ field: Int, _ value: RawValue, in kind: RecordKind) -> FormFault {
    FormFault(
      offset: start(of: value), message: "this \(kind.noun) has its \"\(name(of: field, in: kind))\" twice")
  }

  /// The fault of a key that Belfry does not know and that stands twice.
  package func repeated(_ key: String, at offset: Int) -> FormFault {
    FormFault(offset: offset, message: "the key \(shown(key)) stands here for the second time")
  }
}
