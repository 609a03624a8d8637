/// A record as files keep it.
package protocol Record {
  /// Its fields.
  static var form: RecordForm<Self> { get }

  /// A record that says nothing yet: the usual values.
  init()

  /// The fields of the file that Belfry does not know.
  var unknown: UnknownFields? { get set }

  /// Refuses what no store may hold, in a record whose fields are sound each by itself.
  func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault)
}

extension Record {
  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {}
}

/// The fields of a kind of record, each said once, in the order in which they are written.
///
/// From it follow the readers and writers of JSON and property lists, the record behind `undo`, what `--json` shows, the
/// names that templates know and the columns of CSV.
package struct RecordForm<Root: Record>: Sendable {
  /// The record for readers and writers that know nothing of its meaning.
  package let kind: RecordKind
  /// The fields that files keep.
  let fields: [Field<Root>]
  /// The record as people and programs see it.
  let shownKind: RecordKind
  /// The fields that people and programs see.
  let shownFields: [Field<Root>]

  /// A form.
  ///
  /// - Parameter describe: adds the fields.
  init(_ number: Int, _ noun: String, _ describe: (inout FieldList<Root>) -> Void) {
    var list = FieldList<Root>()
    describe(&list)
    fields = list.fields.filter { $0.use != .shown }
    shownFields = list.fields.filter { $0.use != .kept }
    kind = RecordKind(number, noun, fields.map(\.name))
    shownKind = RecordKind(number + RecordKind.firstShown, noun, shownFields.map(\.name))
  }

  /// The names of the fields that people and programs see.
  package var shownNames: [String] { shownFields.map { "\($0.name)" } }

  /// The record that a file says, or, where the raw record is of the kind that is shown, what people saw of it.
  ///
  /// - Throws: the first fault.
  package func read(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) -> Root {
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

  /// Writes the record for a file, or, where the output has a clock, as people and programs see it.
  ///
  /// - Throws: ``UnwritableValue`` for what the format cannot hold.
  package func write(_ root: Root, to output: any RecordOutput, under field: FieldKey? = nil) throws {
    output.open(field)
    try write(root, (output.clock == nil ? fields : shownFields)[...], to: output)
    try output.close(root.unknown)
  }

  /// Writes some fields of the record.
  func write(_ root: Root, _ fields: ArraySlice<Field<Root>>, to output: any RecordOutput) throws {
    for index in fields.indices {
      try fields[index].write(root, FieldKey(kind: kind.number, index: index, name: fields[index].name), output)
    }
  }
}

/// One field of a record: what it is called, and how it gets from a file into the record and back.
struct Field<Root>: Sendable {
  /// Where a field is seen.
  enum Use: Sendable {
    /// In files and by people.
    case everywhere
    /// In files alone.
    case kept
    /// By people and programs alone.
    case shown
  }

  /// Whether a record has to say it.
  enum Presence: Sendable {
    /// Always.
    case required
    /// A hand may leave it out; Belfry writes it.
    case expected
    /// Only where it differs from what is usual.
    case optional
  }

  let name: StaticString
  let presence: Presence
  let use: Use
  let read: @Sendable (inout Root, RawValue, Int, RecordReader) throws(FormFault) -> Void
  package let write: @Sendable (Root, FieldKey, any RecordOutput) throws -> Void
}

/// The fields of a record while they are listed.
struct FieldList<Root> {
  fileprivate(set) var fields: [Field<Root>] = []

  /// Adds a field that always has a value.
  @inline(__always)
  mutating func add<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value> & Sendable, _ codec: Codec,
    _ presence: Field<Root>.Presence = .required, in use: Field<Root>.Use = .everywhere
  ) {
    append(name, path, codec, presence, use) { root, key, output in
      try codec.write(root[keyPath: path], key, output)
    }
  }

  /// Adds a field that always has a value.
  ///
  /// - Parameter usual: what is left out of files, and read where nothing is said.
  @inline(__always)
  mutating func add<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value> & Sendable, _ codec: Codec,
    unless usual: Codec.Value, in use: Field<Root>.Use = .everywhere
  ) where Codec.Value: Equatable & Sendable {
    append(name, path, codec, .optional, use) { root, key, output in
      let value = root[keyPath: path]
      if value != usual || output.clock != nil { try codec.write(value, key, output) }
    }
  }

  /// Adds a field that may have no value, and is then left out of files.
  ///
  /// - Parameter isNullable: whether `null` stands where there is no value, in files too.
  @inline(__always)
  mutating func add<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value?> & Sendable, _ codec: Codec,
    _ presence: Field<Root>.Presence = .optional, in use: Field<Root>.Use = .everywhere, isNullable: Bool = false
  ) {
    fields.append(
      Field(
        name: name, presence: presence, use: use,
        read: { root, value, field, reader throws(FormFault) in
          root[keyPath: path] = try codec.read(value, field, reader)
        },
        write: { root, key, output in
          if let value = root[keyPath: path] {
            try codec.write(value, key, output)
          } else if isNullable || output.clock != nil {
            output.writeNull(key)
          }
        }))
  }

  @inline(__always)
  private mutating func append<Codec: FieldCodec>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Codec.Value> & Sendable, _ codec: Codec,
    _ presence: Field<Root>.Presence, _ use: Field<Root>.Use,
    write: @escaping @Sendable (Root, FieldKey, any RecordOutput) throws -> Void
  ) {
    fields.append(
      Field(
        name: name, presence: presence, use: use,
        read: { root, value, field, reader throws(FormFault) in
          root[keyPath: path] = try codec.read(value, field, reader)
        }, write: write))
  }
}
