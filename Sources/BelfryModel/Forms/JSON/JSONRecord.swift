extension RecordKind {
  /// Reads the only record of a JSON text.
  ///
  /// - Parameter isStrict: whether the record must be complete, as in a store's file.
  /// - Throws: the first fault, with its place in the text.
  package func read<Value>(
    json bytes: UnsafeRawBufferPointer, isStrict: Bool = true,
    _ body: (RawRecord, RecordReader) throws(FormFault) -> Value
  ) throws(FormFault) -> Value {
    var scanner = JSONScanner(bytes)
    var raw = RawRecord(self)
    try scanner.onlyRecord(&raw)
    return try body(raw, RecordReader(scanner, isStrict: isStrict))
  }

  /// Reads the record of a JSON text, as in a store's file.
  package func read<Value>(
    json text: String, _ body: (RawRecord, RecordReader) throws(FormFault) -> Value
  ) throws(FormFault) -> Value {
    var text = text
    return try text.withUTF8 { bytes in
      Result { () throws(FormFault) in try read(json: UnsafeRawBufferPointer(bytes), body) }
    }.get()
  }
}

extension Record {
  /// The only record of a JSON text.
  ///
  /// - Parameter isStrict: whether the record must be complete, as in a store's file.
  /// - Throws: the first fault, with its place in the text.
  package init(json bytes: UnsafeRawBufferPointer, isStrict: Bool = true) throws(FormFault) {
    self = try Self.form.kind.read(json: bytes, isStrict: isStrict, Self.form.read)
  }

  /// The record of a JSON text, as in a store's file.
  package init(json text: String) throws(FormFault) { self = try Self.form.kind.read(json: text, Self.form.read) }
}

extension UnknownFields {
  /// The members of a JSON object that a kind of record does not know; `nil` if there are none.
  ///
  /// - Throws: the first fault, with its place in the text.
  package init?(object text: String, of kind: RecordKind) throws(FormFault) {
    var text = text
    var raw = RawRecord(kind)
    let read = text.withUTF8 { bytes in
      Result { () throws(FormFault) in
        var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
        try scanner.onlyRecord(&raw)
      }
    }
    try read.get()
    guard let unknown = raw.unknown else { return nil }
    self = unknown
  }
}
