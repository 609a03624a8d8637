extension Record {
  /// The record of a JSON text, which has nothing else.
  ///
  /// - Parameter isStrict: whether the record must be complete, as in a store's file.
  /// - Throws: the first fault, with its place in the text.
  package init(json bytes: UnsafeRawBufferPointer, isStrict: Bool = true) throws(FormFault) {
    var scanner = JSONScanner(bytes)
    var raw = RawRecord(Self.form.kind)
    try scanner.onlyRecord(&raw)
    self = try Self.form.read(raw, RecordReader(scanner, isStrict: isStrict))
  }

  /// The record of a JSON text, as in a store's file.
  package init(json text: String) throws(FormFault) {
    var text = text
    let record = text.withUTF8 { bytes in
      Result { () throws(FormFault) in try Self(json: UnsafeRawBufferPointer(bytes)) }
    }
    self = try record.get()
  }
}
