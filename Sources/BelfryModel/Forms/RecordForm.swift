/// A type that files keep as a record.
package protocol Record: SendableMetatype {
  static var form: RecordForm<Self> { get }

  /// A record with default values.
  init()

  /// The unknown fields of the file.
  var unknown: UnknownFields? { get set }

  /// Checks rules between fields, each of which is valid by itself.
  func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault)
}

extension Record {
  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {}
}

/// The fields of a type of record, each declared once, in the order in which they are written.
///
/// The readers and writers of JSON and property lists, undo, `--json`, the names in templates and the columns of CSV
/// follow from it.
package struct RecordForm<Root: Record>: Sendable {
  /// The fields for code that does not depend on their meaning.
  package let kind: RecordKind
  /// The fields that files have.
  let fields: [Field<Root>]
  /// The fields shown in `--json` and messages, for code that does not depend on their meaning.
  let shownKind: RecordKind
  /// The fields shown in `--json` and messages.
  let shownFields: [Field<Root>]
  /// Decodes a record of a file, or of a message if its raw record is of the shown kind; throws the first fault.
  ///
  /// It is a property, since code that `init` builds is compiled for each type of record; a generic method would not
  /// be.
  package let read: @Sendable (RawRecord, RecordReader) throws(FormFault) -> Root

  /// A form.
  ///
  /// - Parameter describe: adds the fields.
  @inline(__always)
  init(_ number: Int, _ noun: String, _ describe: (inout FieldList<Root>) -> Void) {
    var list = FieldList<Root>()
    describe(&list)
    let fields = list.fields.filter { $0.use != .shown }
    let shownFields = list.fields.filter { $0.use != .kept }
    let shownKind = RecordKind(number + RecordKind.firstShown, noun, shownFields.map(\.name))
    kind = RecordKind(number, noun, fields.map(\.name))
    (self.fields, self.shownFields, self.shownKind) = (fields, shownFields, shownKind)
    read = { raw, reader throws(FormFault) in
      reader.begin(raw.kind)
      let fields = raw.kind === shownKind ? shownFields : fields
      var root = Root()
      for index in fields.indices {
        let value = raw.values[index]
        if value.isPresent {
          try fields[index].read(&root, value, index, reader)
        } else if fields[index].presence != .optional {
          if fields[index].presence == .required { throw reader.missing(index, raw) }
          reader.isWhole = false
        }
      }
      root.unknown = raw.unknown
      if reader.isStrict { try root.check(raw, reader) }
      return root
    }
  }

  /// The names of the fields shown in `--json` and messages.
  package var shownNames: [String] { shownFields.map { "\($0.name)" } }

  /// Writes the record for a file, or to be shown if `output` has a clock.
  ///
  /// - Throws: ``UnwritableValue`` for a value that the format cannot hold.
  package func write(_ root: Root, to output: any RecordOutput, under field: FieldKey? = nil) throws {
    output.open(field)
    try write(root, (output.isShowing ? shownFields : fields)[...], to: output)
    try output.close(root.unknown)
  }

  /// Writes some fields of the record.
  func write(_ root: Root, _ fields: ArraySlice<Field<Root>>, to output: any RecordOutput) throws {
    // One copy for all fields.
    try withUnsafePointer(to: root) { root in
      for index in fields.indices {
        try fields[index].write(root, FieldKey(kind: kind.number, index: index, name: fields[index].name), output)
      }
    }
  }
}

/// A field of a record: its name, and how to read and write it.
struct Field<Root>: Sendable {
  /// The use of a field.
  enum Use: Sendable {
    /// Written to files, and shown.
    case everywhere
    /// Written to files only.
    case kept
    /// Shown, and never in files.
    case shown
  }

  /// The presence of a field in files.
  enum Presence: Sendable {
    case required
    /// Written by Belfry, but may be missing in a record written by hand.
    case expected
    /// Present only if it differs from its default.
    case optional
  }

  let name: StaticString
  let presence: Presence
  let use: Use
  let shape: @Sendable () -> FieldShape
  let read: @Sendable (inout Root, RawValue, Int, RecordReader) throws(FormFault) -> Void
  let write: @Sendable (UnsafePointer<Root>, FieldKey, any RecordOutput) throws -> Void
}

/// The fields of a form under construction.
struct FieldList<Root> {
  fileprivate(set) var fields: [Field<Root>] = []

  /// Adds a field that always has a value.
  @inline(__always)
  mutating func add<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value> & Sendable, _ codec: Codec,
    _ presence: Field<Root>.Presence = .required, in use: Field<Root>.Use = .everywhere
  ) {
    append(name, path, codec, presence, use) { value, key, output in try codec.write(value, key, output) }
  }

  /// Adds a field with a default.
  ///
  /// - Parameter usual: the default, which is left out of files.
  @inline(__always)
  mutating func add<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value> & Sendable, _ codec: Codec,
    unless usual: Codec.Value, in use: Field<Root>.Use = .everywhere
  ) where Codec.Value: Equatable & Sendable {
    append(name, path, codec, .optional, use) { value, key, output in
      if value != usual || output.isShowing { try codec.write(value, key, output) }
    }
  }

  /// Adds a field that may have no value, and is then left out of files.
  ///
  /// - Parameter isNullable: whether to write `null` for no value, in files too.
  @inline(__always)
  mutating func add<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value?> & Sendable, _ codec: Codec,
    _ presence: Field<Root>.Presence = .optional, in use: Field<Root>.Use = .everywhere, isNullable: Bool = false
  ) {
    let property = FieldAccess(path)
    fields.append(
      Field(
        name: name, presence: presence, use: use, shape: { .nullable(codec.shape) },
        read: { root, value, field, reader throws(FormFault) in
          property.set(try codec.read(value, field, reader), of: &root)
        },
        write: { root, key, output in
          if let value = property.value(of: root) {
            try codec.write(value, key, output)
          } else if isNullable || output.isShowing {
            output.writeNull(key)
          }
        }))
  }

  @inline(__always)
  private mutating func append<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value> & Sendable, _ codec: Codec,
    _ presence: Field<Root>.Presence, _ use: Field<Root>.Use,
    write: @escaping @Sendable (Codec.Value, FieldKey, any RecordOutput) throws -> Void
  ) {
    let property = FieldAccess(path)
    fields.append(
      Field(
        name: name, presence: presence, use: use, shape: { codec.shape },
        read: { root, value, field, reader throws(FormFault) in
          property.set(try codec.read(value, field, reader), of: &root)
        },
        write: { root, key, output in try write(property.value(of: root), key, output) }))
  }
}
