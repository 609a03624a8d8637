import CivilTime

/// The tags of an item: words as they were written, in that order, each once without regard to case.
public struct ItemTags: Hashable, Sendable {
  /// The tags of an item that has none.
  public static var empty: ItemTags { ItemTags() }

  /// The most tags of an item.
  package static let most = 50
  /// The most bytes of a tag.
  package static let longest = 100

  /// The tags as they were written, in that order.
  public private(set) var names: [String] = []

  private init() {}

  /// Tags of these names.
  ///
  /// - Throws: ``BelfryError`` `.badInput` with the name that cannot be a tag.
  public init(_ names: some Sequence<String>) throws(BelfryError) {
    for name in names { try insert(name) }
  }

  /// True if there are none.
  public var isEmpty: Bool { names.isEmpty }

  /// Adds a tag at the end, unless it is there already; case is ignored.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a name that cannot be a tag, and for one tag too many.
  package mutating func insert(_ name: String) throws(BelfryError) {
    if let fault = Self.fault(in: name) { throw fault.about(.tags) }
    guard !contains(Checklist.nameKey(name)) else { return }
    guard names.count < Self.most else {
      throw BelfryError(.badInput, "'\(name)' is one tag too many: an item has at most \(Self.most)").about(.tags)
    }
    names.append(name)
  }

  /// True if each of the other tags is among them; case is ignored.
  public func isSuperset(of other: ItemTags) -> Bool {
    other.isEmpty || !isEmpty && other.names.allSatisfy { contains(Checklist.nameKey($0)) }
  }

  /// True if one of them has this normalised form; see ``Checklist/nameKey(_:)``.
  package func contains(_ key: String) -> Bool { names.contains { Checklist.nameKey($0) == key } }

  private static func fault(in name: String) -> BelfryError? {
    guard !name.isEmpty else { return BelfryError(.badInput, "a tag is empty", hint: "write a word, such as home") }
    guard name.utf8.count <= longest else {
      return BelfryError(
        .badInput, "a tag is \(name.utf8.count) bytes long: '\(name.prefix(20))…'",
        hint: "a tag has at most \(longest) bytes")
    }
    guard name.first != "@" else {
      return BelfryError(.badInput, "'\(name)' is not a tag: it begins with an @", hint: "leave out the @")
    }
    // Forms show it for no tags.
    guard Checklist.nameKey(name) != "none" else { return BelfryError(.badInput, "a tag cannot be 'none'") }
    guard let scalar = name.unicodeScalars.first(where: separates) else { return nil }
    let what =
      switch scalar {
      case " ": "a space"
      case ",": "a comma"
      default: scalar.properties.isWhitespace ? "white space" : "the control character \(scalar.codePoint)"
      }
    return BelfryError(
      .badInput, "'\(name)' is not a tag: it holds \(what)", hint: "a tag is one word, such as home or two-words")
  }

  // Characters that no tag has: white space and control characters, and the comma, which separates tags in a form.
  private static func separates(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "," || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }
}

/// Codes the tags of an item.
struct TagsCodec: FieldCodec {
  var shape: FieldShape { .texts }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> ItemTags {
    let names = try reader.texts(value, field)
    do { return try ItemTags(names) } catch { throw reader.fault(field, value, .sentence(error.message)) }
  }

  func write(_ value: ItemTags, _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.names)
  }
}

extension FieldCodec where Self == TagsCodec {
  static var tags: TagsCodec { TagsCodec() }
}
