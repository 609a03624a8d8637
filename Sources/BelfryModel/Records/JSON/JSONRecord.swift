extension Record {
  /// The record that a text in JSON says, and nothing else.
  ///
  /// - Parameter isStrict: whether it has to be as a store's file has it.
  /// - Throws: the first fault, with its place in the text.
  package init(json bytes: UnsafeRawBufferPointer, isStrict: Bool = true) throws(FormFault) {
    var scanner = JSONScanner(bytes)
    var raw = RawRecord(Self.form.kind)
    try scanner.onlyRecord(&raw)
    self = try Self.form.read(raw, RecordReader(scanner, isStrict: isStrict))
  }

  /// The record that a text in JSON says.
  package init(json text: String) throws(FormFault) {
    var text = text
    let record = text.withUTF8 { bytes in
      Result { () throws(FormFault) in try Self(json: UnsafeRawBufferPointer(bytes)) }
    }
    self = try record.get()
  }
}
